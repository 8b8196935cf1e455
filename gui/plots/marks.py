"""What a plot is made of: curves with their bands, steps, bars, points, cells, rules, shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from eigenfaces.recognition.calibration import Histogram
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Numbers
from eigenfaces.text import count
from gui.plots.axes import GAP, Axis, Frame, Range, Ticks, every, paint_upwards, widest
from gui.plots.strokes import BOLD, Dot, Entry, Stroke, dot, faint_stroke, paint_pill, pill, stroke
from gui.style.images import rgb_image
from gui.style.theme import SMALL, Tokens, Tone, contrast, font, mix
from gui.widgets.painted import clamped, paint_colour_bar

_APART = 22.0  # px between two dots of a line
_FINEST = 0.4  # px; points nearer to each other are painted once
_FILL, _BAND = 0.15, 0.13  # opacity
_ALONE = 4.0  # px, half the width of the band of a single point
_ROUND, _LEAST = 2.5, 1.5  # px, the ends of a bar, and its least height
_WARNED = 1.3  # times the highest bar: room for the sign above one that stands out
_WRITTEN = 24.0  # px; cells of this size have their text written in them
_SPLIT = 7.0  # px; from this size on cells stand apart
_FAINTEST, _FAINTEST_TINY = 0.26, 0.42  # shade of what happened once; tiny cells need more
_BAR_ROOM = 74.0  # px at the right of cells for the colour bar and its texts
_CORNER = 4.0  # px from the edge of a shade to its words
_LINE_REACH, _REACH = 9.0, 14.0  # px around a rule, and around the plot, where a press holds it
_MIDDLE = Qt.AlignmentFlag.AlignCenter


class PlotMark:
    """What is drawn over the axes; its items can be pointed at and chosen, by their number."""

    name = ""  # in the legend
    selectable = False  # whether an item can be chosen, by a click or by the keys
    reach = 24.0  # px from an item within which the pointer finds it
    row = 0  # items in a row, where the keys go up and down as well
    alone = True  # whether no other mark has a name; set by the plot
    overlay = False  # whether it is painted above all that stays, as it may move
    y_span: Range | None = None  # the range up that it takes, perhaps from above downwards

    def set_colours(self, look: Tokens, number: int) -> None:
        """Choose colours; ``number`` counts the marks before it that have a name."""

    def legend_entries(self) -> tuple[Entry, ...]:
        """Return the names in the legend, with a sample each."""
        return ()

    def xs(self, x: Axis) -> Doubles:
        """Return the positions that the horizontal axis has to reach."""
        return np.zeros(0)

    def ys(self, frame: Frame) -> Doubles:
        """Return the positions that the vertical axis has to reach, within the horizontal range."""
        return np.zeros(0)

    def plot_area(self, room: QRectF) -> QRectF:
        """Return what part of a rectangle it takes as the plot."""
        return room

    def x_ticks(self, frame: Frame) -> Ticks | None:
        """Return what stands below the items, instead of numbers."""
        return None

    def y_ticks(self, frame: Frame) -> Ticks | None:
        """Return what stands beside the items, instead of numbers."""
        return None

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

    def tooltip(self, frame: Frame, item: int) -> str:
        """Return what an item is, as in the tooltip."""
        return ""

    def clickable(self, item: int) -> bool:
        """Return whether a click on an item does something."""
        return self.selectable

    def summary(self, frame: Frame) -> str:
        """Return in words what is drawn, for screen readers; "" if that is nothing."""
        return ""


@dataclass(eq=False)
class Line(PlotMark):
    """One curve of n points, with its 95 % interval; a faint curve is only for comparison.

    Without a ``band`` only the tooltips have the interval: where many bands would overlap.
    ``filled``: the area below, if no other mark has a name.
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
    def selectable(self) -> bool:  # type: ignore[override]
        return not self.faint and bool(self.x.size)

    def set_colours(self, look: Tokens, number: int) -> None:
        self.stroke = faint_stroke(look) if self.faint else stroke(look, number, self.dotted)

    def legend_entries(self) -> tuple[Entry, ...]:
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
        if self.filled and self.alone and not self.faint:
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
        pixels = frame.pixels(self.x, self.y)
        chosen: list[int] = []
        for part in (each.tolist() for each in _parts(pixels)):
            kept = part[:1]
            for at in part[1:] if self.dotted else ():
                if np.hypot(*(pixels[at] - pixels[kept[-1]])) >= _APART:
                    kept.append(at)
            if self.dotted and len(part) > 1:  # the last replaces one that is too close to it
                kept = [*kept[: max(1, len(kept) - 1)], part[-1]]
            chosen += kept if self.dotted or len(part) == 1 else []
        return [QPointF(*at) for at in pixels[chosen][frame.inside(pixels[chosen])].tolist()]

    def spots(self, frame: Frame) -> Doubles:
        return np.zeros((0, 2)) if self.faint else frame.pixels(self.x, self.y)

    def tooltip(self, frame: Frame, item: int) -> str:
        y = frame.y.read(float(self.y[item]))
        if self.low is not None and self.high is not None:
            ends = (frame.y.read(float(each[item])) for each in (self.low, self.high))
            y += f" ({' to '.join(ends)})"
        x = frame.x.read(float(self.x[item]))
        return f"{frame.x.title}: {x}\n{frame.y.title}: {y}"

    def summary(self, frame: Frame) -> str:
        there = np.flatnonzero(np.isfinite(self.x) & np.isfinite(self.y))
        if not self.selectable or not there.size:
            return "no values." if self.selectable else ""
        ends = (
            f"{frame.y.read(float(self.y[i]))} at {frame.x.read(float(self.x[i]))}"
            for i in (there[0], there[-1])
        )
        return f"from {' to '.join(ends)}."


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


