"""How certain a name is: the probability that it is right, by logistic regression.

It is fitted to the gallery's own photographs, each held out in turn, and to its people, each left
out in turn and then a stranger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.space.arrays import Doubles, Flags

ENOUGH_PEOPLE, ENOUGH_PHOTOS = 20, 5
"""People, and photographs of each, below which the words for certainty are rough."""

SURE, LIKELY = 0.99, 0.90
"""The least probabilities of these words."""

_PENALTY = 10.0  # C: the weight of all photographs against the squared coefficients


@dataclass(frozen=True, eq=False)
class Certainty:
    """The probability that a name is right, from its score and its margin to the runner-up.

    Parameters
    ----------
    mean, deviation
        (2,) of scores and margins, by which they are standardised.
    weights
        (3,) of the log-odds: a constant, the score, the margin.
    rough
        Whether there were too few people, or photographs of each, for the words to be exact.
    """

    mean: Doubles
    deviation: Doubles
    weights: Doubles
    rough: bool

    @classmethod
    def fit(cls, seen: Doubles, right: Flags, strangers: Doubles, *, rough: bool) -> Certainty:
        """Return the logistic regression of right and wrong names.

        Parameters
        ----------
        seen
            (m, 2) best score and margin of photographs held out of the gallery.
        right
            (m,) whether each was given its own name.
        strangers
            (s, 2) the same of people left out: every name is wrong. Together they weigh as much as
            the photographs, because without them strangers look sure.
        """
        both = np.concatenate([seen, strangers])
        truth = np.concatenate([right, np.zeros(len(strangers), bool)])
        shares = np.concatenate(
            [np.full(len(each), 1 / max(len(each), 1)) for each in (seen, strangers)]
        )
        shares *= len(both) / shares.sum()
        mean = shares @ both / len(both)
        spread = np.sqrt(shares @ (both - mean) ** 2 / len(both))
        deviation = np.where(spread > 0, spread, 1.0)
        inputs = np.column_stack([np.ones(len(both)), (both - mean) / deviation])
        return cls(mean, deviation, _logistic(inputs, truth, shares), rough)

    def probability(self, score: Doubles, margin: Doubles) -> Doubles:
        """Return the probability (m,) that the nearest person is the right one."""
        inputs = (np.stack([score, margin], axis=-1) - self.mean) / self.deviation
        return _sigmoid(self.weights[0] + inputs @ self.weights[1:])


def is_rough(people: int, photos: int) -> bool:
    """Return whether a gallery is too small for exact words about certainty."""
    return people < ENOUGH_PEOPLE or photos < ENOUGH_PHOTOS * people


def _logistic(inputs: Doubles, truth: Flags, shares: Doubles) -> Doubles:
    """Return the weights of a ridge-penalised logistic regression, by Newton's method.

    Minimised: C Σ share · log(1 + exp(−± w·x)) + ½ ‖w without its constant‖².
    """
    weights = np.zeros(inputs.shape[1])
    ridge = np.diag([1e-9, *np.ones(inputs.shape[1] - 1)])
    for _ in range(100):
        likely = _sigmoid(inputs @ weights)
        gradient = _PENALTY * inputs.T @ (shares * (likely - truth)) + ridge @ weights
        bend = _PENALTY * (inputs.T * (shares * likely * (1 - likely))) @ inputs + ridge
        step = np.linalg.solve(bend, gradient)
        weights = weights - step * min(1.0, 5 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _sigmoid(log_odds: Doubles) -> Doubles:
    return 0.5 * (1 + np.tanh(0.5 * log_odds))
