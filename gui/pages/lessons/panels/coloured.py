"""Pictures in rows and matrices in colours, with what the colours mean."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.lessons.drawing import MatrixPanel, Panel, PicturesPanel
from eigenfaces.text import count, number
from gui.plots.axes import short_number
from gui.style import theme
from gui.style.images import colour_table, grey_image, rgb_image, signed_image
from gui.style.theme import SMALL

KEY_HEIGHT = 16.0
_BAR = 90.0
_GAP = 6.0
_STOPS = 16


def paint_key(painter: QPainter, top: QPointF, room: float, words: tuple[str, str]) -> None:
    """Paint a bar whose middle is below a point, in at most so much room."""
    look = theme.tokens()
    painter.setFont(theme.font(SMALL))
    metrics = painter.fontMetrics()
    left, right = (metrics.horizontalAdvance(each) + 2.0 for each in words)
    wide = min(_BAR, room - left - right - 2 * _GAP)
    line = QRectF(0, top.y(), room, KEY_HEIGHT)
    if wide < 12:
        return
    start = min(max(top.x() - wide / 2, left + _GAP), room - right - _GAP - wide)
    bar = QRectF(start, line.center().y() - 4, wide, 8)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    table = colour_table("signed")
    for at in range(_STOPS + 1):
        red, green, blue = (int(part) for part in table[at * (len(table) - 1) // _STOPS])
        gradient.setColorAt(at / _STOPS, QColor(red, green, blue))
    painter.setPen(QPen(QColor(look.border), 1))
    painter.setBrush(gradient)
    painter.drawRoundedRect(bar, 2, 2)
    painter.setPen(QColor(look.secondary))
    middle = Qt.AlignmentFlag.AlignVCenter
    box = QRectF(bar.left() - _GAP - left, line.top(), left, line.height())
    painter.drawText(box, Qt.AlignmentFlag.AlignRight | middle, words[0])
    box = QRectF(bar.right() + _GAP, line.top(), right, line.height())
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft | middle, words[1])


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
        return QSize(120, 60)

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


_LEAST_LINE = 0.75
"""Rows lower than this share of a line have no names."""

_WIDER = 1.9
"""Entries that are written out may be so many times wider than high."""


class MatrixView(QWidget):
    """A panel of a matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: MatrixPanel | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(70, 60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(120, 60)

    def show_panel(self, panel: MatrixPanel) -> None:
        """Show another matrix."""
        self.panel = panel
        rows, columns = panel.values.shape
        self.setAccessibleName(panel.title or "Matrix")
        self.setAccessibleDescription(
            f"{rows} × {columns}, from {number(float(panel.values.min()))} to "
            f"{number(float(panel.values.max()))}."
        )
        self.update()

    @property
    def limit(self) -> float:
        """Where the colours end."""
        return self.panel.limit if self.panel else 1.0

    def body(self) -> QRectF:
        """Return the rectangle of the entries: with the names around it, in the middle."""
        if self.panel is None or not self.panel.values.size:
            return QRectF()
        rows, columns = self.panel.values.shape
        left, top = self._names()
        below = KEY_HEIGHT + _GAP
        across, up = max(1.0, self.width() - left - 1), max(1.0, self.height() - top - below)
        side = min(across / columns, up / rows)
        wide = min(across / columns, side * _WIDER) if self.panel.numbers else side
        width, height = wide * columns, side * rows
        x = left + (across - width) / 2
        if left:  # the names count, where there are some
            x = max(left, (self.width() - width - left) / 2 + left)
        return QRectF(x, top + (up - height) / 2, width, height)

    def cell(self, row: int, column: int) -> QRectF:
        """Return the rectangle of an entry."""
        assert self.panel is not None
        rows, columns = self.panel.values.shape
        body = self.body()
        wide, high = body.width() / columns, body.height() / rows
        return QRectF(body.left() + column * wide, body.top() + row * high, wide, high)

    def _names(self) -> tuple[float, float]:
        """Return the room for the names of the rows and of the columns."""
        assert self.panel is not None
        metrics = QFontMetricsF(theme.font(SMALL))
        wide = max((metrics.horizontalAdvance(name) for name in self.panel.rows), default=0.0)
        top = metrics.height() + 2 if any(self.panel.columns) else 0.0
        room = self.height() - top - KEY_HEIGHT - _GAP
        fits = room / len(self.panel.values) >= _LEAST_LINE * metrics.height()
        return min(wide + _GAP + 1, self.width() * 0.4) if wide and fits else 0.0, top

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None or not self.panel.values.size:
            return
        painter, look, body = QPainter(self), theme.tokens(), self.body()
        rows, columns = self.panel.values.shape
        small = body.width() < columns or body.height() < rows
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, small)
        painter.drawImage(body, signed_image(self.panel.values, self.limit))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.panel.numbers:
            self._write_numbers(painter)
        painter.setPen(QPen(QColor(look.border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(body)
        self._write_names(painter)
        end = short_number(self.limit)
        middle = QPointF(body.center().x(), body.bottom() + _GAP)
        paint_key(painter, middle, self.width(), (f"−{end}", f"+{end}"))

    def _write_numbers(self, painter: QPainter) -> None:
        assert self.panel is not None
        grid = QColor(theme.tokens().border)
        grid.setAlphaF(0.7)
        table = colour_table("signed")
        middle = len(table) // 2
        cell = self.cell(0, 0)
        size = int(min(cell.height() * 0.42, cell.width() / 4.2, theme.pixels(SMALL + 3)))
        if size < 7:
            return
        font = QFont(theme.font(SMALL))
        font.setPixelSize(size)
        painter.setFont(font)
        for (row, column), value in np.ndenumerate(self.panel.values):
            box = self.cell(row, column)
            share = float(np.clip(np.nan_to_num(value) / self.limit, -1, 1))
            ground = table[round(middle + share * middle)]
            painter.setPen(QPen(grid, 1))
            painter.drawRect(box)
            painter.setPen(QColor("#FFFFFF" if ground @ (0.3, 0.59, 0.11) < 140 else "#1A1E24"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, entry(float(value)))

    def _write_names(self, painter: QPainter) -> None:
        assert self.panel is not None
        body = self.body()
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens().secondary))
        metrics, right = painter.fontMetrics(), Qt.TextElideMode.ElideRight
        for row, name in enumerate(self.panel.rows if self._names()[0] else ()):
            cell = self.cell(row, 0)
            room = body.left() - _GAP + 1
            box = QRectF(0, cell.center().y() - metrics.height() / 2, room, metrics.height())
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, side, metrics.elidedText(name, right, int(room)))
        for column, name in enumerate(self.panel.columns):
            cell = self.cell(0, column)
            shown = metrics.elidedText(name, right, int(cell.width()) + 2)
            box = QRectF(cell.left() - 2, body.top() - metrics.height() - 2, cell.width() + 4, 0)
            box.setHeight(metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setToolTip(self.told(event.position()))

    def told(self, at: QPointF) -> str:
        """Return which entry is at a pixel, and its value."""
        body = self.body()
        if self.panel is None or not body.contains(at):
            return ""
        rows, columns = self.panel.values.shape
        row = min(int((at.y() - body.top()) / body.height() * rows), rows - 1)
        column = min(int((at.x() - body.left()) / body.width() * columns), columns - 1)
        names = (
            self.panel.rows[row] if self.panel.rows else f"row {row + 1}",
            self.panel.columns[column] if self.panel.columns else f"column {column + 1}",
        )
        return f"{', '.join(names)}: {number(float(self.panel.values[row, column]))}"


def entry(value: float) -> str:
    """Return an entry as it is written in its cell.

    >>> entry(0.70710678), entry(-1e-17), entry(-12.345), entry(1234.5)
    ('0.71', '0', '−12.3', '1234')
    """
    if abs(value) < 5e-4:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f}".replace("-", "−")
