"""A photograph that the wheel enlarges, with the numbers of the faces found on it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath, QWheelEvent

from eigenfaces.photographs.photos import Eyes
from gui.widgets.marked_photo import MarkedPhoto

_MOST = 16.0  # times
_STEP = 1.25  # for a notch of the wheel
_NOTCH = 120  # as Qt counts


class ZoomedPhoto(MarkedPhoto):
    """A marked photograph of which a part may be shown, and whose faces have numbers."""

    zoomed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.zoom = 1.0
        self._corner = 0j  # what is cut off at the left and top, in sizes of the unzoomed picture
        self._panned: tuple[QPointF, complex] | None = None  # where a pan began, and its corner

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        if image is None or size != self._extent:
            self.show_all()
        super().show_photo(image, size)

    def show_faces(self, faces: Sequence[Eyes], chosen: Eyes | None) -> None:
        # A face that was found and is chosen is the same face, though its eyes were set since.
        if chosen is not None:
            faces = [chosen if _same(face, chosen) else face for face in faces]
        super().show_faces(faces, chosen)

    def numbers_chosen(self) -> list[int]:
        """Return the number, from 0, of the face found that is the chosen one; none if none is."""
        return [at for at, face in enumerate(self._faces) if face == self._chosen]

    def photo_rect(self) -> QRectF:
        rect = self.picture_rect()
        left = rect.left() - self._corner.real * rect.width()
        top = rect.top() - self._corner.imag * rect.height()
        return QRectF(left, top, rect.width() * self.zoom, rect.height() * self.zoom)

    def show_all(self) -> None:
        """Show the whole photograph."""
        self.zoom_to(1.0, QPointF())

    def zoom_to(self, zoom: float, place: QPointF) -> None:
        """Enlarge the photograph, while what is at a place of the widget stays there."""
        rect, zoom = self.picture_rect(), min(max(zoom, 1.0), _MOST)
        at = complex(
            (place.x() - rect.left()) / max(rect.width(), 1),
            (place.y() - rect.top()) / max(rect.height(), 1),
        )
        corner = (at + self._corner) * (zoom / self.zoom) - at
        self.zoom = zoom
        self._move_to(corner)
        self.zoomed.emit()

    def _move_to(self, corner: complex) -> None:
        most = self.zoom - 1
        self._corner = complex(min(max(corner.real, 0), most), min(max(corner.imag, 0), most))
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.image is None:
            super().wheelEvent(event)
            return
        self.zoom_to(self.zoom * _STEP ** (event.angleDelta().y() / _NOTCH), event.position())
        event.accept()

    def _paint_picture(self, painter: QPainter, rect: QRectF, outline: QPainterPath) -> None:
        if self.image is None or self.zoom == 1:
            super()._paint_picture(painter, rect, outline)
            return
        painter.save()
        painter.setClipPath(outline)
        part = QRectF(self._corner.real, self._corner.imag, 1, 1)
        width, height = self.image.width() / self.zoom, self.image.height() / self.zoom
        source = QRectF(part.left() * width, part.top() * height, width, height)
        painter.drawImage(rect, self.image, source)
        painter.restore()

    def begin_pan(self, place: QPointF) -> None:
        """Let the photograph follow the pointer from here."""
        self._panned = place, self._corner

    def pan_to(self, place: QPointF) -> None:
        """Move the photograph with the pointer."""
        if self._panned is not None:
            rect, (start, corner) = self.picture_rect(), self._panned
            moved = place - start
            self._move_to(corner - complex(moved.x() / rect.width(), moved.y() / rect.height()))

    def end_pan(self) -> None:
        """Leave the photograph where it is."""
        self._panned = None


def _same(face: Eyes, chosen: Eyes) -> bool:
    """Return whether two pairs of eyes are those of one face: half an eye distance apart."""
    return abs(face.middle - chosen.middle) < face.distance / 2
