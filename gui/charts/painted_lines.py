"""Lines in pixels, thinned to the points that can be distinguished, and their painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from eigenfaces.space.arrays import Doubles
from gui.charts.legend import Stroke

_APART = 22.0  # px between two dots of a line
_FINEST = 0.4  # px; points nearer to each other are painted once
_FILL, _BAND, _BANDS = 0.15, 0.16, 0.10  # opacity of a band; less where bands overlap
_ALONE = 4.0  # px, half the width of the band of a single point
_EDGE = 1.5  # px that a line may extend beyond the plot: half of its width


@dataclass(frozen=True, eq=False)
class PaintedLine:
    """One line in pixels, (n,) each and NaN where it has no place, and its stroke.

    Shapes are found when they are first painted: a plot is painted more often than it changes.
    """

    across: Doubles
    up: Doubles
    low: Doubles | None
    high: Doubles | None
    stroke: Stroke
    dots: bool
    filled: bool
    plot: QRectF

    @cached_property
    def runs(self) -> list[QPolygonF]:
        """The parts of the line without gaps."""
        parts = _parts(self.across, self.up)
        return [_polygon(self.across[part], self.up[part]) for part in parts if part.size > 1]

    @cached_property
    def area(self) -> list[QPolygonF]:
        """The area below the line."""
        floor = np.full(self.up.shape, self.plot.bottom())
        return _between(self.across, floor, self.up) if self.filled else []

    @cached_property
    def band(self) -> list[QPolygonF]:
        """The band of its interval."""
        if self.low is None or self.high is None:
            return []
        return _between(self.across, self.low, self.high)

    @cached_property
    def spots(self) -> list[QPointF]:
        """The places of its dots: far enough apart, and each part of a single point."""
        chosen: list[int] = []
        for part in _parts(self.across, self.up):
            if part.size == 1:
                chosen.extend(part.tolist())
            elif self.dots:
                chosen.extend(_spaced(self.across[part], self.up[part], part))
        inside = self.plot.adjusted(-1, -1, 1, 1)
        places = [QPointF(self.across[i], self.up[i]) for i in chosen]
        return [place for place in places if inside.contains(place)]

    @cached_property
    def shown(self) -> NDArray[np.intp]:
        """Return which points are inside the plot."""
        across, up, plot = self.across, self.up, self.plot.adjusted(-1, -1, 1, 1)
        inside = (across >= plot.left()) & (across <= plot.right())  # not what is NaN
        return np.flatnonzero(inside & (up >= plot.top()) & (up <= plot.bottom()))

    def place(self, point: int) -> QPointF:
        return QPointF(self.across[point], self.up[point])

    def nearest(self, at: QPointF) -> tuple[float, int]:
        """Return the distance to the nearest point inside the plot, and its index."""
        if not self.shown.size:
            return np.inf, -1
        away = np.hypot(self.across[self.shown] - at.x(), self.up[self.shown] - at.y())
        return float(away.min()), int(self.shown[np.argmin(away)])


def paint_lines(painter: QPainter, lines: Sequence[PaintedLine], plot: QRectF) -> None:
    """Paint bands, areas, lines and dots."""
    painter.save()
    painter.setClipRect(plot.adjusted(-_EDGE, -_EDGE, _EDGE, _EDGE))
    opacity = _BAND if sum(bool(line.band) for line in lines) < 2 else _BANDS
    for line in lines:
        _paint_areas(painter, line.area, line.stroke.colour, _FILL)
        _paint_areas(painter, line.band, line.stroke.colour, opacity)
    for line in reversed(lines):  # the first line is on top
        for run in line.runs:
            line.stroke.paint_line(painter, run)
    painter.restore()
    for line in reversed(lines):
        for at in line.spots:
            line.stroke.paint_dot(painter, at)


def paint_ring(painter: QPainter, at: QPointF, colour: QColor, ground: QColor) -> None:
    """Paint a ring around a point."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(ground, 5), QPen(colour, 2)):
        painter.setPen(pen)
        painter.drawEllipse(at, 7.5, 7.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(at, 3.5, 3.5)


def _paint_areas(
    painter: QPainter, areas: Sequence[QPolygonF], colour: QColor, opacity: float
) -> None:
    soft = QColor(colour)
    soft.setAlphaF(opacity)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(soft)
    for area in areas:
        painter.drawPolygon(area)


def _between(across: Doubles, low: Doubles, high: Doubles) -> list[QPolygonF]:
    """Return the area between two lines, part by part."""
    made = []
    for part in _parts(across, low, high):
        half = _ALONE if part.size == 1 else 0.0
        there = np.concatenate([across[part] - half, across[part][::-1] + half])
        lows, highs = low[part], high[part][::-1]
        if half:  # a bar, since a band of one point has no width
            there, lows, highs = there[[0, 1, 1, 0]], lows[[0, 0]], highs[[0, 0]]
        made.append(_polygon(there, np.concatenate([lows, highs])))
    return made


def _spaced(across: Doubles, up: Doubles, part: NDArray[np.intp]) -> list[int]:
    """Choose points of a part: the first, the last, and some with space between them."""
    kept = [0]
    for i in range(1, part.size):
        last = kept[-1]
        if np.hypot(across[i] - across[last], up[i] - up[last]) >= _APART:
            kept.append(i)
    end = part.size - 1
    if kept[-1] != end:  # the last point replaces a point too close to it
        kept = [*(kept[:-1] if len(kept) > 1 else kept), end]
    return [int(part[i]) for i in kept]


def _parts(*lines: Doubles) -> list[NDArray[np.intp]]:
    """Split at gaps, and thin each part to the points that can be distinguished."""
    there = np.flatnonzero(np.isfinite(lines).all(axis=0))
    if not there.size:
        return []
    parts = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)
    return [_thinned(np.stack(lines)[:, part], part) for part in parts]


def _thinned(places: Doubles, part: NDArray[np.intp]) -> NDArray[np.intp]:
    cells = places // _FINEST
    keep = np.append(True, (np.diff(cells) != 0).any(axis=0))
    keep[-1] = True
    return part[keep]


def _polygon(across: Doubles, up: Doubles) -> QPolygonF:
    points = zip(across.tolist(), up.tolist(), strict=True)
    return QPolygonF([QPointF(x, y) for x, y in points])
