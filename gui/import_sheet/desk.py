"""The photographs of an import laid out: all of them, the one in the clinic, and what is done."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from eigenfaces.errors import Tick
from eigenfaces.faces.face_set import each_of
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.photos import FoundPhotos
from eigenfaces.photographs.placement import Eyes
from gui.import_sheet.clinic import BOX, EYES, Clinic
from gui.import_sheet.grid import PhotoGrid
from gui.import_sheet.looks import Known, Look, look
from gui.import_sheet.mending import Mending
from gui.import_sheet.review import Entry, Review
from gui.state.session import Session
from gui.widgets.cards import Card

_PAUSE = 150  # ms at least between two looks at what has come in
_SHARE = 10  # of the time between them, one part is spent on showing it


class Desk(QWidget):
    """Looks at every photograph, shows what came of it, and carries out what somebody says."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        gallery = session.gallery
        self.review = Review(FoundPhotos(()), Known(gallery.faces), gallery.preparation)
        self.mending = Mending(self.review, self)
        self.grid = PhotoGrid()
        self.clinic = Clinic(session)
        self.entries: dict[str, Entry] = {}
        self._named = FoundPhotos(())
        self._arrived: deque[Look] = deque()
        self._closed = False
        self._seconds = 0.0  # that the last refresh took
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        self.list_card, self.clinic_card = Card(), Card()
        self.list_card.body.addWidget(self.grid)
        self.clinic_card.body.addWidget(self.clinic)
        row.addWidget(self.list_card, 7)
        row.addWidget(self.clinic_card, 8)
        self._connect()

    def _connect(self) -> None:
        clinic, view = self.clinic, self.clinic.view
        self.session.jobs.changed.connect(self._expect)
        self._soon.timeout.connect(self.refresh)
        self.grid.chosen.connect(self._show_chosen)
        self.mending.changed.connect(self.refresh)
        clinic.step_asked.connect(self.grid.step)
        clinic.turn_asked.connect(self.turn)
        clinic.cropped_asked.connect(self.toggle_cropped)
        clinic.left_out_asked.connect(self.toggle_left_out)
        clinic.undo_asked.connect(self.undo)
        view.face_chosen.connect(self._choose_face)
        view.box_drawn.connect(self._draw_box)
        view.eyes_set.connect(self._set_eyes)
        for keys, act in (
            ("Del", self.toggle_left_out),
            ("R", lambda: self.turn(1)),
            ("Shift+R", lambda: self.turn(-1)),
            ("C", self.toggle_cropped),
            ("E", lambda: clinic.set_mode(EYES)),
            ("B", lambda: clinic.set_mode(BOX)),
            ("N", lambda: self.grid.step(1)),
            ("P", lambda: self.grid.step(-1)),
            ("Ctrl+Z", self.undo),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    # Looking

    def begin(self, found: FoundPhotos, preparation: Preparation) -> None:
        """Lay out other photographs."""
        self.review = Review(found, Known(self.session.gallery.faces), preparation)
        self.mending.review = self.review

    def prepare(self, preparation: Preparation) -> None:
        """Cut the faces otherwise; nothing is searched for again that was found."""
        if preparation != self.review.preparation:
            self.review.preparation = preparation
            self.look()

    def look(self) -> None:
        """Look at all photographs that have to be looked at, over all cores."""
        tasks = {task.photo.path: task for task in self.review.tasks()}
        if not tasks:
            self.refresh()
            return
        preparation, known, arrived = self.review.preparation, self.review.known, self._arrived

        def work(tick: Tick) -> None:
            photos = [task.photo for task in tasks.values()]
            for done in each_of(lambda p: look(tasks[p.path], preparation, known), photos, tick):
                arrived.append(done())

        jobs = self.session.jobs
        jobs.start(
            "look", "Looking at the photos", work, self._looked, cancelled=lambda: self._looked()
        )

    @property
    def is_looking(self) -> bool:
        """Whether photographs are being looked at, or about to be."""
        return self.session.jobs.is_busy("look")

    def _expect(self) -> None:
        """Show before long what has come in; the later, the longer that takes with thousands."""
        if self._arrived and not self._soon.isActive():
            self._soon.start(max(_PAUSE, round(_SHARE * 1000 * self._seconds)))

    def _looked(self, _: None = None) -> None:
        if not self._closed:
            self.refresh()

    def close_down(self) -> None:
        """Look no further: nobody waits for what comes of it."""
        self._closed = True
        jobs = self.session.jobs
        jobs.changed.disconnect(self._expect)
        self._soon.stop()
        jobs.drop("look")
        if jobs.current is not None and jobs.current.kind == "look":
            jobs.cancel()
        self.mending.close()

    # What is shown

    def show_people(self, named: FoundPhotos) -> None:
        """Name the people on the photographs otherwise."""
        self._named = named
        self.refresh()

    def refresh(self) -> None:
        """Show everything as it is by now."""
        started = perf_counter()
        while self._arrived:
            self.review.put(self._arrived.popleft())
        entries = self.review.entries(self._named)
        self.entries = {entry.key: entry for entry in entries}
        self.grid.show_entries(entries)
        self._show_chosen()
        self.changed.emit()
        self._seconds = perf_counter() - started

    def _show_chosen(self) -> None:
        chosen = self._chosen()
        self.clinic.show_undo(self.review.can_undo)
        if chosen is None:
            self.clinic.show_nothing()
            return
        path = chosen.photo.path
        shown = self.grid.shown()
        place = f"{shown.index(chosen.key) + 1:,} of {len(shown):,}"
        self.clinic.show_entry(chosen, self.review.faces(path), place)
        self.mending.ask_for(path)
        if chosen.look is not None and chosen.look.thumbnail:
            image = self.mending.large(path)
            if image is not None:
                self.clinic.show_image(image)

    def _chosen(self) -> Entry | None:
        keys = self.grid.selected()
        return self.entries.get(keys[0]) if keys else None

    # What is said

    def turn(self, quarters: int) -> None:
        """Turn the selected photographs clockwise."""
        if paths := self._selected():
            self.mending.turn(paths, quarters)

    def toggle_cropped(self) -> None:
        """Say that the selected photographs are unlike the others: faces already, or not."""
        if paths := self._selected():
            self.mending.toggle_cropped(paths)

    def toggle_left_out(self) -> None:
        """Leave the selected photographs out, or take them back."""
        if paths := self._selected():
            self.mending.toggle_left_out(paths)

    def undo(self) -> None:
        """Take back the last correction, and show what it was about."""
        paths = self.mending.undo()
        if paths:
            self.grid.select(str(paths[0]))

    def _selected(self) -> list[Path]:
        entries = (self.entries[key] for key in self.grid.selected())
        return [entry.photo.path for entry in entries if not entry.passed_over]

    def _choose_face(self, number: int) -> None:
        for path in self._selected()[:1]:
            self.mending.choose_face(path, number)

    def _draw_box(self, left: float, top: float, size: float) -> None:
        for path in self._selected()[:1]:
            self.mending.draw_box(path, (left, top, size))

    def _set_eyes(self, eyes: Eyes) -> None:
        for path in self._selected()[:1]:
            self.mending.set_eyes(path, eyes)
