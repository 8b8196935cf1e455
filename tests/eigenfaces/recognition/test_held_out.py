"""Photographs and people held out: as trained anew without them, and as many as is sensible."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from eigenfaces import FaceSet
from eigenfaces.recognition import calibration as module
from eigenfaces.recognition.calibration import Calibration, HeldOut, Refits, held_out
from eigenfaces.recognition.features import drawn
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION, load_sample

SMALL = 4


def sample(people: int, photos: int = 4) -> FaceSet:
    """Return photographs of so many people, person by person, at a quarter of their size."""
    rows = [row for row in range(10 * people) if row % 10 < photos]
    faces = load_sample().select(rows)
    images = faces.pixels[:].reshape(-1, *faces.shape)[:, ::SMALL, ::SMALL]
    return FaceSet.from_arrays(images, [photo.person or "" for photo in faces.index.photos])


def nobody_from(faces: FaceSet, row: int) -> FaceSet:
    """Return faces of which those from a row on have no name."""
    photos = {p.key: replace(p, person=None) for p in faces.index.photos[row:]}
    return faces.with_photos(photos)


def assert_as_trained_without(
    faces: FaceSet, held: HeldOut, recipe: Recipe, away: list[int], atol: float = 1e-4
) -> None:
    """All photographs of a person, or some of several: as in a gallery trained without them."""
    left = [row for row in range(len(faces)) if row not in away]
    preparation = replace(PREPARATION, width=faces.shape[1], height=faces.shape[0])
    gallery = Gallery(faces.select(left), preparation, recipe).train()
    found = held.stranger if len({*held.people[away]}) == 1 else held.member
    for row, verdict in zip(away, identify_all(gallery, faces.pixels[away]), strict=True):
        assert faces.index.people[found.person[row]] == verdict.closest.person
        assert verdict.runner_up is not None
        told = found.distance[row], found.runner_up[row]
        wanted = verdict.closest.distance, verdict.runner_up.distance
        assert_allclose(told, wanted, atol=atol, rtol=1e-4)


@pytest.mark.parametrize(
    ("recipe", "atol"),
    [
        (RECIPES["Eigenfaces"], 1e-4),
        (RECIPES["Discriminant"], 1e-4),
        (RECIPES["Texture"], 0.01),  # the weights of its blocks stay
        (Recipe.of(components=0.9), 1e-4),
        (Recipe.of(dropped=2, distance="cosine"), 1e-4),
        (Recipe.of(distance="Mahalanobis L2", components=10), 1e-3),
        (Recipe.of(rule="class mean"), 1e-4),
        (Recipe.of(neighbours=3), 1e-4),
        (Recipe.of(whitening="pca", distance="L1", components=5), 1e-3),
    ],
)
def test_as_trained_anew_without(recipe: Recipe, atol: float) -> None:
    """A person; and every tenth photograph, person by person."""
    faces = nobody_from(sample(9), 33)  # the last are no strangers, but fitted to
    held = held_out(faces, range(36), recipe)
    assert_array_equal(held.people, np.repeat(np.arange(9), [4] * 8 + [1]))
    for person in (0, 5):
        assert_as_trained_without(faces, held, recipe, [4 * person + at for at in range(4)], atol)
    assert_as_trained_without(faces, held, recipe, [1, 11, 21, 31], atol)
    assert held.count == 9
    assert held.mated.sum() == 32
    assert_array_equal(held.right, held.member.person == held.people)


@pytest.mark.parametrize("recipe", RECIPES)
def test_of_many_photographs_a_tenth_is_away_at_a_time(recipe: str) -> None:
    faces = sample(8, photos=10)
    images = np.concatenate([faces.pixels[:], faces.pixels[:] * np.float32(0.9)])
    people = [photo.person or "" for photo in faces.index.photos]
    faces = FaceSet.from_arrays(images.reshape(-1, *faces.shape), [*people, *people])
    held = held_out(faces, range(160), RECIPES[recipe])
    away = [10 * person + 3 + 80 * side for person in range(8) for side in (0, 1)]
    assert_as_trained_without(faces, held, RECIPES[recipe], away, 0.01)


@pytest.mark.parametrize("recipe", RECIPES)
def test_some_rows_are_told_the_same_as_alone(recipe: str) -> None:
    faces, rows = sample(10), range(3, 38)
    anew = held_out(faces.select(rows), range(35), RECIPES[recipe])
    known = held_out(faces, rows, RECIPES[recipe])
    for ours, theirs in ((known.member, anew.member), (known.stranger, anew.stranger)):
        assert_array_equal(ours.person, theirs.person)
        assert_allclose(ours.distance, theirs.distance, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize(("people", "photos"), [(1, 4), (2, 1), (2, 3), (3, 2)])
def test_few_are_left(recipe: str, people: int, photos: int) -> None:
    """After others were removed: whoever is asked about has nobody near, rather than an error."""
    held = held_out(sample(people, photos), range(people * photos), RECIPES[recipe])
    for found in (held.member, held.stranger):
        assert found.drawn.all()
        assert_array_equal(found.person == -1, np.isinf(found.distance))
    assert (held.stranger.person == -1).all() == (people == 1 or photos == 1)
    assert held.mated.any() == (photos > 1)


@pytest.mark.parametrize("recipe", RECIPES)
def test_without_a_person_all_may_be_the_same(recipe: str) -> None:
    images = np.full((21, 8, 8), 0.5)
    images[18:] = np.random.default_rng(0).random((3, 8, 8))
    faces = FaceSet.from_arrays(images, [f"Person {row // 3}" for row in range(21)])
    assert held_out(faces, range(21), RECIPES[recipe]).stranger.drawn.all()
    principal = np.zeros((6, 2), np.float32)
    refits = Refits(principal, 0.0, [*"aabbcc"], RECIPES[recipe])
    assert refits.without_people().drawn.all()


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Discriminant", "Texture"])
def test_of_many_some_are_drawn(recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faces, asked = sample(9), RECIPES[recipe]
    every = held_out(faces, range(36), asked)
    for name, most in {"MOST_PHOTOS": 9, "MOST_PEOPLE": 4, "_ASKED": 3}.items():
        monkeypatch.setattr(module, name, most)
    some, again = (held_out(faces, range(36), asked) for _ in range(2))
    assert some.member.drawn.sum() == some.mated.sum() == 9
    away = np.bincount(some.people[some.stranger.drawn], minlength=9)
    assert sorted(away) == [0] * 5 + [3] * 4
    there = some.stranger.drawn
    assert_allclose(some.stranger.distance[there], every.stranger.distance[there], rtol=1e-6)
    for found, same in ((some.member, again.member), (some.stranger, again.stranger)):
        assert_array_equal(found.distance, same.distance)
        assert (found.person[~found.drawn] == -1).all()
    calibration = Calibration.of(faces, range(36), asked, "")
    assert calibration.promise.people == 4
    limit = calibration.limit(0.2)
    assert limit is not None
    assert 0 <= calibration.probability(limit, 2 * limit) <= 1


@pytest.mark.parametrize("recipe", RECIPES)
def test_of_very_many_faces_coordinates_are_of_some(
    recipe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the others are projected; where all components are held, nothing is lost."""
    faces = sample(10)
    exact = held_out(faces, range(40), RECIPES[recipe])
    monkeypatch.setattr(module, "MOST_FACES", 20)
    leading = held_out(faces, range(40), RECIPES[recipe])
    assert_allclose(leading.stranger.distance, exact.stranger.distance, rtol=1e-3, atol=1e-3)
    monkeypatch.setattr(module, "LARGEST_EXACT", 30)
    some = held_out(faces, range(40), RECIPES[recipe])
    assert some.stranger.drawn.all()
    assert some.right.mean() > 0.7
    assert np.median(some.member.distance) < np.median(some.stranger.distance)


