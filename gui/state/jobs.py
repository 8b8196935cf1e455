"""Run core functions in threads, with progress, cancellation, results and errors.

There are two workers. At most one runs a long job, so that the other is soon free for work that the
user is waiting for. Jobs do not change the project; the window does so once they have ended.
"""

from __future__ import annotations

import gc
import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Flag, StrEnum, auto
from threading import Event, Thread
from typing import Any, Generic, Self, TypeAlias, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from eigenfaces.errors import Cancelled, EigenfacesError, Tick
from eigenfaces.threads import import_before_threads

T = TypeVar("T")


class Rule(Flag):
    """Rules that may apply to a kind of job."""

    LONG = auto()
    """The job may take minutes. Only one long job runs at a time."""
    OF_PROJECT = auto()
    """The job reads or changes the open project, and ends when another project is opened."""
    COMPLETED = auto()
    """The job cannot be cancelled once its work is done."""
    UNASKED = auto()
    """The user has not asked for the job, so no message says which job it waits for."""
    UNSEEN = auto()
    """The job is not shown in the status bar, because it is short or shown on the import sheet."""


class JobKind(StrEnum):
    """Kind of job, with the rules that apply to it."""

    rules: Rule

    def __new__(cls, name: str, rules: Rule) -> Self:
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.rules = rules
        return kind

    IMPORT = "import", Rule.LONG | Rule.OF_PROJECT | Rule.COMPLETED
    RECROP = "recrop", Rule.LONG | Rule.OF_PROJECT | Rule.COMPLETED
    ADD_PROBES = "add probes", Rule.OF_PROJECT | Rule.COMPLETED
    TRAIN = "train", Rule.LONG | Rule.OF_PROJECT
    TRAIN_UNASKED = "train unasked", Rule.OF_PROJECT | Rule.UNASKED | Rule.UNSEEN
    CALIBRATE = "calibrate", Rule.LONG | Rule.OF_PROJECT | Rule.UNASKED
    EVALUATE = "evaluate", Rule.LONG | Rule.OF_PROJECT
    RECIPES = "recipes", Rule.LONG | Rule.OF_PROJECT
    MAP = "map", Rule.LONG | Rule.OF_PROJECT
    CHECK_PHOTOS = "check photos", Rule.LONG | Rule.OF_PROJECT | Rule.UNASKED
    CHECK_COLLECTION = "check collection", Rule.LONG | Rule.OF_PROJECT
    GROUP_FACES = "group faces", Rule.LONG | Rule.OF_PROJECT | Rule.UNASKED
    WATCH = "watch", Rule.OF_PROJECT | Rule.UNASKED
    LOOK_ALIKES = "look alikes", Rule.OF_PROJECT | Rule.UNASKED
    RECOGNISE = "recognise", Rule.UNASKED
    READ_RUN = "read run", Rule.UNASKED
    COMPARE_RUNS = "compare runs", Rule.UNASKED
    OPEN = "open", Rule.COMPLETED
    SAVE_AS = "save as", Rule.COMPLETED
    FORGET = "forget", Rule.OF_PROJECT | Rule.COMPLETED
    EXPORT = "export", Rule.LONG | Rule.COMPLETED
    LESSON = "lesson", Rule.LONG
    # For the import sheet, the editor and the camera
    SCAN = "scan", Rule.LONG | Rule.UNASKED | Rule.UNSEEN
    REVIEW = "review", Rule.LONG | Rule.UNASKED | Rule.UNSEEN
    MEASURE_FRAME = "measure frame", Rule.OF_PROJECT
    CHOOSE = "choose", Rule.UNASKED
    SHOW_PHOTO = "show photo", Rule.UNASKED
    READ_AGAIN = "read again", Rule.UNASKED
    LOAD_LARGE = "load large", Rule.UNASKED
    FIND_FACES = "find faces", Rule.UNASKED

    @classmethod
    def all_with(cls, rule: Rule) -> tuple[JobKind, ...]:
        """Return the kinds of job to which a rule applies."""
        return tuple(kind for kind in cls if rule in kind.rules)


_WAITS_FOR = {
    # Changes to the open project are finished before another is opened.
    JobKind.OPEN: {
        JobKind.OPEN,
        JobKind.IMPORT,
        JobKind.RECROP,
        JobKind.ADD_PROBES,
        JobKind.SAVE_AS,
        JobKind.FORGET,
    },
    JobKind.SAVE_AS: {JobKind.FORGET},  # or the other file would keep the person
    JobKind.ADD_PROBES: {JobKind.RECROP},  # or the faces would have another size
}
_WORKERS = 2
_TICK = 0.05  # seconds between two reports of a job's progress
_EARLY = 0.5  # seconds of work before an estimate of the time left is shown
_GARBAGE_INTERVAL = 500  # milliseconds


