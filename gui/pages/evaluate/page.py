"""The Evaluate page: how well recognition works on this gallery, with what certainty."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDoubleSpinBox, QFileDialog, QSpinBox, QVBoxLayout, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.protocols import (
    ENROLLED,
    EXPLANATIONS,
    PARTS_FIELD,
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
from eigenfaces.evaluation.records import EvaluationSetting
from eigenfaces.evaluation.result_words import (
    changed_since,
    notices,
    setting_words,
    why_not_evaluable,
)
from eigenfaces.project.content import KeptRun
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.limits import USUAL_SHARE
from eigenfaces.recognition.recipe import COMPONENTS_FIELD, DISTANCE, RECIPES, Recipe
from eigenfaces.text import local_time
from ...state.jobs import JobKind
from ...state.session import Session
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import Banner, Card, EmptyState, PageHeader
from ...widgets.controls import Button, Segmented
from ...widgets.fields import Choice, DropDown, number_box, whole_box
from ...widgets.flow import FlowLayout
from ...widgets.labels import captioned
from ...widgets.page import Page
from ...widgets.saving import ask_path, confirm_overwrite
from .figures import ChartsHall, Results
from .runs import EvaluationRuns, RecipesCard, RunsBar, RunsCard

PROTOCOL_TITLES: dict[type[Protocol], str] = {
    LeaveOneOut: "Leave one photo out",
    KFold: "k-fold",
    NShot: "n photos at random",
    FirstPhotos: "First n photos",
    OpenSet: "Open set",
    Lists: "From lists…",
}
"""The names of the protocols that the user can choose."""

_LISTS = {"gallery": "Gallery list…", "probes": "Probe list…", "train": "Train list…"}
_SUBTITLE = "How often the gallery’s own photos are named correctly when held out"
_NOTHING = (
    "Each photo is held out and searched for among the others. The face space is fitted to those "
    "others only. The result includes confidence intervals and, for comparison, the scores of "
    "plain pixels, guessing and the background alone."
)
_LEAKS = (
    "This split leaks: some of the photos searched for are already known, so the figures would be "
    "too good. Exclude these photos on People, or run it anyway: the result will mention the leak."
)
_LEAKS_SHOWN = 8
_REPORTS = {
    ".html": "Web page, with JSON and scores (*.html)",
    ".json": "JSON, to repeat the run (*.json)",
}


class EvaluatePage(Page):
    """Page with a protocol and a recipe at the top, and the results of one or two runs below."""

    key, title, icon = "evaluate", "Evaluate", "evaluate"
    needs_pictures = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.evaluations = EvaluationRuns(session)
        self.bar, self.runs, self.all_runs = SettingBar(session), RunsBar(), RunsCard()
        self.refusal, self.notice = Banner("bad"), Banner(dismissible=False)
        self.results, self.recipes = Results(session), RecipesCard(session)
        self.written = Banner("ok")
        self.written.hide()
        self.empty = EmptyState(
            "people",
            "Too few photos to evaluate",
            "",
            ("Add photos…", self._add_photos),
            ("Go to People", lambda: session.show_page("people")),
        )
        self.nothing = EmptyState(
            "evaluate", "How good is it, and how sure can you be?", _NOTHING, ("Run", self.run)
        )
        self._lay_out()
        self._connect()

    def run(self) -> None:
        """Evaluate the gallery with the settings in the bar, or cancel the run in progress."""
        if self.evaluations.is_running:
            self.session.jobs.cancel(JobKind.EVALUATE)
            return
        try:
            setting = self.bar.setting()
        except EigenfacesError as error:
            self.evaluations.refuse(error)
            return
        if self.nothing.buttons[0].hasFocus():
            self._run.setFocus()  # it becomes Cancel; otherwise the navigation would get the focus
        self.evaluations.start(setting)

    def _add_photos(self) -> None:
        self.photos_wanted.emit([])

    def _refresh(self) -> None:
        gallery, state = self.session.gallery, self.evaluations
        runs, problem, current = state.saved_runs(), why_not_evaluable(gallery), state.current
        none = bool(problem) and not runs and current is None
        reading = current is None and bool(runs) and not state.is_running and state.refusal is None
        for parts, visible in (
            ((self.empty,), none),
            ((self.recipes, self.bar, self._run, self._export), not none),
            ((self.results,), current is not None),
            ((self.nothing,), current is None and not none and not reading),
        ):
            for part in parts:
                part.setVisible(visible)
        if current is None:  # for example after opening a project
            self.written.hide()
        self.empty.set_sentence(problem)
        self.bar.show_gallery(gallery.recipe)
        self._show_refusal(state.refusal)
        self.recipes.show_gallery(gallery, problem)
        self._run.setText("Cancel" if state.is_running else "Run again" if current else "Run")
        self._run.set_icon("cross" if state.is_running else "play")
        self._run.set_primary(not state.is_running)
        self._run.setEnabled(state.is_running or not problem)
        self.nothing.buttons[0].setEnabled(not problem and not state.is_running)
        self._export.setEnabled(current is not None and not state.is_running)
        self._show_result(runs, gallery, problem)

    def _show_result(self, runs: list[KeptRun], gallery: Gallery, problem: str) -> None:
        state, texts = self.evaluations, [problem] if problem and runs else []
        current, compared = state.current, state.compared
        other = None if compared is None else compared[0].kept
        self.runs.show_runs(runs, None if current is None else current.kept, other)
        self.runs.setEnabled(not state.is_running)
        self.all_runs.show_runs(runs, state.differences)
        subtitle = _SUBTITLE
        if current is not None:
            evaluation = current.record.evaluation
            made = f" · {local_time(current.made)}" if current.made else ""
            subtitle = f"{setting_words(evaluation.setting)}{made}"
            since = changed_since(current.record, gallery)
            texts += [*notices(evaluation), *([since] if since else [])]
            beside = compared and (compared[0].record.evaluation, compared[0].curves)
            sentence = compared[1].sentence if compared else ""
            self.results.show_run(evaluation, current.curves, beside, sentence)
        self._header.set_subtitle(subtitle)
        self.notice.show_text("\n".join(texts), "warn")
        self.notice.setVisible(bool(texts))

    def _show_refusal(self, error: EigenfacesError | None) -> None:
        """Show why a run was refused, and offer to start it anyway if its split leaks."""
        self.refusal.setVisible(error is not None)
        if isinstance(error, LeakError):
            more = len(error.leaks) - _LEAKS_SHOWN
            names = [leak.sentence for leak in error.leaks[:_LEAKS_SHOWN]]
            names += [f"And {more:,} more."] if more > 0 else []
            anyway = "Run anyway", self.evaluations.run_anyway
            self.refusal.show_text("\n".join([_LEAKS, *names]), "warn", anyway)
        else:
            self.refusal.show_text(f"This cannot be evaluated. {error}", "bad")

    def export(self) -> None:
        """Ask for a file name, and write a report on the run that is shown."""
        from eigenfaces.report.page import report_files, write_report  # it is slow to load

        session, current = self.session, self.evaluations.current
        if current is None:
            session.show_message("There is no result to export yet: run an evaluation first.")
            return
        start = session.settings.last_folder / "evaluation.html"
        target = ask_path(self, "Export the report", start, _REPORTS)
        if target is None or not confirm_overwrite(self, report_files(target)[1:]):
            return
        session.settings.last_folder = target.parent

        def done(files: tuple[Path, ...]) -> None:
            *names, last = [f"“{path.name}”" for path in files]
            words = f"Written to “{target.parent.name}”: {', '.join(names)} and {last}."
            self.written.show_text(words, "ok", ("Open it", lambda: self._open(target)))
            self.written.show()
            if not self.isVisible():  # another page is shown
                session.show_message(words, "ok")

        session.run(
            JobKind.EXPORT,
            f"Writing {target.name}",
            lambda tick: write_report(current.record, target, tick),
            done,
            session.show_error,
            cancelled=f"“{target.name}” was not written.",
            key=target,
        )

    def open_hall(self) -> ChartsHall | None:
        shown = self.results.isVisibleTo(self.content)
        drawings = self.results.drawings() if shown else []
        return ChartsHall(drawings) if drawings else None

    def _open(self, target: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))):
            self.session.show_message(
                f"“{target}” was saved, but no program on this computer can open it.", "warn"
            )

    def _connect(self) -> None:
        state = self.evaluations
        for signal in (state.changed, self.bar.changed):
            signal.connect(self._mark_stale)
        self.results.mistakes.scroll_wanted.connect(
            lambda: self.scrolled.ensureWidgetVisible(self.results.mistakes, 0, 0)
        )
        self.bar.refused.connect(state.refuse)
        self.runs.selected.connect(state.show)
        self.runs.compared.connect(state.compare)
        self.all_runs.chosen.connect(state.compare)
        self.runs.delete_requested.connect(state.delete_shown)
        self.refusal.dismissed.connect(lambda: state.refuse(None))

    def _lay_out(self) -> None:
        self._export = Button("Export report…", "export")
        self._export.clicked.connect(self.export)
        self._run = Button("Run", "play", primary=True)
        self._run.clicked.connect(self.run)
        self._header = PageHeader("Evaluate", _SUBTITLE, self._export, self._run)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, self._header)  # it stays in place while the page scrolls
        above = (self.written, self.refusal, self.recipes, self.bar, self.runs, self.notice)
        either = ((self.empty, 99), (self.nothing, 99), (self.results, 99), STRETCH)
        in_column(*above, *either, self.all_runs, inside=self.content, spacing=12)


class SettingBar(Card):
    """Bar with the protocol and the recipe for the next run."""

    changed = Signal()
    refused = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._settings = session.settings
        self._lists: dict[str, Names] = {}
        self._recipe = self._base = Recipe()  # they keep the values without a control
        protocols = []
        for kind, title in PROTOCOL_TITLES.items():
            usual = {option.name: option.default for option in fields(kind)}
            protocols.append(Choice(title, kind, EXPLANATIONS[kind.kind].format(**usual)))
        self.protocol, self.recipe = DropDown("Protocol", protocols), DropDown("Recipe", RECIPES)
        self.protocol.show_value(KFold)
        self.parts = whole_box(PARTS_FIELD, KFold.parts, with_unit=True)
        self.enrolled = whole_box(ENROLLED, NShot.enrolled, with_unit=True)
        self.repetitions = whole_box(REPETITIONS, NShot.repetitions, with_unit=True)
        strangers, named = round(100 * OpenSet.strangers), round(100 * USUAL_SHARE)
        self.strangers = _percent_box("Share of strangers", 99, strangers, " % strangers")
        self.share = _percent_box("Largest share of strangers named", 50, named, " % named")
        self.share.setPrefix("at most ")
        self.share.setToolTip(
            "At most this share of strangers may be named. The limit is computed only from the "
            "people enrolled in each fold; the result shows the share actually named."
        )
        self.files = {part: Button(words, "open") for part, words in _LISTS.items()}
        for part, button in self.files.items():
            button.clicked.connect(partial(self._open, part))
        self.files["train"].setToolTip(
            "Without this list, the face space is fitted to the gallery."
        )
        self.distance, self.components = DropDown.of(DISTANCE), ComponentsEditor()
        self._options = {  # by the names of the protocols' fields
            "parts": self.parts,
            "enrolled": self.enrolled,
            "strangers": self.strangers,
            "repetitions": self.repetitions,
        }
        numbers = (self.parts, self.enrolled, self.strangers, self.share, self.repetitions)
        line = QWidget()
        FlowLayout(line, 12).add(
            captioned("Protocol", self.protocol),
            *numbers,
            *self.files.values(),
            captioned("Recipe", self.recipe),
            captioned("Distance", self.distance),
            captioned("Components", self.components),
        )
        self.set_padding(12, 9)
        self.body.addWidget(line)
        for signal in (
            *(combo.activated for combo in (self.protocol, self.distance)),
            *(box.valueChanged for box in (*self._options.values(), self.share)),
            self.components.changed,
        ):
            signal.connect(self._report_change)
        self.recipe.activated.connect(self._choose)
        self._show_recipe(self._base)

    def setting(self) -> EvaluationSetting:
        """Return the chosen settings; raise `EigenfacesError` if they are not valid."""
        kind = self.protocol.value()
        values: dict[str, Any] = {name: box.value() for name, box in self._options.items()}
        values["strangers"] /= 100
        names = {option.name for option in fields(kind)}
        values |= self._lists
        if kind is Lists and not {"gallery", "probes"} <= self._lists.keys():
            raise EigenfacesError(
                "First choose two text files with one photo per line: the photos of the gallery, "
                "and the photos to search for."
            )
        protocol = kind(**{name: value for name, value in values.items() if name in names})
        distance, components = self.distance.value(), self.components.value()
        recipe = self._recipe.changed(distance=distance, components=components)
        return EvaluationSetting(recipe, protocol, share=self.share.value() / 100)

    def show_gallery(self, recipe: Recipe) -> None:
        """Show the gallery's recipe if it has changed; otherwise keep the user's choices."""
        if recipe != self._base:
            self._base = recipe
            self._show_recipe(recipe)
        self._show_options()

    def _open(self, part: str) -> None:
        """Ask for the text file that lists one set of photographs, such as the probes."""
        start, kinds = str(self._settings.last_folder), "Lists (*.txt *.csv);;All files (*)"
        path = Path(QFileDialog.getOpenFileName(self, _LISTS[part], start, kinds)[0])
        if path.name:
            try:
                self._lists[part] = read_list(path)
            except EigenfacesError as error:
                self.refused.emit(error)
                return
            self._settings.last_folder = path.parent
            self.files[part].setText(path.name)
            self._report_change()

    def _show_recipe(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self.recipe.set_items(dict.fromkeys([*RECIPES, self._base.name]))
        self.recipe.show_value(recipe.name)
        self.distance.show_value(recipe.matcher.distance)
        self.components.show_value(recipe.matcher.components)

    def _choose(self) -> None:
        """Show the recipe with the chosen name, or the gallery's own recipe if it has that name."""
        name = self.recipe.value()
        self._show_recipe(self._base if name == self._base.name else Recipe.of(name))
        self._report_change()

    def _report_change(self, *_: object) -> None:
        self._show_options()
        self.changed.emit()

    def _show_options(self) -> None:
        """Show only the options that the protocol needs."""
        kind = self.protocol.value()
        needed = {option.name for option in fields(kind)}
        for name, box in self._options.items():
            box.setVisible(name in needed)
        self.share.setVisible(kind in (OpenSet, Lists))
        for button in self.files.values():
            button.setVisible(kind is Lists)


