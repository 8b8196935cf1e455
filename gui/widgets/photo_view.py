"""Views of a photograph: one for zooming, and one in which the user marks a face.

Points are complex numbers, x + iy, in pixels of the whole photograph, as in `placement`. Lengths in
the scene use the same unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMarginsF, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView

from eigenfaces.faces.read import UPRIGHT
from eigenfaces.photographs.placement import Eyes
from eigenfaces.text import count
from ..style import theme
from ..style.images import rounded
from ..style.painting import clamped, paint_no_picture
from .labels import label

# Photographs have light and dark parts: a bright line over a dark one is visible on both.
BRIGHT_COLOUR, _HALO, _WHITE = QColor(theme.DARK.accent), QColor(0, 0, 0, 150), QColor("#FFFFFF")
_Shape, _Key = Qt.CursorShape, Qt.Key

_MAX_ZOOM, _ZOOM_STEP, _NOTCH = 16.0, 1.25, 120  # most zoom; zoom per notch; Qt's units per notch
_HANDLE, _BADGE = 10.0, 20.0  # px: width of a handle, and of a number badge
_MIN_NUMBERED = 16.0  # px: the number would hide a smaller box
_MIN_HANDLED = 70.0  # px: the handles of a smaller box would cover it
_TURNER = 0.12  # distance of the ring that turns the box, as a share of its size
_REACH = 9.0  # px from a handle within which it is grabbed
_RADIUS = 6.0  # px, of the photograph's corners
CLICK_RADIUS = 4.0  # px that the pointer may move during a click
_MIN_EYES = 4.0  # minimum distance of the eyes in photo pixels
_GROWTH = 1.02  # factor for + and −
_KEYS = "Arrow keys move the box by 1 pixel (with Shift, 10); + and − resize it. Scroll to zoom."
_ZOOMED = "Drag outside the box to move the photo. Press 0 to show the whole photo."
_ARROWS: dict[int, complex] = {
    _Key.Key_Left: -1,
    _Key.Key_Right: 1,
    _Key.Key_Up: -1j,
    _Key.Key_Down: 1j,
}
_SIZES: dict[int, float] = {
    **dict.fromkeys((_Key.Key_Plus, _Key.Key_Equal), _GROWTH),
    **dict.fromkeys((_Key.Key_Minus, _Key.Key_Underscore), 1 / _GROWTH),
}


def box_corners(eyes: Eyes) -> list[complex]:
    """Return the corners of a face box, tilted like the eyes, clockwise from the top left."""
    left, top, size = eyes.box
    tilt = eyes.across / eyes.distance
    upright = (complex(left, top) + size * corner for corner in (0, 1, 1 + 1j, 1j))
    return [eyes.middle + (corner - eyes.middle) * tilt for corner in upright]


def face_box_path(face: Eyes) -> QPainterPath:
    """Return the outline of a face box, in pixels of the photograph."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(end.real, end.imag) for end in box_corners(face)]))
    path.closeSubpath()
    return path


def paint_haloed(
    painter: QPainter,
    path: QPainterPath,
    width: float,
    colour: QColor = BRIGHT_COLOUR,
    dashes: Sequence[float] = (),
) -> None:
    """Paint a line ``width`` px wide with a dark halo, so that it is visible on any background."""
    for ink, px in ((_HALO, width + 2.5), (colour, width)):
        pen = QPen(ink, px)
        pen.setCosmetic(True)
        if dashes and ink is colour:
            pen.setDashPattern(dashes)
        painter.strokePath(path, pen)


def draw_badge(painter: QPainter, box: QRectF, number: int, *, chosen: bool) -> None:
    """Paint the number of a face on a round badge, which is bright for the chosen face."""
    painter.save()
    painter.setPen(QPen(_HALO, 1))
    painter.setBrush(BRIGHT_COLOUR if chosen else QColor(0, 0, 0, 220))
    painter.drawEllipse(box)
    font = theme.font(theme.SMALL_FONT, 600)
    font.setPixelSize(round(box.height() * 0.68))
    painter.setFont(font)
    painter.setPen(QColor(theme.DARK.on_accent) if chosen else _WHITE)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{number}")
    painter.restore()


