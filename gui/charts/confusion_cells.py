"""The squares of a confusion matrix, and the colour bar beside them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen

from gui.charts.axes import GAP, Frame
from gui.style.theme import SMALL, Tokens, contrast, font, mix

Cell = tuple[int, int]

BAR_ROOM = 74.0  # px at the right of the squares for the bar and its texts
_BAR_GAP, _BAR = 16.0, 9.0
_LEVELS = 24  # number of different shades
_WRITTEN = 24.0  # px; squares of this size have their count written in them
_ROUND, _SPLIT = 14.0, 7.0  # px; from these sizes on, corners are round, squares stand apart
_FAINTEST, _FAINTEST_TINY = 0.26, 0.42  # shade of what happened once; tiny squares need more
_BAR_TITLE = "of the person’s searches"


class Counts:
    """How often each of p people was taken for each, (p, p), and the share of the searches."""

    def __init__(self, of: NDArray[np.intp]) -> None:
        self.of = of

    @cached_property
    def searches(self) -> NDArray[np.intp]:
        """(p,) how often each person was searched for."""
        return self.of.sum(axis=1)

    @cached_property
    def levels(self) -> NDArray[np.intp]:
        """(p, p) shade of each cell: 0 for none, else 1 to `_LEVELS`."""
        shares = self.of / np.maximum(self.searches, 1)[:, np.newaxis]
        return np.ceil(shares * _LEVELS - 1e-9).astype(np.intp)


def shade(look: Tokens, share: float, cell: float) -> str:
    """Return the colour of a share above 0: one hue, stronger for a larger share."""
    faintest = _FAINTEST if cell >= _SPLIT else _FAINTEST_TINY
    deepest = mix(look.accent, look.text, 0.35 if look.dark else 0.5)
    depth = faintest + (1 - faintest) * share
    middle = 0.72
    if depth <= middle:
        return mix(look.surface, look.accent, depth / middle)
    return mix(look.accent, deepest, (depth - middle) / (1 - middle))


class Cells:
    """Paints squares, the numbers in them where there is room, and the colour bar."""

    def __init__(self, frame: Frame, counts: Counts) -> None:
        self.frame, self.counts = frame, counts
        self.has_bar = False

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell at a place on the chart."""
        plot, people = self.frame.plot, len(self.counts.of)
        if not people or not plot.contains(x, y):
            return None
        row = int((y - plot.top()) / plot.height() * people)
        column = int((x - plot.left()) / plot.width() * people)
        return min(row, people - 1), min(column, people - 1)

    def place(self, cell: Cell) -> QRectF:
        """Return the rectangle of a cell, on whole pixels."""
        x, y = self._edges()
        row, column = cell
        return QRectF(
            x[column], y[row], max(1.0, x[column + 1] - x[column]), max(1.0, y[row + 1] - y[row])
        )

    def paint(self, painter: QPainter, look: Tokens) -> None:
        plot = self.frame.plot
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.surface))
        painter.drawRect(plot)
        for level, path in self.paths():
            painter.setBrush(QColor(shade(look, level / _LEVELS, self._size())))
            painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.border), 1))
        painter.drawRect(plot.toRect().adjusted(-1, -1, 0, 0).toRectF().translated(0.5, 0.5))
        if self._size() >= _WRITTEN:
            self._write(painter, look)
        if self.has_bar:
            self._paint_bar(painter, look)

    def _size(self) -> float:
        return self.frame.plot.width() / max(1, len(self.counts.of))

    def _edges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        plot, people = self.frame.plot, len(self.counts.of)
        across = np.linspace(plot.left(), plot.right(), people + 1)
        return np.round(across), np.round(np.linspace(plot.top(), plot.bottom(), people + 1))

    def paths(self) -> Iterator[tuple[int, QPainterPath]]:
        """Yield each shade with all squares that have it."""
        levels, (x, y), size = self.counts.levels, self._edges(), self._size()
        apart = 1.0 if size >= _SPLIT else 0.0
        corner = 2.5 if size >= _ROUND else 0.0
        for level in np.unique(levels[levels > 0]).tolist():
            path = QPainterPath()
            for row, column in np.argwhere(levels == level).tolist():
                width = max(1.0, x[column + 1] - x[column] - apart)
                height = max(1.0, y[row + 1] - y[row] - apart)
                if corner:
                    path.addRoundedRect(x[column], y[row], width, height, corner, corner)
                else:
                    path.addRect(x[column], y[row], width, height)
            yield level, path

    def _write(self, painter: QPainter, look: Tokens) -> None:
        painter.setFont(font(SMALL))
        for row, column in np.argwhere(self.counts.of > 0).tolist():
            share = int(self.counts.levels[row, column]) / _LEVELS
            below = shade(look, share, self._size())
            ink = max((look.text, look.surface), key=lambda one: contrast(one, below))
            painter.setPen(QColor(ink))
            text = str(self.counts.of[row, column])
            painter.drawText(self.place((row, column)), Qt.AlignmentFlag.AlignCenter, text)

    def outline(self, painter: QPainter, look: Tokens, cell: Cell, width: float) -> None:
        """Paint a line around a cell."""
        place = self.place(cell).adjusted(-1.5, -1.5, 0.5, 0.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(QColor(look.surface), width + 2), QPen(QColor(look.text), width)):
            painter.setPen(pen)
            painter.drawRoundedRect(place, 2, 2)

    def _paint_bar(self, painter: QPainter, look: Tokens) -> None:
        plot = self.frame.plot
        bar = QRectF(plot.right() + _BAR_GAP, plot.top(), _BAR, plot.height())
        depth = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        for step in range(9):
            depth.setColorAt(step / 8, QColor(shade(look, step / 8, self._size())))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(depth)
        painter.drawRoundedRect(bar, 2, 2)
        painter.setPen(QColor(look.secondary))
        painter.setFont(font(SMALL))
        line = painter.fontMetrics().height()
        for at, text in ((bar.top(), "100%"), (bar.center().y(), "50%"), (bar.bottom(), "0%")):
            place = QRectF(bar.right() + GAP - 1, at - line / 2, BAR_ROOM, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, text)
        room = plot.height() + line
        title = painter.fontMetrics().elidedText(_BAR_TITLE, Qt.TextElideMode.ElideRight, int(room))
        painter.save()
        painter.translate(plot.right() + BAR_ROOM - line / 2, plot.center().y())
        painter.rotate(-90)
        beside = QRectF(-room / 2, -line / 2, room, line)
        painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, title)
        painter.restore()
