"""Points and lines in the plane and in space: dragged, turned, and told."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from eigenfaces.laboratory.maps import Viewpoint
from eigenfaces.lessons.drawing import Dots, Grip, Limits, PlanePanel, SpacePanel, Strokes
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count
from gui.pages.lessons.panels.layers import (
    Stage,
    nearest_dot,
    paint_dots,
    paint_layer,
    paint_strokes,
    paint_words,
    told_at,
)
from gui.plots.axes import GAP, Axis, Ticks, linear_ticks, nice_step
from gui.plots.plot import PlotView
from gui.plots.strokes import paint_pill, pill
from gui.style import theme
from gui.style.theme import SMALL, Tokens, font, zoomed

_RING = 8.5
_REACH = 11.0
_APART, _APART_UP = 44.0, 30.0
"""Pixels between two ticks, at least."""
_FINE, _COARSE = 1 / 200, 1 / 20
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Up: (0, 1),
}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PlaneChart(PlotView):
    """A panel of the plane.

    ``turned``: the ring of a setting was dragged to this direction in degrees; ``moved``: a point,
    by its number, to a place (2,) in the subject; ``added``; ``removed``.
    """

    turned = Signal(str, float)
    moved = Signal(int, object)
    added = Signal(object)
    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__(Axis(), Axis())
        self.panel: PlanePanel | None = None
        self._held: int | Grip | None = None
        self._other_side = False
        self._chosen: int | None = None
        self.setMinimumSize(110, 90)

    # What is shown

    def show_panel(self, panel: PlanePanel) -> None:
        """Show other layers; while something is dragged, in the same range."""
        self.panel = panel
        x, y = self.frame.x, self.frame.y
        x.title, y.title, x.grid = panel.x, panel.y, True
        movable = self.movable
        keys = movable is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if keys else Qt.FocusPolicy.NoFocus)
        if self._chosen is not None and (movable is None or self._chosen >= len(movable.at)):
            self._chosen = None
        self.setAccessibleName(panel.title or f"{panel.y or 'Points'} against {panel.x or 'x'}")
        self.setAccessibleDescription(self._description())
        self.arrange()

    @property
    def movable(self) -> Dots | None:
        """The points that can be dragged."""
        layers = self.panel.layers if self.panel else ()
        return next((each for each in layers if isinstance(each, Dots) and each.movable), None)

    @property
    def ring(self) -> QPointF | None:
        """Where the ring is, in pixels."""
        if self.panel is None or self.panel.grip is None:
            return None
        x, y = (-1 if self._other_side else 1) * self.panel.grip.at
        return QPointF(self.frame.px(float(x)), self.frame.py(float(y)))

    def on_screen(self, places: Doubles) -> Doubles:
        """Return the pixels (n, 2) of places (n, 2)."""
        return np.stack([self.frame.px(places[:, 0]), self.frame.py(places[:, 1])], axis=1)

    def _description(self) -> str:
        said = []
        for layer in self.panel.layers if self.panel else ():
            if isinstance(layer, Dots):
                said.append(f"{count(len(layer.at), 'point')}.")
            elif isinstance(layer, Strokes) and layer.words:
                said.append(f"A line: {layer.words}.")
        if self.movable is not None:
            said.append(
                "Enter chooses the next point, arrow keys move it, Delete removes it, "
                "Insert adds one."
            )
        return " ".join(said)

    # Layout

    def place_plot(self, top: float) -> None:
        if self.panel is None:
            return
        size, line = self.frame.size, QFontMetricsF(font(SMALL)).height()
        bottom = size.height() - line - GAP - 1 - (line + GAP if self.panel.x else 0)
        left = (line + GAP if self.panel.y else 2.0) + GAP
        plot = QRectF(left, top, max(1.0, size.width() - 12 - left), max(1.0, bottom - top))
        wanted, apart = self._wanted(), zoomed(_APART if self.panel.equal else _APART_UP)
        metrics = QFontMetricsF(font(SMALL))
        for _ in range(3):  # the texts beside the axis need room, which changes its range
            self._set_ranges(wanted, plot)
            self.frame.y.ticks = _ticks(self.frame.y, plot.height(), apart)
            wide = max(
                (metrics.horizontalAdvance(text) for text in self.frame.y.texts), default=0.0
            )
            plot.setLeft(max(plot.left(), left + wide))
        self._set_ranges(wanted, plot)
        self.frame.x.ticks = _ticks(self.frame.x, plot.width(), zoomed(_APART))
        self.frame.y.ticks = _ticks(self.frame.y, plot.height(), apart)
        self.frame.plot = plot

    def _wanted(self) -> tuple[Limits, Limits]:
        """Return the ranges that must be seen."""
        assert self.panel is not None
        x, y = self.frame.x, self.frame.y
        if self._held is not None:
            return (x.lo, x.hi), (y.lo, y.hi)
        return self.panel.ranges

    def _set_ranges(self, wanted: tuple[Limits, Limits], plot: QRectF) -> None:
        (x0, x1), (y0, y1) = wanted
        if self.panel is not None and self.panel.equal and self._held is None:
            unit = max((x1 - x0) / max(plot.width(), 1), (y1 - y0) / max(plot.height(), 1)) or 1.0
            across, up = unit * plot.width() / 2, unit * plot.height() / 2
            x0, x1 = (x0 + x1) / 2 - across, (x0 + x1) / 2 + across
            y0, y1 = (y0 + y1) / 2 - up, (y0 + y1) / 2 + up
        x, y = self.frame.x, self.frame.y
        x.lo, x.hi, y.lo, y.hi = x0, x1, y0, y1

    # Painting

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        if self.panel is None:
            return
        stage = Stage(painter, self.on_screen, self.frame.plot, look)
        box = self._grip_box()
        stage.taken.extend([box, self._ring_box()] if box.isValid() else [])
        painter.save()
        painter.setClipRect(self.frame.plot.adjusted(-5, -5, 5, 5))
        for layer in self.panel.layers:
            paint_layer(stage, layer)
        painter.restore()
        for layer in self.panel.layers:
            paint_words(stage, layer)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        ring, movable = self.ring, self.movable
        accent = QColor(look.accent)
        if ring is not None and self.panel is not None and self.panel.grip is not None:
            painter.setPen(QPen(accent, zoomed(2.2)))
            painter.setBrush(QColor(look.surface))
            painter.drawEllipse(ring, _RING, _RING)
            words, box = self.panel.grip.words, self._grip_box()
            paint_pill(painter, box, words, look.accent, look.on_accent)
        if movable is not None and self._chosen is not None:
            (place,) = self.on_screen(movable.at[self._chosen : self._chosen + 1]).tolist()
            painter.setPen(QPen(accent if self.hasFocus() else QColor(look.secondary), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(*place), 7.5, 7.5)

    def _ring_box(self) -> QRectF:
        ring = self.ring or QPointF()
        return QRectF(ring.x() - _RING, ring.y() - _RING, 2 * _RING, 2 * _RING)

    def _grip_box(self) -> QRectF:
        """Return the rectangle of the words at the ring: above it, or below at the upper edge."""
        ring = self.ring
        if ring is None or self.panel is None or self.panel.grip is None:
            return QRectF()
        box, plot = pill(self.panel.grip.words), self.frame.plot
        away = box.height() / 2 + _RING + 6
        up = ring.y() - away - box.height() / 2 > plot.top()
        box.moveCenter(ring + QPointF(0, -away if up else away))
        box.moveLeft(min(max(box.left(), plot.left() + 2), plot.right() - box.width() - 2))
        return box

    # The pointer

    def press(self, at: QPointF) -> None:
        ring = self.ring
        self._held = self.dot_at(at)
        self._chosen = self._held if isinstance(self._held, int) else None
        if ring is not None and _far(at, ring) <= _REACH and self.panel is not None:
            self._held = self.panel.grip
        if self._held is not None and self.focusPolicy() != Qt.FocusPolicy.NoFocus:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.update()

    def hover(self, at: QPointF, pressed: bool) -> None:
        if pressed and isinstance(self._held, Grip):
            self._turn(self._held, at)
        elif pressed and isinstance(self._held, int):
            plot = self.frame.plot
            x = min(max(at.x(), plot.left()), plot.right())
            y = min(max(at.y(), plot.top()), plot.bottom())
            self._move(self._held, self.frame.value_at(QPointF(x, y)))
        else:
            ring = self.ring
            over = ring is not None and _far(at, ring) <= _REACH
            dot = None if over else self.dot_at(at)
            hand = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.SizeAllCursor
            self.point_out(self.told(at), hand if over or dot is not None else None)

    def release(self) -> None:
        if self._held is not None:
            self._held = None
            self.arrange()  # with the range that is wanted now

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.RightButton:
            dot = self.dot_at(event.position())
            if dot is not None:
                self.removed.emit(dot)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()  # a right click removes a point

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at, movable = event.position(), self.movable
        if movable is not None and self.dot_at(at) is None and self.frame.plot.contains(at):
            self.added.emit(self._in_subject(self.frame.value_at(at)))

    def dot_at(self, at: QPointF) -> int | None:
        """Return the number of the movable point at a pixel."""
        movable = self.movable
        if movable is None or not len(movable.at):
            return None
        return nearest_dot(self.on_screen(movable.at), at, _REACH)

    def told(self, at: QPointF) -> str:
        """Return what is said of the dot at a pixel."""
        return told_at(self.on_screen, self.panel.layers if self.panel else (), at, _REACH)

    def _turn(self, grip: Grip, at: QPointF) -> None:
        place = self.frame.value_at(at)
        if not place.any():
            return
        side = -1 if self._other_side else 1
        self.turned.emit(grip.setting, math.degrees(math.atan2(place[1], place[0])))
        now = self.panel.grip if self.panel else None
        if now is not None and side * float(place @ now.at) < 0:
            self._other_side = not self._other_side  # the ring stays at the pointer
        self.update()

    def _move(self, number: int, place: Doubles) -> None:
        self.moved.emit(number, self._in_subject(place))

    def _in_subject(self, place: Doubles) -> Doubles:
        movable = self.movable
        origin = None if movable is None else movable.origin
        return place if origin is None else place + origin

    # The keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        movable, key = self.movable, Qt.Key(event.key())
        if movable is None:
            super().keyPressEvent(event)
        elif key in _ENTER:
            self._chosen = 0 if self._chosen is None else (self._chosen + 1) % len(movable.at)
            self.update()
        elif key == Qt.Key.Key_Insert:
            self.added.emit(self._in_subject(self.frame.value_at(self.frame.plot.center())))
        elif self._chosen is None or key not in (*_STEPS, Qt.Key.Key_Delete):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Delete:
            self.removed.emit(self._chosen)
        else:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            across = (_COARSE if shift else _FINE) * (self.frame.x.hi - self.frame.x.lo)
            self._move(self._chosen, movable.at[self._chosen] + across * np.array(_STEPS[key]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._chosen is None and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._chosen = 0
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._chosen = None
        self.update()


def _ticks(axis: Axis, length: float, apart: float) -> Ticks:
    """Return round values, at least so many pixels apart."""
    span = axis.hi - axis.lo
    step = nice_step(span * apart / max(length, 1.0), 1)
    most = max(1, math.ceil(span / step - 1e-6))
    return linear_ticks(axis.lo, axis.hi, most, percent=False, whole=False)


def _far(one: QPointF, other: QPointF) -> float:
    return math.hypot(one.x() - other.x(), one.y() - other.y())


_RADIANS = 0.008
_WHEEL = 1.0015
_TURNS = {
    Qt.Key.Key_Left: (-10, 0),
    Qt.Key.Key_Right: (10, 0),
    Qt.Key.Key_Up: (0, -10),
    Qt.Key.Key_Down: (0, 10),
}


class SpaceView(QWidget):
    """A panel of space; it stays turned as it is while other points are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: SpacePanel | None = None
        self.viewpoint = Viewpoint()
        self._last: QPointF | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(110, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def show_panel(self, panel: SpacePanel) -> None:
        """Show other layers."""
        zoom = self.viewpoint.zoom
        self.panel = panel
        dots = [each for each in panel.layers if isinstance(each, Dots)]
        ends = [each.at if isinstance(each, Dots) else each.end for each in panel.layers]
        places = np.concatenate([each.at for each in dots] or ends or [np.zeros((1, 3))])
        if len(places):
            self.viewpoint.fit(places)
            self.viewpoint.zoom = zoom
        self.setAccessibleName(panel.title or f"Space of {', '.join(panel.axes)}")
        said = [f"{count(len(each.at), 'point')}." for each in dots]
        self.setAccessibleDescription(" ".join([*said, "Arrow keys turn it."]))
        self.update()

    def on_screen(self, places: Doubles) -> Doubles:
        """Return the pixels (n, 2) of places (n, 3)."""
        flat, _ = self.viewpoint.flat(places)
        low, high = self.viewpoint.ranges(self.width(), self.height(), True)
        share = (flat - low) / (high - low)
        return np.stack([share[:, 0] * self.width(), (1 - share[:, 1]) * self.height()], axis=1)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None:
            return
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)  # on which dots are copies, which is faster
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter, self.panel)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, picture)
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.tokens().accent), 1))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def _paint(self, painter: QPainter, panel: SpacePanel) -> None:
        stage = Stage(painter, self.on_screen, QRectF(self.rect()), theme.tokens())
        self._paint_axes(stage, panel)
        for layer in panel.layers:
            if isinstance(layer, Dots):
                _, depth = self.viewpoint.flat(layer.at)
                paint_dots(stage, layer, np.argsort(depth, kind="stable"))
            else:
                paint_strokes(stage, layer)
        for layer in panel.layers:
            paint_words(stage, layer)

    def _paint_axes(self, stage: Stage, panel: SpacePanel) -> None:
        """Paint the three axes through the middle, with their names at the ends."""
        centre, reach = self.viewpoint.centre, float(self.viewpoint.half[0]) * 0.9
        painter, look = stage.painter, stage.look
        painter.setFont(theme.font(SMALL))
        metrics = QFontMetricsF(painter.font())
        for axis, name in enumerate(panel.axes):
            step = np.eye(3)[axis] * reach
            first, last = (
                QPointF(*each) for each in self.on_screen(np.stack([centre - step, centre + step]))
            )
            painter.setPen(QPen(QColor(theme.mix(look.border, look.text, 0.15)), 1))
            painter.drawLine(first, last)
            box = QRectF(0, 0, metrics.horizontalAdvance(name) + 4, metrics.height())
            box.moveCenter(last + QPointF(0, -8))
            box.moveLeft(min(max(box.left(), 1.0), self.width() - box.width() - 1))
            box.moveTop(min(max(box.top(), 1.0), self.height() - box.height() - 1))
            painter.setPen(QColor(look.secondary))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
            stage.taken.append(box)

    def told(self, at: QPointF) -> str:
        """Return what is said of the dot at a pixel."""
        return told_at(self.on_screen, self.panel.layers if self.panel else (), at, _REACH)

    def turn(self, across: float, up: float) -> None:
        """Turn by pixels of a drag."""
        self.viewpoint.orbit(across * _RADIANS, up * _RADIANS)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last = event.position()
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._last is not None:
            step, self._last = at - self._last, at
            self.turn(step.x(), step.y())
        elif (tip := self.told(at)) != self.toolTip():
            QToolTip.hideText()
            self.setToolTip(tip)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._last = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        del event
        fresh = Viewpoint()
        self.viewpoint.yaw, self.viewpoint.pitch, self.viewpoint.zoom = fresh.yaw, fresh.pitch, 1.0
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.viewpoint.zoom_by(_WHEEL ** event.angleDelta().y(), self.viewpoint.middle)
        self.update()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _TURNS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.turn(*step)
