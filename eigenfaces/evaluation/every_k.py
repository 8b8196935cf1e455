"""Whether the right person comes first with 1, 2 … K components: by bounds, and exact in the end.

A distance over the first k coordinates is made of sums, which BLAS gives for whole blocks of
coordinates, but not for every k within. They bound the distances within the block, and mostly one
person is nearer than all others by more than that. Only photographs that the bounds leave are added
up for each k; and only where these are too near to each other for rounding are the distances
themselves taken (`eigenfaces.space.distances.Distance.over_components`). So the answers are those
of the distances themselves, to the last tie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Flags, Numbers
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.space.distances import Distance

_ROOM = 1e-11
"""What rounding can come to, as a share of the lengths: a sum over thousands, and room to spare."""

_EXACT, _WIDEST, _PART = 8, 32, 12
"""Coordinates without bounds, most in a block, and how many times as many are before it."""

_NUMBERS_AT_ONCE = 250_000
"""Distances held at once: few enough to stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class _Bounds:
    """What is known of distances, or of what grows with them, over the first start + 1 … stop.

    Parameters
    ----------
    start, stop
        The block of coordinates.
    least
        (m, n) no distance within the block is smaller.
    most
        (m,) in all of the block something is at most as far from each probe.
    room
        (m,) rounding.
    each
        A function that returns the distances for some pairs (probes, photographs) and all k of
        the block, (pairs, stop − start).
    """

    start: int
    stop: int
    least: Doubles
    most: Doubles
    room: Doubles
    each: Callable[[Numbers, Numbers], Doubles]


def _squares(a: Doubles, b: Doubles) -> Iterator[_Bounds]:
    """Yield the blocks of squared Euclidean distances; they grow with every coordinate."""
    longer, longest, sums = np.zeros(len(a)), 0.0, np.zeros((len(a), len(b)))
    for start, stop in _parts(a.shape[1]):
        some, others = a[:, start:stop], b[:, start:stop]
        lengths = [np.einsum("ij,ij->i", each, each) for each in (some, others)]
        longer, longest = longer + lengths[0], longest + float(lengths[1].max())
        before, sums = sums, sums - 2 * (some @ others.T)
        sums += lengths[0][:, None]
        sums += lengths[1]

        each = _summing(np.square, some, others, before)
        yield _Bounds(start, stop, before, sums.min(axis=1), _ROOM * (longer + longest), each)


def _differences(a: Doubles, b: Doubles) -> Iterator[_Bounds]:
    """Yield the blocks of city-block distances; they grow with every coordinate."""
    from scipy.spatial.distance import cdist

    sums = np.zeros((len(a), len(b)))
    for start, stop in _parts(a.shape[1]):
        some, others = a[:, start:stop], b[:, start:stop]
        before, sums = sums, sums + cdist(some, others, "cityblock")

        each = _summing(np.abs, some, others, before)
        yield _Bounds(start, stop, before, sums.min(axis=1), _ROOM * sums.max(axis=1), each)


def _summing(
    term: Callable[[Doubles], Doubles], some: Doubles, others: Doubles, before: Doubles
) -> Callable[[Numbers, Numbers], Doubles]:
    """Return the sums of pairs within a block: of terms of differences, after those before it."""

    def each(probes: Numbers, photos: Numbers) -> Doubles:
        terms = term(some[probes] - others[photos])
        return before[probes, photos][:, None] + np.cumsum(terms, axis=1)

    return each


def _angles(a: Doubles, b: Doubles) -> Iterator[_Bounds]:
    """Yield the blocks of minus the cosines, 0 where a face lies at the mean.

    Within a block a product changes by at most the product of the lengths that are added (Cauchy
    and Schwarz), and the lengths grow.
    """
    products, after = np.zeros((len(a), len(b))), [np.zeros(len(each)) for each in (a, b)]
    for start, stop in _parts(a.shape[1]):
        some, others = a[:, start:stop], b[:, start:stop]
        added = [np.einsum("ij,ij->i", each, each) for each in (some, others)]
        squares, after = after, [first + more for first, more in zip(after, added, strict=True)]
        change, short, long = (
            np.multiply.outer(*map(np.sqrt, each)) for each in (added, squares, after)
        )
        highest, lowest = products + change, products - change
        with np.errstate(divide="ignore", invalid="ignore"):
            least = -highest / np.where(highest > 0, short, long)
            most = -lowest / np.where(lowest > 0, long, short)
        least[short == 0], most[short == 0] = -1, 1

        def each(
            probes: Numbers,
            photos: Numbers,
            pieces: tuple[Doubles, Doubles] = (some, others),
            products: Doubles = products,
            squares: list[Doubles] = squares,
        ) -> Doubles:
            first, second = pieces[0][probes], pieces[1][photos]
            along = products[probes, photos][:, None] + np.cumsum(first * second, axis=1)
            lengths = np.sqrt(squares[0][probes][:, None] + np.cumsum(first**2, axis=1))
            lengths *= np.sqrt(squares[1][photos][:, None] + np.cumsum(second**2, axis=1))
            return -np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 0)

        yield _Bounds(start, stop, least, most.min(axis=1), np.full(len(a), _ROOM), each)
        products = products + some @ others.T


