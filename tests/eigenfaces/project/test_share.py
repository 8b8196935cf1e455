"""A project for somebody else: the same verdicts, and no place of anything."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import people

from eigenfaces import Gallery, Preparation, Project, identify
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.project.share import for_others
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.recipe import RECIPES


@pytest.fixture
def gallery() -> Gallery:
    faces = people(np.random.default_rng(2), 7, 4)
    photos = [
        replace(photo, photograph=replace(photo.photograph, path=Path(f"/secret/place/{at}.jpg")))
        for at, photo in enumerate(faces.index.photos)
    ]
    placed = replace(faces, index=PhotoIndex(tuple(photos)))
    preparation = Preparation(16, 16, already_cropped=True)
    made = Gallery(placed, preparation, RECIPES["Fisherfaces"]).train().calibrate()
    return made.with_answer(photos[0].id, Answer("nobody"))


def test_it_says_the_same_of_every_face(gallery: Gallery) -> None:
    shared = for_others(gallery)
    assert shared.calibrated is not None
    assert shared.changes_since_training == 0
    rng = np.random.default_rng(3)
    for probe in people(rng, 3, 2).pixels[:].reshape(-1, 16, 16):
        ours, theirs = identify(gallery, probe).decision, identify(shared, probe).decision
        assert (ours.kind, ours.nearest) == (theirs.kind, theirs.nearest)


def test_no_place_and_nothing_that_tells_a_photograph_is_in_it(
    gallery: Gallery, tmp_path: Path
) -> None:
    PORTRAITS.add({gallery.index.photos[0].crop: b"a face in colour"})
    path = tmp_path / "shared.eigenfaces"
    with closing(Project.create(path, for_others(gallery))) as project:
        assert project.gallery.answers == {}
    content = path.read_bytes()
    for secret in (b"secret", b".jpg", b"nobody"):
        assert secret not in content
    assert not any(photo.photograph.sha.encode() in content for photo in gallery.index.photos)
    assert b"a face in colour" in content
    with closing(Project.open(path)) as project:
        assert project.gallery.people == gallery.people
        assert project.gallery.calibrated is not None


def test_faces_on_one_photograph_stay_on_one(gallery: Gallery) -> None:
    first, second = gallery.index.photos[:2]
    both = replace(second, photograph=first.photograph, number=2)
    faces = gallery.faces.with_photos({second.id: both})
    shared = for_others(replace(gallery, faces=faces, training=None, calibration=None, answers={}))
    one, other = shared.index.photos[:2]
    assert one.photograph.sha == other.photograph.sha
    assert (one.number, other.number) == (1, 2)
