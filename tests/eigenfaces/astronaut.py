"""One real face: the astronaut of `skimage.data`, whose pupils were marked by eye."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from skimage import data

from eigenfaces.photographs.photos import Eyes
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


def off(found: Eyes, true: Eyes = EYES) -> float:
    """Return how far the worse of two eyes lies off, in eye distances."""
    wrong: NDArray[np.float64] = np.subtract((found.left, found.right), (true.left, true.right))
    return float(np.hypot(*wrong.T).max() / true.distance)
