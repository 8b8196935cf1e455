"""The Recognise page: who of the gallery is closest to a photograph, how far, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.crops import Crops, as_levels
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import PhotoIndex
from eigenfaces.project.atomic_files import atomic_write
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import gallery_key
from eigenfaces.recognition.written_verdict import answers_csv
from eigenfaces.wording import count
from gui.pages.recognise import editing
from gui.pages.recognise.details import ComponentsCard, NearestCard, SeenCard
from gui.pages.recognise.empty import DropZone, nobody_enrolled, spare_photos, try_held_out_photos
from gui.pages.recognise.findings import Finding, Findings
from gui.pages.recognise.probes import ProbesCard, faceless_key
from gui.pages.recognise.verdict import VerdictCard
from gui.pages.recognise.worth import Worth
from gui.state import actions
from gui.state.drafts import drafts_folder
from gui.state.session import Session
from gui.widgets.cards import PageHeader
from gui.widgets.comparison_bar import ComparisonBar
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
        self.worth = Worth(session)
        for found in (self.findings, self.worth):
            found.changed.connect(self._mark_stale)
        self._current: str | None = None
        self._seen: str | None = None  # the selection at the last refresh
        self._words = ""
        self._shown: tuple[Gallery, Finding] | None = None
        self.comparison = ComparisonBar(session, "Compare by")
        self.probes = ProbesCard(session, self.findings)
        self.verdict, self.nearest = VerdictCard(session), NearestCard()
        self.seen, self.components = SeenCard(), ComponentsCard()
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

    def enrol(self, person: str) -> None:
        """Enrol the shown probe as a person; it is compared with at once, without training."""
        finding = self.findings.of(self._current)
        if finding is None:
            return
        probe = finding.probe
        held = self.session.gallery
        # Another face of this photograph may be there under its key by now.
        key = gallery_key(held, probe.photo)
        photo = replace(probe.photo, key=key, person=None, excluded=False)
        faces = FaceSet(
            Crops(as_levels(probe.image).reshape(1, -1)), held.faces.shape, PhotoIndex((photo,))
        )

        def edit(gallery: Gallery) -> Gallery:
            return gallery.enrol(faces).move([photo.key], person)

        if self.session.apply(f"enrolling a photo as {person}", edit):
            self.session.say(f"The photo was enrolled as {person}.", "ok")

    def mend(self) -> None:
        """Open the photo editor on the current photograph; the others can be stepped to."""
        editing.mend_probe(self, self.session, self._current)

    # What is shown

    def _refresh(self) -> None:
        session = self.session
        self._choose_current()
        self._update_findings()
        self.comparison.show_recipe(session.gallery.recipe)
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
        self.comparison.setVisible(state == _VERDICT)
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
        finding, gallery = self.findings.of(self._current), self.session.gallery
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
            self.verdict.show_worth(finding, self.worth.of(gallery))
        if finding is None or (self._shown and self._shown == (gallery, finding)):
            return
        self._shown = (gallery, finding)
        for card in (self.verdict, self.nearest, self.seen, self.components):
            card.show_finding(gallery, finding)

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

    def _show_refusal(self, sentence: str) -> None:
        if sentence:
            self.session.say(sentence, "warn")

    def _connect(self) -> None:
        self.comparison.refused.connect(self._show_refusal)
        self.probes.dropped.connect(self.take_paths)
        self.probes.open_asked.connect(self.open_photos)
        self.probes.export_asked.connect(self.export)
        self.probes.chosen.connect(self._choose_probe)
        self.zone.dropped.connect(self.take_paths)
        self.zone.clicked.connect(self.open_photos)
        self.verdict.enrolled.connect(self.enrol)
        self.verdict.photo.chosen.connect(self._choose_probe)
        self.nearest.chosen.connect(self._select_face)
        self.nearest.opened.connect(lambda key: self._go(key, "reconstruct"))
        self.nearest.people_asked.connect(lambda key: self._go(key, "people"))
        self.verdict.mend.clicked.connect(self.mend)
        QShortcut(QKeySequence("Ctrl+P"), self).activated.connect(self.mend)
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self)
        key.activated.connect(self.paste)

    def _lay_out(self) -> None:
        header = PageHeader("Recognise", _SUBTITLE)
        self._open = Button("Open photos…", "image")
        self._open.clicked.connect(self.open_photos)
        header.add_action(self.comparison)
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
