"""95 % intervals by person, and the paired test: photographs of one person are not independent.

Shares get Wilson's interval. Its effective sample size follows from the variance between people
(E. B. Wilson 1927; E. L. Korn and B. I. Graubard, *Confidence intervals for proportions with small
expected number of positive counts estimated from survey data*, 1998). The variance is estimated
from the people with errors (or, if fewer, with correct answers). If these are few, the estimate is
too small: so one more person is added whose photographs count as a single one. If all answers are
correct, or all wrong, people are counted, not photographs.

All other figures get the same interval. Their effective sample size follows from the variance over
people drawn with replacement, each with all searches for them and all comparisons with them as an
enrolled person (A. B. Owen, *The pigeonhole bootstrap*, 2007). Percentiles of the draws would be
too narrow if few people have errors: with 20 people, they contained an EER of 4 % in 81 of 100
cases.
The intervals here are rather too wide: `tests/benchmarks/test_coverage.py` measures their coverage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.errors import Tick, no_tick
from eigenfaces.space.arrays import Doubles

LEVEL = 0.95
RESAMPLES = 1000
_FLIPS = 9999


@dataclass(frozen=True)
class Drawn:
    """How people are resampled: their number, the seed, and the number of draws.

    ``informative`` counts the people that a figure depends on: of members and strangers, the
    smaller group.
    """

    people: int
    informative: int
    seed: int
    times: int = RESAMPLES


def share_intervals(right: ArrayLike, of: ArrayLike) -> tuple[Doubles, Doubles]:
    """Return the lower and upper limits of shares, (…), from counts by person.

    Parameters
    ----------
    right
        (…, p) number of correct answers, by person.
    of
        (p,) number of all answers; people with none are left out. With fewer than two people the
        limits are 0 and 1.
    """
    counts = np.asarray(of, np.float64)
    some = counts > 0
    hits, counts = np.asarray(right, np.float64)[..., some], counts[some]
    people, total = len(counts), counts.sum()
    if people < 2:
        return np.zeros(hits.shape[:-1]), np.ones(hits.shape[:-1])
    share = hits.sum(axis=-1) / total
    spread = ((hits - share[..., None] * counts) ** 2).sum(axis=-1) / total**2
    spread *= people / (people - 1)
    inside = share * (1 - share)
    informative = np.minimum((hits < counts).sum(axis=-1), (hits > 0).sum(axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(informative > 0, np.maximum(spread / inside, 1 / total), 0)
    return _wilson(share, _effective(each, informative, people), people)


def _effective(each: Doubles, informative: ArrayLike, people: int) -> Doubles:
    """Return the effective sample size, from a number of informative people.

    ``each``: what one independent search adds to the precision, estimated from those people. One
    more person is added whose photographs count as a single one.
    """
    count = np.asarray(informative, np.float64)
    return (count + 1) / (count * each + 1 / people)


def _wilson(share: Doubles, effective: Doubles, people: int) -> tuple[Doubles, Doubles]:
    """Return Wilson's limits of shares for an effective sample size, with Student's t for z."""
    from scipy.special import stdtrit

    z2 = float(stdtrit(people - 1, 0.5 + LEVEL / 2)) ** 2
    middle = (share + z2 / (2 * effective)) / (1 + z2 / effective)
    inside = share * (1 - share)
    half = np.sqrt(z2 * (inside / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)


def resampled(
    figures: Callable[[Doubles], Doubles],
    values: ArrayLike,
    erring: ArrayLike,
    drawn: Drawn,
    tick: Tick = no_tick,
) -> tuple[Doubles, Doubles]:
    """Return the limits of figures, (q,) each, over people drawn with replacement.

    Parameters
    ----------
    figures
        Gets how often each person was drawn, (p,), and returns (q,) shares; NaN (nobody with such
        a search was drawn) is ignored.
    values
        (q,) the figures themselves.
    erring
        (q,) number of people with errors, for each figure: the informative ones.
    drawn
        How people are resampled.
    tick
        Called before every draw.
    """
    if drawn.informative < 2:
        return np.zeros(np.shape(values)), np.ones(np.shape(values))
    rng = np.random.default_rng(drawn.seed)
    often = rng.multinomial(drawn.people, np.full(drawn.people, 1 / drawn.people), drawn.times)
    found = []
    for number, weights in enumerate(often.astype(np.float64)):
        tick(number, drawn.times)
        found.append(figures(weights))
    shares = np.asarray(values, np.float64)
    inside = shares * (1 - shares)
    spread = np.array([_variance(column) for column in np.array(found).T])
    known = (inside > 0) & (spread > 1e-9 * inside)  # anything smaller is rounding
    each = np.where(known, spread / np.where(known, inside, 1), 0)
    informative = np.where(known, erring, 0)
    return _wilson(shares, _effective(each, informative, drawn.informative), drawn.informative)


def _variance(values: Doubles) -> float:
    numbers = values[np.isfinite(values)]
    return float(numbers.var()) if len(numbers) else 0.0


def paired_test(first: ArrayLike, second: ArrayLike, seed: int = 0) -> float:
    """Return the p-value of a difference between two settings on the same searches.

    Parameters
    ----------
    first, second
        (p,) number of correct answers of each, by person. Under the null hypothesis the two are
        exchangeable for every person: signs of the differences are flipped, in all ways if there
        are at most 9999, else in 9999 random ways, and the observed signs are counted too
        (B. Phipson and G. K. Smyth 2010). People without a difference have no effect.
    seed
        Of the random signs.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    differences = differences[differences != 0]
    ways, exact = _sign_flips(len(differences), seed)
    sums = np.abs(ways @ differences)
    room = 1e-9 * np.abs(differences).sum()
    return _share_as_extreme(sums, abs(differences.sum()), exact, float(room))


