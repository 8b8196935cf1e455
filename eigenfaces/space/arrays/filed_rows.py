"""Rows of numbers that lie in a file, one after another.

They are read whenever they are wanted, or mapped into memory: then it looks as if they were there,
but only what of them is looked at takes any.
"""

from __future__ import annotations

import io
import mmap
import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from eigenfaces.space.arrays import Floats, Numbers

MAPPED = 1 << 22
"""Bytes from which an array is worth a file, which is one more that is open."""


class RowsFile:
    """A file that holds rows of as many numbers each; it is closed once nobody holds this.

    Parameters
    ----------
    file
        Open, and without a buffer.
    length, kind
        How many numbers a row has, and of which kind.
    """

    def __init__(self, file: io.RawIOBase, length: int, kind: np.dtype[Any]) -> None:
        self.length, self.kind = length, kind
        self._file, self._using = file, Lock()
        finalize(self, file.close)

    def append(self, rows: NDArray[Any]) -> None:
        """Write rows (m, length) at the end of the file."""
        left = memoryview(np.ascontiguousarray(rows, self.kind).data).cast("B")
        with self._using:
            self._file.seek(0, os.SEEK_END)
            while left:
                left = left[self._file.write(left) :]

    def read(self, rows: Numbers) -> NDArray[Any]:
        """Return some rows (m, length), from any thread."""
        read = np.empty((len(rows), self.length), self.kind)
        with self._using:
            for row, place in zip(read, rows.tolist(), strict=True):
                self._file.seek(place * row.nbytes)
                left = memoryview(row.data).cast("B")
                while left:
                    count = self._file.readinto(left)
                    if not count:
                        raise OSError("A temporary file ends too early.")
                    left = left[count:]
        return read

    def mapped(self) -> NDArray[Any]:
        """Return all rows (n, length), read-only, and for as long as anybody holds them."""
        held = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.frombuffer(held, self.kind).reshape(-1, self.length)


def folder_on_disk() -> str:
    """Return the folder for temporary files; where ``/tmp`` may lie in memory, one on a disk."""
    usual, on_disk = tempfile.gettempdir(), "/var/tmp"
    return on_disk if usual == "/tmp" and os.access(on_disk, os.W_OK) else usual


def has_room(size: int) -> bool:
    """Return whether a temporary file of so many bytes leaves as many free on its disk."""
    return 2 * size <= shutil.disk_usage(folder_on_disk()).free


def temporary_file() -> io.FileIO:
    """Return a new file, without a buffer, that is gone as soon as it is closed."""
    where = folder_on_disk()
    return tempfile.TemporaryFile(prefix="eigenfaces-", buffering=0, dir=where)


def in_file(array: Floats) -> Floats:
    """Return a large array (n, k) mapped from a temporary file, read-only.

    Another, or a view, stays as it is; so does each where there is no room for a file.
    """
    if array.nbytes < MAPPED or array.base is not None:
        return array
    try:
        if not has_room(array.nbytes):
            return array
        file = RowsFile(temporary_file(), array.shape[1], array.dtype)
        file.append(array)
        return file.mapped()
    except OSError:  # no folder for it, or the disk is full by now
        return array


@dataclass(frozen=True, eq=False)
class Filed:
    """Crops (n, d), or what was computed from them, whose rows lie in a file.

    Parameters
    ----------
    file
        One row after another.
    rows
        (n,) for each face, which of the rows is its own.
    """

    file: RowsFile
    rows: Numbers

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return len(self.rows), self.file.length

    @property
    def in_memory(self) -> tuple[NDArray[Any], ...]:
        """None."""
        return ()

    def read(self, rows: Numbers) -> NDArray[Any]:
        """Return some rows (m, d)."""
        return self.file.read(self.rows[rows])

    def select(self, rows: Numbers) -> Filed:
        """Return those of these rows, in this order, unread."""
        return replace(self, rows=self.rows[rows])
