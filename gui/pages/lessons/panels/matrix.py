"""A matrix as colours, its entries written out where there are few."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.lessons.drawing import MatrixPanel
from eigenfaces.text import number
from gui.pages.lessons.panels.colour_key import KEY_HEIGHT, paint_key
from gui.plots.axes import short_number
from gui.style import theme
from gui.style.images import colour_table, signed_image
from gui.style.theme import SMALL

_GAP = 6.0
_LEAST_LINE = 0.75
"""Rows lower than this share of a line have no names."""

_WIDER = 1.9
"""Entries that are written out may be so many times wider than high."""


class MatrixView(QWidget):
    """A panel of a matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: MatrixPanel | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(70, 60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(240, 240)

    def show_panel(self, panel: MatrixPanel) -> None:
        """Show another matrix."""
        self.panel = panel
        rows, columns = panel.values.shape
        self.setAccessibleName(panel.title or "Matrix")
        self.setAccessibleDescription(
            f"{rows} × {columns}, from {number(float(panel.values.min()))} to "
            f"{number(float(panel.values.max()))}."
        )
        self.update()

    @property
    def limit(self) -> float:
        """Where the colours end."""
        return self.panel.limit if self.panel else 1.0

    def body(self) -> QRectF:
        """Return the rectangle of the entries: with the names around it, in the middle."""
        if self.panel is None or not self.panel.values.size:
            return QRectF()
        rows, columns = self.panel.values.shape
        left, top = self._names()
        below = KEY_HEIGHT + _GAP
        across, up = max(1.0, self.width() - left - 1), max(1.0, self.height() - top - below)
        side = min(across / columns, up / rows)
        wide = min(across / columns, side * _WIDER) if self.panel.numbers else side
        width, height = wide * columns, side * rows
        x = left + (across - width) / 2
        if left:  # the names count, where there are some
            x = max(left, (self.width() - width - left) / 2 + left)
        return QRectF(x, top + (up - height) / 2, width, height)

    def cell(self, row: int, column: int) -> QRectF:
        """Return the rectangle of an entry."""
        assert self.panel is not None
        rows, columns = self.panel.values.shape
        body = self.body()
        wide, high = body.width() / columns, body.height() / rows
        return QRectF(body.left() + column * wide, body.top() + row * high, wide, high)

    def _names(self) -> tuple[float, float]:
        """Return the room for the names of the rows and of the columns."""
        assert self.panel is not None
        metrics = QFontMetricsF(theme.font(SMALL))
        wide = max((metrics.horizontalAdvance(name) for name in self.panel.rows), default=0.0)
        top = metrics.height() + 2 if any(self.panel.columns) else 0.0
        room = self.height() - top - KEY_HEIGHT - _GAP
        fits = room / len(self.panel.values) >= _LEAST_LINE * metrics.height()
        return min(wide + _GAP + 1, self.width() * 0.4) if wide and fits else 0.0, top

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None or not self.panel.values.size:
            return
        painter, look, body = QPainter(self), theme.tokens(), self.body()
        rows, columns = self.panel.values.shape
        small = body.width() < columns or body.height() < rows
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, small)
        painter.drawImage(body, signed_image(self.panel.values, self.limit))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.panel.numbers:
            self._write_numbers(painter)
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(body)
        self._write_names(painter)
        end = short_number(self.limit)
        middle = QPointF(body.center().x(), body.bottom() + _GAP)
        paint_key(painter, middle, self.width(), (f"−{end}", f"+{end}"))

    def _write_numbers(self, painter: QPainter) -> None:
        assert self.panel is not None
        grid = QColor(theme.tokens().border)
        grid.setAlphaF(0.7)
        table = colour_table("signed")
        middle = len(table) // 2
        cell = self.cell(0, 0)
        size = int(min(cell.height() * 0.42, cell.width() / 4.2, theme.pixels(SMALL + 3)))
        if size < 7:
            return
        font = QFont(theme.font(SMALL))
        font.setPixelSize(size)
        painter.setFont(font)
        for (row, column), value in np.ndenumerate(self.panel.values):
            box = self.cell(row, column)
            share = float(np.clip(np.nan_to_num(value) / self.limit, -1, 1))
            ground = table[round(middle + share * middle)]
            painter.setPen(QPen(grid, 1))
            painter.drawRect(box)
            painter.setPen(QColor("#FFFFFF" if ground @ (0.3, 0.59, 0.11) < 140 else "#1A1E24"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, entry(float(value)))

    def _write_names(self, painter: QPainter) -> None:
        assert self.panel is not None
        body = self.body()
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens().secondary))
        metrics, right = painter.fontMetrics(), Qt.TextElideMode.ElideRight
        for row, name in enumerate(self.panel.rows if self._names()[0] else ()):
            cell = self.cell(row, 0)
            room = body.left() - _GAP + 1
            box = QRectF(0, cell.center().y() - metrics.height() / 2, room, metrics.height())
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, side, metrics.elidedText(name, right, int(room)))
        for column, name in enumerate(self.panel.columns):
            cell = self.cell(0, column)
            shown = metrics.elidedText(name, right, int(cell.width()) + 2)
            box = QRectF(cell.left() - 2, body.top() - metrics.height() - 2, cell.width() + 4, 0)
            box.setHeight(metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setToolTip(self.told(event.position()))

    def told(self, at: QPointF) -> str:
        """Return which entry is at a pixel, and its value."""
        body = self.body()
        if self.panel is None or not body.contains(at):
            return ""
        rows, columns = self.panel.values.shape
        row = min(int((at.y() - body.top()) / body.height() * rows), rows - 1)
        column = min(int((at.x() - body.left()) / body.width() * columns), columns - 1)
        names = (
            self.panel.rows[row] if self.panel.rows else f"row {row + 1}",
            self.panel.columns[column] if self.panel.columns else f"column {column + 1}",
        )
        return f"{', '.join(names)}: {number(float(self.panel.values[row, column]))}"


def entry(value: float) -> str:
    """Return an entry as it is written in its cell.

    >>> entry(0.70710678), entry(-1e-17), entry(-12.345), entry(1234.5)
    ('0.71', '0', '−12.3', '1234')
    """
    if abs(value) < 5e-4:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f}".replace("-", "−")
