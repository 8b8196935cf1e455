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

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.recognition.comparison import (
    Comparison,
    Enrolled,
    Matching,
    Nearest,
    Points,
    order_of_people,
)
from eigenfaces.recognition.feature_rows import Described
from eigenfaces.recognition.features import features_once
from eigenfaces.recognition.people_features import PeopleFeatures, numbered
from eigenfaces.recognition.recipe import BY_ANGLE, Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.space.facespace import FaceSpace
from eigenfaces.space.folds import Folds
from eigenfaces.space.inner_fits import InnerFits
from eigenfaces.space.people_axes import FEWEST_PEOPLE, Reach, reach_of
from eigenfaces.space.representation import Axes
from eigenfaces.space.svd import LARGEST_EXACT
from eigenfaces.space.whitened_products import WhitenedProducts

MOST_PHOTOS, MOST_PEOPLE = 600, 60
"""Held out at most; with more, so many are drawn."""

_AWAY = 1 / 20
"""Share of the photographs that are away from one fit at most, where it is not one person's …"""

_AWAY_OF_MANY = 1 / 5
"""… and of more than `LARGEST_EXACT`, where that fit is one of few."""

_FITTED = 4 / 5
"""Share of the photographs from which a face space is one of all of them."""

_ASKED = 100
"""Photographs of a person that are asked about at most there."""

_SEED, _PROBES_AT_ONCE, _FACES_AT_ONCE = 0, 64, 1024


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


def held_out(
    faces: FaceSet,
    rows: Sequence[int],
    recipe: Recipe,
    tick: Tick = no_tick,
    *,
    training: Training | None = None,
) -> HeldOut:
    """Return the nearest people of each enrolled face of a recipe, while it is held out.

    Held out, a photograph (for `HeldOut.stranger`: its person) is neither compared with nor
    fitted to. Of very many, some are drawn: `MOST_PHOTOS`, `MOST_PEOPLE`.

    Parameters
    ----------
    faces
        All faces. ``rows`` are those that are there; the named ones among them are enrolled.
    recipe
        How they are compared.
    training
        The gallery's, if there is one: `newcomers` are not fitted to; of very many, it is used.
    """
    holding = Holding.of(faces, rows, recipe, part_of(tick, 0, 3), training=training)
    photos = holding.without_photos(part_of(tick, 1, 3))
    return HeldOut(holding.people, photos, holding.without_people(part_of(tick, 2, 3)))