def now() -> str:
    """Return the current time to the second (ISO 8601), for records of runs and readings."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class JobCancelled(EigenfacesError):  # noqa: N818 - not an error: the user asked for it
    """Cancellation of a job. The text is the message to show, and may be empty."""


@dataclass(eq=False)
class Job(Generic[T]):
    """Piece of work and its progress. ``total`` is 0 if the amount of work is not known."""

    kind: JobKind
    title: str
    work: Callable[[Tick], T]
    on_result: Callable[[T], object]
    on_failure: Callable[[EigenfacesError], object]
    key: object = None
    cancelled: str = ""
    done: int = 0
    total: int = 0
    dropped: bool = False  # whether nobody needs the result any more
    stop: Event = field(default_factory=Event)
    _stage: tuple[float, int] = (0.0, 0)  # start of this stage, and ``done`` at that time
    _reported: float = 0.0
    _result: list[T] = field(default_factory=list)
    _error: Exception | None = None

    def duplicates(self, other: AnyJob) -> bool:
        """Return whether another job is of the same kind and has the same ``key``."""
        return (self.kind, self.key) == (other.kind, other.key)

    def seconds_left(self) -> float | None:
        """Estimate the seconds left from this stage's progress. Return None if it is too early."""
        spent, progress = time.monotonic() - self._stage[0], self.done - self._stage[1]
        if spent < _EARLY or progress <= 0:
            return None
        return spent / progress * max(self.total - self.done, 0)

    def run(self, report: Callable[[], None]) -> None:
        """Do the work in the worker thread, and keep the result or error for `deliver`."""

        def tick(done: int, total: int) -> None:
            now = time.monotonic()
            if total != self.total or done < self.done:
                self._stage = now, done
            self.done, self.total = done, total
            if now - self._reported >= _TICK:
                self._reported = now
                report()
            if self.stop.is_set():
                raise Cancelled

        self._stage = time.monotonic(), 0
        try:
            import_before_threads()
            self._result.append(self.work(tick))
        except Exception as error:
            self._error = error

    @property
    def is_done(self) -> bool:
        """Whether the work has produced a result."""
        return bool(self._result)

    def deliver(self) -> None:
        """Call ``on_result`` or ``on_failure`` in the window's thread."""
        error, self._error = self._error, None  # the error refers to this job and all its data
        if error is not None and not isinstance(error, EigenfacesError | Cancelled):
            sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, EigenfacesError):
            logging.getLogger("eigenfaces").warning("%s: %s", self.title, error)
        if self.dropped:
            return
        in_time = Rule.COMPLETED in self.kind.rules or not self.stop.is_set()
        if self._result and in_time:
            self.on_result(self._result[0])
        elif isinstance(error, EigenfacesError) and in_time:
            self.on_failure(error.with_traceback(None))
        else:  # also after a bug, so that nobody waits forever
            self.on_failure(JobCancelled(self.cancelled))


AnyJob: TypeAlias = Job[Any]


