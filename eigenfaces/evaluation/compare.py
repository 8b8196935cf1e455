"""A paired test: do two evaluations of the same photographs differ by more than chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.evaluation.metrics import LEVEL
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count

_FLIPS = 9999

_Answers = list[tuple[tuple[str, ...], str, bool]]
"""Of each search, or pair: the keys of the photographs, the person, and whether it was right."""


@dataclass(frozen=True)
class Difference:
    """The difference between the shares of correct answers of two evaluations."""

    points: float | None  # the first minus the second, percentage points; None: not comparable
    p: float | None  # p-value of the paired permutation test, by person
    sentence: str  # the result in words, or why there is none
    limits: tuple[float, float] | None = None  # 95 % interval of the points, if people differ

    @property
    def cells(self) -> tuple[str, str, str]:
        """Points, their interval, and p, for a table; a dash for what there is not."""
        points = "–" if self.points is None else _signed(self.points)
        ends = "–" if self.limits is None else " to ".join(map(_signed, self.limits))
        return points, ends, "–" if self.p is None else _p(self.p).removeprefix("= ")


def difference(first: Evaluation, second: Evaluation) -> Difference:
    """Compare right answers on the same photographs, by person, with a paired permutation test."""
    ours, theirs = _answers(first), _answers(second)
    reason = "one run searched for people, and the other compared pairs of photos"
    if (first.searches is None) == (second.searches is None):
        reason = _why_incomparable(ours, theirs)
    if reason or ours is None or theirs is None:
        words = f"The two cannot be compared by the paired permutation test: {reason}."
        return Difference(None, None, words)
    totals = Counter(person for _, person, _ in ours)
    people = sorted(totals)
    hits = [Counter(person for _, person, right in run if right) for run in (ours, theirs)]
    one, other = ([run[person] for person in people] for run in hits)
    points = 100 * (sum(one) - sum(other)) / len(ours)
    p, interval = paired_test(one, other), paired_interval(one, other, [totals[n] for n in people])
    test, limits = p_words(p, len(people)), None
    if least_p(len(people)) > 1 - LEVEL:
        words = f"The difference is {abs(points):.1f} percentage points; {test}."
    elif interval is None:
        words = "Both were right equally often for every person: no difference can be seen "
        words += f"({test})."
    else:
        more = "is more" if p < 1 - LEVEL else "is not more"
        low, high = limits = 100 * interval[0], 100 * interval[1]
        words = (
            f"The difference of {abs(points):.1f} percentage points {more} than chance ({test}); "
            f"the first minus the second lies between {_signed(low)} and {_signed(high)} points "
            "(95 % interval)."
        )
    if first.setting.protocol != second.setting.protocol:
        words += " The protocols are not the same, so part of the difference may come from them."
    return Difference(points, p, words, limits)


def least_p(people: int) -> float:
    """Return the smallest p-value that `paired_test` can give with so many people."""
    return max(2.0 ** (1 - people), 1 / (_FLIPS + 1))


def p_words(p: float, people: int) -> str:
    """Return a p-value of `paired_test` in words; of too few people, that none is significant.

    >>> p_words(0.25, 4)
    'with 4 people no difference can be significant (the smallest p is 0.125)'
    """
    who, least = count(people, "person"), least_p(people)
    if least > 1 - LEVEL:
        return f"with {who} no difference can be significant (the smallest p is {least:.3g})"
    return f"p {_p(p)}, paired permutation test over {who}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−")


def _answers(run: Evaluation) -> _Answers | None:
    """Return the answers of all mated searches, or of all pairs; None if nothing was decided."""
    photos, pairs = run.photos, run.pairs
    if run.searches is not None:
        mated = run.searches.some(run.searches.mated)
        rows, right = mated.probes[:, None], mated.right
    elif pairs is None or not np.isfinite(run.thresholds[np.unique(pairs.fold)]).all():
        return None
    else:
        rows, right = pairs.pairs, pairs.right(run.thresholds)
    keys = [tuple(photos[row].key for row in own) for own in rows.tolist()]
    people = [photos[own[0]].person or "" for own in rows.tolist()]
    return [*zip(keys, people, right.tolist(), strict=True)]


def _why_incomparable(ours: _Answers | None, theirs: _Answers | None) -> str:
    """Return why the searches of the two differ; empty if they are the same."""
    if ours is None or theirs is None:
        return "no threshold could be chosen in one of them, so no pair was decided"
    if not ours or not theirs:
        return "nobody who is enrolled was searched for"
    first, second = (Counter(keys for keys, _, _ in run) for run in (ours, theirs))
    missing, added = len(first.keys() - second.keys()), len(second.keys() - first.keys())
    if missing or added:
        return (
            f"they did not search for the same photos ({missing} only in the first run, "
            f"{added} only in the second)"
        )
    if first != second:
        return (
            "they searched for the same photos, but not equally often "
            f"({len(ours)} and {len(theirs)} times in all)"
        )
    same = {answer[:2] for answer in ours} == {answer[:2] for answer in theirs}
    return "" if same else "some photos have had another name in one of them"


def paired_test(first: ArrayLike, second: ArrayLike) -> float:
    """Return the p-value of a difference between two settings on the same searches.

    ``first``, ``second``: (p,) number of correct answers of each, by person. Under the null
    hypothesis the two are exchangeable for every person: signs of the differences are flipped, in
    all ways if there are at most 9999, else in 9999 random ways, and the observed signs are counted
    too (B. Phipson and G. K. Smyth 2010). People without a difference have no effect.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    differences = differences[differences != 0]
    signs, exact = _sign_flips(len(differences))
    margin = 1e-9 * float(np.abs(differences).sum())
    return _share_as_extreme(np.abs(signs @ differences), abs(differences.sum()), exact, margin)


