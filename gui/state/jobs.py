"""Run core functions in threads: progress, cancel, result or error.

The quick lane has what a person waits for (opening, recognising), the long one the rest: one each.
"""

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Generic, TypeAlias, TypeVar

from PySide6.QtCore import QDateTime, QObject, QTimer, Signal, Slot

from eigenfaces.errors import Cancelled, EigenfacesError, Tick

T = TypeVar("T")
_TICK = 0.05  # seconds between two reports of a job's progress
_COLLECTED = 500  # milliseconds between two looks for garbage


@dataclass(frozen=True)
class JobKind:
    """A kind of job. As all jobs, it touches nothing but the values it gets.

    Parameters
    ----------
    quick
        It runs in the quick lane: a person waits for its result.
    changes
        It puts something into the project, or takes the project to another file: it waits while
        another project is being opened.
    after_changes
        It waits until no job that ``changes`` the project runs or waits.
    gives_way
        It stops for every job of its lane that does not, untold: whoever wants it starts it again.
    first
        It goes to the head of the queue: it completes what another job began.
    binding
        It writes a file: its result counts even where the request to stop came too late.
    """

    name: str
    quick: bool = False
    changes: bool = False
    after_changes: bool = False
    gives_way: bool = False
    first: bool = False
    binding: bool = False


# Opening waits so that nothing is lost; probes must be cut as the gallery's faces are afterwards.
OPEN = JobKind("open a project", quick=True, after_changes=True)
ADD_PROBES = JobKind("add probes", quick=True, after_changes=True)
RECOGNISE = JobKind("recognise", quick=True)
SHOW_PHOTO = JobKind("show a photo", quick=True)
MEASURE_FRAME = JobKind("measure the frame of the faces", quick=True)
PREVIEW = JobKind("preview a preparation", quick=True)
EVEN_LIGHT = JobKind("even out the light", quick=True)
READ_RUN = JobKind("read a run", quick=True)
MEASURE_MAP = JobKind("measure a map", quick=True)
DELETE = JobKind("delete a draft", quick=True)

IMPORT = JobKind("import", changes=True)
WRITE = JobKind("write a change", changes=True, first=True, binding=True)
SAVE_AS = JobKind("save as", changes=True, binding=True)
KEEP_RUN = JobKind("keep a run", changes=True, first=True, binding=True)

TRAIN = JobKind("train")
CALIBRATE = JobKind("calibrate", gives_way=True)
EVALUATE = JobKind("evaluate")
RECIPES = JobKind("measure the recipes")
MAP = JobKind("map the faces")
LESSON = JobKind("prepare a lesson")
CHECK_PHOTOS = JobKind("check photos")
GROUP_FACES = JobKind("group faces")
SCAN = JobKind("look for photos")
REVIEW = JobKind("review photos")
READ_AGAIN = JobKind("read corrected photos")
CHOOSE = JobKind("choose among several faces")
LOAD_LARGE = JobKind("load a large photo")
FIND_FACES = JobKind("find faces in a live picture")
EXPORT = JobKind("export a file", binding=True)

_TO_THE_END = (EXPORT, DELETE)  # or nobody would learn that there is no file, or still a draft
OF_THE_PROJECT = (
    *(IMPORT, TRAIN, ADD_PROBES, EVALUATE, RECIPES, MAP, WRITE, KEEP_RUN),
    *(CALIBRATE, CHECK_PHOTOS, GROUP_FACES),
    *(PREVIEW, EVEN_LIGHT, MEASURE_FRAME, MEASURE_MAP),
)
"""Jobs that read the project they were started in, or whose result is meant for it."""


@dataclass(frozen=True)
class Progress:
    """How far a running job is; ``total`` is 0 where that is not known."""

    kind: JobKind
    title: str
    done: int
    total: int
    seconds_left: float | None
    cancelling: bool
    about: object = None


