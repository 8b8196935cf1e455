"""Run one core function in a thread: progress, cancel, result or error."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from eigenfaces.errors import Cancelled, EigenfacesError, Tick

T = TypeVar("T")
Failed = Callable[[EigenfacesError], None]
_TICK = 0.05  # seconds between two reports of progress
_SURE = 0.5  # seconds of work before a guess about the time left is worth showing


@dataclass(frozen=True)
class Progress:
    """How far the running job is; ``total`` 0 means that nobody knows."""

    kind: str
    title: str
    done: int
    total: int
    seconds_left: float | None
    cancelling: bool


class _Clock:
    """Guesses the time left from the time spent; a new total starts a new stage."""

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        self._started = time.monotonic()
        self._first = 0

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


class _Runnable(Protocol):
    """What `Jobs` needs to know of a job, whatever its result is."""

    kind: str
    title: str
    clock: _Clock
    stop: Event
    dropped: bool
    cancelled: Callable[[], None] | None

    def run(self, report: Callable[[], None]) -> None: ...
    def tell(self) -> None: ...


class _Job(Generic[T]):
    """One piece of work, the questions it is asked and the answers it gives."""

    def __init__(self, kind: str, title: str, work: Callable[[Tick], T]) -> None:
        self.kind, self.title, self.work = kind, title, work
        self.done: Callable[[T], None] | None = None
        self.failed: Failed | None = None
        self.cancelled: Callable[[], None] | None = None
        self.clock = _Clock()
        self.stop = Event()
        self.dropped = False
        self.binding = False
        self._result: list[T] = []
        self._error: Exception | None = None

    def run(self, report: Callable[[], None]) -> None:
        """Do the work, in the worker's thread; whatever happens is kept for `tell`."""
        last = 0.0

        def tick(done: int, total: int) -> None:
            nonlocal last
            if self.stop.is_set():
                raise Cancelled
            self.clock.tick(done, total)
            now = time.monotonic()
            if now - last >= _TICK:
                last = now
                report()

        try:
            self._result.append(self.work(tick))
        except Exception as error:
            self._error = error

    def tell(self) -> None:
        """Report how it ended, in the window's thread."""
        error = self._error
        if error is not None and not isinstance(error, Cancelled | EigenfacesError):
            sys.excepthook(type(error), error, error.__traceback__)
        elif self.dropped:
            return
        elif isinstance(error, Cancelled) or (self.stop.is_set() and not self.binding):
            # A result that comes after the wish to stop is dropped: cancelled means unchanged.
            if self.cancelled:
                self.cancelled()
        elif isinstance(error, EigenfacesError):
            if self.failed:
                self.failed(error)
        elif self.done:
            self.done(self._result[0])


class Jobs(QObject):
    """One thread at work at a time; the others wait their turn."""

    changed = Signal()
    _reported = Signal()
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: _Runnable | None = None
        self._waiting: list[_Runnable] = []
        self._thread: Thread | None = None
        self._closed = False
        # The worker emits these; Qt carries them over to the thread this object lives in.
        self._reported.connect(self.changed)
        self._ended.connect(self._finish)

    @property
    def current(self) -> Progress | None:
        """How far the running job is, or None when nothing runs."""
        job = self._running
        if job is None:
            return None
        done, total = job.clock.done, job.clock.total
        left = job.clock.seconds_left()
        return Progress(job.kind, job.title, done, total, left, job.stop.is_set())

    @property
    def waiting(self) -> tuple[str, ...]:
        """The titles of the jobs that wait their turn."""
        return tuple(job.title for job in self._waiting)

    def is_busy(self, kind: str) -> bool:
        """Tell whether a job of this kind runs or waits."""
        running = self._running is not None and self._running.kind == kind
        return running or any(job.kind == kind for job in self._waiting)

    def start(
        self,
        kind: str,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], None],
        *,
        failed: Failed | None = None,
        cancelled: Callable[[], None] | None = None,
        first: bool = False,
        binding: bool = False,
    ) -> None:
        """Run ``work`` in a thread and hand its result to ``done`` in this one.

        The same kind started again replaces the running one; another kind waits its turn, at the
        head of the queue if it is to be ``first``. What writes a file is ``binding``: its result
        counts even where the wish to stop came too late.
        """
        if self._closed:
            return
        job = _Job(kind, title, work)
        job.done, job.failed, job.cancelled, job.binding = done, failed, cancelled, binding
        self._waiting = [other for other in self._waiting if other.kind != kind]
        if self._running is not None and self._running.kind == kind:
            self._running.dropped = True
            self._running.stop.set()
            self._waiting.insert(0, job)
        else:
            self._waiting.insert(0 if first else len(self._waiting), job)
        if self._running is None:
            self._start_next()
        self.changed.emit()

    def entitle(self, title: str) -> None:
        """Call the running job otherwise, as it enters another stage; also from its thread."""
        if self._running is not None:
            self._running.title = title

    def cancel(self) -> None:
        """Ask the running job to stop at its next tick."""
        if self._running is not None and not self._running.stop.is_set():
            self._running.stop.set()
            self.changed.emit()

    def drop(self, *kinds: str) -> None:
        """Give up what waits its turn; it counts as cancelled."""
        given_up = [job for job in self._waiting if job.kind in kinds]
        self._waiting = [job for job in self._waiting if job.kind not in kinds]
        for job in given_up:
            if job.cancelled:
                job.cancelled()

    def close(self) -> None:
        """Cancel everything and wait until the thread has ended; nothing starts after this."""
        self._closed = True
        self._waiting.clear()
        if self._running is not None:
            self._running.dropped = True
            self._running.stop.set()
        if self._thread is not None:
            self._thread.join()
        self._thread = self._running = None

    def _start_next(self) -> None:
        if self._closed or not self._waiting:
            return
        job = self._waiting.pop(0)
        self._running = job
        self._thread = Thread(target=self._work, args=(job,), name=f"job {job.kind}")
        self._thread.start()

    def _work(self, job: _Runnable) -> None:
        job.run(self._reported.emit)
        self._ended.emit(job)

    @Slot(object)
    def _finish(self, job: _Runnable) -> None:
        if self._thread is not None:
            self._thread.join()
        self._thread = self._running = None
        try:
            job.tell()
        finally:
            # A callback may have started something of its own.
            if self._running is None:
                self._start_next()
            self.changed.emit()
