"""A plot to look around in: the wheel zooms, a drag pans, or turns three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPen,
    QWheelEvent,
)

from eigenfaces.laboratory.maps import Viewpoint
from eigenfaces.space.arrays import Doubles
from gui.plots.axes import Axis
from gui.plots.plot import PlotView
from gui.plots.strokes import Labels
from gui.style.theme import Tokens, tokens

ARROWS: dict[int, tuple[int, int]] = {  # upwards positive
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_DRAGGED = 4  # px before a press becomes a drag
_PAN, _RADIANS = 60, 0.008  # px of a step by keys; radians of a pixel
_WHEEL = 1.0015
_PIXELS_A_TICK = 130
_REACH = 0.94  # of what is seen, that the three axes take


class Spatial(PlotView):
    """Places in the plane or in space, from a viewpoint.

    With Shift the arrow keys move or turn it, + and − zoom; with Ctrl a drag pans what it would
    turn. A plot that is ``deep`` has three dimensions, and like a ``bare`` one no numbers at its
    axes. ``names`` of the three axes, where they mean something.
    """

    pans = True
    """Whether a drag of what is deep pans with Ctrl."""

    def __init__(self) -> None:
        super().__init__(Axis(grid=True), Axis())
        self.viewpoint = Viewpoint()
        self.deep = self.bare = False
        self.names: Sequence[str] = ()
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragging = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def clicked(self, at: QPointF) -> None:
        """Answer a click, which was no drag."""

    def on_screen(self, places: Doubles) -> Doubles:
        """Return the pixels (n, 2) of places (n, 2 or 3)."""
        flat, _ = self.viewpoint.flat(places)
        return np.stack([self.frame.px(flat[:, 0]), self.frame.py(flat[:, 1])], axis=1)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out around a place on the screen, or around the middle."""
        at = at or self.frame.plot.center()
        self.viewpoint.zoom_by(factor, self.frame.value_at(at))
        self.arrange()

    def drag(self, by: QPointF, *, turn: bool) -> None:
        """Turn or move what is seen by pixels."""
        if turn:
            self.viewpoint.orbit(by.x() * _RADIANS, by.y() * _RADIANS)
        else:
            step = self.frame.value_at(by) - self.frame.value_at(QPointF(0, 0))
            self.viewpoint.middle = self.viewpoint.middle - step
        self.arrange()

    # Layout

    def set_ranges(self) -> None:
        """Leave the ranges to the viewpoint."""

    def place_plot(self, top: float) -> None:
        frame = self.frame
        frame.plot = frame.size.adjusted(8, 8, -8, -8)
        self._look(frame.plot)
        if not (self.deep or self.bare):
            super().place_plot(top)
            self._look(frame.plot)
        self.choose_ticks()

    def _look(self, plot: QRectF) -> None:
        equal, (x, y) = self.deep or self.bare, (self.frame.x, self.frame.y)
        low, high = self.viewpoint.ranges(plot.width(), plot.height(), equal)
        (x.lo, y.lo), (x.hi, y.hi) = low.tolist(), high.tolist()

    def choose_ticks(self) -> None:
        plot, x, y, apart = self.frame.plot, self.frame.x, self.frame.y, _PIXELS_A_TICK
        x.ticks = y.ticks = ()
        if not (self.deep or self.bare):
            x.ticks = x.ticks_for(min(8, max(2, int(plot.width() / apart))))
            y.ticks = y.ticks_for(min(8, max(2, int(1.4 * plot.height() / apart))))

    # Painting

    def paint_still(self, painter: QPainter) -> None:
        if not (self.deep or self.bare):
            super().paint_still(painter)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, labels = tokens(), Labels(self.frame.plot)
        centre, reach = self.viewpoint.centre, _REACH * float(self.viewpoint.half[0])
        painter.setPen(QPen(QColor(look.border), 1))
        ends = []
        for step in reach * np.eye(3)[: len(self.names)] if self.deep else ():
            first, last = self.on_screen(np.stack([centre - step, centre + step])).tolist()
            painter.drawLine(QPointF(*first), QPointF(*last))
            ends.append(QPointF(*last))
        self.paint_content(painter, look)
        for end, name in zip(ends, self.names, strict=False):
            labels.draw(painter, end, 0.0, name, (look.surface, *2 * (look.secondary,)), must=False)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        super().paint_moving(painter, look)
        if self._by_keys:
            painter.setPen(QPen(QColor(look.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    # The pointer and the keys

    def press(self, at: QPointF) -> None:
        self._pressed = self._last = at
        self._dragging = False

    def hover(self, at: QPointF, pressed: bool) -> None:
        if self._pressed is None:
            super().hover(at, pressed)
            return
        self._dragging |= (at - self._pressed).manhattanLength() > _DRAGGED
        if self._dragging:
            control = Qt.KeyboardModifier.ControlModifier & QGuiApplication.keyboardModifiers()
            self.drag(at - self._last, turn=self.deep and not (self.pans and control))
        self._last = at

    def release(self) -> None:
        if self._pressed is not None and not self._dragging:
            self.clicked(self._last)
        self._pressed = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        if turn := event.angleDelta().y():
            self.zoom(_WHEEL**turn, event.position())
            event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction, key = ARROWS.get(event.key()), event.key()
        if direction is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            by = QPointF(-_PAN * direction[0], _PAN * direction[1])
            self.drag(-by / 2 if self.deep else by, turn=self.deep)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(0.8 if key == Qt.Key.Key_Minus else 1.25)
        else:
            super().keyPressEvent(event)
