"""Shared painting functions: a line of text, a picture placeholder and a colour bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from . import icons, theme


def paint_line(
    painter: QPainter,
    room: QRectF,
    text: str,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint a line of text, vertically centred in a rectangle, cutting text that is too long."""
    fitted = painter.fontMetrics().elidedText(text, cut, math.ceil(room.width()))
    painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, fitted)


def paint_no_picture(painter: QPainter, rect: QRectF, radius: float, icon: str = "person") -> None:
    """Paint a placeholder for a missing picture, with an icon in the middle."""
    look = theme.tokens()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.neutral_soft))
    painter.drawRoundedRect(rect, radius, radius)
    side = round(min(rect.width(), rect.height()) * 0.4)
    if icon and side > 0:
        ratio = painter.device().devicePixelRatioF()
        pixmap = icons.pixmap(icon, side, look.tertiary, ratio)
        painter.drawPixmap(rect.center() - QPointF(side / 2, side / 2), pixmap)


def paint_colour_bar(painter: QPainter, bar: QRectF, colours: Sequence[QColor]) -> None:
    """Paint a colour bar from left to right, or from bottom to top if the bar is tall."""
    tall = bar.height() > bar.width()
    ends = (bar.bottomLeft(), bar.topLeft()) if tall else (bar.topLeft(), bar.topRight())
    gradient = QLinearGradient(*ends)
    for at, colour in enumerate(colours):
        gradient.setColorAt(at / (len(colours) - 1), colour)
    painter.setPen(QPen(QColor(theme.tokens().border), 1))
    painter.setBrush(gradient)
    painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)


def pixels_per_unit(painter: QPainter) -> float:
    """Return the number of device pixels per unit of a painter, including any scaling."""
    return painter.deviceTransform().m11()


def clamped(box: QRectF, room: QRectF) -> QRectF:
    """Return ``box`` moved inside ``room``, or to the top left of ``room`` if it is too large."""
    left = max(min(box.left(), room.right() - box.width()), room.left())
    top = max(min(box.top(), room.bottom() - box.height()), room.top())
    return QRectF(left, top, box.width(), box.height())
