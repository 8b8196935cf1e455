"""Which of very many points may be the nearest, told by one product in single precision.

What it says is not exact, but how far off it may be is known: N. J. Higham, *Accuracy and Stability
of Numerical Algorithms* (2002), chapter 3. Whoever then compares the few that are left exactly has
the answer of comparing all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.distances import Distance

_ROUNDING = 2.0**-24
"""Relative error of an operation in single precision."""

_LONGEST, _SHORTEST = 1e18, 1e-15
"""Lengths whose squares single precision holds with all their digits."""

_ROWS = 8192
"""Points whose lengths are taken in one step."""


@dataclass(frozen=True, eq=False)
class Screen:
    """n points, screened for a distance that follows from products: L2, cosine, Yambor.

    Parameters
    ----------
    distance
        The distance.
    points
        (n, k). They are looked at as they are and not copied.
    divisors
        (k,) by which coordinates are divided before they are compared; None where they are not.
    """

    distance: Distance
    points: Floats
    divisors: Doubles | None = None

    def scores(self, probes: Doubles) -> tuple[Floats, Doubles]:
        """Return scores (m, n), ordered as the distances, and how far off those of a probe may be.

        Parameters
        ----------
        probes
            (m, k) as they are compared: divided already.

        Returns
        -------
        scores, errors
            Where two scores of a probe are more than twice its error (m,) apart, so are the
            distances, in that order. An error is infinite where single precision does not do.
        """
        lengths = np.linalg.norm(probes, axis=1)
        weights = self._weights(probes, lengths).astype(np.float32)
        scores = weights @ self.points.T
        if self.distance.sums_squares:
            scores += self._squares
        elif self.distance.is_angle:
            scores *= self._inverse_lengths
        errors = self._errors(lengths)
        errors[~(np.isfinite(weights).all(axis=1) & (errors < np.inf))] = np.inf
        return scores, errors

    def _weights(self, probes: Doubles, lengths: Doubles) -> Doubles:
        """Return what points are multiplied by, (m, k), so that smaller is nearer."""
        if self.distance.sums_squares:
            weights = -2 * probes
        elif self.distance.is_angle:
            weights = -probes / np.where(lengths > 0, lengths, 1)[:, None]
        else:
            weights = -probes
        return weights if self.divisors is None else weights / self.divisors

    def _errors(self, lengths: Doubles) -> Doubles:
        """Return how far off the scores of probes of these lengths (m,) may be."""
        terms = self.points.shape[1] + 16  # and some operations before and after the sum
        bound = terms * _ROUNDING / (1 - terms * _ROUNDING)
        longest = self._longest * (1 + bound)
        if self.distance.is_angle:
            held = (lengths == 0) | ((lengths > _SHORTEST) & (lengths < _LONGEST))
            return np.where(held & self._measurable, 2 * bound, np.inf)
        # What is too small for a number of single precision, and the rounding of the distances.
        rest = terms * (2.0**-90 * (1 + longest + lengths) + 2.0**-50 * lengths**2)
        if self.distance.sums_squares:
            errors = bound * longest * (longest + 2 * lengths) + rest
        else:
            errors = bound * longest * lengths + rest
        held = (lengths < _LONGEST) & (longest < _LONGEST)
        return np.where(held, errors, np.inf)

    @cached_property
    def _squares(self) -> Floats:
        """(n,) squared lengths of the points."""
        squares = np.empty(len(self.points), np.float32)
        for start in range(0, len(squares), _ROWS):
            some = self.points[start : start + _ROWS]
            if self.divisors is not None:
                some = (some / self.divisors).astype(np.float32)
            squares[start : start + _ROWS] = np.einsum("nk,nk->n", some, some)
        return squares

    @cached_property
    def _longest(self) -> float:
        return float(np.sqrt(self._squares.max(initial=0), dtype=np.float64))

    @cached_property
    def _inverse_lengths(self) -> Floats:
        """(n,) 1 / length; 0 for points of length 0."""
        squares = self._squares
        return np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)

    @cached_property
    def _measurable(self) -> bool:
        """Whether single precision holds the lengths of all points, but for those of length 0."""
        short = self._squares < _SHORTEST**2
        return self._longest < _LONGEST and not self.points[short].any()
