"""The result of training: the face space that people look at, and what faces are compared in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import FacePhoto, FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.features import Features
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.arrays.crops import as_grey
from eigenfaces.space.arrays.filed_rows import in_file
from eigenfaces.space.discriminant import Space
from eigenfaces.space.face_space import FaceSpace

Projection = Callable[[Floats], Floats]
"""From crops (…, d) to coordinates (…, k)."""


@dataclass(frozen=True, eq=False)
class Projected:
    """A representation, and the coordinates of all faces in it.

    Parameters
    ----------
    representation
        Where faces are compared, or looked at.
    coordinates
        (n, k) float32, row by row.
    """

    representation: Space
    coordinates: Floats

    def __post_init__(self) -> None:
        self.coordinates.setflags(write=False)

    @classmethod
    def fit(
        cls,
        features: Features,
        faces: FaceSet,
        rows: Sequence[int],
        asked: int,
        tick: Tick = no_tick,
    ) -> Projected:
        """Return what features are compared in, fitted to some rows of faces; all are projected."""
        space, coordinates = features.fit_faces(faces, rows, tick, asked=asked)
        return cls(space.in_file(), in_file(coordinates))


@dataclass(frozen=True, eq=False)
class Training:
    """The result of training: the face space that people look at, and what faces are compared in.

    For a recipe that compares pixels both are the same.

    Parameters
    ----------
    shown
        The face space, with all its components, and all faces of the gallery in it.
    preparation
        How the faces were cut.
    recipe
        The recipe whose features both were fitted to.
    fitted
        What they were fitted to: the key of each photograph, and the `crop_hash` of its face.
    other
        What faces are compared in, where it is not the face space.
    """

    shown: Projected
    preparation: Preparation
    recipe: Recipe
    fitted: frozenset[tuple[str, str]]
    other: Projected | None = None

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
        if before is not None and before._shows(fitted, preparation, recipe):
            shown = before.shown
        else:
            shown = Projected.fit(recipe.pixels, faces, rows, asked, tick)
        other = None
        if recipe.features != recipe.pixels:
            other = Projected.fit(recipe.features, faces, rows, asked, tick)
        return cls(shown, preparation, recipe, fitted, other)

    def _shows(
        self, fitted: frozenset[tuple[str, str]], preparation: Preparation, recipe: Recipe
    ) -> bool:
        """Return whether its face space is what these faces, so cut, are fitted to by a recipe."""
        return (
            self.preparation == preparation
            and self.recipe.pixels == recipe.pixels
            and _asked(self.recipe) == _asked(recipe)
            and self.fitted == fitted
        )

    @property
    def space(self) -> FaceSpace:
        """The face space."""
        assert isinstance(self.shown.representation, FaceSpace)
        return self.shown.representation

    @property
    def coordinates(self) -> Floats:
        """(n, k) coordinates of all faces in the face space."""
        return self.shown.coordinates

    @property
    def compares(self) -> Projected:
        """What faces are compared in, and all of them in it."""
        return self.other or self.shown

    @property
    def representation(self) -> Space:
        """What faces are compared in."""
        return self.compares.representation

    @property
    def compared(self) -> Floats:
        """(n, k) coordinates of all faces in what they are compared in."""
        return self.compares.coordinates

    @property
    def in_memory(self) -> list[Floats]:
        """The arrays of the face space and of all coordinates: large ones lie in files."""
        other = [] if self.other is None else [self.other.coordinates]
        return [self.space.components, self.shown.coordinates, *other]

    def is_fitted_to(self, photo: FacePhoto) -> bool:
        """Return whether it was fitted to a photograph's face, cut as it is now."""
        return (photo.key, photo.crop) in self.fitted

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the photographs it was fitted to."""
        return frozenset(key for key, _ in self.fitted)

    def features(self, pixels: Floats) -> Floats:
        """Return crops (n, d) as the face space sees them: their light evened out."""
        return self.recipe.pixels.of(pixels, self.preparation.shape)

    def project(self, pixels: Floats) -> Floats:
        """Return the coordinates (…, k) of crops (…, d) in the face space."""
        return _project(pixels, self.recipe.pixels, self.space, self.preparation.shape)

    def in_and_from(self, pixels: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return crops (m, d) in the first k coordinates compared, and what these leave out."""
        features = self.recipe.features.of(pixels, self.preparation.shape)
        return self.representation.in_and_from(features, k)

    def coordinates_of(self, crops: Sequence[bytes], k: int) -> Floats:
        """Return the first k coordinates compared (m, k) of crops, given by their grey levels."""
        levels = np.frombuffer(b"".join(crops), np.uint8).reshape(len(crops), -1)
        return self.in_and_from(as_grey(levels), k)[0]

    def with_coordinates(self, change: Callable[[Floats, Projection], Floats]) -> Training:
        """Return it for other faces.

        ``change`` makes the coordinates of those faces from the coordinates so far and a function
        that projects crops; it is asked once for each space.
        """
        other = self.other
        if other is not None:
            fitted, shape = other.representation, self.preparation.shape
            changed = change(
                other.coordinates, lambda p: _project(p, self.recipe.features, fitted, shape)
            )
            other = Projected(fitted, changed)
        shown = Projected(self.space, change(self.coordinates, self.project))
        return replace(self, shown=shown, other=other)


def _asked(recipe: Recipe) -> int:
    """Return how many components a recipe asks for; 0 where it asks for a share of the variance."""
    components = recipe.matcher.components
    return components if isinstance(components, int) else 0


def _project(pixels: Floats, features: Features, space: Space, shape: tuple[int, int]) -> Floats:
    coordinates = space.project(features.of(np.atleast_2d(pixels), shape))
    return coordinates.reshape(*pixels.shape[:-1], coordinates.shape[1])
