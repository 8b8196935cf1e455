"""One file: a copy of it is a backup, nobody's journal spoils another's, nothing goes astray."""

import contextlib
import shutil
import sqlite3
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, opened_elsewhere, reopened
from synthetic import gallery as trained_gallery

from eigenfaces import Gallery, Preparation, Project
from eigenfaces.errors import MovedAwayError, ProjectError


def renamed(gallery: Gallery, name: str) -> Gallery:
    return gallery.rename(gallery.people[0], name)


def edit(project: Project, *names: str) -> None:
    for name in names:
        project.save(renamed(project.gallery, name))


def killed_while_saving(project: Project, path: Path) -> None:
    """Leave at ``path`` what a process killed in a transaction leaves: half a file, its journal."""
    with contextlib.suppress(KeyboardInterrupt), project._file.transaction() as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("DELETE FROM face")
        connection.execute("UPDATE coordinate SET value = zeroblob(9000)")
        shutil.copy(project.path, path)
        shutil.copy(f"{project.path}-journal", f"{path}-journal")
        raise KeyboardInterrupt


@pytest.mark.parametrize("edits", [0, 1, 5])
def test_a_backup_beside_the_journal_of_another_state_is_refused_and_nothing_is_touched(
    project: Project, tmp_path: Path, edits: int
) -> None:
    """A copy of the file, put in the place of one whose last save was killed."""
    edit(project, "Before")
    backup, expected = project.path.read_bytes(), digest(project.gallery)
    edit(project, *(f"Name {number}" for number in range(edits)))
    half, journal = tmp_path / "half.eigenfaces", tmp_path / "half.eigenfaces-journal"
    killed_while_saving(project, half)
    half.write_bytes(backup)
    if edits:
        before = half.read_bytes(), journal.read_bytes()
        for ask in (lambda: Project.open(half), lambda: Project.create(half)):
            with pytest.raises(ProjectError, match="Move it elsewhere, and try again"):
                ask()
        assert (half.read_bytes(), journal.read_bytes()) == before
        journal.unlink()
    assert digest(reopened(half)) == expected


def copy_gone_apart(project: Project, to: Path, edits: int) -> bytes:
    """Return a copy of a project after some changes of its own."""
    shutil.copy(project.path, to)
    with contextlib.closing(Project.open(to)) as copy:
        edit(copy, *(f"Elsewhere {number}" for number in range(edits)))
    return to.read_bytes()


@pytest.mark.parametrize("ahead", [0, 1])
def test_a_copy_that_went_apart_is_another_state_after_as_many_changes(
    project: Project, tmp_path: Path, ahead: int
) -> None:
    """Beside the journal of the other, and in the place of one that is open."""
    edit(project, "Before")
    copy = copy_gone_apart(project, tmp_path / "copy.eigenfaces", 2 + ahead)
    edit(project, "Here", "And here")
    half, journal = tmp_path / "half.eigenfaces", tmp_path / "half.eigenfaces-journal"
    killed_while_saving(project, half)
    half.write_bytes(copy)
    before = journal.read_bytes()
    with pytest.raises(ProjectError, match="Move it elsewhere, and try again"):
        Project.open(half)
    assert (half.read_bytes(), journal.read_bytes()) == (copy, before)
    project.path.write_bytes(copy)
    with pytest.raises(MovedAwayError, match="written into"):
        edit(project, "Lost")
    assert project.is_overwritten
    assert project.path.read_bytes() == copy


@pytest.mark.parametrize("after_reopening", [False, True])
def test_without_a_backup_the_state_before_comes_back(
    project: Project, path: Path, tmp_path: Path, after_reopening: bool
) -> None:
    """The first change since the file was opened, and a later one; its header may be written."""
    if after_reopening:
        project.close()
        project = Project.open(path)
    half = tmp_path / "half.eigenfaces"
    for name, pages in (("First", b""), ("Later", b""), ("Grown", b"\x00\x01\x00\x00")):
        killed_while_saving(project, half)
        content = half.read_bytes()  # the header counts pages that are not written yet
        half.write_bytes(content[:28] + pages + content[28 + len(pages) :])
        assert digest(reopened(half)) == digest(project.gallery)
        edit(project, name)
        journal = Path(f"{project.path}-journal")
        assert not journal.exists() or journal.stat().st_size == 0  # it holds nothing old
    project.close()


