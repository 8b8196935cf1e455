"""Photo editor, in which the user marks a face, turns the photograph, or leaves it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QImage, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.quality import Concern
from eigenfaces.importing.correct import Correction, ReadTask, ReviewReading, read_for_review
from eigenfaces.importing.entries import Entry
from eigenfaces.importing.review import Review
from eigenfaces.photographs.decode import LONGEST_SHOWN, colours, read_bytes
from eigenfaces.photographs.placement import Eyes
from eigenfaces.text import count
from ..state.jobs import JobKind, Jobs
from ..state.session import Session
from ..style import theme
from ..style.images import rgb_image
from ..widgets.box_layouts import in_column, in_row
from ..widgets.cards import Banner, Shrinkable
from ..widgets.controls import Button
from ..widgets.flow import FlowLayout
from ..widgets.labels import ElidedLabel
from ..widgets.photo_view import FaceMarker

_SHOW = "Mark the face that was missed."
_LOW = 400  # px, before the text scale: a lower editor hides the help below the photo


class PhotoEditor(Shrinkable):
    """Editor for one photograph of a review, which records the user's corrections immediately.

    A corrected photograph is read again in a thread, and ``changed`` is emitted. ``selected``
    returns the photographs to which buttons and keys apply, starting with the photograph shown.
    If ``adds``, the user adds a missed face, and no face is chosen until the user has marked one.
    """

    changed = Signal()
    undone = Signal(str)

    def __init__(
        self, session: Session, review: Review, selected: Callable[[], Sequence[Path]]
    ) -> None:
        super().__init__()
        self.review, self._session, self._selected = review, session, selected
        self.adds = False
        self.jobs = Jobs(self)
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self.jobs.close)
        self._started: set[tuple[object, ...]] = set()  # keys of readings and searches begun
        self._large: tuple[tuple[Path, int] | None, QImage | None] = None, None
        self._shown: tuple[object, ...] = ()  # repainted only after a change, so that drags go on
        self.heading, self.about = ElidedLabel("", "heading"), ElidedLabel("", "caption")
        self.view, self.status = FaceMarker(), Banner(dismissible=False)
        self._keys: dict[str, Callable[[], object]] = {
            f"{number + 1}": partial(self.choose_face, number) for number in range(9)
        }
        self.undo_button = self._tool("Undo", "Undo", "", self.undo)
        self.left = self._tool("↺", "Turn left", "Shift+R", lambda: self.turn(-1))
        self.right = self._tool("↻", "Turn right", "R", lambda: self.turn(1))
        self.whole = self._tool(
            "Only a face", "The photo is a cropped face", "C", self.toggle_whole
        )
        self.leave_out = self._tool(
            "Leave out", "Do not add this photo", "Del", self.toggle_left_out
        )
        self.again = self._tool(
            "Search again",
            "Search again, more thoroughly, for small, covered, turned and upside-down faces",
            "S",
            self.search_again,
        )
        words = in_column(self.heading, self.about, spacing=0)
        head = in_row((words, 1), self.leave_out, self.undo_button, spacing=6)
        self.tools, tools = FlowLayout(spacing=5), QWidget()
        self.tools.add(self.left, self.right, self.whole, self.again)
        tools.setLayout(self.tools)
        self.view.setMinimumHeight(theme.pixels(96))
        parts = (head, tools, (self.view, 1), self.view.how, self.status)
        in_column(*parts, inside=self, spacing=8)
        self.view.face_chosen.connect(self.choose_face)
        self.view.face_placed.connect(self.place_face)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The photo matters most: in a low window, it takes the place of the help.
        self.view.how.setVisible(self.height() >= theme.pixels(_LOW))

    def _tool(self, text: str, tip: str, key: str, act: Callable[[], object]) -> Button:
        """Create a button with a key that works in the widgets passed to `listen`."""
        button = Button(text, name=text if text[0].isalpha() else tip)
        button.setToolTip(f"{tip} ({key})" if key else tip)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: act())
        if key:
            self._keys[key] = act
        return button

    def add_tool(self, text: str, tip: str, act: Callable[[], object]) -> Button:
        """Add a button to the toolbar, and return it."""
        button = self._tool(text, tip, "", act)
        self.tools.add(button)
        return button

    def listen(self, *widgets: QWidget) -> None:
        """Let letter and number keys apply corrections while one of these widgets has the focus."""
        only_there = Qt.ShortcutContext.WidgetShortcut
        for (key, act), widget in product(self._keys.items(), (self.view, *widgets)):
            QShortcut(QKeySequence(key), widget, context=only_there).activated.connect(act)

    # Corrections

    def place_face(self, eyes: Eyes, exact: bool) -> None:
        """Set the eye positions marked by the user or, if they are imprecise, only the face box."""
        path = self._selected()[0]
        correction = Correction(eyes) if exact else Correction(box=eyes.box)
        correction = replace(correction, turned=self.review.turned(path))
        self._apply_corrections("placing the face", {path: correction})

    def choose_face(self, index: int) -> None:
        """Choose the face with this index, counted from the left, among the faces found."""
        for path in self._selected()[:1]:
            if index < len(self.review.detected_eyes(path)):
                self.choose_faces("choosing the face", {path: index})

    def choose_faces(self, title: str, chosen: Mapping[Path, int]) -> None:
        """In each of these photographs, choose one of the faces found."""
        self.review.choose_faces(title, chosen)
        self._start(self.review.tasks(list(chosen)))
        self.changed.emit()

    def turn(self, quarters: int) -> None:
        """Turn the selected photographs clockwise by quarter turns, and find their faces again."""
        corrections = {}
        for path in self._selected():
            turned = (self.review.turned(path) + quarters) % 4
            last = self.review.correction(path)
            corrections[path] = replace(last, eyes=None, box=None, turned=turned)
        self._apply_corrections(f"turning {count(len(corrections))}", corrections)

    def toggle_whole(self) -> None:
        """Mark the selected photographs as cropped faces (or as uncropped), or remove the marks."""
        if self.whole.isHidden():  # an additional face cannot be the whole photograph
            return
        review, paths = self.review, self._selected()
        unsaid = any(review.correction(path).cropped is None for path in paths)
        cropped = not review.preparation.already_cropped if unsaid else None
        corrections = {
            path: Correction(cropped=cropped, turned=review.turned(path)) for path in paths
        }
        self._apply_corrections(f"marking {count(len(corrections))}", corrections)

    def search_again(self) -> None:
        """Search the selected photographs for faces again, more thoroughly."""
        corrections = {}
        for path in self._selected():
            turned = self.review.correction(path).turned
            corrections[path] = Correction(cropped=False, thorough=True, turned=turned)
        self._apply_corrections(f"searching {count(len(corrections))} again", corrections)

    def toggle_left_out(self) -> None:
        """Leave out the selected photographs, or include them again if all of them are left out."""
        paths = self._selected()
        if paths and self.leave_out.isVisibleTo(self):
            self.review.leave_out(paths, not set(paths) <= self.review.left_out)
            self.changed.emit()

    def undo(self) -> None:
        """Undo the last correction, and emit `undone` with the first photograph affected."""
        paths = self.review.undo()
        self._start(self.review.tasks(paths))
        self.changed.emit()
        if paths:
            self.undone.emit(str(paths[0]))

    def _apply_corrections(self, title: str, corrections: Mapping[Path, Correction]) -> None:
        if corrections:
            self.review.correct(title, corrections)
            self._start(self.review.tasks(list(corrections)))
            self.changed.emit()

    # Reading

    def search(self, path: Path) -> None:
        """Find all faces in a photograph, so that they can be numbered, unless already done."""
        review, reading = self.review, self.review.current_reading(path)
        if reading and not (reading.unreadable or review.detected_eyes(path) or reading.faces):
            self._start([review.detection_task(reading.photo)])

    def _start(self, tasks: Iterable[ReadTask]) -> None:
        """Read photographs in a job, except those already read or being read."""
        review, preparation = self.review, self.review.preparation
        keys = {(review, task.photo.path, task.correction, preparation): task for task in tasks}
        tasks = [task for key, task in keys.items() if key not in self._started]
        self._started |= keys.keys()
        if not tasks:
            return

        def work(tick: Tick) -> list[ReviewReading]:
            readings = []
            for done, task in enumerate(tasks):
                tick(done, len(tasks))
                readings.append(read_for_review(task, preparation, review.enrolled))
            return readings

        def arrived(readings: Iterable[ReviewReading]) -> None:
            for reading in readings:
                review.add_reading(reading)
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            """Record the error as the photographs' reading, so that nothing waits for them."""
            arrived(
                ReviewReading(
                    task.photo,
                    unreadable=Concern("unreadable", str(error)),
                    correction=task.correction,
                    preparation=preparation,
                )
                for task in tasks
                if review.current_reading(task.photo.path) is None
            )

        self.jobs.start(
            *(JobKind.READ_AGAIN, "Searching again", work, arrived, failed),
            key=tuple(keys),  # so that it does not replace an earlier job
            cancelled="The photo could not be read.",
        )

    def _load(self, key: tuple[Path, int]) -> None:
        """Load a photograph at the editor's size. ``key`` holds its path and quarter turns."""

        def work(_tick: Tick) -> QImage:
            return rgb_image(colours(read_bytes(key[0]), LONGEST_SHOWN, key[1]))

        def loaded(image: QImage) -> None:
            self._large = key, image
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            self._started.add(key)  # the small copy has to do
            self._session.show_error(error)
            self.changed.emit()  # another photograph may be shown by now

        # While another photograph is read, this one waits: it is requested again afterwards.
        if key not in self._started and not self.jobs.is_busy(JobKind.LOAD_LARGE):
            self.jobs.start(JobKind.LOAD_LARGE, "Loading", work, loaded, failed)

    # The view

    def show_entry(self, entry: Entry | None, position: str = "") -> None:
        """Show a photograph and its ``position`` in the list, or a note that none is selected."""
        title = self.review.undo_title
        self.undo_button.setEnabled(title is not None)
        self.undo_button.setToolTip(f"Undo {title} (Ctrl+Z)" if title else "")
        usable = entry is not None and not entry.passed_over
        reading = None if entry is None else entry.reading
        whole = reading is not None and reading.levels is not None and reading.eyes is None
        self.whole.setText("Find the face" if whole else "Only a face")
        self.leave_out.setText("Include" if entry and entry.by_hand else "Leave out")
        self.leave_out.setEnabled(usable)
        for part in (self.view, self.left, self.right, self.whole, self.again):
            part.setEnabled(usable and not (reading and reading.unreadable))
        if entry is None:
            self._shown = ()
            self.heading.set_full_text("")
            self.about.set_full_text("")
            self.view.show_photo(None, (1, 1))
            self.view.show_faces((), None)
            self.status.show_text("No photo is selected.", "neutral")
            return
        parts = (entry.photo.person, entry.size_words, position)
        self.heading.set_full_text(entry.photo.path.name)
        self.about.set_full_text(" · ".join(filter(None, parts)))
        self._start(self.review.tasks([entry.photo.path]))
        if reading is not None or self._shown[:2] != (self.review, entry.key):
            self._show_photo(entry)  # else it is being read again: keep the last state
        action = None
        if entry.proposed_face is not None and reading is not None:
            who = entry.photo.person or "a face"
            words = f"It is face {entry.proposed_face + 1}" if reading.several else f"It is {who}"
            action = (words, partial(self.choose_face, entry.proposed_face))
        tone, text = entry.status
        if self._waits_for_face(reading):
            how = self.view.how.text() if self.view.how.isHidden() else ""
            tone, text, action = "neutral", f"{_SHOW} {how}".strip(), None
        self.status.show_text(text, tone, action)

    def _waits_for_face(self, reading: ReviewReading | None) -> bool:
        """Return whether the user still has to mark a face."""
        if reading is None or reading.unreadable:
            return False
        return self.adds and not reading.correction.shows_face

    def _show_photo(self, entry: Entry) -> None:
        path, reading = entry.photo.path, entry.reading
        key, faces = (path, self.review.turned(path)), self.review.detected_eyes(path)
        large = self._large[1] if self._large[0] == key else None
        # The reading matters even if the eyes are equal: the last eyes may be from a box.
        inputs = (self.review, entry.key, key, large is not None, reading, *faces)
        if inputs != self._shown:
            self._shown = inputs
            small = QImage.fromData(reading.thumbnail) if reading and reading.thumbnail else None
            self.view.show_photo(large or small, reading.size if reading else (1, 1))
            chosen = None if self._waits_for_face(reading) or not reading else reading.eyes
            self.view.show_faces(faces, chosen)
        if large is None and reading is not None and reading.thumbnail:
            self._load(key)
