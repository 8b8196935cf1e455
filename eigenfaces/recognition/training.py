"""The result of training: the face space that people look at, and what faces are compared in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.features import Features
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.discriminant import Space
from eigenfaces.space.face_space import FaceSpace

Projection = Callable[[Floats], Floats]
"""From crops (…, d) to coordinates (…, k)."""


@dataclass(frozen=True, eq=False)
class Training:
    """The face space that people look at, what faces are compared in, and all faces in both.

    Where pixels are compared, the two are the same.

    Parameters
    ----------
    space, coordinates
        The face space, with all its components, and all faces of the gallery in it, (n, k).
    preparation, recipe
        How the faces were cut, and the recipe whose features it was fitted to.
    fitted
        What it was fitted to: the key of each photograph, and the `crop_hash` of its face.
    representation, compared
        What faces are compared in, and all of them in it, (n, j).
    """

    space: FaceSpace
    coordinates: Floats
    preparation: Preparation
    recipe: Recipe
    fitted: frozenset[tuple[str, str]]
    representation: Space
    compared: Floats

    def __post_init__(self) -> None:
        self.coordinates.setflags(write=False)
        self.compared.setflags(write=False)

    @classmethod
    def fit(
        cls,
        faces: FaceSet,
        rows: Sequence[int],
        preparation: Preparation,
        recipe: Recipe,
        *,
        before: Training | None = None,
        tick: Tick = no_tick,
    ) -> Training:
        """Fit a recipe to some rows of faces.

        ``before``: what the same gallery was trained to so far. Its face space stays where another
        fit would make the same again.
        """
        asked = _asked(recipe)
        fitted = frozenset(
            (faces.index.photos[row].key, faces.index.photos[row].crop) for row in rows
        )
        if (
            before is not None
            and (before.preparation, before.fitted) == (preparation, fitted)
            and (before.recipe.pixels, _asked(before.recipe)) == (recipe.pixels, asked)
        ):
            space, coordinates = before.space, before.coordinates
        else:
            found, coordinates = recipe.pixels.fit_faces(faces, rows, tick, asked=asked)
            assert isinstance(found, FaceSpace)
            space = found
        compared: tuple[Space, Floats] = space, coordinates
        if recipe.features != recipe.pixels:
            compared = recipe.features.fit_faces(faces, rows, tick, asked=asked)
        return cls(space, coordinates, preparation, recipe, fitted, *compared)

    @property
    def in_face_space(self) -> bool:
        """Whether faces are compared in the face space itself."""
        return self.representation is self.space

    @property
    def in_memory(self) -> list[Floats]:
        """The arrays of the face space and of all coordinates."""
        return [self.space.components, self.coordinates, self.compared]

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the photographs it was fitted to."""
        return frozenset(key for key, _ in self.fitted)

    def features(self, pixels: Floats) -> Floats:
        """Return crops (n, d) as the face space sees them: their light evened out."""
        return self.recipe.pixels.of(pixels, self.preparation.shape)

    def project(self, pixels: Floats) -> Floats:
        """Return the coordinates (…, k) of crops (…, d) in the face space."""
        return self._project(pixels, self.recipe.pixels, self.space)

    def in_and_from(self, pixels: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return crops (m, d) in the first k coordinates compared, and what these leave out."""
        features = self.recipe.features.of(pixels, self.preparation.shape)
        return self.representation.in_and_from(features, k)

    def with_coordinates(self, change: Callable[[Floats, Projection], Floats]) -> Training:
        """Return it for other faces.

        ``change`` makes the coordinates of those faces from the coordinates so far and a function
        that projects crops; it is asked once for each space.
        """
        coordinates = compared = change(self.coordinates, self.project)
        if not self.in_face_space:
            features, space = self.recipe.features, self.representation
            compared = change(self.compared, lambda some: self._project(some, features, space))
        return replace(self, coordinates=coordinates, compared=compared)

    def _project(self, pixels: Floats, features: Features, space: Space) -> Floats:
        found = space.project(features.of(np.atleast_2d(pixels), self.preparation.shape))
        return found.reshape(*pixels.shape[:-1], found.shape[1])


def _asked(recipe: Recipe) -> int:
    components = recipe.matcher.components
    return components if isinstance(components, int) else 0
