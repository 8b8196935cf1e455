"""Marks of a plot: curves with bands, histograms, bars, points, heatmaps, lines and regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from eigenfaces.recognition.statistics import Histogram
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Numbers
from eigenfaces.text import count
from ..style.images import rgb_image
from ..style.painting import clamped, paint_colour_bar
from ..style.theme import SMALL_FONT, Tokens, Tone, contrast, font, mix
from .axes import GAP, Axes, Axis, Range, Ticks, category_ticks, paint_upwards, widest
from .strokes import (
    Dot,
    LabelPlacer,
    LegendEntry,
    Stroke,
    faint_stroke,
    paint_pill,
    pill_rect,
    series_dot,
    series_stroke,
)

_APART = 22.0  # px between two dots on a line
_FINEST = 0.4  # px; points closer together are painted as one
_FILL, _BAND = 0.15, 0.13  # opacity
_ROUND, _LEAST = 2.5, 1.5  # px: corner radius and minimum height of a bar
_SIGN_ROOM = 1.3  # times the height of the highest bar: room for the sign above an outlier
_WRITTEN = 24.0  # px; cells of at least this size show their text
_SPLIT = 7.0  # px; cells of at least this size have lines between them
_FAINTEST, _FAINTEST_TINY = 0.26, 0.42  # shade of the smallest share, and in tiny cells
_LEVELS = 24  # number of shades of the cells
_BAR_ROOM = 74.0  # px at the right of a heatmap for the colour bar and its labels
_CORNER = 4.0  # px from the edge of a region to its label
_REACH = 14.0  # px around the plot within which a press grabs a line
_MIDDLE = Qt.AlignmentFlag.AlignCenter


class PlotMark:
    """Base class for plot marks, whose numbered items can be hovered over and selected."""

    name = ""  # shown in the legend
    selectable = False  # whether items can be selected, with a click or with the keys
    reach = 24.0  # px from an item within which the pointer finds it
    columns = 0  # items per row, if the keys also move up and down
    alone = True  # whether no other mark has a name; set by the plot
    overlay = False  # whether the mark is painted above the fixed part, because it may move
    y_span: Range | None = None  # vertical range of the mark, which may be reversed

    def set_colours(self, look: Tokens, number: int) -> None:
        """Choose the colours of the mark; ``number`` is the number of named marks before it."""

    def legend_entries(self) -> tuple[LegendEntry, ...]:
        """Return the legend entries of the mark, each with a name and a sample."""
        return ()

    def x_extent(self, x: Axis) -> Doubles:
        """Return the positions that the horizontal axis must include."""
        return np.zeros(0)

    def y_extent(self, axes: Axes) -> Doubles:
        """Return the positions that the vertical axis must include for the visible x range."""
        return np.zeros(0)

    def fit_plot_rect(self, room: QRectF) -> QRectF:
        """Return the part of the available rectangle that the plot should fill."""
        return room

    def ticks(self, axes: Axes) -> tuple[Ticks, Ticks]:
        """Return the x and y ticks of the mark; an axis without these keeps its numeric ticks."""
        return (), ()

    def paint_ground(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        """Paint the background of the mark, below all other marks."""

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        """Paint the mark."""

    def item_pixels(self, axes: Axes) -> Doubles:
        """Return the pixel coordinates (n, 2) of the items, with NaN for items not shown."""
        return np.zeros((0, 2))

    def item_rect(self, axes: Axes, item: int) -> QRectF:
        """Return the frame around a selected item, which is empty if a ring marks the item."""
        return QRectF()

    def item_at(self, axes: Axes, at: QPointF) -> tuple[float, int] | None:
        """Return the distance and index of the nearest visible item, or None if none is near."""
        pixels = self.item_pixels(axes)
        visible = np.flatnonzero(axes.contains(pixels))
        distances = np.hypot(*(pixels[visible] - (at.x(), at.y())).T)
        if distances.min(initial=np.inf) >= self.reach:
            return None
        return float(distances.min()), int(visible[distances.argmin()])

    def tooltip(self, axes: Axes, item: int) -> str:
        """Return the tooltip text of an item."""
        return ""

    def clickable(self, item: int) -> bool:
        """Return whether clicking an item has an effect."""
        return self.selectable

    def summary(self, axes: Axes) -> str:
        """Return a sentence about the mark for screen readers, or "" if nothing is drawn."""
        return ""


@dataclass(eq=False)
class Line(PlotMark):
    """Curve through n points with an optional 95 % interval; a ``faint`` curve is for comparison.

    The area below a ``filled`` curve is shaded only if no other mark in the plot has a name.
    """

    name: str = field()  # no default, although the base class has one
    x: Doubles = field()
    y: Doubles = field()
    low: Doubles | None = None
    high: Doubles | None = None
    faint: bool = False
    filled: bool = False
    dotted: bool = False
    stroke: Stroke = field(default_factory=lambda: Stroke(QColor()))

    def __post_init__(self) -> None:
        self.selectable = not self.faint and bool(self.x.size)

    def set_colours(self, look: Tokens, number: int) -> None:
        self.stroke = faint_stroke(look) if self.faint else series_stroke(look, number, self.dotted)

    def legend_entries(self) -> tuple[LegendEntry, ...]:
        return () if self.faint else ((self.name, self.stroke),)

    def x_extent(self, x: Axis) -> Doubles:
        return x.transform(self.x)

    def y_extent(self, axes: Axes) -> Doubles:
        x = axes.x.transform(self.x)
        within = (x >= axes.x.lo) & (x <= axes.x.hi)
        curves = [ys[within] for ys in (self.y, self.low, self.high) if ys is not None]
        return axes.y.transform(np.concatenate(curves))

    def paint_ground(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        areas = []
        if self.filled and self.alone and not self.faint:
            areas += [(_FILL, area) for area in self.band_polygons(axes, None, self.y)]
        if self.low is not None and self.high is not None:
            areas += [(_BAND, area) for area in self.band_polygons(axes, self.low, self.high)]
        painter.setPen(Qt.PenStyle.NoPen)
        soft = QColor(self.stroke.colour)
        for opacity, area in areas:
            soft.setAlphaF(opacity)
            painter.setBrush(soft)
            painter.drawPolygon(area)

    def band_polygons(self, axes: Axes, low: Doubles | None, high: Doubles) -> list[QPolygonF]:
        """Return the area between two curves or below one curve, as a polygon per unbroken part."""
        top = axes.pixels(self.x, high)
        foot = np.column_stack([top[:, 0], np.full(len(top), axes.plot.bottom())])
        bottom = foot if low is None else axes.pixels(self.x, low)
        parts = _split_at_gaps(np.column_stack([top, bottom]))
        return [_polygon(np.concatenate([top[part], bottom[part][::-1]])) for part in parts]

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        painter.save()
        painter.setClipRect(axes.plot.adjusted(-1.5, -1.5, 1.5, 1.5))
        for run in self.line_polygons(axes):
            self.stroke.paint(painter, run)
        painter.restore()
        pixels = axes.pixels(self.x, self.y)
        for part in _split_at_gaps(pixels):
            if self.dotted or part.size == 1:  # a single point is not a line, but must be visible
                widths = np.hypot(*np.diff(pixels[part], axis=0).T)
                width = max(float(np.median(widths)) if widths.size else 0.0, 1e-9)
                dots = pixels[part][:: max(1, int(np.ceil(_APART / width)))]
                for pixel in dots[axes.contains(dots)].tolist():
                    self.stroke.paint_dot(painter, QPointF(*pixel))

    def line_polygons(self, axes: Axes) -> list[QPolygonF]:
        """Return the unbroken parts of the curve as polygons in pixels."""
        pixels = axes.pixels(self.x, self.y)
        return [_polygon(pixels[part]) for part in _split_at_gaps(pixels) if part.size > 1]

    def item_pixels(self, axes: Axes) -> Doubles:
        return np.zeros((0, 2)) if self.faint else axes.pixels(self.x, self.y)

    def tooltip(self, axes: Axes, item: int) -> str:
        x, y = axes.x.format_value(float(self.x[item])), axes.y.format_value(float(self.y[item]))
        if self.low is not None and self.high is not None:
            low, high = (axes.y.format_value(float(ys[item])) for ys in (self.low, self.high))
            y += f" ({low} to {high})"
        return f"{axes.x.title}: {x}\n{axes.y.title}: {y}"

    def value_near(self, x: float) -> float:
        """Return the y value of the point nearest to ``x``, or NaN if there are no points."""
        return (
            float(self.y[np.nanargmin(np.abs(self.x - x))]) if np.isfinite(self.x).any() else np.nan
        )

    def summary(self, axes: Axes) -> str:
        finite = np.flatnonzero(np.isfinite(self.x) & np.isfinite(self.y))
        if not self.selectable or not finite.size:
            return "no values." if self.selectable else ""
        first, last = (
            f"{axes.y.format_value(float(self.y[at]))} at {axes.x.format_value(float(self.x[at]))}"
            for at in (finite[0], finite[-1])
        )
        return f"from {first} to {last}."


def _split_at_gaps(pixels: Doubles) -> list[Numbers]:
    """Split rows (n, d) at NaN; for each part, return the indices of points that look distinct."""
    finite = np.flatnonzero(np.isfinite(pixels).all(axis=1))
    parts = []
    for part in np.split(finite, np.flatnonzero(np.diff(finite) > 1) + 1) if finite.size else []:
        keep = cell_changes(pixels[part], _FINEST)
        keep[-1] = True
        parts.append(part[keep])
    return parts


def cell_changes(pixels: Doubles, step: float) -> Flags:
    """Return which rows (n, d) are in a different grid cell from the previous row."""
    return np.append(True, (np.diff(pixels // step, axis=0) != 0).any(axis=1))


def _polygon(pixels: Doubles) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in pixels.tolist()])


class HistogramMark(Line):
    """Histogram of b bins with ``edges`` (b + 1,), drawn as filled steps above zero."""

    def __init__(self, name: str, edges: Doubles, heights: Doubles) -> None:
        steps = np.pad(np.repeat(heights.astype(float), 2), 1)
        super().__init__(name, np.repeat(edges, 2), steps)
        self.edges, self.heights, self.selectable = edges, heights, False

    def set_colours(self, look: Tokens, number: int) -> None:
        super().set_colours(look, number)
        self.filled, self.alone = True, True  # overlapping histograms stay readable

    def item_at(self, axes: Axes, at: QPointF) -> tuple[float, int] | None:
        across = float(axes.value_at(at)[0])
        if not axes.plot.contains(at) or not self.edges[0] <= across <= self.edges[-1]:
            return None
        number = int(np.searchsorted(self.edges, across, "right")) - 1
        return 0.0, min(number, len(self.heights) - 1)

    def tooltip(self, axes: Axes, item: int) -> str:
        low, high = (axes.x.format_value(float(end)) for end in self.edges[item : item + 2])
        return f"{low} to {high}: {axes.y.format_value(float(self.heights[item]))}"

    def summary(self, axes: Axes) -> str:
        return f"highest at {self.tooltip(axes, int(np.argmax(self.heights)))}."


def histogram_marks(spread: Histogram, mated: str, others: str) -> list[HistogramMark]:
    """Return histograms with these names, mated pairs in front; a name "" omits its histogram."""
    pairs = ((mated, spread.mated), (others, spread.non_mated))
    return [HistogramMark(name, spread.edges, shares) for name, shares in pairs if name]


@dataclass(eq=False)
class ReferenceLine(PlotMark):
    """Vertical line at a value, or a horizontal one if ``across``.

    The line is dashed, with its label above the plot; a ``solid`` line has its label beside it. A
    ``movable`` line moves to a whole number when the user presses in the plot or uses the keys.
    """

    value: float
    label: str = ""
    _: KW_ONLY
    across: bool = False
    solid: bool = False
    movable: bool = False
    focused: bool = False

    overlay = True

    def axis(self, axes: Axes) -> Axis:
        """Return the axis along which the value of the line is measured."""
        return axes.y if self.across else axes.x

    def is_seen(self, axes: Axes) -> bool:
        """Return whether the line is within the visible range."""
        axis = self.axis(axes)
        return axis.lo <= float(axis.transform(np.array(self.value))) <= axis.hi

    def ends(self, axes: Axes) -> tuple[QPointF, QPointF]:
        """Return both ends of the line in pixels: bottom and top, or right and left."""
        plot, at = axes.plot, float(self.axis(axes).transform(np.array(self.value)))
        if self.across:
            y = axes.py(at)
            return QPointF(plot.right(), y), QPointF(plot.left(), y)
        x = axes.px(at)
        return QPointF(x, plot.bottom()), QPointF(x, plot.top())

    def label_rect(self, axes: Axes) -> QRectF:
        """Return the rectangle of the label above the plot, which is empty if there is no label."""
        if self.solid or not self.label or not self.is_seen(axes):
            return QRectF()
        box = pill_rect(self.label)
        # The highest tick label reaches half a line above the plot.
        box.moveCenter(QPointF(self.ends(axes)[0].x(), 0))
        box.moveBottom(axes.plot.top() - box.height() / 2 + 3)
        return clamped(box, axes.size.adjusted(1, -box.height(), -1, 0))

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        if not self.is_seen(axes):
            return
        foot, end = (point.toPoint().toPointF() for point in self.ends(axes))
        accent, box = QColor(look.accent), self.label_rect(axes)
        if self.solid:
            painter.setPen(QPen(QColor(look.text), 2))
            painter.drawLine(end, foot)
            if self.label:
                box = pill_rect(self.label)
                box.moveTopLeft(end + QPointF(2, 0))
                if box.right() > axes.plot.right():
                    box.moveRight(end.x() - 2)
                paint_pill(painter, box, self.label, look.surface, look.text)
            return
        if not box.isEmpty():
            end = QPointF(foot.x(), box.bottom())
            paint_pill(painter, box, self.label, accent, look.on_accent)
        painter.setPen(QPen(accent, 1.6, Qt.PenStyle.DashLine))
        painter.drawLine(end, foot)
        painter.setBrush(QColor(look.surface))
        if self.focused:
            painter.setPen(QPen(accent, 2))
            painter.drawEllipse(foot, 9, 9)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(foot, 5, 5)

    def is_gripped(self, axes: Axes, at: QPointF) -> bool:
        """Return whether pressing the mouse button at a pixel moves the line."""
        return self.movable and axes.plot.adjusted(-_REACH, -40, _REACH, _REACH).contains(at)

    def move_to(self, axes: Axes, value: float) -> bool:
        """Move the line to a whole number in the visible range; return whether it moved."""
        before, axis = self.value, self.axis(axes)
        self.value = round(min(max(value, axis.lo), axis.hi))
        return self.value != before

    def summary(self, axes: Axes) -> str:
        if self.solid and self.label:
            return f"marked: {self.label}."
        axis = self.axis(axes)
        place = self.label or f"{axis.title}: {axis.format_value(self.value)}"
        return f"the line is at {place}." if self.is_seen(axes) else ""


def curve_over_k(title: str, shares: Doubles) -> tuple[list[PlotMark], Axis, Axis]:
    """Return the marks and axes for a curve over k = 0…n components, with a line to choose k."""
    k = np.arange(float(len(shares)))
    marks = [Line(title, k, shares, filled=True), ReferenceLine(0, movable=True)]
    top = max(1.0, float(shares.max()))
    x = Axis("number of components k", span=(0.0, float(k[-1])))
    return marks, x, Axis(title, percent=True, span=(0.0, top))


@dataclass(eq=False)
class Bars(PlotMark):
    """Bars that start at zero, for one series or for two series side by side.

    Items with ``labels`` can be selected; without labels, items are numbered from 1. The
    ``outliers`` have a different colour and a warning sign.
    """

    series: dict[str, Doubles]
    labels: tuple[str, ...] = ()
    outliers: frozenset[int] = frozenset()
    colours: tuple[QColor, ...] = ()

    def __post_init__(self) -> None:
        self.selectable = bool(self.labels)
        self._length = max((values.size for values in self.series.values()), default=0)
        self._first = 0 if self.labels else 1

    def set_colours(self, look: Tokens, number: int) -> None:
        self.colours = QColor(look.accent), QColor(look.people[1])

    def legend_entries(self) -> tuple[LegendEntry, ...]:
        dots = (Dot("square", colour, colour, 4.0) for colour in self.colours)
        return tuple(zip(self.series, dots, strict=False))

    def x_extent(self, x: Axis) -> Doubles:
        return np.array([self._first - 0.6, self._first + max(1, self._length) - 0.4])

    def y_extent(self, axes: Axes) -> Doubles:
        values = np.concatenate([*self.series.values(), np.zeros(1)])
        values = values[np.isfinite(values)]
        low, high = values.min(), values.max() * (_SIGN_ROOM if self.outliers else 1.0)
        room = 0.08 * (high - low) if low < 0 else 0.0
        return np.array([low - room, high + room * (high > 0)])

    def ticks(self, axes: Axes) -> tuple[Ticks, Ticks]:
        if not self.labels:
            return axes.x.ticks_across(axes.plot.width(), np.arange(1.0, self._length + 1)), ()
        most = max(1, int(axes.plot.width() / (widest([*self.labels]) + 10)))
        return category_ticks(self.labels, most), ()

    def bar_rects(self, axes: Axes, item: int) -> list[QRectF]:
        """Return the bars of an item, one per series, as rectangles high enough to be visible."""
        pair = len(self.series) > 1
        offsets, width = ((-0.21, 0.21), 0.38) if pair else ((0.0,), 0.6 if self.labels else 0.72)
        boxes, base = [], axes.py(0.0)
        for offset, values in zip(offsets, self.series.values(), strict=False):
            middle, up = self._first + item + offset, float(values[item])
            left, right = axes.px(middle - width / 2), axes.px(middle + width / 2)
            end = axes.py(up) if np.isfinite(up) else base
            end = max(end, base + _LEAST) if values[item] < 0 else min(end, base - _LEAST)
            boxes.append(QRectF(left, min(end, base), right - left, abs(end - base)))
        return boxes

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        painter.setPen(QPen(QColor(look.tertiary), 1))
        if axes.y.lo < 0:
            zero = axes.py(0.0)
            painter.drawLine(QPointF(axes.plot.left(), zero), QPointF(axes.plot.right(), zero))
        painter.setPen(Qt.PenStyle.NoPen)
        for item in range(self._length):
            boxes = self.bar_rects(axes, item)
            for box, colour, values in zip(boxes, self.colours, self.series.values(), strict=False):
                painter.setBrush(QColor(look.warn) if item in self.outliers else colour)
                if np.isfinite(values[item]):
                    corner = min(_ROUND, box.height())
                    foot = (0, 0, 0, -corner) if values[item] < 0 else (0, corner, 0, 0)
                    painter.drawRoundedRect(box, _ROUND, corner)
                    painter.drawRect(box.adjusted(*foot))
            if item in self.outliers:
                painter.drawPath(_SIGN.translated(boxes[0].center().x(), boxes[0].top()))

    def item_pixels(self, axes: Axes) -> Doubles:
        items = np.arange(float(len(self.labels)))
        return np.stack([axes.px(items), np.full(len(items), axes.plot.center().y())], axis=1)

    def item_rect(self, axes: Axes, item: int) -> QRectF:
        places = self.bar_rects(axes, item)
        return places[0].united(places[-1]).adjusted(-3, -3, 3, 0)

    def item_at(self, axes: Axes, at: QPointF) -> tuple[float, int] | None:
        item = round(float(axes.value_at(at)[0]))
        inside = axes.plot.contains(at) and 0 <= item < len(self.labels)
        return (0.0, item) if inside else None

    def tooltip(self, axes: Axes, item: int) -> str:
        values = {name: f"{float(values[item]):,.4g}" for name, values in self.series.items()}
        if len(values) == 1:
            note = " — stands out" if item in self.outliers else ""
            return f"{axes.x.title} {self.labels[item]}: {next(iter(values.values()))}{note}"
        lines = [f"{name}: {value}" for name, value in values.items()]
        return "\n".join([f"{axes.x.title}: {self.labels[item]}", *lines])

    def summary(self, axes: Axes) -> str:
        if not self._length:
            return ""
        labels = self.labels or tuple(str(at + 1) for at in range(self._length))
        if len(self.series) > 1:
            return " ".join(
                f"{name}: highest at {labels[int(np.argmax(values))]}, {float(values.max()):,.4g}."
                for name, values in self.series.items()
            )
        (values,) = self.series.values()
        items = (f"{at}: {float(value):,.4g}" for at, value in zip(labels, values, strict=True))
        apart = ", ".join(labels[item] for item in sorted(self.outliers))
        return f"{', '.join(items)}." + (f" Standing out: {apart}." if apart else "")


def _warning_sign() -> QPainterPath:
    """Return a small triangle with an exclamation mark, above the origin."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(0, -16), QPointF(7, -4), QPointF(-7, -4)]))
    path.addRect(QRectF(-0.8, -12, 1.6, 4))
    path.addRect(QRectF(-0.8, -7, 1.6, 1.6))
    return path


