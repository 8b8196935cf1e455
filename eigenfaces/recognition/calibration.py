"""What distances mean in a gallery: measured on its own photographs, each of them held out.

Held out are photographs, while their person stays enrolled, and people, who are then strangers. A
space is refitted without them, in the principal coordinates of all faces, only a rotation. From
this follow the limit for strangers, the promise, and how certain a name is, in this state only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.faces.general_model import SymmetricFaceSpace, face_vectors, general_faces
from eigenfaces.recognition.features import draw_rows, person_numbers
from eigenfaces.recognition.neighbours import Comparison, Matching, Nearest
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.statistics import CONFIDENCE, Histogram, Rate, bin_edges
from eigenfaces.space.arrays import Doubles, Flags, Floats, Numbers
from eigenfaces.space.discriminant import people_axes
from eigenfaces.space.pca import LARGEST_EXACT, eigenpairs
from eigenfaces.text import count, percent, short_repr

USUAL_SHARE = 0.01  # of strangers, who may be named at most, if nothing else is said
SHARES = (0.001, 0.01, 0.02, 0.05, 0.1)  # those that are offered, and shown side by side
FEWEST_PEOPLE = 3  # with fewer there is nobody whom a stranger could be told by

SURE, LIKELY, PERHAPS = 0.99, 0.90, 0.5  # the least probabilities of these words
ENOUGH_PEOPLE, ENOUGH_PHOTOS = 20, 5  # with fewer, and of each, the words are rough
METHOD = 5  # raised where the same gallery is measured otherwise, and so anew

MOST_PHOTOS, MOST_PEOPLE = 600, 60  # held out at most; with more, so many are drawn
MOST_FACES, COORDINATES = 1500, 1000  # of more faces, coordinates that are refitted in
MOST_FITTED = 3000  # of more faces so many are drawn to fit the space of faces to

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
            f"A limit for strangers needs at least {FEWEST_PEOPLE} people in the gallery."
        )
    rank = math.ceil((len(strangers) + 1) * (1 - share) - 1e-9)  # 0.95 · 100 is 95
    return float(np.sort(strangers)[-min(max(rank, 1), len(strangers))])


def limit_in(strangers: Doubles, people: int, share: float, *, outside: bool) -> float:
    """Return that limit among so many people; one learnt ``outside`` can only be tightened."""
    if not outside:
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
        weights, ridge = np.zeros(3), np.diag([1e-9, 1, 1])
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


def held_out(faces: FaceSet, rows: Sequence[int], recipe: Recipe, tick: Tick = no_tick) -> HeldOut:
    """Return the nearest people of each enrolled face of some rows while it is held out."""
    refits = CrossValidation.of_faces(faces, rows, recipe, part_of(tick, 0, 2))
    members = refits.without_photos(part_of(tick, 2, 4))
    return HeldOut(refits.people, members, refits.without_people(part_of(tick, 3, 4)))


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Faces of which some are held out, by a recipe.

    What is fitted without them is fitted in the principal coordinates of all faces: these are a
    rotation of the features, so of up to `MOST_FACES` nothing is lost.
    """

    principal: Floats  # (n, r) coordinates of their features
    outside: float  # the variance that these leave out
    names: Sequence[str | None]  # of the person on each; None if it is not enrolled
    recipe: Recipe

    @classmethod
    def of_faces(
        cls, faces: FaceSet, rows: Sequence[int], recipe: Recipe, tick: Tick = no_tick
    ) -> CrossValidation:
        """Return it for some rows of faces; the named ones are enrolled."""
        names = [faces.index.photos[row].person for row in rows]
        recipe.features.read_photographs(faces, part_of(tick, 0, 3))
        crops, step = faces.pixels.select(rows), part_of(tick, 1, 3)
        features = recipe.features.of_all(crops, faces.shape, step)
        return cls.of_features(features, names, recipe, part_of(tick, 2, 3))

    @classmethod
    def of_features(
        cls,
        features: Crops,
        names: Sequence[str | None],
        recipe: Recipe,
        tick: Tick = no_tick,
    ) -> CrossValidation:
        """Return it for features (n, f), of which very many are fitted to by a part of them."""
        most = None if len(features) <= MOST_FACES else COORDINATES
        fitted = draw_rows(np.arange(len(features)), LARGEST_EXACT)
        every = len(fitted) == len(features)
        some = features if every else features.select(fitted)
        made = recipe.features.principal(some, most, tick)
        principal = made.coordinates if every else features.apply(made.project)
        inside = float((made.singular_values**2).sum()) / max(len(fitted) - 1, 1)
        return cls(principal, max(0.0, made.total_variance - inside), names, recipe)

    @cached_property
    def _numbers(self) -> Numbers:
        """(n,) the number of the person on each; negative for one that is not enrolled."""
        return person_numbers(self.names)

    @cached_property
    def people(self) -> Numbers:
        """(m,) the number of the person on each enrolled face."""
        return self._numbers[self._numbers >= 0]

    def without_photos(self, tick: Tick = no_tick, fold: Numbers | None = None) -> Nearest:
        """Return the nearest people of each photograph while it is away.

        Ten parts are, each with a tenth of them, person by person: so of one person at most a
        tenth, or one. ``fold``: (m,) other parts; a negative one never is.
        """
        return self._search(self._people_folds(fold), tick)[0]

    def without_people(self, tick: Tick = no_tick) -> Nearest:
        """Return the nearest people of each photograph while its person is away."""
        people = draw_rows(np.unique(self.people), MOST_PEOPLE)
        parts = [np.flatnonzero(self.people == person) for person in people]
        return self._search([(part, draw_rows(part, _MOST_PROBES)) for part in parts], tick)[0]

    def own_distances(self, tick: Tick = no_tick) -> tuple[Doubles, Numbers]:
        """Return the distance (m,) of each photograph from its own person while it is away.

        Not finite where nothing else is left of the person or the photograph was not drawn; and the
        number (m,) of the nearest person.
        """
        nearest, own = self._search(self._people_folds(), tick)
        return own, nearest.person

    def _people_folds(self, fold: Numbers | None = None) -> list[tuple[Numbers, Numbers]]:
        places = np.arange(len(self.people))
        if fold is None:
            fold = np.empty_like(places)
            fold[np.argsort(self.people, kind="stable")] = places % _FOLDS
        probes = draw_rows(places, MOST_PHOTOS)
        parts = [probes[fold[probes] == number] for number in range(_FOLDS)]
        return [(part, part) for part in parts if len(part)]

    def _search(
        self, parts: Sequence[tuple[Numbers, Numbers]], tick: Tick
    ) -> tuple[Nearest, Doubles]:
        """Return the nearest people of those compared, and their distances (m,) from their own."""
        person = np.full(len(self.people), -1, np.intp)
        distance, runner_up, own = distances = np.full((3, len(person)), np.nan)
        for _, probes in parts:
            distances[:, probes] = np.inf
        for probes, matching in self._without(parts, tick):
            nearest = matching.nearest
            distance[probes], runner_up[probes] = nearest.distance, nearest.runner_up
            person[probes] = np.where(np.isfinite(nearest.distance), nearest.person, -1)
            own[probes] = matching.to_people[np.arange(len(probes)), self.people[probes]]
        return Nearest(person, distance, runner_up), own

    def _without(
        self, parts: Sequence[tuple[Numbers, Numbers]], tick: Tick
    ) -> Iterator[tuple[Numbers, Matching]]:
        """Yield, for each part (who is away, who is compared), how the latter are matched."""
        matcher, features = self.recipe.matcher, self.recipe.features
        enrolled, everybody = np.flatnonzero(self._numbers >= 0), np.arange(len(self.people))
        fitted = draw_rows(np.arange(len(self._numbers)), LARGEST_EXACT)
        count = int(self.people.max(initial=-1)) + 1
        for step, (away, probes) in enumerate(parts):
            tick(step, len(parts))
            train, others = np.setdiff1d(fitted, enrolled[away]), np.setdiff1d(everybody, away)
            if len(train) < 2 + matcher.dropped or not len(others):
                continue
            rows = self.principal[train].astype(np.float64)
            mean = rows.mean(axis=0)
            rows -= mean
            axes, outside = np.eye(rows.shape[1]), 0.0
            if features.SCATTER is not None:
                axes = people_axes(rows, self._numbers[train], features.SCATTER)
            elif not features.PRETRAINED:
                axes, outside = eigenpairs(rows.T @ rows, len(rows) - 1)[1], self.outside
            coordinates = (self.principal - mean) @ axes
            variances = (coordinates[train] ** 2).sum(axis=0) / (len(train) - 1)
            kept = np.cumsum(variances) / max(float(variances.sum()) + outside, 1e-300)
            by = Comparison.of(matcher, variances, kept)
            points = by.first_k(coordinates[enrolled])
            known = self.people[others], count, by.distances
            yield probes, Matching(matcher, *known, points[probes], points[others])
        tick(1, 1)


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
        general, residuals = general_faces(), np.empty(len(crops))
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

    def left_over(self, crops: Floats) -> Doubles:
        """Return the share (n,) of the contrast of crops (n, h, w) that no face can express."""
        return self.residuals(face_vectors(crops))


