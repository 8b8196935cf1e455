"""Pictures of faces with rounded corners, made when first shown and cached."""

from __future__ import annotations

from collections import OrderedDict
from time import perf_counter
from weakref import ReferenceType, ref

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter

from gui.style.images import grey_image
from gui.widgets.face_model import Picture

_KEPT_BYTES = 64_000_000
_FRAME_SECONDS = 0.006
_RADIUS = 6.0
_ALMOST = 2  # px

Key = tuple[int, int, int, float, bool]


class FacePictures:
    """A cache of face pictures; the least recently used are dropped first.

    They are images, not pixmaps, as they may outlive the application object.

    A picture is dropped with its source, so nothing is kept alive (a function that makes a picture
    may hold a whole face space), and no other image can get the identity of one that is gone.
    """

    def __init__(self, limit: int = _KEPT_BYTES) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, tuple[ReferenceType[Picture], QImage]] = OrderedDict()
        self._bytes = 0
        self._frame_ends = 0.0
        self._first = self.behind = False

    def start_frame(self) -> None:
        """Allow one new picture, and more for a few milliseconds; `behind` if any had to wait."""
        self._frame_ends = perf_counter() + _FRAME_SECONDS
        self._first, self.behind = True, False

    def picture(self, image: Picture, size: QSize, dpr: float, fill: bool) -> QImage | None:
        """Return the picture within `size`; None when this frame has no time left for it.

        With `fill` the picture is cut to the size, else all of it is shown.
        """
        key = (id(image), size.width(), size.height(), dpr, fill)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][1]
        if not self._first and perf_counter() > self._frame_ends:
            self.behind = True
            return None
        self._first = False
        made = _rounded(_read(image), size, dpr, fill)
        self._kept[key] = (ref(image, lambda _: self._forget(key)), made)
        self._bytes += made.sizeInBytes()
        while self._bytes > self._limit and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))
        return made

    def _forget(self, key: Key) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._bytes -= found[1].sizeInBytes()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget everything, as before the application ends."""
        self._kept.clear()
        self._bytes = 0


def _read(image: Picture) -> QImage:
    return image() if callable(image) else grey_image(image)


def _rounded(image: QImage, size: QSize, dpr: float, fill: bool) -> QImage:
    """Return the image scaled, with round corners; done once, so that painting is a copy."""
    mode = Qt.AspectRatioMode
    keep = mode.KeepAspectRatioByExpanding if fill else mode.KeepAspectRatio
    room = (QSizeF(size) * dpr).toSize()
    fitted = image.size().scaled(room, keep)
    if abs(fitted.width() - room.width()) + abs(fitted.height() - room.height()) <= _ALMOST:
        fitted = room  # rounding to pixels must not make neighbours unequal
    scaled = image.scaled(
        fitted, mode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    target = fitted.boundedTo(room)
    made = QImage(target, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    brush = QBrush(scaled)
    painter.setBrush(brush)
    painter.setBrushOrigin(
        QPointF((target.width() - scaled.width()) / 2, (target.height() - scaled.height()) / 2)
    )
    radius = min(_RADIUS * dpr, target.width() / 6)
    painter.drawRoundedRect(QRectF(0, 0, target.width(), target.height()), radius, radius)
    painter.end()
    made.setDevicePixelRatio(dpr)
    return made
