"""What of a face crop is compared: the part of a recipe whose change needs a new fit.

`PixelFeatures` are the classic ones, whose face space is shown as pictures. `DiscriminantFeatures`
are compared in a discriminant space, by who is on the faces: `FisherfaceFeatures` are pixels still,
`TextureFeatures` are patterns and waves. Those of a network are in `recognition.network`.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces import texture
from eigenfaces.faces.face_set import Crops, FaceSet, as_levels
from eigenfaces.faces.lighting import LIGHTING, WINDOW, Lighting, Window, even_light, through_window
from eigenfaces.faces.prepare import tan_triggs
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.discriminant import (
    MOST_COORDINATES,
    DiscriminantSpace,
    Scatter,
    Space,
    check_people,
)
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.folds import Folds, GramFolds, RefittedFolds
from eigenfaces.space.pca import LARGEST_EXACT, Decomposition, decompose
from eigenfaces.text import Field, check_fields

People = Sequence[str | None]  # the name of each face; None for one without
Shape = tuple[int, int]  # height and width of a crop

_AT_ONCE = 32  # faces whose features are made at once, in the processor's cache

_SEED = 0


@dataclass(frozen=True)
class Features(ABC):
    """From crops to what is compared: a frozen value, the same for the gallery and every probe.

    ``FIELDS`` are its settings. To at most ``MOST_FITTED`` faces its space is fitted, of more to so
    many drawn at random; ``AT_ONCE`` are made together.
    """

    NAME: ClassVar[str]  # of the recipe that compares them
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    BLOCKS: ClassVar[tuple[int, ...]] = ()  # how many features count alike; none: each by itself
    MOST_FITTED: ClassVar[int] = sys.maxsize
    AT_ONCE: ClassVar[int] = _AT_ONCE

    PRETRAINED: ClassVar[bool] = False
    """Whether nothing of a gallery is fitted to, so that its faces can be compared with any."""

    SCATTER: ClassVar[Scatter | None] = None
    """What is whitened in a discriminant space; None where faces are compared in another."""

    def read_photographs(self, faces: FaceSet, tick: Tick = no_tick) -> None:  # noqa: B027
        """Look at the photographs of faces, where their crops do not say enough: most need not."""

    @abstractmethod
    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, f) of crops (n, d) of (h, w), each from its own crop."""

    def of_all(self, crops: Crops, shape: Shape, tick: Tick = no_tick) -> Crops:
        """Return the features of all crops, as rows (n, f)."""
        return Crops(crops.apply(partial(self.of, shape=shape), tick, at_once=self.AT_ONCE))

    def principal(
        self, features: Crops, wanted: int | None = None, tick: Tick = no_tick
    ) -> Decomposition:
        """Return the principal components of features (n, f)."""
        return decompose(features.array, blocks=self.BLOCKS, n_components=wanted, tick=tick)

    @abstractmethod
    def fit(
        self, features: Crops, people: People, shape: Shape, tick: Tick = no_tick
    ) -> tuple[Space, Floats]:
        """Return the space fitted to the features (n, f) of crops (h, w), and the coordinates.

        ``people`` are on them.
        """

    def fit_faces(
        self, faces: FaceSet, rows: Sequence[int], tick: Tick = no_tick
    ) -> tuple[Space, Floats]:
        """Return the space fitted to some rows of faces, and the coordinates of all (n, k)."""
        shape, fitted = faces.shape, draw_rows(np.asarray(rows), self.MOST_FITTED)
        crops = faces.pixels if len(fitted) == len(faces) else faces.pixels.select(fitted)
        features = self.of_all(crops, shape, part_of(tick, 0, 3))
        people = [faces.index.photos[row].person for row in fitted]
        space, known = self.fit(features, people, shape, part_of(tick, 1, 3))
        step = part_of(tick, 2, 3)
        return space, self.coordinates(faces.pixels, shape, space, fitted, known, step)

    def coordinates(
        self,
        crops: Crops,
        shape: Shape,
        space: Space,
        rows: Numbers,
        known: Floats,
        tick: Tick = no_tick,
    ) -> Floats:
        """Return the coordinates (n, k) of crops in a space; those of some rows are ``known``."""
        coordinates = np.empty((len(crops), len(space)), np.float32)
        coordinates[rows] = known
        others = np.setdiff1d(np.arange(len(crops)), rows)
        coordinates[others] = crops.select(others).apply(
            lambda some: space.project(self.of(some, shape)), tick, at_once=self.AT_ONCE
        )
        return coordinates

    def contribution_map(self, parts: Doubles, shape: Shape) -> Doubles | None:
        """Return where numbers, one for each feature, lie on a face: a map (h, w), if there is one.

        ``parts``: (f,), or (views, f) where features are the mean of those of several views.
        """
        return parts.reshape(shape)

    def folds(self, features: Crops, people: People, shape: Shape) -> Folds:
        """Return how the spaces of folds are fitted: of few faces, from their inner products."""
        if not self.PRETRAINED and len(features) <= LARGEST_EXACT:
            return GramFolds(features.array, self.BLOCKS, person_numbers(people), self.SCATTER)

        def refit(rows: Numbers) -> Space:
            rows = draw_rows(rows, self.MOST_FITTED)
            return self.fit(features.select(rows), [people[row] for row in rows], shape)[0]

        return RefittedFolds(features.array, refit)


