"""What a plot is made of: curves with their bands, steps, bars, points, cells, rules, shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import count
from gui.plots.axes import GAP, Axis, Frame, paint_upwards
from gui.plots.strokes import BOLD, Dot, Entry, Stroke, dot, faint_stroke, stroke
from gui.style.theme import SMALL, Tokens, Tone, contrast, font, mix

_APART = 22.0  # px between two dots of a line
_FINEST = 0.4  # px; points nearer to each other are painted once
_FILL, _BAND = 0.15, 0.13  # opacity
_ALONE = 4.0  # px, half the width of the band of a single point
_ROUND, _LEAST = 2.5, 1.5  # px, the upper corners of a bar, and its least height
_WARNED = 1.3  # times the highest bar: room for the sign above one that stands out
_LEVELS = 24  # number of different shades of cells
_WRITTEN = 24.0  # px; cells of this size have their count written in them
_CORNERED, _SPLIT = 14.0, 7.0  # px; from these sizes on, corners are round, cells stand apart
_FAINTEST, _FAINTEST_TINY = 0.26, 0.42  # shade of what happened once; tiny cells need more
BAR_ROOM = 74.0  # px at the right of cells for the colour bar and its texts
_BAR_GAP, _BAR = 16.0, 9.0
_BAR_TITLE = "of the person’s searches"


class PlotMark:
    """What is drawn over the axes; its items can be pointed at and chosen, by their number."""

    name = ""
    labels: tuple[str, ...] = ()
    """What stands below the items, instead of numbers."""
    chooses = False
    """Whether an item can be chosen, by a click or by the keys."""
    reach = 24.0
    """How many pixels from an item the pointer finds it."""
    numbered = False
    """Whether the items have numbers, 1, 2, 3…, on the horizontal axis."""
    row = 0
    """Items in a row, where the keys go up and down as well."""

    def dress(self, look: Tokens, number: int) -> None:
        """Choose colours; ``number`` counts the marks before it that have a name."""

    def entries(self) -> tuple[Entry, ...]:
        """Return the names in the legend, with a sample each."""
        return ()

    def xs(self, x: Axis) -> Doubles:
        """Return the positions that the horizontal axis has to reach."""
        return np.zeros(0)

    def ys(self, frame: Frame) -> Doubles:
        """Return the positions that the vertical axis has to reach, within the horizontal range."""
        return np.zeros(0)

    def paint_ground(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        """Paint what lies below all marks."""

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        """Paint it."""

    def spots(self, frame: Frame) -> Doubles:
        """Return the pixel (n, 2) of each item; NaN where it has no place."""
        return np.zeros((0, 2))

    def outline(self, frame: Frame, item: int) -> QRectF:
        """Return the rectangle around an item that is chosen; empty for a ring at its place."""
        return QRectF()

    def item_at(self, frame: Frame, at: QPointF) -> tuple[float, int] | None:
        """Return how far the nearest item on the plot is, and its number, if it is in reach."""
        spots = self.spots(frame)
        shown = np.flatnonzero(frame.inside(spots))
        away = np.hypot(*(spots[shown] - (at.x(), at.y())).T)
        if not away.size or away.min() >= self.reach:
            return None
        return float(away.min()), int(shown[away.argmin()])

    def told(self, frame: Frame, item: int) -> str:
        """Return what an item is, as in the tooltip."""
        return ""

    def answers(self, item: int) -> bool:
        """Return whether a click on an item does something."""
        return self.chooses

    def words(self, frame: Frame) -> str:
        """Return in words what is drawn, for screen readers; "" if that is nothing."""
        return ""


@dataclass(eq=False)
class Line(PlotMark):
    """One curve of n points, with its 95 % interval; a faint curve is only for comparison.

    Without a ``band`` only the tooltips have the interval: where many bands would overlap.
    """

    name: str = field()  # without a default, whatever the base has
    x: Doubles = field()
    y: Doubles = field()
    low: Doubles | None = None
    high: Doubles | None = None
    faint: bool = False
    band: bool = True
    filled: bool = False
    dotted: bool = False
    stroke: Stroke = field(default_factory=lambda: Stroke(QColor()))

    @property
    def chooses(self) -> bool:  # type: ignore[override]
        return not self.faint and bool(self.x.size)

    def dress(self, look: Tokens, number: int) -> None:
        self.stroke = faint_stroke(look) if self.faint else stroke(look, number, self.dotted)

    def entries(self) -> tuple[Entry, ...]:
        return () if self.faint else ((self.name, self.stroke),)

    def xs(self, x: Axis) -> Doubles:
        return x.at(self.x)

    def ys(self, frame: Frame) -> Doubles:
        at = frame.x.at(self.x)
        seen = (at >= frame.x.lo) & (at <= frame.x.hi)
        ends = [each[seen] for each in (self.y, self.low, self.high) if each is not None]
        return frame.y.at(np.concatenate(ends))

    def paint_ground(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        soft = QColor(self.stroke.colour)
        if self.filled:
            soft.setAlphaF(_FILL)
            painter.setBrush(soft)
            for area in self.areas(frame, None, self.y):
                painter.drawPolygon(area)
        if self.band and self.low is not None and self.high is not None:
            soft.setAlphaF(_BAND)
            painter.setBrush(soft)
            for area in self.areas(frame, self.low, self.high):
                painter.drawPolygon(area)

    def areas(self, frame: Frame, low: Doubles | None, high: Doubles) -> list[QPolygonF]:
        """Return the areas between two curves, or down to the axis, part by part."""
        top = frame.pixels(self.x, high)
        floor = np.full(len(top), frame.plot.bottom())
        below = floor if low is None else frame.pixels(self.x, low)[:, 1]
        made = []
        for part in _parts(np.column_stack([top, below])):
            across, up, down = top[part, 0], top[part, 1], below[part]
            if part.size == 1:  # a bar, since a band of one point has no width
                across = across + np.array([-_ALONE, _ALONE])
                up, down = up.repeat(2), down.repeat(2)
            edge = np.concatenate([np.stack([across, up], 1), np.stack([across, down], 1)[::-1]])
            made.append(_polygon(edge))
        return made

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        painter.save()
        painter.setClipRect(frame.plot.adjusted(-1.5, -1.5, 1.5, 1.5))
        for run in self.runs(frame):
            self.stroke.paint(painter, run)
        painter.restore()
        for at in self.dots(frame):
            self.stroke.paint_dot(painter, at)

    def runs(self, frame: Frame) -> list[QPolygonF]:
        """Return the parts of the line without gaps, in pixels."""
        pixels = frame.pixels(self.x, self.y)
        return [_polygon(pixels[part]) for part in _parts(pixels) if part.size > 1]

    def dots(self, frame: Frame) -> list[QPointF]:
        """Return the places of its dots: far enough apart, and each part of a single point."""
        pixels, chosen = frame.pixels(self.x, self.y), []
        for part in _parts(pixels):
            if part.size == 1 or self.dotted:
                chosen += _spaced(pixels, part.tolist())
        inside = frame.inside(pixels)
        return [QPointF(*pixels[i].tolist()) for i in chosen if inside[i]]

    def spots(self, frame: Frame) -> Doubles:
        return np.zeros((0, 2)) if self.faint else frame.pixels(self.x, self.y)

    def told(self, frame: Frame, item: int) -> str:
        y = frame.y.read(float(self.y[item]))
        if self.low is not None and self.high is not None:
            ends = (frame.y.read(float(each[item])) for each in (self.low, self.high))
            y += f" ({' to '.join(ends)})"
        x = frame.x.read(float(self.x[item]))
        return f"{frame.x.title}: {x}\n{frame.y.title}: {y}"

    def words(self, frame: Frame) -> str:
        if not self.chooses:
            return ""
        there = np.flatnonzero(np.isfinite(self.x) & np.isfinite(self.y))
        if not there.size:
            return "no values."
        ends = (
            f"{frame.y.read(float(self.y[i]))} at {frame.x.read(float(self.x[i]))}"
            for i in (there[0], there[-1])
        )
        return f"from {' to '.join(ends)}."


def _spaced(pixels: Doubles, part: list[int]) -> list[int]:
    """Choose points of a part: the first, the last, and some with space between them."""
    kept = [part[0]]
    for i in part[1:]:
        if np.hypot(*(pixels[i] - pixels[kept[-1]])) >= _APART:
            kept.append(i)
    if kept[-1] != part[-1]:  # the last point replaces a point too close to it
        kept = [*(kept[:-1] if len(kept) > 1 else kept), part[-1]]
    return kept


def _parts(pixels: Doubles) -> list[Numbers]:
    """Split rows (n, d) at gaps, and thin each part to the points that can be distinguished."""
    there = np.flatnonzero(np.isfinite(pixels).all(axis=1))
    if not there.size:
        return []
    thinned = []
    for part in np.split(there, np.flatnonzero(np.diff(there) > 1) + 1):
        keep = changes(pixels[part], _FINEST)
        keep[-1] = True
        thinned.append(part[keep])
    return thinned


def changes(pixels: Doubles, step: float) -> NDArray[np.bool_]:
    """Return which rows (n, d) lie in another square of the grid than the row before."""
    return np.append(True, (np.diff(pixels // step, axis=0) != 0).any(axis=1))


def _polygon(pixels: Doubles) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in pixels.tolist()])


class Steps(Line):
    """A histogram (b,) over ``edges`` (b + 1,), filled as steps from zero up."""

    chooses = False

    def __init__(self, name: str, edges: Doubles, heights: Doubles) -> None:
        steps = np.pad(np.repeat(heights.astype(float), 2), 1)
        super().__init__(name, np.repeat(edges, 2), steps, filled=True)
        self.edges, self.heights = edges, heights

    def item_at(self, frame: Frame, at: QPointF) -> tuple[float, int] | None:
        across = float(frame.value_at(at)[0])
        if not frame.plot.contains(at) or not self.edges[0] <= across <= self.edges[-1]:
            return None
        bin_ = int(np.searchsorted(self.edges, across, "right")) - 1
        return 0.0, min(bin_, len(self.heights) - 1)

    def told(self, frame: Frame, item: int) -> str:
        low, high = (frame.x.read(float(end)) for end in self.edges[item : item + 2])
        return f"{low} to {high}: {frame.y.read(float(self.heights[item]))}"

    def words(self, frame: Frame) -> str:
        return f"most at {self.told(frame, int(np.argmax(self.heights)))}."


@dataclass(eq=False)
class Rule(PlotMark):
    """A solid line upwards with words beside it, where there is room."""

    at: float
    label: str

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        at, plot = round(frame.px(self.at)), frame.plot
        painter.setPen(QPen(QColor(look.text), 2))
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
        place, ground = self.place(frame), QColor(look.surface)
        ground.setAlphaF(0.85)
        painter.fillRect(place.adjusted(-2, 0, 2, 0), ground)
        painter.setFont(font(SMALL, BOLD))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self.label)

    def place(self, frame: Frame) -> QRectF:
        """Return the rectangle of the words."""
        metrics, plot, at = QFontMetricsF(font(SMALL, BOLD)), frame.plot, frame.px(self.at)
        width = metrics.horizontalAdvance(self.label) + 2
        right = at + GAP + width <= plot.right()
        left = at + GAP if right else max(plot.left(), at - GAP - width)
        return QRectF(left, plot.top(), width, metrics.height())

    def words(self, frame: Frame) -> str:
        return f"marked: {self.label}."


@dataclass(eq=False)
class Bars(PlotMark):
    """Bars on zero, one series or two beside each other; on a logarithmic axis only dots.

    With ``labels`` each item can be chosen, else they are numbered from 1. What is ``odd`` is
    coloured, and carries a warning sign.
    """

    series: dict[str, Doubles]
    labels: tuple[str, ...] = ()
    odd: frozenset[int] = frozenset()
    colours: tuple[QColor, ...] = ()

    def __post_init__(self) -> None:
        self.chooses, self.numbered = bool(self.labels), not self.labels
        self._many = max((values.size for values in self.series.values()), default=0)
        self._first = 0 if self.labels else 1

    def dress(self, look: Tokens, number: int) -> None:
        self.colours = QColor(look.accent), QColor(look.people[1])

    def entries(self) -> tuple[Entry, ...]:
        dots = (Dot("square", colour, colour, 4.0) for colour in self.colours)
        return tuple(zip(self.series, dots, strict=False))

    def xs(self, x: Axis) -> Doubles:
        return np.array([self._first - 0.6, self._first + max(1, self._many) - 0.4])

    def ys(self, frame: Frame) -> Doubles:
        values = np.concatenate([*self.series.values(), np.zeros(0)])
        if frame.y.scale == "log":
            return frame.y.at(values)
        return np.array([0.0, (_WARNED if self.odd else 1.0) * float(values.max(initial=0.0))])

    def places(self, frame: Frame, item: int) -> list[QRectF]:
        """Return the rectangle of each series at an item, large enough to be seen."""
        pair = len(self.series) > 1
        aside, wide = ((-0.21, 0.21), 0.38) if pair else ((0.0,), 0.6 if self.labels else 0.72)
        made, floor = [], frame.plot.bottom()
        for off, values in zip(aside, self.series.values(), strict=False):
            middle = self._first + item + off
            left, right = frame.px(middle - wide / 2), frame.px(middle + wide / 2)
            top = floor
            if np.isfinite(up := frame.y.at(values[item : item + 1])).all() and up.size:
                top = min(frame.py(float(up[0])), floor - _LEAST)
            made.append(QRectF(left, top, right - left, floor - top))
        return made

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        dots = frame.y.scale == "log"  # it has no zero to stand on
        for item in range(self._many):
            for place, colour, values in zip(
                self.places(frame, item), self.colours, self.series.values(), strict=False
            ):
                painter.setBrush(QColor(look.warn) if item in self.odd else colour)
                if not values[item] > 0:
                    continue
                if dots:
                    painter.drawEllipse(QPointF(place.center().x(), place.top()), 2.2, 2.2)
                else:
                    painter.drawPath(_bar(place))
        painter.setBrush(QColor(look.warn))
        for item in self.odd:
            (place,) = self.places(frame, item)
            painter.drawPath(_SIGN.translated(place.center().x(), place.top()))

    def spots(self, frame: Frame) -> Doubles:
        at = np.arange(float(len(self.labels)))
        return np.stack([frame.px(at), np.full(len(at), frame.plot.center().y())], axis=1)

    def outline(self, frame: Frame, item: int) -> QRectF:
        around = QRectF()
        for place in self.places(frame, item):
            around = around.united(place)
        return around.adjusted(-3, -3, 3, 0)

    def item_at(self, frame: Frame, at: QPointF) -> tuple[float, int] | None:
        item = round(float(frame.value_at(at)[0]))
        inside = frame.plot.contains(at) and 0 <= item < len(self.labels)
        return (0.0, item) if inside else None

    def told(self, frame: Frame, item: int) -> str:
        values = {name: read(float(each[item])) for name, each in self.series.items()}
        if len(values) == 1:
            note = " — stands out" if item in self.odd else ""
            return f"{frame.x.title} {self.labels[item]}: {next(iter(values.values()))}{note}"
        said = [f"{name}: {value}" for name, value in values.items()]
        return "\n".join([f"{frame.x.title}: {self.labels[item]}", *said])

    def words(self, frame: Frame) -> str:
        if not self._many:
            return ""
        labels = self.labels or tuple(str(at + 1) for at in range(self._many))
        if len(self.series) > 1:
            most = {name: int(np.argmax(values)) for name, values in self.series.items()}
            return " ".join(
                f"{name}: most at {labels[at]}, {read(float(self.series[name][at]))}."
                for name, at in most.items()
            )
        (values,) = self.series.values()
        each = (f"{at}: {read(float(value))}" for at, value in zip(labels, values, strict=True))
        odd = ", ".join(labels[item] for item in sorted(self.odd))
        return f"{', '.join(each)}." + (f" Standing out: {odd}." if odd else "")


def read(value: float) -> str:
    """Return the height of a bar as text."""
    return f"{value:,.4g}"


def _bar(place: QRectF) -> QPainterPath:
    """Return a bar with rounded upper corners."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    corner = min(_ROUND, place.height())
    path.addRoundedRect(place, min(_ROUND, place.width() / 2), corner)
    path.addRect(place.adjusted(0, corner, 0, 0))
    return path


