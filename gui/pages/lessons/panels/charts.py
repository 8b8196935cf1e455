"""Curves, bars, shares of a whole, and tables."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.lessons.drawing import BarsPanel, CurvesPanel, DrawnCurve, SharesPanel, TablePanel
from eigenfaces.text import capital, number
from gui.pages.lessons.panels.inks import ink_colour
from gui.plots.axes import Axis, Frame
from gui.plots.marks import Bars, Line, Rule
from gui.plots.plot import PlotView
from gui.plots.strokes import Stroke
from gui.style import theme
from gui.style.theme import BASE, CAPTION, SMALL, Tokens

_DASHES = (7.0, 4.0)
_LOG = "log scale"


class CurvesChart(PlotView):
    """A panel of curves."""

    def __init__(self) -> None:
        super().__init__(Axis(), Axis())
        self.setMinimumSize(110, 150)

    def show_panel(self, panel: CurvesPanel) -> None:
        """Show other curves."""
        x, y = (
            Axis(title, _LOG if log else "", log=log)
            for title, log in ((panel.x, panel.log_x), (panel.y, panel.log_y))
        )
        y.percent = panel.percent
        rules = [Rule(*panel.mark)] if panel.mark else []
        self.show_marks([*rules, *map(_InkedLine, panel.curves)], x, y)
        if panel.title:
            self.setAccessibleName(panel.title)


class _InkedLine(Line):
    def __init__(self, of: DrawnCurve) -> None:
        super().__init__(of.name, of.x, of.y, of.low, of.high)
        self._of = of

    def dress(self, look: Tokens, number: int) -> None:
        self.stroke = Stroke(ink_colour(self._of.ink, look), _DASHES if self._of.dashed else ())


class SignedBars(PlotView):
    """A panel of bars."""

    def __init__(self) -> None:
        super().__init__(Axis(), Axis())
        self.setMinimumSize(110, 90)

    def show_panel(self, panel: BarsPanel) -> None:
        """Show other bars."""
        values = np.asarray(panel.values, dtype=float)
        self.show_marks([_NamedBars({"": values}, panel.names)], Axis(), Axis(panel.y))
        self.setAccessibleName(panel.title or capital(panel.y) or "Bars")
        pairs = zip(panel.names, values.tolist(), strict=True)
        self.setAccessibleDescription(", ".join(f"{name}: {number(each)}" for name, each in pairs))


class _NamedBars(Bars):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.chooses = False

    def told(self, frame: Frame, item: int) -> str:
        return f"{self.labels[item]}: {number(float(self.series[''][item]))}"


_BAR = 20
_GAP = 5
_RADIUS = 6


class SharesBar(QWidget):
    """A panel of shares: their words above the bar, its mark and the whole below."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: SharesPanel | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_panel(self, panel: SharesPanel) -> None:
        """Show other shares."""
        self.panel = panel
        said = [*(words for words, _, _ in panel.parts), panel.whole]
        self.setAccessibleName(panel.title or "Shares")
        self.setAccessibleDescription(". ".join([*said, *([panel.mark[1]] if panel.mark else [])]))
        self.update()

    def sizeHint(self) -> QSize:
        small = QFontMetrics(theme.font(SMALL)).height()
        words = QFontMetrics(theme.font(CAPTION)).height()
        return QSize(200, words + _GAP + theme.pixels(_BAR) + 2 * small + 2 * _GAP + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def edges(self) -> list[float]:
        """Return where the parts begin and end, in pixels from the left; they fill the width."""
        if self.panel is None:
            return []
        kept, lost = (max(value, 0.0) for _, value, _ in self.panel.parts)
        return [0.0, kept / (kept + lost) * self.width(), float(self.width())]

    def mark_place(self) -> float | None:
        """Return where the mark is, in pixels from the left."""
        if self.panel is None or self.panel.mark is None:
            return None
        whole = sum(max(value, 0.0) for _, value, _ in self.panel.parts)
        return min(max(self.panel.mark[0] / whole, 0.0), 1.0) * self.width()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = QFontMetrics(theme.font(CAPTION)).height()
        bar = QRectF(0, words + _GAP, self.width(), theme.pixels(_BAR))
        self._write_parts(painter, words)
        self._paint_bar(painter, bar)
        below = self._paint_mark(painter, bar)
        self._paint_whole(painter, below)

    def _write_parts(self, painter: QPainter, height: float) -> None:
        """Write what is kept at the left, what is lost at the right."""
        assert self.panel is not None
        painter.setPen(QColor(theme.tokens().text))
        parts = [words for words, _, _ in self.panel.parts]
        for weight in (QFont.Weight.DemiBold, QFont.Weight.Normal):  # which is narrower
            painter.setFont(theme.font(CAPTION, weight))
            wide = [painter.fontMetrics().horizontalAdvance(words) + 2 for words in parts]
            if sum(wide) + 10 * len(wide) <= self.width():
                break
        ends = self.width() - wide[1]
        for words, left, room in zip(
            parts, (0, ends), (min(wide[0], ends - 10), wide[1]), strict=True
        ):
            shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room, height), Qt.AlignmentFlag.AlignLeft, shown)

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        assert self.panel is not None
        look, edges = theme.tokens(), self.edges()
        outline = QPainterPath()
        outline.addRoundedRect(bar, _RADIUS, _RADIUS)
        painter.save()
        painter.setClipPath(outline)
        for (_, _, ink), left, right in zip(self.panel.parts, edges, edges[1:], strict=False):
            box = QRectF(left, bar.top(), right - left, bar.height())
            painter.fillRect(box, ink_colour(ink, look))
        painter.setPen(QPen(QColor(look.surface), 2))
        for edge in edges[1:-1]:
            painter.drawLine(QPointF(edge, bar.top()), QPointF(edge, bar.bottom()))
        painter.restore()

    def _paint_mark(self, painter: QPainter, bar: QRectF) -> float:
        """Paint the mark; return where what is below may begin."""
        look, at = theme.tokens(), self.mark_place()
        painter.setFont(theme.font(SMALL))
        line = painter.fontMetrics().height()
        below = bar.bottom() + _GAP + line
        if at is None or self.panel is None or self.panel.mark is None:
            return below
        at = min(max(at, 1.5), self.width() - 1.5)
        painter.setPen(QPen(QColor(look.text), 2))
        painter.drawLine(QPointF(at, bar.top() - 2), QPointF(at, bar.bottom() + 5))
        painter.setPen(QColor(look.secondary))
        wide = painter.fontMetrics().horizontalAdvance(self.panel.mark[1]) + 2
        left = min(max(at - wide / 2, 0.0), self.width() - wide)
        box = QRectF(left, bar.bottom() + _GAP + 1, wide, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.panel.mark[1])
        return below

    def _paint_whole(self, painter: QPainter, top: float) -> None:
        """Paint a bracket under all parts, with words in its middle."""
        assert self.panel is not None
        look = theme.tokens()
        painter.setFont(theme.font(SMALL))
        line = painter.fontMetrics().height()
        wide = painter.fontMetrics().horizontalAdvance(self.panel.whole) + 18
        y, right = top + 3 + line / 2, self.width() - 1.0
        first, last = (self.width() - wide) / 2, (self.width() + wide) / 2
        painter.setPen(QPen(QColor(look.tertiary), 1))
        for edge, middle in ((0.5, first), (right, last)):
            painter.drawLine(QPointF(edge, y - 4), QPointF(edge, y))
            painter.drawLine(QPointF(edge, y), QPointF(middle, y))
        painter.setPen(QColor(look.secondary))
        box = QRectF(first, top + 3, wide, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.panel.whole)


