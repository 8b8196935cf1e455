"""Near-duplicates: photographs that show nearly the same picture, such as resized copies."""

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

NEARLY_THE_SAME = 0.9995  # with this correlation at 20 × 20 pixels, two faces are one picture
_PERHAPS = 0.97  # with this one, faces cropped from photographs are compared more closely …
MOVED = 0.997  # … and are one picture if they correlate this much after a small shift


@dataclass(frozen=True)
class Duplicate:
    """A pair of faces that show nearly the same picture, and their correlation.

    Attributes
    ----------
    first, second
        The rows of the two faces, with the smaller row first.
    likeness
        The correlation of the two pictures, up to 1.

    Examples
    --------
    >>> Duplicate(first=3, second=7, likeness=0.9999).second
    7
    """

    first: int
    second: int
    likeness: float


def find_duplicates(faces: FaceSet, tick: Tick = no_tick) -> list[Duplicate]:
    """Return the pairs of faces that show nearly the same picture, regardless of their names.

    Faces cropped from photographs may be slightly shifted, as the eyes are never found in exactly
    the same place.

    Parameters
    ----------
    faces
        The n faces, with or without names.
    tick
        Called with the number of steps done and the total number of steps.

    Returns
    -------
    list of Duplicate
        The pairs, sorted by the first row and then by the second.

    Raises
    ------
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((3, 32, 32))
    >>> images[2] = 0.9 * images[0]  # a darker copy
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Grace", None])
    >>> [(pair.first, pair.second) for pair in find_duplicates(faces)]
    [(0, 2)]
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
    small /= np.where(lengths > side / 2, lengths, np.inf)  # a uniform picture is like no other
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
    """Return the correlation of two faces, at 23 × 28 pixels, after shifting one slightly to match.

    A small shift, enlargement or rotation changes a picture by multiples of its derivatives (Lucas
    and Kanade, 1981), so a sum of one face and its derivatives is fitted to the other.
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
    """Return the faces, skipping all near-duplicates of earlier ones."""
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
    """Return the number of enrolled photographs that show nearly the same picture as another."""
    pairs = find_duplicates(gallery.faces.select(gallery.enrolled))
    return len({row for pair in pairs for row in (pair.first, pair.second)})
