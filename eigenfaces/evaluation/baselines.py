"""Baselines on the same folds: without PCA, with the face covered, and by guessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.in_pixels import between_levels
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.lighting import window_weights
from eigenfaces.space.arrays import Flags, Numbers
from eigenfaces.space.arrays.crops import Crops

LARGEST_IN_PIXELS = 3000
"""Faces up to which they are compared by their pixels, too."""

_COVER = 128
"""The grey level that faces are covered with, of 255."""

_NUMBERS_AT_ONCE = 3_000_000_000
"""Differences between pixels taken at once."""


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
    hidden = Covered(faces.pixels, face)
    if faces.pixels.are_levels:
        return replace(faces, pixels=Crops(hidden))
    return replace(faces, pixels=Crops(hidden.read(np.arange(len(faces)))))


@dataclass(frozen=True, eq=False)
class Covered:
    """Crops that are covered when they are read: a second copy of all would be as large.

    ``face``: (d,) the pixels that are covered.
    """

    crops: Crops
    face: Flags

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return self.crops.shape

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """The arrays among them."""
        return self.crops.in_memory

    def read(self, rows: Numbers) -> NDArray[Any]:
        """Return some rows (m, d), covered."""
        pixels = self.crops.stored(rows)
        pixels[:, self.face] = _COVER if self.crops.are_levels else _COVER / 255
        return pixels

    def select(self, rows: Numbers) -> Covered:
        """Return the crops of these rows, in this order, unread."""
        return replace(self, crops=self.crops.select(rows))


def between_pixels(faces: FaceSet, distance: str) -> NDArray[np.float64]:
    """Return the distances between all faces, (n, n), in whole grey levels and without PCA."""
    n = len(faces)
    out = np.empty((n, n))
    step = max(1, _NUMBERS_AT_ONCE // max(1, faces.pixels.shape[1] * n))
    for start in range(0, n, step):
        rows = np.arange(start, n)
        part = between_levels(faces.pixels, distance, rows[:step], rows)
        # The matrix is symmetric: the part above the diagonal is known.
        out[start : start + step, start:] = part
        out[start:, start : start + step] = part.T
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
