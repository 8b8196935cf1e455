"""The Recognise page: who is on a photograph, how sure that is, or nobody; and why."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog, QScrollArea, QStackedWidget, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.photographs.decode import PICTURES
from eigenfaces.project.file import atomic_write
from eigenfaces.recognition import answers as answering
from eigenfaces.recognition.probes import faceless_key
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import answers_csv
from eigenfaces.text import count
from gui.pages.recognise import editing
from gui.pages.recognise.answer_row import KEYS
from gui.pages.recognise.choosers import AUTOMATIC, Choosers
from gui.pages.recognise.empty import DropZone, nobody_enrolled, spare_photos, try_held_out_photos
from gui.pages.recognise.findings import Findings
from gui.pages.recognise.probes import ProbesCard
from gui.pages.recognise.verdict_side import VerdictSide
from gui.state import actions
from gui.state.actions import answer
from gui.state.jobs import CALIBRATE
from gui.state.session import Session
from gui.widgets.boxes import Stretch, in_column, in_row
from gui.widgets.cards import PageHeader
from gui.widgets.controls import Button
from gui.widgets.page import Page
from gui.widgets.saving import ask_where

_PICTURES = f"Photos ({' '.join(f'*.{each}' for each in PICTURES)})"
_ANY_HEIGHT = 16_777_215  # px: as without a limit (QWIDGETSIZE_MAX)
_VERDICT, _EMPTY, _NOBODY = range(3)


class RecognisePage(Page):
    """Probes at the left; at the right, the verdict on one of them and its reasons.

    The page keeps its own probe: choosing one of the nearest faces selects that face everywhere
    else, and leaves the probe in view.
    """

    key, title, icon = "recognise", "Recognise", "recognise"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.findings = Findings(session)
        self.findings.changed.connect(self._mark_stale)
        self._current: str | None = None
        self._seen: str | None = None  # the selection at the last refresh
        self._measuring = False
        self.choosers = Choosers()
        self.probes = ProbesCard(session, self.findings)
        self.side = VerdictSide(session, self.findings)
        self.verdict, self.nearest = self.side.verdict, self.side.nearest
        camera = self.probes.camera.click
        self.zone = DropZone(self.open_photos, lambda: try_held_out_photos(session), camera)
        self._nobody = nobody_enrolled(session)
        # Hidden and shown in one layout: a stack always takes the room of its largest state.
        self._states: tuple[QWidget, ...] = (self.side, self.zone, self._nobody)
        self._lay_out()
        self._connect()

    # What can be done

    def take_paths(self, paths: list[Path]) -> bool:
        actions.add_probes(self.session, paths)
        return True

    def open_photos(self) -> None:
        """Choose photographs by a dialog."""
        start = str(self.session.settings.last_folder)
        kinds = f"{_PICTURES};;All files (*)"
        chosen, _ = QFileDialog.getOpenFileNames(self, "Open photos to recognise", start, kinds)
        if chosen:
            self.session.settings.last_folder = Path(chosen[0]).parent
            self.take_paths([Path(path) for path in chosen])

    def export(self) -> None:
        """Write the findings of all probes as a table."""
        found = [self.findings.of(probe.photo.key) for probe in self.session.probes]
        findings = [finding for finding in found if finding is not None]
        if not findings or self.findings.missing():
            self.session.say(self._why_no_export())
            return
        path = ask_where(self.session, self, "recognised.csv")
        if path is None:
            return
        try:
            with atomic_write(path) as part:
                text = answers_csv([finding.answer for finding in findings])
                part.write_text(text, encoding="utf-8-sig", newline="")
        except EigenfacesError as error:
            self.session.say(str(error), "error")
            return
        self.session.say(f"{count(len(findings), 'answer')} written to “{path.name}”.", "ok")

    def _why_no_export(self) -> str:
        if self.session.gallery.training is None:
            return "Nobody can be recognised yet: train first, then open photos to recognise."
        if self.findings.missing():
            return "Not all photos are compared yet: export the table when they are."
        return "There is nothing to export yet: open photos to recognise first."

    def answer(self, said: str, people: tuple[str, ...] = ()) -> None:
        """Answer the verdict that is shown: each answer is one step of undo."""
        finding, session = self.findings.of(self._current), self.session
        if finding is None:
            return
        probe = finding.probe
        match said:
            case "right":
                answer(session, lambda now: answering.right(now, probe, people[0]))
            case "it is":
                answer(session, lambda now: answering.it_is(now, probe, people[0]))
            case "not":
                answer(session, lambda now: answering.it_is_not(now, probe, people))
            case "nobody":
                answer(session, lambda now: answering.nobody_known(now, probe))
            case "no face":
                answer(session, lambda now: answering.no_face(now, probe))
            case "back":
                answer(session, lambda now: answering.unanswered(now, probe))
            case "mark":
                self.mend()
        self.probes.list.setFocus()

    def use_recipe(self, name: str) -> None:
        """Compare by another recipe, which is fitted in the background."""
        gallery = self.session.gallery
        if name == AUTOMATIC and gallery.automatic is None:
            actions.use_automatic(self.session)
        elif name in RECIPES and (gallery.automatic or name != gallery.recipe.name):
            actions.use_recipe(self.session, RECIPES[name])

    def ask_share(self, share: float) -> None:
        """Let at most this share of strangers be named."""
        if share != self.session.gallery.share:
            actions.ask_share(self.session, share)

    def mend(self) -> None:
        """Open the photo editor on the current photograph; the others can be stepped to."""
        editing.mend_probe(self, self.session, self._current)

    # What is shown

    def _refresh(self) -> None:
        session = self.session
        self._choose_current()
        self._update_findings()
        self.choosers.show_gallery(session.gallery)
        self.probes.show_probes(self._current)
        self.side.show_probe(self._current)
        if not session.gallery.enrolled:
            self._show_state(_NOBODY)
        elif not (session.probes or session.faceless):
            self.zone.allow_try(bool(spare_photos(session.gallery)))
            self._show_state(_EMPTY)
            if QApplication.focusWidget() is None:  # the list had it
                self.zone.setFocus()
        else:
            self._show_state(_VERDICT)
            if isinstance(QApplication.focusWidget(), QStackedWidget | QScrollArea | None):
                self.probes.list.setFocus()  # whose keys answer

    def _show_state(self, state: int) -> None:
        parts = {widget: at == state for at, widget in enumerate(self._states)}
        parts[self.probes] = state == _VERDICT
        focus = QApplication.focusWidget()
        for part, shown in parts.items():
            if not shown and focus is not None and (part is focus or part.isAncestorOf(focus)):
                focus.clearFocus()  # or it went to the navigation, where Enter leaves the page
            part.setVisible(shown)
        self.choosers.setVisible(state != _NOBODY)
        self._open.setVisible(state == _VERDICT)

    def _show_what_is_open(self) -> None:
        """Show the explanation that was opened, or the verdict again."""
        self._refresh()
        self.scrolled.verticalScrollBar().setValue(0)  # where its head is
        if not self.side.explains:
            self.probes.list.setFocus()  # whose keys answer

    def _choose_current(self) -> None:
        """Show the selected face if it is a probe; else keep the current probe."""
        keys = [probe.photo.key for probe in self.session.probes]
        keys += [faceless_key(path) for path in sorted(self.session.faceless)]
        if self.session.photo != self._seen:
            self._seen = self.session.photo
            if self._seen in keys:
                self._current = self._seen
        if self._current not in keys:
            self._current = keys[0] if keys else None

    def _update_findings(self) -> None:
        try:
            self.findings.update(self._current)
        except EigenfacesError as error:
            self.session.say(str(error), "error")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.side.close_why():
            return
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        # A list passes Enter on, though it has opened the face in it.
        if not (enter and not self.nearest.row.hasFocus() and self.verdict.answers.press("Enter")):
            super().keyPressEvent(event)

    def _look_at_jobs(self) -> None:
        """Show anew what waits for a measurement that begins or ends."""
        busy = self.session.jobs.is_busy(CALIBRATE)
        if busy != self._measuring:
            self._measuring = busy
            self._mark_stale()

    def _choose_probe(self, key: str) -> None:
        self._current = key
        if key.startswith("\0"):  # there is no face to select
            self._mark_stale()
            return
        if self.session.photo == key:
            self._mark_stale()
        self.session.select(key)

    def _select_face(self, key: str) -> None:
        self._seen = key  # the probe stays in view, even if this face is also a probe
        self.session.select(key)

    def _go(self, key: str, page: str) -> None:
        self._select_face(key)
        self.session.show_page(page)

    # Layout

    def _fit_probes(self, _: int, below: int) -> None:
        """Keep the whole list in view where verdicts are taller than the page."""
        room = self.scrolled.viewport().height() - self.probes.y()
        least = self.probes.minimumSizeHint().height()
        self.probes.setMaximumHeight(max(room, least) if below else _ANY_HEIGHT)

    def _connect(self) -> None:
        self.scrolled.verticalScrollBar().rangeChanged.connect(self._fit_probes)
        self.choosers.recipe_asked.connect(self.use_recipe)
        self.choosers.share_asked.connect(self.ask_share)
        self.probes.dropped.connect(self.take_paths)
        self.probes.open_asked.connect(self.open_photos)
        self.probes.export_asked.connect(self.export)
        self.probes.chosen.connect(self._choose_probe)
        self.zone.dropped.connect(self.take_paths)
        self.zone.clicked.connect(self.open_photos)
        self.verdict.answers.answered.connect(self.answer)
        self.verdict.answers.name.cancelled.connect(self.probes.list.setFocus)
        self.session.jobs.changed.connect(self._look_at_jobs)
        self.verdict.photo.chosen.connect(self._choose_probe)
        self.nearest.chosen.connect(self._select_face)
        self.nearest.opened.connect(lambda key: self._go(key, "reconstruct"))
        self.nearest.people_asked.connect(lambda key: self._go(key, "people"))
        self.verdict.mend.clicked.connect(self.mend)
        self.side.show_face.clicked.connect(self.mend)
        self.side.changed.connect(self._show_what_is_open)
        QShortcut(QKeySequence("Ctrl+P"), self).activated.connect(self.mend)
        QShortcut(QKeySequence("W"), self).activated.connect(self.side.explain)
        for name in KEYS[1:]:
            answer = QShortcut(QKeySequence(name), self)
            answer.activated.connect(lambda key=name: self.verdict.answers.press(key))
        for name, by in (("PgUp", -1), ("PgDown", 1)):
            step = QShortcut(QKeySequence(name), self)
            step.activated.connect(lambda by=by: self.probes.step(by))

    def _lay_out(self) -> None:
        header = PageHeader("Recognise", "Drop, paste or open photos")
        self._open = Button("Open photos…", "image")
        self._open.clicked.connect(self.open_photos)
        header.add_action(self.choosers)
        header.add_action(self._open)
        beside = in_column((self.probes, 1), Stretch(0))
        row = in_row(beside, *((state, 1) for state in self._states), spacing=12)
        in_column(header, (row, 1), inside=self.content, spacing=12)
