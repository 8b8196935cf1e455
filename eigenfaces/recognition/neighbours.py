"""Nearest neighbours: how faces are compared in a space, and how people are ranked.

People are numbered 0 … p − 1. The distance to a person without enrolled faces is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.errors import NotPossibleError
from eigenfaces.recognition.recipe import Matcher, Rule
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.distances import DISTANCES, Distance
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, short_repr

NOT_FINITE = (
    "Some distances are not finite numbers, so nobody is named. Train again; if that does not "
    "help, choose another distance."
)


def distance_in_space(matcher: Matcher, variances: Doubles, variance_kept: Doubles) -> Distance:
    """Return the distance that a matcher uses in a space, along as many axes as it specifies.

    ``variances``, ``variance_kept``: (j,) the values for all axes of the space.

    Raises `NotPossibleError` if the matcher drops all axes that would be compared.
    """
    k = fewest_components(variance_kept, matcher.components) if len(variance_kept) else 0
    if matcher.dropped >= k > 0:
        raise NotPossibleError(
            f"Only {count(k, 'component')} would be compared, and the first "
            f"{matcher.dropped:,} would be dropped, so none is left: drop fewer, or compare "
            "more."
        )
    return DISTANCES[matcher.distance].with_variances(variances[:k], matcher.dropped)


def person_means(coordinates: Doubles, people: Numbers) -> Doubles:
    """Return each person's mean (q, k), given coordinates (n, k) and person numbers (n,)."""
    order, _, starts, counts = _by_person(people)
    sums = np.add.reduceat(coordinates[order], starts, axis=0)
    return sums / counts[:, None]


def _by_person(people: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return rows (n,) sorted by person, and each person's number, first index and count (q,)."""
    order = np.argsort(people, kind="stable")
    return order, *np.unique(people[order], return_index=True, return_counts=True)


@dataclass(frozen=True, eq=False)
class Nearest:
    """The people nearest to m photographs, with distances: ∞ for nobody, NaN if not held out."""

    person: Numbers  # (m,) the nearest person; −1 if there is none
    distance: Doubles  # (m,) the distance to that person …
    runner_up: Doubles  # … and to the second nearest

    __repr__ = short_repr

    @property
    def held_out(self) -> Flags:
        """The mask (m,) of the photographs that were held out."""
        return ~np.isnan(self.distance)

    @classmethod
    def of(cls, to_people: Doubles) -> Nearest:
        """Return the nearest people, given the distances (m, p) from m photographs to p people."""
        first_two = np.argsort(to_people, axis=1, kind="stable")[:, :2]
        distances = np.take_along_axis(to_people, first_two, axis=1)
        alone = distances.shape[1] < 2
        runner_up = np.full(len(distances), np.inf) if alone else distances[:, 1]
        person = np.where(np.isfinite(distances[:, 0]), first_two[:, 0], -1)
        return cls(person, distances[:, 0], runner_up)

    @classmethod
    def joined(cls, parts: Sequence[Nearest]) -> Nearest:
        """Return the results for several parts of the photographs, joined in order."""
        person, distance, runner_up = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("person", "distance", "runner_up")
        )
        return cls(person, distance, runner_up)

    @property
    def scores(self) -> Doubles:
        """Two scores (m, 2) that rise with certainty: −distance, and the margin to the runner-up.

        The margin is 0 if there is no runner-up.
        """
        with np.errstate(invalid="ignore"):  # ∞ − ∞
            margin = self.runner_up - self.distance
        return np.stack([-self.distance, np.where(np.isfinite(margin), margin, 0)], axis=1)


@dataclass(frozen=True, eq=False)
class Matching:
    """A comparison of m probes with n enrolled photographs of p people, according to a rule.

    If one of the p people is in none of the photographs, the distance to that person is infinite.
    """

    rule: Rule
    people: Numbers  # (n,) the number of the person in each photograph
    count: int  # p
    distances: Callable[[Doubles, Doubles], Doubles]  # between standardised coordinates
    probes: Doubles
    photos: Doubles
    mean_scatter: float = 0.0  # from `Recipe.mean_scatter`

    @cached_property
    def to_photos(self) -> Doubles:
        """The distances (m, n) of each probe from each photograph."""
        return self.distances(self.probes, self.photos)

    @cached_property
    def to_people(self) -> Doubles:
        """The distances (m, p) of each probe from each person, according to the rule."""
        order, present, starts, counts = _by_person(self.people)
        match self.rule:
            case "class mean":
                means = person_means(self.photos, self.people)
                distances = self.distances(self.probes, means)
                if self.mean_scatter:
                    distances = np.sqrt(distances**2 + self.mean_scatter * (1 - 1 / counts))
            case "mean distance":
                distances = np.add.reduceat(self.to_photos[:, order], starts, axis=1) / counts
            case "nearest":
                distances = np.minimum.reduceat(self.to_photos[:, order], starts, axis=1)
        to_people = np.full((len(self.probes), self.count), np.inf)
        to_people[:, present] = distances
        return to_people

    @cached_property
    def nearest_photos(self) -> Numbers:
        """The nearest photograph (m, p) of each person: the first in a tie, −1 if there is none."""
        order, present, starts, counts = _by_person(self.people)
        distances = self.to_photos[:, order]
        least = np.repeat(np.minimum.reduceat(distances, starts, axis=1), counts, axis=1)
        ties = np.where(distances == least, order, len(order))
        photos = np.full((len(distances), self.count), -1, np.intp)
        photos[:, present] = np.minimum.reduceat(ties, starts, axis=1)
        return photos

    @property
    def ranking(self) -> Numbers:
        """The people (m, p), nearest first; in order of enrolment if distances are equal."""
        return np.argsort(self.to_people, axis=1, kind="stable")

    @property
    def nearest(self) -> Nearest:
        """The nearest person for each probe, and the distances to the nearest two."""
        return Nearest.of(self.to_people)


@dataclass(frozen=True)
class Candidate:
    """An enrolled person as a candidate for the name of a face."""

    person: str
    distance: float  # in face space, by the recipe's rule; lower is nearer
    row: int  # the person's nearest photograph in the gallery
