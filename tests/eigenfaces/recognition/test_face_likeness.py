"""Is it a face at all: what the space of general and own faces cannot show, and its limit."""

import numpy as np
import pytest
from nonfaces import nonfaces

from eigenfaces.faces.face_set import Crops
from eigenfaces.faces.general_model import face_vectors, general_faces
from eigenfaces.recognition import calibration as module
from eigenfaces.recognition.calibration import FaceLikeness
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION, SHAPE, load_sample

PEOPLE = 12


def likeness_of(people: int, enrolled: int, first: int = 0) -> FaceLikeness:
    rows = [row for row in range(10 * first, 10 * (first + people)) if row % 10 < enrolled]
    return FaceLikeness.fit(load_sample().pixels.select(rows), SHAPE, np.array(rows) // 10)[0]


@pytest.fixture(scope="module")
def faces() -> Crops:
    return load_sample().pixels


@pytest.mark.parametrize("people", [1, 2, 3, 4, 12])
def test_other_photos_of_the_enrolled_are_faces_and_noise_is_none(
    people: int, faces: Crops, rng: np.random.Generator
) -> None:
    """On the average of several galleries: of one person, only four other photos tell little."""
    passed = []
    for first in range(0, PEOPLE, people):
        like = likeness_of(people, 6, first)
        rows = [row for row in range(10 * first, 10 * (first + people)) if row % 10 >= 6]
        passed.append((like.left_over(faces[rows].reshape(-1, *SHAPE)) <= like.limit).mean())
    assert np.mean(passed) > 0.9
    noise = rng.random((4, *SHAPE), np.float32)
    assert (like.left_over(noise) > like.limit).all()
    flat = np.full((1, *SHAPE), 0.3, np.float32)
    assert like.left_over(flat) == 1 > like.limit


def test_people_held_out_are_not_in_the_space_that_sees_them(faces: Crops) -> None:
    """Six people: the first and the sixth are held out together."""
    rows = np.arange(60)
    people = rows // 10
    _, left = FaceLikeness.fit(faces.select(rows), SHAPE, people)
    vectors = face_vectors(faces[rows].reshape(-1, *SHAPE))
    away = people % 5 == 0
    wanted = general_faces().space_with(vectors, np.flatnonzero(~away)).residuals(vectors[away])
    np.testing.assert_allclose(left[away], wanted, rtol=1e-6)
    whole = general_faces().space_with(vectors, np.arange(len(vectors))).residuals(vectors)
    assert left.mean() > whole.mean() + 0.02


def test_the_limit_keeps_98_in_100_held_out(faces: Crops) -> None:
    """With one more face to come: ⌈121 · 0.98⌉ = 119 of 120."""
    like, left = FaceLikeness.fit(faces.select(np.arange(120)), SHAPE, np.arange(120) // 10)
    assert like.limit > general_faces().limit
    assert (left <= like.limit).sum() == 119


def test_of_many_faces_the_space_is_fitted_to_some_and_all_are_held_out(
    faces: Crops, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.arange(200)
    every, _ = FaceLikeness.fit(faces.select(rows), SHAPE, rows // 10)
    monkeypatch.setattr(module, "MOST_FITTED", 120)
    some, of_all = FaceLikeness.fit(faces.select(rows), SHAPE, rows // 10)
    fitted = np.flatnonzero(np.random.default_rng(0).permutation(200) < 120)
    vectors = face_vectors(faces[rows].reshape(-1, *SHAPE))
    away = (rows // 10) % 5 == 3
    space = general_faces().space_with(vectors, fitted[~away[fitted]])
    np.testing.assert_allclose(of_all[away], space.residuals(vectors[away]), rtol=1e-5)
    assert every.limit - 0.005 < some.limit < every.limit + 0.02  # fewer faces show less of others


def test_of_photographs_all_alike_the_limit_is_that_of_faces_in_general(faces: Crops) -> None:
    same = faces.select([0] * 8)
    like, left = FaceLikeness.fit(same, SHAPE, np.arange(8) // 2)
    assert left.max() < 0.1
    assert like.limit == float(general_faces().limit)


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Discriminant", "Texture"])
def test_what_is_no_face_is_not_named(recipe: str) -> None:
    rows = [row for row in range(10 * PEOPLE) if row % 10 < 5]
    gallery = Gallery(load_sample().select(rows), PREPARATION, RECIPES[recipe]).train().calibrate()
    assert gallery.share == 0.01
    crops = nonfaces()
    pixels = np.stack([crop.ravel() for crop in crops.values()])
    for name, verdict in zip(crops, identify_all(gallery, pixels), strict=True):
        kind = verdict.decision.kind
        assert kind not in ("sure", "likely", "ask"), name
        if name in ("noise", "flat", "grass", "brick"):
            assert kind == "no face"
