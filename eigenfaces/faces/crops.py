"""Face crops: held as whole 8-bit grey levels, read as float32 in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Bytes, Doubles, Floats, Numbers
from eigenfaces.errors import Tick, no_tick
from eigenfaces.photographs.decoding import content_hash

_ROWS_AT_ONCE = 256

T = TypeVar("T")

Rows: TypeAlias = int | np.integer | slice | Sequence[int] | NDArray[np.integer | np.bool_]
Columns: TypeAlias = slice | NDArray[np.integer | np.bool_]


@dataclass(frozen=True, eq=False)
class Crops:
    """Faces in rows: any piece of them is read as a float32 array of grey values 0…1.

    Parameters
    ----------
    held
        (n, d) whole grey levels 0…255 as bytes, a quarter of the memory; or, for faces that were
        computed from crops, float32. Read-only.

    Examples
    --------
    >>> crops = Crops(np.array([[0, 51, 255], [255, 51, 0]], np.uint8))
    >>> crops[0]
    array([0. , 0.2, 1. ], dtype=float32)
    >>> crops[:, 1:].shape
    (2, 2)
    """

    held: Bytes | Floats

    def __post_init__(self) -> None:
        self.held.setflags(write=False)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        n, d = self.held.shape
        return n, d

    def __len__(self) -> int:
        return len(self.held)

    def __getitem__(self, which: Rows | tuple[Rows, Columns]) -> Floats:
        piece: NDArray[Any] = self.held[which]
        return as_grey(piece) if piece.dtype == np.uint8 else piece

    @property
    def levels(self) -> Doubles:
        """(n, d) the faces in whole grey levels 0…255, where equal distances are equal."""
        if self.held.dtype == np.uint8:
            return self.held.astype(np.float64)
        return np.rint(self.held * np.float64(255))

    def select(self, rows: Sequence[int] | Numbers) -> Crops:
        """Return the faces of these rows, in this order."""
        return Crops(self.held[np.asarray(rows, np.intp)])

    def join(self, other: Crops, rows: Sequence[int], placed: Mapping[int, int]) -> Crops:
        """Return these faces, some replaced (row here: row there), then these rows of others."""
        if self.held.dtype != other.held.dtype:
            raise ValueError("whole grey levels and computed faces cannot be mixed")
        joined = np.concatenate([self.held, other.held[[*rows]]])
        joined[[*placed]] = other.held[[*placed.values()]]
        return Crops(joined)

    def blocks(self) -> Iterator[Floats]:
        """Yield all the faces, some rows at a time."""
        for start in range(0, len(self), _ROWS_AT_ONCE):
            yield self[start : start + _ROWS_AT_ONCE]

    def each(self, turn: Callable[[Floats], Floats], tick: Tick = no_tick) -> Floats:
        """Return what rows (m, d) are turned into, (n, …), without a float32 copy of them all."""
        out = np.empty((len(self), *turn(self[:0]).shape[1:]), np.float32)
        start = 0
        for block in self.blocks():
            tick(start, len(self))
            out[start : start + len(block)] = turn(block)
            start += len(block)
        tick(start, start)
        return out

    def over_rows(self, work: Callable[[Floats], T], rows: int) -> Iterator[T]:
        """Yield what a function makes of some rows after others, in their order."""
        for start in range(0, len(self), rows):
            yield work(self[start : start + rows])

    def are_finite(self) -> bool:
        """Return whether all values are numbers."""
        return self.held.dtype == np.uint8 or bool(np.isfinite(self.held).all())


def as_grey(levels: Bytes) -> Floats:
    """Return whole grey levels 0…255 as float32 in 0…1."""
    return np.divide(levels, 255, dtype=np.float32)


def as_levels(grey: Floats) -> Bytes:
    """Return grey values 0…1 as the nearest whole levels 0…255.

    >>> levels = np.arange(256, dtype=np.uint8)
    >>> bool((as_levels(as_grey(levels)) == levels).all())
    True
    """
    return np.rint(grey * 255).astype(np.uint8)


def crop_hash(crop: Floats) -> str:
    """Return what identifies a crop, in hexadecimal: the SHA-256 of its grey levels."""
    return content_hash(as_levels(crop).tobytes())
