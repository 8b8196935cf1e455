"""Histograms of distances: to the right person, and to others."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eigenfaces.recognition.held_out import HeldOut
from eigenfaces.space.arrays import Doubles, Numbers

_FEWEST, _MOST = 10, 40
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, eq=False)
class Histogram:
    """Histograms of mated and non-mated comparisons: shares (b,) each, between (b + 1,) edges.

    ``counts`` are their numbers.
    """

    edges: Doubles
    mated: Doubles
    non_mated: Doubles
    counts: tuple[int, int]

    @staticmethod
    def of(edges: Doubles, mated: Numbers, non_mated: Numbers) -> Histogram:
        """Return the histograms of numbers, (b,) each, at least one of each kind."""
        counts = int(mated.sum()), int(non_mated.sum())
        return Histogram(edges, mated / counts[0], non_mated / counts[1], counts)


def held_out_histogram(held: HeldOut) -> Histogram | None:
    """Return how far the photographs of a gallery, held out, are from the nearest person in it.

    Mated are those whose person is still enrolled; non-mated, the strangers that all of them are
    while their person is away. None where there are not both.
    """
    mated, non_mated = held.member.distance[held.mated], held.stranger.distance
    mated, non_mated = mated[np.isfinite(mated)], non_mated[np.isfinite(non_mated)]
    if not mated.size or not non_mated.size:
        return None
    edges = round_edges(np.concatenate([mated, non_mated]))
    return Histogram.of(edges, *(np.histogram(each, edges)[0] for each in (mated, non_mated)))


def left_over_histogram(left_over: Doubles, asked: float) -> Histogram:
    """Return how much of each of n faces is no face, of 0…1, in per cent; there are no others.

    The edges are wide enough for what is asked about, too.
    """
    edges = round_edges(100 * np.append(left_over, asked))
    shares = np.histogram(100 * left_over, edges)[0] / len(left_over)
    return Histogram(edges, shares, np.zeros(len(shares)), (len(left_over), 0))


def round_edges(values: Doubles) -> Doubles:
    """Return the edges of equally wide bins around n values, round numbers.

    About 2 √n bins, but 10 to 40; from zero, unless that leaves most of them empty.

    >>> round_edges(np.array([0.2, 0.9]))
    array([0. , 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    """
    low, high = float(values.min()), float(values.max())
    if 0 <= low <= high / 2:
        low = 0.0
    most = min(max(round(2 * math.sqrt(len(values))), _FEWEST), _MOST)
    wanted = (high - low or abs(high) or 1.0) / most
    power = 10.0 ** math.floor(math.log10(wanted))
    width = next(step * power for step in _ROUND if step * power >= wanted * (1 - 1e-9))
    first, last = math.floor(low / width + 1e-9), math.ceil(high / width - 1e-9)
    edges = np.arange(first, max(last, first + 1) + 1, dtype=np.float64) * width
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)  # rounding loses none of them
    return edges
