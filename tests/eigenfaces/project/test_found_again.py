"""Photographs that have moved are found, with all that a person has said about them."""

import os
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from project.photo_folders import content_of, folder_of_people, paint, places, touch_later

from eigenfaces import Project
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile
from eigenfaces.project.content import Content
from eigenfaces.project.moved import (
    find_moves,
    missing_paths,
    moves_to,
    photograph_paths,
    relinked,
)
from eigenfaces.recognition.probes import Probe, ProbeList


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of_people(tmp_path / "Photos")


def with_all_kinds(folder: Path) -> Content:
    """Return a content with faces, a probe, a photograph without a face, and one not used."""
    content = content_of(folder)
    gallery = content.gallery
    probe = Probe(gallery.index.photos[3], gallery.faces.image(3))
    listed = ProbeList((probe,), frozenset({folder / "nobody.png"}))
    unused = (Skipped(folder / "unused.png", "There is no face on it.", kind="no face"),)
    kept = gallery.remove([probe.photo.id]).confirm([gallery.index.photos[0].id])
    files = (replace(content.files[0], favourite=True), *content.files[1:])
    return replace(content, gallery=kept, probe_list=listed, unused=unused, files=files)


def test_faces_probes_unused_photos_and_files_go_along(folder: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("nobody.png", "unused.png")):
        paint(folder / name, 20 + number)
    content = with_all_kinds(folder)
    new = tmp_path / "Elsewhere"
    moves = {path: new / path.relative_to(folder) for path in photograph_paths(content)}
    after = relinked(content, moves)
    assert places(after, new) == places(content, folder)
    assert after.gallery.index.photos[0].right
    assert after.files[0].favourite
    assert [one.path for one in after.folders] == [new]
    back = relinked(after, {now: old for old, now in moves.items()})
    assert (places(back, folder), back.folders) == (places(content, folder), content.folders)


def test_a_file_that_is_known_in_its_new_place_is_there_once(folder: Path) -> None:
    content = with_all_kinds(folder)
    old, new = content.files[0], folder / "again.png"
    known = replace(old, path=new, favourite=False, changed=7)
    duplicate = Skipped(new, "It is the same file.", kind="duplicate")
    content = replace(content, files=(*content.files, known), unused=(*content.unused, duplicate))
    after = relinked(content, {old.path: new})
    (there,) = [file for file in after.files if file.path == new]
    assert (there.favourite, there.changed) == (True, 7)
    assert duplicate not in after.unused


def test_what_is_still_in_its_place_is_copied_not_moved(tmp_path: Path) -> None:
    paths = {tmp_path / "a.png": "5f", tmp_path / "b.png": "60"}
    found = {tmp_path / "new" / "b.png": "60", tmp_path / "new" / "a.png": "5f"}
    assert moves_to(paths, {tmp_path / "a.png"}, found) == {
        tmp_path / "a.png": tmp_path / "new" / "a.png"
    }
    assert moves_to(paths, set(paths), {tmp_path / "b.png": "5f"}) == {
        tmp_path / "a.png": tmp_path / "b.png"
    }
    assert moves_to({tmp_path / "a.png": ""}, {tmp_path / "a.png"}, {tmp_path / "c": ""}) == {}


