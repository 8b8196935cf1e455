"""Histograms of distances: between a probe and its own person, and to all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Flags
from eigenfaces.evaluation.figures import error_rates

BINS = 50


@dataclass(frozen=True, eq=False)
class Histogram:
    """Histograms of mated and non-mated comparisons: shares (b,) each, between (b + 1,) edges.

    ``equal`` is the distance at which the two errors are equal.
    """

    edges: Doubles
    mated: Doubles
    non_mated: Doubles
    counts: tuple[int, int]
    equal: float


def histogram(distances: Doubles, mated: Flags) -> Histogram | None:
    """Return the histograms of distances (n,); None if all of them are mated, or none."""
    if not mated.any() or mated.all():
        return None
    edges = np.histogram_bin_edges(distances, BINS)
    ours, others = distances[mated], distances[~mated]
    return Histogram(
        edges=edges,
        mated=np.histogram(ours, edges)[0] / len(ours),
        non_mated=np.histogram(others, edges)[0] / len(others),
        counts=(len(ours), len(others)),
        equal=error_rates(distances, mated).equal[1],
    )
