"""The Evaluate page: how good recognition is on this gallery, and how certain that is."""

from __future__ import annotations

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.result_words import changed_since, lacking, photos_each, setting_words
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.text import when
from gui.pages.evaluate.notices import Notices, RefusalCard, notices
from gui.pages.evaluate.protocol_bar import ProtocolBar
from gui.pages.evaluate.report import Export
from gui.pages.evaluate.results import Results
from gui.pages.evaluate.running import Running
from gui.pages.evaluate.runs_bar import RunsBar
from gui.state.jobs import EVALUATE
from gui.state.session import Session
from gui.widgets.boxes import in_column
from gui.widgets.cards import EmptyState, PageHeader
from gui.widgets.controls import Button, open_below
from gui.widgets.page import Page

_SUBTITLE = "Search the gallery’s own photos among the others, and count"
_NOTHING = (
    "Each photo is searched for among others that the face space was fitted to, never among "
    "itself. The result comes with its intervals, beside what comparing pixels, guessing and the "
    "background alone would give."
)


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
        self.exporting = Export(session, self.running)
        self.results = Results(session)
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
        self.session.jobs.cancel(EVALUATE)

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
            self._show_result(gallery, lack)

    def _show_parts(self, *, none: bool, shown: bool, waiting: bool) -> None:
        self.empty.setVisible(none)
        for part in (self.bar, self.runs):
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
        above = (self._header, self.exporting, self.refusal, self.bar, self.runs, self.notices)
        either = ((self.empty, 1), (self.nothing, 1), (self.results, 1))
        in_column(*above, *either, (self._room, 1), inside=self.content, spacing=12)
