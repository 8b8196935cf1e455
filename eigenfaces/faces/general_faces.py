"""What is known of faces in general: how to align them, and their own face space."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Floats

SIGHT = (28, 24)
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
    """

    regressors: Floats
    mean: Floats
    components: Floats

    def distance_from(self, vectors: Floats) -> NDArray[np.float64]:
        """Return the distance (…) of vectors (…, m) *from* the general face space, 0…1."""
        deviations = vectors - self.mean
        left = deviations - (deviations @ self.components.T) @ self.components
        return np.linalg.norm(left.astype(np.float64), axis=-1)


@cache
def general_faces() -> GeneralFaces:
    """Return the model that comes with the program, read once."""
    with as_file(files("assets") / "faces.npz") as path, np.load(path) as arrays:
        kept = {each.name: arrays[each.name].astype(np.float32) for each in fields(GeneralFaces)}
    return GeneralFaces(**kept)


_ROWS, _COLUMNS = np.mgrid[: SIGHT[0], : SIGHT[1]] + 0.5
_OVAL = ((_COLUMNS - 12) / 11.5) ** 2 + ((_ROWS - 14.5) / 14) ** 2 <= 1


def face_vector(crops: Floats) -> Floats:
    """Return crops (…, 28, 24) as vectors (…, m) of length 1 for the general face space.

    They are the pixels in an oval, minus their mean. Brightness and contrast have no effect, so a
    flat wall is not nearer to faces than anything else.
    """
    pixels = crops[..., _OVAL]
    pixels = pixels - pixels.mean(axis=-1, keepdims=True)
    return pixels / (np.linalg.norm(pixels, axis=-1, keepdims=True) + np.float32(1e-6))
