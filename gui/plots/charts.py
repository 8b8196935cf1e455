"""Plots that several pages need: curves, histograms, bars, two questions, and who is confused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPen

from eigenfaces.recognition.calibration import Histogram
from eigenfaces.space.arrays import Doubles
from gui.plots.axes import Ticks, clamped, every
from gui.plots.marks import BAR_ROOM, Bars, Cells, Line, PlotMark, Points, Rule, Shade, Steps
from gui.plots.plot import BY_KEYS, PlotView
from gui.plots.strokes import Dot, paint_pill, pill
from gui.style.theme import SMALL, Tokens, Tone, font

Quadrant = tuple[str, Tone]
"""The words and the tone of a quadrant."""

_REACH = 14.0  # px beside the mark within which the pointer grabs it
_K_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_Home: -(10**9),
    Qt.Key.Key_End: 10**9,
}
_ABOVE = 1.08  # of the highest bin: the plot; more, where a label stands over it
_WITH_LABEL = 1.25
_BINS, _BEYOND = 24, 1.4  # of a spread; times its largest value, so that a mark has room to leave
_LONGEST = 0.3  # of the width, for a name beside the axis
_LINE_REACH, _RING = 9.0, 6.5  # px around a line, and of a handle
_INSETS = 34.0, 14.0  # px from the edge of the plot to a handle: above the words, and at the right
_CORNER = 4.0  # px from the edge of a quadrant to its words
_MARK_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Down: (1, -1),
    Qt.Key.Key_Up: (1, 1),
}
_FINE, _COARSE = 1 / 200, 1 / 20  # of the range, at each press of a key; coarse with Shift
_ROOM = 0.06
_QUADRANT = 0.2  # of the range, at least, beyond a mark
_CURSORS = (Qt.CursorShape.SizeHorCursor, Qt.CursorShape.SizeVerCursor)


class LineChart(PlotView):
    """Up to six curves of shares, told apart by colour and by dashes or dots."""

    def __init__(
        self, x_title: str, y_title: str, *, markers: bool = False, filled: bool = False
    ) -> None:
        super().__init__(x_title, y_title, percent=True)
        self._markers, self._filled = markers, filled

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Draw these lines; the area below is filled where only one has a name."""
        alone = sum(not line.faint for line in lines) == 1
        for line in lines:
            line.filled = self._filled and alone and not line.faint
            line.dotted = self._markers and not line.faint
        self.show_marks(lines)

    def lines(self) -> tuple[Line, ...]:
        """Return the lines drawn."""
        return tuple(mark for mark in self.marks_drawn() if isinstance(mark, Line))


class CurveChart(LineChart):
    """A filled curve of a share over the number of components, with a mark to move."""

    mark_moved = Signal(int)
    mark_released = Signal(int)
    most_up = 4

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title, filled=True)
        self._dragging = False

    def show_curve(self, x: ArrayLike, y: ArrayLike) -> None:
        """Draw shares (1.0 is 100 %) over numbers of components, starting at 0 components."""
        across, up = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        ends = min(0.0, across.min(initial=0.0)), float(across.max(initial=1.0))
        self._ranges = ends, (0.0, max(1.0, float(up.max(initial=0.0))))
        self.show_lines([Line(self.frame.y.title, across, up)])
        self.set_mark(self.mark(), self.tag.label)

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put the mark at a whole number on the curve."""
        super().set_mark(None if x is None else self._clamp(x), label)
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if self.takes_focus() else policy.NoFocus)

    def takes_focus(self) -> bool:
        return self.mark() is not None  # the mark is all that keys can move

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, step = self.mark(), _K_STEPS.get(Qt.Key(event.key()))
        if at is None or step is None:
            event.ignore()
        else:
            self._move(at + step)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        at = self.mark()
        if at is None or Qt.Key(event.key()) not in _K_STEPS or event.isAutoRepeat():
            super().keyReleaseEvent(event)
        else:
            self.mark_released.emit(round(at))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.tag.focused = event.reason() != Qt.FocusReason.MouseFocusReason
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.tag.focused = False
        self.update()

    def press(self, at: QPointF) -> None:
        """Grab the mark: on the plot, or on the mark's label."""
        if self.mark() is not None and self.frame.plot.adjusted(
            -_REACH, -40, _REACH, _REACH
        ).contains(at):
            self._dragging = True
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._move(float(self.frame.value_at(at)[0]))

    def hover(self, at: QPointF, pressed: bool) -> None:
        if self._dragging and pressed:
            self._move(float(self.frame.value_at(at)[0]))
        elif self.tag.at is not None:
            near = abs(at.x() - self.frame.px(self.tag.at)) < _REACH
            shape = Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.PointingHandCursor
            self.setCursor(shape)

    def release(self) -> None:
        at = self.mark()
        if self._dragging and at is not None:
            self._dragging = False
            self.mark_released.emit(round(at))

    def _move(self, k: float) -> None:
        target = self._clamp(k)
        if target != self.mark():
            self.set_mark(target, self.tag.label)  # the receiver of the signal writes the label
            self.mark_moved.emit(target)

    def _clamp(self, k: float) -> int:
        x = self.lines()[0].x if self.lines() else np.zeros(0)
        lo, hi = (float(x[0]), float(x[-1])) if x.size else (0.0, max(k, 0.0))
        return round(min(max(k, lo), hi))