@dataclass(frozen=True)
class PixelFeatures(Features):
    """The grey levels of a crop, whose space is the face space.

    Their light is evened out (`lighting.even_light`), then the background kept out
    (`lighting.through_window`).
    """

    lighting: Lighting = "none"
    window: Window = "none"

    NAME: ClassVar[str] = "Eigenfaces"
    FIELDS: ClassVar[tuple[Field, ...]] = (LIGHTING, WINDOW)

    def __post_init__(self) -> None:
        check_fields(self, self.FIELDS)

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, d) of crops (n, d): their light evened out."""
        if self.lighting == self.window == "none":
            return pixels
        faces = even_light(pixels.reshape(-1, *shape), self.lighting)
        return through_window(faces, self.window).reshape(pixels.shape)

    def of_all(self, crops: Crops, shape: Shape, tick: Tick = no_tick) -> Crops:
        """Return the features of all crops; these themselves, if nothing is changed."""
        if self.lighting == self.window == "none":
            return crops
        return super().of_all(crops, shape, tick)

    def fit(
        self, features: Crops, people: People, shape: Shape, tick: Tick = no_tick
    ) -> tuple[FaceSpace, Floats]:
        """Return the face space fitted to features (n, d), whoever is on them, and coordinates."""
        made = self.principal(features, tick=tick)
        return FaceSpace.of_decomposition(made, shape), made.coordinates


@dataclass(frozen=True)
class DiscriminantFeatures(Features):
    """Features whose space is a discriminant space, for which SCATTER is whitened."""

    SCATTER: ClassVar[Scatter]
    MOST_FITTED: ClassVar[int] = LARGEST_EXACT

    @abstractmethod
    def views(self, faces: Floats) -> Floats:
        """Return what the features of crops (n, h, w) are the mean of: (1 or 2, n, f)."""

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, f) of crops (n, d)."""
        faces = pixels.reshape(-1, *shape)
        starts = range(0, max(1, len(faces)), _AT_ONCE)
        return np.concatenate([self.views(faces[at : at + _AT_ONCE]).mean(axis=0) for at in starts])

    def fit(
        self, features: Crops, people: People, shape: Shape, tick: Tick = no_tick
    ) -> tuple[DiscriminantSpace, Floats]:
        """Return the space in which seven people or more differ, and the coordinates in it."""
        numbers = person_numbers(people)
        check_people(numbers)
        made = self.principal(features, MOST_COORDINATES, tick)
        space = DiscriminantSpace.of(made, numbers, self.SCATTER)
        return space, features.apply(space.project, at_once=_AT_ONCE)


