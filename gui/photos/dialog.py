"""The photo editor over a page: the photograph of a face that is shown, and what was mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

from eigenfaces.errors import PhotoError, Tick
from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.quality import placement_facts, sharpness, sharpness_words
from eigenfaces.importing.correct import UNCORRECTED, IncomingPhoto, ShownFace
from eigenfaces.importing.entries import Entry
from eigenfaces.importing.review import Review
from eigenfaces.photographs.photos import Eyes, FoundPhotos
from eigenfaces.recognition.probes import frame_of_gallery, probe_preparation
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.photos.editor import BOX, EYES, Corrections, PhotoEditor
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.face_list import Face, FaceRow
from gui.widgets.painted import FaceView
from gui.widgets.saving import may_lose
from gui.widgets.words import Facts, label

_SIZE = QSize(1400, 900)
_FACE = QSize(112, 136)
_SMALL = QSize(52, 52)
_SIDE = 290  # px of the column at the right, before the text scale
_UNTOUCHED = "The file is never changed. Only where the face lies is kept."
_KEYS = (
    "1–9 choose a face · B, E box or eyes · arrows nudge · wheel zooms, 0 shows all · R turns · "
    "Ctrl+Z undoes · PgUp, PgDn other photographs · Enter saves · Esc closes"
)
_NOT_KEPT = "What you mended is not saved."
_WINDOW, _HERE = Qt.ShortcutContext.WindowShortcut, Qt.ShortcutContext.WidgetShortcut
Mended = dict[int, IncomingPhoto]
"""The readings of mended photographs, by their place in the list."""


class PhotoDialog(QDialog):
    """Shows the photographs of some faces one by one, and lets a person mend each."""

    saved = Signal()

    def __init__(
        self,
        session: Session,
        shown: Sequence[ShownFace],
        frame: CropFrame | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Photograph")
        self.setAccessibleName("Photograph")
        self.session, self.shown, self.at = session, tuple(shown), 0
        self.mended: Mended = {}
        self._preparation = probe_preparation(session.gallery, frame)
        self._reviews: dict[int, Review] = {}
        self._faces_shown: tuple[object, ...] = ()
        self.corrections = Corrections(
            self._review(0), lambda sentence: session.say(sentence, "error"), self
        )
        self.editor = PhotoEditor(session)
        view = self.editor.view
        self.before, self.now = FaceView("Before", _FACE), FaceView("Now", _FACE)
        self.facts = Facts()
        self.which = label("Which face is meant?", "heading")
        self.faces = FaceRow("Faces found", _SMALL)
        self.faces.chosen.connect(lambda key: view.choose(int(key)))
        self.note = label("", "caption", wrap=True)
        self.save, self.cancel = Button("Save", primary=True), Button("Close")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        left, right = Card(), Card("As it is compared")
        left.body.addWidget(self.editor)
        self.editor.leave_out.hide()
        pair = in_row(self.before, self.now)
        notes = (label(words, "caption", wrap=True) for words in (_KEYS, _UNTOUCHED))
        add_parts(right.body, pair, self.facts, self.which, self.faces, STRETCH, *notes, self.note)
        for button in (self.cancel, self.save):
            button.setAutoDefault(False)
        right.body.addLayout(in_row(STRETCH, self.cancel, self.save))
        right.setFixedWidth(theme.pixels(_SIDE))
        in_row((left, 1), right, inside=self, spacing=12, margins=(16, 14, 16, 14))
        behind = self.parentWidget()
        size = behind.window().size() - QSize(24, 24) if behind is not None else _SIZE
        self.resize(size.boundedTo(_SIZE))

    def _connect(self) -> None:
        editor, view = self.editor, self.editor.view
        self.corrections.changed.connect(self.refresh)
        editor.step_asked.connect(self.step)
        editor.turn_asked.connect(self._turn)
        editor.cropped_asked.connect(self._toggle_cropped)
        editor.undo_asked.connect(self.corrections.undo)
        view.face_chosen.connect(self._choose_face)
        view.box_drawn.connect(lambda *box: self.corrections.draw_box(self._path, box))
        view.eyes_set.connect(lambda eyes: self.corrections.set_eyes(self._path, eyes))
        self.save.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        keys: dict[str, Callable[[], object]] = {
            "R": lambda: self._turn(1),
            "Shift+R": lambda: self._turn(-1),
            "C": self._toggle_cropped,
            "B": lambda: editor.set_mode(BOX),
            "E": lambda: editor.set_mode(EYES),
            "Ctrl+Z": self.corrections.undo,
            "PgUp": lambda: self.step(-1),
            "PgDown": lambda: self.step(1),
            "Return": self.accept,
            "Enter": self.accept,
            "0": view.show_all,
            **{str(number + 1): partial(view.choose, number) for number in range(9)},
        }
        for key, act in keys.items():
            letter = len(key) == 1 or key == "Shift+R"  # counts only while the photograph is used
            at, context = (view, _HERE) if letter else (self, _WINDOW)
            QShortcut(QKeySequence(key), at, context=context).activated.connect(act)

    # What is shown

    @property
    def _path(self) -> Path:
        return self.shown[self.at].photo.path

    def _review(self, at: int) -> Review:
        if at not in self._reviews:
            found, cut = FoundPhotos((self.shown[at].photo,)), self._preparation
            self._reviews[at] = Review(found, FaceSet.empty(cut.shape), cut)
        return self._reviews[at]

    def show_face(self, at: int) -> None:
        """Show the photograph of another face."""
        self.at = at
        self.corrections.review = self._review(at)
        self.refresh()
        self.editor.view.setFocus()

    def step(self, by: int) -> None:
        """Show the previous or the next photograph."""
        if 0 <= self.at + by < len(self.shown):
            self.show_face(self.at + by)

    def refresh(self) -> None:
        """Show the current state of the photograph."""
        review, shown = self.corrections.review, self.shown[self.at]
        self.corrections.ask_for(self._path)
        entry = review.entries(FoundPhotos((shown.photo,)))[0]
        several = len(self.shown) > 1
        place = f"{self.at + 1:,} of {len(self.shown):,}" if several else ""
        self.editor.show_entry(entry, review.faces(self._path), place)
        self.editor.show_undo(review.can_undo)
        self.editor.allow_steps(self.at > 0, self.at + 1 < len(self.shown))
        self.corrections.search(self._path)
        if entry.reading is not None and entry.reading.thumbnail:
            image = self.corrections.large(self._path)
            if image is not None:
                self.editor.show_image(image)
        self._show_faces(review.faces(self._path))
        self._show_result(entry)

    def _show_faces(self, found: Sequence[Eyes]) -> None:
        """Show the faces found, numbered as on the photograph, and mark the chosen one."""
        view, picture = self.editor.view, self.editor.view.image
        several = len(found) > 1 and picture is not None
        self.which.setVisible(several)
        self.faces.setVisible(several)
        now = (self.at, tuple(found), picture.cacheKey() if picture is not None else 0)
        if several and picture is not None and now != self._faces_shown:
            self._faces_shown = now
            share = picture.width() / view.extent[1]
            self.faces.show_faces(
                [
                    Face(str(number), partial(_part, picture, eyes.scaled(share)), f"{number + 1}")
                    for number, eyes in enumerate(found[:9])
                ]
            )
        self.faces.select(*(f"{number}" for number in view.numbers_chosen()))

    def _show_result(self, entry: Entry) -> None:
        shown, reading = self.shown[self.at], entry.reading
        self.before.set_image(None if shown.cut is None else grey_image(as_grey(shown.cut)))
        self.before.setVisible(shown.cut is not None)
        if reading is not None:  # else it is being read again: keep what is shown
            crop = reading.crop
            self.now.set_image(None if crop is None else grey_image(crop))
            where = reading.photo.placement
            facts: list[tuple[str, str | Path]] = [
                ("File", shown.photo.path.name),
                ("Folder", shown.photo.path.parent),
            ]
            facts += placement_facts(where) if where and crop is not None else []
            if crop is not None:
                facts.append(("Sharpness", sharpness_words(sharpness(crop))))
            self.facts.set_rows(facts)
            self._keep(reading)
        pending = any(not review.settled for review in self._reviews.values())
        self.save.setEnabled(bool(self.mended) and not pending)
        several = f" {count(len(self.mended), 'face')}" if len(self.mended) > 1 else ""
        self.save.setText(f"Save{several}")

    def _keep(self, reading: IncomingPhoto) -> None:
        """Keep a corrected reading until it is saved; show why one cannot be saved."""
        self.mended.pop(self.at, None)
        trouble = ""
        try:
            self.shown[self.at].levels(reading)
        except PhotoError as error:
            trouble = str(error) if error.kind == "changed" else ""
        else:
            if reading.correction != UNCORRECTED:
                self.mended[self.at] = reading
        self.note.setText(trouble)

    # Corrections

    def _turn(self, quarters: int) -> None:
        self.corrections.turn([self._path], quarters)

    def _toggle_cropped(self) -> None:
        self.corrections.toggle_cropped([self._path])

    def _choose_face(self, number: int) -> None:
        self.corrections.choose_faces("choosing the face", {self._path: number})

    # The end

    def accept(self) -> None:
        """Save what was mended, and close."""
        if self.save.isEnabled():
            self.corrections.close()
            super().accept()
            self.saved.emit()

    def reject(self) -> None:
        """Close; if something mended would be lost, only if that is meant."""
        unsaved = self.mended or not all(review.settled for review in self._reviews.values())
        if not unsaved or may_lose(self, _NOT_KEPT):
            self.corrections.close()
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)  # asks as `reject` does, and may leave it open
        if event.isAccepted():
            self.corrections.close()


def _part(picture: QImage, eyes: Eyes) -> QImage:
    left, top, size = (round(each) for each in eyes.box)
    return picture.copy(left, top, max(size, 1), max(size, 1))


def mend(
    parent: QWidget,
    session: Session,
    shown: Sequence[ShownFace],
    at: int,
    save: Callable[[dict[int, IncomingPhoto], CropFrame | None], None],
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
