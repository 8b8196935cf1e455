"""Distances between coordinates in face space, the formula beside each name. Lower is nearer.

The Mahalanobis names follow Beveridge, Bolme, Teixeira and Draper, *The CSU Face Identification
Evaluation System User's Guide* (2003): the coordinates are first divided by their standard
deviation √λ. Another distance is another entry of `DISTANCES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eigenfaces.space.arrays import Doubles

_NUMBERS_AT_ONCE = 65_536
"""Differences formed in one step: few enough to stay in the processor's cache."""

_NUMBERS_READ = 1 << 20
"""Coordinates of a gallery that products are taken of in one step: 8 MB in double precision."""

_NEAR = 1e-6
"""Share of the squared lengths of two points below which products do not tell their distance."""

_FEW = 64
"""If more than one of so many distances is below that, all are taken one by one."""

Kind = TypeVar("Kind", bound=np.generic)
_Distances = Callable[[Doubles, Doubles], Doubles]


@dataclass(frozen=True, eq=False)
class Distance:
    """A distance between probes and gallery.

    Parameters
    ----------
    name
        What it is called.
    meaning, formula
        What stands beside the name; the formula is empty where the meaning holds it.
    of_pairs
        Turns coordinates (…, k) and (…, k) into the distances (…) of one by one: the same to the
        last bit whatever else is asked about.
    product
        Turns coordinates (m, k) and (n, k) into distances (m, n) by one matrix product, of which
        the last bits may depend on m and n; None where no product does.
    whitens
        Whether coordinates are divided by their standard deviations first.
    is_angle
        Whether only the directions of the coordinates count, not their lengths.
    sums_squares
        Whether it is the root of a sum of squares, of which every coordinate has its share.
    is_product
        Whether it is minus an inner product.
    sums_differences
        Whether it is the sum of absolute differences.

    Examples
    --------
    >>> DISTANCES["L2"]([[0, 0]], [[3, 4]], [1, 1])
    array([[5.]])
    """

    name: str
    meaning: str
    formula: str
    of_pairs: _Distances
    product: _Distances | None = None
    whitens: bool = False
    is_angle: bool = False
    sums_squares: bool = False
    is_product: bool = False
    sums_differences: bool = False

    def __call__(self, a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
        """Return the distances (m, n) of probes (m, k) from a gallery (n, k).

        ``variances``: (k,) λ of the coordinates; only what whitens asks for them.
        """
        # A gallery in single precision is never there in double precision as a whole.
        probes, gallery = self.standardised(a, variances), np.atleast_2d(np.asarray(b))
        if not self.product:
            return self._in_pieces(probes, gallery, lambda some: self.standardised(some, variances))
        out = np.empty((len(probes), len(gallery)))
        step = max(1, _NUMBERS_READ // max(1, gallery.shape[1]))
        for start in range(0, len(gallery), step):
            some = slice(start, start + step)
            out[:, some] = self.product(probes, self.standardised(gallery[some], variances))
        return out

    def between(self, a: Doubles, b: Doubles) -> Doubles:
        """Return the distances (m, n) between standardised coordinates (m, k) and (n, k).

        By products in double precision where they tell them to nine digits, and one by one between
        the few that are nearer to each other.
        """
        if self.product:
            return self.product(a, b)
        if not self.sums_squares:
            return self.one_by_one(a, b)
        lengths = np.add.outer(*(np.einsum("ij,ij->i", each, each) for each in (a, b)))
        squares = lengths - 2 * (a @ b.T)
        first, second = np.nonzero(~(squares > _NEAR * lengths))
        if _FEW * first.size > squares.size:
            return self.one_by_one(a, b)
        squares[first, second] = 0
        distances: Doubles = np.sqrt(squares, out=squares)
        distances[first, second] = self.of_pairs(a[first], b[second])
        return distances

    def one_by_one(self, a: Doubles, b: Doubles) -> Doubles:
        """Return the distances (m, n) of `of_pairs` between standardised (m, k) and (n, k)."""
        return self._in_pieces(a, b, lambda some: some)

    def _in_pieces(
        self,
        a: Doubles,
        b: NDArray[Kind],
        standardised: Callable[[NDArray[Kind]], Doubles],
    ) -> Doubles:
        out = np.empty((len(a), len(b)))
        pairs = max(1, _NUMBERS_AT_ONCE // max(1, b.shape[1]))
        for start in range(0, len(b), pairs):
            some = standardised(b[start : start + pairs])
            step = max(1, pairs // len(some))
            for first in range(0, len(a), step):
                at = slice(first, first + step), slice(start, start + pairs)
                out[at] = self.of_pairs(a[at[0], None], some)
        return out

    def standardised(self, coordinates: ArrayLike, variances: ArrayLike) -> Doubles:
        """Return coordinates as they are compared: where it whitens, divided by √λ."""
        rows = np.atleast_2d(np.asarray(coordinates, np.float64))
        return rows / np.sqrt(np.asarray(variances, np.float64)) if self.whitens else rows

    @property
    def words(self) -> str:
        """The meaning with its formula, a sentence."""
        return f"{self.meaning}: {self.formula}." if self.formula else f"{self.meaning}."


def _l1(a: Doubles, b: Doubles) -> Doubles:
    return np.asarray(np.abs(a - b).sum(axis=-1))


def _l2(a: Doubles, b: Doubles) -> Doubles:
    difference = a - b
    return np.sqrt(np.einsum("...k,...k", difference, difference))


def _l_infinity(a: Doubles, b: Doubles) -> Doubles:
    return np.asarray(np.abs(a - b).max(axis=-1, initial=0))


def _cosine(a: Doubles, b: Doubles) -> Doubles:
    return np.clip(1 - np.einsum("...k,...k", _unit(a), _unit(b)), 0, 2)


def _cosines(a: Doubles, b: Doubles) -> Doubles:
    return np.clip(1 - _unit(a) @ _unit(b).T, 0, 2)


def _minus_product(a: Doubles, b: Doubles) -> Doubles:
    return -np.einsum("...k,...k", a, b)


def _minus_products(a: Doubles, b: Doubles) -> Doubles:
    return -a @ b.T


_L1 = Distance(
    *("L1", "City block", "Σ |aᵢ − bᵢ|"),
    _l1,
    sums_differences=True,
)
_L2 = Distance("L2", "Euclidean", "√ Σ (aᵢ − bᵢ)²", _l2, sums_squares=True)
_L_INFINITY = Distance(
    *("L∞", "Chebyshev", "max |aᵢ − bᵢ|"),
    _l_infinity,
)
_COSINE = Distance(
    "cosine",
    "One minus the cosine of the angle",
    "1 − a·b / (‖a‖ ‖b‖), 0…2; 1 where one of them is zero",
    _cosine,
    _cosines,
    is_angle=True,
)
_MAHALANOBIS = (
    replace(
        _L1,
        name="Mahalanobis L1",
        meaning="City block in units of standard deviation",
        formula="Σ |aᵢ − bᵢ| / √λᵢ",
        whitens=True,
    ),
    replace(
        _L2,
        name="Mahalanobis L2",
        meaning="Mahalanobis distance",
        formula="√ Σ (aᵢ − bᵢ)² / λᵢ",
        whitens=True,
    ),
    replace(
        _COSINE,
        name="Mahalanobis cosine",
        meaning="One minus the cosine of the angle between a / √λ and b / √λ, 0…2",
        formula="",
        whitens=True,
    ),
)
# It has no zero, is not a metric and prefers gallery faces far from the mean (Yambor, *Analysis of
# PCA-based and Fisher discriminant-based image recognition algorithms*, 2000).
_YAMBOR = Distance(
    "Yambor",
    "Minus the inner product in units of standard deviation",
    "−Σ aᵢ bᵢ / λᵢ",
    _minus_product,
    _minus_products,
    whitens=True,
    is_product=True,
)

DISTANCES: dict[str, Distance] = {
    each.name: each for each in (_L2, _L1, _L_INFINITY, _COSINE, *_MAHALANOBIS, _YAMBOR)
}
"""Every distance by its name; the first is the default."""


Smoothing = float | str
"""ε of a whitening: a variance, or “10%”, a share of the mean variance of the components kept."""


def percentage(smoothing: str) -> float:
    """Return the per cent in a smoothing that is a share.

    >>> percentage("10%")
    10.0
    """
    return float(smoothing.rstrip("% "))


def epsilon(smoothing: Smoothing, variances: Doubles) -> float:
    """Return the ε that a smoothing comes to.

    ``variances``: (k,) λ of the components kept, of which a share is taken.

    >>> epsilon(0.5, np.array([3.0, 1.0])), epsilon("10%", np.array([3.0, 1.0]))
    (0.5, 0.2)
    """
    if not isinstance(smoothing, str):
        return smoothing
    return percentage(smoothing) / 100 * float(variances.mean()) if len(variances) else 0.0


def divisors(smoothing: Smoothing, variances: Doubles) -> Doubles:
    """Return √(λ + ε), (k,), by which whitening divides the k coordinates kept."""
    return np.sqrt(variances + epsilon(smoothing, variances))


def _unit(rows: Doubles) -> Doubles:
    squares = np.einsum("...k,...k", rows, rows)[..., None]
    if not ((squares > 1e-200) & (squares < 1e200)).all():
        # Zero; or so short or long that squares would under- or overflow.
        largest = np.abs(rows).max(axis=-1, keepdims=True, initial=0)
        rows = rows / np.where(largest > 0, largest, 1)
        squares = np.einsum("...k,...k", rows, rows)[..., None]
    return rows / np.sqrt(np.where(squares > 0, squares, 1))
