"""One photograph, large: a person shows where its face is, turns it, or leaves it out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count as numbers
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QImage

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.choose import EVERY
from eigenfaces.faces.quality import Concern
from eigenfaces.importing.correct import Correction, IncomingPhoto, Task, read_incoming
from eigenfaces.importing.entries import Entry
from eigenfaces.importing.review import Review
from eigenfaces.photographs.decode import LARGEST, colours, read_bytes
from eigenfaces.photographs.photos import Box, Eyes
from eigenfaces.text import count
from gui.state.jobs import Jobs
from gui.state.session import Session
from gui.style import theme
from gui.style.images import rgb_image
from gui.style.theme import Tone
from gui.widgets.boxes import STRETCH, Gap, in_column, in_row
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import Button, Segmented
from gui.widgets.photo_view import FaceMarker
from gui.widgets.recipe_steps import RecipeSteps
from gui.widgets.words import ElidedLabel, label

_KEPT = 6
"""Photographs kept at the size of the editor, for going back and forth."""


class Corrections(QObject):
    """Records corrections of a review at once, and reads those photographs again in a thread.

    ``failed`` gets a sentence: why something could not be done.
    """

    changed = Signal()

    def __init__(self, review: Review, failed: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self.review = review
        self.jobs = Jobs(self)
        self._failed = failed
        self._number = numbers()
        self._large: dict[tuple[Path, int], QImage] = {}
        self._loading: tuple[Path, int] | None = None
        self._searched: set[tuple[Path, int]] = set()
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self.jobs.close)

    # Corrections

    def set_eyes(self, path: Path, eyes: Eyes) -> None:
        """Set the eyes of the face by hand."""
        turned = self.review.turned(path)
        self._correct("setting the eyes", {path: Correction(eyes=eyes, turned=turned)})

    def draw_box(self, path: Path, box: Box) -> None:
        """Set the box of the face, which is then aligned in it."""
        turned = self.review.turned(path)
        self._correct("drawing the box", {path: Correction(box=box, turned=turned)})

    def choose_faces(self, title: str, numbers: Mapping[Path, int]) -> None:
        """Choose one of the faces found on each of these photographs."""
        self.review.choose(title, numbers)
        self._read(list(numbers))
        self.changed.emit()

    def turn(self, paths: Collection[Path], quarters: int) -> None:
        """Turn photographs clockwise, and look for their faces again."""
        said = {}
        for path in paths:
            turned = (self.review.turned(path) + quarters) % 4
            before = self.review.correction(path)
            said[path] = replace(before, eyes=None, box=None, turned=turned)
        self._correct(f"turning {count(len(paths))}", said)

    def toggle_cropped(self, paths: Collection[Path]) -> None:
        """Mark photographs as cut already although the others are not, or the reverse."""
        said = {}
        for path in paths:
            cropped = self.review.correction(path).cropped
            reading = self.review.reading(path)
            if reading is not None and reading.unreadable:
                continue
            whole = reading.whole if reading else self.review.preparation.already_cropped
            other = None if cropped is not None else not whole
            said[path] = Correction(cropped=other, turned=self.review.turned(path))
        if said:
            self._correct(f"marking {count(len(said))}", said)

    def toggle_left_out(self, paths: Collection[Path]) -> None:
        """Leave out photographs; include them again if all of them are left out."""
        self.review.leave_out(paths, not set(paths) <= self.review.left_out)
        self.changed.emit()

    def undo(self) -> list[Path]:
        """Undo the last correction and return its photographs."""
        paths = self.review.undo()
        self._read(paths)
        self.changed.emit()
        return paths

    # Reading

    def ask_for(self, path: Path) -> None:
        """Read a photograph that is to be shown now, unless it has been read."""
        self._read([path], large=True)

    def search(self, path: Path) -> None:
        """Find all faces of a photograph whose face is placed already, so that each has a number.

        It is done once, in the background; then `changed`.
        """
        review = self.review
        wanted = path, review.turned(path)
        reading = review.reading(path)
        if reading is None or reading.unreadable or wanted in self._searched:
            return
        self._searched.add(wanted)
        if not review.faces(path) and not reading.faces:
            self._start([review.search_task(reading.photo)])

    def large(self, path: Path) -> QImage | None:
        """Return the photograph in the editor's size; None until it is read (then `changed`)."""
        shown = path, self.review.turned(path)
        if shown in self._large or shown == self._loading:
            return self._large.get(shown)
        self._loading = shown

        def work(tick: Tick) -> QImage:
            tick(0, 0)
            return rgb_image(colours(read_bytes(path), LARGEST, shown[1]))

        def loaded(image: QImage) -> None:
            self._loading = None
            self._keep_large(shown, image)
            self.changed.emit()

        failed = self._failed
        self.jobs.start("load large", "Loading", work, loaded, lambda error: failed(str(error)))
        return None

    def _keep_large(self, shown: tuple[Path, int], image: QImage) -> None:
        self._large[shown] = image
        while len(self._large) > _KEPT:
            del self._large[next(iter(self._large))]

    def close(self) -> None:
        """Stop, and wait for the thread."""
        self.jobs.close()

    def _correct(self, title: str, corrections: dict[Path, Correction]) -> None:
        self.review.correct(title, corrections)
        self._read(list(corrections))
        self.changed.emit()

    def _read(self, paths: Sequence[Path], *, large: bool = False) -> None:
        review, preparation = self.review, self.review.preparation
        wanted = [replace(task, large=large) for task in review.tasks(paths)]
        tasks = [task for task in wanted if review.begin(task, preparation)]
        if tasks:
            self._start(tasks)

    def _start(self, tasks: Sequence[Task]) -> None:
        review, preparation = self.review, self.review.preparation
        enrolled, adding = review.enrolled, review.adding

        def work(tick: Tick) -> list[IncomingPhoto]:
            readings = []
            for done, task in enumerate(tasks):
                tick(done, len(tasks))
                readings.append(read_incoming(task, preparation, enrolled, adding))
            return readings

        def failed(error: EigenfacesError) -> None:
            """Give the reason as what was found, or the photographs would be waited for."""
            reason = (Concern("unreadable", str(error)),)
            unread = [task for task in tasks if review.reading(task.photo.path) is None]
            made = [
                IncomingPhoto(
                    each.photo,
                    correction=each.correction,
                    preparation=preparation,
                    concerns=reason,
                )
                for each in unread
            ]
            self._arrived(review, made)

        number = next(self._number)  # so that it does not replace what was asked for before
        self.jobs.start(
            "read again",
            "Looking again",
            work,
            lambda readings: self._arrived(review, readings),
            failed,
            about=number,
            cancelled="It could not be looked at.",
        )

    def _arrived(self, review: Review, readings: list[IncomingPhoto]) -> None:
        for made in readings:
            if made.large is not None:
                self._keep_large((made.photo.path, made.turned), rgb_image(made.large))
            review.keep(replace(made, large=None))
        self.changed.emit()


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
        self.view = FaceMarker()
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
            self.view.how,
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
