"""Lists of faces to choose from: the model, the delegate that paints cells, and the views."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

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
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDrag,
    QFont,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QPixmapCache,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from eigenfaces.faces.identity import FaceId
from ..style import icons
from ..style.images import grey_image, rounded
from ..style.painting import paint_line
from ..style.theme import BASE, CAPTION, SMALL_FONT, Tone, font, pixels, tokens
from .controls import PHOTOS_MIME

Picture = NDArray[np.floating] | Callable[[], QImage]
Key = Any  # identifies a face in a list: a `FaceId`, a person or a number
Index = QModelIndex | QPersistentModelIndex

FACE_ROLE = int(Qt.ItemDataRole.UserRole) + 1

_PAD = 6  # between the picture and the edge of its cell
_GAP = 4  # between the picture and its caption
_RADIUS = 7
_BADGE = 20
_ICON, _EDGE, _ABOVE = 15, 6, 12  # px: the icon of a heading, the room beside and above it
_CACHE = 64_000  # kB of pictures
_NUMBERS = count()


@dataclass(frozen=True, eq=False)
class FaceItem:
    """Face in a list, with its picture and text.

    `image` is an array from 0 (black) to 1 (white), or a function that is called when the face
    becomes visible. The picture is drawn once and cached. Text that does not fit is truncated at
    the end, or in the middle if it is the file name in `file`.
    """

    key: Key
    image: Picture
    caption: str = ""
    subcaption: str = ""
    warning: str = ""
    accessible: str = ""
    file: str = ""
    drawn_as: str = field(init=False, default_factory=lambda: f"face {next(_NUMBERS)}")

    def picture(self, size: QSize, ratio: float, *, fill: bool = False) -> QPixmap:
        """Return the picture scaled to fit a size or, if ``fill``, cropped to fill it.

        Sizes are in logical pixels, each of which is ``ratio`` device pixels wide.
        """
        key, made = f"{self.drawn_as} {size.width()}×{size.height()} {ratio} {fill}", QPixmap()
        if not QPixmapCache.find(key, made):
            image = self.image() if callable(self.image) else grey_image(self.image)
            made = QPixmap.fromImage(
                rounded(image, size, ratio, min(6.0, size.width() / 6), fill=fill)
            )
            QPixmapCache.insert(key, made)
        return made

    def words(self, between: str = ", ") -> str:
        """Return the captions and any warning, joined by ``between``."""
        return between.join(filter(None, (self.caption, self.subcaption, self.warning)))


@dataclass(frozen=True, eq=False)
class HeadingItem(FaceItem):
    """Heading between the faces in a list; it cannot be selected.

    The caption is the title, and the subcaption is shown on the right.
    """

    icon: str = ""
    tone: Tone = "neutral"

    @classmethod
    def of(cls, title: str, number: int, icon: str, tone: Tone) -> HeadingItem:
        """Return a heading for a group of ``number`` faces."""
        return cls(f"\0section {title}", QImage, title, f"{number:,}", icon=icon, tone=tone)


@dataclass(frozen=True, eq=False)
class FoldItem(HeadingItem):
    """Heading that can be clicked, or used with Enter or Space, to show or hide the faces below."""

    @classmethod
    def folding(cls, key: Key, title: str, number: int, *, is_open: bool) -> FoldItem:
        """Return a collapsible heading for a group of ``number`` faces."""
        says = f"{title}, {number:,}, {'expanded' if is_open else 'collapsed'}"
        icon = "down" if is_open else "forward"
        return cls(key, QImage, title, f"{number:,}", icon=icon, accessible=says)


class FaceModel(QAbstractListModel):
    """Model of the faces in a list, in display order."""

    dropped = Signal(object, object)
    """Emitted with a list of `FaceId`, one for each dropped photo, and the key of the target."""

    def __init__(self) -> None:
        super().__init__()
        self._faces: Sequence[FaceItem] = []
        self.keys: list[Key] = []
        self._rows: dict[Key, int] = {}

    def show(self, faces: Sequence[FaceItem]) -> None:
        """Replace the faces, or just repaint them if the keys and their order are unchanged."""
        keys = [face.key for face in faces]
        if keys and keys == self.keys:
            self._faces = list(faces)
            self.dataChanged.emit(self.index(0), self.index(len(keys) - 1))
        else:
            self.beginResetModel()
            self._faces, self.keys = list(faces), keys
            self._rows = {key: row for row, key in enumerate(keys)}
            self.endResetModel()

    def faces(self) -> Sequence[FaceItem]:
        return self._faces

    def face(self, index: Index) -> FaceItem:
        return self._faces[index.row()]

    def row_of(self, key: Key) -> int:
        """Return the row of a key, or -1 if the key is not in the list."""
        return self._rows.get(key, -1)

    def index_of(self, key: Key) -> QModelIndex:
        return self.index(self.row_of(key))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._faces):
            return None
        face = self.face(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return face.caption
            case Qt.ItemDataRole.ToolTipRole:
                return face.words("\n")
            case Qt.ItemDataRole.AccessibleTextRole:
                return face.accessible or face.words()
        return face if role == FACE_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.NoItemFlags
        face = self.face(index)
        if isinstance(face, FoldItem):
            return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemNeverHasChildren
        if isinstance(face, HeadingItem):
            return flag.NoItemFlags
        dragged = flag.ItemIsDragEnabled | flag.ItemIsDropEnabled
        return flag.ItemIsEnabled | flag.ItemIsSelectable | dragged | flag.ItemNeverHasChildren

    def mimeTypes(self) -> list[str]:
        return [PHOTOS_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        mime, rows = QMimeData(), sorted(index.row() for index in indexes)
        faces = [key for row in rows if isinstance(key := self.keys[row], FaceId)]
        mime.setData(PHOTOS_MIME, json.dumps(faces).encode())
        return mime

    def supportedDropActions(self) -> Qt.DropAction:
        # Whole photos are dragged as copies, because a file manager would move their files.
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def dropMimeData(
        self, mime: QMimeData, _action: Qt.DropAction, _row: int, _column: int, on: Index
    ) -> bool:
        if on.isValid() and mime.hasFormat(PHOTOS_MIME):
            faces = json.loads(bytes(mime.data(PHOTOS_MIME).data()))
            self.dropped.emit([FaceId(*face) for face in faces], self.face(on).key)
        return on.isValid()


class FaceDelegate(QStyledItemDelegate):
    """Delegate that paints faces, with captions below or beside pictures of a given size.

    A cell is at most ``widest`` times as wide as its picture, and longer captions are truncated.
    Beside a picture, as in a list of people, the subcaption may have up to ``lines`` lines.
    """

    def __init__(
        self,
        picture: QSize,
        *,
        subcaption: bool = False,
        beside: bool = False,
        widest: float = 1.25,
        lines: int = 1,
    ) -> None:
        super().__init__()
        self.picture, self.widest = picture, widest
        self.lines = lines
        self.subcaption, self.beside = subcaption, beside
        QPixmapCache.setCacheLimit(_CACHE)

    def cell_size(self) -> QSize:
        """Return the size of a cell, which depends on the text size."""
        bare, (main, sub) = self.picture + QSize(2 * _PAD, 2 * _PAD), self._fonts()
        if self.beside:  # the texts are as wide as the list
            words = _height(main) + self.lines * _height(sub)
            return QSize(bare.width() + 80, max(bare.height(), words + _PAD))
        width = max(bare.width(), round(self.widest * self.picture.width()))
        text = _height(main) + (_height(sub) if self.subcaption else 0)
        return QSize(width, bare.height() + text + _GAP)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = self.cell_size()
        if isinstance(index.data(FACE_ROLE), HeadingItem):
            size.setHeight(max(_height(_heading_font()), pixels(_ICON)) + _ABOVE)
        return size

    def picture_rect(self, cell: QRect) -> QRect:
        """Return the rectangle of the picture in a cell."""
        room = QRect(QPoint(), self.picture)
        room.moveCenter(cell.center())
        if self.beside:
            room.moveLeft(cell.left() + _PAD)
        else:
            room.moveTop(cell.top() + _PAD)
        return room

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        face, cell, look, state = index.data(FACE_ROLE), option.rect, tokens(), option.state
        if isinstance(face, HeadingItem):
            if isinstance(face, FoldItem):
                _paint_background(painter, QRectF(cell).adjusted(1, 6, -1, -1), state)
            _paint_heading(painter, cell, face)
            return
        selected, beside = bool(state & QStyle.StateFlag.State_Selected), self.beside
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_background(painter, QRectF(cell).adjusted(1, 1, -1, -1), state)
        room = self.picture_rect(cell)
        picture = face.picture(room.size(), painter.device().devicePixelRatioF(), fill=beside)
        place = QRectF(room)
        place.setSize(picture.deviceIndependentSize())
        left, top = (room.width() - place.width()) / 2, (room.height() - place.height()) / 2
        place.translate(int(left), int(top))
        painter.drawPixmap(place.topLeft(), picture)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if selected and not beside:
            painter.setPen(QPen(QColor(look.accent), 3))
            painter.drawRoundedRect(place.adjusted(-0.5, -0.5, 0.5, 0.5), _RADIUS, _RADIUS)
        self._paint_words(painter, face, cell, room)
        if face.warning:
            _paint_badge(painter, cell, None if beside else place)
        painter.restore()

    def _paint_words(self, painter: QPainter, face: FaceItem, cell: QRect, picture: QRect) -> None:
        look, beside, (main, sub) = tokens(), self.beside, self._fonts()
        lines = [(face.caption, main, look.text), (face.subcaption, sub, look.secondary)]
        if beside:
            room = cell.adjusted(picture.right() + 10 - cell.left(), 0, 0, 0)
            room.setRight(cell.right() - (_BADGE + 8 if face.warning else 4))
            below = lines_of(face.subcaption, QFontMetrics(sub), room.width(), self.lines)
            lines[1:] = [(line, sub, look.secondary) for line in below]
            tall = _height(main) + len(below) * _height(sub)
            room.setTop(cell.top() + (cell.height() - tall) // 2)
        else:
            room = cell.adjusted(1, picture.bottom() + 1 + _GAP - cell.top(), -1, 0)
            lines = lines[: 1 + self.subcaption]
        side = Qt.AlignmentFlag.AlignLeft if beside else Qt.AlignmentFlag.AlignHCenter
        for text, used, colour in lines:
            painter.setFont(used)
            painter.setPen(QColor(colour))
            cut = Qt.TextElideMode.ElideMiddle if text == face.file else Qt.TextElideMode.ElideRight
            room.setHeight(_height(used))
            paint_line(painter, QRectF(room), text, side, cut)
            room.translate(0, _height(used))

    def _fonts(self) -> tuple[QFont, QFont]:
        return (font(BASE), font(CAPTION)) if self.beside else (font(CAPTION), font(SMALL_FONT))


def lines_of(words: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Split text into at most ``most`` lines of a given width; the last line may be too long."""
    lines = list[str]()
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == most or metrics.horizontalAdvance(longer) <= width):
            lines[-1] = longer
        else:
            lines.append(word)
    return lines if words else []


