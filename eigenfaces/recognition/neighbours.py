"""How a matcher compares faces in a space, and how people are ranked by the nearest faces.

People are numbered 0 … p − 1; the distance to a person without enrolled faces is infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.recipe import Matcher, Rule
from eigenfaces.space.arrays import Coordinates, Doubles, Flags, Numbers
from eigenfaces.space.distances import DISTANCES, Distance, epsilon
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import as_line, count

Points = NDArray[np.number]  # coordinates, or the places of faces in a table

NOT_FINITE = (
    "Some distances come out as no finite numbers, so nobody is named. Train again; if that does "
    "not help, choose another distance or whitening."
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """How a matcher compares in a space: the same in a gallery, in a fold and for every k."""

    distance: Distance
    which: slice  # the j coordinates compared: the first k without the leading ones dropped
    variances: Doubles  # (j,) λ along each
    deviations: Doubles | None  # (j,) the divisors √(λ + ε) of whitening

    __repr__ = as_line

    @classmethod
    def of(cls, matcher: Matcher, variances: Doubles, kept: Doubles) -> Comparison:
        """Return the comparison along axes with ``variances``, of which the first ``kept`` shares.

        Both are (k,). Raises `EigenfacesError` if the matcher drops all that are compared.
        """
        k = fewest_components(kept, matcher.components) if len(kept) else 0
        if matcher.dropped >= k > 0:
            raise EigenfacesError(
                f"Only {count(k, 'component')} would be compared, and the first "
                f"{matcher.dropped:,} are to be dropped, so none is left: drop fewer, or compare "
                "more."
            )
        return cls.by(matcher, variances, slice(min(matcher.dropped, k), k))

    @classmethod
    def by(cls, matcher: Matcher, variances: Doubles, which: slice) -> Comparison:
        """Return the comparison of a matcher for given coordinates, whatever number it states."""
        white = None
        if matcher.whitening != "none":
            smoothing = epsilon(matcher.smoothing, variances[: which.stop])
            white = np.sqrt(variances[which] + smoothing)
        return cls(DISTANCES[matcher.distance], which, variances[which], white)

    def compared(self, coordinates: Coordinates) -> Coordinates:
        """Return the compared coordinates (…, j) of all (…, k), whitened if the matcher whitens."""
        compared = coordinates[..., self.which]
        if self.deviations is not None:
            compared = compared / self.deviations.astype(coordinates.dtype)
        return compared

    def standardised(self, compared: Points) -> Doubles:
        """Return what `compared` returns as the distance takes it, (…, j)."""
        return self.distance.standardised(compared, self.variances)

    def distances(self, probes: Points, photos: Points) -> Doubles:
        """Return the distances (m, n) between what `compared` returns."""
        return self.distance(probes, photos, self.variances)


@dataclass(frozen=True, eq=False)
class Enrolled:
    """The people (n,) on the enrolled photographs, of ``count`` people; some may be on none."""

    people: Numbers
    count: int

    @cached_property
    def by_person(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """The photographs (n,); of the people on them number, first place and count, (q,) each."""
        order = np.argsort(self.people, kind="stable")
        return order, *np.unique(self.people[order], return_index=True, return_counts=True)

    def distances(self, to_photos: Doubles, rule: Rule) -> Doubles:
        """Return the smallest or mean distance to each person (m, p), from (m, n) to photos."""
        order, present, starts, counts = self.by_person
        out = np.full((len(to_photos), self.count), np.inf)
        if rule == "mean distance":
            out[:, present] = np.add.reduceat(to_photos[:, order], starts, axis=1) / counts
        else:
            out[:, present] = np.minimum.reduceat(to_photos[:, order], starts, axis=1)
        return out

    def nearest_photos(self, to_photos: Doubles) -> Numbers:
        """Return each person's nearest photograph, (m, p), the first of equals; −1 for none."""
        order, present, starts, counts = self.by_person
        out = np.full((len(to_photos), self.count), -1, np.intp)
        lines = to_photos[:, order]
        least = np.repeat(np.minimum.reduceat(lines, starts, axis=1), counts, axis=1)
        nearest = np.where(lines == least, order, len(order))
        out[:, present] = np.minimum.reduceat(nearest, starts, axis=1)
        return out

    def means(self, coordinates: Points) -> Doubles:
        """Return the means (q, k) of the coordinates (n, k) of each person on them."""
        order, _, starts, counts = self.by_person
        sums = np.add.reduceat(coordinates[order].astype(np.float64), starts, axis=0)
        return sums / counts[:, None]


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest people of m photographs; ∞ where nobody is left, NaN where it was not drawn."""

    person: Numbers  # (m,) the nearest one; −1 where there is none
    distance: Doubles  # (m,) to that person …
    runner_up: Doubles  # … and to the next one

    __repr__ = as_line

    @property
    def drawn(self) -> Flags:
        """(m,) which photographs were held out."""
        return ~np.isnan(self.distance)

    @property
    def margin(self) -> Doubles:
        """(m,) how much farther the runner-up is; NaN where nobody is left at all."""
        with np.errstate(invalid="ignore"):  # ∞ − ∞
            return self.runner_up - self.distance


@dataclass(frozen=True, eq=False)
class Matching:
    """m probes among the n enrolled photographs, matched by the rule of a matcher."""

    matcher: Matcher
    enrolled: Enrolled
    distances: Callable[[Points, Points], Doubles]
    probes: Points
    photos: Points

    @cached_property
    def to_photos(self) -> Doubles:
        """(m, n) the distance of each probe from each photograph."""
        return self.distances(self.probes, self.photos)

    @cached_property
    def to_people(self) -> Doubles:
        """(m, p) the distance of each probe from each person, by the rule."""
        if self.matcher.rule != "class mean":
            return self.enrolled.distances(self.to_photos, self.matcher.rule)
        out = np.full((len(self.probes), self.enrolled.count), np.inf)
        there = self.enrolled.by_person[1]
        out[:, there] = self.distances(self.probes, self.enrolled.means(self.photos))
        return out

    @cached_property
    def votes(self) -> tuple[Numbers, Doubles]:
        """Votes of the k nearest photographs for each person, and distance sums, (m, p) each."""
        far, lines = self.to_photos, np.arange(len(self.to_photos))[:, None]
        nearest = np.argsort(far, axis=1, kind="stable")[:, : self.matcher.neighbours]
        votes = np.zeros((len(far), self.enrolled.count), np.intp)
        summed = np.zeros(votes.shape)
        np.add.at(votes, (lines, self.enrolled.people[nearest]), 1)
        np.add.at(summed, (lines, self.enrolled.people[nearest]), far[lines, nearest])
        return votes, summed

    @property
    def order(self) -> Numbers:
        """(m, p) the people from the first to the last answer.

        Where several photographs vote, by votes and then by their summed distance; else, and among
        equals, by distance; at equal distances the person enrolled first comes first.
        """
        if self.matcher.rule != "nearest" or self.matcher.neighbours == 1:
            return np.argsort(self.to_people, axis=1, kind="stable")
        votes, summed = self.votes
        return np.lexsort((self.to_people, summed, -votes), axis=1)

    @property
    def nearest(self) -> Nearest:
        """The first person of each probe, and the distances to the first two."""
        order = self.order
        ranked = np.take_along_axis(self.to_people, order[:, :2], axis=1)
        second = ranked[:, 1] if ranked.shape[1] > 1 else np.full(len(ranked), np.inf)
        return Nearest(order[:, 0], ranked[:, 0], second)


@dataclass(frozen=True)
class Match:
    """One enrolled person as a candidate."""

    person: str
    distance: float  # in face space, by the recipe's rule; lower is nearer
    row: int  # the person's nearest photograph in the gallery
    votes: int  # of the person's photographs among the k nearest


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The r enrolled photographs of a gallery, as a matcher compares every one with a probe."""

    matcher: Matcher
    comparison: Comparison
    photos: Coordinates  # (r, k)
    rows: Numbers  # (r,) in the gallery, in the order of enrolment
    people: Numbers  # (r,) the number of the person on each …
    names: tuple[str, ...]  # … and the names (p,) of these

    __repr__ = as_line

    @cached_property
    def _known(self) -> tuple[Enrolled, Coordinates]:
        return Enrolled(self.people, len(self.names)), self.comparison.compared(self.photos)

    def of(self, probes: Coordinates) -> Matching:
        """Return the comparison of probes, given by their coordinates (m, k), with all of them."""
        enrolled, photos = self._known
        asked = self.comparison.compared(probes)
        return Matching(self.matcher, enrolled, self.comparison.distances, asked, photos)

    def ranked(self, found: Matching, count: int) -> list[tuple[Match, ...]]:
        """Return the first people for each probe; raise an error unless distances are finite."""
        to_people, nearest = found.to_people, found.enrolled.nearest_photos(found.to_photos)
        if not np.isfinite(found.to_photos).all():
            raise EigenfacesError(NOT_FINITE)
        votes = found.votes[0] if self.matcher.rule == "nearest" else np.zeros_like(nearest)
        ranked = list[tuple[Match, ...]]()
        for m, order in enumerate(found.order[:, : min(count, len(np.unique(self.people)))]):
            rows, far, voted = self.rows[nearest[m, order]], to_people[m, order], votes[m, order]
            names = (self.names[person] for person in order)
            each = zip(names, far.tolist(), rows.tolist(), voted.tolist(), strict=True)
            ranked.append(tuple(Match(*values) for values in each))
        return ranked
