"""Faces compared by their grey levels, without PCA: exactly those that can be the nearest.

The sums over squares of pixels are never farther apart than the pixels: |Σ a − Σ b| ≤ Σ |a − b|,
and (Σ a − Σ b)² ≤ s² Σ (a − b)² over s × s pixels. So large squares rule out most faces, smaller
ones most of the others, and the pixels themselves are compared of one in a hundred. All are sums of
whole numbers, and exact in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.evaluation.protocols import RowPairs, Rows
from eigenfaces.recognition.comparison import Enrolled, Points
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.one_thread import one_thread

_SIDES = (16, 8, 4)
"""Pixels that the squares are wide and high."""

_NUMBERS_AT_ONCE = 300_000
"""Numbers compared in one step: few enough to stay in the processor's cache."""

_READ_AT_ONCE, _FACES_AT_ONCE = 256, 8
"""Faces that are added up over squares at once; and that fit the processor's cache while others are
compared with them."""

_MANY = 0.05
"""Share of the photographs from which all are compared: one by one, they take longer."""


@dataclass(frozen=True, eq=False)
class InPixels:
    """Faces (n, h · w) compared by a distance, L1 or L2, between their grey levels."""

    crops: Crops
    shape: tuple[int, int]
    distance: str

    def faces(self, rows: Rows) -> Points:
        """Return the arguments of `distances` for some faces."""
        return rows

    enrolled = faces

    def distances(self, probes: Points, photos: Points) -> Doubles:
        """Return the distances between m faces and n others, (m, n)."""
        rows = probes.astype(np.intp), photos.astype(np.intp)
        return between_levels(self.crops, self.distance, *rows)

    def to_nearest(self, probes: Points, photos: Points, enrolled: Enrolled) -> Doubles:
        """Return the distances (m, n) to the nearest of all; others are told to be far away."""
        from scipy.spatial.distance import cdist

        asked, known = probes.astype(np.intp), photos.astype(np.intp)
        metric = "sqeuclidean" if self._squares else "cityblock"
        least = cdist(self._sums[0][asked], self._sums[0][known], metric) / self._most(_SIDES[0])
        nearest = self._apart(asked, known[least.argmin(axis=1)])
        lines, places = np.nonzero(least <= nearest[:, None])
        for side, sums in zip(_SIDES[1:], self._sums[1:], strict=True):
            rows = asked[lines], known[places]
            bounds = self._added(sums.__getitem__, *rows) / self._most(side)
            order = np.lexsort((bounds, lines))
            best = order[np.unique(lines[order], return_index=True)[1]]
            nearest = np.minimum(nearest, self._apart(rows[0][best], rows[1][best]))
            possible = bounds <= nearest[lines]
            lines, places = lines[possible], places[possible]
        if len(lines) > _MANY * least.size:
            return self.distances(probes, photos)
        out = np.full((len(asked), len(known)), np.finfo(np.float64).max)
        out[lines, places] = self.between(np.stack([asked[lines], known[places]], axis=1))
        return out

    def between(self, pairs: RowPairs) -> Doubles:
        """Return the distance between the two faces of each pair, (m,)."""
        apart = self._apart(pairs[:, 0], pairs[:, 1])
        return np.sqrt(apart) if self._squares else apart

    def _apart(self, rows: Numbers, others: Numbers) -> Doubles:
        """Return the sums of differences of grey levels, or of their squares, one by one."""
        return self._added(lambda some: self.crops.select(some).levels, rows, others)

    def _added(
        self, values: Callable[[Numbers], Doubles], rows: Numbers, others: Numbers
    ) -> Doubles:
        out, size = np.empty(len(rows)), values(rows[:1]).shape[1]
        step = max(1, _NUMBERS_AT_ONCE // size)
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            apart = values(rows[part]) - values(others[part])
            term = np.square if self._squares else np.abs
            out[part] = term(apart, out=apart).sum(axis=1)
        return out

    def _most(self, side: int) -> int:
        """Return how many times as far apart as pixels their sums over squares can be."""
        return side**2 if self._squares else 1

    @property
    def _squares(self) -> bool:
        return DISTANCES[self.distance].sums_squares

    @cached_property
    def _sums(self) -> list[Doubles]:
        """The sums of grey levels over squares of each size, (n, squares)."""
        (h, w), parts = self.shape, []
        for start in range(0, len(self.crops), _READ_AT_ONCE):
            rows = np.arange(start, min(start + _READ_AT_ONCE, len(self.crops)))
            levels = self.crops.select(rows).levels.reshape(-1, h, w)
            parts.append(
                [
                    np.add.reduceat(
                        np.add.reduceat(levels, range(0, h, side), axis=1),
                        range(0, w, side),
                        axis=2,
                    ).reshape(len(levels), -1)
                    for side in _SIDES
                ]
            )
        return [np.concatenate(sums) for sums in zip(*parts, strict=True)]


def between_levels(crops: Crops, distance: str, rows: Numbers, others: Numbers) -> Doubles:
    """Return the distances of some faces from others, (m, n), in whole grey levels."""
    if distance == "L1":
        return _city_block(crops, rows, others)
    a, b = (crops.select(some).levels for some in (rows, others))
    if DISTANCES[distance].sums_squares:
        # Sums of whole numbers are exact in any order: √(a·a + b·b − 2 a·b) is, to the last bit.
        lengths = (np.einsum("ij,ij->i", some, some) for some in (a, b))
        with one_thread():
            return np.sqrt(np.add.outer(*lengths) - 2 * (a @ b.T))
    return DISTANCES[distance](a, b, np.ones(1))


def _city_block(crops: Crops, rows: Numbers, others: Numbers) -> Doubles:
    """Return the city-block distances of some faces from others, (m, n), in whole grey levels.

    ‖a − b‖ = Σ a + Σ b − 2 Σ min(a, b). Sums of whole numbers below 2²⁴ are exact in single
    precision, and faster.
    """
    exact = np.float32 if 255 * crops.shape[1] < 2**24 else np.float64
    probes = crops.select(rows).levels.astype(exact)
    ones, out = np.ones(crops.shape[1], exact), np.empty((len(rows), len(others)))
    for start in range(0, len(others), _FACES_AT_ONCE):
        some = crops.select(others[start : start + _FACES_AT_ONCE])
        faces = some.levels.astype(exact)
        lower, here = np.empty_like(faces), slice(start, start + len(faces))
        for place, probe in enumerate(probes):
            np.minimum(faces, probe, out=lower)
            out[place, here] = lower @ ones
        out[:, here] *= -2
        out[:, here] += np.add.outer(probes.sum(axis=1), faces.sum(axis=1))
    return out
