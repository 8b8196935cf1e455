"""The photo editor over a page: the photograph of a face, and its corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

from eigenfaces.errors import PhotoError
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

_SIZE, _AROUND, _FACE = QSize(1400, 900), QSize(24, 24), QSize(112, 136)
_SIDE = 290  # px of the column at the right, before the text scale
_UNTOUCHED = "The file is never changed. Only where the face lies is kept."
_KEYS = (
    "1–9 choose a face · B, E box or eyes · arrows nudge · wheel zooms, 0 shows all · R turns · "
    "Ctrl+Z undoes · PgUp, PgDn other photographs · Enter saves · Esc closes"
)
_NOT_KEPT = "Your corrections are not saved."


class PhotoDialog(QDialog):
    """Shows the photographs of some faces one by one, and lets a person correct each.

    ``corrected``: the readings of corrected photographs, by their place in the list.
    """

    saved = Signal()

    def __init__(
        self,
        session: Session,
        faces: Sequence[EditableFace],
        frame: CropFrame | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Photograph")
        self.setAccessibleName("Photograph")
        self.session, self.faces, self.at = session, tuple(faces), 0
        self.corrected: dict[int, ReviewReading] = {}
        cut = probe_preparation(session.gallery, frame)
        empty = FaceSet.empty(cut.shape)
        self._reviews = [Review(FoundPhotos((face.photo,)), empty, cut) for face in faces]
        self.editor = PhotoEditor(session, self._reviews[0], lambda: [self.path])
        self.before, self.now = FaceView("Before", _FACE), FaceView("Now", _FACE)
        self.facts, self.note = Facts(), label("", "caption", wrap=True)
        self.save, self.cancel = Button("Save", primary=True), Button("Close")
        self.save.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        self.cancel.setAutoDefault(False)
        left, right = Card(), Card("As it is compared")
        left.body.addWidget(self.editor)
        self.editor.leave_out.hide()
        notes = (label(words, "caption", wrap=True) for words in (_KEYS, _UNTOUCHED))
        pair, buttons = in_row(self.before, self.now), in_row(STRETCH, self.cancel, self.save)
        add_parts(right.body, pair, self.facts, STRETCH, *notes, self.note, buttons)
        right.setFixedWidth(theme.pixels(_SIDE))
        in_row((left, 1), right, inside=self, spacing=12, margins=(16, 14, 16, 14))
        self.save.setDefault(True)  # for Enter, wherever no other button has the focus
        self.resize(_SIZE if parent is None else (parent.size() - _AROUND).boundedTo(_SIZE))
        self.editor.changed.connect(self.refresh)
        self.editor.step_asked.connect(self.step)
        self.editor.listen()
        for key, act in (
            ("Ctrl+Z", self.editor.undo),
            ("PgUp", partial(self.step, -1)),
            ("PgDown", partial(self.step, 1)),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(act)

    # What is shown

    @property
    def path(self) -> Path:
        """The file of the photograph that is shown."""
        return self.faces[self.at].photo.path

    def show_face(self, at: int) -> None:
        """Show the photograph of another face."""
        self.at, self.editor.review = at, self._reviews[at]
        self.refresh()
        self.editor.view.setFocus()

    def step(self, by: int) -> None:
        """Show the previous or the next photograph."""
        if 0 <= self.at + by < len(self.faces):
            self.show_face(self.at + by)

    def refresh(self) -> None:
        """Show the current state of the photograph."""
        review, face = self.editor.review, self.faces[self.at]
        entry = review.entries(FoundPhotos((face.photo,)))[0]
        several = len(self.faces) > 1
        place = f"{self.at + 1:,} of {len(self.faces):,}" if several else ""
        self.editor.show_entry(entry, place, one_of=True)
        self.editor.allow_steps(self.at > 0, self.at + 1 < len(self.faces))
        self.editor.search(self.path)
        self.before.set_image(None if face.cut is None else grey_image(as_grey(face.cut)))
        self.before.setVisible(face.cut is not None)
        if entry.reading is not None:  # else it is being read again: keep what is shown
            self._show_result(face, entry.reading)
        pending = any(not review.settled for review in self._reviews)
        self.save.setEnabled(bool(self.corrected) and not pending)
        number = f" {count(len(self.corrected), 'face')}" if len(self.corrected) > 1 else ""
        self.save.setText(f"Save{number}")

    def _show_result(self, face: EditableFace, reading: ReviewReading) -> None:
        """Show the face, and keep it until it is saved; or say why it cannot be."""
        crop, where = reading.crop, reading.photo.placement
        self.now.set_image(None if crop is None else grey_image(crop))
        file = face.photo.path
        facts: list[tuple[str, str | Path]] = [("File", file.name), ("Folder", file.parent)]
        facts += placement_facts(where) if where and crop is not None else []
        if crop is not None:
            facts.append(("Sharpness", sharpness_words(sharpness(crop))))
        self.facts.set_rows(facts)
        self.corrected.pop(self.at, None)
        trouble = ""
        try:
            face.levels(reading)
        except PhotoError as error:
            trouble = str(error) if error.kind == "changed" else ""
        else:
            if reading.correction != UNCORRECTED:
                self.corrected[self.at] = reading
        self.note.setText(trouble)

    # The end

    def accept(self) -> None:
        """Save the corrections, and close."""
        if self.save.isEnabled():
            super().accept()
            self.saved.emit()

    def reject(self) -> None:
        """Close; if corrections would be lost, only if that is meant."""
        unsaved = self.corrected or not all(review.settled for review in self._reviews)
        if not unsaved or may_lose(self, _NOT_KEPT):
            super().reject()

    def done(self, result: int) -> None:
        self.editor.jobs.close()
        super().done(result)


def mend(
    parent: QWidget,
    session: Session,
    faces: Sequence[EditableFace],
    at: int,
    save: Callable[[dict[int, ReviewReading], CropFrame | None], None],
) -> None:
    """Open the photo editor on some faces, once it is known how this gallery's faces are cut.

    ``save`` gets the new readings, by their places among these faces.
    """
    gallery = session.gallery

    def done(frame: CropFrame | None) -> None:
        if session.gallery.preparation != gallery.preparation:
            return
        dialog = PhotoDialog(session, faces, frame, parent.window())
        dialog.saved.connect(lambda: save(dialog.corrected, frame))
        dialog.show_face(at)
        dialog.show()

    work = partial(frame_of_gallery, gallery)
    session.run("measure frame", "Measuring the faces of the gallery", work, done)
