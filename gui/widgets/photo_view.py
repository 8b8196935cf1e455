"""A photograph with the faces marked on it, enlarged by the wheel.

Points are complex numbers, x + iy, in pixels of the whole photograph, as in `placement`.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)

from eigenfaces.photographs.photos import Eyes
from eigenfaces.text import count
from gui.style import theme
from gui.widgets.painted import FaceView

# A photograph is light and dark in both themes: a bright line on a dark one is always visible.
BRIGHT, HALO = QColor(theme.DARK.accent), QColor(0, 0, 0, 150)
_OTHER = QColor("#FFFFFF")
HANDLE = 10.0
"""Width in pixels of what can be taken hold of: an eye, a corner."""

_BADGE, _LEAST_BOX = 20.0, 16.0
"""Widths in pixels: of a number, and of a box that a number leaves in sight."""

_CORNERS = (0, 1, 1 + 1j, 1j)


def corners(eyes: Eyes) -> list[complex]:
    """Return the corners of a face's box, tilted as the eyes are, clockwise from the top left."""
    left, top, size = eyes.box
    tilt = eyes.across / eyes.distance
    return [eyes.middle + (complex(left, top) + size * at - eyes.middle) * tilt for at in _CORNERS]


class MarkedPhoto(FaceView):
    """Shows a photograph with its faces: the chosen one with box and eyes, others dashed."""

    def __init__(self, name: str = "Photograph with the faces found on it") -> None:
        super().__init__(size=QSize(480, 360), grows=True, name=name)
        self._extent = (1, 1)  # (h, w) of the whole photograph
        self._faces: tuple[Eyes, ...] = ()
        self._chosen: Eyes | None = None

    @property
    def extent(self) -> tuple[int, int]:
        """(h, w) of the whole photograph, of which the image may be a smaller copy."""
        return self._extent

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        """Show a photograph of (h, w) pixels; the image may be a smaller copy of it."""
        self._extent = size
        self.set_image(image)

    def show_faces(self, faces: Sequence[Eyes], chosen: Eyes | None) -> None:
        """Mark the faces; the chosen one may be none of those found."""
        self._faces, self._chosen = tuple(faces), chosen
        said = count(len(faces), "face") + " found." if faces else "No face found."
        self.setAccessibleDescription(f"{said} {_description(chosen)}")
        self.update()

    def photo_rect(self) -> QRectF:
        """Return the rectangle of the whole photograph, of which only a part may be visible."""
        return self.picture_rect()

    def seen(self, point: complex) -> QPointF:
        """Return the point of the widget where a point of the photograph is drawn."""
        rect, (height, width) = self.photo_rect(), self._extent
        x, y = point.real / width, point.imag / height
        return QPointF(rect.left() + x * rect.width(), rect.top() + y * rect.height())

    def meant(self, place: QPointF) -> complex:
        """Return the point of the photograph at a place in the widget."""
        rect, (height, width) = self.photo_rect(), self._extent
        x, y = (place.x() - rect.left()) / rect.width(), (place.y() - rect.top()) / rect.height()
        return complex(x * width, y * height)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.image is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self.picture_rect())
        for face in self._faces:
            if face != self._chosen:
                self._paint_box(painter, face, dashed=True)
        if self._chosen is not None:
            self._paint_box(painter, self._chosen, dashed=False)
        self._paint_marks(painter)
        self._paint_numbers(painter)

    def _paint_box(self, painter: QPainter, face: Eyes, *, dashed: bool) -> None:
        outline = QPainterPath()
        outline.addPolygon(QPolygonF([self.seen(corner) for corner in corners(face)]))
        outline.closeSubpath()
        if dashed:
            stroke(painter, outline, 1.5, _OTHER, [5, 4])
        else:
            stroke(painter, outline, 2)

    def _paint_numbers(self, painter: QPainter) -> None:
        """Paint the number of each face, where there are several, at the corner of its box.

        Where faces are smaller than numbers, only the chosen one has its: the others would hide
        everybody.
        """
        for at, face in enumerate(self._faces if len(self._faces) > 1 else ()):
            room = self.picture_rect()
            if not room.contains(self.seen(face.middle)):
                continue  # beside the part of the photograph that is shown
            first, second = (self.seen(corner) for corner in corners(face)[:2])
            if QLineF(first, second).length() < _LEAST_BOX and face != self._chosen:
                continue
            badge = QRectF(0, 0, _BADGE, _BADGE)
            badge.moveCenter(first)
            badge.moveLeft(min(max(badge.left(), room.left()), room.right() - _BADGE))
            badge.moveTop(min(max(badge.top(), room.top()), room.bottom() - _BADGE))
            draw_badge(painter, badge, self._number(at), meant=face == self._chosen)

    def _number(self, at: int) -> int:
        """Return the number that is shown at one of the faces."""
        return at + 1

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint what lies above the boxes: a dot on each eye of the chosen face."""
        if self._chosen is not None:
            for eye in (self._chosen.left, self._chosen.right):
                ring = QPainterPath()
                ring.addEllipse(self.seen(complex(*eye)), HANDLE / 2, HANDLE / 2)
                stroke(painter, ring, 2)


def draw_badge(painter: QPainter, place: QRectF, number: int, *, meant: bool) -> None:
    """Paint a face's number on a round badge, bright for the face that is meant."""
    painter.save()
    painter.setPen(QPen(HALO, 1))
    painter.setBrush(BRIGHT if meant else QColor(0, 0, 0, 220))
    painter.drawEllipse(place)
    font = theme.font(theme.SMALL, 600)
    font.setPixelSize(round(place.height() * 0.68))
    painter.setFont(font)
    painter.setPen(QColor(theme.DARK.on_accent) if meant else _OTHER)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{number}")
    painter.restore()


def stroke(
    painter: QPainter,
    path: QPainterPath,
    width: float,
    colour: QColor = BRIGHT,
    dashes: Sequence[float] = (),
) -> None:
    """Paint a line visible on light and dark: a bright line on a wider dark one."""
    pen = QPen(colour, width)
    painter.strokePath(path, QPen(HALO, width + 2.5))
    if dashes:
        pen.setDashPattern(dashes)
    painter.strokePath(path, pen)


def _description(chosen: Eyes | None) -> str:
    if chosen is None:
        return "None is chosen."
    left, top, size = chosen.box
    return f"The chosen one is {size:.0f} pixels wide, {left:.0f} from the left, {top:.0f} down."


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
