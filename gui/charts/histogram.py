"""Two histograms in one plot as filled steps, with the line of one photograph and a mark."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from eigenfaces.recognition.calibration import Histogram
from eigenfaces.text import capital
from gui.charts.axes import GAP, read_out
from gui.charts.chart import NOTHING
from gui.charts.line_plot import Line, LinePlot
from gui.style.theme import SMALL, Tokens, font

_BOLD = QFont.Weight.DemiBold
_ABOVE = 1.08  # of the highest bin: the plot; more, where a label stands over it
_WITH_LABEL = 1.25


def outlines(spread: Histogram, mated: str, others: str) -> list[Line]:
    """Return the outlines of a histogram's bins under these names, the mated ones in front.

    What has no name is left out.
    """
    x = np.repeat(spread.edges, 2)
    return [
        Line(name, x, np.concatenate([[0.0], np.repeat(shares, 2), [0.0]]))
        for name, shares in ((mated, spread.mated), (others, spread.non_mated))
        if name
    ]


class HistogramChart(LinePlot):
    """One or two histograms; a dashed line is this photograph, a solid one the limit."""

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title, filled=True)
        self._spread: Histogram | None = None
        self._names = ("", "")
        self._limit: float | None = None
        self._limit_words = ""
        self.describe()

    def show_histogram(self, spread: Histogram, mated: str, others: str) -> None:
        """Draw the histograms under these names."""
        self._spread, self._names = spread, (mated, others)
        self._fit()
        self.show_lines(outlines(spread, mated, others))

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put a dashed line with a label at the distance of a photograph, or remove it."""
        self._mark = x
        self._fit()
        super().set_mark(x, label)

    def set_limit(self, x: float | None, words: str = "") -> None:
        """Put a solid line with words at the distance within which somebody is named."""
        self._limit, self._limit_words = x, words
        self._fit()

    def limit(self) -> tuple[float | None, str]:
        """Return the distance of the solid line, and its words."""
        return self._limit, self._limit_words

    def fills(self, line: Line) -> bool:
        """Return that each histogram is filled: what overlaps is seen through."""
        return True

    def takes_focus(self) -> bool:
        return False  # there is nothing to choose

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        super().paint_content(painter, look)
        if self._limit is None:
            return
        at, plot = round(self.frame.px(self._limit)), self.frame.plot
        painter.setPen(QPen(QColor(look.text), 2))
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
        painter.setFont(font(SMALL, _BOLD))
        place = self.limit_place()
        ground = QColor(look.surface)
        ground.setAlphaF(0.85)
        painter.fillRect(place.adjusted(-2, 0, 2, 0), ground)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self._limit_words)

    def limit_place(self) -> QRectF:
        """Return the rectangle of the words beside the solid line: where there is room."""
        if self._limit is None:
            return QRectF()
        metrics, plot = QFontMetricsF(font(SMALL, _BOLD)), self.frame.plot
        width, at = metrics.horizontalAdvance(self._limit_words) + 2, self.frame.px(self._limit)
        right = at + GAP
        left = right if right + width <= plot.right() else max(plot.left(), at - GAP - width)
        return QRectF(left, plot.top(), width, metrics.height())

    def hover(self, at: QPointF, pressed: bool) -> None:
        inside = self.frame.plot.contains(at)
        self.point_out(self.reading_at(self.frame.value_at(at.x())) if inside else "", None)

    def reading_at(self, distance: float) -> str:
        """Return what a bin holds, as in the tooltip; nothing outside of all bins."""
        spread = self._spread
        if spread is None or not spread.edges[0] <= distance <= spread.edges[-1]:
            return ""
        last = len(spread.mated) - 1
        bin_ = min(int(np.searchsorted(spread.edges, distance, "right")) - 1, last)
        low, high = (read_out(float(edge), False) for edge in spread.edges[bin_ : bin_ + 2])
        shares = (float(spread.mated[bin_]), float(spread.non_mated[bin_]))
        lines = (
            f"{name}: {read_out(share, True)}"
            for name, share in zip(self._names, shares, strict=True)
            if name
        )
        return "\n".join([f"{low} to {high}", *lines])

    def describe(self) -> None:
        """Describe in words what is drawn, for screen readers."""
        spread = self._spread
        if spread is None:
            self.setAccessibleDescription(NOTHING)
            return
        said = [f"{capital(self.frame.y.title)} by {self.frame.x.title}."]
        for name, shares in zip(self._names, (spread.mated, spread.non_mated), strict=True):
            if not name:
                continue
            fullest = int(np.argmax(shares))
            low, high = (read_out(float(e), False) for e in spread.edges[fullest : fullest + 2])
            share = read_out(float(shares[fullest]), True)
            said.append(f"{name}: most between {low} and {high}, {share} of them.")
        marks = [self.tag.label] if self._mark is not None else []
        marks += [self._limit_words] if self._limit is not None else []
        said += [f"Marked: {' and '.join(marks)}."] if marks else []
        self.setAccessibleDescription(" ".join(said))

    def _fit(self) -> None:
        """Show all of both histograms and both marks, from zero up."""
        spread = self._spread
        if spread is None:
            return
        marks = [mark for mark in (self._mark, self._limit) if mark is not None]
        low, high = float(spread.edges[0]), float(spread.edges[-1])
        beyond = 0.03 * (high - low)  # so that a mark out there does not lie on the edge
        low = min(low, *(mark - beyond for mark in marks)) if marks else low
        high = max(high, *(mark + beyond for mark in marks)) if marks else high
        top = max(float(spread.mated.max()), float(spread.non_mated.max()))
        room = _ABOVE if self._limit is None else _WITH_LABEL
        self.set_range((low, high), (0.0, room * top))
