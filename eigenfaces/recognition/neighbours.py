"""The nearest enrolled people of a probe, which is compared with every photograph, exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.recipe import Matcher, Rule
from eigenfaces.space.arrays import Coordinates, Doubles, Flags, Numbers
from eigenfaces.space.distances import DISTANCES, Distance, divisors
from eigenfaces.space.face_space import Axes, fewest_components
from eigenfaces.text import count

Points = NDArray[np.number]
"""What distances are taken between: coordinates, or the places of faces in a table."""

NOT_FINITE = (
    "Some distances come out as no finite numbers, so nobody is named. Train again; if that does "
    "not help, choose another distance or whitening."
)

_NUMBERS = 1_000_000
"""Coordinates in double precision at once: 8 MB."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """How a matcher compares in a space: the same in a gallery, in a fold and for every k.

    Parameters
    ----------
    distance
        The distance function.
    which
        The j coordinates that are compared: the first k without the leading ones that are dropped.
    variances
        (j,) λ along each.
    deviations
        (j,) the divisors of whitening; None without whitening.
    """

    distance: Distance
    which: slice
    variances: Doubles
    deviations: Doubles | None

    @classmethod
    def of(cls, matcher: Matcher, axes: Axes) -> Comparison:
        """Return the comparison of a matcher along some axes.

        Raises `EigenfacesError` if it drops all that are compared.
        """
        k = fewest_components(axes.kept, matcher.components) if len(axes.kept) else 0
        if matcher.dropped >= k > 0:
            raise EigenfacesError(
                f"Only {count(k, 'component')} would be compared, and the first "
                f"{matcher.dropped:,} are to be dropped, so none is left: drop fewer, or compare "
                "more."
            )
        return cls.by(matcher, axes, slice(min(matcher.dropped, k), k))

    @classmethod
    def by(cls, matcher: Matcher, axes: Axes, which: slice) -> Comparison:
        """Return the comparison of a matcher for given coordinates, whatever number it states."""
        white, variances = matcher.whitening != "none", axes.variances
        return cls(
            distance=DISTANCES[matcher.distance],
            which=which,
            variances=variances[which],
            deviations=divisors(matcher.smoothing, variances[: which.stop])[which.start :]
            if white
            else None,
        )

    def compared(self, coordinates: Coordinates, *, own: bool = False) -> Coordinates:
        """Return the compared coordinates (…, j) from all (…, k), whitened if the matcher whitens.

        Coordinates in single precision are divided in single precision; in their own place, if
        they may be overwritten (``own``).
        """
        compared = coordinates[..., self.which]
        if self.deviations is None:
            return compared
        divisors = self.deviations.astype(coordinates.dtype)
        return np.divide(compared, divisors, out=compared if own else None)

    def standardised(self, compared: Points) -> Doubles:
        """Return what `compared` returns as the distance takes it, (…, j)."""
        return self.distance.standardised(compared, self.variances)

    def distances(self, probes: Points, photos: Points) -> Doubles:
        """Return the distances (m, n) between what `compared` returns."""
        return self.distance(probes, photos, self.variances)

    @np.errstate(all="ignore")  # values that are not finite raise an error
    def exact_distances(self, probes: Points, photos: Points) -> Doubles:
        """Return the same, each pair by itself: equal photographs are equally far to the last bit.

        Raises
        ------
        EigenfacesError
            A distance that is not a finite number.
        """
        asked, out = self.standardised(probes), np.empty((len(probes), len(photos)))
        step = max(1, _NUMBERS // max(1, photos.shape[1]))
        for start in range(0, len(photos), step):
            some = slice(start, start + step)
            out[:, some] = self.distance.one_by_one(asked, self.standardised(photos[some]))
        if not np.isfinite(out).all():
            raise EigenfacesError(NOT_FINITE)
        return out


@dataclass(frozen=True, eq=False)
class Enrolled:
    """The people of the n enrolled photographs.

    Parameters
    ----------
    people
        (n,) the number of the person on each.
    count
        p, the number of people; not all of them have to be enrolled.
    """

    people: Numbers
    count: int

    @cached_property
    def by_person(self) -> tuple[Numbers, Numbers]:
        """The photographs by person (n,), and where each person begins, and the last ends."""
        order = np.argsort(self.people, kind="stable")
        return order, np.searchsorted(self.people[order], np.arange(self.count + 1))

    @cached_property
    def present(self) -> Numbers:
        """The people with a photograph."""
        return np.flatnonzero(np.diff(self.by_person[1]))

    def rows_of(self, person: int) -> Numbers:
        """Return the photographs of a person, in their order."""
        order, starts = self.by_person
        return order[starts[person] : starts[person + 1]]

    def distances(self, to_photos: Doubles, rule: Rule) -> Doubles:
        """Return the distances to people (m, p) from those to photographs (m, n).

        The smallest over a person's photographs, or for ``mean distance`` their mean.
        """
        (order, starts), present = self.by_person, self.present
        out = np.full((len(to_photos), self.count), np.inf)
        lines = to_photos[:, order]
        if rule == "mean distance":
            sums = np.add.reduceat(lines, starts[present], axis=1)
            out[:, present] = sums / np.diff(starts)[present]
        else:
            out[:, present] = np.minimum.reduceat(lines, starts[present], axis=1)
        return out

    def nearest_photos(self, to_photos: Doubles) -> Numbers:
        """Return the index of each person's nearest photograph, (m, p); −1 if there is none."""
        out = np.full((len(to_photos), self.count), -1, np.intp)
        for person in self.present:
            places = self.rows_of(person)
            out[:, person] = places[to_photos[:, places].argmin(axis=1)]
        return out

    def means(self, coordinates: Points) -> Doubles:
        """Return the mean of each person's coordinates (n, k), (p, k); NaN if there are none."""
        out = np.full((self.count, coordinates.shape[1]), np.nan)
        (order, starts), present = self.by_person, self.present
        sums = np.add.reduceat(coordinates[order].astype(np.float64), starts[present], axis=0)
        out[present] = sums / np.diff(starts)[present, None]
        return out

    def votes(self, to_photos: Doubles, neighbours: int) -> tuple[Numbers, Doubles]:
        """Return the votes of the k nearest photographs for each person, and distance sums.

        Both (m, p). At equal distances, photographs enrolled first vote.
        """
        nearest = np.argsort(to_photos, axis=1, kind="stable")[:, :neighbours]
        lines = np.arange(len(to_photos))[:, None]
        votes = np.zeros((len(to_photos), self.count), np.intp)
        summed = np.zeros(votes.shape)
        np.add.at(votes, (lines, self.people[nearest]), 1)
        np.add.at(summed, (lines, self.people[nearest]), to_photos[lines, nearest])
        return votes, summed


