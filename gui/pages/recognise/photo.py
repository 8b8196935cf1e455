"""The whole photograph of a probe, with every face of it that is a probe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from eigenfaces.errors import PhotoError
from eigenfaces.photographs.decode import colours, read_bytes
from eigenfaces.photographs.photos import Eyes
from eigenfaces.recognition.probes import Probe
from gui.state.jobs import SHOW_PHOTO
from gui.state.session import Session
from gui.style import theme
from gui.style.images import rgb_image
from gui.widgets.marked_photo import MarkedPhoto, corners

_ALONE, _TOGETHER = QSize(150, 112), QSize(250, 150)
_NARROW = 0.68
_LARGEST = 2 * _TOGETHER.width()  # pixels to read, for screens of twice the density
_FRAME = 6  # px around a picture, in all
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Space: 1}


class ProbePhoto(MarkedPhoto):
    """A photograph whose faces are probes: a click or the arrow keys choose another."""

    chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__("Whole photograph")
        self._session = session
        self._file: tuple[Path, int] | None = None
        self._probes: tuple[Probe, ...] = ()
        self._at = 0
        self._narrow = False
        self.setMouseTracking(True)
        self.hide()

    def show_probe(self, probe: Probe, probes: Sequence[Probe]) -> None:
        """Show the photograph of a probe; ``probes`` are all probes, of this and other files."""
        eyes, file = _eyes(probe), _file(probe)
        self.setVisible(eyes is not None)
        if eyes is None:  # the whole photograph is the face, which is shown already
            return
        same = [each for each in probes if _file(each) == file and _eyes(each) is not None]
        if probe.photo.key not in (each.photo.key for each in same):
            same = [probe]
        keys = [each.photo.key for each in same]
        self._probes, self._at = tuple(same), keys.index(probe.photo.key)
        several = len(same) > 1
        words = f"Face {probe.number} of {probe.faces}" if probe.faces > 1 else "Whole photo"
        self.set_caption(words, "click one of them" if several else "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if several else Qt.FocusPolicy.NoFocus)
        self._fit()
        self.show_faces([one for each in same if (one := _eyes(each))], eyes)
        if file != self._file:
            self._file = file
            self.show_photo(None, probe.photo.size)
            self._read(*file, probe.photo.size)

    def set_narrow(self, narrow: bool) -> None:
        """Leave more or less room for what is beside it."""
        self._narrow = narrow
        if self._probes:
            self._fit()

    def _fit(self) -> None:
        """Take no more room than the photograph needs."""
        room = _TOGETHER if len(self._probes) > 1 else _ALONE
        if self._narrow:
            room = room * _NARROW
        height, width = self._probes[self._at].photo.size
        size = QSize(width, height).scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        around = QSize(_FRAME, _FRAME + self._words_height())
        least = QSize(theme.pixels(92), 0)  # for the text below
        self.setFixedSize((size + around).expandedTo(least))

    def _read(self, path: Path, turned: int, size: tuple[int, int]) -> None:
        def work(_tick: object) -> NDArray[np.uint8] | None:
            try:
                return colours(read_bytes(path), _LARGEST, turned)
            except PhotoError:  # the file is gone; its face was read before
                return None

        def done(picture: NDArray[np.uint8] | None) -> None:
            if self._file == (path, turned) and picture is not None:
                self.show_photo(rgb_image(picture), size)

        self._session.jobs.start(SHOW_PHOTO, f"Opening {path.name}", work, done)

    def _number(self, at: int) -> int:
        return self._probes[at].number  # others of the photograph may have left the list

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint no eye marks: they would cover the faces, which are small here."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(len(self._probes) > 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        face = self._face_at(self.meant(event.position()))
        if event.button() == Qt.MouseButton.LeftButton and face is not None:
            self._choose(face)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = len(self._probes) > 1 and self._face_at(self.meant(event.position())) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if step and len(self._probes) > 1:
            self._choose((self._at + step) % len(self._probes))
        else:
            super().keyPressEvent(event)

    def _choose(self, face: int) -> None:
        if face != self._at:
            self.chosen.emit(self._probes[face].photo.key)

    def _face_at(self, point: complex) -> int | None:
        """Return the face whose box a point lies in; of several, the nearest."""
        found = []
        for number, probe in enumerate(self._probes):
            eyes = _eyes(probe)
            if eyes is not None and abs(point - sum(corners(eyes)) / 4) <= eyes.box[2] * 0.6:
                found.append((abs(point - eyes.middle), number))
        return min(found)[1] if found else None


def _eyes(probe: Probe) -> Eyes | None:
    return probe.photo.placement.eyes


def _file(probe: Probe) -> tuple[Path, int]:
    """Return the path of a photograph, and its quarter turns."""
    return probe.photo.path, probe.photo.placement.turned
