"""Single comparisons of a probe with a person, taken from searches or from pairs."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from eigenfaces.arrays import Doubles, Flags, Numbers, ShortNumbers
from eigenfaces.evaluation.searches import PairScores, Searches


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Single comparisons: who was asked about, who was claimed, and how far apart they were.

    All are of one shape: (n,), or (m, p) where each of m probes was compared with all of p people.
    """

    asked: ShortNumbers
    claimed: ShortNumbers
    distances: Doubles
    mated: Flags
    fold: ShortNumbers

    def __len__(self) -> int:
        return self.distances.size


def comparisons_of(searches: Searches) -> Comparisons:
    """Take searches apart into comparisons of a probe with each person enrolled, each once.

    A probe that is searched for as a stranger's too is compared with the same others there. Where
    everybody is compared with everybody, nothing is copied.
    """
    there = _compared(searches)
    asked, claimed, fold = np.broadcast_arrays(
        searches.people.astype(np.int32)[:, None],
        np.arange(there.shape[1], dtype=np.int32),
        searches.fold.astype(np.int32)[:, None],
    )
    found = Comparisons(asked, claimed, searches.distances, asked == claimed, fold)
    if there.all():
        return found
    return Comparisons(*(getattr(found, each.name)[there] for each in fields(found)))


def compared_in(searches: Searches) -> tuple[int, int]:
    """Return how many of these comparisons are mated, and how many are not."""
    there = _compared(searches)
    mated = int(there[np.arange(len(searches)), searches.people].sum())
    return mated, int(there.sum()) - mated


def _compared(searches: Searches) -> Flags:
    """Return which distances of searches are comparisons, (m, p)."""
    mated = searches.mated
    each = searches.fold * (int(searches.probes.max(initial=0)) + 1) + searches.probes
    again = ~mated & np.isin(each, each[mated])
    return np.isfinite(searches.distances) & ~again[:, None]


def comparisons_of_pairs(scores: PairScores, people: Numbers) -> Comparisons:
    """Take pairs for comparisons of the first person with the second."""
    first, second = people.astype(np.int32)[scores.pairs.T]
    fold = scores.fold.astype(np.int32)
    return Comparisons(first, second, scores.distances, scores.mated, fold)
