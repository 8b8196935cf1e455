"""One photograph, large: its chosen face, the place of the face, and the steps of the recipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage

from eigenfaces.faces.choose import EVERY
from eigenfaces.importing.entries import Entry
from eigenfaces.photographs.photos import Eyes
from gui.state.session import Session
from gui.style import theme
from gui.style.theme import Tone
from gui.widgets.boxes import STRETCH, Gap, in_column, in_row
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import Button, Segmented
from gui.widgets.photo_view import PhotoView
from gui.widgets.recipe_steps import RecipeSteps
from gui.widgets.words import ElidedLabel, label

BOX, EYES = range(2)
_MODES: tuple[Literal["box"], Literal["eyes"]] = ("box", "eyes")
_SOURCES = {
    "found": "The face was found by the program.",
    "guess": "Which of several faces is meant is a guess of the program.",
    "by hand": "You have shown where the face is.",
    "from a file": "The eyes are where the file eyes.csv states them.",
}


class PhotoEditor(Shrinkable):
    """Shows one photograph of an import and emits signals for a person's corrections."""

    turn_asked = Signal(int)
    cropped_asked = Signal()
    left_out_asked = Signal()
    undo_asked = Signal()
    step_asked = Signal(int)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._photo: tuple[object, ...] = ()  # what the view shows: shown again only if it changes
        self._marks: tuple[object, ...] = ()
        self._is_large = False
        self.heading = ElidedLabel("", "heading")
        self.about = ElidedLabel("", "caption")
        self.view = PhotoView()
        self.status = Banner(dismissible=False)
        self.steps = RecipeSteps()
        self._make_buttons()
        self._lay_out()

    def _make_buttons(self) -> None:
        self.mode = Segmented(["Box", "Eyes"], name="Show the face by")
        self.mode.setToolTip("Draw a box around the face (B), or click its two eyes (E)")
        self.left = _button("↺", "Turn left (Shift+R)", name="Turn left")
        self.right = _button("↻", "Turn right (R)", name="Turn right")
        self.cropped = _button(
            "Already cropped", "The whole photograph is the face (C). For all of them: “Cut faces”"
        )
        self.leave_out = _button("Leave out", "Do not add this photograph (Del)")
        self.undo = _button("Undo", "")
        self.before = _button("‹", "Previous photograph (P)", name="Previous photograph")
        self.after = _button("›", "Next photograph (N)", name="Next photograph")
        self.zoom = label("100 %", "caption")
        self.zoom.setToolTip("The wheel enlarges the photograph at the pointer")
        self.fit = _button("Fit", "Show the whole photograph (0)")
        self.fit.clicked.connect(self.view.show_all)
        self.view.zoomed.connect(self._show_zoom)
        self.mode.changed.connect(lambda: self.view.set_mode(_MODES[self.mode.current]))
        self.left.clicked.connect(lambda: self.turn_asked.emit(-1))
        self.right.clicked.connect(lambda: self.turn_asked.emit(1))
        self.cropped.clicked.connect(self.cropped_asked)
        self.leave_out.clicked.connect(self.left_out_asked)
        self.undo.clicked.connect(self.undo_asked)
        self.before.clicked.connect(lambda: self.step_asked.emit(-1))
        self.after.clicked.connect(lambda: self.step_asked.emit(1))

    def _lay_out(self) -> None:
        words = in_column(self.heading, self.about, spacing=0)
        head = in_row((words, 1), self.undo, self.before, self.after, spacing=6)
        changing = (self.mode, self.left, self.right, self.cropped, self.leave_out)
        tools = in_row(*changing, STRETCH, self.zoom, self.fit, spacing=6)
        self.view.setMinimumHeight(theme.pixels(180))
        in_column(
            head,
            (self.view, 5),
            self.status,
            tools,
            Gap(2),
            (self.steps, 2),
            inside=self,
            spacing=8,
        )

    # What is shown

    def show_entry(self, entry: Entry, faces: Sequence[Eyes], place: str) -> None:
        """Show a photograph; ``faces`` are all faces found, ``place`` is its number among all."""
        person = entry.photo.person
        self.heading.set_full_text(entry.photo.path.name)
        self.about.set_full_text(" · ".join(part for part in (person, _size(entry), place) if part))
        self._show_photo(entry)
        self._show_marks(entry, faces)
        tone, text = _status(entry)
        self.status.show_text(text, tone)
        whole = entry.reading is not None and entry.reading.whole
        self.cropped.setText("Find the face" if whole else "Already cropped")
        self.leave_out.setText("Take back" if entry.by_hand else "Leave out")
        self._enable(not entry.passed_over, entry.reading is None or not entry.reading.unreadable)

    def show_nothing(self) -> None:
        """Show that no photograph is selected."""
        self._photo, self._marks = (), ()
        self.heading.set_full_text("")
        self.about.set_full_text("")
        self.view.show_photo(None, (1, 1))
        self.view.show_faces((), None)
        self.status.show_text("No photograph is selected.", "neutral")
        self.steps.show_face(None, self._session.gallery.recipe)
        self._enable(False, False)

    def _enable(self, usable: bool, readable: bool) -> None:
        self.leave_out.setEnabled(usable)
        for part in (self.view, self.mode, self.left, self.right, self.cropped):
            part.setEnabled(usable and readable)

    def show_image(self, image: QImage) -> None:
        """Show the photograph at full size, in place of its small copy."""
        if self._photo and not self._is_large:
            self._is_large = True
            size = self._photo[-1]
            assert isinstance(size, tuple)
            self.view.show_photo(image, size)

    def allow_steps(self, back: bool, on: bool) -> None:
        """Enable the buttons to the previous and the next photograph."""
        for button, allowed in ((self.before, back), (self.after, on)):
            button.setEnabled(allowed)
            button.setVisible(back or on)

    def show_undo(self, title: str | None) -> None:
        """Show what undo would revert."""
        self.undo.setEnabled(title is not None)
        self.undo.setToolTip(f"Undo {title} (Ctrl+Z)" if title else "")

    def set_mode(self, mode: int) -> None:
        """Change to drawing boxes or to clicking eyes."""
        self.mode.set_current(mode)
        self.view.setFocus()

    def _show_zoom(self) -> None:
        self.zoom.setText(f"{self.view.zoom:.0%}".replace("%", " %"))
        self.fit.setEnabled(self.view.zoom > 1)

    def _show_photo(self, entry: Entry) -> None:
        reading = entry.reading
        if reading is None and self._photo[:1] == (entry.key,):
            return  # it is being read again: keep what is shown
        photo = (entry.key, reading.turned, reading.size) if reading else (entry.key, 0, (1, 1))
        if photo != self._photo:
            self._photo, self._marks, self._is_large = photo, (), False
            thumbnail = reading.thumbnail if reading else b""
            self.view.show_photo(QImage.fromData(thumbnail) if thumbnail else None, photo[2])

    def _show_marks(self, entry: Entry, faces: Sequence[Eyes]) -> None:
        if entry.reading is None and self._marks:
            return
        chosen = entry.reading.eyes if entry.reading is not None else None
        # Also when the eyes are the same: a box drawn last may have led to the eyes shown before.
        marks = (*faces, chosen, entry.reading)
        if marks != self._marks:
            self._marks = marks
            self.view.show_faces(faces, chosen)
            self._show_steps(entry)

    def _show_steps(self, entry: Entry) -> None:
        gallery, training = self._session.gallery, self._session.gallery.training
        crop = entry.reading.crop if entry.reading is not None else None
        mean = None
        if training is not None and not gallery.recipe.refits(training.recipe):
            mean = training.space.mean.reshape(training.space.shape)
        self.steps.show_face(crop, gallery.recipe, mean)


