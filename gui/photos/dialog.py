"""The photo editor over a page: the photograph of a face that is shown, and what was mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

from eigenfaces.errors import PhotoError, Tick
from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.quality import placement_facts, sharpness, sharpness_words
from eigenfaces.importing.correct import UNCORRECTED, EditableFace, ReviewReading
from eigenfaces.importing.review import Review
from eigenfaces.photographs.photos import FoundPhotos
from eigenfaces.recognition.probes import frame_of_gallery, probe_preparation
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.photos.editor import PhotoEditor
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.painted import FaceView
from gui.widgets.saving import may_lose
from gui.widgets.words import Facts, label

_SIZE, _FACE = QSize(1400, 900), QSize(112, 136)
_SIDE = 290  # px of the column at the right, before the text scale
_UNTOUCHED = "The file is never changed. Only where the face lies is kept."
_KEYS = (
    "1–9 choose a face · B, E box or eyes · arrows nudge · wheel zooms, 0 shows all · R turns · "
    "Ctrl+Z undoes · PgUp, PgDn other photographs · Enter saves · Esc closes"
)
_NOT_KEPT = "What you mended is not saved."


class PhotoDialog(QDialog):
    """Shows the photographs of some faces one by one, and lets a person mend each.

    ``mended``: the readings of mended photographs, by their place in the list.
    """

    saved = Signal()

    def __init__(
        self,
        session: Session,
        shown: Sequence[EditableFace],
        frame: CropFrame | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Photograph")
        self.setAccessibleName("Photograph")
        self.session, self.shown, self.at = session, tuple(shown), 0
        self.mended: dict[int, ReviewReading] = {}
        cut = probe_preparation(session.gallery, frame)
        empty = FaceSet.empty(cut.shape)
        self._reviews = [Review(FoundPhotos((each.photo,)), empty, cut) for each in shown]
        self.editor = PhotoEditor(session, self._reviews[0], lambda: [self.path])
        self.before, self.now = FaceView("Before", _FACE), FaceView("Now", _FACE)
        self.facts, self.note = Facts(), label("", "caption", wrap=True)
        self.save, self.cancel = Button("Save", primary=True), Button("Close")
        self._lay_out()
        self.editor.changed.connect(self.refresh)
        self.editor.step_asked.connect(self.step)
        self.editor.listen()
        self.save.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        keys: dict[str, Callable[[], object]] = {
            "Ctrl+Z": self.editor.undo,
            "PgUp": lambda: self.step(-1),
            "PgDown": lambda: self.step(1),
            "Return": self.accept,
            "Enter": self.accept,
        }
        for key, act in keys.items():
            QShortcut(QKeySequence(key), self).activated.connect(act)

    def _lay_out(self) -> None:
        left, right = Card(), Card("As it is compared")
        left.body.addWidget(self.editor)
        self.editor.leave_out.hide()
        pair = in_row(self.before, self.now)
        notes = (label(words, "caption", wrap=True) for words in (_KEYS, _UNTOUCHED))
        add_parts(right.body, pair, self.facts, STRETCH, *notes, self.note)
        for button in (self.cancel, self.save):
            button.setAutoDefault(False)
        right.body.addLayout(in_row(STRETCH, self.cancel, self.save))
        right.setFixedWidth(theme.pixels(_SIDE))
        in_row((left, 1), right, inside=self, spacing=12, margins=(16, 14, 16, 14))
        behind = self.parentWidget()
        size = behind.window().size() - QSize(24, 24) if behind is not None else _SIZE
        self.resize(size.boundedTo(_SIZE))

    # What is shown

    @property
    def path(self) -> Path:
        """The file of the photograph that is shown."""
        return self.shown[self.at].photo.path

    def show_face(self, at: int) -> None:
        """Show the photograph of another face."""
        self.at, self.editor.review = at, self._reviews[at]
        self.refresh()
        self.editor.view.setFocus()

    def step(self, by: int) -> None:
        """Show the previous or the next photograph."""
        if 0 <= self.at + by < len(self.shown):
            self.show_face(self.at + by)

    def refresh(self) -> None:
        """Show the current state of the photograph."""
        review, shown = self.editor.review, self.shown[self.at]
        entry = review.entries(FoundPhotos((shown.photo,)))[0]
        several = len(self.shown) > 1
        place = f"{self.at + 1:,} of {len(self.shown):,}" if several else ""
        self.editor.show_entry(entry, place, one_of=True)
        self.editor.allow_steps(self.at > 0, self.at + 1 < len(self.shown))
        self.editor.search(self.path)
        self.before.set_image(None if shown.cut is None else grey_image(as_grey(shown.cut)))
        self.before.setVisible(shown.cut is not None)
        if entry.reading is not None:  # else it is being read again: keep what is shown
            self._show_result(shown, entry.reading)
        pending = any(not review.settled for review in self._reviews)
        self.save.setEnabled(bool(self.mended) and not pending)
        number = f" {count(len(self.mended), 'face')}" if len(self.mended) > 1 else ""
        self.save.setText(f"Save{number}")

    def _show_result(self, shown: EditableFace, reading: ReviewReading) -> None:
        """Show the face, and keep it until it is saved; or say why it cannot be."""
        crop, where = reading.crop, reading.photo.placement
        self.now.set_image(None if crop is None else grey_image(crop))
        file = shown.photo.path
        facts: list[tuple[str, str | Path]] = [("File", file.name), ("Folder", file.parent)]
        facts += placement_facts(where) if where and crop is not None else []
        if crop is not None:
            facts.append(("Sharpness", sharpness_words(sharpness(crop))))
        self.facts.set_rows(facts)
        self.mended.pop(self.at, None)
        trouble = ""
        try:
            shown.levels(reading)
        except PhotoError as error:
            trouble = str(error) if error.kind == "changed" else ""
        else:
            if reading.correction != UNCORRECTED:
                self.mended[self.at] = reading
        self.note.setText(trouble)

    # The end

    def accept(self) -> None:
        """Save what was mended, and close."""
        if self.save.isEnabled():
            self.editor.jobs.close()
            super().accept()
            self.saved.emit()

    def reject(self) -> None:
        """Close; if something mended would be lost, only if that is meant."""
        unsaved = self.mended or not all(review.settled for review in self._reviews)
        if not unsaved or may_lose(self, _NOT_KEPT):
            self.editor.jobs.close()
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)  # asks as `reject` does, and may leave it open
        if event.isAccepted():
            self.editor.jobs.close()


def mend(
    parent: QWidget,
    session: Session,
    shown: Sequence[EditableFace],
    at: int,
    save: Callable[[dict[int, ReviewReading], CropFrame | None], None],
) -> None:
    """Open the photo editor on some faces, once it is known how this gallery's faces are cut.

    ``save`` gets the new readings, by their places among these faces.
    """
    gallery = session.gallery

    def work(tick: Tick) -> CropFrame | None:
        return frame_of_gallery(gallery, tick)

    def done(frame: CropFrame | None) -> None:
        if session.gallery.preparation != gallery.preparation:
            return
        dialog = PhotoDialog(session, shown, frame, parent.window())
        dialog.saved.connect(lambda: save(dialog.mended, frame))
        dialog.show_face(at)
        dialog.show()

    session.run("measure frame", "Measuring the faces of the gallery", work, done)
