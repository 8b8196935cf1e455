"""Protocols: which faces are for training, which are enrolled, which are probes. All seeded.

A protocol splits a set of named faces into folds. Nothing is fitted here; an evaluation must fit
everything (mean, face space, whitening, thresholds) only to the ``train`` rows of a fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.text import Whole, check_fields, percent

Rows = NDArray[np.intp]
RowPairs = NDArray[np.intp]


_MOST = 9999


def _whole(name: str, what: str, unit: str, least: int) -> Whole:
    refusal = f"The number of {what} must be at least {least}, and at most {_MOST:,}."
    label = f"Number of {what}"
    return Whole(
        name=name, label=label, about=label, unit=unit, least=least, most=_MOST, refusal=refusal
    )


PARTS = _whole("parts", "parts", "parts", 2)
ENROLLED = _whole("enrolled", "enrolled photos", "enrolled", 1)
REPETITIONS = _whole("repetitions", "repetitions", "times", 1)


def no_pairs() -> RowPairs:
    """Return an empty array of pairs, (0, 2)."""
    return np.empty((0, 2), np.intp)


@dataclass(frozen=True, eq=False)
class Fold:
    """One split of the rows of a face set.

    Parameters
    ----------
    train
        The rows to which the face space, and everything else, is fitted.
    gallery
        The enrolled rows.
    probes
        The rows that are searched for in the gallery. A probe whose person is not enrolled is a
        stranger's. A probe that is also enrolled is never compared with itself.
    pairs
        (m, 2) rows that are compared with each other.
    tuning
        Pairs on which the threshold for ``pairs`` is chosen.
    """

    train: Rows
    gallery: Rows
    probes: Rows
    pairs: RowPairs = field(default_factory=no_pairs)
    tuning: RowPairs = field(default_factory=no_pairs)


@dataclass(frozen=True)
class LeaveOneOut:
    """Every photograph once as the probe, all others enrolled.

    The photograph of a person with a single one is enrolled, and not searched for.
    """

    kind: ClassVar[str] = "leave-one-out"
    photos_needed: ClassVar[int] = 2

    def words(self) -> str:
        """Return what is done, for a heading."""
        return "Leave one photo out"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each photograph of every person with at least two."""
        everyone = np.arange(len(faces))
        rows = np.sort(np.concatenate([[], *_rows_by_person(faces)]).astype(np.intp))
        folds = []
        for row in rows:
            others = np.delete(everyone, row)
            folds.append(Fold(others, others, np.array([row])))
        return folds


@dataclass(frozen=True)
class KFold:
    """Photographs split into parts, each person's evenly; each part searched for in the others.

    The photograph of a person with a single one is always enrolled.
    """

    kind: ClassVar[str] = "k-fold"
    photos_needed: ClassVar[int] = 2
    parts: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(self, (PARTS,))
        check_seed(self.seed)

    def words(self) -> str:
        """Return what is done, for a heading."""
        return f"{self.parts}-fold cross-validation"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each part."""
        rng = np.random.default_rng(self.seed)
        part = np.full(len(faces), -1)
        dealt = 0
        for rows in _rows_by_person(faces):
            part[rng.permutation(rows)] = (dealt + np.arange(len(rows))) % self.parts
            dealt += len(rows)
        folds = []
        for number in range(self.parts):
            others = np.flatnonzero(part != number)
            folds.append(Fold(others, others, np.flatnonzero(part == number)))
        return [fold for fold in folds if len(fold.probes)]


@dataclass(frozen=True)
class NShot:
    """A number of random photographs of each person enrolled, the others searched for; repeated.

    People with too few photographs do not take part.
    """

    kind: ClassVar[str] = "n-shot"
    enrolled: int = 5
    repetitions: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(self, (ENROLLED, REPETITIONS))
        check_seed(self.seed)

    @property
    def photos_needed(self) -> int:
        """The number of photographs a person needs to be searched for."""
        return self.enrolled + 1

    def words(self) -> str:
        """Return what is done, for a heading."""
        return f"{_photos(self.enrolled)} enrolled at random, {_times(self.repetitions)}"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each repetition."""
        people = _rows_by_person(faces, self.enrolled + 1)
        folds = []
        for repetition in range(self.repetitions if len(people) > 1 else 0):
            rng = np.random.default_rng([self.seed, repetition])
            orders = [rng.permutation(rows) for rows in people]
            enrolled = np.sort(np.concatenate([rows[: self.enrolled] for rows in orders]))
            probes = np.sort(np.concatenate([rows[self.enrolled :] for rows in orders]))
            folds.append(Fold(enrolled, enrolled, probes))
        return folds


