"""Widgets that show faces with captions."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..style import theme
from ..style.images import rounded
from ..style.painting import paint_line, paint_no_picture, pixels_per_unit
from ..style.theme import CAPTION, SMALL_FONT

_AROUND = 3  # pixels kept free around a picture
_ROUND = 6.0  # pixels, the corner radius of a picture
_GAP = 5  # pixels between a picture and its caption
_BESIDE, _BELOW = 26, 36  # pixels between pictures in a row, and for the text below each picture


class FaceView(QWidget):
    """Rounded picture of a face, with a caption below.

    If ``framed``, the picture has a thin border in the light theme, to outline white images.
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
        self._drawn: tuple[QSize, float, QImage] | None = None
        self.caption, self.note = caption, ""
        self._name, self._size = name, size or QSize(92, 112)
        self._grows, self._framed = grows, framed
        policy = QSizePolicy.Policy.Expanding if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(policy, policy)
        self.set_caption(caption)

    def set_image(self, image: QImage | None) -> None:
        self.image = None if image is None or image.isNull() else image
        self._drawn = None
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
        """Return the largest rectangle for the picture that keeps its aspect ratio."""
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
        painter = QPainter(self)
        t, rect, ratio = theme.tokens(), self.picture_rect(), pixels_per_unit(painter)
        radius, size = min(_ROUND, rect.width() / 8), rect.size().toSize().expandedTo(QSize(1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.image is None:
            paint_no_picture(painter, rect, radius)
        else:
            if self._drawn is None or self._drawn[:2] != (size, ratio):
                self._drawn = size, ratio, rounded(self.image, size, ratio, radius)
            painter.drawImage(rect.topLeft(), self._drawn[2])
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
        """Return the lines of text below the picture, with their font sizes."""
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


class FacesInRow(QWidget):
    """Row of faces of equal size, as large as the widget allows."""

    def __init__(self, *views: FaceView) -> None:
        super().__init__()
        self.views = views
        for view in views:
            view.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(150)

    def sizeHint(self) -> QSize:
        return QSize(640, 300)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Place the faces side by side, with widths that match their height."""
        image, number = self.views[0].image, len(self.views)
        shape = image.size() if image is not None else QSize(92, 112)
        high, gaps = self.height() - theme.pixels(_BELOW), (number - 1) * _BESIDE
        wide = round(high * shape.width() / shape.height()) + 12
        width = max(40, min(wide, (self.width() - gaps) // number))
        left = (self.width() - number * width - gaps) // 2
        for at, view in enumerate(self.views):
            view.setGeometry(QRect(left + at * (width + _BESIDE), 0, width, self.height()))