@dataclass(frozen=True, eq=False)
class Calibration:
    """The held-out photographs of a gallery, and what follows from them.

    What is learnt ``outside`` (`Features.PRETRAINED`) has a limit for strangers, and a
    certainty, of its own, in a gallery of any size.
    """

    basis: str  # the state of the gallery: `Gallery.calibration_key`
    held: HeldOut
    likeness: FacenessModel  # says whether a crop is a face at all
    left_over: Doubles  # (m,) the share of the contrast of each held-out one that is no face
    outside: bool = False

    __repr__ = short_repr

    @classmethod
    def of(
        cls, faces: FaceSet, rows: Sequence[int], recipe: Recipe, basis: str, tick: Tick = no_tick
    ) -> Calibration:
        """Return the calibration by a recipe of rows of faces; the named ones are enrolled."""
        held = held_out(faces, rows, recipe, part_of(tick, 0, 2))
        enrolled = [row for row in rows if faces.index.photos[row].person is not None]
        crops, step = faces.pixels.select(enrolled), part_of(tick, 1, 2)
        likeness, left_over = FacenessModel.fit(crops, faces.shape, held.people, step)
        return cls(basis, held, likeness, left_over, recipe.features.PRETRAINED)

    @property
    def reason(self) -> str:
        """Why there is no threshold for strangers; empty where there is one."""
        if self.outside or self.held.count >= FEWEST_PEOPLE:
            return ""
        return (
            f"There is no limit for strangers with fewer than {FEWEST_PEOPLE} people: nobody "
            "can be left out and still be told from two others. Add more people."
        )

    def limit(self, share: float) -> float | None:
        """Return the distance within which at most a share of strangers lies; None: unknown."""
        if self.reason:
            return None
        strangers = self.held.stranger.distance[self.held.stranger.held_out]
        return limit_in(strangers, self.held.count, share, outside=self.outside)

    @property
    def guarantee(self) -> Guarantee | None:
        """What so many people can promise about strangers; None where others were learnt from."""
        if self.outside and self.held.count < ENOUGH_PEOPLE:
            return None
        away = self.held.people[self.held.stranger.held_out]
        people = len(np.unique(away))
        return Guarantee(people, len(away) / people)

    @cached_property
    def certainty(self) -> Certainty:
        """The probability that the nearest person is the right one."""
        held, mated, photos = self.held, self.held.mated, len(self.held.people)
        rough = held.count < ENOUGH_PEOPLE or photos < ENOUGH_PHOTOS * held.count
        if rough and self.outside:
            return Certainty(*network.CERTAINTY, rough=False)
        strangers = held.stranger.scores[held.stranger.held_out]
        return Certainty.fit(held.member.scores[mated], held.right[mated], strangers, rough=rough)

    def probability(self, distance: float, runner_up: float) -> float:
        """Return the probability that a face at this distance shows the nearest person."""
        nearest = Nearest(np.zeros(1, np.intp), np.array([distance]), np.array([runner_up]))
        return float(self.certainty.probability(nearest.scores)[0])


def naming_words(calibration: Calibration, duplicates: int = 0) -> str:
    """Return how often held-out photographs are named rightly, compared with guessing."""
    held = calibration.held
    rate, guess = Rate.among(held.right[held.mated], held.people[held.mated]), 1 / held.count
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
    mated, non_mated = held.member.distance[held.mated], held.stranger.distance
    mated, non_mated = mated[np.isfinite(mated)], non_mated[np.isfinite(non_mated)]
    if not mated.size or not non_mated.size:
        return None
    return Histogram.of(bin_edges(np.concatenate([mated, non_mated])), mated, non_mated)
