"""The state of each lesson: its data, its settings, and its prepared result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.laboratory.points import Cloud, read_number_table
from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.subjects import SUBJECTS, Subject
from eigenfaces.text import Field, OneOf
from ...state.jobs import JobKind
from ...state.session import Session

GALLERY, OPENED, TABLE = "gallery", "opened", "own-table"


@dataclass
class LessonState:
    """The data, the settings and the prepared result of a lesson."""

    lesson: Lesson[Any]
    key: str  # the kind of data
    settings: Any
    seed: int = 0  # the seed of random points
    subject: Subject | None = None  # the data, once it is read or drawn
    step: int = 0  # the number of the step shown, from 0
    ready: object = None  # the prepared result, if `is_ready`
    is_ready: bool = False
    error: str = ""  # why there is no picture
    job: object = None  # marks the job whose result will be used

    @property
    def is_untouched(self) -> bool:
        """Whether the data, the points and the settings are unchanged."""
        key = self.lesson.subjects[0]
        return (self.key, self.seed, self.settings) == (key, 0, self.lesson.default_settings)

    @property
    def is_random(self) -> bool:
        """Whether new random points can be drawn; pictures are never random."""
        known = SUBJECTS.get(self.key)
        return known is not None and known.is_random and not known.loads_slowly

    def set(self, name: str, value: object) -> None:
        """Change one setting."""
        self.settings = {**self.settings, name: value}

    def press(self, title: str) -> None:
        """Change the settings as defined by the button with this title."""
        if self.is_ready:
            self.settings = self.lesson.after_button(title, self.ready, self.settings)

    def fields(self) -> tuple[Field, ...]:
        """Replace choices that are no longer offered; return the controls that have an effect."""
        controls = self.lesson.controls_for(self.ready) if self.is_ready else self.lesson.controls
        for field in controls if self.is_ready else ():
            if isinstance(field, OneOf) and self.settings[field.name] not in field.choices:
                self.set(field.name, next(iter(field.choices)))
        unused = self.lesson.unused_settings(self.settings)
        # some choices are known only once the lesson is ready
        known = (field for field in controls if not isinstance(field, OneOf) or field.choices)
        return tuple(field for field in known if field.name not in unused)


class LessonStates(QObject):
    """The states of all lessons, kept as long as the window exists. One lesson is always open.

    ``changed``: a job has ended, and the open lesson is ready or has an error.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._states: dict[str, LessonState] = {}
        self.opened: dict[str, Path] = {}
        """The paths of the opened pictures and of the opened table, by key."""
        self._gallery: tuple[object, ...] = ()
        self.current = self._state(LESSONS[0])
        self.sync_gallery()

    def open(self, lesson: Lesson[Any]) -> None:
        """Open a lesson, and prepare it unless it is ready."""
        self._drop_job()
        self.current = self._state(lesson)
        if not self.current.is_ready:
            self.prepare()

    def sync_gallery(self) -> bool:
        """Discard the data of a changed gallery; return whether the open lesson is affected."""
        gallery = self._session.gallery
        version = (gallery.training, gallery.recipe, gallery.faces, gallery.index)
        if version == self._gallery:
            return False
        self._gallery = version
        self._unload(GALLERY)
        if self.current.key == GALLERY:
            self.prepare()
        return self.current.key == GALLERY

    def gallery_problem(self) -> str:
        """Return why lessons cannot show the gallery; "" if they can."""
        gallery = self._session.gallery
        enough = len(gallery.faces) > 1 and gallery.index.is_pictured
        return "" if enough else "There is no gallery yet: add photos, or choose other data."

    def open_file(self, key: str, path: Path) -> None:
        """Show the lesson with the table in a file, or with the pictures in a file or folder."""
        self.opened[key] = path
        self._unload(key)
        self.show_on(key)

    def show_on(self, key: str, seed: int = 0) -> None:
        """Show the lesson with other data, or with new random points of the same type."""
        self.current.key, self.current.seed, self.current.subject = key, seed, None
        self.prepare()

    def reset(self) -> None:
        """Restore the original settings and points."""
        self.current.settings, self.current.step = self.current.lesson.default_settings, 0
        self.show_on(self.current.key)

    def show_step(self, number: int) -> None:
        """Apply the settings of a step to the open lesson, and prepare it again if necessary."""
        state = self.current
        step, before = state.lesson.steps[number], state.settings
        state.step, state.settings = number, {**state.lesson.default_settings, **step.settings}
        key = step.subject or state.lesson.subjects[0]
        slow = any(state.settings[name] != before[name] for name in state.lesson.slow_settings)
        if key != state.key or state.seed or isinstance(state.subject, Cloud):
            self.show_on(key)  # points may have been moved
        elif slow or not (state.is_ready or state.job):
            self.prepare()

    def change_points(self, change: Callable[[Cloud], Cloud]) -> None:
        """Change the points of the lesson, and prepare it again."""
        if isinstance(self.current.subject, Cloud) and self.current.is_ready:
            self.current.subject = change(self.current.subject)
            self.prepare()

    def prepare(self) -> None:
        """Prepare the open lesson with its settings, immediately or in a background job."""
        state = self.current
        self._drop_job()
        state.is_ready, state.error = False, ""
        known, lesson = SUBJECTS.get(state.key), state.lesson
        try:
            if state.key == GALLERY and (why := self.gallery_problem()):
                raise EigenfacesError(why)
            if state.subject is None and known is not None and not known.loads_slowly:
                state.subject = known.make(state.seed)
            if state.subject is not None and lesson.is_instant(state.subject):
                state.ready, state.is_ready = lesson.prepared(state.subject, state.settings), True
                return
        except EigenfacesError as error:
            state.error = str(error)
            return
        self._start(state)

    def _state(self, lesson: Lesson[Any]) -> LessonState:
        fresh = LessonState(lesson, lesson.subjects[0], lesson.default_settings)
        return self._states.setdefault(lesson.name, fresh)

    def _unload(self, key: str) -> None:
        for state in self._states.values():
            if state.key == key:
                state.subject, state.is_ready = None, False

    def _drop_job(self) -> None:
        self.current.job = None
        self._session.jobs.cancel(JobKind.LESSON)

    def _start(self, state: LessonState) -> None:
        """Start the job that prepares a lesson."""
        known, lesson, settings, seed = state.subject, state.lesson, state.settings, state.seed
        key, gallery, opened = state.key, self._session.gallery, self.opened.get(state.key)
        file = self._session.project.path if self._session.project else None
        job = state.job = object()

        def work(tick: Tick) -> tuple[Subject, object]:
            subject = known
            if subject is None and key == GALLERY:
                subject = ImageSet.of_gallery(gallery, tick, file)
            elif subject is None and key == OPENED and opened is not None:
                subject = read_pictures(opened, tick)
            elif subject is None and key == TABLE and opened is not None:
                subject = read_number_table(opened)
            elif subject is None:
                subject = SUBJECTS[key].make(seed)
            return subject, lesson.prepared(subject, settings, tick)

        def done(result: tuple[Subject, object]) -> None:
            if state.job is job:
                state.subject, state.ready = result
                state.is_ready, state.job = True, None
                if known is None and state.subject.notes:
                    self._session.show_message(" ".join(state.subject.notes))
                self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            if state.job is job:
                state.job, state.error = None, str(error)
                self.changed.emit()

        cancelled = "Cancelled before there was a picture. Click Reset to start again."
        title = f"Preparing “{lesson.title}”"
        self._session.run(JobKind.LESSON, title, work, done, failed, cancelled=cancelled)
