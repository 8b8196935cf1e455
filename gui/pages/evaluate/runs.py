"""Evaluation runs, and the baselines, recipes and other runs that they are compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.errors import EigenfacesError, ProjectError, Tick
from eigenfaces.evaluation.compare import Difference, difference
from eigenfaces.evaluation.controls import GUESSES
from eigenfaces.evaluation.curves import Curves, curves_of
from eigenfaces.evaluation.protocols import KFold, Lists, Pairs
from eigenfaces.evaluation.records import (
    YEARS,
    Evaluation,
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    RecipeResult,
    RecipesCompared,
)
from eigenfaces.evaluation.result_words import remarks, run_name
from eigenfaces.evaluation.run import (
    check_component_count,
    compare_recipes,
    evaluate,
)
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.project.content import Content, KeptRun
from eigenfaces.project.project import Project
from eigenfaces.recognition.automatic import MOST_BEHIND
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.sample import is_sample
from eigenfaces.text import capital, local_time, percent
from ...state.jobs import JobCancelled, JobKind, now
from ...state.session import Session
from ...widgets.bars import ShareBar
from ...widgets.box_layouts import STRETCH, add_parts, in_column, in_row
from ...widgets.cards import Card
from ...widgets.controls import Button
from ...widgets.fields import Choice, DropDown
from ...widgets.flow import ColumnsLayout
from ...widgets.labels import captioned, label, set_tone
from ...widgets.text_table import TextTable

Interval = tuple[float, float]
"""The lower and upper limits of an interval."""

_BASELINES = 6
_ALL, _AGAIN = "Evaluate all", "Evaluate again"
_HOW = "How often each recipe names the right person in held-out photos, over ten folds."


class ShareRow(QWidget):
    """Row for a share, with its title, value, interval, bar and explanation."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.value = label("", "strong"), label("", "strong")
        self.limits, self.sentence = label("", "small"), label("", "caption", wrap=True)
        self._bar = ShareBar()
        self._bar.setFixedHeight(12)  # six of them beside a page of charts
        line = in_row(self.title, STRETCH, self.limits, self.value, spacing=6)
        in_column(line, self._bar, self.sentence, STRETCH, inside=self, spacing=3)

    def show_share(
        self,
        title: str,
        sentence: str,
        value: float | None,
        interval: Interval | None = None,
        mark: float | None = None,
        *,
        warns: bool = False,
        unknown: str = "not evaluated",
    ) -> None:
        """Show a share, or ``unknown`` if it is None; ``mark`` is a share for comparison."""
        low, high = interval or (0.0, 0.0)
        self.title.setText(title)
        self.value.setText(unknown if value is None else percent(value))
        self.limits.setText(f"{100 * low:.1f} to {100 * high:.1f}")
        self.limits.setVisible(interval is not None)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        for words in (self.value, self.sentence):
            set_tone(words, "warn" if warns else "")
        self._bar.show_share(value or 0.0, mark, "warn" if warns else "neutral", (low, high))


class BaselinesCard(Card):
    """Card with all baselines of a run. Every result is shown together with its baselines."""

    def __init__(self) -> None:
        super().__init__("What keeps it honest")
        self.rows = [ShareRow() for _ in range(_BASELINES)]
        self.intro = label("", "caption", wrap=True)
        holder = QWidget()
        ColumnsLayout((3, 2, 1), 190, holder, spacing=14).add(*self.rows)
        add_parts(self.body, self.intro, (holder, 1))

    def show_run(self, evaluation: Evaluation) -> None:
        """Show the baselines of a run."""
        notes, result = remarks(evaluation), evaluation.headline
        if result is not None:
            words = f"The line in each bar marks this run: {result.kind} {percent(result.value)}."
            self.intro.setText(words)
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(notes))
        for row, note in zip(self.rows, notes, strict=False):
            control, comparable = note.control, note.control.kind != "duplicates"
            guess = f"{capital(control.note)}. " if control.kind in GUESSES else ""
            row.show_share(
                note.title,
                f"{guess}{note.sentence}",
                control.value if math.isfinite(control.value) else None,
                None if control.low is None else (control.low, control.high or 0.0),
                result.value if result is not None and comparable else None,
                warns=note.warns,
            )
            row.setToolTip(control.note)


