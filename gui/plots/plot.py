"""The one painter: a widget with axes, a list of marks, a legend above, and a mark that moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QEvent,
    QIODevice,
    QMarginsF,
    QMetaMethod,
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
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from eigenfaces.space.arrays import Numbers
from eigenfaces.text import capital
from gui.plots.axes import (
    GAP,
    Axis,
    Frame,
    Scale,
    Ticks,
    all_whole,
    clamped,
    every,
    exact_range,
    fitted_range,
    paint_axes,
    ticks_of,
)
from gui.plots.marks import PlotMark, changes
from gui.plots.strokes import Entry, paint_pill, pill
from gui.style.theme import SMALL, Tokens, font, tokens

Range = tuple[float, float]

BY_KEYS = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
"""The focus came from the keyboard, so what the keys would move has to be seen."""

NOTHING = "Nothing is drawn yet."
"""The description of an empty plot."""

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
_ALL = 12  # up to so many whole numbers, each gets a tick
_SPACE, _APART = 6.0, 14.0
_EDGE = 12.0  # right of the plot
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_SCALE = 2  # of a picture in a file

PLOT_FILES = (("as a drawing", "svg"), ("as a picture", "png"), ("as PDF", "pdf"))
"""What a plot can be saved as, and its suffix."""


@dataclass
class Legend:
    """A box above the plot with a name for each series, and its colour or its stroke."""

    entries: tuple[Entry, ...] = ()

    def box(self, size: QRectF) -> QRectF:
        """Return the rectangle of the legend in pixels; empty when there is nothing to name."""
        rows = self.rows(size)
        if not rows:
            return QRectF()
        width = max(sum(map(_width, row)) for row in rows) + 20 - _APART
        height = len(rows) * _line() + 7
        return QRectF(max(1.0, size.width() - _EDGE - width), 1.0, width, height)

    def rows(self, size: QRectF) -> list[list[Entry]]:
        """Return the names in each row; a name too long for its own row is shortened."""
        room = size.width() - _EDGE - 20
        metrics, middle = QFontMetricsF(font(SMALL)), Qt.TextElideMode.ElideMiddle
        rows: list[list[Entry]] = []
        used = room + 1
        for name, sample in self.entries:
            most = room - sample.sample - _SPACE - _APART
            entry = metrics.elidedText(name, middle, most), sample
            width = _width(entry)
            if used + width - _APART > room:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += width
        return rows

    def paint(self, painter: QPainter, size: QRectF, look: Tokens) -> None:
        box, line = self.box(size), _line()
        if box.isEmpty():
            return
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(SMALL))
        for number, row in enumerate(self.rows(size)):
            left, top = box.left() + 10, box.top() + 3.5 + number * line
            for name, sample in row:
                width = sample.sample
                sample.paint_sample(painter, QPointF(left, top + line / 2))
                painter.setPen(QColor(look.text))
                advance = _width((name, sample))
                painter.drawText(QRectF(left + width + _SPACE, top, advance, line), _LEFT, name)
                left += advance


def _line() -> float:
    return QFontMetricsF(font(SMALL)).height() + 2


def _width(entry: Entry) -> float:
    advance = QFontMetricsF(font(SMALL)).horizontalAdvance(entry[0])
    return entry[1].sample + _SPACE + advance + _APART


@dataclass
class Tag:
    """A dashed vertical line at a position, with a dot on the axis and a pill above."""

    at: float | None = None
    label: str = ""
    focused: bool = False

    def pill(self, frame: Frame) -> QRectF:
        """Return the rectangle of the label, kept inside the widget."""
        if self.at is None or not frame.x.lo <= self.at <= frame.x.hi:
            return QRectF()
        box = pill(self.label)
        # The highest tick text reaches half a line above the plot.
        box.moveCenter(QPointF(frame.px(self.at), 0))
        box.moveBottom(frame.plot.top() - box.height() / 2 + 3)
        return clamped(box, frame.size.adjusted(1, -box.height(), -1, 0))

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        box = self.pill(frame)
        if self.at is None or box.isEmpty():
            return
        accent, foot = QColor(look.accent), QPointF(round(frame.px(self.at)), frame.plot.bottom())
        painter.setPen(QPen(accent, 1.6, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(foot.x(), box.bottom()), foot)
        if self.focused:
            painter.setPen(QPen(accent, 2))
            painter.setBrush(QColor(look.surface))
            painter.drawEllipse(foot, 9, 9)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(foot, 5, 5)
        paint_pill(painter, box, self.label, accent, look.on_accent)


class PlotView(QWidget):
    """Axes and marks over them; new data replace the marks.

    ``picked``: the number of a mark, and of its item that was clicked, or chosen by Enter.
    """

    picked = Signal(int, int)
    most_up = 5
    """Intervals of the vertical axis, at most."""

    def __init__(self, x_title: str, y_title: str, *, percent: bool = False) -> None:
        """``percent``: the vertical axis holds shares."""
        super().__init__()
        self.frame = Frame(Axis(x_title), Axis(y_title, percent=percent))
        self.tag, self.legend = Tag(), Legend()
        self._marks: tuple[PlotMark, ...] = ()
        self._ranges: tuple[Range | None, Range | None] = (None, None)
        self._mark: float | None = None
        self._item: tuple[int, int] | None = None
        self._under: tuple[int, int] | None = None
        self._kept = False  # by a click or Enter, else only while the keys are here
        self._still: QPixmap | None = None  # what does not change while the tag or a ring moves
        self.setMouseTracking(True)
        self.setMinimumSize(160, 140)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(f"Plot: {y_title} against {x_title}")
        self.describe()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    # What is drawn

    def show_marks(self, marks: Sequence[PlotMark]) -> None:
        """Draw these marks; fast enough to be called while they grow."""
        self._marks, self._under = tuple(marks), None
        if self._item is not None and not self._exists(*self._item):
            self._item = None
        self.renew()

    def marks_drawn(self) -> tuple[PlotMark, ...]:
        """Return the marks, in the order in which they are named."""
        return self._marks

    def set_titles(
        self, x_title: str, y_title: str, x_scaling: str = "", y_scaling: str = ""
    ) -> None:
        """Write what is measured beside the axes, and in brackets how they are scaled."""
        x, y = self.frame.x, self.frame.y
        x.title, y.title, x.scaling, y.scaling = x_title, y_title, x_scaling, y_scaling
        self.setAccessibleName(f"Plot: {y.words} against {x.words}")
        self.renew()

    def set_scales(self, x: Scale, y: Scale) -> None:
        """Choose linear or logarithmic axes; the latter leave out zero and negative values."""
        self.frame.x.scale, self.frame.y.scale = x, y
        self.frame.x.grid = x == y == "log"
        self.renew()

    def set_percent(self, x: bool, y: bool) -> None:
        """Choose which axes are shares, written in per cent."""
        self.frame.x.percent, self.frame.y.percent = x, y
        self.renew()

    def set_range(self, x: Range | None, y: Range | None) -> None:
        """Show these ranges of values; for None, the range that the marks need."""
        self._ranges = (x, y)
        self.renew()

    def set_mark(self, x: float | None, label: str = "") -> None:
        """Put the dashed line with a label at a value, or remove it."""
        before = self._head_room() + self._clash()
        self._mark, self.tag.label = x, label
        self._place_tag()
        if self._head_room() + self._clash() != before:
            self.arrange()  # it needs another amount of room
        self.update()
        self.describe()

    def mark(self) -> float | None:
        """Return the value of the dashed line, or None."""
        return self._mark

    def reading(self, mark: int, item: int) -> str:
        """Return what an item is, as in the tooltip."""
        name = [self._marks[mark].name] if self._named() > 1 and self._marks[mark].name else []
        return "\n".join([*name, self._marks[mark].told(self.frame, item)])

    # For subclasses to override.

    def colour(self, look: Tokens) -> None:
        """Choose colours; called after every change of theme, size or content."""
        number = 0
        for mark in self._marks:
            mark.dress(look, number)
            number += bool(mark.entries())
        entries = tuple(entry for mark in self._marks for entry in mark.entries() if entry[0])
        self.legend.entries = entries if len(entries) > 1 else ()

    def set_ranges(self) -> None:
        """Set the ranges of the axes: those that are wanted, or those that the marks need."""
        x, y = self.frame.x, self.frame.y
        if self._marks or any(self._ranges):
            nothing = [np.zeros(0)]
            at = np.concatenate([mark.xs(x) for mark in self._marks] or nothing)
            x.lo, x.hi = self._range_of(x, 0) or exact_range(at, x.scale)
            at = np.concatenate([mark.ys(self.frame) for mark in self._marks] or nothing)
            y.lo, y.hi = self._range_of(y, 1) or fitted_range(at, y.scale, y.percent)

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        x = self.frame.x
        labels = next((mark.labels for mark in self._marks if mark.labels), ())
        if labels:
            widest = max(map(metrics.horizontalAdvance, labels))
            return every(labels, max(1, int(width / (widest + 10))))
        at = [mark.xs(x) for mark in self._marks]
        if not any(each.size for each in at) and self._ranges[0] is None:
            return ()
        numbered = any(mark.numbered for mark in self._marks)
        whole = numbered or x.scale == "log" or all_whole(at)
        if x.percent:
            most, apart = (4 if x.scale == "linear" else 7), metrics.horizontalAdvance("0.01%") + 24
        else:
            all_of_them = x.scale == "log" or (whole and x.hi - x.lo <= _ALL)
            most, apart = (_ALL if all_of_them else 6), metrics.horizontalAdvance("000") + 14
        most = max(1, min(most, int(width / apart)))
        return ticks_of(x.lo, x.hi, most, scale=x.scale, percent=x.percent, whole=whole)

    def choose_y_ticks(self, most: int) -> Ticks:
        y, most = self.frame.y, min(most, self.most_up)
        return ticks_of(y.lo, y.hi, most, scale=y.scale, percent=y.percent, whole=False)

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        """Paint the marks, the first one on top."""
        painter.save()
        painter.setClipRect(self.frame.plot)
        for mark in self._marks:
            mark.paint_ground(painter, self.frame, look)
        painter.restore()
        for mark in reversed(self._marks):
            mark.paint(painter, self.frame, look)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        """Paint what the pointer or the keys move, above the content."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.text if self.hasFocus() else look.secondary), 1.6))
        for shown in dict.fromkeys((self._item, self._under)):
            if shown is None:
                continue
            mark, item = self._marks[shown[0]], shown[1]
            box, at = mark.outline(self.frame, item), mark.spots(self.frame)[[item]]
            if not box.isEmpty() and (self.hasFocus() or shown == self._under):
                painter.drawRoundedRect(box, 2, 2)
            elif box.isEmpty() and self.frame.inside(at).all():
                painter.drawEllipse(QPointF(*at[0].tolist()), 7.5, 7.5)

    def press(self, at: QPointF) -> None:
        """Handle a press of the left button."""
        found = self._pick(at, choosable=True)
        if found is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._kept = True
            self._choose(found)
            self._answer(found)

    def hover(self, at: QPointF, pressed: bool) -> None:
        """Handle a move of the pointer."""
        found = self._pick(at)
        under = found if found and self._marks[found[0]].chooses else None
        if under != self._under:
            self._under = under
            self.update()
        if found is None:
            self.point_out("", None)
            return
        mark, item = found
        connected = self.isSignalConnected(QMetaMethod.fromSignal(self.picked))
        hand = connected and self._marks[mark].answers(item)
        shape = Qt.CursorShape.PointingHandCursor if hand else None
        self.point_out(self.reading(mark, item), shape)

    def release(self) -> None:
        """Handle the release of the left button."""

    def takes_focus(self) -> bool:
        """Return whether there is anything that keys could move."""
        return any(mark.chooses for mark in self._marks)

    def describe(self) -> None:
        """Describe in words what is drawn, for screen readers."""
        said = [(mark.name, mark.words(self.frame)) for mark in self._marks]
        told = [
            f"{name}: {words}" if name and self._named() > 1 else capital(words)
            for name, words in said
            if words
        ]
        if told and self._mark is not None:
            told.append(f"The line stands at {self.tag.label}.")
        if told and self._item is not None:
            reading = ", ".join(self.reading(*self._item).splitlines())
            told.append(f"Chosen: {reading}.")
        title = f"{capital(self.frame.y.title)} against {self.frame.x.title}."
        self.setAccessibleDescription(" ".join([title, *told]) if told else NOTHING)

    # Layout

    def renew(self) -> None:
        """Lay out, paint and describe other content."""
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if self.takes_focus() else policy.NoFocus)
        self.arrange()
        self.describe()

    def arrange(self) -> None:
        """Lay out ticks, titles, tag and legend, give the rest to the plot, and repaint."""
        self.colour(tokens())
        self.set_ranges()
        self._place_tag()
        self.frame.size = QRectF(self.rect())
        self.place_plot(self._head_room())
        clash = self._clash()
        if clash:
            self.place_plot(self._head_room() + clash)
        self.paint_anew()

    def paint_anew(self) -> None:
        """Paint everything, not only what the pointer changes."""
        self._still = None
        self.update()

    def place_plot(self, top: float) -> None:
        """Set the rectangle of the plot below ``top``, and the ticks."""
        metrics = QFontMetricsF(font(SMALL))
        line = metrics.height()
        bottom = self.frame.size.height() - (2 * line + 2 * GAP + 1)
        self.frame.y.ticks = self.choose_y_ticks(max(2, int((bottom - top) / (1.9 * line))))
        widest = max((metrics.horizontalAdvance(text) for text in self.frame.y.texts), default=0.0)
        left, right = line + widest + 2 * GAP, self.frame.size.width() - 12
        self.frame.x.ticks = self.choose_x_ticks(right - left, metrics)
        self.frame.plot = QRectF(left, top, max(1.0, right - left), max(1.0, bottom - top))

    def _range_of(self, axis: Axis, number: int) -> Range | None:
        wanted = self._ranges[number]
        lo, hi = axis.at(np.array(wanted)).tolist() if wanted else (0.0, 0.0)
        return (lo, hi) if lo < hi else None

    def _place_tag(self) -> None:
        """Put the tag at its value; one that would stand beside the plot is not there."""
        x = self.frame.x
        at = None if self._mark is None else float(x.at(np.array(self._mark)))
        self.tag.at = at if at is not None and x.lo <= at <= x.hi else None

    def _head_room(self) -> float:
        line = QFontMetricsF(font(SMALL)).height()
        pill_ = self.tag.pill(self.frame).height()
        box = self.legend.box(self.frame.size).height()
        return max(line / 2 + 2, pill_ + line / 2 if pill_ else 0.0, box + 8 if box else 0.0)

    def _clash(self) -> float:
        """Return the extra room needed so that the tag and the legend do not overlap."""
        pill_, box = self.tag.pill(self.frame), self.legend.box(self.frame.size)
        if pill_.isEmpty() or box.isEmpty():
            return 0.0
        apart = pill_.left() > box.right() + 6 or pill_.right() < box.left() - 6
        return 0.0 if apart else pill_.height() + 2

    # What is chosen

    def _exists(self, mark: int, item: int) -> bool:
        chooses = 0 <= mark < len(self._marks) and self._marks[mark].chooses
        return chooses and 0 <= item < len(self._marks[mark].spots(self.frame))

    def _named(self) -> int:
        return sum(bool(mark.entries()) for mark in self._marks)

    def _pick(self, at: QPointF, *, choosable: bool = False) -> tuple[int, int] | None:
        """Return the mark and the item at a pixel."""
        best, found = np.inf, None
        for number, mark in enumerate(self._marks):
            picked = None if choosable and not mark.chooses else mark.item_at(self.frame, at)
            if picked is not None and picked[0] < best:
                best, found = picked[0], (number, picked[1])
        return found

    def _choose(self, chosen: tuple[int, int] | None) -> None:
        if chosen == self._item:
            return
        self._item = chosen
        self.update()
        self.describe()

    def _answer(self, chosen: tuple[int, int]) -> None:
        if self._marks[chosen[0]].answers(chosen[1]):
            self.picked.emit(*chosen)

    def _start(self) -> tuple[int, int] | None:
        """Return the item where the keys begin: at the dashed line, or the first."""
        at = -np.inf if self.tag.at is None else self.frame.px(self.tag.at)
        for number, mark in enumerate(self._marks):
            if mark.chooses and (item := self._near(number, at)) is not None:
                return number, item
        return None

    def _near(self, mark: int, px: float) -> int | None:
        """Return the item of a mark that is nearest across to a pixel."""
        shown, spots = self._shown(mark), self._marks[mark].spots(self.frame)
        if not shown.size:
            return None
        return int(shown[np.abs(spots[shown, 0] - max(px, 0.0)).argmin()])

    def _shown(self, mark: int) -> Numbers:
        """Return the items of a mark on the plot; of very many, those that look different."""
        spots = self._marks[mark].spots(self.frame)
        shown = np.flatnonzero(self.frame.inside(spots))
        return shown[changes(spots[shown], _SEEN)] if shown.size > _FINE else shown

    def _next(self, mark: int, item: int, key: Qt.Key) -> tuple[int, int] | None:
        """Return where a key leads from an item; None where it means nothing."""
        across, down = _ARROWS.get(key, (0, 0))
        row, by, shown = self._marks[mark].row, _STEPS.get(key, across), self._shown(mark)
        if row and (across or down):
            columns, rows = item % row + across, item // row + down
            return mark, min(max(rows, 0), row - 1) * row + min(max(columns, 0), row - 1)
        if by and shown.size:
            target = int(np.searchsorted(shown, item)) + by
            return mark, int(shown[min(max(target, 0), shown.size - 1)])
        many = [number for number, each in enumerate(self._marks) if each.chooses]
        if not down or len(many) < 2:
            return None
        target = many[(many.index(mark) + down) % len(many)]
        near = self._near(target, float(self._marks[mark].spots(self.frame)[item, 0]))
        return (mark, item) if near is None else (target, near)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, start = Qt.Key(event.key()), self._item or self._start()
        target = None if start is None else self._next(*start, key)
        if target is not None:
            self._choose(target if self._item is not None else start)
        elif key in _PRESS and self._item is not None:
            self._kept = True
            self._answer(self._item)
        else:
            super().keyPressEvent(event)

    def point_out(self, tip: str, cursor: Qt.CursorShape | None) -> None:
        """Show a tooltip, and the cursor for what a press would do here."""
        if cursor is None:
            self.unsetCursor()
        else:
            self.setCursor(cursor)
        if self.toolTip() != tip:
            QToolTip.hideText()
            self.setToolTip(tip)

    # Events

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYS and self._item is None:
            self._choose(self._start())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._choose(self._item if self._kept else None)

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
            self._paint_moving(painter)

    def paint(self, painter: QPainter) -> None:
        """Paint everything, on a widget or into a file."""
        self.paint_still(painter)
        self._paint_moving(painter)

    def paint_still(self, painter: QPainter) -> None:
        """Paint what stays while the pointer moves: axes, marks and legend."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.frame.plot.isEmpty():
            look = tokens()
            paint_axes(painter, self.frame, look)
            self.paint_content(painter, look)
            self.legend.paint(painter, self.frame.size, look)

    def _paint_moving(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.frame.plot.isEmpty():
            self.paint_moving(painter, tokens())
            self.tag.paint(painter, self.frame, tokens())


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
