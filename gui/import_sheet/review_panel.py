"""The review of an import: all photographs, one of them in the editor, and corrections."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from eigenfaces.errors import Tick
from eigenfaces.faces.import_review import Entry, Review
from eigenfaces.faces.incoming import IncomingPhoto, Task, read_incoming
from eigenfaces.faces.intake import each_of
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.photos import FoundPhotos, Photo
from eigenfaces.photographs.placement import Eyes
from eigenfaces.samples import read_mended
from gui.import_sheet.grid import PhotoGrid
from gui.photo_editor.corrections import Corrections
from gui.photo_editor.photo_editor import BOX, EYES, PhotoEditor
from gui.state.jobs import REVIEW
from gui.state.session import Session
from gui.widgets.cards import Card

_PAUSE = 150  # ms at least between two refreshes while photographs are read
_SHARE = 10  # a refresh may take one part in so many of the time


class ReviewPanel(QWidget):
    """Reads every photograph, shows the result, and applies a person's corrections."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        gallery = session.gallery
        self.review = Review(FoundPhotos(()), gallery.faces, gallery.preparation)
        self.corrections = Corrections(self.review, self)
        self.grid = PhotoGrid()
        self.editor = PhotoEditor(session)
        self.entries: dict[str, Entry] = {}
        self._named = FoundPhotos(())
        self._arrived: deque[IncomingPhoto] = deque()
        self._tasks: list[Task] = []
        self._closed = False
        self._seconds = 0.0  # duration of the last refresh
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        self.list_card, self.editor_card = Card(), Card()
        self.list_card.body.addWidget(self.grid)
        self.editor_card.body.addWidget(self.editor)
        row.addWidget(self.list_card, 7)
        row.addWidget(self.editor_card, 8)
        self._connect()

    def _connect(self) -> None:
        editor, view = self.editor, self.editor.view
        self.session.jobs.changed.connect(self._expect)
        self._soon.timeout.connect(self.refresh)
        self.grid.chosen.connect(self._show_chosen)
        self.corrections.changed.connect(self.refresh)
        editor.step_asked.connect(self.grid.step)
        editor.turn_asked.connect(self.turn)
        editor.cropped_asked.connect(self.toggle_cropped)
        editor.left_out_asked.connect(self.toggle_left_out)
        editor.undo_asked.connect(self.undo)
        view.face_chosen.connect(self._choose_face)
        view.box_drawn.connect(self._draw_box)
        view.eyes_set.connect(self._set_eyes)
        for keys, act in (
            ("Del", self.toggle_left_out),
            ("R", lambda: self.turn(1)),
            ("Shift+R", lambda: self.turn(-1)),
            ("C", self.toggle_cropped),
            ("E", lambda: editor.set_mode(EYES)),
            ("B", lambda: editor.set_mode(BOX)),
            ("N", lambda: self.grid.step(1)),
            ("P", lambda: self.grid.step(-1)),
            ("Ctrl+Z", self.undo),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    # Reading

    def begin(self, found: FoundPhotos, preparation: Preparation) -> None:
        """Show other photographs."""
        self.review = Review(found, self.session.gallery.faces, preparation)
        self.corrections.review = self.review

    def prepare(self, preparation: Preparation) -> None:
        """Cut the faces with another preparation; faces found are not searched for again."""
        if preparation != self.review.preparation:
            self.review.preparation = preparation
            self.read()

    def read(self) -> None:
        """Read all photographs that have to be read, over all cores."""
        review, arrived = self.review, self._arrived
        review.release(self._tasks)
        tasks = {task.photo.path: task for task in review.tasks()}
        self._tasks = list(tasks.values())
        if not tasks:
            self.refresh()
            return
        preparation, enrolled = review.preparation, review.enrolled

        def read(photo: Photo) -> IncomingPhoto | None:
            task = tasks[photo.path]
            if not review.begin(task, preparation):  # the editor is reading it already
                return None
            return read_incoming(task, preparation, enrolled, read_mended)

        def work(tick: Tick) -> None:
            for result in each_of(read, [task.photo for task in tasks.values()], tick):
                if (reading := result()) is not None:
                    arrived.append(reading)

        self.session.jobs.start(
            REVIEW, "Looking at the photos", work, self._ended, cancelled=lambda: self._ended()
        )

    @property
    def is_reading(self) -> bool:
        """Whether photographs are being read, or about to be."""
        return self.session.jobs.is_busy(REVIEW)

    def _expect(self) -> None:
        """Refresh soon; later if a refresh takes long, as with thousands of photographs."""
        if self._arrived and not self._soon.isActive():
            self._soon.start(max(_PAUSE, round(_SHARE * 1000 * self._seconds)))

    def _ended(self, _: None = None) -> None:
        if not self._closed:
            self._take_arrived()
            self.review.release(self._tasks)
            self.refresh()

    def stop_reading(self) -> None:
        """Stop reading: the results are not needed any more."""
        self._closed = True
        jobs = self.session.jobs
        jobs.changed.disconnect(self._expect)
        self._soon.stop()
        jobs.cancel(REVIEW)
        self.corrections.close()

    # What is shown

    def show_people(self, named: FoundPhotos) -> None:
        """Show other names of the people on the photographs."""
        self._named = named
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of everything."""
        started = perf_counter()
        self._take_arrived()
        entries = self.review.entries(self._named)
        self.entries = {entry.key: entry for entry in entries}
        self.grid.show_entries(entries)
        self._show_chosen()
        self.changed.emit()
        self._seconds = perf_counter() - started

    def _take_arrived(self) -> None:
        while self._arrived:
            self.review.keep(self._arrived.popleft())

    def _show_chosen(self) -> None:
        chosen = self._chosen()
        self.editor.show_undo(self.review.can_undo)
        if chosen is None:
            self.editor.show_nothing()
            return
        path = chosen.photo.path
        shown = self.grid.shown()
        place = f"{shown.index(chosen.key) + 1:,} of {len(shown):,}"
        self.editor.show_entry(chosen, self.review.faces(path), place)
        self.corrections.ask_for(path)
        if chosen.reading is not None and chosen.reading.thumbnail:
            image = self.corrections.large(path)
            if image is not None:
                self.editor.show_image(image)

    def _chosen(self) -> Entry | None:
        keys = self.grid.selected()
        return self.entries.get(keys[0]) if keys else None

    # Corrections

    def turn(self, quarters: int) -> None:
        """Turn the selected photographs clockwise."""
        if paths := self._selected():
            self.corrections.turn(paths, quarters)

    def toggle_cropped(self) -> None:
        """Mark the selected photographs as cut already while others are not, or the reverse."""
        if paths := self._selected():
            self.corrections.toggle_cropped(paths)

    def toggle_left_out(self) -> None:
        """Leave out the selected photographs, or include them again."""
        if paths := self._selected():
            self.corrections.toggle_left_out(paths)

    def undo(self) -> None:
        """Undo the last correction, and select its photographs."""
        paths = self.corrections.undo()
        if paths:
            self.grid.select(str(paths[0]))

    def _selected(self) -> list[Path]:
        entries = (self.entries[key] for key in self.grid.selected())
        return [entry.photo.path for entry in entries if not entry.passed_over]

    def _choose_face(self, number: int) -> None:
        for path in self._selected()[:1]:
            self.corrections.choose_face(path, number)

    def _draw_box(self, left: float, top: float, size: float) -> None:
        for path in self._selected()[:1]:
            self.corrections.draw_box(path, (left, top, size))

    def _set_eyes(self, eyes: Eyes) -> None:
        for path in self._selected()[:1]:
            self.corrections.set_eyes(path, eyes)