def _sign_flips(count: int) -> tuple[Doubles, bool]:
    """Return signs for the differences, (ways, count), and whether these are all possible ones."""
    exact = 2**count <= _FLIPS
    if exact:
        up = np.arange(2**count)[:, None] >> np.arange(count) & 1
    else:
        up = np.random.default_rng(0).integers(0, 2, (_FLIPS, count))
    return (2 * up - 1).astype(np.float64), bool(exact)


def _share_as_extreme(sums: Doubles, observed: float, exact: bool, margin: float) -> float:
    """Return the share of sums that are at least as large as the one observed."""
    larger = int((sums >= observed - margin).sum())
    return larger / len(sums) if exact else (larger + 1) / (len(sums) + 1)


def paired_interval(
    first: ArrayLike, second: ArrayLike, totals: ArrayLike
) -> tuple[float, float] | None:
    """Return the limits of the difference between two shares of the same searches, by person.

    They contain the differences that `paired_test` would not reject, so it finds a difference
    exactly if zero lies outside. With too few people to reject any, they are −1 and 1. None if the
    two do not differ for any person: then there is no variance to estimate. By person (p,),
    ``first`` and ``second`` are the numbers of correct answers of each, ``totals`` of all answers.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    counts = np.asarray(totals, np.float64)
    if not differences.any():
        return None
    signs, exact = _sign_flips(len(counts))
    flipped, total = (signs @ differences, signs @ counts), float(counts.sum())

    def rejected(supposed: float) -> bool:
        sums = np.abs(flipped[0] - supposed * flipped[1])
        observed = abs(float(differences.sum()) - supposed * total)
        return _share_as_extreme(sums, observed, exact, 1e-9 * total) < 1 - LEVEL

    def end(outside: float) -> float:
        """Return the last difference that is not rejected towards one side, by bisection."""
        inside = float(differences.sum()) / total
        if not rejected(outside):
            return outside
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
        return inside

    return end(-1.0), end(1.0)
