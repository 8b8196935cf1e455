"""Baselines on the same folds: without PCA, with the face covered, and by guessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.lighting import window_weights
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.distances import DISTANCES

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
    hidden = faces.pixels.stored(np.arange(len(faces)))
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