def changes(pixels: Doubles, step: float) -> Flags:
    """Return which rows (n, d) lie in another square of the grid than the row before."""
    return np.append(True, (np.diff(pixels // step, axis=0) != 0).any(axis=1))


def _polygon(pixels: Doubles) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in pixels.tolist()])


class Steps(Line):
    """A histogram (b,) over ``edges`` (b + 1,), filled as steps from zero up."""

    selectable = False

    def __init__(self, name: str, edges: Doubles, heights: Doubles) -> None:
        steps = np.pad(np.repeat(heights.astype(float), 2), 1)
        super().__init__(name, np.repeat(edges, 2), steps)
        self.edges, self.heights = edges, heights

    def set_colours(self, look: Tokens, number: int) -> None:
        super().set_colours(look, number)
        self.filled, self.alone = True, True  # histograms over each other can be read

    def item_at(self, frame: Frame, at: QPointF) -> tuple[float, int] | None:
        across = float(frame.value_at(at)[0])
        if not frame.plot.contains(at) or not self.edges[0] <= across <= self.edges[-1]:
            return None
        bin_ = int(np.searchsorted(self.edges, across, "right")) - 1
        return 0.0, min(bin_, len(self.heights) - 1)

    def tooltip(self, frame: Frame, item: int) -> str:
        low, high = (frame.x.read(float(end)) for end in self.edges[item : item + 2])
        return f"{low} to {high}: {frame.y.read(float(self.heights[item]))}"

    def summary(self, frame: Frame) -> str:
        return f"most at {self.tooltip(frame, int(np.argmax(self.heights)))}."


def histogram_steps(spread: Histogram, mated: str, others: str) -> list[Steps]:
    """Return the histograms under these names, the mated ones in front; what has none is out."""
    pairs = ((mated, spread.mated), (others, spread.non_mated))
    return [Steps(name, spread.edges, shares) for name, shares in pairs if name]


@dataclass(eq=False)
class Rule(PlotMark):
    """A line up, or ``across``, at a value: dashed with words in a pill above the plot, or solid.

    A solid one has its words beside it. A ``movable`` one has a ring, and is moved by the pointer
    and by keys; ``whole``: to whole numbers, by a press anywhere on the plot.
    """

    at: float
    label: str = ""
    _: KW_ONLY
    across: bool = False
    solid: bool = False
    movable: bool = False
    whole: bool = False
    focused: bool = False

    overlay = True

    def axis(self, frame: Frame) -> Axis:
        """Return the axis on which it stands."""
        return frame.y if self.across else frame.x

    def is_seen(self, frame: Frame) -> bool:
        """Return whether it stands on the plot."""
        axis = self.axis(frame)
        return axis.lo <= float(axis.at(np.array(self.at))) <= axis.hi

    def line(self, frame: Frame) -> tuple[QPointF, QPointF]:
        """Return its end on the axis, where its ring is, and its other end."""
        plot, at = frame.plot, float(self.axis(frame).at(np.array(self.at)))
        if self.across:
            y = frame.py(at)
            return QPointF(plot.right(), y), QPointF(plot.left(), y)
        x = frame.px(at)
        return QPointF(x, plot.bottom()), QPointF(x, plot.top())

    def pill(self, frame: Frame) -> QRectF:
        """Return the rectangle of the words above the plot, kept inside the widget."""
        if self.solid or not self.label or not self.is_seen(frame):
            return QRectF()
        box = pill(self.label)
        # The highest tick text reaches half a line above the plot.
        box.moveCenter(QPointF(self.line(frame)[0].x(), 0))
        box.moveBottom(frame.plot.top() - box.height() / 2 + 3)
        return clamped(box, frame.size.adjusted(1, -box.height(), -1, 0))

    def beside(self, frame: Frame) -> QRectF:
        """Return the rectangle of the words of a solid one: at its right, if there is room."""
        metrics, plot, at = QFontMetricsF(font(SMALL, BOLD)), frame.plot, self.line(frame)[0].x()
        width = metrics.horizontalAdvance(self.label) + 2
        right = at + GAP + width <= plot.right()
        left = at + GAP if right else max(plot.left(), at - GAP - width)
        return QRectF(left, plot.top(), width, metrics.height())

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        if not self.is_seen(frame):
            return
        foot, end = (each.toPoint().toPointF() for each in self.line(frame))
        accent, box = QColor(look.accent), self.pill(frame)
        if self.solid:
            painter.setPen(QPen(QColor(look.text), 2))
        else:
            painter.setPen(QPen(accent, 1.6, Qt.PenStyle.DashLine))
            end = end if box.isEmpty() else QPointF(foot.x(), box.bottom())
        painter.drawLine(end, foot)
        if self.movable and self.solid:
            painter.setPen(QPen(accent if self.focused else QColor(look.text), 2 + self.focused))
            painter.setBrush(QColor(look.surface))
            painter.drawEllipse(foot, 6.5, 6.5)
        elif not self.solid:
            painter.setBrush(QColor(look.surface))
            if self.focused:
                painter.setPen(QPen(accent, 2))
                painter.drawEllipse(foot, 9, 9)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(foot, 5, 5)
        if not box.isEmpty():
            paint_pill(painter, box, self.label, accent, look.on_accent)
        elif self.solid and self.label:
            place, ground = self.beside(frame), QColor(look.surface)
            ground.setAlphaF(0.85)
            painter.fillRect(place.adjusted(-2, 0, 2, 0), ground)
            painter.setFont(font(SMALL, BOLD))
            painter.setPen(QColor(look.text))
            painter.drawText(place, _MIDDLE, self.label)

    def held_at(self, frame: Frame, at: QPointF) -> float | None:
        """Return how far from the pointer is what it would move; None out of reach."""
        foot, plot = self.line(frame)[0], frame.plot
        if not self.movable or not plot.adjusted(-_REACH, -40, _REACH, _REACH).contains(at):
            return None
        away = at - foot
        beside = abs(away.y() if self.across else away.x())
        if np.hypot(away.x(), away.y()) <= 2 * _LINE_REACH:
            return 0.0
        return beside if self.whole or beside <= _LINE_REACH else None

    def move_to(self, frame: Frame, value: float) -> bool:
        """Move it, within what is shown; return whether it stands elsewhere than before."""
        before, axis = self.at, self.axis(frame)
        value = min(max(value, axis.lo), axis.hi)
        self.at = round(value) if self.whole else value
        return self.at != before

    def step(self, frame: Frame, steps: float) -> bool:
        """Move it by steps, as keys do."""
        axis = self.axis(frame)
        return self.move_to(
            frame, self.at + steps * (1 if self.whole else (axis.hi - axis.lo) / 200)
        )

    def summary(self, frame: Frame) -> str:
        if self.solid and self.label:
            return f"marked: {self.label}."
        axis = self.axis(frame)
        said = self.label or f"{axis.title}: {axis.read(self.at)}"
        return f"the line stands at {said}." if self.is_seen(frame) else ""


def curve_over_k(title: str, shares: Doubles) -> tuple[list[PlotMark], Axis, Axis]:
    """Return a curve over 0…n components with a rule to choose their number, and the axes."""
    k = np.arange(float(len(shares)))
    marks = [Line(title, k, shares, filled=True), Rule(0, movable=True, whole=True)]
    top = max(1.0, float(shares.max()))
    x = Axis("number of components k", span=(0.0, float(k[-1])))
    return marks, x, Axis(title, percent=True, span=(0.0, top))


@dataclass(eq=False)
class Bars(PlotMark):
    """Bars from zero, one series or two beside each other; on a logarithmic axis only dots.

    With ``labels`` each item can be chosen, else they are numbered from 1. What is ``odd`` is
    coloured, and carries a warning sign.
    """

    series: dict[str, Doubles]
    labels: tuple[str, ...] = ()
    odd: frozenset[int] = frozenset()
    colours: tuple[QColor, ...] = ()

    def __post_init__(self) -> None:
        self.selectable = bool(self.labels)
        self._many = max((values.size for values in self.series.values()), default=0)
        self._first = 0 if self.labels else 1

    def set_colours(self, look: Tokens, number: int) -> None:
        self.colours = QColor(look.accent), QColor(look.people[1])

    def legend_entries(self) -> tuple[Entry, ...]:
        dots = (Dot("square", colour, colour, 4.0) for colour in self.colours)
        return tuple(zip(self.series, dots, strict=False))

    def xs(self, x: Axis) -> Doubles:
        return np.array([self._first - 0.6, self._first + max(1, self._many) - 0.4])

    def ys(self, frame: Frame) -> Doubles:
        values = np.concatenate([*self.series.values(), np.zeros(1)])
        values = values[np.isfinite(values)]
        if frame.y.log:
            return frame.y.at(values)
        low, high = values.min(), values.max() * (_WARNED if self.odd else 1.0)
        room = 0.08 * (high - low) if low < 0 else 0.0
        return np.array([low - room, high + room * (high > 0)])

    def x_ticks(self, frame: Frame) -> Ticks | None:
        if not self.labels:
            return frame.x.ticks_across(frame.plot.width(), np.arange(1.0, self._many + 1))
        apart = widest(list(self.labels)) + 10
        return every(self.labels, max(1, int(frame.plot.width() / apart)))

    def places(self, frame: Frame, item: int) -> list[QRectF]:
        """Return the rectangle of each series at an item, large enough to be seen."""
        pair = len(self.series) > 1
        aside, wide = ((-0.21, 0.21), 0.38) if pair else ((0.0,), 0.6 if self.labels else 0.72)
        made, base = [], frame.plot.bottom() if frame.y.log else frame.py(0.0)
        for off, values in zip(aside, self.series.values(), strict=False):
            middle, up = self._first + item + off, frame.y.at(values[item])
            left, right = frame.px(middle - wide / 2), frame.px(middle + wide / 2)
            end = frame.py(float(up)) if np.isfinite(up) else base
            end = max(end, base + _LEAST) if values[item] < 0 else min(end, base - _LEAST)
            made.append(QRectF(left, min(end, base), right - left, abs(end - base)))
        return made

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        painter.setPen(QPen(QColor(look.tertiary), 1))
        if frame.y.lo < 0 and not frame.y.log:
            zero = frame.py(0.0)
            painter.drawLine(QPointF(frame.plot.left(), zero), QPointF(frame.plot.right(), zero))
        painter.setPen(Qt.PenStyle.NoPen)
        for item in range(self._many):
            for place, colour, values in zip(
                self.places(frame, item), self.colours, self.series.values(), strict=False
            ):
                painter.setBrush(QColor(look.warn) if item in self.odd else colour)
                if not np.isfinite(values[item]):
                    continue
                if frame.y.log:  # it has no zero to stand on
                    painter.drawEllipse(QPointF(place.center().x(), place.top()), 2.2, 2.2)
                else:
                    painter.drawPath(_bar(place, down=values[item] < 0))
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

    def tooltip(self, frame: Frame, item: int) -> str:
        values = {name: f"{float(each[item]):,.4g}" for name, each in self.series.items()}
        if len(values) == 1:
            note = " — stands out" if item in self.odd else ""
            return f"{frame.x.title} {self.labels[item]}: {next(iter(values.values()))}{note}"
        said = [f"{name}: {value}" for name, value in values.items()]
        return "\n".join([f"{frame.x.title}: {self.labels[item]}", *said])

    def summary(self, frame: Frame) -> str:
        if not self._many:
            return ""
        labels = self.labels or tuple(str(at + 1) for at in range(self._many))
        if len(self.series) > 1:
            most = ((name, each, int(np.argmax(each))) for name, each in self.series.items())
            return " ".join(
                f"{name}: most at {labels[at]}, {float(each[at]):,.4g}." for name, each, at in most
            )
        (values,) = self.series.values()
        each = (f"{at}: {float(value):,.4g}" for at, value in zip(labels, values, strict=True))
        odd = ", ".join(labels[item] for item in sorted(self.odd))
        return f"{', '.join(each)}." + (f" Standing out: {odd}." if odd else "")


def _bar(place: QRectF, *, down: bool) -> QPainterPath:
    """Return a bar with rounded corners at its end."""
    path, corner = QPainterPath(), min(_ROUND, place.height())
    path.setFillRule(Qt.FillRule.WindingFill)
    path.addRoundedRect(place, min(_ROUND, place.width() / 2), corner)
    path.addRect(place.adjusted(0, 0, 0, -corner) if down else place.adjusted(0, corner, 0, 0))
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
    """One class of points, (n, 2); with a ``tone`` diamonds that stand out, with ``labels``."""

    name: str = field()
    at: Doubles = field()
    tone: Tone | None = None
    labels: Sequence[str] = ()
    dot: Dot | None = None

    reach = 9.0

    @property
    def overlay(self) -> bool:  # type: ignore[override]
        return self.tone is not None

    def set_colours(self, look: Tokens, number: int) -> None:
        self.dot = dot(look, number)
        if self.tone is not None:
            ink = QColor(look.tone(self.tone)[0])
            self.dot = Dot("diamond", ink, QColor(look.surface), 7.0)

    def legend_entries(self) -> tuple[Entry, ...]:
        return () if self.dot is None or not self.name else ((self.name, self.dot),)

    def xs(self, x: Axis) -> Doubles:
        return x.at(self.at[:, 0])

    def ys(self, frame: Frame) -> Doubles:
        return frame.y.at(self.at[:, 1])

    def spots(self, frame: Frame) -> Doubles:
        return frame.pixels(self.at[:, 0], self.at[:, 1])

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        if self.dot is None:
            return
        spots = self.spots(frame)
        painter.save()
        painter.setClipRect(frame.plot.adjusted(-4, -4, 4, 4))
        self.dot.paint_many(painter, spots[np.isfinite(spots).all(axis=1)])
        painter.restore()
        ink, ground = look.tone(self.tone or "neutral")
        for at, words in zip(spots.tolist(), self.labels, strict=False):
            box = pill(words)
            below = at[1] - box.height() - 12 < frame.plot.top()
            away = (box.height() / 2 + 12) * (1 if below else -1)
            box.moveCenter(QPointF(at[0], at[1] + away))
            paint_pill(painter, clamped(box, frame.plot), words, ground, ink, ink)

    def tooltip(self, frame: Frame, item: int) -> str:
        x, y = self.at[item].tolist()
        return f"{frame.x.title}: {frame.x.read(x)}\n{frame.y.title}: {frame.y.read(y)}"

    def summary(self, frame: Frame) -> str:
        if self.labels:
            told = (self.tooltip(frame, item).replace("\n", ", ") for item in range(len(self.at)))
            said = (f"{name}: {words}." for name, words in zip(self.labels, told, strict=True))
            return " ".join(said)
        return f"{count(len(self.at), 'point')}."


@dataclass(eq=False)
class Shade(PlotMark):
    """The ground of a range across, and up, in the soft colour of a tone; None: to the edge.

    Its words stand in the corner where it reaches the edges of the plot.
    """

    low: float | None
    high: float | None
    bottom: float | None = None
    top: float | None = None
    tone: Tone = "ok"
    label: str = ""

    def place(self, frame: Frame) -> QRectF:
        """Return its rectangle, in pixels."""
        plot = frame.plot
        left = plot.left() if self.low is None else frame.px(self.low)
        right = plot.right() if self.high is None else frame.px(self.high)
        up = plot.top() if self.top is None else frame.py(self.top)
        down = plot.bottom() if self.bottom is None else frame.py(self.bottom)
        return QRectF(QPointF(left, up), QPointF(right, down))

    def paint_ground(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        painter.setOpacity(0.7 if self.label else 1.0)
        painter.fillRect(self.place(frame), QColor(look.tone(self.tone)[1]))
        painter.setOpacity(1.0)

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        corner = self.place(frame).adjusted(_CORNER, _CORNER, -_CORNER, -_CORNER)
        box = pill(self.label)
        if self.label and corner.width() >= box.width() and corner.height() >= box.height():
            box.moveTo(corner.topLeft())
            if self.high is None:
                box.moveRight(corner.right())
            if self.bottom is None:
                box.moveBottom(corner.bottom())
            ink, soft = look.tone(self.tone)
            paint_pill(painter, box, self.label, soft, ink)

    def summary(self, frame: Frame) -> str:
        if self.label or self.low is None or self.high is None:
            return ""
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
    """A square matrix of shares (p, p), 0…1, in colours, the first row on top, with a colour bar.

    ``texts`` (p, p) are written where there is room; nothing is where a share is 0.
    """

    shares: Doubles
    names: Sequence[str]
    texts: NDArray[np.str_]
    bar_title: str = ""
    has_bar: bool = False  # whether there is room for it at the right

    selectable = True

    @property
    def row(self) -> int:  # type: ignore[override]
        return len(self.names)

    def xs(self, x: Axis) -> Doubles:
        return np.array([-0.5, max(1, len(self.names)) - 0.5])

    @property
    def y_span(self) -> Range:  # type: ignore[override]
        return max(1, len(self.names)) - 0.5, -0.5

    def plot_area(self, room: QRectF) -> QRectF:
        """Return a square in the middle, with the colour bar beside it if there is room."""
        side = min(room.width(), room.height())
        spare = room.width() - side
        self.has_bar = bool(self.names) and spare >= _BAR_ROOM
        left = room.left() + (spare - _BAR_ROOM * self.has_bar) / 2
        return QRectF(round(left), round(room.top() + (room.height() - side) / 2), side, side)

    def size(self, frame: Frame) -> float:
        """Return the width of a cell in pixels."""
        return frame.plot.width() / max(1, len(self.names))

    def x_ticks(self, frame: Frame) -> Ticks:
        """Return the names where all have room, else numbers, with the same step both ways."""
        if widest(list(self.names)) + 8 <= self.size(frame):
            return every(tuple(self.names), len(self.names))
        apart = max(QFontMetricsF(font(SMALL)).height() + 4, widest(["00"]) + 8)
        numbers = tuple(str(number + 1) for number in range(len(self.names)))
        return every(numbers, max(1, int(frame.plot.width() / apart)))

    def y_ticks(self, frame: Frame) -> Ticks:
        metrics, across = QFontMetricsF(font(SMALL)), self.x_ticks(frame)
        if self.size(frame) < metrics.height() + 2:
            return across
        named, room = bool(across) and across[0][1] == self.names[0], 0.3 * frame.size.width()
        words = (name if named else f"{i} {name}" for i, name in enumerate(self.names, 1))
        cut = Qt.TextElideMode.ElideRight
        return every(tuple(metrics.elidedText(each, cut, room) for each in words), len(self.names))

    def place(self, frame: Frame, item: int) -> QRectF:
        """Return the rectangle of a cell."""
        size, (row, column) = self.size(frame), divmod(item, len(self.names))
        corner = frame.plot.topLeft() + QPointF(column, row) * size
        return QRectF(corner, QSizeF(size, size))

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        plot, size, many = frame.plot, self.size(frame), len(self.names)
        levels = np.ceil(self.shares * 24 - 1e-9).astype(np.intp)
        table = [look.surface, *(shade(look, level / 24, size) for level in range(1, 25))]
        rgb: Bytes = np.array(
            [[(int(each[1:], 16) >> by) & 255 for by in (16, 8, 0)] for each in table], np.uint8
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(plot, rgb_image(rgb[levels]))
        painter.setPen(QPen(QColor(look.surface), 1))
        for at in range(1, many) if size >= _SPLIT else ():
            x, y = round(plot.left() + at * size) - 0.5, round(plot.top() + at * size) - 0.5
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.border), 1))
        painter.drawRect(plot.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.setFont(font(SMALL))
        written: list[int] = np.flatnonzero(levels).tolist() if size >= _WRITTEN else []
        for item in written:
            below = table[levels.ravel()[item]]
            dark = contrast(look.text, below) > contrast(look.surface, below)
            ink = look.text if dark else look.surface
            painter.setPen(QColor(ink))
            painter.drawText(self.place(frame, item), _MIDDLE, str(self.texts.ravel()[item]))
        if self.has_bar:
            bar = QRectF(plot.right() + 16, plot.top(), 9, plot.height())
            line = float(painter.fontMetrics().height())
            paint_colour_bar(painter, bar, [QColor(shade(look, at / 8, size)) for at in range(9)])
            painter.setPen(QColor(look.secondary))
            for end, text in ((bar.top(), "100%"), (bar.center().y(), "50%"), (bar.bottom(), "0%")):
                place = QRectF(bar.right() + GAP - 1, end - line / 2, _BAR_ROOM, line)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            room, cut = plot.height() + line, Qt.TextElideMode.ElideRight
            title = painter.fontMetrics().elidedText(self.bar_title, cut, int(room))
            right = plot.right() + _BAR_ROOM - line
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

    def tooltip(self, frame: Frame, item: int) -> str:
        row, column = divmod(item, len(self.names))
        return f"{self.names[row]}, {self.names[column]}: {self.texts[row, column]}"

    def clickable(self, item: int) -> bool:
        return bool(self.shares.ravel()[item])

    def summary(self, frame: Frame) -> str:
        return f"{len(self.names)} × {len(self.names)} cells."