@dataclass(frozen=True)
class FirstPhotos:
    """The first photographs of each person enrolled, in the order of file names; not random.

    People with too few photographs do not take part.
    """

    kind: ClassVar[str] = "first photos"
    enrolled: int = 5

    def __post_init__(self) -> None:
        check_fields(self, (ENROLLED,))

    @property
    def photos_needed(self) -> int:
        """The number of photographs a person needs to be searched for."""
        return self.enrolled + 1

    def words(self) -> str:
        """Return what is done, for a heading."""
        return f"The first {_photos(self.enrolled)} enrolled, the others searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return the only fold."""
        people = _rows_by_person(faces, self.enrolled + 1)
        if len(people) < 2:
            return []
        enrolled = np.concatenate([rows[: self.enrolled] for rows in people])
        probes = np.concatenate([rows[self.enrolled :] for rows in people])
        return [Fold(enrolled, enrolled, probes)]


@dataclass(frozen=True)
class OpenSet:
    """Some people enrolled, the others strangers: drawn at random, and repeated.

    Searched for are all photographs of strangers, and those of members that are not enrolled.
    Members need one photograph more than are enrolled; people with fewer are strangers.
    """

    kind: ClassVar[str] = "open set"
    enrolled: int = 5
    strangers: float = 0.5
    repetitions: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(self, (ENROLLED, REPETITIONS))
        if not 0 < self.strangers < 1:
            raise EigenfacesError("Give the share of strangers as a number between 0 and 1.")
        check_seed(self.seed)

    @property
    def photos_needed(self) -> int:
        """The number of photographs a person needs to be searched for."""
        return self.enrolled + 1

    def words(self) -> str:
        """Return what is done, for a heading."""
        return (
            f"Open set: {percent(self.strangers, 0)} strangers, {_photos(self.enrolled)} enrolled, "
            f"{_times(self.repetitions)}"
        )

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each repetition."""
        able = [
            i
            for i, n in enumerate(faces.index.people)
            if len(faces.index.rows_of(n)) > self.enrolled
        ]
        rows = [np.array(faces.index.rows_of(name)) for name in faces.index.people]
        # There is at least one stranger.
        members = min(len(able), round(len(rows) * (1 - self.strangers)), len(rows) - 1)
        if members < 2:
            return []
        folds = []
        for repetition in range(self.repetitions):
            rng = np.random.default_rng([self.seed, repetition])
            chosen = set(rng.permutation(able)[:members].tolist())
            enrolled, probes = [], []
            for person, own in enumerate(rows):
                order = rng.permutation(own)
                cut = self.enrolled if person in chosen else 0
                enrolled.append(order[:cut])
                probes.append(order[cut:])
            gallery = np.sort(np.concatenate(enrolled))
            folds.append(Fold(gallery, gallery, np.sort(np.concatenate(probes))))
        return folds


def _rows_by_person(faces: FaceSet, least: int = 2) -> list[Rows]:
    """Return the rows of each person with at least ``least`` photographs."""
    people = (np.array(faces.index.rows_of(name)) for name in faces.index.people)
    return [rows for rows in people if len(rows) >= least]


LARGEST_LEFT_OUT = 400
"""Faces up to which one photograph at a time is left out, where no protocol is chosen."""


def usual_protocol(faces: int, seed: int = 0) -> LeaveOneOut | KFold:
    """Return the protocol for a number of faces, where none is chosen."""
    return LeaveOneOut() if faces <= LARGEST_LEFT_OUT else KFold(seed=seed)


def check_seed(seed: int) -> None:
    """Raise `EigenfacesError` if a seed is not possible."""
    if seed < 0:
        raise EigenfacesError("The seed must be a whole number of 0 or more.")


def _photos(count: int) -> str:
    return "1 photo" if count == 1 else f"{count} photos"


def _times(repetitions: int) -> str:
    return "once" if repetitions == 1 else f"{repetitions} times"


def development(fold: Fold, people: NDArray[np.intp], seed: int) -> Fold | None:
    """Split a fold's gallery once more, to choose a threshold without the fold's probes.

    A fifth of each person's enrolled photographs (at least one, never all) become probes, and are
    not used for training. Return None if no person has two, or fewer than two would stay enrolled.
    """
    rng = np.random.default_rng(seed)
    gallery = np.setdiff1d(fold.gallery, fold.probes)
    held = [rng.permutation(rows)[: _a_fifth(len(rows))] for rows in _by_person(gallery, people)]
    probes = np.sort(np.concatenate([np.empty(0, np.intp), *held]))
    rest, train = np.setdiff1d(gallery, probes), np.setdiff1d(fold.train, probes)
    if not len(probes) or len(np.unique(people[rest])) < 2 or len(train) < 2:
        return None
    return Fold(train, rest, probes)


def _a_fifth(count: int) -> int:
    return 0 if count < 2 else max(1, count // 5)


def _by_person(rows: Rows, people: NDArray[np.intp]) -> Iterator[Rows]:
    for person in np.unique(people[rows]):
        yield rows[people[rows] == person]
