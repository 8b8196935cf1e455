"""A table of texts: what each row is at the left, its figures at the right."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.lessons.drawing import TablePanel
from gui.style import theme
from gui.style.theme import BASE, CAPTION, SMALL

_PLAIN, _BOLD = QFont.Weight.Normal, QFont.Weight.DemiBold
_APART = 16.0
_FIRST = 80.0
_FIGURE = re.compile(r"[−+-]?\d[\d.,]*( ?[%°])?$")
_ROOM, _LEAST = 12.0, 3.0
"""Pixels above and below the words of a row: at most, and at least."""


class TableView(QWidget):
    """A panel of a table; rows are lower where there is little room."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: TablePanel | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(240, round(self._lines() * (self._line() + _ROOM)))

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
        return min(lines * self._line() + _ROOM, self.height() / max(1, self._lines()))

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
        for number, row in enumerate(self.panel.rows):
            metrics = bold if number in self.panel.strong else plain
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
        for number, row in enumerate(self.panel.rows):
            top = (number + 1) * high
            painter.setPen(QPen(QColor(look.border), 1))
            painter.drawLine(QPointF(0, round(top)), QPointF(self.width(), round(top)))
            strong = number in self.panel.strong
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