_SIGN = _warning_sign()


@dataclass(eq=False)
class Points(PlotMark):
    """Points (n, 2) of one class, with optional labels; a ``tone`` makes them large diamonds."""

    name: str = field()
    positions: Doubles = field()
    tone: Tone | None = None
    labels: Sequence[str] = ()
    dot: Dot | None = None

    reach = 9.0

    def __post_init__(self) -> None:
        self.overlay = self.tone is not None

    def set_colours(self, look: Tokens, number: int) -> None:
        self.dot = series_dot(look, number)
        if self.tone is not None:
            ink = QColor(look.tone(self.tone)[0])
            self.dot = Dot("diamond", ink, QColor(look.surface), 7.0)

    def legend_entries(self) -> tuple[LegendEntry, ...]:
        return () if self.dot is None or not self.name else ((self.name, self.dot),)

    def x_extent(self, x: Axis) -> Doubles:
        return x.transform(self.positions[:, 0])

    def y_extent(self, axes: Axes) -> Doubles:
        return axes.y.transform(self.positions[:, 1])

    def item_pixels(self, axes: Axes) -> Doubles:
        return axes.pixels(self.positions[:, 0], self.positions[:, 1])

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        assert self.dot is not None
        pixels = self.item_pixels(axes)
        painter.save()
        painter.setClipRect(axes.plot.adjusted(-4, -4, 4, 4))
        self.dot.paint_many(painter, pixels[np.isfinite(pixels).all(axis=1)])
        painter.restore()
        labels, (ink, ground) = LabelPlacer(axes.plot), look.tone(self.tone or "neutral")
        for pixel, words in zip(pixels.tolist(), self.labels, strict=False):
            labels.draw(painter, QPointF(*pixel), 12, words, (ground, ink, ink))

    def tooltip(self, axes: Axes, item: int) -> str:
        x, y = self.positions[item].tolist()
        return f"{axes.x.title}: {axes.x.format_value(x)}\n{axes.y.title}: {axes.y.format_value(y)}"

    def summary(self, axes: Axes) -> str:
        if not self.labels:
            return f"{count(len(self.positions), 'point')}."
        tips = (self.tooltip(axes, item).replace("\n", ", ") for item in range(len(self.positions)))
        return " ".join(f"{name}: {tip}." for name, tip in zip(self.labels, tips, strict=True))