def outlines(spread: Histogram, mated: str, others: str) -> list[Steps]:
    """Return the histograms under these names, the mated ones in front; what has none is out."""
    pairs = ((mated, spread.mated), (others, spread.non_mated))
    return [Steps(name, spread.edges, shares) for name, shares in pairs if name]


class HistogramChart(PlotView):
    """One or two histograms; a dashed line is this photograph, a solid one the limit."""

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title, percent=True)
        self._steps: list[Steps] = []
        self._limit: Rule | None = None

    def show_histogram(self, spread: Histogram, mated: str, others: str) -> None:
        """Draw the histograms under these names."""
        self._steps = outlines(spread, mated, others)
        self._redraw()

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put a dashed line with a label at the distance of a photograph, or remove it."""
        self._mark, self.tag.label = x, label
        self._redraw()

    def set_limit(self, x: float | None, words: str = "") -> None:
        """Put a solid line with words at the distance within which somebody is named."""
        self._limit = None if x is None else Rule(x, words)
        self._redraw()

    def limit(self) -> tuple[float | None, str]:
        """Return the distance of the solid line, and its words."""
        return (None, "") if self._limit is None else (self._limit.at, self._limit.label)

    def reading(self, mark: int, item: int) -> str:
        """Return what all histograms hold in a bin."""
        return "\n".join(f"{each.name}, {each.told(self.frame, item)}" for each in self._steps)

    def _redraw(self) -> None:
        """Show all of both histograms and both marks, from zero up."""
        if not self._steps:
            return
        limit = [] if self._limit is None else [self._limit]
        marks = [self._mark, *(each.at for each in limit)]
        edges = self._steps[0].edges
        filled = np.flatnonzero(sum(each.heights for each in self._steps))
        if filled.size and edges[filled[0]] > edges[-1] / 4:
            edges = edges[filled[0] :]  # else much of the plot would be empty
        beyond = 0.03 * np.array([-1, 1]) * np.ptp(edges)  # a mark out there is not on the edge
        ends = [mark + beyond for mark in marks if mark is not None]
        across = np.concatenate([edges, *ends])
        top = (_WITH_LABEL if limit else _ABOVE) * max(each.y.max() for each in self._steps)
        self._ranges = (float(across.min()), float(across.max())), (0.0, float(top))
        self.show_marks([*limit, *self._steps])  # the words of the limit lie over the steps


class SpreadChart(PlotView):
    """One histogram as filled steps from zero up, a band behind it, and a dashed mark."""

    most_up = 3

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title)
        self.setMinimumSize(120, 110)

    def show_spread(self, values: Doubles, band: tuple[float, float] | None) -> None:
        """Draw the values (n,), and the band that holds most of them."""
        low, high = float(values.min()), float(values.max())
        counts, edges = np.histogram(values, _BINS, (low, high) if high > low else None)
        self._ranges = (0.0, _BEYOND * high), (0.0, _ABOVE * float(counts.max()))
        ground = [] if band is None else [Shade(*band)]
        self.show_marks([*ground, Steps(self.frame.y.title, edges, counts)])

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put the mark at a value, beyond the axis at its end, or remove it."""
        super().set_mark(None if x is None else min(x, self.frame.x.hi), label)