def _paint_background(painter: QPainter, inner: QRectF, state: QStyle.StateFlag) -> None:
    look, flag = tokens(), QStyle.StateFlag
    selected = bool(state & flag.State_Selected)
    painter.setPen(Qt.PenStyle.NoPen)
    if selected or state & flag.State_MouseOver:
        painter.setBrush(QColor(look.soft if selected else look.hover))
        painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
    by_keys = state & flag.State_KeyboardFocusChange or not selected
    if state & flag.State_HasFocus and by_keys:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(look.accent), 2))
        painter.drawRoundedRect(inner, _RADIUS, _RADIUS)


def _paint_heading(painter: QPainter, cell: QRect, of: HeadingItem) -> None:
    """Paint a heading: an icon, the title in capitals, and the count on the right."""
    side, look = pixels(_ICON), tokens()
    line = QRect(cell.left() + _EDGE, cell.bottom() - side - 3, cell.width() - 2 * _EDGE, side)
    icon = icons.pixmap(of.icon, side, look.tone(of.tone)[0], painter.device().devicePixelRatioF())
    painter.drawPixmap(line.topLeft(), icon)
    painter.setFont(_heading_font())
    painter.setPen(QColor(look.secondary))
    middle, metrics = Qt.AlignmentFlag.AlignVCenter, painter.fontMetrics()
    painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, of.subcaption)
    room = QRectF(line.adjusted(side + 6, 0, -metrics.horizontalAdvance("0,000"), 0))
    paint_line(painter, room, of.caption.upper(), Qt.AlignmentFlag.AlignLeft)


