"""Histograms of distances: between a probe and its own person, and to all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.error_rates import MatedOrNot
from eigenfaces.recognition.histogram import Histogram

BINS = 50


@dataclass(frozen=True, eq=False)
class ErrorHistogram(Histogram):
    """Histograms of mated and non-mated comparisons.

    ``equal`` is the distance at which the two errors are equal.
    """

    equal: float


def histogram(comparisons: Iterable[MatedOrNot], equal: float) -> ErrorHistogram:
    """Return the histograms of comparisons, with mated and others among them.

    ``equal``: the distance at which their two errors are equal.
    """
    ends = [(each.distances.min(), each.distances.max()) for each in comparisons if each.mated.size]
    edges = np.histogram_bin_edges(np.array(ends), BINS)
    counts = np.zeros((2, BINS), np.intp)
    for each in comparisons:
        for kind, those in zip(counts, (each.mated, ~each.mated), strict=True):
            kind += np.histogram(each.distances[those], edges)[0]
    both = Histogram.of(edges, *counts)
    return ErrorHistogram(edges, both.mated, both.non_mated, both.counts, equal)