class RecipesCard(Card):
    """Card that compares all recipes, or those tried by Automatic, by ten-fold cross-validation."""

    def __init__(self, session: Session) -> None:
        super().__init__("Thirty years of recipes, on your photos")
        self._session = session
        self._measured: tuple[FaceSet, RecipesCompared] | None = None
        self._arrived: list[RecipeResult] = []  # results of the running job so far
        self._shown = 0  # the number of results shown
        session.jobs.progressed.connect(self._show_arrived)
        self.is_running = False
        self.measure = Button(_ALL)
        self.measure.clicked.connect(self._start_or_cancel)
        self.add_to_heading(self.measure)
        self.rows = {name: ShareRow() for name in YEARS}
        self.sentence = label("", "caption", wrap=True)
        holder = QWidget()
        ColumnsLayout((4, 2, 1), 190, holder, spacing=14).add(*self.rows.values())
        add_parts(self.body, holder, self.sentence)

    @property
    def compared(self) -> RecipesCompared | None:
        """The results for the current faces; None if there are no results yet."""
        faces, compared = self._measured or (None, None)
        return compared if faces is self._session.gallery.faces else None

    def show_gallery(self, gallery: Gallery, problem: str) -> None:
        """Show the results for a gallery, or the ``problem`` that prevents an evaluation."""
        compared, automatic, words = self.compared, gallery.automatic, _HOW
        results = {result.recipe: result for result in compared.results} if compared else {}
        shares = automatic.shares if automatic else {}
        if self.is_running:  # only the bars that this job has measured
            results, shares = {result.recipe: result for result in self._arrived}, {}
        self._shown = len(results)
        pending = [name for name in self.rows if self.is_running and name not in results]
        for name, row in self.rows.items():
            result, value, interval, why = results.get(name), shares.get(name), None, ""
            if result is not None and result.figure is not None:
                value, interval = result.figure.value, (result.figure.low, result.figure.high)
            elif result is not None:
                why = f" · {result.reason}"
            unknown = "measuring…" if name in pending[:1] else ""
            unknown = unknown if name in pending else "not evaluated"
            row.show_share(name, f"{YEARS[name]}{why}", value, interval, unknown=unknown)
        self.measure.setText("Cancel" if self.is_running else _AGAIN if compared else _ALL)
        self.measure.setEnabled(self.is_running or not problem)
        if automatic is not None and shares:
            said = [f"Your photos are named with the {automatic.recipe} recipe.", automatic.hint]
            if max(shares.values()) >= 1 - MOST_BEHIND:
                said.append(f"No other recipe can be more than {100 * MOST_BEHIND:g} points ahead.")
            words = " ".join(filter(None, said))  # without the figures, which are shown above
        self.sentence.setText(problem or (compared.sentence if compared else words))

    def _show_arrived(self) -> None:
        """Show the bar for each recipe as soon as the recipe has been evaluated."""
        if self.is_running and len(self._arrived) != self._shown:
            self.show_gallery(self._session.gallery, "")

    def _start_or_cancel(self) -> None:
        session, gallery = self._session, self._session.gallery
        if self.is_running:
            session.jobs.cancel(JobKind.RECIPES)
            return
        self.is_running, setting = (
            True,
            EvaluationSetting(gallery.recipe, KFold(), allow_leaks=True),
        )
        arrived = self._arrived = []
        crops = gallery.preparation.already_cropped

        def end(words: str = "") -> None:
            self.is_running = False
            self.show_gallery(session.gallery, "")
            self.sentence.setText(words or self.sentence.text())

        def done(compared: RecipesCompared) -> None:
            self._measured = gallery.faces, compared
            end()

        session.run(
            JobKind.RECIPES,
            "Evaluating the recipes",
            lambda tick: compare_recipes(
                gallery.faces, setting, tick=tick, crops=crops, measured=arrived.append
            ),
            done,
            lambda error: end("" if isinstance(error, JobCancelled) else str(error)),
        )
        self.show_gallery(gallery, "")


@dataclass(frozen=True, eq=False)
class LoadedRun:
    """A finished run with its curves; ``kept`` is None if it has not been saved in the project."""

    kept: KeptRun | None
    made: str
    record: EvaluationRecord
    curves: Curves


