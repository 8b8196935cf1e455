"""Runs, and what one stands beside: baselines in the same folds, other recipes, other runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.evaluation.compare import Difference, difference
from eigenfaces.evaluation.controls import GUESSES
from eigenfaces.evaluation.curves import Curves, curves_of
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import (
    YEARS,
    Evaluation,
    Partial,
    RecipesCompared,
    Record,
    Setting,
    Source,
)
from eigenfaces.evaluation.result_words import remarks, run_name
from eigenfaces.evaluation.run import (
    check_component_count,
    compare_recipes,
    evaluate,
    participating_faces,
)
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.project.project import Project
from eigenfaces.recognition.automatic import BEHIND
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.sample import is_sample
from eigenfaces.text import capital, percent, when
from gui.state.jobs import Stopped, now
from gui.state.session import Session
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.fields import DropDown
from gui.widgets.flow import Columns
from gui.widgets.painted import ShareBar
from gui.widgets.text_table import TextTable
from gui.widgets.words import captioned, label, restyle

Run = tuple[int, str, str]
"""Number, time and name of a kept run."""

Interval = tuple[float, float]

_BASELINES = 6
_ALL = "Measure all"
_HOW = "How often each recipe names the right person in ten folds of your photos, held out."
_REDRAWN, _SPARED = 0.25, 4  # s between two updates during a run; times as long as one took


class ShareRow(QWidget):
    """One share: what it is of, its value with the interval, a bar, and one sentence."""

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
        words: tuple[str, str],
        value: float | None,
        interval: Interval | None = None,
        mark: float | None = None,
        *,
        warns: bool = False,
    ) -> None:
        """Show another title and sentence, and share; None where it is not known.

        ``mark``: the share to compare with.
        """
        self.title.setText(words[0])
        self.value.setText("not measured" if value is None else percent(value))
        low, high = interval or (0.0, 0.0)
        self.limits.setText(f"{100 * low:.1f} to {100 * high:.1f}")
        self.limits.setVisible(interval is not None)
        self.sentence.setText(words[1])
        self.sentence.setVisible(bool(words[1]))
        for each in (self.value, self.sentence):
            restyle(each, "warn" if warns else "")
        self._bar.show_share(value or 0.0, mark, "warn" if warns else "neutral", (low, high))


class BaselinesCard(Card):
    """All baselines of a run, shown with every result."""

    def __init__(self) -> None:
        super().__init__("What keeps it honest")
        self.rows = [ShareRow() for _ in range(_BASELINES)]
        self.intro = label("", "caption", wrap=True)
        holder = QWidget()
        Columns((3, 2, 1), 190, holder, spacing=14).add(*self.rows)
        add_parts(self.body, self.intro, (holder, 1))

    def show_run(self, evaluation: Evaluation | None) -> None:
        """Show the baselines of a run; a run under way has none yet."""
        found = () if evaluation is None else remarks(evaluation)
        result = None if evaluation is None else evaluation.headline
        if evaluation is None:
            self.intro.setText("Pixels, chance and the covered face are measured at the end.")
        elif result is not None:
            self.intro.setText(f"The mark: {result.kind} of this run, {percent(result.value)}.")
        for at, row in enumerate(self.rows):
            row.setVisible(at < len(found))
        for row, each in zip(self.rows, found, strict=False):
            control, marks = each.control, each.control.kind != "duplicates"
            guess = f"{capital(control.note)}. " if control.kind in GUESSES else ""
            row.show_share(
                (each.title, f"{guess}{each.sentence}"),
                control.value if control.value == control.value else None,
                None if control.low is None else (control.low, control.high or 0.0),
                result.value if result is not None and marks else None,
                warns=each.warns,
            )
            row.setToolTip(control.note)


class RecipesCard(Card):
    """The recipes beside each other in ten folds: what Automatic has measured, or all of them."""

    def __init__(self, session: Session) -> None:
        super().__init__("Thirty years on your own photos")
        self._session = session
        self._found: tuple[FaceSet, RecipesCompared] | None = None
        self.running = False
        self.measure = Button(_ALL)
        self.measure.clicked.connect(self._start_or_cancel)
        self.add_to_heading(self.measure)
        self.rows = {name: ShareRow() for name in YEARS}
        self.sentence = label("", "caption", wrap=True)
        holder = QWidget()
        Columns((4, 2, 1), 190, holder, spacing=14).add(*self.rows.values())
        add_parts(self.body, holder, self.sentence)

    @property
    def compared(self) -> RecipesCompared | None:
        """What was measured of these faces; None before."""
        faces = self._session.gallery.faces
        return self._found[1] if self._found is not None and self._found[0] is faces else None

    def beside(self, record: Record) -> Record:
        """Return a record with the recipes beside it, where they were measured in its folds."""
        evaluation, compared = record.evaluation, self.compared
        if compared is None or evaluation.setting.protocol != KFold():
            return record
        now = participating_faces(self._session.gallery.faces).index.photos
        if {photo.key for photo in evaluation.photos} != {photo.key for photo in now}:
            return record
        return replace(record, evaluation=replace(evaluation, recipes=compared))

    def show_gallery(self, gallery: Gallery, lack: str) -> None:
        """Show what is known of a gallery, or why nothing can be."""
        compared, automatic, told = self.compared, gallery.automatic, _HOW
        results = {each.recipe: each for each in compared.results} if compared else {}
        shares = automatic.shares if automatic else {}
        for name, row in self.rows.items():
            found, value, ends, more = results.get(name), shares.get(name), None, ""
            if found is not None and found.figure is not None:
                value, ends = found.figure.value, (found.figure.low, found.figure.high)
            elif found is not None:
                more = f" · {found.reason}"
            row.show_share((name, f"{YEARS[name]}{more}"), value, ends)
        self.measure.setText("Cancel" if self.running else "Measure again" if compared else _ALL)
        self.measure.setEnabled(self.running or not lack)
        if automatic is not None and shares:
            enough = max(shares.values()) >= 1 - BEHIND
            ahead = f" No other can be more than {100 * BEHIND:g} points ahead." if enough else ""
            told = f"{automatic.reason}{ahead}"
        self.sentence.setText(lack or (compared.sentence if compared else told))

    def _start_or_cancel(self) -> None:
        session, gallery = self._session, self._session.gallery
        if self.running:
            session.jobs.cancel("recipes")
            return
        self.running, setting = True, Setting(gallery.recipe, KFold(), allow_leaks=True)
        crops = gallery.preparation.already_cropped

        def end(words: str = "") -> None:
            self.running = False
            self.show_gallery(session.gallery, "")
            self.sentence.setText(words or self.sentence.text())

        def done(compared: RecipesCompared) -> None:
            self._found = gallery.faces, compared
            end()

        def failed(error: EigenfacesError) -> None:
            end("" if isinstance(error, Stopped) else str(error))

        session.jobs.start(
            "recipes",
            "Measuring the recipes",
            lambda tick: compare_recipes(gallery.faces, setting, tick=tick, crops=crops),
            done,
            failed,
        )
        self.show_gallery(gallery, "")


@dataclass(frozen=True, eq=False)
class Shown:
    """A finished run and its curves; ``number`` is None until it is kept."""

    number: int | None
    made: str
    record: Record
    curves: Curves


class Running(QObject):
    """The run under way, the one that is shown, and those it is compared with."""

    changed = Signal()
    """Something has started or ended; everything is to be read again."""

    grew = Signal()
    """The run under way has more results."""

    _heard = Signal(object, object, int, int)
    _entered = Signal(object, str)
    """Of a setting: curves so far and folds done, of so many; the title of its new stage.

    The job's thread emits these, and Qt carries them over to the window's.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._project: Project | None = None
        self._kept: list[Run] | None = None
        self.running = False
        self.asked: Setting | None = None
        self.growing: Curves | None = None
        self.progress = (0, 0)
        self.shown: Shown | None = None
        self.compared: tuple[Shown, Difference] | None = None
        self.differences: dict[int, Difference] = {}
        """From the run that is shown, of the other kept runs; empty where there are few."""

        self.refusal: EigenfacesError | None = None
        self._heard.connect(self._hear)
        self._entered.connect(self._enter)

    def kept(self) -> list[Run]:
        """Return the runs kept in the project, newest first; show the newest of another project."""
        session, project = self._session, self._session.project
        opened = project is not self._project
        if opened:
            self._project, self._kept, self.differences = project, None, {}
            self.shown = self.compared = self.refusal = None
        if self._kept is None:
            try:
                self._kept = [] if project is None else project.runs()[::-1]
            except EigenfacesError as error:
                self._kept = []
                session.show_error(error)
        if opened and self._kept:
            self._read(self._kept[0][0], None)
        return self._kept

    def start(self, setting: Setting) -> None:
        """Evaluate the gallery as it is now; the run is kept as soon as it is finished."""
        session, due = self._session, 0.0
        gallery, project = session.gallery, session.project
        self.growing, self.progress, self.refusal = None, (0, 0), None
        self.running, self.asked = True, setting
        source = Source("project", "" if project is None else str(project.path))
        if is_sample(gallery.index.photos, gallery.preparation):
            source = Source("sample")  # which other people can get, too
        title = f"Evaluating: {setting.protocol.words()}"

        def hear(partial: Partial) -> None:
            nonlocal due
            began = monotonic()
            if began >= due or partial.done == partial.total:
                self._heard.emit(setting, curves_of(partial), partial.done, partial.total)
                due = monotonic() + max(_REDRAWN, _SPARED * (monotonic() - began))

        def enter(stage: str) -> None:
            self._entered.emit(setting, f"{title}, {stage}")

        def work(tick: Tick) -> Shown:
            check_component_count(gallery.faces, setting)
            result = evaluate(gallery.faces, setting, tick, hear, enter)
            record = Record(result, gallery.preparation, source)
            return Shown(None, now(), record, curves_of(result))

        def done(result: Shown) -> None:
            self.running, self.growing = False, None
            self._show(result)
            self._keep(result)

        def failed(error: EigenfacesError) -> None:
            self.running = False
            if not isinstance(error, Stopped):
                self.refusal = error
            elif session.project is project:
                session.show_message("The evaluation was cancelled. Nothing of it was kept.")
            else:
                session.show_message("The evaluation was of the project before, and was not kept.")
            self.changed.emit()

        session.run("evaluate", title, work, done, failed)
        self.changed.emit()

    @Slot(object, object, int, int)
    def _hear(self, setting: object, curves: Curves, done: int, total: int) -> None:
        if self.running and setting is self.asked:
            self.growing, self.progress = curves, (done, total)
            self.grew.emit()

    @Slot(object, str)
    def _enter(self, setting: object, title: str) -> None:
        if self.running and setting is self.asked:
            self._session.jobs.set_title("evaluate", title)

    def run_anyway(self) -> None:
        """Start the run that was refused because it leaks; the result says so."""
        if self.asked is not None:
            self.start(replace(self.asked, allow_leaks=True))

    def refuse(self, error: EigenfacesError | None) -> None:
        """Show why there is no run; None hides that."""
        self.refusal = error
        self.changed.emit()

    def show(self, number: int) -> None:
        """Show a kept run."""
        if self.shown is None or self.shown.number != number:
            self._read(number, None)

    def compare(self, number: int | None) -> None:
        """Show a second kept run for comparison, or remove it."""
        if number is None or self.shown is None:
            self.compared = None
            self.changed.emit()
        else:
            self._read(number, self.shown)

    def _read(self, number: int, first: Shown | None) -> None:
        """Read a kept run in a job, to show it, or beside the ``first``."""
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

        def done(found: tuple[Shown, Difference | None]) -> None:
            other, apart = found
            if session.project is project and apart is None:
                self._show(other)
            elif apart is not None and self.shown is first:
                self.compared = other, apart
                self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            session.show_error(error)
            self.changed.emit()

        session.jobs.start("read run", "Reading the run", work, done, failed)

    def forget(self) -> None:
        """Delete the run that is shown, and show the newest of the others."""
        project, shown = self._session.project, self.shown
        if project is None or shown is None or shown.number is None:
            return
        try:
            project.delete_run(shown.number)
        except EigenfacesError as error:
            self._session.show_message(str(error), "error")
            return
        self._session.show_message("The run was forgotten. Running it again gives the same.")
        self.shown = self.compared = self._kept = None
        self.differences = {}
        if rest := self.kept():
            self.show(rest[0][0])
        self.changed.emit()

    def _show(self, result: Shown) -> None:
        self.shown, self.compared, self.differences = result, None, {}
        self._measure_differences()
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
                    self._measure_differences()
                self.changed.emit()

        session.jobs.start(
            "keep run",
            "Keeping the run",
            lambda _tick: project.add_run(result.made, name, result.record),
            kept,
            session.show_error,
            about=result.made,
        )

    def _measure_differences(self) -> None:
        """Compare the run that is shown with all others, where there are more than two runs."""
        session, project, shown = self._session, self._session.project, self.shown
        if project is None or shown is None or shown.number is None or len(self.kept()) <= 2:
            return
        others = [number for number, *_ in self.kept() if number != shown.number]

        def work(tick: Tick) -> dict[int, Difference]:
            found = {}
            for at, number in enumerate(others):
                tick(at, len(others))
                other = project.run(number).evaluation
                found[number] = difference(shown.record.evaluation, other)
            return found

        def done(found: dict[int, Difference]) -> None:
            if self.shown is shown:
                self.differences = found
                self.changed.emit()

        session.jobs.start("compare runs", "Comparing the runs", work, done, session.show_error)


