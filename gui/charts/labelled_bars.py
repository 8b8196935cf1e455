"""Bars with a label each, to choose one of: one bar for each photo, or two beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
)

from eigenfaces.space.arrays import Doubles
from eigenfaces.text import capital
from gui.charts.axes import Ticks, every
from gui.charts.bars import BarPlot, Bars
from gui.charts.chart import NOTHING, PRESS_KEYS
from gui.style.theme import Tokens

_SIGN_ROOM = 18.0  # px above a highlighted bar, for its warning sign
_TOP_ROOM = 6.0
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class LabelledBars(BarPlot):
    """Base of bars of which one is chosen, by a click or by the arrow keys and Enter."""

    clicked = Signal(int)

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title)
        self._labels: tuple[str, ...] = ()
        self._chosen = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def outline(self, index: int) -> QRectF:
        """Return the rectangle around what stands at a label."""
        raise NotImplementedError

    def reading(self, index: int) -> str:
        """Return what stands at a label, as in the tooltip."""
        raise NotImplementedError

    def set_labels(self, labels: Sequence[str]) -> None:
        """Put these labels below the bars."""
        self._labels = tuple(labels)
        self.frame.x.lo, self.frame.x.hi = -0.6, max(1, len(self._labels)) - 0.4
        self._chosen = min(self._chosen, len(self._labels) - 1)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        if self.hasFocus() and 0 <= self._chosen < len(self._labels):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.text), 1.5))
            painter.drawRect(self.outline(self._chosen).adjusted(-3, -3, 3, 0))

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        widest = max((metrics.horizontalAdvance(text) for text in self._labels), default=0.0)
        return every(self._labels, max(1, int(width / (widest + 10))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._labels:
            self._chosen = min(max(self._chosen + step, 0), len(self._labels) - 1)
            self.update()
        elif event.key() in PRESS_KEYS and self._chosen >= 0:
            self.clicked.emit(self._chosen)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._chosen = max(self._chosen, min(0, len(self._labels) - 1))

    def press(self, at: QPointF) -> None:
        index = self._bar_at(at)
        if index is not None:
            self._chosen = index
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.update()
            self.clicked.emit(index)

    def hover(self, at: QPointF, pressed: bool) -> None:
        index = self._bar_at(at)
        if index is None:
            self.point_out("", None)
        else:
            self.point_out(self.reading(index), Qt.CursorShape.PointingHandCursor)

    def _bar_at(self, at: QPointF) -> int | None:
        index = round(self.frame.value_at(at.x()))
        inside = self.frame.plot.contains(at) and 0 <= index < len(self._labels)
        return index if inside else None


class PairedBars(LabelledBars):
    """Two bars at each label, side by side, with a legend; or one, if there is one series."""

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title)
        self._series: dict[str, Doubles] = {}
        self._colours = (QColor(), QColor())

    def show_series(self, labels: Sequence[str], series: dict[str, Doubles]) -> None:
        """Draw one or two series (n,), by name; the first stands at the left of each label."""
        self._series = dict(series)
        self.set_labels(labels)
        largest = max((float(each.max(initial=0.0)) for each in series.values()), default=0.0)
        self.frame.y.hi = 1.06 * largest if largest > 0 else 1.0
        self.arrange()
        self._describe()

    def series(self) -> dict[str, Doubles]:
        """Return what is drawn, by name."""
        return self._series

    def bars_drawn(self) -> tuple[Bars, ...]:
        at, pair = np.arange(float(len(self._labels))), len(self._series) > 1
        aside, wide = ((-0.21, 0.21), 0.38) if pair else ((0.0,), 0.6)
        parts = zip(aside, self._series.values(), self._colours, strict=False)
        return tuple(Bars(at + off, each, wide, colour) for off, each, colour in parts)

    def outline(self, index: int) -> QRectF:
        around = QRectF()
        for bars in self.bars_drawn():
            height = float(bars.heights[index])
            around = around.united(bars.place(self.frame, float(bars.at[index]), height))
        return around

    def reading(self, index: int) -> str:
        said = [f"{name}: {values[index]:.4g}" for name, values in self._series.items()]
        return "\n".join([f"{self.frame.x.title}: {self._labels[index]}", *said])

    def colour(self, look: Tokens) -> None:
        self._colours = (QColor(look.accent), QColor(look.people[1]))
        self.legend.entries = tuple(zip(self._series, self._colours, strict=False))

    def _describe(self) -> None:
        said = []
        for name, values in self._series.items():
            if values.size:
                best = int(np.argmax(values))
                said.append(f"{name}: most at {self._labels[best]}, {values[best]:.4g}.")
        self.setAccessibleDescription(" ".join(said) or NOTHING)


class BarChart(LabelledBars):
    """One bar for each photo; highlighted bars are coloured and have a warning sign."""

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title)
        self._values: Doubles = np.zeros(0)
        self._highlight: frozenset[int] = frozenset()
        self._plain, self._odd = QColor(), QColor()

    def show_bars(self, labels: Sequence[str], values: ArrayLike, highlight: set[int]) -> None:
        """Draw one bar for each label; `highlight` holds the indices of highlighted bars."""
        self.set_labels(labels)
        self._values = np.asarray(values, dtype=float)
        self._highlight = frozenset(highlight)
        self.arrange()
        self._describe()

    def bars(self) -> tuple[tuple[str, ...], Doubles]:
        """Return the labels below the bars, and the values."""
        return self._labels, self._values

    def highlighted(self) -> frozenset[int]:
        """Return the indices of the bars with a warning sign."""
        return self._highlight

    def bars_drawn(self) -> tuple[Bars, ...]:
        at = np.arange(float(self._values.size))
        odd = np.isin(at, list(self._highlight))
        parts = ((~odd, self._plain), (odd, self._odd))
        return tuple(Bars(at[these], self._values[these], 0.6, colour) for these, colour in parts)

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        super().paint_content(painter, look)  # the last colour is that of highlighted bars
        for index in self._highlight:
            top = QPointF(self.frame.px(index), self.frame.py(float(self._values[index])))
            painter.drawPath(_SIGN.translated(top))

    def outline(self, index: int) -> QRectF:
        return self.bars_drawn()[0].place(self.frame, index, float(self._values[index]))

    def reading(self, index: int) -> str:
        note = " — stands out" if index in self._highlight else ""
        return f"{self.frame.x.title} {self._labels[index]}: {self._values[index]:,.4g}{note}"

    def fit_range(self, height: float) -> None:
        largest = float(self._values.max(initial=0.0)) or 1.0
        room = _SIGN_ROOM if self._highlight else _TOP_ROOM
        self.frame.y.hi = largest * height / max(height - room, 1.0)

    def choose_y_ticks(self, most: int) -> Ticks:
        return super().choose_y_ticks(min(most, 4))

    def colour(self, look: Tokens) -> None:
        self._plain, self._odd = QColor(look.accent), QColor(look.warn)

    def _describe(self) -> None:
        if not self._values.size:
            self.setAccessibleDescription(NOTHING)
            return
        pairs = (
            f"{label}: {value:,.4g}"
            for label, value in zip(self._labels, self._values, strict=True)
        )
        odd = ", ".join(self._labels[index] for index in sorted(self._highlight))
        stands = f". Standing out: {odd}." if odd else "."
        self.setAccessibleDescription(
            f"{capital(self.frame.y.title)} by {self.frame.x.title}. " + ", ".join(pairs) + stands
        )


def _warning_sign() -> QPainterPath:
    """Return a small triangle with an exclamation mark, above its origin."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    path.moveTo(0, -16)
    path.lineTo(7, -4)
    path.lineTo(-7, -4)
    path.closeSubpath()
    path.addRect(QRectF(-0.8, -12, 1.6, 4))
    path.addRect(QRectF(-0.8, -7, 1.6, 1.6))
    return path


_SIGN = _warning_sign()
