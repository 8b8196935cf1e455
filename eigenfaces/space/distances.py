"""Distances between coordinates in face space, with their formulas. Smaller means nearer.

The Mahalanobis names follow Beveridge, Bolme, Teixeira and Draper, *The CSU Face Identification
Evaluation System User's Guide* (2003): the coordinates are first divided by their standard
deviations √λ. To add a distance, add an entry to `DISTANCES`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.space.arrays import Doubles

Kind = Literal["euclidean", "cityblock", "chebyshev", "angle"]


@dataclass(frozen=True, eq=False)
class Distance:
    """A distance between probes and a gallery, in general or for one space (`with_variances`).

    Examples
    --------
    >>> DISTANCES["L2"]([[0, 0]], [[3, 4]], [1, 1])
    array([[5.]])
    >>> DISTANCES["Mahalanobis L2"].with_variances([4, 1], dropped=1)([[0, 0]], [[3, 4]])
    array([[4.]])
    """

    name: str
    meaning: str  # the description shown beside the name
    formula: str  # empty if it is part of the meaning
    kind: Kind  # how standardised coordinates are compared
    whitens: bool = False  # whether coordinates are first divided by their standard deviations

    variances: Doubles | None = None  # (k,) λ along the k axes of a space that are compared …
    dropped: int = 0  # … except for this many leading ones

    def with_variances(self, variances: ArrayLike, dropped: int = 0) -> Distance:
        """Return this distance for the first k coordinates in a space with variances λ (k,)."""
        return replace(self, variances=np.asarray(variances, np.float64), dropped=dropped)

    @property
    def k(self) -> int:
        """The number of axes, including dropped axes."""
        return 0 if self.variances is None else len(self.variances)

    def __call__(self, a: ArrayLike, b: ArrayLike, variances: ArrayLike | None = None) -> Doubles:
        """Return the distances (m, n) between probes (m, …) and a gallery (n, …).

        ``variances``: λ (k,) of the coordinates, unless already set by `with_variances`.
        """
        by = self
        if variances is not None:
            k = np.shape(a)[-1]
            by = self.with_variances(
                np.broadcast_to(np.asarray(variances, np.float64), k), self.dropped
            )
        return by.between(by.standardised(a), by.standardised(b))

    def standardised(self, coordinates: ArrayLike) -> Doubles:
        """Return coordinates (m, …) in the form in which they are compared, (m, k).

        They are divided by √λ if the distance whitens. Dropped coordinates are set to 0.
        """
        rows = np.atleast_2d(np.asarray(coordinates, np.float64))
        if self.variances is None:
            return rows
        rows = rows[:, : len(self.variances)]
        if self.whitens:
            rows = rows / np.sqrt(self.variances)
        return np.where(np.arange(rows.shape[1]) < self.dropped, 0, rows) if self.dropped else rows

    def between(self, a: Doubles, b: Doubles) -> Doubles:
        """Return the distances (m, n) between standardised coordinates (m, k) and (n, k)."""
        # Avoid a matrix product, as its last bits depend on the other rows in the matrix.
        if self.kind == "angle":
            return np.clip(1 - np.einsum("ik,jk->ij", _unit(a), _unit(b)), 0, 2)
        from scipy.spatial.distance import cdist

        distances: Doubles = cdist(a, b, self.kind)
        if self.kind == "chebyshev":  # a maximum ignores NaN, so put it back
            distances += 0 * np.add.outer(a.sum(axis=1), b.sum(axis=1))
        return distances

    @property
    def words(self) -> str:
        """The meaning and formula of the distance, in one sentence."""
        return f"{self.meaning}: {self.formula}." if self.formula else f"{self.meaning}."


DISTANCES: dict[str, Distance] = {
    distance.name: distance
    for distance in (
        Distance("L2", "Euclidean", "√ Σ (aᵢ − bᵢ)²", "euclidean"),
        Distance("L1", "City block", "Σ |aᵢ − bᵢ|", "cityblock"),
        Distance("L∞", "Chebyshev", "max |aᵢ − bᵢ|", "chebyshev"),
        Distance(
            "cosine",
            "One minus the cosine of the angle",
            "1 − a·b / (‖a‖ ‖b‖), 0…2; 1 if a or b is zero",
            "angle",
        ),
        Distance(
            "Mahalanobis L1",
            "City block in units of standard deviation",
            "Σ |aᵢ − bᵢ| / √λᵢ",
            "cityblock",
            whitens=True,
        ),
        Distance(
            "Mahalanobis L2",
            "Mahalanobis distance",
            "√ Σ (aᵢ − bᵢ)² / λᵢ",
            "euclidean",
            whitens=True,
        ),
        Distance(
            "Mahalanobis cosine",
            "One minus the cosine of the angle between a / √λ and b / √λ, 0…2",
            "",
            "angle",
            whitens=True,
        ),
    )
}
"""All distances by name: L2 (the default), L1, L∞, cosine and three Mahalanobis distances.

Call each with probes (m, k), a gallery (n, k) and the variances (k,); it returns (m, n).
"""


def _unit(rows: Doubles) -> Doubles:
    squares = np.einsum("ik,ik->i", rows, rows)[:, None]
    if not ((squares > 1e-200) & (squares < 1e200)).all():
        # A vector is zero, or so short or long that its square would underflow or overflow.
        largest = np.abs(rows).max(axis=-1, keepdims=True, initial=0)
        rows = rows / np.where(largest > 0, largest, 1)
        squares = np.einsum("ik,ik->i", rows, rows)[:, None]
    return rows / np.sqrt(np.where(squares > 0, squares, 1))
