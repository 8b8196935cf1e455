"""Applies a person's corrections of photographs, in a thread beside the one that reads all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count as numbers
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QImage

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.quality import Concern
from eigenfaces.importing.correct import Correction, IncomingPhoto, Task, read_incoming
from eigenfaces.importing.review import Review
from eigenfaces.photographs.decode import LARGEST, colours, read_bytes
from eigenfaces.photographs.photos import Box, Eyes
from eigenfaces.text import count
from gui.state.jobs import LOAD_LARGE, READ_AGAIN, Jobs
from gui.style.images import rgb_image

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
        self.jobs = Jobs(failed, self)
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

        self.jobs.start(LOAD_LARGE, "Loading", work, loaded)
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
            READ_AGAIN,
            "Looking again",
            work,
            lambda readings: self._arrived(review, readings),
            about=number,
            failed=failed,
            cancelled=lambda: failed(EigenfacesError("It could not be looked at.")),
        )

    def _arrived(self, review: Review, readings: list[IncomingPhoto]) -> None:
        for made in readings:
            if made.large is not None:
                self._keep_large((made.photo.path, made.turned), rgb_image(made.large))
            review.keep(replace(made, large=None))
        self.changed.emit()
