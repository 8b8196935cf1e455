"""Faces to choose from: the model of a list, the painting of its cells, and the lists."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nlargest
from itertools import pairwise
from time import perf_counter
from typing import Literal, overload
from weakref import ReferenceType, ref

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.probes import Probe
from eigenfaces.text import folded
from gui.style import icons, theme
from gui.style.images import grey_image, rounded
from gui.style.theme import BASE, CAPTION, SMALL, Tokens, Tone, font, pixels, tokens
from gui.widgets.boxes import in_column
from gui.widgets.controls import SearchField
from gui.widgets.words import ElidedLabel

Picture = NDArray[np.floating] | Callable[[], QImage]
Mark = Tone | Literal[""]
Index = QModelIndex | QPersistentModelIndex

PHOTO_KEYS = "application/x-eigenfaces-photos"
FACE_ROLE = int(Qt.ItemDataRole.UserRole) + 1


@dataclass(frozen=True, eq=False)
class Face:
    """One face in a list.

    `image` is an array of 0 (black) to 1 (white), or a function that returns a picture once it is
    seen. Pass the same object again while the picture is the same: it is then drawn only once.
    A `mark` is a frame inside the picture; the ring around it is for what is selected. Where there
    is no room, words lose their end; the name of the `file`, if it is one of them, its middle.
    """

    key: str
    image: Picture
    caption: str = ""
    subcaption: str = ""
    mark: Mark = ""
    warning: str = ""
    accessible: str = ""
    file: str = ""

    def spoken(self) -> str:
        """Return everything that is shown beside the picture, for screen readers."""
        if self.accessible:
            return self.accessible
        return ", ".join(part for part in (self.caption, self.subcaption, self.warning) if part)


@dataclass(frozen=True, eq=False)
class ListHeading(Face):
    """A heading between the faces of a list, which cannot be chosen.

    Its caption is the title, its subcaption is at the right, its mark the tone of its icon.
    """

    icon: str = ""

    @classmethod
    def of(cls, title: str, number: int, icon: str, tone: Tone) -> ListHeading:
        """Return the heading of so many faces."""
        key = f"\0section {title}"
        return cls(key, QImage, title, f"{number:,}", tone, icon=icon)


class FacesOnDemand(Sequence[Face]):
    """Faces of these keys, each made when it is first seen: of a hundred thousand, few ever are."""

    def __init__(self, keys: Sequence[str], make: Callable[[int], Face]) -> None:
        self.keys = list(keys)
        self._make = make
        self._made: dict[int, Face] = {}

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, row: int) -> Face: ...

    @overload
    def __getitem__(self, row: slice) -> list[Face]: ...

    def __getitem__(self, row: int | slice) -> Face | list[Face]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        at = range(len(self))[row]
        if at not in self._made:
            self._made[at] = self._make(at)
        return self._made[at]


class FaceModel(QAbstractListModel):
    """The faces of one list, in order."""

    def __init__(self) -> None:
        super().__init__()
        self._faces: Sequence[Face] = []
        self.keys: list[str] = []
        self._rows: dict[str, int] = {}

    def show(self, faces: Sequence[Face]) -> None:
        """Show other faces: of the same keys in the same order only what changed is painted."""
        new = faces if isinstance(faces, FacesOnDemand) else list(faces)
        keys = new.keys if isinstance(new, FacesOnDemand) else [face.key for face in new]
        old, self._faces = self._faces, new
        if keys != self.keys:
            self.beginResetModel()
            self.keys, self._rows = keys, {key: row for row, key in enumerate(keys)}
            self.endResetModel()
        elif isinstance(new, FacesOnDemand):
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))
        elif changed := [row for row, face in enumerate(new) if face is not old[row]]:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def faces(self) -> Sequence[Face]:
        return self._faces

    def face(self, index: Index) -> Face:
        return self._faces[index.row()]

    def row_of(self, key: str) -> int:
        """Return the row of a key, or -1."""
        return self._rows.get(key, -1)

    def index_of(self, key: str) -> QModelIndex:
        row = self.row_of(key)
        return self.index(row) if row >= 0 else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        # Of thousands of rows, Qt asks for each of them: those of a list are counted by no Python.
        return 0 if parent is not None and parent.isValid() else len(self.keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._faces):
            return None
        face = self._faces[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return face.caption
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(t for t in (face.caption, face.subcaption, face.warning) if t)
            case Qt.ItemDataRole.AccessibleTextRole:
                return face.spoken()
            case _ if role == FACE_ROLE:
                return face
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flag = Qt.ItemFlag
        if isinstance(self._faces[index.row()], ListHeading):
            return flag.ItemNeverHasChildren
        return (
            flag.ItemIsEnabled
            | flag.ItemIsSelectable
            | flag.ItemIsDragEnabled
            | flag.ItemIsDropEnabled
            | flag.ItemNeverHasChildren
        )

    def mimeTypes(self) -> list[str]:
        return [PHOTO_KEYS]

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def dropMimeData(self, *_drop: object) -> bool:
        return False  # the list reports what was dropped; the page decides what to do


def keys_as_mime(keys: Sequence[str]) -> QMimeData:
    """Return the keys of photos as the content of a drag."""
    mime = QMimeData()
    mime.setData(PHOTO_KEYS, json.dumps(list(keys)).encode())
    return mime


def keys_in_mime(mime: QMimeData) -> list[str]:
    """Return the keys of dragged photos; none when something else is dragged."""
    if not mime.hasFormat(PHOTO_KEYS):
        return []
    return [str(key) for key in json.loads(bytes(mime.data(PHOTO_KEYS).data()))]


_PAD = 6  # between the picture and the edge of its cell
_GAP = 4  # between the picture and its caption
_RADIUS = 7
_BADGE = 20
_LOOKED_AT = 200  # faces whose captions are looked at, evenly spread
_ICON, _EDGE, _ABOVE = 15, 6, 12  # px: of a heading, at its sides, and over it
_KEPT_BYTES = 64_000_000  # of pictures
_FRAME_SECONDS = 0.006
_ROUND = 6.0

Key = tuple[int, int, int, float, bool]

_MEASURED = 8  # captions measured for the width: those with most letters


class FacePictures:
    """A cache of face pictures; the least recently used are dropped first.

    They are images, not pixmaps, as they may outlive the application object.

    A picture is dropped with its source, so nothing is kept alive (a function that makes a picture
    may hold a whole face space), and no other image can get the identity of one that is gone.
    """

    def __init__(self, limit: int = _KEPT_BYTES) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, tuple[ReferenceType[Picture], QImage]] = OrderedDict()
        self._bytes = 0
        self._frame_ends = 0.0
        self._first = self.behind = False

    def start_frame(self) -> None:
        """Allow one new picture, and more for a few milliseconds; `behind` if any had to wait."""
        self._frame_ends = perf_counter() + _FRAME_SECONDS
        self._first, self.behind = True, False

    def picture(self, image: Picture, size: QSize, dpr: float, fill: bool) -> QImage | None:
        """Return the picture within `size`; None when this frame has no time left for it.

        With `fill` the picture is cut to the size, else all of it is shown.
        """
        key = (id(image), size.width(), size.height(), dpr, fill)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][1]
        if not self._first and perf_counter() > self._frame_ends:
            self.behind = True
            return None
        self._first = False
        found = image() if callable(image) else grey_image(image)
        radius = min(_ROUND, size.width() / 6)
        made = rounded(found, size, dpr, radius, fill=fill)
        self._kept[key] = (ref(image, lambda _: self._forget(key)), made)
        self._bytes += made.sizeInBytes()
        while self._bytes > self._limit and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))
        return made

    def _forget(self, key: Key) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._bytes -= found[1].sizeInBytes()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget everything, as before the application ends."""
        self._kept.clear()
        self._bytes = 0


