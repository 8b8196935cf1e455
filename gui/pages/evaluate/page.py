"""The Evaluate page: how good recognition is on this gallery, and how certain that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QMenu,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.evaluation.compare import Difference, difference
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.curves import Curves, curves_of
from eigenfaces.evaluation.protocols import (
    ENROLLED,
    PARTS,
    REPETITIONS,
    FirstPhotos,
    KFold,
    LeaveOneOut,
    Lists,
    Names,
    NShot,
    OpenSet,
    Protocol,
    read_list,
)
from eigenfaces.evaluation.records import Partial, Record, Setting, Source
from eigenfaces.evaluation.result_words import (
    changed_since,
    lacking,
    notices,
    photos_each,
    run_name,
    setting_words,
)
from eigenfaces.evaluation.run import check_component_count, evaluate
from eigenfaces.faces.lighting import LIGHTING
from eigenfaces.project.project import Project
from eigenfaces.recognition.calibration import USUAL_SHARE
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import COMPONENTS, DISTANCE, DROPPED, RECIPES, Recipe
from eigenfaces.sample import is_sample
from eigenfaces.text import when
from gui.pages.evaluate.comparison import RecipesCard, Run, RunsBar, RunsCard
from gui.pages.evaluate.figures import Results
from gui.state.jobs import Stopped, now
from gui.state.session import Session
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card, EmptyState, PageHeader
from gui.widgets.controls import Button, LinkButton, open_below
from gui.widgets.fields import AmountEditor, DropDown, DropDownEditor, name_spin_box, whole_box
from gui.widgets.flow import Flow
from gui.widgets.page import Page
from gui.widgets.saving import ask_path, may_replace
from gui.widgets.words import label

Found = TypeVar("Found")

LEAVE_ONE_OUT, K_FOLD, N_SHOT, FIRST, OPEN_SET, LISTS = range(6)

_PROTOCOLS = (
    ("Leave one photo out", "Every photo once as the probe, all others enrolled."),
    ("k-fold", "Photos are dealt into parts; each is searched for in the others."),
    ("n photos at random", "So many photos of each person enrolled at random, the others probed."),
    ("First n photos", "The first photos of each person enrolled, the others probed. No chance."),
    ("Open set", "Some people enrolled, the others strangers, drawn at random."),
    ("From lists…", "Text files name the photos of the gallery, the probes, and what to fit to."),
)
_LISTS = {"gallery": "Gallery list…", "probes": "Probe list…", "train": "Train list…"}
_SUBTITLE = "Search the gallery’s own photos among the others, and count"
_NOTHING = (
    "Each photo is searched for among others that the face space was fitted to, never among "
    "itself. The result comes with its intervals, beside what comparing pixels, guessing and the "
    "background alone would give."
)
_LEAKS = (
    "What is searched for is known already, so the figures would be too good. Exclude such "
    "photos on People, or run it anyway: the result will say so."
)
_LEAKS_SHOWN = 8
_REDRAWN, _SPARED = 0.25, 4  # s between two updates during a run; times as long as one took
_REPORTS = {
    ".html": "Web page, with its JSON and scores (*.html)",
    ".json": "JSON, to be repeated (*.json)",
}


class EvaluatePage(Page):
    """A protocol and a recipe at the top; below, one run, or two runs side by side."""

    key, title, icon = "evaluate", "Evaluate", "evaluate"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.running = Running(session)
        self._opened: Project | None = None  # the project whose newest run was loaded
        self._counted: tuple[Gallery, str] | None = None
        self.bar, self.runs, self.all_runs = SettingBar(session), RunsBar(), RunsCard()
        self.refusal, self.notice = RefusalCard(), Banner(dismissible=False)
        self.results, self.recipes = Results(session), RecipesCard(session)
        self.exporting = Export(session, self.running, self.recipes)
        self.empty = EmptyState(
            "people",
            "Too few photos to evaluate",
            "",
            ("Add photos…", self._add_photos),
            ("Go to People", lambda: session.show_page("people")),
        )
        self.nothing = EmptyState(
            "evaluate", "How good is it, and how sure is that?", _NOTHING, ("Run", self.run)
        )
        self._room = QWidget()  # below the bar while a run is read: else the bar would take it
        self._lay_out()
        self._connect()

    def run(self) -> None:
        """Evaluate the gallery as the bar says; during a run, stop it."""
        if self.running.running:
            self.session.jobs.cancel("evaluate")
            return
        try:
            setting = self.bar.setting()
        except EigenfacesError as error:
            self.running.refuse(error)
            return
        self.running.start(setting)

    def export(self) -> None:
        """Write the report of the run shown, and of the run compared with it."""
        self.exporting.report()

    def _add_photos(self) -> None:
        self.wanted = []
        self.photos_wanted.emit()

    def _refresh(self) -> None:
        gallery, running = self.session.gallery, self.running
        kept, lack = running.kept(), self._lack(gallery)
        if self.session.project is not self._opened:
            self._opened = self.session.project
            self.exporting.hide()
            if kept and running.shown is None:
                running.show(kept[0][0])
        there = running.running or running.shown is not None
        none = bool(lack) and not kept and not there
        waiting = not there and bool(kept) and running.refusal is None
        for parts, seen in (
            ((self.empty,), none),
            ((self.recipes, self.bar, self._run, self._export), not none),
            ((self.results,), there and not none),
            ((self.nothing,), not there and not none and not waiting),
            ((self._room,), waiting),
        ):
            for part in parts:
                part.setVisible(seen)
        self.empty.set_sentence(lack)
        self.bar.show_gallery(gallery.recipe)
        self.refusal.show_error(running.refusal)
        self.recipes.show_gallery(gallery, lack)
        again = running.shown is not None
        self._run.setText("Cancel" if running.running else "Run again" if again else "Run")
        self._run.set_icon("cross" if running.running else "play")
        self._run.set_primary(not running.running)
        self._run.setEnabled(running.running or not lack)
        self.nothing.buttons[0].setEnabled(not lack)
        self._export.setEnabled(again and not running.running)
        self._show_result(kept, gallery, lack)

    def _show_result(self, kept: list[Run], gallery: Gallery, lack: str) -> None:
        running, texts = self.running, [lack] if lack and kept else []
        shown, compared, differences = running.shown, running.compared, running.differences
        other = None if compared is None else compared[0].number
        self.runs.show_runs(kept, None if shown is None else shown.number, other)
        self.runs.setEnabled(not running.running)
        self.all_runs.show_runs(kept, {} if running.running else differences)
        subtitle = _SUBTITLE
        if running.running:
            assert running.asked is not None
            subtitle = setting_words(running.asked)
            self._grow()
        elif shown is not None:
            evaluation = shown.record.evaluation
            made = f" · {when(shown.made)}" if shown.made else ""
            subtitle = f"{setting_words(evaluation.setting)}{made}"
            since = changed_since(shown.record, gallery)
            texts += [*notices(evaluation), *([since] if since else [])]
            beside = compared and (compared[0].record.evaluation, compared[0].curves)
            sentence = compared[1].sentence if compared else ""
            self.results.show_run(evaluation, shown.curves, beside, sentence)
        self._header.set_subtitle(subtitle)
        self.notice.show_text("\n".join(texts), "warn")
        self.notice.setVisible(bool(texts))

    def _lack(self, gallery: Gallery) -> str:
        if self._counted is None or self._counted[0] is not gallery:
            self._counted = gallery, lacking(photos_each(gallery))
        return self._counted[1]

    def _grow(self) -> None:
        running = self.running
        if self.isVisible() and running.running and running.asked is not None:
            self.results.show_growing(running.asked, running.growing, *running.progress)

    def _connect(self) -> None:
        running = self.running
        for signal in (running.changed, self.bar.changed):
            signal.connect(self._mark_stale)
        running.grew.connect(self._grow)
        self.results.mistakes.reached.connect(
            lambda: self.scrolled.ensureWidgetVisible(self.results.mistakes, 0, 0)
        )
        self.bar.refused.connect(running.refuse)
        self.runs.shown.connect(running.show)
        self.runs.compared.connect(running.compare)
        self.all_runs.chosen.connect(running.compare)
        self.runs.forgotten.connect(running.forget)
        self.refusal.run.clicked.connect(running.run_anyway)
        self.refusal.close_it.clicked.connect(lambda: running.refuse(None))

    def _lay_out(self) -> None:
        self._header = PageHeader("Evaluate", _SUBTITLE)
        self._export = Button("Export report…", "export")
        self._export.clicked.connect(lambda: open_below(self._export, self.exporting.menu()))
        self._run = Button("Run", "play", primary=True)
        self._run.clicked.connect(self.run)
        self._header.add_action(self._export)
        self._header.add_action(self._run)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, self._header)  # it stays where it is while the page is scrolled
        above = (self.exporting, self.refusal, self.recipes, self.bar, self.runs, self.notice)
        either = ((self.empty, 1), (self.nothing, 1), (self.results, 1), (self._room, 1))
        in_column(*above, *either, self.all_runs, inside=self.content, spacing=12)


class RefusalCard(Card):
    """Shows why a run was refused; a run that leaks can be started all the same."""

    def __init__(self) -> None:
        super().__init__("This cannot be evaluated")
        self.words, self.names = label("", wrap=True), label("", "secondary", wrap=True)
        self.run, self.close_it = Button("Run anyway"), Button("Close")
        buttons = in_row(self.run, self.close_it, STRETCH, spacing=8)
        add_parts(self.body, self.words, self.names, buttons)

    def show_error(self, error: EigenfacesError | None) -> None:
        """Show why a run was refused; None hides the card."""
        leaks = [each.sentence for each in error.leaks] if isinstance(error, LeakError) else []
        self.set_tone("warn" if leaks else "bad")
        self.set_title("This split leaks" if leaks else "This cannot be evaluated")
        self.words.setText(_LEAKS if leaks else str(error))
        more = [f"And {len(leaks) - _LEAKS_SHOWN:,} more."] * (len(leaks) > _LEAKS_SHOWN)
        self.names.setText("\n".join([*leaks[:_LEAKS_SHOWN], *more]))
        for part in (self.run, self.names):
            part.setVisible(bool(leaks))
        self.setVisible(error is not None)


class SettingBar(Card):
    """Protocol and recipe of the next run; what is rarely used is under “More”."""

    changed = Signal()
    refused = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._recipe = Recipe()  # keeps what the controls do not show
        self._base: Recipe | None = None
        self._lists: dict[str, tuple[str, Names]] = {}
        self.protocol = _combo("Protocol", [words for words, _ in _PROTOCOLS])
        for at, (_, meaning) in enumerate(_PROTOCOLS):
            self.protocol.setItemData(at, meaning, Qt.ItemDataRole.ToolTipRole)
        self.protocol.setCurrentIndex(K_FOLD)
        self.parts = whole_box(PARTS, KFold.parts, with_unit=True)
        self.enrolled = whole_box(ENROLLED, NShot.enrolled, with_unit=True)
        usual = round(100 * OpenSet.strangers), round(100 * USUAL_SHARE)
        self.strangers = _spin("Share of strangers", 1, 99, usual[0], after=" % strangers")
        self.share = _spin("Share of strangers named at most", 1, 50, usual[1], "at most ")
        self.share.setSuffix(" % named")
        self.share.setToolTip(
            "Of strangers, so many may be named at most. The limit for that comes from the gallery "
            "of each fold alone; what it reached is stated beside."
        )
        self.repetitions = whole_box(REPETITIONS, NShot.repetitions, with_unit=True)
        self.seed = _spin("Seed of the random draws", 0, 999_999, 0, "seed ")
        self.files = {part: Button(words, "open") for part, words in _LISTS.items()}
        for part, button in self.files.items():
            unused = "Nothing here: the gallery is fitted to."
            button.setToolTip(unused if part == "train" else "One photo a line.")
        self.recipe = _combo("Recipe", list(RECIPES))
        self.distance, self.lighting = DropDownEditor(DISTANCE), DropDownEditor(LIGHTING)
        self.lighting.setItemText(0, "No lighting")
        self.components = AmountEditor(COMPONENTS)
        self.components.number.setValue(100)
        self.dropped = whole_box(DROPPED, with_unit=True)
        self.curves = QCheckBox("Curves for every k")
        self.curves.setAccessibleName("Curves for every k")
        self.curves.setToolTip("Accuracy for every number of components and five distances.")
        self.curves.setChecked(True)
        self.more, self.back = LinkButton("More…"), LinkButton("As the gallery’s recipe")
        self._lay_out()
        self._connect()

    def setting(self) -> Setting:
        """Return the setting chosen; raise `EigenfacesError` where it is not possible."""
        seed, share = self.seed.value(), self.share.value() / 100
        curves = self.curves.isChecked()
        return Setting(self._read_recipe(), self._protocol(), seed, curves, share=share)

    def show_gallery(self, recipe: Recipe) -> None:
        """Start with the gallery's recipe; keep what was chosen since."""
        if recipe != self._base:
            self._base = recipe
            self._show_recipe(recipe)
        self._fit()

    def choose(self, protocol: int) -> None:
        """Choose a protocol, as a person does in the list."""
        self.protocol.setCurrentIndex(protocol)
        self._report_change()

    def read(self, part: str, path: Path) -> None:
        """Read the names of a part from a text file."""
        try:
            self._lists[part] = path.name, read_list(path)
        except EigenfacesError as error:
            self.refused.emit(error)
            return
        self._session.settings.last_folder = path.parent
        self._report_change()

    def _protocol(self) -> Protocol:
        seed, enrolled, times = (
            box.value() for box in (self.seed, self.enrolled, self.repetitions)
        )
        match self.protocol.currentIndex():
            case 1:
                return KFold(self.parts.value(), seed)
            case 2:
                return NShot(enrolled, times, seed)
            case 3:
                return FirstPhotos(enrolled)
            case 4:
                return OpenSet(enrolled, self.strangers.value() / 100, times, seed)
            case 5:
                for part in ("gallery", "probes"):
                    if part not in self._lists:
                        raise EigenfacesError(
                            f"Choose the text file that names the photos of the {part} first, one "
                            "a line."
                        )
                names = {part: held for part, (_, held) in self._lists.items()}
                return Lists(names["gallery"], names["probes"], names.get("train", ()))
        return LeaveOneOut()

    def _read_recipe(self) -> Recipe:
        recipe = self._recipe.changed(
            distance=self.distance.value(),
            components=self.components.value(),
            dropped=self.dropped.value(),
        )
        lit = LIGHTING in recipe.fields
        return recipe.changed(lighting=self.lighting.value()) if lit else recipe

    def _show_recipe(self, recipe: Recipe) -> None:
        self._recipe, matcher = recipe, recipe.matcher
        if self.recipe.findText(recipe.name) < 0:  # one of an own name
            self.recipe.addItem(recipe.name)
        self.recipe.setCurrentText(recipe.name)
        self.distance.show_value(matcher.distance)
        self.components.show_value(matcher.components)
        with QSignalBlocker(self.dropped):
            self.dropped.setValue(matcher.dropped)
        self.lighting.show_value(recipe.pixels.lighting)
        self.lighting.setEnabled(LIGHTING in recipe.fields)

    def _choose_recipe(self) -> None:
        name, base = self.recipe.currentText(), self._base
        self._show_recipe(base if base is not None and base.name == name else Recipe.of(name))
        self._report_change()

    def _go_back(self) -> None:
        if self._base is not None:
            self._show_recipe(self._base)
            self._report_change()

    def _open(self, part: str) -> None:
        start = str(self._session.settings.last_folder)
        chosen, _ = QFileDialog.getOpenFileName(
            self, f"Names of the {part}", start, "Lists (*.txt *.csv);;All files (*)"
        )
        if chosen:
            self.read(part, Path(chosen))

    def _report_change(self) -> None:
        self._fit()
        self.changed.emit()

    def _fit(self) -> None:
        """Show the fields that the protocol needs, and on “More” what differs below it."""
        at = self.protocol.currentIndex()
        self.protocol.setToolTip(_PROTOCOLS[at][1])
        for box, wanted in (
            (self.parts, (K_FOLD,)),
            (self.enrolled, (N_SHOT, FIRST, OPEN_SET)),
            (self.strangers, (OPEN_SET,)),
            (self.share, (OPEN_SET, LISTS)),
            (self.repetitions, (N_SHOT, OPEN_SET)),
        ):
            box.setVisible(at in wanted)
        for part, button in self.files.items():
            button.setVisible(at == LISTS)
            button.setText(self._lists[part][0] if part in self._lists else _LISTS[part])
        self.components.fit()
        try:
            differs = self._read_recipe() != self._base
        except EigenfacesError:
            differs = True
        self.back.setVisible(self._base is not None and differs)
        said = [f"seed {self.seed.value()}"] if self.seed.value() else []
        said += [self.lighting.currentText()] if self.lighting.currentIndex() else []
        said += [f"{self.dropped.value()} dropped"] if self.dropped.value() else []
        said += [] if self.curves.isChecked() else ["no curves"]
        closed = f"More ({', '.join(said)})…" if said else "More…"
        self.more.setText("Less" if self._extra.isVisibleTo(self) else closed)
        self.distance.setToolTip(DISTANCE.choices[self.distance.value()])

    def _toggle_more(self) -> None:
        self._extra.setVisible(not self._extra.isVisibleTo(self))
        self._fit()

    def _connect(self) -> None:
        self.recipe.activated.connect(lambda: self._choose_recipe())
        for combo in (self.protocol, self.distance, self.lighting):
            combo.activated.connect(lambda: self._report_change())
        boxes = (self.parts, self.enrolled, self.strangers, self.share, self.repetitions)
        for box in (*boxes, self.seed, self.dropped):
            box.valueChanged.connect(lambda: self._report_change())
        for signal in (self.components.kind_changed, self.components.changed):
            signal.connect(self._report_change)
        self.curves.toggled.connect(lambda: self._report_change())
        self.more.clicked.connect(self._toggle_more)
        self.back.clicked.connect(self._go_back)
        for part, button in self.files.items():
            button.clicked.connect(lambda _=False, part=part: self._open(part))

    def _lay_out(self) -> None:
        line, self._extra = QWidget(), QWidget()
        flow = Flow(line)
        numbers = (self.parts, self.enrolled, self.strangers, self.share, self.repetitions)
        flow.add(self.protocol, *numbers, *self.files.values())
        flow.add(self.recipe, self.distance, self.components, self.more)
        Flow(self._extra).add(self.lighting, self.dropped, self.seed, self.curves, self.back)
        self._extra.hide()
        self.set_padding(12, 9)
        add_parts(self.body, line, self._extra)


