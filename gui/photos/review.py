"""The review of an import: all photographs, one of them in the editor, and corrections."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.choose import EVERY
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import each_of
from eigenfaces.importing.correct import IncomingPhoto, Task, read_incoming
from eigenfaces.importing.entries import Entry
from eigenfaces.importing.review import Choices, Review, Undecided
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Photo
from eigenfaces.recognition.probes import adding_preparation
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.photos.editor import BOX, EYES, Corrections, PhotoEditor
from gui.photos.grid import ATTENTION, GUESSES, PASSES, SEVERAL, Groups, PhotoGrid
from gui.state.session import Session
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card, Shrinkable
from gui.widgets.controls import Button
from gui.widgets.face_list import Face, FaceRow
from gui.widgets.words import ElidedLabel, label

_FACE = QSize(48, 58)
_LIKE = "The share of the person’s other photos on which this face is seen again."


class WhichFace(Shrinkable):
    """Shows the faces of a photograph that may be meant; the one taken is selected."""

    taken = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.question = ElidedLabel("", "heading")
        self.confirm = Button("Confirm", "check")
        self.faces = FaceRow("Faces that may be meant", _FACE, subcaption=True)
        self._likely: int | None = None
        self._entry: Entry | None = None
        self.like = label(_LIKE, "caption", wrap=True)
        head = in_row((self.question, 1), self.confirm, spacing=8)
        in_column(head, self.faces, self.like, inside=self, spacing=4)
        self.faces.chosen.connect(lambda key: self.taken.emit(int(key)))
        self.confirm.clicked.connect(self._confirm)

    def show_entry(self, entry: Entry | None) -> bool:
        """Show the faces of a photograph; return whether a person is asked about them."""
        reading = None if entry is None or entry.passed_over else entry.reading
        several = reading is not None and reading.crops is not None
        likely = None if entry is None else entry.likely
        shown = several or likely is not None
        self.setVisible(shown)
        if entry is self._entry or entry is None or reading is None or not shown:
            return shown
        self._entry, self._likely = entry, likely
        chosen = [at for at, face in enumerate(reading.faces) if face.eyes == reading.eyes]
        person = entry.photo.person
        who = f"Which face is {person}?" if person else "All are taken. Only one?"
        keys = f"{who} Keys 1–{min(len(reading.faces), 9)}"
        self.question.set_full_text(keys if several else f"Is this {person or 'a face'}?")
        self.confirm.setVisible(likely is not None)
        if likely is not None:
            verb = "Confirm" if entry.guessed else "Take"
            self.confirm.setText(f"{verb} face {likely + 1}" if several else "It is right")
            self.confirm.setToolTip(f"It is {person}: the face with the solid box (Enter)")
        pictures = _pictures(entry)
        self.faces.show_faces(pictures)
        self.like.setVisible(any(face.subcaption for face in pictures))
        self.faces.select(*(f"{at}" for at in chosen))
        return shown

    def _confirm(self) -> None:
        if self._likely is not None:
            self.taken.emit(self._likely)


def _pictures(entry: Entry) -> list[Face]:
    reading, choice = entry.reading, entry.choice
    likeness = () if choice is None or choice is EVERY else choice.likeness
    assert reading is not None
    return [
        Face(
            f"{at}",
            as_grey(levels),
            f"{at + 1}",
            f"like {likeness[at]:.2f}" if any(likeness) else "",
            accessible=f"Face {at + 1} from the left",
        )
        for at, levels in enumerate(reading.every_crop)
    ]


_PAUSE = 150  # ms at least between two refreshes while photographs are read
_SHARE = 10  # a refresh may take one part in so many of the time


class ReviewPanel(QWidget):
    """Reads every photograph, shows the result, and applies a person's corrections."""

    changed = Signal()

    def __init__(self, session: Session, groups: Groups | None = None) -> None:
        super().__init__()
        self.session = session
        gallery = session.gallery
        self.review = Review(FoundPhotos(()), gallery.faces, gallery.preparation)
        self.corrections = Corrections(
            self.review, lambda sentence: session.say(sentence, "error"), self
        )
        self.grid = PhotoGrid(groups)
        self.editor = PhotoEditor(session)
        self.which = WhichFace()
        self.entries: dict[str, Entry] = {}
        self._named = FoundPhotos(())
        self._arrived: deque[IncomingPhoto] = deque()
        self._tasks: list[Task] = []
        self._closed = self._comparing = False
        self._chosen_among: Undecided | None = None
        self._seconds = 0.0  # duration of the last refresh
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self.list_card, self.editor_card = Card(), Card()
        self.list_card.body.addWidget(self.grid)
        self.editor_card.body.addWidget(self.editor)
        self.editor_card.body.addWidget(self.which)
        in_row((self.list_card, 7), (self.editor_card, 8), inside=self, spacing=12)
        self._connect()

    def _connect(self) -> None:
        editor, view = self.editor, self.editor.view
        self.session.jobs.progressed.connect(self._expect)
        self._soon.timeout.connect(self.refresh)
        self.grid.chosen.connect(self._show_chosen)
        self.grid.ticked.connect(self._toggle_tick)
        self.grid.filter.changed.connect(self._show_guesses)
        self.corrections.changed.connect(self.refresh)
        editor.step_asked.connect(self.grid.step)
        editor.turn_asked.connect(self.turn)
        editor.cropped_asked.connect(self.toggle_cropped)
        editor.left_out_asked.connect(self.toggle_left_out)
        editor.undo_asked.connect(self.undo)
        view.face_chosen.connect(self.choose_face)
        self.which.taken.connect(self.choose_face)
        view.box_drawn.connect(self._draw_box)
        view.eyes_set.connect(self._set_eyes)
        QShortcut(QKeySequence("Ctrl+Z"), self).activated.connect(self.undo)
        keys: dict[str, Callable[[], object]] = {
            "Del": self.toggle_left_out,
            "R": lambda: self.turn(1),
            "Shift+R": lambda: self.turn(-1),
            "C": self.toggle_cropped,
            "E": lambda: editor.set_mode(EYES),
            "B": lambda: editor.set_mode(BOX),
            "N": lambda: self.grid.step(1),
            "P": lambda: self.grid.step(-1),
            **{f"{number + 1}": partial(self.choose_face, number) for number in range(9)},
        }
        for (key, act), at in product(keys.items(), (view, self.grid.photos, self.which.faces)):
            only_there = Qt.ShortcutContext.WidgetShortcut
            QShortcut(QKeySequence(key), at, context=only_there).activated.connect(act)

    # Reading

    def begin(self, found: FoundPhotos, preparation: Preparation) -> None:
        """Show other photographs."""
        gallery = self.session.gallery
        adding = partial(adding_preparation, gallery)
        self.review = Review(found, gallery.faces, preparation, adding)
        self.corrections.review = self.review
        self._chosen_among = None

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
        preparation, enrolled, adding = review.preparation, review.enrolled, review.adding

        def read(photo: Photo) -> IncomingPhoto | None:
            task = tasks[photo.path]
            if not review.begin(task, preparation):  # the editor is reading it already
                return None
            return read_incoming(task, preparation, enrolled, adding)

        def work(tick: Tick) -> None:
            for reading in each_of(read, [task.photo for task in tasks.values()], tick):
                if isinstance(reading, IncomingPhoto):
                    arrived.append(reading)

        def failed(error: EigenfacesError) -> None:
            self.session.tell(error)
            self._ended()

        self.session.jobs.start("review", "Looking at the photos", work, self._ended, failed)

    @property
    def is_comparing(self) -> bool:
        """Whether it is not known yet which of several faces are likely to be meant."""
        return self.is_reading or self._comparing

    @property
    def is_reading(self) -> bool:
        """Whether photographs are being read, or about to be."""
        return self.session.jobs.is_busy("review")

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
        jobs.progressed.disconnect(self._expect)
        self._soon.stop()
        jobs.cancel("review")
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
        counts = {kind: sum(map(PASSES[kind], entries)) for kind in self.grid.filter.kinds}
        self.entries = {entry.key: entry for entry in entries}
        self.grid.show_entries(entries, counts)
        self._show_guesses()
        self._show_chosen()
        if not (self.is_reading or self._closed or any(map(self.review.is_unread, entries))):
            self._choose_among(self.review.undecided(entries))
        self._seconds = perf_counter() - started
        self.changed.emit()

    # Guesses

    def _choose_among(self, undecided: Undecided) -> None:
        """Choose the faces that are likely to be meant, once everything has been read."""
        if undecided == self._chosen_among:
            return
        self._chosen_among = undecided

        def done(choices: Choices) -> None:
            if undecided is self._chosen_among:
                self._comparing = False
                self.review.choices = choices
                self.refresh()

        def failed(error: EigenfacesError) -> None:
            self.session.tell(error)
            done({})

        self._comparing = bool(undecided.found)
        if undecided.found:
            title = "Comparing the faces"
            self.corrections.jobs.start("choose", title, undecided.choices, done, failed)

    def _show_guesses(self) -> None:
        """Show how many faces are likely to be meant, and how to confirm them in one go."""
        looking, guesses = self.grid.filter.current, self.likely(guessed=True)
        likely = self._likely_of_several() if looking in (ATTENTION, SEVERAL) else {}
        self.grid.guessed.setVisible(bool(guesses or likely))
        if likely:
            number = count(len(likely), "likely face")
            words, does = f"{number}: look, and take all.", f"Take all {len(likely):,}"
            self.grid.guessed.show_text(
                words, "accent", (does, lambda: self._confirm("taking", likely))
            )
        elif guesses:
            number = count(len(guesses), "guess", "guesses")
            if self.grid.ticks:
                self.grid.guessed.hide()  # the button below confirms those with a tick
            elif looking == GUESSES:
                does = f"Confirm all {len(guesses):,}"
                words = f"{number}: Enter confirms one, 1–9 takes another face."
                self.grid.guessed.show_text(words, "accent", (does, self.confirm_guesses))
            else:
                look = "Look at them", lambda: self.grid.filter.set_current(GUESSES)
                self.grid.guessed.show_text(f"{number}: look, and confirm all.", "accent", look)

    def likely(self, *, guessed: bool) -> dict[Path, int]:
        """Return the photographs with a guess, or those that wait, and the face that is likely."""
        return {
            entry.photo.path: entry.likely
            for entry in self.entries.values()
            if entry.likely is not None and entry.guessed == guessed
        }

    def _likely_of_several(self) -> dict[Path, int]:
        """Return those that wait since one of several faces is meant: not what may be no face."""
        entries = (entry for entry in self.entries.values() if entry.concerns)
        several = {e.photo.path for e in entries if e.concerns[0].kind == "several faces"}
        likely = self.likely(guessed=False)
        return {path: face for path, face in likely.items() if path in several}

    def confirm_guesses(self) -> None:
        """Confirm all guesses that are not left open."""
        self._confirm("confirming", self.ticked())

    def ticked(self) -> dict[Path, int]:
        """Return the photographs whose guess is not left open, and the face guessed."""
        left_open = self.review.left_open
        likely = self.likely(guessed=True)
        return {path: face for path, face in likely.items() if path not in left_open}

    def _toggle_tick(self, key: str) -> None:
        entry = self.entries[key]
        if entry.guessed:
            self.review.leave_open([entry.photo.path])
            self.refresh()

    def _confirm(self, verb: str, faces: Mapping[Path, int]) -> None:
        """Take these faces in one step, which can be undone."""
        if faces:
            self.corrections.choose_faces(f"{verb} {count(len(faces), 'face')}", faces)

    def confirm_chosen(self) -> None:
        """Take the likely faces of the selected photographs, and go on to the next one."""
        likely = self.likely(guessed=True) | self.likely(guessed=False)
        chosen = {path: likely[path] for path in self._selected() if path in likely}
        if chosen:
            self._confirm("confirming", chosen)
            self.grid.step(1)

    def _take_arrived(self) -> None:
        while self._arrived:
            self.review.keep(self._arrived.popleft())

    def _show_chosen(self) -> None:
        chosen = self._chosen()
        self.editor.show_undo(self.review.can_undo)
        self.editor.steps.setVisible(not self.which.show_entry(chosen))
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

    def choose_face(self, number: int) -> None:
        """Take one of the faces of the selected photograph, counted from the left."""
        for path in self._selected()[:1]:
            if number < len(self.review.faces(path)):
                self.corrections.choose_faces("choosing the face", {path: number})

    def _draw_box(self, left: float, top: float, size: float) -> None:
        for path in self._selected()[:1]:
            self.corrections.draw_box(path, (left, top, size))

    def _set_eyes(self, eyes: Eyes) -> None:
        for path in self._selected()[:1]:
            self.corrections.set_eyes(path, eyes)
