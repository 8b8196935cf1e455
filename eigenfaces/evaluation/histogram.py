"""Histograms of distances: between a probe and its own person, and to all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Flags
from eigenfaces.evaluation.error_rates import error_rates
from eigenfaces.recognition.histogram import Histogram

BINS = 50


@dataclass(frozen=True, eq=False)
class ErrorHistogram(Histogram):
    """Histograms of mated and non-mated comparisons.

    ``equal`` is the distance at which the two errors are equal.
    """

    equal: float


def histogram(distances: Doubles, mated: Flags) -> ErrorHistogram | None:
    """Return the histograms of n distances; None if all of them are mated, or none."""
    if not mated.any() or mated.all():
        return None
    edges = np.histogram_bin_edges(distances, BINS)
    both = Histogram.between(edges, distances[mated], distances)
    equal = error_rates(distances, mated).equal[1]
    return ErrorHistogram(edges, both.mated, both.non_mated, both.counts, equal)
