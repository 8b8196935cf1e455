"""Appearance of marks: dots, strokes and text in pills, and the placement of labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
    QPolygonF,
)

from eigenfaces.space.arrays import Doubles
from ..style.painting import clamped
from ..style.theme import SMALL_FONT, Tokens, contrast, font, mix, tokens

Shape = Literal["circle", "square", "triangle", "diamond", "wedge", "star", "bar"]

MOST_STROKES = 6
"""The number of lines that look different; the seventh line looks like the first."""

BOLD = QFont.Weight.DemiBold
_SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "diamond", "wedge", "star")
_CORNERS: dict[Shape, tuple[float, tuple[int, ...]]] = {
    # distance from the centre in units of the radius, and angles in degrees from the top
    "square": (1.25, (45, 135, 225, 315)),
    "triangle": (1.4, (0, 120, 240)),
    "diamond": (1.3, (0, 90, 180, 270)),
    "wedge": (1.4, (60, 180, 300)),
    "star": (1.5, tuple(range(0, 360, 36))),
    "bar": (1.25, (64, 116, 244, 296)),
}
_DASHES = ((), (8.0, 3.0), (2.0, 2.5), (10.0, 3.0, 2.0, 3.0), (4.5, 2.5), (14.0, 4.0))
_VISIBLE = 3.0  # minimum contrast of a line with its background
_LONGEST = 220.0  # px: maximum width of the text in a pill


@dataclass(frozen=True)
class Dot:
    """Appearance of a point: shape, colour and edge."""

    shape: Shape
    colour: QColor
    edge: QColor
    radius: float = 2.8
    rim: float = 1.0

    sample = 12.0  # px: width in the legend

    def paint_sample(self, painter: QPainter, left: QPointF) -> None:
        self.paint(painter, left + QPointF(self.sample / 2, 0))

    def paint(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.edge, self.rim))
        painter.setBrush(self.colour)
        if self.shape == "circle":
            painter.drawEllipse(at, self.radius, self.radius)
            return
        out, angles = _CORNERS[self.shape]
        corners = QPolygonF()
        for number, angle in enumerate(map(math.radians, angles)):
            reach = out * self.radius / (2 if self.shape == "star" and number % 2 else 1)
            corners.append(at + QPointF(reach * math.sin(angle), -reach * math.cos(angle)))
        painter.drawPolygon(corners)

    def paint_many(self, painter: QPainter, places: Doubles) -> None:
        """Draw a dot at each pixel (n, 2); on the screen, one dot is drawn and copied for speed."""
        device = painter.device()
        if not isinstance(device, QPixmap):
            for place in places.tolist():
                self.paint(painter, QPointF(*place))
            return
        copy, middle = self.stamp(device.devicePixelRatio())
        for x, y in np.rint(places - (middle.x(), middle.y())).astype(int).tolist():
            painter.drawPixmap(x, y, copy)

    def stamp(self, ratio: float) -> tuple[QPixmap, QPointF]:
        """Return the dot as a pixmap, and its centre, for ``ratio`` device pixels per unit."""
        half = math.ceil(2 * self.radius)
        copy, middle = QPixmap(QSize(2 * half, 2 * half) * ratio), QPointF(half, half)
        copy.setDevicePixelRatio(ratio)
        copy.fill(Qt.GlobalColor.transparent)
        with QPainter(copy) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint(painter, middle)
        return copy, middle


@dataclass(frozen=True)
class Stroke:
    """Appearance of a line: colour, dashes in pixels, and an optional outline and dot shape."""

    colour: QColor
    dashes: tuple[float, ...] = ()
    outline: QColor | None = None
    shape: Shape | None = None
    width: float = 2.0

    sample = 26.0  # px: width in the legend, enough to show the dashes

    def paint_sample(self, painter: QPainter, left: QPointF) -> None:
        self.paint(painter, QPolygonF([left, left + QPointF(self.sample, 0)]))
        if self.shape is not None:
            self.paint_dot(painter, left + QPointF(self.sample / 2, 0))

    def paint(self, painter: QPainter, line: QPolygonF) -> None:
        """Draw a line through these points, over its outline if it has one."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        passes = [(self.colour, self.width)]
        if self.outline is not None:
            passes.insert(0, (self.outline, self.width + 1.2))
        for colour, width in passes:
            pen = QPen(colour, width)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            cap = Qt.PenCapStyle
            pen.setCapStyle(cap.FlatCap if self.dashes else cap.RoundCap)
            if self.dashes:
                pen.setDashPattern([length / width for length in self.dashes])
            painter.setPen(pen)
            painter.drawPolyline(line)

    def paint_dot(self, painter: QPainter, at: QPointF) -> None:
        """Draw a dot on the line, with a rim that separates it from the line."""
        edge, rim = (QColor(tokens().surface), 1.6) if self.outline is None else (self.outline, 1.0)
        Dot(self.shape or "circle", self.colour, edge, 4.0, rim).paint(painter, at)


