"""Folders of events are no people: what is proposed, and what becomes of their photographs."""

from pathlib import Path

import pytest
from PIL import Image

from eigenfaces.importing.scan import several_people, with_events
from eigenfaces.photographs.find import FoundPhotos, Photo, Region, find_photos

PICTURES = ("2022 Christmas/1.png", "2022 Christmas/2.png", "Ada/1.png", "loose.png")


@pytest.fixture
def found(tmp_path: Path) -> FoundPhotos:
    for name in PICTURES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        Image.new("L", (40, 40)).save(path)
    return find_photos(tmp_path)


def test_a_folder_of_one_person_recurs_and_one_of_several_does_not() -> None:
    seen = {
        "Ada": [1.0, 0.9, 0.2, 1.0, 1.0],  # one photograph is somebody else's
        "Family of three": [0.33] * 9,
        "Strangers": [0.0] * 4,
        "Too few": [0.0] * 3,
    }
    assert several_people(seen) == (["Family of three", "Strangers"], ["Ada"])
    assert several_people({}) == ([], [])


def test_nobody_is_named_by_an_event_and_that_is_remembered(found: FoundPhotos) -> None:
    made = with_events(found, ["2022 Christmas"])
    people = {photo.path.parent.name: photo.person for photo in made.photos}
    assert people["2022 Christmas"] is None
    assert people["Ada"] == "Ada"
    (folder,) = made.folders
    assert folder.events == ("2022 Christmas",)
    assert with_events(found, []) is found
    (again,) = with_events(made, ["Ada"]).folders
    assert again.events == ("2022 Christmas", "Ada")


def test_a_name_that_another_program_has_given_stays() -> None:
    marked = Photo(Path("/p/Ada/1.jpg"), "Ada", regions=(Region((0, 0, 9), "Ada"),))
    (photo,) = with_events(FoundPhotos((marked,)), ["Ada"]).photos
    assert photo.person == "Ada"


def test_films_and_pdfs_are_counted_and_not_opened(found: FoundPhotos, tmp_path: Path) -> None:
    assert found.note == ""
    for name in ("a.MP4", "b.mov", "Ada/c.avi", "d.pdf", "e.txt", ".hidden.mp4"):
        (tmp_path / name).write_bytes(b"\xff\xd8\xff")
    again = find_photos(tmp_path)
    assert again.note == "3 films and 1 PDF are not read."
    assert again.photos == found.photos
