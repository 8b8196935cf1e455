"""Mean, components and variances of points or pictures, in double precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles
from eigenfaces.errors import EigenfacesError, Tick, no_tick

NO_VARIANCE = 1e-10
"""A direction with less than this share of the largest variance has none, up to rounding."""


@dataclass(frozen=True, eq=False)
class Decomposed:
    """The mean (d,), the r components (r, d) with any variance, and their variances (r,), falling.

    Variances are divided by n, not by n − 1. In each component the entry of largest magnitude is
    positive.
    """

    mean: Doubles
    components: Doubles
    variances: Doubles

    def coordinates(self, x: Doubles) -> Doubles:
        """Return the coordinates (n, r) of points (n, d)."""
        return (x - self.mean) @ self.components.T


def decomposed(
    values: Doubles, tick: Tick = no_tick, *, weights: Doubles | None = None
) -> Decomposed:
    """Return the principal components of n points (n, d), also where d > n.

    With ``weights`` (n,) each point counts so often, in mean and variances: a weight of m is m
    copies.

    Raises
    ------
    EigenfacesError
        All points are the same, or all that count.

    Examples
    --------
    >>> found = decomposed(np.array([[0.0, 0, 1], [2, 0, 1], [4, 0, 1]]))
    >>> found.mean, found.components, found.variances.round(3)
    (array([2., 0., 1.]), array([[1., 0., 0.]]), array([2.667]))
    """
    tick(0, 3)
    n, d = values.shape
    shares = np.full(n, 1 / n) if weights is None else weights / max(weights.sum(), 1e-300)
    mean = values.mean(axis=0) if weights is None else shares @ values
    x = np.sqrt(shares)[:, None] * (values - mean)
    wide = d > n
    products = x @ x.T if wide else x.T @ x
    tick(1, 3)
    found, vectors = np.linalg.eigh(products)
    tick(2, 3)
    if found[-1] <= np.finfo(float).eps * float(shares @ (values**2).sum(axis=1)):
        raise EigenfacesError("All of them are the same: without variance there are no components.")
    some = np.flatnonzero(found > NO_VARIANCE * found[-1])[::-1]
    variances, components = found[some], vectors[:, some].T
    if wide:
        components = components @ x / np.sqrt(variances)[:, None]
    largest = np.abs(components).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    tick(3, 3)
    return Decomposed(mean, components * signs[:, None] + 0.0, variances)


def largest_angle(one: Doubles, other: Doubles) -> float:
    """Return the largest principal angle between the spans of orthonormal rows (k, d), radians.

    By its sine, which is exact for small angles, where the cosine has none of its digits left.

    >>> round(largest_angle(np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]])), 6)
    0.927295
    """
    outside = other - (other @ one.T) @ one
    return float(np.arcsin(min(1.0, float(np.linalg.norm(outside, 2)))))
