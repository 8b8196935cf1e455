"""The mistakes, three faces each, side by side; and the results of each person."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from eigenfaces.evaluation.result_words import PersonResult, SearchPhoto, SingleSearch
from eigenfaces.text import number, percent
from gui.style import theme
from gui.style.images import grey_image, rounded
from gui.style.theme import CAPTION, SMALL
from gui.widgets.cards import Card
from gui.widgets.controls import LinkButton
from gui.widgets.face_list import PictureList
from gui.widgets.text_table import SortedTable, TableLine
from gui.widgets.words import Chip, label

Index = QModelIndex | QPersistentModelIndex
FindFace = Callable[[str], NDArray[np.float32] | None]

_PICTURE = QSize(64, 78)
_PAD, _GAP = 7, 8
_HEADS = ("probe", "taken for", "should have been")
_SEARCH = int(Qt.ItemDataRole.UserRole) + 1
_HEIGHT = 300  # of the card, pixels before the text scale


class _SearchModel(QAbstractListModel):
    """The Qt model of a list of searches."""

    def __init__(self) -> None:
        super().__init__()
        self.searches: list[SingleSearch] = []

    def show(self, searches: Sequence[SingleSearch]) -> None:
        self.beginResetModel()
        self.searches = list(searches)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.searches)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        search = self.searches[index.row()]
        if role == _SEARCH:
            return search
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return search.spoken()
        if role == Qt.ItemDataRole.ToolTipRole:
            parts = [search.probe, search.taken, *([search.should] if search.should else [])]
            return "\n".join(f"{part.person}: {part.file}" for part in parts)
        return None


class _Painter(QStyledItemDelegate):
    """Paints a search: its faces, names and distances."""

    def __init__(self, find: FindFace) -> None:
        super().__init__()
        self._find = find
        self.face_width = 0

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        wide = 3 * self.width() + 2 * _GAP + 2 * _PAD
        return QSize(wide, self.cell().height())

    def cell(self) -> QSize:
        """Return the size of a search; it grows with the text."""
        lines = 2 * _line(SMALL) + _line(CAPTION)
        wide = 3 * self.least() + 2 * _GAP + 2 * _PAD
        return QSize(wide, _PICTURE.height() + lines + 2 * _PAD + 4)

    def least(self) -> int:
        """Return the least width of one face with its text."""
        return max(_PICTURE.width(), theme.pixels(82))

    def width(self) -> int:
        """Return the width of one face with its text in this list."""
        return max(self.least(), self.face_width)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        search = index.data(_SEARCH)
        if not isinstance(search, SingleSearch):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._background(painter, option)
        parts = (search.probe, search.taken, search.should)
        for at, (head, part) in enumerate(zip(self._heads(search), parts, strict=True)):
            if part is not None:
                left = option.rect.left() + _PAD + at * (self.width() + _GAP)
                room = QRect(left, option.rect.top() + _PAD, self.width(), option.rect.height())
                self._part(painter, room, part, head)
        painter.restore()

    def _heads(self, search: SingleSearch) -> tuple[str, str, str]:
        second = search.verdict if search.should is None else _HEADS[1]
        return _HEADS[0], second, _HEADS[2]

    def _background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        t, state = theme.tokens(), option.state
        inner = QRectF(option.rect).adjusted(2, 2, -2, -2)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setBrush(QColor(t.soft if selected else t.hover if hovered else t.surface))
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(QPen(QColor(t.accent if focused or selected else t.border), 1))
        painter.drawRoundedRect(inner, 7, 7)

    def _part(self, painter: QPainter, room: QRect, part: SearchPhoto, head: str) -> None:
        t = theme.tokens()
        top = room.top()
        wrong, ok = head == _HEADS[1], head == _HEADS[2]
        tone = t.bad if wrong else t.ok if ok else t.secondary
        wider = QRect(room.left(), top, room.width(), _line(SMALL)).adjusted(
            -_GAP - 6 * ok, 0, _GAP - 4 * ok, 0
        )
        _write(painter, wider, head, tone, SMALL)
        top += _line(SMALL) + 2
        self._face(painter, room, top, part)
        top += _PICTURE.height() + 2
        person = QRect(room.left(), top, room.width(), _line(CAPTION))
        _write(painter, person, part.person, t.text, CAPTION)
        top += _line(CAPTION)
        below = part.file if part.distance is None else f"distance {number(part.distance)}"
        _write(painter, QRect(room.left(), top, room.width(), _line(SMALL)), below, t.secondary)

    def _face(self, painter: QPainter, room: QRect, top: int, part: SearchPhoto) -> None:
        left = room.left() + (room.width() - _PICTURE.width()) // 2
        image = self._find(part.key)
        if image is None:
            _placeholder(painter, QRect(left, top, _PICTURE.width(), _PICTURE.height()))
            return
        dpr = painter.device().devicePixelRatioF()
        drawn = rounded(grey_image(image), _PICTURE, dpr, 6, fill=False)
        size = drawn.deviceIndependentSize()
        across = left + (_PICTURE.width() - size.width()) / 2
        painter.drawImage(QRectF(across, top, size.width(), size.height()), drawn)


def _placeholder(painter: QPainter, place: QRect) -> None:
    """Paint a placeholder for a photograph that is no longer in the gallery."""
    t = theme.tokens()
    painter.setPen(QPen(QColor(t.border), 1, Qt.PenStyle.DashLine))
    painter.setBrush(QColor(t.neutral_soft))
    painter.drawRoundedRect(place, 6, 6)
    painter.setPen(QColor(t.secondary))
    painter.setFont(theme.font(SMALL))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(place.adjusted(2, 2, -2, -2), flags, "no longer in the gallery")


def _write(painter: QPainter, room: QRect, text: str, colour: str, size: int = SMALL) -> None:
    painter.setFont(theme.font(size, QFont.Weight.Normal))
    painter.setPen(QColor(colour))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, shown)


def _line(size: int) -> int:
    return QFontMetrics(theme.font(size)).height() + 1


class SearchList(PictureList):
    """Searches in as many columns as there is room for; a click selects a face."""

    chosen = Signal(str)

    def __init__(self, find: FindFace) -> None:
        super().__init__("Searches with their photos")
        self.searches = _SearchModel()
        self._painter = _Painter(find)
        self._column = 0
        self.setModel(self.searches)
        self.setItemDelegate(self._painter)
        self.lay_out_as_grid()
        cell = self._painter.cell()
        self.setMinimumSize(cell.width() + 18, cell.height() + 10)
        self._spread()

    def show_searches(self, searches: Sequence[SingleSearch]) -> None:
        """Show other searches; nothing happens if they are the same."""
        if list(searches) != self.searches.searches:
            self.searches.show(searches)

    def choose(self, index: QModelIndex) -> None:
        """Select the face of a search that was clicked; from the keyboard, the probe."""
        if index.isValid():
            search = self.searches.searches[index.row()]
            parts = (search.probe, search.taken, search.should)
            part = parts[min(self._column, 2)] or search.probe
            self.chosen.emit(part.key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        if index.isValid():
            across = place.x() - self.visualRect(index).left() - _PAD
            self._column = max(0, min(2, across // (self._painter.width() + _GAP)))
        again = index.isValid() and index in self.selectionModel().selectedIndexes()
        super().mousePressEvent(event)
        self._column = self._column if again else 0
        if again:
            self.choose(index)
            self._column = 0

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        indexes = self.selectionModel().selectedIndexes()
        if indexes:
            self.choose(indexes[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._spread()
        super().resizeEvent(event)

    def _spread(self) -> None:
        """Spread the columns over the whole width."""
        cell = self._painter.cell()
        room = max(cell.width(), self.room())
        wide = room // max(1, room // cell.width())
        self._painter.face_width = (wide - 2 * _PAD - 2 * _GAP) // 3
        size = QSize(wide, cell.height() + 6)
        if size != self.gridSize():
            self.setGridSize(size)


class MistakesCard(Card):
    """The mistakes, or the searches chosen in a chart or in the table of people."""

    all_asked = Signal()

    def __init__(self, find: FindFace) -> None:
        super().__init__("Mistakes")
        self.count = Chip("0")
        self.add_to_heading(self.count, beside_title=True)
        self.back = LinkButton("All mistakes")
        self.back.clicked.connect(self.all_asked)
        self.add_to_heading(self.back)
        self.none = label("", "secondary", wrap=True)
        self.list = SearchList(find)
        self.body.addWidget(self.none)
        self.body.addWidget(self.list, 1)
        self.setMinimumHeight(theme.pixels(_HEIGHT))

    def show_searches(
        self, title: str, searches: Sequence[SingleSearch], *, every: bool, none: str
    ) -> None:
        """Show searches under a title; ``none`` is shown if there are none."""
        self.set_title(title)
        self.count.setText(f"{len(searches):,}")
        self.back.setVisible(not every)
        self.none.setText(none)
        self.none.setVisible(not searches)
        self.list.setVisible(bool(searches))
        self.list.show_searches(searches)


class PersonResultsCard(Card):
    """The results of each person: how often searched for, how often right, taken for whom."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__("Person by person", "press a heading to sort")
        self.table = SortedTable(
            "Person by person",
            ("Person", "Searches", "Right", "Taken for"),
            3,
            frozenset({1, 2}),
        )
        self.table.chosen.connect(self.chosen)
        self.table.set_width(0, 104)
        self.table.set_width(1, 94)
        self.table.set_width(2, 74)
        self.none = label("Single pairs were compared, not people searched for.", "secondary")
        self.none.setWordWrap(True)
        self.body.addWidget(self.none)
        self.body.addWidget(self.table, 1)
        self.setMinimumHeight(theme.pixels(_HEIGHT))

    def show_people(self, results: Sequence[PersonResult]) -> None:
        """Show the results of other people, those with least correct answers first."""
        self.none.setVisible(not results)
        self.table.setVisible(bool(results))
        self.table.show_lines([_line_of(each) for each in results])


def _line_of(result: PersonResult) -> TableLine:
    share = result.right / result.searches
    taken_for = f"{result.taken_for} ({result.times})" if result.times else "nobody else"
    order = (result.person, float(result.searches), share, taken_for)
    words = (result.person, f"{result.searches:,}", percent(share, 0), taken_for)
    return TableLine(str(result.who), words, order)
