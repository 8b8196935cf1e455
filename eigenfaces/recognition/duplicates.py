"""Photographs that are nearly the same picture: a copy, a resized one, the next of a series."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.pca import as_levels

NEARLY_THE_SAME = 0.9995  # correlation at 20 × 20 pixels from which two faces are one picture
_PERHAPS = 0.97  # from here on, faces cut from photographs are compared again …
MOVED = 0.997  # … and this correlation with the other, moved a little, makes them one picture


@dataclass(frozen=True)
class Duplicate:
    """Two rows that show nearly the same picture, and their correlation."""

    first: int
    second: int
    likeness: float


def find_duplicates(faces: FaceSet, tick: Tick = no_tick) -> list[Duplicate]:
    """Return the pairs of faces that are nearly the same picture, whatever their names.

    Faces cut from photographs may lie a little differently: their eyes were found elsewhere.
    """
    side = 20
    pairs = []
    cut = np.array([photo.placement.eyes is not None for photo in faces.index.photos], bool)
    small = np.empty((len(faces), side**2))
    for row in range(len(faces)):
        tick(row, 2 * len(faces))
        picture = Image.fromarray(as_levels(faces.image(row)))
        small[row] = np.asarray(picture.resize((side, side), Image.Resampling.BILINEAR)).ravel()
    small -= small.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(small, axis=1, keepdims=True)
    small /= np.where(lengths > side / 2, lengths, np.inf)  # one that is uniform is like none
    for start in range(0, len(small), 512):
        tick(len(faces) + start, 2 * len(faces))
        alike = small[start : start + 512] @ small.T
        least = np.where(np.outer(cut[start : start + 512], cut), _PERHAPS, NEARLY_THE_SAME)
        for row, second in np.argwhere(alike >= least).tolist():
            first = start + row
            likeness = float(alike[row, second])
            if first < second and (
                likeness >= NEARLY_THE_SAME or _shifted_correlation(faces, first, second) >= MOVED
            ):
                pairs.append(Duplicate(first, second, likeness))
    return pairs


def _shifted_correlation(faces: FaceSet, *rows: int) -> float:
    """Return the correlation of two faces at 23 × 28 pixels, one of them moved a little.

    Moved, enlarged and turned by little, a picture changes by multiples of its derivatives (B.
    Lucas and T. Kanade, 1981): the other is fitted by these.
    """
    pictures = (Image.fromarray(as_levels(faces.image(row))) for row in rows)
    small = (picture.resize((23, 28), Image.Resampling.BILINEAR) for picture in pictures)
    one, other = (np.asarray(picture, float) for picture in small)
    down, right = np.gradient(other)
    y, x = np.mgrid[-13.5:14, -11:12]
    ways = [other, right, down, x * right + y * down, x * down - y * right, np.ones_like(other)]
    terms = np.stack([way.ravel() for way in ways], axis=1)
    target = one.ravel()
    residual = target - terms @ np.linalg.lstsq(terms, target, rcond=None)[0]
    return math.sqrt(max(0.0, 1 - residual.var() / max(target.var(), 1e-9)))


def without_duplicates(faces: FaceSet) -> FaceSet:
    """Return faces without those that are nearly the same picture as an earlier one: skipped."""
    photos = faces.index.photos
    first_of = dict[int, int]()
    for pair in find_duplicates(faces):
        first_of.setdefault(pair.second, pair.first)
    twice = []
    for row, first in first_of.items():
        reason = f"It is nearly the same picture as “{photos[first].path.name}”, which is kept."
        twice.append(Skipped(photos[row].path, reason, photos[row].person, "duplicate"))
    single = faces.select([row for row in range(len(faces)) if row not in first_of])
    return replace(single, skipped=(*faces.skipped, *twice))


def near_duplicates(gallery: Gallery) -> int:
    """Return how many enrolled photographs are nearly the same picture as another one."""
    pairs = find_duplicates(gallery.faces.select(gallery.enrolled))
    return len({row for pair in pairs for row in (pair.first, pair.second)})
