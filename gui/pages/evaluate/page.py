"""The Evaluate page: how good recognition is on this gallery, and how certain that is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import changed_since, lacking, photos_each, setting_words
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.text import count, some_of, when
from gui.pages.evaluate.baselines import RecipesCard
from gui.pages.evaluate.protocol_bar import ProtocolBar
from gui.pages.evaluate.report import Export
from gui.pages.evaluate.results import Results
from gui.pages.evaluate.running import Run, Running
from gui.state.session import Session
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card, EmptyState, PageHeader
from gui.widgets.controls import Button, open_below
from gui.widgets.fields import DropDown
from gui.widgets.flow import Columns
from gui.widgets.page import Page
from gui.widgets.words import captioned, label

_SUBTITLE = "Search the gallery’s own photos among the others, and count"
_NOTHING = (
    "Each photo is searched for among others that the face space was fitted to, never among "
    "itself. The result comes with its intervals, beside what comparing pixels, guessing and the "
    "background alone would give."
)
_LEAKS_SHOWN, _LEAKS_ABOVE = 8, 3  # of a refused run, and above a result


class EvaluatePage(Page):
    """A protocol and a recipe at the top; below, one run, or two runs side by side."""

    key, title, icon = "evaluate", "Evaluate", "evaluate"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.running = Running(session)
        self._opened: Project | None = None  # the project whose newest run was loaded
        self._counted: tuple[Gallery, dict[str, int]] | None = None
        self.bar = ProtocolBar(session)
        self.runs, self.refusal, self.notices = RunsBar(), RefusalCard(), Notices()
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

    # What can be done

    def run(self) -> None:
        """Evaluate the gallery as the bar says; during a run, stop it."""
        if self.running.running:
            self.cancel()
            return
        try:
            setting = self.bar.setting()
        except EigenfacesError as error:
            self._refuse(str(error))
            return
        self.running.start(setting)

    def cancel(self) -> None:
        """Cancel the run under way, or the run that waits; nothing of it is kept."""
        self.session.jobs.cancel("evaluate")

    def export(self) -> None:
        """Write the report of the run shown, and of the run compared with it."""
        self.exporting.report()

    def _refuse(self, sentence: str) -> None:
        self.running.refusal = EigenfacesError(sentence)
        self._mark_stale()

    def _add_photos(self) -> None:
        self.wanted = []
        self.photos_wanted.emit()

    # What is shown

    def _refresh(self) -> None:
        gallery, running = self.session.gallery, self.running
        kept = running.kept()
        self._open_newest(kept)
        photos = self._photos(gallery)
        lack = lacking(photos)
        self.bar.show_gallery(gallery.recipe)
        none = bool(lack) and not kept and running.shown is None and not running.running
        self.empty.set_sentence(lack)
        shown = running.running or running.shown is not None
        waiting = not shown and bool(kept) and running.refusal is None
        self._show_parts(none=none, shown=shown, waiting=waiting)
        self.refusal.show_error(running.refusal)
        if not none:
            self._show_buttons(bool(lack))
            self.recipes.show_gallery(gallery, lack)
            self._show_result(gallery, lack)

    def _show_parts(self, *, none: bool, shown: bool, waiting: bool) -> None:
        self.empty.setVisible(none)
        for part in (self.recipes, self.bar, self.runs):
            part.setVisible(not none)
        self.results.setVisible(shown and not none)
        self.nothing.setVisible(not shown and not none and not waiting)
        self._room.setVisible(waiting)
        for button in (self._run, self._export):
            button.setVisible(not none)

    def _show_buttons(self, lacks: bool) -> None:
        running = self.running
        again = running.shown is not None
        self._run.setText("Cancel" if running.running else "Run again" if again else "Run")
        self._run.set_icon("cross" if running.running else "play")
        self._run.set_primary(not running.running)
        self._run.setEnabled(running.running or not lacks)
        self.nothing.buttons[0].setEnabled(not lacks)
        self._export.setEnabled(again and not running.running)

    def _show_result(self, gallery: Gallery, lack: str) -> None:
        running = self.running
        shown, compared = running.shown, running.compared
        other = None if compared is None else compared.other.number
        self.runs.show_runs(running.kept(), None if shown is None else shown.number, other)
        self.runs.setEnabled(not running.running)
        texts = [lack] if lack else []
        if running.running and running.asked is not None:
            self._header.set_subtitle(setting_words(running.asked))
            self.results.show_growing(running)
        elif shown is not None:
            evaluation = shown.record.evaluation
            words = setting_words(evaluation.setting)
            self._header.set_subtitle(f"{words} · {when(shown.made)}" if shown.made else words)
            texts += notices(evaluation)
            since = changed_since(shown.record, gallery)
            texts += [since] if since else []
            self.results.show_run(shown, compared)
        else:
            self._header.set_subtitle(_SUBTITLE)
        self.notices.show_texts(texts)

    def _open_newest(self, kept: list[tuple[int, str, str]]) -> None:
        """Show the newest kept run, when a project is first shown."""
        project = self.session.project
        if project is not self._opened:
            self._opened = project
            self.exporting.hide()
            if kept and self.running.shown is None:
                self.running.show(kept[0][0])

    def _photos(self, gallery: Gallery) -> dict[str, int]:
        if self._counted is None or self._counted[0] is not gallery:
            self._counted = gallery, photos_each(gallery)
        return self._counted[1]

    def _grow(self) -> None:
        if self.isVisible():
            self.results.show_growing(self.running)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.running.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.running.watch(False)

    def _see_mistakes(self) -> None:
        """Scroll to the photographs chosen."""
        self.scrolled.ensureWidgetVisible(self.results.mistakes, 0, 0)

    # Layout

    def _connect(self) -> None:
        self.running.changed.connect(self._mark_stale)
        self.running.changed.connect(lambda: self.running.watch(self.isVisible()))
        self.running.grew.connect(self._grow)
        self.results.reached.connect(self._see_mistakes)
        self.bar.changed.connect(self._mark_stale)
        self.bar.refused.connect(self._refuse)
        self.runs.shown.connect(self.running.show)
        self.runs.compared.connect(self.running.compare)
        self.runs.forgotten.connect(self.running.forget)
        self.refusal.anyway.connect(self.running.run_anyway)
        self.refusal.dismissed.connect(self.running.dismiss)

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
        above = (self.exporting, self.refusal, self.recipes, self.bar, self.runs, self.notices)
        either = ((self.empty, 1), (self.nothing, 1), (self.results, 1))
        in_column(*above, *either, (self._room, 1), inside=self.content, spacing=12)


class RunsBar(QWidget):
    """Chooses the kept run to show and the one to compare with it; deletes a run."""

    shown = Signal(int)
    compared = Signal(object)
    forgotten = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Run] = []
        self._others: list[int] = []
        self.choice, self.other = _run_box("Run that is shown"), _run_box("Compare with")
        self.forget = Button("", "trash", name="Forget this run", role="bare")
        self.choice.activated.connect(lambda at: self.shown.emit(self._runs[at][0]))
        self.other.activated.connect(self._compare)
        self.forget.clicked.connect(self.forgotten)
        self._second = captioned("beside it", self.other)
        Columns((2, 1), 330, self).add(captioned("Run", self.choice, self.forget), self._second)

    def show_runs(self, runs: Sequence[Run], shown: int | None, other: int | None) -> None:
        """Show the kept runs, the one that is shown, and the one compared with it."""
        self.setVisible(bool(runs))
        blocked = [QSignalBlocker(self.choice), QSignalBlocker(self.other)]
        if list(runs) != self._runs:
            self._runs = list(runs)
            self.choice.clear()
            for _, made, name in runs:
                self.choice.addItem(f"{name} · {when(made)}")
        numbers = [run[0] for run in runs]
        self.choice.setCurrentIndex(numbers.index(shown) if shown in numbers else -1)
        self.choice.setToolTip(self.choice.currentText())
        self._others = [number for number in numbers if number != shown]
        self.other.clear()
        self.other.addItem("Compare with another run…")
        for number, made, name in runs:
            if number != shown:
                self.other.addItem(f"{name} · {when(made)}")
        self.other.setCurrentIndex(1 + self._others.index(other) if other in self._others else 0)
        self.other.setToolTip(self.other.currentText())
        self._second.setVisible(bool(self._others) and shown is not None)
        self.forget.setEnabled(shown is not None)
        del blocked

    def _compare(self, at: int) -> None:
        self.compared.emit(self._others[at - 1] if at else None)


def _run_box(name: str) -> QComboBox:
    box = DropDown()
    box.setAccessibleName(name)
    box.view().setAccessibleName(f"{name}, list")
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(12)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box


class RefusalCard(Card):
    """Shows why a run was refused; a run that leaks can be started all the same."""

    anyway = Signal()
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__("This cannot be evaluated")
        self.set_tone("bad")
        self.words = label("", wrap=True)
        self.names = label("", "secondary", wrap=True)
        self.run = Button("Run anyway")
        self.close_it = Button("Close")
        self.run.clicked.connect(self.anyway)
        self.close_it.clicked.connect(self.dismissed)
        buttons = in_row(self.run, self.close_it, STRETCH, spacing=8)
        add_parts(self.body, self.words, self.names, buttons)

    def show_error(self, error: EigenfacesError | None) -> None:
        """Show why a run was refused; None hides the card."""
        self.setVisible(error is not None)
        if error is None:
            return
        leaks = error.leaks if isinstance(error, LeakError) else ()
        self.run.setVisible(bool(leaks))
        self.names.setVisible(bool(leaks))
        self.set_tone("warn" if leaks else "bad")
        if not leaks:
            self.set_title("This cannot be evaluated")
            self.words.setText(str(error))
            return
        self.set_title("This split leaks")
        self.words.setText(
            "What is searched for is known already, so the figures would be too good. Exclude such "
            "photos on People, or run it anyway: the result will say so."
        )
        shown = [leak.sentence for leak in leaks[:_LEAKS_SHOWN]]
        more = len(leaks) - len(shown)
        self.names.setText("\n".join([*shown, *([f"And {more:,} more."] if more > 0 else [])]))


class Notices(QWidget):
    """Amber lines above a result: its leaks, and what has changed since."""

    def __init__(self) -> None:
        super().__init__()
        self._column = in_column(inside=self, spacing=6)
        self.lines: list[Banner] = []

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show these and no others."""
        while len(self.lines) < len(texts):
            banner = Banner(dismissible=False)
            self.lines.append(banner)
            self._column.addWidget(banner)
        for at, banner in enumerate(self.lines):
            banner.setVisible(at < len(texts))
            if at < len(texts):
                banner.show_text(texts[at], "warn")
        self.setVisible(bool(texts))

    def texts(self) -> list[str]:
        """Return the texts shown."""
        return [banner.text.text() for banner in self.lines if not banner.isHidden()]


def notices(evaluation: Evaluation) -> list[str]:
    """Return the texts to show in amber above a result."""
    texts = []
    if evaluation.leaks:
        shown = " ".join(leak.sentence for leak in evaluation.leaks[:_LEAKS_ABOVE])
        more = len(evaluation.leaks) - _LEAKS_ABOVE
        texts.append(
            f"This split leaks, and was allowed to: the figures are too good. {shown}"
            + (f" And {more:,} more." if more > 0 else "")
        )
    if evaluation.left_out:
        who = some_of(evaluation.left_out)
        number = len(evaluation.left_out)
        have = "has" if number == 1 else "have"
        texts.append(f"{count(number, 'person')} {have} too few photos to be searched for: {who}.")
    return texts
