"""The nearest people of each photograph, had it, or its person, never been in the gallery.

What a gallery's own photographs tell about new ones: how near a photograph is to its own person
while it is away, and how near a person's photographs are to everybody else while the person is
away, as those of a stranger. Whatever is away is neither compared with nor fitted to: a space is
refitted without it, in the principal coordinates of all faces, which are only a rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.comparison import Comparison, Enrolled, Matching, Nearest
from eigenfaces.recognition.feature_rows import made_once
from eigenfaces.recognition.features import features_once
from eigenfaces.recognition.people_features import PeopleFeatures, drawn, numbered
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Doubles, Flags, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.discriminant import people_axes
from eigenfaces.space.pca import LARGEST_EXACT, eigenpairs

MOST_PHOTOS, MOST_PEOPLE = 600, 60
"""Held out at most; with more, so many are drawn."""

MOST_FACES, COORDINATES = 1500, 1000
"""Of more faces than that, spaces are refitted in so many of their principal coordinates."""

_FOLDS = 10
"""Photographs are away in so many parts, in each at most a tenth of a person's, or one."""

_ASKED = 100
"""Photographs of a person that are asked about at most while the person is away."""

_SEED = 0


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

    Parameters
    ----------
    faces
        All faces. ``rows`` are those that are there; the named ones among them are enrolled.
    recipe
        How they are compared.
    training
        The gallery's, if there is one: its face space has the principal coordinates already.
    """
    names = [faces.index.photos[row].person for row in rows]
    if training is not None and recipe.features == training.recipe.pixels:
        space = training.space
        if len(rows) > MOST_FACES:
            space = space.first(min(len(space), COORDINATES))
        outside = max(0.0, space.total_variance - float(space.variances.sum()))
        refits = Refits(training.coordinates[[*rows], : len(space)], outside, names, recipe)
    else:
        made = features_once(recipe.features, faces.pixels, faces.shape, part_of(tick, 0, 4))
        if list(rows) != list(range(len(made))):
            made = made.select(rows)
        refits = Refits.of_features(made, names, recipe, part_of(tick, 1, 4))
    members = refits.without_photos(part_of(tick, 2, 4))
    return HeldOut(refits.people, members, refits.without_people(part_of(tick, 3, 4)))


@dataclass(frozen=True, eq=False)
class Refits:
    """Faces of which some are held out, by a recipe.

    Parameters
    ----------
    principal
        (n, r) principal coordinates of the features of all faces.
    outside
        The variance of their features beyond these coordinates.
    names
        The person on each; None for a face that is not enrolled.
    recipe
        How they are compared.
    """

    principal: Floats
    outside: float
    names: Sequence[str | None]
    recipe: Recipe

    @classmethod
    def of_features(
        cls, made: Crops, names: Sequence[str | None], recipe: Recipe, tick: Tick = no_tick
    ) -> Refits:
        """Return it for features (n, f) of faces."""
        most = None if len(made) <= MOST_FACES else COORDINATES
        fitted = drawn(numbered(names), LARGEST_EXACT)
        some = made if len(fitted) == len(made) else made_once(made.select(fitted))
        found = recipe.features.principal(some, most, tick)
        principal = found.coordinates
        if some is not made:
            principal = made.each(found.project)
        inside = float((found.singular_values**2).sum()) / (len(fitted) - 1)
        return cls(principal, max(0.0, found.total_variance - inside), names, recipe)

    @cached_property
    def enrolled(self) -> Numbers:
        """(m,) places of the enrolled faces among all."""
        return np.flatnonzero(numbered(self.names) >= 0)

    @cached_property
    def people(self) -> Numbers:
        """(m,) the number of the person on each enrolled face."""
        return numbered(self.names)[self.enrolled]

    def without_photos(self, tick: Tick = no_tick) -> Nearest:
        """Return the nearest people of each photograph while it is away.

        Ten parts are, each with a tenth of them, person by person: so of one person at most a
        tenth, or one.
        """
        places = np.arange(len(self.people))
        fold = np.empty_like(places)
        fold[np.argsort(self.people, kind="stable")] = places % _FOLDS
        asked = np.sort(_drawn(places, MOST_PHOTOS))
        parts = [asked[fold[asked] == number] for number in range(_FOLDS)]
        return self._without([(part, part) for part in parts if len(part)], tick)

    def without_people(self, tick: Tick = no_tick) -> Nearest:
        """Return the nearest people of each photograph while its person is away."""
        away = _drawn(np.unique(self.people), MOST_PEOPLE)
        parts = [np.flatnonzero(self.people == person) for person in away]
        return self._without([(part, np.sort(_drawn(part, _ASKED))) for part in parts], tick)

    def _without(self, parts: Sequence[tuple[Numbers, Numbers]], tick: Tick) -> Nearest:
        """Return the nearest people of faces asked about, while a part they are of is away.

        Each part: who is away, and of them who is asked about.
        """
        matcher, count = self.recipe.matcher, int(self.people.max(initial=-1)) + 1
        person = np.full(len(self.people), -1, np.intp)
        best, second = np.full((2, len(self.people)), np.nan)
        for number, (away, asked) in enumerate(parts):
            tick(number, len(parts))
            best[asked] = second[asked] = np.inf
            left = np.setdiff1d(self._fitted, self.enrolled[away])
            others = np.setdiff1d(np.arange(len(self.people)), away)
            if len(left) < 2 + matcher.dropped or not len(others):
                continue
            axes, coordinates = self._refitted(left)
            comparison = Comparison.of(matcher, axes)
            points = comparison.compared(coordinates)
            enrolled = Enrolled(self.people[others], count)
            matching = Matching(
                matcher, enrolled, comparison.distances, points[asked], points[others]
            )
            found = Nearest.of(matching.to_people, matching.order)
            person[asked], best[asked], second[asked] = (
                found.person,
                found.distance,
                found.runner_up,
            )
        tick(1, 1)
        return Nearest(np.where(np.isfinite(best), person, -1), best, second)

    @cached_property
    def _fitted(self) -> Numbers:
        """Places of the faces that spaces are refitted to: all, or of very many some drawn."""
        return drawn(numbered(self.names), LARGEST_EXACT)

    def _refitted(self, left: Numbers) -> tuple[_Refitted, Doubles]:
        """Return the axes of a space fitted to these faces, and all enrolled (m, k) along them."""
        rows = self.principal[left].astype(np.float64)
        mean, features = rows.mean(axis=0), self.recipe.features
        rows -= mean
        if isinstance(features, PeopleFeatures):
            axes = people_axes(rows, numbered(self.names)[left], features.SCATTER)
            variances = ((rows @ axes) ** 2).sum(axis=0) / (len(rows) - 1)
            outside = 0.0
        else:
            values, axes = eigenpairs(rows.T @ rows, len(rows) - 1)
            variances, outside = values**2 / (len(rows) - 1), self.outside
        kept = np.cumsum(variances) / max(float(variances.sum()) + outside, 1e-300)
        return _Refitted(variances, kept), (self.principal[self.enrolled] - mean) @ axes


@dataclass(frozen=True, eq=False)
class _Refitted:
    """What a comparison has to know of k axes: their variances (k,), and what 1 … k keep."""

    variances: Doubles
    kept: Doubles


def _drawn(units: Numbers, most: int) -> Numbers:
    """Return these, or of more than ``most``, so many drawn without order."""
    if len(units) <= most:
        return units
    return np.random.default_rng(_SEED).choice(units, most, replace=False)
