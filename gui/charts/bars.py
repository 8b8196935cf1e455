"""What all bar charts have in common, and the chart of a spectrum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath

from eigenfaces.space.arrays import Doubles
from gui.charts.axes import Frame, Ticks, linear_ticks, log_ticks, short_number
from gui.charts.chart import NOTHING, Chart
from gui.style.theme import Tokens

SPECTRUM_SHOWN = 60
_ROUND = 2.5  # px, the upper corners of a bar
_DOT = 2.2  # px, the radius of a dot


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

    def paths(self, frame: Frame) -> Iterator[QPainterPath]:
        """Yield the outline of each bar in pixels: one of all together takes far longer to fill."""
        for at, height in zip(self.at.tolist(), self.heights.tolist(), strict=True):
            path = QPainterPath()
            path.setFillRule(Qt.FillRule.WindingFill)
            if self.dots and np.isfinite(height):
                path.addEllipse(QPointF(frame.px(at), frame.py(height)), _DOT, _DOT)
            elif not self.dots and height > 0:
                self._add_bar(path, self.place(frame, at, height))
            yield path

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
            for path in bars.paths(self.frame):
                painter.drawPath(path)

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

    def __init__(self) -> None:
        super().__init__("component", "singular value")
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
            self.setAccessibleDescription(NOTHING)
            return
        scale = "logarithmic" if self._log else "linear"
        self.setAccessibleDescription(
            f"The first {self._values.size} singular values on a {scale} axis, falling from "
            f"{short_number(largest)} to {short_number(float(self._values[-1]))}."
        )
