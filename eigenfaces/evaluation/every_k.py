"""Whether the right person comes first with 1, 2 … K components: by bounds, and exact in the end.

A distance over the first k coordinates is made of sums, which BLAS gives for whole blocks of
coordinates, but not for every k within. They bound the distances within the block, and mostly one
person is nearer than all others by more than that. Only photographs that the bounds leave are added
up for each k; and only where these are too near to each other for rounding are the distances
themselves taken (`eigenfaces.space.distances.Distance.over_components`). So the answers are those
of the distances themselves, to the last tie. Blocks are as wide as leaves few photographs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from eigenfaces.recognition.matcher import Matcher
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.distances import Distance

_ROOM = 1e-11
"""What rounding can come to, as a share of the lengths: a sum over thousands, and room to spare."""

_EXACT, _WIDEST = 4, 256
"""Coordinates without bounds, and most in a block."""

_FEW, _MANY = 4, 16
"""Photographs left for each probe, below which blocks get wider, and above which narrower."""

_NUMBERS_AT_ONCE = 500_000
"""Distances held at once."""

_MOST_TERMS = 4_000_000
"""Numbers added up at once: a block that leaves more of them is made narrower."""

_SINGLES = 64
"""Coordinates added up at once in single precision."""

_SINGLE = 2 * (_SINGLES + 6) * 2.0**-24
"""What rounding of them can come to, as a share of their sizes."""


@dataclass(frozen=True, eq=False)
class _Left:
    """What the bounds of a block leave.

    Parameters
    ----------
    probes, photos
        (c,) the pairs in which a photograph may be the nearest to a probe, by probe.
    room
        (m,) rounding.
    each
        A function that returns, for some of the pairs and all k of the block, what grows with the
        distance between photographs and the same probe, (pairs, stop − start).
    go_on
        Called when the block is done, before the next.
    """

    probes: Numbers
    photos: Numbers
    room: Doubles
    each: Callable[[Numbers, Numbers], Doubles]
    go_on: Callable[[], None]


class _Squares:
    """Squared Euclidean distances, less the squared length of the probe; they grow with k."""

    def __init__(self, a: Doubles, b: Doubles) -> None:
        self._a, self._b = a, b
        self._sums = np.zeros((len(a), len(b)))
        self._lengths = np.zeros(len(a)), np.zeros(len(b))

    def between(self, start: int, stop: int) -> _Left:
        """Return what is left of the first start + 1 … stop."""
        some, others = self._a[:, start:stop], self._b[:, start:stop]
        added = [np.einsum("ij,ij->i", each, each) for each in (some, others)]
        lengths = self._lengths[0] + added[0], self._lengths[1] + added[1]
        # ‖b‖² − 2 a·b is one product, too.
        before, ones = self._sums, np.ones((len(some), 1))
        after = np.hstack([-2 * some, ones]) @ np.hstack([others, added[1][:, None]]).T
        after += before
        room = _ROOM * (lengths[0] + lengths[1].max())
        limit = after.min(axis=1) + added[0] + 2 * room

        def each(probes: Numbers, photos: Numbers) -> Doubles:
            squares = (some[probes] - others[photos]) ** 2
            return before[probes, photos][:, None] + np.cumsum(squares, axis=1)

        def go_on() -> None:
            self._sums, self._lengths = after, lengths

        probes, photos = np.nonzero(before <= limit[:, None])
        return _Left(probes, photos, room, each, go_on)


class _Differences:
    """City-block distances; they grow with k. Σ |a − b| = Σ a + Σ b − 2 Σ min(a, b)."""

    def __init__(self, a: Doubles, b: Doubles) -> None:
        self._a, self._b = a, b
        self._sums = np.zeros((len(a), len(b)))
        self._sizes = np.zeros(len(a)), np.zeros(len(b))

    def between(self, start: int, stop: int) -> _Left:
        """Return what is left of the first start + 1 … stop."""
        some, others, before = self._a[:, start:stop], self._b[:, start:stop], self._sums
        after = before - 2 * _sums_of_lower(some, others)
        after += some.sum(axis=1)[:, None]
        after += others.sum(axis=1)
        sizes = tuple(
            whole + np.abs(each).sum(axis=1)
            for whole, each in zip(self._sizes, (some, others), strict=True)
        )
        most = sizes[0] + sizes[1].max()
        limit = after.min(axis=1) + 2 * _SINGLE * most

        def each(probes: Numbers, photos: Numbers) -> Doubles:
            sums = np.cumsum(np.abs(some[probes] - others[photos]), axis=1)
            step = max(1, _NUMBERS_AT_ONCE // max(1, start))
            for first in range(0, len(probes), step):
                part = slice(first, first + step)
                apart = self._a[probes[part], :start] - self._b[photos[part], :start]
                sums[part] += np.abs(apart, out=apart).sum(axis=1)[:, None]
            return sums

        def go_on() -> None:
            self._sums, self._sizes = after, sizes

        probes, photos = np.nonzero(before <= limit[:, None])
        return _Left(probes, photos, _ROOM * most, each, go_on)


def _sums_of_lower(a: Doubles, b: Doubles) -> Doubles:
    """Return Σ min(a, b) between rows, (m, n), in single precision."""
    sums = np.zeros((len(a), len(b)))
    for start in range(0, a.shape[1], _SINGLES):
        part = slice(start, start + _SINGLES)
        probes = a[:, part].astype(np.float32)
        photos = np.ascontiguousarray(b[:, part].T, np.float32)
        lower, ones = np.empty_like(photos), np.ones(len(photos), np.float32)
        for row, probe in enumerate(probes):
            np.minimum(photos, probe[:, None], out=lower)
            sums[row] += ones @ lower
    return sums


class _Angles:
    """Minus the cosines, times the length of the probe; 0 where a face lies at the mean.

    Within a block a product lies about halfway between those before and after it, and no farther
    away than half the product of the lengths that are added (Cauchy and Schwarz). Lengths grow.
    """

    def __init__(self, a: Doubles, b: Doubles) -> None:
        self._a, self._b = a, b
        self._products = np.zeros((len(a), len(b)))
        self._squares = np.zeros(len(a)), np.zeros(len(b))
        self._nearest = np.zeros(len(a), np.intp)

    def between(self, start: int, stop: int) -> _Left:
        """Return what is left of the first start + 1 … stop."""
        some, others, before = self._a[:, start:stop], self._b[:, start:stop], self._products
        added = [np.einsum("ij,ij->i", each, each) for each in (some, others)]
        squares = self._squares
        sums = squares[0] + added[0], squares[1] + added[1]
        middle = (some / 2) @ others.T
        after = before + middle
        middle, after = after, after + middle
        short, long = np.sqrt(squares[1]), np.sqrt(sums[1])
        inverse = np.divide(1, long, out=np.zeros_like(long), where=long > 0)
        halves = np.sqrt(added[0]) / 2, np.sqrt(added[1])
        nearest, rows = (after * inverse).argmax(axis=1), np.arange(len(some))
        # What those before and after it that are nearest have in all of the block.
        least = [
            (middle[rows, one] - halves[0] * halves[1][one]) * inverse[one]
            for one in (self._nearest, nearest)
        ]
        room = _ROOM * np.sqrt(sums[0])
        limit = np.maximum(*least) - 2 * room
        highest = np.multiply.outer(*halves)
        highest += middle
        possible = highest >= np.multiply.outer(limit, short)
        possible[limit <= 0] = possible[:, short == 0] = True

        def each(probes: Numbers, photos: Numbers) -> Doubles:
            first, second = some[probes], others[photos]
            along = before[probes, photos][:, None] + np.cumsum(first * second, axis=1)
            lengths = np.sqrt(squares[1][photos][:, None] + np.cumsum(second**2, axis=1))
            return -np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 0)

        def go_on() -> None:
            self._products, self._squares, self._nearest = after, sums, nearest

        probes, photos = np.nonzero(possible)
        return _Left(probes, photos, room, each, go_on)


class _Bounds(Protocol):
    def between(self, start: int, stop: int) -> _Left: ...


def _bounds(distance: Distance, a: Doubles, b: Doubles) -> _Bounds:
    if distance.sums_squares:
        return _Squares(a, b)
    return _Angles(a, b) if distance.is_angle else _Differences(a, b)


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
        m, components = self.probes.shape
        bounds = _bounds(self.distance, self.probes, self.photos)
        out, everything = np.empty((components, m), bool), slice(None)
        stop = min(_EXACT, components)
        out[:stop] = self._exact(slice(0, stop), everything, everything)
        bounds.between(0, stop).go_on()
        start, width = stop, 1
        while start < components:
            stop = min(components, start + width)
            left = bounds.between(start, stop)
            count = len(left.probes)
            if width > 1 and count * (stop - start) > _MOST_TERMS:
                width = max(1, width // 4)
                continue
            out[start:stop] = self._within(left, slice(start, stop))
            left.go_on()
            start = stop
            if count < _FEW * m:
                width = min(_WIDEST, 2 * width)
            elif count > _MANY * m:
                width = max(1, width // 2)
        return out

    def _exact(self, block: slice, probes: slice | Numbers, photos: slice | Numbers) -> Flags:
        """Return it by the distances themselves between some probes and photographs."""
        a, b = self.probes[probes, : block.stop], self.photos[photos, : block.stop]
        distances = self.distance.for_each_k(a.T[:, :, None], b.T[:, None, :], None)
        nearest = distances[block.start :].argmin(axis=2)
        return self.people[photos][nearest] == self.asked[probes]

    def _within(self, left: _Left, block: slice) -> Flags:
        """Return it for the k of a block, (stop − start, m)."""
        m, probes, photos = len(self.probes), left.probes, left.photos
        own = self.people[photos] == self.asked[probes]
        ours = np.bincount(probes, own, m)
        out = np.repeat((ours > 0)[None], block.stop - block.start, axis=0)
        several = (ours > 0) & (ours < np.bincount(probes, minlength=m))
        some = several[probes]
        probes, photos, own = probes[some], photos[some], own[some]
        if not len(probes):
            return out
        # Of each probe first its own photographs, then those of others.
        order = np.lexsort((~own, probes))
        starts = np.flatnonzero(np.diff(2 * probes[order] + ~own[order], prepend=-1))
        nearest = np.minimum.reduceat(left.each(probes, photos)[order], starts, axis=0)
        ahead = (nearest[1::2] - nearest[::2]).T
        which = np.flatnonzero(several)
        out[:, which] = ahead > 0
        # Rounding could turn these round; people who are equally near have an order, too.
        close = (np.abs(ahead) <= 2 * left.room[which]).any(axis=0)
        for probe in which[close].tolist():
            out[:, [probe]] = self._exact(block, np.array([probe]), photos[probes == probe])
        return out
