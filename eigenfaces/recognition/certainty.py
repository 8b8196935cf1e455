"""Certainty of a name: the probability that the nearest person is the right one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from eigenfaces.space.arrays import Doubles, Flags

SURE, LIKELY, PERHAPS = 0.99, 0.90, 0.5  # the smallest probability for each of these words
ENOUGH_PEOPLE, ENOUGH_PHOTOS = 20, 5  # with fewer people or photos of each, certainty is rough

_PENALTY = 10.0  # C: the weight of all photographs against the squared coefficients

_GENERAL = np.array([0.55, 0.0]), np.ones(2), np.array([0.97, 37.2, 0.0])
"""Means, standard deviations and weights for Network in a gallery of five people.

The weight of the margin is 0, as it adds no information to the score (`Recipe.mean_scatter`). The
values were fitted to random draws of 3 to 100 people with 1 to 8 photographs each, from press
photographs of 12 people and 24 strangers, and studio photographs of 102 people.
"""


@dataclass(frozen=True, eq=False)
class Certainty:
    """A model of the probability that a name is right, given its score and margin."""

    mean: Doubles  # (2,) means of the score and the margin …
    deviation: Doubles  # … and deviations, to standardise them
    weights: Doubles  # (3,) weights in the log-odds: constant, score and margin
    rough: bool  # whether there are too few people, or too few photographs of each
    offset: float = 0.0  # added to the log-odds

    @classmethod
    def in_general(cls, people: int) -> Self:
        """Return the model for Network, which applies to any gallery of this many people.

        Among twice as many people, twice as many resemble a stranger: offset = −ln(people / 5).
        """
        mean, deviation, weights = _GENERAL
        return cls(-mean, deviation, weights, rough=False, offset=-math.log(people / 5))

    @classmethod
    def fit(cls, seen: Doubles, right: Flags, strangers: Doubles, *, rough: bool) -> Certainty:
        """Fit a logistic regression to right and wrong names, using Newton's method.

        It minimises C Σ share · log(1 + exp(∓w·x)) + ½ ‖w without its constant‖², where x holds the
        standardised `Nearest.scores` of held-out photographs, ``seen`` (m, 2), and left-out people,
        ``strangers`` (s, 2), whose names are all wrong. Both sets have the same total weight.
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
        """Return the probability (m,) that each nearest person is right, given `Nearest.scores`."""
        inputs = (scores - self.mean) / self.deviation
        return _sigmoid(self.offset + self.weights[0] + inputs @ self.weights[1:])


def _sigmoid(log_odds: Doubles) -> Doubles:
    return 0.5 * (1 + np.tanh(0.5 * log_odds))
