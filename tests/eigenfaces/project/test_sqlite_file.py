"""One file: a copy of it is a backup, nobody's journal spoils another's, nothing goes astray."""

import contextlib
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, reopened
from synthetic import gallery as trained_gallery

from eigenfaces import Cancelled, EigenfacesError, Gallery, Project
from eigenfaces.errors import MovedAwayError, ProjectError
from eigenfaces.project.atomic_files import atomic_write, clear_unfinished, temporary_path

Edit = Callable[[Gallery], Gallery]


@pytest.fixture
def project(path: Path, rng: np.random.Generator) -> Iterator[Project]:
    project = Project.create(path, trained_gallery(rng))
    yield project
    project.close()


def rename(name: str) -> Edit:
    return lambda gallery: gallery.rename(gallery.people[0], name)


def edit(project: Project, *names: str) -> None:
    for name in names:
        project.save(rename(name)(project.gallery))


def killed_while_saving(project: Project, path: Path) -> None:
    """Leave at ``path`` what a process killed in a transaction leaves: half a file, its journal."""
    with contextlib.suppress(KeyboardInterrupt), project._file.transaction() as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("DELETE FROM photo")
        connection.execute("UPDATE component SET value = zeroblob(9000)")
        shutil.copy(project.path, path)
        shutil.copy(f"{project.path}-journal", f"{path}-journal")
        raise KeyboardInterrupt


class TestRestoredBackups:
    """A copy of the file, put in the place of one whose last save was killed."""

    @pytest.mark.parametrize("edits", [0, 1, 2, 5])
    @pytest.mark.parametrize("way", ["copied over", "moved there"])
    def test_it_opens_as_it_was_copied(
        self, project: Project, tmp_path: Path, edits: int, way: str
    ) -> None:
        edit(project, "Before")
        backup, expected = tmp_path / "backup", digest(project.gallery)
        shutil.copy(project.path, backup)
        edit(project, *(f"Name {number}" for number in range(edits)))
        half = tmp_path / "half.eigenfaces"
        killed_while_saving(project, half)
        if way == "copied over":
            half.write_bytes(backup.read_bytes())
        else:
            backup.replace(half)
        assert digest(reopened(half)) == expected
        assert not Path(f"{half}-journal").exists()
        assert digest(reopened(half)) == expected

    def test_of_another_session(self, project: Project, path: Path, tmp_path: Path) -> None:
        """Opened and changed since as often as the original was."""
        backup = tmp_path / "backup.eigenfaces"
        shutil.copy(path, backup)
        with contextlib.closing(Project.open(backup)) as other:
            edit(other, "One", "Two")
            expected = digest(other.gallery)
        edit(project, "Three", "Four")
        half = tmp_path / "half.eigenfaces"
        killed_while_saving(project, half)
        shutil.copy(backup, half)
        assert digest(reopened(half)) == expected

    @pytest.mark.parametrize("after_reopening", [False, True])
    def test_without_a_backup_the_state_before_comes_back(
        self, project: Project, path: Path, tmp_path: Path, after_reopening: bool
    ) -> None:
        """The first change since the file was opened, and a later one."""
        if after_reopening:
            project.close()
            project = Project.open(path)
        expected = digest(project.gallery)
        half = tmp_path / "half.eigenfaces"
        killed_while_saving(project, half)
        assert digest(reopened(half)) == expected
        edit(project, "Later")
        killed_while_saving(project, half)
        assert digest(reopened(half)) == digest(project.gallery)
        project.close()

    def test_a_backup_that_is_open_in_the_same_moment(self, project: Project) -> None:
        """Copying while nothing is being saved needs no closing."""
        for number in range(5):
            edit(project, f"Name {number}")
            copy = project.path.with_name(f"copy {number}.eigenfaces")
            shutil.copy(project.path, copy)
            assert digest(reopened(copy)) == digest(project.gallery)

    def test_the_journal_holds_nothing_after_a_change(self, project: Project) -> None:
        edit(project, "One", "Two")
        journal = Path(f"{project.path}-journal")
        assert not journal.exists() or journal.stat().st_size == 0
        project.close()
        assert not journal.exists()

    def test_a_new_project_over_a_restored_backup(self, project: Project, tmp_path: Path) -> None:
        """Where it cannot be written in the end, the backup is as it was."""
        half, backup = tmp_path / "half.eigenfaces", tmp_path / "backup"
        shutil.copy(project.path, backup)
        edit(project, "One")
        killed_while_saving(project, half)
        shutil.copy(backup, half)
        expected = backup.read_bytes()
        Project.create(tmp_path / "new.eigenfaces", project.gallery).close()
        assert half.read_bytes() == expected