@dataclass(frozen=True, eq=False)
class Holding:
    """Faces of which some are held out, by a recipe: their features are computed once.

    Parameters
    ----------
    held
        The features (n, f) of all; or, where they suffice, the products of whitened features.
    names
        The person on each; None for a face that is not enrolled.
    shape
        (h, w) of a crop.
    recipe
        How they are compared.
    fits
        The face space of all faces, if it is known already: then features are not read.
    reach
        Where faces are compared, whoever is held out; None where they are read some at a time.
    came
        Places of the faces that nothing is fitted to: `newcomers`.
    """

    held: Crops | WhitenedProducts
    names: Sequence[str | None]
    shape: tuple[int, int]
    recipe: Recipe
    fits: InnerFits | None = None
    reach: Reach | None = None
    came: Sequence[int] = ()

    @classmethod
    def of(
        cls,
        faces: FaceSet,
        rows: Sequence[int],
        recipe: Recipe,
        tick: Tick = no_tick,
        *,
        training: Training | None = None,
    ) -> Holding:
        """Return it for some rows of faces; ``training``: as in `held_out`."""
        features, crops, shape = recipe.features, faces.pixels, faces.shape
        photos, many = [faces.index.photos[row] for row in rows], len(rows) > LARGEST_EXACT
        names = [photo.person for photo in photos]
        came = newcomers(photos, training) if training else ()
        known = training if training and features == training.recipe.pixels else None
        if many and known is not None and known.space.count >= _FITTED * len(rows):
            fits = InnerFits(known.space, known.coordinates, np.asarray(rows))
            made = Crops(features.described(crops, shape))
            return cls(made, names, shape, recipe, fits, came=came)
        made = features_once(features, crops, shape, part_of(tick, 0, 2))
        if list(rows) != list(range(len(made))):
            made = made.select(rows)
        reach = None if many else reach_in(recipe, names, training)
        if many or came:
            return cls(made, names, shape, recipe, reach=reach, came=came)
        return cls.of_features(made, names, shape, recipe, part_of(tick, 1, 2), reach=reach)

    @classmethod
    def of_features(
        cls,
        made: Crops,
        names: Sequence[str | None],
        shape: tuple[int, int],
        recipe: Recipe,
        tick: Tick = no_tick,
        *,
        reach: Reach | None = None,
    ) -> Holding:
        """Return it for features (n, f) of faces; what is not compared is not kept.

        ``reach``: where faces are compared, if another than so many people's.
        """
        features, few = recipe.features, len(names) <= LARGEST_EXACT
        reach = reach or reach_in(recipe, names)
        if not (few and isinstance(features, PeopleFeatures) and recipe.matcher == BY_ANGLE):
            return cls(made, names, shape, recipe, reach=reach)
        grams = features.grams(made, part_of(tick, 0, 2))
        del made
        held = features.products(grams, names, part_of(tick, 1, 2), reach=reach)
        return cls(held, names, shape, recipe, reach=reach)

    @property
    def _features(self) -> Crops:
        assert isinstance(self.held, Crops)
        return self.held

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
        for part in map(self._asked, parts):
            best[part] = second[part] = np.inf
        some = [part for part in parts if len(self.names) - len(part) >= 2]
        find = self._by_folds if len(self.names) <= LARGEST_EXACT else self._by_few_fits
        if isinstance(self.held, WhitenedProducts):
            find = self._by_products
        for part, to_people, order in find(some, tick):
            found = Nearest.of(to_people, order)
            person[part], best[part] = found.person, found.distance
            second[part] = found.runner_up
        return Nearest(np.where(np.isfinite(best), person, -1), best, second)

    def _by_products(self, parts: Sequence[Numbers], tick: Tick) -> Iterator[_Distances]:
        """Yield the distances to people, found exactly and without fitting anew."""
        assert isinstance(self.held, WhitenedProducts)
        rows = [self.enrolled[part] for part in parts]
        distances = 1 - self.held.left_out(rows, tick)[self.enrolled]
        for part in parts:
            yield part, distances[part], order_of_people(distances[part])

    def _by_folds(self, parts: Sequence[Numbers], tick: Tick) -> Iterator[_Distances]:
        """Yield the distances to people in spaces that are each fitted without some parts."""
        matcher = self.recipe.matcher
        few = self.reach in ("means and rest", "all")
        fits = len(parts) if few else self._number_of_fits(parts, _AWAY)
        for number in range(fits):
            tick(number, fits)
            some = parts[number::fits]
            away = self.enrolled[np.concatenate(some)]
            space = self._folds.fit(self._fitted_without(away), matcher.components)
            comparison = Comparison.of(matcher, space)
            points = [comparison.compared(space.coordinates[self.enrolled])] * 2
            if space.span is not None:
                points[1] = comparison.compared(space.enrolled(self.enrolled))
            yield from self._matched(points, comparison, some, part_of(tick, number, fits))
        tick(fits, fits)

    def _matched(
        self, points: Sequence[Points], comparison: Comparison, parts: Sequence[Numbers], tick: Tick
    ) -> Iterator[_Distances]:
        """Yield the distances of each part, by its points as probes, to all others, as enrolled."""
        matcher, count = self.recipe.matcher, int(self.people.max(initial=-1)) + 1
        for number, part in enumerate(parts):
            tick(number, len(parts))
            asked, others = self._asked(part), np.setdiff1d(np.arange(len(self.people)), part)
            enrolled = Enrolled(self.people[others], count)
            compared = points[0][asked], points[1][others]
            matching = Matching(matcher, enrolled, comparison.distances, *compared)
            yield asked, matching.to_people, matching.order

    def _by_few_fits(self, parts: Sequence[Numbers], tick: Tick) -> Iterator[_Distances]:
        """Yield the distances to people among very many faces, in spaces without several parts.

        The face space of pixels is found inside that of all faces. People's features are fitted to
        some faces that are not away, as they are in training.
        """
        of_people = isinstance(self.recipe.features, PeopleFeatures)
        fits = self._number_of_fits(parts, _AWAY_OF_MANY if of_people else _AWAY)
        for number in range(fits):
            some = parts[number::fits]
            away = self.enrolled[np.concatenate(some)]
            step = part_of(tick, number, fits)
            axes, coordinates = self._space_without(away, part_of(step, 0, 2))
            comparison = Comparison.of(self.recipe.matcher, axes)
            yield from self._among(coordinates, comparison, some, part_of(step, 1, 2))
            del axes, coordinates  # or the next ones would be made beside them
        tick(fits, fits)

    def _space_without(self, away: Numbers, tick: Tick) -> tuple[Axes, Crops]:
        """Return a space fitted without some of very many faces, and the coordinates of all.

        Those in a space of people are made when they are read.
        """
        features = self.recipe.features
        if isinstance(features, PeopleFeatures):
            left = self._fitted_without(away)
            fitted = features.fit_to(self._features, self.names, self.shape, left, tick)
            return fitted, Crops(Described(self._features, fitted.project))
        gone = np.setdiff1d(np.arange(len(self.names)), self._fitted_without(away))
        space = self._inner.without(gone)
        return space, Crops(space.coordinates)

    def _among(
        self, coordinates: Crops, comparison: Comparison, parts: Sequence[Numbers], tick: Tick
    ) -> Iterator[_Distances]:
        """Yield the distances of each part to the people of all other faces (n, …)."""
        matcher = self.recipe.matcher
        if matcher.rule != "nearest" or matcher.neighbours > 1:
            points = comparison.compared(coordinates[self.enrolled], own=True)
            yield from self._matched((points, points), comparison, parts, tick)
            return
        rows, to_people = self._to_nearest(coordinates, comparison, parts, tick)
        for start in range(0, len(rows), _PROBES_AT_ONCE):
            some = slice(start, start + _PROBES_AT_ONCE)
            yield rows[some], to_people[some], order_of_people(to_people[some])

    def _to_nearest(
        self, coordinates: Crops, comparison: Comparison, parts: Sequence[Numbers], tick: Tick
    ) -> tuple[Numbers, Doubles]:
        """Return the faces (m,) of all parts that are asked about, and how far people are (m, p).

        That is the distance to each person's nearest face that is not of the same part. All are
        read once, some after others, and never held.
        """
        part_of_each, asked = np.full(len(self.people), -1), [self._asked(part) for part in parts]
        for number, part in enumerate(parts):
            part_of_each[part] = number
        rows = np.concatenate(asked)
        away = part_of_each[rows, None]
        probes = comparison.compared(coordinates[self.enrolled[rows]])
        nearest = np.full((len(rows), int(self.people.max()) + 1), np.inf)
        for start in range(0, len(self.people), _FACES_AT_ONCE):
            tick(start, len(self.people))
            some = slice(start, start + _FACES_AT_ONCE)
            faces = comparison.compared(coordinates[self.enrolled[some]], own=True)
            distances = comparison.distances(probes, faces)
            distances[away == part_of_each[some]] = np.inf
            here, who = np.unique(self.people[some], return_inverse=True)
            found = Enrolled(who, len(here)).distances(distances, "nearest")
            nearest[:, here] = np.minimum(nearest[:, here], found)
        return rows, nearest

    def _fitted_without(self, away: Numbers) -> Numbers:
        """Return the places fitted to while some are away."""
        left = np.setdiff1d(np.arange(len(self.names)), away)
        fitted = np.setdiff1d(left, self.came)
        return fitted if len(fitted) >= 2 + self.recipe.matcher.dropped else left

    def _asked(self, part: Numbers) -> Numbers:
        """Return the faces of a part that are asked about: of very many faces, some of each."""
        if len(self.names) <= LARGEST_EXACT or len(part) <= _ASKED:
            return part
        return np.sort(np.random.default_rng(_SEED).choice(part, _ASKED, replace=False))

    def _number_of_fits(self, parts: Sequence[Numbers], share: float) -> int:
        """Return how many fits there are, with at most a share of what is fitted to away."""
        of_people = isinstance(self.recipe.features, PeopleFeatures)  # not where nobody's faces are
        fitted = np.setdiff1d(self.enrolled, self.came) if of_people else self.names
        fits = ceil(sum(len(part) for part in parts) / (share * max(1, len(fitted))))
        return min(fits, len(parts))

    @cached_property
    def _inner(self) -> InnerFits:
        if self.fits is not None:
            return self.fits
        made, fitted = self._features, self._fitted_without(np.empty(0, np.intp))
        space = self.recipe.features.fit_to(made, self.names, self.shape, fitted)
        assert isinstance(space, FaceSpace)
        return InnerFits(space, made.each(space.project), np.arange(len(made)))

    @cached_property
    def _folds(self) -> Folds:
        features, of = self.recipe.features, (self._features, self.names, self.shape)
        if isinstance(features, PeopleFeatures):
            return features.folds(*of, reach=self.reach)
        return features.folds(*of)


