"""Error rates of comparisons when people are drawn again and again, as for their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.comparisons import Comparisons
from eigenfaces.evaluation.error_rates import NonMated
from eigenfaces.evaluation.pieces import Pieces
from eigenfaces.space.arrays import Doubles, Flags, Numbers, ShortNumbers

_SCORES_RESAMPLED = 200_000
"""Of more non-mated comparisons, every second, third … by distance is resampled: for intervals."""

_AT_ONCE = 1 << 18
"""Comparisons that are looked through at once."""


def thinned(comparisons: Iterable[Comparisons]) -> Comparisons:
    """Return comparisons in the order of their distances; of equal ones, in their own.

    Where there are very many non-mated ones, some are left out, evenly.
    """
    wrong = Pieces(NonMated(comparisons))
    step = max(1, -(-len(wrong) // _SCORES_RESAMPLED))
    wanted, nth = wrong.of_rank(np.arange(step // 2, len(wrong), step))
    kept = np.sort(_places_of(wanted, nth, comparisons))
    taken, start = [], 0
    for each in comparisons:
        which = each.mated.reshape(-1).copy()
        begin, end = np.searchsorted(kept, (start, start + len(which)))
        which[kept[begin:end] - start] = True
        taken.append(each.some(np.flatnonzero(which)))
        start += len(which)
    found = Comparisons.joined(taken)
    return found.some(np.argsort(found.distances, kind="stable"))


def _places_of(wanted: Doubles, nth: Numbers, comparisons: Iterable[Comparisons]) -> Numbers:
    """Return the place of each wanted distance: of non-mated ones with it, the n-th from 0.

    Places are those among all comparisons in a row.
    """
    known, begin = np.unique(wanted), 0
    places, found = [np.empty(0, np.intp)], [np.empty(0)]
    for distances, among in NonMated(comparisons):
        for start in range(0, len(distances), _AT_ONCE):
            part = distances[start : start + _AT_ONCE]
            nearest = known[np.searchsorted(known, part).clip(max=len(known) - 1)]
            here = np.flatnonzero((nearest == part) & among[start : start + _AT_ONCE])
            places.append(begin + start + here)
            found.append(part[here])
        begin += len(distances)
    there = np.concatenate(found)
    order = np.argsort(there, kind="stable")
    return np.concatenate(places)[order][np.searchsorted(there[order], wanted) + nth]


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
