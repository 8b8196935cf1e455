"""The base of every plot: a widget that paints axes, content, tag and legend."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.charts.axes import GAP, Axis, Frame, Ticks, paint_axes
from gui.charts.legend import Legend
from gui.style.theme import SMALL, Tokens, font, tokens

BY_KEYS = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
"""The focus came from the keyboard, so what the keys would move has to be seen."""

PRESS_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}

NOTHING = "Nothing is drawn yet."
"""The description of an empty plot."""

_BOLD = QFont.Weight.DemiBold


@dataclass
class Tag:
    """A dashed vertical line at `at`, with a dot on the axis and a rounded label above."""

    at: float | None = None
    label: str = ""
    focused: bool = False

    def pill(self, frame: Frame) -> QRectF:
        """Return the rectangle of the label, kept inside the chart."""
        if self.at is None:
            return QRectF()
        metrics = QFontMetricsF(font(SMALL, _BOLD))
        width = metrics.horizontalAdvance(self.label) + 18
        height = metrics.height() + 5
        gap = metrics.height() / 2 - 1  # the highest tick text reaches half a line above the plot
        left = max(1.0, min(frame.px(self.at) - width / 2, frame.size.width() - width - 1))
        return QRectF(left, frame.plot.top() - height - gap, width, height)

    def paint(self, painter: QPainter, frame: Frame, look: Tokens) -> None:
        if self.at is None:
            return
        pill, at = self.pill(frame), round(frame.px(self.at))
        accent = QColor(look.accent)
        foot = QPointF(at, frame.plot.bottom())
        painter.setPen(QPen(accent, 1.6, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(at, pill.bottom()), foot)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.focused:
            painter.setPen(QPen(accent, 2))
            painter.setBrush(QColor(look.surface))
            painter.drawEllipse(foot, 9, 9)
            painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(foot, 5, 5)
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setPen(QColor(look.on_accent))
        painter.setFont(font(SMALL, _BOLD))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self.label)


class Chart(QWidget):
    """Base of every plot; subclasses paint the content, choose ticks and handle the input."""

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__()
        self.frame = Frame(Axis(x_title), Axis(y_title))
        self.tag, self.legend = Tag(), Legend()
        self._still: QPixmap | None = None  # what does not change while the tag or a ring moves
        self.setMouseTracking(True)
        self.setMinimumSize(160, 140)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(f"Plot: {y_title} against {x_title}")

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    # For subclasses to override.

    def colour(self, look: Tokens) -> None:
        """Choose colours; called after every change of theme, size or content."""

    def fit_range(self, height: float) -> None:
        """Adapt the range of the axes to the height in pixels, if the chart depends on it."""

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        raise NotImplementedError

    def choose_y_ticks(self, most: int) -> Ticks:
        raise NotImplementedError

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        """Paint the content of the plot."""
        raise NotImplementedError

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        """Paint what the pointer or the keys move, above the content."""

    def press(self, at: QPointF) -> None:
        """Handle a press of the left button."""

    def hover(self, at: QPointF, pressed: bool) -> None:
        """Handle a move of the pointer."""

    def release(self) -> None:
        """Handle the release of the left button."""

    # Common to all charts.

    def paint(self, painter: QPainter) -> None:
        """Paint everything, on a widget or into a file."""
        self._paint_still(painter)
        self._paint_moving(painter)

    def arrange(self) -> None:
        """Lay out ticks, titles, tag and legend, give the rest to the plot, and repaint."""
        self.colour(tokens())
        self.frame.size = QRectF(self.rect())
        self.place_plot(self._head_room())
        clash = self._clash()
        if clash:
            self.place_plot(self._head_room() + clash)
        self._still = None
        self.update()

    def move_tag(self, at: float | None, label: str) -> None:
        """Move the tag; lay out everything again only if it needs another amount of room."""
        before = self._head_room() + self._clash()
        self.tag.at, self.tag.label = at, label
        if self._head_room() + self._clash() != before:
            self.arrange()
        self.update()

    def point_out(self, tip: str, cursor: Qt.CursorShape | None) -> None:
        """Show a tooltip, and the cursor for what a press would do here."""
        if cursor is None:
            self.unsetCursor()
        else:
            self.setCursor(cursor)
        if self.toolTip() != tip:
            QToolTip.hideText()
            self.setToolTip(tip)

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

    def paintEvent(self, _event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._still is None or self._still.devicePixelRatio() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)
            with QPainter(self._still) as painter:
                self._paint_still(painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._still)
            self._paint_moving(painter)

    def _paint_still(self, painter: QPainter) -> None:
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

    def place_plot(self, top: float) -> None:
        metrics = QFontMetricsF(font(SMALL))
        line = metrics.height()
        bottom = self.frame.size.height() - (2 * line + 2 * GAP + 1)
        self.fit_range(bottom - top)
        self.frame.y.ticks = self.choose_y_ticks(max(2, int((bottom - top) / (1.9 * line))))
        widest = max((metrics.horizontalAdvance(text) for text in self.frame.y.texts), default=0.0)
        left, right = line + widest + 2 * GAP, self.frame.size.width() - 12
        self.frame.x.ticks = self.choose_x_ticks(right - left, metrics)
        self.frame.plot = QRectF(left, top, max(1.0, right - left), max(1.0, bottom - top))

    def _head_room(self) -> float:
        line = QFontMetricsF(font(SMALL)).height()
        pill = self.tag.pill(self.frame).height()
        box = self.legend.box(self.frame.size).height()
        return max(line / 2 + 2, pill + line / 2 if pill else 0.0, box + 8 if box else 0.0)

    def _clash(self) -> float:
        """Return the extra room needed so that the tag and the legend do not overlap."""
        pill, box = self.tag.pill(self.frame), self.legend.box(self.frame.size)
        if pill.isEmpty() or box.isEmpty():
            return 0.0
        apart = pill.left() > box.right() + 6 or pill.right() < box.left() - 6
        return 0.0 if apart else pill.height() + 2