@dataclass(frozen=True)
class FisherfaceFeatures(DiscriminantFeatures):
    """Half grey, half equalised levels, whitened by how photographs of a person differ."""

    NAME: ClassVar[str] = "Fisherfaces"
    SCATTER: ClassVar[Scatter] = "within people"

    def views(self, faces: Floats) -> Floats:
        """Return (x + equalised x) / 2, (1, n, d), of crops (n, h, w)."""
        mixed = np.float32(0.5) * (faces + even_light(faces, "equalised"))
        return mixed.reshape(1, len(faces), faces.shape[1] * faces.shape[2])


@dataclass(frozen=True)
class TextureFeatures(DiscriminantFeatures):
    """Three blocks of texture, whitened by how all photographs differ.

    They are the mean of a face's own and of its mirror image's, as if each were enrolled with that.
    """

    NAME: ClassVar[str] = "Texture"
    SCATTER: ClassVar[Scatter] = "total"
    BLOCKS: ClassVar[tuple[int, ...]] = (
        *(texture.TEXTURE_LENGTH, texture.TEXTURE_LENGTH),
        texture.GABOR_LENGTH,
    )

    def views(self, faces: Floats) -> Floats:
        """Return the blocks (2, n, f) of crops (n, h, w) and of their mirror images.

        Side by side: local binary patterns of the crop; the same of the crop as `tan_triggs` lights
        it, shown as grey levels (x + 10) · 12.7; Gabor magnitudes of that. Each has unit length.
        """
        lit = tan_triggs(faces)
        levels = np.rint((lit + 10) * np.float32(12.7)).astype(np.uint8)
        patterns = [texture.patterns(grey) for grey in (as_levels(faces), levels)]
        turned = [texture.mirrored(own) for own in patterns]
        views = (patterns, lit), (turned, np.ascontiguousarray(lit[:, :, ::-1]))
        return np.stack(
            [
                np.concatenate([*map(texture.texture_of, own), texture.gabor(pictures)], axis=1)
                for own, pictures in views
            ]
        )

    def contribution_map(self, parts: Doubles, shape: Shape) -> Doubles:
        """Return the numbers (2, f) added up: patterns over their cells, waves around theirs."""
        height, width = shape
        cells = texture.cell_edges(height), texture.cell_edges(width)
        places = texture.place_edges(height, 0), texture.place_edges(width, 1)
        across, maps = (2, texture.CELLS, texture.CELLS, texture.BINS), []
        for side in parts:
            patterns, waves = np.split(side, [2 * texture.TEXTURE_LENGTH])
            over_cells = _over_pixels(patterns.reshape(across).sum(axis=(0, 3)), cells, shape)
            waves = waves.reshape(-1, *texture.PLACES).sum(axis=0)
            maps.append(over_cells + _over_pixels(waves, places, shape))
        own, mirrored = maps
        return own + mirrored[:, ::-1]


def _over_pixels(cells: Doubles, edges: tuple[Doubles, Doubles], shape: Shape) -> Doubles:
    """Return cells (a, b) with edges (a + 1,), (b + 1,) spread evenly over pixels (h, w)."""
    shares = []
    for ends, side in zip(edges, shape, strict=True):
        pixels = np.arange(side)[:, None]
        overlap = np.minimum(ends[1:], pixels + 1) - np.maximum(ends[:-1], pixels)
        shares.append(np.maximum(overlap, 0) / np.diff(ends))
    spread: Doubles = shares[0] @ cells @ shares[1].T
    return spread


def draw_rows(rows: Numbers, most: int) -> Numbers:
    """Return some rows (n,), in their order; of more than ``most``, so many drawn at random."""
    if len(rows) <= most:
        return rows
    return np.sort(np.random.default_rng(_SEED).choice(rows, most, replace=False))


def person_numbers(people: People) -> Numbers:
    """Return the number of each name in order of appearance, (n,); −1 without a name.

    >>> person_numbers(["Ada", None, "Grace", "Ada"])
    array([ 0, -1,  1,  0])
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(filter(None, people)))}
    return np.array([-1 if name is None else names[name] for name in people], np.intp)
