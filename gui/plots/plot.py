"""The one painter: a widget with axes, a list of marks, a legend above, and rules that move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QEvent,
    QIODevice,
    QMarginsF,
    QMetaMethod,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPaintEvent,
    QPdfWriter,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from eigenfaces.space.arrays import Numbers
from eigenfaces.text import capital
from gui.plots.axes import GAP, Axis, Frame, paint_axes, widest
from gui.plots.marks import PlotMark, Rule, changes
from gui.plots.strokes import Entry
from gui.state.session import Session
from gui.style.theme import SMALL, Tokens, font, tokens, zoomed
from gui.widgets.saving import add_exports

BY_KEYS = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
"""The focus came from the keyboard, so what the keys would move has to be seen."""

NOTHING = "Nothing is drawn yet."
"""The description of an empty plot."""

PLOT_FILES = (("as a drawing", "svg"), ("as a picture", "png"), ("as PDF", "pdf"))
"""What a plot can be saved as, and its suffix."""

Mark = TypeVar("Mark", bound=PlotMark)
Item = tuple[int, int]
"""The number of a mark, and of one of its items."""

_PRESS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_STEPS = {
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -(10**9),
    Qt.Key.Key_End: 10**9,
}
_FINE, _SEEN = 1000, 2.0  # with more points, keys skip those nearer to the last one than so many px
_EQUAL = 44.0  # px between two ticks where both axes have the same steps
_SPACE, _APART = 6.0, 14.0
_EDGE = 12.0  # right of the plot
_SCALE = 2  # of a picture in a file


class PlotView(QWidget):
    """Axes and marks over them; new data replace the marks.

    ``picked``: the number of a mark, and of its item that was clicked, or chosen by Enter.
    ``moved``: the number of a rule that a person moves, and its value; ``released``: let go.
    """

    picked = Signal(int, int)
    moved = Signal(int, float)
    released = Signal(int)

    def __init__(self, x: Axis, y: Axis, *, equal: bool = False) -> None:
        """``equal``: a step across is as long as a step up."""
        super().__init__()
        self.frame = Frame(x, y)
        self.marks: tuple[PlotMark, ...] = ()
        self._equal = equal
        self._item: Item | None = None  # chosen
        self._kept = False  # by a click or Enter, else only while the keys are here
        self._under: Item | None = None  # the pointer
        self._rule: int | None = None  # which of those that can be moved is dragged
        self._by_keys = False  # the focus came by them, and is shown
        self._still: QPixmap | None = None  # what does not change while a rule or a ring moves
        self.setMouseTracking(True)
        self.setMinimumSize(160, 140)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._name()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    # What is drawn

    def show_marks(
        self, marks: Sequence[PlotMark], x: Axis | None = None, y: Axis | None = None
    ) -> None:
        """Draw these marks, the first one on top, perhaps on other axes; fast enough for growth."""
        self.marks, self._under = tuple(marks), None
        self.frame.x, self.frame.y = x or self.frame.x, y or self.frame.y
        if self._item is not None and not self._exists(*self._item):
            self._item, self._kept = None, False
        if self._rule is not None and self._rule >= len(self._movable()):
            self._rule = None  # what is dragged is there no more
        focus = any(mark.selectable for mark in marks) or bool(self._movable())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if focus else Qt.FocusPolicy.NoFocus)
        self._show_focus()
        self.arrange()
        self._name()

    def _name(self) -> None:
        self.setAccessibleName(f"Plot: {self.frame.y.words} against {self.frame.x.words}")
        self.describe()

    def of(self, kind: type[Mark]) -> list[Mark]:
        """Return the marks of a kind."""
        return [mark for mark in self.marks if isinstance(mark, kind)]

    def move_rule(self, at: float, label: str) -> None:
        """Move the first rule; nothing else is painted anew, unless it needs other room."""
        rule, before = self.of(Rule)[0], self._head_room()
        rule.at, rule.label = at, label
        if self._head_room() != before:
            self.arrange()
        self.update()
        self.describe()

    def reading(self, mark: int, item: int) -> str:
        """Return what an item is, as in the tooltip."""
        told, name = self.marks[mark].tooltip(self.frame, item), self.marks[mark].name
        if self._named() < 2 or not name:
            return told
        return f"{name}\n{told}" if "\n" in told else f"{name}, {told}"

    def describe(self) -> None:
        """Describe in words what is drawn, for screen readers."""
        said = [(mark.name, mark.summary(self.frame)) for mark in self.marks]
        told = [
            f"{name}: {words}" if name and self._named() > 1 else capital(words)
            for name, words in said
            if words
        ]
        if told and self._item is not None:
            reading = ", ".join(self.reading(*self._item).splitlines())
            told.append(f"Chosen: {reading}.")
        if self._movable():
            told.append("Arrow keys move it; with Shift, farther.")
        title = f"{capital(self.frame.y.title)} against {self.frame.x.title}."
        self.setAccessibleDescription(" ".join([title, *told]) if told else NOTHING)

    # Layout

    def arrange(self) -> None:
        """Choose colours, lay out ticks, titles and legend around the plot, and repaint."""
        number, named = 0, self._named()
        for mark in self.marks:
            mark.alone = named < 2
            mark.set_colours(tokens(), number)
            number += bool(mark.legend_entries())
        self.frame.size = QRectF(self.rect())
        self.set_ranges()
        self.place_plot(self._head_room())
        self.place_plot(self._head_room())  # a pill may stand beside the legend, or not
        self.paint_anew()

    def paint_anew(self) -> None:
        """Paint everything, not only what the pointer changes."""
        self._still = None
        self.update()

    def set_ranges(self) -> None:
        """Set the ranges of the axes: those that are wanted, or those that the marks need."""
        x, y, nothing = self.frame.x, self.frame.y, [np.zeros(0)]
        x.fit(np.concatenate([mark.xs(x) for mark in self.marks] or nothing), exact=True)
        y.fit(np.concatenate([mark.ys(self.frame) for mark in self.marks] or nothing), exact=False)
        for mark in self.marks:
            y.lo, y.hi = mark.y_span or (y.lo, y.hi)

    def place_plot(self, top: float) -> None:
        """Set the rectangle of the plot below ``top``, and the ticks."""
        frame, line = self.frame, QFontMetricsF(font(SMALL)).height()
        titles = (line + GAP if frame.x.title else 0.0), (line + GAP if frame.y.title else 2.0)
        bottom = frame.size.height() - (line + GAP + 1) - titles[0]
        right = frame.size.width() - _EDGE
        ranges = frame.x.lo, frame.x.hi, frame.y.lo, frame.y.hi
        for _ in range(3 if self._equal else 2):  # the texts beside it need room, and change it
            left = titles[1] + widest(frame.y.texts) + GAP
            frame.plot = QRectF(left, top, max(1.0, right - left), max(1.0, bottom - top))
            for mark in self.marks:
                frame.plot = mark.plot_area(frame.plot)
            if self._equal:
                self._widen(*ranges)
            self.choose_ticks()

    def _widen(self, left: float, right: float, low: float, high: float) -> None:
        """Show more of one axis than these ranges, so that steps are equally long on both."""
        plot, x, y = self.frame.plot, self.frame.x, self.frame.y
        unit = max((right - left) / plot.width(), (high - low) / plot.height()) or 1.0
        across, up = unit * plot.width() / 2, unit * plot.height() / 2
        x.lo, x.hi = (left + right) / 2 - across, (left + right) / 2 + across
        y.lo, y.hi = (low + high) / 2 - up, (low + high) / 2 + up

    def choose_ticks(self) -> None:
        """Choose what stands at the axes: as much as there is room for."""
        frame, x, y = self.frame, self.frame.x, self.frame.y
        width, height = frame.plot.width(), frame.plot.height()
        if self._equal:
            x.ticks = x.ticks_for(max(1, int(width / zoomed(_EQUAL))))
            y.ticks = y.ticks_for(max(1, int(height / zoomed(_EQUAL))))
            return
        at = np.concatenate([np.zeros(0), *(mark.xs(x) for mark in self.marks)])
        line = QFontMetricsF(font(SMALL)).height()
        x.ticks = x.ticks_across(width, at) if at.size or x.span else ()
        y.ticks = y.ticks_for(min(5, max(2, int(height / (1.9 * line)))))
        for mark in self.marks:
            x.ticks = mark.x_ticks(frame) or x.ticks
            y.ticks = mark.y_ticks(frame) or y.ticks

    # The legend: a box above the plot with a name for each series, and its colour or its stroke

    def legend(self) -> list[Entry]:
        """Return the names above the plot, if there are several."""
        entries = [entry for mark in self.marks for entry in mark.legend_entries() if entry[0]]
        return entries if len(entries) > 1 else []

    def legend_places(self) -> list[tuple[QRectF, Entry]]:
        """Return where the names stand, in rows at the right; one that is too long is shortened."""
        room, metrics = self.frame.size.width() - _EDGE - 20, QFontMetricsF(font(SMALL))
        placed, left, top = list[tuple[QRectF, Entry]](), 0.0, 4.5
        for name, sample in self.legend():
            around = sample.sample + _SPACE + _APART
            name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room - around)
            width = metrics.horizontalAdvance(name) + around
            if left and left + width - _APART > room:
                left, top = 0.0, top + metrics.height() + 2
            placed.append((QRectF(left, top, width, metrics.height() + 2), (name, sample)))
            left += width
        spare = room - max((box.right() - _APART for box, _ in placed), default=0.0)
        return [(box.translated(max(0.0, spare) + 10, 0), entry) for box, entry in placed]

    def legend_box(self) -> QRectF:
        """Return the rectangle of the legend; empty when there is nothing to name."""
        box = QRectF()
        for place, _ in self.legend_places():
            box = box.united(place)
        return box.adjusted(-10, -3.5, 10 - _APART, 3.5) if not box.isEmpty() else box

    def _paint_legend(self, painter: QPainter, look: Tokens) -> None:
        if (box := self.legend_box()).isEmpty():
            return
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(SMALL))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for place, (name, sample) in self.legend_places():
            sample.paint_sample(painter, QPointF(place.left(), place.center().y()))
            painter.setPen(QColor(look.text))
            painter.drawText(place.adjusted(sample.sample + _SPACE, 0, 0, 0), side, name)

    def _head_room(self) -> float:
        """Return the room above the plot for the legend, and for the words of rules beside it."""
        line, legend = QFontMetricsF(font(SMALL)).height(), self.legend_box()
        pills = [box for rule in self.of(Rule) if not (box := rule.pill(self.frame)).isEmpty()]
        room = legend.height() + 8 if not legend.isEmpty() else line / 2 + 2
        for box in pills:
            apart = box.left() > legend.right() + 6 or box.right() < legend.left() - 6
            below = 0.0 if legend.isEmpty() or apart else legend.height() + 4
            room = max(room, below + box.height() + line / 2)
        return room

    # What is painted

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        """Paint the marks, the first one on top."""
        painter.save()
        painter.setClipRect(self.frame.plot)
        for mark in self.marks:
            mark.paint_ground(painter, self.frame, look)
        painter.restore()
        for mark in reversed(self.marks):
            if not mark.overlay:
                mark.paint(painter, self.frame, look)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        """Paint what the pointer or the keys move, above the content."""
        for shown in dict.fromkeys((self._item, self._under)):
            if shown is None:
                continue
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.text if self.hasFocus() else look.secondary), 1.6))
            mark, item = self.marks[shown[0]], shown[1]
            box, at = mark.outline(self.frame, item), mark.spots(self.frame)[[item]]
            if not box.isEmpty() and (self.hasFocus() or shown == self._under):
                painter.drawRoundedRect(box, 2, 2)
            elif box.isEmpty() and self.frame.inside(at).all():
                painter.drawEllipse(QPointF(*at[0].tolist()), 7.5, 7.5)
        for mark in reversed(self.marks):
            if mark.overlay:
                mark.paint(painter, self.frame, look)

    def paint(self, painter: QPainter) -> None:
        """Paint everything, on a widget or into a file."""
        self.paint_still(painter)
        self.paint_moving(painter, tokens())

    def paint_still(self, painter: QPainter) -> None:
        """Paint what stays while the pointer moves: axes, marks and legend."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = tokens()
        paint_axes(painter, self.frame, look)
        self.paint_content(painter, look)
        self._paint_legend(painter, look)

    def paintEvent(self, _event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._still is None or self._still.devicePixelRatio() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)
            with QPainter(self._still) as painter:
                self.paint_still(painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._still)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint_moving(painter, tokens())

    # The pointer

    def press(self, at: QPointF) -> None:
        """Take hold of a rule, or choose an item."""
        self._rule, rules = self._rule_at(at), self._movable()
        if self._rule is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            if rules[self._rule].whole:
                self.hover(at, pressed=True)
        elif not rules and (found := self._pick(at, choosable=True)):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._kept = True
            self._choose(found[0])
            self._answer(found[0])

    def hover(self, at: QPointF, pressed: bool) -> None:
        """Move what is held; else say what lies under the pointer."""
        rules, shapes = self._movable(), Qt.CursorShape
        if self._rule is not None and pressed:
            rule, value = rules[self._rule], self.frame.value_at(at)
            if rule.move_to(self.frame, float(value[1 if rule.across else 0])):
                self._tell_moved(rule)
            return
        found, near = self._pick(at), self._rule_at(at)
        under = found[0] if found and self.marks[found[0][0]].selectable and not rules else None
        if under != self._under:
            self._under = under
            self.update()
        cursor = None
        if near is not None:
            grips = shapes.SizeVerCursor if rules[near].across else shapes.SizeHorCursor
            close = (rules[near].held_at(self.frame, at) or 0.0) < _EDGE
            cursor = grips if close else shapes.PointingHandCursor
        elif found and self.isSignalConnected(QMetaMethod.fromSignal(self.picked)):
            answers = self.marks[found[0][0]].clickable(found[0][1])
            cursor = shapes.PointingHandCursor if answers else None
        self.show_tooltip("\n".join(self.reading(*each) for each in found), cursor)

    def release(self) -> None:
        """Let go of what is held."""
        held, self._rule = self._rule, None
        if held is not None:
            self.released.emit(self.marks.index(self._movable()[held]))

    def show_tooltip(self, tip: str, cursor: Qt.CursorShape | None) -> None:
        """Show a tooltip, and the cursor for what a press would do here."""
        if cursor is None:
            self.unsetCursor()
        else:
            self.setCursor(cursor)
        if self.toolTip() != tip:
            QToolTip.hideText()
            self.setToolTip(tip)

    def _pick(self, at: QPointF, *, choosable: bool = False) -> list[Item]:
        """Return the nearest item at a pixel; of areas, all that lie there."""
        near = [
            (picked[0], (number, picked[1]))
            for number, mark in enumerate(self.marks)
            if (mark.selectable or not choosable) and (picked := mark.item_at(self.frame, at))
        ]
        least = min((away for away, _ in near), default=0.0)
        found = [item for away, item in near if away == least]
        return found if least == 0.0 else found[:1]

    def _movable(self) -> list[Rule]:
        return [rule for rule in self.of(Rule) if rule.movable]

    def _rule_at(self, at: QPointF) -> int | None:
        """Return which of the movable rules a press here would move: the nearest."""
        away = enumerate(rule.held_at(self.frame, at) for rule in self._movable())
        return min(((far, each) for each, far in away if far is not None), default=(0, None))[1]

    def _tell_moved(self, rule: Rule) -> None:
        self.update()
        self.describe()
        self.moved.emit(self.marks.index(rule), rule.at)

    # What is chosen

    def _exists(self, mark: int, item: int) -> bool:
        selectable = 0 <= mark < len(self.marks) and self.marks[mark].selectable
        return selectable and 0 <= item < len(self.marks[mark].spots(self.frame))

    def _named(self) -> int:
        return sum(bool(mark.legend_entries()) for mark in self.marks)

    def _choose(self, chosen: Item | None) -> None:
        if chosen != self._item:
            self._item = chosen
            self.update()
            self.describe()

    def _answer(self, chosen: Item) -> None:
        if self.marks[chosen[0]].clickable(chosen[1]):
            self.picked.emit(*chosen)

    def _start(self) -> Item | None:
        """Return the item where the keys begin: at the first rule, or the first."""
        at = next((rule.line(self.frame)[0].x() for rule in self.of(Rule)), 0.0)
        for number, mark in enumerate(self.marks):
            if mark.selectable and (item := self._near(number, at)) is not None:
                return number, item
        return None

    def _near(self, mark: int, px: float) -> int | None:
        """Return the item of a mark that is nearest across to a pixel."""
        shown, spots = self._shown(mark), self.marks[mark].spots(self.frame)
        return int(shown[np.abs(spots[shown, 0] - px).argmin()]) if shown.size else None

    def _shown(self, mark: int) -> Numbers:
        """Return the items of a mark on the plot; of very many, those that look different."""
        spots = self.marks[mark].spots(self.frame)
        shown = np.flatnonzero(self.frame.inside(spots))
        return shown[changes(spots[shown], _SEEN)] if shown.size > _FINE else shown

    def _next(self, mark: int, item: int, key: Qt.Key) -> Item | None:
        """Return where a key leads from an item; None where it means nothing."""
        across, down = _ARROWS.get(key, (0, 0))
        row, by, shown = self.marks[mark].row, _STEPS.get(key, across), self._shown(mark)
        if row and (across or down):
            columns, rows = item % row + across, item // row + down
            return mark, min(max(rows, 0), row - 1) * row + min(max(columns, 0), row - 1)
        if by and shown.size:
            target = int(np.searchsorted(shown, item)) + by
            return mark, int(shown[min(max(target, 0), shown.size - 1)])
        many = [number for number, each in enumerate(self.marks) if each.selectable]
        if not down or len(many) < 2:
            return None
        target = many[(many.index(mark) + down) % len(many)]
        near = self._near(target, float(self.marks[mark].spots(self.frame)[item, 0]))
        return (mark, item) if near is None else (target, near)

    # The keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, (rule, steps) = Qt.Key(event.key()), self._steps_of(event)
        start = None if self._movable() else self._item or self._start()
        target = None if start is None else self._next(*start, key)
        if rule is not None:
            if rule.step(self.frame, steps):
                self._tell_moved(rule)
        elif target is not None:
            self._choose(target if self._item is not None else start)
        elif key in _PRESS and self._item is not None:
            self._kept = True
            self._answer(self._item)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        rule, _ = self._steps_of(event)
        if rule is None or event.isAutoRepeat():
            super().keyReleaseEvent(event)
        else:
            self.released.emit(self.marks.index(rule))

    def _steps_of(self, event: QKeyEvent) -> tuple[Rule | None, int]:
        """Return which rule a key moves, and by how many steps."""
        key = Qt.Key(event.key())
        across, down = _ARROWS.get(key, (_STEPS.get(key, 0), 0))
        far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        steps = ((rule, -down if rule.across else across) for rule in self._movable())
        return next(((rule, far * by) for rule, by in steps if by), (None, 0))

    # Events

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._by_keys = event.reason() in BY_KEYS
        if self._by_keys and self._item is None and not self._movable():
            self._choose(self._start())
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._choose(self._item if self._kept else None)
        self._by_keys = False
        self._show_focus()

    def _show_focus(self) -> None:
        for rule in self._movable():
            rule.focused = self._by_keys
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hover(event.position(), bool(event.buttons() & Qt.MouseButton.LeftButton))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.release()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._under = None
        self.update()