def _status(entry: Entry) -> tuple[Tone, str]:
    """Return what an import does with a photograph, why, and what can be done."""
    if entry.by_hand:
        return "neutral", "You left it out: it will not be added."
    if entry.passed_over:
        return "neutral", f"It will not be added. {entry.skipped.reason}"
    if entry.reading is None:
        return "neutral", "Looking at it…"
    if entry.concerns:
        lines = (f"{concern.reason} {concern.remedy}" for concern in entry.concerns)
        return "warn", "\n".join(line.strip() for line in lines)
    if entry.state == "known":
        return "neutral", "It is in the gallery already. What you correct here is cut anew."
    if entry.choice is EVERY:
        return "ok", "Nobody is named: all its faces are taken, or only the one that you choose."
    placement = entry.reading.photo.placement
    assert placement is not None  # without a face there would be a concern
    source = _SOURCES[placement.source]
    if placement.eyes is None:
        source = "The whole photograph is the face."
    again = " It replaces the earlier version." if entry.state == "replaced" else ""
    return "ok", source + again


def _size(entry: Entry) -> str:
    if entry.reading is None or not all(entry.reading.size):
        return ""
    height, width = entry.reading.size
    return f"{width:,} × {height:,} pixels"


def _button(text: str, tip: str, name: str = "") -> Button:
    button = Button(text, name=name)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button
