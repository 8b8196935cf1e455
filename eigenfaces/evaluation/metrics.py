"""Error rates of comparisons at every threshold, from their sorted distances.

The words are those of ISO/IEC 19795-1: FMR and FNMR are the false match and the false non-match
rate at a threshold. A comparison is accepted where its distance is at most that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.space.arrays import Doubles, Flags, Numbers, ShortNumbers

_SCORES_RESAMPLED = 200_000
"""Of more non-mated comparisons, every second, third … by distance is resampled: for intervals."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Single comparisons of a probe with a person.

    Parameters
    ----------
    distances
        (n,).
    mated
        (n,) whether the person is the one on the probe.
    asked, claimed
        (n,) the person on the probe, and the one it was compared with.
    fold
        (n,).
    """

    distances: Doubles
    mated: Flags
    asked: ShortNumbers
    claimed: ShortNumbers
    fold: ShortNumbers

    @classmethod
    def of_searches(cls, searches: Searches) -> Comparisons:
        """Return all that searches made."""
        which = searches.compared
        people, fold = (each.astype(np.int32)[:, None] for each in (searches.people, searches.fold))
        everybody = np.arange(which.shape[1], dtype=np.int32)
        asked, claimed, fold = (
            np.broadcast_to(each, which.shape)[which] for each in (people, everybody, fold)
        )
        return cls(searches.distances[which], asked == claimed, asked, claimed, fold)

    @classmethod
    def of_pairs(cls, scores: PairScores, people: Numbers) -> Comparisons:
        """Take pairs for comparisons of the first person with the second; (n,) people of rows."""
        first, second = people.astype(np.int32)[scores.pairs.T]
        return cls(scores.distances, scores.mated, first, second, scores.fold.astype(np.int32))

    def some(self, which: Flags | Numbers) -> Comparisons:
        """Return some of them."""
        return Comparisons(*(getattr(self, each.name)[which] for each in fields(self)))

    @property
    def counts(self) -> tuple[int, int]:
        """How many are mated, and how many are not."""
        mated = int(self.mated.sum())
        return mated, len(self.mated) - mated

    def thinned(self) -> Comparisons:
        """Return them by distance; of equal ones, in their own order.

        Where there are very many non-mated ones, some are left out, evenly.
        """
        mated, others = np.flatnonzero(self.mated), np.flatnonzero(~self.mated)
        step = max(1, -(-len(others) // _SCORES_RESAMPLED))
        others = others[np.argsort(self.distances[others], kind="stable")][step // 2 :: step]
        kept = np.sort(np.concatenate([mated, others]))
        return self.some(kept[np.argsort(self.distances[kept], kind="stable")])


@dataclass(frozen=True, eq=False)
class ErrorRates:
    """FMR and FNMR at thresholds, from the strictest on, between which nothing tells more.

    The first threshold lies just below the smallest distance: nothing is accepted there.
    """

    thresholds: Doubles
    fmr: Doubles
    fnmr: Doubles

    @property
    def equal(self) -> tuple[float, float]:
        """Return the EER, (FMR + FNMR) / 2 where the two are nearest, and the threshold there."""
        at = int(np.argmin(np.abs(self.fmr - self.fnmr)))
        return float(self.fmr[at] + self.fnmr[at]) / 2, float(self.thresholds[at])

    @property
    def least(self) -> tuple[float, float]:
        """Return the smallest HTER, (FMR + FNMR) / 2, of all thresholds, and the threshold."""
        both = (self.fmr + self.fnmr) / 2
        at = int(np.argmin(both))
        return float(both[at]), float(self.thresholds[at])

    def threshold_at(self, far: float) -> float:
        """Return a threshold that accepts as many mated ones as a FAR of at most so much allows."""
        return float(self.thresholds[self.fmr <= far + 1e-12].max())

    def accepted_at(self, far: float) -> float:
        """Return the largest TAR at a FAR of at most so much."""
        return float(1 - self.fnmr[self.fmr <= far + 1e-12].min())


def error_rates(distances: Doubles, mated: Flags) -> ErrorRates:
    """Return the error rates of comparisons (n,), of which some are mated and some are not.

    FNMR falls at the distances of mated comparisons, and from one to the next FMR rises. So the
    curve is known by these thresholds and the last before each; the EER, by those between which
    FMR and FNMR cross.
    """
    right, wrong = np.sort(distances[mated]), np.sort(distances[~mated])
    falls = np.unique(right)
    before = np.searchsorted(wrong, falls)
    ends = wrong[[0, -1]]
    rates = _rates_at(np.concatenate([falls, wrong[before[before > 0] - 1], ends]), right, wrong)
    crossed = int(np.searchsorted(rates.fmr - rates.fnmr, 0))
    nearest = rates.thresholds[[max(0, crossed - 1), crossed]]
    between = slice(*np.searchsorted(wrong, nearest, "right"))
    return _rates_at(np.concatenate([rates.thresholds[1:], wrong[between]]), right, wrong)


def _rates_at(thresholds: Doubles, right: Doubles, wrong: Doubles) -> ErrorRates:
    """Return the rates at thresholds, by the sorted distances of mated and non-mated ones."""
    thresholds = np.unique(thresholds)
    fmr, fnmr = (
        np.append(0, np.searchsorted(each, thresholds, "right") / len(each))
        for each in (wrong, right)
    )
    first = np.nextafter(thresholds[:1], -np.inf)
    return ErrorRates(np.append(first, thresholds), fmr, 1 - fnmr)


def rates_of(
    distances: Doubles, wrong: NDArray[Any], right: NDArray[Any], rights: float
) -> ErrorRates:
    """Return the rates by how many, or how much, (n,) of both kinds lie within sorted distances.

    ``rights``: all that should lie there, of which some may lie nowhere.
    """
    last = np.append(distances[1:] != distances[:-1], True)  # ties are accepted together
    fmr, found = (
        np.append(0, sums[last]) / (total or 1)
        for sums, total in ((wrong, wrong[-1]), (right, rights))
    )
    thresholds = np.append(np.nextafter(distances[0], -np.inf), distances[last])
    return ErrorRates(thresholds, fmr, 1 - found)


@dataclass(frozen=True, eq=False)
class DrawnRates:
    """The n comparisons by distance, r mated and w non-mated, at t thresholds that matter.

    FNMR falls only where a mated comparison is accepted, and FMR is least there: so it is enough to
    know both at those thresholds, and only for the EER at those between two of them. All sums are
    of whole numbers, and exact in any order.

    Parameters
    ----------
    own
        (r,) who was asked about in the mated comparisons.
    asked, claimed
        (w,) the same of the non-mated ones, and who was claimed.
    missed, matched
        (r,) mated ones that are refused, and (w,) non-mated ones that are accepted at the
        thresholds of the folds; None without these.
    rights, wrongs
        (t,) how many mated and non-mated ones each threshold accepts; the first none.
    falls
        The thresholds at which FNMR falls, and the first.
    """

    own: ShortNumbers
    asked: ShortNumbers
    claimed: ShortNumbers
    missed: Flags | None
    matched: Flags | None
    rights: Numbers
    wrongs: Numbers
    falls: Numbers

    @classmethod
    def of(cls, comparisons: Comparisons, thresholds: Doubles | None) -> DrawnRates:
        """Return it of comparisons by distance, and the thresholds of the folds."""
        distances, mated = comparisons.distances, comparisons.mated
        asked, claimed = comparisons.asked, comparisons.claimed
        accepted = None if thresholds is None else distances <= thresholds[comparisons.fold]
        last = np.flatnonzero(np.append(distances[1:] != distances[:-1], True))  # of equal ones
        rights = np.concatenate([[0], np.cumsum(mated)[last]])
        return cls(
            own=asked[mated],
            asked=asked[~mated],
            claimed=claimed[~mated],
            missed=None if accepted is None else ~accepted[mated],
            matched=None if accepted is None else accepted[~mated],
            rights=rights,
            wrongs=np.concatenate([[0], np.cumsum(~mated)[last]]),
            falls=np.flatnonzero(np.diff(rights, prepend=-1)),
        )

    def figures(self, often: Doubles, false_accepts: Sequence[float]) -> Doubles:
        """Return EER, TAR at each FAR, least HTER, and HTER where there are thresholds for it.

        ``often``: (p,) how often each person was drawn. Not a number where nobody with mated, or
        with non-mated comparisons was.
        """
        right, wrong = often[self.own], often[self.asked] * often[self.claimed]
        if not right.any() or not wrong.any():
            return np.full(2 + len(false_accepts) + (self.missed is not None), np.nan)
        rights, wrongs = (np.concatenate([[0], np.cumsum(each)]) for each in (right, wrong))
        fmr = wrongs[self.wrongs[self.falls]] / wrongs[-1]
        fnmr = 1 - rights[self.rights[self.falls]] / rights[-1]
        # FMR rises and FNMR falls: they are nearest where they cross, between two of these.
        at = int(np.searchsorted(fmr - fnmr, 0))
        start, stop = np.append(self.falls, len(self.wrongs) - 1)[[max(0, at - 1), at]]
        accepts = wrongs[self.wrongs[start : stop + 1]] / wrongs[-1]
        refuses = 1 - rights[self.rights[start : stop + 1]] / rights[-1]
        nearest = int(np.abs(accepts - refuses).argmin())
        out = [(accepts[nearest] + refuses[nearest]) / 2]
        out += [1 - fnmr[fmr <= far + 1e-12].min() for far in false_accepts]
        out.append(((fmr + fnmr) / 2).min())
        if self.missed is not None and self.matched is not None:
            missed, matched = right[self.missed].sum(), wrong[self.matched].sum()
            out.append((missed / rights[-1] + matched / wrongs[-1]) / 2)
        return np.array(out)