class RunsBar(QWidget):
    """Chooses the kept run to show and the one to compare with it; deletes a run."""

    shown = Signal(int)
    compared = Signal(object)
    forgotten = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._numbers: list[int] = []
        self._others: list[int | None] = []
        self.choice, self.other = _run_box("Run that is shown"), _run_box("Compare with")
        self.forget = Button("", "trash", name="Forget this run", role="bare")
        self.choice.activated.connect(lambda at: self.shown.emit(self._numbers[at]))
        self.other.activated.connect(lambda at: self.compared.emit(self._others[at]))
        self.forget.clicked.connect(self.forgotten)
        self._second = captioned("beside it", self.other)
        Columns((2, 1), 330, self).add(captioned("Run", self.choice, self.forget), self._second)

    def show_runs(self, runs: Sequence[Run], shown: int | None, other: int | None) -> None:
        """Show the kept runs, the one that is shown, and the one compared with it."""
        self.setVisible(bool(runs))
        rest = [run for run in runs if run[0] != shown]
        self._numbers, self._others = [run[0] for run in runs], [None, *(run[0] for run in rest)]
        words = ["Compare with another run…", *map(_called, rest)]
        at = self._numbers.index(shown) if shown in self._numbers else -1
        _fill(self.choice, [_called(run) for run in runs], at)
        _fill(self.other, words, self._others.index(other) if other in self._others else 0)
        self._second.setVisible(bool(rest) and shown is not None)
        self.forget.setEnabled(shown is not None)