class EvaluationRuns(QObject):
    """The run in progress, the run that is shown, and the runs compared with it."""

    changed = Signal()
    """A run has started, ended or been loaded, so views must be refreshed."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._project: Project | None = None
        self._listed: list[KeptRun] = []
        self.setting: EvaluationSetting | None = None
        """The settings of the run that was started last; None before the first run."""

        self.is_running = False
        self.current: LoadedRun | None = None
        self.compared: tuple[LoadedRun, Difference] | None = None
        self.differences: dict[KeptRun, Difference] = {}
        """How the other saved runs differ from this one; empty if there are fewer than two."""

        self.refusal: EigenfacesError | None = None

    def saved_runs(self) -> list[KeptRun]:
        """Return saved runs, newest first; if the project has just been opened, show the newest."""
        project = self._session.project
        opened = project is not self._project
        if opened:
            self._project, self.differences = project, {}
            self.current = self.compared = self.refusal = None
        runs = [] if project is None else [*reversed(project.runs)]
        came_back = self.current is None and runs != self._listed  # for example with undo
        self._listed = runs
        if runs and (opened or came_back) and not self.is_running:
            self._read(runs[0], None)
        return runs

    def start(self, setting: EvaluationSetting) -> None:
        """Evaluate the current gallery, and save the run as soon as it has finished."""
        session, gallery, project = self._session, self._session.gallery, self._session.project
        self.is_running, self.setting, self.refusal = True, setting, None
        source = EvaluationSource("project", "" if project is None else str(project.path))
        if is_sample(gallery.index.photos, gallery.preparation):
            source = EvaluationSource("sample")  # everybody has the sample
        faces = gallery.faces
        if isinstance(setting.protocol, Lists | Pairs):  # lists may name unused photographs
            faces = replace(faces, skipped=session.skipped)
        title = f"Evaluating: {setting.protocol.words()}"

        def enter(stage: str) -> None:
            session.jobs.set_title(JobKind.EVALUATE, f"{title}, {stage}")

        def work(tick: Tick) -> tuple[LoadedRun, Project | None, str]:
            check_component_count(faces, setting)
            result = evaluate(faces, setting, tick, enter)
            record = EvaluationRecord(result, gallery.preparation, source)
            run, stored_in = LoadedRun(None, now(), record, curves_of(result)), session.project
            try:
                name = stored_in.store_record(record) if stored_in else ""
            except ProjectError:
                name = ""  # `_kept` tries again, and reports a second error
            return run, stored_in if name else None, name

        def done(made: tuple[LoadedRun, Project | None, str]) -> None:
            self.is_running = False
            self._show(self._kept(*made))

        def failed(error: EigenfacesError) -> None:
            self.is_running = False
            if not isinstance(error, JobCancelled):
                self.refusal = error
            elif session.project is project:
                session.show_message("The evaluation was cancelled. No result was saved.")
            else:
                session.show_message(
                    "The evaluation belonged to the previous project, so its result was not saved."
                )
            self.changed.emit()

        session.run(JobKind.EVALUATE, title, work, done, failed)
        self.changed.emit()

    def run_anyway(self) -> None:
        """Start the run that was refused because its split leaks; the result mentions the leak."""
        if self.setting is not None:
            self.start(replace(self.setting, allow_leaks=True))

    def refuse(self, error: EigenfacesError | None) -> None:
        """Show the error that prevented a run; None removes the message."""
        self.refusal = error
        self.changed.emit()

    def show(self, run: KeptRun) -> None:
        """Show a saved run."""
        if self.current is None or self.current.kept != run:
            self._read(run, None)

    def compare(self, run: KeptRun | None) -> None:
        """Show a second saved run for comparison; None ends the comparison."""
        if run is None or self.current is None:
            self.compared = None
            self.changed.emit()
        else:
            self._read(run, self.current)

    def _read(self, run: KeptRun, first: LoadedRun | None) -> None:
        """Load a saved run in a background job, and show it alone or beside the run ``first``."""
        session, project = self._session, self._session.project
        if project is None:
            return

        def work(_tick: Tick) -> tuple[LoadedRun, Difference | None]:
            record = project.record(run)
            other = LoadedRun(run, run.made, record, curves_of(record.evaluation))
            if first is None:
                return other, None
            return other, difference(first.record.evaluation, record.evaluation)

        def done(result: tuple[LoadedRun, Difference | None]) -> None:
            other, apart = result
            if session.project is project and apart is None:
                self._show(other)
            elif apart is not None and self.current is first:
                self.compared = other, apart
                self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            session.show_error(error)
            self.changed.emit()

        session.run(JobKind.READ_RUN, "Reading the run", work, done, failed)

    def delete_shown(self) -> None:
        """Delete the run that is shown, and show the newest remaining run."""
        session, kept = self._session, None if self.current is None else self.current.kept
        if kept is None:
            return

        def edit(now: Content) -> Content:
            return replace(now, runs=tuple(run for run in now.runs if run != kept))

        if not session.change("deleting a run", edit):
            return
        session.show_message("The run was deleted. Ctrl+Z undoes it.")
        self.current, self.compared, self.differences = None, None, {}
        if rest := self.saved_runs():
            self.show(rest[0])
        self.changed.emit()

    def _show(self, result: LoadedRun) -> None:
        self.current, self.compared, self.differences = result, None, {}
        self._measure_differences()
        self.changed.emit()

    def _kept(self, result: LoadedRun, stored_in: Project | None, name: str) -> LoadedRun:
        """Save a finished run in the project if possible, and return the run.

        ``stored_in`` is the project, if any, in which the record is already stored as ``name``.
        """
        session, project = self._session, self._session.project
        if project is None:
            return result
        try:
            name = name if project is stored_in else project.store_record(result.record)
        except ProjectError as error:
            session.show_error(error)
            return result
        kept = KeptRun(result.made, run_name(result.record.evaluation), name)
        if session.change("", lambda now: replace(now, runs=(*now.runs, kept))):
            return replace(result, kept=kept)
        return result

    def _measure_differences(self) -> None:
        """Compare the run that is shown with all other saved runs, if there are two or more."""
        session, project, current = self._session, self._session.project, self.current
        if project is None or current is None or current.kept is None:
            return
        others = [run for run in self.saved_runs() if run != current.kept]

        def work(tick: Tick) -> dict[KeptRun, Difference]:
            differences = {}
            for done, run in enumerate(others):
                tick(done, len(others))
                other = project.record(run).evaluation
                differences[run] = difference(current.record.evaluation, other)
            return differences

        def done(differences: dict[KeptRun, Difference]) -> None:
            if self.current is current:
                self.differences = differences
                self.changed.emit()

        if len(others) > 1:
            session.run(JobKind.COMPARE_RUNS, "Comparing the runs", work, done, session.show_error)


class RunsCard(Card):
    """Card that lists how the saved runs differ from the run shown, with intervals and p-values."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Saved runs compared with this one", "click one to show both together")
        heads = ("Run", "Difference, points", "95 % interval", "p")
        self.table = TextTable("Saved runs compared with this one", heads, 0, frozenset({1, 2, 3}))
        for column, width in ((1, 150), (2, 130), (3, 80)):
            self.table.set_width(column, width)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda index: self.chosen.emit(self._runs[index.row()]))
        self.body.addWidget(self.table)
        self._runs: list[KeptRun] = []

    def show_runs(self, runs: Sequence[KeptRun], differences: dict[KeptRun, Difference]) -> None:
        """List the runs that have been compared with the run shown."""
        self._runs = [run for run in runs if run in differences]
        self.setVisible(bool(self._runs))
        self.table.show_rows([(run.name, *differences[run].cells) for run in self._runs])
        header = self.table.horizontalHeader().sizeHint().height()
        rows = min(len(self._runs), 6) * self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header + rows + 4)