PICTURES = FacePictures()
"""Shared by all lists: a face shown on two pages is drawn once for each size."""


@dataclass(frozen=True)
class CellStyle:
    """The cells of a list: size of the picture, and the lines of text beside it.

    For long captions a cell is up to ``widest`` pictures wide; longer ones are shortened.
    """

    picture: QSize
    subcaption: bool = False
    beside: bool = False  # text to the right of the picture, as in a list of people
    widest: float = 1.5


class FaceDelegate(QStyledItemDelegate):
    """Paints faces: captions below the picture, or beside it in a list of people."""

    def __init__(self, style: CellStyle) -> None:
        super().__init__()
        self.style = style
        self.drop_row = -1
        self._longest: list[str] = []

    def cell_size(self) -> QSize:
        """Return the size of a cell; it grows with the text."""
        picture, style = self.style.picture, self.style
        height = picture.height() + 2 * _PAD
        if style.beside:
            lines = _height(self._main_font()) + _height(self._sub_font())
            return QSize(picture.width() + 2 * _PAD + 80, max(height, lines + 2 * _PAD))
        text = _height(self._main_font())
        text += _height(self._sub_font()) if style.subcaption else 0
        width = picture.width() + 2 * _PAD
        width = max(width, min(self._text_width(), round(style.widest * picture.width())))
        return QSize(width, height + text + _GAP)

    def make_room_for(self, faces: Sequence[Face]) -> None:
        """Widen the cells a little, if captions need it."""
        if self.style.beside:  # the words have the width of the list
            return
        every = -(-len(faces) // _LOOKED_AT) or 1
        captions = (faces[row].caption for row in range(0, len(faces), every))
        self._longest = nlargest(_MEASURED, captions, key=len)

    def _text_width(self) -> int:
        metrics = QFontMetrics(self._main_font())
        return max((metrics.horizontalAdvance(text) + 8 for text in self._longest), default=0)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = self.cell_size()
        if isinstance(index.data(FACE_ROLE), ListHeading):
            size.setHeight(max(_height(_heading_font()), pixels(_ICON)) + _ABOVE)
        return size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        face = index.data(FACE_ROLE)
        if not isinstance(face, Face):
            return
        look, cell = tokens(), option.rect
        if isinstance(face, ListHeading):
            _heading(painter, cell, face, look)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._background(painter, cell, option, index.row())
        picture = self._picture_rect(cell)
        drawn = self._picture(painter, face, picture, look)
        if option.state & _SELECTED and not self.style.beside:
            _ring(painter, drawn, look.accent)
        if face.mark:
            _mark(painter, drawn, look.tone(face.mark)[0], look.surface)
        self._texts(painter, face, cell, picture)
        if face.warning:
            _badge(painter, self._badge_rect(cell, drawn), look)
        painter.restore()

    def _background(
        self, painter: QPainter, cell: QRect, option: QStyleOptionViewItem, row: int
    ) -> None:
        look = tokens()
        state = option.state
        inner = QRectF(cell).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if state & _SELECTED:
            painter.setBrush(QColor(look.soft))
            painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
        elif state & _HOVERED:
            painter.setBrush(QColor(look.hover))
            painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
        by_keys = state & _BY_KEYS or not state & _SELECTED
        if row == self.drop_row or (state & _FOCUSED and by_keys):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.accent), 2))
            painter.drawRoundedRect(inner, _RADIUS, _RADIUS)

    def _picture_rect(self, cell: QRect) -> QRect:
        size = self.style.picture
        if self.style.beside:
            top = cell.top() + (cell.height() - size.height()) // 2
            return QRect(cell.left() + _PAD, top, size.width(), size.height())
        left = cell.left() + (cell.width() - size.width()) // 2
        return QRect(left, cell.top() + _PAD, size.width(), size.height())

    def _picture(self, painter: QPainter, face: Face, room: QRect, look: Tokens) -> QRectF:
        dpr = painter.device().devicePixelRatioF()
        made = PICTURES.picture(face.image, room.size(), dpr, self.style.beside)
        if made is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.neutral_soft))
            painter.drawRoundedRect(room, _RADIUS, _RADIUS)
            return QRectF(room)
        size = made.deviceIndependentSize()
        left = room.left() + int((room.width() - size.width()) / 2)
        top = room.top() + int((room.height() - size.height()) / 2)
        painter.drawImage(left, top, made)
        return QRectF(left, top, size.width(), size.height())

    def _texts(self, painter: QPainter, face: Face, cell: QRect, picture: QRect) -> None:
        look, main, sub = tokens(), self._main_font(), self._sub_font()
        if self.style.beside:
            left = picture.right() + 1 + 9
            width = cell.right() - left - (_BADGE + 8 if face.warning else 4)
            both = _height(main) + (_height(sub) if face.subcaption else 0)
            top, align = cell.top() + (cell.height() - both) // 2, Qt.AlignmentFlag.AlignLeft
        else:
            left, width = cell.left() + 1, cell.width() - 2
            top, align = picture.bottom() + 1 + _GAP, Qt.AlignmentFlag.AlignHCenter
        lines = [(face.caption, main, look.text)]
        if self.style.subcaption or self.style.beside:
            lines.append((face.subcaption, sub, look.secondary))
        for text, used, colour in lines:
            painter.setFont(used)
            painter.setPen(QColor(colour))
            cut = Qt.TextElideMode.ElideMiddle if text == face.file else Qt.TextElideMode.ElideRight
            shown = painter.fontMetrics().elidedText(text, cut, width)
            painter.drawText(QRect(left, top, width, _height(used)), align, shown)
            top += _height(used)

    def _badge_rect(self, cell: QRect, drawn: QRectF) -> QRectF:
        if self.style.beside:
            top = cell.center().y() - _BADGE / 2
            return QRectF(cell.right() - _BADGE - 6, top, _BADGE, _BADGE)
        return QRectF(drawn.right() - _BADGE - 2, drawn.top() + 3, _BADGE, _BADGE)

    def _main_font(self) -> QFont:
        return font(BASE if self.style.beside else CAPTION)

    def _sub_font(self) -> QFont:
        return font(CAPTION if self.style.beside else SMALL)


