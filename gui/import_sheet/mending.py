"""Carries out what somebody says about photographs, in a thread beside the one that looks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import count as numbers
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QImage

from eigenfaces.errors import Tick
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.placement import Eyes
from eigenfaces.photographs.thumbnails import LARGEST, colours
from eigenfaces.samples import read_mended
from eigenfaces.wording import count
from gui.import_sheet.looks import Box, Choice, Look, look
from gui.import_sheet.review import Review
from gui.state.jobs import Jobs
from gui.style.images import rgb_image

_KEPT = 6
"""Photographs kept at the size of the clinic, for going back and forth."""


class Mending(QObject):
    """Corrections to the photographs of a review: said at once, looked at as soon as can be."""

    changed = Signal()

    def __init__(self, review: Review, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.review = review
        self.jobs = Jobs(self)
        self._number = numbers()
        self._under_way: set[tuple[Path, Choice, Preparation]] = set()
        self._large: dict[tuple[Path, int], QImage] = {}
        self._loading: tuple[Path, int] | None = None
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self.jobs.close)

    # What can be said

    def set_eyes(self, path: Path, eyes: Eyes) -> None:
        """Say where the eyes are."""
        turned = self.review.turned(path)
        self._correct("setting the eyes", {path: Choice(eyes=eyes, turned=turned)})

    def draw_box(self, path: Path, box: Box) -> None:
        """Say that the face lies in this box; it is aligned there."""
        turned = self.review.turned(path)
        self._correct("drawing the box", {path: Choice(box=box, turned=turned)})

    def choose_face(self, path: Path, number: int) -> None:
        """Say which of the faces found is meant."""
        turned = self.review.turned(path)
        eyes = self.review.faces(path)[number]
        self._correct("choosing the face", {path: Choice(eyes=eyes, turned=turned)})

    def turn(self, paths: Collection[Path], quarters: int) -> None:
        """Turn photographs clockwise, and look for their faces again."""
        said = {}
        for path in paths:
            choice = self.review.choice(path)
            turned = (self.review.turned(path) + quarters) % 4
            said[path] = replace(choice, eyes=None, box=None, turned=turned)
        self._correct(f"turning {count(len(paths))}", said)

    def toggle_cropped(self, paths: Collection[Path]) -> None:
        """Say that photographs are not like the others: faces already, or not."""
        said = {}
        for path in paths:
            choice = self.review.choice(path)
            other = None if choice.cropped is not None else not self._all_cropped
            said[path] = Choice(cropped=other, turned=self.review.turned(path))
        self._correct(f"marking {count(len(paths))}", said)

    def toggle_left_out(self, paths: Collection[Path]) -> None:
        """Leave photographs out; take them back if all of them are."""
        self.review.leave_out(paths, not set(paths) <= self.review.left_out)
        self.changed.emit()

    def undo(self) -> list[Path]:
        """Take back the last correction; return the photographs that it was about."""
        paths = self.review.undo()
        self._look(paths)
        self.changed.emit()
        return paths

    @property
    def _all_cropped(self) -> bool:
        return self.review.preparation.already_cropped

    # Carrying it out

    def ask_for(self, path: Path) -> None:
        """Look at a photograph now, unless that has been done."""
        self._look([path])

    def large(self, path: Path) -> QImage | None:
        """Give the photograph as large as the clinic shows it; at first None, until `changed`."""
        turned = self.review.turned(path)
        if (path, turned) in self._large or (path, turned) == self._loading:
            return self._large.get((path, turned))
        self._loading = path, turned

        def work(tick: Tick) -> QImage:
            tick(0, 0)
            return rgb_image(colours(read_mended(path), LARGEST, turned))

        def keep(image: QImage) -> None:
            self._large[path, turned], self._loading = image, None
            while len(self._large) > _KEPT:
                del self._large[next(iter(self._large))]
            self.changed.emit()

        self.jobs.start("load", "Loading", work, keep, failed=lambda _: None)
        return None

    def close(self) -> None:
        """Stop, and wait for the thread."""
        self.jobs.close()

    def _correct(self, title: str, choices: dict[Path, Choice]) -> None:
        self.review.correct(title, choices)
        self._look(list(choices))
        self.changed.emit()

    def _look(self, paths: Sequence[Path]) -> None:
        preparation, known = self.review.preparation, self.review.known
        tasks = {(t.photo.path, t.choice, preparation): t for t in self.review.tasks(paths)}
        tasks = {key: task for key, task in tasks.items() if key not in self._under_way}
        if not tasks:
            return
        self._under_way |= tasks.keys()

        def work(tick: Tick) -> list[Look]:
            looks = []
            for done, task in enumerate(tasks.values()):
                tick(done, len(tasks))
                looks.append(look(task, preparation, known))
            return looks

        # Every kind is another: what was asked for before is to be done, too.
        self.jobs.start(f"look {next(self._number)}", "Looking again", work, self._arrived)

    def _arrived(self, looks: list[Look]) -> None:
        for made in looks:
            self._under_way.discard((made.photo.path, made.choice, made.preparation))
            self.review.put(made)
        self.changed.emit()
