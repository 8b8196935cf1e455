"""Bars that may point downwards, with a name each."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from eigenfaces.lessons.drawing import BarsPanel
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import capital, number
from gui.pages.lessons.panels.inks import ink_colour
from gui.plots.axes import Ticks, every, linear_ticks
from gui.plots.plot import PlotView
from gui.style.theme import Tokens

_ROOM = 0.08
_WIDTH = 0.66
_LOWEST = 1.5


class SignedBars(PlotView):
    """A panel of bars."""

    def __init__(self) -> None:
        super().__init__("", "")
        self.panel: BarsPanel | None = None
        self._values: Doubles = np.zeros(0)
        self.setMinimumSize(110, 90)

    def show_panel(self, panel: BarsPanel) -> None:
        """Show other bars."""
        self.panel, self._values = panel, np.asarray(panel.values, dtype=float)
        x, y = self.frame.x, self.frame.y
        y.title = panel.y
        x.lo, x.hi = -0.6, max(1, len(panel.names)) - 0.4
        there = self._values[np.isfinite(self._values)]
        low, high = min(0.0, there.min(initial=0.0)), max(0.0, there.max(initial=0.0))
        room = _ROOM * ((high - low) or 1.0)
        y.lo, y.hi = low - room * (low < 0), high + room * (high > 0 or low == 0)
        self.setAccessibleName(panel.title or capital(panel.y) or "Bars")
        pairs = zip(panel.names, self._values.tolist(), strict=True)
        self.setAccessibleDescription(", ".join(f"{name}: {number(each)}" for name, each in pairs))
        self.arrange()

    def bar(self, at: int) -> QRectF:
        """Return the rectangle of a bar in pixels."""
        frame, value = self.frame, float(self._values[at])
        left, right = frame.px(at - _WIDTH / 2), frame.px(at + _WIDTH / 2)
        zero, end = frame.py(0.0), frame.py(value)
        if abs(end - zero) < _LOWEST:
            end = zero - _LOWEST if value >= 0 else zero + _LOWEST
        return QRectF(QPointF(left, min(zero, end)), QPointF(right, max(zero, end)))

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        names = self.panel.names if self.panel else ()
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
        return every(names, max(1, int(width / (widest + 8))))

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 5), percent=False, whole=False)

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        if self.panel is None:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_colour(self.panel.ink, look))
        for at in np.flatnonzero(np.isfinite(self._values)).tolist():
            painter.drawRoundedRect(self.bar(at), 2, 2)
        zero, plot = self.frame.py(0.0), self.frame.plot
        painter.setPen(QPen(QColor(look.tertiary), 1))
        painter.drawLine(QPointF(plot.left(), zero), QPointF(plot.right(), zero))

    def hover(self, at: QPointF, pressed: bool) -> None:
        index = round(float(self.frame.value_at(at)[0]))
        inside = self.frame.plot.contains(at) and 0 <= index < len(self._values)
        names = self.panel.names if self.panel else ()
        tip = f"{names[index]}: {number(float(self._values[index]))}" if inside else ""
        self.point_out(tip, None)