def _heading(painter: QPainter, cell: QRect, of: ListHeading, look: Tokens) -> None:
    """Paint a heading in small capitals: an icon, the title, and the number at the right."""
    side, cut = pixels(_ICON), Qt.TextElideMode.ElideRight
    line = QRect(cell.left() + _EDGE, cell.bottom() - side - 3, cell.width() - 2 * _EDGE, side)
    colour = look.tone(of.mark)[0] if of.mark else look.tertiary
    drawn = icons.pixmap(of.icon, side, colour, painter.device().devicePixelRatioF())
    painter.drawPixmap(line.topLeft(), drawn)
    painter.setFont(_heading_font())
    painter.setPen(QColor(look.secondary))
    middle, metrics = Qt.AlignmentFlag.AlignVCenter, painter.fontMetrics()
    painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, of.subcaption)
    room = line.adjusted(side + 6, 0, -metrics.horizontalAdvance("0,000"), 0)
    shown = metrics.elidedText(of.caption.upper(), cut, room.width())
    painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, shown)


def _heading_font() -> QFont:
    return font(SMALL, QFont.Weight.DemiBold)


def _ring(painter: QPainter, drawn: QRectF, colour: str) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colour), 3))
    painter.drawRoundedRect(drawn.adjusted(-0.5, -0.5, 0.5, 0.5), _RADIUS, _RADIUS)


