"""A photograph that the wheel enlarges, and one on which people show where a face is.

Points are complex numbers, x + iy, in pixels of the whole photograph, as in `placement`; so are
lengths in the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

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
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsPathItem,
    QGraphicsScene,
    QGraphicsView,
)

from eigenfaces.faces.read import UPRIGHT
from eigenfaces.photographs.photos import Eyes
from eigenfaces.text import count
from gui.style import icons, theme
from gui.style.images import rounded
from gui.widgets.painted import clamped
from gui.widgets.words import label

# A photograph is light and dark in both themes: a bright line on a dark one is always visible.
BRIGHT, _HALO, _WHITE = QColor(theme.DARK.accent), QColor(0, 0, 0, 150), QColor("#FFFFFF")
Mode = Literal["box", "eyes"]
_Shape, _Key = Qt.CursorShape, Qt.Key

_MOST, _STEP, _NOTCH = 16.0, 1.25, 120  # times; for a notch of the wheel, as Qt counts
_HANDLE, _BADGE = 10.0, 20.0  # px wide: what can be taken hold of; a number
_LEAST_BOX = 16.0  # px of a box that a number leaves in sight
_ROOM = 70.0  # px: the handles of a smaller box would cover it
_REACH = 9.0  # px from a handle within which it is grabbed
_RADIUS = 6.0  # px, of the photograph's corners
_WANDER = 4.0  # px that the pointer may move during a click
_LEAST = 4.0  # photo pixels between two eyes
_GROWTH = 1.02  # by + and −
_TURNER = 0.12  # of the box's size from it to the handle that turns it
_KEYS = "Arrow keys move it by a pixel (Shift: by 10), + and − resize it. The wheel zooms."
_CLOSE = "Drag beside it to move the photograph, with Shift to draw. 0 shows all of it."
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
_CORNERS = (0, 1, 1 + 1j, 1j)


def corners(eyes: Eyes) -> list[complex]:
    """Return the corners of a face's box, tilted as the eyes are, clockwise from the top left."""
    left, top, size = eyes.box
    tilt = eyes.across / eyes.distance
    return [eyes.middle + (complex(left, top) + size * at - eyes.middle) * tilt for at in _CORNERS]


def stroke(
    painter: QPainter,
    path: QPainterPath,
    width: float,
    colour: QColor = BRIGHT,
    dashes: Sequence[float] = (),
) -> None:
    """Paint a line visible on light and dark, ``width`` px wide: a bright one on a dark one."""
    for ink, wide in ((_HALO, width + 2.5), (colour, width)):
        pen = QPen(ink, wide)
        pen.setCosmetic(True)
        if dashes and ink is colour:
            pen.setDashPattern(dashes)
        painter.strokePath(path, pen)


def draw_badge(painter: QPainter, place: QRectF, number: int, *, meant: bool) -> None:
    """Paint a face's number on a round badge, bright for the face that is meant."""
    painter.save()
    painter.setPen(QPen(_HALO, 1))
    painter.setBrush(BRIGHT if meant else QColor(0, 0, 0, 220))
    painter.drawEllipse(place)
    font = theme.font(theme.SMALL, 600)
    font.setPixelSize(round(place.height() * 0.68))
    painter.setFont(font)
    painter.setPen(QColor(theme.DARK.on_accent) if meant else _WHITE)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{number}")
    painter.restore()


