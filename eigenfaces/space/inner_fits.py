"""Face spaces of most of very many faces, found inside the face space of all of them.

Without some faces, the scatter of the others along the components of all is that of all minus what
went (P. Hall, D. Marshall and R. Martin, *Merging and splitting eigenspace models*, 2000): a matrix
of components instead of pixels. What lies outside the components is taken to be as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.facespace import FaceSpace

_ROWS_AT_ONCE = 1024
_NEGLIGIBLE = 1e-9
"""A variance below this share of the largest is rounding."""


@dataclass(frozen=True, eq=False)
class InnerSpace:
    """All n faces in the face space of most of them.

    Parameters
    ----------
    coordinates
        (n, j).
    variances, kept
        (j,) λ along each, of the faces fitted to; and the share of their variance that the first
        1 … j components keep.
    """

    coordinates: Floats
    variances: Doubles
    kept: Doubles


@dataclass(frozen=True, eq=False)
class InnerFits:
    """Fits to most of n faces, inside the space of all.

    Parameters
    ----------
    space
        The face space, fitted to all or nearly all of them.
    coordinates
        (m, k) of these and perhaps of others in it.
    rows
        (n,) which of them these are.
    """

    space: FaceSpace
    coordinates: Floats
    rows: Numbers

    def without(self, away: Numbers) -> InnerSpace:
        """Return all faces in the space fitted to all but some."""
        left = len(self.rows) - len(away)
        gone = self.coordinates[self.rows[away]].astype(np.float64)
        mean = (self._sums[0] - gone.sum(axis=0)) / left
        scatter = self._sums[1] - gone.T @ gone - left * np.outer(mean, mean)
        squares, turned = np.linalg.eigh(scatter)
        keep = squares[::-1] > _NEGLIGIBLE * squares[-1]
        variances = squares[::-1][keep] / max(1, left - 1)
        turn = turned[:, ::-1][:, keep].astype(np.float32)
        coordinates = np.empty((len(self.rows), turn.shape[1]), np.float32)
        for here, some in self._some_after_others():
            np.matmul(some, turn, out=coordinates[here])
        coordinates -= mean.astype(np.float32) @ turn
        outside = max(0.0, self.space.total_variance - float(self.space.variances.sum()))
        return InnerSpace(
            coordinates=coordinates,
            variances=variances,
            kept=np.cumsum(variances) / (variances.sum() + outside),
        )

    @cached_property
    def _sums(self) -> tuple[Doubles, Doubles]:
        """(k,) the sum of all coordinates, and (k, k) of their products."""
        k = self.coordinates.shape[1]
        total, products = np.zeros(k), np.zeros((k, k))
        for _, some in self._some_after_others():
            precise = some.astype(np.float64)
            total += precise.sum(axis=0)
            products += precise.T @ precise
        return total, products

    def _some_after_others(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the coordinates of some faces, and where these stand: never a copy of all."""
        for start in range(0, len(self.rows), _ROWS_AT_ONCE):
            here = slice(start, start + _ROWS_AT_ONCE)
            yield here, self.coordinates[self.rows[here]]
