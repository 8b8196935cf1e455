"""Components as a rotation of the axes, and the way there, from no turn to all of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.lessons.decomposed import upright
from eigenfaces.space.arrays import Doubles

_ROUNDING = 1e-9

MOST_TURNED = 256
"""Up to so many numbers to a point, the axes are turned as a whole."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Components:
    """Points (n, d) about their mean (d,): components in columns (d, r), singular values (r,).

    In each component the entry of largest magnitude is positive. If d is small, r is d: unlike
    those of `decomposed`, they are then a rotation, as those without any variance are among them.
    """

    x: Doubles
    mean: Doubles
    u: Doubles
    singular: Doubles

    @classmethod
    def of(cls, points: Doubles) -> Components:
        """Return the components of points (n, d); `EigenfacesError` if there are none."""
        if len(points) < 2:
            raise EigenfacesError("A lesson needs at least two points.")
        mean = points.mean(axis=0)
        x = points - mean
        complete = len(x) < x.shape[1] <= MOST_TURNED
        with threadpool_limits(1, "blas"):  # on busy cores, several wait for each other
            _, singular, vt = np.linalg.svd(x, full_matrices=complete)
        if singular[0] <= _ROUNDING * (1 + np.abs(mean).max()):
            raise EigenfacesError("All are alike, so they have no components. Choose others.")
        singular = np.pad(singular, (0, len(vt) - len(singular)))
        return cls(x=x, mean=mean, u=upright(vt.T), singular=singular)

    @property
    def rank(self) -> int:
        """How many components have any variance."""
        return int((self.singular > _ROUNDING * self.singular[0]).sum())

    @property
    def variances(self) -> Doubles:
        """(r,) the mean squares along the components."""
        found: Doubles = self.singular**2 / len(self.x)
        return found


def rotation(u: Doubles) -> Doubles:
    """Return orthonormal axes (d, d) without a mirror: the last is turned round, if need be."""
    return np.column_stack([u[:, :-1], np.linalg.det(u) * u[:, -1]])


def turns(u: Doubles) -> list[tuple[int, int, float]]:
    """Return a rotation (d, d) as turns in planes of two axes: first, second, angle in radians.

    Givens (1958): each makes one entry below the diagonal zero; `turned_by` puts them together.
    """
    left, found = u.copy(), []
    d = len(u)
    for first in range(d - 1):
        for second in range(first + 1, d):
            angle = float(np.arctan2(left[second, first], left[first, first]))
            if angle:
                _turn(left.T, first, second, angle)
                found.append((first, second, angle))
    return found


def turned_by(parts: list[tuple[int, int, float]], share: float, d: int) -> Doubles:
    """Return the axes (d, d) after a share of each turn: 0 for the old axes, 1 for the rotation.

    >>> quarter = turns(np.array([[0.0, -1.0], [1.0, 0.0]]))
    >>> turned_by(quarter, 0.5, 2).round(3).tolist()
    [[0.707, -0.707], [0.707, 0.707]]
    """
    made = np.eye(d)
    for first, second, angle in parts:
        _turn(made, first, second, share * angle)
    return made


def _turn(columns: Doubles, first: int, second: int, angle: float) -> None:
    one, other = columns[:, first].copy(), columns[:, second].copy()
    columns[:, first] = np.cos(angle) * one + np.sin(angle) * other
    columns[:, second] = np.cos(angle) * other - np.sin(angle) * one