_PLAIN, _BOLD = QFont.Weight.Normal, QFont.Weight.DemiBold
_APART = 16.0
_FIRST = 80.0
_FIGURE = re.compile(r"[−+-]?\d[\d.,]*( ?[%°])?$")
_ROW, _LEAST = 12.0, 3.0
"""Pixels above and below the words of a row: at most, and at least."""


class TableView(QWidget):
    """A panel of a table; rows are lower where there is little room."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: TablePanel | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(240, round(self._lines() * (self._line() + _ROW)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, round(self._lines() * (self._line() + _LEAST)))

    def show_panel(self, panel: TablePanel) -> None:
        """Show another table."""
        lines = self._lines()
        self.panel = panel
        self.setAccessibleName(panel.title or "Table")
        told = ["; ".join(each) for each in (panel.head, *panel.rows)]
        self.setAccessibleDescription(". ".join(told))
        if self._lines() != lines:
            self.updateGeometry()
        self.update()

    def _lines(self) -> int:
        return len(self.panel.rows) + 1 if self.panel else 1

    def _line(self) -> float:
        return QFontMetricsF(theme.font(BASE)).height()

    def row_height(self) -> float:
        """Return the height of a row: what there is, up to what looks well."""
        lines = 2 if self._folds() else 1
        return min(lines * self._line() + _ROW, self.height() / max(1, self._lines()))

    def _folds(self) -> bool:
        """Return whether what stands at the left needs two lines."""
        if self.panel is None or not self.panel.head:
            return False
        left, right = self.columns()[0]
        metrics = QFontMetricsF(theme.font(self.text_size()))
        return any(metrics.horizontalAdvance(row[0]) > right - left for row in self.panel.rows)

    def columns(self) -> list[tuple[float, float]]:
        """Return where each column begins and ends.

        Words before figures take the room that is left; else all columns share it.
        """
        if self.panel is None or not self.panel.head:
            return []
        wide = self._widths(self.text_size())
        spare = self.width() - sum(wide) - _APART * (len(wide) - 1)
        figures = [self.has_figures(at) for at in range(len(wide))]
        if spare < 0 or figures == [False, *[True] * (len(wide) - 1)]:
            wide[0] = max(wide[0] + spare, min(wide[0], theme.pixels(_FIRST)))
        else:
            wide = [each + spare / len(wide) for each in wide]
        over = max(0.0, sum(wide) + _APART * (len(wide) - 1) - self.width())
        if over and len(wide) > 1:
            wide[1:] = [each * max(0.2, 1 - over / sum(wide[1:])) for each in wide[1:]]
        found, left = [], 0.0
        for each in wide:
            found.append((left, left + each))
            left += each + _APART
        return found

    def text_size(self) -> int:
        """Return the size of the text: smaller where it would not fit."""
        wide = self._widths(BASE)
        return BASE if sum(wide) + _APART * (len(wide) - 1) <= self.width() else SMALL

    def _widths(self, size: int) -> list[float]:
        """Return how wide each column is, in text of this size."""
        assert self.panel is not None
        head = QFontMetricsF(theme.font(min(size, CAPTION)))
        plain, bold = (QFontMetricsF(theme.font(size, each)) for each in (_PLAIN, _BOLD))
        words = [title.split() if size == SMALL else [title] for title in self.panel.head]
        found = [max(map(head.horizontalAdvance, each), default=0.0) for each in words]
        for at, row in enumerate(self.panel.rows):
            metrics = bold if at in self.panel.strong else plain
            found = [max(w, metrics.horizontalAdvance(t)) for w, t in zip(found, row, strict=True)]
        return [each + 2 for each in found]

    def has_figures(self, column: int) -> bool:
        """Return whether a column has figures, which stand at its right."""
        rows = self.panel.rows if self.panel else ()
        return any(_FIGURE.match(row[column]) for row in rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None:
            return
        look, columns, high = theme.tokens(), self.columns(), self.row_height()
        painter, size = QPainter(self), self.text_size()
        painter.setFont(theme.font(min(size, CAPTION)))
        painter.setPen(QColor(look.secondary))
        self._write(painter, self.panel.head, columns, QRectF(0, 0, self.width(), high))
        for at, row in enumerate(self.panel.rows):
            top = (at + 1) * high
            painter.setPen(QPen(QColor(look.border), 1))
            painter.drawLine(QPointF(0, round(top)), QPointF(self.width(), round(top)))
            strong = at in self.panel.strong
            painter.setPen(QColor(look.accent if strong else look.text))
            line = QRectF(0, top, self.width(), high)
            painter.setFont(theme.font(size, _BOLD if strong else _PLAIN))
            self._write(painter, row, columns, line)

    def _write(
        self,
        painter: QPainter,
        texts: tuple[str, ...],
        columns: list[tuple[float, float]],
        line: QRectF,
    ) -> None:
        metrics = painter.fontMetrics()
        for at, (text, (left, right)) in enumerate(zip(texts, columns, strict=True)):
            right_side = self.has_figures(at)
            side = Qt.AlignmentFlag.AlignRight if right_side else Qt.AlignmentFlag.AlignLeft
            box = QRectF(left, line.top(), right - left, line.height())
            middle = Qt.AlignmentFlag.AlignVCenter
            wide = metrics.horizontalAdvance(text) > right - left
            if wide and line.height() >= 2 * metrics.height():
                painter.drawText(box, side | middle | Qt.TextFlag.TextWordWrap, text)
                continue
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(right - left) + 1)
            painter.drawText(box, side | middle, shown)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what is cut as a tooltip."""
        at, row = event.position(), int(event.position().y() / max(1.0, self.row_height()))
        lines = [self.panel.head, *self.panel.rows] if self.panel else []
        tip = ""
        if 0 <= row < len(lines):
            for text, (left, right) in zip(lines[row], self.columns(), strict=True):
                cut = QFontMetricsF(theme.font(BASE)).horizontalAdvance(text) > right - left
                tip = text if left <= at.x() <= right and cut else tip
        self.setToolTip(tip)
