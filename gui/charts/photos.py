"""One bar a photo, to be clicked: shows which photos of a person stand out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QKeyEvent, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QToolTip, QWidget

from eigenfaces.arrays import Doubles
from gui.charts.bars import BarPlot
from gui.charts.ticks import Ticks, every, linear_ticks
from gui.style.theme import Tokens

_SIGN_ROOM = 18.0  # px above a bar that stands out, for its warning sign
_TOP_ROOM = 6.0
_PRESS_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


class BarChart(BarPlot):
    """One bar a photo; bars that stand out are coloured and carry a warning sign."""

    clicked = Signal(int)

    def __init__(self, x_title: str, y_title: str, parent: QWidget | None = None) -> None:
        super().__init__(x_title, y_title, parent)
        self._plain, self._odd = self.add_series(), self.add_series()
        self._labels: tuple[str, ...] = ()
        self._values: Doubles = np.zeros(0)
        self._highlight: frozenset[int] = frozenset()
        self._signs: list[QGraphicsPathItem] = []
        self._chosen = BarOutline()
        self.view.addItem(self._chosen, ignoreBounds=True)
        self.canvas.pressed.connect(self._press)
        self.canvas.moved.connect(self._hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_bars(self, labels: Sequence[str], values: ArrayLike, highlight: set[int]) -> None:
        """Draw one bar a label; `highlight` holds the places of those that stand out."""
        self._labels = tuple(labels)
        self._values = np.asarray(values, dtype=float)
        self._highlight = frozenset(highlight)
        at = np.arange(float(self._values.size))
        odd = np.isin(at, list(highlight))
        self._plain.put(at[~odd], self._values[~odd])
        self._odd.put(at[odd], self._values[odd])
        self._plain.width = self._odd.width = 0.6
        self.frame.x.lo, self.frame.x.hi = -0.6, max(1, self._values.size) - 0.4
        self._chosen.index = min(self._chosen.index, self._values.size - 1)
        self._put_signs(at[odd], self._values[odd])
        self.arrange()
        self._tell()

    def bars(self) -> tuple[tuple[str, ...], Doubles]:
        """Give what is written below the bars, and their values."""
        return self._labels, self._values

    def highlighted(self) -> frozenset[int]:
        return self._highlight

    def sign_count(self) -> int:
        """Give how many warning signs are drawn."""
        return len(self._signs)

    def arrange(self) -> None:
        super().arrange()
        self._chosen.outline(self._values, self._plain.width, self.px_size())

    def fit_range(self, height: float) -> None:
        largest = float(self._values.max(initial=0.0)) or 1.0
        room = _SIGN_ROOM if self._highlight else _TOP_ROOM
        self.frame.y.hi = largest * height / max(height - room, 1.0)

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        widest = max((metrics.horizontalAdvance(text) for text in self._labels), default=0.0)
        return every(self._labels, max(1, int(width / (widest + 10))))

    def choose_y_ticks(self, most: int) -> Ticks:
        y = self.frame.y
        return linear_ticks(y.lo, y.hi, min(most, 4), percent=False, whole=False)

    def colour(self, look: Tokens) -> None:
        self._plain.setBrush(QColor(look.accent))
        self._odd.setBrush(QColor(look.warn))
        self._chosen.setPen(_cosmetic(look.text if self.hasFocus() else "#00000000"))
        for sign in self._signs:
            sign.setBrush(QColor(look.warn))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and self._values.size:
            target = self._chosen.index + step
            self._chosen.index = min(max(target, 0), self._values.size - 1)
            self.arrange()
        elif event.key() in _PRESS_KEYS and self._chosen.index >= 0:
            self.clicked.emit(self._chosen.index)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._chosen.index = max(self._chosen.index, min(0, self._values.size - 1))
        self.arrange()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.arrange()

    def _put_signs(self, at: Doubles, heights: Doubles) -> None:
        for sign in self._signs:
            self.view.removeItem(sign)
        self._signs = [warning_sign() for _ in at]
        for sign, x, y in zip(self._signs, at, heights, strict=True):
            sign.setPos(float(x), float(y))
            self.view.addItem(sign, ignoreBounds=True)

    def _bar_at(self, at: QPointF) -> int | None:
        index = round(self.frame.value_at(at.x()))
        inside = self.frame.plot.contains(at) and 0 <= index < self._values.size
        return index if inside else None

    def _press(self, at: QPointF) -> None:
        index = self._bar_at(at)
        if index is not None:
            self._chosen.index = index
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.arrange()
            self.clicked.emit(index)

    def _hover(self, at: QPointF, _pressed: bool) -> None:
        index = self._bar_at(at)
        viewport = self.canvas.viewport()
        if index is None:
            viewport.unsetCursor()
            viewport.setToolTip("")
            return
        viewport.setCursor(Qt.CursorShape.PointingHandCursor)
        note = " — stands out" if index in self._highlight else ""
        tip = f"{self.frame.x.title} {self._labels[index]}: {self._values[index]:,.4g}{note}"
        if viewport.toolTip() != tip:
            QToolTip.hideText()
            viewport.setToolTip(tip)

    def _tell(self) -> None:
        if not self._values.size:
            self.describe("Nothing is drawn yet.")
            return
        pairs = (
            f"{label}: {value:,.4g}"
            for label, value in zip(self._labels, self._values, strict=True)
        )
        odd = ", ".join(self._labels[index] for index in sorted(self._highlight))
        stands = f". Standing out: {odd}." if odd else "."
        self.describe(
            f"{self.frame.y.title.capitalize()} by {self.frame.x.title}. "
            + ", ".join(pairs)
            + stands
        )


class BarOutline(QGraphicsPathItem):
    """The outline round the bar that the arrow keys stand on."""

    def __init__(self) -> None:
        super().__init__()
        self.index = -1

    def outline(self, values: Doubles, width: float, px: tuple[float, float]) -> None:
        path = QPainterPath()
        if 0 <= self.index < values.size:
            across, up = 3 * px[0], 3 * px[1]
            height = float(values[self.index])
            left = self.index - width / 2
            path.addRect(QRectF(left - across, 0, width + 2 * across, height + up))
        self.setPath(path)


def warning_sign() -> QGraphicsPathItem:
    """Make a small triangle with an exclamation mark that floats above its position."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    path.moveTo(0, -16)
    path.lineTo(7, -4)
    path.lineTo(-7, -4)
    path.closeSubpath()
    path.addRect(QRectF(-0.8, -12, 1.6, 4))
    path.addRect(QRectF(-0.8, -7, 1.6, 1.6))
    sign = QGraphicsPathItem(path)
    sign.setPen(QPen(Qt.PenStyle.NoPen))
    sign.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
    return sign


def _cosmetic(colour: str) -> QPen:
    pen = QPen(QColor(colour), 1.5)
    pen.setCosmetic(True)
    return pen
