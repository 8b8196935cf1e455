"""The strokes that distinguish the lines of a plot, and the legend that names them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from gui.style.theme import SMALL, Tokens, contrast, font, mix

Shape = Literal["circle", "square", "triangle", "diamond", "wedge", "star"]

MOST = 6
"""As many lines are told apart; a seventh looks like the first."""

_SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "diamond", "wedge", "star")
_DASHES = ((), (8.0, 3.0), (2.0, 2.5), (10.0, 3.0, 2.0, 3.0), (4.5, 2.5), (14.0, 4.0))
_WIDTH, _FAINT_WIDTH = 2.0, 1.2
_FAINT_DASHES = (4.0, 3.0)
_RADIUS = 4.0
_TO_BE_SEEN = 3.0  # contrast of a line with its background

_SAMPLE = 12.0  # px, of a colour
_LINE = 26.0  # px, of a line: long enough to show its dashes
_GAP, _APART = 6.0, 14.0
_EDGE = 12.0  # right of the plot
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Stroke:
    """How one line is drawn: colour, dashes, and the shape of its dots if it has any."""

    colour: QColor
    rim: QColor
    outline: QColor | None
    dashes: tuple[float, ...] = ()
    shape: Shape | None = None
    width: float = _WIDTH

    def paint_line(self, painter: QPainter, line: QPolygonF) -> None:
        """Draw a line through these points; a light one gets an outline, to be visible."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.outline is not None:
            painter.setPen(_pen(self.outline, self.width + 1.2, self.dashes, 0.6))
            painter.drawPolyline(line)
        painter.setPen(_pen(self.colour, self.width, self.dashes))
        painter.drawPolyline(line)

    def paint_dot(self, painter: QPainter, at: QPointF) -> None:
        """Draw one dot, with a rim that separates it from the line."""
        rim = QPen(self.rim, 1.6) if self.outline is None else QPen(self.outline, 1)
        painter.setPen(rim)
        painter.setBrush(self.colour)
        painter.drawPath(_dot(self.shape or "circle").translated(at))


@dataclass(frozen=True)
class Dot:
    """How the points of one class are drawn: shape, colour and outline."""

    shape: Shape
    colour: QColor
    outline: QColor
    radius: float = 2.8

    def paint(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.outline, 1))
        painter.setBrush(self.colour)
        painter.drawPath(_dot(self.shape, self.radius).translated(at))

    def paint_many(self, painter: QPainter, places: Sequence[QPointF]) -> None:
        """Draw a dot at each place: on the screen as copies of one, which is four times faster."""
        device = painter.device()
        if not isinstance(device, QPixmap):
            for at in places:
                self.paint(painter, at)
            return
        ratio, half = device.devicePixelRatio(), math.ceil(2 * self.radius)
        copy = QPixmap(QSize(2 * half, 2 * half) * ratio)
        copy.setDevicePixelRatio(ratio)
        copy.fill(Qt.GlobalColor.transparent)
        with QPainter(copy) as on_copy:
            on_copy.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint(on_copy, QPointF(half, half))
        middle = QPointF(half, half)
        for at in places:
            painter.drawPixmap(at - middle, copy)


def dots(look: Tokens, count: int) -> list[Dot]:
    """Return the dots of up to three classes: in the accent colour, in red, and in grey."""
    kinds: tuple[tuple[Shape, str], ...] = (
        ("circle", look.accent),
        ("triangle", look.people[1]),
        ("square", look.people[6]),
    )
    return [
        Dot(
            shape, QColor(colour), QColor(look.window if look.dark else mix(colour, look.text, 0.5))
        )
        for shape, colour in kinds[:count]
    ]


def strokes(look: Tokens, count: int, dots: bool) -> list[Stroke]:
    """Return the strokes of this many lines, the first in the accent colour."""
    people = look.people
    last = people[6] if look.dark else people[4]  # cyan is too close to the dark theme's accent
    colours = (look.accent, people[1], people[2], people[3], people[5], last)
    return [
        _stroke(look, colours[i], () if dots else _DASHES[i], _SHAPES[i] if dots else None)
        for i in (number % MOST for number in range(count))
    ]


def faint_stroke(look: Tokens) -> Stroke:
    """Return the stroke of a line that is only shown for comparison."""
    grey = QColor(look.tertiary)
    return Stroke(grey, QColor(look.surface), None, _FAINT_DASHES, None, _FAINT_WIDTH)


