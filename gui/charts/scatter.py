"""Points of a few classes in four quadrants, between two marks that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetricsF, QKeyEvent, QPainter, QPen

from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count
from gui.charts.axes import Axis, Ticks, linear_ticks, read_out
from gui.charts.chart import BY_KEYS, NOTHING, Chart
from gui.charts.legend import Dot, dots
from gui.style.theme import SMALL, Tokens, Tone, font

Quadrant = tuple[str, Tone]
"""The words and the tone of a quadrant."""

_BOLD = QFont.Weight.DemiBold
_REACH = 9.0  # px from a line, or a point, within which the pointer finds it
_RING = 6.5  # px, the radius of a handle
_INSETS = 34.0, 14.0  # px from the edge of the plot to a handle: above the words, and at the right
_EDGE = 4.0  # px from the edge of a quadrant to its words
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Down: (1, -1),
    Qt.Key.Key_Up: (1, 1),
}
_FINE, _COARSE = 1 / 200, 1 / 20  # of the range, at each press of a key; coarse with Shift
_ROOM = 0.06
_QUADRANT = 0.2  # of the range, at least, beyond a mark
_CURSORS = (Qt.CursorShape.SizeHorCursor, Qt.CursorShape.SizeVerCursor)


@dataclass(frozen=True, eq=False)
class Points:
    """One class of points, (n, 2)."""

    name: str
    at: Doubles


class ScatterChart(Chart):
    """Up to three classes of points, a probe among them, and a mark across each axis.

    The marks are dragged by their rings or lines; by keys, ← → move the one, ↑ ↓ the other.
    """

    marks_moved = Signal(float, float)

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__(x_title, y_title)
        self._points: tuple[Points, ...] = ()
        self._dots: list[Dot] = []
        self._quadrants: tuple[Quadrant, ...] = ()
        self._marks: tuple[float, float] | None = None
        self._probe: tuple[float, float] | None = None
        self._probe_words: Quadrant = ("", "accent")
        self._dragged: int | None = None
        self._by_keys = False
        self.describe()

    def show_points(self, points: Sequence[Points], quadrants: Sequence[Quadrant]) -> None:
        """Draw classes of points.

        ``quadrants``: lower left, lower right, upper left, upper right, as the marks divide them.
        """
        self._points, self._quadrants = tuple(points), tuple(quadrants)
        self._fit()

    def points(self) -> tuple[Points, ...]:
        """Return the points drawn."""
        return self._points

    def set_probe(self, at: tuple[float, float] | None, words: Quadrant = ("", "accent")) -> None:
        """Put a diamond with a label at the place of a photograph, or remove it."""
        self._probe, self._probe_words = at, words
        self._fit()

    def set_marks(self, marks: tuple[float, float] | None) -> None:
        """Put the marks on both axes, or remove them and with them the quadrants."""
        self._marks = marks
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.NoFocus if marks is None else policy.StrongFocus)
        self._fit()

    def marks(self) -> tuple[float, float] | None:
        """Return the marks on both axes."""
        return self._marks

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        most = max(1, int(width / (metrics.horizontalAdvance("000") + 24)))
        return linear_ticks(
            self.frame.x.lo, self.frame.x.hi, min(most, 6), percent=False, whole=False
        )

    def choose_y_ticks(self, most: int) -> Ticks:
        return linear_ticks(
            self.frame.y.lo, self.frame.y.hi, min(most, 5), percent=True, whole=False
        )

    def colour(self, look: Tokens) -> None:
        self._dots = dots(look, len(self._points))
        names = (each.name for each in self._points)
        self.legend.entries = tuple(zip(names, self._dots, strict=True))

    # What is painted

    def quadrant_places(self) -> list[QRectF]:
        """Return the rectangles of the quadrants in pixels, in their order; none without marks."""
        if self._marks is None:
            return []
        plot, (x, y) = self.frame.plot, self._crossing()
        return [
            QRectF(QPointF(left, top), QPointF(right, bottom))
            for top, bottom in ((y, plot.bottom()), (plot.top(), y))
            for left, right in ((plot.left(), x), (x, plot.right()))
        ]

    def rings(self) -> list[QPointF]:
        """Return the places of both handles: of the mark across, and of the mark up."""
        if self._marks is None:
            return []
        plot, (x, y) = self.frame.plot, self._crossing()
        return [QPointF(x, plot.bottom() - _INSETS[0]), QPointF(plot.right() - _INSETS[1], y)]

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        places = self.quadrant_places()
        for place, (_, tone) in zip(places, self._quadrants, strict=False):
            ground = QColor(look.tone(tone)[1])
            ground.setAlphaF(0.7)
            painter.fillRect(place, ground)
        painter.save()
        painter.setClipRect(self.frame.plot.adjusted(-4, -4, 4, 4))
        for points, dot in reversed(list(zip(self._points, self._dots, strict=True))):
            across, up = self.frame.px(points.at[:, 0]), self.frame.py(points.at[:, 1])
            dot.paint_many(painter, list(map(QPointF, across.tolist(), up.tolist())))
        painter.restore()
        painter.setFont(font(SMALL, _BOLD))
        for number, (place, quadrant) in enumerate(zip(places, self._quadrants, strict=False)):
            self._paint_words(painter, place, quadrant, look, corner=number)

    def _paint_words(
        self, painter: QPainter, place: QRectF, quadrant: Quadrant, look: Tokens, *, corner: int
    ) -> None:
        """Write what a quadrant means in its outer corner, if it has room."""
        words, tone = quadrant
        metrics = painter.fontMetrics()
        box = QRectF(0, 0, metrics.horizontalAdvance(words) + 12, metrics.height() + 4)
        if place.width() < box.width() + 2 * _EDGE or place.height() < box.height() + _EDGE:
            return
        if corner % 2:
            box.moveRight(place.right() - _EDGE)
        else:
            box.moveLeft(place.left() + _EDGE)
        if corner < 2:
            box.moveBottom(place.bottom() - _EDGE)
        else:
            box.moveTop(place.top() + _EDGE / 2)
        text, soft = look.tone(tone)
        ground = QColor(soft)
        ground.setAlphaF(0.9)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        plot = self.frame.plot
        if self._marks is not None:
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
            self._paint_probe(painter, look)

    def _paint_probe(self, painter: QPainter, look: Tokens) -> None:
        at = self.probe_place()
        words, tone = self._probe_words
        colour, ground = (QColor(each) for each in look.tone(tone))
        Dot("diamond", colour, QColor(look.surface), 7.0).paint(painter, at)
        painter.setFont(font(SMALL, _BOLD))
        metrics, plot = painter.fontMetrics(), self.frame.plot
        box = QRectF(0, 0, metrics.horizontalAdvance(words) + 16, metrics.height() + 4)
        box.moveCenter(at - QPointF(0, box.height() / 2 + 12))
        if box.top() < plot.top():
            box.moveCenter(at + QPointF(0, box.height() / 2 + 12))
        box.moveLeft(min(max(box.left(), plot.left()), plot.right() - box.width()))
        painter.setPen(QPen(colour, 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

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
        if self._dragged is not None and pressed and self._marks is not None:
            marks = list(self._marks)
            marks[self._dragged] = self._value(self._dragged, at)
            self._move(marks[0], marks[1])
            return
        mark = self._mark_at(at)
        self.point_out(
            self.reading(at) if mark is None else "", None if mark is None else _CURSORS[mark]
        )

    def release(self) -> None:
        self._dragged = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or self._marks is None:
            super().keyPressEvent(event)
            return
        (mark, way), marks = step, list(self._marks)
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        axis = self._axes()[mark]
        marks[mark] += way * (_COARSE if shift else _FINE) * (axis.hi - axis.lo)
        self._move(marks[0], marks[1])

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_keys = event.reason() in BY_KEYS
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._by_keys = False
        super().focusOutEvent(event)

    def reading(self, at: QPointF) -> str:
        """Return what the point under the pointer is, as in the tooltip."""
        best, said = _REACH, ""
        for points in self._points:
            if not len(points.at):
                continue
            across, up = self.frame.px(points.at[:, 0]), self.frame.py(points.at[:, 1])
            away = np.hypot(across - at.x(), up - at.y())
            nearest = int(away.argmin())
            if away[nearest] < best:
                best, (x, y) = float(away[nearest]), points.at[nearest]
                said = "\n".join([points.name, *self._place_words(float(x), float(y))])
        return said

    def _place_words(self, x: float, y: float) -> list[str]:
        return [
            f"{self.frame.x.title}: {read_out(x, False)}",
            f"{self.frame.y.title}: {read_out(y, True)}",
        ]

    def _axes(self) -> tuple[Axis, Axis]:
        return self.frame.x, self.frame.y

    def _mark_at(self, at: QPointF) -> int | None:
        """Return which mark a press here grabs: the nearer ring, else the nearer line."""
        if self._marks is None or not self.frame.plot.adjusted(-4, -4, 4, 4).contains(at):
            return None
        x, y = self._crossing()
        to_rings = [np.hypot(at.x() - ring.x(), at.y() - ring.y()) for ring in self.rings()]
        to_lines = [abs(at.x() - x), abs(at.y() - y)]
        for away, reach in ((to_rings, 2 * _REACH), (to_lines, _REACH)):
            nearest = int(np.argmin(away))
            if away[nearest] <= reach:
                return nearest
        return None

    def _value(self, mark: int, at: QPointF) -> float:
        if mark == 0:
            return self.frame.value_at(at.x())
        plot, y = self.frame.plot, self.frame.y
        return y.lo + (plot.bottom() - at.y()) / (plot.height() or 1.0) * (y.hi - y.lo)

    def _crossing(self) -> tuple[float, float]:
        x, y = self._marks or (0.0, 0.0)
        return self.frame.px(x), self.frame.py(y)

    def _move(self, x: float, y: float) -> None:
        """Move the marks within what is shown."""
        inside = [
            min(max(value, axis.lo), axis.hi)
            for value, axis in zip((x, y), self._axes(), strict=True)
        ]
        self._marks = inside[0], inside[1]
        self._still = None  # the quadrants are below the points
        self.update()
        self.describe()
        self.marks_moved.emit(*inside)

    def _fit(self) -> None:
        """Show all points, the probe and the marks."""
        every = [each.at for each in self._points]
        every += [np.array([one]) for one in (self._probe, self._marks) if one is not None]
        both = np.concatenate(every or [np.zeros((0, 2))])
        for axis, values in zip(self._axes(), both.T, strict=True):
            axis.lo, axis.hi = _range(values[np.isfinite(values)])
        if self._marks is not None:  # the words of each quadrant have room
            for axis, mark in zip(self._axes(), self._marks, strict=True):
                axis.hi = max(axis.hi, mark + _QUADRANT * (axis.hi - axis.lo))
        self.arrange()
        self.describe()

    def describe(self) -> None:
        """Describe in words what is drawn, for screen readers."""
        if not self._points:
            self.setAccessibleDescription(NOTHING)
            return
        said = [f"{each.name}: {count(len(each.at), 'point')}." for each in self._points]
        if self._probe is not None:
            said.append(f"{self._probe_words[0]}: {', '.join(self._place_words(*self._probe))}.")
        if self._marks is not None:
            said.append(f"The marks stand at {', '.join(self._place_words(*self._marks))}.")
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
