"""Shares as bars: one with its interval, and several that make up the whole."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style import theme

_BAR = 10
_WHISKER = 7  # px above and below the middle


class IntervalBar(QWidget):
    """A share of 1 as a bar, with the whisker of its interval."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._share, self._low, self._high, self._lit = 0.0, 0.0, 0.0, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_share(self, share: float, limits: tuple[float, float], *, lit: bool) -> None:
        """Show a share and its interval; ``lit``: in the colour of what is proposed."""
        self._share, (self._low, self._high), self._lit = share, limits, lit
        said = f"{share:.0%}, from {self._low:.0%} to {self._high:.0%}"
        self.setAccessibleDescription(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(300), 2 * _WHISKER + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        t, painter = theme.tokens(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, width = self.height() / 2, float(self.width())
        groove = QRectF(0, middle - _BAR / 2, width, _BAR)
        outline = QPainterPath()
        outline.addRoundedRect(groove, _BAR / 2, _BAR / 2)
        painter.setClipPath(outline)
        painter.fillRect(groove, QColor(t.track))
        filled = QRectF(0, groove.top(), width * self._share, _BAR)
        painter.fillRect(filled, QColor(t.accent if self._lit else t.tertiary))
        painter.setClipping(False)
        painter.setPen(QPen(QColor(t.text), 1.5))
        low, high = (min(max(x * width, 1), width - 1) for x in (self._low, self._high))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for at in (low, high):
            painter.drawLine(QPointF(at, middle - _WHISKER), QPointF(at, middle + _WHISKER))


class PartsBar(QWidget):
    """Numbers that make up a whole, side by side in different colours."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._parts: tuple[tuple[int, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[tuple[int, str]], said: str) -> None:
        """Show the numbers, each in its colour; ``said`` is the same in words."""
        self._parts = tuple(parts)
        self.setAccessibleDescription(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(300), theme.pixels(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter, whole = QPainter(self), sum(number for number, _ in self._parts)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 5, 5)
        painter.setClipPath(outline)
        left = 0.0
        for number, colour in self._parts:
            wide = self.width() * number / max(whole, 1)
            painter.fillRect(QRectF(left, 0, wide, self.height()), QColor(colour))
            left += wide
            if 0 < left < self.width():
                painter.fillRect(
                    QRectF(left - 2, 0, 2, self.height()), QColor(theme.tokens().surface)
                )


class Swatch(QWidget):
    """A small square in the colour of one part."""

    def __init__(self) -> None:
        super().__init__()
        self._colour = "#000000"
        self.setFixedSize(10, 10)

    def set_colour(self, colour: str) -> None:
        self._colour = colour
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