class _Job(Generic[T]):
    """One piece of work, its callbacks and its result."""

    def __init__(
        self,
        kind: JobKind,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], None],
        failed: Callable[[EigenfacesError], None],
        about: object,
    ) -> None:
        self.kind, self.title, self.work, self.about = kind, title, work, about
        self.done, self.failed = done, failed
        self.cancelled: Callable[[], None] | None = None
        self.unwanted: Callable[[T], object] | None = None
        self.clock = TimeLeft()
        self.stop = Event()
        self.dropped = False
        self._reported = 0.0
        self._result: list[T] = []
        self._error: Exception | None = None

    def run(self, report: Callable[[], None]) -> None:
        """Do the work, in the worker's thread; its result or its error is kept for `finish`."""

        def tick(done: int, total: int) -> None:
            self.clock.tick(done, total)
            if (now := time.monotonic()) - self._reported >= _TICK:
                self._reported = now
                report()
            if self.stop.is_set():
                raise Cancelled

        try:
            if self.stop.is_set() and not self.kind.binding:
                raise Cancelled
            self._result.append(self.work(tick))
        except Exception as error:
            self._error = error

    def finish(self) -> None:
        """Call the callback that fits how the work ended, in the window's thread."""
        error, self._error = self._error, None  # which refers to this job, and all it worked on
        if error is not None and not isinstance(error, Cancelled | EigenfacesError):
            sys.excepthook(type(error), error, error.__traceback__)
            error = Cancelled()  # so that nobody goes on waiting for it
        late = self.stop.is_set() and not self.kind.binding
        if self.dropped or late or isinstance(error, Cancelled):
            # A result that comes after a request to stop is dropped: cancelled means unchanged.
            if self._result and self.unwanted:
                self.unwanted(self._result[0])
            if self.cancelled and not self.dropped:
                self.cancelled()
        elif isinstance(error, EigenfacesError):
            self.failed(error.with_traceback(None))
        else:
            self.done(self._result[0])


_AnyJob: TypeAlias = _Job[Any]


class _Lane:
    """A queue of jobs of which one runs at a time."""

    def __init__(self) -> None:
        self.running: _AnyJob | None = None
        self.waiting: list[_AnyJob] = []
        self.thread: Thread | None = None

    @property
    def progress(self) -> Progress | None:
        """Progress of the running job; None when nothing runs."""
        job = self.running
        if job is None:
            return None
        done, total, left = job.clock.done, job.clock.total, job.clock.seconds_left()
        return Progress(job.kind, job.title, done, total, left, job.stop.is_set(), job.about)

    @property
    def jobs(self) -> list[_AnyJob]:
        """The running job, then those that wait."""
        return [*([self.running] if self.running is not None else []), *self.waiting]

    def put(self, job: _AnyJob) -> None:
        """Add a job to the queue; it replaces the one of the same kind about the same thing."""
        same = (job.kind, job.about)
        self.waiting = [other for other in self.waiting if (other.kind, other.about) != same]
        again = self.running is not None and (self.running.kind, self.running.about) == same
        goes_before = not job.kind.gives_way
        if goes_before:
            self.waiting = [other for other in self.waiting if not other.kind.gives_way]
        if self.running is not None and (again or (goes_before and self.running.kind.gives_way)):
            self.running.dropped = True
            self.running.stop.set()
        self.waiting.insert(0 if job.kind.first or again else len(self.waiting), job)

    def join(self) -> None:
        if self.thread is not None:
            self.thread.join()
        self.thread = self.running = None


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


