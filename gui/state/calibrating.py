"""What distances mean is measured in the background."""

from __future__ import annotations

from PySide6.QtCore import QObject

from eigenfaces.errors import EigenfacesError
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from gui.state.jobs import JobKind, Rule
from gui.state.session import Session

_OTHERS = tuple(kind for kind in JobKind.all_with(Rule.LONG) if kind is not JobKind.CALIBRATE)

_CANCELLED = (
    "Cancelled: it is not known what distances mean, so no name is sure. It will be measured "
    "after the next change."
)


class CalibrationStarter(QObject):
    """Starts a calibration wherever none holds, once no other long job is left.

    A series of edits leads to one, and one under way gives way to what a person asks for. It is not
    repeated where it failed or a person stopped it; its result is kept unless the gallery changes.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._subject: tuple[Project | None, str] | None = None  # what the job is, or was, about
        session.gallery_changed.connect(self._check)
        session.jobs.changed.connect(self._check)

    def _check(self) -> None:
        session, gallery = self._session, self._session.gallery
        if session.jobs.is_busy(*_OTHERS):
            if session.jobs.is_busy(JobKind.CALIBRATE):
                self._subject = None  # it begins again
                session.jobs.cancel(JobKind.CALIBRATE, silently=True)
            return
        if gallery.training is None or not gallery.enrolled or gallery.calibrated is not None:
            return
        subject = project, _ = session.project, gallery.calibration_key
        if subject == self._subject:
            return
        self._subject = subject

        def done(measured: Gallery) -> None:
            if measured.calibration is not None:
                session.set_calibration(measured.calibration)

        def failed(error: EigenfacesError) -> None:
            if session.project is project:
                session.show_message(str(error), "warn")

        title, work = "Measuring what distances mean", gallery.calibrate
        session.run(JobKind.CALIBRATE, title, work, done, failed, cancelled=_CANCELLED)