class Jobs(QObject):
    """Running and waiting jobs."""

    changed = Signal()
    """Emitted when a job begins, is asked to stop, or ends."""
    progressed = Signal()
    """Emitted when a running job has made progress."""
    _reported = Signal()
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads: dict[AnyJob, Thread] = {}
        self.waiting: list[AnyJob] = []
        self._closed = False
        # The workers emit these signals. Qt delivers them in the thread this object lives in.
        self._reported.connect(self.progressed)
        self._ended.connect(self._finish)

    @property
    def running(self) -> list[AnyJob]:
        """The running jobs, starting with the one that began first."""
        return list(self._threads)

    @property
    def current(self) -> AnyJob | None:
        """The running job that began first, or None if no job is running."""
        return next(iter(self._threads), None)

    def is_busy(self, *kinds: JobKind) -> bool:
        """Return whether a job of one of these kinds is running or waiting."""
        return any(job.kind in kinds for job in (*self.running, *self.waiting))

    def start(
        self,
        kind: JobKind,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], object],
        failed: Callable[[EigenfacesError], object],
        *,
        key: object = None,
        cancelled: str = "",
    ) -> None:
        """Run ``work`` in a thread, then call ``done`` with its result in the window's thread.

        The job replaces any waiting job of the same kind and ``key`` (say, a path), and also any
        running one unless its kind has `Rule.COMPLETED`. ``failed`` is called with the error. If
        the job was cancelled, the error is `JobCancelled` with the text ``cancelled``.
        """
        if self._closed:
            return
        job = Job(kind, title, work, done, failed, key, cancelled)
        self.waiting = [old for old in self.waiting if not old.duplicates(job)]
        for old in self.running:
            if old.duplicates(job) and Rule.COMPLETED not in kind.rules:
                old.dropped = True
                old.stop.set()
        self.waiting.append(job)
        self._start_next()
        self.changed.emit()

    def blocking_job(self, kind: JobKind) -> AnyJob | None:
        """Return the job that a job of this kind waits for, or None if the wait will be short."""
        job = next((job for job in self.waiting if job.kind == kind), None)
        ahead = self._blocker(job) if job else None
        if ahead is None or ahead.dropped or ahead.stop.is_set():  # it ends soon
            return None
        return ahead if ahead.kind.rules & (Rule.LONG | Rule.COMPLETED) else None

    def set_title(self, kind: JobKind, title: str) -> None:
        """Change the title of a running job when it enters a new stage."""
        for job in self.running:
            if job.kind == kind:
                job.title = title
                self.progressed.emit()

    def cancel(self, *targets: JobKind | AnyJob, silently: bool = False) -> None:
        """Stop these jobs or all jobs of these kinds at their next tick. Drop those still waiting.

        If ``silently``, no callbacks are called, because the jobs will be started again.
        """
        cancelled = [j for j in (*self.running, *self.waiting) if {j, j.kind} & {*targets}]
        if all(job.stop.is_set() for job in cancelled):
            return  # for example if a callback cancels again
        for job in cancelled:
            job.stop.set()
            job.dropped = job.dropped or silently
        ended = [job for job in self.waiting if job in cancelled]
        self.waiting = [job for job in self.waiting if job not in cancelled]
        for job in ended:
            job.deliver()
        self._start_next()  # jobs that waited for them can begin
        self.changed.emit()

    def abandon(self) -> None:
        """Cancel all jobs without waiting for them to end, because their dialog is closing."""
        self._closed = True
        self.waiting.clear()
        for job in self.running:
            job.dropped = True
            job.stop.set()
        if self.running and (application := QCoreApplication.instance()):
            self.setParent(application)  # the dialog may be deleted before they end
            application.aboutToQuit.connect(self.close)
            self.changed.connect(self._delete_when_idle)

    def _delete_when_idle(self) -> None:
        if not self.running:
            self.deleteLater()

    def close(self) -> None:
        """Cancel all jobs except exports, wait until all have ended, and accept no new ones.

        If a job that the user started has already finished its work, its result is kept.
        """
        self._closed = True
        exports = [job for job in self.waiting if job.kind is JobKind.EXPORT]
        self.waiting.clear()
        for job in self.running:
            if job.kind is not JobKind.EXPORT:  # otherwise nobody would learn that there is no file
                job.stop.set()
        while self._threads:
            job, thread = self._threads.popitem()
            thread.join()
            asked = Rule.UNASKED not in job.kind.rules
            if job.is_done and asked and Rule.OF_PROJECT in job.kind.rules:
                job.stop.clear()
                job.deliver()
            job.dropped = True
        for job in exports:
            job.run(lambda: None)

    def _blocker(self, job: AnyJob) -> AnyJob | None:
        """Return the job that must end before this waiting job can begin."""
        for other in (*self.running, *self.waiting[: self.waiting.index(job)]):
            if other.kind in _WAITS_FOR.get(job.kind, ()):
                return other
        for other in self.running:
            if other.duplicates(job) or Rule.LONG in job.kind.rules & other.kind.rules:
                return other
        return self.running[-1] if len(self.running) >= _WORKERS else None

    def _start_next(self) -> None:
        def work(job: AnyJob) -> None:
            job.run(self._reported.emit)
            self._ended.emit(job)

        for job in list(self.waiting):
            if not self._closed and self._blocker(job) is None:
                self.waiting.remove(job)
                self._threads[job] = Thread(None, work, f"job {job.kind}", (job,))
                self._threads[job].start()

    @Slot(object)
    def _finish(self, job: AnyJob) -> None:
        if thread := self._threads.pop(job, None):  # None if `close` has been called
            thread.join()
        try:
            job.deliver()
        finally:
            # A callback may have started another job.
            self._start_next()
            self.changed.emit()


def collect_garbage_from(parent: QObject) -> None:
    """Run Python's garbage collector only from a timer in the window's thread.

    Otherwise, whichever thread reaches the collector's threshold collects for all threads. A job
    could then delete a closed dialog that is part of a reference cycle, although only the window's
    thread may touch Qt widgets.
    """

    def collect() -> None:
        """Collect garbage in the oldest generation that is due and in all younger ones."""
        generations = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [at for at, (number, quota) in enumerate(generations) if number > quota]
        if due:
            gc.collect(due[-1])

    gc.disable()
    timer = QTimer(parent)
    timer.timeout.connect(collect)
    timer.start(_GARBAGE_INTERVAL)
