"""A few curves in one plot with their intervals: what is drawn, and the axes under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from eigenfaces.space.arrays import Doubles
from eigenfaces.text import capital
from gui.charts.axes import (
    Scale,
    Ticks,
    all_whole,
    exact_range,
    fitted_range,
    positions,
    read_out,
    ticks_of,
)
from gui.charts.chart import NOTHING, Chart
from gui.charts.legend import Stroke, faint_stroke, strokes
from gui.charts.painted_lines import PaintedLine, paint_lines
from gui.style.theme import Tokens

Range = tuple[float, float]

_ALL = 12  # up to so many whole numbers, each gets a tick


@dataclass(frozen=True, eq=False)
class Line:
    """One curve of n points, with its 95 % interval; a faint curve is only for comparison.

    Without a ``band`` only the tooltips have the interval: where many bands would overlap.
    """

    name: str
    x: Doubles
    y: Doubles
    low: Doubles | None = None
    high: Doubles | None = None
    faint: bool = False
    band: bool = True


class LinePlot(Chart):
    """Up to six curves, distinguished by colour and dashes or dots, and a dashed mark."""

    def __init__(
        self,
        x_title: str,
        y_title: str,
        *,
        markers: bool = False,
        filled: bool = False,
    ) -> None:
        super().__init__(x_title, y_title)
        self._markers, self._filled = markers, filled
        self._scales: tuple[Scale, Scale] = ("linear", "linear")
        self._percent = (False, True)
        self._ranges: tuple[Range | None, Range | None] = (None, None)
        self._lines: tuple[Line, ...] = ()
        self._strokes: list[Stroke] = []
        self._mark: float | None = None
        self.painted: Sequence[PaintedLine] = ()

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Draw these lines; fast enough to be called while they grow."""
        self._lines = tuple(lines)
        self._renew()

    def lines(self) -> tuple[Line, ...]:
        """Return the lines drawn."""
        return self._lines

    def set_scales(self, x: Scale, y: Scale) -> None:
        """Choose linear or logarithmic axes; the latter leave out zero and negative values."""
        self._scales = (x, y)
        self._renew()

    def set_titles(
        self, x_title: str, y_title: str, x_scaling: str = "", y_scaling: str = ""
    ) -> None:
        """Write what is measured beside the axes, and in brackets how they are scaled."""
        x, y = self.frame.x, self.frame.y
        x.title, y.title, x.scaling, y.scaling = x_title, y_title, x_scaling, y_scaling
        self.setAccessibleName(f"Plot: {y.words} against {x.words}")
        self._renew()

    def set_percent(self, x: bool, y: bool) -> None:
        """Choose which axes are shares, written in per cent."""
        self._percent = (x, y)
        self._renew()

    def set_range(self, x: Range | None, y: Range | None) -> None:
        """Show these ranges of values; for None, the range that the lines need."""
        self._ranges = (x, y)
        self._renew()

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put a dashed line with a label at a value, or remove it."""
        self._mark = x
        self.move_tag(self._mark_place(), label)
        self.describe()

    def mark(self) -> float | None:
        """Return the value of the dashed line, or None."""
        return self._mark

    def solid(self) -> list[int]:
        """Return the indices of the lines that are not only for comparison."""
        return [i for i, each in enumerate(self._lines) if not each.faint and each.x.size]

    def reading(self, line: int, point: int) -> str:
        """Return what a point means, as in the tooltip."""
        shown, (x_percent, y_percent) = self._lines[line], self._percent
        first = [shown.name] if self.named() > 1 else []
        x = read_out(float(shown.x[point]), x_percent)
        y = read_out(float(shown.y[point]), y_percent)
        if shown.low is not None and shown.high is not None:
            ends = (read_out(float(each[point]), y_percent) for each in (shown.low, shown.high))
            y += f" ({' to '.join(ends)})"
        return "\n".join([*first, f"{self.frame.x.title}: {x}", f"{self.frame.y.title}: {y}"])

    def arrange(self) -> None:
        at = [self._placed(line) for line in self._lines]
        x, y = self.frame.x, self.frame.y
        (x_scale, y_scale), (_, y_percent) = self._scales, self._percent
        all_x = np.concatenate([each[0] for each in at] or [np.zeros(0)])
        x.lo, x.hi = self._wanted(0) or exact_range(all_x, x_scale)
        seen = [(each[0] >= x.lo) & (each[0] <= x.hi) for each in at]
        ups = [up[inside] for each, inside in zip(at, seen, strict=True) for up in each[1:]]
        all_y = np.concatenate(ups or [np.zeros(0)])
        y.lo, y.hi = self._wanted(1) or fitted_range(all_y, y_scale, y_percent)
        x.grid = x_scale == y_scale == "log"
        self.tag.at = self._mark_place()
        super().arrange()
        self.painted = [
            self._painted(line, each, stroke)
            for line, each, stroke in zip(self._lines, at, self._strokes, strict=True)
        ]

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        if not self.solid():
            return ()
        x, scale, percent = self.frame.x, self._scales[0], self._percent[0]
        whole = all_whole([line.x for line in self._lines])
        if percent:
            most, apart = (4 if scale == "linear" else 7), metrics.horizontalAdvance("0.01%") + 24
        else:
            all_of_them = scale == "log" or (whole and x.hi - x.lo <= _ALL)
            most, apart = (_ALL if all_of_them else 6), metrics.horizontalAdvance("000") + 14
        most = max(1, min(most, int(width / apart)))
        return ticks_of(x.lo, x.hi, most, scale=scale, percent=percent, whole=whole)

    def choose_y_ticks(self, most: int) -> Ticks:
        y, scale, percent = self.frame.y, self._scales[1], self._percent[1]
        return ticks_of(y.lo, y.hi, min(most, 5), scale=scale, percent=percent, whole=False)

    def colour(self, look: Tokens) -> None:
        fresh = iter(strokes(look, self.named(), self._markers))
        faint = faint_stroke(look)
        self._strokes = [faint if line.faint else next(fresh) for line in self._lines]
        pairs = zip(self._lines, self._strokes, strict=True)
        entries = tuple((line.name, stroke) for line, stroke in pairs if not line.faint)
        self.legend.entries = entries if len(entries) > 1 else ()

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        paint_lines(painter, self.painted, self.frame.plot)

    def takes_focus(self) -> bool:
        """Return whether there is anything that keys could move."""
        return bool(self.solid())

    def update_focus_policy(self) -> None:
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if self.takes_focus() else policy.NoFocus)

    def _renew(self) -> None:
        self.update_focus_policy()
        self.arrange()
        self.describe()

    def named(self) -> int:
        """Return the number of lines that the legend names."""
        return sum(not line.faint for line in self._lines)

    def _placed(self, line: Line) -> list[Doubles]:
        """Return the positions of a line and its interval on the axes."""
        x_scale, y_scale = self._scales
        ups = [each for each in (line.y, line.low, line.high) if each is not None]
        return [positions(line.x, x_scale), *(positions(each, y_scale) for each in ups)]

    def _wanted(self, axis: int) -> Range | None:
        wanted, scale = self._ranges[axis], self._scales[axis]
        if wanted is None:
            return None
        lo, hi = positions(np.array(wanted), scale).tolist()
        return (lo, hi) if lo < hi else None

    def _mark_place(self) -> float | None:
        if self._mark is None:
            return None
        at = float(positions(np.array([self._mark]), self._scales[0])[0])
        return at if self.frame.x.lo <= at <= self.frame.x.hi else None

    def _painted(self, line: Line, at: list[Doubles], stroke: Stroke) -> PaintedLine:
        across, *ups = (self.frame.px(at[0]), *(self.frame.py(each) for each in at[1:]))
        low, high = (ups[1], ups[2]) if len(ups) == 3 and line.band else (None, None)
        dots, filled = self._markers and not line.faint, self.fills(line)
        return PaintedLine(across, ups[0], low, high, stroke, dots, filled, QRectF(self.frame.plot))

    def fills(self, line: Line) -> bool:
        """Return whether the area below a line is filled; where several overlap, none is."""
        return self._filled and not line.faint and self.named() == 1

    def describe(self) -> None:
        """Describe in words what is drawn, for screen readers."""
        said = [self._describe_line(i) for i in self.solid()]
        if not said:
            self.setAccessibleDescription(NOTHING)
            return
        x_title, title = self.frame.x.title, capital(self.frame.y.title)
        marked = [f"The line stands at {self.tag.label}."] if self._mark is not None else []
        told = [f"{title} against {x_title}.", *said, *marked]
        self.setAccessibleDescription(" ".join(told))

    def _describe_line(self, number: int) -> str:
        line, (x_percent, y_percent) = self._lines[number], self._percent
        start = f"{line.name}: from" if self.named() > 1 else "From"
        there = np.flatnonzero(np.isfinite(line.x) & np.isfinite(line.y))
        if not there.size:
            return f"{line.name}: no values."
        first, last = (
            f"{read_out(float(line.y[i]), y_percent)} at {read_out(float(line.x[i]), x_percent)}"
            for i in (there[0], there[-1])
        )
        return f"{start} {first} to {last}."
