"""Small widgets that paint themselves: a face, a colour bar, a gauge."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style import icons, theme
from gui.style.images import Colours, colour_table, rounded
from gui.style.theme import CAPTION, SMALL, Tone

Align = Qt.AlignmentFlag
_RING = 3  # pixels kept free around a picture, so that a ring does not move it
_ROUND = 6.0  # pixels, the corners of a picture
_GAP = 5  # pixels between a picture and its caption


class FaceView(QWidget):
    """A face with round corners, its caption below, and a ring when it is highlighted."""

    clicked = Signal()

    def __init__(
        self,
        caption: str = "",
        size: QSize | None = None,
        *,
        grows: bool = False,
        clickable: bool = False,
        name: str = "",
    ) -> None:
        super().__init__()
        self._image: QImage | None = None
        self._scaled = QPixmap()
        self._scaled_for: tuple[int, int, int, float] | None = None
        self._caption, self._note, self._name = caption, "", name
        self._size = size or QSize(92, 112)
        self._ring: Tone | None = None
        self._clickable = clickable
        self._grows = grows
        policy = QSizePolicy.Policy.Expanding if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(policy, policy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if clickable else Qt.FocusPolicy.NoFocus)
        if clickable:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._update_name()

    @property
    def image(self) -> QImage | None:
        """The picture that was set."""
        return self._image

    @property
    def caption(self) -> str:
        """The caption below the picture."""
        return self._caption

    @property
    def note(self) -> str:
        """The smaller note below the caption."""
        return self._note

    @property
    def ring(self) -> Tone | None:
        """The tone of the ring around the picture, or None."""
        return self._ring

    def set_image(self, image: QImage | None) -> None:
        self._image = None if image is None or image.isNull() else image
        self._scaled_for = None
        self.update()

    def set_size(self, size: QSize) -> None:
        """Set the size of the picture."""
        if size != self._size:
            self._size = size
            self.updateGeometry()

    def set_caption(self, caption: str, note: str = "") -> None:
        """Set the caption, and a smaller note below it."""
        if (caption, note) != (self._caption, self._note):
            self._caption, self._note = caption, note
            self._update_name()
            self.updateGeometry()
            self.update()

    def set_ring(self, tone: Tone | None) -> None:
        """Draw a ring: "accent" for chosen; "ok", "warn" or "bad" for a result."""
        self._ring = tone
        self.update()

    def sizeHint(self) -> QSize:
        return self._around(self._size)

    def minimumSizeHint(self) -> QSize:
        return self._around(self._size.scaled(QSize(48, 48), Qt.AspectRatioMode.KeepAspectRatio))

    def picture_rect(self) -> QRectF:
        """Return the rectangle of the picture: as large as fits, its aspect kept."""
        room = QRectF(self.rect()).adjusted(_RING, _RING, -_RING, -_RING - self._words_height())
        shape = self._image.size() if self._image is not None else self._size
        size = shape.scaled(room.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
        left = room.left() + (room.width() - size.width()) // 2
        spare = room.height() - size.height()
        return QRectF(left, room.top() + spare // 2, size.width(), size.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        rect = self.picture_rect()
        radius = min(_ROUND, rect.width() / 8)
        outline = QPainterPath()
        outline.addRoundedRect(rect, radius, radius)
        self._paint_picture(painter, rect, outline)
        self._paint_ring(painter, rect, radius)
        self._paint_words(painter, rect.bottom() + _RING + _GAP - 2)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if self._clickable and left and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
        else:
            super().mouseReleaseEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Qt sends the release here only if the press was accepted.
        event.setAccepted(self._clickable)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if self._clickable and event.key() in keys:
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def _paint_picture(self, painter: QPainter, rect: QRectF, outline: QPainterPath) -> None:
        t = theme.tokens()
        if self._image is None:
            painter.fillPath(outline, QColor(t.neutral_soft))
            side = round(min(rect.width(), rect.height()) * 0.4)
            if side > 0:
                drawn = icons.pixmap("person", side, t.tertiary, self.devicePixelRatioF())
                painter.drawPixmap(rect.center() - QPointF(side / 2, side / 2), drawn)
            return
        size, dpr = rect.size().toSize().expandedTo(QSize(1, 1)), self.devicePixelRatioF()
        wanted = (self._image.cacheKey(), size.width(), size.height(), dpr)
        if wanted != self._scaled_for:
            made = rounded(self._image, size, dpr, min(_ROUND, rect.width() / 8))
            self._scaled, self._scaled_for = QPixmap.fromImage(made), wanted
        painter.drawPixmap(rect.topLeft(), self._scaled)

    def _paint_ring(self, painter: QPainter, rect: QRectF, radius: float) -> None:
        t = theme.tokens()
        if self._ring is not None:
            pen = QPen(QColor(t.tone(self._ring)[0]), 2.5)
        elif self.hasFocus():
            pen = QPen(QColor(t.accent), 1.5, Qt.PenStyle.DotLine)
        else:
            return
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), radius + 1, radius + 1)
        if self._ring is not None and self.hasFocus():
            painter.setPen(QPen(QColor(t.on_accent), 1, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), radius - 1, radius - 1)

    def _paint_words(self, painter: QPainter, top: float) -> None:
        t = theme.tokens()
        for words, size, colour in (
            (self._caption, CAPTION, t.text),
            (self._note, SMALL, t.secondary),
        ):
            if words:
                painter.setFont(theme.font(size))
                painter.setPen(QColor(colour))
                metrics = painter.fontMetrics()
                shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, self.width())
                line = QRectF(0, top, self.width(), metrics.height())
                painter.drawText(line, Align.AlignCenter, shown)
                top += metrics.height() + 1

    def _words_height(self) -> int:
        height = 0
        for words, size in ((self._caption, CAPTION), (self._note, SMALL)):
            if words:
                height += QFontMetrics(theme.font(size)).height() + 1
        return height + _GAP if height else 0

    def _around(self, picture: QSize) -> QSize:
        width, height = picture.width() + 2 * _RING, picture.height() + 2 * _RING
        if not self._grows and self._caption:
            words = QFontMetrics(theme.font(CAPTION)).horizontalAdvance(self._caption) + 4
            width = max(width, min(words, round(1.35 * width)))
        return QSize(width, height + self._words_height())

    def _update_name(self) -> None:
        words = ", ".join(part for part in (self._caption, self._note) if part)
        self.setAccessibleName(self._name or words or "Face")
        self.setToolTip(words if self._clickable else "")


class FramedView(FaceView):
    """A picture with a fine line around it: a white difference image needs an edge."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if theme.tokens().dark:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.tokens().border), 1))
        painter.drawRoundedRect(self.picture_rect().adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class ColourBar(QWidget):
    """A colour scale with words at both ends."""

    def __init__(self, kind: Colours = "signed", left: str = "", right: str = "") -> None:
        super().__init__()
        self._kind: Colours = kind
        self._left, self._right = left, right
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._update_name()

    def set_scale(self, kind: Colours, left: str, right: str) -> None:
        """Show another scale."""
        self._kind, self._left, self._right = kind, left, right
        self._update_name()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme.font(SMALL))
        width = sum(metrics.horizontalAdvance(words) + 8 for words in (self._left, self._right))
        return QSize(width + theme.pixels(126), max(metrics.height() + 2, 14))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() - QSize(theme.pixels(60), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens().secondary))
        metrics = painter.fontMetrics()
        left = metrics.horizontalAdvance(self._left) + 8 if self._left else 0
        right = metrics.horizontalAdvance(self._right) + 8 if self._right else 0
        whole = QRectF(self.rect())
        painter.drawText(whole, Align.AlignLeft | Align.AlignVCenter, self._left)
        painter.drawText(whole, Align.AlignRight | Align.AlignVCenter, self._right)
        bar = QRectF(left, (self.height() - 9) / 2, self.width() - left - right, 9)
        paint_colour_bar(painter, bar, colours_of(self._kind))

    def _update_name(self) -> None:
        self.setAccessibleName(f"Colour scale from {self._left} to {self._right}")


