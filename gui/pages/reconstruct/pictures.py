"""The large pictures of the Reconstruct page, and the milestones."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QImage, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style import theme
from gui.widgets.face_delegate import CellStyle
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face
from gui.widgets.painted import FaceView, FramedView

_GAP, _AROUND = 26, 36  # px between the pictures; px below each picture for its text
_SMALLEST = 150
_NARROWEST = 20  # px of a milestone, so that all are visible at once

RESIDUAL_LIMIT = 64
"""Grey levels of 255 that are drawn in full colour, for every face and every k."""


class Triptych(QWidget):
    """Original, reconstruction and residual side by side, as large as fits."""

    def __init__(self) -> None:
        super().__init__()
        self.views = (
            FaceView("Original", grows=True),
            FaceView("Reconstruction", grows=True),
            FramedView("Residual", grows=True),
        )
        for view in self.views:
            view.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_SMALLEST)

    def sizeHint(self) -> QSize:
        return QSize(640, 300)

    def show_original(self, image: QImage, words: str) -> None:
        """Show another face, and its caption."""
        self.views[0].set_caption(words)
        self.views[0].set_image(image)
        self._arrange()

    def show_step(self, rebuilt: QImage, missing: QImage) -> None:
        """Show its reconstruction at another k."""
        self.views[1].set_image(rebuilt)
        self.views[2].set_image(missing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        image = self.views[0].image
        shape = image.size() if image is not None else QSize(92, 112)
        height, around = self.height(), theme.pixels(_AROUND)
        wide = round((height - around) * shape.width() / shape.height()) + 12
        width = max(40, min(wide, (self.width() - 2 * _GAP) // 3))
        left = (self.width() - 3 * width - 2 * _GAP) // 2
        for place, view in enumerate(self.views):
            view.setGeometry(QRect(left + place * (width + _GAP), 0, width, height))


class Milestones(FaceRow):
    """The face at a few k; pressing one sets k. The pictures share the width."""

    def __init__(self) -> None:
        name = "Milestones: the reconstruction at a few numbers of components"
        super().__init__(name, subcaption=True)
        self._all: list[Face] = []
        self._shape: tuple[int, ...] = (112, 92)

    def show_pictures(self, faces: list[Face], shape: tuple[int, ...]) -> None:
        """Show other milestones: faces (h, w)."""
        self._all, self._shape = faces, shape
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_width()
        super().resizeEvent(event)

    def _share_width(self) -> None:
        count = max(1, len(self._all))
        room = (self.width() - 4) // count
        width = min(theme.pixels(96), max(_NARROWEST, room - 12))
        height = round(width * self._shape[0] / self._shape[1])
        picture = QSize(width, min(height, theme.pixels(118)))
        if picture != self.cells.style.picture:
            self.cells.style = CellStyle(picture, subcaption=True)
            self.fit_cells()
        metrics = QFontMetrics(theme.font(theme.CAPTION))
        widest = max((metrics.horizontalAdvance(face.caption) for face in self._all), default=0)
        bare = widest + 8 > room  # there is room only for the numbers
        self.show_faces(
            [replace(face, caption=face.key) for face in self._all] if bare else self._all
        )
