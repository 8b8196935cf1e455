"""Baselines on the same folds: without PCA, with the face covered, and by guessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Numbers
from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.faces.crops import Crops
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.lighting import window_weights
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.one_thread import one_thread

LARGEST_IN_PIXELS = 3000
"""Faces up to which they are compared by their pixels, too."""

_COVER = 0.5  # grey

_FACES_AT_ONCE = 8
"""Faces that fit the processor's cache while others are compared with them."""

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
    face = window_weights(faces.shape, "oval") > 0
    pixels = np.where(face.ravel(), np.float32(_COVER), faces.pixels[:])
    return replace(faces, pixels=Crops(pixels))


def between_pixels(faces: FaceSet, distance: str) -> NDArray[np.float64]:
    """Return the distances between all faces, (n, n), in whole grey levels and without PCA."""
    n = len(faces)
    out = np.empty((n, n))
    step = max(1, _NUMBERS_AT_ONCE // max(1, faces.pixels.shape[1] * n))
    for start in range(0, n, step):
        part = _some_rows(faces.pixels, distance, start, step)
        # The matrix is symmetric: the part above the diagonal is known.
        out[start : start + step, start:] = part
        out[start:, start : start + step] = part.T
    return out


def _some_rows(crops: Crops, distance: str, start: int, step: int) -> NDArray[np.float64]:
    """Return the distances of some faces from themselves and those after them."""
    rows = np.arange(start, len(crops))
    if distance == "L1":
        return city_block(crops, rows[:step], others=rows)
    others = crops.select(rows).levels
    some = others[:step]
    if DISTANCES[distance].sums_squares:
        # Sums of whole numbers are exact in any order: √(a·a + b·b − 2 a·b) is, to the last bit.
        lengths = np.einsum("ij,ij->i", others, others)
        with one_thread():
            return np.sqrt(np.add.outer(lengths[:step], lengths) - 2 * (some @ others.T))
    return DISTANCES[distance](some, others, np.ones(1))


def city_block(
    crops: Crops, rows: Numbers, tick: Tick = no_tick, *, others: Numbers | None = None
) -> NDArray[np.float64]:
    """Return the city-block distances of some faces from others, (m, n), in whole grey levels.

    ‖a − b‖ = Σ a + Σ b − 2 Σ min(a, b). Sums of whole numbers below 2²⁴ are exact in single
    precision, and faster. Without ``others`` from all.
    """
    others = np.arange(len(crops)) if others is None else others
    exact = np.float32 if 255 * crops.shape[1] < 2**24 else np.float64
    probes = crops.select(rows).levels.astype(exact)
    ones, out = np.ones(crops.shape[1], exact), np.empty((len(rows), len(others)))
    for start in range(0, len(others), _FACES_AT_ONCE):
        tick(start, len(others))
        some = crops.select(others[start : start + _FACES_AT_ONCE])
        faces = some.levels.astype(exact)
        lower, here = np.empty_like(faces), slice(start, start + len(faces))
        for place, probe in enumerate(probes):
            np.minimum(faces, probe, out=lower)
            out[place, here] = lower @ ones
        out[:, here] *= -2
        out[:, here] += np.add.outer(probes.sum(axis=1), faces.sum(axis=1))
    tick(len(others), len(others))
    return out


def guessing(folds: Sequence[Fold], people: Numbers) -> Guess:
    """Return the accuracy of guessing."""
    chances, hits, often = [], [], np.bincount(people)
    for fold in folds:
        for probes, gallery in probes_and_galleries(fold, people):
            if not len(gallery):  # a fold of pairs
                continue
            enrolled = np.unique(people[gallery])
            mated = people[probes][np.isin(people[probes], enrolled)]
            chances += [1 / len(enrolled)] * len(mated)
            hits += (mated == enrolled[often[enrolled].argmax()]).tolist()
    return Guess(float(np.mean(chances)), float(np.mean(hits))) if hits else Guess(0.0, 0.0)
