"""Mean, components and variances of any numbers, in double precision, each row with its weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles
from eigenfaces.errors import EigenfacesError

_ROUNDING = 1e-12
"""A variance below this share of the largest is rounding."""


@dataclass(frozen=True, eq=False)
class Principal:
    """The mean (d,), the r components (r, d) and their variances (r,), which fall."""

    mean: Doubles
    components: Doubles
    variances: Doubles

    @classmethod
    def of(cls, values: Doubles, weights: Doubles | None = None) -> Principal:
        """Decompose n rows (n, d), each counted as often as its weight (n,) says: mean and Σ.

        Sums are divided by the sum of the weights, so that a weight of m is m copies of the row.

        Raises
        ------
        EigenfacesError
            Nothing has a weight, or all that has one is the same.

        Examples
        --------
        >>> found = Principal.of(np.array([[0.0, 0.0], [2.0, 2.0]]))
        >>> found.mean.tolist(), found.variances.round(9).tolist()
        ([1.0, 1.0], [2.0])
        """
        n, d = values.shape
        shares = np.full(n, 1 / n) if weights is None else weights / max(weights.sum(), _ROUNDING)
        mean = shares @ values
        x = np.sqrt(shares)[:, None] * (values - mean)
        squares, vectors = np.linalg.eigh(x.T @ x if d <= n else x @ x.T)
        squares, vectors = squares[::-1], vectors[:, ::-1]
        size = max(float(np.abs(values).max()), 1e-150)
        kept = squares > max(_ROUNDING * squares[0], (1e-12 * size) ** 2)
        if not kept.any():
            raise EigenfacesError(
                "All that counts here is the same, so there is no direction to find: choose others."
            )
        variances = squares[kept]
        components = vectors[:, kept].T if d <= n else (vectors[:, kept] / variances**0.5).T @ x
        largest = np.abs(components).argmax(axis=1)
        signs = np.sign(components[np.arange(len(components)), largest])
        return cls(mean, signs[:, None] * components, variances)

    @property
    def kept(self) -> Doubles:
        """(r,) the share of the variance in the first 1 … r components."""
        return np.cumsum(self.variances) / self.variances.sum()


def largest_angle(one: Doubles, other: Doubles) -> float:
    """Return the largest principal angle between the spans of orthonormal rows (k, d), radians.

    By its sine, which is exact for small angles, where the cosine has none of its digits left.

    >>> round(largest_angle(np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]])), 6)
    0.927295
    """
    outside = other - (other @ one.T) @ one
    return float(np.arcsin(min(1.0, float(np.linalg.norm(outside, 2)))))