def save_plot(plot: PlotView, suffix: str, path: Path) -> None:
    """Write a plot as one of `PLOT_FILES`; an `OSError` when the file cannot be written."""
    buffer, size = QBuffer(), plot.size()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image = QImage(size * _SCALE, QImage.Format.Format_RGB32)
    device: QPaintDevice = image
    if suffix == "svg":
        device = drawing = QSvgGenerator()
        drawing.setOutputDevice(buffer)
        drawing.setSize(size)
        drawing.setViewBox(QRectF(plot.rect()))
        drawing.setTitle(plot.accessibleName())
        drawing.setDescription(plot.accessibleDescription())
    elif suffix == "pdf":
        device = page = QPdfWriter(buffer)
        page.setTitle(plot.accessibleName())
        page.setResolution(96)
        page.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize.Unit.Point))
        page.setPageMargins(QMarginsF())
    else:
        image.setDevicePixelRatio(_SCALE)
    with QPainter(device) as painter:
        painter.fillRect(plot.rect(), QColor(tokens().surface))
        plot.paint(painter)
    if device is image:
        image.save(buffer, "PNG")  # type: ignore[call-overload]
    path.write_bytes(bytes(buffer.data().data()))


def add_plot_files(
    menu: QMenu, plot: PlotView, session: Session, name: str, words: str = "Save"
) -> None:
    """Add to a menu what a plot can be saved as: “Save as a drawing…”, under this name."""
    files = [
        (f"{words} {kind}…", f"{name}.{suffix}", partial(save_plot, plot, suffix))
        for kind, suffix in PLOT_FILES
    ]
    add_exports(menu, session, plot, files, now=True)


def plot_menu(plot: PlotView, session: Session, name: str) -> None:
    """Give a plot a context menu: saved as a file of this name, or copied as a picture."""

    def open_at(place: QPoint) -> None:
        menu = QMenu(plot)
        add_plot_files(menu, plot, session, name)
        menu.addAction("Copy").triggered.connect(
            lambda: QGuiApplication.clipboard().setImage(plot.grab().toImage())
        )
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(plot.mapToGlobal(place))

    plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    plot.customContextMenuRequested.connect(open_at)
