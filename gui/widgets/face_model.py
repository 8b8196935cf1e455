"""The frozen `Face`, and the Qt model that holds the faces of a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QImage

from gui.style.theme import Tone

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