class ComponentsEditor(QWidget):
    """Editor for the number of components, or for the share of the variance to keep."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = Segmented(("Share", "Count"), name=f"{COMPONENTS_FIELD.label} given as")
        number = QSpinBox(minimum=1, maximum=COMPONENTS_FIELD.most, value=100)
        share = QDoubleSpinBox(minimum=1, maximum=100, decimals=1, suffix=" %")
        self.number = number_box("Number of components", number)
        self.share = number_box("Share of the variance to keep", share)
        for signal in (self.number.valueChanged, self.share.valueChanged, self.kind.changed):
            signal.connect(self._report_change)
        in_row(self.kind, self.share, self.number, inside=self, spacing=8)

    def value(self) -> int | float:
        """Return the number of components (int) or the share of the variance (float)."""
        return self.number.value() if self.kind.current else round(self.share.value() / 100, 6)

    def show_value(self, value: int | float) -> None:
        """Show a value without emitting a signal."""
        with QSignalBlocker(self):
            self.kind.set_current(int(isinstance(value, int)))
            if isinstance(value, int):
                self.number.setValue(value)
            else:
                self.share.setValue(100 * value)
            self._report_change()

    def _report_change(self, *_: object) -> None:
        self.share.setVisible(not self.kind.current)
        self.number.setVisible(bool(self.kind.current))
        self.changed.emit()


def _percent_box(name: str, most: int, value: int, suffix: str) -> QSpinBox:
    return number_box(name, QSpinBox(minimum=1, maximum=most, value=value, suffix=suffix))