class BarChart(PlotView):
    """Bars with a label each, one or two at each; ``clicked``: one was, or Enter was pressed."""

    clicked = Signal(int)
    most_up = 4

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title)
        self.picked.connect(lambda _mark, item: self.clicked.emit(item))

    def show_series(
        self,
        labels: Sequence[str],
        series: dict[str, Doubles],
        odd: frozenset[int] = frozenset(),
    ) -> None:
        """Draw one or two series (n,), by name; ``odd`` are the numbers of what stands out."""
        self.show_marks([Bars(series, tuple(labels), odd)])

    def series(self) -> dict[str, Doubles]:
        """Return what is drawn, by name."""
        return next((mark.series for mark in self.marks_drawn() if isinstance(mark, Bars)), {})


class ScatterChart(PlotView):
    """Up to three classes of points, a probe among them, and a mark across each axis.

    The marks are dragged by their rings or lines; by keys, ← → move the one, ↑ ↓ the other.
    """

    marks_moved = Signal(float, float)

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title, percent=True)
        self._quadrants: tuple[Quadrant, ...] = ()
        self._marks_at: tuple[float, float] | None = None
        self._probe: tuple[float, float] | None = None
        self._probe_words: Quadrant = ("", "accent")
        self._dragged: int | None = None
        self._by_keys = False

    def show_points(self, points: Sequence[Points], quadrants: Sequence[Quadrant]) -> None:
        """Draw classes of points.

        ``quadrants``: lower left, lower right, upper left, upper right, as the marks divide them.
        """
        self._quadrants = tuple(quadrants)
        self.show_marks(points)

    def points(self) -> tuple[Points, ...]:
        """Return the points drawn."""
        return tuple(mark for mark in self.marks_drawn() if isinstance(mark, Points))

    def set_probe(self, at: tuple[float, float] | None, words: Quadrant = ("", "accent")) -> None:
        """Put a diamond with a label at the place of a photograph, or remove it."""
        self._probe, self._probe_words = at, words
        self.renew()

    def set_marks(self, marks: tuple[float, float] | None) -> None:
        """Put the marks on both axes, or remove them and with them the quadrants."""
        self._marks_at = marks
        self.renew()

    def marks(self) -> tuple[float, float] | None:
        """Return the marks on both axes."""
        return self._marks_at

    def takes_focus(self) -> bool:
        return self._marks_at is not None

    def set_ranges(self) -> None:
        """Show all points, the probe and the marks."""
        every_ = [each.at for each in self.points()]
        every_ += [np.array([one]) for one in (self._probe, self._marks_at) if one is not None]
        both = np.concatenate(every_ or [np.zeros((0, 2))])
        for number, axis in enumerate((self.frame.x, self.frame.y)):
            axis.lo, axis.hi = _range(both[np.isfinite(both[:, number]), number])
            if self._marks_at is not None:  # the words of each quadrant have room
                axis.hi = max(axis.hi, self._marks_at[number] + _QUADRANT * (axis.hi - axis.lo))

    # What is painted

    def quadrant_places(self) -> list[QRectF]:
        """Return the rectangles of the quadrants in pixels, in their order; none without marks."""
        if self._marks_at is None:
            return []
        plot, (x, y) = self.frame.plot, self._crossing()
        return [
            QRectF(QPointF(left, top), QPointF(right, bottom))
            for top, bottom in ((y, plot.bottom()), (plot.top(), y))
            for left, right in ((plot.left(), x), (x, plot.right()))
        ]

    def rings(self) -> list[QPointF]:
        """Return the places of both handles: of the mark across, and of the mark up."""
        if self._marks_at is None:
            return []
        plot, (x, y) = self.frame.plot, self._crossing()
        return [QPointF(x, plot.bottom() - _INSETS[0]), QPointF(plot.right() - _INSETS[1], y)]

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        quadrants = list(zip(self.quadrant_places(), self._quadrants, strict=False))
        for place, (_, tone) in quadrants:
            painter.setOpacity(0.7)
            painter.fillRect(place, QColor(look.tone(tone)[1]))
            painter.setOpacity(1.0)
        super().paint_content(painter, look)
        for number, (place, (words, tone)) in enumerate(quadrants):
            box = pill(words)  # in the outer corner, if it has room
            if place.width() > box.width() + _CORNER and place.height() > box.height() + _CORNER:
                corner = place.adjusted(_CORNER, _CORNER, -_CORNER, -_CORNER)
                box.moveTo(corner.topLeft())
                if number % 2:
                    box.moveRight(corner.right())
                if number < 2:
                    box.moveBottom(corner.bottom())
                ink, soft = look.tone(tone)
                paint_pill(painter, box, words, soft, ink)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        plot = self.frame.plot
        if self._marks_at is not None:
            x, y = self._crossing()
            painter.setPen(QPen(QColor(look.text), 2))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            ring = QColor(look.accent if self._by_keys else look.text)
            painter.setPen(QPen(ring, 3 if self._by_keys else 2))
            painter.setBrush(QColor(look.surface))
            for at in self.rings():
                painter.drawEllipse(at, _RING, _RING)
        if self._probe is not None:
            at, (words, tone) = self.probe_place(), self._probe_words
            ink, ground = look.tone(tone)
            Dot("diamond", QColor(ink), QColor(look.surface), 7.0).paint(painter, at)
            box = pill(words)
            below = at.y() - box.height() - 12 < plot.top()
            box.moveCenter(at + QPointF(0, (box.height() / 2 + 12) * (1 if below else -1)))
            paint_pill(painter, clamped(box, plot), words, ground, ink, ink)

    def probe_place(self) -> QPointF:
        """Return where the photograph lies, in pixels."""
        x, y = self._probe or (0.0, 0.0)
        return QPointF(self.frame.px(x), self.frame.py(y))

    # What moves the marks

    def press(self, at: QPointF) -> None:
        self._dragged = self._mark_at(at)
        if self._dragged is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def hover(self, at: QPointF, pressed: bool) -> None:
        mark = self._mark_at(at)
        if self._dragged is not None and pressed and self._marks_at is not None:
            self._move(self._dragged, float(self.frame.value_at(at)[self._dragged]))
        elif mark is None:
            super().hover(at, pressed)
        else:
            self.point_out("", _CURSORS[mark])

    def release(self) -> None:
        self._dragged = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _MARK_STEPS.get(Qt.Key(event.key()))
        if step is None or self._marks_at is None:
            super().keyPressEvent(event)
            return
        (mark, way), axis = step, (self.frame.x, self.frame.y)[step[0]]
        by = _COARSE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _FINE
        self._move(mark, self._marks_at[mark] + way * by * (axis.hi - axis.lo))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_keys = event.reason() in BY_KEYS
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._by_keys = False
        super().focusOutEvent(event)

    def _mark_at(self, at: QPointF) -> int | None:
        """Return which mark a press here grabs: the nearer ring, else the nearer line."""
        if self._marks_at is None or not self.frame.plot.adjusted(-4, -4, 4, 4).contains(at):
            return None
        x, y = self._crossing()
        to_rings = [np.hypot(at.x() - ring.x(), at.y() - ring.y()) for ring in self.rings()]
        to_lines = [abs(at.x() - x), abs(at.y() - y)]
        for away, reach in ((to_rings, 2 * _LINE_REACH), (to_lines, _LINE_REACH)):
            nearest = int(np.argmin(away))
            if away[nearest] <= reach:
                return nearest
        return None

    def _crossing(self) -> tuple[float, float]:
        x, y = self._marks_at or (0.0, 0.0)
        return self.frame.px(x), self.frame.py(y)

    def _move(self, mark: int, value: float) -> None:
        """Move a mark within what is shown."""
        axis, marks = (self.frame.x, self.frame.y)[mark], list(self._marks_at or (0.0, 0.0))
        marks[mark] = min(max(value, axis.lo), axis.hi)
        self._marks_at = marks[0], marks[1]
        self.paint_anew()  # the quadrants are below the points
        self.describe()
        self.marks_moved.emit(*marks)

    def describe(self) -> None:
        super().describe()
        if not self.marks_drawn():
            return
        x, y = self.frame.x, self.frame.y
        said = [self.accessibleDescription()]
        for words, at in (
            (f"{self._probe_words[0]}:", self._probe),
            ("The marks stand at", self._marks_at),
        ):
            if at is not None:
                said.append(f"{words} {x.title}: {x.read(at[0])}, {y.title}: {y.read(at[1])}.")
        if self._marks_at is not None:
            said.append("Left, right, up and down move them; with Shift, farther.")
        self.setAccessibleDescription(" ".join(said))