def _mark(painter: QPainter, drawn: QRectF, colour: str, around: str) -> None:
    """Frame a picture inside its edge, where the ring of a selected one is not."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # The line beside it is seen on pictures of any grey.
    for inset, width, shown in ((3.6, 2.8, around), (2.4, 2.6, colour)):
        painter.setPen(QPen(QColor(shown), width))
        painter.drawRoundedRect(drawn.adjusted(inset, inset, -inset, -inset), 5, 5)


def _badge(painter: QPainter, place: QRectF, look: Tokens) -> None:
    painter.setPen(QPen(QColor(look.warn), 1))
    painter.setBrush(QColor(look.warn_soft))
    painter.drawEllipse(place)
    dpr = painter.device().devicePixelRatioF()
    sign = icons.pixmap("warning", 12, look.warn, dpr)
    painter.drawPixmap(place.center().toPoint().x() - 6, round(place.top() + 3), sign)


def _height(used: QFont) -> int:
    return QFontMetrics(used).height() + 1


_SELECTED = QStyle.StateFlag.State_Selected
_HOVERED = QStyle.StateFlag.State_MouseOver
_FOCUSED = QStyle.StateFlag.State_HasFocus
_BY_KEYS = QStyle.StateFlag.State_KeyboardFocusChange

_FACE = QSize(84, 102)
_MILESTONE = QSize(64, 78)
_THUMB = QSize(34, 41)
_FLAG = QItemSelectionModel.SelectionFlag


class PictureList(QListView):
    """A list with pictures, of which only a few are drawn at a time."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def lay_out_as_grid(self) -> None:
        """Put the cells side by side, in as many columns as there is room for."""
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def room(self) -> int:
        """Return the width for cells: Qt wraps as if the scroll bar were always visible."""
        bar = self.verticalScrollBar()
        extent = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, bar)
        return self.maximumViewportSize().width() - extent - 1

    def paintEvent(self, event: QPaintEvent) -> None:
        PICTURES.start_frame()
        super().paintEvent(event)
        if PICTURES.behind:
            QTimer.singleShot(0, self.viewport(), self.viewport().update)


