"""Very many numbers, looked through in pieces: sorted, all would be as large once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from eigenfaces.space.arrays import Doubles, Flags, Numbers

_AT_ONCE = 1 << 18
"""Numbers of a piece: as many, or of small parts up to twice as many."""

_IN_ORDER, _EACH = 1 << 19, 256
"""About so many are put in order at once; and of so many, one is looked at to tell where these end.
"""


@dataclass(frozen=True, eq=False)
class Pieces:
    """Finite numbers, in sorted pieces.

    ``parts`` yields numbers (n,), and which of them are meant (n,), as often as it is asked to.
    """

    parts: Iterable[tuple[Doubles, Flags]]

    def __len__(self) -> int:
        return sum(int(np.count_nonzero(some)) for _, some in self.parts)

    def __iter__(self) -> Iterator[Doubles]:
        for piece in self._unsorted():
            piece.sort()
            yield piece

    def _unsorted(self) -> Iterator[Doubles]:
        held, size = [np.empty(0)], 0
        for numbers, some in self.parts:
            for start in range(0, len(numbers), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                held.append(numbers[part][some[part]])
                size += len(held[-1])
                if size >= _AT_ONCE:
                    yield np.concatenate(held)
                    held, size = [np.empty(0)], 0
        yield np.concatenate(held)

    def ends(self) -> tuple[float, float]:
        """Return the least and the largest; ∞ and −∞ where there are none."""
        low, high = np.inf, -np.inf
        for numbers, some in self.parts:
            low = numbers.min(where=some, initial=low)
            high = numbers.max(where=some, initial=high)
        return float(low), float(high)

    def below(self, thresholds: Doubles, side: Literal["left", "right"] = "left") -> Numbers:
        """Return how many are less than each threshold; to its ``right``, at most that."""
        counts = np.zeros(len(thresholds), np.intp)
        for piece in self:
            counts += np.searchsorted(piece, thresholds, side)
        return counts

    def nearest_below(self, thresholds: Doubles) -> Doubles:
        """Return the largest that is less than each threshold; −∞ where there is none."""
        nearest = np.full(len(thresholds), -np.inf)
        for piece in self:
            at = np.searchsorted(piece, thresholds)
            there = at > 0
            nearest[there] = np.maximum(nearest[there], piece[at[there] - 1])
        return nearest

    def within(self, low: float, high: float) -> Doubles:
        """Return those of at least ``low`` that are less than ``high``, sorted."""
        found = [piece[(low <= piece) & (piece < high)] for piece in self._unsorted()]
        return np.sort(np.concatenate([np.empty(0), *found]))

    def of_rank(self, ranks: Numbers) -> tuple[Doubles, Numbers]:
        """Return those of some ranks, from 0 upwards, and the place of each among its equals."""
        found, places, before = [np.empty(0)], [np.empty(0, np.intp)], 0
        for low, high in pairwise(self._edges()):
            here = self.within(low, high)
            asked = ranks[(before <= ranks) & (ranks < before + len(here))] - before
            found.append(here[asked])
            places.append(asked - np.searchsorted(here, here[asked]))
            before += len(here)
        return np.concatenate(found), np.concatenate(places)

    def _edges(self) -> Doubles:
        """Return numbers between which there are about as many as are put in order at once."""
        some = (numbers[::_EACH][some[::_EACH]] for numbers, some in self.parts)
        sample = np.sort(np.concatenate([np.empty(0), *some]))
        parts = -(-len(sample) * _EACH // _IN_ORDER)
        inner = sample[len(sample) * np.arange(1, parts) // max(1, parts)]
        return np.concatenate([[-np.inf], inner, [np.inf]])
