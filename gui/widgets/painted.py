"""What is painted by hand: a face, a colour scale, a share as a bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style import icons, theme
from gui.style.images import Colours, colour_table, rounded
from gui.style.theme import CAPTION, SMALL_FONT, Tone
from gui.widgets.box_layouts import in_row
from gui.widgets.labels import label

Align = Qt.AlignmentFlag
_AROUND = 3  # pixels kept free around a picture
_ROUND = 6.0  # pixels, the corners of a picture
_GAP = 5  # pixels between a picture and its caption


class FaceView(QWidget):
    """A face with round corners, its caption below.

    ``framed``: with a fine line around it, as a white difference image needs.
    """

    def __init__(
        self,
        caption: str = "",
        size: QSize | None = None,
        *,
        grows: bool = False,
        framed: bool = False,
        name: str = "",
    ) -> None:
        super().__init__()
        self.image: QImage | None = None
        self.caption, self.note = caption, ""
        self._name, self._size = name, size or QSize(92, 112)
        self._grows, self._framed = grows, framed
        policy = QSizePolicy.Policy.Expanding if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(policy, policy)
        self.set_caption(caption)

    def set_image(self, image: QImage | None) -> None:
        self.image = None if image is None or image.isNull() else image
        self.update()

    def set_caption(self, caption: str, note: str = "") -> None:
        """Set the caption, and a smaller note below it."""
        self.caption, self.note = caption, note
        words = ", ".join(part for part in (caption, note) if part)
        self.setAccessibleName(self._name or words or "Face")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self._full_size(self._size)

    def minimumSizeHint(self) -> QSize:
        return self._full_size(self._size.scaled(QSize(48, 48), Qt.AspectRatioMode.KeepAspectRatio))

    def picture_rect(self) -> QRectF:
        """Return the rectangle of the picture: as large as fits, its aspect kept."""
        room = QRectF(self.rect()).adjusted(
            _AROUND, _AROUND, -_AROUND, -_AROUND - self._words_height()
        )
        shape = self.image.size() if self.image is not None else self._size
        size = shape.scaled(room.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
        left = room.left() + (room.width() - size.width()) // 2
        spare = room.height() - size.height()
        return QRectF(left, room.top() + spare // 2, size.width(), size.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        t, rect, ratio = theme.tokens(), self.picture_rect(), self.devicePixelRatioF()
        radius, size = min(_ROUND, rect.width() / 8), rect.size().toSize().expandedTo(QSize(1, 1))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.image is None:
            paint_no_picture(painter, rect, radius)
        else:
            painter.drawImage(rect.topLeft(), rounded(self.image, size, ratio, radius))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._framed and not t.dark:
            painter.setPen(QColor(t.border))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        top = rect.bottom() + _AROUND + _GAP - 2
        for words, pixels in self._words():
            painter.setFont(theme.font(pixels))
            painter.setPen(QColor(t.text if pixels == CAPTION else t.secondary))
            height = painter.fontMetrics().height()
            paint_line(painter, QRectF(0, top, self.width(), height), words)
            top += height + 1

    def _words(self) -> list[tuple[str, int]]:
        """Return the words below the picture, with their sizes."""
        return [line for line in ((self.caption, CAPTION), (self.note, SMALL_FONT)) if line[0]]

    def _words_height(self) -> int:
        heights = [QFontMetrics(theme.font(size)).height() + 1 for _, size in self._words()]
        return sum(heights) + _GAP if heights else 0

    def _full_size(self, picture: QSize) -> QSize:
        width, height = picture.width() + 2 * _AROUND, picture.height() + 2 * _AROUND
        if not self._grows and self.caption:
            words = QFontMetrics(theme.font(CAPTION)).horizontalAdvance(self.caption) + 4
            width = max(width, min(words, round(1.35 * width)))
        return QSize(width, height + self._words_height())


class ColourBar(QWidget):
    """A colour scale with words at both ends."""

    def __init__(self, kind: Colours = "signed", left: str = "", right: str = "") -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_scale(kind, left, right)

    def set_scale(self, kind: Colours, left: str, right: str) -> None:
        """Show another scale."""
        self._kind: Colours = kind
        self._left, self._right = left, right
        self.setAccessibleName(f"Colour scale from {left} to {right}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme.font(SMALL_FONT))
        width = sum(metrics.horizontalAdvance(words) + 8 for words in (self._left, self._right))
        return QSize(width + theme.pixels(126), max(metrics.height() + 2, 14))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() - QSize(theme.pixels(60), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(SMALL_FONT))
        painter.setPen(QColor(theme.tokens().secondary))
        metrics = painter.fontMetrics()
        left = metrics.horizontalAdvance(self._left) + 8 if self._left else 0
        right = metrics.horizontalAdvance(self._right) + 8 if self._right else 0
        whole = QRectF(self.rect())
        painter.drawText(whole, Align.AlignLeft | Align.AlignVCenter, self._left)
        painter.drawText(whole, Align.AlignRight | Align.AlignVCenter, self._right)
        bar = QRectF(left, (self.height() - 9) / 2, self.width() - left - right, 9)
        table = colour_table(self._kind)
        steps = (table[at * (len(table) - 1) // 16] for at in range(17))
        paint_colour_bar(painter, bar, [QColor(*map(int, step)) for step in steps])


def paint_no_picture(painter: QPainter, rect: QRectF, radius: float, icon: str = "person") -> None:
    """Paint the empty place of a picture, with an icon in its middle."""
    look = theme.tokens()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.neutral_soft))
    painter.drawRoundedRect(rect, radius, radius)
    side = round(min(rect.width(), rect.height()) * 0.4)
    if icon and side > 0:
        ratio = painter.device().devicePixelRatioF()
        pixmap = icons.pixmap(icon, side, look.tertiary, ratio)
        painter.drawPixmap(rect.center() - QPointF(side / 2, side / 2), pixmap)


def paint_line(
    painter: QPainter,
    room: QRectF,
    text: str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignCenter,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint a text in one line; where there is no room, with an ellipsis."""
    painter.drawText(room, align, painter.fontMetrics().elidedText(text, cut, int(room.width())))


