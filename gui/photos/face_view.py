"""A photograph on which people choose a face and set its place, by mouse or keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPolygonF,
)

from eigenfaces.faces.read import UPRIGHT
from eigenfaces.photographs.photos import Eyes
from gui.style import theme
from gui.widgets.photo_view import BRIGHT, HALO, HANDLE, ZoomedPhoto, corners, stroke

Mode = Literal["box", "eyes"]
_Shape = Qt.CursorShape

_REACH = 9.0  # px from a handle within which it is grabbed
_WANDER = 4.0  # px that the pointer may move during a click
_ROOM = 70.0  # px: the handles of a smaller box would cover it
_LEAST = 4.0  # photo pixels between two eyes
_GROWTH = 1.02  # by + and −
_TURNER = 0.12  # of the box's size from it to the handle that turns it
_KEYS = "Arrow keys move it by a pixel (Shift: by 10), + and − resize it. The wheel zooms."
_CLOSE = "Drag beside it to move the photograph, with Shift to draw. 0 shows all of it."
_ARROWS: dict[int, complex] = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -1j,
    Qt.Key.Key_Down: 1j,
}
_SIZES: dict[int, float] = {
    Qt.Key.Key_Plus: _GROWTH,
    Qt.Key.Key_Equal: _GROWTH,
    Qt.Key.Key_Minus: 1 / _GROWTH,
    Qt.Key.Key_Underscore: 1 / _GROWTH,
}


@dataclass(frozen=True)
class _Grip:
    """What is dragged, and how the chosen face follows the pointer."""

    follow: Callable[[complex], Eyes]
    cursor: Qt.CursorShape
    is_eye: bool = False


class PhotoView(ZoomedPhoto):
    """A photograph on which a person chooses a face, draws its box, or sets its eyes.

    A box drawn or dragged is rough and reported as a box; one that was turned, and the keys, set
    exact eyes.
    """

    face_chosen = Signal(int)
    box_drawn = Signal(float, float, float)
    eyes_set = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._mode: Mode = "box"
        self._first: complex | None = None  # the eye clicked first, until the second is clicked
        self._pressed: QPointF | None = None
        self._grip: _Grip | None = None  # what is dragged, once the pointer has moved
        self._before: Eyes | None = None  # the chosen face before the drag
        self._nudged = False
        self.zoomed.connect(self._show_how)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._show_how()

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        self._first = self._pressed = self._grip = None
        super().show_photo(image, size)
        self._show_how()

    def show_faces(self, faces: Sequence[Eyes], chosen: Eyes | None) -> None:
        self._pressed = self._grip = None
        self._nudged = False
        super().show_faces(faces, chosen)
        self._show_how()

    def set_mode(self, mode: Mode) -> None:
        """Choose whether dragging draws a ``box`` or two clicks set the ``eyes``."""
        self._mode, self._first = mode, None
        self._show_how()
        self.update()

    def _show_how(self) -> None:
        """Show below the photograph what can be done now, always in two lines."""
        if self.image is None:
            self.set_caption("")
        elif self._first is not None:
            self.set_caption("Now click the other eye.", "Esc takes the first one back.")
        elif self._mode == "eyes":
            self.set_caption("Click one eye, then the other.", "Click the middle of each pupil.")
        elif self._chosen is not None:
            close = self.zoom > 1
            words = "Drag the box, a corner or an eye; the ring turns it."
            self.set_caption(words, _CLOSE if close else _KEYS)
        elif self._faces:
            self.set_caption("Click the face that is meant,", "or drag a square around it.")
        else:
            self.set_caption("Drag a square around the face,", "from the brows to the chin.")

    def minimumSizeHint(self) -> QSize:
        # The line about what can be done is never cut.
        words = QFontMetrics(theme.font(theme.SMALL)).horizontalAdvance(_KEYS)
        return super().minimumSizeHint().expandedTo(QSize(words + 8, theme.pixels(120)))

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.image is not None and self._pans(event):
            self.begin_pan(event.position())
            self.setCursor(_Shape.ClosedHandCursor)
            return
        if event.button() == Qt.MouseButton.LeftButton and self.image is not None:
            self._pressed, self._before = event.position(), self._chosen

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._panned is not None:
            self.pan_to(place)
            return
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self.setCursor(self._cursor_at(place))
            return
        if self._grip is None and _apart(place, self._pressed) >= _WANDER:
            self._grip = self._grip_at(self._pressed)
        if self._grip is not None:
            moved = self._grip.follow(self._inside(place))
            if moved.distance >= _LEAST:
                self._chosen = moved
                self.update()

    def _pans(self, event: QMouseEvent) -> bool:
        """Return whether a drag moves the photograph: by the middle button, or beside the face."""
        if event.button() == Qt.MouseButton.MiddleButton:
            return True
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() != Qt.MouseButton.LeftButton or self.zoom == 1 or shift:
            return False
        if self._mode == "eyes" or self._chosen is None or self._face_at(event.position()):
            return False
        grip = self._grip_at(event.position())
        return grip is None or grip.cursor == _Shape.CrossCursor

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._panned is not None:
            self.end_pan()
            self.setCursor(self._cursor_at(event.position()))
            return
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        grip = self._grip
        self._pressed = self._grip = None
        if grip is None:
            self._click(event.position())
        elif self._chosen is not None and self._chosen != self._before:
            turned = abs(self._chosen.angle) > UPRIGHT
            self._report(self._chosen, as_eyes=grip.is_eye or turned)

    def _report(self, chosen: Eyes, *, as_eyes: bool) -> None:
        self._show_how()
        if as_eyes:
            self.eyes_set.emit(chosen)
        else:
            self.box_drawn.emit(*chosen.box)

    def _click(self, place: QPointF) -> None:
        if not self.picture_rect().contains(place):
            return
        if self._mode == "box":
            face = self._face_at(place)
            if face is not None:
                self.face_chosen.emit(face)
            return
        eye = self.meant(place)
        if self._first is None:
            self._first = eye
        elif abs(eye - self._first) >= _LEAST:
            self._chosen, self._first = _pair(self._first, eye), None
            self._report(self._chosen, as_eyes=True)
        self._show_how()
        self.update()

    def _inside(self, place: QPointF) -> complex:
        """Return the point of the photograph that is nearest to a place in the widget."""
        point, (height, width) = self.meant(place), self._extent
        return complex(min(max(point.real, 0), width), min(max(point.imag, 0), height))

    def _face_at(self, place: QPointF) -> int | None:
        """Return the found face at this place, if it is not the chosen one."""
        point = self.meant(place)
        here = [
            (abs(point - face.middle) / face.distance, number)
            for number, face in enumerate(self._faces)
            if face != self._chosen and self._covers(face, place)
        ]
        return min(here)[1] if here else None

    def _covers(self, face: Eyes, place: QPointF) -> bool:
        outline = QPolygonF([self.seen(corner) for corner in corners(face)])
        return outline.containsPoint(place, Qt.FillRule.WindingFill)

    def _grip_at(self, place: QPointF) -> _Grip | None:
        """Return what a drag from here moves; on the background, it draws a new box."""
        start = self._inside(place)
        chosen = self._chosen
        if chosen is not None:
            handle = self._handle_at(chosen, place)
            if handle is not None:
                return handle
            if self._mode == "box" and self._covers(chosen, place):
                middle, across = chosen.middle, chosen.across
                return _Grip(lambda to: Eyes.at(middle + to - start, across), _Shape.SizeAllCursor)
        if self._mode == "eyes" or not self.picture_rect().contains(place):
            return None
        return _Grip(lambda to: _square(start, to), _Shape.CrossCursor)

    def _handle_at(self, chosen: Eyes, place: QPointF) -> _Grip | None:
        """Return the handle of the chosen face, an eye or a corner, near this place."""
        left, right = complex(*chosen.left), complex(*chosen.right)
        grips = [(left, _eye(right)), (right, _eye(left))]
        if self._mode == "box":
            ends = corners(chosen)
            grips += [(ends[at], _corner(chosen, at)) for at in range(4)]
            grips.append((self._turner(chosen), _turning(chosen, self._turner(chosen))))
        reach = min(_REACH, _apart(self.seen(left), self.seen(right)) / 3)
        near = [(_apart(self.seen(at), place), grip) for at, grip in grips]
        distance, grip = min(near, key=lambda found: found[0])
        return grip if distance <= reach else None

    def _turner(self, chosen: Eyes) -> complex:
        """Return where a box is taken hold of to turn it: above, or below if there is no room."""
        ends = corners(chosen)
        above, down = (ends[0] + ends[1]) / 2, (ends[3] - ends[0]) * _TURNER
        inside = self.picture_rect().contains(self.seen(above - down))
        return above - down if inside else (ends[2] + ends[3]) / 2 + down

    def _cursor_at(self, place: QPointF) -> Qt.CursorShape:
        if self.image is None:
            return _Shape.ArrowCursor
        if self._mode == "box" and self._face_at(place) is not None:
            return _Shape.PointingHandCursor
        grip = self._grip_at(place)
        if grip is not None:
            return grip.cursor
        inside = self._mode == "eyes" and self.picture_rect().contains(place)
        return _Shape.CrossCursor if inside else _Shape.ArrowCursor

    # The keys

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride and self._half_done:
            event.accept()  # what is unfinished here comes before a shortcut of the window
        return super().event(event)

    @property
    def _half_done(self) -> bool:
        return self._first is not None or self._grip is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self._half_done:
            self._take_back()
        elif key == Qt.Key.Key_0:
            self.show_all()
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self.choose(key - Qt.Key.Key_1)
        elif key == Qt.Key.Key_Space and self._faces:
            held = self._faces.index(self._chosen) if self._chosen in self._faces else -1
            self.face_chosen.emit((held + 1) % len(self._faces))
        elif self._chosen is not None and (key in _ARROWS or key in _SIZES):
            by_ten = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            step = _ARROWS.get(key, 0j) * (10 if by_ten else 1)
            middle, across = self._chosen.middle + step, self._chosen.across * _SIZES.get(key, 1.0)
            if abs(across) >= _LEAST:
                self._chosen, self._nudged = Eyes.at(middle, across), True
                self.update()
        else:
            super().keyPressEvent(event)

    def choose(self, number: int) -> None:
        """Choose a face that was found, counted from 0, if there are so many."""
        if number < len(self._faces) and self._faces[number] != self._chosen:
            self.face_chosen.emit(number)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self._report_nudged()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._report_nudged()

    def _report_nudged(self) -> None:
        """Report where the keys have moved the face, once for a key that was held."""
        if self._nudged and self._chosen is not None:
            self._nudged = False
            self._report(self._chosen, as_eyes=True)

    def _take_back(self) -> None:
        if self._grip is not None:
            self._chosen = self._before
        self._first = self._pressed = self._grip = None
        self._show_how()
        self.update()

    def _paint_marks(self, painter: QPainter) -> None:
        super()._paint_marks(painter)
        if self._first is not None:
            at, cross = self.seen(self._first), QPainterPath()
            for step in (QPointF(HANDLE, 0), QPointF(0, HANDLE)):
                cross.moveTo(at - step)
                cross.lineTo(at + step)
            stroke(painter, cross, 2)
        if self._mode == "eyes" or self._chosen is None:
            return
        ends = [self.seen(corner) for corner in corners(self._chosen)]
        if _apart(ends[0], ends[1]) >= _ROOM:
            turner = self.seen(self._turner(self._chosen))
            ring = QPainterPath()
            ring.addEllipse(turner, HANDLE / 2, HANDLE / 2)
            stroke(painter, ring, 2)
            for end in ends:
                handle = QRectF(0, 0, HANDLE, HANDLE)
                handle.moveCenter(end)
                painter.fillRect(handle.adjusted(-1.5, -1.5, 1.5, 1.5), HALO)
                painter.fillRect(handle, BRIGHT)


def _pair(one: complex, other: complex) -> Eyes:
    """Return two eyes, the left one of the picture first."""
    left, right = sorted((one, other), key=lambda eye: eye.real)
    return Eyes((left.real, left.imag), (right.real, right.imag))


def _apart(one: QPointF, other: QPointF) -> float:
    return abs(complex(one.x() - other.x(), one.y() - other.y()))


def _square(start: complex, end: complex) -> Eyes:
    """Return the eyes in a square drawn from one corner to another point."""
    across = end - start
    size = max(abs(across.real), abs(across.imag))
    left = start.real - (size if across.real < 0 else 0)
    top = start.imag - (size if across.imag < 0 else 0)
    return Eyes.in_box(left, top, size)


def _eye(other: complex) -> _Grip:
    return _Grip(lambda to: _pair(to, other), _Shape.OpenHandCursor, is_eye=True)


def _turning(chosen: Eyes, handle: complex) -> _Grip:
    """Return a grip by which the box turns around its middle, with the handle at the pointer."""
    middle = sum(corners(chosen)) / 4

    def follow(to: complex) -> Eyes:
        turn = (to - middle) / (handle - middle)
        turn /= max(abs(turn), 1e-9)
        return Eyes.at(middle + (chosen.middle - middle) * turn, chosen.across * turn)

    return _Grip(follow, _Shape.PointingHandCursor, is_eye=True)


def _corner(chosen: Eyes, number: int) -> _Grip:
    """Return a grip by which one corner follows the pointer and the opposite one stays."""
    ends = corners(chosen)
    fixed, diagonal = ends[(number + 2) % 4], ends[number] - ends[(number + 2) % 4]

    def follow(to: complex) -> Eyes:
        share = max(0.0, ((to - fixed) * diagonal.conjugate()).real / abs(diagonal) ** 2)
        return Eyes.at(fixed + (chosen.middle - fixed) * share, chosen.across * share)

    cursor = _Shape.SizeFDiagCursor if number % 2 == 0 else _Shape.SizeBDiagCursor
    return _Grip(follow, cursor)
