"""Statistics on photographs of several people: shares with intervals, histograms and folds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.text import with_interval

CONFIDENCE = 0.95  # of guarantees and intervals


@dataclass(frozen=True)
class Rate:
    """A number of faces out of a total, with a 95 % interval for the share, clustered by person."""

    count: int
    of: int
    low: float
    high: float

    @classmethod
    def among(cls, which: Flags, people: Numbers) -> Rate:
        """Return the rate of True values in a mask (m,) of faces with person numbers (m,)."""
        low, high = share_intervals(
            np.bincount(people, which, minlength=1), np.bincount(people, minlength=1)
        )
        return cls(int(which.sum()), len(which), float(low), float(high))

    @property
    def share(self) -> float:
        """The share, 0…1; NaN if there are no faces."""
        return self.count / self.of if self.of else float("nan")

    def words(self) -> str:
        """Return the share and its interval as text, such as “97.50 % (95.34 to 98.93)”."""
        return with_interval(self.share, self.low, self.high) if self.of else "–"


def share_intervals(right: ArrayLike, of: ArrayLike) -> tuple[Doubles, Doubles]:
    """Return the lower and upper confidence limits (…) of shares, from the counts for each person.

    These are E. B. Wilson's limits for the effective sample size that follows from the variance
    between people (E. L. Korn and B. I. Graubard 1998), as photographs of one person are not
    independent.

    ``right`` (…, p) and ``of`` (p,) are the numbers of correct answers and of all answers for each
    person. People without answers are ignored. With fewer than two people, the limits are 0 and 1.
    """
    counts = np.asarray(of, np.float64)
    some = counts > 0
    hits = np.asarray(right, np.float64)[..., some]
    counts = counts[some]
    people = len(counts)
    total = counts.sum()
    if people < 2:
        return np.zeros(hits.shape[:-1]), np.ones(hits.shape[:-1])
    share = hits.sum(axis=-1) / total
    spread = ((hits - share[..., None] * counts) ** 2).sum(axis=-1) / total**2
    spread *= people / (people - 1)
    inside = share * (1 - share)
    informative = np.minimum((hits < counts).sum(axis=-1), (hits > 0).sum(axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(informative > 0, np.maximum(spread / inside, 1 / total), 0)
    return wilson(share, variance, informative, people)


def wilson(
    share: Doubles, variance: Doubles, informative: ArrayLike, people: int
) -> tuple[Doubles, Doubles]:
    """Return Wilson's limits for shares, with Student's t in place of z.

    ``variance``: the variance of the share divided by share · (1 − share), estimated from the
    ``informative`` people. One more person is added, all of whose photographs count as one.
    """
    from scipy.special import stdtrit

    counted = np.asarray(informative, np.float64)
    effective = (counted + 1) / (counted * variance + 1 / people)
    z2 = float(stdtrit(people - 1, 0.5 + CONFIDENCE / 2)) ** 2
    middle = (share + z2 / (2 * effective)) / (1 + z2 / effective)
    inside = share * (1 - share)
    half = np.sqrt(z2 * (inside / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)


@dataclass(frozen=True, eq=False)
class Histogram:
    """Histograms of mated and non-mated comparisons."""

    edges: Doubles  # (b + 1,)
    mated: Doubles  # (b,) shares
    non_mated: Doubles  # (b,) shares
    counts: tuple[int, int]
    equal_error_distance: float = math.nan  # where the two error rates are equal, if known

    @classmethod
    def of(
        cls, edges: Doubles, mated: Doubles, non_mated: Doubles, equal: float = math.nan
    ) -> Histogram:
        """Return the histograms of mated and non-mated values, such as distances."""
        one, other = (
            np.histogram(values, edges)[0] / max(len(values), 1) for values in (mated, non_mated)
        )
        return cls(edges, one, other, (len(mated), len(non_mated)), equal)


def bin_edges(values: Doubles) -> Doubles:
    """Given n values, return round edges for about 2 √n bins (10 to 40) of equal width.

    The first edge is zero, unless that would leave most bins empty.

    >>> bin_edges(np.array([0.2, 0.9]))
    array([0. , 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    """
    low, high = float(values.min()), float(values.max())
    low = 0.0 if 0 <= low <= high / 2 else low
    bins = min(max(round(2 * math.sqrt(len(values))), 10), 40)
    least = (high - low or abs(high) or 1.0) / bins
    power = 10.0 ** math.floor(math.log10(least))
    width = next(w for w in np.multiply((1, 2, 2.5, 5, 10), power) if w >= least * (1 - 1e-9))
    first = math.floor(low / width + 1e-9)
    last = math.ceil(high / width - 1e-9)
    edges = np.arange(first, max(last, first + 1) + 1, dtype=np.float64) * width
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)  # in spite of rounding
    return edges


USUAL_PARTS, SEED = 10, 0  # defaults: the number of folds, and the seed for drawing them


def fold_numbers(people: Numbers, parts: int = USUAL_PARTS, seed: int = SEED) -> Numbers:
    """Return a random fold (n,) for each face, or −1 if it is unnamed or its person's only face."""
    rng = np.random.default_rng(seed)
    part = np.full(len(people), -1)
    dealt = 0
    order = np.argsort(people, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(people[order])) + 1):
        if len(rows) > 1 and people[rows[0]] >= 0:
            part[rng.permutation(rows)] = (dealt + np.arange(len(rows))) % parts
            dealt += len(rows)
    return part
