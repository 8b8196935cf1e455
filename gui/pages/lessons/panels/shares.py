"""A bar of parts that make up a whole."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.lessons.drawing import SharesPanel
from gui.pages.lessons.panels.inks import ink_colour
from gui.style import theme
from gui.style.theme import CAPTION, SMALL

_BAR = 20
_GAP = 5
_RADIUS = 6


class SharesBar(QWidget):
    """A panel of shares: their words above the bar, its mark and the whole below."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: SharesPanel | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_panel(self, panel: SharesPanel) -> None:
        """Show other shares."""
        self.panel = panel
        said = [*(each.words for each in panel.parts), panel.whole]
        self.setAccessibleName(panel.title or "Shares")
        self.setAccessibleDescription(". ".join([*said, *([panel.mark[1]] if panel.mark else [])]))
        self.update()

    def sizeHint(self) -> QSize:
        small = QFontMetrics(theme.font(SMALL)).height()
        words = QFontMetrics(theme.font(CAPTION)).height()
        return QSize(200, words + _GAP + theme.pixels(_BAR) + 2 * small + 2 * _GAP + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def edges(self) -> list[float]:
        """Return where the parts begin and end, in pixels from the left; they fill the width."""
        parts = self.panel.parts if self.panel else ()
        whole = sum(max(part.value, 0.0) for part in parts) or 1.0
        found = [0.0]
        for part in parts:
            found.append(found[-1] + max(part.value, 0.0) / whole * self.width())
        return found

    def mark_place(self) -> float | None:
        """Return where the mark is, in pixels from the left."""
        if self.panel is None or self.panel.mark is None:
            return None
        whole = sum(max(part.value, 0.0) for part in self.panel.parts) or 1.0
        return min(max(self.panel.mark[0] / whole, 0.0), 1.0) * self.width()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = QFontMetrics(theme.font(CAPTION)).height()
        bar = QRectF(0, words + _GAP, self.width(), theme.pixels(_BAR))
        self._write_parts(painter, words)
        self._paint_bar(painter, bar)
        below = self._paint_mark(painter, bar)
        self._paint_whole(painter, below)

    def _write_parts(self, painter: QPainter, height: float) -> None:
        """Write the first part at the left, the last at the right, others where they begin."""
        assert self.panel is not None
        painter.setPen(QColor(theme.tokens().text))
        parts, edges, right = self.panel.parts, self.edges(), 0.0
        for weight in (QFont.Weight.DemiBold, QFont.Weight.Normal):  # which is narrower
            painter.setFont(theme.font(CAPTION, weight))
            wide = [painter.fontMetrics().horizontalAdvance(part.words) + 2 for part in parts]
            if sum(wide) + 10 * len(wide) <= self.width():
                break
        ends = float(self.width()) - wide[-1]
        for number, part in enumerate(parts):
            left = edges[number]
            if number == len(parts) - 1 and number:
                left = ends
            elif number:
                left = min(max(left, right), ends - wide[number] - 10)
            last = number == len(parts) - 1
            room = wide[number] if last else min(wide[number], max(0.0, ends - left - 10))
            cut = Qt.TextElideMode.ElideRight
            shown = painter.fontMetrics().elidedText(part.words, cut, int(room))
            box = QRectF(left, 0, room, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft, shown)
            right = box.right() + 10

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        assert self.panel is not None
        look, edges = theme.tokens(), self.edges()
        outline = QPainterPath()
        outline.addRoundedRect(bar, _RADIUS, _RADIUS)
        painter.save()
        painter.setClipPath(outline)
        for part, left, right in zip(self.panel.parts, edges, edges[1:], strict=False):
            box = QRectF(left, bar.top(), right - left, bar.height())
            painter.fillRect(box, ink_colour(part.ink, look))
        painter.setPen(QPen(QColor(look.surface), 2))
        for edge in edges[1:-1]:
            painter.drawLine(QPointF(edge, bar.top()), QPointF(edge, bar.bottom()))
        painter.restore()

    def _paint_mark(self, painter: QPainter, bar: QRectF) -> float:
        """Paint the mark; return where what is below may begin."""
        look, at = theme.tokens(), self.mark_place()
        painter.setFont(theme.font(SMALL))
        line = painter.fontMetrics().height()
        below = bar.bottom() + _GAP + line
        if at is None or self.panel is None or self.panel.mark is None:
            return below
        at = min(max(at, 1.5), self.width() - 1.5)
        painter.setPen(QPen(QColor(look.text), 2))
        painter.drawLine(QPointF(at, bar.top() - 2), QPointF(at, bar.bottom() + 5))
        painter.setPen(QColor(look.secondary))
        wide = painter.fontMetrics().horizontalAdvance(self.panel.mark[1]) + 2
        left = min(max(at - wide / 2, 0.0), self.width() - wide)
        box = QRectF(left, bar.bottom() + _GAP + 1, wide, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.panel.mark[1])
        return below

    def _paint_whole(self, painter: QPainter, top: float) -> None:
        """Paint a bracket under all parts, with words in its middle."""
        assert self.panel is not None
        look = theme.tokens()
        painter.setFont(theme.font(SMALL))
        line = painter.fontMetrics().height()
        wide = painter.fontMetrics().horizontalAdvance(self.panel.whole) + 18
        y, right = top + 3 + line / 2, self.width() - 1.0
        first, last = (self.width() - wide) / 2, (self.width() + wide) / 2
        painter.setPen(QPen(QColor(look.tertiary), 1))
        for edge, middle in ((0.5, first), (right, last)):
            painter.drawLine(QPointF(edge, y - 4), QPointF(edge, y))
            painter.drawLine(QPointF(edge, y), QPointF(middle, y))
        painter.setPen(QColor(look.secondary))
        box = QRectF(first, top + 3, wide, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.panel.whole)
