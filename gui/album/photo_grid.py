"""Grid of photographs by date, which can hold 20,000 because it draws only the visible ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from datetime import date
from itertools import groupby

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDrag,
    QFont,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPixmapCache,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView

from eigenfaces.faces.identity import FaceId
from eigenfaces.project.album import AlbumPhoto
from ..style import icons, theme
from ..style.images import rounded
from ..style.painting import paint_line, paint_no_picture
from ..widgets.controls import PHOTOS_MIME
from ..widgets.face_list import Index, PictureList
from .dates import day_words, heading_of, taken_at, year_of
from .rows import Layout, lay_out, shape_of
from .thumbnails import SIDES, Thumbnail, Thumbnails

_WANTED = 172  # px, desired height of a row before text scaling
_GAP = 8  # px
_EDGE = 5  # px around the grid, for the frame of a selected photograph
_RADIUS = 7.0  # px
_HEADING, _ABOVE = 30, 4  # px: twice the space around the text of a heading, and the gap below it
_BADGE = 22  # px
_VEIL = 150  # opacity, of 255, of the veil over a missing photograph
_FEWEST = 4  # photographs per heading on average; with fewer, the headings are years
_STEP = 48  # px per click on an arrow of the scroll bar
_AHEAD = 1.0  # view heights above and below the view for which thumbnails are also made
_LARGE = 1.25  # rows that are higher by this factor need the large thumbnails
_DARK = QColor(0, 0, 0, 140)
_BRIGHT = "#FFFFFF"
_Flag = QItemSelectionModel.SelectionFlag


class AlbumModel(QAbstractListModel):
    """Model of the photographs in a grid, in display order."""

    def __init__(self) -> None:
        super().__init__()
        self.photos: Sequence[AlbumPhoto] = ()
        self.rows: dict[str, int] = {}
        self.people: frozenset[str] = frozenset()
        self.reasons: dict[str, str] = {}
        """Reasons why some photographs are not shown as usual, keyed by SHA-256."""

    def show(self, photos: Sequence[AlbumPhoto], people: Collection[str]) -> None:
        """Replace the photographs, and the people to whom the grid is limited."""
        self.beginResetModel()
        self.photos, self.people = photos, frozenset(people)
        self.rows = {photo.photograph.sha: row for row, photo in enumerate(photos)}
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.photos)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.photos):
            return None
        photo = self.photos[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return photo.photograph.path.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(self.words(photo))
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(self.words(photo))
        return None

    def words(self, photo: AlbumPhoto) -> list[str]:
        """Return the lines that describe a photograph, such as its date, people and file name."""
        who = photo.people
        people = f"{', '.join(who[:-1])} and {who[-1]}" if len(who) > 1 else "".join(who)
        favourite = "Favourite" if photo.favourite else ""
        reason = self.reasons.get(photo.photograph.sha) or photo.why_gone
        said = (day_words(photo.taken), people, photo.photograph.path.name, favourite, reason)
        return [words for words in said if words]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.NoItemFlags
        dragged = flag.ItemIsDragEnabled | flag.ItemNeverHasChildren
        return flag.ItemIsEnabled | flag.ItemIsSelectable | dragged

    def mime_of(self, rows: Sequence[int]) -> QMimeData:
        """Return the drag data for these photographs: their files, and the faces to move.

        If the grid is limited to some people, only their faces move. Otherwise, only faces that are
        alone in their photograph move, because the people in a group must not become one person.
        """
        mime, faces = QMimeData(), list[FaceId]()
        photos = [self.photos[row] for row in rows]
        for photo in photos:
            mine = [face for face in photo.faces if face.person in self.people]
            if not self.people and len(photo.faces) == 1:
                mine = [*photo.faces]
            faces += [face.id for face in mine]
        files = [photo.photograph for photo in photos if photo.photograph.is_file]
        mime.setUrls([QUrl.fromLocalFile(str(file.path)) for file in files])
        mime.setData(PHOTOS_MIME, json.dumps(faces).encode())
        return mime


class PhotoGrid(PictureList):
    """Grid of uncropped photographs in full-width rows, under headings with their dates.

    It is a `QListView`, which screen readers support. The positions of the photographs are computed
    without asking the model for each of them.
    """

    chosen = Signal(str)
    """Emitted with the SHA-256 of a photograph when it alone is selected."""
    opened = Signal(str)
    """Emitted with the SHA-256 of a photograph to open, after Enter or a double click."""
    menu_wanted = Signal(QPoint)
    """Emitted with the screen position at which to open a menu for the selected photographs."""
    selection_changed = Signal()
    _layout: Layout = lay_out((), (), width=1, wanted=1, gap=0, heading=0)
    """The layout of the photographs, which Qt needs before the grid is initialised."""

    def __init__(self, name: str = "Photos") -> None:
        super().__init__(name)
        self.album = AlbumModel()
        self.thumbnails = Thumbnails()
        self._today = date.today
        self._anchor = 0  # where a selection with Shift starts
        self._quiet = False
        self.setModel(self.album)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_for_menu)
        self.thumbnails.made.connect(self._show_made)
        self.destroyed.connect(self.thumbnails.close)

    # Content and selection

    @property
    def photos(self) -> Sequence[AlbumPhoto]:
        """The photographs in display order."""
        return self.album.photos

    def show_photos(self, photos: Sequence[AlbumPhoto], people: Collection[str] = ()) -> None:
        """Show these photographs, which are of ``people`` or, if ``people`` is empty, of everyone.

        Photographs that remain stay selected, and the first visible one stays in place.
        """
        if photos is self.album.photos and frozenset(people) == self.album.people:
            return
        before, top = self.selected(), self._first_seen()
        current = self._sha_of(self.currentIndex().row())
        self._quiet = True
        self.album.show(photos, people)
        self._lay_out()
        self._select_rows([self.album.rows[sha] for sha in before if sha in self.album.rows])
        if current in self.album.rows:
            index = self.album.index(self.album.rows[current])
            self.selectionModel().setCurrentIndex(index, _Flag.NoUpdate)
        self._quiet = False
        sha, above = top
        place = self._layout.rect(self.album.rows[sha]).top() if sha in self.album.rows else 0
        self.verticalScrollBar().setValue(place - above)
        self.thumbnails.try_again()
        self.viewport().update()
        if self.selected() != before:
            self._tell_selection()

    def selected(self) -> list[str]:
        """Return the SHA-256 of each selected photograph, in display order."""
        return [self._sha_of(row) for row in self._selected_rows()]

    def selected_photos(self) -> list[AlbumPhoto]:
        """Return the selected photographs in display order."""
        return [self.photos[row] for row in self._selected_rows()]

    def select(self, *shas: str) -> None:
        """Select only these photographs and scroll to the first, without emitting a signal."""
        self._quiet = True
        rows = sorted(self.album.rows[sha] for sha in shas if sha in self.album.rows)
        self._select_rows(rows)
        if rows:
            first = self.album.index(rows[0])
            self.selectionModel().setCurrentIndex(first, _Flag.NoUpdate)
            self._anchor = rows[0]
            self.scrollTo(first)
        self._quiet = False

    def years(self) -> list[int]:
        """Return the years in which the photographs were taken, in display order."""
        moments = (taken_at(photo.taken) for photo in self.photos)
        return list(dict.fromkeys(moment.year for moment in moments if moment is not None))

    def go_to_year(self, year: int) -> None:
        """Scroll to the first photograph of a year, with its heading at the top, and select it."""
        for row, photo in enumerate(self.photos):
            moment = taken_at(photo.taken)
            if moment is not None and moment.year == year:
                index, flags = self.album.index(row), _Flag.ClearAndSelect
                self.verticalScrollBar().setValue(self._layout.rect(row).top() - self._heading())
                self._anchor = row
                self.selectionModel().setCurrentIndex(index, flags)
                self.verticalScrollBar().setValue(self._layout.rect(row).top() - self._heading())
                return

    def _selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedIndexes())

    def _select_rows(self, rows: Sequence[int]) -> None:
        selection = QItemSelection()
        for row in rows:
            selection.select(self.album.index(row), self.album.index(row))
        self.selectionModel().select(selection, _Flag.ClearAndSelect)

    def _sha_of(self, row: int) -> str:
        return self.photos[row].photograph.sha if 0 <= row < len(self.photos) else ""

    def _first_seen(self) -> tuple[str, int]:
        """Return the SHA-256 of the first visible photograph, and the top of its row in pixels."""
        top = self.verticalOffset()
        for number in self._layout.between(top, top + self.viewport().height()):
            row = self._layout.rows[number]
            return self._sha_of(row.first), row.top - top
        return "", 0

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.viewport().update()
        if not self._quiet:
            self._tell_selection()

    def _tell_selection(self) -> None:
        self.selection_changed.emit()
        rows = self._selected_rows()
        if len(rows) == 1:
            self.chosen.emit(self._sha_of(rows[0]))

    # Layout

    def _heading(self) -> int:
        return QFontMetrics(_heading_font()).height() + theme.pixels(_HEADING) // 2

    def _lay_out(self) -> None:
        """Compute the positions of all photographs and the range of the scroll bar."""
        today, photos = self._today(), self.photos
        headings = [heading_of(photo.taken, today) for photo in photos]
        if len(photos) < _FEWEST * len({*headings}):  # else most rows would have one photograph
            headings = [year_of(photo.taken) for photo in photos]
        groups = [(words, sum(1 for _ in same)) for words, same in groupby(headings)]
        self._layout = lay_out(
            [shape_of(photo.photograph.size) for photo in photos],
            groups,
            width=max(self.room() - 2 * _EDGE, 60),
            wanted=theme.pixels(_WANTED),
            gap=_GAP,
            heading=self._heading(),
        )
        self.updateGeometries()

    def updateGeometries(self) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setSingleStep(theme.pixels(_STEP))
        bar.setPageStep(height)
        bar.setRange(0, max(self._layout.height + 2 * _EDGE - height, 0))

    def doItemsLayout(self) -> None:
        QAbstractItemView.doItemsLayout(self)  # `QListView` would ask for the size of each item

    def resizeEvent(self, event: QResizeEvent) -> None:
        sha, above = self._first_seen()
        QAbstractItemView.resizeEvent(self, event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()
            if sha in self.album.rows:
                place = self._layout.rect(self.album.rows[sha]).top()
                self.verticalScrollBar().setValue(place - above)
        self.updateGeometries()

    def verticalOffset(self) -> int:
        return self.verticalScrollBar().value() - _EDGE

    def horizontalOffset(self) -> int:
        return -_EDGE

    def _in_view(self, rect: QRect) -> QRect:
        return rect.translated(-self.horizontalOffset(), -self.verticalOffset())

    def visualRect(self, index: Index) -> QRect:
        row = index.row()
        return self._in_view(self._layout.rect(row)) if 0 <= row < len(self.photos) else QRect()

    def indexAt(self, place: QPoint) -> QModelIndex:
        at = place + QPoint(self.horizontalOffset(), self.verticalOffset())
        found = self._layout.place_at(at)
        return QModelIndex() if found is None else self.album.index(found)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        del hint
        rect, height = self.visualRect(index), self.viewport().height()
        bar = self.verticalScrollBar()
        headed = {heading.top for heading in self._layout.headings}
        above = _EDGE
        if index.isValid() and self._layout.rect(index.row()).top() - self._heading() in headed:
            above += self._heading()
        if rect.top() < above or rect.height() > height:
            bar.setValue(bar.value() + rect.top() - above)
        elif rect.bottom() + _EDGE > height:
            bar.setValue(bar.value() + rect.bottom() + _EDGE - height)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        del dx, dy
        self.viewport().update()

    # The keys and the mouse

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Return the photograph to which a key moves; Up and Down follow the visible rows."""
        del modifiers
        go, row, last = QAbstractItemView.CursorAction, self.currentIndex().row(), len(self.photos)
        if not last:
            return QModelIndex()
        if row < 0:
            return self.album.index(0)
        page = max(self.viewport().height() - theme.pixels(_WANTED), 1)
        ways: dict[QAbstractItemView.CursorAction, Callable[[], int]] = {
            go.MoveLeft: lambda: row - 1,
            go.MovePrevious: lambda: row - 1,
            go.MoveRight: lambda: row + 1,
            go.MoveNext: lambda: row + 1,
            go.MoveUp: lambda: self._in_row_beside(row, -1),
            go.MoveDown: lambda: self._in_row_beside(row, 1),
            go.MovePageUp: lambda: self._at_height(row, -page),
            go.MovePageDown: lambda: self._at_height(row, page),
            go.MoveHome: lambda: 0,
            go.MoveEnd: lambda: last - 1,
        }
        return self.album.index(min(max(ways[action](), 0), last - 1))

    def _in_row_beside(self, place: int, by: int) -> int:
        row = self._layout.row_of(place) + by
        if not 0 <= row < len(self._layout.rows):
            return place
        return self._layout.nearest_in_row(row, self._layout.rect(place).center().x())

    def _at_height(self, place: int, by: int) -> int:
        """Return the photograph ``by`` pixels below this one, or above any gap at that height."""
        rect, rows = self._layout.rect(place), self._layout.rows
        height = min(max(rect.center().y() + by, 0), max(self._layout.height - 1, 0))
        row = min(max(self._layout.between(height, height + 1).stop - 1, 0), len(rows) - 1)
        return self._layout.nearest_in_row(row, rect.center().x())

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Select the current photograph or, with Shift, all from the anchor to that one."""
        del rect  # a range follows the order of the photographs, not their positions
        row = self.currentIndex().row()
        if row < 0:
            return
        if not command & _Flag.Current:
            self._anchor = row
        first, last = sorted((min(self._anchor, len(self.photos) - 1), row))
        selection = QItemSelection(self.album.index(first), self.album.index(last))
        self.selectionModel().select(selection, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        del selection
        return QRegion(self.viewport().rect())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if (sha := self._sha_of(self.currentIndex().row())) and not event.modifiers():
                self.opened.emit(sha)
            return
        QAbstractItemView.keyPressEvent(self, event)

    def keyboardSearch(self, text: str) -> None:
        """Do nothing, so that typing letters does not search the grid."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.RightButton and self.selectionModel().isSelected(at):
            self.selectionModel().setCurrentIndex(at, _Flag.NoUpdate)  # keep the selection
            return
        QAbstractItemView.mousePressEvent(self, event)
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not at.isValid() and plain and event.button() == Qt.MouseButton.LeftButton:
            self.clearSelection()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.state() != QAbstractItemView.State.DragSelectingState:
            QAbstractItemView.mouseMoveEvent(self, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        QAbstractItemView.mouseReleaseEvent(self, event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self.indexAt(event.position().toPoint())
        if at.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(self._sha_of(at.row()))

    def startDrag(self, _actions: Qt.DropAction) -> None:
        rows = self._selected_rows()
        if rows:
            drag = QDrag(self)
            drag.setMimeData(self.album.mime_of(rows))
            shown = self.visualRect(self.currentIndex())
            picture = self.viewport().grab(shown & self.viewport().rect())
            drag.setPixmap(picture.scaledToHeight(min(picture.height(), 96)))
            drag.setHotSpot(QPoint(-8, -8))  # beside the pointer, so that the target stays visible
            drag.exec(Qt.DropAction.CopyAction)  # otherwise a file manager would move the files

    def _ask_for_menu(self, place: QPoint) -> None:
        """Request a menu for the photograph at a position, selecting it if necessary."""
        index = self.indexAt(place)
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self._anchor = index.row()
                self.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
            self.menu_wanted.emit(self.viewport().mapToGlobal(place))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, height = self.verticalOffset(), self.viewport().height()
        side, seen = self.side(), list[AlbumPhoto]()
        for number in self._layout.between(top, top + height):
            row = self._layout.rows[number]
            for place, rect in enumerate(self._layout.rects(row), start=row.first):
                seen.append(self.photos[place])
                self._paint_photo(painter, place, self._in_view(rect), side)
        self._paint_headings(painter, top, height)
        painter.end()
        self._want(seen, side)

    def side(self) -> int:
        """Return the size in pixels of the smallest thumbnails that look sharp on this screen."""
        wanted = theme.pixels(_WANTED) * self.devicePixelRatioF()
        return SIDES[0] if wanted < _LARGE * _WANTED else SIDES[1]

    def _want(self, seen: Sequence[AlbumPhoto], side: int) -> None:
        """Request thumbnails of the visible photographs, then of those below and above them."""
        top, height = self.verticalOffset(), self.viewport().height()
        more = round(_AHEAD * height)
        wanted = [*seen]
        for part in ((top + height, top + height + more), (top - more, top)):
            for number in self._layout.between(*part):
                row = self._layout.rows[number]
                wanted += self.photos[row.first : row.end]
        self.thumbnails.want(wanted, side)

    def _paint_photo(self, painter: QPainter, place: int, rect: QRect, side: int) -> None:
        photo, room = self.photos[place], QRectF(rect)
        made = self.thumbnails.get(photo, side)
        ratio = self.devicePixelRatioF()
        if made is None:
            paint_no_picture(painter, room, _RADIUS, "")
        elif made.image is None:
            paint_no_picture(painter, room, _RADIUS, "image")
        else:
            self._paint_picture(painter, made, rect, ratio)
        if photo.favourite:
            self._paint_badge(painter, room.right() - 5 - _BADGE, room.top() + 5, "star")
        if photo.gone:
            veil = QColor(theme.tokens().surface)
            veil.setAlpha(_VEIL)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(veil)
            painter.drawRoundedRect(room, _RADIUS, _RADIUS)
            self._paint_badge(painter, room.left() + 5, room.top() + 5, "warning")
        index = self.album.index(place)
        current = self.hasFocus() and index == self.currentIndex()
        if self.selectionModel().isSelected(index):
            self._paint_frame(painter, room, 3.0)
        elif current:
            self._paint_frame(painter, room, 1.5)

    def _paint_picture(self, painter: QPainter, made: Thumbnail, rect: QRect, ratio: float) -> None:
        image = made.image
        assert image is not None
        key = f"album {image.cacheKey()} {rect.width()}×{rect.height()} {ratio}"
        picture = QPixmap()
        if not QPixmapCache.find(key, picture):
            filled = rounded(image, rect.size(), ratio, _RADIUS, fill=not made.is_face)
            picture = QPixmap.fromImage(filled)
            QPixmapCache.insert(key, picture)
        size = picture.deviceIndependentSize()
        if size.width() < rect.width() - 1 or size.height() < rect.height() - 1:
            paint_no_picture(painter, QRectF(rect), _RADIUS, "")
        left = rect.left() + (rect.width() - size.width()) / 2
        painter.drawPixmap(QRectF(left, rect.top(), 0, 0).topLeft(), picture)

    def _paint_badge(self, painter: QPainter, left: float, top: float, name: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_DARK)
        painter.drawEllipse(QRectF(left, top, _BADGE, _BADGE))
        icon = icons.pixmap(name, 14, _BRIGHT, self.devicePixelRatioF())
        painter.drawPixmap(QPointF(left + 4, top + 4), icon)

    def _paint_frame(self, painter: QPainter, room: QRectF, width: float) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.tokens().accent), width))
        painter.drawRoundedRect(room.adjusted(-2.5, -2.5, 2.5, 2.5), _RADIUS + 2, _RADIUS + 2)

    def _paint_headings(self, painter: QPainter, top: int, height: int) -> None:
        tall = self._heading()
        painter.setFont(_heading_font())
        painter.setPen(QColor(theme.tokens().secondary))
        for heading in self._layout.headings_between(top, top + height, tall):
            room = self._in_view(QRect(0, heading.top, self._layout.width, tall - _ABOVE))
            paint_line(painter, QRectF(room), heading.words, Qt.AlignmentFlag.AlignLeft)

    def _show_made(self, shas: set[str]) -> None:
        """Repaint the photographs whose thumbnails have just been made."""
        side = self.side()
        for sha in shas:
            if sha not in self.album.rows:
                continue
            row = self.album.rows[sha]
            made = self.thumbnails.get(self.photos[row], side)
            self.album.reasons.pop(sha, None)
            if made is not None and made.reason:
                self.album.reasons[sha] = made.reason
            self.viewport().update(self.visualRect(self.album.index(row)))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.thumbnails.want((), SIDES[0])


def _heading_font() -> QFont:
    return theme.font(theme.CAPTION, QFont.Weight.DemiBold)
