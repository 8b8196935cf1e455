"""One real face: the astronaut of `skimage.data`, whose pupils were marked by eye."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from skimage import data

from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

PICTURE = Image.fromarray(data.astronaut()).convert("L")
"""512 × 512 pixels."""

EYES = Eyes((203.8, 101.2), (246.7, 103.6))

FACE = (140, 20, 300, 210)
"""Left, top, right and bottom of her head."""


def grey(picture: Image.Image = PICTURE) -> Floats:
    return np.asarray(picture, np.float32) / np.float32(255)


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()


def stored_as(upright: Image.Image, orientation: int) -> tuple[Image.Image, Image.Exif]:
    """Return a picture as a camera held so stores it, with the EXIF data that say so."""
    ways = "FLIP_LEFT_RIGHT ROTATE_180 FLIP_TOP_BOTTOM TRANSPOSE ROTATE_90 TRANSVERSE ROTATE_270"
    exif = Image.Exif()
    exif[274] = orientation
    if orientation == 1:
        return upright, exif
    return upright.transpose(Image.Transpose[ways.split()[orientation - 2]]), exif


def off(found: Eyes, true: Eyes = EYES) -> float:
    """Return how far the worse of two eyes lies off, in eye distances."""
    wrong: NDArray[np.float64] = np.subtract((found.left, found.right), (true.left, true.right))
    return float(np.hypot(*wrong.T).max() / true.distance)


def small_face() -> Image.Image:
    """Return a photograph of a face so small that only a thorough search finds it."""
    wall = Image.new("L", (320, 192), 128)
    wall.paste(PICTURE.crop(FACE).resize((37, 44), Image.Resampling.LANCZOS), (200, 60))
    return wall


def two_faces(ratio: float = 1) -> bytes:
    """Return a photograph of two faces, the left one smaller by a ratio."""
    wall, head = Image.new("L", (800, 480), 128), PICTURE.crop(FACE)
    size = round(320 / ratio), round(380 / ratio)
    wall.paste(head.resize(size, Image.Resampling.LANCZOS), (40, 50))
    wall.paste(head.resize((320, 380), Image.Resampling.LANCZOS), (450, 50))
    return encoded(wall, "PNG")
