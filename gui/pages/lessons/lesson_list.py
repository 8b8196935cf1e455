"""All lessons by section: in a list, or in a combo box where there is little room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from eigenfaces.lessons.lesson import Lesson
from gui.style import icons, theme
from gui.style.theme import BASE, SMALL
from gui.widgets.cards import Card

Index = QModelIndex | QPersistentModelIndex
_NAME, _LINE, _SEEN = (Qt.ItemDataRole.UserRole + number for number in range(3))
_EDGE = 10
_TICK = 15
_ELIDED = Qt.TextElideMode.ElideRight
_BOLD = QFont.Weight.DemiBold


class LessonList(QListWidget):
    """Sections, and in each its lessons: title, a line, and a tick where one has been."""

    chosen = Signal(str)

    def __init__(self, lessons: Sequence[Lesson[Any]]) -> None:
        super().__init__()
        self.setAccessibleName("Lessons")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self._cells = _LessonCells()
        self.setItemDelegate(self._cells)
        group = ""
        for lesson in lessons:
            if lesson.group != group:
                group = lesson.group
                heading = QListWidgetItem(group.upper())
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                self.addItem(heading)
            item = QListWidgetItem(lesson.title)
            item.setData(_NAME, lesson.name)
            item.setData(_LINE, lesson.line)
            self.addItem(item)
        self.currentItemChanged.connect(self._choose)

    def show_lesson(self, name: str, seen: Sequence[str]) -> None:
        """Mark the lesson that is open, and those that were."""
        for item in map(self.item, range(self.count())):
            mine = item.data(_NAME)
            item.setData(_SEEN, mine in seen)
            if mine:
                read = f"{item.text()}: {item.data(_LINE)}{', seen' if mine in seen else ''}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, read)
            if mine == name:
                self.blockSignals(True)
                self.setCurrentItem(item)
                self.blockSignals(False)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_NAME):
            self.chosen.emit(item.data(_NAME))


class _LessonCells(QStyledItemDelegate):
    """Paints headings, and lessons in two lines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        small = QFontMetrics(theme.font(SMALL)).height()
        if not index.data(_NAME):
            return QSize(10, small + (8 if index.row() else 2))
        return QSize(10, QFontMetrics(theme.font(BASE, _BOLD)).height() + small + 9)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, cell = theme.tokens(), option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not index.data(_NAME):
            painter.setFont(theme.font(SMALL, _BOLD))
            painter.setPen(QColor(look.tertiary))
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(cell.adjusted(_EDGE, 0, 0, -1), left, str(index.data()))
        else:
            self._paint_lesson(painter, option, index)
        painter.restore()

    def _paint_lesson(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, cell = theme.tokens(), option.rect
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if on or over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.soft if on else look.hover))
            painter.drawRoundedRect(cell.adjusted(0, 1, 0, -1), 6, 6)
        title, small = theme.font(BASE, _BOLD if on else QFont.Weight.Normal), theme.font(SMALL)
        if QFontMetrics(title).horizontalAdvance(str(index.data())) > cell.width() - _EDGE - 2:
            title = theme.font(BASE)  # a long title is not bold, so that it is whole
        upper = QRect(cell.left() + _EDGE, cell.top() + 4, cell.width() - _EDGE - 2, 0)
        upper.setHeight(QFontMetrics(title).height())
        lower = QRect(upper.left(), upper.bottom() + 1, upper.width() - _TICK - 14, 0)
        lower.setHeight(QFontMetrics(small).height())
        for box, font, colour, text in (
            (upper, title, look.accent if on else look.text, str(index.data())),
            (lower, small, look.secondary, str(index.data(_LINE))),
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            shown = painter.fontMetrics().elidedText(text, _ELIDED, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft, shown)
        if index.data(_SEEN):
            side = theme.pixels(_TICK)
            tick = icons.pixmap("check", side, look.ok, painter.device().devicePixelRatioF())
            painter.drawPixmap(
                cell.right() - side - _EDGE + 1, lower.center().y() - side // 2, tick
            )


class LessonsCard(Card):
    """The list in its card, and how many lessons were seen."""

    def __init__(self, lessons: Sequence[Lesson[Any]]) -> None:
        super().__init__("Lessons", " ")
        self.list = LessonList(lessons)
        self.body.addWidget(self.list)
        self._names = {lesson.name for lesson in lessons}

    def show_lesson(self, name: str, seen: Sequence[str]) -> None:
        """Mark the lesson that is open, and those that were."""
        self.list.show_lesson(name, seen)
        self.set_note(f"{len(self._names & set(seen))} of {len(self._names)} seen")
