"""Above the largest gallery that is fitted exactly: few fits, to some faces, features in a file."""

import gc
import shutil
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eigenfaces import FaceSet
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.recognition import face_likeness, feature_rows, people_features
from eigenfaces.recognition import features as features_module
from eigenfaces.recognition import held_out as held_out_module
from eigenfaces.recognition.features import Features, features_once
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.held_out import held_out
from eigenfaces.recognition.people_features import drawn
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.samples import PREPARATION, load_sample
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.arrays.filed_rows import Filed


def sample(people: int, photos: int = 5) -> FaceSet:
    return load_sample().select([row for row in range(10 * people) if row % 10 < photos])


def largest(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (held_out_module, people_features):
        monkeypatch.setattr(module, "LARGEST_EXACT", count)
    monkeypatch.setattr("eigenfaces.space.people_axes.MOST_FACES", count - 1)


@pytest.mark.parametrize(
    "recipe",
    [
        RECIPES["Eigenfaces"],
        Recipe.of(components=0.9),
        Recipe.of(distance="Mahalanobis L2"),
        Recipe.of(rule="class mean"),
        Recipe.of(neighbours=3),
        Recipe.of(whitening="pca", distance="L1", components=5),
    ],
)
@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("rows", [range(30), range(2, 29)])
def test_face_spaces_without_some_are_found_inside_that_of_all(
    recipe: Recipe, trained: bool, rows: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all components are kept, to rounding as fitted anew; also to some of those trained."""
    faces = sample(6)
    exact = held_out(faces, rows, recipe)
    training = Gallery(faces, PREPARATION, recipe).train().trained if trained else None
    largest(20, monkeypatch)
    many = held_out(faces, rows, recipe, training=training)
    for ours, theirs in ((many.member, exact.member), (many.stranger, exact.stranger)):
        assert np.array_equal(ours.person, theirs.person)
        assert_allclose(ours.distance, theirs.distance, rtol=1e-4)
        assert_allclose(ours.runner_up, theirs.runner_up, rtol=1e-4)


@pytest.mark.parametrize("came", [1, 3])
def test_nothing_is_fitted_to_who_came_after_training(
    came: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the space of pixels may be known, where nearly all were there; as it is exactly."""
    faces, recipe, split = sample(10), Recipe.of(components=0.9), 5 * (10 - came)
    training = Gallery(faces.select(range(split)), PREPARATION, recipe).train()
    training = training.enrol(faces.select(range(split, 50))).trained
    exact = held_out(faces, range(50), recipe, training=training)
    anew = held_out(faces, range(50), recipe)
    largest(20, monkeypatch)
    many = held_out(faces, range(50), recipe, training=training)
    assert_allclose(many.stranger.distance, exact.stranger.distance, rtol=1e-4)
    assert not np.allclose(anew.stranger.distance, exact.stranger.distance, rtol=1e-2)


@pytest.mark.parametrize("recipe", [RECIPES["Eigenfaces"], Recipe.of(rule="class mean")])
def test_it_can_be_stopped_between_some_faces_and_others(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or what is measured in the background would let an edit of very many faces wait."""
    faces = sample(6)
    gallery = Gallery(faces, PREPARATION, recipe).train()
    largest(20, monkeypatch)
    monkeypatch.setattr(held_out_module, "_FACES_AT_ONCE", 4)
    monkeypatch.setattr(face_likeness, "MOST_FITTED", 10)
    shares: list[float] = []
    gallery.calibrate(lambda done, total: shares.append(done / total))
    assert shares == sorted(shares)
    assert len({*shares}) > 3 + 2 * (7 if recipe.matcher.rule == "nearest" else 6)


def test_what_is_trained_is_not_fitted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    faces, recipe = sample(6), RECIPES["Eigenfaces"]
    training = Gallery(faces, PREPARATION, recipe).train().trained
    largest(20, monkeypatch)
    monkeypatch.setattr(Features, "of_all", None)
    monkeypatch.setattr(type(recipe.features), "fit", None)
    assert held_out(faces, range(30), recipe, training=training).member.drawn.all()


@pytest.mark.parametrize("recipe", ["Discriminant", "Texture"])
class TestOfPeople:
    def test_a_space_is_fitted_to_some_and_tells_all_apart(
        self, recipe: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        faces = sample(40, photos=10)
        rows = [row for row in range(400) if row % 10 < 6]
        largest(120, monkeypatch)
        gallery = Gallery(faces.select(rows), PREPARATION, RECIPES[recipe]).train()
        assert len(gallery.trained.compared) == 240
        assert len(gallery.trained.representation) == 39  # everybody is among those drawn
        others = [row for row in range(400) if row % 10 >= 6]
        verdicts = identify_all(gallery, faces.pixels[others])
        names = [faces.index.people[row // 10] for row in others]
        right = [v.closest.person == name for v, name in zip(verdicts, names, strict=True)]
        assert np.mean(right) > 0.93

    def test_held_out_as_trained_anew_without(
        self, recipe: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where as many are left as are fitted to, with the part away nothing is drawn."""
        faces = sample(6)
        largest(25, monkeypatch)
        monkeypatch.setattr(held_out_module, "MOST_PEOPLE", 1)
        held = held_out(faces, range(30), RECIPES[recipe])
        away = np.flatnonzero(held.stranger.drawn)
        left = np.setdiff1d(np.arange(30), away)
        assert len(left) == 25
        gallery = Gallery(faces.select(left), PREPARATION, RECIPES[recipe]).train()
        verdicts = identify_all(gallery, faces.pixels[away])
        wanted = [verdict.closest.distance for verdict in verdicts]
        assert_allclose(held.stranger.distance[away], wanted, atol=1e-5)

    @pytest.mark.parametrize("people", [3, 6])
    def test_a_fold_is_fitted_as_in_training(
        self, recipe: str, people: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """To the same faces that are drawn; probes have a part outside, the gallery has none."""
        faces = sample(people)
        largest(10, monkeypatch)
        probes = np.arange(0, len(faces), 5)
        train = np.setdiff1d(np.arange(len(faces)), probes)
        fold = Spaces.of(faces, RECIPES[recipe]).fit(train)
        trained = Gallery(faces.select(train), PREPARATION, RECIPES[recipe]).train().trained
        asked, _ = trained.in_and_from(faces.pixels[probes], len(fold))
        assert_allclose(fold.coordinates[train], trained.compared, atol=1e-6)
        assert_allclose(fold.coordinates[probes], asked, atol=1e-6)
        assert_allclose(fold.variances, trained.representation.variances)

    @pytest.mark.parametrize("room", [10**12, 0])
    def test_features_in_a_file_or_made_again_tell_the_same(
        self, recipe: str, room: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        largest(20, monkeypatch)
        galleries = []
        for most in (feature_rows.IN_MEMORY, 1000):
            monkeypatch.setattr(feature_rows, "IN_MEMORY", most)
            monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=room))
            galleries.append(Gallery(sample(6), PREPARATION, RECIPES[recipe]).train())
        held = type(features_module._kept[0][2].source)
        assert held is (Filed if room else feature_rows.Described)
        ours, theirs = (gallery.trained for gallery in galleries)
        assert np.array_equal(ours.compared, theirs.compared)
        ours, theirs = (gallery.calibrate().calibrated for gallery in galleries)
        assert np.array_equal(ours.held.stranger.distance, theirs.held.stranger.distance)
        assert np.array_equal(ours.held.member.distance, theirs.held.member.distance)

    def test_it_can_be_calibrated(self, recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
        largest(30, monkeypatch)
        told = list[float]()
        gallery = Gallery(sample(8), PREPARATION, RECIPES[recipe]).train()
        gallery = gallery.calibrate(lambda done, total: told.append(done / total))
        assert told == sorted(told)
        assert told[-1] == 1
        assert gallery.calibrated is not None
        limit = gallery.calibrated.limit(0.1)
        assert limit is not None
        assert 0 < limit < 1


def test_of_a_person_with_very_many_photographs_some_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    largest(20, monkeypatch)
    monkeypatch.setattr(held_out_module, "_ASKED", 2)
    held = held_out(sample(6), range(30), RECIPES["Eigenfaces"])
    assert held.member.drawn.all()
    assert (np.bincount(held.people[held.stranger.drawn]) == 2).all()


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
    assert np.array_equal(rows, drawn(who, most))
    counts = np.bincount(who[rows])
    counts = counts[counts > 0]
    assert len(counts) >= people
    assert np.sort(counts)[1:].min() >= fewest  # but for the last one drawn


def test_faces_of_nobody_are_drawn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn(np.full(50, -1), 20)
    assert len(np.unique(rows)) == 20
    faces = sample(6)
    nobody = {p.key: replace(p, person=None) for p in faces.index.photos[25:]}
    largest(20, monkeypatch)
    held = held_out(faces.with_photos(nobody), range(30), RECIPES["Texture"])
    assert len(held.people) == 25


@pytest.mark.parametrize("recipe", ["Discriminant", "Texture"])
def test_features_are_made_once_and_freed(recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    by, asked = RECIPES[recipe], list[int]()
    made = type(by.features).of_all

    def of_all(features: Features, crops: Crops, *rest: Any) -> Crops:
        asked.append(len(crops))
        return made(by.features, crops, *rest)

    monkeypatch.setattr(type(by.features), "of_all", of_all)
    gallery = Gallery(sample(6), PREPARATION, by).train()
    assert asked == [30]
    assert features_module._kept
    calibrated = gallery.calibrate()
    assert asked == [30]
    assert not features_module._kept
    apart = replace(gallery, faces=sample(6)).calibrate()
    assert asked == [30, 30]
    assert calibrated.calibration is not None
    assert apart.calibration is not None
    for ours, theirs in (
        (calibrated.calibration.held.member, apart.calibration.held.member),
        (calibrated.calibration.held.stranger, apart.calibration.held.stranger),
    ):
        assert np.array_equal(ours.distance, theirs.distance)


def test_features_are_kept_no_longer_than_their_crops(monkeypatch: pytest.MonkeyPatch) -> None:
    features = RECIPES["Discriminant"].features
    crops = sample(2).pixels
    features_once(features, crops, PREPARATION.shape)
    assert features_module._kept
    del crops
    gc.collect()
    assert not features_module._kept
