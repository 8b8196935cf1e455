"""The photo editor over a page: the photograph of a face, and its correction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from eigenfaces.errors import PhotoError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import placement_facts, sharpness, sharpness_words
from eigenfaces.importing.correct import UNCORRECTED, EditableFace, ReviewReading
from eigenfaces.importing.review import Review
from eigenfaces.photographs.find import FoundPhotos
from eigenfaces.recognition.probes import probe_preparation
from eigenfaces.space.pca import as_grey
from gui.photos.editor import PhotoEditor
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.box_layouts import STRETCH, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.face_view import FaceView
from gui.widgets.labels import Facts, label
from gui.widgets.saving import confirm_close, save_project_as

_SIZE, _AROUND, _FACE = QSize(1400, 900), QSize(24, 24), QSize(112, 136)
_SIDE = 290  # px of the column at the right, before the text scale
_UNTOUCHED = "The file is never changed: only the place of the face is kept."
_KEYS = (
    "1–9 choose a face · arrows nudge · wheel zooms, 0 shows all · R turns · Ctrl+Z undoes · "
    "Enter saves · Esc closes"
)
_NOT_KEPT = "Your correction is not saved."


class PhotoDialog(QDialog):
    """Shows the photograph of a face, and lets a person correct where the face is."""

    def __init__(
        self,
        session: Session,
        face: EditableFace,
        preparation: Preparation,
        store: Callable[[ReviewReading], bool],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Photo")
        self.setAccessibleName("Photo")
        self.session, self.face = session, face
        self._store = store
        self.corrected: ReviewReading | None = None
        empty = FaceSet.empty(preparation.shape)
        self.review = Review(FoundPhotos((face.photo,)), empty, preparation)
        self.editor = PhotoEditor(session, self.review, lambda: [self.face.photo.path])
        self.before, self.now = FaceView("Before", _FACE), FaceView("Now", _FACE)
        self.facts, self.note = Facts(), label("", "caption", wrap=True)
        self.elsewhere = Button("Save the project elsewhere…")
        self.elsewhere.clicked.connect(lambda: save_project_as(session, self))
        self.elsewhere.setAutoDefault(False)
        self.elsewhere.hide()
        self.save, self.cancel = Button("Save", primary=True), Button("Close")
        self.save.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        self.cancel.setAutoDefault(False)
        self.before.set_image(None if face.cut is None else grey_image(as_grey(face.cut)))
        left, right = Card(), Card("As it is compared")
        left.body.addWidget(self.editor)
        self.editor.leave_out.hide()
        notes = (label(words, "caption", wrap=True) for words in (_KEYS, _UNTOUCHED))
        pair, buttons = in_row(self.before, self.now), in_row(STRETCH, self.cancel, self.save)
        end = (self.note, self.elsewhere, buttons)
        add_parts(right.body, pair, self.facts, STRETCH, *notes, *end)
        right.setFixedWidth(theme.pixels(_SIDE))
        in_row((left, 1), right, inside=self, spacing=12, margins=(16, 14, 16, 14))
        self.before.setHidden(face.cut is None)
        self.save.setDefault(True)  # for Enter, wherever no other button has the focus
        self.resize(_SIZE if parent is None else (parent.size() - _AROUND).boundedTo(_SIZE))
        self.editor.changed.connect(self.refresh)
        self.editor.listen()
        QShortcut(QKeySequence("Ctrl+Z"), self).activated.connect(self.editor.undo)
        self.refresh()
        self.editor.view.setFocus()

    def refresh(self) -> None:
        """Show the current state of the photograph."""
        (entry,) = self.review.entries(self.review.found)
        self.editor.show_entry(entry)
        self.editor.search(entry.photo.path)
        if entry.reading is not None:  # else it is being read again: keep what is shown
            self._show_result(entry.reading)
        self.save.setEnabled(self.corrected is not None and self.review.all_corrections_applied)

    def _show_result(self, reading: ReviewReading) -> None:
        """Show the face, and keep it until it is saved; or say why it cannot be."""
        crop, where, file = reading.crop, reading.photo.placement, self.face.photo.path
        self.now.set_image(None if crop is None else grey_image(crop))
        facts: list[tuple[str, str | Path]] = [("File", file.name), ("Folder", file.parent)]
        facts += placement_facts(where) if where and crop is not None else []
        if crop is not None:
            facts.append(("Sharpness", sharpness_words(sharpness(crop))))
        self.facts.set_rows(facts)
        self.corrected, trouble = None, ""
        try:
            self.face.levels(reading)
        except PhotoError as error:
            trouble = str(error) if error.kind == "changed" else ""
        else:
            self.corrected = None if reading.correction == UNCORRECTED else reading
        self.note.setText(trouble)

    # The end

    def accept(self) -> None:
        """Save the correction, and close; if it cannot be saved, stay open with it."""
        if not self.save.isEnabled() or self.corrected is None:
            return
        if self._store(self.corrected):
            super().accept()
        elif self.session.message is not None:
            self.note.setText(self.session.message.text)
            self.elsewhere.setVisible(self.session.takes_no_changes)

    def reject(self) -> None:
        """Close; if a correction would be lost, only if that is meant."""
        unsaved = self.corrected is not None or not self.review.all_corrections_applied
        buttons = QMessageBox.StandardButton
        answer = buttons.Discard
        if unsaved:
            answer = confirm_close(self, _NOT_KEPT, can_save=self.save.isEnabled())
        if answer == buttons.Save:
            self.accept()
        elif answer == buttons.Discard:
            super().reject()

    def done(self, result: int) -> None:
        self.editor.jobs.abandon()
        super().done(result)


def correct_photo(
    parent: QWidget,
    session: Session,
    face: EditableFace,
    save: Callable[[ReviewReading], bool],
) -> None:
    """Open the photo editor on a face, once it is known how this gallery's faces are cut."""
    gallery = session.gallery

    def done(preparation: Preparation) -> None:
        if session.gallery.preparation != gallery.preparation:
            return
        PhotoDialog(session, face, preparation, save, parent.window()).show()

    work = partial(probe_preparation, gallery)
    session.run(JobKind.MEASURE_FRAME, "Measuring the faces of the gallery", work, done)
