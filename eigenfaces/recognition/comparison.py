"""From the distances to photographs to an order of people: the rules of nearest neighbour.

People are numbered 0 … p − 1 here; a person of whom nothing is enrolled is infinitely far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Doubles, Numbers
from eigenfaces.recognition.recipe import Rule


@dataclass(frozen=True, eq=False)
class Enrolled:
    """Whose the n enrolled photographs are.

    Parameters
    ----------
    people
        (n,) the number of the person on each.
    count
        p, how many people there are; not all of them need be enrolled.
    """

    people: Numbers
    count: int

    @cached_property
    def _sorted(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return an order by person, where each person begins in it, and who that is."""
        order = np.argsort(self.people, kind="stable")
        present, starts = np.unique(self.people[order], return_index=True)
        return order, starts, present

    def distances(self, to_photos: Doubles, rule: Rule) -> Doubles:
        """Turn distances to photographs (m, n) into distances to people (m, p).

        The smallest over a person's photographs, or for ``mean distance`` their mean.
        """
        order, starts, present = self._sorted
        out = np.full((len(to_photos), self.count), np.inf)
        lines = to_photos[:, order]
        if rule == "mean distance":
            sums = np.add.reduceat(lines, starts, axis=1)
            out[:, present] = sums / np.bincount(self.people)[present]
        else:
            out[:, present] = np.minimum.reduceat(lines, starts, axis=1)
        return out

    def nearest_photos(self, to_photos: Doubles) -> Numbers:
        """Return the place of each person's nearest photograph, (m, p); −1 where there is none."""
        order, starts, present = self._sorted
        out = np.full((len(to_photos), self.count), -1, np.intp)
        ends = np.append(starts[1:], len(order))
        for start, end, person in zip(starts, ends, present, strict=True):
            places = order[start:end]
            out[:, person] = places[to_photos[:, places].argmin(axis=1)]
        return out

    def means(self, coordinates: Doubles) -> Doubles:
        """Return the mean of each person's coordinates (n, k), (p, k); NaN where there are none."""
        out = np.full((self.count, coordinates.shape[1]), np.nan)
        order, starts, present = self._sorted
        sums = np.add.reduceat(coordinates[order], starts, axis=0)
        out[present] = sums / np.bincount(self.people)[present][:, None]
        return out

    def votes(self, to_photos: Doubles, neighbours: int) -> tuple[Numbers, Doubles]:
        """Count the votes of the k nearest photographs for each person, and sum their distances.

        Both (m, p). Of photographs equally far, those enrolled first vote.
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

    By votes, then by the summed distance of the votes, then by distance; of people equally far, the
    one with the smaller number (who was enrolled first) comes first.
    """
    if votes is None or summed is None:
        return np.argsort(to_people, axis=1, kind="stable")
    return np.lexsort((to_people, summed, -votes), axis=1)


def first_answers(
    to_people: Doubles, votes: Numbers | None = None, summed: Doubles | None = None
) -> Numbers:
    """Return who comes first in `order_of_people`, (m,)."""
    if votes is None:
        return to_people.argmin(axis=1)
    return order_of_people(to_people, votes, summed)[:, 0]