def _warning_sign() -> QPainterPath:
    """Return a small triangle with an exclamation mark, above its origin."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(0, -16), QPointF(7, -4), QPointF(-7, -4)]))
    path.addRect(QRectF(-0.8, -12, 1.6, 4))
    path.addRect(QRectF(-0.8, -7, 1.6, 1.6))
    return path


_SIGN = _warning_sign()


@dataclass(eq=False)
class Points(PlotMark):
    """One class of points, (n, 2)."""

    name: str = field()
    at: Doubles = field()
    dot: Dot | None = None

    reach = 9.0

    def dress(self, look: Tokens, number: int) -> None:
        self.dot = dot(look, number)

    def entries(self) -> tuple[Entry, ...]:
        return () if self.dot is None else ((self.name, self.dot),)

    def xs(self, x: Axis) -> Doubles:
        return x.at(self.at[:, 0])

    def spots(self, frame: Frame) -> Doubles:
        return frame.pixels(self.at[:, 0], self.at[:, 1])

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        if self.dot is not None:
            painter.save()
            painter.setClipRect(frame.plot.adjusted(-4, -4, 4, 4))
            spots = self.spots(frame)
            self.dot.paint_many(painter, spots[np.isfinite(spots).all(axis=1)])
            painter.restore()

    def told(self, frame: Frame, item: int) -> str:
        x, y = self.at[item].tolist()
        return f"{frame.x.title}: {frame.x.read(x)}\n{frame.y.title}: {frame.y.read(y)}"

    def words(self, frame: Frame) -> str:
        return f"{count(len(self.at), 'point')}."


@dataclass(eq=False)
class Shade(PlotMark):
    """The ground of a range across, in the soft colour of a tone."""

    low: float
    high: float
    tone: Tone = "ok"

    def paint_ground(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        plot, (left, right) = frame.plot, (frame.px(end) for end in (self.low, self.high))
        place = QRectF(left, plot.top(), right - left, plot.height())
        painter.fillRect(place, QColor(look.tone(self.tone)[1]))

    def words(self, frame: Frame) -> str:
        return f"most lie between {self.low:.2f} and {self.high:.2f}."


def shade(look: Tokens, share: float, cell: float) -> str:
    """Return the colour of a share above 0: one hue, stronger for a larger share."""
    faintest = _FAINTEST if cell >= _SPLIT else _FAINTEST_TINY
    deepest = mix(look.accent, look.text, 0.35 if look.dark else 0.5)
    depth = faintest + (1 - faintest) * share
    middle = 0.72
    if depth <= middle:
        return mix(look.surface, look.accent, depth / middle)
    return mix(look.accent, deepest, (depth - middle) / (1 - middle))


@dataclass(eq=False)
class Cells(PlotMark):
    """How often each of p people (down) was taken for each (across): ``counts`` (p, p)."""

    counts: NDArray[np.intp]
    names: Sequence[str]
    bar: bool = False
    """Whether there is room for a colour bar at the right."""

    chooses = True

    @property
    def row(self) -> int:  # type: ignore[override]
        return len(self.names)

    @cached_property
    def searches(self) -> NDArray[np.intp]:
        """(p,) how often each person was searched for."""
        return self.counts.sum(axis=1)

    @cached_property
    def levels(self) -> NDArray[np.intp]:
        """(p, p) shade of each cell: 0 for none, else 1 to `_LEVELS`."""
        shares = self.counts / np.maximum(self.searches, 1)[:, np.newaxis]
        return np.ceil(shares * _LEVELS - 1e-9).astype(np.intp)

    def size(self, frame: Frame) -> float:
        """Return the width of a cell in pixels."""
        return frame.plot.width() / max(1, len(self.names))

    def place(self, frame: Frame, item: int) -> QRectF:
        """Return the rectangle of a cell, on whole pixels."""
        plot, people = frame.plot, len(self.names)
        row, column = divmod(item, people)
        across = np.round(plot.left() + plot.width() * np.array([column, column + 1]) / people)
        down = np.round(plot.top() + plot.height() * np.array([row, row + 1]) / people)
        return QRectF(
            across[0], down[0], max(1.0, across[1] - across[0]), max(1.0, down[1] - down[0])
        )

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        plot, size = frame.plot, self.size(frame)
        painter.fillRect(plot, QColor(look.surface))
        painter.setPen(Qt.PenStyle.NoPen)
        apart = 1.0 if size >= _SPLIT else 0.0
        corner = 2.5 if size >= _CORNERED else 0.0
        levels = self.levels.ravel()
        for level in np.unique(levels[levels > 0]).tolist():
            painter.setBrush(QColor(shade(look, level / _LEVELS, size)))
            path = QPainterPath()
            for item in np.flatnonzero(levels == level).tolist():
                place = self.place(frame, item).adjusted(0, 0, -apart, -apart)
                path.addRoundedRect(place, corner, corner)
            painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.border), 1))
        painter.drawRect(plot.toRect().adjusted(-1, -1, 0, 0).toRectF().translated(0.5, 0.5))
        painter.setFont(font(SMALL))
        if size >= _WRITTEN:
            for item in np.flatnonzero(levels).tolist():
                below = shade(look, int(levels[item]) / _LEVELS, size)
                ink = max((look.text, look.surface), key=lambda one: contrast(one, below))
                painter.setPen(QColor(ink))
                text = str(self.counts.ravel()[item])
                painter.drawText(self.place(frame, item), Qt.AlignmentFlag.AlignCenter, text)
        if self.bar:
            self._paint_bar(painter, frame, look)

    def _paint_bar(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        plot = frame.plot
        bar = QRectF(plot.right() + _BAR_GAP, plot.top(), _BAR, plot.height())
        depth = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        for step in range(9):
            depth.setColorAt(step / 8, QColor(shade(look, step / 8, self.size(frame))))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(depth)
        painter.drawRoundedRect(bar, 2, 2)
        painter.setPen(QColor(look.secondary))
        line = painter.fontMetrics().height()
        for at, text in ((bar.top(), "100%"), (bar.center().y(), "50%"), (bar.bottom(), "0%")):
            place = QRectF(bar.right() + GAP - 1, at - line / 2, BAR_ROOM, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, text)
        room, cut = plot.height() + line, Qt.TextElideMode.ElideRight
        title = painter.fontMetrics().elidedText(_BAR_TITLE, cut, int(room))
        right = plot.right() + BAR_ROOM - line
        paint_upwards(painter, QRectF(right, plot.top() - line / 2, line, room), title)

    def spots(self, frame: Frame) -> Doubles:
        down, across = np.divmod(np.arange(len(self.names) ** 2), max(1, len(self.names)))
        return np.stack([frame.px(across.astype(float)), frame.py(down.astype(float))], axis=1)

    def outline(self, frame: Frame, item: int) -> QRectF:
        return self.place(frame, item).adjusted(-1.5, -1.5, 0.5, 0.5)

    def item_at(self, frame: Frame, at: QPointF) -> tuple[float, int] | None:
        people, plot = len(self.names), frame.plot
        if not people or not plot.contains(at):
            return None
        column, row = ((at - plot.topLeft()) * people / plot.width()).toTuple()
        return 0.0, min(int(row), people - 1) * people + min(int(column), people - 1)

    def told(self, frame: Frame, item: int) -> str:
        person, answer = divmod(item, len(self.names))
        times = f"{self.counts[person, answer]} of {self.searches[person]}"
        if person == answer:
            return f"{self.names[person]} recognised: {times}"
        return f"{self.names[person]} taken for {self.names[answer]}: {times}"

    def answers(self, item: int) -> bool:
        return bool(self.counts.ravel()[item])

    def words(self, frame: Frame) -> str:
        if not self.names:
            return ""
        wrong = self.counts - np.diag(np.diag(self.counts))
        right, of = int(np.trace(self.counts)), int(self.counts.sum())
        worst = np.argsort(-wrong, axis=None, kind="stable")[:5].tolist()
        told = [f"{self.told(frame, item)}." for item in worst if wrong.ravel()[item]]
        return " ".join([f"{right} of {of} searches named the right person.", *told])