class Jobs(QObject):
    """The jobs that run and the jobs that wait, in a long and a quick lane.

    ``failed`` gets a sentence: why a job failed, unless who started it does something else.
    """

    changed = Signal()
    """A job began, was asked to stop, or ended."""
    progressed = Signal()
    """A running job has come further."""
    _failed = Signal(str)
    _reported = Signal()
    _ended = Signal(object)

    def __init__(self, failed: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._long, self._quick = self._lanes = _Lane(), _Lane()
        self._closed = False
        self._failed.connect(failed)  # which does not keep a dialog alive that made these
        # The workers emit these; Qt carries them over to the thread this object lives in.
        self._reported.connect(self.progressed)
        self._ended.connect(self._finish)

    @property
    def running(self) -> tuple[Progress | None, Progress | None]:
        """Progress of the job in the long lane and of the job in the quick lane."""
        return self._long.progress, self._quick.progress

    @property
    def current(self) -> Progress | None:
        """Progress of the running job, of two that of the long lane; None when nothing runs."""
        return next(filter(None, self.running), None)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The titles of the jobs that wait their turn."""
        return tuple(job.title for lane in self._lanes for job in lane.waiting)

    def is_busy(self, *kinds: JobKind) -> bool:
        """Return whether a job of one of these kinds runs or waits."""
        return any(job.kind in kinds for lane in self._lanes for job in lane.jobs)

    def is_wanted_besides(self, kind: JobKind) -> bool:
        """Return whether a job of another kind runs or waits in the lane of this one."""
        return any(job.kind != kind for job in self._lane_of(kind).jobs)

    def ahead_of(self, kind: JobKind) -> Progress | None:
        """Return what the job of this kind waits for; None where it does not wait."""
        lane = self._lane_of(kind)
        job = next((job for job in lane.waiting if job.kind == kind), None)
        if job is None:
            return None
        other = self._long if lane is self._quick else self._quick
        ahead = (lane if self._may_start(job) else other).progress
        return None if ahead is None or ahead.kind == kind else ahead

    def start(
        self,
        kind: JobKind,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], None],
        *,
        about: object = None,
        failed: Callable[[EigenfacesError], None] | None = None,
        cancelled: Callable[[], None] | None = None,
        unwanted: Callable[[T], object] | None = None,
    ) -> None:
        """Run ``work`` in a thread, then call ``done`` with its result in this thread.

        A job replaces a job of the same kind about the same thing (``about``: a path, a number).
        Other jobs of the same lane wait their turn. A result that nobody gets is ``unwanted``: what
        it holds is let go of.
        """
        if self._closed:
            return
        failed = failed or (lambda error: self._failed.emit(str(error)))
        job = _Job(kind, title, work, done, failed, about)
        job.cancelled, job.unwanted = cancelled, unwanted
        self._lane_of(kind).put(job)
        self._start_next()
        self.changed.emit()

    def set_title(self, kind: JobKind, title: str) -> None:
        """Change the title of a running job as it enters another stage; in the window's thread."""
        job = self._lane_of(kind).running
        if job is not None and job.kind == kind:
            job.title = title
            self.progressed.emit()

    def cancel(self, *kinds: JobKind) -> None:
        """Ask jobs of these kinds to stop at their next tick, and drop those that wait."""
        self._cancel(lambda job: job.kind in kinds)

    def cancel_one(self, shown: Progress) -> None:
        """Cancel the job whose progress this is, and no other of its kind."""
        self._cancel(lambda job: (job.kind, job.about) == (shown.kind, shown.about))

    def _cancel(self, meant: Callable[[_AnyJob], bool]) -> None:
        if all(job.stop.is_set() or not meant(job) for lane in self._lanes for job in lane.jobs):
            return  # as where somebody who was told of it cancels once more
        for lane in self._lanes:
            told = [job.cancelled for job in lane.waiting if meant(job) and job.cancelled]
            lane.waiting = [job for job in lane.waiting if not meant(job)]
            for cancelled in told:
                cancelled()
            if lane.running is not None and meant(lane.running):
                lane.running.stop.set()
        self._start_next()  # what waited for one of them need not wait any longer
        self.changed.emit()

    def close(self) -> None:
        """Cancel all but the writing of files, wait until that has ended; nothing starts after."""
        self._closed = True
        left = [job for lane in self._lanes for job in lane.waiting if job.kind in _TO_THE_END]
        for lane in self._lanes:
            lane.waiting.clear()
            if lane.running is not None:
                lane.running.dropped = True
                if lane.running.kind not in _TO_THE_END:
                    lane.running.stop.set()
        for lane in self._lanes:
            lane.join()
        for job in left:
            job.run(lambda: None)

    def _lane_of(self, kind: JobKind) -> _Lane:
        return self._quick if kind.quick else self._long

    def _may_start(self, job: _AnyJob) -> bool:
        """Return whether a job may run beside what goes on in the other lane."""
        if job.kind.after_changes:
            return not any(other.kind.changes for other in self._long.jobs)
        opening = self._quick.running is not None and self._quick.running.kind == OPEN
        return not (opening and job.kind.changes)

    def _start_next(self) -> None:
        for lane in self._lanes:
            ready = next((job for job in lane.waiting if self._may_start(job)), None)
            if lane.running is None and ready is not None and not self._closed:
                lane.waiting.remove(ready)
                lane.running = ready
                lane.thread = Thread(None, self._work, f"job {ready.kind.name}", (ready,))
                lane.thread.start()

    def _work(self, job: _AnyJob) -> None:
        job.run(self._reported.emit)
        self._ended.emit(job)

    @Slot(object)
    def _finish(self, job: _AnyJob) -> None:
        lane = self._lane_of(job.kind)
        if lane.running is job:  # otherwise everything was closed meanwhile
            lane.join()
        try:
            job.finish()
        finally:
            # A callback may have started something of its own.
            self._start_next()
            self.changed.emit()


def collect_garbage_from(parent: QObject) -> None:
    """Let Python's garbage be collected by a timer of the window's thread alone.

    Whichever thread happens to fill the collector's quota collects for all: a dialog that was
    closed and is part of a cycle would be deleted by a job, and Qt's widgets must not be touched
    from there.
    """
    gc.disable()
    timer = QTimer(parent)
    timer.timeout.connect(_collect)
    timer.start(_COLLECTED)


def _collect() -> None:
    """Collect the oldest generation that is due, which includes all younger ones."""
    filled = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, quota) in enumerate(filled) if count > quota]
    if due:
        gc.collect(due[-1])
