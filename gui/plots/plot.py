"""Plot widget: axes with marks, a legend above them, and movable lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QMetaMethod,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QToolTip

from eigenfaces.space.arrays import Numbers
from eigenfaces.text import capital
from ..style.theme import SMALL_FONT, Tokens, font, tokens
from .axes import EDGE, Axis, line_height, paint_axes
from .canvas import ARROWS, Canvas
from .marks import Line, PlotMark, ReferenceLine, cell_changes
from .strokes import LegendEntry, pill_rect

NOTHING_DRAWN = "Nothing has been drawn yet."
"""The accessible description of an empty plot."""

Mark = TypeVar("Mark", bound=PlotMark)
Item = tuple[int, int]
"""The index of a mark and the index of one of its items."""

_PRESS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
_STEPS = ARROWS | {
    Qt.Key.Key_PageDown: (-10, 0),
    Qt.Key.Key_PageUp: (10, 0),
    Qt.Key.Key_Home: (-(10**9), 0),
    Qt.Key.Key_End: (10**9, 0),
}
_FINE, _VISIBLE = 1000, 2.0  # with more points than this, keys skip points closer than this in px
_EQUAL = 44.0  # px between two ticks if both axes have the same units
_AT_LINE = 12.0  # px from a line within which the cursor shows that the line can move
_SPACE, _APART = 6.0, 14.0  # px in the legend: from a sample to its name, and to the next sample


class PlotView(Canvas):
    """Widget that shows a plot, whose marks are replaced when the data change.

    ``picked`` is emitted with the indices of a mark and its item after a click or Enter. While the
    user moves the line, ``line_moved`` is emitted with its value, and ``released`` at the end.
    """

    picked = Signal(int, int)
    line_moved = Signal(int)
    released = Signal()

    def __init__(self, x: Axis, y: Axis, *, equal: bool = False) -> None:
        """Create an empty plot; if ``equal``, a unit has the same length on both axes."""
        super().__init__(x, y)
        self.marks: tuple[PlotMark, ...] = ()
        self._equal = equal
        self._selected: Item | None = None
        self._pointed: Item | None = None
        self._dragged = False
        self.setMinimumSize(160, 140)
        self._name()

    # Marks

    def show_marks(
        self, marks: Sequence[PlotMark], x: Axis | None = None, y: Axis | None = None
    ) -> None:
        """Show these marks (the first on top) and any new axes, fast enough for animation."""
        self.marks, self._pointed = tuple(marks), None
        self.axes.x, self.axes.y = x or self.axes.x, y or self.axes.y
        if self._selected is not None:
            mark, item = self._selected
            there = mark < len(marks) and marks[mark].selectable
            if not there or item >= len(marks[mark].item_pixels(self.axes)):
                self._selected = None
        self._dragged &= self._movable_line() is not None
        focus = any(mark.selectable for mark in marks) or self._movable_line() is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if focus else Qt.FocusPolicy.NoFocus)
        self._show_focus()
        self.update_layout()
        self._name()

    def _name(self) -> None:
        named = filter(None, (self.axes.y.label, self.axes.x.label))
        self.setAccessibleName(f"Plot: {' against '.join(named)}".removesuffix(": "))
        self.describe()

    def marks_of(self, kind: type[Mark]) -> list[Mark]:
        """Return the marks that are instances of this class."""
        return [mark for mark in self.marks if isinstance(mark, kind)]

    def move_line(self, value: float, label: str) -> None:
        """Move the first reference line to a value without repainting the fixed part."""
        line = self.marks_of(ReferenceLine)[0]
        needs_room = bool(label) != bool(line.label)
        line.value, line.label = value, label
        if needs_room:
            self.update_layout()
        self.update()
        self.describe()

    def item_text(self, mark: int, item: int) -> str:
        """Return the tooltip of an item, with the name of its mark if several marks have names."""
        tip, name = self.marks[mark].tooltip(self.axes, item), self.marks[mark].name
        if self._named_count() < 2 or not name:
            return tip
        return f"{name}\n{tip}" if "\n" in tip else f"{name}, {tip}"

    def describe(self) -> None:
        """Update the description of the plot for screen readers."""
        drawn = self.mark_sentences()
        if not drawn:
            self.setAccessibleDescription(NOTHING_DRAWN)
            return
        against = " against ".join(filter(None, (self.axes.y.title, self.axes.x.title)))
        sentences = [f"{capital(against)}.", *drawn] if against else drawn
        if values := self._values_at_line():
            sentences.append(f"At the line: {', '.join(values)}.")
        if self._selected is not None:
            reading = ", ".join(self.item_text(*self._selected).splitlines())
            sentences.append(f"Chosen: {reading}.")
        if self._movable_line() is not None:
            sentences.append("Use the arrow keys to move the line; hold Shift for larger steps.")
        self.setAccessibleDescription(" ".join(sentences))

    def _values_at_line(self) -> list[str]:
        """Return the curves' values at the first vertical line, unless the label shows them."""
        lines = (line for line in self.marks_of(ReferenceLine) if not line.across)
        line = next((line for line in lines if line.is_seen(self.axes)), None)
        values: list[str] = []
        if line is None:
            return values
        for curve in self.marks_of(Line):
            value = self.axes.y.format_value(curve.value_near(line.value))
            if curve.selectable and value not in line.label:
                values.append(f"{curve.name} {value}" if self._named_count() > 1 else value)
        return values

    def mark_sentences(self) -> list[str]:
        """Return a sentence about each mark, with its name if several marks are named."""
        sentences = []
        for mark in self.marks:
            if words := mark.summary(self.axes):
                named = mark.name and self._named_count() > 1
                sentences.append(f"{mark.name}: {words}" if named else capital(words))
        return sentences

    # Layout

    def update_layout(self) -> None:
        """Choose the colours, lay out the ticks, titles and legend, and repaint."""
        number, named = 0, self._named_count()
        for mark in self.marks:
            mark.alone = named < 2
            mark.set_colours(tokens(), number)
            number += bool(mark.legend_entries())
        self.axes.size = QRectF(self.rect())
        self._fit_ranges()
        line, legend = line_height(), self.legend_rect()
        words = any(mark.label and not mark.solid for mark in self.marks_of(ReferenceLine))
        above = 0.0 if legend.isEmpty() else legend.height() + 4
        self._place_plot(above + (pill_rect("").height() + line / 2 if words else line / 2 + 2))
        self.invalidate()

    def _fit_ranges(self) -> None:
        """Set the ranges of the axes to their spans, or to the ranges that the marks need."""
        x, y, nothing = self.axes.x, self.axes.y, np.zeros(0)
        x.fit(np.concatenate([nothing, *(mark.x_extent(x) for mark in self.marks)]), exact=True)
        ys = [mark.y_extent(self.axes) for mark in self.marks]
        y.fit(np.concatenate([nothing, *ys]), exact=False)
        for mark in self.marks:
            y.lo, y.hi = mark.y_span or (y.lo, y.hi)

    def _place_plot(self, top: float) -> None:
        """Set the plot rectangle below ``top``, and choose the ticks."""
        axes, x, y = self.axes, self.axes.x, self.axes.y
        ranges = x.lo, x.hi, y.lo, y.hi
        for _ in range(3 if self._equal else 2):  # tick labels take room from the plot
            axes.place(top)
            for mark in self.marks:
                axes.plot = mark.fit_plot_rect(axes.plot)
            if self._equal:
                self._widen(*ranges)
            self._choose_ticks()

    def _widen(self, left: float, right: float, low: float, high: float) -> None:
        """Widen the range of one axis, so that a unit has the same length on both axes."""
        plot, x, y = self.axes.plot, self.axes.x, self.axes.y
        unit = max((right - left) / plot.width(), (high - low) / plot.height()) or 1.0
        across, up = unit * plot.width() / 2, unit * plot.height() / 2
        x.lo, x.hi = (left + right) / 2 - across, (left + right) / 2 + across
        y.lo, y.hi = (low + high) / 2 - up, (low + high) / 2 + up

    def _choose_ticks(self) -> None:
        """Choose as many ticks for the axes as there is room for."""
        axes, x, y = self.axes, self.axes.x, self.axes.y
        width, height = axes.plot.width(), axes.plot.height()
        if self._equal:
            x.ticks = x.ticks_for(max(1, int(width / _EQUAL)))
            y.ticks = y.ticks_for(max(1, int(height / _EQUAL)))
            return
        positions = np.concatenate([np.zeros(0), *(mark.x_extent(x) for mark in self.marks)])
        x.ticks = x.ticks_across(width, positions) if positions.size or x.span else ()
        y.ticks = y.ticks_for(min(5, max(2, int(height / (1.9 * line_height())))))
        for mark in self.marks:
            across, up = mark.ticks(axes)
            x.ticks, y.ticks = across or x.ticks, up or y.ticks

    # The legend: a box above the plot with the name of each series, and its colour or stroke

    def legend(self) -> list[LegendEntry]:
        """Return the entries of the legend, or an empty list if there is only one entry."""
        entries = [entry for mark in self.marks for entry in mark.legend_entries() if entry[0]]
        return entries if len(entries) > 1 else []

    def legend_layout(self) -> list[tuple[QRectF, LegendEntry]]:
        """Return the legend entries, with long names truncated, and their rectangles in rows."""
        room, metrics = self.axes.size.width() - EDGE - 20, QFontMetricsF(font(SMALL_FONT))
        places, left, top = list[tuple[QRectF, LegendEntry]](), 0.0, 4.5
        for name, sample in self.legend():
            around = sample.sample + _SPACE + _APART
            name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room - around)
            width = metrics.horizontalAdvance(name) + around
            if left and left + width - _APART > room:
                left, top = 0.0, top + metrics.height() + 2
            places.append((QRectF(left, top, width, metrics.height() + 2), (name, sample)))
            left += width
        spare = room - max((box.right() - _APART for box, _ in places), default=0.0)
        return [(box.translated(max(0.0, spare) + 10, 0), entry) for box, entry in places]

    def legend_rect(self) -> QRectF:
        """Return the rectangle of the legend, which is empty if there is no legend."""
        box = QRectF()
        for place, _ in self.legend_layout():
            box = box.united(place)
        return box.adjusted(-10, -3.5, 10 - _APART, 3.5) if not box.isEmpty() else box

    # Painting

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        """Paint the marks that do not move, with the first one on top."""
        painter.save()
        painter.setClipRect(self.axes.plot)
        for mark in self.marks:
            mark.paint_ground(painter, self.axes, look)
        painter.restore()
        for mark in reversed(self.marks):
            if not mark.overlay:
                mark.paint(painter, self.axes, look)

    def paint_overlay(self, painter: QPainter, look: Tokens) -> None:
        """Paint the moving part: outlines of selected or hovered items, and marks that may move."""
        selected = self._selected if self.hasFocus() else None
        for mark, item in filter(None, dict.fromkeys((selected, self._pointed))):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.text if self.hasFocus() else look.secondary), 1.6))
            box = self.marks[mark].item_rect(self.axes, item)
            spot = self.marks[mark].item_pixels(self.axes)[[item]]
            if not box.isEmpty():
                painter.drawRoundedRect(box, 2, 2)
            elif self.axes.contains(spot).all():
                painter.drawEllipse(QPointF(*spot[0].tolist()), 7.5, 7.5)
        for over in reversed(self.marks):
            if over.overlay:
                over.paint(painter, self.axes, look)

    def paint_static(self, painter: QPainter) -> None:
        """Paint the fixed part: axes, marks and legend."""
        look, legend = tokens(), self.legend_rect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_axes(painter, self.axes, look)
        self.paint_content(painter, look)
        if legend.isEmpty():
            return
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(legend.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(SMALL_FONT))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for place, (name, sample) in self.legend_layout():
            sample.paint_sample(painter, QPointF(place.left(), place.center().y()))
            painter.setPen(QColor(look.text))
            painter.drawText(place.adjusted(sample.sample + _SPACE, 0, 0, 0), side, name)

    # The pointer

    def press(self, pos: QPointF) -> None:
        """Grab the movable line, or select the item at this position."""
        line = self._movable_line()
        items = self._pick(pos, selectable=True) if line is None else []
        self._dragged = line is not None and line.is_gripped(self.axes, pos)
        if self._dragged or items:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self._dragged:
            self.track_pointer(pos, pressed=True)
        elif items:
            self._select(items[0], press=True)

    def track_pointer(self, pos: QPointF, pressed: bool) -> None:
        """Move the dragged line, or show the tooltip of the item under the pointer."""
        line, shapes = self._movable_line(), Qt.CursorShape
        if line is not None and self._dragged and pressed:
            if line.move_to(self.axes, float(self.axes.value_at(pos)[0])):
                self._report_move(line)
            return
        items, cursor = self._pick(pos), None
        selectable = items and self.marks[items[0][0]].selectable and line is None
        if (pointed := items[0] if selectable else None) != self._pointed:
            self._pointed = pointed
            self.update()
        if line is not None and line.is_gripped(self.axes, pos):
            away = abs(pos.x() - line.ends(self.axes)[0].x())
            cursor = shapes.SizeHorCursor if away < _AT_LINE else shapes.PointingHandCursor
        elif items and self.isSignalConnected(QMetaMethod.fromSignal(self.picked)):
            clickable = self.marks[items[0][0]].clickable(items[0][1])
            cursor = shapes.PointingHandCursor if clickable else None
        self.show_tooltip("\n".join(self.item_text(*item) for item in items), cursor)

    def release(self) -> None:
        """Release the line."""
        if self._dragged:
            self._dragged = False
            self.released.emit()

    def show_tooltip(self, tip: str, cursor: Qt.CursorShape | None) -> None:
        """Set the tooltip, and the cursor that shows what pressing the mouse button would do."""
        if cursor is None:
            self.unsetCursor()
        else:
            self.setCursor(cursor)
        if self.toolTip() != tip:
            QToolTip.hideText()
            self.setToolTip(tip)

    def _pick(self, pos: QPointF, *, selectable: bool = False) -> list[Item]:
        """Return the item nearest to a pixel, or all items at the pixel if areas overlap."""
        near = [
            (hit[0], (number, hit[1]))
            for number, mark in enumerate(self.marks)
            if (mark.selectable or not selectable) and (hit := mark.item_at(self.axes, pos))
        ]
        least = min((distance for distance, _ in near), default=0.0)
        items = [item for distance, item in near if distance == least]
        return items if least == 0.0 else items[:1]

    def _movable_line(self) -> ReferenceLine | None:
        return next((line for line in self.marks_of(ReferenceLine) if line.movable), None)

    def _report_move(self, line: ReferenceLine) -> None:
        self.update()
        self.describe()
        self.line_moved.emit(round(line.value))

    # Selection and keys

    def _named_count(self) -> int:
        return sum(bool(mark.legend_entries()) for mark in self.marks)

    def _select(self, item: Item | None, *, press: bool = False) -> None:
        if item != self._selected:
            self._selected = item
            self.update()
            self.describe()
        if press and item is not None and self.marks[item[0]].clickable(item[1]):
            self.picked.emit(*item)

    def _first(self) -> Item | None:
        """Return the item that the keys select first: nearest to the first line, or leftmost."""
        at = next((line.ends(self.axes)[0].x() for line in self.marks_of(ReferenceLine)), 0.0)
        for number, mark in enumerate(self.marks):
            if mark.selectable and (item := self._nearest(number, at)) is not None:
                return number, item
        return None

    def _nearest(self, mark: int, px: float) -> int | None:
        """Return the item of a mark that is nearest to a horizontal pixel coordinate."""
        items, spots = self._visible(mark), self.marks[mark].item_pixels(self.axes)
        return int(items[np.abs(spots[items, 0] - px).argmin()]) if items.size else None

    def _visible(self, mark: int) -> Numbers:
        """Return the visible items of a mark; if there are very many, skip some that overlap."""
        spots = self.marks[mark].item_pixels(self.axes)
        items = np.flatnonzero(self.axes.contains(spots))
        return items[cell_changes(spots[items], _VISIBLE)] if items.size > _FINE else items

    def _next(self, mark: int, item: int, key: Qt.Key) -> Item | None:
        """Return the item that a key selects after this item, or None if the key does nothing."""
        (across, up), items = _STEPS.get(key, (0, 0)), self._visible(mark)
        if (columns := self.marks[mark].columns) and key in ARROWS:
            row, column = item // columns - up, item % columns + across
            return mark, min(max(row, 0), columns - 1) * columns + min(max(column, 0), columns - 1)
        if across and items.size:
            target = int(np.searchsorted(items, item)) + across
            return mark, int(items[min(max(target, 0), items.size - 1)])
        selectable = [number for number, other in enumerate(self.marks) if other.selectable]
        if not up or len(selectable) < 2:
            return None
        target = selectable[(selectable.index(mark) - up) % len(selectable)]
        near = self._nearest(target, float(self.marks[mark].item_pixels(self.axes)[item, 0]))
        return (mark, item) if near is None else (target, near)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, line, steps = Qt.Key(event.key()), self._movable_line(), self._steps_of(event)
        start = self._selected or self._first() if line is None else None
        target = None if start is None else self._next(*start, key)
        if line is not None and steps:
            if line.move_to(self.axes, line.value + steps):
                self._report_move(line)
        elif target is not None:
            self._select(target if self._selected is not None else start)
        elif key in _PRESS and self._selected is not None:
            self._select(self._selected, press=True)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._movable_line() is None or not self._steps_of(event) or event.isAutoRepeat():
            super().keyReleaseEvent(event)
        else:
            self.released.emit()

    def _steps_of(self, event: QKeyEvent) -> int:
        """Return the number of steps by which a key moves the line."""
        far = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        return _STEPS.get(Qt.Key(event.key()), (0, 0))[0] * (10 if far else 1)

    # Events

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.focused_by_keys and self._selected is None and self._movable_line() is None:
            self._select(self._first())
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focus()

    def _show_focus(self) -> None:
        if (line := self._movable_line()) is not None:
            line.focused = self.focused_by_keys
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointed = None
        self.update()
