"""Small colour pictures of faces: what stands for a person wherever people look at faces.

A portrait is cut when the photograph is read, and kept by the project, so that faces are in colour
also where the photographs are gone. It shows more than the crop: the hair and the chin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from threading import Lock

import numpy as np
from PIL import Image

from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Bytes

SIDE = 160  # pixels of a portrait
MOST_BYTES = 65_536  # of a portrait: one takes 5,000 or so

_EYES_APART = 0.28  # of the side
_EYES_DOWN = 0.45  # of the side
_QUALITY = 82

EYE_DISTANCE = _EYES_APART * SIDE
"""Pixels between the eyes in a portrait."""


def portrait(colours: Bytes, eyes: Eyes | None) -> bytes:
    """Return a face as a small JPEG, upright, by its eyes in a picture (h, w, 3).

    The eyes should be about `EYE_DISTANCE` pixels apart in the picture. None: all of the picture is
    the face. Outside the picture its border is repeated.
    """
    if eyes is None:
        image = Image.fromarray(colours)
        image.thumbnail((SIDE, SIDE))
        return _as_jpeg(image)
    step = eyes.across / EYE_DISTANCE  # in the picture, for a pixel of the portrait
    origin = eyes.middle - step * complex(SIDE / 2, _EYES_DOWN * SIDE)
    corners = origin + step * SIDE * np.array([0, 1, 1j, 1 + 1j])
    left, top = math.floor(corners.real.min()) - 2, math.floor(corners.imag.min()) - 2
    right, bottom = math.ceil(corners.real.max()) + 2, math.ceil(corners.imag.max()) + 2
    rows = np.arange(top, bottom).clip(0, colours.shape[0] - 1)
    columns = np.arange(left, right).clip(0, colours.shape[1] - 1)
    part = Image.fromarray(np.ascontiguousarray(colours[rows].take(columns, axis=1)))
    place = origin - complex(left, top)
    to_part = (step.real, -step.imag, place.real, step.imag, step.real, place.imag)
    size, affine = (SIDE, SIDE), Image.Transform.AFFINE
    return _as_jpeg(part.transform(size, affine, to_part, Image.Resampling.BICUBIC))


def _as_jpeg(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()


class PortraitCache:
    """Portraits of faces, JPEG each, by the hash of their crops, for as long as the program runs.

    A crop has lost its colours: a portrait is made when the face is cut.
    """

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}
        self._lock = Lock()

    def get(self, crop: str) -> bytes | None:
        """Return the portrait of a face, if there is one."""
        return self._known.get(crop)

    def make(self, crop: str, made: Callable[[], bytes]) -> None:
        """Make a portrait, unless it is known."""
        if crop not in self._known:
            self.add({crop: made()})

    def add(self, known: Mapping[str, bytes]) -> None:
        """Take over portraits by the hashes of their crops."""
        with self._lock:
            self._known |= known

    def known(self, crops: Iterable[str]) -> dict[str, bytes]:
        """Return the portraits of those of some faces that have one."""
        return {crop: self._known[crop] for crop in crops if crop in self._known}

    def forget(self, crops: Iterable[str]) -> None:
        """Forget the portraits of some faces."""
        with self._lock:
            for crop in crops:
                self._known.pop(crop, None)


PORTRAITS = PortraitCache()
"""The portraits that this process knows."""
