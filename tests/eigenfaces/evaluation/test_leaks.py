"""Leaks planted in a split are found and named; where there is none, nothing is said."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from synthetic import people

from eigenfaces import FaceSet
from eigenfaces.evaluation.controls import Leak, LeakError, find_leaks
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    Fold,
    Idiap,
    KFold,
    LeaveOneOut,
    Lists,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.recognition.gallery import find_duplicates

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


def called(faces: FaceSet, names: list[str]) -> FaceSet:
    photos = [
        replace(photo, person=name) for photo, name in zip(faces.index.photos, names, strict=True)
    ]
    return replace(faces, index=PhotoIndex(tuple(photos)))


class TestDuplicates:
    @pytest.mark.parametrize("change", [saved_anew, made_smaller, brighter, lambda face: face])
    def test_copies_are_found(self, att: FaceSet, change: Callable[[Picture], Picture]) -> None:
        """For some of the faces; and nothing but the copy."""
        for row in range(0, 400, 80):
            faces = with_copy(att.select(range(row, row + 12)), 3, change)
            (found,) = find_duplicates(faces)
            assert (found.first, found.second) == (3, 12)
            assert 0.9995 <= found.likeness <= 1 + 1e-9

    def test_some_changes_hide_a_copy(self, att: FaceSet) -> None:
        """As is said beside the limit."""
        for change in (mirrored, lambda face: face**1.3, lambda face: np.roll(face, 2, axis=1)):
            assert find_duplicates(with_copy(att.select(range(12)), 3, change)) == []

    def test_real_photographs_are_not_taken_for_copies(self, att: FaceSet) -> None:
        assert find_duplicates(att) == []

    def test_flat_faces_are_nothing(self) -> None:
        """They have no picture that could be the same; and no warning is raised."""
        faces = FaceSet.from_arrays(np.full((3, 8, 8), 0.5), ["a", "a", "b"])
        assert find_duplicates(faces) == []


class TestKnownPhotos:
    def test_the_same_photo(self, rng: np.random.Generator) -> None:
        faces = people(rng, 2, 3)
        (found,) = leaks(faces, split([0, 1, 3, 4], [1, 2, 5]))
        assert found.kind == "same photo"
        assert found.sentence == "“2” (Person 1) is both known to the split and searched for."

    def test_fitted_to_is_known_too(self, rng: np.random.Generator) -> None:
        faces = people(rng, 2, 3)
        fold = Fold(np.array([0, 2, 3]), np.array([0, 1, 3, 4]), np.array([2, 5]))
        assert [leak.kind for leak in leaks(faces, fold)] == ["same photo"]

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

    def test_every_protocol_meets_a_copy(self, att: FaceSet) -> None:
        faces = with_copy(att.select(range(60)), 17, saved_anew)
        for protocol in (LeaveOneOut(), KFold(5), NShot(5, 9)):
            kinds = {leak.kind for leak in leaks(faces, *protocol.folds(faces))}
            assert kinds == {"near-duplicate"}, protocol

    def test_of_a_photo_on_both_sides_its_copy_is_not_named_too(self, att: FaceSet) -> None:
        faces = with_copy(att.select(range(6)), 1, saved_anew)
        found = leaks(faces, split([0, 1, 2], [1, 3, 6]))
        assert [leak.kind for leak in found] == ["same photo"]

    def test_each_is_named_once(self, att: FaceSet) -> None:
        faces = with_copy(att.select(range(20)), 1, brighter)
        folds = LeaveOneOut().folds(faces)
        assert len(leaks(faces, *folds)) == 1


class TestKnownPeople:
    @pytest.mark.parametrize("name", ["ann lee", "Ann Lee ", "AnnLee", "ANN  LEE", "Ａnn Lee"])
    def test_one_person_under_two_names(self, rng: np.random.Generator, name: str) -> None:
        """A member, and a stranger under a name that differs only in case or spaces."""
        faces = called(people(rng, 3, 2), ["Ann Lee", "Ann Lee", "Bob", "Bob", name, name])
        (found,) = leaks(faces, split([0, 2], [1, 3, 4, 5]))
        assert found.kind == "same person"
        assert found.sentence.startswith(f"{name} is searched for as a stranger")

    def test_letters_spelt_otherwise(self, rng: np.random.Generator) -> None:
        faces = called(people(rng, 3, 1), ["Zoë", "Bob", "Zoe\u0308"])
        assert [leak.kind for leak in leaks(faces, split([0, 1], [2]))] == ["same person"]

    def test_another_name_is_another_person(self, rng: np.random.Generator) -> None:
        faces = called(people(rng, 3, 2), ["Ann", "Ann", "Bob", "Bob", "Anna", "Anna"])
        assert leaks(faces, split([0, 2], [1, 3, 4, 5])) == ()

    def test_a_stranger_whom_the_face_space_was_fitted_to(self, rng: np.random.Generator) -> None:
        faces = people(rng, 3, 2)
        fold = Fold(np.array([0, 2, 4]), np.array([0, 2]), np.array([1, 3, 5]))
        (found,) = leaks(faces, fold)
        assert found.kind == "same person"
        assert found.sentence.startswith("Person 3 ")

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


@pytest.mark.parametrize(
    "protocol",
    [
        LeaveOneOut(),
        KFold(),
        NShot(),
        FirstPhotos(),
        OpenSet(),
        Idiap(),
        Lists(("s1/1.pgm", "s2/1.pgm"), ("s1/2.pgm", "s2/2.pgm", "s3/1.pgm")),
        Pairs(((("s1/1.pgm", "s1/2.pgm"),), (("s2/1.pgm", "s3/2.pgm"),))),
    ],
    ids=lambda protocol: protocol.kind,
)
def test_the_sample_does_not_leak(att: FaceSet, protocol: Protocol) -> None:
    assert find_leaks(att, protocol.folds(att), find_duplicates(att)) == ()


def test_the_message_names_some_and_counts_the_rest() -> None:
    error = LeakError([Leak("same photo", f"“{i}.png” (Ann) is known.") for i in range(7)])
    assert len(error.leaks) == 7
    assert "“4.png”" in str(error)
    assert "“5.png”" not in str(error)
    assert "And 2 more." in str(error)
    assert str(error).endswith("or allow it: the report will say so.")
    assert "more" not in str(LeakError([Leak("same photo", "“1.png” is known.")]))
