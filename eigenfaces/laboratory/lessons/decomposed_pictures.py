"""Pictures with their components, and one of them in k: what “Any pictures” shows."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy, drawn
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.face_space import FaceSpace

_MOST_ON_MAP = 2000


@dataclass(frozen=True, eq=False)
class DecomposedPictures:
    """Pictures with all their components.

    Parameters
    ----------
    pictures, space
        The n pictures, and their mean and components.
    rows
        (m,) those on the map: all, or a sample.
    places
        (m, 2) their first two scores; with one component, the second is 0.
    accuracy
        How well labels are told apart, or the sentence that says why that is not known.
    """

    pictures: ImageSet
    space: FaceSpace
    rows: Numbers
    places: Doubles
    accuracy: LabelAccuracy | str

    @classmethod
    def of(
        cls, pictures: ImageSet, space: FaceSpace, accuracy: LabelAccuracy | str
    ) -> DecomposedPictures:
        """Return them with the places of the map."""
        n = len(pictures)
        rows = np.arange(n) if n <= _MOST_ON_MAP else drawn(n, _MOST_ON_MAP, 0)
        return cls(pictures, space, rows, places_of(space, pictures.pixels[rows]), accuracy)


@dataclass(frozen=True, eq=False)
class PictureShown:
    """One of the pictures in k components.

    Parameters
    ----------
    ready
        All of them; ``k`` of the components; ``row`` of the picture.
    scores
        (k,) its coordinates.
    error
        Root of the mean squared difference from the original, over its values.
    """

    ready: DecomposedPictures
    k: int
    row: int
    scores: Floats
    error: float

    @classmethod
    def of(cls, ready: DecomposedPictures, k: int, row: int) -> PictureShown:
        """Return a picture in k components."""
        pixels = ready.pictures.pixels[row]
        scores, far = ready.space.in_and_from(pixels[None], k)
        return cls(ready, k, row, scores[0], float(far[0]) / sqrt(pixels.size))

    @property
    def original(self) -> Floats:
        """The picture (1, h, w[, 3])."""
        return self.ready.pictures.picture(self.row)[None]

    @property
    def rebuilt(self) -> Floats:
        """What k components make of it."""
        space = self.ready.space.first(self.k)
        return space.reconstruct(self.scores).reshape(self.original.shape)

    @property
    def name(self) -> str:
        """Which picture it is, with its label if it has one."""
        labels, n = self.ready.pictures.labels, len(self.ready.pictures)
        label = f", “{labels[self.row]}”" if labels and labels[self.row] else ""
        return f"picture {self.row + 1:,} of {n:,}{label}"


def places_of(space: FaceSpace, pixels: Floats) -> Doubles:
    """Return the first two scores (m, 2) of pictures (m, d)."""
    scores = space.first(min(2, len(space))).project(pixels).astype(float)
    return np.hstack([scores, np.zeros((len(scores), 2 - scores.shape[1]))])
