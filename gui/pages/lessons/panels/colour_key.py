"""What the colours of signed pictures mean: a bar with words at both ends."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from gui.style import theme
from gui.style.images import colour_table
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
