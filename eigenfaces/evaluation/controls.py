"""Leaks, which make a result look too good, and baselines to compare the result with.

A leak is a picture or a person that appears on both sides of a split. Baselines are measured on the
same folds: without PCA, with faces covered, and by guessing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.faces.lighting import window_weights
from eigenfaces.photographs.names import visible_name
from eigenfaces.recognition.duplicates import Duplicate
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.distances import DISTANCES

MOST_PIXEL_BASELINES = 3000  # with more faces than this, pixels are not compared

_NAMED = 5  # the most leaks that a message names
_COVER = 128  # the grey level (0…255) of the oval that covers faces

_ROWS_AT_ONCE = 256

_Compared = Literal["pixels L2", "pixels L1", "chance", "majority", "face covered"]
ControlKind = Literal[_Compared, "duplicates", "not acquired"]  # the names in tables and JSON

PIXEL_BASELINES: dict[ControlKind, str] = {"pixels L2": "L2", "pixels L1": "L1"}
"""The controls without a face space, each with its distance."""

GUESSES: tuple[ControlKind, ...] = ("chance", "majority")


@dataclass(frozen=True)
class Control:
    """A figure to compare the result with, and a description of it in words."""

    kind: ControlKind
    value: float
    low: float | None
    high: float | None
    note: str


@dataclass(frozen=True)
class Leak:
    """A leak between the known photographs and the probes, with a sentence that describes it."""

    kind: str
    sentence: str


class LeakError(EigenfacesError):
    """Raised when a split has leaks, which are listed in ``leaks``."""

    def __init__(self, leaks: Sequence[Leak]) -> None:
        self.leaks = tuple(leaks)
        names = " ".join(leak.sentence for leak in self.leaks[:_NAMED])
        more = f" And {len(leaks) - _NAMED} more." if len(leaks) > _NAMED else ""
        super().__init__(
            "Some of the photos searched for are already known, so the figures would be too good. "
            f"{names}{more} Exclude these photos, or allow leaks, which the report will mention."
        )


def find_leaks(
    faces: FaceSet, folds: Sequence[Fold], duplicates: Sequence[Duplicate]
) -> tuple[Leak, ...]:
    """Return the leaks in all folds, without duplicates.

    The kind is ``same photo`` if a probe is also enrolled or used for training, ``near-duplicate``
    if it is nearly identical to such a photograph, and ``same person`` if a stranger is used for
    training, is enrolled under nearly the same name, or is on both sides of a split of pairs.
    """
    photos = faces.index.photos
    leaks = dict[Leak, None]()
    names = [photo.person or "" for photo in photos]
    people = np.unique(names, return_inverse=True)[1]
    plain = np.array([visible_name(name) for name in names])
    titles = [f"“{photo.path.name}” ({photo.person})" for photo in photos]
    for fold in folds:
        known, searched = np.zeros((2, len(faces)), bool)
        known[np.concatenate([fold.train, fold.tuning.ravel(), fold.gallery])] = True
        searched[np.concatenate([fold.probes, fold.pairs.ravel()])] = True
        both = known & searched
        for row in np.flatnonzero(both).tolist():
            words = f"{titles[row]} is searched for, but also enrolled or used for training."
            leaks[Leak("same photo", words)] = None
        for a, b in ((pair.first, pair.second) for pair in duplicates):
            apart = (known[a] and searched[b]) or (known[b] and searched[a])
            if apart and not both[[a, b]].any():
                words = f"{titles[a]} and {titles[b]} are nearly the same picture."
                leaks[Leak("near-duplicate", words)] = None
        strangers = np.flatnonzero(searched)
        if not len(fold.pairs):
            strangers = fold.probes[~np.isin(people[fold.probes], people[fold.gallery])]
        leaking = strangers[np.isin(plain[strangers], plain[known])]
        for row in leaking[np.unique(plain[leaking], return_index=True)[1]].tolist():
            words = f"{names[row]} is searched for as a stranger, but already known."
            leaks[Leak("same person", words)] = None
    return tuple(leaks)


def cover_faces(faces: FaceSet) -> FaceSet:
    """Return the faces with the ``oval`` window covered in grey, leaving only the background."""
    face = (window_weights(faces.shape, "oval") > 0).ravel()
    hidden = faces.pixels.array.copy()
    hidden[:, face] = _COVER if faces.pixels.are_levels else np.float32(_COVER / 255)
    return replace(faces, pixels=Crops(hidden))


def pixel_distances(faces: FaceSet, distance: str, tick: Tick = no_tick) -> Doubles:
    """Return the distances (n, n) between all faces. Whole grey levels keep ties exact."""
    n = len(faces)
    levels = faces.pixels.levels
    out = np.empty((n, n))
    for start in range(0, n, _ROWS_AT_ONCE):
        tick(start, n)
        some = slice(start, start + _ROWS_AT_ONCE)
        rest = slice(start, n)
        a, b = levels[some], levels[rest]
        if distance == "L2":  # (a − b)² = a² + b² − 2 a · b, exact for whole numbers
            lengths = (np.einsum("ij,ij->i", rows, rows) for rows in (a, b))
            part = np.sqrt(np.add.outer(*lengths) - 2 * (a @ b.T))
        else:
            part = DISTANCES[distance].between(a, b)
        out[some, rest] = part
        out[rest, some] = part.T
    return out


def guess_accuracy(folds: Sequence[Fold], people: Numbers) -> tuple[float, float]:
    """Return the accuracy of random guesses, and of always naming the most photographed person."""
    chances = list[float]()
    hits = list[bool]()
    often = np.bincount(people)
    for fold in folds:
        for probes, gallery in probes_and_galleries(fold):
            enrolled = np.unique(people[gallery])
            mated = people[probes][np.isin(people[probes], enrolled)]
            chances += [1 / len(enrolled)] * len(mated)
            hits += (mated == enrolled[often[enrolled].argmax()]).tolist()
    return (float(np.mean(chances)), float(np.mean(hits))) if hits else (0.0, 0.0)
