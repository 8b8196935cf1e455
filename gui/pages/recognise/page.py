"""The Recognise page: who is on a photograph, how sure that is, or nobody; and why."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.project.atomic_files import atomic_write
from eigenfaces.recognition.answering import answer_to
from eigenfaces.recognition.answers import Answered
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.written_verdict import answers_csv
from eigenfaces.wording import count
from gui.pages.recognise import editing
from gui.pages.recognise.answer_row import KEYS
from gui.pages.recognise.choosers import Choosers
from gui.pages.recognise.close import CloseCard
from gui.pages.recognise.details import ComponentsCard, NearestCard, SeenCard
from gui.pages.recognise.empty import DropZone, nobody_enrolled, spare_photos, try_held_out_photos
from gui.pages.recognise.findings import Finding, Findings
from gui.pages.recognise.probes import ProbesCard, faceless_key
from gui.pages.recognise.verdict import VerdictCard
from gui.state import actions, answering
from gui.state.calibrating import calibrate
from gui.state.drafts import drafts_folder
from gui.state.jobs import CALIBRATE
from gui.state.session import Session
from gui.widgets.cards import PageHeader
from gui.widgets.controls import Button
from gui.widgets.flow import Columns
from gui.widgets.page import Page
from gui.widgets.words import label

_SUBTITLE = "Drop a photo or a folder, paste one, or open it"
_PICTURES = "Photos (*.avif *.bmp *.gif *.jpeg *.jpg *.pgm *.png *.ppm *.tif *.tiff *.webp)"
_NOT_YET = "This photo is not compared yet."
_OTHER_SIZE = (
    "Since this photo was opened, the size of the faces has changed. Open it again to compare it."
)
_FACELESS = "No face was found in this photograph. Show where it is, and it is compared."
_CHART = 310  # px before the text scale that a chart needs beside another card
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
        self._words, self._measuring = "", False
        self._shown: tuple[Gallery, Finding, Answered] | None = None
        self.choosers = Choosers()
        self.probes = ProbesCard(session, self.findings)
        self.verdict, self.nearest = VerdictCard(session), NearestCard()
        self.seen, self.components, self.close_card = SeenCard(), ComponentsCard(), CloseCard()
        camera = self.probes.camera.click
        self.zone = DropZone(self.open_photos, lambda: try_held_out_photos(session), camera)
        self._nobody = nobody_enrolled(session)
        # Hidden and shown in one layout: a stack always takes the room of its largest state.
        self._states = (self._verdict_side(), self.zone, self._nobody)
        self._lay_out()
        self._connect()

    # What can be done

    def search(self, text: str) -> None:
        self._words = text
        self._mark_stale()

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

    def paste(self) -> None:
        """Take a picture, or files, from the clipboard."""
        clipboard = QGuiApplication.clipboard()
        urls = clipboard.mimeData().urls()
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        image = clipboard.image()
        if not paths and not image.isNull():
            paths = _kept(self.session, image)
        if paths:
            self.take_paths(paths)
        elif image.isNull():
            self.session.say("There is no picture on the clipboard. Copy a photo or a file first.")

    def export(self) -> None:
        """Write the findings of all probes as a table."""
        found = [self.findings.of(probe.photo.key) for probe in self.session.probes]
        findings = [finding for finding in found if finding is not None]
        if not findings or self.findings.missing():
            self.session.say("There is nothing to export yet: open photos to recognise first.")
            return
        start = self.session.settings.last_folder / "recognised.csv"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", str(start), "Tables (*.csv)")
        if not chosen:
            return
        path = Path(chosen) if Path(chosen).suffix else Path(f"{chosen}.csv")
        try:
            with atomic_write(path) as part:
                text = answers_csv([finding.answer for finding in findings])
                part.write_text(text, encoding="utf-8-sig", newline="")
        except EigenfacesError as error:
            self.session.say(str(error), "error")
            return
        self.session.settings.last_folder = path.parent
        self.session.say(f"{count(len(findings), 'answer')} written to “{path.name}”.", "ok")

    def answer(self, said: str, people: tuple[str, ...] = ()) -> None:
        """Answer the verdict that is shown: each answer is one step of undo."""
        finding, session = self.findings.of(self._current), self.session
        if finding is None:
            return
        probe = finding.probe
        match said:
            case "right":
                answering.answer_right(session, probe, people[0])
            case "it is":
                answering.answer_is(session, probe, people[0])
            case "not":
                answering.answer_not(session, probe, people)
            case "nobody":
                answering.answer_nobody(session, probe)
            case "no face":
                answering.answer_no_face(session, probe)
            case "back":
                answering.take_back(session, probe)
            case "mark":
                self.mend()
        self.probes.list.setFocus()

    def use_recipe(self, name: str) -> None:
        """Compare by another recipe, which is fitted in the background."""
        if name in RECIPES and name != self.session.gallery.recipe.name:
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
        self.probes.show_probes(self._words, self._current)
        if not session.gallery.enrolled:
            self._show_state(_NOBODY)
        elif not (session.probes or session.faceless):
            self.zone.allow_try(bool(spare_photos(session.gallery)))
            self._show_state(_EMPTY)
        else:
            self._show_state(_VERDICT)
            self._show_finding()

    def _show_state(self, state: int) -> None:
        for at, widget in enumerate(self._states):
            widget.setVisible(at == state)
        self.probes.setVisible(state == _VERDICT)
        self.choosers.setVisible(state != _NOBODY)
        self._open.setVisible(state == _VERDICT)

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

    def _show_finding(self) -> None:
        finding, gallery = self.findings.of(self._current), self.findings.gallery
        self._verdicts.setVisible(finding is not None)
        self._waits.setVisible(finding is None)
        faceless = (self._current or "").startswith("\0")
        self._show_face.setVisible(faceless)
        if finding is None and faceless:
            self._waiting.setText(_FACELESS)
        elif finding is None:
            fitting = all(self.findings.fits(probe) for probe in self.session.probes)
            self._waiting.setText(_NOT_YET if fitting else _OTHER_SIZE)
        if finding is not None:
            self.verdict.photo.show_probe(finding.probe, self.session.probes)
            self._show_measuring()
        if finding is None:
            return
        now = (gallery, finding, answer_to(self.session.gallery, finding.probe))
        if self._shown == now:
            return
        self._shown = now
        kind = finding.verdict.decision.kind
        self.nearest.setVisible(kind != "no face")
        self.seen.setVisible(kind != "ask")
        calibrated = finding.verdict.decision.calibration is not None
        self.components.setVisible(kind == "ask" or not calibrated)
        self.close_card.setVisible(calibrated)
        self.verdict.show_finding(*now)
        for card in (self.nearest, self.seen, self.components, self.close_card):
            if not card.isHidden():
                card.show_finding(gallery, finding)

    def _show_measuring(self) -> None:
        """Offer to measure what distances mean where nobody is at it."""
        session = self.session
        wanted = session.gallery.calibrated is None and not session.jobs.is_busy(CALIBRATE)
        self.verdict.measure.setVisible(wanted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
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

    def _connect(self) -> None:
        self.choosers.recipe_asked.connect(self.use_recipe)
        self.choosers.share_asked.connect(self.ask_share)
        self.probes.dropped.connect(self.take_paths)
        self.probes.open_asked.connect(self.open_photos)
        self.probes.export_asked.connect(self.export)
        self.probes.chosen.connect(self._choose_probe)
        self.zone.dropped.connect(self.take_paths)
        self.zone.clicked.connect(self.open_photos)
        self.verdict.answers.answered.connect(self.answer)
        self.verdict.measure.clicked.connect(lambda: calibrate(self.session))
        self.session.jobs.changed.connect(self._look_at_jobs)
        self.verdict.photo.chosen.connect(self._choose_probe)
        self.nearest.chosen.connect(self._select_face)
        self.nearest.opened.connect(lambda key: self._go(key, "reconstruct"))
        self.nearest.people_asked.connect(lambda key: self._go(key, "people"))
        self.verdict.mend.clicked.connect(self.mend)
        QShortcut(QKeySequence("Ctrl+P"), self).activated.connect(self.mend)
        for name in KEYS[1:]:
            answer = QShortcut(QKeySequence(name), self)
            answer.activated.connect(lambda key=name: self.verdict.answers.press(key))
        for name, by in (("PgUp", -1), ("PgDown", 1)):
            step = QShortcut(QKeySequence(name), self)
            step.activated.connect(lambda by=by: self.probes.step(by))
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self)
        key.activated.connect(self.paste)

    def _lay_out(self) -> None:
        header = PageHeader("Recognise", _SUBTITLE)
        self._open = Button("Open photos…", "image")
        self._open.clicked.connect(self.open_photos)
        header.add_action(self.choosers)
        header.add_action(self._open)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.probes)
        for state in self._states:
            row.addWidget(state, 1)
        whole = QVBoxLayout(self.content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(header)
        whole.addLayout(row, 1)

    def _verdict_side(self) -> QWidget:
        self._verdicts = QWidget()
        below = QWidget()
        pair = Columns((2, 1), _CHART, below)
        pair.addWidget(self.seen)
        pair.addWidget(self.components)
        pair.addWidget(self.close_card)
        column = QVBoxLayout(self._verdicts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.verdict)
        column.addWidget(self.nearest)
        column.addWidget(below, 1)
        side = QWidget()
        around = QVBoxLayout(side)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._verdicts)
        self._waiting = label("", "secondary", wrap=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._show_face = Button("Show the face…", "image", primary=True)
        self._show_face.clicked.connect(self.mend)
        self._waits = QWidget()
        waits = QVBoxLayout(self._waits)
        waits.addStretch(1)
        waits.addWidget(self._waiting)
        waits.addWidget(self._show_face, 0, Qt.AlignmentFlag.AlignHCenter)
        waits.addStretch(2)
        self._waits.hide()
        around.addWidget(self._waits)
        return side


def _kept(session: Session, image: QImage) -> list[Path]:
    """Write a picture from the clipboard to a file and return its path; None if that fails."""
    folder, number = drafts_folder().parent / "pasted", 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        session.say(f"The pasted picture cannot be kept in “{folder}”: {error.strerror}.", "error")
        return []
    while (path := folder / f"Pasted {number}.png").exists():
        number += 1
    if not image.save(str(path)):
        session.say(f"The pasted picture cannot be written to “{path}”.", "error")
        return []
    return [path]
