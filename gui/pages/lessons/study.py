"""Where a person is in each lesson: what it is shown on, its settings, and what was prepared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.subjects import SUBJECTS, Cloud, Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, OneOf
from gui.state.session import Session

GALLERY, OPENED = "gallery", "opened"
CANCELLED = "Cancelled: there is no picture of this yet."


@dataclass
class Study:
    """A lesson as it stands.

    ``key`` is what it is shown on, drawn by ``seed``, and ``subject`` what was made of it;
    ``ready`` what the lesson prepared, once it ``is_ready``; ``error`` why there is no picture.
    """

    lesson: Lesson[Any]
    key: str
    settings: Any
    seed: int = 0
    subject: Subject | None = None
    ready: object = None
    is_ready: bool = False
    error: str = ""
    wanted: object = None
    """Marks the job whose result is waited for."""

    @property
    def drawn(self) -> bool:
        """Whether other points can be drawn: of pictures nobody wants others by chance."""
        known = SUBJECTS.get(self.key)
        return known is not None and known.drawn and not known.loads


class Studies(QObject):
    """A study for each lesson, while the window lives; one of them is open.

    ``changed``: a job has ended, and the study that is open is ready, or says why not.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._studies: dict[str, Study] = {}
        self._made: dict[tuple[str, int], Subject] = {}
        self._opened: Path | None = None
        self._gallery: tuple[object, ...] = ()
        self.now = self._study(LESSONS[0])
        self.look()

    def open(self, lesson: Lesson[Any]) -> None:
        """Go to a lesson, which is prepared if it is not."""
        self._drop_job()
        self.now = self._study(lesson)
        self.now.error = ""
        if not self.now.is_ready:
            self._prepare()

    def look(self) -> bool:
        """Forget what came from a gallery that is another one now; return whether that is shown."""
        gallery = self._session.gallery
        now = (gallery.training, gallery.recipe, gallery.faces, gallery.index)
        if now == self._gallery:
            return False
        self._gallery = now
        self._made.pop((GALLERY, 0), None)
        for each in self._studies.values():
            if each.key == GALLERY:
                each.subject, each.is_ready = None, False
        if self.now.key == GALLERY:
            self._prepare()
        return self.now.key == GALLERY

    def no_gallery(self) -> str:
        """Return why no lesson can be shown on the gallery; "" if it can."""
        enough = len(self._session.gallery.faces) > 1
        return "" if enough else "There is no gallery yet: add photos, or choose other data."

    @property
    def opened(self) -> Path | None:
        """The folder or file of pictures that was opened."""
        return self._opened

    def open_pictures(self, path: Path) -> None:
        """Show the lesson on the pictures of a folder or a file."""
        self._opened = path
        self._made.pop((OPENED, 0), None)
        for each in self._studies.values():
            if each.key == OPENED:
                each.subject, each.is_ready = None, False
        self._show_on(OPENED, 0)

    def choose(self, key: str) -> None:
        """Show the lesson on something else."""
        self._show_on(key, 0)

    def draw_anew(self) -> None:
        """Show the lesson on other points of the same kind."""
        self._show_on(self.now.key, self.now.seed + 1)

    def reset(self) -> None:
        """Have settings and points as they were at first."""
        self.now.settings = self.now.lesson.settings
        self._show_on(self.now.key, 0)

    def set(self, name: str, value: object) -> None:
        """Change one setting."""
        whole = type(self.now.settings[name]) is int
        if whole and isinstance(value, float) and value.is_integer():
            value = int(value)
        self.now.settings = {**self.now.settings, name: value}

    def fields(self) -> tuple[Field, ...]:
        """Return the controls for what is shown; a choice that is not among them is replaced."""
        now = self.now
        if not now.is_ready:
            return now.lesson.controls
        found = now.lesson.controls_for(now.ready)
        for field in found:
            if isinstance(field, OneOf) and now.settings[field.name] not in field.choices:
                now.settings = {**now.settings, field.name: next(iter(field.choices))}
        return found

    def renew(self) -> None:
        """Have computed what the settings need besides, at once or in a job."""
        now = self.now
        if now.subject is None or not now.is_ready:
            return
        if now.lesson.at_once(now.subject):
            now.ready = now.lesson.renew(now.ready, now.settings, no_tick)
            return
        self._drop_job()
        now.is_ready, now.error = False, ""
        self._start(now, from_ready=True)

    def press(self, title: str) -> None:
        """Change settings as a button has it."""
        now = self.now
        if now.is_ready:
            now.settings = now.lesson.pressed(title, now.ready, now.settings)

    def move(self, number: int, to: Doubles) -> None:
        """Move a point of the cloud."""
        self._change_points(lambda cloud: cloud.moved(number, to))

    def add(self, at: Doubles) -> None:
        """Add a point to the cloud."""
        self._change_points(lambda cloud: cloud.added(at))

    def remove(self, number: int) -> None:
        """Remove a point from the cloud; an `EigenfacesError` if there are only two."""
        self._change_points(lambda cloud: cloud.without(number))

    def _change_points(self, change: Callable[[Cloud], Cloud]) -> None:
        now = self.now
        if isinstance(now.subject, Cloud) and now.is_ready:
            changed = change(now.subject)
            now.subject = changed
            self._prepare()

    def _study(self, lesson: Lesson[Any]) -> Study:
        if lesson.name not in self._studies:
            made = Study(lesson, lesson.subjects[0], lesson.settings)
            self._studies[lesson.name] = made
        return self._studies[lesson.name]

    def _show_on(self, key: str, seed: int) -> None:
        now = self.now
        now.key, now.seed, now.subject = key, seed, None
        self._prepare()

    def _drop_job(self) -> None:
        self.now.wanted = None
        self._session.jobs.cancel("lesson")

    def _prepare(self) -> None:
        """Prepare the lesson that is open, at once or in a job."""
        now = self.now
        self._drop_job()
        now.is_ready, now.error = False, ""
        try:
            if now.subject is None:
                now.subject = self._at_once(now)
            if now.subject is not None and now.lesson.at_once(now.subject):
                now.ready = now.lesson.prepared(now.subject, now.settings, no_tick)
                now.is_ready = True
                return
        except EigenfacesError as error:
            now.error = str(error)
            return
        self._start(now)

    def _at_once(self, now: Study) -> Subject | None:
        """Return what the lesson is shown on, if that takes no time."""
        place = (now.key, now.seed)
        known = SUBJECTS.get(now.key)
        if place not in self._made and known is not None and not known.loads:
            self._made[place] = known.make(now.seed)
        if now.key == GALLERY and (why := self.no_gallery()):
            raise EigenfacesError(why)
        return self._made.get(place)

    def _maker(self, now: Study) -> Callable[[Tick], Subject]:
        """Return what makes the subject in a job."""
        key, seed, gallery, path = now.key, now.seed, self._session.gallery, self._opened
        file = self._session.project.path if self._session.project else None
        if key == GALLERY:
            return lambda tick: ImageSet.of_gallery(gallery, tick, file)
        if key == OPENED and path is not None:
            return lambda tick: read_pictures(path, tick)
        return lambda _tick: SUBJECTS[key].make(seed)

    def _start(self, now: Study, *, from_ready: bool = False) -> None:
        """Prepare in a job; ``from_ready``: what is ready stays, whatever comes of the job."""
        given, lesson, place = now.subject, now.lesson, (now.key, now.seed)
        settings, ready = now.settings, now.ready
        make = self._maker(now)
        wanted = now.wanted = object()

        def work(tick: Tick) -> tuple[Subject, object]:
            subject = given if given is not None else make(tick)
            if from_ready:
                return subject, lesson.renew(ready, settings, tick)
            return subject, lesson.prepared(subject, settings, tick)

        def done(made: tuple[Subject, object]) -> None:
            if now.wanted is wanted:
                now.subject, now.ready = made
                if given is None:
                    self._made[place] = made[0]
                now.is_ready, now.wanted = True, None
                if given is None and isinstance(made[0], ImageSet) and made[0].notes:
                    self._session.say(" ".join(made[0].notes))
                self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            if now.wanted is wanted:
                now.wanted, now.is_ready = None, from_ready
                now.error = "" if from_ready else str(error)
                self.changed.emit()

        title = f"Preparing “{lesson.title}”"
        self._session.run("lesson", title, work, done, failed, cancelled=CANCELLED)