LegendEntry = tuple[str, Stroke | Dot]
"""A name in the legend, and the appearance of its mark."""


def series_stroke(look: Tokens, number: int, dots: bool) -> Stroke:
    """Return the stroke for the line with this index; the first has the accent colour."""
    people, number = look.people, number % MOST_STROKES
    last = people[6] if look.dark else people[4]  # cyan is too close to the dark theme's accent
    colour = (look.accent, people[1], people[2], people[3], people[5], last)[number]
    outline = None
    if contrast(colour, look.surface) < _VISIBLE:
        if look.dark:
            colour = mix(colour, look.text, 0.25)
        else:
            outline = QColor(mix(colour, look.text, 0.5))
    shape = _SHAPES[number] if dots else None
    return Stroke(QColor(colour), () if dots else _DASHES[number], outline, shape)


def faint_stroke(look: Tokens) -> Stroke:
    """Return the stroke for a line that is shown only for comparison."""
    return Stroke(QColor(look.tertiary), (4.0, 3.0), width=1.2)


def series_dot(look: Tokens, number: int) -> Dot:
    """Return the dot for the class with this index, in the accent colour, red or grey."""
    shapes: tuple[Shape, ...] = ("circle", "triangle", "square")
    colour = (look.accent, look.people[1], look.people[6])[number % 3]
    edge = look.window if look.dark else mix(colour, look.text, 0.5)
    return Dot(shapes[number % 3], QColor(colour), QColor(edge))


def pill_rect(words: str) -> QRectF:
    """Return the rectangle for a pill with this text, with its top left corner at the origin."""
    metrics = QFontMetricsF(font(SMALL_FONT, BOLD))
    return QRectF(0, 0, min(metrics.horizontalAdvance(words), _LONGEST) + 16, metrics.height() + 5)


def paint_pill(
    painter: QPainter, box: QRectF, words: str, ground: str | QColor, ink: str, edge: str = ""
) -> None:
    """Paint text in a pill, with an outline if ``edge`` is set; text that is too long is elided."""
    painter.setPen(QPen(QColor(edge), 1) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ground))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    painter.setPen(QColor(ink))
    painter.setFont(font(SMALL_FONT, BOLD))
    room = math.ceil(box.width()) - 8
    text = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class LabelPlacer:
    """Helper that places labels in a rectangle, moving or omitting labels that would overlap."""

    def __init__(self, room: QRectF) -> None:
        self.room = room
        self.taken: list[QRectF] = []

    def place(self, boxes: Iterable[QRectF], *, must: bool = True) -> QRectF | None:
        """Return the first free box; if none is free, the first box if ``must``, otherwise None."""
        inside = [clamped(box, self.room) for box in boxes]
        free = (box for box in inside if not any(map(box.intersects, self.taken)))
        place = next(free, inside[0] if must else None)
        if place is not None:
            self.taken.append(place)
        return place

    def draw(
        self,
        painter: QPainter,
        at: QPointF,
        away: float,
        words: str,
        colours: tuple[str, str, str],
        *,
        must: bool = True,
    ) -> None:
        """Paint a label ``away`` px from a point; ``colours`` are its background, text and edge."""
        size = pill_rect(words)
        across, up = size.width() / 2 + away, size.height() / 2 + away
        corner = at - size.center()
        steps = (QPointF(0, -up), QPointF(0, up), QPointF(across, 0), QPointF(-across, 0))
        box = self.place((size.translated(corner + step) for step in steps), must=must)
        if box is not None:
            paint_pill(painter, box, words, *colours)