def _parts(k: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks of k coordinates: narrow where each changes much, then wider ones."""
    start = 0
    while start < k:
        stop = min(k, start + (min(_WIDEST, max(1, start // _PART)) if start else _EXACT))
        yield start, stop
        start = stop


def can_bound(distance: Distance, matcher: Matcher) -> bool:
    """Return whether there are bounds for the answers of a matcher by a distance."""
    voted = matcher.rule == "nearest" and matcher.neighbours > 1
    by_sums = distance.sums_squares or distance.is_angle or distance.sums_differences
    return by_sums and not voted and matcher.rule != "mean distance"


def right_firsts(
    distance: Distance,
    probes: tuple[Doubles, Numbers],
    photos: tuple[Doubles, Numbers],
) -> Flags:
    """Return whether the right person has the nearest photograph in the first 1 … K coordinates.

    Of people who are equally near, the one with the smallest number comes first.

    Parameters
    ----------
    distance
        One that `can_bound`.
    probes, photos
        (m, K) and (n, K) coordinates as the distance compares them, and (m,) and (n,) the number
        of the person on each.

    Returns
    -------
        (K, m).
    """
    order = np.argsort(photos[1], kind="stable")
    among = photos[0][order], photos[1][order]
    step = max(1, _NUMBERS_AT_ONCE // len(order))
    parts = [
        _Among(distance, probes[0][start : start + step], probes[1][start : start + step], *among)
        for start in range(0, len(probes[0]), step)
    ]
    nothing = np.empty((photos[0].shape[1], 0), bool)
    return np.concatenate([nothing, *(part.right() for part in parts)], axis=1)


@dataclass(frozen=True, eq=False)
class _Among:
    """Some probes and all photographs, these in the order of the people on them."""

    distance: Distance
    probes: Doubles
    asked: Numbers
    photos: Doubles
    people: Numbers

    def right(self) -> Flags:
        """Return whether the right person comes first, (K, m)."""
        bounded = (
            _squares
            if self.distance.sums_squares
            else _angles
            if self.distance.is_angle
            else _differences
        )
        out = np.empty((self.probes.shape[1], len(self.probes)), bool)
        for block in bounded(self.probes, self.photos):
            if block.start:
                out[block.start : block.stop] = self._within(block)
            else:
                everything = slice(None)
                out[: block.stop] = self._exact(block, everything, everything)
        return out

    def _exact(self, block: _Bounds, probes: slice | Numbers, photos: slice | Numbers) -> Flags:
        """Return it by the distances themselves between some probes and photographs."""
        a, b = self.probes[probes, : block.stop], self.photos[photos, : block.stop]
        distances = self.distance.for_each_k(a.T[:, :, None], b.T[:, None, :], None)
        nearest = distances[block.start :].argmin(axis=2)
        return self.people[photos][nearest] == self.asked[probes]

    def _within(self, block: _Bounds) -> Flags:
        """Return it for the k of a block, (stop − start, m)."""
        m = len(self.probes)
        probes, photos = np.nonzero(block.least <= (block.most + 2 * block.room)[:, None])
        own = self.people[photos] == self.asked[probes]
        ours = np.bincount(probes, own, m)
        out = np.repeat((ours > 0)[None], block.stop - block.start, axis=0)
        several = (ours > 0) & (ours < np.bincount(probes, minlength=m))
        left = several[probes]
        probes, photos, own = probes[left], photos[left], own[left]
        if not len(probes):
            return out
        # Of each probe first its own photographs, then those of others.
        order = np.lexsort((~own, probes))
        starts = np.flatnonzero(np.diff(2 * probes[order] + ~own[order], prepend=-1))
        nearest = np.minimum.reduceat(block.each(probes, photos)[order], starts, axis=0)
        ahead = (nearest[1::2] - nearest[::2]).T
        which = np.flatnonzero(several)
        out[:, which] = ahead > 0
        # Rounding could turn these round; people who are equally near have an order, too.
        close = (np.abs(ahead) <= 2 * block.room[which]).any(axis=0)
        for probe in which[close].tolist():
            out[:, [probe]] = self._exact(block, np.array([probe]), photos[probes == probe])
        return out
