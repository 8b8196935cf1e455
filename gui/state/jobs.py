"""Run core functions in threads: progress, cancel, result or error.

There are two lanes, each with one thread at work. What a person waits for while looking at it (a
project that opens, a photograph that is recognised) goes by the quick lane, and so never waits for
a training. All else goes by the long lane. The kind of a job decides: see `_QUICK`.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from eigenfaces.errors import Cancelled, EigenfacesError, Tick

T = TypeVar("T")
Failed = Callable[[EigenfacesError], None]
_TICK = 0.05  # seconds between two reports of progress, of all jobs together
_SURE = 0.5  # seconds of work before a guess about the time left is worth showing

_QUICK = ("open", "probe", "recognise", "photo", "preview", "light", "read run")
"""Kinds of jobs of the quick lane. As all jobs, they touch nothing but the values they get."""

_CHANGING = ("import", "write", "save")
"""First words of the kinds that bring something into the project, or carry it elsewhere."""

_AFTER_CHANGES = ("open", "probe")
"""Kinds that wait for such: nothing is lost, and probes are cut as the gallery's faces are then."""


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


def _changes(job: _Runnable) -> bool:
    return job.kind.split()[0] in _CHANGING


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

        def tick(done: int, total: int) -> None:
            if self.stop.is_set():
                raise Cancelled
            self.clock.tick(done, total)
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


class _Lane:
    """One thread at work at a time; the other jobs of its kinds wait their turn."""

    def __init__(self) -> None:
        self.running: _Runnable | None = None
        self.waiting: list[_Runnable] = []
        self.thread: Thread | None = None

    @property
    def progress(self) -> Progress | None:
        """How far the running job is, or None when nothing runs."""
        job = self.running
        if job is None:
            return None
        done, total, left = job.clock.done, job.clock.total, job.clock.seconds_left()
        return Progress(job.kind, job.title, done, total, left, job.stop.is_set())

    @property
    def jobs(self) -> list[_Runnable]:
        """The running job, and those that wait."""
        return [*([self.running] if self.running is not None else []), *self.waiting]

    def put(self, job: _Runnable, *, first: bool) -> None:
        """Put a job in its place; the same kind, running or waiting, is replaced by it."""
        self.waiting = [other for other in self.waiting if other.kind != job.kind]
        if self.running is not None and self.running.kind == job.kind:
            self.running.dropped = True
            self.running.stop.set()
            first = True
        self.waiting.insert(0 if first else len(self.waiting), job)

    def join(self) -> None:
        if self.thread is not None:
            self.thread.join()
        self.thread = self.running = None


class Jobs(QObject):
    """The work under way and the work that waits, in a long and a quick lane."""

    changed = Signal()
    _reported = Signal()
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._long, self._quick = self._lanes = _Lane(), _Lane()
        self._closed = False
        self._told, self._telling = 0.0, Lock()
        # The workers emit these; Qt carries them over to the thread this object lives in.
        self._reported.connect(self.changed)
        self._ended.connect(self._finish)

    @property
    def running(self) -> tuple[Progress | None, Progress | None]:
        """How far the jobs are that run in the long lane and in the quick one."""
        return self._long.progress, self._quick.progress

    @property
    def current(self) -> Progress | None:
        """How far the running job is, of two that of the long lane; None when nothing runs."""
        return next(filter(None, self.running), None)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The titles of the jobs that wait their turn."""
        return tuple(job.title for lane in self._lanes for job in lane.waiting)

    def is_busy(self, *kinds: str) -> bool:
        """Whether a job of one of these kinds runs or waits."""
        return any(job.kind in kinds for lane in self._lanes for job in lane.jobs)

    def ahead_of(self, kind: str) -> Progress | None:
        """Return what the job of this kind waits for; None where it runs, or there is none."""
        lane = self._lane_of(kind)
        job = next((job for job in lane.waiting if job.kind == kind), None)
        if job is None:
            return None
        other = self._long if lane is self._quick else self._quick
        ahead = (lane if self._may_start(job) else other).progress
        return None if ahead is None or ahead.kind == kind else ahead

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

        The same kind started again replaces the running one; another kind of the same lane waits
        its turn, at the head of the queue if it is to be ``first``. What writes a file is
        ``binding``: its result counts even where the wish to stop came too late.
        """
        if self._closed:
            return
        job = _Job(kind, title, work)
        job.done, job.failed, job.cancelled, job.binding = done, failed, cancelled, binding
        self._lane_of(kind).put(job, first=first)
        self._start_next()
        self.changed.emit()

    def entitle(self, kind: str, title: str) -> None:
        """Call a running job otherwise, as it enters another stage; also from its thread."""
        job = self._lane_of(kind).running
        if job is not None and job.kind == kind:
            job.title = title

    def cancel(self, *kinds: str) -> None:
        """Ask jobs of these kinds to stop at their next tick, and give up those that wait.

        Without a kind, stop what runs in the quick lane, or else in the long one.
        """
        asked_last = next(filter(None, self.running[::-1]), None)
        kinds = kinds or ((asked_last.kind,) if asked_last else ())
        if not self.is_busy(*kinds):
            return
        for lane in self._lanes:
            given_up = [job for job in lane.waiting if job.kind in kinds]
            lane.waiting = [job for job in lane.waiting if job.kind not in kinds]
            for job in given_up:
                if job.cancelled:
                    job.cancelled()
            if lane.running is not None and lane.running.kind in kinds:
                lane.running.stop.set()
        self._start_next()  # what waited for one of them need not wait any more
        self.changed.emit()

    def close(self) -> None:
        """Cancel everything and wait until the threads have ended; nothing starts after this."""
        self._closed = True
        for lane in self._lanes:
            lane.waiting.clear()
            if lane.running is not None:
                lane.running.dropped = True
                lane.running.stop.set()
        for lane in self._lanes:
            lane.join()

    def _lane_of(self, kind: str) -> _Lane:
        return self._quick if kind in _QUICK else self._long

    def _may_start(self, job: _Runnable) -> bool:
        """Return whether a job may run beside what goes on in the other lane."""
        if job.kind in _AFTER_CHANGES:
            return not any(_changes(other) for other in self._long.jobs)
        opening = self._quick.running is not None and self._quick.running.kind == "open"
        return not (opening and job.kind in _CHANGING)

    def _start_next(self) -> None:
        for lane in self._lanes:
            ready = next((job for job in lane.waiting if self._may_start(job)), None)
            if lane.running is None and ready is not None and not self._closed:
                lane.waiting.remove(ready)
                lane.running = ready
                lane.thread = Thread(target=self._work, args=(ready,), name=f"job {ready.kind}")
                lane.thread.start()

    def _work(self, job: _Runnable) -> None:
        job.run(self._report)
        self._ended.emit(job)

    def _report(self) -> None:
        """Report progress, in the worker's thread, unless that was done a moment ago."""
        with self._telling:
            now = time.monotonic()
            soon = now - self._told < _TICK
            if not soon:
                self._told = now
        if not soon:
            self._reported.emit()

    @Slot(object)
    def _finish(self, job: _Runnable) -> None:
        lane = self._lane_of(job.kind)
        if lane.running is job:  # else all was closed meanwhile
            lane.join()
        try:
            job.tell()
        finally:
            # A callback may have started something of its own.
            self._start_next()
            self.changed.emit()
