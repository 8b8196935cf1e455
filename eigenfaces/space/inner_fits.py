"""Face spaces of most of very many faces, found inside the face space of all of them.

Without some faces, the scatter of the others along the components of all is that of all minus what
went (P. Hall, D. Marshall and R. Martin, *Merging and splitting eigenspace models*, 2000): a matrix
of components instead of pixels. What lies outside the components is taken to be as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.space.facespace import FaceSpace

_ROWS_AT_ONCE = 4096
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
    components
        (j, d).
    """

    coordinates: Floats
    variances: Doubles
    kept: Doubles
    components: Floats | None


@dataclass(frozen=True, eq=False)
class InnerFits:
    """Fits to most of n faces, inside the space of all.

    Parameters
    ----------
    space
        The face space, fitted to all or nearly all of them.
    coordinates
        (n, k) of all in it.
    """

    space: FaceSpace
    coordinates: Floats

    def without(self, away: Numbers, *, components: bool) -> InnerSpace:
        """Return all faces in the space fitted to all but some.

        ``components``: whether they are needed.
        """
        left = len(self.coordinates) - len(away)
        gone = self.coordinates[away].astype(np.float64)
        mean = (self._sums[0] - gone.sum(axis=0)) / left
        scatter = self._sums[1] - gone.T @ gone - left * np.outer(mean, mean)
        squares, turned = np.linalg.eigh(scatter)
        keep = squares[::-1] > _NEGLIGIBLE * squares[-1]
        variances = squares[::-1][keep] / max(1, left - 1)
        turn = turned[:, ::-1][:, keep].astype(np.float32)
        coordinates = self.coordinates @ turn
        coordinates -= mean.astype(np.float32) @ turn
        outside = max(0.0, self.space.total_variance - float(self.space.variances.sum()))
        return InnerSpace(
            coordinates=coordinates,
            variances=variances,
            kept=np.cumsum(variances) / (variances.sum() + outside),
            components=turn.T @ self.space.components if components else None,
        )

    @cached_property
    def _sums(self) -> tuple[Doubles, Doubles]:
        """(k,) the sum of all coordinates, and (k, k) of their products."""
        k = self.coordinates.shape[1]
        total, products = np.zeros(k), np.zeros((k, k))
        for start in range(0, len(self.coordinates), _ROWS_AT_ONCE):
            rows = self.coordinates[start : start + _ROWS_AT_ONCE].astype(np.float64)
            total += rows.sum(axis=0)
            products += rows.T @ rows
        return total, products
