"""A popup to choose a face from: of the gallery, or a probe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QWidget

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.probes import Probe
from eigenfaces.text import folded
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import in_column
from gui.widgets.controls import SearchField
from gui.widgets.face_list import FaceGrid
from gui.widgets.face_model import Face, FacesOnDemand
from gui.widgets.words import ElidedLabel


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
    return Face(probe.photo.key, probe.image, "Probe", probe.photo.path.name)


def _of_photo(faces: FaceSet, row: int) -> Face:
    photo, name = faces.index.photos[row], faces.index.photos[row].path.name
    return Face(photo.key, partial(_picture, faces, row), photo.person or name, name)


def _picture(faces: FaceSet, row: int) -> QImage:
    """Return the picture of a face, once it is seen: of ten thousand, few ever are."""
    return grey_image(faces.image(row))
