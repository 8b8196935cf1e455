"""Bars that show a colour scale, a proportion, or a value and its threshold."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..style import theme
from ..style.images import Colours, colour_table
from ..style.painting import paint_colour_bar
from ..style.theme import CAPTION, SMALL_FONT, Tone
from .box_layouts import in_row
from .labels import label

Align = Qt.AlignmentFlag


class ColourBar(QWidget):
    """Colour scale with a label at each end."""

    def __init__(self, kind: Colours = "signed", left: str = "", right: str = "") -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_scale(kind, left, right)

    def set_scale(self, kind: Colours, left: str, right: str) -> None:
        """Set the colour scale and the labels at its ends."""
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


class ShareBar(QWidget):
    """Bar that shows a proportion, with an optional interval and threshold mark."""

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
        """Show a proportion from 0 to 1, with an optional threshold mark and interval."""
        self.share, self.mark = _clamp_share(share), -1.0 if mark is None else _clamp_share(mark)
        self._interval, self._tone = interval, tone
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 18)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        t, wide, middle = theme.tokens(), float(self.width()), self.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QColor(t.text)  # visible on coloured cards too, unlike a solid grey
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
    """Bar that shows a value and its threshold, with a name on the left and text on the right."""

    def __init__(self, name: str, column: str = "Distance from face space") -> None:
        """Create a gauge whose name is at least as wide as ``column``, so that gauges line up."""
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
        """Show a value on a scale from 0 to ``maximum``, with ``text`` to the right of the bar."""
        scale = maximum if maximum > 0 else 1.0
        mark = None if threshold is None else threshold / scale
        self.bar.show_share(value / scale, mark, tone)
        self._text.setText(text)
        self.setAccessibleDescription(text)


def _clamp_share(share: float) -> float:
    return min(max(share, 0.0), 1.0)
