"""Paired test of whether two evaluations of the same photographs differ by more than chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.evaluation.metrics import LEVEL
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.searches import PairScores
from eigenfaces.faces.identity import FaceId
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, with_minus

_FLIPS = 9999


@dataclass(frozen=True)
class Difference:
    """The difference between the shares of correct answers in two evaluations."""

    points: float | None  # first minus second, in percentage points; None if not comparable
    p: float | None  # p-value of the paired permutation test, by person
    sentence: str  # the result in words, or the reason why there is none
    limits: tuple[float, float] | None = None  # 95 % interval of the points

    @property
    def cells(self) -> tuple[str, str, str]:
        """Points, interval and p as table cells, with a dash for each missing value."""
        points = "–" if self.points is None else _signed_text(self.points)
        ends = "–" if self.limits is None else " to ".join(map(_signed_text, self.limits))
        return points, ends, "–" if self.p is None else _p(self.p).removeprefix("= ")


def difference(first: Evaluation, second: Evaluation) -> Difference:
    """Compare correct answers on the same photographs, with a paired test over people."""
    ours, theirs = _answers(first), _answers(second)
    same = Counter(search for search, _ in ours) == Counter(search for search, _ in theirs)
    if not ours or not same:
        words = "they did not search for the same photos, with the same names, equally often"
        return Difference(None, None, f"The two cannot be compared, because {words}.")
    people = sorted({search[-1] for search, _ in ours})
    hits = [Counter(search[-1] for search, right in run if right) for run in (ours, theirs)]
    one, other = ([run[person] for person in people] for run in hits)
    points = 100 * (sum(one) - sum(other)) / len(ours)
    p = paired_test(one, other)
    who = count(len(people), "person")
    limits = None
    # The smallest p that is possible with so few people.
    if (least := max(2.0 ** (1 - len(people)), 1 / (_FLIPS + 1))) > 1 - LEVEL:
        words = (
            f"The difference is {abs(points):.1f} percentage points. With {who}, no difference can "
            f"be significant (the smallest possible p is {least:.3g})."
        )
    else:
        totals = Counter(search[-1] for search, _ in ours)
        interval = paired_interval(one, other, [totals[person] for person in people])
        ends = ""
        if interval is not None:
            limits = 100 * interval[0], 100 * interval[1]
            low, high = map(_signed_text, limits)
            ends = f"; the first minus the second lies between {low} and {high} points (95 % "
            ends += "interval)"
        words = (
            f"The difference of {abs(points):.1f} percentage points is "
            f"{'' if p < 1 - LEVEL else 'not '}more than chance (p {_p(p)}, paired permutation "
            f"test over {who}){ends}."
        )
    if first.setting.protocol != second.setting.protocol:
        words += " The protocols differ, which may explain part of the difference."
    return Difference(points, p, words, limits)


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


def _signed_text(points: float) -> str:
    return with_minus(f"{points:+.1f}")


def _answers(run: Evaluation) -> list[tuple[tuple[tuple[FaceId, ...], str], bool]]:
    """Return the answers to all mated searches or all pairs, or [] if any pair is undecided.

    Each answer consists of the faces, the person, and whether the answer was right.
    """
    photos = run.photos
    scores = run.scores
    (judged, right) = run.judged()
    if isinstance(scores, PairScores) and not judged.all():
        return []
    rows = scores.pairs if isinstance(scores, PairScores) else scores.probes[:, None]
    return [
        ((tuple(photos[row].id for row in own), photos[own[0]].person or ""), correct)
        for own, correct in zip(rows[judged].tolist(), right[judged].tolist(), strict=True)
    ]


def paired_test(first: ArrayLike, second: ArrayLike) -> float:
    """Return the p-value of the difference between two settings on the same searches.

    ``first`` and ``second`` are each person's counts of correct answers, (p,). Under the null
    hypothesis, the two settings are exchangeable for every person. The signs of the differences are
    therefore flipped: in all ways if there are at most 9999, otherwise in 9999 random ways plus the
    observed one (B. Phipson and G. K. Smyth 2010). People without a difference have no effect.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    differences = differences[differences != 0]
    return _p_value(differences, differences.sum(), *_sign_flips(len(differences)))


def paired_interval(
    first: ArrayLike, second: ArrayLike, totals: ArrayLike
) -> tuple[float, float] | None:
    """Return the interval limits of the difference between two accuracies on the same searches.

    The interval contains the differences that `paired_test` would not reject. Its limits are −1 and
    1 if there are too few people to reject any difference. The result is None if nobody's counts
    differ. ``totals`` are each person's counts of all answers, (p,).
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    counts = np.asarray(totals, np.float64)
    if not differences.any():
        return None
    signs, exact = _sign_flips(len(counts))

    def rejected(supposed: float) -> bool:
        rest = differences - supposed * counts
        return _p_value(rest, rest.sum(), signs, exact) < 1 - LEVEL

    def end(outside: float) -> float:
        """Return the most extreme difference on one side that is not rejected, by bisection."""
        inside = float(differences.sum() / counts.sum())
        for _ in range(40 if rejected(outside) else 0):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
        return outside

    return end(-1.0), end(1.0)


def _sign_flips(count: int) -> tuple[Doubles, bool]:
    """Return sign patterns (ways, count), and whether these are all the possible patterns."""
    exact = 2**count <= _FLIPS
    if exact:
        up = np.arange(2**count)[:, None] >> np.arange(count) & 1
    else:
        up = np.random.default_rng(0).integers(0, 2, (_FLIPS, count))
    return (2 * up - 1).astype(np.float64), bool(exact)


def _p_value(differences: Doubles, observed: float, signs: Doubles, exact: bool) -> float:
    """Return the share of sign-flipped sums that are at least as extreme as ``observed``."""
    margin = 1e-9 * float(np.abs(differences).sum())
    larger = int((np.abs(signs @ differences) >= abs(observed) - margin).sum())
    return larger / len(signs) if exact else (larger + 1) / (len(signs) + 1)
