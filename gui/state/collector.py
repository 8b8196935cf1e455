"""Python's garbage collection, always in the window's thread.

Whichever thread happens to fill the collector's quota collects for all: a dialog that was closed
and is part of a cycle would be deleted by a job, and Qt's widgets must not be touched from there.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY = 500  # milliseconds


class Collector(QObject):
    """Collects garbage by Python's own thresholds, from a timer of the event loop."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        timer = QTimer(self)
        timer.timeout.connect(collect)
        timer.start(_EVERY)


def collect() -> None:
    """Collect the oldest generation that is due, which includes all younger ones."""
    filled = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, quota) in enumerate(filled) if count > quota]
    if due:
        gc.collect(due[-1])