class TestFindTheFolder:
    def test_the_whole_folder_is_found_from_one_photograph(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        content = content_of(folder)
        new = tmp_path / "Disk" / "Pictures"
        new.parent.mkdir()
        folder.rename(new)
        lost = folder / "Grace" / "1.png"
        with monkeypatch.context() as patch:  # size and time are enough where they are the same
            patch.setattr("eigenfaces.project.moved.sha_of", lambda _: pytest.fail("It is read."))
            moves = find_moves(content, lost, new)
        assert places(relinked(content, moves), new) == places(content, folder)
        # It does not matter which of the folders above it a person chooses.
        assert find_moves(content, lost, new / "Grace")[lost] == new / "Grace" / "1.png"
        assert len(find_moves(content, lost, new.parent)) == 4

    def test_other_times_are_confirmed_by_content(self, folder: Path, tmp_path: Path) -> None:
        content = content_of(folder)
        new = tmp_path / "New"
        folder.rename(new)
        for path in new.rglob("*.png"):
            touch_later(path)
        other = new / "Ada" / "2.png"
        other.write_bytes(bytes(reversed(other.read_bytes())))
        touch_later(other)
        moves = find_moves(content, folder / "Ada" / "1.png", new)
        assert {*moves} == {*photograph_paths(content)} - {folder / "Ada" / "2.png"}


class TestBesideItsPhotographs:
    @pytest.fixture
    def home(self, tmp_path: Path) -> Path:
        """A folder with a project and its photographs."""
        home = tmp_path / "Family"
        folder = folder_of_people(home / "Photos")
        with closing(Project.create(home / "family.eigenfaces")) as project:
            project.write(content_of(folder))
        return home

    @staticmethod
    def reopened(home: Path, *, shared: bool = False) -> Content:
        with closing(Project.open(home / "family.eigenfaces", shared=shared)) as project:
            return project.content

    def test_the_folder_that_holds_both_is_renamed(self, home: Path) -> None:
        new = home.rename(home.with_name("Our family"))
        content = self.reopened(new)
        assert not missing_paths(content)
        assert places(content, new / "Photos") == [
            *("Ada/1.png", "Ada/2.png", "Grace/1.png", "Grace/2.png")
        ]
        assert [folder.path for folder in content.folders] == [new / "Photos"]
        assert self.reopened(new).files == content.files  # it is in the file

    def test_a_copy_uses_the_photographs_beside_it(self, home: Path, tmp_path: Path) -> None:
        stick = tmp_path / "Stick"
        shutil.copytree(home, stick)
        assert all(path.is_relative_to(stick) for path in photograph_paths(self.reopened(stick)))
        assert all(path.is_relative_to(home) for path in photograph_paths(self.reopened(home)))

    def test_a_project_moved_alone_keeps_its_photographs(self, home: Path, tmp_path: Path) -> None:
        before = self.reopened(home)
        (tmp_path / "Desk").mkdir()
        shutil.move(home / "family.eigenfaces", tmp_path / "Desk")
        paint(tmp_path / "Desk" / "Photos" / "Ada" / "1.png", 30)  # another picture
        after = self.reopened(tmp_path / "Desk")
        assert photograph_paths(after) == photograph_paths(before)

    @pytest.mark.skipif(
        os.name == "nt" or os.geteuid() == 0, reason="everything can be written there"
    )
    def test_read_only(self, home: Path) -> None:
        new = home.rename(home.with_name("Our family"))
        (new / "family.eigenfaces").chmod(0o400)
        assert not missing_paths(self.reopened(new))

    def test_a_project_of_another_system_is_left_alone(self, home: Path) -> None:
        foreign = Path("C:\\Users\\Ada\\Photos\\1.png")
        with closing(Project.open(home / "family.eigenfaces")) as project:
            known = KnownFile(foreign, "5f", 9, 9)
            project.write(replace(project.content, files=(*project.content.files, known)))
            row = b'["C:\\\\\\\\Users\\\\\\\\Ada"]'.replace(b"\\\\\\\\", b"\\\\")
            with project._file.transaction() as connection:
                connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", ("place", row))
        new = home.rename(home.with_name("Our family"))
        content = self.reopened(new)
        assert foreign in {file.path for file in content.files}
        assert {*photograph_paths(content)} == {
            home / "Photos" / name / number
            for name in ("Ada", "Grace")
            for number in ("1.png", "2.png")
        }

    def test_a_project_that_does_not_say_where_it_is_says_so_once_opened(self, home: Path) -> None:
        project = Project.open(home / "family.eigenfaces")
        with closing(project), project._file.transaction() as connection:
            connection.execute("DELETE FROM document WHERE name = 'place'")
        self.reopened(home)
        assert not missing_paths(self.reopened(home.rename(home.with_name("Our family"))))

    def test_another_way_to_the_same_folder_changes_nothing(self, home: Path) -> None:
        link = home.with_name("Link")
        link.symlink_to(home)
        before = (home / "family.eigenfaces").read_bytes()
        content = self.reopened(link)
        assert all(path.is_relative_to(home) for path in photograph_paths(content))
        assert (home / "family.eigenfaces").read_bytes() == before

    @pytest.mark.skipif(os.name == "nt", reason="every name is text there")
    def test_names_that_are_no_text(self, tmp_path: Path) -> None:
        home = tmp_path / os.fsdecode(b"F\xe4mily")
        try:
            folder = folder_of_people(home / os.fsdecode(b"Ph\xf6tos"))
        except OSError:
            pytest.skip("this file system takes no such name")
        with closing(Project.create(home / "family.eigenfaces")) as project:
            project.write(content_of(folder))
        new = home.rename(tmp_path / os.fsdecode(b"N\xe4me"))
        assert not missing_paths(self.reopened(new))