def colours_of(kind: Colours) -> list[QColor]:
    """Return colours of a scale, from its low to its high end, for `paint_colour_bar`."""
    table = colour_table(kind)
    return [QColor(*map(int, table[at * (len(table) - 1) // 16])) for at in range(17)]


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


class Gauge(QWidget):
    """A value as a bar, with a mark for its threshold."""

    def __init__(self, name: str, column: str = "Distance from face space") -> None:
        """Make room for the text ``column``, so that gauges with different names are aligned."""
        super().__init__()
        self._name, self._column, self._text = name, column, ""
        self._share, self._mark = 0.0, -1.0
        self._tone: Tone = "neutral"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
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
        self._share = min(max(value / scale, 0.0), 1.0)
        self._mark = -1.0 if threshold is None else min(max(threshold / scale, 0.0), 1.0)
        self._text, self._tone = text, tone
        self.setAccessibleDescription(text)
        self.update()

    def sizeHint(self) -> QSize:
        height = max(QFontMetrics(theme.font(CAPTION)).height() + 6, 22)
        return QSize(theme.pixels(420), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.pixels(260), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        t = theme.tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(CAPTION))
        metrics = painter.fontMetrics()
        left = max(metrics.horizontalAdvance(words) for words in (self._column, self._name)) + 16
        left = min(left, round(self.width() * 0.5))
        right = max(metrics.horizontalAdvance(self._text), metrics.horizontalAdvance("0,000")) + 10
        whole = QRectF(self.rect())
        side = Align.AlignLeft | Align.AlignVCenter
        painter.setPen(QColor(t.secondary))
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, left - 6)
        painter.drawText(whole, side, name)
        painter.setPen(QColor(t.text))
        painter.drawText(whole.adjusted(self.width() - right + 10, 0, 0, 0), side, self._text)
        top = whole.center().y() - 4
        self._paint_bar(painter, QRectF(left, top, self.width() - left - right, 8))

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        t = theme.tokens()
        painter.setPen(Qt.PenStyle.NoPen)
        # Gauges are also on coloured cards, where a solid grey would not be visible.
        groove = QColor(t.text)
        groove.setAlphaF(0.13)
        painter.setBrush(groove)
        painter.drawRoundedRect(bar, 4, 4)
        painter.setBrush(QColor(t.tone(self._tone)[0]))
        filled = QRectF(bar.left(), bar.top(), max(8.0, bar.width() * self._share), bar.height())
        painter.drawRoundedRect(filled, 4, 4)
        if self._mark >= 0:
            at = bar.left() + bar.width() * self._mark
            painter.setBrush(QColor(t.text))
            painter.drawRoundedRect(QRectF(at - 1, bar.top() - 5, 2, bar.height() + 10), 1, 1)