def order_of_people(
    to_people: Doubles, votes: Numbers | None = None, summed: Doubles | None = None
) -> Numbers:
    """Return the people from the first to the last answer, (m, p).

    Ranked by votes, then by the summed distance of the votes, then by distance; at equal distances,
    the person with the smaller number (enrolled first) is first.
    """
    if votes is None or summed is None:
        return np.argsort(to_people, axis=1, kind="stable")
    return np.lexsort((to_people, summed, -votes), axis=1)


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest people of m photographs.

    Parameters
    ----------
    person
        (m,) the number of the nearest person; −1 where nobody is left, or it was not drawn.
    distance
        (m,) to that person, by the rule of the matcher; infinite where nobody is left, not a
        number where it was not drawn.
    runner_up
        (m,) distance to the next person; infinite where there is none.
    """

    person: Numbers
    distance: Doubles
    runner_up: Doubles

    @classmethod
    def of(cls, to_people: Doubles, order: Numbers) -> Nearest:
        """Return them of distances to people (m, p), and the order of these."""
        ranked = np.take_along_axis(to_people, order[:, :2], axis=1)
        alone = np.full(len(ranked), np.inf)
        return cls(order[:, 0], ranked[:, 0], ranked[:, 1] if ranked.shape[1] > 1 else alone)

    @property
    def drawn(self) -> Flags:
        """(m,) which photographs were held out."""
        return ~np.isnan(self.distance)

    @property
    def margin(self) -> Doubles:
        """(m,) how much farther the runner-up is."""
        return self.runner_up - self.distance


@dataclass(frozen=True, eq=False)
class Matching:
    """m probes among the n enrolled photographs, matched by the rule of a matcher.

    Parameters
    ----------
    matcher
        Its rule and the number of neighbours that vote.
    enrolled
        The people of the photographs.
    distances
        A function that returns the distances (m, n) between probes and photographs; or several of
        each, one after the other, (several · m, n).
    probes, photos
        Its arguments.
    """

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
        present = self.enrolled.present
        to_means = self.distances(self.probes, self.enrolled.means(self.photos)[present])
        out = np.full((len(to_means), self.enrolled.count), np.inf)
        out[:, present] = to_means
        return out

    @cached_property
    def votes(self) -> tuple[Numbers, Doubles]:
        """Votes of the nearest photographs for each person, and their summed distances, (m, p)."""
        return self.enrolled.votes(self.to_photos, self.matcher.neighbours)

    @property
    def order(self) -> Numbers:
        """(m, p) the people from the first to the last answer: see `order_of_people`."""
        return order_of_people(self.to_people, *(self.votes if self._voted else ()))

    @property
    def firsts(self) -> Numbers:
        """(m,) the first answer for each probe."""
        return self.order[:, 0] if self._voted else self.to_people.argmin(axis=1)

    @property
    def _voted(self) -> bool:
        return self.matcher.rule == "nearest" and self.matcher.neighbours > 1


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
class Neighbours:
    """The r enrolled photographs of a gallery, as a matcher compares probes with them.

    Parameters
    ----------
    matcher, comparison
        How faces are compared.
    photos
        (r, k) the coordinates of the photographs.
    rows, people
        (r,) the row of each in the gallery, in the order of enrolment; the number of its person.
    names
        (p,) the people by number.
    """

    matcher: Matcher
    comparison: Comparison
    photos: Coordinates
    rows: Numbers
    people: Numbers
    names: tuple[str, ...]

    @cached_property
    def _enrolled(self) -> Enrolled:
        return Enrolled(self.people, len(self.names))

    @cached_property
    def _compared(self) -> Coordinates:
        return self.comparison.compared(self.photos)

    def of(self, probes: Coordinates) -> Matching:
        """Return the comparison of probes, given by their coordinates (m, k), with all of them."""
        probes, of = self.comparison.compared(probes), self.comparison.exact_distances
        return Matching(self.matcher, self._enrolled, of, probes, self._compared)

    def ranked(self, found: Matching, count: int) -> list[tuple[Match, ...]]:
        """Return the first people for each probe: by votes, their summed distance, and distance.

        Of two photographs equally far, the one enrolled first votes; at equal distances, the person
        enrolled first is first. Raises `EigenfacesError` for a distance that is no finite number.
        """
        enrolled, to_people = self._enrolled, found.to_people
        votes = found.votes if self.matcher.rule == "nearest" else ()
        count = min(count, len(enrolled.present))
        orders = order_of_people(to_people, *votes)[:, :count].tolist()

        def match(probe: int, person: int) -> Match:
            own = enrolled.rows_of(person)
            row = int(self.rows[own[found.to_photos[probe, own].argmin()]])
            given = int(votes[0][probe, person]) if votes else 0
            return Match(self.names[person], float(to_people[probe, person]), row, given)

        return [tuple(match(probe, each) for each in order) for probe, order in enumerate(orders)]