def _heading_font() -> QFont:
    return font(SMALL_FONT, QFont.Weight.DemiBold)


def _paint_badge(painter: QPainter, cell: QRect, picture: QRectF | None) -> None:
    """Paint a warning badge in the corner of ``picture`` or, for None, on the right of the cell."""
    place, look = QRectF(0, 0, _BADGE, _BADGE), tokens()
    if picture is None:
        place.moveTopLeft(QPoint(cell.right() - _BADGE - 6, cell.center().y() - _BADGE // 2))
    else:
        place.moveTopRight(picture.topRight() + QPoint(-2, 3))
    painter.setPen(QPen(QColor(look.warn), 1))
    painter.setBrush(QColor(look.warn_soft))
    painter.drawEllipse(place)
    sign = icons.pixmap("warning", 12, look.warn, painter.device().devicePixelRatioF())
    painter.drawPixmap(place.center().toPoint().x() - 6, round(place.top() + 3), sign)


def _height(used: QFont) -> int:
    return QFontMetrics(used).height() + 1


class PictureList(QListView):
    """Base class for lists that show pictures."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def lay_out_as_grid(self) -> None:
        """Arrange the cells in a grid with as many columns as fit."""
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def room(self) -> int:
        """Return the width for cells, which Qt wraps as if the scroll bar were always visible."""
        bar = self.verticalScrollBar()
        extent = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, bar)
        return self.maximumViewportSize().width() - extent - 1


class FaceListView(PictureList):
    """Base class for lists of faces to choose from; subclasses define the layout."""

    chosen = Signal(object)
    """Emitted with the key of a face when it alone is selected, or when it is clicked again."""
    activated_face = Signal(object)

    def __init__(self, name: str, cells: FaceDelegate) -> None:
        super().__init__(name)
        self.faces = FaceModel()
        self.cells = cells
        self._quiet = self._reported = False
        self.setModel(self.faces)
        self.setItemDelegate(cells)
        self.activated.connect(lambda index: self.activated_face.emit(self.faces.face(index).key))
        self.clicked.connect(self._choose_again)
        self.fit_cells()

    def show_faces(self, faces: Sequence[FaceItem]) -> None:
        """Replace the faces without emitting `chosen`; faces that remain stay selected."""
        self._quiet = True
        selected, place = self.selected_keys(), self.verticalScrollBar().value()
        self.faces.show(faces)
        if self.selected_keys() != selected:
            self._select(selected)
        self.verticalScrollBar().setValue(place)
        self._quiet = False

    def allow_many(self) -> None:
        """Let the user select several faces and drag them to a person."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)

    def face_at(self, place: QPoint) -> FaceId | None:
        """Return the face at a position in the viewport, or None if there is none."""
        index = self.indexAt(place)
        key = self.faces.keys[index.row()] if index.isValid() else None
        return key if isinstance(key, FaceId) else None

    def selected_keys(self) -> list[Key]:
        """Return the keys of the selected faces in display order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return [self.faces.keys[row] for row in rows]

    def select(self, *keys: Key) -> None:
        """Select only these faces, or none, without emitting `chosen`."""
        self._quiet = True
        self.scrollTo(self._select(keys))
        self._quiet = False

    def _select(self, keys: Sequence[Key]) -> QModelIndex:
        rows = [row for row in map(self.faces.row_of, keys) if row >= 0]
        selection = QItemSelection()
        for row in rows:
            selection.select(self.faces.index(row), self.faces.index(row))
        flag, first = QItemSelectionModel.SelectionFlag, self.faces.index(rows[0] if rows else -1)
        self.selectionModel().select(selection, flag.ClearAndSelect)
        self.selectionModel().setCurrentIndex(first, flag.NoUpdate)
        return first

    def fit_cells(self) -> None:
        """Lay out the cells again after their size or the width of the list has changed."""
        self.cells.sizeHintChanged.emit(QModelIndex())

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        keys = self.selected_keys() if not self._quiet else []
        if len(keys) == 1:
            self._reported = True
            self.chosen.emit(keys[0])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._reported = False
        super().mousePressEvent(event)

    def _choose_again(self, index: QModelIndex) -> None:
        """Emit `chosen` if the user clicks a face that was already selected."""
        if not self._reported and self.selected_keys() == [self.faces.face(index).key]:
            self.chosen.emit(self.faces.face(index).key)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        indexes = self.selectionModel().selectedIndexes()
        if indexes:
            drag = QDrag(self)
            drag.setMimeData(self.faces.mimeData(indexes))
            drag.setPixmap(self.viewport().grab(self.visualRect(indexes[0])))
            drag.setHotSpot(QPoint(-8, -8))  # beside the pointer, so that the target stays visible
            drag.exec(Qt.DropAction.MoveAction)


class FaceGrid(FaceListView):
    """Grid of faces, spread evenly across its width."""

    def __init__(
        self,
        name: str,
        picture: QSize | None = None,
        *,
        subcaption: bool = False,
        widest: float = 1.25,
        cells: FaceDelegate | None = None,
    ) -> None:
        size = picture or QSize(84, 102)
        super().__init__(name, cells or FaceDelegate(size, subcaption=subcaption, widest=widest))
        self.lay_out_as_grid()

    def columns(self) -> int:
        """Return the number of faces per row."""
        return max(1, self.room() // max(1, self.gridSize().width()))

    def fit_cells(self) -> None:
        cell, room = self.cells.cell_size(), self.room()
        spread = max(cell.width(), room // max(1, room // (cell.width() + 8)))
        size = QSize(min(spread, cell.width() + 28), cell.height() + 8)
        if size != self.gridSize():
            self.setGridSize(size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit_cells()
        super().resizeEvent(event)


class FaceRow(FaceListView):
    """Row of faces that share the width, each at most ``tallest`` pixels high."""

    def __init__(self, name: str, tallest: int = 64, *, subcaption: bool = False) -> None:
        super().__init__(name, FaceDelegate(QSize(64, 78), subcaption=subcaption))
        self.shape: tuple[int, ...] = (112, 92)  # (h, w) of the faces
        self.tallest = tallest
        self.setFlow(QListView.Flow.LeftToRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_faces(self, faces: Sequence[FaceItem]) -> None:
        super().show_faces(faces)
        self._share_width()

    def set_shape(self, shape: tuple[int, ...]) -> None:
        """Set the shape (h, w) of the faces."""
        self.shape = shape
        self._share_width()

    def set_tallest(self, height: int) -> None:
        """Set the maximum height of a face in pixels."""
        self.tallest = height
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_width()
        super().resizeEvent(event)

    def _share_width(self) -> None:
        (height, width), room = self.shape, (self.width() - 4) // max(1, self.faces.rowCount())
        wide = max(20, min(round(self.tallest * width / height), room - 2 * _PAD))
        size = QSize(wide, round(wide * height / width)), room / wide
        if size != (self.cells.picture, self.cells.widest):
            self.cells.picture, self.cells.widest = size
            self.fit_cells()
        self.setFixedHeight(self.cells.cell_size().height() + 2)


class ThumbnailList(FaceListView):
    """List of people or probes with thumbnails and captions, which accepts dropped photos."""

    photos_dropped = Signal(object, object)

    def __init__(self, name: str, *, headings: bool = False) -> None:
        """Create a list; if ``headings``, it has headings, and subcaptions may have two lines."""
        lines = 2 if headings else 1
        cells = FaceDelegate(QSize(34, 41), subcaption=True, beside=True, lines=lines)
        super().__init__(name, cells)
        self.setUniformItemSizes(not headings)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DropOnly)
        self.setDragDropOverwriteMode(True)  # drop on a person, never between two people
        self.faces.dropped.connect(self.photos_dropped)
