"""A curve with a line that can be dragged."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QWidget

from eigenfaces.arrays import Doubles
from gui.charts.frame import Chart
from gui.charts.ticks import Ticks, linear_ticks
from gui.style.theme import Tokens

_REACH = 14.0  # px beside the line where the pointer takes hold of it
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}


class CurveChart(Chart):
    """A filled curve over the number of components, with a line at k to drag or move by keys."""

    cursor_moved = Signal(int)
    cursor_released = Signal(int)

    def __init__(
        self, x_title: str, y_title: str, percent: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(x_title, y_title, parent)
        self._line = pg.PlotCurveItem(fillLevel=0.0)
        self.view.addItem(self._line)
        self._percent = percent
        self._dragging = False
        self._own_label = True
        self.canvas.pressed.connect(self._take)
        self.canvas.moved.connect(self._drag)
        self.canvas.released.connect(self._let_go)

    def curve(self) -> tuple[Doubles, Doubles]:
        """Give the points of the line as drawn."""
        x, y = self._line.getData()
        none = np.zeros(0)
        return (none, none) if x is None else (np.array(x), np.array(y))

    def colour(self, look: Tokens) -> None:
        accent, area = QColor(look.accent), QColor(look.accent)
        area.setAlphaF(0.16)
        self._line.setPen(pg.mkPen(accent, width=2))
        self._line.setBrush(area)

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        widest = metrics.horizontalAdvance("0000") + 26
        x = self.frame.x
        most = max(1, int(width / widest))
        return linear_ticks(x.lo, x.hi, most, percent=False, whole=True)

    def show_curve(self, x: ArrayLike, y: ArrayLike) -> None:
        """Draw `y` over `x`; with `percent`, 1.0 is 100 %."""
        across, up = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        self._line.setData(across, up)
        self.frame.x.lo, self.frame.x.hi = _range(across)
        top = float(np.nanmax(up)) if up.size else 0.0
        self.frame.y.hi = max(1.0, top) if self._percent else (top * 1.05 or 1.0)
        if self.tag.at is not None:
            self.set_cursor(int(self.tag.at), "" if self._own_label else self.tag.label)
        self.arrange()
        self._tell()

    def set_cursor(self, k: int, label: str = "") -> None:
        """Put the line at `k`; without a label it shows k and the height of the curve there."""
        new = self.tag.at is None
        self._own_label = not label
        self.tag.at = float(self._clamp(k))
        self.tag.label = label or self._label(int(self.tag.at))
        if new:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.arrange()  # the label needs room; later it only moves
        self.canvas.viewport().update()
        self._tell()

    def cursor_at(self) -> int | None:
        """Give the k of the line, or nothing."""
        return None if self.tag.at is None else int(self.tag.at)

    def cursor_label(self) -> str:
        return "" if self.tag.at is None else self.tag.label

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 4), percent=self._percent, whole=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.cursor_at()
        target = None if at is None else self._key_target(Qt.Key(event.key()), at)
        if target is None:
            super().keyPressEvent(event)
        else:
            self._move(target)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        at = self.cursor_at()
        moves = at is not None and self._key_target(Qt.Key(event.key()), at) is not None
        if at is not None and moves and not event.isAutoRepeat():
            self.cursor_released.emit(at)
        else:
            super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.tag.focused = event.reason() != Qt.FocusReason.MouseFocusReason
        self.canvas.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.tag.focused = False
        self.canvas.viewport().update()
        super().focusOutEvent(event)

    def _key_target(self, key: Qt.Key, at: int) -> int | None:
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return self._clamp(0 if key == Qt.Key.Key_Home else round(self.frame.x.hi))
        return at + _STEPS[key] if key in _STEPS else None

    def _take(self, at: QPointF) -> None:
        inside = self.frame.plot.adjusted(-_REACH, -40, _REACH, _REACH).contains(at)
        if self.tag.at is not None and inside:
            self._dragging = True
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._move(round(self.frame.value_at(at.x())))

    def _drag(self, at: QPointF, pressed: bool) -> None:
        if self._dragging and pressed:
            self._move(round(self.frame.value_at(at.x())))
        elif self.tag.at is not None:
            near = abs(at.x() - self.frame.px(self.tag.at)) < _REACH
            shape = Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.PointingHandCursor
            self.canvas.viewport().setCursor(shape)

    def _let_go(self, _at: QPointF) -> None:
        at = self.cursor_at()
        if self._dragging and at is not None:
            self._dragging = False
            self.cursor_released.emit(at)

    def _move(self, k: int) -> None:
        target = self._clamp(k)
        if target == self.cursor_at():
            return
        self.set_cursor(target, "" if self._own_label else self.tag.label)
        self.cursor_moved.emit(target)

    def _clamp(self, k: int) -> int:
        x, _ = self.curve()
        lo, hi = (float(x[0]), float(x[-1])) if x.size else (0.0, float(max(k, 0)))
        return round(min(max(k, lo), hi))

    def _label(self, k: int) -> str:
        x, y = self.curve()
        if not x.size:
            return f"k = {k}"
        height = float(np.interp(k, x, y))
        return f"k = {k} · {self._number(height)}"

    def _number(self, height: float) -> str:
        return f"{100 * height:.1f} %" if self._percent else f"{height:,.1f}"

    def _tell(self) -> None:
        x, y = self.curve()
        if not x.size:
            self.describe("Nothing is drawn yet.")
            return
        ends = f"from {self._number(y[0])} at {x[0]:g} to {self._number(y[-1])} at {x[-1]:g}"
        line = f" The line stands at {self.tag.label}." if self.tag.at is not None else ""
        self.describe(f"{self.frame.y.title.capitalize()}, {ends}.{line}")


def _range(values: Doubles) -> tuple[float, float]:
    """Start at zero, where "no components at all" stands, and end at the last value."""
    if not values.size:
        return 0.0, 1.0
    lo, hi = min(0.0, float(values.min())), float(values.max())
    return lo, hi if hi > lo else lo + 1.0
