"""The nearest people of each photograph, had it, or its person, never been in the gallery.

What a gallery's own photographs tell about new ones: how near a photograph is to its own person
while it is away, and how near a person's photographs are to everybody else while the person is
away, as those of a stranger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np

from eigenfaces.arrays import Doubles, Flags, Numbers
from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.crops import Crops
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.comparison import Comparison, Enrolled, Matching, order_of_people
from eigenfaces.recognition.people_features import PeopleFeatures, numbered
from eigenfaces.recognition.recipe import BY_ANGLE, Recipe
from eigenfaces.space.folds import Folds
from eigenfaces.space.whitened_products import WhitenedProducts

MOST_PHOTOS, MOST_PEOPLE = 600, 60
"""Held out at most; with more, so many are drawn."""

_AWAY = 1 / 20
"""Share of the photographs that are away from one fit at most, where it is not one person's."""

_SEED = 0


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
class HeldOut:
    """The m enrolled photographs of a gallery of p people, each held out.

    Parameters
    ----------
    people
        (m,) the number of the person on each, in the order of enrolment.
    member
        Its nearest people while the photograph is away.
    stranger
        Its nearest people while its person is away.
    """

    people: Numbers
    member: Nearest
    stranger: Nearest

    @property
    def mated(self) -> Flags:
        """(m,) whether it was held out while another photograph of its person was enrolled."""
        return self.member.drawn & (np.bincount(self.people)[self.people] > 1)

    @property
    def right(self) -> Flags:
        """(m,) whether the nearest person is the right one."""
        return self.member.person == self.people

    @property
    def count(self) -> int:
        """The number of people."""
        return len(np.unique(self.people))


def held_out(faces: FaceSet, rows: Sequence[int], recipe: Recipe, tick: Tick = no_tick) -> HeldOut:
    """Return the nearest people of each enrolled face of a recipe, while it is held out.

    Held out, a photograph (for `HeldOut.stranger`: its person) is neither compared with nor
    fitted to. Of very many, some are drawn: `MOST_PHOTOS`, `MOST_PEOPLE`.

    Parameters
    ----------
    faces
        All faces. ``rows`` are those fitted to; the named ones among them are enrolled.
    recipe
        How they are compared.
    """
    holding = Holding.of(faces, rows, recipe, part_of(tick, 0, 3))
    photos = holding.without_photos(part_of(tick, 1, 3))
    return HeldOut(holding.people, photos, holding.without_people(part_of(tick, 2, 3)))


@dataclass(frozen=True, eq=False)
class Holding:
    """Faces of which some are held out, by a recipe: their features are computed once.

    Parameters
    ----------
    features
        (n, f) of all that is fitted to.
    names
        The person on each; None for a face that is not enrolled.
    shape
        (h, w) of a crop.
    recipe
        How they are compared.
    """

    features: Crops
    names: Sequence[str | None]
    shape: tuple[int, int]
    recipe: Recipe

    @classmethod
    def of(
        cls, faces: FaceSet, rows: Sequence[int], recipe: Recipe, tick: Tick = no_tick
    ) -> Holding:
        """Return it for some rows of faces."""
        features = recipe.features.of_all(faces.pixels.select(rows), faces.shape, tick)
        names = [faces.index.photos[row].person for row in rows]
        return cls(features, names, faces.shape, recipe)

    @cached_property
    def enrolled(self) -> Numbers:
        """(m,) places of the enrolled faces among all."""
        return np.flatnonzero(numbered(self.names) >= 0)

    @cached_property
    def people(self) -> Numbers:
        """(m,) the number of the person on each enrolled face."""
        return numbered(self.names)[self.enrolled]

    def without_photos(self, tick: Tick = no_tick) -> Nearest:
        """Return the nearest people of each photograph while it is away."""
        return self._without(_drawn(np.arange(len(self.people)), MOST_PHOTOS), tick)

    def without_people(self, tick: Tick = no_tick) -> Nearest:
        """Return the nearest people of each photograph while its person is away."""
        return self._without(_drawn(self.people, MOST_PEOPLE), tick)

    def _without(self, parts: Sequence[Numbers], tick: Tick) -> Nearest:
        """Return the nearest people of the faces, those of the same part away together."""
        person = np.full(len(self.people), -1, np.intp)
        best, second = np.full((2, len(self.people)), np.nan)
        for part in parts:
            best[part] = second[part] = np.inf
        some = [part for part in parts if len(self.names) - len(part) >= 2]
        usual = isinstance(self.recipe.features, PeopleFeatures) and (
            self.recipe.matcher == BY_ANGLE
        )
        find = self._by_products if usual else self._by_folds
        for part, to_people, order in find(some, tick):
            found = Nearest.of(to_people, order)
            person[part], best[part] = found.person, found.distance
            second[part] = found.runner_up
        return Nearest(np.where(np.isfinite(best), person, -1), best, second)

    def _by_products(self, parts: Sequence[Numbers], tick: Tick) -> Iterator[_Distances]:
        """Yield the distances to people, found exactly and without fitting anew."""
        images = np.arange(len(self._products.people) // len(self.names))
        rows = [(self.enrolled[part][:, None] * len(images) + images).ravel() for part in parts]
        distances = 1 - self._products.left_out(rows, tick)[self.enrolled * len(images)]
        for part in parts:
            yield part, distances[part], order_of_people(distances[part])

    def _by_folds(self, parts: Sequence[Numbers], tick: Tick) -> Iterator[_Distances]:
        """Yield the distances to people in spaces that are each fitted without some parts."""
        matcher, count = self.recipe.matcher, int(self.people.max(initial=-1)) + 1
        fits = ceil(sum(len(part) for part in parts) / (_AWAY * len(self.names)))
        fits = min(fits, len(parts))
        for number in range(fits):
            tick(number, fits)
            away = self.enrolled[np.concatenate(parts[number::fits])]
            space = self._folds.fit(np.setdiff1d(np.arange(len(self.names)), away))
            comparison = Comparison.of(matcher, space)
            points = comparison.compared(space.coordinates[self.enrolled])
            for part in parts[number::fits]:
                others = np.setdiff1d(np.arange(len(points)), part)
                enrolled = Enrolled(self.people[others], count)
                asked = points[part], points[others]
                matching = Matching(matcher, enrolled, comparison.distances, *asked)
                yield part, matching.to_people, matching.order
        tick(fits, fits)

    @cached_property
    def _products(self) -> WhitenedProducts:
        assert isinstance(self.recipe.features, PeopleFeatures)
        return self.recipe.features.products(self.features, self.names)

    @cached_property
    def _folds(self) -> Folds:
        turned_back = self.recipe.matcher.whitening == "zca"
        features = self.recipe.features
        return features.folds(self.features, self.names, self.shape, components=turned_back)


_Distances = tuple[Numbers, Doubles, Numbers]
"""The faces of a part (g,), their distances to people (g, p), and the order of these."""


def _drawn(units: Numbers, most: int) -> list[Numbers]:
    """Return the places of each unit; of more than ``most``, so many are drawn."""
    every = np.unique(units)
    if len(every) > most:
        every = np.sort(np.random.default_rng(_SEED).choice(every, most, replace=False))
    return [np.flatnonzero(units == unit) for unit in every]
