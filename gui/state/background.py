"""What is worked out by itself in the background, once for each state of the gallery."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from gui.state.jobs import JobKind
from gui.state.session import Session

T = TypeVar("T")


class Background(QObject, Generic[T]):
    """Begins its job where one is wanted, once no other long job is left.

    A series of edits leads to one. It is not repeated where it failed or a person stopped it.
    """

    KIND: ClassVar[JobKind]
    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._asked: object = None  # what the job is, or was, about
        self._found: T | None = None
        self._has_ended = False
        session.gallery_changed.connect(self._look)
        session.jobs.changed.connect(self._look)

    def _about(self) -> object:
        """Return what a job is wanted about now, or None."""
        raise NotImplementedError

    def _begin(self) -> None:
        """Start the job; in the end it calls `_end`."""
        raise NotImplementedError

    def _look(self) -> None:
        about, jobs = self._about(), self._session.jobs
        if about is None or jobs.is_wanted_besides(self.KIND):
            return
        if self._asked == about and (self._has_ended or jobs.is_busy(self.KIND)):
            return
        self._asked, self._found, self._has_ended = about, None, False
        self._begin()

    def _end(self, about: object, found: T | None = None) -> None:
        """Keep what was found, if it still is what was asked about."""
        if self._asked == about:
            self._found, self._has_ended = found, True
            self.changed.emit()
