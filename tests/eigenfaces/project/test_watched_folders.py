"""What a look at the folders of a project finds: new, changed, gone and moved photographs."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from project.photo_folders import content_of, folder_of_people, paint, touch_later

from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile, WatchedFolder
from eigenfaces.project import watch
from eigenfaces.project.content import Content
from eigenfaces.project.moved import missing_paths
from eigenfaces.project.watch import after_look, look, renewed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of_people(tmp_path / "Photos")


def names(found: watch.Look) -> list[tuple[str, str | None]]:
    return [(photo.path.name, photo.person) for photo in found.new]


def test_what_is_gone_is_said_once_and_no_longer_gone_once_it_is_back(folder: Path) -> None:
    content = content_of(folder)
    elsewhere = folder.parent / "1.png"
    shutil.copy2(folder / "Ada" / "1.png", elsewhere)
    (folder / "Ada" / "1.png").unlink()
    after = after_look(content, look(content))
    assert not look(after).has_found
    shutil.move(elsewhere, folder / "Ada" / "1.png")
    again = look(after)
    assert not again.has_found
    assert not any(file.gone for file in renewed(after, again).files)


def test_a_copy_is_new_for_the_old_one_is_still_there(folder: Path) -> None:
    content = content_of(folder)
    shutil.copy2(folder / "Ada" / "1.png", folder / "Grace" / "copy.png")
    found = look(content)
    assert names(found) == [("copy.png", "Grace")]
    assert not found.moves


def test_a_folder_that_cannot_be_reached_is_one_sentence(folder: Path) -> None:
    content = content_of(folder)
    folder.rename(folder.with_name("unmounted"))
    found = look(content)
    assert (found.gone, found.has_found) == ((), False)
    assert found.sentence == "The photos in “Photos” cannot be reached."
    folder.mkdir()  # what is left of a disk that is not connected
    assert look(content).sentence == "The photos in “Photos” cannot be reached."
    assert after_look(content, found).files == content.files


def test_what_was_added_one_by_one_from_a_folder_that_is_not_there_is_not_gone(
    folder: Path,
) -> None:
    content = replace(content_of(folder), folders=())
    paint(folder / "Ada" / "new.png", 30)
    assert look(content) == watch.Look()
    shutil.rmtree(folder / "Ada")
    (folder / "Grace" / "1.png").unlink()
    found = look(content)
    assert found.gone == (folder / "Grace" / "1.png",)
    assert found.unreachable == (folder / "Ada",)


def test_an_unreadable_sub_folder_loses_nothing(folder: Path) -> None:
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("no folder is unreadable there")
    content = content_of(folder)
    (folder / "Ada").chmod(0)
    found = look(content)
    (folder / "Ada").chmod(0o700)
    assert (found.gone, found.unreachable) == ((), (folder / "Ada",))


def test_what_a_person_has_taken_out_is_not_new_again(folder: Path) -> None:
    content = content_of(folder)
    gone = content.gallery.index.photos[0]
    content = content.with_gallery(content.gallery.remove([gone.id]))
    assert look(content) == watch.Look()
    touch_later(gone.path)
    assert not look(content).has_found
    paint(gone.path, 40)  # saved again by another program: still nobody's business
    found = look(content)
    assert not found.has_found
    assert look(renewed(content, found)) == watch.Look()


def test_what_waits_or_was_left_out_is_read_anew_if_it_has_changed(folder: Path) -> None:
    path = paint(folder / "Ada" / "left out.png", 9)
    content = content_of(folder)
    left = content.gallery.index.photos[2]
    assert left.path == path
    unused = (Skipped(path, "You left it out.", "Ada", "no face"),)
    content = replace(content.with_gallery(content.gallery.remove([left.id])), unused=unused)
    assert not look(content).has_found
    paint(path, 40)
    assert [(photo.path, photo.person) for photo in look(content).changed] == [(path, "Ada")]


def test_new_ones_are_named_as_their_folder_says(tmp_path: Path) -> None:
    home = tmp_path / "Photos"
    for number, name in enumerate(
        ("Ada/1.png", "Christmas/2.png", "bob 3.png", "deep/Ada/4.png", "one/5.png")
    ):
        paint(home / name, number)
    folders = (
        WatchedFolder(home, events=("Christmas",), pattern="{person} *.png"),
        WatchedFolder(home / "deep"),
        WatchedFolder(home / "one", person="Grace"),
    )
    found = look(replace(content_of(folder_of_people(tmp_path / "Other")), folders=folders))
    assert {*names(found)} == {
        ("1.png", "Ada"),
        ("2.png", None),
        ("bob 3.png", "bob"),
        ("4.png", "Ada"),
        ("5.png", "Grace"),
    }


def test_hidden_files_and_those_of_the_system_are_passed_over(folder: Path) -> None:
    content = content_of(folder)
    for number, name in enumerate((".hidden.png", "@eaDir/1.png", "film.mp4", "raw.nef")):
        paint(folder / name, 50 + number)
    paint(folder / "unusual.happy", 60)
    assert names(look(content)) == [("unusual.happy", None)]


def test_links_that_lead_in_circles_or_to_nothing_do_not_matter(folder: Path) -> None:
    content = content_of(folder)
    (folder / "circle").symlink_to(folder)
    (folder / "nothing.png").symlink_to(folder / "not there.png")
    assert look(content) == watch.Look()


def test_a_folder_that_has_moved_into_another_one_is_found_whole(folder: Path) -> None:
    new = folder.parent / "Archive"
    new.mkdir()
    content = replace(content_of(folder), folders=(*content_of(folder).folders, WatchedFolder(new)))
    folder.rename(new / "Photos")
    found = look(content)
    assert found.sentence == "4 photos were found in their new location."
    after = after_look(content, found)
    assert not missing_paths(after)
    assert {folder.path for folder in after.folders} == {new, new / "Photos"}
    assert look(after) == watch.Look()


def test_a_file_without_its_content_known_is_no_reason_to_say_anything(folder: Path) -> None:
    content = content_of(folder)
    first, *others = content.files
    unknown = KnownFile(first.path, "", 0, 0)
    content = Content(content.gallery, files=(unknown, *others), folders=content.folders)
    assert not look(content).has_found
