"""FMR and FNMR of comparisons at every threshold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.pieces import Pieces
from eigenfaces.space.arrays import Doubles, Flags


@dataclass(frozen=True, eq=False)
class MatedOrNot:
    """Distances of comparisons, and which of these are mated, both of one shape."""

    distances: Doubles
    mated: Flags


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


@dataclass(frozen=True, eq=False)
class NonMated:
    """The distances of the non-mated comparisons, part after part."""

    comparisons: Iterable[MatedOrNot]

    def __iter__(self) -> Iterator[tuple[Doubles, Flags]]:
        """Yield the distances of all, and which of them are meant."""
        for each in self.comparisons:
            yield each.distances.reshape(-1), ~each.mated.reshape(-1)


def error_rates(comparisons: Iterable[MatedOrNot]) -> ErrorRates:
    """Return the error rates of comparisons, of which there may be millions.

    FNMR falls at the distances of mated comparisons, and from one to the next FMR rises. So the
    curve is known by these thresholds and the last before each; the EER, by the two between which
    FMR and FNMR cross.
    """
    right = np.sort(np.concatenate([each.distances[each.mated] for each in comparisons]))
    wrong = Pieces(NonMated(comparisons))
    falls = np.unique(right)
    tell = np.concatenate([falls, wrong.nearest_below(falls), wrong.ends()])
    rates = _rates_at(tell[np.isfinite(tell)], right, wrong)
    crossed = int(np.searchsorted(rates.fmr - rates.fnmr, 0))
    if not 0 < crossed < len(rates.fmr):
        return rates
    first, last = np.nextafter(rates.thresholds[crossed - 1 : crossed + 1], np.inf).tolist()
    between = _rates_at(wrong.within(first, last), right, wrong)
    at = int(np.searchsorted(between.fmr - between.fnmr, 0))
    near = between.thresholds[max(1, at - 1) : at + 1]
    return _rates_at(np.concatenate([rates.thresholds[1:], near]), right, wrong)


def _rates_at(thresholds: Doubles, right: Doubles, wrong: Pieces) -> ErrorRates:
    """Return the rates at thresholds, by the sorted distances of mated and non-mated ones."""
    thresholds = np.unique(thresholds)
    accepted = (
        wrong.below(thresholds, "right") / max(1, len(wrong)),
        np.searchsorted(right, thresholds, "right") / max(1, len(right)),
    )
    fmr, fnmr = (np.concatenate([[0.0], each]) for each in accepted)
    first = np.nextafter(thresholds[:1], -np.inf)
    return ErrorRates(np.concatenate([first, thresholds]), fmr, np.subtract(1, fnmr, out=fnmr))


def rates_of(
    distances: Doubles, wrong: NDArray[Any], right: NDArray[Any], rights: float
) -> ErrorRates:
    """Return the rates by how many, or how much, (n,) of both kinds lie within sorted distances.

    ``rights``: all that should lie there, of which some may lie nowhere.
    """
    last = np.append(distances[1:] != distances[:-1], True)  # ties are accepted together
    thresholds = np.empty(1 + int(last.sum()))
    thresholds[0], thresholds[1:] = np.nextafter(distances[0], -np.inf), distances[last]
    fmr, fnmr = _shares(wrong, last, wrong[-1]), _shares(right, last, rights)
    return ErrorRates(thresholds, fmr, np.subtract(1, fnmr, out=fnmr))


def _shares(sums: NDArray[Any], last: Flags, total: float) -> Doubles:
    """Return 0, and those of the sums (n,) that are the last of equal distances, over their total.

    Of nothing at all, all shares are 0.
    """
    shares = np.zeros(1 + int(last.sum()))
    shares[1:] = sums[last]
    if total:
        shares /= total
    return shares
