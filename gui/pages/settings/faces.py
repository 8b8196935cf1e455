"""How a photograph becomes a face: the size, and what happens to another aspect ratio."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtWidgets import QHBoxLayout, QSpinBox

from eigenfaces.decoding import decode
from eigenfaces.errors import PhotoError, Tick
from eigenfaces.faces import FacePhoto, FaceSet
from eigenfaces.gallery import Gallery
from eigenfaces.preparation import Fit, Preparation
from eigenfaces.samples import read_mended
from gui import actions
from gui.images import grey_image
from gui.pages.settings.rows import SettingRow, name_spin_box
from gui.session import Session
from gui.widgets.cards import Card
from gui.widgets.controls import Button, FaceView, LinkButton, Segmented
from gui.widgets.words import label

_FITS: tuple[Fit, ...] = ("fill", "fit", "stretch")
_WORDS = (
    "Fill: the face covers the crop, and what sticks out is cut off.",
    "Fit: the whole photo is shown, on mid-grey.",
    "Stretch: the whole photo fills the crop, distorted.",
)
_LARGE = 600  # pixels on a side; a preview needs no more
_PICTURE = QSize(115, 140)

Grey = NDArray[np.float32]


class FacesCard(Card):
    """Size and aspect policy with a preview; applying reads the photographs again."""

    def __init__(self, session: Session) -> None:
        super().__init__("Faces", "photo → face, geometry only")
        self._session = session
        self._faces: FaceSet | None = None
        self._preparation: Preparation | None = None
        self._photo: FacePhoto | None = None
        self._grey: Grey | None = None
        self.width_box, self.height_box = QSpinBox(), QSpinBox()
        for box, name in ((self.width_box, "Width of a face"), (self.height_box, "Height")):
            box.setRange(16, 512)
            name_spin_box(box, name)
            box.valueChanged.connect(self._show_choice)
        self.fit = Segmented(("Fill", "Fit", "Stretch"), name="Another aspect ratio")
        self.fit.changed.connect(self._show_choice)
        self.views = [
            FaceView(word, _PICTURE, clickable=True) for word in ("Fill", "Fit", "Stretch")
        ]
        for at, view in enumerate(self.views):
            view.clicked.connect(lambda at=at: self.fit.set_current(at))
        self.about = label("", "caption", wrap=True)
        self.gone = label("", "caption", wrap=True, tone="warn")
        self.gone.hide()
        self.apply = Button("Cut all faces anew")
        self.apply.clicked.connect(self._apply)
        self.back = LinkButton("Back to what it was")
        self.back.clicked.connect(self._go_back)
        self._lay_out()

    @property
    def choice(self) -> Preparation:
        """The preparation that is set here, applied or not."""
        width, height = self.width_box.value(), self.height_box.value()
        return Preparation(height, width, _FITS[self.fit.current])

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the preparation, and how it treats the selected photograph."""
        if gallery.preparation != self._preparation:
            self._preparation = gallery.preparation
            self._go_back()
        photo = self._chosen_photo(gallery)
        if gallery.faces is not self._faces or photo is not self._photo:
            self._faces, self._photo = gallery.faces, photo
            self._read(gallery)
        self._show_choice()

    def _chosen_photo(self, gallery: Gallery) -> FacePhoto | None:
        found = self._session.face(self._session.photo) if self._session.photo else None
        if found is not None:
            return found[0]
        return gallery.faces.photos[0] if len(gallery.faces) else None

    def _read(self, gallery: Gallery) -> None:
        """Read the photograph for the preview, and look which photographs are still there."""
        photo = self._photo
        if photo is None:
            self._grey = None
            self.gone.hide()
            return

        def done(result: tuple[Grey | None, list[FacePhoto]]) -> None:
            if photo is self._photo:
                self._grey = result[0]
                self.gone.setText(gone_words(result[1]))
                self.gone.setVisible(bool(result[1]))
                self._show_choice()

        self._session.jobs.start(
            "preview", "Looking at the photos", lambda tick: _look(gallery, photo, tick), done
        )

    def _show_choice(self) -> None:
        gallery, choice = self._session.gallery, self.choice
        for at, view in enumerate(self.views):
            policy = Preparation(choice.height, choice.width, _FITS[at])
            image = None if self._grey is None else grey_image(policy.crop(self._grey))
            view.set_image(image)
            view.set_ring("accent" if at == self.fit.current else None)
        changed = choice != gallery.preparation
        self._fit_row.explanation.setText(_WORDS[self.fit.current])
        self.about.setText(self._about(gallery, changed))
        self.apply.setEnabled(changed)
        self.apply.set_primary(changed)
        self.back.setVisible(changed)

    def _about(self, gallery: Gallery, changed: bool) -> str:
        if not len(gallery.faces):
            return "The photos that are added will be cut like this."
        if changed:
            return (
                f"All {len(gallery.faces)} photographs are read again, and the face space has to "
                "be trained anew. The photographs themselves are not touched; undo takes it back."
            )
        if self._grey is None:
            return "There is no photograph to show the effect on."
        alike = abs(_aspect(self._grey.shape) - _aspect(self.choice.shape)) < 0.01
        also = " It has the shape of a face already, so all three look alike." if alike else ""
        path = self._photo.path if self._photo else Path()
        return f"The effect on “{path.parent.name}/{path.name}”, the selected photo.{also}"

    def _apply(self) -> None:
        actions.prepare_again(self._session, self.choice)

    def _go_back(self) -> None:
        kept = self._session.gallery.preparation
        blocked = [QSignalBlocker(w) for w in (self.width_box, self.height_box, self.fit)]
        self.width_box.setValue(kept.width)
        self.height_box.setValue(kept.height)
        self.fit.set_current(_FITS.index(kept.fit))
        del blocked
        self._show_choice()

    def _lay_out(self) -> None:
        self._fit_row = SettingRow("Another aspect ratio", _WORDS[0], self.fit)
        previews = QHBoxLayout()
        previews.setSpacing(14)
        for view in self.views:
            previews.addWidget(view)
        previews.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.apply)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        size = SettingRow(
            "Size of a face",
            "Width × height in pixels, 16 to 512. Larger faces show more and take longer.",
            self.width_box,
            label("×", "secondary"),
            self.height_box,
        )
        self.body.setSpacing(14)
        self.body.addWidget(size)
        self.body.addWidget(self._fit_row)
        self.body.addLayout(previews)
        self.body.addWidget(self.about)
        self.body.addWidget(self.gone)
        self.body.addLayout(buttons)
        self.body.addStretch(1)


def gone_words(gone: Sequence[FacePhoto]) -> str:
    """Say which photographs are no longer where they were."""
    if not gone:
        return ""
    names = ", ".join(f"“{photo.path.name}”" for photo in gone[:3])
    more = f" and {len(gone) - 3} more" if len(gone) > 3 else ""
    subject = "A photograph is" if len(gone) == 1 else f"{len(gone)} photographs are"
    return (
        f"{subject} no longer there: {names}{more}. The gallery goes on without the files, but the "
        "faces cannot be cut anew until they are back, or removed on People."
    )


def _look(gallery: Gallery, photo: FacePhoto, tick: Tick) -> tuple[Grey | None, list[FacePhoto]]:
    tick(0, 2)
    try:
        grey: Grey | None = _small(decode(read_mended(photo.path)))
    except PhotoError:
        grey = None
    tick(1, 2)
    return grey, gallery.missing()


def _small(grey: Grey) -> Grey:
    factor = min(grey.shape) // _LARGE
    if factor < 2:
        return grey
    return np.asarray(Image.fromarray(grey).reduce(factor), np.float32)


def _aspect(shape: tuple[int, ...]) -> float:
    return shape[1] / shape[0]
