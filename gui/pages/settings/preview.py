"""The effect of a preparation on one photograph: the face aligned, or the whole cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from eigenfaces.errors import PhotoError
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.prepare import Fit, Preparation
from eigenfaces.faces.read import read_face
from eigenfaces.photographs.decode import colours, decode, read_bytes
from eigenfaces.photographs.photos import Eyes, Photo, Placement
from eigenfaces.recognition.gallery import Gallery
from gui.style.images import grey_image, rgb_image
from gui.widgets.boxes import STRETCH, in_row
from gui.widgets.painted import FaceView
from gui.widgets.photo_view import FaceMarker
from gui.widgets.words import label

FITS: tuple[Fit, ...] = get_args(Fit)
_LARGE = 600  # pixels on the shorter side; a preview needs no more
_PICTURE, _PHOTO = QSize(115, 140), QSize(230, 150)
_FRAME = 6  # px around a picture, in all

Grey = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Example:
    """One photograph for trying a preparation.

    Parameters
    ----------
    grey, colours
        The photograph, perhaps reduced, in grey (H, W) and in colour (h, w, 3).
    size
        (h, w) of the whole photograph.
    faces
        The faces found in it, where they had to be looked for.
    placement
        Where the face lies in it; None where that is not clear.
    reason
        Why that is not clear.
    """

    grey: Grey
    colours: NDArray[np.uint8]
    size: tuple[int, int]
    faces: tuple[Eyes, ...] = ()
    placement: Placement | None = None
    reason: str = ""

    @property
    def eyes(self) -> Eyes | None:
        """The eyes of the chosen face, in pixels of the whole photograph."""
        return self.placement.eyes if self.placement else None

    def cut(self, preparation: Preparation, eyes: Eyes | None) -> Grey:
        """Return a face cut from it, or (without eyes) all of it."""
        scale = max(self.grey.shape) / max(self.size)
        return preparation.crop(self.grey, eyes.scaled(scale) if eyes else None)


def look(gallery: Gallery, photo: FacePhoto) -> Example | None:
    """Read a photograph of the gallery, and find its face if it was cut already so far."""
    where = photo.placement
    settled = not gallery.preparation.already_cropped or where.source != "found"
    wanted = Photo(photo.path, placement=where if settled else None)
    try:
        seen = read_face(wanted, Preparation())
        content = read_bytes(photo.path)
        grey = _small(np.rot90(decode(content, 2 * _LARGE).grey, -where.turned))
        picture = colours(content, 2 * max(_PHOTO.width(), _PHOTO.height()), where.turned)
    except PhotoError:
        return None
    faces = tuple(face.eyes for face in seen.faces)
    return Example(grey, picture, seen.size, faces, seen.photo.placement, str(seen.refusal or ""))


class Preview(QWidget):
    """Shows a photograph and the face cut from it; or the whole, cut by three policies."""

    fit_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.photo = FaceMarker()
        self.photo.setEnabled(False)  # it only shows where faces are
        self._fit_photo(_PHOTO.height(), _PHOTO.width())
        self.face = FaceView("Face", _PICTURE)
        self.views = [FaceView(fit.capitalize(), _PICTURE, clickable=True) for fit in FITS]
        for at, view in enumerate(self.views):
            view.clicked.connect(lambda at=at: self.fit_chosen.emit(at))
        arrow = label("→", "title")
        arrow.setAccessibleName("becomes")
        self._stack = QStackedWidget()
        self._stack.addWidget(_line(self.photo, arrow, self.face))
        self._stack.addWidget(_line(*self.views))
        in_row(self._stack, inside=self)

    def show_example(self, example: Example | None, choice: Preparation) -> None:
        """Show the effect of a preparation on a photograph; None shows nothing."""
        self._stack.setCurrentIndex(int(choice.already_cropped))
        if choice.already_cropped:
            self._show_policies(example, choice)
            return
        self.face.set_image(None)
        if example is None:
            self.photo.show_photo(None, (1, 1))
            return
        self._fit_photo(*example.size)
        self.photo.show_photo(rgb_image(example.colours), example.size)
        self.photo.show_faces(example.faces, example.eyes)
        if example.placement is not None:
            self.face.set_image(grey_image(example.cut(choice, example.eyes)))

    def _fit_photo(self, height: int, width: int) -> None:
        """Limit the room to what a photograph of (h, w) needs."""
        size = QSize(width, height).scaled(_PHOTO, Qt.AspectRatioMode.KeepAspectRatio)
        self.photo.setFixedSize(size + QSize(_FRAME, _FRAME))

    def _show_policies(self, example: Example | None, choice: Preparation) -> None:
        for fit, view in zip(FITS, self.views, strict=True):
            policy = Preparation(choice.height, choice.width, fit, already_cropped=True)
            view.set_image(None if example is None else grey_image(example.cut(policy, None)))
            view.set_ring("accent" if fit == choice.fit else None)


def _small(grey: Grey) -> Grey:
    factor = min(grey.shape) // _LARGE
    if factor < 2:
        return grey
    return np.asarray(Image.fromarray(np.ascontiguousarray(grey)).reduce(factor), np.float32)


def _line(*widgets: QWidget) -> QWidget:
    made = QWidget()
    in_row(
        *((widget, 0, Qt.AlignmentFlag.AlignVCenter) for widget in widgets),
        STRETCH,
        inside=made,
        spacing=14,
    )
    return made
