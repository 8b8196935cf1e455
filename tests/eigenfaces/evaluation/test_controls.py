"""Leaks planted in a split are found and named; and what a result is compared with."""

import io
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from decodes import astronaut
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from scipy.spatial.distance import cdist
from sklearn.dummy import DummyClassifier
from synthetic import on_file, people

from eigenfaces import FaceSet, Preparation, Recipe, find_photos, load_faces
from eigenfaces.evaluation.controls import Leak, find_leaks, guess_accuracy, pixel_distances
from eigenfaces.evaluation.protocols import Fold, KFold, Lists, Pairs
from eigenfaces.evaluation.records import EvaluationSetting
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.faces.lighting import window_weights
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition.duplicates import find_duplicates, without_duplicates
from eigenfaces.space.distances import DISTANCES
from evaluation.drawn import faces_of, numbers_of


def with_copy(faces: FaceSet, row: int, how: str = "saved anew") -> FaceSet:
    """Add a face as it might be saved a second time, as another photograph of the same person."""
    picture = Image.fromarray(np.rint(faces.image(row) * 255).astype(np.uint8))
    if how == "smaller":
        picture = picture.resize((picture.width // 2, picture.height // 2)).resize(picture.size)
    if how == "saved anew":
        picture.save(file := io.BytesIO(), "jpeg", quality=60)
        picture = Image.open(file)
    light = 1.1 * np.asarray(picture) + 8 if how == "brighter" else np.asarray(picture)
    crops = Crops(np.clip(np.rint(light), 0, 255).astype(np.uint8).reshape(1, -1))
    photo = on_file(faces.index.photos[row], Path("a/copy.png"), "copy")
    return faces.join(FaceSet(crops, faces.shape, PhotoIndex((photo,))))


def split(train: list[int], probes: list[int]) -> Fold:
    return Fold(np.array(train), np.array(train), np.array(probes))


def leaks(faces: FaceSet, *folds: Fold) -> tuple[Leak, ...]:
    return find_leaks(faces, folds, find_duplicates(faces))


@pytest.mark.parametrize("how", ["saved anew", "smaller", "brighter", "the same"])
def test_copies_are_found_and_nothing_else(att: FaceSet, how: str) -> None:
    for row in range(0, 400, 80):
        (pair,) = find_duplicates(with_copy(att.select(range(row, row + 12)), 3, how))
        assert (pair.first, pair.second) == (3, 12)
        assert 0.9995 <= pair.likeness <= 1 + 1e-9
    faces = with_copy(att.select([*range(4), *range(10, 14)]), 1, how)
    (leak,) = leaks(faces, split([0, 1, 2, 4, 5, 6], [3, 7, 8]))
    words = "“2.pgm” (Person 01) and “copy.png” (Person 01) are nearly the same picture."
    assert leak == Leak("near-duplicate", words)
    assert leaks(faces, split([0, 1, 2, 8], [3, 7])) == ()  # on one side
    (leak,) = leaks(faces, split([0, 1, 2], [1, 3, 8]))
    assert leak.kind == "same photo"  # and its copy is not named too


def test_a_photograph_in_another_size_or_cut_otherwise_is_the_same(tmp_path: Path) -> None:
    face = astronaut()
    pictures = {
        "whole": face,
        "half": face.resize((90, 90), Image.Resampling.LANCZOS),
        "cut": face.crop((9, 5, 174, 171)),
        "mirrored": astronaut(mirrored=True),
    }
    for name, picture in pictures.items():
        picture.save(tmp_path / f"{name}.jpg", quality=90)
    faces = load_faces(find_photos(tmp_path), Preparation())
    names = [photo.path.stem for photo in faces.index.photos]
    alike = {frozenset((names[e.first], names[e.second])) for e in find_duplicates(faces)}
    assert alike == {frozenset(pair) for pair in combinations(("whole", "half", "cut"), 2)}
    unique = without_duplicates(faces)
    assert [photo.path.stem for photo in unique.index.photos] == ["cut", "mirrored"]
    assert {photo.kind for photo in unique.skipped} == {"duplicate"}


def test_one_person_under_two_names(rng: np.random.Generator) -> None:
    """A member, and a stranger under a name that differs only in case, spaces or spelling."""
    for own, name, same in (
        ("Ann Lee", "Ａnn  lee ", True),
        ("Zoë", "Zoe\u0308", True),
        ("Ann", "Anna", False),
    ):
        faces = FaceSet.from_arrays(rng.random((6, 9, 9)), [own, own, "Bob", "Bob", name, name])
        words = f"{name} is searched for as a stranger, but already known."
        assert leaks(faces, split([0, 2], [1, 3, 4, 5])) == (Leak("same person", words),) * same


def test_a_person_on_both_sides_of_pairs(rng: np.random.Generator) -> None:
    faces = people(rng, 4, 2)

    def kinds(*sets: tuple[tuple[str, str], ...]) -> set[str]:
        return {leak.kind for leak in leaks(faces, *Pairs(sets).folds(faces))}

    assert kinds((("1", "2"), ("1", "3")), (("5", "6"), ("5", "7"))) == set()
    assert kinds((("1", "3"), ("3", "4")), (("5", "6"), ("2", "5"))) == {"same person"}
    assert kinds((("1", "3"),), (("1", "5"),)) == {"same photo", "same person"}


@pytest.mark.parametrize("tell_by", ["face", "background"])
def test_covered_faces_are_told_apart_only_by_the_background(
    rng: np.random.Generator, tell_by: str
) -> None:
    """8 people × 5, who differ in the face alone or in the background alone."""
    shape = (24, 20)
    face = window_weights(shape, "oval") > 0
    own = rng.uniform(0.2, 0.8, (8, 1, *shape)) + rng.uniform(-0.1, 0.1, (8, 5, *shape))
    images = np.where(face == (tell_by == "face"), own, 0.4).reshape(40, *shape)
    faces = FaceSet.from_arrays(images, [f"Person {i // 5 + 1}" for i in range(40)])
    result = evaluate(faces, EvaluationSetting(Recipe(), KFold(5)))
    controls = {control.kind: control for control in result.controls}
    hidden = controls["face covered"]
    assert controls["chance"].value == 1 / 8
    if tell_by == "face":
        assert result.headline.value == controls["pixels L2"].value == 1
        assert hidden.value == 1 / 8
        assert hidden.high < 0.6
    else:
        assert hidden.value > 0.95
        assert hidden.low > 2 / 8
    masked = Recipe.of(lighting="equalised", window="oval", dropped=2)  # all but one component
    *_, hidden, _ = evaluate(faces_of(rng, [4, 4, 4]), EvaluationSetting(masked, KFold(4))).controls
    assert hidden.note.endswith("it could not be measured")


@pytest.mark.parametrize(("name", "theirs"), [("L2", "euclidean"), ("L1", "cityblock")])
def test_pixel_distances_against_scipy(rng: np.random.Generator, name: str, theirs: str) -> None:
    faces = faces_of(rng, [100, 100, 100])  # more than are compared at once
    distances = pixel_distances(faces, name)
    np.testing.assert_allclose(distances, cdist(faces.levels, faces.levels, theirs))
    same = DISTANCES[name](faces.levels, faces.levels, np.ones(1))
    np.testing.assert_array_equal(distances, same)  # to the last bit


@given(st.lists(st.integers(2, 9), min_size=2, max_size=6), st.integers(0, 99))
def test_guesses_against_scikit_learn(counts: list[int], seed: int) -> None:
    faces = faces_of(np.random.default_rng(seed), counts, (2, 2))
    of = numbers_of(faces)
    folds = KFold(3, seed).folds(faces)
    hits, chances = [], []
    for fold in folds:
        guess = DummyClassifier().fit(of[:, None], of)  # everybody is enrolled in every fold
        hits += (guess.predict(of[fold.probes][:, None]) == of[fold.probes]).tolist()
        chances += [1 / len(np.unique(of[fold.gallery]))] * len(fold.probes)
    assert guess_accuracy(folds, of) == pytest.approx((np.mean(chances), np.mean(hits)))


def test_duplicates_left_out_are_no_failures_to_acquire(rng: np.random.Generator) -> None:
    damaged = Skipped(Path("7"), "It is damaged.")
    twice = replace(damaged, path=Path("8"), kind="duplicate")
    faces = replace(people(rng, 2, 3), skipped=(damaged, twice))
    for gallery, shares in ((("1", "4", "7", "8"), [1 / 6]), (("1", "4", "8"), [])):
        result = evaluate(
            faces, EvaluationSetting(Recipe(), Lists(gallery, ("2", "5")), curves=False)
        )
        controls = (control for control in result.controls if control.kind == "not acquired")
        assert [control.value for control in controls] == shares