class TestAnotherFileInItsPlace:
    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("way", ["deleted", "moved", "replaced", "folder"])
    def test_no_change_goes_into_a_file_that_nobody_finds(
        self, project: Project, path: Path, tmp_path: Path, way: str, first: bool
    ) -> None:
        shutil.copy(path, tmp_path / "backup")
        if not first:
            edit(project, "Before")
        elsewhere = tmp_path / "elsewhere"
        if way in ("deleted", "folder"):
            path.unlink()
        if way == "folder":
            path.mkdir()
        elif way == "moved":
            path.rename(elsewhere)
        elif way == "replaced":
            (tmp_path / "backup").replace(path)
        before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
        gallery = project.gallery
        with pytest.raises(MovedAwayError, match=r"in another place: everything .* still here\."):
            edit(project, "Lost")
        assert project.gallery is gallery
        assert not project.is_in_place
        assert {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before
        with contextlib.closing(
            Project.create(tmp_path / "new.eigenfaces", gallery, project)
        ) as new:
            edit(new, "Kept")
        assert reopened(tmp_path / "new.eigenfaces").people[0] == "Kept"

    @pytest.mark.parametrize("first", [True, False])
    def test_overwritten_its_faces_are_not_those_of_another(
        self, project: Project, path: Path, tmp_path: Path, first: bool
    ) -> None:
        """They were in it alone: what is in memory is still there, and nothing is made of it."""
        if not first:
            edit(project, "Before")
        gallery, coordinates = project.gallery, project.gallery.trained.coordinates.copy()
        others = trained_gallery(np.random.default_rng(5), count=3)
        Project.create(tmp_path / "other.eigenfaces", others).close()
        path.write_bytes((tmp_path / "other.eigenfaces").read_bytes())
        before = {file: file.read_bytes() for file in tmp_path.iterdir()}
        with pytest.raises(MovedAwayError, match=r"written into .* or use a backup copy of it\."):
            edit(project, "Lost")
        assert project.gallery is gallery
        assert project.is_overwritten
        for ask in (
            lambda: gallery.faces.pixels[:],
            lambda: Project.create(tmp_path / "new.eigenfaces", gallery, project),
        ):
            with pytest.raises(ProjectError, match=r"written into .*|cannot be opened"):
                ask()
        np.testing.assert_array_equal(gallery.trained.coordinates, coordinates)
        assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before

    def test_through_a_link_that_leads_elsewhere_now(self, project: Project, path: Path) -> None:
        link, other = path.with_name("link.eigenfaces"), path.with_name("other.eigenfaces")
        project.close()
        link.symlink_to(path)
        Project.create(other).close()
        with contextlib.closing(Project.open(link)) as opened:
            edit(opened, "Through the link")
            link.unlink()
            link.symlink_to(other)
            with pytest.raises(MovedAwayError):
                edit(opened, "Lost")
        assert reopened(path).people[0] == "Through the link"
        assert reopened(other).people == ()

    def test_put_back_it_goes_on(self, project: Project, path: Path) -> None:
        path.rename(path.with_name("elsewhere"))
        with pytest.raises(MovedAwayError):
            edit(project, "Refused")
        path.with_name("elsewhere").rename(path)
        edit(project, "Ada")
        project.close()
        assert reopened(path).people[0] == "Ada"


class TestLinks:
    def test_a_new_project_through_a_link_is_where_it_leads(
        self, path: Path, rng: np.random.Generator
    ) -> None:
        folder = path.with_name("folder")
        folder.mkdir()
        real = folder / "real.eigenfaces"
        Project.create(real).close()
        path.symlink_to(real)
        with contextlib.closing(Project.create(path, trained_gallery(rng))) as project:
            edit(project, "Ada")
        assert path.is_symlink()
        assert reopened(real).people[0] == "Ada"


LEAVE = """
import os, signal, sys
from pathlib import Path
from eigenfaces import Project
from eigenfaces.project.atomic_files import atomic_write
target = Path(sys.argv[1])
if sys.argv[2] == "project":
    import eigenfaces.project.project as module
    module.prepare_replacement = lambda path: os.kill(os.getpid(), signal.SIGKILL)
    Project.create(target)
with atomic_write(target) as part:
    if sys.argv[2] == "folder":
        part.mkdir()
        part = part / "face.png"
    part.write_bytes(b"a face")
    Path(f"{part}-journal").write_bytes(b"a face")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def hidden(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if file.name.startswith(".")]


@pytest.mark.skipif(sys.platform == "win32", reason="needs processes to kill")
class TestLeftovers:
    @pytest.mark.parametrize("what", ["file", "folder", "project"])
    def test_of_a_killed_process_go_with_the_next_save_or_start(
        self, tmp_path: Path, what: str
    ) -> None:
        for clear in (
            lambda: clear_unfinished(tmp_path),
            lambda: write(tmp_path / "another.txt"),
            lambda: Project.create(tmp_path / "another.eigenfaces").close(),
            lambda: Project.open(tmp_path / "another.eigenfaces").close(),
        ):
            command = [sys.executable, "-c", LEAVE, str(tmp_path / "x"), what]
            subprocess.run(command, check=False)
            assert hidden(tmp_path)
            clear()
            assert hidden(tmp_path) == []

    def test_of_a_living_process_or_another_computer_stay(self, tmp_path: Path) -> None:
        with atomic_write(tmp_path / "x") as part:
            part.write_bytes(b"x")
            mine = part.name
            alive = mine.replace(f".{os.getpid()}-", f".{os.getppid()}-")
            elsewhere = mine.replace(mine.split(".")[2], "another-computer")
            not_ours = [".x.1234.part", ".x.part", "x.eigenfaces-part", ".x-journal"]
            for name in (alive, elsewhere, *not_ours):
                (tmp_path / name).touch()
            clear_unfinished(tmp_path)
            assert {*hidden(tmp_path), "x.eigenfaces-part"} == {
                mine, alive, elsewhere, *not_ours
            }  # fmt: skip

    def test_of_this_process_with_the_number_of_a_dead_one(self, tmp_path: Path) -> None:
        with temporary_path(tmp_path / "x") as part:
            pass
        part.write_bytes(b"left by an earlier process")
        clear_unfinished(tmp_path)
        assert hidden(tmp_path) == []

    def test_of_a_failed_save(self, path: Path, rng: np.random.Generator) -> None:
        """Refused at the end, with its journal, it leaves nothing."""
        holder = Project.create(path)
        with pytest.raises(ProjectError, match="another window"):
            Project.create(path, trained_gallery(rng))
        holder.close()
        assert hidden(path.parent) == []

    def test_two_long_names_do_not_meet(self, tmp_path: Path) -> None:
        names = ["a" * 60 + ending for ending in (".html", ".json")]
        with atomic_write(tmp_path / names[0]) as one, atomic_write(tmp_path / names[1]) as two:
            one.write_text("1")
            two.write_text("2")
        assert [(tmp_path / name).read_text() for name in names] == ["1", "2"]

    def test_a_name_that_is_too_long_is_a_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(EigenfacesError, match="cannot be written"):
            write(tmp_path / ("a" * 300))
        assert hidden(tmp_path) == []


def write(path: Path) -> None:
    with atomic_write(path) as part:
        part.write_bytes(b"x")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
class TestPrivacy:
    def test_only_the_owner_reads_a_project(self, project: Project, path: Path) -> None:
        edit(project, "Ada")
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file

    def test_permissions_that_were_given_stay(self, project: Project, path: Path) -> None:
        path.chmod(0o640)
        edit(project, "Ada")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640

    @pytest.mark.parametrize("whole", [False, True])
    def test_a_removed_face_is_not_in_the_file(
        self, project: Project, path: Path, whole: bool
    ) -> None:
        gallery = project.gallery
        crops = [crop.tobytes() for crop in gallery.faces.pixels.held]
        assert all(crop in path.read_bytes() for crop in crops)
        gone = range(len(crops)) if whole else range(3, 17)
        project.save(gallery.remove([gallery.index.photos[row].key for row in gone]))
        project.close()
        content = path.read_bytes()
        assert not any(crops[row] in content for row in gone)


def test_cancelled_while_it_is_read(project: Project, path: Path) -> None:
    """Whatever it is that takes so long; and the file can be opened again."""
    project.close()

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with contextlib.closing(sqlite3.connect(path)) as connection:  # much to check
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.executemany(
            "INSERT INTO fitted VALUES (?, 'x', 0)", ((block,) for block in range(1, 30_000))
        )
        connection.commit()
    with pytest.raises(Cancelled):
        Project.open(path, stop)
    with pytest.raises(EigenfacesError, match="damaged"):
        Project.open(path)
