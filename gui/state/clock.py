"""The time, which the core never looks up, and how long a job will still take."""

from __future__ import annotations

import time

from PySide6.QtCore import QDateTime

_SURE = 0.5  # seconds of work before an estimate of the time left is shown


def now() -> str:
    """Return the present second (ISO 8601), as it is kept with what is made or read."""
    return QDateTime.currentDateTimeUtc().toString("yyyy-MM-ddTHH:mm:ss") + "+00:00"


class TimeLeft:
    """Estimates the time left from the time spent; a new total starts a new stage."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self._started, self._first = time.monotonic(), 0

    def tick(self, done: int, total: int) -> None:
        if total != self.total or done < self.done:
            self._started, self._first = time.monotonic(), done
        self.done, self.total = done, total

    def seconds_left(self) -> float | None:
        spent = time.monotonic() - self._started
        progress = self.done - self._first
        if spent < _SURE or progress <= 0:
            return None
        return spent / progress * max(self.total - self.done, 0)
