"""Axes of a plot: ranges, ticks, conversion between values and pixels, and painting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.text import with_minus
from ..style.painting import clamped
from ..style.theme import SMALL_FONT, Tokens, font

Ticks = tuple[tuple[float, str], ...]
Range = tuple[float, float]
Position = TypeVar("Position", float, Doubles)

EDGE = 12.0  # px to the right of the plot
GAP = 6.0  # px between an axis, its tick labels and its title
_MOST_WHOLE = 12  # up to this many whole numbers, each gets a tick
_ROOM = 0.06  # margin beyond the outermost value, as a share of the range
_LEAST_SHARE, _LEAST_POWER = 0.05, 0.3  # smallest range of shares, and of exponents


@dataclass
class Axis:
    """Axis of a plot, with its title, scale, visible range and ticks.

    Positions (``lo``, ``hi`` and the ticks) are data values. On a logarithmic axis they are base-10
    logarithms, and zero and negative values are left out. ``span`` is the range to show, or None
    for the range that the marks need. ``scaling`` is shown in brackets after the title. A vertical
    axis always has grid lines, and a horizontal axis has them if ``grid`` is set.
    """

    title: str = ""
    scaling: str = ""
    _: KW_ONLY
    log: bool = False
    percent: bool = False
    span: Range | None = None
    grid: bool = False
    lo: float = 0.0
    hi: float = 1.0
    ticks: Ticks = ()

    @property
    def label(self) -> str:
        """The title of the axis, followed by any scaling in brackets."""
        return f"{self.title} ({self.scaling})" if self.scaling else self.title

    @property
    def texts(self) -> list[str]:
        """The tick labels."""
        return [text for _, text in self.ticks]

    def transform(self, values: Doubles) -> Doubles:
        """Return the axis positions of values, with NaN for values that cannot be shown."""
        with np.errstate(divide="ignore", invalid="ignore"):
            positions = np.log10(values) if self.log else values
        return np.where(np.isfinite(positions), positions, np.nan)

    def format_value(self, value: float) -> str:
        """Return a value as text, such as "97.5 %", "0.013 %" or "120"."""
        if not np.isfinite(value):
            return "no value"
        if not self.percent:
            return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
        share = 100 * value
        return f"{share:.1f} %" if share == 0 or abs(share) >= 1 else f"{share:.2g} %"

    def fit(self, positions: Doubles, *, exact: bool) -> None:
        """Set the visible range to the span or, if it is None, to the range of these positions.

        Unless ``exact``, add a margin that keeps shares within 0–100 % and positive values above 0.
        """
        if self.span is not None:
            self.lo, self.hi = self.transform(np.array(self.span)).tolist()
            if self.lo < self.hi:
                return
        positions = positions[np.isfinite(positions)]
        if not positions.size:
            self.lo, self.hi = (-3.0, 0.0) if self.log and not exact else (0.0, 1.0)
            return
        lo, hi = float(positions.min()), float(positions.max())
        if exact:
            half = 0.0 if hi > lo else _LEAST_POWER / 2 if self.log else 0.5
            self.lo, self.hi = lo - half, hi + half
            return
        shares = self.percent and not self.log and lo >= 0 and hi <= 1
        least = _LEAST_POWER if self.log else max(abs(hi), abs(lo)) * 0.1 or 1.0
        room = max(_ROOM * (hi - lo), ((_LEAST_SHARE if shares else least) - (hi - lo)) / 2)
        self.lo, self.hi = lo - room, hi + room
        if shares:
            self.lo = 0.0 if lo <= 0.5 else self.lo
            self.hi = 1.0 if hi + (hi - lo) / 2 + room > 1 else self.hi
        elif not self.log:
            self.lo = self.lo if lo < 0 else max(self.lo, 0.0)
        elif self.percent and hi <= 0:
            self.hi = min(self.hi, 0.0)

    def ticks_across(self, width: float, positions: Doubles) -> Ticks:
        """Return ticks that fit a width in pixels; a short range has one at each whole number."""
        finite = positions[np.isfinite(positions)]
        whole = self.log or bool((np.round(finite) == finite).all())
        if self.percent:
            most, apart = (7 if self.log else 4), widest(["0.01%"]) + 24
        else:
            few = self.log or (whole and self.hi - self.lo <= _MOST_WHOLE)
            most, apart = _MOST_WHOLE if few else 6, widest(["000"]) + 14
        return self.ticks_for(max(1, min(most, int(width / apart))), whole=whole)

    def ticks_for(self, most: int, *, whole: bool = False) -> Ticks:
        """Return ticks with at most ``most`` intervals; ``whole`` adds one at the first number."""
        if self.log:
            return log_ticks(self.lo, self.hi, most, percent=self.percent, whole=whole)
        ticks = linear_ticks(self.lo, self.hi, most, percent=self.percent, whole=whole)
        first = whole and not self.percent and len(ticks) > 1 and self.lo == round(self.lo)
        if first and ticks[0][0] - self.lo > (ticks[1][0] - ticks[0][0]) / 2:
            return ((self.lo, f"{self.lo:.0f}"), *ticks)
        return ticks


@dataclass
class Axes:
    """Geometry of a plot in its widget: the widget size, the plot rectangle and both axes."""

    x: Axis
    y: Axis
    size: QRectF = field(default_factory=QRectF)
    plot: QRectF = field(default_factory=QRectF)

    def place(self, top: float) -> None:
        """Set the plot rectangle below ``top``, leaving room for the titles and tick labels."""
        line = line_height()
        left = (line + GAP if self.y.title else 2.0) + widest(self.y.texts) + GAP
        right = max(left + 1.0, self.size.width() - EDGE)
        bottom = self.size.height() - (line + GAP + 1) - (line + GAP if self.x.title else 0.0)
        self.plot = QRectF(QPointF(left, top), QPointF(right, max(top + 1.0, bottom)))

    def px(self, position: Position) -> Position:
        """Return the x pixel coordinates of one or more positions on the horizontal axis."""
        span = (self.x.hi - self.x.lo) or 1.0
        return self.plot.left() + (position - self.x.lo) / span * self.plot.width()

    def py(self, position: Position) -> Position:
        """Return the y pixel coordinates of one or more positions on the vertical axis."""
        span = (self.y.hi - self.y.lo) or 1.0
        return self.plot.bottom() - (position - self.y.lo) / span * self.plot.height()

    def pixels(self, x: Doubles, y: Doubles) -> Doubles:
        """Return the pixel coordinates (n, 2) of data points, or NaN if they cannot be shown."""
        return np.stack([self.px(self.x.transform(x)), self.py(self.y.transform(y))], axis=1)

    def value_at(self, pixel: QPointF) -> Doubles:
        """Return the horizontal and vertical axis positions (2,) at a pixel."""
        plot, x, y = self.plot, self.x, self.y
        across = (pixel.x() - plot.left()) / (plot.width() or 1.0)
        up = (plot.bottom() - pixel.y()) / (plot.height() or 1.0)
        return np.array([x.lo + across * (x.hi - x.lo), y.lo + up * (y.hi - y.lo)])

    def contains(self, pixels: Doubles) -> Flags:
        """Return which pixels (n, 2) are inside the plot rectangle; NaN counts as outside."""
        plot = self.plot.adjusted(-1, -1, 1, 1)
        low, high = (plot.left(), plot.top()), (plot.right(), plot.bottom())
        within: Flags = (pixels >= low) & (pixels <= high)
        return within[:, 0] & within[:, 1]


def line_height() -> float:
    """Return the height of a line of axis text in pixels."""
    return QFontMetricsF(font(SMALL_FONT)).height()


def widest(texts: list[str]) -> float:
    """Return the width in pixels of the widest of these axis labels."""
    metrics = QFontMetricsF(font(SMALL_FONT))
    return max(map(metrics.horizontalAdvance, texts), default=0.0)


def paint_axes(painter: QPainter, axes: Axes, look: Tokens) -> None:
    """Paint the grid, baseline, tick labels and titles of both axes."""
    plot, size, x, y = axes.plot, axes.size, axes.x, axes.y
    columns = [axes.px(position) for position, _ in x.ticks]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # hairlines stay sharp
    painter.setPen(QPen(QColor(look.border), 1))
    for height in (*(axes.py(position) for position, _ in y.ticks), plot.bottom()):
        painter.drawLine(QPointF(plot.left(), height), QPointF(plot.right(), height))
    for column in columns if x.grid or (x.log and y.log) else ():
        painter.drawLine(QPointF(column, plot.top()), QPointF(column, plot.bottom()))
    painter.setPen(QPen(QColor(look.tertiary), 1))
    for column in columns:
        painter.drawLine(QPointF(column, plot.bottom()), QPointF(column, plot.bottom() + 3))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setFont(font(SMALL_FONT))
    painter.setPen(QColor(look.secondary))
    metrics, side = QFontMetricsF(painter.font()), Qt.AlignmentFlag
    line, cut = metrics.height(), Qt.TextElideMode.ElideRight
    for column, text in zip(columns, x.texts, strict=True):
        box = QRectF(0, plot.bottom() + GAP, metrics.horizontalAdvance(text) + 2, line)
        box.moveLeft(min(column, size.right() - box.width() / 2) - box.width() / 2)
        painter.drawText(box, side.AlignHCenter, text)
    for position, text in y.ticks:
        box = QRectF(0, axes.py(position) - line, plot.left() - GAP, 2 * line)
        painter.drawText(box, side.AlignRight | side.AlignVCenter, text)
    title = metrics.elidedText(x.label, cut, size.width() - 2)
    box = QRectF(0, plot.bottom() + line + 2 * GAP, metrics.horizontalAdvance(title) + 2, line)
    box.moveLeft(plot.center().x() - box.width() / 2)
    painter.drawText(clamped(box, size), side.AlignCenter, title)
    title = metrics.elidedText(y.label, cut, size.height() - 2)
    left = max(0.0, plot.left() - widest(y.texts) - 2 * GAP - line)
    box = QRectF(left, 0, line, metrics.horizontalAdvance(title) + 2)
    box.moveTop(plot.center().y() - box.height() / 2)
    paint_upwards(painter, clamped(box, size), title)


def paint_upwards(painter: QPainter, box: QRectF, words: str) -> None:
    """Paint text in a rectangle, running from bottom to top."""
    painter.save()
    painter.translate(box.center())
    painter.rotate(-90)
    turned = QRectF(-box.height() / 2, -box.width() / 2, box.height(), box.width())
    painter.drawText(turned, Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def nice_step(span: float, most: int, whole: bool = False) -> float:
    """Return the smallest round step (1, 2, 2.5 or 5 × 10ⁿ) that gives at most `most` intervals."""
    if span <= 0:
        return 1.0
    raw = span / max(most, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    steps = [factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0)]
    large = (step for step in steps if step >= raw * (1 - 1e-9))
    return next((step for step in large if not whole or step == round(step)), max(1.0, steps[-1]))


def linear_ticks(
    lo: float, hi: float, most: int, *, percent: bool = False, whole: bool = False
) -> Ticks:
    """Return ticks at round values from `lo` to `hi`, with at most `most` intervals.

    Their labels look like "75%", "20k", "2000" or "0.25".
    """
    unit = 100.0 if percent else 1.0
    step = nice_step(unit * (hi - lo), most, hi - lo > 0.02 if percent else whole)
    first, last = math.ceil(unit * lo / step - 1e-9), math.floor(unit * hi / step + 1e-9)
    values = [number * step for number in range(first, last + 1)]
    if not percent and max(map(abs, values), default=0.0) >= 10_000:
        return tuple((value, short_number(value)) for value in values)
    scales = (step * 10**digits for digits in range(6))  # enough digits to tell values apart
    whole_at = (digits for digits, size in enumerate(scales) if abs(size - round(size)) < 1e-6)
    digits, end = next(whole_at, 6), "%" * percent
    return tuple((v / unit, with_minus(f"{v:.{digits}f}{end}")) for v in values)


def log_ticks(
    lo: float, hi: float, most: int, *, percent: bool = False, whole: bool = False
) -> Ticks:
    """Return ticks for a logarithmic axis, with exponents as positions and values as labels.

    The ticks are at 1, 2 and 5 times each power of ten, or fewer if not all fit. If a range within
    one decade contains fewer than two of these, the ticks are at evenly spaced round values.
    """
    decades = range(math.floor(lo), math.ceil(hi) + 1)
    for factors in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        exponents = [decade + math.log10(factor) for decade in decades for factor in factors]
        inside = [exponent for exponent in exponents if lo - 1e-9 <= exponent <= hi + 1e-9]
        if len(inside) <= most + 1:
            break
    if len(inside) < 2 and hi - lo < 1:
        even = linear_ticks(10.0**lo, 10.0**hi, most, percent=percent, whole=whole)
        return tuple((math.log10(value), text) for value, text in even if value > 0)
    thinned = inside[:: max(1, math.ceil(len(inside) / (most + 1)))]
    return tuple(
        (power, f"{10.0 ** (power + 2):.3g}%" if percent else short_number(10.0**power))
        for power in thinned
    )


def short_number(value: float) -> str:
    """Return a number in short form, for example "20k" for 20000."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit * (1 - 1e-9):
            return with_minus(f"{value / limit:.3g}{unit}")
    return with_minus(f"{value:.3g}")


def category_ticks(labels: Sequence[str], most: int) -> Ticks:
    """Return a tick for each label, or for only every second, fifth, … label if not all fit."""
    step = 1 if len(labels) <= most else int(nice_step(len(labels), most, whole=True))
    return tuple((float(at), labels[at]) for at in range(0, len(labels), step))
