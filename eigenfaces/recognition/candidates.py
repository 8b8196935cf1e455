"""Which points may be nearest to probes, and their exact distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.comparison import Comparison
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.distances import Distance
from eigenfaces.space.representation import Coordinates
from eigenfaces.space.screening import Screen

NOT_FINITE = (
    "Some distances come out as no finite numbers, so nobody is named. Train again; if that does "
    "not help, choose another distance or whitening."
)

_NUMBERS = 1_000_000
"""Coordinates compared exactly in one step."""

_FOLDED = 256
"""Scores of which at most only the lowest counts where that of several points is sought."""


@dataclass(frozen=True, eq=False)
class References:
    """The points that probes are compared with: photographs, or the means of people.

    Parameters
    ----------
    distance
        The distance between standardised coordinates.
    points
        (n, k) as they are held.
    rows
        Those of the n points that are compared.
    standardised
        Turns some points into what the distance compares, (…, j).
    screen
        Of all points; None where no product tells the distance.
    """

    distance: Distance
    points: Coordinates
    rows: Numbers
    standardised: Callable[[Coordinates], Doubles]
    screen: Screen | None

    @classmethod
    def of(
        cls, comparison: Comparison, points: Coordinates, rows: Numbers | None = None
    ) -> References:
        """Return these rows (None: all) of what `Comparison.compared` has returned, (n, …)."""
        distance = comparison.distance
        rows = np.arange(len(points)) if rows is None else rows
        divisors = np.sqrt(comparison.variances) if distance.whitens else None
        single = points.astype(np.float32, copy=False)
        screen = Screen(distance, single, divisors) if distance.by_products else None
        return cls(distance, points, rows, comparison.standardised, screen)

    def scored(self, probes: Doubles) -> Scored:
        """Return the scores of all points for some probes (m, j)."""
        if self.screen is not None:
            scores, errors = self.screen.scores(probes)
            if np.isfinite(errors).all():
                if len(self.rows) < len(self.points):
                    scores[:, np.delete(np.arange(len(self.points)), self.rows)] = np.inf
                return Scored(self, probes, scores, errors)
        return Scored(self, probes, self.lines(probes), None)

    def lines(self, probes: Doubles) -> Doubles:
        """Return the distances (m, n) of all points; infinite for those that are not compared.

        Raises
        ------
        EigenfacesError
            A distance that is not a finite number.
        """
        lines = np.full((len(probes), len(self.points)), np.inf)
        for some in self._steps(len(self.rows)):
            there = self.standardised(self.points[self.rows[some]])
            found = self.distance.one_by_one(probes, there)
            if not np.isfinite(found).all():
                raise EigenfacesError(NOT_FINITE)
            lines[:, self.rows[some]] = found
        return lines

    def between(self, some: Numbers, others: Numbers) -> Doubles:
        """Return the distances (m, n) between some points and others."""
        probes = self.standardised(self.points[some])
        distances = np.empty((len(some), len(others)))
        for step in self._steps(len(others)):
            there = self.standardised(self.points[others[step]])
            distances[:, step] = self.distance.between(probes, there)
        return distances

    def pairs(self, probes: Doubles, which: Numbers, rows: Numbers) -> Doubles:
        """Return the distances (c,) of some probes, given by their places, and points."""
        found = np.empty(len(rows))
        for some in self._steps(len(rows)):
            there = self.standardised(self.points[rows[some]])
            found[some] = self.distance.of_pairs(probes[which[some]], there)
        return found

    def _steps(self, count: int) -> Iterator[slice]:
        step = max(1, _NUMBERS // max(1, self.standardised(self.points[:1]).size))
        yield from (slice(start, start + step) for start in range(0, count, step))


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of n points for m probes.

    Parameters
    ----------
    references, probes
        What the points are, and the probes.
    scores
        (m, n), lower for what is nearer; infinite for what is not compared.
    errors
        (m,) by how much they may be wrong; None where they are the distances themselves.
    """

    references: References
    probes: Doubles
    scores: Floats | Doubles
    errors: Doubles | None

    def without(self, rows: Numbers) -> Scored:
        """Return it with some more points that are not compared."""
        scores = self.scores.copy()
        scores[:, rows] = np.inf
        return replace(self, scores=scores)

    def nearest(self, count: int) -> tuple[Numbers, Doubles]:
        """Return so many points nearest to the only probe, and their distances, nearest first.

        At equal distances, the first of the points is first.
        """
        ((rows, distances),) = self.within(self.lowest(count))
        return rows[:count], distances[:count]

    def lowest(self, count: int) -> Floats | Doubles:
        """Return scores (m,) within which at least so many points lie, or a few more."""
        scores = self.scores
        if count >= scores.shape[1]:
            return scores.max(axis=1)
        if count == 1:
            return scores.min(axis=1)
        folds = max(1, min(_FOLDED, scores.shape[1] // (16 * count)))
        wide = scores.shape[1] // folds
        lowest = scores[:, : folds * wide].reshape(len(scores), folds, wide).min(axis=1)
        return np.partition(lowest, count - 1, axis=1)[:, count - 1]

    def within(self, reach: Floats | Doubles) -> list[tuple[Numbers, Doubles]]:
        """Return the points within scores (m,) and their distances, nearest first, for each probe.

        None of the others is as near. At equal distances, the first of the points is first.
        """
        if self.errors is not None:
            reach = np.nextafter((reach + 2 * self.errors).astype(np.float32), np.float32(np.inf))
        reach = np.minimum(reach, np.finfo(self.scores.dtype).max)
        at = np.flatnonzero(self.scores <= reach[:, None])
        which, rows = np.divmod(at, self.scores.shape[1])
        if self.errors is None:
            distances = self.scores.ravel()[at].astype(np.float64)
        else:
            distances = self.references.pairs(self.probes, which, rows)
        order = np.lexsort((rows, distances, which))
        rows, distances = rows[order], distances[order]
        ends = np.cumsum(np.bincount(which, minlength=len(self.probes))).tolist()
        each = (slice(start, end) for start, end in pairwise([0, *ends]))
        return [(rows[own], distances[own]) for own in each]
