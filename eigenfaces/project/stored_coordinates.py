"""The coordinates of photographs, in a project file: read when wanted, checked then, and held."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from threading import Lock

import numpy as np

from eigenfaces.arrays import Floats, Numbers
from eigenfaces.project.sqlite_file import SqliteFile, damaged
from eigenfaces.project.stored_arrays import load_blocks


class StoredCoordinates:
    """The coordinates (n, k) of photographs at some positions, from a table of blocks.

    They must be read before what is in the table changes: see `Project.save`.
    """

    def __init__(self, file: SqliteFile, table: str, positions: Numbers, k: int) -> None:
        self._file, self._table, self._positions, self._k = file, table, positions, k
        self._reading = Lock()
        self.held: Floats | None = None

    def __len__(self) -> int:
        return len(self._positions)

    def read(self) -> Floats:
        """Return them, from any thread.

        Raises
        ------
        ProjectError
            One is not there, or is not what it was, or another program has changed the file.
        """
        if self.held is None:
            with self._reading, self._file.reading() as connection:
                if self.held is None and self._file.is_unchanged():
                    self.held = self._load(connection, self._positions)
        if self.held is None:
            raise self._file.unreadable("")
        return self.held

    def of(self, rows: Sequence[int]) -> Floats:
        """Return those of some photographs (m, k), even while another thread reads all of them."""
        if self.held is not None:
            return self.held[[*rows]]
        order = np.argsort(rows)
        found = np.empty((len(order), self._k), np.float32)
        with self._file.looking() as connection:
            found[order] = self._load(connection, self._positions[[*rows]][order])
        return found

    def _load(self, connection: sqlite3.Connection, positions: Numbers) -> Floats:
        try:
            found = load_blocks(connection, self._table, positions, self._k)
        except ValueError as error:
            raise damaged(self._file.path, str(error)) from error
        found.setflags(write=False)
        return found
