"""A face that was missed becomes one more face of its photograph, and replaces none."""

import io
from pathlib import Path

import pytest
from astronaut import two_faces
from PIL import Image

from eigenfaces import Gallery, Preparation, load_faces
from eigenfaces.errors import PhotoError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.importing.correct import (
    Correction,
    ReadTask,
    ReviewReading,
    missed_face,
    read_for_review,
)
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.photographs.placement import Eyes, Placement

CUT = Preparation(28, 24)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A photograph of a face at the left, and a larger one at the right."""
    path = tmp_path / "group.png"
    Image.open(io.BytesIO(two_faces(1.3))).save(path)
    return path


@pytest.fixture
def both(path: Path) -> list[Eyes]:
    """The eyes of each, from left to right."""
    faces = load_faces(FoundPhotos((Photo(path),)), CUT, every=True)
    return [photo.placement.eyes for photo in faces.index.photos if photo.placement.eyes]


@pytest.fixture
def gallery(path: Path, both: list[Eyes]) -> Gallery:
    """Ada, at the left; the face at the right was missed."""
    photo = Photo(path, "Ada", Placement(both[0], "by hand"))
    return Gallery.new(CUT).enrol(load_faces(FoundPhotos((photo,)), CUT))


def shown(path: Path, eyes: Eyes, turned: int | None = None) -> ReviewReading:
    task = ReadTask(Photo(path), Correction(eyes, turned=turned))
    return read_for_review(task, CUT, FaceSet.empty(CUT.shape))


def test_it_gets_a_number_of_its_own_and_nothing_else_changes(
    gallery: Gallery, path: Path, both: list[Eyes]
) -> None:
    (ada,) = gallery.index.photos
    new = missed_face(gallery.index, shown(path, both[1]), "Bob")
    after = gallery.with_faces(new, {})
    (first, second) = after.index.photos
    assert first == ada
    assert (second.person, second.number, second.placement.source) == ("Bob", 2, "by hand")
    assert second.id.sha == ada.id.sha
    assert (after.faces.image(0) == gallery.faces.image(0)).all()


def test_it_takes_no_number_that_a_face_to_recognise_has(
    gallery: Gallery, path: Path, both: list[Eyes]
) -> None:
    (ada,) = gallery.index.photos
    elsewhere = Placement(Eyes.at(both[1].middle + 5 * both[1].across, both[1].across))
    listed = [FacePhoto(ada.photograph, None, 2, placement=elsewhere)]
    new = missed_face(gallery.index, shown(path, both[1]), None, listed)
    assert [face.number for face in new.index.photos] == [3]
    same = [FacePhoto(ada.photograph, None, 2, placement=Placement(both[1]))]
    again = missed_face(gallery.index, shown(path, both[1]), None, same)
    assert [face.number for face in again.index.photos] == [2], "it is that face"


def test_a_face_that_is_there_is_not_added_twice(
    gallery: Gallery, path: Path, both: list[Eyes]
) -> None:
    near = Eyes.at(both[0].middle + 0.1 * both[0].across, both[0].across)
    with pytest.raises(PhotoError, match=r"already in the gallery\. It is Ada"):
        missed_face(gallery.index, shown(path, near), "Bob")


def test_of_a_file_that_has_changed_nothing_is_added(
    gallery: Gallery, path: Path, both: list[Eyes]
) -> None:
    Image.open(path).rotate(1).save(path)
    with pytest.raises(PhotoError, match="has changed"):
        missed_face(gallery.index, shown(path, both[1]), "Bob")


def test_where_it_was_turned_to_show_it_every_face_stays_where_it_is(
    gallery: Gallery, path: Path, both: list[Eyes]
) -> None:
    """Upside down the eyes of the second face are shown in the turned picture."""
    (ada,) = gallery.index.photos
    height, width = ada.size
    right, left = both[1].left, both[1].right
    eyes = Eyes((width - left[0], height - left[1]), (width - right[0], height - right[1]))
    new = missed_face(gallery.index, shown(path, eyes, turned=2), "Bob")
    first, second = gallery.with_faces(new, {}).index.photos
    for face, stated in ((first, both[0]), (second, both[1])):
        assert face.placement.eyes is not None
        assert abs(face.photograph.unturned(face.placement.eyes.middle) - stated.middle) < 1
