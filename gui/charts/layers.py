"""The painted parts of a plot: axes and grid, the tag on its line, the legend; no plot library."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui.charts.ticks import Ticks
from gui.theme import SMALL, Tokens, font, tokens

GAP = 6.0  # between an axis, its tick texts and its title
_SWATCH = 34.0  # a name's colour swatch and the space round it, in px
_BOLD = QFont.Weight.DemiBold
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass
class Axis:
    """One axis: what it measures, the range it shows, and its ticks."""

    title: str
    lo: float = 0.0
    hi: float = 1.0
    ticks: Ticks = ()


@dataclass
class Legend:
    """Names and colours of what is drawn."""

    entries: tuple[tuple[str, QColor], ...] = ()


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
            box = QRectF(self.frame.px(value) - room, plot.bottom() + GAP, 2 * room, line)
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
        painter.setPen(QPen(QColor(look.tertiary), 1))
        for value, _ in self.frame.x.ticks:
            at = self.frame.px(value)
            painter.drawLine(QPointF(at, plot.bottom()), QPointF(at, plot.bottom() + 3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _titles(self, painter: QPainter, line: float) -> None:
        plot, size = self.frame.plot, self.frame.size
        metrics, right = QFontMetricsF(painter.font()), Qt.TextElideMode.ElideRight
        title = metrics.elidedText(self.frame.x.title, right, size.width() - 2)
        width = metrics.horizontalAdvance(title) + 2
        left = min(max(0.0, plot.center().x() - width / 2), size.width() - width)
        below = QRectF(left, size.bottom() - line - 1, width, line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, title)
        title = metrics.elidedText(self.frame.y.title, right, size.height() - 2)
        height = metrics.horizontalAdvance(title) + 2
        top = min(max(0.0, plot.center().y() - height / 2), size.height() - height)
        painter.save()
        painter.translate(line / 2, top + height / 2)
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


class LegendLayer(Layer):
    """A box above the plot with a colour swatch and a name for each series."""

    def __init__(self, frame: Frame, legend: Legend) -> None:
        super().__init__(frame, 6)
        self.legend = legend

    def box(self) -> QRectF:
        """Rectangle of the legend in pixels; empty when there is nothing to name."""
        if not self.legend.entries:
            return QRectF()
        metrics = QFontMetricsF(font(SMALL))
        width = 4 + sum(metrics.horizontalAdvance(name) + _SWATCH for name in self.names())
        plot = self.frame.plot
        left = max(0.0, plot.right() - width)
        return QRectF(left, 1.0, width, metrics.height() + 9)

    def names(self) -> list[str]:
        """Give what is written: the names, shortened where the plot is too narrow for them."""
        metrics = QFontMetricsF(font(SMALL))
        room = self.frame.plot.width() / max(1, len(self.legend.entries)) - _SWATCH - 4
        middle = Qt.TextElideMode.ElideMiddle
        return [metrics.elidedText(name, middle, room) for name, _ in self.legend.entries]

    def draw(self, painter: QPainter, look: Tokens) -> None:
        box = self.box()
        if box.isEmpty():
            return
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(SMALL))
        metrics = QFontMetricsF(painter.font())
        left = box.left() + 10
        for name, (_, colour) in zip(self.names(), self.legend.entries, strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(left, box.center().y() - 4, 12, 8), 2, 2)
            painter.setPen(QColor(look.text))
            advance = metrics.horizontalAdvance(name)
            place = QRectF(left + 18, box.top(), advance + 4, box.height())
            painter.drawText(place, _LEFT, name)
            left += advance + _SWATCH
