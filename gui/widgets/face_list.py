"""Rows, grids and lists of faces: one view in three layouts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QStyle, QWidget

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.probes import Probe
from eigenfaces.text import folded
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import in_column
from gui.widgets.controls import SearchField
from gui.widgets.face_delegate import PICTURES, CellStyle, FaceDelegate
from gui.widgets.face_model import (
    PHOTO_KEYS,
    Face,
    FaceModel,
    FacesOnDemand,
    Index,
    keys_as_mime,
    keys_in_mime,
)
from gui.widgets.words import ElidedLabel

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
