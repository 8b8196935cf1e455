"""A paired test: do two evaluations of the same photographs differ by more than chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.evaluation.metrics import LEVEL
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.text import count

_FLIPS = 9999

_INCOMPARABLE = (
    "The two cannot be compared: they did not search for the same photos, equally often and under "
    "the same names."
)


@dataclass(frozen=True)
class Difference:
    """The difference between the shares of correct answers of two evaluations."""

    points: float | None  # the first minus the second, percentage points; None: not comparable
    p: float | None  # p-value of the paired permutation test, by person
    sentence: str  # the result in words, or why there is none


def difference(first: Evaluation, second: Evaluation) -> Difference:
    """Compare right answers on the same photographs, by person, with a paired permutation test."""
    ours, theirs = _answers(first), _answers(second)
    same = Counter(search for search, _ in ours) == Counter(search for search, _ in theirs)
    if not ours or not same:
        return Difference(None, None, _INCOMPARABLE)
    people = sorted({search[-1] for search, _ in ours})
    hits = [Counter(search[-1] for search, right in run if right) for run in (ours, theirs)]
    one, other = ([run[person] for person in people] for run in hits)
    points = 100 * (sum(one) - sum(other)) / len(ours)
    p, who = paired_test(one, other), count(len(people), "person")
    # The smallest p that so few people can give.
    if (least := max(2.0 ** (1 - len(people)), 1 / (_FLIPS + 1))) > 1 - LEVEL:
        words = f"The difference is {abs(points):.1f} percentage points; with {who} no difference "
        words += f"can be significant (the smallest p is {least:.3g})."
    else:
        more = "is more" if p < 1 - LEVEL else "is not more"
        value = "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"
        words = f"The difference of {abs(points):.1f} percentage points {more} than chance (p "
        words += f"{value}, paired permutation test over {who})."
    if first.setting.protocol != second.setting.protocol:
        words += " The protocols are not the same, so part of the difference may come from them."
    return Difference(points, p, words)


def _answers(run: Evaluation) -> list[tuple[tuple[str, ...], bool]]:
    """Return the answers of all mated searches, or of all pairs; none if nothing was decided.

    Of each the keys of its photographs and the person, and whether it was right.
    """
    photos, pairs = run.photos, run.pairs
    if run.searches is not None:
        mated = run.searches.some(run.searches.mated)
        rows, right = mated.probes[:, None], mated.right
    elif pairs is None or not np.isfinite(run.thresholds[np.unique(pairs.fold)]).all():
        return []
    else:
        rows, right = pairs.pairs, pairs.right(run.thresholds)
    searches = [(*(photos[row].key for row in own), photos[own[0]].person or "") for own in rows]
    return [*zip(searches, right.tolist(), strict=True)]


def paired_test(first: ArrayLike, second: ArrayLike) -> float:
    """Return the p-value of a difference between two settings on the same searches.

    ``first``, ``second``: (p,) number of correct answers of each, by person. Under the null
    hypothesis the two are exchangeable for every person: signs of the differences are flipped, in
    all ways if there are at most 9999, else in 9999 random ways, and the observed signs are counted
    too (B. Phipson and G. K. Smyth 2010). People without a difference have no effect.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    differences = differences[differences != 0]
    if exact := 2 ** len(differences) <= _FLIPS:
        up = np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences)) & 1
    else:
        up = np.random.default_rng(0).integers(0, 2, (_FLIPS, len(differences)))
    margin = 1e-9 * float(np.abs(differences).sum())
    larger = int((np.abs((2 * up - 1) @ differences) >= abs(differences.sum()) - margin).sum())
    return larger / len(up) if exact else (larger + 1) / (len(up) + 1)
