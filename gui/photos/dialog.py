"""Dialog with the photo editor, for correcting the position of a face in its photograph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
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
from ..state.jobs import JobKind
from ..state.session import Session
from ..style import theme
from ..style.images import grey_image
from ..widgets.box_layouts import STRETCH, add_parts, in_column, in_row
from ..widgets.cards import Card
from ..widgets.controls import Button
from ..widgets.face_view import FaceView
from ..widgets.fields import PersonField
from ..widgets.labels import Facts, label
from ..widgets.saving import confirm_close, save_project_as
from .editor import PhotoEditor

_SIZE, _AROUND, _FACE = QSize(1400, 900), QSize(24, 24), QSize(112, 136)
_LOW = 560  # px, minimum height of the dialog to show the notes, before the text scale
_SIDE = 290  # px, width of the column at the right, before the text scale
_UNTOUCHED = "The file is never changed: only the position of the face is saved."
_KEYS = (
    "1–9 choose a face · arrows nudge · wheel zooms, 0 zooms out · R turns · Ctrl+Z undoes · "
    "Enter saves · Esc closes"
)
_NOT_KEPT = ("Your correction has not been saved yet.", "The face has not been added yet.")
_ANOTHER = "Add another face"

Save = Callable[[ReviewReading], bool]
Add = Callable[[ReviewReading, str], bool]
"""Functions that save a face at its new position. `Add` also receives the name typed, or ""."""


class PhotoDialog(QDialog):
    """Dialog that shows the photograph of a face, so that the user can correct its position.

    ``save`` stores the correction. If ``add`` is given, the user can also mark and name a face that
    was missed. Both functions return whether they succeeded.
    """

    def __init__(
        self,
        session: Session,
        face: EditableFace,
        preparation: Preparation,
        save: Save | None = None,
        add: Add | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Photo")
        self.setAccessibleName("Photo")
        self.session = session
        self._save, self._add = save, add
        self._adds = save is None
        self.corrected: ReviewReading | None = None
        empty = FaceSet.empty(preparation.shape)
        plain = replace(face.photo, placement=None, person=None)
        self._faces = {False: face, True: EditableFace(plain)}
        self._reviews = {
            adds: Review(FoundPhotos((one.photo,)), empty, preparation)
            for adds, one in self._faces.items()
        }
        self.editor = PhotoEditor(session, self.review, lambda: [self.face.photo.path])
        self.another = self.editor.add_tool(_ANOTHER, "Mark a face that was missed", self._switch)
        self.another.setVisible(save is not None and add is not None)
        self.who, asked = PersonField("Who is it?", "Nobody yet"), label("Who is it?", "strong")
        self.who.set_suggestions(session.gallery.people)
        self.who.setText(face.photo.person or "" if self._adds else "")
        self.who.named.connect(self.accept)
        self.naming = QWidget()
        in_column(asked, self.who, inside=self.naming, spacing=4)
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
        left, right = Card(), Card("As compared")
        left.body.addWidget(self.editor)
        self.editor.leave_out.hide()
        self._notes = [label(words, "caption", wrap=True) for words in (_KEYS, _UNTOUCHED)]
        pair, buttons = in_row(self.before, self.now), in_row(STRETCH, self.cancel, self.save)
        end = (self.note, self.elsewhere, buttons)
        add_parts(right.body, pair, self.naming, self.facts, STRETCH, *self._notes, *end)
        right.setFixedWidth(theme.pixels(_SIDE))
        in_row((left, 1), right, inside=self, spacing=12, margins=(16, 14, 16, 14))
        self.save.setDefault(True)  # for Enter, if no other button has the focus
        # A list of files may be between the dialog and the window.
        behind = parent and (parent.parentWidget() or parent)
        self.resize(_SIZE if behind is None else (behind.size() - _AROUND).boundedTo(_SIZE))
        self._fit()
        self.editor.changed.connect(self.refresh)
        self.editor.listen()
        QShortcut(QKeySequence("Ctrl+Z"), self).activated.connect(self.editor.undo)
        self._show_mode()
        self.editor.view.setFocus()

    def _fit(self) -> None:
        """Hide the notes if the dialog is too low to show them."""
        for note in self._notes:
            note.setVisible(self.height() >= theme.pixels(_LOW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @property
    def face(self) -> EditableFace:
        """The face to correct, or the missed face to add."""
        return self._faces[self._adds]

    @property
    def review(self) -> Review:
        """The review of the photograph, with the corrections to this face."""
        return self._reviews[self._adds]

    def _switch(self) -> None:
        """Switch between correcting the face and adding a missed face."""
        if self.corrected is None:
            self._adds = not self._adds
            self._show_mode()
            self.editor.view.setFocus()

    def _show_mode(self) -> None:
        self.editor.review, self.editor.adds = self.review, self._adds
        self.another.setText("Back to the face" if self._adds else _ANOTHER)
        self.editor.whole.setHidden(self._adds and self._save is not None)
        self.naming.setVisible(self._adds)
        self.before.setHidden(self.face.cut is None)
        self.save.setText("Add" if self._adds else "Save")
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of the photograph."""
        (entry,) = self.review.entries(self.review.found)
        self.editor.show_entry(entry)
        self.editor.search(entry.photo.path)
        if entry.reading is not None:  # else it is being read again: keep the last result
            self._show_result(entry.reading)
        self.save.setEnabled(self.corrected is not None and self.review.all_corrections_applied)
        self.another.setEnabled(self.corrected is None)

    def _show_result(self, reading: ReviewReading) -> None:
        """Show the face and keep it ready for saving, or show why it cannot be saved."""
        where, file = reading.photo.placement, self.face.photo.path
        said = reading.correction.shows_face or not self._adds
        crop, was_shown = reading.crop if said else None, self.corrected is not None
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
            self.corrected = reading if said and reading.correction != UNCORRECTED else None
        self.note.setText(trouble)
        if self._adds and self.corrected is not None and not was_shown:
            self.who.setFocus()  # the next step is to name it

    # The end

    def accept(self) -> None:
        """Save the correction and close the dialog. If saving fails, the dialog stays open."""
        if not self.save.isEnabled() or self.corrected is None:
            return
        if self._keep(self.corrected):
            super().accept()
        elif self.session.message is not None:
            self.note.setText(self.session.message.text)
            self.elsewhere.setVisible(self.session.takes_no_changes)

    def _keep(self, reading: ReviewReading) -> bool:
        if self._adds and self._add is not None:
            return self._add(reading, self.who.name())
        return self._save is not None and self._save(reading)

    def reject(self) -> None:
        """Close the dialog. If a correction would be lost, ask the user first."""
        unsaved = self.corrected is not None or not self.review.all_corrections_applied
        buttons = QMessageBox.StandardButton
        answer = buttons.Discard
        if unsaved:
            answer = confirm_close(self, _NOT_KEPT[self._adds], can_save=self.save.isEnabled())
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
    save: Save | None = None,
    add: Add | None = None,
) -> None:
    """Open the photo dialog for a face, after measuring how the gallery's faces are cropped."""
    gallery = session.gallery

    def done(preparation: Preparation) -> None:
        if session.gallery.preparation != gallery.preparation:
            return
        PhotoDialog(session, face, preparation, save, add, parent.window()).show()

    work = partial(probe_preparation, gallery)
    session.run(JobKind.MEASURE_FRAME, "Measuring the faces of the gallery", work, done)
