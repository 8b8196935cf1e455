"""What distances mean in a gallery: measured on its own photographs, each of them held out.

Held out are photographs, while their person stays enrolled, and people, who are then strangers. A
space is refitted without them, in the principal coordinates of all faces, only a rotation. From
this follow the limit for strangers, the promise, and how certain a name is, in this state only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.face_set import Crops
from eigenfaces.faces.general_model import SymmetricFaceSpace, face_vectors, general_faces
from eigenfaces.recognition.neighbours import Matching, Nearest, distance_along
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.statistics import CONFIDENCE, Histogram, Rate, bin_edges
from eigenfaces.space.arrays import Doubles, Flags, Floats, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.space.principal import MOST_FITTED, Principal, draw_rows, fit
from eigenfaces.text import count, percent, short_repr

USUAL_SHARE = 0.01  # of strangers, who may be named at most, if nothing else is said
SHARES = (0.001, 0.01, 0.02, 0.05, 0.1)  # those that are offered, and shown side by side
FEWEST_FOR_LIMIT = 3  # with fewer there is nobody whom a stranger could be told by

SURE, LIKELY, PERHAPS = 0.99, 0.90, 0.5  # the least probabilities of these words
ENOUGH_PEOPLE, ENOUGH_PHOTOS = 20, 5  # with fewer, and of each, the words are rough
METHOD = 5  # raised where the same gallery is measured otherwise, and so anew

MOST_PHOTOS, MOST_PEOPLE = 600, 60  # held out at most; with more, so many are drawn

_FOLDS = 10  # photographs are away in so many parts: of a person at most a tenth, or one
_MOST_PROBES = 100  # photographs of a person that are compared at most while the person is away
_GROUPS = 5  # of people, held out of the space of faces together
_PASSING = 0.98  # share of the gallery's own faces, held out, that pass for faces
_CORRELATION = 0.4  # within a class: how much photographs of one person say the same
_PENALTY = 10.0  # C: the weight of all photographs against the squared coefficients


def check_share(share: float) -> None:
    """Raise `EigenfacesError` if this is no share of strangers to be named."""
    if not 0 <= share <= 1:
        raise EigenfacesError("Give the share of strangers that may be named from 0 to 1.")


def conformal_limit(strangers: Doubles, share: float) -> float:
    """Return the distance below which at most a share of strangers lies: a face there is named.

    Of m distances, from the farthest to the nearest, the ⌈(m + 1)(1 − share)⌉-th, or the nearest
    where there is none such: no model, no interpolation (the conformal quantile: V. Vovk and
    others, *Algorithmic learning in a random world*, 2005).

    ``strangers``: (m,) how far each photograph of somebody left out is from the nearest person.

    >>> distances = np.arange(1, 100) / 100
    >>> conformal_limit(distances, 0.05), conformal_limit(distances, 0.001)
    (0.05, 0.01)
    """
    check_share(share)
    if not len(strangers):
        raise EigenfacesError(
            f"A limit for strangers needs at least {FEWEST_FOR_LIMIT} people in the gallery."
        )
    rank = math.ceil((len(strangers) + 1) * (1 - share) - 1e-9)  # 0.95 · 100 is 95
    return float(np.sort(strangers)[-min(max(rank, 1), len(strangers))])


def limit_in(strangers: Doubles, people: int, share: float, *, pretrained: bool) -> float:
    """Return that limit among so many people; a ``pretrained`` recipe’s is only tightened."""
    if not pretrained:
        return conformal_limit(strangers, share)
    general = network.general_limit(share)
    return general if people < ENOUGH_PEOPLE else min(general, conformal_limit(strangers, share))


@dataclass(frozen=True)
class Guarantee:
    """What a gallery of N ``people`` with m ``photos`` each on average can promise about strangers.

    >>> round(Guarantee(20, 5).minimum, 3), round(Guarantee(100, 5).upper_bound(0.05), 3)
    (0.075, 0.084)
    """

    people: int
    photos: float

    @property
    def effective_strangers(self) -> float:
        """How many independent strangers its people stand for: N m / (1 + 0.4 (m − 1))."""
        return self.people * self.photos / (1 + _CORRELATION * (self.photos - 1))

    @property
    def minimum(self) -> float:
        """The smallest share that can be promised with 95 % confidence: 1 − 0.05^(1 / n)."""
        return 1 - (1 - CONFIDENCE) ** (1 / self.effective_strangers)

    def upper_bound(self, share: float) -> float:
        """Return the 95 % upper bound (Clopper and Pearson) of the share of strangers named."""
        from scipy.special import betaincinv

        named = share * self.effective_strangers
        if named >= self.effective_strangers:
            return 1.0
        return float(betaincinv(named + 1, self.effective_strangers - named, CONFIDENCE))


@dataclass(frozen=True, eq=False)
class Certainty:
    """The probability that a name is right, from its score and its margin to the runner-up."""

    mean: Doubles  # (2,) of both …
    deviation: Doubles  # … by which they are standardised
    weights: Doubles  # (3,) of the log-odds: a constant, the score, the margin
    rough: bool  # whether there are too few people, or photographs of each

    @classmethod
    def fit(cls, seen: Doubles, right: Flags, strangers: Doubles, *, rough: bool) -> Certainty:
        """Return the logistic regression of right and wrong names, by Newton's method.

        It minimises C Σ share · log(1 + exp(−± w·x)) + ½ ‖w without its constant‖², of standardised
        x: `Nearest.scores` of photographs held out, ``seen`` (m, 2), and of people left out,
        ``strangers`` (s, 2), whose names are wrong. Both weigh as much.
        """
        points = np.concatenate([seen, strangers])
        truth = np.concatenate([right, np.zeros(len(strangers), bool)])
        sizes = [max(len(seen), 1), max(len(strangers), 1)]
        shares = np.repeat(1 / np.array(sizes), [len(seen), len(strangers)])
        shares *= len(points) / shares.sum()
        mean = shares @ points / len(points)
        spread = np.sqrt(shares @ (points - mean) ** 2 / len(points))
        deviation = np.where(spread > 0, spread, 1.0)
        inputs = np.column_stack([np.ones(len(points)), (points - mean) / deviation])
        weights = np.zeros(3)
        ridge = np.diag([1e-9, 1, 1])
        for _ in range(100):
            probability = _sigmoid(inputs @ weights)
            gradient = _PENALTY * inputs.T @ (shares * (probability - truth)) + ridge @ weights
            curvature = shares * probability * (1 - probability)
            hessian = _PENALTY * (inputs.T * curvature) @ inputs + ridge
            step = np.linalg.solve(hessian, gradient)
            largest = float(np.abs(step).max())
            weights = weights - step * min(1.0, 5 / max(largest, 1e-300))
            if largest < 1e-9:
                break
        return cls(mean, deviation, weights, rough)

    def probability(self, scores: Doubles) -> Doubles:
        """Return the probability (m,) that the nearest person is right; of `Nearest.scores`."""
        inputs = (scores - self.mean) / self.deviation
        return _sigmoid(self.weights[0] + inputs @ self.weights[1:])


def _sigmoid(log_odds: Doubles) -> Doubles:
    return 0.5 * (1 + np.tanh(0.5 * log_odds))


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The m enrolled photographs of a gallery, each held out, in the order of enrolment."""

    people: Numbers  # (m,) the number of the person on each
    member: Nearest  # the nearest people while the photograph is away …
    stranger: Nearest  # … and while its person is

    __repr__ = short_repr

    @property
    def mated(self) -> Flags:
        """(m,) whether it was held out while another photograph of its person was enrolled."""
        return self.member.held_out & (np.bincount(self.people)[self.people] > 1)

    @property
    def right(self) -> Flags:
        """(m,) whether the nearest person is the right one."""
        return self.member.person == self.people

    @property
    def count(self) -> int:
        """The number of people."""
        return len(np.unique(self.people))


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Faces of which some are held out, by a recipe: what is left is fitted without them."""

    principal: Principal  # the n faces
    people: Numbers  # (n,) the number of the person on each; negative for one that is not enrolled
    recipe: Recipe

    @cached_property
    def enrolled_people(self) -> Numbers:
        """(m,) the number of the person on each enrolled face."""
        return self.people[self.people >= 0]

    def held_out(self, tick: Tick = no_tick) -> HeldOut:
        """Return the nearest people of each enrolled face while it is held out."""
        members = self.without_photos(part_of(tick, 0, 2))
        strangers = self.without_people(part_of(tick, 1, 2))
        return HeldOut(self.enrolled_people, members, strangers)

    def without_photos(self, tick: Tick = no_tick, fold: Numbers | None = None) -> Nearest:
        """Return the nearest people of each photograph while it is away.

        Ten parts are, each with a tenth of them, person by person: so of one person at most a
        tenth, or one. ``fold``: (m,) other parts; a negative one never is.
        """
        return self._search(self._people_folds(fold), tick)[0]

    def without_people(self, tick: Tick = no_tick) -> Nearest:
        """Return the nearest people of each photograph while its person is away."""
        people = draw_rows(np.unique(self.enrolled_people), MOST_PEOPLE)
        parts = [np.flatnonzero(self.enrolled_people == person) for person in people]
        return self._search([(part, draw_rows(part, _MOST_PROBES)) for part in parts], tick)[0]

    def own_distances(self, tick: Tick = no_tick) -> tuple[Doubles, Numbers]:
        """Return the distance (m,) of each photograph from its own person while it is away.

        Not finite where nothing else is left of the person or the photograph was not drawn; and the
        number (m,) of the nearest person.
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
        self, parts: Sequence[tuple[Numbers, Numbers]], tick: Tick
    ) -> tuple[Nearest, Doubles]:
        """Return the nearest people of those compared, and their distances (m,) from their own."""
        person = np.full(len(self.enrolled_people), -1, np.intp)
        distance, runner_up, own = np.full((3, len(person)), np.nan)
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
        """Return how probes are matched while some of the enrolled are away.

        None where too few faces are left, so that no component is left to compare.
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
        distance = distance_along(matcher, fitted.variances, fitted.variance_kept)
        coordinates = fitted.project(self.principal.coordinates[enrolled])
        points = distance.standardised(coordinates)
        return Matching(
            rule=matcher.rule,
            people=people[others],
            count=int(people.max()) + 1,
            distances=distance.between,
            probes=points[probes],
            photos=points[others],
        )


@dataclass(frozen=True, eq=False)
class FacenessModel(SymmetricFaceSpace):
    """The space of faces in general and of a gallery's own, and the limit of what is a face in it.

    A crop's residual is its distance *from* that space (M. Turk and A. Pentland, 1991), as a share
    of its contrast after `prepare.tan_triggs`. Of few faces it is more than the ``limit``, 0…1.
    """

    limit: float

    __repr__ = short_repr

    @classmethod
    def fit(
        cls, crops: Crops, shape: tuple[int, int], people: Numbers, tick: Tick = no_tick
    ) -> tuple[FacenessModel, Doubles]:
        """Return it for crops of (h, w), and the residual (n,) of each, its person held out.

        What is like faces in general is a face: of a few photographs the farthest is no limit.
        """
        general = general_faces()
        residuals = np.empty(len(crops))
        vectors = crops.apply(
            lambda some: face_vectors(some.reshape(-1, *shape)), part_of(tick, 0, 2)
        )
        fitted = np.isin(np.arange(len(crops)), draw_rows(np.arange(len(crops)), MOST_FITTED))
        group = np.unique(people, return_inverse=True)[1] % _GROUPS
        for fifth in np.unique(group).tolist():
            part_of(tick, 1, 2)(fifth, _GROUPS)
            away = group == fifth
            space = general.joint_space(vectors, np.flatnonzero(fitted & ~away))
            residuals[away] = space.residuals(vectors[away])
        space = general.joint_space(vectors, np.flatnonzero(fitted))
        tick(1, 1)
        most = max(-conformal_limit(-residuals, 1 - _PASSING), float(general.limit))
        return cls(space.mean, space.symmetric, space.antisymmetric, most), residuals

    def face_residual(self, crops: Floats) -> Doubles:
        """Return the share (n,) of the contrast of crops (n, h, w) that no face can express."""
        return self.residuals(face_vectors(crops))


@dataclass(frozen=True, eq=False)
class Calibration:
    """The held-out photographs of a gallery, and what follows from them.

    A ``pretrained`` recipe (`Features.PRETRAINED`) has a limit for strangers, and a
    certainty, of its own, in a gallery of any size.
    """

    state_key: str  # the state of the gallery: `Gallery.calibration_key`
    held_out: HeldOut
    likeness: FacenessModel  # says whether a crop is a face at all
    face_residual: Doubles  # (m,) the share of the contrast of each held-out one that is no face
    pretrained: bool = False

    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        refits: CrossValidation,
        crops: Crops,
        shape: tuple[int, int],
        state_key: str,
        tick: Tick = no_tick,
    ) -> Calibration:
        """Return the calibration of faces by a recipe; ``crops`` are those of the m enrolled."""
        held = refits.held_out(part_of(tick, 0, 2))
        likeness, face_residual = FacenessModel.fit(crops, shape, held.people, part_of(tick, 1, 2))
        return cls(state_key, held, likeness, face_residual, refits.recipe.features.PRETRAINED)

    @property
    def reason(self) -> str:
        """Why there is no threshold for strangers; empty where there is one."""
        if self.pretrained:
            return ""
        if self.held_out.count >= FEWEST_FOR_LIMIT:
            if self.held_out.stranger.held_out.any():
                return ""
            return (
                "There is no limit for strangers: without the photographs of one person, no "
                "component is left to compare. Drop fewer of the leading components."
            )
        return (
            f"There is no limit for strangers with fewer than {FEWEST_FOR_LIMIT} people: nobody "
            "can be left out and still be told from two others. Add more people."
        )

    def limit(self, share: float) -> float | None:
        """Return the distance within which at most a share of strangers lies; None: unknown."""
        if self.reason:
            return None
        strangers = self.held_out.stranger.distance[self.held_out.stranger.held_out]
        return limit_in(strangers, self.held_out.count, share, pretrained=self.pretrained)

    @property
    def guarantee(self) -> Guarantee | None:
        """What so many people can promise about strangers; None where others were learnt from."""
        if self.pretrained and self.held_out.count < ENOUGH_PEOPLE:
            return None
        away = self.held_out.people[self.held_out.stranger.held_out]
        people = len(np.unique(away))
        return Guarantee(people, len(away) / people)

    @cached_property
    def certainty(self) -> Certainty:
        """The probability that the nearest person is the right one."""
        held = self.held_out
        mated = self.held_out.mated
        photos = len(self.held_out.people)
        rough = held.count < ENOUGH_PEOPLE or photos < ENOUGH_PHOTOS * held.count
        if rough and self.pretrained:
            return Certainty(*network.CERTAINTY, rough=False)
        strangers = held.stranger.scores[held.stranger.held_out]
        return Certainty.fit(held.member.scores[mated], held.right[mated], strangers, rough=rough)

    def probability(self, distance: float, runner_up: float) -> float:
        """Return the probability that a face at this distance shows the nearest person."""
        nearest = Nearest(np.zeros(1, np.intp), np.array([distance]), np.array([runner_up]))
        return float(self.certainty.probability(nearest.scores)[0])


def naming_words(calibration: Calibration, duplicates: int = 0) -> str:
    """Return how often held-out photographs are named rightly, compared with guessing."""
    held = calibration.held_out
    rate = Rate.among(held.right[held.mated], held.people[held.mated])
    guess = 1 / held.count
    if not rate.of:
        return "Nobody has two photographs, so it is not known how often names are right."
    if held.count == 1:
        return "Only one person is known, so there is nobody else to take a photo for."
    worth = f"guessing gives {percent(guess)}"
    if rate.low <= guess:
        worth = f"no better than guessing ({percent(guess)}), so a name means nothing"
    copies = f" {duplicates:,} are nearly the same picture as another, which flatters this figure."
    return (
        f"Held out, {rate.count:,} of {count(rate.of, 'photo')} are nearest to the right person: "
        f"{rate.words()}; {worth}.{copies if duplicates else ''}"
    )


def held_out_histogram(held: HeldOut) -> Histogram | None:
    """Return how far the photographs of a gallery, held out, are from the nearest person in it.

    Mated are those whose person is still enrolled; non-mated, the strangers that all of them are
    while their person is away. None where there are not both.
    """
    mated = held.member.distance[held.mated]
    non_mated = held.stranger.distance
    mated, non_mated = mated[np.isfinite(mated)], non_mated[np.isfinite(non_mated)]
    if not mated.size or not non_mated.size:
        return None
    return Histogram.of(bin_edges(np.concatenate([mated, non_mated])), mated, non_mated)
