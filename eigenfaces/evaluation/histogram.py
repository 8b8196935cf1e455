"""Histograms of distances: between a probe and its own person, and to all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.error_rates import MatedOrNot, error_rates
from eigenfaces.recognition.histogram import Histogram

BINS = 50


@dataclass(frozen=True, eq=False)
class ErrorHistogram(Histogram):
    """Histograms of mated and non-mated comparisons.

    ``equal`` is the distance at which the two errors are equal.
    """

    equal: float


def histogram(comparisons: Iterable[MatedOrNot]) -> ErrorHistogram | None:
    """Return the histograms of comparisons; None if all of them are mated, or none."""
    ends = [(each.distances.min(), each.distances.max()) for each in comparisons if each.mated.size]
    if not ends:
        return None
    edges = np.histogram_bin_edges(np.array(ends), BINS)
    counts = np.zeros((2, BINS), np.intp)
    for each in comparisons:
        for kind, those in zip(counts, (each.mated, ~each.mated), strict=True):
            kind += np.histogram(each.distances[those], edges)[0]
    if not counts.any(axis=1).all():
        return None
    both = Histogram.of(edges, *counts)
    equal = error_rates(comparisons).equal[1]
    return ErrorHistogram(edges, both.mated, both.non_mated, both.counts, equal)