def _sign_flips(count: int, seed: int) -> tuple[Doubles, bool]:
    """Return signs for the differences, (ways, count), and whether these are all possible ones."""
    exact = 2**count <= _FLIPS
    if exact:
        up = np.arange(2**count)[:, None] >> np.arange(count) & 1
    else:
        up = np.random.default_rng(seed).integers(0, 2, (_FLIPS, count))
    return (2 * up - 1).astype(np.float64), bool(exact)


def _share_as_extreme(sums: Doubles, own: float, exact: bool, room: float) -> float:
    """Return the share of sums that are at least as far from zero as the observed one."""
    as_far = int((sums >= own - room).sum())
    return as_far / len(sums) if exact else (as_far + 1) / (len(sums) + 1)


def paired_interval(
    first: ArrayLike, second: ArrayLike, of: ArrayLike, seed: int = 0
) -> tuple[float, float] | None:
    """Return the limits of the difference between two shares of the same searches, by person.

    They contain the differences that `paired_test` would not reject. So it finds a difference
    exactly if zero lies outside. With too few people to reject any, they are −1 and 1. None
    if the two do not differ for any person: then there is no variance to estimate.

    Parameters
    ----------
    first, second
        (p,) number of correct answers of each, by person.
    of
        (p,) number of all answers.
    seed
        Of the random signs, used if there are too many to try all.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    counts = np.asarray(of, np.float64)
    if not differences.any():
        return None
    ways, exact = _sign_flips(len(counts), seed)
    flipped, total = np.stack([ways @ differences, ways @ counts]), counts.sum()

    def rejected(supposed: float) -> bool:
        sums = np.abs(flipped[0] - supposed * flipped[1])
        own = abs(float(differences.sum() - supposed * total))
        return _share_as_extreme(sums, own, exact, 1e-9 * float(total)) < 1 - LEVEL

    value = float(differences.sum() / total)
    return _end_of_range(rejected, value, -1.0), _end_of_range(rejected, value, 1.0)


def _end_of_range(rejected: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return the end of a range of values that are not rejected, by bisection; at most outside."""
    if not rejected(outside):
        return outside
    for _ in range(40):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
    return inside
