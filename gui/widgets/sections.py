"""A list of faces under headings, each with its icon and the number of what is below it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from gui.style import icons
from gui.style.theme import SMALL, font, pixels, tokens
from gui.widgets.face_delegate import FaceDelegate
from gui.widgets.face_list import PersonList
from gui.widgets.face_model import FACE_ROLE, ListHeading

Index = QModelIndex | QPersistentModelIndex

_ICON = 15
_EDGE = 6  # px at the sides
_ABOVE = 12  # px over a heading


class SectionDelegate(FaceDelegate):
    """Paints headings in small capitals: an icon, the title, and the number at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        if not isinstance(index.data(FACE_ROLE), ListHeading):
            return size
        height = max(QFontMetrics(_font()).height(), pixels(_ICON)) + _ABOVE
        return QSize(size.width(), height if index.row() else height - _ABOVE // 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        section = index.data(FACE_ROLE)
        if not isinstance(section, ListHeading):
            super().paint(painter, option, index)
            return
        look, cell, side = tokens(), option.rect, pixels(_ICON)
        line = QRect(cell.left() + _EDGE, cell.bottom() - side - 3, cell.width() - 2 * _EDGE, side)
        painter.save()
        colour = look.tone(section.mark)[0] if section.mark else look.tertiary
        drawn = icons.pixmap(section.icon, side, colour, painter.device().devicePixelRatioF())
        painter.drawPixmap(line.topLeft(), drawn)
        painter.setFont(_font())
        painter.setPen(QColor(look.secondary))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, section.subcaption)
        room = line.adjusted(side + 6, 0, -painter.fontMetrics().horizontalAdvance("0,000"), 0)
        title = section.caption.upper()
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, shown)
        painter.restore()


class SectionedList(PersonList):
    """A list of people or probes in which headings may stand."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.cells = SectionDelegate(self.cells.style)
        self.setItemDelegate(self.cells)
        self.setUniformItemSizes(False)


def _font() -> QFont:
    return font(SMALL, QFont.Weight.DemiBold)
