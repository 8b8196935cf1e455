"""How far real faces lie from the mean: a histogram, the band of most of them, and one mark."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from eigenfaces.space.arrays import Doubles
from gui.charts.axes import Ticks
from gui.charts.chart import NOTHING
from gui.charts.line_plot import Line, LinePlot
from gui.style.theme import Tokens

_BINS = 24
_BEYOND = 1.4  # times the largest value: the end of the axis, so that a mark has room to leave
_ABOVE = 1.08  # of the highest bin


class SpreadChart(LinePlot):
    """One histogram as filled steps from zero up, a band behind it, and a dashed mark."""

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title, filled=True)
        self.set_percent(False, False)
        self.band: tuple[float, float] | None = None
        self.setMinimumSize(120, 110)

    def show_spread(self, values: Doubles, band: tuple[float, float] | None) -> None:
        """Draw the values (n,), and the band that holds most of them."""
        self.band = band
        low, high = float(values.min()), float(values.max())
        counts, edges = np.histogram(values, _BINS, (low, high) if high > low else None)
        x = np.repeat(edges, 2)
        y = np.concatenate([[0.0], np.repeat(counts.astype(float), 2), [0.0]])
        self.set_range((0.0, _BEYOND * high), (0.0, _ABOVE * float(counts.max())))
        self.show_lines([Line(self.frame.y.title, x, y)])

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put the mark at a value, beyond the axis at its end, or remove it."""
        most = self.frame.x.hi
        super().set_mark(None if x is None else min(x, most), label)

    def takes_focus(self) -> bool:
        return False  # there is nothing to choose

    def choose_y_ticks(self, most: int) -> Ticks:
        return super().choose_y_ticks(min(most, 3))

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        if self.band is not None:
            left, right = (self.frame.px(end) for end in self.band)
            plot = self.frame.plot
            painter.setPen(Qt.PenStyle.NoPen)
            painter.fillRect(
                QRectF(left, plot.top(), right - left, plot.height()), QColor(look.ok_soft)
            )
        super().paint_content(painter, look)

    def describe(self) -> None:
        """Describe in words what is drawn, for screen readers."""
        if not self.lines():
            self.setAccessibleDescription(NOTHING)
            return
        band = self.band
        held = f" Most lie between {band[0]:.2f} and {band[1]:.2f}." if band else ""
        mark = f" Marked: {self.tag.label}." if self.mark() is not None else ""
        title = f"{self.frame.y.title.capitalize()} by {self.frame.x.title}."
        self.setAccessibleDescription(f"{title}{held}{mark}")
