"""What the colours of a plot mean: a box above it, in as many rows as it takes."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from gui.charts.layers import Frame, Layer
from gui.charts.strokes import Stroke
from gui.style.theme import SMALL, Tokens, font

Entry = tuple[str, QColor | Stroke]

_SAMPLE = 12.0  # px, of a colour
_LINE = 26.0  # px, of a line: long enough to show its dashes
_GAP, _APART = 6.0, 14.0
_EDGE = 12.0  # right of the plot
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass
class Legend:
    """Names of what is drawn, each with its colour or its stroke."""

    entries: tuple[Entry, ...] = ()


class LegendLayer(Layer):
    """A box above the plot with a sample and a name for each series."""

    def __init__(self, frame: Frame, legend: Legend) -> None:
        super().__init__(frame, 6)
        self.legend = legend

    def box(self) -> QRectF:
        """Rectangle of the legend in pixels; empty when there is nothing to name."""
        rows = self.rows()
        if not rows:
            return QRectF()
        width = max(sum(map(self._width, row)) for row in rows) + 2 * 10 - _APART
        right = self.frame.size.width() - _EDGE
        height = len(rows) * self._line() + 7
        return QRectF(max(1.0, right - width), 1.0, width, height)

    def rows(self) -> list[list[Entry]]:
        """Give what is written in each row; a name too long for a row of its own is shortened."""
        room = self.frame.size.width() - _EDGE - 2 * 10
        metrics, middle = QFontMetricsF(font(SMALL)), Qt.TextElideMode.ElideMiddle
        rows: list[list[Entry]] = []
        used = room + 1
        for name, sample in self.legend.entries:
            most = room - _sample_width(sample) - _GAP - _APART
            entry = metrics.elidedText(name, middle, most), sample
            width = self._width(entry)
            if used + width - _APART > room:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += width
        return rows

    def draw(self, painter: QPainter, look: Tokens) -> None:
        box = self.box()
        if box.isEmpty():
            return
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(SMALL))
        line = self._line()
        for number, row in enumerate(self.rows()):
            place = QRectF(box.left() + 10, box.top() + 3.5 + number * line, 0, line)
            for name, sample in row:
                width = _sample_width(sample)
                _paint_sample(painter, sample, QRectF(place.left(), place.top(), width, line))
                painter.setPen(QColor(look.text))
                advance = self._width((name, sample))
                text = QRectF(place.left() + width + _GAP, place.top(), advance, line)
                painter.drawText(text, _LEFT, name)
                place.moveLeft(place.left() + advance)

    def _line(self) -> float:
        return QFontMetricsF(font(SMALL)).height() + 2

    def _width(self, entry: Entry) -> float:
        name, sample = entry
        advance = QFontMetricsF(font(SMALL)).horizontalAdvance(name)
        return _sample_width(sample) + _GAP + advance + _APART


def _sample_width(sample: QColor | Stroke) -> float:
    return _LINE if isinstance(sample, Stroke) else _SAMPLE


def _paint_sample(painter: QPainter, sample: QColor | Stroke, box: QRectF) -> None:
    middle = box.center()
    if isinstance(sample, QColor):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(sample)
        painter.drawRoundedRect(QRectF(box.left(), middle.y() - 4, box.width(), 8), 2, 2)
        return
    ends = QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y())
    sample.paint_line(painter, QPolygonF(ends))
    if sample.shape is not None:
        sample.paint_dot(painter, middle)