class PhotoView(QGraphicsView):
    """Zoomable view of a photograph; subclasses paint over the photograph in view coordinates."""

    zoomed = Signal()
    margins = QMarginsF(3, 3, 3, 3)
    """The margins in pixels around the photograph when all of it is visible."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.image: QImage | None = None
        self.extent = (1, 1)
        self.zoom = 1.0
        self.setScene(QGraphicsScene(self))
        self._picture = self.scene().addPixmap(QPixmap())
        self._scaled: dict[int, QPixmap] = {}  # the scaled photograph by enlargement …
        self._scaled_for: tuple[object, ...] = ()  # … for this image, size and screen
        self._picture.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setTransformationAnchor(self.ViewportAnchor.NoAnchor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        """Show a photograph of (h, w) pixels; ``image`` may be a smaller copy."""
        if image is None or size != self.extent:
            self.zoom = 1.0
            self.zoomed.emit()
        self.image, self.extent = image, (max(size[0], 1), max(size[1], 1))
        self._fit()

    def to_view(self, point: complex) -> QPointF:
        """Convert a point in the photograph to a position in the view."""
        return self.viewportTransform().map(QPointF(point.real, point.imag))

    def to_photo(self, pos: QPointF) -> complex:
        """Convert a position in the view to a point in the photograph."""
        point = self.viewportTransform().inverted()[0].map(pos)
        return complex(point.x(), point.y())

    def face_path(self, eyes: Eyes | None) -> QPainterPath:
        """Return the outline of a face or, for None, of the photograph, in view coordinates."""
        if eyes is not None:
            return self.viewportTransform().map(face_box_path(eyes))
        path = QPainterPath()
        path.addRect(self.photo_rect().adjusted(2, 2, -2, -2))
        return path

    def photo_rect(self) -> QRectF:
        """Return the rectangle of the whole photograph, which may extend beyond the view."""
        return self.viewportTransform().mapRect(QRectF(0, 0, self.extent[1], self.extent[0]))

    def picture_rect(self) -> QRectF:
        """Return the rectangle of the visible part of the photograph in the view."""
        room = QRectF(self.viewport().rect()).marginsRemoved(self.margins)
        return self.photo_rect().intersected(room)

    def show_all(self) -> None:
        """Show the whole photograph."""
        self.zoom_to(1.0, QPointF())

    def zoom_to(self, zoom: float, pos: QPointF) -> None:
        """Zoom to a factor, keeping the part of the photograph at this view position in place."""
        point, self.zoom = self.to_photo(pos), min(max(zoom, 1.0), _MAX_ZOOM)
        self._fit()
        self.pan(pos - self.to_view(point))
        self.zoomed.emit()

    def pan(self, by: QPointF) -> None:
        """Move the photograph by a distance in view pixels, stopping at its edges."""
        across, up = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() - round(by.x()))
        up.setValue(up.value() - round(by.y()))

    def _fit(self) -> None:
        height, width = self.extent
        room = QRectF(self.viewport().rect()).marginsRemoved(self.margins).size()
        scale = max(min(room.width() / width, room.height() / height), 1e-3) * self.zoom
        self.setTransform(QTransform.fromScale(scale, scale))
        self.setSceneRect(QRectF(0, 0, width, height).marginsAdded(self.margins / scale))
        picture = QPixmap()
        if self.image is not None:
            size = QSizeF(width, height) * (scale / self.zoom)
            picture = self._scaled_to(self.image, size.toSize().expandedTo(QSize(1, 1)))
            enlarged = width / picture.deviceIndependentSize().width()
            self._picture.setTransform(QTransform.fromScale(enlarged, enlarged))
        self._picture.setPixmap(picture)

    def _scaled_to(self, image: QImage, size: QSize) -> QPixmap:
        """Return the image scaled for the current zoom; ``size`` is the image size at zoom 1.

        The image is scaled once for each power of two, so that Qt never shrinks it to less than
        half when painting. If Qt shrank it further, it would skip pixels.
        """
        ratio = self.devicePixelRatioF()
        wanted = image.cacheKey(), size, ratio
        if wanted != self._scaled_for:
            self._scaled_for, self._scaled = wanted, {}
        times = 2 ** math.ceil(math.log2(self.zoom))
        if times > 1 and times * size.width() * ratio >= image.width():
            times = 0  # unscaled
        if times not in self._scaled:
            made = rounded(image, size * times, ratio, _RADIUS) if times else image
            self._scaled[times] = QPixmap.fromImage(made)
        return self._scaled[times]

    def pixels_of_screen(self) -> int:
        """Return the longer side of the screen in device pixels, enough for a full-screen view."""
        size = self.screen().size() * self.devicePixelRatioF()
        return max(size.width(), size.height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._fit()  # the view is on another screen
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.image is not None:
            notches = event.angleDelta().y() / _NOTCH
            self.zoom_to(self.zoom * _ZOOM_STEP**notches, event.position())
        event.setAccepted(self.image is not None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == _Key.Key_0:
            self.show_all()
        else:
            super().keyPressEvent(event)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint a placeholder if there is no photograph, or a frame if the view has the focus."""
        del rect
        painter.resetTransform()
        if self.image is None:
            room = QRectF(self.viewport().rect()).adjusted(2, 2, -2, -2)
            paint_no_picture(painter, room, _RADIUS)
        elif self.hasFocus():
            painter.setPen(QPen(QColor(theme.tokens().accent), 1.5, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.picture_rect().adjusted(-2, -2, 2, 2))


class _Handle(NamedTuple):
    """Draggable handle; ``follow`` returns the face that results from moving the handle.

    An ``exact`` handle sets exact eye positions instead of a rough box.
    """

    at: complex
    follow: Callable[[complex], Eyes]
    cursor: Qt.CursorShape
    exact: bool = False


@dataclass
class _Drag:
    """State of a mouse press: dragging a handle, dragging the photograph, or clicking."""

    start: QPointF
    handle: _Handle | None
    before: Eyes | None
    last: QPointF
    moving: bool = False


class FaceMarker(PhotoView):
    """View of a photograph in which the user chooses a face, draws its box or moves its eyes.

    If disabled, the view only shows the faces.
    """

    face_chosen = Signal(int)
    face_placed = Signal(object, bool)
    """Emitted with the eyes of the face, and whether they are exact or only give a rough box."""

    def __init__(self) -> None:
        super().__init__("Photo with the faces found in it")
        self.faces: tuple[Eyes, ...] = ()
        self.chosen: Eyes | None = None
        self.how = label("", "caption", wrap=True)  # the owner of the view places it below the view
        self.how.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.how.setMinimumHeight(2 * self.how.fontMetrics().height())
        self._drag: _Drag | None = None
        self._nudged = False
        self.zoomed.connect(self._refresh)

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        self._drag = None
        super().show_photo(image, size)
        self._refresh()

    def show_faces(self, faces: Sequence[Eyes], chosen: Eyes | None) -> None:
        """Mark these faces and the chosen face, which need not be one of them."""
        sentence = "No face is chosen."
        if chosen is not None:
            # A detected face can be the chosen one, even if its eyes have been moved since.
            middle = chosen.middle
            faces = [
                chosen if abs(face.middle - middle) < face.distance / 2 else face for face in faces
            ]
            left, top, size = chosen.box
            where = f"{left:.0f} from the left, {top:.0f} down."
            sentence = f"The chosen face is {size:.0f} pixels wide, {where}"
        self.faces, self.chosen = tuple(faces), chosen
        self._drag, self._nudged = None, False
        number = f"{count(len(faces), 'face')} found." if faces else "No face found."
        self.setAccessibleDescription(f"{number} {sentence}")
        self._refresh()

    def _refresh(self) -> None:
        """Repaint the view, and update the instructions below it."""
        if self.image is None:
            words = ""
        elif self.chosen is not None:
            keys = _ZOOMED if self.zoom > 1 else _KEYS
            words = f"Drag the box, a corner or an eye; the ring above turns the box. {keys}"
        elif self.faces:
            words = "Click the correct face, or drag a square around it."
        else:
            words = "Drag a square around the face, from the eyebrows to the chin."
        self.how.setText(words)
        self.viewport().update()

    # Painting, and finding parts by their position

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        if self.image is None:
            return
        for face in self.faces:
            if face != self.chosen:
                paint_haloed(painter, self.face_path(face), 1.5, _WHITE, (5, 4))
        if self.chosen is not None:
            paint_haloed(painter, self.face_path(self.chosen), 2)
        for handle in self._handles():
            box = QRectF(-_HANDLE / 2, -_HANDLE / 2, _HANDLE, _HANDLE)
            box.translate(self.to_view(handle.at))
            if handle.exact:  # an eye, which must stay visible, or the ring that turns the box
                ring = QPainterPath()
                ring.addEllipse(box)
                paint_haloed(painter, ring, 2)
            else:
                painter.fillRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), _HALO)
                painter.fillRect(box, BRIGHT_COLOUR)
        # Numbers are at the corners of the boxes, or moved into view. If the faces are smaller than
        # the numbers, only the chosen face has one, because more would hide the faces.
        room, scale = self.picture_rect(), self.transform().m11()
        for number, face in enumerate(self.faces if len(self.faces) > 1 else (), start=1):
            chosen = face == self.chosen
            large = face.box[2] * scale >= _MIN_NUMBERED
            if room.contains(self.to_view(face.middle)) and (large or chosen):
                badge = QRectF(0, 0, _BADGE, _BADGE)
                beside = QPointF(_BADGE, _BADGE) * (0.7 if chosen else 0)  # not on its handle
                badge.moveCenter(self.to_view(box_corners(face)[0]) - beside)
                draw_badge(painter, clamped(badge, room), number, chosen=chosen)

    def _handles(self) -> list[_Handle]:
        """Return the handles of the chosen face; a small face has handles only for its eyes."""
        face, handles = self.chosen, list[_Handle]()
        if face is None or not self.isEnabled():
            return handles
        if face.box[2] * self.transform().m11() >= _MIN_HANDLED:
            ends = box_corners(face)
            for number, end in enumerate(ends):
                shape = _Shape.SizeBDiagCursor if number % 2 else _Shape.SizeFDiagCursor
                handles.append(_Handle(end, partial(_resized, face, end, ends[number - 2]), shape))
            down = (ends[3] - ends[0]) * _TURNER
            ring = (ends[0] + ends[1]) / 2 - down
            if not self.picture_rect().contains(self.to_view(ring)):
                ring = (ends[2] + ends[3]) / 2 + down
            handles.append(
                _Handle(ring, partial(_turned, face, ring), _Shape.PointingHandCursor, True)
            )
        left, right = complex(*face.left), complex(*face.right)
        for eye, other in ((left, right), (right, left)):
            handles.append(_Handle(eye, partial(_eyes_of, other), _Shape.OpenHandCursor, True))
        return handles

    def _handle_at(self, place: QPointF) -> _Handle | None:
        """Return the handle at a position or, inside the chosen box, one that moves the box."""
        if self.chosen is None:
            return None
        reach = min(_REACH, self.chosen.distance * self.transform().m11() / 3)
        for handle in reversed(self._handles()):
            if _length(self.to_view(handle.at) - place) <= reach:
                return handle
        if not self.face_path(self.chosen).contains(place):
            return None
        face, start = self.chosen, self._inside(place)
        follow = lambda to: Eyes.at(face.middle + to - start, face.across)  # noqa: E731
        return _Handle(start, follow, _Shape.SizeAllCursor)

    def _face_at(self, place: QPointF) -> int | None:
        """Return the index of the smallest face at a position, other than the chosen face."""
        numbers = [
            number
            for number, face in enumerate(self.faces)
            if face != self.chosen and self.face_path(face).contains(place)
        ]
        return min(numbers, key=lambda number: self.faces[number].distance, default=None)

    def _inside(self, place: QPointF) -> complex:
        """Return the point in the photograph nearest to a position in the view."""
        point, (height, width) = self.to_photo(place), self.extent
        return complex(min(max(point.real, 0), width), min(max(point.imag, 0), height))

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self.image is None or event.button() != Qt.MouseButton.LeftButton:
            return
        handle = self._handle_at(place)
        pans = self.zoom > 1 and self.chosen is not None and self._face_at(place) is None
        if handle is None and self.picture_rect().contains(place) and not pans:
            start = self._inside(place)
            handle = _Handle(start, partial(_square, start), _Shape.CrossCursor)
        self._drag = _Drag(place, handle, self.chosen, place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place, drag = event.position(), self._drag
        if drag is None or event.buttons() == Qt.MouseButton.NoButton:
            self._show_cursor(place)
            return
        drag.moving |= _length(place - drag.start) >= CLICK_RADIUS
        if drag.handle is None:
            self.pan(place - drag.last)
            drag.last = place
        elif drag.moving:
            face = drag.handle.follow(self._inside(place))
            if face.distance >= _MIN_EYES:
                self.chosen = face
                self.viewport().update()

    def _show_cursor(self, place: QPointF) -> None:
        """Set the pointer shape to show what the user can do at a position."""
        handle = self._handle_at(place)
        if handle is not None:
            shape = handle.cursor
        elif not self.picture_rect().contains(place):
            shape = _Shape.ArrowCursor
        else:
            other = self._face_at(place) is not None
            shape = _Shape.PointingHandCursor if other else _Shape.CrossCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, self._drag = self._drag, None
        if drag is None:
            return
        number = self._face_at(event.position())
        if not drag.moving and number is not None and self._handle_at(event.position()) is None:
            self.face_chosen.emit(number)
        elif drag.handle is not None and self.chosen is not None and self.chosen != drag.before:
            tilted = abs(self.chosen.angle) > UPRIGHT
            self.face_placed.emit(self.chosen, drag.handle.exact or tilted)
        self._show_cursor(event.position())

    # The keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == _Key.Key_Escape and self._drag is not None:
            self.chosen, self._drag = self._drag.before, None
            self.viewport().update()
            return
        if self.chosen is None or not (key in _ARROWS or key in _SIZES):
            super().keyPressEvent(event)
            return
        by_ten = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = _ARROWS.get(key, 0j) * (10 if by_ten else 1)
        middle, across = self.chosen.middle + step, self.chosen.across * _SIZES.get(key, 1.0)
        if abs(across) >= _MIN_EYES:
            self.chosen, self._nudged = Eyes.at(middle, across), True
            self.viewport().update()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():  # only once for a key that is held down
            self._place_nudged()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._place_nudged()  # the key may be released in another window

    def _place_nudged(self) -> None:
        if self._nudged:
            self._nudged = False
            self.face_placed.emit(self.chosen, True)


def _length(vector: QPointF) -> float:
    return abs(complex(vector.x(), vector.y()))


def _eyes_of(one: complex, other: complex) -> Eyes:
    """Return the eyes at two points, with the point further left in the picture first."""
    left, right = sorted((one, other), key=lambda eye: eye.real)
    return Eyes((left.real, left.imag), (right.real, right.imag))


def _square(start: complex, end: complex) -> Eyes:
    """Return the eyes of a face whose square box is drawn from one corner towards a point."""
    across = end - start
    size = max(abs(across.real), abs(across.imag))
    left = start.real - (size if across.real < 0 else 0)
    top = start.imag - (size if across.imag < 0 else 0)
    return Eyes.in_box(left, top, size)


def _turned(face: Eyes, ring: complex, to: complex) -> Eyes:
    """Return the eyes after turning the box about its centre to point its ``ring`` at ``to``."""
    middle = sum(box_corners(face)) / 4
    turn = (to - middle) / (ring - middle)
    turn /= max(abs(turn), 1e-9)
    return Eyes.at(middle + (face.middle - middle) * turn, face.across * turn)


def _resized(face: Eyes, corner: complex, fixed: complex, to: complex) -> Eyes:
    """Return the eyes after resizing the box: a corner follows ``to``, the opposite stays fixed."""
    diagonal = corner - fixed
    share = max(0.0, ((to - fixed) * diagonal.conjugate()).real / abs(diagonal) ** 2)
    return Eyes.at(fixed + (face.middle - fixed) * share, face.across * share)
