"""Cross-validation within a gallery: hold out each photograph and find the nearest person.

Photographs are held out while their person remains enrolled. People are also left out, to act as
strangers. Each time, the space is refitted to the remaining faces, in the principal coordinates of
all faces, which are merely a rotation of their features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.recognition.limits import USUAL_SHARE, Strangers
from eigenfaces.recognition.neighbours import Matching, Nearest, distance_in_space
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.space.principal import Principal, draw_rows, fit
from eigenfaces.text import short_repr

MOST_PHOTOS = 600  # at most this many photographs are held out, drawn if there are more
MOST_PEOPLE = 200  # the same for people, if a space is fitted again without each of them

_FOLDS = 10  # photographs are held out in this many parts, with one or a tenth per person
_MOST_PROBES = (
    100  # while a person is left out, at most this many of their photographs are compared
)
_FEWEST_COMPARED = 10  # photographs needed to measure how near they are to their own person
_MOST_PAIRS = 0.1  # with more look-alike pairs per person, a recipe cannot tell people apart
_AT_ONCE = 256  # probes that are compared with all people together
NO_PAIRS = np.empty((0, 3), np.int64)


class LookAlikeLimits(NamedTuple):
    """The distances that define when a photograph is near, fits well, or is far away."""

    near: float
    well: float
    far: float


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The results of holding out each of m enrolled photographs, in the order of enrolment."""

    people: Numbers  # (m,) the number of the person in each photograph
    member: Nearest  # the nearest people while the photograph is held out …
    stranger: Nearest  # … and while its person is left out
    own: Doubles  # (m,) distance of each photograph from its person; ∞ if it is the only one
    alike: Numbers
    """(q, 3) Pairs of people who may be one person, and so are not strangers to each other.

    The third number is the index of the first person's photograph that fits the second; −1: all.
    """

    __repr__ = short_repr

    @property
    def mated(self) -> Flags:
        """The mask (m,) of photographs held out while another of the same person was enrolled."""
        return self.member.held_out & (np.bincount(self.people)[self.people] > 1)

    @property
    def right(self) -> Flags:
        """The mask (m,) of photographs whose nearest person is the right one."""
        return self.member.person == self.people

    @property
    def person_count(self) -> int:
        """The number of people in the photographs."""
        return len(np.unique(self.people))

    @property
    def perhaps_right(self) -> Flags:
        """The mask (m,) of photographs whose nearest person is a look-alike and may be right."""
        pairs = np.concatenate([self.alike[:, :2], self.alike[:, 1::-1]])
        found = np.stack([self.people, self.member.person], axis=1)
        return (found[:, None] == pairs[None]).all(axis=2).any(axis=1)

    def look_alike_limits(self, *, general: bool) -> list[LookAlikeLimits]:
        """Return the sets of limits for finding look-alikes, in the order in which to try them.

        The first set that tells most people apart is used. With the Network recipe, there is one
        set, derived from the limit. With other recipes, “near” is the distance within which 7 in 10
        photographs lie from their own person, or 5 in 10 if too many strangers are that near.
        """
        if general:
            limit = self.strangers(general=True).law(USUAL_SHARE)
            return [LookAlikeLimits(limit, limit, limit)]
        own = self.own[self.mated & np.isfinite(self.own)]
        if len(own) < _FEWEST_COMPARED:
            return []
        far, *near = np.quantile(own, [0.95, 0.7, 0.5]).tolist()
        return [LookAlikeLimits(distance, min(near), far) for distance in near]

    def strangers(self, *, general: bool) -> Strangers:
        """Treat the photographs as those of strangers, with the `general_limit` if ``general``."""
        drawn = np.isfinite(self.stranger.distance)
        of_each = np.unique(self.people, return_counts=True)[1].astype(np.float64)
        return Strangers(self.stranger.distance[drawn], self.people[drawn], of_each, general)


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Cross-validation of a recipe, with spaces fitted to the faces that are not held out."""

    principal: Principal  # the n faces
    people: Numbers  # (n,) the person number of each face; negative if not enrolled
    recipe: Recipe

    @cached_property
    def enrolled_people(self) -> Numbers:
        """The person number (m,) of each enrolled face."""
        return self.people[self.people >= 0]

    def held_out(self, tick: Tick = no_tick, settled: Collection[tuple[int, int]] = ()) -> HeldOut:
        """Hold out each enrolled face, and return the people nearest to it.

        ``settled``: pairs of people whom the user has confirmed to be different (`look_alikes`).
        """
        member, own = self._search(self._people_folds(), part_of(tick, 0, 2))
        step = part_of(tick, 1, 2)
        stranger = self.without_people(step)
        plain = HeldOut(self.enrolled_people, member, stranger, own, NO_PAIRS)
        general = self.recipe.has_general_limit
        fewest = 1 if general else 2
        most = len(stranger.distance) if general else max(1, int(_MOST_PAIRS * plain.person_count))
        for limits in plain.look_alike_limits(general=general):
            held = plain
            while len(found := new_look_alikes(held, limits, settled, fewest)):
                alike = np.concatenate([held.alike, found])
                if len(alike) > most:
                    break
                again = self.without_people(lambda *_: step(1, 1), alike, held.stranger)
                held = replace(held, stranger=again, alike=alike)
            else:
                return held
        return plain

    def without_photos(self, tick: Tick = no_tick, fold: Numbers | None = None) -> Nearest:
        """Return the people nearest to each photograph while it is held out.

        Photographs are dealt into ten folds, with those of each person spread evenly.
        ``fold``: (m,) folds to use instead; photographs with a negative number are never held out.
        """
        return self._search(self._people_folds(fold), tick)[0]

    def without_people(
        self, tick: Tick = no_tick, alike: Numbers = NO_PAIRS, known: Nearest | None = None
    ) -> Nearest:
        """Return the people nearest to each photograph while its person is left out.

        ``alike``: (q, 3) pairs of people to leave out together, as in `HeldOut`. ``known``: an
        earlier result that ignored these pairs; it is reused for everybody else.
        """
        everybody = np.unique(self.enrolled_people)
        if self.recipe.has_general_limit:
            return self._without_people_at_once(alike, tick)
        people = draw_rows(everybody, MOST_PEOPLE)
        if known is not None:
            people = np.intersect1d(people, alike[:, :2])
        parts = []
        for person in people:
            away = np.append(alike[(alike[:, :2] == person).any(axis=1), :2], person)
            own = np.flatnonzero(self.enrolled_people == person)
            gone = np.flatnonzero(np.isin(self.enrolled_people, away))
            parts.append((gone, draw_rows(own, _MOST_PROBES)))
        return self._search(parts, tick, known)[0]

    def _without_people_at_once(self, alike: Numbers, tick: Tick) -> Nearest:
        """Return the result of `without_people` for features that are not fitted to the gallery."""
        people = self.enrolled_people
        everybody = np.arange(len(people))
        matching = self._without(np.empty(0, np.intp), everybody)
        assert matching is not None  # all axes are compared
        parts = []
        for start in range(0, len(people), _AT_ONCE):
            tick(start, len(people))
            probes = everybody[start : start + _AT_ONCE]
            to_people = replace(matching, probes=matching.probes[probes]).to_people
            to_people[np.arange(len(probes)), people[probes]] = np.inf
            for one, other in (*alike[:, :2], *alike[:, 1::-1]):
                to_people[people[probes] == one, other] = np.inf
            parts.append(Nearest.of(to_people))
        return Nearest.joined(parts)

    def own_distances(self, tick: Tick = no_tick) -> tuple[Doubles, Numbers]:
        """Return the distance (m,) of each held-out photograph from its own person.

        A distance is not finite if the person has no other photograph or the photograph is not in
        the sample. The number (m,) of the person nearest to each photograph is also returned.
        """
        nearest, own = self._search(self._people_folds(), tick)
        return own, nearest.person

    def _people_folds(self, fold: Numbers | None = None) -> list[tuple[Numbers, Numbers]]:
        places = np.arange(len(self.enrolled_people))
        if fold is None:
            fold = np.empty_like(places)
            fold[np.argsort(self.enrolled_people, kind="stable")] = places % _FOLDS
        probes = draw_rows(places, MOST_PHOTOS)
        parts = [probes[fold[probes] == number] for number in range(_FOLDS)]
        return [(part, part) for part in parts if len(part)]

    def _search(
        self, parts: Sequence[tuple[Numbers, Numbers]], tick: Tick, known: Nearest | None = None
    ) -> tuple[Nearest, Doubles]:
        """Return each held-out photograph's nearest people and distance (m,) to its own person."""
        person = np.full(len(self.enrolled_people), -1, np.intp)
        distance, runner_up, own = np.full((3, len(person)), np.nan)
        if known is not None:
            person = known.person.copy()
            distance, runner_up = known.distance.copy(), known.runner_up.copy()
        for step, (away, probes) in enumerate(parts):
            tick(step, len(parts))
            distance[probes] = runner_up[probes] = own[probes] = np.inf
            if len(away) == len(person):
                continue  # nobody is left
            matching = self._without(away, probes)
            if matching is None:
                distance[probes] = runner_up[probes] = own[probes] = np.nan
                continue
            nearest = matching.nearest
            distance[probes], runner_up[probes] = nearest.distance, nearest.runner_up
            person[probes] = np.where(np.isfinite(nearest.distance), nearest.person, -1)
            own_people = self.enrolled_people[probes]
            own[probes] = matching.to_people[np.arange(len(probes)), own_people]
        tick(1, 1)
        return Nearest(person, distance, runner_up), own

    def _without(self, away: Numbers, probes: Numbers) -> Matching | None:
        """Compare probes with the enrolled faces that are not held out.

        Return None if too few faces are left for any component to be compared.
        """
        matcher = self.recipe.matcher
        people = self.enrolled_people
        enrolled = np.flatnonzero(self.people >= 0)
        train = np.setdiff1d(np.arange(len(self.people)), enrolled[away])
        others = np.setdiff1d(np.arange(len(people)), away)
        if len(train) < 2:
            return None
        fitted = fit(self.principal, train, self.people, self.recipe.features.SCATTER)
        k = fewest_components(fitted.variance_kept, matcher.components)
        if 0 < matcher.dropped >= k:
            return None
        distance = distance_in_space(matcher, fitted.variances, fitted.variance_kept)
        coordinates = fitted.project(self.principal.coordinates[enrolled])
        points = distance.standardised(coordinates)
        return Matching(
            rule=matcher.rule,
            people=people[others],
            count=int(people.max()) + 1,
            distances=distance.between,
            probes=points[probes],
            photos=points[others],
            mean_scatter=self.recipe.mean_scatter,
        )


