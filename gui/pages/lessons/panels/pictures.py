"""Pictures in rows: grey, in colour, or signed."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.lessons.drawing import Panel, PicturesPanel
from eigenfaces.text import count
from gui.pages.lessons.panels.colour_key import KEY_HEIGHT, paint_key
from gui.plots.axes import short_number
from gui.style import theme
from gui.style.images import grey_image, rgb_image, signed_image
from gui.style.theme import SMALL

_GAP = 6.0
_COARSE = 40
"""Pictures with fewer pixels across are shown pixel by pixel."""


def has_shared_colours(panel: Panel) -> bool:
    """Return whether the colours of a panel have no numbers, so that one key serves all."""
    return isinstance(panel, PicturesPanel) and panel.diverging and not panel.alike


class PicturesView(QWidget):
    """A panel of pictures, as large as the room allows."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: PicturesPanel | None = None
        self.images: list[QImage] = []
        self.setMouseTracking(True)
        self.setMinimumSize(50, 40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(240, 200)

    def show_panel(self, panel: PicturesPanel) -> None:
        """Show other pictures."""
        self.panel = panel
        pictures = np.asarray(panel.shown)
        if panel.diverging:
            limits = panel.limits.tolist()
            self.images = [
                signed_image(each, limit) for each, limit in zip(pictures, limits, strict=True)
            ]
        elif pictures.ndim == 4:
            levels = np.rint(np.clip(np.nan_to_num(pictures), 0, 1) * 255).astype(np.uint8)
            self.images = [rgb_image(each) for each in levels]
        else:
            self.images = [grey_image(each) for each in pictures]
        self.setAccessibleName(panel.title or "Pictures")
        self.setAccessibleDescription(
            f"{count(len(self.images), 'picture')}. {', '.join(panel.words)}"
        )
        self.update()

    def places(self) -> list[QRectF]:
        """Return the rectangles of all pictures, of one size, in rows."""
        if self.panel is None or not self.images:
            return []
        across = max(1, min(self.panel.across, len(self.images)))
        rows = math.ceil(len(self.images) / across)
        line = QFontMetricsF(theme.font(SMALL)).height() + 2 if self.panel.words else 0.0
        key = KEY_HEIGHT if self.panel.diverging and self.panel.alike else 0.0
        shape = self.images[0].size()
        wide = (self.width() - (across - 1) * _GAP) / across
        high = (self.height() - key - (rows - 1) * _GAP) / rows - line
        scale = max(0.0, min(wide / shape.width(), high / shape.height()))
        width, height = scale * shape.width(), scale * shape.height()
        pitch = width + _GAP
        if self.panel.words:  # words may be wider than a small picture
            pitch = max(pitch, min(wide + _GAP, self._widest_word() + _GAP))
        left = (self.width() - (across - 1) * pitch - width) / 2
        used = rows * (height + line) + (rows - 1) * _GAP + key
        top = max(0.0, (self.height() - used) / 2)
        return [
            QRectF(
                left + (at % across) * pitch,
                top + (at // across) * (height + line + _GAP),
                width,
                height,
            )
            for at in range(len(self.images))
        ]

    def _widest_word(self) -> float:
        assert self.panel is not None
        metrics = QFontMetricsF(theme.font(SMALL))
        return max(metrics.horizontalAdvance(each) for each in self.panel.words)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        places, look = self.places(), theme.tokens()
        if self.panel is None or not places:
            return
        painter = QPainter(self)
        smooth = self.images[0].width() >= _COARSE
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        for place, image in zip(places, self.images, strict=True):
            painter.drawImage(place, image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.border), 1))
        for place in places:
            painter.drawRect(place)
        if self.panel.words:
            self._write_words(painter, places)
        if self.panel.diverging and self.panel.alike:
            below = places[-1].bottom()
            line = QFontMetricsF(theme.font(SMALL)).height() + 2 if self.panel.words else 0.0
            middle = (
                min(each.left() for each in places) + max(each.right() for each in places)
            ) / 2
            paint_key(painter, QPointF(middle, below + line + 1), self.width(), self.key_words())

    def key_words(self) -> tuple[str, str]:
        """Return what stands at the ends of the colours."""
        assert self.panel is not None
        end = short_number(float(self.panel.limits[0]))
        return f"−{end}", f"+{end}"

    def _write_words(self, painter: QPainter, places: list[QRectF]) -> None:
        assert self.panel is not None
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens().secondary))
        metrics = painter.fontMetrics()
        pitch = places[1].left() - places[0].left() if len(places) > 1 else float(self.width())
        pitch = pitch if pitch > 0 else float(self.width())
        for place, words in zip(places, self.panel.words, strict=False):
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(pitch))
            box = QRectF(place.center().x() - pitch / 2, place.bottom() + 1, pitch, 0)
            box.setHeight(metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        words = self.panel.words if self.panel else ()
        pairs = zip(self.places(), words, strict=False)
        tip = next((each for place, each in pairs if place.contains(event.position())), "")
        self.setToolTip(tip)