def test_the_journal_of_a_killed_process_is_needed_and_spoils_nothing_new(
    project: Project, tmp_path: Path
) -> None:
    half, journal = tmp_path / "half.eigenfaces", tmp_path / "half.eigenfaces-journal"
    killed_while_saving(project, half)
    content = journal.read_bytes()
    journal.unlink()
    with pytest.raises(ProjectError, match="damaged"):
        Project.open(half)
    killed_while_saving(project, half)
    new = Gallery.new(Preparation(20, 20, already_cropped=True))
    Project.create(half, new).close()  # the journal is not played back into it
    assert digest(reopened(half)) == digest(new)
    half.unlink()
    journal.write_bytes(content)
    with pytest.raises(ProjectError, match="Move it elsewhere"):
        Project.create(half)
    assert journal.read_bytes() == content
    assert not half.exists()


@pytest.mark.parametrize("way", ["deleted", "moved", "replaced", "folder"])
def test_no_change_goes_into_a_file_that_nobody_finds(
    project: Project, path: Path, tmp_path: Path, way: str
) -> None:
    shutil.copy(path, tmp_path / "backup")
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
    with pytest.raises(MovedAwayError, match=r"elsewhere\. Everything .* still here\."):
        edit(project, "Lost")
    assert project.gallery is gallery
    assert not project.is_in_place
    assert {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before
    with contextlib.closing(Project.create(tmp_path / "new.eigenfaces", gallery, project)) as new:
        edit(new, "Kept")
    assert reopened(tmp_path / "new.eigenfaces").people[0] == "Kept"


def test_overwritten_it_can_be_saved_elsewhere_or_a_backup_put_in_its_place(
    project: Project, path: Path, tmp_path: Path
) -> None:
    """No page of what was there meanwhile is taken for one of the project."""
    edit(project, "Before")
    gallery, expected, backup = project.gallery, digest(project.gallery), path.read_bytes()
    others = trained_gallery(np.random.default_rng(5), count=3)
    Project.create(tmp_path / "other.eigenfaces", others).close()
    path.write_bytes((tmp_path / "other.eigenfaces").read_bytes())
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(MovedAwayError, match=r"written into .* except the evaluations"):
        edit(project, "Lost")
    assert project.gallery is gallery
    assert project.is_overwritten
    with project._file.reading() as connection:  # as whoever looks without a check
        for (table,) in connection.execute("SELECT name FROM sqlite_master").fetchall():
            with contextlib.suppress(sqlite3.DatabaseError):
                connection.execute(f"SELECT * FROM {table}").fetchall()
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    Project.create(tmp_path / "new.eigenfaces", gallery, project).close()
    assert digest(reopened(tmp_path / "new.eigenfaces")) == expected
    path.write_bytes(backup)
    edit(project, "Someone")
    project.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert digest(reopened(path)) == digest(renamed(gallery, "Someone"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_only_the_owner_reads_a_project_unless_another_was_allowed_to(
    project: Project, path: Path
) -> None:
    for mode in (0o600, 0o640):
        edit(project, f"{mode}")
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.chmod(0o640)


def test_removed_names_are_overwritten_at_once_and_faces_at_closing(
    project: Project, path: Path
) -> None:
    """Until then undo can bring the faces back."""
    gallery = project.gallery
    crops = [crop.tobytes() for crop in gallery.faces.pixels.array]
    assert all(crop in path.read_bytes() for crop in crops)
    gone = gallery.people[1:3]
    rows = [row for name in gone for row in gallery.index.rows_of(name)]
    project.save(gallery.remove([gallery.index.photos[row].id for row in rows]))
    assert not any(name.encode() in path.read_bytes() for name in gone)
    project.save(gallery)  # undone
    assert all(crop in path.read_bytes() for crop in crops)
    edit(project, "Grace Hopper", "Somebody else")
    assert b"Grace Hopper" not in path.read_bytes()
    project.save(gallery.remove([gallery.index.photos[row].id for row in rows]))
    project.close()
    content = path.read_bytes()
    assert not any(crops[row] in content for row in rows)
    assert all(crops[row] in content for row in {*range(len(crops))}.difference(rows))
    assert not any(name.encode() in content for name in gone)


def test_nobody_opens_a_project_while_another_is_put_in_its_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or its changes would go into a file that nobody finds."""
    Project.create(path).close()
    replace, answers = Path.replace, []

    def replaced(part: Path, target: Path) -> Path:
        answers.append(opened_elsewhere(path))
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", replaced)
    Project.create(path).close()
    assert "open in another window" in answers[0]
    assert opened_elsewhere(path) == "opened\n"
