"""Automatic work after a change: training the gallery, and then calibrating its distances."""

from __future__ import annotations

from operator import is_

from PySide6.QtCore import QObject, QTimer

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import Fitted, PhotoIndex
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.text import count
from .actions import Trained, train_work
from .jobs import JobCancelled, JobKind, Rule
from .session import Session

PAUSE = 500  # milliseconds after a change, so that a series of answers leads to one training
LONGEST_UNSEEN = 10.0  # seconds: a training expected to take longer is shown

_SECONDS_A_FACE = 0.005  # assumed for a training until one has been timed
_TRAIN = (JobKind.TRAIN, JobKind.TRAIN_UNASKED)
_BEFORE_TRAINING = (
    *(JobKind.IMPORT, JobKind.RECROP, JobKind.OPEN, JobKind.SAVE_AS, JobKind.RECIPES),
    *(JobKind.FORGET, *_TRAIN),
)
_BEFORE_MEASURING = (
    *(kind for kind in JobKind.all_with(Rule.LONG) if kind is not JobKind.CALIBRATE),
    JobKind.TRAIN_UNASKED,
)

_CANCELLED = (
    "Cancelled. The limits for names have not been measured, so no name is certain. They will be "
    "measured after the next change."
)

State = tuple[Project | None, PhotoIndex, Recipe]
"""Values on which training depends, compared by identity."""


class ByItself(QObject):
    """Trainer that starts half a second after a change, and then calibrates the distances.

    Training is neither announced nor an undo step of its own, because it belongs to the change that
    caused it. After a failure or a cancellation, nothing is started again until something changes.
    If training is expected to take long, it is shown and can be cancelled.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._soon = QTimer(self, singleShot=True, interval=PAUSE)
        self._soon.timeout.connect(self._train)
        self._waits_for: State | None = None  # the state for which the timer runs
        self._tried: State | None = None  # the state of the last training, even if it failed
        self._fitted: Fitted | None = None  # the faces of a training …
        self._names_trained = 0  # … and the key of their names
        self._seconds_a_face = _SECONDS_A_FACE
        self._measured: tuple[Project | None, str] | None = (
            None  # the state last measured, even if that failed
        )
        session.gallery_changed.connect(self._check)
        session.jobs.changed.connect(self._check)

    @property
    def waits(self) -> bool:
        """Whether training is about to begin."""
        return self._soon.isActive()

    def _check(self) -> None:
        if self._is_training_due():
            self._give_way(JobKind.CALIBRATE)
            if not self._is(self._waits_for):
                self._waits_for = self._state()
                self._soon.start()
            elif not self._soon.isActive() and not self._session.jobs.is_busy(*_BEFORE_TRAINING):
                self._soon.start(0)  # what it waited for has ended
            return
        self._soon.stop()
        self._waits_for = None
        self._measure()

    # Training

    def _state(self) -> State:
        gallery = self._session.gallery
        return self._session.project, gallery.index, gallery.recipe

    def _is(self, state: State | None) -> bool:
        """Return whether this is the current state."""
        return state is not None and all(map(is_, state, self._state()))

    def _is_training_due(self) -> bool:
        session, gallery = self._session, self._session.gallery
        if session.project is None or session.takes_no_changes or len(gallery.included) < 2:
            return False
        return self._would_differ(gallery) and not self._is(self._tried)

    def _would_differ(self, gallery: Gallery) -> bool:
        """Return whether training would produce a face space that differs from the current one."""
        training = gallery.training
        if training is None or gallery.changes_since_training > 0:
            return True
        measured = gallery.automatic is None or gallery.automatic.shares
        if training.recipe.features.SCATTER is None and measured:
            return False  # names make no difference to this face space
        names = gallery.index.compared_with(training.fitted).key
        if training.fitted is not self._fitted:
            self._fitted = training.fitted
            self._names_trained = names
        return names != self._names_trained

    def _train(self) -> None:
        session = self._session
        project = session.project
        if project is None or not self._is_training_due():
            return
        if session.jobs.is_busy(*_BEFORE_TRAINING):
            return  # the training begins when that job has ended: see `_check`
        self._tried = self._state()
        faces = len(session.gallery.included)

        def done(trained: Trained) -> None:
            self._seconds_a_face = trained.seconds / faces
            # Undo may have led to a state that has its own space.
            if session.project is not project or not self._would_differ(session.gallery):
                return
            is_same = session.gallery.index is trained.begun.index
            session.amend(trained.edit)
            self._tried = self._state() if is_same else None
            self._check()

        def failed(error: EigenfacesError) -> None:
            if isinstance(error, JobCancelled):
                session.show_error(error)
            elif session.project is project:
                session.why_untrained = str(error)
                session.gallery_changed.emit()  # pages that wait for it then say why there is none

        session.why_untrained = ""
        shown = faces * self._seconds_a_face > LONGEST_UNSEEN
        kind = JobKind.TRAIN if shown else JobKind.TRAIN_UNASKED
        title, stopped = f"Preparing {count(faces, 'face')}", ""
        if shown:
            stopped = "Stopped. It will start again after the next change."
        work = train_work(session, project)
        session.run(kind, title, work, done, failed, cancelled=stopped)

    # What distances mean

    def _give_way(self, kind: JobKind) -> None:
        if self._session.jobs.is_busy(kind):
            self._measured = None  # it begins again
            self._session.jobs.cancel(kind, silently=True)

    def _measure(self) -> None:
        session, gallery = self._session, self._session.gallery
        if session.jobs.is_busy(*_BEFORE_MEASURING):
            self._give_way(JobKind.CALIBRATE)
            return
        if gallery.training is None or not gallery.enrolled or gallery.calibrated is not None:
            return
        subject = project, _ = session.project, gallery.calibration_key
        if subject == self._measured:
            return
        self._measured = subject

        def done(measured: Gallery) -> None:
            if measured.calibration is not None:
                session.set_calibration(measured.calibration)

        def failed(error: EigenfacesError) -> None:
            if session.project is project:
                session.show_message(str(error), "warn")

        title, work = "Measuring what distances mean", gallery.calibrate
        session.run(JobKind.CALIBRATE, title, work, done, failed, cancelled=_CANCELLED)
