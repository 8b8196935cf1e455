"""Leaks, which make a result too good: a picture, or a person, on both sides of a split."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.recognition.gallery import Duplicate
from eigenfaces.recognition.lighting import window_weights
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.distances import DISTANCES

_NAMED = 5  # leaks that a message names


@dataclass(frozen=True)
class Leak:
    """One kind of leak from training or gallery to the probes; the sentence names the photos."""

    kind: str
    sentence: str


class LeakError(EigenfacesError):
    """A split has leaks; they are in ``leaks``."""

    def __init__(self, leaks: Sequence[Leak]) -> None:
        self.leaks = tuple(leaks)
        named = " ".join(leak.sentence for leak in self.leaks[:_NAMED])
        more = len(self.leaks) - _NAMED
        super().__init__(
            f"What is searched for is known already, so the figures would be too good. {named}"
            + (f" And {more} more." if more > 0 else "")
            + " Exclude such photos, or allow it: the report will say so."
        )


def find_leaks(
    faces: FaceSet, folds: Sequence[Fold], duplicates: Sequence[Duplicate]
) -> tuple[Leak, ...]:
    """Return the leaks of all folds, each once.

    Three kinds: ``same photo`` (in training or gallery, and a probe), ``near-duplicate`` (nearly
    the same picture in both), and ``same person`` (a stranger who is in the training faces, or who
    is enrolled under a name that differs only in case or spaces; with pairs, anybody on both
    sides).
    """
    named = [photo.person or "" for photo in faces.index.photos]
    _, people = np.unique(named, return_inverse=True)
    names = np.array([_plain(name) for name in named])
    found: dict[Leak, None] = {}
    for fold in folds:
        found.update(dict.fromkeys(_known_photos(faces, fold, duplicates)))
        for row in _strangers_known(fold, people, names):
            words = f"{named[row]} is searched for as a stranger, but known to the split."
            found[Leak("same person", words)] = None
    return tuple(found)


def _sides(faces: FaceSet, fold: Fold) -> tuple[Flags, Flags]:
    """Return, (n,) each, which rows are in training or gallery, and which are probes."""
    known, asked = np.zeros(len(faces), bool), np.zeros(len(faces), bool)
    known[fold.train] = True
    known[fold.tuning.ravel()] = True
    known[fold.gallery] = True
    asked[fold.probes] = True
    asked[fold.pairs.ravel()] = True
    return known, asked


def _known_photos(faces: FaceSet, fold: Fold, duplicates: Sequence[Duplicate]) -> Iterator[Leak]:
    """Yield the photographs, and the nearly same ones, that are on both sides."""
    known, asked = _sides(faces, fold)
    both = known & asked
    for row in np.flatnonzero(both).tolist():
        words = f"{_name(faces, row)} is both known to the split and searched for."
        yield Leak("same photo", words)
    for pair in duplicates:
        a, b = pair.first, pair.second
        apart = (known[a] and asked[b]) or (known[b] and asked[a])
        if apart and not both[a] and not both[b]:
            words = f"{_name(faces, a)} and {_name(faces, b)} are nearly the same picture."
            yield Leak("near-duplicate", words)


def _strangers_known(fold: Fold, people: Numbers, names: NDArray[np.str_]) -> Iterator[int]:
    """Yield a row of each stranger who is in the training faces or the gallery."""
    if len(fold.pairs):
        unknown, known = np.unique(fold.pairs), np.union1d(fold.train, fold.tuning.ravel())
    else:
        unknown = fold.probes[~np.isin(people[fold.probes], people[fold.gallery])]
        known = np.union1d(fold.train, fold.gallery)
    leaking = unknown[np.isin(names[unknown], names[known])]
    for name in np.unique(names[leaking]):
        yield int(leaking[names[leaking] == name][0])


def _plain(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _name(faces: FaceSet, row: int) -> str:
    photo = faces.index.photos[row]
    return f"“{photo.path.name}” ({photo.person})"


LARGEST_IN_PIXELS = 3000
"""Faces up to which they are compared by their pixels, too."""


_COVER = 128
"""The grey level that faces are covered with, of 255."""


_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Guess:
    """The accuracy of guessing in the same folds, 0…1 of the mated searches.

    ``chance`` names one of the enrolled people at random, ``majority`` always the one with the most
    photographs, searched for or not (of several, the first).
    """

    chance: float
    majority: float


def covered(faces: FaceSet) -> FaceSet:
    """Return the faces covered with grey, so that only their surroundings can be seen.

    The covered area is the whole ``oval`` window of `eigenfaces.recognition.lighting`: only the
    corners of a tight crop remain. If people are still recognised, it is by their backgrounds.
    """
    face = (window_weights(faces.shape, "oval") > 0).ravel()
    hidden = faces.pixels.held.copy()
    hidden[:, face] = _COVER if faces.pixels.are_levels else np.float32(_COVER / 255)
    return replace(faces, pixels=Crops(hidden))


def between_pixels(faces: FaceSet, distance: str, tick: Tick = no_tick) -> Doubles:
    """Return the distances between all faces, (n, n), in whole grey levels and without PCA.

    Sums of whole numbers, like those of L1 and L2, are exact in any order: faces that are equally
    far away are so to the last bit.
    """
    from scipy.spatial.distance import cdist

    n = len(faces)
    out = np.empty((n, n))
    for start in range(0, n, _ROWS_AT_ONCE):
        tick(start, n)
        a = faces.pixels.select(np.arange(start, min(start + _ROWS_AT_ONCE, n))).levels
        for first in range(start, n, _ROWS_AT_ONCE):
            b = faces.pixels.select(np.arange(first, min(first + _ROWS_AT_ONCE, n))).levels
            if distance == "L1":
                part = cdist(a, b, "cityblock")
            elif distance == "L2":
                lengths = (np.einsum("ij,ij->i", each, each) for each in (a, b))
                part = np.sqrt(np.add.outer(*lengths) - 2 * (a @ b.T))
            else:
                part = DISTANCES[distance](a, b, np.ones(1))
            out[start : start + len(a), first : first + len(b)] = part
            out[first : first + len(b), start : start + len(a)] = part.T
    return out


def guessing(folds: Sequence[Fold], people: Numbers) -> Guess:
    """Return the accuracy of guessing."""
    chances, hits, often = [], [], np.bincount(people)
    for fold in folds:
        for probes, gallery in probes_and_galleries(fold):
            if not len(gallery):  # a fold of pairs
                continue
            enrolled = np.unique(people[gallery])
            mated = people[probes][np.isin(people[probes], enrolled)]
            chances += [1 / len(enrolled)] * len(mated)
            hits += (mated == enrolled[often[enrolled].argmax()]).tolist()
    return Guess(float(np.mean(chances)), float(np.mean(hits))) if hits else Guess(0.0, 0.0)


ControlKind = Literal["pixels L2", "pixels L1", "chance", "majority", "face covered", "duplicates"]
"""Which control it is, in the words that tables and an evaluation's JSON have for it."""


IN_PIXELS: dict[ControlKind, str] = {"pixels L2": "L2", "pixels L1": "L1"}
"""The controls without a face space, each with its distance."""


GUESSES: tuple[ControlKind, ...] = ("chance", "majority")


@dataclass(frozen=True)
class Control:
    """A figure to hold beside the result. Without an interval where it is no measurement.

    ``note`` is for people: what it is, in words.
    """

    kind: ControlKind
    value: float
    low: float | None
    high: float | None
    note: str
