"""How far a map can be trusted: whether neighbours on it are neighbours in truth.

J. Venna and S. Kaski, *Neighborhood preservation in nonlinear projection methods* (2001).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.laboratory.image_set import drawn
from eigenfaces.space.arrays import Doubles, Numbers

Distances = Callable[[Numbers], Doubles]
"""From b rows to their distances (b, n) from all n points, in an array that may be changed."""

NEIGHBOURS = 5
_MOST_ROWS = 1000
_ROWS_AT_ONCE = 64


@dataclass(frozen=True)
class Faithfulness:
    """What a map keeps of the neighbours of each face: both 0…1, and 1 if all of them.

    Parameters
    ----------
    trustworthiness
        Falls with faces that are near on the map and far in truth.
    continuity
        Falls with faces that are near in truth and far on the map.
    neighbours
        How many of each face count as near.
    faces
        How many faces were asked about: all, or as many drawn with a fixed seed.
    among
        Among how many their neighbours were looked for.
    """

    trustworthiness: float
    continuity: float
    neighbours: int
    faces: int
    among: int


def faithfulness(
    truth: Distances,
    on_map: Distances,
    n: int,
    tick: Tick = no_tick,
    *,
    neighbours: int = NEIGHBOURS,
    most: int = _MOST_ROWS,
) -> Faithfulness | None:
    """Return what a map of n faces keeps of neighbours; None where there are too few of them.

    Trustworthiness is 1 − 2 / (n k (2n − 3k − 1)) · Σᵢ Σⱼ (r(i, j) − k), over all j among the k
    nearest of i on the map only; r(i, j) is the rank of j among the true neighbours of i, from 1.
    Continuity is the same with map and truth exchanged. Of more than ``most`` faces, so many are
    drawn and asked about.
    """
    k = min(neighbours, (n - 1) // 2)
    if k < 1:
        return None
    rows = np.arange(n)
    if n > most:
        rows = drawn(n, most, 0)
    lost = np.zeros(2)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[start : start + _ROWS_AT_ONCE]
        true, shown = truth(some), on_map(some)
        itself = np.arange(len(some)), some
        true[itself] = shown[itself] = np.inf
        lost += _intrusion(true, shown, k), _intrusion(shown, true, k)
        tick(min(start + _ROWS_AT_ONCE, len(rows)), len(rows))
    worst = len(rows) * k * (2 * n - 3 * k - 1) / 2
    kept = 1 - lost / worst
    return Faithfulness(float(kept[0]), float(kept[1]), k, len(rows), n)


def _intrusion(true: Doubles, shown: Doubles, k: int) -> int:
    """Return by how many ranks the k nearest on a map lie behind the k nearest in truth."""
    near = np.argpartition(shown, k - 1, axis=1)[:, :k]
    ranks = 1 + np.stack(
        [(true < np.take_along_axis(true, near[:, [j]], 1)).sum(axis=1) for j in range(k)], axis=1
    )
    return int(np.maximum(ranks - k, 0).sum())