@pytest.mark.parametrize(
    ("photos", "most", "people", "fewest"),
    [
        ([10] * 30, 120, 30, 4),  # as many of everybody
        ([10] * 40, 100, 40, 2),
        ([10] * 300, 120, 60, 2),  # some people, two photographs of each
        ([200] * 3, 120, 3, 40),
        ([2] * 100 + [500], 150, 74, 1),  # one does not crowd out the others
    ],
)
def test_drawn_so_that_many_people_are_shown_well(
    photos: list[int], most: int, people: int, fewest: int
) -> None:
    who = np.random.default_rng(1).permutation(np.repeat(np.arange(len(photos)), photos))
    rows = drawn(who, most)
    assert len(rows) == len(np.unique(rows)) == most
    assert_array_equal(rows, drawn(who, most))
    counts = np.bincount(who[rows])
    counts = counts[counts > 0]
    assert len(counts) >= people
    assert np.sort(counts)[1:].min() >= fewest  # but for the last one drawn
    assert len(np.unique(drawn(np.full(50, -1), 20))) == 20  # of nobody


def test_of_many_faces_the_leading_coordinates_are_refitted_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each refit costs the cube of their number."""
    faces, recipe = sample(7), Recipe.of(components=8)
    whole = held_out(faces, range(28), recipe)
    monkeypatch.setattr(module, "MOST_FACES", 20)
    monkeypatch.setattr(module, "COORDINATES", 20)
    some = held_out(faces, range(28), recipe)
    assert_allclose(some.stranger.distance, whole.stranger.distance, rtol=0.02)
    assert not np.allclose(some.stranger.distance, whole.stranger.distance, rtol=1e-6)