_Distances = tuple[Numbers, Doubles, Numbers]
"""The faces of a part (g,), their distances to people (g, p), and the order of these."""


def _drawn(units: Numbers, most: int) -> list[Numbers]:
    """Return the places of each unit; of more than ``most``, so many are drawn."""
    every = np.unique(units)
    if len(every) > most:
        every = np.sort(np.random.default_rng(_SEED).choice(every, most, replace=False))
    return [np.flatnonzero(units == unit) for unit in every]


def reach_in(
    recipe: Recipe, names: Sequence[str | None], training: Training | None = None
) -> Reach | None:
    """Return where a recipe compares faces of these people; None for one that is fitted to none.

    As it was trained, however many they have become; but in all directions each fit is made anew,
    so more people are measured in the span of their means, and nobody is named until training.
    """
    if not isinstance(recipe.features, PeopleFeatures):
        return None
    by_count = reach_of(numbered(names), recipe.features.SCATTER)
    space = None if training is None else training.representation
    if not isinstance(space, DiscriminantSpace) or (space.reach, by_count) == ("all", "means"):
        return by_count
    return space.reach


def newcomers(photos: Sequence[FacePhoto], training: Training) -> Sequence[int]:
    """Return the places of photographs that a training was not fitted to.

    None, if too few of those it was fitted to are left: held out, what is fitted to these alone
    would not be the space there is either. And none of very many whose people are fitted to: there
    probes are projected as those enrolled, who may have no part outside.
    """
    of_people = isinstance(training.recipe.features, PeopleFeatures)
    if of_people and len(photos) > LARGEST_EXACT:
        return ()
    came = [at for at, photo in enumerate(photos) if not training.is_fitted_to(photo)]
    left = np.setdiff1d(np.arange(len(photos)), came)
    people = {photos[at].person for at in left} - {None}
    is_there = len(people) >= FEWEST_PEOPLE and 2 * len(left) >= len(training.fitted)
    return came if is_there else ()
