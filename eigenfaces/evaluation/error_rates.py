"""FMR and FNMR of comparisons at every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Doubles, Flags


@dataclass(frozen=True, eq=False)
class ErrorRates:
    """FMR and FNMR at every threshold that makes a difference, from the strictest on.

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
        """Return the largest threshold at which the FAR is at most so much."""
        return float(self.thresholds[self.fmr <= far + 1e-12].max())

    def accepted_at(self, far: float) -> float:
        """Return the largest TAR at a FAR of at most so much."""
        return float(1 - self.fnmr[self.fmr <= far + 1e-12].min())


def error_rates(distances: Doubles, mated: Flags) -> ErrorRates:
    """Return the error rates of comparisons."""
    order = np.argsort(distances, kind="stable")
    distances, right = distances[order], np.cumsum(mated[order], dtype=np.int32)
    del order
    wrong = np.arange(1, len(right) + 1, dtype=np.int32) - right
    return rates_of(distances, wrong, right, int(right[-1]))


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
