"""Who was taken for whom: one square a pair of people, deeper the more often it happened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.charts.cells import BAR_ROOM, Cell, CellsLayer, Counts
from gui.charts.frame import BY_KEYS, Chart
from gui.charts.ticks import Ticks, every
from gui.style.theme import SMALL, Tokens, font

_LONGEST = 0.3  # of the width, for a name beside the axis
_WORST = 5  # confusions that are told in words
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_PRESS_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


class ConfusionChart(Chart):
    """How often each person (down) was recognised as each (across); a cell can be clicked."""

    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("recognised as", "person", parent)
        self._names: tuple[str, ...] = ()
        self._cell = 0.0
        self._layer = CellsLayer(self.frame)
        self.canvas.scene().addItem(self._layer)
        self.canvas.pressed.connect(self._press)
        self.canvas.moved.connect(self._hover)
        self._tell()

    def show_matrix(self, counts: NDArray[np.intp], names: Sequence[str]) -> None:
        """Draw how often each of p people was taken for each, (p, p), and what they are called."""
        people = len(names)
        self._names = tuple(names)
        self._layer.counts = Counts(np.array(counts, np.intp).reshape(people, people))
        self._layer.hovered = None
        if self._layer.focused is not None and max(self._layer.focused) >= people:
            self._layer.focused = None
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if people else policy.NoFocus)
        self.arrange()
        self._tell()

    def counts(self) -> NDArray[np.intp]:
        """Give what is drawn, (p, p)."""
        return self._layer.counts.of

    def focused_cell(self) -> Cell | None:
        """Give where the arrow keys stand."""
        return self._layer.focused

    def reading(self, person: int, answer: int) -> str:
        """Write what a cell means, as the tooltip does."""
        counts = self._layer.counts
        times = f"{counts.of[person, answer]} of {counts.searches[person]}"
        if person == answer:
            return f"{self._names[person]} recognised: {times}"
        return f"{self._names[person]} taken for {self._names[answer]}: {times}"

    def arrange(self) -> None:
        last = max(1, len(self._names)) - 0.5
        self.frame.x.lo, self.frame.x.hi = -0.5, last
        self.frame.y.lo, self.frame.y.hi = last, -0.5  # the first person stands on top
        self._layer.prepareGeometryChange()
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

    def colour(self, look: Tokens) -> None:
        self._layer.has_focus = self.hasFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, people = _STEPS.get(Qt.Key(event.key())), len(self._names)
        cell = self._layer.focused
        if step is not None and people:
            row, column = (cell[0] + step[0], cell[1] + step[1]) if cell is not None else (0, 0)
            self._focus((min(max(row, 0), people - 1), min(max(column, 0), people - 1)))
        elif event.key() in _PRESS_KEYS and cell is not None:
            self._click(cell)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._layer.has_focus = True
        if self._names and self._layer.focused is None and event.reason() in BY_KEYS:
            self._focus((0, 0))
        self.canvas.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._layer.has_focus = False
        self.canvas.viewport().update()

    def _place_plot(self, top: float) -> None:
        """Make the plot a square in the middle, with a bar beside it where there is room."""
        super()._place_plot(top)
        plot = self.frame.plot
        side = min(plot.width(), plot.height())
        spare = plot.width() - side
        self._cell = side / max(1, len(self._names))
        self._layer.has_bar = bool(self._names) and spare >= BAR_ROOM
        inset = (spare - BAR_ROOM * self._layer.has_bar) / 2
        self.frame.inset = inset
        above = (plot.height() - side) / 2
        plot.setRect(round(plot.left() + inset), round(plot.top() + above), side, side)
        if above:  # the squares are smaller than their height would allow
            self.frame.y.ticks = self.choose_y_ticks(0)

    def _named_across(self, metrics: QFontMetricsF) -> bool:
        longest = max(map(metrics.horizontalAdvance, self._names), default=0.0)
        return longest + 8 <= self._cell

    def _numbered(self, metrics: QFontMetricsF) -> Ticks:
        """Give the people numbers, as finely in both directions."""
        apart = max(metrics.height() + 4, metrics.horizontalAdvance("00") + 8)
        numbers = tuple(str(number + 1) for number in range(len(self._names)))
        return every(numbers, max(1, int(self._cell * len(numbers) / apart)))

    def _focus(self, cell: Cell) -> None:
        self._layer.focused = cell
        self.canvas.viewport().update()
        self._tell()

    def _click(self, cell: Cell) -> None:
        if self._layer.counts.of[cell]:
            self.cell_clicked.emit(*cell)

    def _press(self, at: QPointF) -> None:
        cell = self._layer.cell_at(at.x(), at.y())
        if cell is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._focus(cell)
            self._click(cell)

    def _hover(self, at: QPointF, _pressed: bool) -> None:
        cell, viewport = self._layer.cell_at(at.x(), at.y()), self.canvas.viewport()
        if cell != self._layer.hovered:
            self._layer.hovered = cell
            viewport.update()
        if cell is None:
            viewport.unsetCursor()
            viewport.setToolTip("")
            return
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        viewport.setCursor(hand if self._layer.counts.of[cell] else arrow)
        tip = self.reading(*cell)
        if viewport.toolTip() != tip:
            QToolTip.hideText()
            viewport.setToolTip(tip)

    def _tell(self) -> None:
        if not self._names:
            self.describe("Nothing is drawn yet.")
            return
        counts = self.counts()
        wrong = counts - np.diag(np.diag(counts))
        right, of = int(np.trace(counts)), int(counts.sum())
        said = [f"{right} of {of} searches named the right person."]
        order = np.argsort(-wrong, axis=None, kind="stable")[:_WORST]
        pairs = [divmod(int(place), len(counts)) for place in order]
        said += [f"{self.reading(*pair)}." for pair in pairs if wrong[pair]]
        if self._layer.focused is not None:
            said.append(f"The keys stand at: {self.reading(*self._layer.focused)}.")
        self.describe(" ".join(said))


def _each(texts: Sequence[str]) -> Ticks:
    return tuple((float(at), text) for at, text in enumerate(texts))
