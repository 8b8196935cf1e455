"""A face as a sum of components, and its reconstruction from the first k of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Floats
from eigenfaces.space.facespace import FaceSpace

_FIRST = (0, 1, 2, 5, 10)
GREY_LEVELS = 255


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """A face (h, w), its coordinates (k,), and the energy kept by 0, 1 … k components (k + 1,).

    ``original`` is the face after the lighting correction of the ``recipe``.
    """

    photo: FacePhoto
    original: Floats
    recipe: Recipe
    space: FaceSpace
    coordinates: Floats
    energy: NDArray[np.float64]
    inside: bool

    @classmethod
    def of(cls, gallery: Gallery, photo: FacePhoto, image: Floats) -> Reconstruction:
        """Return the reconstruction of a face, in the gallery or not, of the gallery's size."""
        training = gallery.trained
        row = image.reshape(1, -1)
        features = training.features(row)
        return cls(
            photo=photo,
            original=features.reshape(image.shape),
            recipe=training.recipe,
            space=training.space,
            coordinates=training.space.project(features)[0],
            energy=training.space.energy_kept(features)[0],
            inside=photo.key in training.keys,
        )

    @property
    def most(self) -> int:
        """The largest k."""
        return len(self.space)

    @property
    def errors(self) -> NDArray[np.float64]:
        """Relative error with 0, 1 … k components, (k + 1,)."""
        return np.sqrt(1 - self.energy)

    @property
    def milestones(self) -> tuple[int, ...]:
        """The k to show as pictures: 0, 1, 2, 5, then doubling from 10, then the largest."""
        doubled = [10 * 2**step for step in range(1, 12)]
        return (*(k for k in (*_FIRST, *doubled) if k < 0.8 * self.most), self.most)

    @property
    def name(self) -> str:
        """The person and the photograph."""
        person = self.photo.person
        return f"{person} · {self.photo.path.name}" if person else self.photo.path.name

    @property
    def seen_as(self) -> str:
        """What the face space gets: the photograph itself, or the photograph after the recipe."""
        if self.recipe.pixels.lighting != "none":
            return "Evened out"
        return "Original" if self.recipe.pixels.window == "none" else "In a window"

    def rebuilt(self, k: int) -> Floats:
        """Return the face (h, w) rebuilt from the mean and the first k components; not clipped."""
        pixels = self.space.first(k).reconstruct(self.coordinates[:k])
        return pixels.reshape(self.original.shape)

    def residual(self, rebuilt: Floats) -> Floats:
        """Return what is still missing, (h, w): original − reconstruction."""
        return self.original - rebuilt

    def rmse(self, rebuilt: Floats) -> float:
        """Root of the mean squared residual, in levels of 255."""
        residual = self.residual(rebuilt).ravel()
        return GREY_LEVELS * math.sqrt(float(residual @ residual) / residual.size)
