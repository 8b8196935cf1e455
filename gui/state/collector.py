"""Python's garbage collection, always in the window's thread.

Whichever thread happens to fill the collector's quota collects for all: a dialog that was closed
and is part of a cycle would be deleted by a job, and Qt's widgets must not be touched from there.
"""

from __future__ import annotations

import gc
import linecache

from PySide6.QtCore import QObject, QTimer

_EVERY = 500  # milliseconds
_FLOOD = 50_000
"""So many young objects are a project that is being opened: they are there to stay."""

_MANY = 100_000
"""So many old objects, of which none was garbage, are not looked through again."""

_FEW = 10_000
"""As so many they count then: a few new ones are no reason to look through all."""

_GROWN = 0.25
"""Share of the old objects that is new when all are looked through, as Python itself has it."""


class Collector(QObject):
    """Collects garbage by Python's own thresholds, from a timer of the event loop."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._old = 0  # objects that were left when all were looked through
        timer = QTimer(self)
        timer.timeout.connect(self._collect)
        timer.start(_EVERY)

    def _collect(self) -> None:
        """Collect the oldest generation that is due, which includes all younger ones.

        To look through a hundred thousand photographs would take a quarter of a second.
        """
        linecache.clearcache()  # PySide reads the source of all that is imported, which stays there
        young, middle, old = (len(gc.get_objects(generation=each)) for each in range(3))
        if young + middle > _FLOOD:  # Python's own count is less what was let go of
            gc.freeze()
            return
        filled = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, quota) in enumerate(filled) if count > quota]
        if not due:
            return
        oldest = due[-1]
        if oldest == 2 and old < (1 + _GROWN) * self._old:
            oldest = 1
        gc.collect(oldest)
        if oldest == 2:
            self._old = len(gc.get_objects(generation=2))
            if self._old > _MANY:
                gc.freeze()
                self._old = _FEW
