"""What is known of faces in general: how to align them, and their own face space."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Floats
from eigenfaces.faces.alignment import crop_at, standard_eyes
from eigenfaces.faces.tan_triggs import tan_triggs
from eigenfaces.photographs.placement import Eyes

SIGHT = (36, 30)
"""(h, w) of the crop whose distance from the general face space is measured."""


@dataclass(frozen=True, eq=False)
class GeneralFaces:
    """A model of faces in general, from ``assets/faces.npz``.

    Parameters
    ----------
    regressors
        (3, FEATURES, 4): the argument of `alignment.align`.
    mean, components
        (m,) and (k, m): the face space of the `face_vector` of aligned faces.
    limit
        The distance *from* it that few faces exceed.
    """

    regressors: Floats
    mean: Floats
    components: Floats
    limit: Floats

    def distance_of(self, crop: Floats, eyes: Eyes | None = None) -> float:
        """Return the distance of a crop (h, w) *from* the general face space, 0…1.

        Its ``eyes`` lie at their standard places if nothing else is said. The distance is relative
        to the crop's contrast: the share that the space cannot show. Where there is nothing to
        see, it is 1: a flat wall is not near to faces.
        """
        seen = face_vector(crop_at(crop, eyes or standard_eyes(crop.shape), SIGHT))
        return float(residuals(seen, self.mean, self.components)) if seen.any() else 1.0


@cache
def general_faces() -> GeneralFaces:
    """Return the model that comes with the program, read once."""
    with as_file(files("assets") / "faces.npz") as path, np.load(path) as arrays:
        kept = {each.name: arrays[each.name].astype(np.float32) for each in fields(GeneralFaces)}
    return GeneralFaces(**kept)


def residuals(vectors: Floats, mean: Floats, components: Floats) -> NDArray[np.float64]:
    """Return the distances (…) of vectors (…, m) *from* a face space."""
    deviations = vectors - mean
    left = deviations - (deviations @ components.T) @ components
    return np.linalg.norm(left.astype(np.float64), axis=-1)


_FLAT = 1e-3  # length of a vector that shows nothing but rounding errors

_ROWS, _COLUMNS = np.mgrid[: SIGHT[0], : SIGHT[1]] + 0.5
_OVAL = ((_COLUMNS / SIGHT[1] - 0.5) / 0.48) ** 2 + ((_ROWS / SIGHT[0] - 0.52) / 0.5) ** 2 <= 1


def face_vector(crop: Floats) -> Floats:
    """Return a crop (36, 30) as a vector (m,) of length 1 for the general face space.

    It is the pixels in an oval, after `tan_triggs`, minus their mean: brightness and contrast have
    little effect. Of a flat crop it is 0.
    """
    pixels = tan_triggs(np.clip(crop, 0, 1)[None])[0][_OVAL]
    pixels = pixels - pixels.mean()
    length = np.linalg.norm(pixels)
    return pixels / length if length > _FLAT else np.zeros_like(pixels)