class FaceListView(PictureList):
    """Faces to choose from; a subclass decides their layout."""

    chosen = Signal(str)
    activated_face = Signal(str)

    def __init__(self, name: str, style: CellStyle) -> None:
        super().__init__(name)
        self.faces = FaceModel()
        self.cells = FaceDelegate(style)
        self._quiet = False
        self._told = False
        self.setModel(self.faces)
        self.setItemDelegate(self.cells)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.activated.connect(lambda index: self.activated_face.emit(self.faces.face(index).key))
        self.fit_cells()

    def show_faces(self, faces: Sequence[Face]) -> None:
        """Show other faces; selected ones that remain stay selected, without emitting `chosen`."""
        self._quiet = True
        selected, place = self.selected_keys(), self.verticalScrollBar().value()
        before = self.cells.cell_size()
        self.cells.make_room_for(faces)
        self.faces.show(faces)
        if self.cells.cell_size() != before:
            self.fit_cells()
        if self.selected_keys() != selected:
            self._select(selected)
        self.verticalScrollBar().setValue(place)
        self._quiet = False

    def allow_many(self) -> None:
        """Allow several faces to be selected, and dragged to a person."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)

    def selected_keys(self) -> list[str]:
        """Return the keys of the selected faces in the order shown."""
        ranges = self.selectionModel().selection().toList()
        rows = {row for each in ranges for row in range(each.top(), each.bottom() + 1)}
        return [self.faces.keys[row] for row in sorted(rows)]

    def select(self, *keys: str) -> None:
        """Select exactly these faces, without emitting `chosen`; no keys select nothing."""
        self._quiet = True
        first = self._select(keys)
        if first.isValid():
            self.scrollTo(first)
        self._quiet = False

    def fit_cells(self) -> None:
        """Lay out the cells again, after a change of their size or of the width."""
        self.cells.sizeHintChanged.emit(QModelIndex())

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint faces anew; `QListView` would lay out all cells again, which keep their sizes."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        keys = self.selected_keys() if not self._quiet else []
        if len(keys) == 1:
            self._told = True
            self.chosen.emit(keys[0])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._told = False
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # A click on a selected face is also a choice: "show me this one again".
        index = self.indexAt(event.position().toPoint())
        keys = self.selected_keys()
        again = index.isValid() and keys == [self.faces.keys[index.row()]]
        if again and not self._told and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(keys[0])

    def startDrag(self, _actions: Qt.DropAction) -> None:
        keys = self.selected_keys()
        if keys:
            drag = QDrag(self)
            drag.setMimeData(keys_as_mime(keys))
            drag.setPixmap(self._drag_picture())
            drag.setHotSpot(QPoint(-8, -8))
            drag.exec(Qt.DropAction.MoveAction)

    def _drag_picture(self) -> QPixmap:
        index = self.selectionModel().selectedIndexes()[0]
        return self.viewport().grab(self.visualRect(index))

    def _select(self, keys: Sequence[str]) -> QModelIndex:
        found = [row for row in map(self.faces.row_of, keys) if row >= 0]
        selection, rows = QItemSelection(), sorted(found)
        starts = [at for at, row in enumerate(rows) if not at or row > rows[at - 1] + 1]
        for start, end in pairwise([*starts, len(rows)]):
            selection.select(self.faces.index(rows[start]), self.faces.index(rows[end - 1]))
        self.selectionModel().select(selection, _FLAG.ClearAndSelect)
        first = self.faces.index(found[0]) if found else QModelIndex()
        self.selectionModel().setCurrentIndex(first, _FLAG.NoUpdate)
        return first


class FaceGrid(FaceListView):
    """A grid of faces, spread evenly over the width."""

    def __init__(
        self,
        name: str,
        picture: QSize = _FACE,
        *,
        subcaption: bool = False,
    ) -> None:
        super().__init__(name, CellStyle(picture, subcaption=subcaption))
        self.lay_out_as_grid()
        self.setBatchSize(400)
        self.setWrapping(True)

    def columns(self) -> int:
        """Return the number of faces in a row."""
        return max(1, self.room() // max(1, self.gridSize().width()))

    def fit_cells(self) -> None:
        cell, room = self.cells.cell_size(), self.room()
        columns = max(1, room // (cell.width() + 8))
        spread = max(cell.width(), room // columns)
        size = QSize(min(spread, cell.width() + 28), cell.height() + 8)
        if size != self.gridSize():
            self.setGridSize(size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit_cells()
        super().resizeEvent(event)


class FaceRow(FaceListView):
    """Faces in one line, as high as they need, scrolling sideways when they do not fit."""

    def __init__(
        self,
        name: str,
        picture: QSize = _MILESTONE,
        *,
        subcaption: bool = False,
    ) -> None:
        super().__init__(name, CellStyle(picture, subcaption=subcaption))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.faces.modelReset.connect(self._fit_height)

    def fit_cells(self) -> None:
        super().fit_cells()
        self._fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x():
            super().wheelEvent(event)
        else:
            event.ignore()  # the page scrolls down; the row scrolls only sideways

    def _fit_height(self) -> None:
        cell = self.cells.cell_size()
        needed = cell.width() * self.faces.rowCount() + 2
        bar = self.horizontalScrollBar().sizeHint().height() if needed > self.width() else 0
        self.setFixedHeight(cell.height() + bar + 2)


class PersonList(FaceListView):
    """A list of people or probes: a thumbnail and two lines each; takes dropped photos."""

    photos_dropped = Signal(list, str)

    def __init__(self, name: str, *, headings: bool = False) -> None:
        """With ``headings`` some may stand between the faces."""
        super().__init__(name, CellStyle(_THUMB, subcaption=True, beside=True))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DropOnly)
        self.setDropIndicatorShown(False)
        self.setUniformItemSizes(not headings)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        event.setAccepted(event.mimeData().hasFormat(PHOTO_KEYS))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls near the edges
        row = self.indexAt(event.position().toPoint()).row()
        ours = event.mimeData().hasFormat(PHOTO_KEYS)
        self._mark(row if ours else -1)
        event.setAccepted(ours and row >= 0)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._mark(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)  # stops the scrolling; the model itself accepts no drops
        self._mark(-1)
        index = self.indexAt(event.position().toPoint())
        keys = keys_in_mime(event.mimeData())
        event.setAccepted(bool(keys) and index.isValid())
        if event.isAccepted():
            self.photos_dropped.emit(keys, self.faces.face(index).key)

    def _mark(self, row: int) -> None:
        if self.cells.drop_row != row:
            self.cells.drop_row = row
            self.viewport().update()


class FaceChooser(QFrame):
    """A popup below its button, to choose a face of the gallery, a probe, or one of the page."""

    face_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "card")
        self._faces: FaceSet | None = None
        self._first: list[Face] = []  # those that only the page has, and the probes
        self.filter = SearchField("Person or file")
        self.filter.textChanged.connect(self._narrow)
        self.grid = FaceGrid("Faces to choose from", QSize(64, 78), subcaption=True)
        self.grid.chosen.connect(self.face_chosen)
        self.grid.clicked.connect(lambda _index: self.hide())
        self.grid.activated_face.connect(lambda _key: self.hide())
        self._none = ElidedLabel("", "caption")
        in_column(self.filter, (self.grid, 1), self._none, inside=self, margins=(12, 12, 12, 12))
        self.resize(theme.pixels(520), theme.pixels(460))

    def open_below(
        self,
        button: QWidget,
        faces: FaceSet,
        probes: tuple[Probe, ...],
        selected: str | None,
        *,
        first: Sequence[Face] = (),
    ) -> None:
        """Open with these faces; ``first`` those that only the page has, then the probes."""
        corner = button.mapToGlobal(QPoint(button.width(), button.height() + 4))
        self.move(corner - QPoint(self.width(), 0))
        self._faces = faces
        self._first = [*first, *map(_of_probe, probes)]
        self.filter.clear()
        self._narrow()
        self.show()
        self.grid.doItemsLayout()
        self.grid.select(*[selected] if selected else [])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.filter.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.filter.hasFocus():
            self.grid.setFocus()
        else:
            super().keyPressEvent(event)

    def _narrow(self) -> None:
        faces, wanted = self._faces, folded(self.filter.text())
        if faces is None:
            return
        first = [
            face for face in self._first if wanted in folded(f"{face.caption} {face.subcaption}")
        ]
        rows, photos = faces.index.rows_like(wanted), faces.index.photos

        def face(at: int) -> Face:
            return first[at] if at < len(first) else _of_photo(faces, rows[at - len(first)])

        keys = [*(face.key for face in first), *(photos[row].key for row in rows)]
        self.grid.show_faces(FacesOnDemand(keys, face))
        words = f"{len(keys):,} of {len(self._first) + len(faces):,} faces"
        self._none.set_full_text(words if keys else "No face fits.")


def _of_probe(probe: Probe) -> Face:
    name = probe.photo.path.name
    return Face(probe.photo.key, probe.image, "To recognise", name, file=name)


def _of_photo(faces: FaceSet, row: int) -> Face:
    photo, name = faces.index.photos[row], faces.index.photos[row].path.name
    return Face(photo.key, partial(_picture, faces, row), photo.person or name, name, file=name)


def _picture(faces: FaceSet, row: int) -> QImage:
    """Return the picture of a face, once it is seen: of ten thousand, few ever are."""
    return grey_image(faces.image(row))
