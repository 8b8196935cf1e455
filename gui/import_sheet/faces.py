"""How new photographs are cut to faces: size and aspect policy, tried on a few of them."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from eigenfaces.gallery import Gallery
from eigenfaces.preparation import Fit, Preparation
from gui.images import grey_image
from gui.import_sheet.plan import Scan
from gui.widgets.controls import FaceView, Segmented
from gui.widgets.words import label

_FITS: tuple[Fit, ...] = get_args(Fit)
_SENTENCES: dict[Fit, str] = {
    "fill": "The face covers the crop; what sticks out is cut off.",
    "fit": "The whole photo is seen, on mid-grey.",
    "stretch": "The whole photo is seen, distorted to the size.",
}
_SHOWN = QSize(92, 112)
_COLUMNS = 3


class FaceOptions(QWidget):
    """Asks for the size of faces while the gallery is empty; later it is what it is."""

    def __init__(self, gallery: Gallery) -> None:
        super().__init__()
        self._fixed = gallery.preparation if len(gallery.faces) else None
        self._scan: Scan | None = None
        self.width_box, self.height_box = _pixels("Face width"), _pixels("Face height")
        self.fit = Segmented([fit.capitalize() for fit in _FITS], name="Other aspect ratios")
        self.sentence = label("", "caption", wrap=True)
        self.previews: list[FaceView] = []
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        self._lay_out()
        self._set(gallery.preparation)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._show)
        self.fit.changed.connect(self._show)

    def _lay_out(self) -> None:
        size = QHBoxLayout()
        size.setSpacing(8)
        size.addWidget(self.width_box)
        size.addWidget(label("×", "secondary"))
        size.addWidget(self.height_box)
        size.addWidget(label("pixels", "secondary"))
        size.addStretch(1)
        self._editable = QWidget(self)  # shown before it is laid out: never a window
        choices = QVBoxLayout(self._editable)
        choices.setContentsMargins(0, 0, 0, 0)
        choices.setSpacing(8)
        choices.addLayout(size)
        choices.addWidget(self.fit)
        self._editable.setVisible(self._fixed is None)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._editable)
        column.addWidget(self.sentence)
        column.addSpacing(4)
        column.addLayout(self._grid)
        column.addStretch(1)

    @property
    def preparation(self) -> Preparation:
        """Size and policy as chosen, or as the gallery has them."""
        if self._fixed is not None:
            return self._fixed
        fit = _FITS[self.fit.current]
        return Preparation(self.height_box.value(), self.width_box.value(), fit)

    def show_scan(self, found: Scan, gallery: Gallery) -> None:
        """Begin with the size that suits what was found, or that the gallery has by now."""
        self._scan = found
        self._fixed = gallery.preparation if len(gallery.faces) else None
        self._editable.setVisible(self._fixed is None)
        for _ in found.greys:
            view = FaceView("", _SHOWN, name="A face as it will be cut")
            place = len(self.previews)
            self._grid.addWidget(view, place // _COLUMNS, place % _COLUMNS)
            self.previews.append(view)
        self._grid.setColumnStretch(_COLUMNS, 1)
        if self._fixed is None:
            self._set(found.suggested)
        self._show()

    def _set(self, preparation: Preparation) -> None:
        self.width_box.setValue(preparation.width)
        self.height_box.setValue(preparation.height)
        self.fit.set_current(_FITS.index(preparation.fit))
        self._show()

    def _show(self) -> None:
        wanted = self.preparation
        if self._fixed is None:
            self.sentence.setText(_SENTENCES[wanted.fit])
        else:
            self.sentence.setText(
                f"To {wanted.width} × {wanted.height} pixels ({wanted.fit}), like all faces of "
                "this gallery. The size can be changed in Settings, for all of them at once."
            )
        greys = self._scan.greys if self._scan else ()
        for view, grey in zip(self.previews, greys, strict=False):
            view.set_image(grey_image(wanted.crop(grey)))


def _pixels(name: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(16, 512)
    box.setAccessibleName(name)
    box.setToolTip(f"{name}, 16 to 512 pixels")
    return box