def _combo(name: str, words: list[str]) -> QComboBox:
    box = DropDown()
    box.addItems(words)
    box.setAccessibleName(name)
    box.view().setAccessibleName(name)
    return box


def _spin(
    name: str, least: int, most: int, value: int, before: str = "", after: str = ""
) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, most)
    box.setValue(value)
    box.setPrefix(before)
    box.setSuffix(after)
    name_spin_box(box, name)
    return box


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
        """Return the runs kept in the project, newest first."""
        project = self._session.project
        if project is not self._project:
            self._project, self._kept, self.differences = project, None, {}
            self.shown = self.compared = self.refusal = None
        if self._kept is None:
            try:
                self._kept = [] if project is None else project.runs()[::-1]
            except EigenfacesError as error:
                self._kept = []
                self._session.say(str(error), "error")
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
                session.say("The evaluation was cancelled. Nothing of it was kept.")
            else:
                session.say("The evaluation was of the project before, and was not kept.")
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
            self._read(number, lambda found: found, self._show)

    def compare(self, number: int | None) -> None:
        """Show a second kept run for comparison, or remove it."""
        first = self.shown
        if number is None or first is None:
            self.compared = None
            self.changed.emit()
            return

        def beside(other: Shown) -> tuple[Shown, Difference]:
            return other, difference(first.record.evaluation, other.record.evaluation)

        def then(found: tuple[Shown, Difference]) -> None:
            if self.shown is first:
                self.compared = found
                self.changed.emit()

        self._read(number, beside, then)

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
            session.tell,
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

        session.jobs.start("compare runs", "Comparing the runs", work, done, session.tell)

    def _read(
        self, number: int, make: Callable[[Shown], Found], then: Callable[[Found], None]
    ) -> None:
        """Read a kept run in a job, and what is made of it."""
        session, project = self._session, self._session.project
        if project is None:
            return
        made = next((run[1] for run in self.kept() if run[0] == number), "")

        def work(_tick: Tick) -> Found:
            record = project.run(number)
            return make(Shown(number, made, record, curves_of(record.evaluation)))

        def done(found: Found) -> None:
            if session.project is project:
                then(found)

        def failed(error: EigenfacesError) -> None:
            session.tell(error)
            self.changed.emit()

        session.jobs.start("read run", "Reading the run", work, done, failed)