def _stroke(look: Tokens, colour: str, dashes: tuple[float, ...], shape: Shape | None) -> Stroke:
    outline = None
    if contrast(colour, look.surface) < _TO_BE_SEEN:
        if look.dark:
            colour = mix(colour, look.text, 0.25)
        else:
            outline = QColor(mix(colour, look.text, 0.5))
    return Stroke(QColor(colour), QColor(look.surface), outline, dashes, shape)


def _pen(colour: QColor, width: float, dashes: tuple[float, ...], round_it: float = 0) -> QPen:
    """Return a pen; its dashes, given in pixels, are longer by `round_it` at both ends."""
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if dashes else Qt.PenCapStyle.RoundCap)
    if dashes:
        more = (2 * round_it, -2 * round_it)
        lengths = [max(0.1, dash + more[i % 2]) for i, dash in enumerate(dashes)]
        pen.setDashPattern([length / width for length in lengths])
        pen.setDashOffset(round_it / width)
    return pen


def _dot(shape: Shape, r: float = _RADIUS) -> QPainterPath:
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(), r, r)
        return path
    angles = {  # of the corners, in degrees from the top
        "square": (45, 135, 225, 315),
        "triangle": (0, 120, 240),
        "diamond": (0, 90, 180, 270),
        "wedge": (60, 180, 300),
        "star": tuple(range(0, 360, 36)),
    }[shape]
    reach = {"square": 1.25, "diamond": 1.3, "star": 1.5}.get(shape, 1.4) * r
    for i, angle in enumerate(angles):
        size = reach / 2 if shape == "star" and i % 2 else reach
        turned = math.radians(angle)
        corner = QPointF(size * math.sin(turned), -size * math.cos(turned))
        path.lineTo(corner) if i else path.moveTo(corner)
    path.closeSubpath()
    return path


Sample = QColor | Stroke | Dot
Entry = tuple[str, Sample]


@dataclass
class Legend:
    """A box above the plot with a name for each series, and its colour or its stroke."""

    entries: tuple[Entry, ...] = ()

    def box(self, size: QRectF) -> QRectF:
        """Return the rectangle of the legend in pixels; empty when there is nothing to name."""
        rows = self.rows(size)
        if not rows:
            return QRectF()
        width = max(sum(map(_width, row)) for row in rows) + 2 * 10 - _APART
        right = size.width() - _EDGE
        height = len(rows) * _line() + 7
        return QRectF(max(1.0, right - width), 1.0, width, height)

    def rows(self, size: QRectF) -> list[list[Entry]]:
        """Return the names in each row; a name too long for its own row is shortened."""
        room = size.width() - _EDGE - 2 * 10
        metrics, middle = QFontMetricsF(font(SMALL)), Qt.TextElideMode.ElideMiddle
        rows: list[list[Entry]] = []
        used = room + 1
        for name, sample in self.entries:
            most = room - _sample_width(sample) - _GAP - _APART
            entry = metrics.elidedText(name, middle, most), sample
            width = _width(entry)
            if used + width - _APART > room:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += width
        return rows

    def paint(self, painter: QPainter, size: QRectF, look: Tokens) -> None:
        box = self.box(size)
        if box.isEmpty():
            return
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(SMALL))
        line = _line()
        for number, row in enumerate(self.rows(size)):
            place = QRectF(box.left() + 10, box.top() + 3.5 + number * line, 0, line)
            for name, sample in row:
                width = _sample_width(sample)
                _paint_sample(painter, sample, QRectF(place.left(), place.top(), width, line))
                painter.setPen(QColor(look.text))
                advance = _width((name, sample))
                text = QRectF(place.left() + width + _GAP, place.top(), advance, line)
                painter.drawText(text, _LEFT, name)
                place.moveLeft(place.left() + advance)


def _line() -> float:
    return QFontMetricsF(font(SMALL)).height() + 2


def _width(entry: Entry) -> float:
    name, sample = entry
    advance = QFontMetricsF(font(SMALL)).horizontalAdvance(name)
    return _sample_width(sample) + _GAP + advance + _APART


def _sample_width(sample: Sample) -> float:
    return _LINE if isinstance(sample, Stroke) else _SAMPLE


def _paint_sample(painter: QPainter, sample: Sample, box: QRectF) -> None:
    middle = box.center()
    if isinstance(sample, QColor):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(sample)
        painter.drawRoundedRect(QRectF(box.left(), middle.y() - 4, box.width(), 8), 2, 2)
        return
    if isinstance(sample, Dot):
        sample.paint(painter, middle)
        return
    ends = QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y())
    sample.paint_line(painter, QPolygonF(ends))
    if sample.shape is not None:
        sample.paint_dot(painter, middle)
