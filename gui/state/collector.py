"""Memory: Python's garbage collection, always in the window's thread, and what is given back.

Whichever thread happens to fill the collector's quota collects for all: a dialog that was closed
and is part of a cycle would be deleted by a job, and Qt's widgets must not be touched from there.
"""

from __future__ import annotations

import ctypes
import gc
import linecache
import sys
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

from eigenfaces.faces.filed_rows import let_go_of_mapped

_EVERY = 500  # milliseconds
_MANY, _FLOOD = 50_000, 100_000
"""So many new blocks of memory are looked through; so many are photographs that are read: they are
there to stay, and to look through them would hold the window up."""

_LONG = 0.03
"""Seconds: what takes longer to look through, and was no garbage, is not looked through again."""


class Collector(QObject):
    """Collects garbage by Python's own thresholds, from a timer of the event loop."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._looked_at = sys.getallocatedblocks()
        timer = QTimer(self)
        timer.timeout.connect(self._collect)
        timer.start(_EVERY)

    def _collect(self) -> None:
        """Collect the oldest generation that is due, which includes all younger ones.

        To look through a hundred thousand photographs would take a quarter of a second. How many
        objects there are is told by their memory: `gc.get_objects` would refer to tuples that
        another thread is making, which Python then refuses to go on with.
        """
        linecache.clearcache()  # PySide reads the source of all that is imported, which stays there
        blocks = sys.getallocatedblocks()
        self._looked_at = min(self._looked_at, blocks)  # a project may have been closed
        new = blocks - self._looked_at
        if new > _FLOOD:
            gc.freeze()
            self._looked_at = blocks
            return
        filled = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, quota) in enumerate(filled) if count > quota]
        if new > _MANY:
            due = [2]
        if not due:
            return
        begun = perf_counter()
        gc.collect(due[-1])
        if due[-1] == 2:
            self._looked_at = blocks
            if perf_counter() > begun + _LONG:
                gc.freeze()


def give_back_what_is_free() -> None:
    """Give the machine all memory that is free, from any thread, in about a millisecond.

    The C library of Linux keeps what lies between blocks in use: after training on 10 000
    photographs, 60 MB. What was looked at of arrays that lie in files is let go of, too.
    """
    let_go_of_mapped()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
