"""Leaks planted in a split are found and named; and what is held beside a result."""

import io
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from decodes import astronaut
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial.distance import cdist
from sklearn.dummy import DummyClassifier
from synthetic import people

from eigenfaces import FaceSet, Preparation, Recipe, find_photos, load_faces
from eigenfaces.evaluation import controls
from eigenfaces.evaluation.controls import (
    Control,
    Leak,
    find_leaks,
    guessing,
    pixel_distances,
)
from eigenfaces.evaluation.protocols import (
    Fold,
    KFold,
    LeaveOneOut,
    Lists,
    NShot,
    Pairs,
)
from eigenfaces.evaluation.records import Evaluation, Setting
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.faces.lighting import window_weights
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.gallery import find_duplicates, without_duplicates
from eigenfaces.space.distances import DISTANCES
from evaluation.drawn import faces_of, numbers_of

Picture = NDArray[np.float64]


def saved_anew(face: Picture, quality: int = 60) -> Picture:
    file = io.BytesIO()
    Image.fromarray(np.rint(face * 255).astype(np.uint8)).save(file, "jpeg", quality=quality)
    return np.asarray(Image.open(file)) / 255


def made_smaller(face: Picture) -> Picture:
    height, width = face.shape
    small = Image.fromarray(face.astype(np.float32)).resize((width // 2, height // 2))
    return np.clip(np.asarray(small.resize((width, height))), 0, 1)


def brighter(face: Picture) -> Picture:
    return np.clip(face * 1.1 + 0.03, 0, 1)


def mirrored(face: Picture) -> Picture:
    return face[:, ::-1]


def with_copy(faces: FaceSet, row: int, change: Callable[[Picture], Picture]) -> FaceSet:
    """Add a changed copy of a face, as another photograph of the same person."""
    copy = change(faces.image(row).astype(np.float64))
    crops = Crops(np.rint(copy * 255).astype(np.uint8).reshape(1, -1))
    photo = replace(faces.index.photos[row], path=Path("a/copy.png"), key="copy")
    return faces.join(FaceSet(crops, faces.shape, PhotoIndex((photo,))))


def split(train: list[int], probes: list[int], **more: object) -> Fold:
    return Fold(np.array(train), np.array(train), np.array(probes), **more)  # type: ignore[arg-type]


def leaks(faces: FaceSet, *folds: Fold) -> tuple[Leak, ...]:
    return find_leaks(faces, folds, find_duplicates(faces))


class TestDuplicates:
    @pytest.mark.parametrize("change", [saved_anew, made_smaller, brighter, lambda face: face])
    def test_copies_are_found(self, att: FaceSet, change: Callable[[Picture], Picture]) -> None:
        """For some of the faces; and nothing but the copy."""
        for row in range(0, 400, 80):
            faces = with_copy(att.select(range(row, row + 12)), 3, change)
            (found,) = find_duplicates(faces)
            assert (found.first, found.second) == (3, 12)
            assert 0.9995 <= found.likeness <= 1 + 1e-9

    def test_a_photograph_in_another_size_or_cut_otherwise_is_the_same(
        self, tmp_path: Path
    ) -> None:
        face = astronaut()
        pictures = {
            "whole": face,
            "half": face.resize((90, 90), Image.Resampling.LANCZOS),
            "cut": face.crop((9, 5, 174, 171)),
            "large": face.resize((300, 300), Image.Resampling.BICUBIC).crop((12, 9, 300, 290)),
            "mirrored": astronaut(mirrored=True),
        }
        for name, picture in pictures.items():
            picture.save(tmp_path / f"{name}.jpg", quality=90)
        faces = load_faces(find_photos(tmp_path), Preparation())
        names = [photo.path.stem for photo in faces.index.photos]
        alike = {frozenset((names[e.first], names[e.second])) for e in find_duplicates(faces)}
        assert alike == {frozenset(p) for p in combinations(("whole", "half", "cut", "large"), 2)}
        kept = without_duplicates(faces)
        assert [photo.path.stem for photo in kept.index.photos] == ["cut", "mirrored"]
        assert {each.kind for each in kept.skipped} == {"duplicate"}


class TestKnownPhotos:
    def test_the_same_photo(self, rng: np.random.Generator) -> None:
        faces = people(rng, 2, 3)
        (found,) = leaks(faces, split([0, 1, 3, 4], [1, 2, 5]))
        assert found.kind == "same photo"
        assert found.sentence == "“2” (Person 1) is both known to the split and searched for."

    @pytest.mark.parametrize("change", [saved_anew, made_smaller, brighter])
    def test_nearly_the_same(self, att: FaceSet, change: Callable[[Picture], Picture]) -> None:
        faces = with_copy(att.select([*range(4), *range(10, 14)]), 1, change)
        (found,) = leaks(faces, split([0, 1, 2, 4, 5, 6], [3, 7, 8]))
        assert found.kind == "near-duplicate"
        assert (
            found.sentence
            == "“2.pgm” (Person 01) and “copy.png” (Person 01) are nearly the same picture."
        )
        assert leaks(faces, split([0, 1, 2, 8], [3, 7])) == ()  # on one side
        assert leaks(faces, split([0, 2, 3], [1, 7, 8])) == ()

    def test_every_protocol_meets_a_copy_and_names_it_once(self, att: FaceSet) -> None:
        faces = with_copy(att.select(range(60)), 17, saved_anew)
        for protocol in (LeaveOneOut(), KFold(5), NShot(5, 9)):
            kinds = [leak.kind for leak in leaks(faces, *protocol.folds(faces))]
            assert kinds == ["near-duplicate"], protocol


class TestKnownPeople:
    @pytest.mark.parametrize(
        ("own", "name", "same"),
        [
            *(("Ann Lee", name, True) for name in ["ann lee", "Ann Lee ", "AnnLee", "ANN  LEE"]),
            ("Ann Lee", "Ａnn Lee", True),
            ("Zoë", "Zoe\u0308", True),
            ("Ann", "Anna", False),
        ],
    )
    def test_one_person_under_two_names(
        self, rng: np.random.Generator, own: str, name: str, same: bool
    ) -> None:
        """A member, and a stranger under a name that differs only in case, spaces or spelling."""
        names = [own, own, "Bob", "Bob", name, name]
        faces = FaceSet.from_arrays(rng.random((6, 9, 9)), names)
        found = leaks(faces, split([0, 2], [1, 3, 4, 5]))
        assert [leak.kind for leak in found] == ["same person"] * same
        said = f"{name} is searched for as a stranger"
        assert all(leak.sentence.startswith(said) for leak in found)

    def test_a_person_on_both_sides_of_pairs(self, rng: np.random.Generator) -> None:
        faces = people(rng, 4, 2)
        apart = Pairs(((("1", "2"), ("1", "3")), (("5", "6"), ("5", "7"))))
        assert leaks(faces, *apart.folds(faces)) == ()
        both = Pairs(((("1", "3"), ("3", "4")), (("5", "6"), ("2", "5"))))
        found = leaks(faces, *both.folds(faces))
        assert {leak.kind for leak in found} == {"same person"}
        assert {leak.sentence.split(" is ")[0] for leak in found} == {"Person 1"}
        same = Pairs(((("1", "3"),), (("1", "5"),)))
        assert {leak.kind for leak in leaks(faces, *same.folds(faces))} == {
            "same photo",
            "same person",
        }


SHAPE = (24, 20)


def portraits(rng: np.random.Generator, *, tell_by: str) -> FaceSet:
    """Return 8 people × 5, told apart by the face alone, the background alone, or both."""
    face = window_weights(SHAPE, "oval") > 0
    centres = rng.uniform(0.2, 0.8, (8, 1, *SHAPE))
    noise = rng.uniform(-0.1, 0.1, (8, 5, *SHAPE))
    same = np.full(SHAPE, 0.4)
    images = {
        "face": np.where(face, centres + noise, same),
        "background": np.where(face, 0.5 + noise, centres + noise),
    }[tell_by]
    return FaceSet.from_arrays(
        images.reshape(40, *SHAPE), [f"Person {i // 5 + 1}" for i in range(40)]
    )


def control(result: Evaluation, name: str) -> Control:
    return next(each for each in result.controls if each.kind == name)


class TestCovered:
    def test_at_chance_where_all_is_in_the_face(self, rng: np.random.Generator) -> None:
        """Nothing is left of these faces: everybody is taken for the first person."""
        result = evaluate(portraits(rng, tell_by="face"), Setting(Recipe(), KFold(5)))
        hidden = control(result, "face covered")
        rank_1 = result.figure("rank-1")
        assert rank_1 is not None
        assert rank_1.value == 1
        assert hidden.value == control(result, "chance").value == 1 / 8
        assert hidden.high is not None
        assert hidden.high < 0.6
        assert control(result, "pixels L2").value == 1

    def test_far_above_chance_where_the_background_tells(self, rng: np.random.Generator) -> None:
        result = evaluate(portraits(rng, tell_by="background"), Setting(Recipe(), KFold(5)))
        hidden = control(result, "face covered")
        assert hidden.value > 0.95
        assert hidden.low is not None
        assert hidden.low > 2 * control(result, "chance").value


class TestPixels:
    @pytest.mark.parametrize(("name", "theirs"), [("L2", "euclidean"), ("L1", "cityblock")])
    def test_against_scipy(
        self, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch, name: str, theirs: str
    ) -> None:
        faces = faces_of(rng, [4, 5, 6])
        expected = cdist(faces.levels, faces.levels, theirs)  # type: ignore[call-overload]
        np.testing.assert_allclose(pixel_distances(faces, name), expected)
        monkeypatch.setattr(controls, "_ROWS_AT_ONCE", 4)
        found = pixel_distances(faces, name)
        np.testing.assert_allclose(found, expected)
        same = DISTANCES[name](faces.levels, faces.levels, np.ones(1))
        np.testing.assert_array_equal(found, same)  # to the last bit


class TestGuesses:
    @given(st.lists(st.integers(2, 9), min_size=2, max_size=6), st.integers(0, 99))
    def test_against_scikit_learn(self, counts: list[int], seed: int) -> None:
        faces = faces_of(np.random.default_rng(seed), counts, (2, 2))
        of = numbers_of(faces)
        folds = KFold(3, seed).folds(faces)
        hits, chances = [], []
        for fold in folds:
            guess = DummyClassifier().fit(of[:, None], of)  # everybody is enrolled in every fold
            hits += (guess.predict(of[fold.probes][:, None]) == of[fold.probes]).tolist()
            chances += [1 / len(np.unique(of[fold.gallery]))] * len(fold.probes)
        chance, majority = guessing(folds, of)
        assert majority == pytest.approx(np.mean(hits))
        assert chance == pytest.approx(np.mean(chances))


def test_duplicates_left_out_are_no_failures_to_acquire(rng: np.random.Generator) -> None:
    damaged = Skipped(Path("7"), "It is damaged.")
    twice = replace(damaged, path=Path("8"), kind="duplicate")
    faces = replace(people(rng, 2, 3), skipped=(damaged, twice))
    for known, shares in ((("1", "4", "7", "8"), [1 / 6]), (("1", "4", "8"), [])):
        result = evaluate(faces, Setting(Recipe(), Lists(known, ("2", "5")), curves=False))
        assert [each.value for each in result.controls if each.kind == "not acquired"] == shares
