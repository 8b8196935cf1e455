"""The crops of a project, in its file: found by their SHA-256, read when wanted, checked when read.

A crop has a row of its own, whichever photographs have it as their face, and none is changed. So
a gallery, of now or of a state that undo returns to, needs to know only what its crops are: they
are read from the file for as long as it is open. What no photograph has as its face any more goes
when the file is closed, or, where that was not possible, when it is opened next.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.project.sqlite_file import SqliteFile
from eigenfaces.project.stored_arrays import expect
from eigenfaces.space.arrays import Bytes, Numbers
from eigenfaces.space.arrays.crops import Crops, as_levels

_ROWS_AT_ONCE = 256

_SMALLEST_ROW = 64
"""Bytes of a row that has a SHA-256 in hexadecimal, at least."""


class FaceStore:
    """Reads crops from an open project file, from any thread."""

    def __init__(self, file: SqliteFile) -> None:
        self.file = file
        self._next: FaceStore | None = None

    def goes_on_in(self, store: FaceStore) -> None:
        """Read from another file, which holds the same crops, once this one is closed."""
        self._next = store

    def read(self, crops: Sequence[str], size: int) -> Bytes:
        """Return crops (m, size) by their SHA-256.

        Raises
        ------
        ProjectError
            One is not there, or is not what it was: no part of it is used.
        """
        if self._next is not None and self.file.is_closed:
            return self._next.read(crops, size)
        levels = np.empty((len(crops), size), np.uint8)
        for start in range(0, len(crops), _ROWS_AT_ONCE):
            end = start + _ROWS_AT_ONCE
            if not self._fill(crops[start:end], levels[start:end]):
                self.file.read_anew()
                if not self._fill(crops[start:end], levels[start:end]):
                    raise self.file.unreadable("a face in it is not what it was")
        return levels

    def _fill(self, crops: Sequence[str], levels: Bytes) -> bool:
        with self.file.looking() as connection:
            return _read(connection, crops, levels)

    def faces(self, faces: FaceSet) -> FaceSet:
        """Return faces that the file holds, read from it."""
        source = faces.pixels.source
        if isinstance(source, StoredCrops) and source.store is self:
            return faces
        crops = tuple(photo.crop for photo in faces.index.photos)
        return replace(faces, pixels=Crops(StoredCrops(self, crops, faces.pixels.shape[1])))


def _read(connection: sqlite3.Connection, crops: Sequence[str], levels: Bytes) -> bool:
    """Fill rows with crops; return whether all of them are what they were."""
    for row, crop in zip(levels, crops, strict=True):
        content = _content(connection, crop, len(row))
        if not isinstance(content, bytes) or content_hash(content) != crop:
            return False
        row[:] = np.frombuffer(content, np.uint8)
    return True


def _content(connection: sqlite3.Connection, crop: str, size: int) -> object:
    """Return what a file has as a crop; None where it has none of this size."""
    ask = "SELECT levels FROM face WHERE crop = ? AND length(levels) = ?"
    try:
        found = connection.execute(ask, (crop, size)).fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_ABORT:
            raise
        found = connection.execute(ask, (crop, size)).fetchone()  # a change was just undone
    return found[0] if found else None


@dataclass(frozen=True, eq=False)
class StoredCrops:
    """Crops that are read from a project file.

    Parameters
    ----------
    store
        Where they are read.
    crops
        The SHA-256 of each, row by row.
    size
        Bytes of each.
    """

    store: FaceStore
    crops: tuple[str, ...]
    size: int

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return len(self.crops), self.size

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """None."""
        return ()

    def read(self, rows: Numbers) -> Bytes:
        """Return the levels (m, d) of some rows."""
        return self.store.read([self.crops[row] for row in rows.tolist()], self.size)

    def select(self, rows: Numbers) -> StoredCrops:
        """Return the crops of these rows, in this order, unread."""
        return replace(self, crops=tuple(self.crops[row] for row in rows.tolist()))


def unstored(connection: sqlite3.Connection, crops: Iterable[str]) -> set[str]:
    """Return which of these crops a file does not hold."""
    ask = "SELECT 1 FROM face WHERE crop = ?"
    return {crop for crop in crops if connection.execute(ask, (crop,)).fetchone() is None}


def write_faces(connection: sqlite3.Connection, crops: Crops, rows: Sequence[int]) -> list[str]:
    """Write the crops of some rows, and return what each is found by."""
    names: list[str] = []
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = [
            (content_hash(content), content)
            for content in map(bytes, as_stored(crops, rows[start : start + _ROWS_AT_ONCE]))
        ]
        connection.executemany("INSERT OR IGNORE INTO face VALUES (?, ?)", block)
        names += [name for name, _ in block]
    return names


def as_stored(crops: Crops, rows: Sequence[int]) -> Bytes:
    """Return some crops as whole grey levels (m, d)."""
    levels = crops.stored(rows) if crops.are_levels else as_levels(crops[rows])
    return np.ascontiguousarray(levels)


def delete_faces(connection: sqlite3.Connection, crops: Collection[str]) -> None:
    """Delete crops that no photograph has as its face."""
    connection.executemany("DELETE FROM face WHERE crop = ?", [(crop,) for crop in crops])


def copy_faces(
    source: sqlite3.Connection, target: sqlite3.Connection, crops: Iterable[str]
) -> None:
    """Copy crops as they are, and as far as they are there, into a file that may hold some."""
    for crop in crops:
        found = source.execute("SELECT * FROM face WHERE crop = ?", (crop,)).fetchone()
        if found is not None:
            target.execute("INSERT OR IGNORE INTO face VALUES (?, ?)", found)


def left_over(connection: sqlite3.Connection, crops: Collection[str]) -> set[str]:
    """Return the crops of a file but for these, which must all be there.

    Raises `ValueError` where there are fewer. However damaged the file is, it is asked for no more
    rows than it has room for.
    """
    (count,) = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM face LIMIT ?)", (len(crops) + 1,)
    ).fetchone()
    expect(count >= len(crops), "some of its faces are missing")
    if count == len(crops):
        return set()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    room = pages * page // _SMALLEST_ROW
    listed = connection.execute("SELECT crop FROM face LIMIT ?", (room,))
    return {crop for (crop,) in listed if isinstance(crop, str)}.difference(crops)
