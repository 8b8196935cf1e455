"""A photograph with its distances from face space over it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPolygonF

from eigenfaces.arrays import Bytes, Doubles, Floats
from eigenfaces.laboratory.scene.scene import Scene
from eigenfaces.laboratory.scene.scene_map import Window
from eigenfaces.photographs.placement import Eyes
from gui.style import theme
from gui.style.images import colour_table, rgb_image
from gui.widgets.marked_photo import BRIGHT, MarkedPhoto, corners, draw_badge, stroke

_BADGE = 18.0
_TOP = 3.0  # px above the picture
_NEAREST = QColor(theme.DARK.ok)


class ScenePhoto(MarkedPhoto):
    """Where the map glows, windows are near the face space; what is bare has no window to judge."""

    pointed = Signal(complex)

    def __init__(self) -> None:
        super().__init__("Photograph with its face map")
        self._scene: Scene | None = None
        self._distances: Doubles = np.zeros((1, 1))
        self._opacity = 0.0
        self._window: Window | None = None
        self.boxes = True
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)

    def show_scene(self, scene: Scene | None, size: int | None, opacity: float) -> None:
        """Show the map of one size, or of all together, over a photograph."""
        self._scene, self._opacity = scene, opacity
        if scene is None:
            self.set_image(None)
            return
        self._distances = scene.map.over(scene.map.sizes[0].grey.shape, size)
        self._draw()
        self.show_faces([face.eyes for face in scene.faces], None)

    def picture_rect(self) -> QRectF:
        """Return the rectangle of the picture: at the top, where a low window shows it."""
        rect = super().picture_rect()
        rect.moveTop(_TOP)
        return rect

    def set_opacity(self, opacity: float) -> None:
        """Let more or less of the photograph shine through."""
        self._opacity = opacity
        self._draw()

    def set_boxes(self, shown: bool) -> None:
        """Show or hide what the detector finds."""
        self.boxes = shown
        self.update()

    def set_window(self, window: Window | None) -> None:
        """Mark the window that is looked at."""
        self._window = window
        self.update()

    def _draw(self) -> None:
        if self._scene is not None:
            grey = self._scene.map.sizes[0].grey
            near = nearness(self._distances, self._scene.map.space.limit)
            picture = rgb_image(over_photo(grey, near, self._opacity))
            self.show_photo(picture, self._scene.map.extent)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._scene is not None and self.picture_rect().contains(event.position()):
            self.pointed.emit(self.meant(event.position()))

    def _paint_box(self, painter: QPainter, face: Eyes, *, dashed: bool) -> None:
        if self.boxes:
            super()._paint_box(painter, face, dashed=dashed)

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint the places nearest to face space, and the window that is looked at."""
        if self._scene is None:
            return
        for window in self._scene.marked:
            stroke(painter, self._outline(window), 1.5, _NEAREST)
        if self._window is not None:
            stroke(painter, self._outline(self._window), 2.5, BRIGHT)

    def _paint_numbers(self, painter: QPainter) -> None:
        """Paint the rank of each of the nearest places."""
        room, taken = self.picture_rect(), list[QRectF]()
        for rank, window in enumerate(self._scene.marked if self._scene else (), start=1):
            badge = QRectF(0, 0, _BADGE, _BADGE)
            for corner in corners(window.eyes):  # the first that no other badge lies on
                badge.moveCenter(self.seen(corner))
                badge.moveLeft(min(max(badge.left(), room.left()), room.right() - _BADGE))
                badge.moveTop(min(max(badge.top(), room.top()), room.bottom() - _BADGE))
                if not any(badge.intersects(other) for other in taken):
                    break
            taken.append(QRectF(badge))
            draw_badge(painter, badge, rank, meant=window == self._window)

    def _outline(self, window: Window) -> QPainterPath:
        outline = QPainterPath()
        outline.addPolygon(QPolygonF([self.seen(corner) for corner in corners(window.eyes)]))
        outline.closeSubpath()
        return outline


def nearness(distances: Doubles, limit: float) -> Doubles:
    """Return how near to face space distances are: 0 at 1, and 1 at half the limit; NaN stays."""
    near: Doubles = np.clip((1 - distances) / (1 - limit / 2), 0, 1)
    return near


def over_photo(grey: Floats, near: Doubles, opacity: float) -> Bytes:
    """Return a grey photograph (h, w) under a map (h, w), 0…1, in colour; bare where it is NaN."""
    colours = colour_table("magma")[np.rint(255 * np.nan_to_num(near)).astype(np.intp)]
    share = np.where(np.isnan(near), 0, opacity)[..., None].astype(np.float32)
    photo = 255 * np.clip(grey, 0, 1)[..., None]
    return np.rint(share * colours + (1 - share) * photo).astype(np.uint8)
