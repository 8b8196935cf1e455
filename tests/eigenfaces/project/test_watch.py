"""What a look at the folders of a project finds, and what becomes of it."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from test_moved import project_of

from eigenfaces.photographs.known import WatchedFolder
from eigenfaces.project.content import Content
from eigenfaces.project.watch import after_look, look, renewed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "Pictures"


@pytest.fixture
def content(folder: Path) -> Content:
    return project_of(folder)


def picture(path: Path, grey: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.full((16, 16), grey, np.uint8)).save(path)
    return path


def test_where_nothing_has_changed_nothing_is_found_and_nothing_is_opened(
    content: Content, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr("eigenfaces.photographs.known.read_bytes", refuse)
    monkeypatch.setattr("eigenfaces.project.moved.read_bytes", refuse)
    found = look(content)
    assert not found.has_found
    assert found.sentence == "No new photos."


def test_new_changed_and_gone_are_counted_and_nobody_is_deleted(
    content: Content, folder: Path
) -> None:
    picture(folder / "Ada" / "new.png", 150)
    picture(folder / "Zoe" / "new.png", 151)
    photos = content.gallery.index.photos
    picture(photos[1].path, 152)
    os.utime(photos[1].path, (5, 5))
    photos[2].path.unlink()
    found = look(content)
    assert found.sentence == "2 new photos, 1 changed, 1 gone."
    assert {(photo.path.name, photo.person) for photo in found.new} == {
        ("new.png", "Ada"),
        ("new.png", "Zoe"),
    }
    assert [photo.path for photo in found.changed] == [photos[1].path]
    after = after_look(content, found)
    assert len(after.gallery.faces) == len(content.gallery.faces)
    assert [file.path for file in after.files if file.gone] == [photos[2].path]
    assert look(after).gone == (), "it is said once"
    shutil.copy(photos[0].path, photos[2].path)  # another picture in its place
    assert look(after).changed


def test_events_name_nobody_and_what_is_known_is_not_new(content: Content, folder: Path) -> None:
    picture(folder / "Christmas" / "1.png", 150)
    events = replace(content, folders=(WatchedFolder(folder, events=("Christmas",)),))
    (photo,) = look(events).new
    assert photo.person is None
    removed = replace(events, gallery=events.gallery.remove_person("Person 1"))
    assert len(look(removed).new) == 1, "what was taken out of the gallery does not come again"


def test_what_moved_inside_is_moved_and_neither_new_nor_gone(
    content: Content, folder: Path
) -> None:
    photo = content.gallery.index.photos[0]
    place = folder / "sorted" / "x.png"
    place.parent.mkdir()
    photo.path.rename(place)
    found = look(content)
    assert (found.new, found.gone, {**found.moves}) == ((), (), {photo.path: place})
    assert found.sentence == "1 photo was found in its new location."
    after = after_look(content, found)
    assert after.gallery.index.photos[0].path == place
    assert not look(after).has_found


def test_another_time_alone_is_noted_and_nobody_is_told(content: Content, folder: Path) -> None:
    path = content.gallery.index.photos[0].path
    os.utime(path, (5, 5))
    found = look(content)
    assert not found.has_found
    assert [file.path for file in found.renewed] == [path]
    assert not look(renewed(content, found)).renewed


def test_a_folder_that_is_not_there_loses_nothing(content: Content, folder: Path) -> None:
    folder.rename(folder.with_name("unplugged"))
    found = look(content)
    assert found.gone == ()
    assert found.sentence == "The photos in “Pictures” cannot be reached."
    assert after_look(content, found).files == content.files


def test_files_of_an_older_project_become_known(content: Content) -> None:
    found = look(replace(content, files=()))
    assert not found.has_found
    assert {file.path for file in found.renewed} >= {
        photo.path for photo in content.gallery.index.photos
    }
