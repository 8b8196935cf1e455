"""The mistakes made in a run, each shown with its faces side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import SingleSearch, mistakes, single_searches
from eigenfaces.evaluation.searches import Searches
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FaceId
from eigenfaces.space.arrays import Flags
from eigenfaces.text import four_digits
from ...state.session import Session
from ...style import theme
from ...style.painting import paint_line, paint_no_picture
from ...style.theme import CAPTION, SMALL_FONT
from ...widgets.box_layouts import add_parts
from ...widgets.cards import Card
from ...widgets.controls import LinkButton
from ...widgets.face_list import FaceItem, PictureList
from ...widgets.face_menu import install_face_menu
from ...widgets.labels import Chip, label

Index = QModelIndex | QPersistentModelIndex

_PICTURE = QSize(64, 78)
_PAD, _GAP = 7, 8
_HEADS = ("probe", "taken for", "should have been")
_SEARCH = int(Qt.ItemDataRole.UserRole) + 1
_HEIGHT = 300  # px, before the text scale, of the card


class MistakesCard(Card):
    """Card with the mistakes made in a run, or with the searches selected in a chart."""

    scroll_wanted = Signal()
    """The user asked for searches that may be scrolled out of view."""

    def __init__(self, session: Session) -> None:
        super().__init__("Mistakes")
        self._session = session
        self._evaluation: Evaluation | None = None
        self.count = Chip("0")
        self.add_to_heading(self.count, beside_title=True)
        self.back = LinkButton("All mistakes")
        self.back.clicked.connect(self.show_all)
        self.add_to_heading(self.back)
        self.none = label("", "secondary", wrap=True)
        self.list = SearchList(session)
        add_parts(self.body, self.none, (self.list, 1))
        self.setMinimumHeight(theme.pixels(_HEIGHT))

    def show_run(self, evaluation: Evaluation) -> None:
        """Show all mistakes made in a run."""
        if evaluation is not self._evaluation:
            self._evaluation = evaluation
            self.show_all()
        self.list.viewport().update()  # a face may have been added or removed

    def show_all(self) -> None:
        """Show all mistakes made in the current run."""
        self._show("Mistakes")

    def show_rank(self, rank: int) -> None:
        """Show the searches in which the right person has exactly this rank."""
        self._show(f"Found at rank {rank}", lambda searches: searches.ranks == rank)

    def show_pair(self, who: int, answer: int) -> None:
        """Show the searches for person ``who`` that returned person ``answer``."""
        if self._evaluation is not None:
            one, other = (self._evaluation.people[person] for person in (who, answer))
            title = f"{one} taken for {other}" if who != answer else f"{one} recognised"
            self._show(
                title,
                lambda s: s.mated & (s.people == who) & (s.answers == answer),
            )

    def _show(self, title: str, which: Callable[[Searches], Flags] | None = None) -> None:
        """Show all mistakes, or the searches selected by ``which``, under this title."""
        run = self._evaluation
        if run is None:
            return
        numbers, none = mistakes(run), "Every pair was decided correctly."
        if run.searches is not None:
            total = f"{int(run.searches.mated.sum()):,}"
            none = f"None: each of the {total} searches named the right person."
            if which is not None:
                numbers, none = np.flatnonzero(which(run.searches)), "There were no such searches."
        self.set_title(title)
        self.count.setText(f"{len(numbers):,}")
        self.back.setVisible(which is not None)
        self.none.setText(none)
        self.none.setVisible(not len(numbers))
        self.list.setVisible(bool(len(numbers)))
        self.list.show_searches(single_searches(run, numbers))
        if which is not None:
            self.scroll_wanted.emit()


class SearchList(PictureList):
    """List of searches in columns. Clicking a face selects it; pressing a key selects the probe."""

    def __init__(self, session: Session) -> None:
        super().__init__("Searches with their photos")
        self._session = session
        self.searches: list[SingleSearch] = []
        self._faces: FaceSet | None = None
        self._cache: dict[FaceId, FaceItem | None] = {}
        self._rows = QStandardItemModel(self)
        self._painter = _SearchPainter(self)
        self.setModel(self._rows)
        self.setItemDelegate(self._painter)
        self.lay_out_as_grid()
        self.setMinimumSize(_cell() + QSize(18, 10))
        self._fit_columns()
        install_face_menu(self, session, self.face_at)

    def show_searches(self, searches: Sequence[SingleSearch]) -> None:
        """Replace the listed searches."""
        self.searches = list(searches)
        self._rows.clear()
        for search in searches:
            item = QStandardItem()
            item.setData(search, _SEARCH)
            item.setData(search.accessible_text(), Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip("\n".join(f"{p.person}: {p.path.name}" for p in search.photos))
            self._rows.appendRow(item)

    def face(self, key: FaceId) -> FaceItem | None:
        """Return the cached item for a gallery face; None if the face has been removed."""
        gallery = self._session.gallery
        if gallery.faces is not self._faces:
            self._faces, self._cache = gallery.faces, {}
        if key not in self._cache:
            row = gallery.index.row_of(key)
            self._cache[key] = None if row is None else FaceItem(key, gallery.faces.image(row))
        return self._cache[key]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        place = event.position().toPoint()
        if self.indexAt(place).isValid():
            self._choose(self._part_at(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        self._choose(0)

    def face_at(self, place: QPoint) -> FaceId | None:
        """Return the face at a point in the viewport, or the probe if the third face is missing."""
        index = self.indexAt(place)
        return self._face(index.row(), self._part_at(place)) if index.isValid() else None

    def _part_at(self, place: QPoint) -> int:
        """Return the index (0, 1 or 2) of the face at a point within a search."""
        cell = self.visualRect(self.indexAt(place))
        return int(3 * (place.x() - cell.left()) / (cell.width() + 1))

    def _face(self, row: int, part: int) -> FaceId:
        photos = self.searches[row].photos
        return photos[part if part < len(photos) else 0].id

    def _choose(self, part: int) -> None:
        """Select a face of the current search."""
        row = self.currentIndex().row()
        if row >= 0:
            key = self._face(row, part)
            if self._session.gallery.index.row_of(key) is not None:
                self._session.select(key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_columns()
        super().resizeEvent(event)

    def _fit_columns(self) -> None:
        """Spread the columns across the full width."""
        cell = _cell()
        room = max(cell.width(), self.room())
        self.setGridSize(QSize(room // max(1, room // cell.width()), cell.height() + 6))


class _SearchPainter(QStyledItemDelegate):
    """Delegate that paints a search with its faces, names and distances."""

    def __init__(self, view: SearchList) -> None:
        super().__init__(view)
        self._list = view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return self._list.gridSize() - QSize(0, 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        search, t, state, flag = index.data(_SEARCH), theme.tokens(), option.state, QStyle.StateFlag
        selected, hovered = state & flag.State_Selected, state & flag.State_MouseOver
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(t.soft if selected else t.hover if hovered else t.surface))
        edge = t.accent if selected or state & flag.State_HasFocus else t.border
        painter.setPen(QPen(QColor(edge), 1))
        painter.drawRoundedRect(QRectF(option.rect).adjusted(2, 2, -2, -2), 7, 7)
        second = search.verdict if len(search.photos) < 3 else _HEADS[1]
        tones = t.secondary, t.bad if second == _HEADS[1] else t.secondary, t.ok
        below = (
            search.photos[0].path.name,
            *(f"distance {four_digits(far)}" for far in search.distances),
        )
        wide = (option.rect.width() - 2 * _PAD - 2 * _GAP) // 3
        for part, photo in enumerate(search.photos):
            left = option.rect.left() + _PAD + part * (wide + _GAP)
            room = QRect(left, option.rect.top() + _PAD, wide, 0)
            heading = room.adjusted(-_GAP, 0, _GAP, 0)
            if part == 2:  # the longest heading, at the edge
                heading.adjust(-6, 0, -4, 0)
            top = (
                _paint_top(painter, heading, second if part == 1 else _HEADS[part], tones[part]) + 2
            )
            left += (wide - _PICTURE.width()) // 2
            if (face := self._list.face(photo.id)) is None:
                paint_no_picture(painter, QRectF(QPointF(left, top), QSizeF(_PICTURE)), 6)
            else:
                picture = face.picture(_PICTURE, painter.device().devicePixelRatioF())
                aside = (_PICTURE.width() - picture.deviceIndependentSize().width()) / 2
                painter.drawPixmap(QPointF(left + aside, top), picture)
            room.moveTop(top + _PICTURE.height() + 2)
            room.moveTop(_paint_top(painter, room, photo.person or "", t.text, CAPTION))
            _paint_top(painter, room, below[part], t.secondary)
        painter.restore()


def _paint_top(
    painter: QPainter, room: QRect, text: str, colour: str, size: int = SMALL_FONT
) -> int:
    """Paint a line of text at the top of a rectangle; return the top of the next line."""
    painter.setFont(theme.font(size))
    painter.setPen(QColor(colour))
    line = QRectF(room.left(), room.top(), room.width(), _line_height(size))
    paint_line(painter, line, text, cut=Qt.TextElideMode.ElideMiddle)
    return room.top() + _line_height(size)


def _cell() -> QSize:
    """Return the minimum size of a list entry, which grows with the text size."""
    lines = 2 * _line_height(SMALL_FONT) + _line_height(CAPTION)
    wide = 3 * max(_PICTURE.width(), theme.pixels(82)) + 2 * _GAP + 2 * _PAD
    return QSize(wide, _PICTURE.height() + lines + 2 * _PAD + 4)


def _line_height(size: int) -> int:
    return QFontMetrics(theme.font(size)).height() + 1
