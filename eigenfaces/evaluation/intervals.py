"""95 % intervals by person, and the paired test: photographs of one person are not independent.

Shares get Wilson's interval with the effective sample size that the spread between people leaves
(E. B. Wilson 1927; E. L. Korn and B. I. Graubard, *Confidence intervals for proportions with small
expected number of positive counts estimated from survey data*, 1998). Where no person differs from
another because all is right, or all wrong, nothing is known of that spread: then people count, not
photographs.

Everything else is resampled: people are drawn with replacement and bring along all their searches
and, as enrolled, all claims of being them (A. B. Owen, *The pigeonhole bootstrap*, 2007).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 1000


def share_intervals(right: ArrayLike, of: ArrayLike) -> tuple[Floats, Floats]:
    """Return the lower and upper limits of shares, (…), of counts by person.

    Parameters
    ----------
    right
        (…, p) how often it was right, by person.
    of
        (p,) of how many; people with none are left out. With fewer than two people nothing can be
        said: the limits are 0 and 1.
    """
    from scipy.special import stdtrit

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
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(inside > 1e-12, np.minimum(inside / spread, total), people)
    z2 = float(stdtrit(people - 1, 0.5 + LEVEL / 2)) ** 2
    middle = (share + z2 / (2 * effective)) / (1 + z2 / effective)
    half = np.sqrt(z2 * (inside / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)


def resampled(
    figures: Callable[[Floats], Floats], people: int, seed: int, resamples: int = RESAMPLES
) -> tuple[Floats, Floats]:
    """Return the limits of figures, (q,) each, over people drawn with replacement.

    ``figures`` gets how often each person was drawn, (p,), and returns (q,) numbers; one that is
    not a number (nobody with such a search was drawn) does not count.
    """
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(people, np.full(people, 1 / people), size=resamples)
    values = np.stack([figures(weights) for weights in drawn.astype(np.float64)])
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    for place, column in enumerate(values.T):
        numbers = column[np.isfinite(column)]
        if numbers.size:
            low[place], high[place] = np.percentile(numbers, [tail, 100 - tail])
    return low, high


def paired_test(first: ArrayLike, second: ArrayLike, seed: int = 0) -> float:
    """Return the p-value of a difference between two settings on the same searches.

    Parameters
    ----------
    first, second
        (p,) how often each was right, by person. Under the null hypothesis the two are
        exchangeable for every person: signs of the differences are flipped, all ways where there
        are at most 9999 of them, else 9999 at random (B. Phipson and G. K. Smyth 2010).
    """
    from scipy.stats import permutation_test

    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not (a != b).any():
        return 1.0

    def difference(x: Floats, y: Floats, axis: int) -> Floats:
        return np.sum(x - y, axis=axis)

    test = permutation_test(
        (a, b),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=9999,
        rng=np.random.default_rng(seed),
    )
    return float(test.pvalue)
