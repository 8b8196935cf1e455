"""A curve with a mark at k that can be dragged."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent

from gui.charts.axes import Ticks, linear_ticks
from gui.charts.line_plot import Line, LinePlot

_REACH = 14.0  # px beside the mark within which the pointer grabs it
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}


class CurveChart(LinePlot):
    """A filled curve of a share over the number of components, with a mark to move."""

    mark_moved = Signal(int)
    mark_released = Signal(int)

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title, filled=True)
        self._dragging = False

    def show_curve(self, x: ArrayLike, y: ArrayLike) -> None:
        """Draw shares (1.0 is 100 %) over numbers of components, starting at 0 components."""
        across, up = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        ends = min(0.0, across.min(initial=0.0)), float(across.max(initial=1.0))
        self.set_range(ends, (0.0, max(1.0, float(up.max(initial=0.0)))))
        self.show_lines([Line(self.frame.y.title, across, up)])
        at = self.mark()
        if at is not None:
            self.set_mark(at, self.tag.label)

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put the mark at a whole number on the curve."""
        super().set_mark(None if x is None else self._clamp(x), label)
        self.update_focus_policy()

    def takes_focus(self) -> bool:
        return self.mark() is not None  # the mark is all that keys can move

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        most = max(1, int(width / (metrics.horizontalAdvance("0000") + 26)))
        return linear_ticks(self.frame.x.lo, self.frame.x.hi, most, percent=False, whole=True)

    def choose_y_ticks(self, most: int) -> Ticks:
        return super().choose_y_ticks(min(most, 4))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        target = self._key_target(event)
        if target is None:
            super().keyPressEvent(event)
        else:
            self._move(target)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        at = self.mark()
        if at is None or self._key_target(event) is None or event.isAutoRepeat():
            super().keyReleaseEvent(event)
        else:
            self.mark_released.emit(round(at))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.tag.focused = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)  # which repaints it

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.tag.focused = False
        super().focusOutEvent(event)

    def press(self, at: QPointF) -> None:
        if self.mark() is not None and self._holds(at):
            self._dragging = True
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._move(self.frame.value_at(at.x()))

    def hover(self, at: QPointF, pressed: bool) -> None:
        if self._dragging and pressed:
            self._move(self.frame.value_at(at.x()))
        elif self.tag.at is not None:
            near = abs(at.x() - self.frame.px(self.tag.at)) < _REACH
            shape = Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.PointingHandCursor
            self.setCursor(shape)

    def release(self) -> None:
        at = self.mark()
        if self._dragging and at is not None:
            self._dragging = False
            self.mark_released.emit(round(at))

    def _holds(self, at: QPointF) -> bool:
        """Return whether a press here grabs the mark: on the plot, or on the mark's label."""
        return self.frame.plot.adjusted(-_REACH, -40, _REACH, _REACH).contains(at)

    def _key_target(self, event: QKeyEvent) -> float | None:
        key, at = Qt.Key(event.key()), self.mark()
        if at is None:
            return None
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return 0.0 if key == Qt.Key.Key_Home else self.frame.x.hi
        return at + _STEPS[key] if key in _STEPS else None

    def _move(self, k: float) -> None:
        target = self._clamp(k)
        if target != self.mark():
            self.set_mark(target, self.tag.label)  # the receiver of the signal writes the label
            self.mark_moved.emit(target)

    def _clamp(self, k: float) -> int:
        x = self.lines()[0].x if self.lines() else np.zeros(0)
        lo, hi = (float(x[0]), float(x[-1])) if x.size else (0.0, max(k, 0.0))
        return round(min(max(k, lo), hi))
