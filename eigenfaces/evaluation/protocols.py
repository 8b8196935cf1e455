"""Protocols: seeded splits of named faces into training faces, gallery and probes.

A protocol splits a set of named faces into folds. Nothing is fitted here; an evaluation must fit
everything (mean, face space, whitening, thresholds) only to the ``train`` rows of a fold.

Splits can also be read from files: lists of photographs, and pairs in LFW format. They identify a
photograph by its path relative to the folder of photographs, with forward slashes. The last parts
of a path are enough if they are unique. A photograph that is listed twice is used only once.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from typing import ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.tables import PHOTO_HEADINGS, read_table
from eigenfaces.recognition.features import person_numbers
from eigenfaces.recognition.statistics import SEED, USUAL_PARTS, fold_numbers
from eigenfaces.text import WholeNumber, check_fields, count, first_few, percent

Names = tuple[str, ...]
Pair = tuple[str, str]
Rows = NDArray[np.intp]
RowPairs = NDArray[np.intp]
Missing = Literal["count", "refuse"]  # how an unusable photograph is treated
NOT_ACQUIRED, LEFT_OUT = -1, -2  # rows for unusable photographs and duplicates


class Named(NamedTuple):
    """A photograph named in a list."""

    row: int  # the row of its face, or `NOT_ACQUIRED` or `LEFT_OUT`
    person: str | None
    path: PurePath


def rows_named(
    faces: FaceSet, *lists: Iterable[str], missing: Missing = "count"
) -> list[list[int]]:
    """Return the rows of the photographs named in each list, as found by `find_named`."""
    return [[one.row for one in named] for named in find_named(faces, *lists, missing=missing)]


def find_named(
    faces: FaceSet, *lists: Iterable[str], missing: Missing = "count"
) -> list[list[Named]]:
    """Return the photographs named in each list, in the order of the list.

    Unusable photographs get the row `NOT_ACQUIRED` or `LEFT_OUT`, unless ``missing`` refuses them.

    In a name, a # after a space starts a comment, and a tab, semicolon or comma starts another
    column, unless the whole text is the name of a photograph. Names that match no photograph, or
    several, raise an `EigenfacesError` that lists them.
    """
    # All parts of each path, and its photograph, by the last part of the path.
    known: dict[str, list[tuple[Names, Named]]] = defaultdict(list)
    photos = [Named(row, photo.person, photo.path) for row, photo in enumerate(faces.index.photos)]
    for skipped in faces.skipped:
        row = LEFT_OUT if skipped.kind == "duplicate" else NOT_ACQUIRED
        photos.append(Named(row, skipped.person, skipped.path))
    for one in photos:
        known[_parts(one.path)[-1]].append((_parts(one.path), one))
    unknown: dict[str, None] = {}

    def matches(name: str) -> list[Named]:
        parts = _parts(PurePosixPath(name.replace("\\", "/"))) or ("",)
        ending = [one for path, one in known.get(parts[-1], ()) if path[-len(parts) :] == parts]
        return [one for one in ending if one.row >= 0] or ending

    def photo_of(name: str) -> Named:
        plain = re.split(r"\s#|[\t;,]", name)[0].strip()
        found = matches(name) or matches(plain)
        if found and found[0].row < 0 and missing == "refuse":
            found = []
        if found and (len(found) == 1 or found[0].row < 0):
            return found[0]
        unknown[f"“{plain}” matches {len(found)} photos" if found else f"“{plain}”"] = None
        return Named(0, None, PurePath(name))

    named = [[photo_of(name) for name in names] for names in lists]
    if unknown:
        many = "One photo" if len(unknown) == 1 else f"{len(unknown)} photos"
        raise EigenfacesError(
            f"{many} that the protocol names cannot be used or found: "
            f"{first_few([*unknown], 5)}. Correct the lists, or add the photos."
        )
    return named


def _parts(path: PurePath) -> Names:
    """Return the parts of a path in Unicode NFC, because file systems and editors differ."""
    return tuple(unicodedata.normalize("NFC", part) for part in path.parts)


def read_list(path: Path) -> Names:
    """Return the names of the photographs in a file, one per line.

    A line that starts with # is a comment; a name that starts with # is written “./#1.jpg”. For a #
    after a space, and for other columns, see `find_named`. A heading selects the column.
    """
    lines = read_table(path)
    columns = lines[0].columns(PHOTO_HEADINGS) if lines else None
    if columns is None:  # a quoted name has a clear end; any other may contain a comma
        names = tuple(line.cell(0) if line.text.startswith('"') else line.text for line in lines)
    else:
        names = tuple(line.cell(columns[0]) for line in lines[1:])
    if not names:
        raise EigenfacesError(f"“{path.name}” names no photo: write one name per line.")
    return names


def read_pairs(path: Path) -> tuple[tuple[Pair, ...], ...]:
    """Return the sets of pairs in an LFW file (``pairs.txt``, ``pairsDevTrain.txt``).

    The first line gives the number of sets, unless there is only one, and the number of mated pairs
    per set. A set has as many non-mated pairs. A mated pair is a line ``name number number``, and a
    non-mated pair ``name number name number``. Photographs are named ``name/name_0001.jpg``.
    """

    def is_count(word: str) -> bool:
        return re.fullmatch("[0-9]{1,9}", word) is not None and int(word) > 0

    head, *lines = [line.text.split() for line in read_table(path)] or [[]]
    try:
        if not 1 <= len(head) <= 2 or not all(map(is_count, head)):
            raise ValueError("its first line must give the number of sets and of pairs in each")
        sets = int(head[0]) if len(head) == 2 else 1
        size = 2 * int(head[-1])
        pairs = []
        for words in lines:
            line = f"“{' '.join(words)}”"
            words = [words[0], words[1], words[0], words[2]] if len(words) == 3 else words
            if len(words) != 4 or not is_count(words[1]) or not is_count(words[3]):
                raise ValueError(f"{line} is not a pair")
            first = words[0]
            one = int(words[1])
            second = words[2]
            other = int(words[3])
            if (first, one) == (second, other):
                raise ValueError(f"{line} compares a photo with itself")
            pairs.append((f"{first}/{first}_{one:04}.jpg", f"{second}/{second}_{other:04}.jpg"))
        if len(pairs) != sets * size:
            raise ValueError(f"it announces {sets * size} pairs, but {len(pairs)} follow")
    except ValueError as error:
        raise EigenfacesError(
            f"“{path.name}” is not a list of pairs in the LFW format: {error}."
        ) from None
    return tuple(tuple(pairs[start : start + size]) for start in range(0, len(pairs), size))


def _number_field(name: str, what: str, unit: str, least: int) -> WholeNumber:
    label = f"Number of {what}"
    most = 9999
    refusal = f"The number of {what} must be at least {least}, and at most {most:,}."
    return WholeNumber(
        name=name, label=label, about=label, unit=unit, least=least, most=most, refusal=refusal
    )


PARTS_FIELD = _number_field("parts", "parts", "parts", 2)
ENROLLED = _number_field("enrolled", "enrolled photos", "enrolled", 1)
REPETITIONS = _number_field("repetitions", "repetitions", "times", 1)


@dataclass(frozen=True, eq=False)
class Fold:
    """A split of the rows of a face set. No face is ever compared with itself."""

    train: Rows  # rows to which the face space and everything else is fitted
    gallery: Rows  # the enrolled rows
    probes: Rows  # rows to search for; people who are not enrolled are strangers
    pairs: RowPairs = field(default_factory=lambda: np.empty((0, 2), np.intp))  # (m, 2) rows
    tuning: RowPairs = field(default_factory=lambda: np.empty((0, 2), np.intp))
    """Pairs on which the threshold for ``pairs`` is chosen."""

    failed: RowPairs = field(default_factory=lambda: np.empty((0, 2), np.intp))
    """Searches for enrolled people, or pairs, that fail because a photo is unusable, (f, 2): the
    person's index (people without any face come last), and 1 if mated, otherwise 0."""

    def development(self, people: NDArray[np.intp], seed: int) -> Fold | None:
        """Split the gallery further, so that a threshold can be chosen without the fold's probes.

        A fifth of each person's photographs become probes: at least one, but never all. The result
        is None if no person has two photographs, or if fewer than two people would remain enrolled.
        """
        rng = np.random.default_rng(seed)
        gallery = np.setdiff1d(self.gallery, self.probes)
        parts: list[Rows] = [np.empty(0, np.intp)]
        for person in np.unique(people[gallery]):
            own = gallery[people[gallery] == person]
            parts.append(rng.permutation(own)[: max(1, len(own) // 5) if len(own) > 1 else 0])
        probes = np.sort(np.concatenate(parts))
        rest = np.setdiff1d(gallery, probes)
        train = np.setdiff1d(self.train, probes)
        if not len(probes) or len(np.unique(people[rest])) < 2 or len(train) < 2:
            return None
        return Fold(train, rest, probes)


@dataclass(frozen=True, eq=False)
class Failures:
    """Pairs, or searches for enrolled people, that fail because a photograph is unusable.

    Failures count as wrong at every rank and threshold. All arrays are (f,); see `Fold.failed`.
    """

    fold: Rows
    people: Rows
    mated: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.fold)

    @classmethod
    def of(cls, folds: Sequence[Fold]) -> Failures:
        """Return the failures of all folds as one table."""
        fold = np.repeat(np.arange(len(folds)), [len(one.failed) for one in folds])
        failed = np.concatenate([np.empty((0, 2), np.intp), *(one.failed for one in folds)])
        return cls(fold, failed[:, 0], failed[:, 1] == 1)

    @property
    def mated_people(self) -> Rows:
        """The person in each mated failure."""
        return self.people[self.mated]


NO_FAILURES = Failures.of(())


def _failed(numbers: dict[str, int], failed: Sequence[tuple[str | None, bool]]) -> RowPairs:
    """Convert failures (a person, and whether mated) to the form of `Fold.failed`.

    ``numbers`` maps the name of each person to an index. Missing people are added.
    """
    rows = [(numbers.setdefault(name or "", len(numbers)), int(mated)) for name, mated in failed]
    return np.array(rows, np.intp).reshape(-1, 2)


def _person_places(faces: FaceSet) -> dict[str, int]:
    """Return the index of each person in the face set, by name."""
    return {name: number for number, name in enumerate(faces.index.people)}


class _Splitting:
    """Base class for protocols, with ``words`` for a heading, and ``folds``, the splits."""

    kind: ClassVar[str]
    fields: ClassVar[tuple[WholeNumber, ...]] = ()

    def __post_init__(self) -> None:
        check_fields(self, self.fields)
        check_seed(getattr(self, "seed", 0))


@dataclass(frozen=True)
class LeaveOneOut(_Splitting):
    """Protocol in which each photograph is the probe once, with all others enrolled.

    Attributes
    ----------
    photos_needed
        The number of photographs that a person needs in order to be searched for: 2.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((3, 4, 4))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace"])
    >>> [fold.probes.tolist() for fold in LeaveOneOut().folds(faces)]
    [[0], [1]]
    """

    kind: ClassVar[str] = "leave-one-out"
    photos_needed: ClassVar[int] = 2

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return "Leave one photo out"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each photograph of every person with at least two photographs."""
        everyone = np.arange(len(faces))
        rows = np.sort(np.concatenate([np.empty(0, np.intp), *_rows_by_person(faces)]))
        rest = [np.delete(everyone, row) for row in rows]
        return [Fold(others, others, rows[i : i + 1]) for i, others in enumerate(rest)]


@dataclass(frozen=True)
class KFold(_Splitting):
    """Protocol that splits each person's photographs evenly into parts, each used as probes once.

    Parameters
    ----------
    parts
        The number of parts, and therefore of folds, 2…9,999.
    seed
        The seed for the split, 0 or more.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((8, 4, 4))
    >>> faces = FaceSet.from_arrays(images, ["Ada"] * 4 + ["Grace"] * 4)
    >>> [len(fold.probes) for fold in KFold(parts=2).folds(faces)]
    [4, 4]
    """

    kind: ClassVar[str] = "k-fold"
    photos_needed: ClassVar[int] = 2
    fields: ClassVar[tuple[WholeNumber, ...]] = (PARTS_FIELD,)
    parts: int = USUAL_PARTS
    seed: int = SEED

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return f"{self.parts}-fold cross-validation"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each part."""
        people = person_numbers([photo.person for photo in faces.index.photos])
        part = fold_numbers(people, self.parts, self.seed)
        folds = []
        for number in range(part.max(initial=-1) + 1):
            others = np.flatnonzero(part != number)
            folds.append(Fold(others, others, np.flatnonzero(part == number)))
        return folds


@dataclass(frozen=True)
class _Enrolling(_Splitting):
    """Base class for protocols that enrol a fixed number of photographs of each person."""

    fields: ClassVar[tuple[WholeNumber, ...]] = (ENROLLED, REPETITIONS)
    enrolled: int = 5

    @property
    def photos_needed(self) -> int:
        """The number of photographs that a person needs in order to be searched for."""
        return self.enrolled + 1

    def split(self, orders: list[Rows], members: Rows | None = None) -> Fold:
        """Return the fold in which the first rows of each person, or of each member, are enrolled.

        ``orders`` holds the rows of each person. ``members`` are indices into it (by default, all).
        """
        cuts = np.zeros(len(orders), np.intp)
        cuts[slice(None) if members is None else members] = self.enrolled
        parts = [np.split(rows, [cut]) for rows, cut in zip(orders, cuts, strict=True)]
        gallery, probes = (np.sort(np.concatenate(side)) for side in zip(*parts, strict=True))
        return Fold(gallery, gallery, probes)


@dataclass(frozen=True)
class NShot(_Enrolling):
    """Protocol that enrols random photographs of each person and searches for the remaining ones.

    Parameters
    ----------
    enrolled
        Photographs to enrol per person, 1…9,999. People with no more than that are left out.
    repetitions
        The number of random draws, and therefore of folds, 1…9,999.
    seed
        The seed for the draws, 0 or more.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((6, 4, 4))
    >>> faces = FaceSet.from_arrays(images, ["Ada"] * 3 + ["Grace"] * 3)
    >>> [len(fold.gallery) for fold in NShot(enrolled=2, repetitions=3).folds(faces)]
    [4, 4, 4]
    """

    kind: ClassVar[str] = "n-shot"
    repetitions: int = 10
    seed: int = 0

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return f"{count(self.enrolled)} enrolled at random, {_times_text(self.repetitions)}"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each repetition."""
        people = _rows_by_person(faces, self.photos_needed)
        draws = _generators(self) if len(people) > 1 else []
        return [self.split([*map(rng.permutation, people)]) for rng in draws]


@dataclass(frozen=True)
class FirstPhotos(_Enrolling):
    """Protocol that enrols each person's first photographs by file name, so nothing is random.

    Parameters
    ----------
    enrolled
        Photographs to enrol per person, 1…9,999. People with no more than that are left out.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((6, 4, 4))
    >>> faces = FaceSet.from_arrays(images, ["Ada"] * 3 + ["Grace"] * 3)
    >>> [fold.probes.tolist() for fold in FirstPhotos(enrolled=2).folds(faces)]
    [[2, 5]]
    """

    kind: ClassVar[str] = "first photos"
    fields: ClassVar[tuple[WholeNumber, ...]] = (ENROLLED,)

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return f"The first {count(self.enrolled)} enrolled, the others searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return the single fold."""
        people = _rows_by_person(faces, self.photos_needed)
        return [self.split(people)] if len(people) > 1 else []


@dataclass(frozen=True)
class OpenSet(_Enrolling):
    """Protocol that enrols people drawn at random and treats all others as strangers.

    A member needs one more photograph than is enrolled; people with fewer are strangers.

    Parameters
    ----------
    enrolled
        The number of photographs to enrol per member, 1…9,999.
    strangers
        The intended share of strangers among the people, between 0 and 1. If even more people have
        too few photographs, the share is larger, and the evaluation says so.
    repetitions
        The number of random draws, and therefore of folds, 1…9,999.
    seed
        The seed for the draws, 0 or more.

    Raises
    ------
    EigenfacesError
        The share of strangers is not between 0 and 1, or another number is out of range.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((8, 4, 4))
    >>> faces = FaceSet.from_arrays(images, [name for name in "ABCD" for _ in range(2)])
    >>> (fold,) = OpenSet(enrolled=1, strangers=0.5, repetitions=1).folds(faces)
    >>> len(fold.gallery), len(fold.probes)  # probes: one of each member, two of each stranger
    (2, 6)
    """

    kind: ClassVar[str] = "open set"
    strangers: float = 0.5
    repetitions: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.strangers < 1:
            raise EigenfacesError("Give the share of strangers as a number between 0 and 1.")

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return (
            f"Open set: {percent(self.strangers, 0)} strangers wanted, {count(self.enrolled)} "
            f"enrolled, "
            f"{_times_text(self.repetitions)}"
        )

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each repetition."""
        people = _rows_by_person(faces, 1)
        able = [who for who, rows in enumerate(people) if len(rows) > self.enrolled]
        # At least one person is a stranger.
        members = min(len(able), round(len(people) * (1 - self.strangers)), len(people) - 1)
        folds = []
        for rng in _generators(self) if members > 1 else []:
            drawn = rng.permutation(able)[:members]
            folds.append(self.split([*map(rng.permutation, people)], drawn))
        return folds


@dataclass(frozen=True)
class Idiap:
    """AT&T protocol from Idiap's Bob, with 20 people for training and the other 20 for testing.

    For each test person, photographs 2, 4, 5, 7 and 9 are enrolled, and 1, 3, 6, 8 and 10 are
    searched for.
    """

    kind: ClassVar[str] = "idiap"
    train: ClassVar = (1, 2, 5, 6, 10, 11, 12, 14, 16, 17, 20, 21, 24, 26, 27, 29, 33, 34, 36, 39)

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return "AT&T protocol of Idiap: 20 people for training, 20 others enrolled and searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return the single fold. Raise `EigenfacesError` unless 40 people have 10 faces each."""
        people = _rows_by_person(faces, 1)
        if [len(rows) for rows in people] != [10] * 40:
            raise EigenfacesError("This protocol is for the AT&T faces: 40 people, 10 photos each.")
        tested = [rows for number, rows in enumerate(people, start=1) if number not in self.train]
        train = np.concatenate([people[number - 1] for number in self.train])
        gallery, probes = (
            np.sort(np.concatenate([rows[places] for rows in tested]))
            for places in ([1, 3, 4, 6, 8], [0, 2, 5, 7, 9])
        )
        return [Fold(train, gallery, probes)]


@dataclass(frozen=True)
class Lists:
    """Protocol with one fold, given by lists. By default, the gallery is also used for training."""

    kind: ClassVar[str] = "lists"
    gallery: Names
    probes: Names
    train: Names = ()
    missing: Missing = "count"

    @property
    def names(self) -> Names:
        """The names of all photographs in the lists, without duplicates."""
        return tuple(dict.fromkeys(self.gallery + self.probes + self.train))

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        return f"From lists: {len(self.gallery)} enrolled, {len(self.probes)} searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return the single fold, or raise `EigenfacesError` if photographs are missing.

        A search fails if its photograph could not be used, or if no photograph of its person could
        be enrolled.
        """
        lists = self.gallery, self.probes, self.train
        found = find_named(faces, *lists, missing=self.missing)
        gallery, probes, train = (list(dict.fromkeys(named)) for named in found)
        enrolled = {one.person for one in gallery if one.row >= 0}
        lost = {one.person for one in gallery if one.row == NOT_ACQUIRED} - enrolled - {None}
        failed: list[tuple[str | None, bool]] = []
        searched = list[int]()
        for one in probes:
            if one.person in lost or (one.row == NOT_ACQUIRED and one.person in enrolled - {None}):
                failed.append((one.person, True))
            elif one.row >= 0:
                searched.append(one.row)
        known = np.array([one.row for one in gallery if one.row >= 0], np.intp)
        fitted = np.array([one.row for one in train if one.row >= 0], np.intp)
        return [
            Fold(
                train=fitted if self.train else known,
                gallery=known,
                probes=np.array(searched, np.intp),
                failed=_failed(_person_places(faces), failed),
            )
        ]


@dataclass(frozen=True)
class Pairs:
    """Protocol that compares pairs of photographs, given in sets. A pair shows one person or two.

    ``fit_to`` says which sets are used for training. With ``others``, each set is tested in turn,
    with all other sets used for training (LFW View 2). With ``first``, the last set is tested, and
    the first is used for training (LFW View 1).
    """

    kind: ClassVar[str] = "pairs"
    sets: tuple[tuple[Pair, ...], ...]
    fit_to: Literal["others", "first"] = "others"
    missing: Missing = "count"

    @property
    def names(self) -> Names:
        """The names of all photographs in the pairs, without duplicates."""
        return tuple(dict.fromkeys(name for pairs in self.sets for pair in pairs for name in pair))

    def words(self) -> str:
        """Return a description of the protocol, for a heading."""
        if self.fit_to == "first":
            tested = count(len(self.sets[-1]), "pair")
            return f"{tested}, with the threshold from {count(len(self.sets[0]), 'other')}"
        total = count(sum(map(len, self.sets)), "pair")
        return f"{total} in {len(self.sets)} sets, each tested with the others"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each set that is tested."""
        if len(self.sets) < 2:
            raise EigenfacesError(
                "Pairs need at least two sets: one for testing, and others for training."
            )
        lists = ([name for pair in pairs for name in pair] for pairs in self.sets)
        sets = list[RowPairs]()
        failed = list[RowPairs]()
        numbers = _person_places(faces)
        for named in find_named(faces, *lists, missing=self.missing):
            pairs = list(zip(named[::2], named[1::2], strict=True))
            usable = [(a.row, b.row) for a, b in pairs if min(a.row, b.row) >= 0]
            sets.append(np.array(usable, np.intp).reshape(-1, 2))
            lost = [
                (a.person, a.person is not None and a.person == b.person)
                for a, b in pairs
                if min(a.row, b.row) < 0 and LEFT_OUT not in (a.row, b.row)
            ]
            failed.append(_failed(numbers, lost))
        last = len(sets) - 1
        none = np.empty(0, np.intp)
        folds = []
        for number in [last] if self.fit_to == "first" else range(len(sets)):
            others = [pairs for i, pairs in enumerate(sets) if i != number]
            tuning = sets[0] if self.fit_to == "first" else np.concatenate(others)
            fitted = np.unique(tuning)
            folds.append(Fold(fitted, none, none, sets[number], tuning, failed[number]))
        return folds


Protocol = LeaveOneOut | KFold | NShot | FirstPhotos | OpenSet | Idiap | Lists | Pairs

PROTOCOLS: dict[str, type[Protocol]] = {kind.kind: kind for kind in get_args(Protocol)}
"""The protocol classes, by kind."""

EXPLANATIONS = {
    "leave-one-out": "Each photo is the probe once, and all others are enrolled. A person with a "
    "single photo is enrolled but not searched for.",
    "k-fold": "The photos of each person are split at random into {parts} parts. Each part is "
    "searched for with all others enrolled. A person with a single photo is always enrolled.",
    "n-shot": "For each person, {enrolled} photos are drawn at random and enrolled, and the others "
    "are searched for. This is repeated {repetitions} times. People with too few photos are left "
    "out.",
    "first photos": "The first {enrolled} photos of each person, in the order of their names, are "
    "enrolled, and the others are searched for. Nothing is drawn at random.",
    "open set": "The target is {strangers:.0%} strangers: everybody with too few photos, and "
    "others drawn at random. For each of the other people, {enrolled} photos are enrolled. Their "
    "other photos and all photos of strangers are searched for. This is repeated {repetitions} "
    "times.",
    "idiap": "The AT&T protocol of Idiap: the face space is fitted to 20 people. Of the 20 others, "
    "photos 2, 4, 5, 7 and 9 are enrolled, and 1, 3, 6, 8 and 10 are searched for.",
    "lists": "Lists name the photos that are enrolled and those that are searched for. Without a "
    "list of training photos, the face space is fitted to the enrolled ones. Nothing is drawn at "
    "random.",
    "pairs": "Two photos are judged to show one person if their distance is at most a threshold. "
    "The face space and the threshold come from pairs other than those that are tested.",
}
"""A description of each kind of protocol, with placeholders for its fields."""


def check_seed(seed: int) -> None:
    """Raise `EigenfacesError` if a seed is negative."""
    if seed < 0:
        raise EigenfacesError("The seed must be a whole number of 0 or more.")


def _generators(protocol: NShot | OpenSet) -> list[np.random.Generator]:
    numbers = range(protocol.repetitions)
    return [np.random.default_rng([protocol.seed, number]) for number in numbers]


def _times_text(repetitions: int) -> str:
    return "once" if repetitions == 1 else f"{repetitions} times"


def _rows_by_person(faces: FaceSet, least: int = 2) -> list[Rows]:
    people = (np.array(faces.index.rows_of(name)) for name in faces.index.people)
    return [rows for rows in people if len(rows) >= least]
