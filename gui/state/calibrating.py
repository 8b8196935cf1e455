"""What distances mean is measured in the background, whenever the gallery has changed."""

from __future__ import annotations

from collections.abc import Callable

from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from gui.state.background import Background
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


class Calibrating(Background[None]):
    """Starts a calibration wherever none holds."""

    KIND = CALIBRATE

    def _about(self) -> tuple[Project | None, str] | None:
        gallery = self._session.gallery
        if gallery.training is None or not gallery.enrolled or gallery.calibrated is not None:
            return None
        return self._session.project, gallery.basis

    def _begin(self) -> None:
        about = self._asked
        calibrate(self._session, lambda: self._end(about))
