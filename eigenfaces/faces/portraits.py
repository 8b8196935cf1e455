"""Portraits: small colour pictures of faces that are shown to the user.

A portrait is made when the photograph is read, and saved in the project, so that faces appear in
colour even if the photographs are later deleted. Unlike the crop, it also shows the hair and chin.
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

SIDE = 160  # width and height of a portrait, in pixels
MOST_BYTES = 65_536  # the largest portrait; most take about 5,000

_EYES_APART = 0.28  # as a share of the side
_EYES_DOWN = 0.45  # as a share of the side
_QUALITY = 82

EYE_DISTANCE = _EYES_APART * SIDE
"""The eye distance in a portrait, in pixels."""


def portrait(colours: Bytes, eyes: Eyes | None) -> bytes:
    """Return a small upright JPEG of the face with these eyes in a picture (h, w, 3).

    The eyes should be about `EYE_DISTANCE` pixels apart in the picture. If ``eyes`` is None, the
    whole picture is the face. Beyond the edge of the picture, its border pixels are repeated.
    """
    if eyes is None:
        image = Image.fromarray(colours)
        image.thumbnail((SIDE, SIDE))
        return _as_jpeg(image)
    step = eyes.across / EYE_DISTANCE  # one pixel of the portrait, in the picture
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
    """In-memory cache of JPEG portraits, keyed by the hash of the crop.

    A portrait is made when the face is cropped, because the crop itself has no colour.
    """

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}
        self._lock = Lock()

    def get(self, crop: str) -> bytes | None:
        """Return the portrait of the crop with this hash, or None if it has none."""
        return self._known.get(crop)

    def make(self, crop: str, made: Callable[[], bytes]) -> None:
        """Make and store the portrait for a crop, unless the cache already contains it."""
        if crop not in self._known:
            self.add({crop: made()})

    def add(self, known: Mapping[str, bytes]) -> None:
        """Store portraits, keyed by the hashes of their crops."""
        with self._lock:
            self._known |= known

    def known(self, crops: Iterable[str]) -> dict[str, bytes]:
        """Return {hash: portrait} for all given crops that have a portrait."""
        return {crop: self._known[crop] for crop in crops if crop in self._known}

    def forget(self, crops: Iterable[str]) -> None:
        """Remove the portraits of these crops from the cache."""
        with self._lock:
            for crop in crops:
                self._known.pop(crop, None)


PORTRAITS = PortraitCache()
"""The portrait cache of this process."""