class RunsCard(Card):
    """Every kept run beside the one that is shown: difference, its interval, and p."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("Kept runs beside this one", "press one to see it beside")
        heads = ("Run", "Difference, points", "95 % interval", "p")
        self.table = TextTable("Kept runs beside this one", heads, 0, frozenset({1, 2, 3}))
        for column, width in ((1, 150), (2, 130), (3, 80)):
            self.table.set_width(column, width)
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._choose)
        self.body.addWidget(self.table)
        self._numbers: list[int] = []

    def show_runs(self, runs: Sequence[Run], found: dict[int, Difference]) -> None:
        """Show the runs whose difference from the one that is shown was measured, if several."""
        listed = [run for run in runs if run[0] in found]
        self._numbers = [run[0] for run in listed]
        self.setVisible(len(listed) > 1)  # two runs stand side by side anyway
        self.table.show_rows(
            [(_called(run), *found[run[0]].cells) for run in listed],
            [found[run[0]].sentence for run in listed],
        )
        header = self.table.horizontalHeader().sizeHint().height()
        rows = min(len(listed), 6) * self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header + rows + 4)

    def _choose(self) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self._numbers):
            self.chosen.emit(self._numbers[row])


def _called(run: Run) -> str:
    return f"{run[2]} · {when(run[1])}"


def _fill(box: QComboBox, words: list[str], at: int) -> None:
    with QSignalBlocker(box):
        box.clear()
        box.addItems(words)
        box.setCurrentIndex(at)
    box.setToolTip(box.currentText())


def _run_box(name: str) -> QComboBox:
    box = DropDown()
    box.setAccessibleName(name)
    box.view().setAccessibleName(f"{name}, list")
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(12)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box
