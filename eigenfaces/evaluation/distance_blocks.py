"""Distances of searches to people, in blocks: only to those enrolled, large ones on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import FileIO
from weakref import finalize

import numpy as np

from eigenfaces.space.arrays import Doubles, Numbers, ShortNumbers
from eigenfaces.space.arrays.filed_rows import has_room, temporary_file

_FILED = 1_000_000
"""Bytes from which a block is kept on disk."""


class BlocksFile:
    """A temporary file of blocks; it is gone once nobody holds any of them."""

    @cached_property
    def _file(self) -> FileIO:
        file = temporary_file()
        finalize(self, file.close)
        return file

    def put(self, distances: Doubles) -> OnDisk:
        """Write distances (m, e) at the end; raise `OSError` where there is no room."""
        start = self._file.seek(0, os.SEEK_END)
        try:
            distances.tofile(self._file)
        except OSError:
            self._file.truncate(start)
            raise
        return OnDisk(self, start, distances.shape)

    def mapped(self, start: int, shape: tuple[int, ...]) -> Doubles:
        """Return an array in the file: only what is looked at is read."""
        return np.memmap(self._file, np.float64, "r", start, shape)


@dataclass(frozen=True, eq=False)
class OnDisk:
    """Where the distances of a block are in a file."""

    file: BlocksFile
    start: int
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Block:
    """The distances (m, e) of m searches to the e people who were enrolled in any of them.

    ``people``: (e,) who these are, in ascending order.
    """

    people: ShortNumbers
    kept: Doubles | OnDisk

    def __len__(self) -> int:
        return self.kept.shape[0]

    @property
    def distances(self) -> Doubles:
        """(m, e); infinite to whoever was not enrolled in that search."""
        at = self.kept
        return at.file.mapped(at.start, at.shape) if isinstance(at, OnDisk) else at

    def to(self, people: Numbers) -> Doubles:
        """Return the distance of each search to one person, (m,)."""
        found = np.full(len(self), np.inf)
        there = np.flatnonzero(np.isin(people, self.people))
        places = np.searchsorted(self.people, people[there])
        found[there] = self.distances[there, places]
        return found


@dataclass(frozen=True, eq=False)
class DistanceBlocks:
    """The distances (m, p) of m searches to p people, infinite to those who are not enrolled.

    ``count`` is p.
    """

    blocks: tuple[Block, ...]
    count: int

    @classmethod
    def of(cls, distances: Doubles) -> DistanceBlocks:
        """Return all of (m, p) in one block."""
        everybody = np.arange(distances.shape[1], dtype=np.int32)
        return cls((Block(everybody, distances),), len(everybody))

    @classmethod
    def joined(cls, parts: Sequence[DistanceBlocks]) -> DistanceBlocks:
        """Return those of several; blocks in memory that follow each other become one."""
        blocks = (block for part in parts for block in part.blocks)
        return cls(tuple(_merged(blocks)), parts[0].count)

    def __len__(self) -> int:
        return sum(map(len, self.blocks))

    def __iter__(self) -> Iterator[tuple[slice, Block]]:
        """Yield the blocks, and which searches they are of."""
        start = 0
        for block in self.blocks:
            yield slice(start, start + len(block)), block
            start += len(block)

    def to(self, people: Numbers) -> Doubles:
        """Return the distance of each search to one person, (m,)."""
        return np.concatenate([np.empty(0), *(block.to(people[those]) for those, block in self)])

    def row(self, number: int) -> Doubles:
        """Return the distances of one search, (p,)."""
        those, block = next(each for each in self if number < each[0].stop)
        return self._whole(block.people, block.distances[number - those.start])

    def rows(self) -> Iterator[Doubles]:
        """Yield the distances of each search, (p,)."""
        for block in self.blocks:
            yield from (self._whole(block.people, line) for line in block.distances)

    @property
    def size(self) -> int:
        """How many distances are kept."""
        return sum(len(block) * len(block.people) for block in self.blocks)

    @property
    def enrolled(self) -> Numbers:
        """(m,) among how many people each search was."""
        counts = (np.isfinite(block.distances).sum(axis=1) for _, block in self)
        return np.concatenate([np.empty(0, np.intp), *counts])

    def filed(self, file: BlocksFile) -> DistanceBlocks:
        """Return the same with its large blocks on disk; where there is no room, in memory."""
        return replace(self, blocks=tuple(_filed(block, file) for block in self.blocks))

    def _whole(self, people: ShortNumbers, distances: Doubles) -> Doubles:
        row = np.full(self.count, np.inf)
        row[people] = distances
        return row


def _merged(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks; those in memory that follow each other, among the same people, as one."""
    alike: list[Block] = []
    for block in blocks:
        if alike and not _can_follow(alike[-1], block):
            yield _one_of(alike)
            alike = []
        alike.append(block)
    if alike:
        yield _one_of(alike)


def _can_follow(one: Block, other: Block) -> bool:
    in_memory = not isinstance(one.kept, OnDisk) and not isinstance(other.kept, OnDisk)
    return in_memory and np.array_equal(one.people, other.people)


def _one_of(blocks: Sequence[Block]) -> Block:
    if len(blocks) == 1:
        return blocks[0]
    return Block(blocks[0].people, np.concatenate([block.distances for block in blocks]))


def _filed(block: Block, file: BlocksFile) -> Block:
    if isinstance(block.kept, OnDisk) or block.kept.nbytes < _FILED:
        return block
    try:
        return replace(block, kept=file.put(block.kept)) if has_room(block.kept.nbytes) else block
    except OSError:  # no folder for it, or the disk is full by now
        return block
