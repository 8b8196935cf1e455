"""Single comparisons of a probe with a person, taken from searches or from pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from eigenfaces.evaluation.distance_blocks import Block
from eigenfaces.evaluation.error_rates import MatedOrNot
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.space.arrays import Flags, Numbers, ShortNumbers


@dataclass(frozen=True, eq=False)
class Comparisons(MatedOrNot):
    """Single comparisons: who was asked about, who was claimed, and how far apart they were.

    All are of one shape: (n,), or (m, e) where each of m probes was compared with all of e people.
    """

    asked: ShortNumbers
    claimed: ShortNumbers
    fold: ShortNumbers

    def some(self, which: Flags | Numbers) -> Comparisons:
        """Return some of them, (n,): by flags of that shape, or by places among all in a row."""
        arrays = (getattr(self, each.name) for each in fields(self))
        if which.dtype == np.bool_:
            return Comparisons(*(each[which] for each in arrays))
        where = np.unravel_index(which, self.distances.shape)
        return Comparisons(*(each[where] for each in arrays))

    @classmethod
    def joined(cls, parts: Sequence[Comparisons]) -> Comparisons:
        """Return those of several, (n,) each."""
        values = ([getattr(part, each.name) for part in parts] for each in fields(cls))
        return cls(*map(np.concatenate, values))


class InSearches:
    """All comparisons that searches made, block after block: they are many, so none is kept.

    A probe that is searched for as a stranger's too is compared with the same others there: each
    comparison is taken once. Where everybody is compared with everybody, nothing is copied.
    """

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        mated = searches.mated
        each = searches.fold * (int(searches.probes.max(initial=0)) + 1) + searches.probes
        self._first = mated | ~np.isin(each, each[mated])

    def __iter__(self) -> Iterator[Comparisons]:
        return (self._of(*each) for each in self._searches.distances)

    def _of(self, which: slice, block: Block) -> Comparisons:
        distances = block.distances
        asked, claimed, fold = np.broadcast_arrays(
            self._searches.people[which].astype(np.int32)[:, None],
            block.people,
            self._searches.fold[which].astype(np.int32)[:, None],
        )
        found = Comparisons(distances, asked == claimed, asked, claimed, fold)
        there = np.isfinite(distances) & self._first[which, None]
        return found if there.all() else found.some(there)


def comparisons_of_pairs(scores: PairScores, people: Numbers) -> Comparisons:
    """Take pairs for comparisons of the first person with the second."""
    first, second = people.astype(np.int32)[scores.pairs.T]
    fold = scores.fold.astype(np.int32)
    return Comparisons(scores.distances, scores.mated, first, second, fold)


def mated_among(comparisons: Iterable[Comparisons]) -> Comparisons:
    """Return the mated ones, (n,)."""
    return Comparisons.joined([each.some(each.mated) for each in comparisons])


def counts_of(comparisons: Iterable[MatedOrNot]) -> tuple[int, int]:
    """Return how many comparisons are mated, and how many are not."""
    counts = [(int(each.mated.sum()), each.mated.size) for each in comparisons]
    mated, every = map(sum, zip((0, 0), *counts, strict=True))
    return mated, every - mated
