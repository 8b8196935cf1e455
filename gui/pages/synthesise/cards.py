"""The large face with its plausibility, and the real faces closest to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent

from eigenfaces.arrays import Floats
from eigenfaces.laboratory.real_faces import Likeness, RealFace, RealFaces
from eigenfaces.laboratory.synthesis import SyntheticFace
from gui.charts import SpreadChart
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card, Shrinkable
from gui.widgets.face_delegate import CellStyle
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face
from gui.widgets.live_text import LiveText
from gui.widgets.painted import FaceView
from gui.widgets.words import label

_NEAREST, _LEAST = 7, 68  # faces, and px for each
_LONG = (
    "95 % of the 1,000 faces that train have 0.70 to 1.29. This one lies as far from the mean as "
    "they do.",
    "49 % of the photos lie 8.23 or farther from the closest other of their person (median 8.22), "
    "so by its distance it could be Person 13.",
)
"""Sentences of the usual length, for which there is room; longer ones have a tooltip."""

_PAD = 12  # px of a cell beside its picture

_SHORT: dict[Likeness, str] = {
    "itself": "{}",
    "could be": "could be {}",
    "hardly": "hardly {}",
    "nobody": "nobody",
    "unknown": "live",
}


class ThumbRow(FaceRow):
    """Small faces in one line, as large as the height allows and as all of them have room."""

    def __init__(self, name: str, most: int, least: int = 0, *, subcaption: bool = False) -> None:
        """``least``: px for a face and its caption; where there is less, fewer faces have room."""
        super().__init__(name, QSize(52, 64), subcaption=subcaption)
        self.count = self._most = most
        self._least, self._subcaption = least, subcaption
        self._shape: tuple[int, ...] = (112, 92)
        self._tallest = 64

    def set_shape(self, shape: tuple[int, ...]) -> None:
        """Set the (h, w) of the faces."""
        self._shape = shape
        self._fit()

    def set_tallest(self, height: int) -> None:
        """Set how high a face may be."""
        self._tallest = height
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        height, width = self._shape
        if self._least:
            self.count = min(max(self.width() // theme.pixels(self._least), 1), self._most)
        room = (self.width() - 4) // self.count
        wide = max(20, min(round(self._tallest * width / height), room - _PAD))
        picture = QSize(wide, round(wide * height / width))
        style = CellStyle(picture, subcaption=self._subcaption, widest=room / wide)
        if style != self.cells.style:
            self.cells.style = style
            self.fit_cells()


class _Sides(Shrinkable):
    """The face and the plot beside it: it takes the room that others leave."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class FaceCard(Card):
    """The face, large, and how far from the mean it lies among real faces."""

    def __init__(self) -> None:
        super().__init__("The face", "live")
        self.view = FaceView("", grows=True, name="The face made here")
        self.chart = SpreadChart("radius, in σ a component", "faces")
        self.plausibility = LiveText(_LONG[0], "How plausible it is")
        side = Shrinkable()
        in_column(
            label("Could it be real?", "strong"),
            (self.chart, 1),
            self.plausibility,
            inside=side,
            spacing=4,
        )
        sides = _Sides()
        in_row((self.view, 1), (side, 1), inside=sides, spacing=14)
        self.body.addWidget(sides, 1)
        self.view.setMinimumHeight(150)

    def show_real(self, real: RealFaces) -> None:
        """Draw how far other real faces lie from the mean."""
        self.chart.show_spread(real.radii, real.usual)

    def show_face(self, face: SyntheticFace, real: RealFaces) -> None:
        """Show a face, and where it lies among them."""
        self.view.set_image(grey_image(face.pixels))
        radius = real.radius(face)
        self.chart.set_mark(radius, f"this face {radius:.2f}")
        self.plausibility.set_text(real.plausibility(face))


class ClosestCard(Card):
    """The real faces closest to it, as proof that it is nobody; pressing one starts from it."""

    def __init__(self) -> None:
        super().__init__("Closest real faces", "distance in face space")
        self.row = ThumbRow("Closest real faces", _NEAREST, _LEAST, subcaption=True)
        self.sentence = LiveText(_LONG[1], "Whether it is somebody")
        self.body.addWidget(self.row)
        self.body.addWidget(self.sentence)
        self._image: Callable[[int], Floats]

    def show_images(self, read: Callable[[int], Floats]) -> None:
        """Take the pictures of other faces: by their row in the gallery."""
        # The same array again is not drawn anew.
        self._image = lru_cache(maxsize=512)(read)

    def show_face(self, face: SyntheticFace, real: RealFaces) -> str:
        """Show what is closest to a face; return in a few words whom it could be taken for."""
        nearest = real.nearest(face, self.row.count)
        self.row.show_faces([self._face(each) for each in nearest])
        kind, sentence = real.likeness(nearest[0])
        self.sentence.set_text(sentence)
        return _SHORT[kind].format(nearest[0].photo.person or "a face without a name")

    def _face(self, real: RealFace) -> Face:
        person, distance = real.photo.person or "Nobody named", f"{real.distance:.1f}"
        spoken = f"{person}, {real.photo.path.name}, at {distance}"
        return Face(real.photo.key, self._image(real.row), person, distance, accessible=spoken)
