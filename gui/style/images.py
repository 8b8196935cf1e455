"""Conversion of arrays to images; no other module turns numbers into a `QImage`."""

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.portraits import PORTRAITS, SIDE
from eigenfaces.space.arrays import Bytes
from eigenfaces.space.pca import as_levels

Greys = NDArray[np.floating]
Colours = Literal["grey", "signed", "magma"]

_BEHIND = 0.75
"""The brightness of a face beneath coloured values."""

_PLATE = "#5B6B82"  # background of initials; white letters are readable on it in both themes
_ALMOST = 2  # pixels
_MIDDLE = 127  # the middle of 255 steps, so that zero is exactly white

_ANCHORS: dict[Colours, tuple[int, str]] = {
    "grey": (256, "000000 FFFFFF"),
    "signed": (
        2 * _MIDDLE + 1,
        "154F94 3A83BF 8FC3E0 D5E8F3 FFFFFF FCDCCB F3A583 D75A4B A81529",
    ),
    "magma": (256, "000004 1C1044 4F127B 812581 B5367A E55064 FB8761 FEC287 FCFDBF"),
}


@lru_cache(maxsize=3)
def colour_table(kind: Colours) -> Bytes:
    """Return the colours of a scale from its low end to its high end, with one RGB row per step."""
    steps, anchors = _ANCHORS[kind]
    rgb = np.frombuffer(bytes.fromhex(anchors), dtype=np.uint8).reshape(-1, 3)
    at = np.linspace(0, len(rgb) - 1, steps)
    colours = np.stack([np.interp(at, np.arange(len(rgb)), part) for part in rgb.T], axis=1)
    table: Bytes = np.rint(colours).astype(np.uint8)
    table.setflags(write=False)
    return table


def grey_image(face: Greys) -> QImage:
    """Return a greyscale image of an (h, w) face; values are clipped to 0 (black) … 1 (white)."""
    levels = as_levels(np.nan_to_num(face, nan=0.0))
    return _image(levels, QImage.Format.Format_Grayscale8)


def person_image(photo: FacePhoto, face: Greys) -> QImage:
    """Return the image of a face that represents a person; see `face_image`.

    If the project has no picture of the face, the image shows the initials of the person.
    """
    return face_image(photo.crop, face) if photo.pictured else _initials(photo.person or "")


def face_image(crop: str, face: Greys) -> QImage:
    """Return the colour picture stored for a crop hash, or the face in greyscale if there is none.

    This is for faces that represent a person. Faces used in a computation are shown in grey.
    """
    known = PORTRAITS.get(crop)
    coloured = QImage() if known is None else QImage.fromData(known)
    return grey_image(face) if coloured.isNull() else coloured


def _initials(name: str) -> QImage:
    """Return an image with the initials of a name (first and last word) on a plain background."""
    words = [word for word in name.split() if word[0].isalnum()]
    letters = "".join(word[0] for word in dict.fromkeys((*words[:1], *words[-1:]))).upper()
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(QColor(_PLATE))
    with QPainter(image) as painter:
        painter.setPen(QColor("#FFFFFF"))
        font = painter.font()
        font.setPixelSize(SIDE * 2 // 5)
        painter.setFont(font)
        painter.drawText(image.rect(), Qt.AlignmentFlag.AlignCenter, letters)
    return image


def signed_image(values: Greys, limit: float) -> QImage:
    """Return an image of (h, w) differences: blue for darker, red for brighter, white for equal."""
    share = np.clip(_shares(values, limit), -1, 1)
    return rgb_image(colour_table("signed")[np.rint(_MIDDLE * (1 + share)).astype(np.intp)])


def over_face(face: Greys, values: Greys, limit: float, kind: Colours) -> QImage:
    """Return an image of a face (h, w) overlaid with values (h, w); larger values are more opaque.

    Magma shows absolute values. The signed scale shows negative values in blue and positive in red.
    """
    size = np.clip(_shares(values, limit), -1, 1)
    steps = len(colour_table(kind)) - 1
    at = (size + 1) / 2 if kind == "signed" else np.abs(size)
    colours = colour_table(kind)[np.rint(steps * at).astype(np.intp)]
    glow = np.abs(size)[..., None] ** 0.7  # otherwise half the limit would hardly be visible
    grey = 255 * np.clip(np.nan_to_num(face, nan=0.0), 0, 1)[..., None] * _BEHIND
    return rgb_image(np.rint(glow * colours + (1 - glow) * grey).astype(np.uint8))


def rgb_image(colours: Bytes) -> QImage:
    """Return an image of RGB bytes (h, w, 3)."""
    return _image(colours, QImage.Format.Format_RGB888)


def rounded(
    image: QImage, size: QSize, ratio: float, radius: float, *, fill: bool = True, edge: str = ""
) -> QImage:
    """Return an image scaled to a size, with rounded corners and an optional coloured edge.

    If ``fill``, the image is cropped to fill the size; otherwise the whole image is shown. Sizes
    are in logical pixels, each of which is ``ratio`` device pixels wide.
    """
    mode, room = Qt.AspectRatioMode, (size.toSizeF() * ratio).toSize()
    fitted = image.size().scaled(
        room, mode.KeepAspectRatioByExpanding if fill else mode.KeepAspectRatio
    )
    if abs(fitted.width() - room.width()) + abs(fitted.height() - room.height()) <= _ALMOST:
        fitted = room  # rounding to pixels must not make neighbours unequal
    scaled = image.scaled(
        fitted, mode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    canvas = QImage(fitted.boundedTo(room), QImage.Format.Format_ARGB32_Premultiplied)
    canvas.fill(Qt.GlobalColor.transparent)
    beside = QSize(canvas.size() - fitted) / 2
    pen, corner = max(1.5, canvas.width() / 16) if edge else 0.0, radius * ratio
    box = QRectF(canvas.rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2)
    with QPainter(canvas) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(scaled))
        painter.setBrushOrigin(QPointF(beside.width(), beside.height()))
        painter.drawRoundedRect(box, corner, corner)
        if edge:
            painter.setPen(QPen(QColor(edge), pen))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, corner, corner)
    canvas.setDevicePixelRatio(ratio)
    return canvas


def rgb_array(image: QImage) -> Bytes:
    """Return the RGB bytes (h, w, 3) of an image, for example one from the clipboard."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8)
    rows = rows.reshape(plain.height(), plain.bytesPerLine())[:, : 3 * plain.width()]
    return rows.reshape(plain.height(), plain.width(), 3).copy()


def _shares(values: Greys, limit: float) -> Greys:
    """Return values divided by a limit, with 0 for NaN, or zeros if the limit is not positive."""
    if not limit > 0:
        return np.zeros_like(values, dtype=float)
    shares: Greys = np.nan_to_num(np.asarray(values, dtype=float) / limit, nan=0.0)
    return shares


def _image(pixels: Bytes, form: QImage.Format) -> QImage:
    rows = np.ascontiguousarray(pixels, dtype=np.uint8)
    height, width = rows.shape[:2]
    # Without the bytes per line, Qt expects rows padded to four bytes and skews other images.
    # The copy does not depend on the array, which may be deleted before the image is drawn.
    return QImage(rows.tobytes(), width, height, rows.strides[0], form).copy()