class PhotoView(QGraphicsView):
    """Shows a photograph with what is marked on it; the wheel enlarges it."""

    zoomed = Signal()
    margins = QMarginsF(3, 3, 3, 3)
    """Pixels around the photograph, when all of it is shown."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.image: QImage | None = None
        self.extent = (1, 1)
        self.zoom = 1.0
        self._marks: list[PhotoMark] = []
        self.setScene(QGraphicsScene(self))
        self._picture = self.scene().addPixmap(QPixmap())
        self._picture.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setTransformationAnchor(self.ViewportAnchor.NoAnchor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        """Show a photograph of (h, w) pixels; the image may be a smaller copy of it."""
        if image is None or size != self.extent:
            self.zoom = 1.0
            self.zoomed.emit()
        self.image, self.extent = image, (max(size[0], 1), max(size[1], 1))
        self._fit()

    def make_marks(self) -> Iterator[PhotoMark]:
        """Yield what is marked on the photograph, those on top last."""
        yield from ()

    def show_marks(self) -> None:
        """Mark anew what is on the photograph."""
        for mark in self._marks:
            self.scene().removeItem(mark)
        self._marks = [] if self.image is None else list(self.make_marks())
        for mark in self._marks:
            self.scene().addItem(mark)

    def seen(self, point: complex) -> QPointF:
        """Return the place in the view where a point of the photograph is drawn."""
        return self.viewportTransform().map(QPointF(point.real, point.imag))

    def meant(self, place: QPointF) -> complex:
        """Return the point of the photograph at a place in the view."""
        at = self.viewportTransform().inverted()[0].map(place)
        return complex(at.x(), at.y())

    def photo_rect(self) -> QRectF:
        """Return the rectangle of the whole photograph, of which only a part may be visible."""
        return self.viewportTransform().mapRect(QRectF(0, 0, self.extent[1], self.extent[0]))

    def picture_rect(self) -> QRectF:
        """Return the rectangle of what is visible of the photograph."""
        room = QRectF(self.viewport().rect()).marginsRemoved(self.margins)
        return self.photo_rect().intersected(room)

    def show_all(self) -> None:
        """Show the whole photograph."""
        self.zoom_to(1.0, QPointF())

    def zoom_to(self, zoom: float, place: QPointF) -> None:
        """Enlarge the photograph, while what is at a place of the view stays there."""
        point, self.zoom = self.meant(place), min(max(zoom, 1.0), _MOST)
        self._fit()
        self.pan(place - self.seen(point))
        self.zoomed.emit()

    def pan(self, by: QPointF) -> None:
        """Move the photograph by pixels of the view, as far as there is more of it."""
        across, up = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() - round(by.x()))
        up.setValue(up.value() - round(by.y()))
        self.show_marks()

    def _fit(self) -> None:
        around, (height, width) = self.margins, self.extent
        room = QRectF(self.viewport().rect()).marginsRemoved(around).size()
        scale = max(min(room.width() / width, room.height() / height), 1e-3) * self.zoom
        self.setTransform(QTransform.fromScale(scale, scale))
        self.setSceneRect(QRectF(0, 0, width, height).marginsAdded(around / scale))
        drawn = self.image
        if drawn is not None:
            size = (QSizeF(width, height) * scale).toSize().expandedTo(QSize(1, 1))
            if self.zoom == 1 or size.width() < drawn.width():  # else Qt leaves pixels out
                drawn = rounded(drawn, size, self.devicePixelRatioF(), _RADIUS)
            across = drawn.width() / drawn.devicePixelRatio()
            self._picture.setTransform(QTransform.fromScale(*2 * (width / across,)))
        self._picture.setPixmap(QPixmap() if drawn is None else QPixmap.fromImage(drawn))
        self.show_marks()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.image is not None:
            notches = event.angleDelta().y() / _NOTCH
            self.zoom_to(self.zoom * _STEP**notches, event.position())
        event.setAccepted(self.image is not None)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint that there is no photograph, and that the keys are for this one."""
        del rect
        painter.resetTransform()
        look, room = theme.tokens(), QRectF(self.viewport().rect()).adjusted(2, 2, -2, -2)
        if self.image is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.neutral_soft))
            painter.drawRoundedRect(room, 6, 6)
            side = round(min(room.width(), room.height()) * 0.4)
            if side > 0:
                drawn = icons.pixmap("person", side, look.tertiary, self.devicePixelRatioF())
                painter.drawPixmap(room.center() - QPointF(side / 2, side / 2), drawn)
        elif self.hasFocus():
            painter.setPen(QPen(QColor(look.accent), 1.5, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.picture_rect().adjusted(-2, -2, 2, 2))


class PhotoMark(QGraphicsPathItem):
    """An outline on a photograph or, ``at`` a point of it, a sign of constant size.

    ``face``: the number of the face found that it stands for, if it does. ``follow``: how the
    chosen face follows the pointer that drags it; ``exact``: by that its eyes are set, not only a
    rough box.
    """

    def __init__(
        self,
        path: QPainterPath,
        draw: Callable[[QPainter], None],
        at: complex | None = None,
        cursor: Qt.CursorShape | None = None,
        *,
        face: int | None = None,
        follow: Callable[[complex], Eyes] | None = None,
        exact: bool = False,
    ) -> None:
        super().__init__(path)
        self.draw, self.face, self.follow, self.exact = draw, face, follow, exact
        if at is not None:
            self.setPos(at.real, at.imag)
            self.setFlag(self.GraphicsItemFlag.ItemIgnoresTransformations)
        if cursor is not None:
            self.setCursor(cursor)

    def paint(self, painter: QPainter, *_: object) -> None:
        self.draw(painter)


class FaceMarker(PhotoView):
    """A photograph on which a person chooses a face, draws its box, or sets its eyes.

    A box drawn or dragged is rough and reported as a box; one that was turned, and the keys, set
    exact eyes. Disabled, it only shows them.
    """

    face_chosen = Signal(int)
    box_drawn = Signal(float, float, float)
    eyes_set = Signal(object)

    def __init__(self) -> None:
        super().__init__("Photograph with the faces found on it")
        self.faces: tuple[Eyes, ...] = ()
        self.chosen: Eyes | None = None
        self.how = label("", "caption", wrap=True)  # whoever shows it places it below
        self.how.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.how.setMinimumHeight(2 * self.how.fontMetrics().height())
        self._mode: Mode = "box"
        self._first: complex | None = None  # the eye clicked first, until the second is clicked
        self._pressed: QPointF | None = None
        self._last: QPointF | None = None  # where the pointer was while the photograph is moved
        self._grip: PhotoMark | None = None  # what is dragged, once the pointer has moved
        self._before: Eyes | None = None  # the chosen face before the drag
        self._nudged = False
        self._picture.setCursor(_Shape.CrossCursor)
        self.zoomed.connect(self._show_how)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._show_how()

    def show_photo(self, image: QImage | None, size: tuple[int, int]) -> None:
        self._first = self._pressed = self._grip = None
        super().show_photo(image, size)
        self._show_how()

    def show_faces(self, faces: Sequence[Eyes], chosen: Eyes | None) -> None:
        """Mark the faces; the chosen one may be none of those found."""
        # A face that was found and is chosen is the same face, though its eyes were set since.
        if chosen is not None:
            near = chosen.middle
            faces = [
                chosen if abs(face.middle - near) < face.distance / 2 else face for face in faces
            ]
        self.faces, self.chosen = tuple(faces), chosen
        self._pressed = self._grip = None
        self._nudged = False
        said = f"{count(len(faces), 'face')} found." if faces else "No face found."
        told = "None is chosen."
        if chosen is not None:
            left, top, size = chosen.box
            where = f"{left:.0f} from the left, {top:.0f} down."
            told = f"The chosen one is {size:.0f} pixels wide, {where}"
        self.setAccessibleDescription(f"{said} {told}")
        self.show_marks()
        self._show_how()

    def set_mode(self, mode: Mode) -> None:
        """Choose whether dragging draws a ``box`` or two clicks set the ``eyes``."""
        self._mode, self._first = mode, None
        self._show_how()
        self.show_marks()

    def numbers_chosen(self) -> list[int]:
        """Return the number, from 0, of the face found that is the chosen one; none if none is."""
        return [at for at, face in enumerate(self.faces) if face == self.chosen]

    def _show_how(self) -> None:
        """Say what can be done now."""
        if self.image is None:
            words = ""
        elif self._first is not None:
            words = "Now click the other eye. Esc takes the first one back."
        elif self._mode == "eyes":
            words = "Click the middle of one pupil, then of the other."
        elif self.chosen is not None:
            close = _CLOSE if self.zoom > 1 else _KEYS
            words = f"Drag the box, a corner or an eye; the ring turns it. {close}"
        elif self.faces:
            words = "Click the face that is meant, or drag a square around it."
        else:
            words = "Drag a square around the face, from the brows to the chin."
        self.how.setText(words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.show_marks()

    # What is marked

    def make_marks(self) -> Iterator[PhotoMark]:
        scale, boxes = self.transform().m11(), self._mode == "box"
        smaller_on_top = sorted(enumerate(self.faces), key=lambda each: -each[1].distance)
        for number, face in smaller_on_top:
            if face != self.chosen:
                path, hand = outline(face), _Shape.PointingHandCursor if boxes else None
                draw = partial(stroke, path=path, width=1.5, colour=_WHITE, dashes=[5, 4])
                yield PhotoMark(path, draw, cursor=hand, face=number)
        if self.chosen is not None:
            path, hand = outline(self.chosen), _Shape.SizeAllCursor if boxes else None
            yield PhotoMark(
                path, partial(stroke, path=path, width=2), cursor=hand, follow=self._moved
            )
        if self._first is not None:
            cross = QPainterPath()
            for step in (QPointF(_HANDLE, 0), QPointF(0, _HANDLE)):
                cross.moveTo(-step)
                cross.lineTo(step)
            yield PhotoMark(cross, partial(stroke, path=cross, width=2), self._first)
        if self.chosen is not None:
            yield from self._handles(self.chosen, scale)
        if len(self.faces) > 1:
            yield from self._numbers(scale)

    def _numbers(self, scale: float) -> Iterator[PhotoMark]:
        """Yield the number of each face, at the corner of its box but where it can be seen.

        Where faces are smaller than numbers, only the chosen one has its: the others would hide
        everybody.
        """
        shown, badge = self.picture_rect(), QRectF(-_BADGE / 2, -_BADGE / 2, _BADGE, _BADGE)
        for at, face in enumerate(self.faces):
            meant, large = face == self.chosen, face.box[2] * scale >= _LEAST_BOX
            if shown.contains(self.seen(face.middle)) and (large or meant):
                corner = clamped(badge.translated(self.seen(corners(face)[0])), shown).center()
                draw = partial(draw_badge, place=badge, number=at + 1, meant=meant)
                yield PhotoMark(QPainterPath(), draw, self.meant(corner))

    def _handles(self, chosen: Eyes, scale: float) -> Iterator[PhotoMark]:
        """Yield what a box can be taken hold of by: a small one only by its eyes."""
        reach = _round(2 * min(_REACH, chosen.distance * scale / 3))
        ring, left, right = _round(_HANDLE), complex(*chosen.left), complex(*chosen.right)
        draw = partial(stroke, path=ring, width=2)
        if self._mode == "box" and self.isEnabled() and chosen.box[2] * scale >= _ROOM:
            ends = corners(chosen)
            for number, end in enumerate(ends):
                shape = _Shape.SizeFDiagCursor if number % 2 == 0 else _Shape.SizeBDiagCursor
                follow = partial(_resized, chosen, end, ends[(number + 2) % 4])
                yield PhotoMark(reach, _draw_corner, end, shape, follow=follow)
            above, down = (ends[0] + ends[1]) / 2, (ends[3] - ends[0]) * _TURNER
            at = above - down  # or below, if there is no room
            if not self.picture_rect().contains(self.seen(at)):
                at = (ends[2] + ends[3]) / 2 + down
            follow, hand = partial(_turned, chosen, at), _Shape.PointingHandCursor
            yield PhotoMark(reach, draw, at, hand, follow=follow, exact=True)
        for eye, other in ((left, right), (right, left)):
            hand, follow = _Shape.OpenHandCursor, partial(_pair, other)
            yield PhotoMark(reach, draw, eye, hand, follow=follow, exact=True)

    def _moved(self, to: complex) -> Eyes:
        assert self._before is not None
        assert self._pressed is not None
        start = self._inside(self._pressed)
        return Eyes.at(self._before.middle + to - start, self._before.across)

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.image is None:
            return
        self._pressed, self._before, self._grip = event.position(), self.chosen, None
        if self._pans(event):
            self._last = event.position()
            self.viewport().setCursor(_Shape.ClosedHandCursor)
        elif event.button() != Qt.MouseButton.LeftButton:
            self._pressed = None

    def _pans(self, event: QMouseEvent) -> bool:
        """Return whether a drag moves the photograph: by the middle button, or beside the face."""
        if event.button() == Qt.MouseButton.MiddleButton:
            return True
        draws = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or self.chosen is None
        if event.button() != Qt.MouseButton.LeftButton or self.zoom == 1 or draws:
            return False
        return self._mode == "box" and self._mark_at(event.position()) is None

    def _mark_at(self, place: QPointF) -> PhotoMark | None:
        shown = self.viewportTransform()
        for mark in reversed(self._marks):
            if mark.contains(mark.deviceTransform(shown).inverted()[0].map(place)):
                return mark
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._pressed is None or event.buttons() == Qt.MouseButton.NoButton:
            super().mouseMoveEvent(event)  # shows by the pointer what can be done there
        elif self._last is not None:
            self.pan(place - self._last)
            self._last = place
        elif self._grip is None and _apart(place, self._pressed) >= _WANDER:
            self._grip = self._grip_at(self._pressed)
        if self._grip is not None and self._grip.follow is not None:
            moved = self._grip.follow(self._inside(place))
            if moved.distance >= _LEAST:
                self.chosen = moved
                self.show_marks()

    def _grip_at(self, place: QPointF) -> PhotoMark | None:
        """Return what a drag from here moves; on the background, it draws a new box."""
        mark, boxes = self._mark_at(place), self._mode == "box"
        if mark is not None and mark.follow is not None and (boxes or mark.exact):
            return mark
        if not boxes or not self.picture_rect().contains(place):
            return None
        drawn = partial(_square, self._inside(place))
        return PhotoMark(QPainterPath(), lambda _: None, follow=drawn)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, grip, panned = self._pressed, self._grip, self._last is not None
        self._pressed = self._grip = self._last = None
        if panned:
            self.viewport().unsetCursor()
        elif event.button() != Qt.MouseButton.LeftButton or pressed is None:
            return
        elif grip is None:
            self._click(event.position())
        elif self.chosen is not None and self.chosen != self._before:
            turned = abs(self.chosen.angle) > UPRIGHT
            self._report(self.chosen, as_eyes=grip.exact or turned)

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
            mark = self._mark_at(place)
            if mark is not None and mark.face is not None and self.faces[mark.face] != self.chosen:
                self.face_chosen.emit(mark.face)
            return
        eye = self.meant(place)
        if self._first is None:
            self._first = eye
        elif abs(eye - self._first) >= _LEAST:
            self.chosen, self._first = _pair(self._first, eye), None
            self._report(self.chosen, as_eyes=True)
        self._show_how()
        self.show_marks()

    def _inside(self, place: QPointF) -> complex:
        """Return the point of the photograph that is nearest to a place in the view."""
        point, (height, width) = self.meant(place), self.extent
        return complex(min(max(point.real, 0), width), min(max(point.imag, 0), height))

    # The keys

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == _Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride and self._half_done:
            event.accept()  # what is unfinished here comes before a shortcut of the window
        return super().event(event)

    @property
    def _half_done(self) -> bool:
        return self._first is not None or self._grip is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == _Key.Key_Escape and self._half_done:
            if self._grip is not None:
                self.chosen = self._before
            self._first = self._pressed = self._grip = None
            self._show_how()
            self.show_marks()
        elif key == _Key.Key_Space and self.faces:
            held = self.faces.index(self.chosen) if self.chosen in self.faces else -1
            self.face_chosen.emit((held + 1) % len(self.faces))
        elif self.chosen is not None and (key in _ARROWS or key in _SIZES):
            by_ten = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            step = _ARROWS.get(key, 0j) * (10 if by_ten else 1)
            middle, across = self.chosen.middle + step, self.chosen.across * _SIZES.get(key, 1.0)
            if abs(across) >= _LEAST:
                self.chosen, self._nudged = Eyes.at(middle, across), True
                self.show_marks()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self._report_nudged()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._report_nudged()  # where the key is released, nobody hears of it here

    def _report_nudged(self) -> None:
        if self._nudged and self.chosen is not None:
            self._nudged = False  # once for a key that was held
            self._report(self.chosen, as_eyes=True)


def outline(face: Eyes) -> QPainterPath:
    """Return the outline of a face's box."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(end.real, end.imag) for end in corners(face)]))
    path.closeSubpath()
    return path


def _round(width: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(), width / 2, width / 2)
    return path


def _draw_corner(painter: QPainter) -> None:
    square = QRectF(-_HANDLE / 2, -_HANDLE / 2, _HANDLE, _HANDLE)
    painter.fillRect(square.adjusted(-1.5, -1.5, 1.5, 1.5), _HALO)
    painter.fillRect(square, BRIGHT)


def _apart(one: QPointF, other: QPointF) -> float:
    return abs(complex(one.x() - other.x(), one.y() - other.y()))


def _pair(one: complex, other: complex) -> Eyes:
    """Return two eyes, the left one of the picture first."""
    left, right = sorted((one, other), key=lambda eye: eye.real)
    return Eyes((left.real, left.imag), (right.real, right.imag))


def _square(start: complex, end: complex) -> Eyes:
    """Return the eyes in a square drawn from one corner to another point."""
    across = end - start
    size = max(abs(across.real), abs(across.imag))
    left = start.real - (size if across.real < 0 else 0)
    top = start.imag - (size if across.imag < 0 else 0)
    return Eyes.in_box(left, top, size)


def _turned(chosen: Eyes, handle: complex, to: complex) -> Eyes:
    """Return the eyes in a box that is turned around its middle, with the handle at a point."""
    middle = sum(corners(chosen)) / 4
    turn = (to - middle) / (handle - middle)
    turn /= max(abs(turn), 1e-9)
    return Eyes.at(middle + (chosen.middle - middle) * turn, chosen.across * turn)


def _resized(chosen: Eyes, corner: complex, fixed: complex, to: complex) -> Eyes:
    """Return the eyes in a box one corner of which follows a point; the opposite one stays."""
    diagonal = corner - fixed
    share = max(0.0, ((to - fixed) * diagonal.conjugate()).real / abs(diagonal) ** 2)
    return Eyes.at(fixed + (chosen.middle - fixed) * share, chosen.across * share)
