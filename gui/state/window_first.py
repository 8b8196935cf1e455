"""The window goes before its jobs, with which it shares Python's lock.

Qt gives the lock away at almost each of its calls, and a job that has got it keeps it for a turn: a
page that is shown in 50 ms would take 150 beside a busy job. So jobs look at each of their ticks
whether the window has fallen behind, and then wait until it has come round, or for a tenth of a
second: it may itself wait for the job.
"""

import time

from PySide6.QtCore import QObject, QTimer

_SIGN = 5  # milliseconds between two signs of a window that is not at work
_LATE = 0.008  # seconds without one: it is at work
_LOOK = 0.002  # seconds until a job looks again
_PATIENCE = 0.1  # seconds that a job waits for one sign


class WindowFirst(QObject):
    """Counts signs that the window's event loop has come round to its timers, for jobs to wait."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._signs, self._in_vain, self._seen = 0, -1, 0.0
        self._timer = QTimer(self, interval=_SIGN)
        self._timer.timeout.connect(self._sign)

    def watch(self, *, on: bool) -> None:
        """Give signs from now on, or no more: then nobody waits for one."""
        if not on:
            self._timer.stop()
            self._in_vain = self._signs
        elif not self._timer.isActive():
            self._sign()
            self._timer.start()

    def wait_to_begin(self) -> None:
        """Wait, in a job's thread, until the window has shown what began the job.

        One sign may come before what is put off to the next turn, the second comes after it.
        """
        self._wait_for(2)

    def wait_if_at_work(self) -> None:
        """Wait, in a job's thread, while the window is at work."""
        if time.perf_counter() > self._seen + _LATE:
            self._wait_for(1)

    def _wait_for(self, more: int) -> None:
        wanted, end = self._signs + more, time.perf_counter() + _PATIENCE
        while self._in_vain < self._signs < wanted:
            if time.perf_counter() > end:
                self._in_vain = self._signs
            time.sleep(_LOOK)

    def _sign(self) -> None:
        self._signs, self._seen = self._signs + 1, time.perf_counter()
