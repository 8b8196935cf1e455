"""Strangers and certainty, from the gallery alone: every recipe on the AT&T faces, 40 draws.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_open_set.py``

The protocol is that of the design: 20 people are enrolled with some photographs each, their others
are asked, and those of the other 20, who are strangers. Nothing is chosen on what is asked.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from eigenfaces import load_sample
from eigenfaces.evaluation.searches import InSpace
from eigenfaces.faces.face_set import Crops
from eigenfaces.recognition.calibration import Certainty, Guarantee, HeldOut, Refits, limit, scores
from eigenfaces.recognition.neighbours import Matching
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.folds import Folds

DRAWS, ASKED = 40, (0.01, 0.05)
"""Seeds 0 … 39, and the shares of strangers that may be named."""

ALL = {name: r for name, r in RECIPES.items() if not r.features.LEARNT_OUTSIDE} | {
    "Eigenfaces, all": Recipe.of(components=1.0)
}
"""Network has a general limit besides, which so few people are too few to tell."""
PEOPLE = np.arange(400) // 10


@dataclass(frozen=True, eq=False)
class Compared:
    """A recipe with the features of all faces, and how a fold of them is fitted."""

    recipe: Recipe
    features: Crops
    folds: Folds

    def refits(self, enrolled: Numbers) -> Refits:
        names = [str(PEOPLE[row]) for row in enrolled]
        return Refits.of_features(self.features.select(enrolled), names, self.recipe)

    def nearest(self, enrolled: Numbers, rows: Numbers) -> tuple[Doubles, Flags]:
        """Return the two nearest people's distances (m, 2) of photographs, and who is right."""
        within = InSpace(self.folds.fit(enrolled), self.recipe.matcher)
        faces = within.faces(rows), within.faces(enrolled)
        matching = Matching(within.matcher, PEOPLE[enrolled], 40, within.distances, *faces)
        to_people = matching.to_people
        return np.sort(to_people, axis=1)[:, :2], to_people.argmin(axis=1) == PEOPLE[rows]


@pytest.fixture(scope="module")
def compared() -> dict[str, Compared]:
    att, names, made = load_sample(), [str(person) for person in PEOPLE], {}
    for name, recipe in ALL.items():
        features = recipe.features.of_all(att.pixels, att.shape)
        folds = recipe.features.folds(features, names, att.shape)
        made[name] = Compared(recipe, features, folds)
    return made


@dataclass(frozen=True, eq=False)
class Draw:
    """People of whom some photographs are enrolled; their others, and strangers', are asked."""

    enrolled: Numbers
    members: Numbers
    strangers: Numbers

    @classmethod
    def of(cls, seed: int, people: int, photos: int) -> "Draw":
        rng = np.random.default_rng(seed)
        order = rng.permutation(40)
        own = np.array([10 * who + rng.permutation(10) for who in order[:people]])
        strangers = np.flatnonzero(np.isin(PEOPLE, order[20:]))
        return cls(own[:, :photos].ravel(), own[:, photos:].ravel(), strangers)


def area(members: Doubles, strangers: Doubles) -> float:
    """Return how often a member is nearer than a stranger, in %."""
    return 100 * float((members[:, None] < strangers).mean())


def mean_and_sd(name: str, values: object) -> str:
    numbers = np.asarray(values)
    return f"{name} {numbers.mean():.2f} ± {numbers.std(ddof=1):.2f}"


@pytest.mark.parametrize("people", [8, 12, 16, 20])
@pytest.mark.parametrize("name", ALL)
def test_strangers(compared: dict[str, Compared], name: str, people: int) -> None:
    """Five photographs of each of some people, their other 5 and 10 of 20 strangers."""
    rates: dict[float, list[tuple[float, ...]]] = {share: [] for share in ASKED}
    areas = []
    for seed in range(DRAWS):
        draw = Draw.of(seed, people, 5)
        away = compared[name].refits(draw.enrolled).without_people().distance
        asked = np.concatenate([draw.members, draw.strangers])
        distances, right = compared[name].nearest(draw.enrolled, asked)
        own, others = np.split(distances, [len(draw.members)])
        right = right[: len(own)]
        areas.append(area(own[:, 0], others[:, 0]))
        for share, reached in rates.items():
            threshold = limit(away, share)
            named = float((others[:, 0] < threshold).mean())
            correct = float((right & (own[:, 0] < threshold)).mean())
            met = named <= Guarantee(people, 5).upper_bound(share)
            reached.append((100 * named, 100 * correct, met))
    print(
        f"\nAT&T, {people} × 5, {name}: {mean_and_sd('AUC', areas)}; {DRAWS} draws, mean ± sd, in %"
    )
    for share, reached in rates.items():
        named_, right_, met_ = np.array(reached).T
        print(
            f"  asked {100 * share:.0f}: {mean_and_sd('strangers named', named_)}, "
            f"{mean_and_sd('DIR', right_)}, promised at most "
            f"{100 * Guarantee(people, 5).upper_bound(share):.1f}: kept in "
            f"{met_.sum():.0f} of {DRAWS}"
        )


def calibration_error(probability: Doubles, right: Flags) -> float:
    """Return the expected calibration error over ten bins of probability."""
    bins = np.minimum((10 * probability).astype(int), 9)
    apart = np.bincount(bins, probability, 10) - np.bincount(bins, right.astype(float), 10)
    return float(np.abs(apart).sum() / len(right))


@pytest.mark.parametrize("photos", [5, 2])
@pytest.mark.parametrize("name", ALL)
def test_certainty(compared: dict[str, Compared], name: str, photos: int) -> None:
    """As many strangers' photographs as members' are asked."""
    errors, pairs, sure, wrong = [], [], [], []
    for seed in range(DRAWS):
        draw = Draw.of(seed, 20, photos)
        certainty = fitted(compared[name].refits(draw.enrolled))
        count = min(len(draw.members), len(draw.strangers))
        strangers = np.random.default_rng(seed).permutation(draw.strangers)[:count]
        asked = np.concatenate([draw.members, strangers])
        both, truth = compared[name].nearest(draw.enrolled, asked)
        likely = certainty.probability(-both[:, 0], both[:, 1] - both[:, 0])
        errors.append(calibration_error(likely, truth))
        pairs.append((likely, truth))
        sure.append(100 * float((likely[len(draw.members) :] >= 0.99).mean()))
        wrong.append(100 * float((~truth[likely >= 0.99]).mean()) if (likely >= 0.99).any() else 0)
    pooled = calibration_error(*(np.concatenate(values) for values in zip(*pairs, strict=True)))
    print(
        f"\nAT&T, 20 × {photos}, {name}, half strangers, {DRAWS} draws: expected calibration error "
        f"of all draws together {pooled:.3f}, {mean_and_sd('of each', errors)}; "
        f"{mean_and_sd('strangers “sure” %', sure)}; {mean_and_sd('wrong among “sure” %', wrong)}"
    )


def fitted(refits: Refits) -> Certainty:
    """Return the certainty of a gallery, as its calibration makes it."""
    held_out = HeldOut(refits.people, refits.without_photos(), refits.without_people())
    member, stranger = (
        scores(probe.distance, probe.margin) for probe in (held_out.member, held_out.stranger)
    )
    return Certainty.fit(
        member[held_out.mated], held_out.right[held_out.mated], stranger, rough=False
    )
