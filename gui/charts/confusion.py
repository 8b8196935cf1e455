"""A confusion matrix: one square for each pair of people, darker the more often it happened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter

from gui.charts.axes import Ticks, every
from gui.charts.chart import BY_KEYS, NOTHING, PRESS_KEYS, Chart
from gui.charts.confusion_cells import BAR_ROOM, Cell, Cells, Counts
from gui.style.theme import SMALL, Tokens, font

_LONGEST = 0.3  # of the width, for a name beside the axis
_WORST = 5  # confusions named in the description
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class ConfusionChart(Chart):
    """How often each person (down) was recognised as each (across); a cell can be clicked."""

    cell_clicked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__("recognised as", "person")
        self._names: tuple[str, ...] = ()
        self._cell = 0.0
        self.cells = Cells(self.frame, Counts(np.zeros((0, 0), np.intp)))
        self._focused: Cell | None = None
        self._hovered: Cell | None = None
        self._describe()

    def show_matrix(self, counts: NDArray[np.intp], names: Sequence[str]) -> None:
        """Draw how often each of p people was taken for each, (p, p), with their names."""
        people = len(names)
        self._names = tuple(names)
        self.cells.counts = Counts(np.array(counts, np.intp).reshape(people, people))
        self._hovered = None
        if self._focused is not None and max(self._focused) >= people:
            self._focused = None
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if people else policy.NoFocus)
        self.arrange()
        self._describe()

    def counts(self) -> NDArray[np.intp]:
        """Return the counts drawn, (p, p)."""
        return self.cells.counts.of

    def reading(self, person: int, answer: int) -> str:
        """Return what a cell means, as in the tooltip."""
        counts = self.cells.counts
        times = f"{counts.of[person, answer]} of {counts.searches[person]}"
        if person == answer:
            return f"{self._names[person]} recognised: {times}"
        return f"{self._names[person]} taken for {self._names[answer]}: {times}"

    def arrange(self) -> None:
        last = max(1, len(self._names)) - 0.5
        self.frame.x.lo, self.frame.x.hi = -0.5, last
        self.frame.y.lo, self.frame.y.hi = last, -0.5  # the first person is on top
        super().arrange()

    def fit_range(self, height: float) -> None:
        self._cell = height / max(1, len(self._names))

    def choose_y_ticks(self, most: int) -> Ticks:
        metrics = QFontMetricsF(font(SMALL))
        if self._cell < metrics.height() + 2:
            return self._numbered(metrics)
        room, right = _LONGEST * self.frame.size.width(), Qt.TextElideMode.ElideRight
        numbered = "" if self._named_across(metrics) else "{} "
        names = (f"{numbered.format(i + 1)}{name}" for i, name in enumerate(self._names))
        return _each([metrics.elidedText(name, right, room) for name in names])

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        self._cell = min(self._cell, width / max(1, len(self._names)))
        if self._named_across(metrics):
            return _each(self._names)
        return self._numbered(metrics)

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        self.cells.paint(painter, look)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        if self._hovered is not None:
            self.cells.outline(painter, look, self._hovered, 1.2)
        if self._focused is not None and self.hasFocus():
            self.cells.outline(painter, look, self._focused, 2.0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, people = _STEPS.get(Qt.Key(event.key())), len(self._names)
        cell = self._focused
        if step is not None and people:
            row, column = (cell[0] + step[0], cell[1] + step[1]) if cell is not None else (0, 0)
            self._focus((min(max(row, 0), people - 1), min(max(column, 0), people - 1)))
        elif event.key() in PRESS_KEYS and cell is not None:
            self._click(cell)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._names and self._focused is None and event.reason() in BY_KEYS:
            self._focus((0, 0))

    def place_plot(self, top: float) -> None:
        """Make the plot a square in the middle, with a colour bar beside it if there is room."""
        super().place_plot(top)
        plot = self.frame.plot
        side = min(plot.width(), plot.height())
        spare = plot.width() - side
        self._cell = side / max(1, len(self._names))
        self.cells.has_bar = bool(self._names) and spare >= BAR_ROOM
        inset = (spare - BAR_ROOM * self.cells.has_bar) / 2
        self.frame.inset = inset
        above = (plot.height() - side) / 2
        plot.setRect(round(plot.left() + inset), round(plot.top() + above), side, side)
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

    def _focus(self, cell: Cell) -> None:
        self._focused = cell
        self.update()
        self._describe()

    def _click(self, cell: Cell) -> None:
        if self.cells.counts.of[cell]:
            self.cell_clicked.emit(*cell)

    def press(self, at: QPointF) -> None:
        cell = self.cells.cell_at(at.x(), at.y())
        if cell is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._focus(cell)
            self._click(cell)

    def hover(self, at: QPointF, pressed: bool) -> None:
        cell = self.cells.cell_at(at.x(), at.y())
        if cell != self._hovered:
            self._hovered = cell
            self.update()
        if cell is None:
            self.point_out("", None)
            return
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.point_out(self.reading(*cell), hand if self.counts()[cell] else arrow)

    def _describe(self) -> None:
        if not self._names:
            self.setAccessibleDescription(NOTHING)
            return
        counts = self.counts()
        wrong = counts - np.diag(np.diag(counts))
        right, of = int(np.trace(counts)), int(counts.sum())
        said = [f"{right} of {of} searches named the right person."]
        order = np.argsort(-wrong, axis=None, kind="stable")[:_WORST]
        pairs = [divmod(int(place), len(counts)) for place in order]
        said += [f"{self.reading(*pair)}." for pair in pairs if wrong[pair]]
        if self._focused is not None:
            said.append(f"The keys stand at: {self.reading(*self._focused)}.")
        self.setAccessibleDescription(" ".join(said))


def _each(texts: Sequence[str]) -> Ticks:
    return tuple((float(at), text) for at, text in enumerate(texts))
