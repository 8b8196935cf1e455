"""Layers of a drawing in pixels: lines, arrows, dots, and the words beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from eigenfaces.lessons.drawing import Dots, Layer, Strokes
from eigenfaces.space.arrays import Doubles, Numbers
from gui.pages.lessons.panels.inks import group_colour, ink_colour, rim
from gui.plots.axes import clamped
from gui.plots.strokes import Dot, paint_pill, pill
from gui.style.theme import Tokens, zoomed

_DASHES = [5.0, 4.0]
_WIDE, _THIN = 2.2, 1.1
_HEAD = 9.0
_MANY = 300
_INSET = 6.0


@dataclass
class Stage:
    """Where layers are painted.

    ``at`` returns the pixels (n, 2) of places (n, 2 or 3); ``taken`` are places of words.
    """

    painter: QPainter
    at: Callable[[Doubles], Doubles]
    plot: QRectF
    look: Tokens
    taken: list[QRectF] = field(default_factory=list)


def paint_layer(stage: Stage, layer: Layer) -> None:
    """Paint one layer, without its words."""
    if isinstance(layer, Dots):
        paint_dots(stage, layer)
    else:
        paint_strokes(stage, layer)


def paint_words(stage: Stage, layer: Layer) -> None:
    """Write what belongs to a layer, above all layers."""
    if isinstance(layer, Strokes) and layer.words and len(layer.end):
        _write_beside_line(stage, layer)
    elif isinstance(layer, Dots) and layer.names and layer.labels is not None:
        _write_groups(stage, layer, layer.labels)


def nearest_dot(places: Doubles, at: QPointF, reach: float) -> int | None:
    """Return which of some pixels (n, 2) is nearest to one, if any is within reach."""
    away = np.hypot(*(places - (at.x(), at.y())).T)
    nearest = int(away.argmin())
    return nearest if away[nearest] <= reach else None


def told_at(
    stage: Callable[[Doubles], Doubles], layers: Sequence[Layer], at: QPointF, reach: float
) -> str:
    """Return what is said of the dot at a pixel, in the uppermost layer that says something."""
    for layer in reversed(layers):
        if isinstance(layer, Dots) and layer.told and len(layer.at):
            dot = nearest_dot(stage(layer.at), at, reach)
            if dot is not None:
                return layer.told[dot]
    return ""


def paint_dots(stage: Stage, dots: Dots, order: Numbers | None = None) -> None:
    """Paint dots in the order of their rows, or in another one."""
    look, radius = stage.look, zoomed(2.6 if dots.small or len(dots.at) > _MANY else 4.0)
    groups = [0] * len(dots.at) if dots.labels is None else dots.labels.tolist()
    colours = {group: group_colour(group, look) for group in set(groups)}
    if dots.labels is None:
        colours = {0: ink_colour(dots.ink, look)}
    ratio = stage.painter.device().devicePixelRatio()
    stamps = {
        group: Dot("circle", colour, rim(colour, look), radius).stamp(ratio)
        for group, colour in colours.items()
    }
    spots = stage.at(dots.at).tolist()
    for row in range(len(spots)) if order is None else order.tolist():
        copy, middle = stamps[groups[row]]
        stage.painter.drawPixmap(QPointF(*spots[row]) - middle, copy)


def paint_strokes(stage: Stage, strokes: Strokes) -> None:
    """Paint straight lines, with heads if they are arrows."""
    starts, ends = stage.at(strokes.start).tolist(), stage.at(strokes.end).tolist()
    colour = ink_colour(strokes.ink, stage.look)
    pen = QPen(colour, zoomed(_THIN if strokes.thin else _WIDE))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if strokes.dashed:
        pen.setDashPattern(_DASHES if strokes.thin else [each / 1.6 for each in _DASHES])
    stage.painter.setPen(pen)
    pairs = [QLineF(QPointF(*a), QPointF(*b)) for a, b in zip(starts, ends, strict=True)]
    stage.painter.drawLines(pairs)
    if strokes.arrow:
        stage.painter.setPen(Qt.PenStyle.NoPen)
        stage.painter.setBrush(colour)
        for line in pairs:
            if line.length() > 1:
                stage.painter.drawPolygon(_head(line))


def _head(line: QLineF) -> QPolygonF:
    """Return the head of an arrow; a short arrow has a small one."""
    size = min(zoomed(_HEAD), 0.6 * line.length())
    tip, unit = line.p2(), QPointF(line.dx(), line.dy()) / line.length()
    aside = QPointF(-unit.y(), unit.x()) * 0.45 * size
    foot = tip - unit * size
    return QPolygonF([tip + unit, foot + aside, foot - aside])


def _write_beside_line(stage: Stage, strokes: Strokes) -> None:
    """Write words at the end of the first line, or where it leaves the plot."""
    ends = stage.at(np.stack([strokes.start[0], strokes.end[0]]))
    start, end = QPointF(*ends[0].tolist()), QPointF(*ends[1].tolist())
    size = pill(strokes.words)
    room = stage.plot.adjusted(_INSET, _INSET, -_INSET, -_INSET)
    colour = ink_colour(strokes.ink, stage.look).name()
    step = end - start
    length = math.hypot(step.x(), step.y()) or 1.0
    last = _last_inside(start, end, room)
    beyond = 4.0 + (abs(step.x()) * size.width() + abs(step.y()) * size.height()) / 2 / length
    ideal = start + step * last + (step / length * beyond if last == 1.0 else QPointF())
    box = _free_box(stage, size, ideal, -step / length, room)
    look = stage.look
    paint_pill(stage.painter, box, strokes.words, look.surface, look.text, colour)


def _last_inside(start: QPointF, end: QPointF, room: QRectF) -> float:
    """Return how far along a line, 0 to 1, it is inside of a rectangle for the last time."""
    last = 1.0
    for low, high, a, b in (
        (room.left(), room.right(), start.x(), end.x()),
        (room.top(), room.bottom(), start.y(), end.y()),
    ):
        if b > high > a:
            last = min(last, (high - a) / (b - a))
        elif b < low < a:
            last = min(last, (low - a) / (b - a))
    return last


def _free_box(stage: Stage, size: QRectF, ideal: QPointF, back: QPointF, room: QRectF) -> QRectF:
    """Return a rectangle near a place that covers no other words, if need be back along a line."""
    best = QRectF()
    aside = QPointF(-back.y(), back.x()) * size.height()
    for number in range(36):
        box = QRectF(size)
        away = back * (size.height() * 0.7 * (number // 3))
        box.moveCenter(ideal + away + aside * (0, 1.1, -1.1)[number % 3])
        box = clamped(box, room)
        best = best if best.isValid() else box
        if not any(box.adjusted(-2, -2, 2, 2).intersects(other) for other in stage.taken):
            best = box
            break
    stage.taken.append(best)
    return best


def _write_groups(stage: Stage, dots: Dots, labels: Numbers) -> None:
    """Write the name of each group at its middle, in its colour."""
    places = stage.at(dots.at)
    for group, name in enumerate(dots.names):
        mine = places[labels == group]
        if not len(mine) or not name:
            continue
        middle = np.median(mine, axis=0).tolist()
        box = pill(name)
        if len(name) <= 2:
            box.setWidth(box.height())
        box = _free_box(stage, box, QPointF(*middle), QPointF(0, -1), stage.plot)
        look, colour = stage.look, group_colour(group, stage.look).name()
        paint_pill(stage.painter, box, name, look.surface, look.text, colour)