class Export(QWidget):
    """Writes the run shown, and the run compared with it; then shows what was written."""

    def __init__(self, session: Session, running: Running, recipes: RecipesCard) -> None:
        super().__init__()
        self._session, self._running, self._recipes = session, running, recipes
        self.line = Banner(tone="ok")
        self.line.dismissed.connect(self.hide)
        in_column(self.line, inside=self)
        self.hide()

    def menu(self) -> QMenu:
        """Return the menu: the report in one file, or each figure in its own."""
        menu = QMenu("Export", self)
        menu.addAction("Report (HTML or JSON)…", self.report)
        menu.addAction("Figures (SVG, PNG and PDF) into a folder…", self.figures)
        return menu

    def report(self) -> None:
        """Ask where and write the report there."""
        from eigenfaces.report import report_files, write_report  # late: it is slow to load

        session, shown, compared = self._session, self._running.shown, self._running.compared
        if shown is None:
            session.say("There is no result to export yet: run an evaluation first.")
            return
        start = session.settings.last_folder / "evaluation.html"
        target = ask_path(self, "Export the report", start, _REPORTS, (".pdf",))
        if target is None:
            return
        try:
            if not may_replace(self, report_files(target)[1:]):
                return
        except EigenfacesError as error:  # PDF is refused with advice
            session.say(str(error), "error")
            return
        session.settings.last_folder = target.parent
        other = None if compared is None else compared[0].record
        record = self._recipes.beside(shown.record)
        self._write(target, lambda tick: write_report(record, target, tick, other))

    def figures(self) -> None:
        """Ask for a folder and write every figure into a new one in it."""
        from eigenfaces.report import figures_folder, write_figures

        settings, shown = self._session.settings, self._running.shown
        start = str(settings.last_folder)
        chosen = QFileDialog.getExistingDirectory(self.window(), "A folder for the figures", start)
        if chosen and shown is not None:
            settings.last_folder = Path(chosen)
            target = figures_folder(Path(chosen))
            self._write(target, lambda tick: write_figures(shown.record, target, tick))

    def _write(self, target: Path, work: Callable[[Tick], tuple[Path, ...]]) -> None:
        session = self._session

        def done(files: tuple[Path, ...]) -> None:
            names = ", ".join(f"“{path.name}”" for path in files[:3])
            more = f" and {len(files) - 3} more" if len(files) > 3 else ""
            words = f"Written to “{files[0].parent.name}”: {names}{more}."
            self.line.show_text(words, "ok", ("Open it", lambda: self._open(target)))
            self.line.show()
            self.show()
            if not self.isVisible():  # another page is shown
                session.say(words, "ok")

        session.jobs.start(
            "export",
            f"Writing {target.name}",
            work,
            done,
            session.tell,
            cancelled=f"“{target.name}” was not written.",
            about=target,
        )

    def _open(self, target: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))):
            self._session.say(f"No program was found that opens “{target}”. It is there.", "warn")
