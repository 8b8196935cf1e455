"""The features of many crops, row by row: made whenever they are read, or once, in a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.space.arrays import Floats, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.arrays.filed_rows import Filed, RowsFile, has_room, temporary_file

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
            if has_room(size):
                return self.filed(tick)
        except OSError:  # no folder for it, or the disk is full by now
            pass
        return self

    def filed(self, tick: Tick = no_tick) -> Filed:
        """Return all of them, in a temporary file; raise `OSError` where that is not possible."""
        (n, length), kind = self.shape, np.dtype(np.float32)
        file = RowsFile(temporary_file(), length, kind)
        for start in range(0, n, _FACES_AT_ONCE):
            tick(start, n)
            file.append(self.make(self.crops[start : start + _FACES_AT_ONCE]))
        tick(n, n)
        return Filed(file, np.arange(n))


def made_once(features: Crops) -> Crops:
    """Return features to be read many times: in memory, if each time they would be made anew."""
    return Crops(features.source.made()) if isinstance(features.source, Described) else features
