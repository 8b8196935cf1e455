"""The painted parts of a plot: axes and grid, the tag on its line; no plot library."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui.charts.ticks import Ticks
from gui.style.theme import SMALL, Tokens, font, tokens

GAP = 6.0  # between an axis, its tick texts and its title
_BOLD = QFont.Weight.DemiBold
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass
class Axis:
    """One axis: what it measures, the range it shows, and its ticks."""

    title: str
    lo: float = 0.0
    hi: float = 1.0
    ticks: Ticks = ()
    grid: bool = False
    """Whether an axis across has lines over the plot, as one up always has."""


@dataclass
class Tag:
    """A dashed vertical line at `at`, with a dot on the axis and a rounded label above."""

    at: float | None = None
    label: str = ""
    focused: bool = False


@dataclass
class Frame:
    """Geometry shared by the layers of a chart: plot rectangle, axes, and both mappings."""

    x: Axis
    y: Axis
    size: QRectF = field(default_factory=QRectF)
    plot: QRectF = field(default_factory=QRectF)
    inset: float = 0.0
    """Left of this there is nothing: of a plot that does not take the whole width."""

    def px(self, value: float) -> float:
        span = (self.x.hi - self.x.lo) or 1.0
        return self.plot.left() + (value - self.x.lo) / span * self.plot.width()

    def py(self, value: float) -> float:
        span = (self.y.hi - self.y.lo) or 1.0
        return self.plot.bottom() - (value - self.y.lo) / span * self.plot.height()

    def value_at(self, px: float) -> float:
        width = self.plot.width() or 1.0
        return self.x.lo + (px - self.plot.left()) / width * (self.x.hi - self.x.lo)


class Layer(QGraphicsItem):
    """Something painted in pixels over the whole canvas: below or above the curves."""

    def __init__(self, frame: Frame, z: float) -> None:
        super().__init__()
        self.frame = frame
        self.setZValue(z)

    def boundingRect(self) -> QRectF:
        return self.frame.size

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        if not self.frame.plot.isEmpty():
            self.draw(painter, tokens())

    def draw(self, painter: QPainter, look: Tokens) -> None:
        raise NotImplementedError


class AxesLayer(Layer):
    """Grid, base line, tick texts and titles."""

    def draw(self, painter: QPainter, look: Tokens) -> None:
        self._grid(painter, look)
        painter.setFont(font(SMALL))
        painter.setPen(QColor(look.secondary))
        plot, room = self.frame.plot, 200.0
        line = painter.fontMetrics().height()
        for value, text in self.frame.x.ticks:
            half = painter.fontMetrics().horizontalAdvance(text) / 2 + 1
            middle = min(self.frame.px(value), self.frame.size.right() - half)
            box = QRectF(middle - half, plot.bottom() + GAP, 2 * half, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)
        for value, text in self.frame.y.ticks:
            box = QRectF(plot.left() - room - GAP, self.frame.py(value) - line, room, 2 * line)
            painter.drawText(box, _RIGHT, text)
        self._titles(painter, line)

    def _grid(self, painter: QPainter, look: Tokens) -> None:
        plot = self.frame.plot
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # hairlines stay sharp
        painter.setPen(QPen(QColor(look.border), 1))
        heights = [self.frame.py(value) for value, _ in self.frame.y.ticks]
        for height in (*heights, plot.bottom()):
            painter.drawLine(QPointF(plot.left(), height), QPointF(plot.right(), height))
        places = [self.frame.px(value) for value, _ in self.frame.x.ticks]
        for at in places if self.frame.x.grid else ():
            painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
        painter.setPen(QPen(QColor(look.tertiary), 1))
        for at in places:
            painter.drawLine(QPointF(at, plot.bottom()), QPointF(at, plot.bottom() + 3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _titles(self, painter: QPainter, line: float) -> None:
        plot, size = self.frame.plot, self.frame.size
        metrics, right = QFontMetricsF(painter.font()), Qt.TextElideMode.ElideRight
        title = metrics.elidedText(self.frame.x.title, right, size.width() - 2)
        width = metrics.horizontalAdvance(title) + 2
        left = min(max(0.0, plot.center().x() - width / 2), size.width() - width)
        below = QRectF(left, plot.bottom() + line + 2 * GAP, width, line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, title)
        title = metrics.elidedText(self.frame.y.title, right, size.height() - 2)
        height = metrics.horizontalAdvance(title) + 2
        top = min(max(0.0, plot.center().y() - height / 2), size.height() - height)
        painter.save()
        painter.translate(self.frame.inset + line / 2, top + height / 2)
        painter.rotate(-90)
        beside = QRectF(-height / 2, -line / 2, height, line)
        painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, title)
        painter.restore()


class TagLayer(Layer):
    """The dashed line with its dot and rounded label."""

    def __init__(self, frame: Frame, tag: Tag) -> None:
        super().__init__(frame, 5)
        self.tag = tag

    def pill(self) -> QRectF:
        """Rectangle of the label, kept inside the canvas."""
        if self.tag.at is None:
            return QRectF()
        metrics = QFontMetricsF(font(SMALL, _BOLD))
        width = metrics.horizontalAdvance(self.tag.label) + 18
        height = metrics.height() + 5
        gap = metrics.height() / 2 - 1  # the highest tick text reaches half a line above the plot
        left = self.frame.px(self.tag.at) - width / 2
        left = max(1.0, min(left, self.frame.size.width() - width - 1))
        return QRectF(left, self.frame.plot.top() - height - gap, width, height)

    def draw(self, painter: QPainter, look: Tokens) -> None:
        if self.tag.at is None:
            return
        pill, at = self.pill(), round(self.frame.px(self.tag.at))
        accent = QColor(look.accent)
        foot = QPointF(at, self.frame.plot.bottom())
        painter.setPen(QPen(accent, 1.6, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(at, pill.bottom()), foot)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.tag.focused:
            painter.setPen(QPen(accent, 2))
            painter.setBrush(QColor(look.surface))
            painter.drawEllipse(foot, 9, 9)
            painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(foot, 5, 5)
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setPen(QColor(look.on_accent))
        painter.setFont(font(SMALL, _BOLD))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self.tag.label)
