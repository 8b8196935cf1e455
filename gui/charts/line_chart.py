"""Curves in one plot, and a point of them to choose by pointer or keys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMetaMethod, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter

from gui.charts.chart import BY_KEYS, PRESS_KEYS
from gui.charts.line_plot import Line, LinePlot
from gui.charts.painted_lines import PaintedLine, paint_ring
from gui.style.theme import Tokens

_REACH = 24.0  # px from a point within which the pointer finds it
_FINE = 1000  # with more points, the arrow keys skip those that look the same
_SEEN = 2.0  # px
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -(10**9),
    Qt.Key.Key_End: 10**9,
}
_OTHER_LINE = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LineChart(LinePlot):
    """Up to six curves; a point is chosen by a click, or by the arrow keys and Enter."""

    point_clicked = Signal(int, int)

    def __init__(
        self,
        x_title: str,
        y_title: str,
        *,
        markers: bool = False,
        filled: bool = False,
    ) -> None:
        super().__init__(x_title, y_title, markers=markers, filled=filled)
        self._chosen: tuple[int, int] | None = None
        self._kept = False
        self.describe()

    def show_lines(self, lines: Sequence[Line]) -> None:
        if self._chosen is not None and not _exists(lines, *self._chosen):
            self._chosen = None
        super().show_lines(lines)

    def choose(self, line: int, point: int | None) -> None:
        """Put a ring around a point of a line, or remove the ring."""
        chosen = None if point is None or not _exists(self._lines, line, point) else (line, point)
        self._kept = chosen is not None
        self._choose(chosen)

    def chosen(self) -> tuple[int, int] | None:
        """Return the line and the point with the ring, or None."""
        return self._chosen

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS and self.solid():
            self._step(_STEPS[key])
        elif key in _OTHER_LINE and self.named() > 1 and self.solid():
            self._change_line(_OTHER_LINE[key])
        elif key in PRESS_KEYS and self._chosen is not None:
            self._kept = True
            self.point_clicked.emit(*self._chosen)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYS and self._chosen is None:
            self._choose(self._start())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._choose(self._chosen if self._kept else None)

    def ring(self) -> QPointF | None:
        """Return the place of the ring, if a point inside the plot is chosen."""
        if self._chosen is None:
            return None
        line, point = self._chosen
        at = self.painted[line].place(point)
        return at if self.frame.plot.adjusted(-1, -1, 1, 1).contains(at) else None

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        at = self.ring()
        if at is not None and self._chosen is not None:
            own = self.painted[self._chosen[0]].stroke.colour
            colour = QColor(look.text) if self.hasFocus() else own
            paint_ring(painter, at, colour, QColor(look.surface))

    def _choose(self, chosen: tuple[int, int] | None) -> None:
        self._chosen = chosen
        self.update()
        self.describe()

    def _start(self) -> tuple[int, int] | None:
        """Return the point of the first line at the dashed line, or its first point."""
        for line in self.solid():
            if self.painted[line].shown.size:
                return self._near(line, -np.inf if self._mark is None else self._mark)
        return None

    def _near(self, line: int, x: float) -> tuple[int, int]:
        """Return the point of a line that is nearest to a value."""
        shown = self.painted[line].shown
        if not np.isfinite(x):
            return line, int(shown[0])
        return line, int(shown[np.argmin(np.abs(self._lines[line].x[shown] - x))])

    def _step(self, by: int) -> None:
        chosen = self._chosen or self._start()
        if chosen is None:
            return
        if self._chosen is None and abs(by) == 1:
            by = 0  # begin there
        line, point = chosen
        shown = self.painted[line].shown
        if shown.size > _FINE:
            shown = _apart(self.painted[line], shown)
        target = int(np.searchsorted(shown, point)) + by
        self._choose((line, int(shown[min(max(target, 0), shown.size - 1)])))

    def _change_line(self, by: int) -> None:
        chosen, solid = self._chosen or self._start(), self.solid()
        if chosen is None:
            return
        target = solid[(solid.index(chosen[0]) + by) % len(solid)]
        if self.painted[target].shown.size:
            self._choose(self._near(target, float(self._lines[chosen[0]].x[chosen[1]])))

    def _point_at(self, at: QPointF) -> tuple[int, int] | None:
        best, found = _REACH, None
        for line in self.solid():
            away, point = self.painted[line].nearest(at)
            if away < best:
                best, found = away, (line, point)
        return found

    def press(self, at: QPointF) -> None:
        found = self._point_at(at)
        if found is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._kept = True
            self._choose(found)
            self.point_clicked.emit(*found)

    def hover(self, at: QPointF, pressed: bool) -> None:
        found = self._point_at(at)
        answers = self.isSignalConnected(QMetaMethod.fromSignal(self.point_clicked))
        hand = Qt.CursorShape.PointingHandCursor if answers else None
        self.point_out("" if found is None else self.reading(*found), hand if found else None)

    def describe(self) -> None:
        super().describe()
        if self._chosen is not None:
            reading = ", ".join(self.reading(*self._chosen).splitlines())
            self.setAccessibleDescription(f"{self.accessibleDescription()} Chosen: {reading}.")


def _exists(lines: Sequence[Line], line: int, point: int) -> bool:
    inside = 0 <= line < len(lines) and not lines[line].faint
    return inside and 0 <= point < lines[line].x.size


def _apart(drawn: PaintedLine, points: NDArray[np.intp]) -> NDArray[np.intp]:
    """Leave out points that would be painted at the place of the one before."""
    cells = np.stack([drawn.across[points], drawn.up[points]]) // _SEEN
    return points[np.append(True, (np.diff(cells) != 0).any(axis=0))]
