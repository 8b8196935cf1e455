"""One photograph, large: a person shows where its face is, turns it, or leaves it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.face_choice import EVERY
from eigenfaces.faces.quality import Concern
from eigenfaces.importing.correct import Correction, ReadTask, ReviewReading, read_for_review
from eigenfaces.importing.entries import Entry
from eigenfaces.importing.review import Review
from eigenfaces.photographs.decode import LARGEST, colours, read_bytes
from eigenfaces.photographs.photos import Box, Eyes
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.state.jobs import Jobs
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image, rgb_image
from gui.widgets.boxes import STRETCH, Gap, in_column, in_row
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import Button, Segmented
from gui.widgets.face_list import Face, FaceRow
from gui.widgets.painted import FaceView
from gui.widgets.photo_view import FaceMarker
from gui.widgets.words import ElidedLabel, label

BOX, EYES = range(2)
_SMALL = QSize(48, 58)
_LIKE = "The share of the person’s other photos on which this face appears too."


class PhotoEditor(Shrinkable):
    """Shows one photograph of a review, and records a person's corrections at once.

    What was corrected is read again in a thread; then ``changed``. ``selected`` returns the
    photographs that buttons and letters are for, the one that is shown first.
    """

    changed = Signal()
    step_asked = Signal(int)
    undone = Signal(str)

    def __init__(
        self, session: Session, review: Review, selected: Callable[[], Sequence[Path]]
    ) -> None:
        super().__init__()
        self.review, self._session, self._selected = review, session, selected
        self.jobs = Jobs(self)
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self.jobs.close)
        self._asked: set[tuple[object, ...]] = set()  # what is being read, or was searched
        self._large: tuple[tuple[Path, int] | None, QImage | None] = None, None
        self._shown: tuple[object, ...] = ()  # shown again only if it changes: zoom and drags stay
        self._marked: tuple[object, ...] = ()
        self._offered: tuple[object, ...] = ()
        self._entry: Entry | None = None
        self.heading, self.about = ElidedLabel("", "heading"), ElidedLabel("", "caption")
        self.view, self.status = FaceMarker(), Banner(dismissible=False)
        self.crop = FaceView("Aligned crop")
        self.faces = FaceRow("Faces that may be meant", _SMALL, subcaption=True)
        self.question = ElidedLabel("", "heading")
        self.confirm = Button("Confirm", "check")
        self._make_buttons()
        self._lay_out()
        view = self.view
        view.face_chosen.connect(self.choose_face)
        view.box_drawn.connect(lambda *box: self.draw_box(self._selected()[0], box))
        view.eyes_set.connect(lambda eyes: self.set_eyes(self._selected()[0], eyes))
        view.zoomed.connect(self._show_zoom)
        self.faces.chosen.connect(lambda key: self.choose_face(int(key)))

    def _make_buttons(self) -> None:
        """Make the tools; their letters, and some more, count where `listen` says."""
        step = self.step_asked.emit
        self._keys: dict[str, Callable[[], object]] = {
            "E": lambda: self.set_mode(EYES),
            "B": lambda: self.set_mode(BOX),
            **{f"{number + 1}": partial(self.choose_face, number) for number in range(9)},
        }

        def tool(text: str, tip: str, key: str, act: Callable[[], object]) -> Button:
            button = Button(text, name=text if text[0].isalpha() else tip)
            button.setToolTip(f"{tip} ({key})")
            button.setAutoDefault(False)
            button.clicked.connect(lambda: act())
            self._keys[key] = act
            return button

        self.mode = Segmented(["Box", "Eyes"], name="Show the face by")
        self.mode.setToolTip("Draw a box around the face (B), or click its two eyes (E)")
        self.mode.changed.connect(
            lambda: self.view.set_mode("eyes" if self.mode.current == EYES else "box")
        )
        self.left = tool("↺", "Turn left", "Shift+R", lambda: self.turn(-1))
        self.right = tool("↻", "Turn right", "R", lambda: self.turn(1))
        whole = "The whole photograph is the face; for all of them: “Cut faces”"
        self.cropped = tool("Already cropped", whole, "C", self.toggle_cropped)
        self.leave_out = tool(
            "Leave out", "Do not add this photograph", "Del", self.toggle_left_out
        )
        self.before = tool("‹", "Previous photograph", "P", lambda: step(-1))
        self.after = tool("›", "Next photograph", "N", lambda: step(1))
        self.fit = tool("Fit", "Show the whole photograph", "0", self.view.show_all)
        self.undo_button = Button("Undo")
        self.undo_button.setAutoDefault(False)
        self.undo_button.clicked.connect(self.undo)
        self.zoom = label("100 %", "caption")
        self.zoom.setToolTip("The wheel enlarges the photograph at the pointer")
        self.confirm.clicked.connect(self._confirm)

    def _lay_out(self) -> None:
        words = in_column(self.heading, self.about, spacing=0)
        head = in_row((words, 1), self.undo_button, self.before, self.after, spacing=6)
        changing = (self.mode, self.left, self.right, self.cropped, self.leave_out)
        tools = in_row(*changing, STRETCH, self.zoom, self.fit, spacing=6)
        self.like = label(_LIKE, "caption", wrap=True)
        self.which = Shrinkable()
        heading = in_row((self.question, 1), self.confirm, spacing=8)
        in_column(heading, self.faces, self.like, inside=self.which, spacing=4)
        self.view.setMinimumHeight(theme.pixels(180))
        below = (self.view.how, self.status, tools, Gap(2), self.which)
        crop = self.crop, 0, Qt.AlignmentFlag.AlignHCenter
        in_column(head, (self.view, 5), *below, crop, inside=self, spacing=8)

    def listen(self, *places: QWidget) -> None:
        """Let letters and numbers correct the photograph, while one of these has the focus."""
        only_there = Qt.ShortcutContext.WidgetShortcut
        for (key, act), at in product(self._keys.items(), (self.view, *places)):
            QShortcut(QKeySequence(key), at, context=only_there).activated.connect(act)

    def set_mode(self, mode: int) -> None:
        """Change to drawing boxes or to clicking eyes."""
        self.mode.set_current(mode)
        self.view.setFocus()

    # Corrections

    def set_eyes(self, path: Path, eyes: Eyes) -> None:
        """Set the eyes of the face by hand."""
        turned = self.review.turned(path)
        self._correct("setting the eyes", {path: Correction(eyes=eyes, turned=turned)})

    def draw_box(self, path: Path, box: Box) -> None:
        """Set the box of the face, which is then aligned in it."""
        turned = self.review.turned(path)
        self._correct("drawing the box", {path: Correction(box=box, turned=turned)})

    def choose_face(self, number: int) -> None:
        """Take one of the faces found, counted from the left."""
        for path in self._selected()[:1]:
            if number < len(self.review.faces(path)):
                self.choose_faces("choosing the face", {path: number})

    def choose_faces(self, title: str, chosen: Mapping[Path, int]) -> None:
        """Choose one of the faces found on each of these photographs."""
        self.review.choose(title, chosen)
        self._read(list(chosen))
        self.changed.emit()

    def turn(self, quarters: int) -> None:
        """Turn the selected photographs clockwise, and look for their faces again."""
        corrections = {}
        for path in self._selected():
            turned = (self.review.turned(path) + quarters) % 4
            last = self.review.correction(path)
            corrections[path] = replace(last, eyes=None, box=None, turned=turned)
        self._correct(f"turning {count(len(corrections))}", corrections)

    def toggle_cropped(self) -> None:
        """Mark the selected as cut already although the others are not, or the reverse."""
        corrections, default = {}, self.review.preparation.already_cropped
        for path in self._selected():
            reading, cropped = self.review.reading(path), None
            if reading is None or not reading.unreadable:
                if self.review.correction(path).cropped is None:
                    cropped = not (reading.whole if reading else default)
                corrections[path] = Correction(cropped=cropped, turned=self.review.turned(path))
        self._correct(f"marking {count(len(corrections))}", corrections)

    def toggle_left_out(self) -> None:
        """Leave out the selected photographs; include them again if all of them are left out."""
        paths = self._selected()
        if paths and self.leave_out.isVisibleTo(self):
            self.review.leave_out(paths, not set(paths) <= self.review.left_out)
            self.changed.emit()

    def undo(self) -> None:
        """Undo the last correction, then `undone` with the first of its photographs."""
        paths = self.review.undo()
        self._read(paths)
        self.changed.emit()
        if paths:
            self.undone.emit(str(paths[0]))

    def _correct(self, title: str, corrections: dict[Path, Correction]) -> None:
        if corrections:
            self.review.correct(title, corrections)
            self._read(list(corrections))
            self.changed.emit()

    # Reading

    def search(self, path: Path) -> None:
        """Find once all faces of a photograph whose face is placed already, to number them."""
        review, reading = self.review, self.review.reading(path)
        if reading and not (reading.unreadable or review.faces(path) or reading.faces):
            self._start([review.search_task(reading.photo)])

    def _read(self, paths: Sequence[Path]) -> None:
        self._start(self.review.tasks(paths))

    def _start(self, tasks: Iterable[ReadTask]) -> None:
        """Read these photographs in a job, but those that are read already or being read."""
        review, preparation = self.review, self.review.preparation
        keys = {(review, task.photo.path, task.correction, preparation): task for task in tasks}
        tasks = [keys[key] for key in keys.keys() - self._asked]
        self._asked |= keys.keys()
        if not tasks:
            return

        def work(tick: Tick) -> list[ReviewReading]:
            readings = []
            for done, task in enumerate(tasks):
                tick(done, len(tasks))
                readings.append(read_for_review(task, preparation, review.enrolled, review.adding))
            return readings

        def arrived(readings: Iterable[ReviewReading]) -> None:
            for reading in readings:
                review.keep(reading)
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            """Give the reason as what was found, or the photographs would be waited for."""
            concern = (Concern("unreadable", str(error)),)
            unread = [task for task in tasks if review.reading(task.photo.path) is None]
            arrived(
                ReviewReading(
                    task.photo,
                    concerns=concern,
                    correction=task.correction,
                    preparation=preparation,
                )
                for task in unread
            )

        self.jobs.start(
            *("read again", "Looking again", work, arrived, failed),
            about=tuple(keys),  # so that it does not replace what was asked for before
            cancelled="It could not be looked at.",
        )

    def _load(self, key: tuple[Path, int]) -> None:
        """Read a photograph at the size of the editor."""

        def work(_tick: Tick) -> QImage:
            return rgb_image(colours(read_bytes(key[0]), LARGEST, key[1]))

        def loaded(image: QImage) -> None:
            self._large = key, image
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            self._asked.add(key)  # the small copy has to do
            self._session.show_error(error)
            self.changed.emit()  # another one may be shown by now

        # While another one is read it is asked for again when that is there.
        if key not in self._asked and not self.jobs.is_busy("load large"):
            self.jobs.start("load large", "Loading", work, loaded, failed)

    # What is shown

    def show_entry(self, entry: Entry | None, place: str = "", *, one_of: bool = False) -> None:
        """Show a photograph, or that none is selected; ``place`` is its number among all.

        With ``one_of`` one of its faces is asked about, and the others are not taken either.
        """
        self._entry = entry
        title = self.review.can_undo
        self.undo_button.setEnabled(title is not None)
        self.undo_button.setToolTip(f"Undo {title} (Ctrl+Z)" if title else "")
        if entry is None:
            self._shown = self._marked = ()
            self.heading.set_full_text("")
            self.about.set_full_text("")
            self.view.show_photo(None, (1, 1))
            self.view.show_faces((), None)
            self._show_which(None, one_of=one_of)
            self.crop.set_image(None)
        else:
            parts = (entry.photo.person, entry.size_words, place)
            self.heading.set_full_text(entry.photo.path.name)
            self.about.set_full_text(" · ".join(filter(None, parts)))
            self._read([entry.photo.path])
            if entry.reading is not None or self._shown[:1] != (entry.key,):
                self._show_photo(entry)  # else it is being read again: keep what is shown
            self._show_which(entry, one_of=one_of)
        tone, text = entry.status if entry else ("neutral", "No photograph is selected.")
        self.status.show_text(text, tone)
        reading = entry and entry.reading
        self.cropped.setText("Find the face" if reading and reading.whole else "Already cropped")
        self.leave_out.setText("Take back" if entry and entry.by_hand else "Leave out")
        usable = entry is not None and not entry.passed_over
        self.leave_out.setEnabled(usable)
        for part in (self.view, self.mode, self.left, self.right, self.cropped):
            part.setEnabled(usable and not (reading and reading.unreadable))

    def _show_photo(self, entry: Entry) -> None:
        reading, key = entry.reading, (entry.photo.path, self.review.turned(entry.photo.path))
        large = self._large[1] if self._large[0] == key else None
        size = reading.size if reading else (1, 1)
        inputs = (entry.key, key, size, large is not None)
        if inputs != self._shown:
            self._shown, self._marked = inputs, ()
            small = QImage.fromData(reading.thumbnail) if reading and reading.thumbnail else None
            self.view.show_photo(large or small, size)
        if large is None and reading is not None and reading.thumbnail:
            self._load(key)
        faces = self.review.faces(entry.photo.path)
        # Also when the eyes are the same: a box drawn last may have led to the eyes shown before.
        if (*faces, reading) != self._marked:
            self._marked = (*faces, reading)
            self.view.show_faces(faces, reading.eyes if reading else None)
            crop = None if reading is None else reading.crop
            self.crop.set_image(None if crop is None else grey_image(crop))

    def _show_which(self, entry: Entry | None, *, one_of: bool) -> None:
        """Show the faces of a photograph that may be meant, if a person is asked about them."""
        usable = entry is not None and not entry.passed_over
        reading = self.review.searched(entry.photo.path) if entry and usable else None
        likely = None if entry is None else entry.likely
        several = reading is not None and reading.crops is not None
        self.which.setVisible(several or (reading is not None and likely is not None))
        self.crop.setVisible(not self.which.isVisibleTo(self))
        if entry is None or reading is None:
            return
        person, choice = entry.photo.person, entry.choice
        if several:
            question = f"Which face is {person or 'meant'}?"
            if not person and not one_of:
                question = "All are taken. Only one?"
            question += f" Keys 1–{min(len(reading.faces), 9)}"
        else:
            question = f"Is this {person or 'a face'}?"
        self.question.set_full_text(question)
        self.confirm.setVisible(likely is not None)
        if likely is not None:
            verb = "Confirm" if entry.guessed else "Take"
            self.confirm.setText(f"{verb} face {likely + 1}" if several else "Yes")
            self.confirm.setToolTip(f"It is {person}: the face with the solid box (Enter)")
        likeness = () if choice is None or choice is EVERY else choice.likeness
        self.like.setVisible(any(likeness))
        if (reading, likeness) != self._offered:
            self._offered = reading, likeness
            words = [f"like {share:.2f}" if any(likeness) else "" for share in likeness]
            words += [""] * (len(reading.faces) - len(words))
            faces = list[Face]()
            for number, (levels, note) in enumerate(zip(reading.every_crop, words, strict=False)):
                name = ", ".join(filter(None, (f"Face {number + 1} from the left", note)))
                caption, image = f"{number + 1}", as_grey(levels)
                faces.append(Face(f"{number}", image, caption, note, accessible=name))
            self.faces.show_faces(faces)
        self.faces.select(*map(str, self.view.chosen_numbers()))

    def _confirm(self) -> None:
        if self._entry is not None and self._entry.likely is not None:
            self.choose_face(self._entry.likely)

    def allow_steps(self, back: bool, on: bool) -> None:
        """Enable the buttons to the previous and the next photograph."""
        for button, allowed in ((self.before, back), (self.after, on)):
            button.setEnabled(allowed)
            button.setVisible(back or on)

    def _show_zoom(self) -> None:
        self.zoom.setText(f"{self.view.zoom:.0%}".replace("%", " %"))
        self.fit.setEnabled(self.view.zoom > 1)
