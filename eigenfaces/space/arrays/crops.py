"""Face crops: whole 8-bit grey levels, in memory or in a file, read as float32 in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers

_ROWS_AT_ONCE = 256

T = TypeVar("T")

Rows: TypeAlias = int | np.integer | slice | Sequence[int] | NDArray[np.integer | np.bool_]
Columns: TypeAlias = slice | NDArray[np.integer | np.bool_]


class CropRows(Protocol):
    """Crops that are not, or not all, in one array: in a project file, or made when read."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """The arrays among them."""

    def read(self, rows: Numbers) -> NDArray[Any]:
        """Return some rows (m, d): whole grey levels, or what was computed."""

    def select(self, rows: Numbers) -> CropRows:
        """Return the crops of these rows, in this order, unread."""


@dataclass(frozen=True, eq=False)
class Crops:
    """Faces in rows: any piece of them is read as a float32 array of grey values 0…1.

    Parameters
    ----------
    source
        (n, d) whole grey levels 0…255 as bytes, a quarter of the memory; or, for faces that were
        computed from crops, float32; or where the bytes are. Arrays become read-only.

    Examples
    --------
    >>> crops = Crops(np.array([[0, 51, 255], [255, 51, 0]], np.uint8))
    >>> crops[0]
    array([0. , 0.2, 1. ], dtype=float32)
    >>> crops[:, 1:].shape
    (2, 2)
    """

    source: Bytes | Floats | CropRows

    def __post_init__(self) -> None:
        if isinstance(self.source, np.ndarray):
            self.source.setflags(write=False)

    def __reduce__(self) -> tuple[type[Crops], tuple[Bytes | Floats]]:
        """Go to another process as what is held, wherever it lies here."""
        return Crops, (self.held,)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        n, d = self.source.shape
        return n, d

    def __len__(self) -> int:
        return self.source.shape[0]

    def __getitem__(self, which: Rows | tuple[Rows, Columns]) -> Floats:
        piece = self.stored(which)
        return as_grey(piece) if piece.dtype == np.uint8 else piece

    def stored(self, which: Rows | tuple[Rows, Columns]) -> NDArray[Any]:
        """Return a piece as it is held: whole grey levels, or what was computed."""
        if isinstance(self.source, np.ndarray):
            return cast("NDArray[Any]", self.source[which])
        if not isinstance(which, tuple):
            rows = np.arange(len(self))[which]
            read = self.source.read(rows.reshape(-1))
            return read if rows.ndim == 1 else read.reshape(*rows.shape, self.shape[1])
        rows, columns = np.arange(len(self))[which[0]], which[1]
        flat = rows.reshape(-1)
        pieces = [
            self.source.read(flat[start : start + _ROWS_AT_ONCE])[:, columns]
            for start in range(0, max(len(flat), 1), _ROWS_AT_ONCE)
        ]
        joined = np.concatenate(pieces)
        return joined.reshape(*rows.shape, joined.shape[1])

    @property
    def held(self) -> Bytes | Floats:
        """(n, d) all of them as they are held; read at once where they are not in memory."""
        if isinstance(self.source, np.ndarray):
            return self.source
        levels = self.stored(slice(None))
        levels.setflags(write=False)
        return levels

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """The arrays that they take memory for."""
        return (self.source,) if isinstance(self.source, np.ndarray) else self.source.in_memory

    @property
    def are_levels(self) -> bool:
        """Whether they are whole grey levels."""
        return self.stored(slice(0)).dtype == np.uint8

    @property
    def levels(self) -> Doubles:
        """(n, d) the faces in whole grey levels 0…255, where equal distances are equal."""
        held = self.held
        return held.astype(np.float64) if self.are_levels else np.rint(held * np.float64(255))

    def select(self, rows: Sequence[int] | Numbers) -> Crops:
        """Return the faces of these rows, in this order."""
        wanted = np.asarray(rows, np.intp)
        if isinstance(self.source, np.ndarray):
            return Crops(self.source[wanted])
        return Crops(self.source.select(np.arange(len(self))[wanted]))

    def view(self, rows: Sequence[int] | Numbers) -> Crops:
        """Return the same, read where they are whenever they are wanted: nothing is copied."""
        held = isinstance(self.source, np.ndarray)
        return Crops(Joined((self,), np.asarray(rows, np.intp))) if held else self.select(rows)

    def join(self, other: Crops, rows: Sequence[int], placed: Mapping[int, int]) -> Crops:
        """Return these faces, some replaced (row here: row there), then these rows of others.

        Nothing is copied: both stay where they are.
        """
        if self.are_levels != other.are_levels:
            raise ValueError("whole grey levels and computed faces cannot be mixed")
        if not len(self) and [*rows] == [*range(len(other))]:
            return other
        if not rows and not placed:
            return self
        n = len(self)
        # Side by side, not one in another: as often as faces are added.
        here = self.source if isinstance(self.source, Joined) else Joined((self,), np.arange(n))
        end = sum(map(len, here.parts))
        places = np.concatenate([here.rows, end + np.asarray(rows, np.intp)])
        places[[*placed]] = end + np.array([*placed.values()], np.intp)
        joined = Joined((*here.parts, other), places)
        return Crops(joined if self.are_levels else joined.read(np.arange(len(places))))

    def blocks(self) -> Iterator[Floats]:
        """Yield all the faces, some rows at a time."""
        for start in range(0, len(self), _ROWS_AT_ONCE):
            yield self[start : start + _ROWS_AT_ONCE]

    def each(
        self,
        turn: Callable[[Floats], Floats],
        tick: Tick = no_tick,
        *,
        at_once: int = _ROWS_AT_ONCE,
    ) -> Floats:
        """Return what rows (m, d) are turned into, (n, …), without a float32 copy of them all."""
        n = len(self)
        out = np.empty((n, *turn(self[:0]).shape[1:]), np.float32)
        for start in range(0, n, at_once):
            tick(start, n)
            out[start : start + at_once] = turn(self[start : start + at_once])
        tick(n, n)
        return out

    def are_finite(self) -> bool:
        """Return whether all values are numbers."""
        return self.are_levels or all(bool(np.isfinite(some).all()) for some in self.blocks())


@dataclass(frozen=True, eq=False)
class Joined:
    """Rows of several crops, each read where it is.

    Parameters
    ----------
    parts
        The crops.
    rows
        (n,) for each face, its row in all the parts one after another.
    """

    parts: tuple[Crops, ...]
    rows: Numbers

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return len(self.rows), self.parts[0].shape[1]

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """The arrays among them."""
        return tuple(array for part in self.parts for array in part.in_memory)

    def read(self, rows: Numbers) -> NDArray[Any]:
        """Return the levels (m, d) of some rows."""
        wanted, start = self.rows[rows], 0
        pieces = np.empty((len(wanted), self.shape[1]), self.parts[0].stored(slice(0)).dtype)
        for part in self.parts:
            here = (wanted >= start) & (wanted < start + len(part))
            if here.any():
                pieces[here] = part.stored(wanted[here] - start)
            start += len(part)
        return pieces

    def select(self, rows: Numbers) -> Joined:
        """Return the crops of these rows, in this order, unread."""
        return Joined(self.parts, self.rows[rows])


def as_grey(levels: Bytes, room: Floats | None = None) -> Floats:
    """Return whole grey levels 0…255 as float32 in 0…1, in a new array or the one given for it."""
    grey = np.empty(levels.shape, np.float32) if room is None else room
    np.copyto(grey, levels)
    grey /= 255  # in place: half the time of one division
    return grey


def as_levels(grey: Floats) -> Bytes:
    """Return grey values 0…1 as the nearest whole levels 0…255.

    >>> levels = np.arange(256, dtype=np.uint8)
    >>> bool((as_levels(as_grey(levels)) == levels).all())
    True
    """
    return np.rint(grey * 255).astype(np.uint8)


def crop_hash(crop: Floats) -> str:
    """Return what identifies a crop, in hexadecimal: the SHA-256 of its grey levels."""
    return sha256(as_levels(crop).tobytes()).hexdigest()
