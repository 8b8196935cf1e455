"""Bar charts: a spectrum, shares of a distance, and one bar for each photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from PySide6.QtWidgets import QWidget

from eigenfaces.arrays import Doubles
from gui.charts.axes import Frame, Ticks, every, linear_ticks, log_ticks, short_number
from gui.charts.chart import PRESS_KEYS, Chart
from gui.style.theme import Tokens

SPECTRUM_SHOWN = 60
_ROUND = 2.5  # px, the upper corners of a bar
_DOT = 2.2  # px, the radius of a dot
_SIGN_ROOM = 18.0  # px above a highlighted bar, for its warning sign
_TOP_ROOM = 6.0
_NOTHING = "Nothing is drawn yet."


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars of one colour with rounded upper corners, at (n,) places of the horizontal axis.

    On a logarithmic axis, which has no zero, only dots at their ends.
    """

    at: Doubles
    heights: Doubles
    width: float
    colour: QColor
    dots: bool = False

    def path(self, frame: Frame) -> QPainterPath:
        """Return the outline of all bars in pixels."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for at, height in zip(self.at.tolist(), self.heights.tolist(), strict=True):
            if self.dots and np.isfinite(height):
                path.addEllipse(QPointF(frame.px(at), frame.py(height)), _DOT, _DOT)
            elif not self.dots and height > 0:
                self._add_bar(path, self.place(frame, at, height))
        return path

    def place(self, frame: Frame, at: float, height: float) -> QRectF:
        """Return the rectangle of a bar, large enough to be seen."""
        left, right = frame.px(at - self.width / 2), frame.px(at + self.width / 2)
        floor = frame.py(0.0)
        top = min(frame.py(height), floor - 1.5)
        return QRectF(left, top, right - left, floor - top)

    def _add_bar(self, path: QPainterPath, place: QRectF) -> None:
        corner = min(_ROUND, place.height())
        path.addRoundedRect(place, min(_ROUND, place.width() / 2), corner)
        path.addRect(place.adjusted(0, corner, 0, 0))


class BarPlot(Chart):
    """Base of all bar charts: it paints the bars, and puts ticks only at bars."""

    def bars_drawn(self) -> tuple[Bars, ...]:
        """Return the bars, grouped by colour."""
        raise NotImplementedError

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for bars in self.bars_drawn():
            painter.setBrush(bars.colour)
            painter.drawPath(bars.path(self.frame))

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 5), percent=False, whole=False)

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        most = max(1, int(width / (metrics.horizontalAdvance("00") + 36)))
        x, at = self.frame.x, [bars.at for bars in self.bars_drawn() if bars.at.size]
        first, last = (min(map(min, at)), max(map(max, at))) if at else (x.lo, x.hi)
        ticks = linear_ticks(x.lo, x.hi, min(most, 6), percent=False, whole=True)
        return tuple(tick for tick in ticks if first <= tick[0] <= last)


class SpectrumChart(BarPlot):
    """The leading singular values as bars, or as dots on a logarithmic axis."""

    def __init__(
        self,
        x_title: str = "component",
        y_title: str = "singular value",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(x_title, y_title, parent)
        self._values: Doubles = np.zeros(0)
        self._log = False
        self._colour = QColor()

    def show_spectrum(self, values: ArrayLike, log: bool) -> None:
        """Draw the first 60 of the values, which are sorted from the largest down."""
        self._values = np.asarray(values, dtype=float)[:SPECTRUM_SHOWN]
        self._log = log and bool((self._values > 0).any())
        x, y = self.frame.x, self.frame.y
        x.lo, x.hi = 0.0, self._values.size + 0.8
        largest = float(self._values.max(initial=0.0)) or 1.0
        y.lo, y.hi = 0.0, 1.06 * largest
        if self._log:
            exponents = self._exponents()[self._values > 0]
            room = max(0.05, 0.06 * float(np.ptp(exponents)))
            y.lo, y.hi = float(exponents.min()) - room, float(exponents.max()) + room
        self.arrange()
        self._describe(largest)

    def bars(self) -> tuple[Doubles, Doubles]:
        """Return the numbers of the components drawn and their singular values."""
        return np.arange(1.0, self._values.size + 1), self._values

    def is_log(self) -> bool:
        return self._log

    def bars_drawn(self) -> tuple[Bars, ...]:
        at, values = self.bars()
        heights = self._exponents() if self._log else values
        return (Bars(at, heights, 0.72, self._colour, dots=self._log),)

    def choose_y_ticks(self, most: int) -> Ticks:
        if self._log:
            return log_ticks(self.frame.y.lo, self.frame.y.hi, min(most, 6))
        return super().choose_y_ticks(most)

    def colour(self, look: Tokens) -> None:
        self._colour = QColor(look.accent)

    def _exponents(self) -> Doubles:
        there = self._values > 0
        return np.log10(self._values, out=np.full(there.shape, -np.inf), where=there)

    def _describe(self, largest: float) -> None:
        if not self._values.size:
            self.setAccessibleDescription(_NOTHING)
            return
        scale = "logarithmic" if self._log else "linear"
        self.setAccessibleDescription(
            f"The first {self._values.size} singular values on a {scale} axis, falling from "
            f"{short_number(largest)} to {short_number(float(self._values[-1]))}."
        )


class PairedBars(BarPlot):
    """Two bars for each component, side by side, with a legend."""

    def __init__(
        self,
        x_title: str = "component",
        y_title: str = "share of d²",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(x_title, y_title, parent)
        self._names = ("", "")
        self._pairs: tuple[Doubles, Doubles, Doubles] = (np.zeros(0), np.zeros(0), np.zeros(0))
        self._colours = (QColor(), QColor())

    def show_pairs(
        self,
        x: ArrayLike,
        first: ArrayLike,
        second: ArrayLike,
        first_name: str,
        second_name: str,
    ) -> None:
        """Draw shares (1.0 is 100 %) of `first` left and `second` right of each `x`."""
        at, one, two = (np.asarray(each, dtype=float) for each in (x, first, second))
        self._pairs, self._names = (at, one, two), (first_name, second_name)
        low, high = at.min(initial=1.0), at.max(initial=1.0)
        self.frame.x.lo, self.frame.x.hi = float(low) - 1, float(high) + 1
        largest = float(max(one.max(initial=0.0), two.max(initial=0.0)))
        self.frame.y.hi = 1.06 * largest if largest > 0 else 1.0
        self.arrange()
        self._describe()

    def pairs(self) -> tuple[Doubles, Doubles, Doubles]:
        """Return the components and both series of shares."""
        return self._pairs

    def names(self) -> tuple[str, str]:
        """Return the names in the legend."""
        return self._names

    def bars_drawn(self) -> tuple[Bars, ...]:
        x, *shares = self._pairs
        parts = zip((-0.21, 0.21), shares, self._colours, strict=True)
        return tuple(Bars(x + aside, each, 0.38, colour) for aside, each, colour in parts)

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 5), percent=True, whole=False)

    def colour(self, look: Tokens) -> None:
        self._colours = (QColor(look.accent), QColor(look.people[1]))
        if any(self._names):
            self.legend.entries = tuple(zip(self._names, self._colours, strict=True))

    def _describe(self) -> None:
        said, (x, *shares) = [], self._pairs
        for name, each in zip(self._names, shares, strict=True):
            if each.size:
                best = int(np.argmax(each))
                said.append(f"{name}: most at component {x[best]:g}, {100 * each[best]:.1f} %.")
        self.setAccessibleDescription(" ".join(said) or _NOTHING)


class BarChart(BarPlot):
    """One bar for each photo; highlighted bars are coloured and have a warning sign."""

    clicked = Signal(int)

    def __init__(self, x_title: str, y_title: str, parent: QWidget | None = None) -> None:
        super().__init__(x_title, y_title, parent)
        self._labels: tuple[str, ...] = ()
        self._values: Doubles = np.zeros(0)
        self._highlight: frozenset[int] = frozenset()
        self._chosen = -1
        self._plain, self._odd = QColor(), QColor()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_bars(self, labels: Sequence[str], values: ArrayLike, highlight: set[int]) -> None:
        """Draw one bar for each label; `highlight` holds the indices of highlighted bars."""
        self._labels = tuple(labels)
        self._values = np.asarray(values, dtype=float)
        self._highlight = frozenset(highlight)
        self.frame.x.lo, self.frame.x.hi = -0.6, max(1, self._values.size) - 0.4
        self._chosen = min(self._chosen, self._values.size - 1)
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

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        if self.hasFocus() and 0 <= self._chosen < self._values.size:
            plain = self.bars_drawn()[0]
            place = plain.place(self.frame, self._chosen, float(self._values[self._chosen]))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.text), 1.5))
            painter.drawRect(place.adjusted(-3, -3, 3, 0))

    def fit_range(self, height: float) -> None:
        largest = float(self._values.max(initial=0.0)) or 1.0
        room = _SIGN_ROOM if self._highlight else _TOP_ROOM
        self.frame.y.hi = largest * height / max(height - room, 1.0)

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        widest = max((metrics.horizontalAdvance(text) for text in self._labels), default=0.0)
        return every(self._labels, max(1, int(width / (widest + 10))))

    def choose_y_ticks(self, most: int) -> Ticks:
        return super().choose_y_ticks(min(most, 4))

    def colour(self, look: Tokens) -> None:
        self._plain, self._odd = QColor(look.accent), QColor(look.warn)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and self._values.size:
            self._chosen = min(max(self._chosen + step, 0), self._values.size - 1)
            self.update()
        elif event.key() in PRESS_KEYS and self._chosen >= 0:
            self.clicked.emit(self._chosen)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._chosen = max(self._chosen, min(0, self._values.size - 1))

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
            return
        note = " — stands out" if index in self._highlight else ""
        tip = f"{self.frame.x.title} {self._labels[index]}: {self._values[index]:,.4g}{note}"
        self.point_out(tip, Qt.CursorShape.PointingHandCursor)

    def _bar_at(self, at: QPointF) -> int | None:
        index = round(self.frame.value_at(at.x()))
        inside = self.frame.plot.contains(at) and 0 <= index < self._values.size
        return index if inside else None

    def _describe(self) -> None:
        if not self._values.size:
            self.setAccessibleDescription(_NOTHING)
            return
        pairs = (
            f"{label}: {value:,.4g}"
            for label, value in zip(self._labels, self._values, strict=True)
        )
        odd = ", ".join(self._labels[index] for index in sorted(self._highlight))
        stands = f". Standing out: {odd}." if odd else "."
        self.setAccessibleDescription(
            f"{self.frame.y.title.capitalize()} by {self.frame.x.title}. "
            + ", ".join(pairs)
            + stands
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
