"""Plots made of bars, one or two a component: a spectrum, and shares of a distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from eigenfaces.arrays import Doubles
from gui.charts.frame import Chart
from gui.charts.ticks import Ticks, linear_ticks, log_ticks, short_number
from gui.style.theme import Tokens

SPECTRUM_SHOWN = 60
_ROUND = 2.5  # px, the upper corners of a bar
_DOT = 2.2  # px, the radius of a dot


class Bars(QGraphicsPathItem):
    """Bars of one colour with rounded upper corners, in the plot's own coordinates.

    Or the dots at their ends: a logarithmic axis has no zero for a bar to stand on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.at: Doubles = np.zeros(0)
        self.heights: Doubles = np.zeros(0)
        self.width = 0.8
        self.dots = False

    def put(self, at: Doubles, heights: Doubles) -> None:
        self.at, self.heights = at, heights

    def shape_to(self, x_per_px: float, y_per_px: float) -> None:
        """Build the outline; corners are round on the screen at any scale of the axes."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        add = self._add_dot if self.dots else self._add_bar
        for at, height in zip(self.at, self.heights, strict=True):
            add(path, QPointF(at, height), x_per_px, y_per_px)
        self.setPath(path)

    def _add_bar(self, path: QPainterPath, top: QPointF, x_per_px: float, y_per_px: float) -> None:
        if top.y() <= 0:
            return
        rise = max(top.y(), 1.5 * y_per_px)  # nothing that is there becomes invisible
        whole = QRectF(top.x() - self.width / 2, 0, self.width, rise)
        corner = min(_ROUND * y_per_px, rise)
        path.addRoundedRect(whole, min(_ROUND * x_per_px, self.width / 2), corner)
        path.addRect(QRectF(whole.left(), 0, self.width, rise - corner))

    def _add_dot(self, path: QPainterPath, at: QPointF, x_per_px: float, y_per_px: float) -> None:
        if np.isfinite(at.y()):
            path.addEllipse(at, _DOT * x_per_px, _DOT * y_per_px)


class BarPlot(Chart):
    """What the plots of bars share: shaping bars to the pixels after each change."""

    def __init__(self, x_title: str, y_title: str, parent: QWidget | None = None) -> None:
        super().__init__(x_title, y_title, parent)
        self._series: list[Bars] = []

    def add_series(self) -> Bars:
        bars = Bars()
        self._series.append(bars)
        self.view.addItem(bars, ignoreBounds=True)
        return bars

    def px_size(self) -> tuple[float, float]:
        """Give the size of one pixel in the units of the axes."""
        x, y, plot = self.frame.x, self.frame.y, self.frame.plot
        return (x.hi - x.lo) / max(plot.width(), 1), (y.hi - y.lo) / max(plot.height(), 1)

    def arrange(self) -> None:
        super().arrange()
        for bars in self._series:
            bars.shape_to(*self.px_size())

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 5), percent=False, whole=False)

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        most = max(1, int(width / (metrics.horizontalAdvance("00") + 36)))
        x, at = self.frame.x, [bars.at for bars in self._series if bars.at.size]
        first, last = (min(map(min, at)), max(map(max, at))) if at else (x.lo, x.hi)
        ticks = linear_ticks(x.lo, x.hi, min(most, 6), percent=False, whole=True)
        return tuple(tick for tick in ticks if first <= tick[0] <= last)  # only where bars are


class SpectrumChart(BarPlot):
    """The leading singular values: a bar each, or a dot each on a logarithmic axis."""

    def __init__(
        self,
        x_title: str = "component",
        y_title: str = "singular value",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(x_title, y_title, parent)
        self._bars = self.add_series()
        self._values: Doubles = np.zeros(0)
        self._log = False

    def show_spectrum(self, values: ArrayLike, log: bool) -> None:
        """Draw the first 60 values; the largest comes first."""
        self._values = np.asarray(values, dtype=float)[:SPECTRUM_SHOWN]
        self._log = log and bool((self._values > 0).any())
        at = np.arange(1.0, self._values.size + 1)
        self.frame.x.lo, self.frame.x.hi = 0.0, self._values.size + 0.8
        largest = float(self._values.max(initial=0.0)) or 1.0
        if self._log:
            positive = self._values[self._values > 0]
            exponents = np.log10(np.maximum(self._values, positive.min()))
            room = max(0.05, 0.06 * float(np.ptp(exponents)))
            self.frame.y.lo = float(exponents.min()) - room
            self.frame.y.hi = float(exponents.max()) + room
            self._bars.put(at, np.where(self._values > 0, exponents, -np.inf))
        else:
            self.frame.y.lo, self.frame.y.hi = 0.0, 1.06 * largest
            self._bars.put(at, self._values)
        self._bars.dots = self._log
        self._bars.width = 0.72
        self.arrange()
        self._tell(largest)

    def bars(self) -> tuple[Doubles, Doubles]:
        """Give the numbers of the components drawn and their singular values."""
        return np.arange(1.0, self._values.size + 1), self._values

    def is_log(self) -> bool:
        return self._log

    def choose_y_ticks(self, most: int) -> Ticks:
        if self._log:
            return log_ticks(self.frame.y.lo, self.frame.y.hi, min(most, 6))
        return super().choose_y_ticks(most)

    def colour(self, look: Tokens) -> None:
        self._bars.setBrush(QColor(look.accent))

    def _tell(self, largest: float) -> None:
        if not self._values.size:
            self.describe("Nothing is drawn yet.")
            return
        scale = "logarithmic" if self._log else "linear"
        self.describe(
            f"The first {self._values.size} singular values on a {scale} axis, falling from "
            f"{short_number(largest)} to {short_number(float(self._values[-1]))}."
        )


class PairedBars(BarPlot):
    """Two bars a component, side by side, with a legend."""

    def __init__(
        self,
        x_title: str = "component",
        y_title: str = "share of d²",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(x_title, y_title, parent)
        self._first, self._second = self.add_series(), self.add_series()
        self._names = ("", "")
        self._x: Doubles = np.zeros(0)

    def show_pairs(
        self,
        x: ArrayLike,
        first: ArrayLike,
        second: ArrayLike,
        first_name: str,
        second_name: str,
    ) -> None:
        """Draw shares (1.0 is 100 %) of `first` left and `second` right of each `x`."""
        self._x = np.asarray(x, dtype=float)
        one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
        self._names = (first_name, second_name)
        self._first.width = self._second.width = 0.38
        self._first.put(self._x - 0.21, one)
        self._second.put(self._x + 0.21, two)
        low, high = self._x.min(initial=1.0), self._x.max(initial=1.0)
        self.frame.x.lo, self.frame.x.hi = float(low) - 1, float(high) + 1
        largest = float(max(one.max(initial=0.0), two.max(initial=0.0)))
        self.frame.y.hi = 1.06 * largest if largest > 0 else 1.0
        self.arrange()
        self._tell()

    def pairs(self) -> tuple[Doubles, Doubles, Doubles]:
        """Give the components and both series of shares."""
        return self._x, self._first.heights, self._second.heights

    def names(self) -> tuple[str, str]:
        """Give what the legend says."""
        return self._names

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 5), percent=True, whole=False)

    def colour(self, look: Tokens) -> None:
        colours = (QColor(look.accent), QColor(look.people[1]))
        for bars, colour in zip((self._first, self._second), colours, strict=True):
            bars.setBrush(colour)
        if any(self._names):
            self.legend.entries = tuple(zip(self._names, colours, strict=True))

    def _tell(self) -> None:
        said = []
        for name, bars in zip(self._names, (self._first, self._second), strict=True):
            if bars.heights.size:
                best = int(np.argmax(bars.heights))
                share = 100 * float(bars.heights[best])
                said.append(f"{name}: most at component {self._x[best]:g}, {share:.1f} %.")
        self.describe(" ".join(said) or "Nothing is drawn yet.")
