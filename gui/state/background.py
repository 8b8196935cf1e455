"""What goes on in the background: what distances mean is measured, and garbage is collected."""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from eigenfaces.errors import EigenfacesError
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from gui.state.jobs import LONG
from gui.state.session import Session

_CANCELLED = (
    "Cancelled: what distances mean is not known, so nobody is named for sure. You can start it "
    "again on Recognise."
)
_GARBAGE_INTERVAL = 500  # milliseconds


def calibrate(session: Session, ended: Callable[[], None] = lambda: None) -> None:
    """Measure what distances mean in the gallery; it is kept unless the gallery changes meanwhile.

    ``ended`` is called in the end, but for a calibration that gave way to another job.
    """
    project = session.project

    def done(gallery: Gallery) -> None:
        ended()
        if gallery.calibration is not None:
            session.keep_calibration(gallery.calibration)

    def failed(error: EigenfacesError) -> None:
        ended()
        if session.project is project:
            session.show_message(str(error), "warn")

    title, work = "Measuring what distances mean", session.gallery.calibrate
    session.jobs.start("calibrate", title, work, done, failed, cancelled=_CANCELLED)


class Calibrating(QObject):
    """Starts a calibration wherever none holds, once no other long job is left.

    A series of edits leads to one, and one under way gives way to what a person asks for. It is not
    repeated where it failed or a person stopped it.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._subject: tuple[Project | None, str] | None = None  # what the job is, or was, about
        self._has_ended = False
        session.gallery_changed.connect(self._check)
        session.jobs.changed.connect(self._check)

    def _check(self) -> None:
        gallery, jobs = self._session.gallery, self._session.jobs
        if jobs.is_busy(*(LONG - {"calibrate"})):
            jobs.cancel("calibrate", silently=True)
            return
        if gallery.training is None or not gallery.enrolled or gallery.calibrated is not None:
            return
        subject = self._session.project, gallery.calibration_key
        if self._subject != subject or not (self._has_ended or jobs.is_busy("calibrate")):
            self._subject, self._has_ended = subject, False
            calibrate(self._session, lambda: self._end(subject))

    def _end(self, subject: tuple[Project | None, str]) -> None:
        self._has_ended = self._has_ended or self._subject == subject


def collect_garbage_from(parent: QObject) -> None:
    """Let Python's garbage be collected by a timer of the window's thread alone.

    Whichever thread happens to fill the collector's quota collects for all: a dialog that was
    closed and is part of a cycle would be deleted by a job, and Qt's widgets must not be touched
    from there.
    """

    def collect() -> None:
        """Collect the oldest generation that is due, which includes all younger ones."""
        generations = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [at for at, (number, quota) in enumerate(generations) if number > quota]
        if due:
            gc.collect(due[-1])

    gc.disable()
    timer = QTimer(parent)
    timer.timeout.connect(collect)
    timer.start(_GARBAGE_INTERVAL)
