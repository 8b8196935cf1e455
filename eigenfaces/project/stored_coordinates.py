"""The coordinates of photographs, in a project file: read when wanted, checked then, and held."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Lock

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.project.sqlite_file import SqliteFile
from eigenfaces.project.stored_arrays import load_blocks
from eigenfaces.space.arrays import Floats, Numbers
from eigenfaces.space.arrays.filed_rows import in_file

_NUMBERS_AT_ONCE = 1 << 21
"""Numbers that are read before others may use the file: some 10 ms."""

_TURN = 0.0005  # seconds that they have for it
_ASK_AGAIN = 0.02  # seconds


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

    def read(self, tick: Tick = no_tick) -> Floats:
        """Return them, from any thread; ``tick`` may stop the reading.

        Raises
        ------
        ProjectError
            One is not there, or is not what it was, or another program has changed the file.
        """
        if self.held is None:
            while not self._reading.acquire(timeout=_ASK_AGAIN):
                tick(0, len(self))  # another thread reads them
            try:
                if self.held is None:
                    self.held = self._all(tick)
            finally:
                self._reading.release()
        return self.held

    def of(self, rows: Sequence[int]) -> Floats:
        """Return those of some photographs (m, k), without waiting for the others."""
        if self.held is None:
            order = np.argsort(rows)
            found = np.empty((len(order), self._k), np.float32)
            with self._file.reading():
                if self.held is None:  # while the file is ours, nobody changes the table
                    found[order] = self._some(self._positions[[*rows]][order])
                    return found
        return self.held[[*rows]]

    def _all(self, tick: Tick) -> Floats:
        found = np.empty((len(self), self._k), np.float32)
        at_once = max(1, _NUMBERS_AT_ONCE // self._k)
        for start in range(0, len(self), at_once):
            tick(start, len(self))
            with self._file.reading():
                here = slice(start, start + at_once)
                found[here] = self._some(self._positions[here])
            time.sleep(_TURN)
        found = in_file(found)
        found.setflags(write=False)
        return found

    def _some(self, positions: Numbers) -> Floats:
        """Return those at some positions, as long as nobody else has written into the file."""
        what, file = "a part of the face space is missing", self._file
        if file.is_unchanged():
            try:
                found = load_blocks(file.connection, self._table, positions, self._k)
                if file.is_unchanged():
                    return found
            except ValueError as error:
                what = str(error)
            file.read_anew()
        raise file.unreadable(what)