def _range(values: Doubles) -> tuple[float, float]:
    """Return a range with some room, from zero unless that leaves most of it empty."""
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    from_zero = 0 <= low <= high / 4
    room = _ROOM * ((high - low) or abs(high) or 1.0)
    return (0.0 if from_zero else low - room), high + room


class ConfusionChart(PlotView):
    """How often each person (down) was recognised as each (across); a cell can be clicked."""

    cell_clicked = Signal(int, int)

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._cell = 0.0  # px
        super().__init__("recognised as", "person")
        self.picked.connect(lambda _, item: self.cell_clicked.emit(*divmod(item, len(self._names))))

    def show_matrix(self, counts: NDArray[np.intp], names: Sequence[str]) -> None:
        """Draw how often each of p people was taken for each, (p, p), with their names."""
        if self._names != tuple(names):
            self._item = None
        self._names = tuple(names)
        cells: list[PlotMark] = [Cells(np.array(counts, np.intp), self._names)] if names else []
        self.show_marks(cells)

    def counts(self) -> NDArray[np.intp]:
        """Return the counts drawn, (p, p)."""
        cells = [mark.counts for mark in self.marks_drawn() if isinstance(mark, Cells)]
        return cells[0] if cells else np.zeros((0, 0), np.intp)

    def set_ranges(self) -> None:
        last = max(1, len(self._names)) - 0.5
        self.frame.x.lo, self.frame.x.hi = -0.5, last
        self.frame.y.lo, self.frame.y.hi = last, -0.5  # the first person is on top

    def choose_y_ticks(self, most: int) -> Ticks:
        metrics = QFontMetricsF(font(SMALL))
        if self._cell < metrics.height() + 2:
            return self._numbered(metrics)
        room, cut = _LONGEST * self.frame.size.width(), Qt.TextElideMode.ElideRight
        numbered = "" if self._named_across(metrics) else "{} "
        names = (f"{numbered.format(i + 1)}{name}" for i, name in enumerate(self._names))
        return every(tuple(metrics.elidedText(name, cut, room) for name in names), len(self._names))

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        self._cell = min(self._cell, width / max(1, len(self._names)))
        if self._named_across(metrics):
            return every(self._names, len(self._names))
        return self._numbered(metrics)

    def place_plot(self, top: float) -> None:
        """Make the plot a square in the middle, with a colour bar beside it if there is room."""
        many, line = max(1, len(self._names)), QFontMetricsF(font(SMALL)).height()
        self._cell = (self.frame.size.height() - 2 * line - 13 - top) / many
        super().place_plot(top)
        plot = self.frame.plot
        side = min(plot.width(), plot.height())
        spare = plot.width() - side
        self._cell = side / many
        has_bar = bool(self._names) and spare >= BAR_ROOM
        for cells in self.marks_drawn():
            if isinstance(cells, Cells):
                cells.bar = has_bar
        self.frame.inset = (spare - BAR_ROOM * has_bar) / 2
        above = (plot.height() - side) / 2
        plot.setRect(round(plot.left() + self.frame.inset), round(plot.top() + above), side, side)
        if above:  # the squares are smaller than their height would allow
            self.frame.y.ticks = self.choose_y_ticks(0)

    def _named_across(self, metrics: QFontMetricsF) -> bool:
        longest = max(map(metrics.horizontalAdvance, self._names), default=0.0)
        return longest + 8 <= self._cell

    def _numbered(self, metrics: QFontMetricsF) -> Ticks:
        """Return ticks that number the people, with the same step in both directions."""
        apart = max(metrics.height() + 4, metrics.horizontalAdvance("00") + 8)
        numbers = tuple(str(number + 1) for number in range(len(self._names)))
        return every(numbers, max(1, int(self._cell * len(numbers) / apart)))
