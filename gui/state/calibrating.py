"""What distances mean is measured in the background, whenever the gallery has changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from gui.state.jobs import CALIBRATE
from gui.state.session import Session

_CANCELLED = (
    "This was cancelled: what distances mean is not known, so nobody is named for sure. Ask for "
    "it again on Recognise."
)


def calibrate(session: Session, ended: Callable[[], None] = lambda: None) -> None:
    """Measure what distances mean in the gallery; it is kept unless the gallery changes meanwhile.

    ``ended`` is called in the end, but for a calibration that gave way to another job.
    """
    project = session.project

    def done(gallery: Gallery) -> None:
        ended()
        if gallery.calibration is not None:
            session.keep_calibration(gallery.calibration)

    def stopped(text: str) -> None:
        ended()
        if session.project is project:
            session.say(text, "warn")

    session.jobs.start(
        CALIBRATE,
        "Measuring what distances mean",
        session.gallery.calibrate,
        done,
        failed=lambda error: stopped(str(error)),
        cancelled=lambda: stopped(_CANCELLED),
    )


class Calibrating(QObject):
    """Starts a calibration wherever none holds, once no other long job is left.

    A series of edits leads to one. It is not repeated where it failed or a person stopped it.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._asked: tuple[Project | None, str] | None = None  # what the job is, or was, about
        self._has_ended = False
        session.gallery_changed.connect(self._look)
        session.jobs.changed.connect(self._look)

    def _look(self) -> None:
        gallery, jobs = self._session.gallery, self._session.jobs
        if gallery.training is None or not gallery.enrolled or gallery.calibrated is not None:
            return
        about = self._session.project, gallery.calibration_key
        if jobs.is_wanted_besides(CALIBRATE):
            return
        if self._asked == about and (self._has_ended or jobs.is_busy(CALIBRATE)):
            return
        self._asked, self._has_ended = about, False
        calibrate(self._session, lambda: self._end(about))

    def _end(self, about: tuple[Project | None, str]) -> None:
        if self._asked == about:
            self._has_ended = True
