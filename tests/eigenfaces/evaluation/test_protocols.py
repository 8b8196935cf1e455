"""Protocols: who is fitted to, enrolled and searched for, by counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError, FaceSet, Recipe
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    Fold,
    Idiap,
    KFold,
    LeaveOneOut,
    NShot,
    OpenSet,
)
from eigenfaces.evaluation.records import Setting
from evaluation.drawn import EVERY, numbers_of

counts = st.lists(st.integers(1, 9), min_size=2, max_size=7)
seeds = st.integers(0, 10)


def faces_with(counts: list[int], seed: int = 0) -> FaceSet:
    """People with so many photographs each, in mixed order; nobody looks at the pixels here."""
    of = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    return FaceSet.from_arrays(np.zeros((len(of), 1, 1)), [f"Person {i + 1}" for i in of])


@given(counts, seeds)
def test_what_holds_for_all(numbers: list[int], seed: int) -> None:
    faces = faces_with(numbers, seed)
    of, everybody = numbers_of(faces), np.arange(len(faces))
    for protocol in EVERY:
        folds = protocol.folds(faces)
        for fold, again in zip(folds, protocol.folds(faces), strict=True):  # from the same seed
            for name in ("train", "gallery", "probes"):
                np.testing.assert_array_equal(getattr(fold, name), getattr(again, name))
            assert min(len(fold.gallery), len(fold.probes)) > 0
            assert len(fold.pairs) == len(fold.tuning) == 0
            for rows in (fold.train, fold.gallery, fold.probes):
                assert len(np.unique(rows)) == len(rows)
                assert np.isin(rows, everybody).all()
            assert not np.isin(fold.probes, fold.train).any()
            assert np.array_equal(np.sort(fold.train), np.sort(fold.gallery))
            check_development(fold, fold.development(of, seed), of)
        if not isinstance(protocol, OpenSet):
            probes = np.concatenate([np.empty(0, np.intp), *(fold.probes for fold in folds)])
            assert (np.bincount(of)[of[probes]] >= protocol.photos_needed).all()
        if isinstance(protocol, LeaveOneOut):
            assert probes.tolist() == np.flatnonzero(np.bincount(of)[of] > 1).tolist()
        if isinstance(protocol, LeaveOneOut | KFold | OpenSet):
            assert all(len(fold.gallery) + len(fold.probes) == len(faces) for fold in folds)


def check_development(fold: Fold, inner: Fold | None, of: np.ndarray) -> None:
    """What is held out for a threshold comes from the gallery alone, and is not fitted to."""
    rest = np.setdiff1d(fold.gallery, fold.probes)
    people, photos = np.unique(of[rest], return_counts=True)
    if inner is None:
        assert photos.max() == 1 or len(people) < 2 or len(fold.train) < 4
        return
    assert not np.isin(inner.probes, inner.train).any()
    assert np.isin(inner.train, fold.train).all()
    assert np.array_equal(np.union1d(inner.probes, inner.gallery), rest)
    assert set(of[inner.gallery]) == set(people)
    for person, own in zip(people, photos, strict=True):
        probes = (of[inner.probes] == person).sum()
        assert probes == (max(1, own // 5) if own > 1 else 0)


@given(counts, seeds, st.integers(2, 12))
def test_k_fold_deals_evenly(numbers: list[int], seed: int, parts: int) -> None:
    """Parts are disjoint and stratified: of a person, and of all, their sizes differ by one."""
    faces = faces_with(numbers, seed)
    of = numbers_of(faces)
    folds = KFold(parts, seed).folds(faces)
    probes = np.concatenate([np.empty(0, int), *(fold.probes for fold in folds)])
    several = np.flatnonzero(np.bincount(of)[of] > 1)
    assert np.array_equal(np.sort(probes), several)
    assert len(folds) == min(parts, len(several))
    for some in (of >= 0, *(of == person for person in np.unique(of))):
        sizes = [int(some[fold.probes].sum()) for fold in folds]
        assert not sizes or max(sizes) - min(sizes) <= 1
    for fold in folds:
        assert np.isin(of[fold.probes], of[fold.gallery]).all()


@given(counts, seeds, st.integers(1, 4))
def test_n_shot_enrols_so_many(numbers: list[int], seed: int, enrolled: int) -> None:
    faces = faces_with(numbers, seed)
    of = numbers_of(faces)
    able = np.flatnonzero(np.bincount(of) > enrolled)
    for protocol in (NShot(enrolled, 4, seed), FirstPhotos(enrolled)):
        folds = protocol.folds(faces)
        repetitions = 4 if isinstance(protocol, NShot) else 1
        # One person against nobody is no search.
        assert len(folds) == (repetitions if len(able) > 1 else 0)
        for fold in folds:
            assert (np.bincount(of[fold.gallery])[able] == enrolled).all()
            both = np.sort(np.concatenate([fold.gallery, fold.probes]))
            assert np.array_equal(both, np.flatnonzero(np.isin(of, able)))
            for person in able if isinstance(protocol, FirstPhotos) else []:
                assert set(np.flatnonzero(of == person)[:enrolled]) <= set(fold.gallery)


@given(counts, seeds, st.integers(1, 3), st.floats(0.01, 0.99))
def test_open_set(numbers: list[int], seed: int, enrolled: int, strangers: float) -> None:
    faces = faces_with(numbers, seed)
    of = numbers_of(faces)
    able = {i for i in range(len(faces.index.people)) if (of == i).sum() > enrolled}
    folds = OpenSet(enrolled, strangers, 3, seed).folds(faces)
    assert len(folds) in (0, 3)
    for fold in folds:
        members, asked = set(of[fold.gallery]), set(of[fold.probes])
        assert members <= able
        assert len(members) >= 2
        assert members <= asked
        assert asked == set(range(len(faces.index.people)))
        assert asked - members  # there are strangers
        assert sorted([*fold.gallery, *fold.probes]) == list(range(len(faces)))
        assert (np.bincount(of[fold.gallery])[sorted(members)] == enrolled).all()


def test_too_few_photos() -> None:
    for numbers in ([1, 1], [1] * 5):
        for protocol in EVERY:
            assert protocol.folds(faces_with(numbers)) == [] or isinstance(protocol, OpenSet)
    for numbers, folds in (([5, 5, 5], 0), ([6, 5, 5], 0), ([6, 6, 5], 10)):
        assert len(NShot(5).folds(faces_with(numbers))) == folds


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: KFold(1), "number of parts must be at least 2"),
        (lambda: NShot(0), "number of enrolled photos must be at least 1"),
        (lambda: NShot(1, 0), "number of repetitions must be at least 1"),
        (lambda: OpenSet(1, 0.0), "share of strangers as a number between 0 and 1"),
        (lambda: KFold(seed=-1), "whole number of 0 or more"),
        (lambda: Setting(Recipe(), LeaveOneOut(), seed=-1), "whole number of 0 or more"),
        (lambda: Setting(Recipe(), OpenSet(), share=1.5), "from 0 to 1"),
    ],
)
def test_numbers_that_make_no_sense(make: object, words: str) -> None:
    with pytest.raises(EigenfacesError, match=words):
        make()  # type: ignore[operator]


def test_idiap_is_for_forty_people(att: FaceSet) -> None:
    (fold,) = Idiap().folds(att)
    of = np.array([int(str(photo.person).split()[1]) for photo in att.index.photos])
    number = np.arange(400) % 10 + 1
    assert len(set(of[fold.train])) == 20
    assert not set(of[fold.train]) & set(of[fold.gallery])
    assert set(of[fold.gallery]) == set(of[fold.probes])
    assert set(number[fold.gallery]) == {2, 4, 5, 7, 9}
    assert set(number[fold.probes]) == {1, 3, 6, 8, 10}
    with pytest.raises(EigenfacesError, match="40 people"):
        Idiap().folds(att.select(range(390)))
