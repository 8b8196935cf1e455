"""The search for the nearest enrolled people: exact, however many there are.

All photographs are screened by one product in single precision; the few that may be among the first
are compared exactly, in double precision. So the answer is that of comparing all of them exactly,
to the last bit: people, distances, nearest photographs, and who comes first of those equally far.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eigenfaces.recognition.candidates import References, Scored
from eigenfaces.recognition.comparison import Comparison, Enrolled
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.representation import Coordinates
from eigenfaces.space.screening import Screen

_PAIRS = 2_000_000
"""Probes times photographs screened in one step; single precision: 8 MB."""

_TOGETHER = 16
"""Probes screened in one step, however many photographs there are."""


@dataclass(frozen=True)
class Match:
    """One enrolled person as a candidate.

    ``distance`` is *in* face space, lower is nearer: to the nearest of the person's photographs,
    to their mean, or the mean of the distances to them, as the recipe says. ``row`` is the person's
    nearest photograph in the gallery; ``votes`` counts the person's among the k neighbours.
    """

    person: str
    distance: float
    row: int
    votes: int


@dataclass(frozen=True, eq=False)
class Search:
    """The photographs of a gallery, as a matcher searches them for the nearest people.

    Parameters
    ----------
    matcher, comparison
        How faces are compared.
    coordinates
        (n, k) of all photographs. They are not copied.
    people
        (n,) the number of the person on each; −1 for those that are not enrolled.
    names
        (p,) the people by number.
    last
        The scores of the probe asked about last: a page asks several things about one.
    """

    matcher: Matcher
    comparison: Comparison
    coordinates: Coordinates
    people: Numbers
    names: tuple[str, ...]
    last: dict[bytes, Scored] = field(default_factory=dict, repr=False)

    @cached_property
    def rows(self) -> Numbers:
        """The enrolled photographs."""
        return np.flatnonzero(self.people >= 0)

    @cached_property
    def photos(self) -> References:
        """The photographs."""
        comparison, distance = self.comparison, self.comparison.distance
        divisors = np.sqrt(comparison.variances) if distance.whitens else comparison.deviations
        compared = self.coordinates[:, comparison.which]
        screen = Screen(distance, compared, divisors) if distance.by_products else None
        return References(distance, self.coordinates, self.rows, self._standardised, screen)

    @cached_property
    def means(self) -> References:
        """The means of the people who are enrolled, in the order of their numbers."""
        compared = self.comparison.compared(self.coordinates[self.rows])
        means = self._enrolled.means(compared)[self._enrolled.present]
        return References.of(self.comparison, means)

    @np.errstate(all="ignore")  # values that are not finite raise an error
    def first(self, coordinates: Floats, count: int = 2) -> list[tuple[Match, ...]]:
        """Return the first people of the ranking for each probe, given by its coordinates (m, k).

        Ranked by votes, then by the summed distance of the votes, then by distance; at equal
        distances, the person enrolled first is first. Of two photographs equally far, the one
        enrolled first votes.

        Raises
        ------
        EigenfacesError
            A distance that is not a finite number.
        """
        ranked = {
            "nearest": self._by_photos,
            "class mean": self._by_means,
            "mean distance": self._by_mean_distances,
        }[self.matcher.rule]
        probes = self._standardised(coordinates)
        step = max(_TOGETHER, _PAIRS // len(self.people))
        most = min(count, len(self._enrolled.present))
        return [
            matches
            for start in range(0, len(probes), step)
            for matches in ranked(probes[start : start + step], most)
        ]

    @np.errstate(all="ignore")
    def nearest(
        self, coordinates: Floats, count: int, without: Collection[str] = ()
    ) -> tuple[Numbers, Doubles]:
        """Return the rows of the photographs nearest to one probe (k,), and their distances.

        Nearest first, without those of some people; at equal distances, enrolled first.
        """
        return self._scored(coordinates, without).nearest(count)

    @np.errstate(all="ignore")
    def farthest(self, coordinates: Floats, without: Collection[str] = ()) -> float:
        """Return the largest distance, without its sign, of one probe (k,) from a photograph."""
        scored = self._scored(coordinates, without)
        compared = np.isfinite(scored.scores[0])
        size = np.abs(scored.scores[0]) if self.comparison.distance.is_product else scored.scores[0]
        if scored.errors is None:
            return float(size[compared].max())
        error = 2 * scored.errors[0]
        rows = np.flatnonzero(compared & (size >= size[compared].max() - error))
        exact = self.photos.pairs(scored.probes, np.zeros(len(rows), np.intp), rows)
        return float(np.abs(exact).max())

    def _by_photos(self, probes: Doubles, count: int) -> Iterator[tuple[Match, ...]]:
        scored, votes = self._scored_once(probes), min(self.matcher.neighbours, len(self.rows))
        # A copy: what is kept may be read by another thread.
        reach = self._reach_of_people(scored.scores.copy(), count)
        if votes > 1:
            reach = np.maximum(reach, scored.lowest(votes))
        for rows, distances in scored.within(reach):
            yield self._voted(rows, distances, votes)[:count]

    def _voted(self, rows: Numbers, distances: Doubles, votes: int) -> tuple[Match, ...]:
        """Return the ranking of the people on photographs, given nearest first."""
        nearest: dict[int, tuple[float, int]] = {}
        given: dict[int, int] = {}
        summed: dict[int, float] = {}
        of = self.people[rows].tolist()
        for place, found in enumerate(zip(of, distances.tolist(), rows.tolist(), strict=True)):
            person, distance, row = found
            nearest.setdefault(person, (distance, row))
            if place < votes:
                given[person] = given.get(person, 0) + 1
                summed[person] = summed.get(person, 0.0) + distance
        order = sorted(
            nearest, key=lambda p: (-given.get(p, 0), summed.get(p, 0.0), nearest[p][0], p)
        )
        return tuple(Match(self.names[p], *nearest[p], given.get(p, 0)) for p in order)

    def _reach_of_people(self, scores: Floats | Doubles, count: int) -> Floats | Doubles:
        """Return the scores (m,) of the nearest photograph of the last of so many people.

        ``scores`` (m, n) are overwritten.
        """
        if count == len(self._enrolled.present):
            return scores.max(axis=1)
        for _ in range(count - 1):
            for line, row in enumerate(scores.argmin(axis=1)):
                scores[line, self._rows_of(self.people[row])] = np.inf
        return scores.min(axis=1)

    def _by_means(self, probes: Doubles, count: int) -> Iterator[tuple[Match, ...]]:
        scored = self.means.scored(probes)
        for probe, found in zip(probes, scored.within(scored.lowest(count)), strict=True):
            yield tuple(
                self._match(probe, self._enrolled.present[at], distance)
                for at, distance in zip(*(each[:count].tolist() for each in found), strict=True)
            )

    def _by_mean_distances(self, probes: Doubles, count: int) -> Iterator[tuple[Match, ...]]:
        lines = self.photos.lines(probes)[:, self.rows]
        to_people = self._enrolled.distances(lines, "mean distance")
        for probe, line in zip(probes, to_people, strict=True):
            order = np.argsort(line, kind="stable")[:count]
            yield tuple(self._match(probe, person, line[person]) for person in order)

    def _match(self, probe: Doubles, person: int, distance: float) -> Match:
        rows = self._rows_of(person)
        exact = self.photos.pairs(probe[None], np.zeros(len(rows), np.intp), rows)
        return Match(self.names[person], float(distance), int(rows[exact.argmin()]), 0)

    @np.errstate(all="ignore")
    def look_through(self) -> None:
        """Work out what goes through every photograph and is asked for first."""
        _ = self._enrolled.present
        if self.photos.screen is not None:
            self.photos.screen.scores(self._standardised(self.coordinates[self.rows[:1]]))

    def _scored_once(self, probes: Doubles) -> Scored:
        """Return the scores for some probes (m, j), which of a single one are kept."""
        if len(probes) > 1:
            return self.photos.scored(probes)
        asked = probes.tobytes()
        scored = self.last.get(asked)
        if scored is None:
            scored = self.photos.scored(probes)
            self.last.clear()
            self.last[asked] = scored
        return scored

    def _scored(self, coordinates: Floats, without: Collection[str]) -> Scored:
        scored = self._scored_once(self._standardised(coordinates[None]))
        gone = [self._rows_of(at) for at, name in enumerate(self.names) if name in without]
        return scored.without(np.concatenate(gone)) if gone else scored

    def _standardised(self, coordinates: Coordinates) -> Doubles:
        return self.comparison.standardised(self.comparison.compared(coordinates))

    @cached_property
    def _enrolled(self) -> Enrolled:
        return Enrolled(self.people[self.rows], len(self.names))

    def _rows_of(self, person: int) -> Numbers:
        return self.rows[self._enrolled.rows_of(person)]
