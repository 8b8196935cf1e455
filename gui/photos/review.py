"""Review of an import: all of its photographs, one of them in the editor, and the corrections."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import map_photos
from eigenfaces.importing.correct import ReviewReading, read_for_review
from eigenfaces.importing.entries import Entry, proposed_faces
from eigenfaces.importing.review import FaceChoices, Review, Undecided
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.recognition.probes import preparation_for_adding
from eigenfaces.text import count
from ..state.jobs import JobKind
from ..state.session import Session
from ..style import theme
from ..widgets.box_layouts import in_row
from ..widgets.cards import Card
from .editor import PhotoEditor
from .grid import PhotoBrowser

_ONE_COLUMN = 244  # px, before the text scale
_ANY_WIDTH = 16_777_215  # Qt's value for no limit
_PAUSE = 300  # ms, at least, between two refreshes while photographs are read


class ReviewPanel(QWidget):
    """Panel that reads the photographs, shows the results, and applies the user's corrections."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, gallery = session, session.gallery
        self.review = Review(FoundPhotos(()), gallery.faces, gallery.preparation)
        self.grid = PhotoBrowser()
        self.editor = PhotoEditor(session, self.review, self._selected_paths)
        self.entries: dict[str, Entry] = {}
        self._named = FoundPhotos(())
        self._arrived: deque[ReviewReading] = deque()
        self._closed = self._comparing = False
        self._chosen_among: Undecided | None = None
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._cards = photos, photo = Card(), Card()
        photos.body.addWidget(self.grid)
        photo.body.addWidget(self.editor)
        in_row((photos, 7), (photo, 8), inside=self, spacing=10)
        session.jobs.progressed.connect(self._refresh_soon)
        self._soon.timeout.connect(self.refresh)
        self.grid.chosen.connect(self._show_chosen)
        self.editor.changed.connect(self.refresh)
        self.editor.undone.connect(self.grid.select)
        self.editor.listen(self.grid.photos)
        QShortcut(QKeySequence("Ctrl+Z"), self).activated.connect(self.editor.undo)

    def set_narrow(self, narrow: bool, padding: int) -> None:
        """Show the photographs in one column if ``narrow``, to leave room for the editor."""
        for card in self._cards:
            card.set_padding(padding, padding)
        self._cards[0].setMaximumWidth(theme.pixels(_ONE_COLUMN) if narrow else _ANY_WIDTH)

    # Reading

    def begin(
        self, photos: FoundPhotos, preparation: Preparation, missing: Collection[Path] = ()
    ) -> None:
        """Start the review of photographs. For ``missing``, see `Review`."""
        gallery = self.session.gallery
        preparation = preparation_for_adding(gallery, preparation)
        self.review = Review(photos, gallery.faces, preparation, missing)
        self.editor.review = self.review
        self._chosen_among = None

    def prepare(self, preparation: Preparation) -> None:
        """Crop the faces with another preparation, without searching for faces again."""
        preparation = preparation_for_adding(self.session.gallery, preparation)
        if preparation != self.review.preparation:
            self.review.preparation = preparation
            self.read()

    def read(self) -> None:
        """Read all photographs that have not been read yet, using all processor cores."""
        review, arrived = self.review, self._arrived
        tasks = {task.photo.path: task for task in review.tasks()}
        if not tasks:
            self.refresh()
            return
        preparation, enrolled = review.preparation, review.enrolled

        def read(photo: Photo) -> ReviewReading:
            return read_for_review(tasks[photo.path], preparation, enrolled)

        def work(tick: Tick) -> None:
            for reading in map_photos(read, [task.photo for task in tasks.values()], tick):
                if isinstance(reading, ReviewReading):
                    arrived.append(reading)

        def failed(error: EigenfacesError) -> None:
            self.session.show_error(error)
            self._ended()

        self.session.run(JobKind.REVIEW, "Checking the photos", work, self._ended, failed)

    @property
    def is_comparing(self) -> bool:
        """Whether the likely faces in photographs with several faces are still being determined."""
        return self.is_reading or self._comparing

    @property
    def is_reading(self) -> bool:
        """Whether photographs are being read or are waiting to be read."""
        return self.session.jobs.is_busy(JobKind.REVIEW)

    def _refresh_soon(self) -> None:
        if self._arrived and not self._soon.isActive():
            self._soon.start()

    def _ended(self, _: None = None) -> None:
        if not self._closed:
            self.refresh()

    def stop_reading(self) -> None:
        """Stop reading the photographs, because the results are no longer needed."""
        self._closed = True
        self.session.jobs.progressed.disconnect(self._refresh_soon)
        self._soon.stop()
        self.session.jobs.cancel(JobKind.REVIEW)
        self.editor.jobs.abandon()

    # The view

    def show_people(self, named: FoundPhotos) -> None:
        """Replace the names of the people in the photographs."""
        self._named = named
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of all photographs."""
        while self._arrived:
            self.review.add_reading(self._arrived.popleft())
        entries = self.review.entries(self._named)
        self.entries = {entry.key: entry for entry in entries}
        self.grid.show_entries(entries)
        self._show_guesses()
        self._show_chosen()
        if not (self.is_reading or self._closed or any(map(self.review.is_unread, entries))):
            self._choose_among(self.review.undecided(entries))
        self.changed.emit()

    def _show_chosen(self) -> None:
        keys, visible = self.grid.selected(), self.grid.visible_keys()
        place = f"{visible.index(keys[0]) + 1:,} of {len(visible):,}" if keys else ""
        self.editor.show_entry(self.entries[keys[0]] if keys else None, place)

    def _selected_paths(self) -> list[Path]:
        entries = (self.entries[key] for key in self.grid.selected())
        return [entry.photo.path for entry in entries if not entry.passed_over]

    # Guesses

    def _choose_among(self, undecided: Undecided) -> None:
        """Choose the most likely faces in a job, once all photographs have been read."""
        if undecided == self._chosen_among:
            return
        self._chosen_among = undecided

        def done(choices: FaceChoices) -> None:
            if undecided is self._chosen_among:
                self._comparing = False
                self.review.choices = choices
                self.refresh()

        def failed(error: EigenfacesError) -> None:
            self.session.show_error(error)
            done({})

        self._comparing = bool(undecided.open)
        if undecided.open:
            title = "Comparing the faces"
            work = lambda _: undecided.choices()  # noqa: E731
            self.editor.jobs.start(JobKind.CHOOSE, title, work, done, failed)

    def _show_guesses(self) -> None:
        """Show the number of guesses, and a button that confirms all of them."""
        guesses, banner = proposed_faces(self.entries.values(), guessed=True), self.grid.guessed
        banner.setVisible(bool(guesses))
        if guesses:
            number = count(len(guesses), "guess", "guesses")
            words = f"{number}: press Enter to confirm one, or 1–9 to choose another face."
            action = f"Confirm all {len(guesses):,}", partial(self._confirm, guesses)
            banner.show_text(words, "accent", action)

    def _confirm(self, faces: Mapping[Path, int]) -> None:
        """Choose these faces as a single undo step."""
        self.editor.choose_faces(f"confirming {count(len(faces), 'face')}", faces)

    def confirm_chosen(self) -> None:
        """Confirm the likely faces in the selected photographs, and select the next photograph."""
        entries = self.entries.values()
        likely = proposed_faces(entries, guessed=True) | proposed_faces(entries, guessed=False)
        chosen = {path: likely[path] for path in self._selected_paths() if path in likely}
        if chosen:
            self._confirm(chosen)
            self.grid.select_next()
