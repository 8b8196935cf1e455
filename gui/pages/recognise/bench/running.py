"""What the bench works out in the background: the newest wish, and what recipes withstand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import Tick, part_of
from eigenfaces.laboratory.breaking.disturbances import DISTURBANCES
from eigenfaces.laboratory.breaking.withstanding import Trial, Withstood
from gui.state.jobs import WITHSTAND, JobKind
from gui.state.session import Session

T = TypeVar("T")
Work = Callable[[Tick], T]


class Newest(QObject, Generic[T]):
    """Works out what is wanted; while one thing is under way, only the newest other one waits.

    So a slider that is dragged shows something all the time, and its last place in the end.
    """

    def __init__(self, session: Session, kind: JobKind, title: str) -> None:
        super().__init__(session)
        self._session, self._kind, self._title = session, kind, title
        self._next: tuple[Work[T], Callable[[T], None]] | None = None
        self.busy = False

    def want(self, work: Work[T], done: Callable[[T], None]) -> None:
        """Work something out, then pass it on; what waited instead is no longer wanted."""
        self._next = work, done
        if not self.busy:
            self._start()

    def forget(self) -> None:
        """Want nothing any more; what is under way is dropped."""
        self._next = None
        if self.busy:
            self._session.jobs.cancel(self._kind)

    def _start(self) -> None:
        if self._next is None:
            return
        (work, done), self._next, self.busy = self._next, None, True

        def end(found: T | None, text: str = "") -> None:
            self.busy = False
            if found is not None:
                done(found)
            if text:
                self._session.say(text, "error")
            if not self.busy:
                self._start()

        self._session.jobs.start(
            self._kind,
            self._title,
            work,
            end,
            failed=lambda error: end(None, str(error)),
            cancelled=lambda: end(None),
        )


class Withstanding(QObject):
    """What every recipe withstands on the gallery as it is now: measured when asked for, and kept.

    One disturbance at a time; the recipes are trained once for all.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._of = ""
        self._trial: Trial | None = None
        self._wanted: list[str] = []
        self.found: dict[str, Withstood] = {}
        self.stopped = ""

    @property
    def measuring(self) -> tuple[str, ...]:
        """The names of the disturbances that are being measured, the current one first."""
        return tuple(self._wanted)

    def look(self) -> None:
        """Forget what was measured on the gallery as it was before."""
        gallery = self._session.gallery
        basis = gallery.basis if gallery.training is not None else ""
        if basis != self._of:
            if self._wanted:
                self._wanted.clear()
                self._session.jobs.cancel(WITHSTAND)
            self._of, self._trial, self.stopped = basis, None, ""
            self.found = {}

    def measure(self, names: Sequence[str]) -> None:
        """Measure these disturbances, one after the other, if they are not measured yet."""
        idle = not self._wanted
        self._wanted += [name for name in names if name not in (*self.found, *self._wanted)]
        self.stopped = ""
        if idle and self._wanted:
            self._start()
        self.changed.emit()

    def _start(self) -> None:
        session, of, trial = self._session, self._of, self._trial
        gallery, along = session.gallery, DISTURBANCES[self._wanted[0]]

        def work(tick: Tick) -> tuple[Trial, Withstood]:
            made = trial or Trial.of(gallery, tick=part_of(tick, 0, 2))
            return made, made.measure(along, tick if trial else part_of(tick, 1, 2))

        def done(made: tuple[Trial, Withstood]) -> None:
            if of != self._of:
                return
            self._trial, self.found[along.name] = made
            self._wanted.remove(along.name)
            if self._wanted:
                self._start()
            self.changed.emit()

        def stop(why: str) -> None:
            if of == self._of:
                self._wanted.clear()
                self.stopped = why
                self.changed.emit()

        session.jobs.start(
            WITHSTAND,
            f"Measuring held-out photos, {along.done}",
            work,
            done,
            failed=lambda error: stop(str(error)),
            cancelled=lambda: stop("Stopped. What was measured before stays."),
        )
        session.explain_wait(WITHSTAND)