def clamped(box: QRectF, room: QRectF) -> QRectF:
    """Return a rectangle moved into another; where it does not fit, it begins there."""
    left = max(min(box.left(), room.right() - box.width()), room.left())
    top = max(min(box.top(), room.bottom() - box.height()), room.top())
    return QRectF(left, top, box.width(), box.height())


def paint_colour_bar(painter: QPainter, bar: QRectF, colours: Sequence[QColor]) -> None:
    """Paint colours from the left to the right, or in a tall bar from below upwards."""
    tall = bar.height() > bar.width()
    ends = (bar.bottomLeft(), bar.topLeft()) if tall else (bar.topLeft(), bar.topRight())
    gradient = QLinearGradient(*ends)
    for at, colour in enumerate(colours):
        gradient.setColorAt(at / (len(colours) - 1), colour)
    painter.setPen(QPen(QColor(theme.tokens().border), 1))
    painter.setBrush(gradient)
    painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)


class ShareBar(QWidget):
    """A share of a whole as a bar, perhaps with its interval, and a mark for a threshold."""

    def __init__(self) -> None:
        super().__init__()
        self.share, self.mark = 0.0, -1.0
        self._interval = 0.0, 0.0
        self._tone: Tone = "neutral"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(
        self,
        share: float,
        mark: float | None = None,
        tone: Tone = "neutral",
        interval: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Show another share, 0 … 1, with the ends of its interval."""
        self.share, self.mark = _clamp_share(share), -1.0 if mark is None else _clamp_share(mark)
        self._interval, self._tone = interval, tone
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 18)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        t, wide, middle = theme.tokens(), float(self.width()), self.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QColor(t.text)  # also on coloured cards, where a solid grey would not be visible
        groove.setAlphaF(0.13)
        for long, colour in ((wide, groove), (wide * self.share, QColor(t.tone(self._tone)[0]))):
            painter.setBrush(colour)
            if long > 0:
                painter.drawRoundedRect(QRectF(0, middle - 4, max(8.0, long), 8), 4, 4)
        painter.setBrush(QColor(t.text))
        low, high = (wide * end for end in self._interval)
        if high > low:
            painter.drawRect(QRectF(low, middle - 0.7, high - low, 1.4))
        if self.mark >= 0:
            at = min(wide - 1, max(1.0, wide * self.mark))
            painter.drawRoundedRect(QRectF(at - 1, 0, 2, self.height()), 1, 1)


class Gauge(QWidget):
    """A value as a bar, with a mark for its threshold, between its name and the value in words."""

    def __init__(self, name: str, column: str = "Distance from face space") -> None:
        """Make room for the text ``column``, so that gauges with different names are aligned."""
        super().__init__()
        self.bar, self._text = ShareBar(), label("", "caption")
        title = label(name, "caption")
        for words, widest in ((title, max(name, column, key=len)), (self._text, "0,000")):
            room = QFontMetrics(theme.font(CAPTION)).horizontalAdvance(widest)
            words.setMinimumWidth(room + 6)
        in_row(title, (self.bar, 1), self._text, inside=self, spacing=10)
        self.setAccessibleName(name)

    def set_value(
        self,
        value: float,
        *,
        threshold: float | None,
        maximum: float,
        text: str,
        tone: Tone = "ok",
    ) -> None:
        """Show a value on a scale from 0 to ``maximum``; ``text`` says it, and its threshold."""
        scale = maximum if maximum > 0 else 1.0
        mark = None if threshold is None else threshold / scale
        self.bar.show_share(value / scale, mark, tone)
        self._text.setText(text)
        self.setAccessibleDescription(text)


def _clamp_share(share: float) -> float:
    return min(max(share, 0.0), 1.0)