def new_look_alikes(
    held: HeldOut, limits: LookAlikeLimits, settled: Collection[tuple[int, int]], fewest: int
) -> Numbers:
    """Return new pairs (q, 3) of people who may be one person, in the format of `HeldOut.alike`.

    A photograph fits a person to whom it is ``near`` while its own person is left out. Two people
    with at least ``fewest`` photographs each may be one if half or more of the photographs of each
    fit the other. One photograph may show another person if it fits well and is far from its own.
    """
    people, stranger = held.people, held.stranger
    of_each = np.bincount(people)
    fits = stranger.distance < limits.near
    fitting = Counter(zip(people[fits].tolist(), stranger.person[fits].tolist(), strict=True))
    share = {pair: times / of_each[pair[0]] for pair, times in fitting.items()}
    found = dict[tuple[int, int], int]()
    for (a, b), part in share.items():
        if a < b and min(part, share.get((b, a), 0)) >= 0.5 and min(of_each[[a, b]]) >= fewest:
            found[a, b] = -1
    far = (held.own > limits.far) & np.isfinite(held.own)
    lone = (stranger.distance < limits.well) & far & (of_each[people] > 2)
    for row in np.flatnonzero(lone).tolist():
        pair = int(people[row]), int(stranger.person[row])
        if not {pair, pair[::-1]} & found.keys():
            found[pair] = row
    known = {(a, b) for a, b, _ in held.alike.tolist()} | {*settled}
    new = [(a, b, row) for (a, b), row in found.items() if not {(a, b), (b, a)} & known]
    return np.array(new, np.int64).reshape(-1, 3)
