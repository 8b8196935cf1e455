"""A slider from minus to plus around zero, with a picture at both ends and its value in words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider

from gui.style import theme
from gui.style.images import rounded
from gui.style.theme import CAPTION, SMALL

_STEPS = 100
"""Steps of the slider for one unit of its value."""

_BY = 0.1  # by which an arrow key moves; five times that by Page Up and Down
_BY_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -5,
    Qt.Key.Key_PageUp: 5,
}

_WORDS, _READ_OUT, _GAP = 50, 52, 10  # px of the texts at both ends, and between the parts
_HANDLE = 7.0  # px, its radius
_TALLEST = 48  # px of a row; the style sheet states the least
_ROUND = 4.0  # px, the corners of a picture
_BOLD = QFont.Weight.Bold
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BipolarSlider(QSlider):
    """A value from −most to most: the bar begins at zero, where a double-click leads.

    ``moved``: the person has moved it. `show_value` moves it without that.
    """

    moved = Signal(float)

    def __init__(self, name: str, most: float) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._most, self._title, self._note = most, name, ""
        self._value, self._strong = 0.0, False
        self._ends: tuple[QImage, QImage] | None = None
        self._drawn: dict[int, QPixmap] = {}
        self._groove: QRectF | None = None
        self._fresh = True
        self.setProperty("role", "bipolar")
        self.setRange(round(-most * _STEPS), round(most * _STEPS))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.set_words(name)

    @property
    def score(self) -> float:
        """The value shown, which may lie beyond the ends where nobody has moved it."""
        return self._value

    @property
    def read_out(self) -> str:
        """The value in words."""
        return signed(self._value)

    @property
    def strong(self) -> bool:
        """Whether the value is marked as moved."""
        return self._strong

    def set_words(self, title: str, note: str = "", name: str = "") -> None:
        """Set the words at the left, and the name for screen readers."""
        self._title, self._note = title, note
        self.setAccessibleName(name or ", ".join(part for part in (title, note) if part))
        self.update()

    def set_ends(self, low: QImage, high: QImage) -> None:
        """Set the pictures of both ends."""
        self._ends = low, high
        self._drawn.clear()
        self._groove = None
        self.update()

    def show_value(self, value: float, *, strong: bool) -> None:
        """Show a value, perhaps as moved, without a signal."""
        if (value, strong) == (self._value, self._strong) and not self._fresh:
            return
        self._value, self._strong, self._fresh = value, strong, False
        before = self.blockSignals(True)
        self.setValue(round(value * _STEPS))
        self.blockSignals(before)
        self.setAccessibleDescription(self.read_out)
        # Words and picture at the left stay as they are: twelve of these move with a morph.
        self.update(round(self.groove().left() - 2 * _HANDLE), 0, self.width(), self.height())

    def groove(self) -> QRectF:
        """Return the line on which the handle moves."""
        if self._groove is None:
            across = self._picture_size().width()
            left = theme.pixels(_WORDS) + _GAP + across + 2 * _GAP
            right = self.width() - theme.pixels(_READ_OUT) - _GAP - across - 2 * _GAP
            self._groove = QRectF(left, self.height() / 2 - 2, max(20.0, right - left), 4)
        return self._groove

    def place(self, value: float) -> float:
        """Return the pixel of a value; beyond the ends, of the end."""
        share = (value + self._most) / (2 * self._most)
        groove = self.groove()
        return groove.left() + min(max(share, 0.0), 1.0) * groove.width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._groove = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._groove = None  # the text may be larger

    def sliderChange(self, change: QSlider.SliderChange) -> None:
        if change != QSlider.SliderChange.SliderValueChange:  # `show_value` paints what is new
            super().sliderChange(change)

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(420), theme.pixels(_TALLEST))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.pixels(260), super().minimumSizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._holds(event.position()):
            self._move_to(event.position().x())
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_to(event.position().x())
        else:
            near = self._holds(event.position())
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._move(0.0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls; no face changes by the way

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _BY_KEYS:
            self._move(round(self._value + _BY_KEYS[key] * _BY, 2))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._move(-self._most if key == Qt.Key.Key_Home else self._most)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._move(0.0)
        else:
            event.ignore()

    def _holds(self, at: QPointF) -> bool:
        groove = self.groove()
        return groove.left() - 2 * _HANDLE <= at.x() <= groove.right() + 2 * _HANDLE

    def _move_to(self, x: float) -> None:
        groove = self.groove()
        share = (x - groove.left()) / groove.width()
        self._move((2 * share - 1) * self._most)

    def _move(self, value: float) -> None:
        value = round(min(max(value, -self._most), self._most), 2)
        if value != self._value:
            self.show_value(value, strong=True)
            self.moved.emit(value)

    def _picture_size(self) -> QSize:
        if self._ends is None:
            return QSize(0, 0)
        most = QSize(self.width() // 6, min(self.height() - 4, theme.pixels(_TALLEST)))
        return self._ends[0].size().scaled(most, Qt.AspectRatioMode.KeepAspectRatio)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            groove = self.groove()
            if event.rect().left() < groove.left() - 2 * _HANDLE - 1:
                self._paint_words(painter)
                self._paint_end(painter, 0, groove)
            self._paint_end(painter, 1, groove)
            self._paint_groove(painter, groove)
            self._paint_read_out(painter)

    def _paint_words(self, painter: QPainter) -> None:
        t, middle = theme.tokens(), self.height() / 2
        title, note = theme.font(CAPTION, _BOLD), theme.font(SMALL)
        tall, below = QFontMetrics(title).height() - 2, QFontMetrics(note).height()
        top = middle - (tall + below) / 2 if self._note else middle - tall / 2
        for words, used, colour, height in (
            (self._title, title, t.text, tall),
            (self._note, note, t.secondary, below),
        ):
            painter.setFont(used)
            painter.setPen(QColor(colour))
            line = QRectF(4, top, theme.pixels(_WORDS) + _GAP, height)
            painter.drawText(line, _LEFT, words)
            top += height

    def _paint_read_out(self, painter: QPainter) -> None:
        t = theme.tokens()
        painter.setFont(theme.font(CAPTION, _BOLD if self._strong else QFont.Weight.Normal))
        painter.setPen(QColor(t.text if self._strong else t.secondary))
        painter.drawText(QRectF(self.rect()).adjusted(0, 0, -4, 0), _RIGHT, self.read_out)

    def _paint_end(self, painter: QPainter, end: int, groove: QRectF) -> None:
        """Paint the picture at the left (0) or right (1) end."""
        if self._ends is None:
            return
        size, ratio = self._picture_size(), self.devicePixelRatioF()
        drawn = self._drawn.get(end)
        if drawn is None or drawn.size() != size * ratio:
            made = rounded(self._ends[end], size, ratio, _ROUND)
            drawn = self._drawn[end] = QPixmap.fromImage(made)
        left = groove.right() + 2 * _GAP if end else groove.left() - 2 * _GAP - size.width()
        painter.drawPixmap(QPointF(left, (self.height() - size.height()) / 2), drawn)

    def _paint_groove(self, painter: QPainter, groove: QRectF) -> None:
        t = theme.tokens()
        zero, at, middle = self.place(0.0), self.place(self._value), groove.center().y()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(t.track))
        painter.drawRoundedRect(groove, 2, 2)
        painter.setBrush(QColor(t.accent))
        painter.drawRect(QRectF(min(zero, at), groove.top(), abs(at - zero), groove.height()))
        painter.setBrush(QColor(t.tertiary))
        painter.drawRect(QRectF(zero - 0.75, middle - 6, 1.5, 12))
        painter.setPen(QPen(QColor(t.accent), 2))
        focused = self.hasFocus()
        painter.setBrush(QColor(t.accent if focused else t.surface))
        painter.drawEllipse(QPointF(at, middle), _HANDLE, _HANDLE)
        if focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(t.accent), 1.2))
            painter.drawEllipse(QPointF(at, middle), _HANDLE + 3.5, _HANDLE + 3.5)


def signed(value: float) -> str:
    """Return a value in standard deviations, with its sign.

    >>> signed(0.84), signed(-1.0), signed(0.04)
    ('+0.8 σ', '−1.0 σ', '0.0 σ')
    """
    rounded = round(value, 1)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return f"{sign}{abs(rounded):.1f} σ"