@dataclass(eq=False)
class ShadedRegion(PlotMark):
    """Rectangle in the soft colour of a tone; a side that is None lies at the edge of the plot.

    The label is in the corner where the rectangle reaches the edges of the plot.
    """

    low: float | None
    high: float | None
    bottom: float | None = None
    top: float | None = None
    tone: Tone = "ok"
    label: str = ""

    def rect(self, axes: Axes) -> QRectF:
        """Return the rectangle of the region in pixels."""
        plot = axes.plot
        left = plot.left() if self.low is None else axes.px(self.low)
        right = plot.right() if self.high is None else axes.px(self.high)
        up = plot.top() if self.top is None else axes.py(self.top)
        down = plot.bottom() if self.bottom is None else axes.py(self.bottom)
        return QRectF(QPointF(left, up), QPointF(right, down))

    def paint_ground(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        painter.setOpacity(0.7)
        painter.fillRect(self.rect(axes), QColor(look.tone(self.tone)[1]))
        painter.setOpacity(1.0)

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        corner = self.rect(axes).adjusted(_CORNER, _CORNER, -_CORNER, -_CORNER)
        box = pill_rect(self.label)
        if self.label and corner.width() >= box.width() and corner.height() >= box.height():
            box.moveTo(corner.topLeft())
            if self.high is None:
                box.moveRight(corner.right())
            if self.bottom is None:
                box.moveBottom(corner.bottom())
            ink, soft = look.tone(self.tone)
            paint_pill(painter, box, self.label, soft, ink)


def cell_colour(look: Tokens, share: float, cell: float) -> str:
    """Return the colour of a cell with a share above 0, which is stronger for larger shares."""
    faintest, middle = _FAINTEST if cell >= _SPLIT else _FAINTEST_TINY, 0.72
    deepest = mix(look.accent, look.text, 0.35 if look.dark else 0.5)
    depth = faintest + (1 - faintest) * share
    if depth <= middle:
        return mix(look.surface, look.accent, depth / middle)
    return mix(look.accent, deepest, (depth - middle) / (1 - middle))


@dataclass(eq=False)
class Heatmap(PlotMark):
    """Heatmap of a square matrix (p, p) of shares from 0 to 1, with the first row at the top.

    ``texts`` (p, p) are written in the cells if there is room, except where a share is 0.
    """

    shares: Doubles
    names: Sequence[str]
    texts: NDArray[np.str_]
    bar_title: str = ""
    has_bar: bool = False  # whether there is room for a colour bar at the right

    selectable = True

    def __post_init__(self) -> None:
        self.columns = len(self.names)
        self.y_span = max(1, self.columns) - 0.5, -0.5

    def x_extent(self, x: Axis) -> Doubles:
        return np.array([-0.5, max(1, self.columns) - 0.5])

    def fit_plot_rect(self, room: QRectF) -> QRectF:
        """Return a centred square, with space for the colour bar beside it if there is room."""
        side = min(room.width(), room.height())
        spare = room.width() - side
        self.has_bar = bool(self.names) and spare >= _BAR_ROOM
        left = room.left() + (spare - _BAR_ROOM * self.has_bar) / 2
        return QRectF(round(left), round(room.top() + (room.height() - side) / 2), side, side)

    def cell_size(self, axes: Axes) -> float:
        """Return the width of a cell in pixels."""
        return axes.plot.width() / max(1, self.columns)

    def ticks(self, axes: Axes) -> tuple[Ticks, Ticks]:
        """Return ticks on both axes: names where they fit, or else evenly spaced numbers."""
        metrics, cut = QFontMetricsF(font(SMALL_FONT)), Qt.TextElideMode.ElideRight
        numbers = tuple(str(number + 1) for number in range(self.columns))
        apart = max(metrics.height() + 4, widest(["00"]) + 8)
        across = category_ticks(numbers, max(1, int(axes.plot.width() / apart)))
        if named := widest(list(self.names)) + 8 <= self.cell_size(axes):
            across = category_ticks(self.names, self.columns)
        if self.cell_size(axes) < metrics.height() + 2:
            return across, across
        up = [f"{'' if named else f'{at} '}{name}" for at, name in enumerate(self.names, 1)]
        room = 0.3 * axes.size.width()
        return across, category_ticks([metrics.elidedText(t, cut, room) for t in up], self.columns)

    def cell_rect(self, axes: Axes, item: int) -> QRectF:
        """Return the rectangle of a cell in pixels."""
        size, (row, column) = self.cell_size(axes), divmod(item, self.columns)
        corner = axes.plot.topLeft() + QPointF(column, row) * size
        return QRectF(corner, QSizeF(size, size))

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        plot, size = axes.plot, self.cell_size(axes)
        levels = np.ceil(self.shares * _LEVELS - 1e-9).astype(np.intp)
        table = [cell_colour(look, level / _LEVELS, size) for level in range(_LEVELS + 1)]
        table[0] = look.surface
        rgb: Bytes = np.array(
            [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in table], np.uint8
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(plot, rgb_image(rgb[levels]))
        painter.setPen(QPen(QColor(look.surface), 1))
        for at in range(1, self.columns) if size >= _SPLIT else ():
            x, y = round(plot.left() + at * size) - 0.5, round(plot.top() + at * size) - 0.5
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.border), 1))
        painter.drawRect(plot.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.setFont(font(SMALL_FONT))
        for item in np.flatnonzero(levels).tolist() if size >= _WRITTEN else ():
            ground = table[levels.ravel()[item]]
            dark = contrast(look.text, ground) > contrast(look.surface, ground)
            painter.setPen(QColor(look.text if dark else look.surface))
            painter.drawText(self.cell_rect(axes, item), _MIDDLE, str(self.texts.ravel()[item]))
        if self.has_bar:
            self._paint_bar(painter, plot, [QColor(colour) for colour in table[::3]], look)

    def _paint_bar(
        self, painter: QPainter, plot: QRectF, colours: list[QColor], look: Tokens
    ) -> None:
        metrics, cut = QFontMetricsF(font(SMALL_FONT)), Qt.TextElideMode.ElideRight
        line, bar = metrics.height(), QRectF(plot.right() + 16, plot.top(), 9, plot.height())
        paint_colour_bar(painter, bar, colours)
        painter.setPen(QColor(look.secondary))
        for end, text in ((bar.top(), "100%"), (bar.center().y(), "50%"), (bar.bottom(), "0%")):
            box = QRectF(bar.right() + GAP - 1, end - line / 2, _BAR_ROOM, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        title = metrics.elidedText(self.bar_title, cut, plot.height() + line)
        box = QRectF(plot.right() + _BAR_ROOM - line, plot.top(), line, plot.height())
        paint_upwards(painter, box.adjusted(0, -line / 2, 0, line / 2), title)

    def item_pixels(self, axes: Axes) -> Doubles:
        rows, columns = np.divmod(np.arange(self.columns**2), max(1, self.columns))
        return axes.pixels(columns.astype(float), rows.astype(float))

    def item_rect(self, axes: Axes, item: int) -> QRectF:
        return self.cell_rect(axes, item).adjusted(-1.5, -1.5, 0.5, 0.5)

    def item_at(self, axes: Axes, at: QPointF) -> tuple[float, int] | None:
        if not self.names or not axes.plot.contains(at):
            return None
        column, row = np.rint(axes.value_at(at)).clip(0, self.columns - 1).astype(int).tolist()
        return 0.0, row * self.columns + column

    def tooltip(self, axes: Axes, item: int) -> str:
        row, column = divmod(item, self.columns)
        return f"{self.names[row]}, {self.names[column]}: {self.texts[row, column]}"

    def clickable(self, item: int) -> bool:
        return bool(self.shares.ravel()[item])

    def summary(self, axes: Axes) -> str:
        return f"{self.columns} × {self.columns} cells."
