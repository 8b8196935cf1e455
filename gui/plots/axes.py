"""An axis: its range, its ticks with their texts, the pixel of a value, and its painting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from eigenfaces.space.arrays import Doubles, Flags
from gui.style.theme import SMALL, Tokens, font

Scale = Literal["linear", "log"]
Ticks = tuple[tuple[float, str], ...]
Place = TypeVar("Place", float, Doubles)

GAP = 6.0  # px between an axis, its tick texts and its title
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_ROOM = 0.06  # of the range, beyond the outermost value
_LEAST_SHARE, _LEAST_POWER = 0.05, 0.3  # of a range that is one value only


@dataclass
class Axis:
    """One axis: what it measures and how it is scaled, the range it shows, and its ticks.

    Positions are the values, or on a logarithmic axis their powers of ten.
    """

    title: str
    scaling: str = ""
    scale: Scale = "linear"
    percent: bool = False
    lo: float = 0.0
    hi: float = 1.0
    ticks: Ticks = ()
    grid: bool = False
    """Whether an axis across has lines over the plot, as one up always has."""

    @property
    def words(self) -> str:
        """What stands beside the axis."""
        return f"{self.title} ({self.scaling})" if self.scaling else self.title

    @property
    def texts(self) -> list[str]:
        """What stands at the ticks."""
        return [text for _, text in self.ticks]

    def at(self, values: Doubles) -> Doubles:
        """Return the positions of values; NaN where a logarithmic axis has none."""
        if self.scale == "linear":
            return np.where(np.isfinite(values), values, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.log10(values)
        return np.where(np.isfinite(at), at, np.nan)

    def read(self, value: float) -> str:
        """Return a value as text: "97.5 %", "0.013 %", "120"."""
        return read_out(value, self.percent)


@dataclass
class Frame:
    """The place of a plot in its widget: the size, the rectangle of the plot, and both axes."""

    x: Axis
    y: Axis
    size: QRectF = field(default_factory=QRectF)
    plot: QRectF = field(default_factory=QRectF)
    inset: float = 0.0
    """Left of this there is nothing: of a plot that does not take the whole width."""

    def px(self, value: Place) -> Place:
        """Return the pixel of one or many positions on the horizontal axis."""
        span = (self.x.hi - self.x.lo) or 1.0
        return self.plot.left() + (value - self.x.lo) / span * self.plot.width()

    def py(self, value: Place) -> Place:
        """Return the pixel of one or many positions on the vertical axis."""
        span = (self.y.hi - self.y.lo) or 1.0
        return self.plot.bottom() - (value - self.y.lo) / span * self.plot.height()

    def pixels(self, x: Doubles, y: Doubles) -> Doubles:
        """Return the pixels (n, 2) of values (n,) each, NaN where an axis has no place for them."""
        return np.stack([self.px(self.x.at(x)), self.py(self.y.at(y))], axis=1)

    def value_at(self, at: QPointF) -> Doubles:
        """Return the positions (2,) across and up at a pixel."""
        plot, x, y = self.plot, self.x, self.y
        across = (at.x() - plot.left()) / (plot.width() or 1.0)
        up = (plot.bottom() - at.y()) / (plot.height() or 1.0)
        return np.array([x.lo + across * (x.hi - x.lo), y.lo + up * (y.hi - y.lo)])

    def inside(self, pixels: Doubles) -> Flags:
        """Return which pixels (n, 2) lie on the plot."""
        plot = self.plot.adjusted(-1, -1, 1, 1)
        low, high = (plot.left(), plot.top()), (plot.right(), plot.bottom())
        within: Flags = (pixels >= low) & (pixels <= high)  # not what is NaN
        return within[:, 0] & within[:, 1]


def clamped(box: QRectF, room: QRectF) -> QRectF:
    """Return a rectangle moved into another; where it does not fit, it begins there."""
    left = max(min(box.left(), room.right() - box.width()), room.left())
    top = max(min(box.top(), room.bottom() - box.height()), room.top())
    return QRectF(left, top, box.width(), box.height())


def paint_axes(painter: QPainter, frame: Frame, look: Tokens) -> None:
    """Paint grid, base line, tick texts and titles."""
    _paint_grid(painter, frame, look)
    painter.setFont(font(SMALL))
    painter.setPen(QColor(look.secondary))
    plot, room = frame.plot, 200.0
    line = painter.fontMetrics().height()
    for value, text in frame.x.ticks:
        half = painter.fontMetrics().horizontalAdvance(text) / 2 + 1
        middle = min(frame.px(value), frame.size.right() - half)
        box = QRectF(middle - half, plot.bottom() + GAP, 2 * half, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)
    for value, text in frame.y.ticks:
        box = QRectF(plot.left() - room - GAP, frame.py(value) - line, room, 2 * line)
        painter.drawText(box, _RIGHT, text)
    _paint_titles(painter, frame, line)


def _paint_grid(painter: QPainter, frame: Frame, look: Tokens) -> None:
    plot = frame.plot
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # hairlines stay sharp
    painter.setPen(QPen(QColor(look.border), 1))
    heights = [frame.py(value) for value, _ in frame.y.ticks]
    for height in (*heights, plot.bottom()):
        painter.drawLine(QPointF(plot.left(), height), QPointF(plot.right(), height))
    places = [frame.px(value) for value, _ in frame.x.ticks]
    for at in places if frame.x.grid else ():
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
    painter.setPen(QPen(QColor(look.tertiary), 1))
    for at in places:
        painter.drawLine(QPointF(at, plot.bottom()), QPointF(at, plot.bottom() + 3))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _paint_titles(painter: QPainter, frame: Frame, line: float) -> None:
    plot, size = frame.plot, frame.size
    metrics, cut = QFontMetricsF(painter.font()), Qt.TextElideMode.ElideRight
    title = metrics.elidedText(frame.x.words, cut, size.width() - 2)
    below = QRectF(0, plot.bottom() + line + 2 * GAP, metrics.horizontalAdvance(title) + 2, line)
    below.moveCenter(QPointF(plot.center().x(), below.center().y()))
    painter.drawText(clamped(below, size), Qt.AlignmentFlag.AlignCenter, title)
    title = metrics.elidedText(frame.y.words, cut, size.height() - 2)
    beside = QRectF(frame.inset, 0, line, metrics.horizontalAdvance(title) + 2)
    beside.moveCenter(QPointF(beside.center().x(), plot.center().y()))
    paint_upwards(painter, clamped(beside, size), title)


def paint_upwards(painter: QPainter, box: QRectF, words: str) -> None:
    """Write words from below upwards."""
    painter.save()
    painter.translate(box.center())
    painter.rotate(-90)
    turned = QRectF(-box.height() / 2, -box.width() / 2, box.height(), box.width())
    painter.drawText(turned, Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def exact_range(at: Doubles, scale: Scale) -> tuple[float, float]:
    """Return the range from the first to the last position, with some room around a single one."""
    at = at[np.isfinite(at)]
    if not at.size:
        return 0.0, 1.0
    lo, hi = float(at.min()), float(at.max())
    half = 0.5 if scale == "linear" else _LEAST_POWER / 2
    return (lo, hi) if hi > lo else (lo - half, hi + half)


def fitted_range(at: Doubles, scale: Scale, percent: bool) -> tuple[float, float]:
    """Return a range with a little room around the positions; shares stay within 0 and 100 %."""
    at = at[np.isfinite(at)]
    if not at.size:
        return (0.0, 1.0) if scale == "linear" else (-3.0, 0.0)
    lo, hi = float(at.min()), float(at.max())
    if scale == "linear" and percent:
        return _share_range(lo, hi)
    least = _LEAST_POWER if scale == "log" else max(abs(hi), abs(lo)) * 0.1 or 1.0
    room = max(_ROOM * (hi - lo), (least - (hi - lo)) / 2)
    top = min(hi + room, 0.0) if percent and hi <= 0 else hi + room
    return lo - room if scale == "log" or lo < 0 else max(lo - room, 0.0), top


def _share_range(lo: float, hi: float) -> tuple[float, float]:
    if hi > 1 or lo < 0:  # not shares, but drawn all the same
        room = _ROOM * (hi - lo)
        return min(lo, 0.0) - room, hi + room
    span = max(hi - lo, _LEAST_SHARE)
    top = 1.0 if hi + span / 2 > 1 else hi + _ROOM * span
    if lo <= 0.5:
        return 0.0, top
    return max(0.0, min(lo - 2 * _ROOM * span, top - _LEAST_SHARE)), top


def ticks_of(lo: float, hi: float, most: int, *, scale: Scale, percent: bool, whole: bool) -> Ticks:
    """Return the ticks of an axis; an axis of whole numbers also names the first one."""
    if scale == "log":
        return log_ticks(lo, hi, most, percent=percent, whole=whole)
    ticks = linear_ticks(lo, hi, most, percent=percent, whole=whole)
    if whole and not percent and len(ticks) > 1 and lo == round(lo):
        step = ticks[1][0] - ticks[0][0]
        if ticks[0][0] - lo > step / 2:
            ticks = ((lo, f"{lo:.0f}"), *ticks)
    return ticks


def all_whole(many: Sequence[Doubles]) -> bool:
    """Return whether all of these are whole numbers."""
    return all(bool((np.round(values) == values)[np.isfinite(values)].all()) for values in many)


def read_out(value: float, percent: bool) -> str:
    """Return a value as text: "97.5 %", "0.013 %", "120"."""
    if not np.isfinite(value):
        return "no value"
    if not percent:
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    share = 100 * value
    return f"{share:.1f} %" if share == 0 or abs(share) >= 1 else f"{share:.2g} %"


def nice_step(span: float, most: int, whole: bool = False) -> float:
    """Return the smallest round step (1, 2, 2.5 or 5 × 10ⁿ) with at most `most` intervals."""
    if span <= 0:
        return 1.0
    raw = span / max(most, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in _STEPS:
        step = factor * power
        if step >= raw * (1 - 1e-9) and not (whole and step != round(step)):
            return step
    return max(1.0, 10 * power)


def linear_ticks(lo: float, hi: float, most: int, *, percent: bool, whole: bool) -> Ticks:
    """Return round values between `lo` and `hi`, at most `most` intervals apart."""
    step = nice_step(100 * (hi - lo), most, hi - lo > 0.02) / 100 if percent else 0.0
    step = step or nice_step(hi - lo, most, whole)
    first, last = math.ceil(lo / step - 1e-9), math.floor(hi / step + 1e-9)
    values = [number * step for number in range(first, last + 1)]
    biggest = max((abs(value) for value in values), default=0.0)
    return tuple((value, tick_text(value, step, biggest, percent)) for value in values)


def log_ticks(
    lo: float, hi: float, most: int, *, percent: bool = False, whole: bool = False
) -> Ticks:
    """Return ticks for an axis of powers of ten; positions are exponents, texts are the values.

    Decades alone when there are enough of them, else 2 and 5 in between, so that a spectrum
    within one decade is still readable; within less than that, round values.
    """
    decades = range(math.floor(lo), math.ceil(hi) + 1)
    for factors in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        at = [exponent + math.log10(factor) for exponent in decades for factor in factors]
        inside = [value for value in at if lo - 1e-9 <= value <= hi + 1e-9]
        if len(inside) <= most + 1:
            break
    if len(inside) < 2 and hi - lo < 1:
        even = linear_ticks(10.0**lo, 10.0**hi, most, percent=percent, whole=whole)
        return tuple((math.log10(value), text) for value, text in even if value > 0)
    thinned = inside[:: max(1, math.ceil(len(inside) / (most + 1)))]
    return tuple((value, _power_text(value, percent)) for value in thinned)


def _power_text(exponent: float, percent: bool) -> str:
    return f"{10.0 ** (exponent + 2):.3g}%" if percent else short_number(10.0**exponent)


def tick_text(value: float, step: float, biggest: float, percent: bool) -> str:
    """Return the text of one tick: "75%", "20k", "2000" or "0.25"."""
    if percent:
        return f"{100 * value:.{_decimals(100 * step)}f}%"
    if biggest >= 10_000:
        return short_number(value)
    return f"{value:.{_decimals(step)}f}".replace("-", "−")


def short_number(value: float) -> str:
    """Return a large number as a short text: 20000 is "20k"."""
    size = abs(value)
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= limit * (1 - 1e-9):
            return f"{value / limit:.3g}{unit}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def every(labels: tuple[str, ...], most: int) -> Ticks:
    """Return a tick for each bar; for every second, fifth, … where there is no room for all."""
    step = 1 if len(labels) <= most else int(nice_step(len(labels), most, whole=True))
    return tuple((float(at), labels[at]) for at in range(0, len(labels), step))


def _decimals(step: float) -> int:
    """Return the digits after the point that distinguish neighbouring multiples of `step`."""
    for digits in range(6):
        if abs(step * 10**digits - round(step * 10**digits)) < 1e-6:
            return digits
    return 6
