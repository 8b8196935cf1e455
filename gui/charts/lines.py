"""Curves in one plot, and a point of them to choose by pointer or keys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMetaMethod, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.charts.frame import BY_KEYS
from gui.charts.line_plot import Line, LinePlot
from gui.charts.paths import Drawn, Ring
from gui.style.theme import tokens

_REACH = 24.0  # px from a point within which the pointer finds it
_FINE = 1000  # of more points, the arrow keys go on by what can be seen
_SEEN = 2.0  # px
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -(10**9),
    Qt.Key.Key_End: 10**9,
}
_PRESS_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(x_title, y_title, markers=markers, filled=filled, parent=parent)
        self._chosen: tuple[int, int] | None = None
        self._kept = False
        self.canvas.pressed.connect(self._press)
        self.canvas.moved.connect(self._hover)
        self._tell()

    def show_lines(self, lines: Sequence[Line]) -> None:
        if self._chosen is not None and not _exists(lines, *self._chosen):
            self._chosen = None
        super().show_lines(lines)

    def arrange(self) -> None:
        super().arrange()
        self._move_ring()

    def choose(self, line: int, point: int | None) -> None:
        """Put a ring round a point of a line, or take it away."""
        chosen = None if point is None or not _exists(self._lines, line, point) else (line, point)
        self._kept = chosen is not None
        self._choose(chosen)

    def chosen(self) -> tuple[int, int] | None:
        """Give the line and the point with the ring, or nothing."""
        return self._chosen

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS and self.solid():
            self._step(_STEPS[key])
        elif key in _OTHER_LINE and self._named() > 1 and self.solid():
            self._change_line(_OTHER_LINE[key])
        elif key in _PRESS_KEYS and self._chosen is not None:
            self._kept = True
            self.point_clicked.emit(*self._chosen)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYS and self._chosen is None:
            self._choose(self._start())
        self._move_ring()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._choose(self._chosen if self._kept else None)

    def _choose(self, chosen: tuple[int, int] | None) -> None:
        self._chosen = chosen
        self._move_ring()
        self._tell()

    def _move_ring(self) -> None:
        ring = Ring()
        if self._chosen is not None:
            line, point = self._chosen
            drawn = self._layer.drawn[line]
            at = QPointF(drawn.across[point], drawn.up[point])
            inside = self.frame.plot.adjusted(-1, -1, 1, 1).contains(at)
            colour = QColor(tokens().text) if self.hasFocus() else drawn.stroke.colour
            ring = Ring(at if inside else None, colour)
        self._layer.ring = ring
        self.canvas.viewport().update()

    def _shown(self, line: int) -> NDArray[np.intp]:
        """Give the points of a line that stand inside the plot."""
        drawn, plot = self._layer.drawn[line], self.frame.plot.adjusted(-1, -1, 1, 1)
        across, up = drawn.across, drawn.up  # what is NaN is not between anything
        inside = (across >= plot.left()) & (across <= plot.right())
        return np.flatnonzero(inside & (up >= plot.top()) & (up <= plot.bottom()))

    def _start(self) -> tuple[int, int] | None:
        """Give the point of the first line at the dashed line, or else its first point."""
        for line in self.solid():
            if self._shown(line).size:
                return self._near(line, -np.inf if self._mark is None else self._mark)
        return None

    def _near(self, line: int, x: float) -> tuple[int, int]:
        """Give the point of a line that is nearest to a value."""
        shown = self._shown(line)
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
        shown = self._shown(line)
        if shown.size > _FINE:
            shown = _apart(self._layer.drawn[line], shown)
        target = int(np.searchsorted(shown, point)) + by
        self._choose((line, int(shown[min(max(target, 0), shown.size - 1)])))

    def _change_line(self, by: int) -> None:
        chosen, solid = self._chosen or self._start(), self.solid()
        if chosen is None:
            return
        target = solid[(solid.index(chosen[0]) + by) % len(solid)]
        if self._shown(target).size:
            self._choose(self._near(target, float(self._lines[chosen[0]].x[chosen[1]])))

    def _point_at(self, at: QPointF) -> tuple[int, int] | None:
        best, found = _REACH, None
        for line in self.solid():
            drawn, shown = self._layer.drawn[line], self._shown(line)
            away = np.hypot(drawn.across[shown] - at.x(), drawn.up[shown] - at.y())
            if away.min(initial=np.inf) < best:
                best, found = float(away.min()), (line, int(shown[np.argmin(away)]))
        return found

    def _press(self, at: QPointF) -> None:
        found = self._point_at(at)
        if found is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._kept = True
            self._choose(found)
            self.point_clicked.emit(*found)

    def _hover(self, at: QPointF, _pressed: bool) -> None:
        found, viewport = self._point_at(at), self.canvas.viewport()
        if found is None:
            viewport.unsetCursor()
            viewport.setToolTip("")
            return
        if self.isSignalConnected(QMetaMethod.fromSignal(self.point_clicked)):
            viewport.setCursor(Qt.CursorShape.PointingHandCursor)
        tip = self.reading(*found)
        if viewport.toolTip() != tip:
            QToolTip.hideText()
            viewport.setToolTip(tip)

    def _tell(self) -> None:
        super()._tell()
        if self._chosen is not None:
            reading = ", ".join(self.reading(*self._chosen).splitlines())
            self.describe(f"{self.accessibleDescription()} Chosen: {reading}.")


def _exists(lines: Sequence[Line], line: int, point: int) -> bool:
    inside = 0 <= line < len(lines) and not lines[line].faint
    return inside and 0 <= point < lines[line].x.size


def _apart(drawn: Drawn, points: NDArray[np.intp]) -> NDArray[np.intp]:
    """Leave out points that lie on the one before."""
    cells = np.stack([drawn.across[points], drawn.up[points]]) // _SEEN
    return points[np.append(True, (np.diff(cells) != 0).any(axis=0))]
