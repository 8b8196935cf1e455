"""Protocols, and the lists they are read from: who is fitted to, enrolled and searched for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import on_file

from eigenfaces import EigenfacesError, FaceSet, Recipe
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
    read_list,
    read_pairs,
)
from eigenfaces.evaluation.records import EvaluationSetting
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.photographs.find import Skipped
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
        members, searched = set(of[fold.gallery]), set(of[fold.probes])
        assert members <= able
        assert len(members) >= 2
        assert members <= searched
        assert searched == set(range(len(faces.index.people)))
        assert searched - members  # there are strangers
        assert sorted([*fold.gallery, *fold.probes]) == list(range(len(faces)))
        assert (np.bincount(of[fold.gallery])[sorted(members)] == enrolled).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: KFold(1), "number of parts must be at least 2"),
        (lambda: NShot(0), "number of enrolled photos must be at least 1"),
        (lambda: NShot(1, 0), "number of repetitions must be at least 1"),
        (lambda: OpenSet(1, 0.0), "share of strangers as a number between 0 and 1"),
        (lambda: KFold(seed=-1), "whole number of 0 or more"),
        (lambda: EvaluationSetting(Recipe(), LeaveOneOut(), seed=-1), "whole number of 0 or more"),
        (lambda: EvaluationSetting(Recipe(), OpenSet(), share=1.5), "from 0 to 1"),
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


def faces_at(*paths: str) -> FaceSet:
    """Return faces that lie at these paths, each in the folder of its person."""
    images = np.random.default_rng(0).random((len(paths), 9, 9))
    faces = FaceSet.from_arrays(images, [Path(path).parent.name for path in paths])
    photos = [
        on_file(p, Path("/photos") / at) for p, at in zip(faces.index.photos, paths, strict=1)
    ]
    return replace(faces, index=PhotoIndex(tuple(photos)))


FOUR = faces_at("ada/1.jpg", "ada/2.jpg", "grace/1.jpg", "grace/2.jpg")
DARK = replace(FOUR, skipped=(Skipped(Path("/photos/eve/1.jpg"), "It is dark."),))


@pytest.mark.parametrize(
    ("faces", "lists", "rows"),
    [
        (  # as much of the path as it takes
            FOUR,
            (("ada/1.jpg", "photos/grace/1.jpg"), ("./ada/2.jpg", "grace\\2.jpg")),
            ([0, 2], [1, 3]),
        ),
        (FOUR, (("ada/1.jpg", "photos/ada/1.jpg"), ("ada/2.jpg", "ada/2.jpg")), ([0], [1])),
        (faces_at("zoe\u0308/e\u0301.jpg"), (("zoë/é.jpg",), ("zoë/é.jpg",)), ([0], [0])),
        # What follows a name is a comment, unless it is part of it.
        (faces_at("ada/#1.jpg", "ada/2.jpg"), (("./#1.jpg",), ("ada/2.jpg",)), ([0], [1])),
        (
            faces_at("ada/take #2.jpg", "ada/2.jpg"),
            (("ada/take #2.jpg",), ("ada/2.jpg  # the second",)),
            ([0], [1]),
        ),
        (FOUR, (("ada/1.jpg;Ada", "grace/1.jpg\tG"), ("ada\\2.jpg,Ada",)), ([0, 2], [1])),
        (DARK, (("ada/1.jpg",), ("ada/2.jpg", "eve/1.jpg")), ([0], [1])),
    ],
    ids=["paths", "twice", "letters", "begins as a comment", "comments", "columns", "not used"],
)
def test_which_photos_are_meant(
    faces: FaceSet, lists: tuple[tuple[str, ...], ...], rows: tuple[list[int], ...]
) -> None:
    (fold,) = Lists(*lists).folds(faces)
    assert fold.train.tolist() == fold.gallery.tolist() == rows[0]
    assert fold.probes.tolist() == rows[1]


@pytest.mark.parametrize(
    ("lists", "words"),
    [
        (
            Lists((*(f"eve/{number}.jpg" for number in range(7)), "eve/0.jpg"), ("1.jpg", "")),
            r"^8 photos that the protocol names [^“]*(“[^”]*”, ){4}“[^”]*” and 3 more",
        ),
        (Lists(("1.jpg",), ("ada/2.jpg",)), r"“1\.jpg” matches 2 photos"),
        (Lists(("ada/1.jpg",), ("eve/1.jpg",), missing="refuse"), r"“eve/1\.jpg”"),
        (Lists(("gone.jpg # not there",), ("ada/2.jpg",)), r"“gone\.jpg”"),
    ],
)
def test_what_cannot_be_found_is_named_once(lists: Lists, words: str) -> None:
    with pytest.raises(EigenfacesError, match=words):
        lists.folds(DARK)


def test_a_list_is_read_line_by_line_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "gallery.txt"
    file.write_text("\ufeff# enrolled\n\n  ada/1.jpg \r\n#a.jpg\nada/take #2.jpg\n./#3.jpg\n")
    assert read_list(file) == ("ada/1.jpg", "ada/take #2.jpg", "./#3.jpg")
    file.write_text('# for “build”, too\nLabel;Path\nAda;ada/1.jpg\nBob;"a;b/2.jpg"\n')
    assert read_list(file) == ("ada/1.jpg", "a;b/2.jpg")
    file.write_text('"a;b/2.jpg";Bob\n')
    assert read_list(file) == ("a;b/2.jpg",)
    file.write_text("\n# nobody\n")
    with pytest.raises(EigenfacesError, match="names no photo"):
        read_list(file)
    with pytest.raises(EigenfacesError, match="cannot be read"):
        read_list(tmp_path / "nowhere.txt")


def pairs_file(folder: Path, *lines: str) -> Path:
    file = folder / "pairs.txt"
    file.write_text("\n".join(lines))
    return file


def test_pairs_as_lfw_writes_them(tmp_path: Path) -> None:
    sets = read_pairs(
        pairs_file(tmp_path, "2\t1", "ada\t1\t12", "ada\t1\tgrace\t2", "", "eve 1 2", "eve 1 bob 3")
    )
    assert sets == (
        (("ada/ada_0001.jpg", "ada/ada_0012.jpg"), ("ada/ada_0001.jpg", "grace/grace_0002.jpg")),
        (("eve/eve_0001.jpg", "eve/eve_0002.jpg"), ("eve/eve_0001.jpg", "bob/bob_0003.jpg")),
    )
    (one,) = read_pairs(pairs_file(tmp_path, "1", "ada 1 2", "ada 1 eve 1"))
    assert one[1] == ("ada/ada_0001.jpg", "eve/eve_0001.jpg")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ((), "its first line must give"),
        (("1 2 3",), "its first line must give"),
        (("-1 -1", "ada 1 2", "ada 1 eve 2"), "its first line must give"),
        (("1 2", "ada 1 2", "ada 1 eve 2"), "it announces 4 pairs, but 2 follow"),
        (("1", "ada 1 2", "ada 1"), "“ada 1” is not a pair"),
        (("1", "ada 1 2", "ada 1 eve 0"), "“ada 1 eve 0” is not a pair"),
        (("1", "ada 1 2", f"ada 1 eve {'9' * 5000}"), "9” is not a pair"),
        (("1", "ada 1 2", "ada 1 ada 1"), "compares a photo with itself"),
    ],
)
def test_a_list_of_pairs_that_is_none(
    tmp_path: Path, lines: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(EigenfacesError) as refused:
        read_pairs(pairs_file(tmp_path, *lines))
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")


def test_an_own_list_is_fitted_to_and_each_set_is_tested_with_the_others() -> None:
    (fold,) = Lists(("ada/1.jpg",), ("ada/2.jpg",), ("grace/2.jpg", "grace/1.jpg")).folds(FOUR)
    assert fold.train.tolist() == [3, 2]
    sets = tuple(((f"{who}/1.jpg", f"{who}/2.jpg"),) for who in ("ada", "grace"))
    first, second = Pairs(sets).folds(FOUR)
    assert first.pairs.tolist() == second.tuning.tolist() == [[0, 1]]
    assert second.pairs.tolist() == first.tuning.tolist() == [[2, 3]]
    assert first.train.tolist() == [2, 3]
    (only,) = Pairs(sets, "first").folds(FOUR)
    assert only.pairs.tolist() == [[2, 3]]
    assert only.train.tolist() == [0, 1]
    with pytest.raises(EigenfacesError, match="at least two sets"):
        Pairs(((("ada/1.jpg", "ada/2.jpg"),),)).folds(FOUR)
