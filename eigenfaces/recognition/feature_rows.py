"""The features of many crops, row by row: made whenever they are read, or once, in a file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Floats, Numbers
from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.crops import Crops

IN_MEMORY = 1 << 26
"""Bytes of features that are held: those of some 1600 faces of 92 × 112 pixels."""

_FACES_AT_ONCE = 16
"""Faces whose features are made at once: with more, it takes more memory, and as long."""


@dataclass(frozen=True, eq=False)
class Described:
    """Features (n, f) that are made of crops (n, d) as often as they are read.

    Parameters
    ----------
    crops
        What they are made of.
    make
        Makes those of some crops (m, d).
    """

    crops: Crops
    make: Callable[[Floats], Floats]

    @property
    def shape(self) -> tuple[int, int]:
        """(n, f)."""
        return len(self.crops), self.make(self.crops[:0]).shape[1]

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """The arrays of the crops."""
        return self.crops.in_memory

    def read(self, rows: Numbers) -> Floats:
        """Return the features (m, f) of some rows."""
        return self.select(rows).made()

    def select(self, rows: Numbers) -> Described:
        """Return the features of these rows, in this order, unmade."""
        return replace(self, crops=self.crops.select(rows))

    def made(self, tick: Tick = no_tick) -> Floats:
        """Return all of them, made some at a time."""
        return self.crops.each(self.make, tick, at_once=_FACES_AT_ONCE)

    def kept(self, tick: Tick = no_tick) -> Floats | Filed | Described:
        """Return all of them, made: in memory where they take little, else in a temporary file.

        Where there is no room for one, they are made whenever they are read.
        """
        size = np.float32().nbytes * prod(self.shape)
        if size <= IN_MEMORY:
            return self.made(tick)
        try:
            if 2 * size <= shutil.disk_usage(_folder()).free:
                return Filed.of(self, tick)
        except OSError:  # no folder for it, or the disk is full by now
            pass
        return self


def made_once(features: Crops) -> Crops:
    """Return features to be read many times: in memory, if each time they would be made anew."""
    return Crops(features.source.made()) if isinstance(features.source, Described) else features


@dataclass(frozen=True, eq=False)
class Filed:
    """Features (n, f) in a temporary file, which is gone once nobody holds them.

    Parameters
    ----------
    file
        One row after another.
    length
        f.
    rows
        (n,) for each face, which of the rows is its own.
    """

    file: TemporaryRows
    length: int
    rows: Numbers

    @classmethod
    def of(cls, described: Described, tick: Tick = no_tick) -> Filed:
        """Make features, and write them down; raise `OSError` where that is not possible."""
        (n, length), file = described.shape, TemporaryRows()
        for start in range(0, n, _FACES_AT_ONCE):
            tick(start, n)
            file.append(described.make(described.crops[start : start + _FACES_AT_ONCE]))
        tick(n, n)
        return cls(file, length, np.arange(n))

    @property
    def shape(self) -> tuple[int, int]:
        """(n, f)."""
        return len(self.rows), self.length

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """None."""
        return ()

    def read(self, rows: Numbers) -> Floats:
        """Return the features (m, f) of some rows."""
        return self.file.read(self.rows[rows], self.length)

    def select(self, rows: Numbers) -> Filed:
        """Return the features of these rows, in this order, unread."""
        return replace(self, rows=self.rows[rows])


def _folder() -> str:
    """Return the folder for temporary files; where ``/tmp`` may lie in memory, one on a disk."""
    usual, on_disk = tempfile.gettempdir(), "/var/tmp"
    return on_disk if usual == "/tmp" and os.access(on_disk, os.W_OK) else usual


class TemporaryRows:
    """Rows of as many numbers in single precision each, in a temporary file."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115
            prefix="eigenfaces-", buffering=0, dir=_folder()
        )
        self._reading = Lock()
        finalize(self, self._file.close)

    def append(self, rows: Floats) -> None:
        """Write rows (m, f) at the end."""
        left = memoryview(np.ascontiguousarray(rows, np.float32).data).cast("B")
        while left:
            left = left[self._file.write(left) :]

    def read(self, rows: Numbers, length: int) -> Floats:
        """Return some rows (m, f), from any thread."""
        read = np.empty((len(rows), length), np.float32)
        with self._reading:
            for row, place in zip(read, rows.tolist(), strict=True):
                self._file.seek(place * row.nbytes)
                left = memoryview(row.data).cast("B")
                while left:
                    count = self._file.readinto(left)
                    if not count:
                        raise OSError("A temporary file ends too early.")
                    left = left[count:]
        return read
