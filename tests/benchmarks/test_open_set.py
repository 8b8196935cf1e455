"""Strangers and certainty, from the gallery alone: every recipe on the AT&T faces, 40 draws.

The protocol is that of the design: 20 people are enrolled with some photographs each, their others
are asked, and those of the other 20, who are strangers. Nothing is chosen on what is asked.
"""

from functools import cache

import numpy as np
import pytest
from measuring import draws, members_and_strangers, spread

from eigenfaces import load_sample
from eigenfaces.evaluation.run import fit_fold, principal_of
from eigenfaces.evaluation.searches import FoldPoints
from eigenfaces.recognition.certainty import Certainty
from eigenfaces.recognition.held_out import CrossValidation
from eigenfaces.recognition.limits import Guarantee, conformal_limit
from eigenfaces.recognition.neighbours import Matching
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Doubles, Flags, Numbers

SEEDS, ASKED, MEMBERS = draws(40), (0.01, 0.05), 20
"""Draws, shares of strangers that may be named, and people enrolled."""

ALL = [name for name, recipe in RECIPES.items() if not recipe.features.PRETRAINED]
"""Network has a general limit besides, which so few people are too few to tell."""

PEOPLE = np.arange(400) // 10


class OpenSetRecipe:
    """A recipe with all faces in the principal coordinates of their features."""

    def __init__(self, name: str) -> None:
        self.recipe = RECIPES[name]
        self.principal = principal_of(load_sample(), self.recipe.features)

    def refits(self, enrolled: Numbers) -> CrossValidation:
        people = np.unique(PEOPLE[enrolled], return_inverse=True)[1]
        return CrossValidation(self.principal.select(enrolled), people, self.recipe)

    def nearest(self, enrolled: Numbers, rows: Numbers) -> tuple[Doubles, Flags]:
        """Return the two nearest people's distances (m, 2) of photographs, and who is right."""
        fitted = fit_fold(self.principal, enrolled, PEOPLE, self.recipe)
        within = FoldPoints.of(self.principal, fitted, self.recipe)
        matching = Matching(
            rule=within.rule,
            people=PEOPLE[enrolled],
            count=40,
            distances=within.distances,
            probes=within.points[rows],
            photos=within.points[enrolled],
        )
        to_people = matching.to_people
        return np.sort(to_people, axis=1)[:, :2], to_people.argmin(axis=1) == PEOPLE[rows]


compared = cache(OpenSetRecipe)


@pytest.mark.parametrize("name", ALL)
def test_strangers(name: str) -> None:
    """Five photographs of each of some people, their other 5 and 10 of 20 strangers."""
    reached: dict[float, list[tuple[float, ...]]] = {share: [] for share in ASKED}
    for seed in SEEDS:
        enrolled, members, strangers = members_and_strangers(PEOPLE, MEMBERS, seed)
        away = compared(name).refits(enrolled).held_out().stranger.distance
        far, right = compared(name).nearest(enrolled, np.concatenate([members, strangers]))
        n = len(members)
        for share in ASKED:
            threshold = conformal_limit(away, share)
            named = float((far[n:, 0] < threshold).mean())
            correct = float((right[:n] & (far[:n, 0] < threshold)).mean())
            met = named <= Guarantee(MEMBERS, 5).upper_bound(share)
            reached[share].append((100 * named, 100 * correct, met))
    print(f"\nAT&T, {MEMBERS} × 5, {name}; {len(SEEDS)} draws, mean ± sd (range), in %")
    for share, values in reached.items():
        named_, correct_, met_ = np.array(values).T
        print(
            f"  asked {100 * share:.0f}: strangers named {spread(named_)}, correctly "
            f"{spread(correct_)}, promised at most "
            f"{100 * Guarantee(MEMBERS, 5).upper_bound(share):.1f}: kept in {met_.sum():.0f}"
        )


def calibration_error(probability: Doubles, right: Flags) -> float:
    """Return the expected calibration error over ten bins of probability."""
    bins = np.minimum((10 * probability).astype(int), 9)
    apart = np.bincount(bins, probability, 10) - np.bincount(bins, right.astype(float), 10)
    return float(np.abs(apart).sum() / len(right))


@pytest.mark.parametrize("photos", [5, 2])
@pytest.mark.parametrize("name", ALL)
def test_certainty(name: str, photos: int) -> None:
    """As many strangers' photographs as members' are asked."""
    probabilities, truths = list[Doubles](), list[Flags]()
    for seed in SEEDS:
        enrolled, members, strangers = members_and_strangers(PEOPLE, MEMBERS, seed, photos)
        refits = compared(name).refits(enrolled)
        held_out = refits.held_out()
        member, stranger = held_out.member.scores, held_out.stranger.scores
        mated = held_out.mated & ~held_out.perhaps_right
        certainty = Certainty.fit(member[mated], held_out.right[mated], stranger, rough=False)
        count = min(len(members), len(strangers))
        some = np.random.default_rng(seed).permutation(strangers)[:count]
        far, right = compared(name).nearest(enrolled, np.concatenate([members, some]))
        probabilities.append(
            certainty.probability(np.column_stack([-far[:, 0], far[:, 1] - far[:, 0]]))
        )
        truths.append(right)
    error = calibration_error(np.concatenate(probabilities), np.concatenate(truths))
    print(f"\nAT&T, {MEMBERS} × {photos}, {name}, half strangers: calibration error {error:.3f}")