class RunsBar(QWidget):
    """Bar for choosing the run to show and a run to compare it with, and for deleting runs."""

    selected = Signal(object)
    compared = Signal(object)
    delete_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.choice = DropDown("Run shown", letters=12)
        self.other = DropDown("Compare with", letters=12)
        for box in (self.choice, self.other):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.delete = Button("", "trash", name="Delete this run", role="bare")
        self.choice.activated.connect(lambda: self.selected.emit(self.choice.value()))
        self.other.activated.connect(lambda: self.compared.emit(self.other.value()))
        self.delete.clicked.connect(self.delete_requested)
        self._second = captioned("compared with", self.other)
        first = captioned("Run", self.choice, self.delete)
        ColumnsLayout((2, 1), 330, self).add(first, self._second)

    def show_runs(
        self, runs: Sequence[KeptRun], current: KeptRun | None, other: KeptRun | None
    ) -> None:
        """List the saved runs, and select the run that is shown and the run compared with it."""
        rest = [run for run in runs if run != current]
        self.setVisible(bool(runs))
        nothing = Choice("Compare with another run…", None)
        self.choice.set_items(map(_choice, runs))
        self.choice.show_value(current)
        self.other.set_items([nothing, *map(_choice, rest)])
        self.other.show_value(other)
        self._second.setVisible(bool(rest) and current is not None)
        self.delete.setEnabled(current is not None)


def _choice(run: KeptRun) -> Choice:
    return Choice(run.name, run, f"{run.name} · {local_time(run.made)}")
