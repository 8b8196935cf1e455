"""Runs: the run under way, its job, and the runs kept in the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.evaluation.compare import Difference, difference
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.curves import Curves, curves_of
from eigenfaces.evaluation.records import Partial, Record, Setting, Source
from eigenfaces.evaluation.result_words import run_name
from eigenfaces.evaluation.run import check_component_count, evaluate
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.sample import PEOPLE, PHOTOS_EACH, PREPARATION, is_sample_photo
from gui.state.jobs import Stopped, now
from gui.state.session import Session

_REDRAWN = 250  # ms between two updates during a run

Run = tuple[int, str, str]


@dataclass(frozen=True, eq=False)
class Shown:
    """A finished run and its curves; ``number`` is None until it is kept."""

    number: int | None
    made: str
    record: Record
    curves: Curves


@dataclass(frozen=True, eq=False)
class Compared:
    """A second run, and whether the first differs from it by more than chance."""

    other: Shown
    difference: Difference


class Running(QObject):
    """The run under way, the one that is shown, and the one it is compared with."""

    changed = Signal()
    """Something has started or ended; everything is to be read again."""

    grew = Signal()
    """The run under way has more results."""

    _heard = Signal(object, object)
    _entered = Signal(object, str)
    """Of a run, by its curves: what is measured so far, and the title of its new stage.

    The job's thread emits these, and Qt carries them over to the window's.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._newest: Partial | None = None
        self._run = object()
        self._project: Project | None = None
        self._kept: list[Run] | None = None
        self.running = False
        self.growing: Curves | None = None
        self.progress = (0, 0)
        self.asked: Setting | None = None
        self.shown: Shown | None = None
        self.compared: Compared | None = None
        self.refusal: EigenfacesError | None = None
        self._timer = QTimer(self, interval=_REDRAWN)
        self._timer.timeout.connect(self.look)
        self._heard.connect(self._hear)
        self._entered.connect(self._enter)

    def kept(self) -> list[Run]:
        """Return the runs kept in the project, newest first."""
        project = self._session.project
        if project is not self._project:
            self._project, self._kept = project, None
            self.shown = self.compared = self.refusal = None
        if self._kept is None:
            self._kept = [] if project is None else _listed(self._session, project)
        return self._kept

    def watch(self, visible: bool) -> None:
        """Update the run under way regularly, but only while it is visible."""
        if visible and self.running:
            self._timer.start()
        else:
            self._timer.stop()

    def look(self) -> None:
        """Read the newest results of the run under way."""
        newest = self._newest
        if newest is None or not self.running:
            return
        if (newest.done, newest.total) != self.progress:
            self.growing = curves_of(newest)
            self.progress = (newest.done, newest.total)
            self.grew.emit()
        if newest.done == newest.total and self._newest is newest:
            self._newest = None  # all is taken from it, and it is large

    def start(self, setting: Setting) -> None:
        """Evaluate the gallery as it is now; the run is kept as soon as it is finished."""
        session = self._session
        gallery, project = session.gallery, session.project
        self._newest, self._run = None, object()
        self.growing, self.progress, self.refusal = None, (0, 0), None
        self.running, self.asked = True, setting
        source = source_of(gallery, project)

        run, title = self._run, f"Evaluating: {setting.protocol.words()}"

        def hear(partial: Partial) -> None:
            self._heard.emit(run, partial)

        def enter(stage: str) -> None:
            self._entered.emit(run, f"{title}, {stage}")

        def work(tick: Tick) -> Shown:
            check_component_count(gallery.faces, setting)
            result = evaluate(gallery.faces, setting, tick, hear, enter)
            record = Record(result, gallery.preparation, source)
            return Shown(None, now(), record, curves_of(result))

        def done(result: Shown) -> None:
            self._end()
            self._show(result)
            self._keep(result)

        def failed(error: EigenfacesError) -> None:
            if isinstance(error, Stopped):
                self._cancel(project)
            else:
                self._refuse(error)

        session.run("evaluate", title, work, done, failed)
        self.changed.emit()

    @Slot(object, object)
    def _hear(self, run: object, partial: Partial) -> None:
        if self.running and run is self._run:
            self._newest = partial

    @Slot(object, str)
    def _enter(self, run: object, title: str) -> None:
        if self.running and run is self._run:
            self._session.jobs.set_title("evaluate", title)
            self.look()  # what is large is let go of, whether it is seen or not

    def run_anyway(self) -> None:
        """Start the run that was refused because it leaks; the result says so."""
        if self.asked is not None and isinstance(self.refusal, LeakError):
            self.start(replace(self.asked, allow_leaks=True))

    def dismiss(self) -> None:
        """Hide the refusal."""
        self.refusal = None
        self.changed.emit()

    def show(self, number: int) -> None:
        """Show a kept run."""
        if self.shown is None or self.shown.number != number:
            self._load(number, self._show)

    def compare(self, number: int | None) -> None:
        """Show a second kept run for comparison, or remove it."""
        if number is None or self.shown is None:
            self.compared = None
            self.changed.emit()
            return
        first = self.shown

        def beside(loaded: tuple[Shown, Difference | None]) -> None:
            other, found = loaded
            if self.shown is first and found is not None:
                self.compared = Compared(other, found)
                self.changed.emit()

        self._load_with(number, first, beside)

    def forget(self) -> None:
        """Delete the run that is shown, and show the newest of the others."""
        project, shown = self._session.project, self.shown
        if project is None or shown is None or shown.number is None:
            return
        try:
            project.delete_run(shown.number)
        except EigenfacesError as error:
            self._session.say(str(error), "error")
            return
        self._session.say("The run was forgotten. Running it again gives the same.")
        self.shown = self.compared = self._kept = None
        rest = self.kept()
        if rest:
            self.show(rest[0][0])
        self.changed.emit()

    def _show(self, result: Shown) -> None:
        self.shown, self.compared = result, None
        self.changed.emit()

    def _keep(self, result: Shown) -> None:
        """Write a finished run into the project."""
        session, project = self._session, self._session.project
        if project is None:
            return
        name = run_name(result.record.evaluation)

        def kept(number: int) -> None:
            if session.project is project:
                self._kept = None
                if self.shown is result:
                    self.shown = replace(result, number=number)
                self.changed.emit()

        session.jobs.start(
            "keep run",
            "Keeping the run",
            lambda _tick: project.add_run(result.made, name, result.record),
            kept,
            session.tell,
            about=result.made,
        )

    def _load(self, number: int, then: Callable[[Shown], None]) -> None:
        self._load_with(number, None, lambda loaded: then(loaded[0]))

    def _load_with(
        self,
        number: int,
        first: Shown | None,
        then: Callable[[tuple[Shown, Difference | None]], None],
    ) -> None:
        """Read a kept run in a job, and its difference from ``first``."""
        session, project = self._session, self._session.project
        if project is None:
            return
        made = next((run[1] for run in self.kept() if run[0] == number), "")

        def work(_tick: Tick) -> tuple[Shown, Difference | None]:
            record = project.run(number)
            other = Shown(number, made, record, curves_of(record.evaluation))
            if first is None:
                return other, None
            return other, difference(first.record.evaluation, record.evaluation)

        def done(loaded: tuple[Shown, Difference | None]) -> None:
            if session.project is project:
                then(loaded)

        def failed(error: EigenfacesError) -> None:
            session.tell(error)
            self.changed.emit()

        session.jobs.start("read run", "Reading the run", work, done, failed)

    def _refuse(self, error: EigenfacesError) -> None:
        self._end()
        self.refusal = error
        self.changed.emit()

    def _cancel(self, project: Project | None) -> None:
        self._end()
        if self._session.project is project:
            self._session.say("The evaluation was cancelled. Nothing of it was kept.")
        else:
            self._session.say("The evaluation was of the project before, and was not kept.")
        self.changed.emit()

    def _end(self) -> None:
        self.running, self.growing, self._newest = False, None, None
        self._timer.stop()


def source_of(gallery: Gallery, project: Project | None) -> Source:
    """Return the source of the faces, so that other people can get them too."""
    photos = gallery.index.photos
    of_sample = len(photos) == PEOPLE * PHOTOS_EACH and all(
        is_sample_photo(photo.path)
        and photo.person == f"Person {photo.path.parent.name[1:]:0>2}"
        and not photo.excluded
        for photo in photos
    )
    if of_sample and gallery.preparation == PREPARATION:
        return Source("sample")
    return Source("project", "" if project is None else str(project.path))


def _listed(session: Session, project: Project) -> list[Run]:
    try:
        return project.runs()[::-1]
    except EigenfacesError as error:
        session.say(str(error), "error")
        return []
