"""Features: the numbers by which face crops are compared; most recipes fit a space to them.

`PixelFeatures` are the classic features, with a face space that can be shown as pictures.
`FisherfaceFeatures` (also pixels) and `TextureFeatures` (patterns and waves) are compared along the
axes that tell people apart. The features of the Network recipe are in `recognition.network`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces import texture
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.faces.lighting import (
    LIGHTING,
    WINDOW_FIELD,
    Lighting,
    Window,
    even_light,
    through_window,
)
from eigenfaces.faces.prepare import tan_triggs
from eigenfaces.space.arrays import Doubles, Flags, Floats, Numbers
from eigenfaces.space.discriminant import Scatter
from eigenfaces.space.pca import as_levels
from eigenfaces.text import Field, check_fields

People = Sequence[str | None]  # the name of each face; None if it has none
Shape = tuple[int, int]  # height and width of a crop

_AT_ONCE = 32  # faces whose features are computed together, to fit into the processor's cache

BLOCKS = texture.TEXTURE_LENGTH, texture.TEXTURE_LENGTH, texture.GABOR_LENGTH
"""The number of features in each block of texture features."""

BLOCK_SCALES = 0.413, 0.371, 0.622
"""The square root of each block's total variance. Dividing by it gives the blocks equal weight.

The values were measured once, on the 204 photographs of the London set (`assets/faces.md`). On
other sets, they differ by up to 15 %.
"""

_SCALES = np.repeat(np.array(BLOCK_SCALES, np.float32), BLOCKS)


@dataclass(frozen=True)
class Features(ABC):
    """Immutable settings for computing features from crops, used for gallery and probes alike."""

    NAME: ClassVar[str]  # name of the recipe that uses the features
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    """The fields that describe the settings."""

    AT_ONCE: ClassVar[int] = _AT_ONCE
    """The number of faces whose features are computed together."""

    PRETRAINED: ClassVar[bool] = False
    """Whether the features need not be fitted to a gallery, so any two faces can be compared."""

    SCATTER: ClassVar[Scatter | None] = None
    """The scatter to whiten before people's means are compared; None if names are not used."""

    PERSON_SCATTER: ClassVar[float] = 0.0
    """The mean squared distance of a person's photographs from their mean."""

    def no_faces(self, crops: Floats) -> Flags:
        """Return a mask (m,) of the crops (m, h, w) whose features are not those of faces."""
        return np.zeros(len(crops), bool)

    def read_photographs(self, faces: FaceSet, tick: Tick = no_tick) -> None:  # noqa: B027
        """Read the photographs of faces if the features need more than the crops; most do not."""

    @abstractmethod
    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return features (n, f) of crops (n, d) of shape (h, w), independently for each crop."""

    def views(self, pixels: Floats, shape: Shape) -> Floats:
        """Return views (v, n, f) of crops (n, d), whose mean is the features. By default, v = 1."""
        return self.of(pixels, shape)[None]

    def of_all(self, crops: Crops, shape: Shape, tick: Tick = no_tick) -> Crops:
        """Return the features of all crops, as rows (n, f)."""
        return Crops(crops.apply(partial(self.of, shape=shape), tick, at_once=self.AT_ONCE))

    def contribution_map(self, parts: Doubles, shape: Shape) -> Doubles | None:
        """Return a map (h, w) of the features' values, or None if features have no position.

        ``parts``: (f,), or (views, f) if the features are the mean of several views.
        """
        return parts.reshape(shape)


@dataclass(frozen=True)
class PixelFeatures(Features):
    """The grey levels of a crop; the space fitted to them is the face space.

    The lighting is corrected first (`lighting.even_light`), and then the background is faded out
    (`lighting.through_window`).
    """

    lighting: Lighting = "none"
    window: Window = "none"

    NAME: ClassVar[str] = "Eigenfaces"
    FIELDS: ClassVar[tuple[Field, ...]] = (LIGHTING, WINDOW_FIELD)

    def __post_init__(self) -> None:
        check_fields(self, self.FIELDS)

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, d) of crops (n, d): their pixels after lighting correction."""
        if self.lighting == self.window == "none":
            return pixels
        faces = even_light(pixels.reshape(-1, *shape), self.lighting)
        return through_window(faces, self.window).reshape(pixels.shape)

    def of_all(self, crops: Crops, shape: Shape, tick: Tick = no_tick) -> Crops:
        """Return the features of all crops: the crops themselves if nothing is to be corrected."""
        if self.lighting == self.window == "none":
            return crops
        return super().of_all(crops, shape, tick)


@dataclass(frozen=True)
class FisherfaceFeatures(Features):
    """The mean of the original and equalised grey levels, whitened by the within-person scatter."""

    NAME: ClassVar[str] = "Fisherfaces"
    SCATTER: ClassVar[Scatter] = "within people"

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, d) of crops x (n, d): the mean of x and its equalised version."""
        faces = pixels.reshape(-1, *shape)
        mixed = np.float32(0.5) * (faces + even_light(faces, "equalised"))
        return mixed.reshape(pixels.shape)


@dataclass(frozen=True)
class TextureFeatures(Features):
    """Three blocks of texture features, whitened by the total scatter.

    The features are averaged over the face and its mirror image, as if both were enrolled. Each
    block is divided by a constant, so that all three have equal weight.
    """

    NAME: ClassVar[str] = "Texture"
    SCATTER: ClassVar[Scatter] = "total"

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, f) of crops (n, d)."""
        starts = range(0, max(1, len(pixels)), _AT_ONCE)
        parts = [self.views(pixels[at : at + _AT_ONCE], shape).mean(axis=0) for at in starts]
        return np.concatenate(parts)

    def views(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the blocks (2, n, f) of crops (n, d) and of their mirror images.

        The three blocks, side by side, are local binary patterns of the crop, local binary patterns
        after `tan_triggs` (as grey levels (x + 10) · 12.7), and Gabor magnitudes after
        `tan_triggs`. Each block is scaled to length 1, then divided by its scale (`BLOCK_SCALES`).
        """
        faces = pixels.reshape(-1, *shape)
        lit = tan_triggs(faces)
        levels = np.rint((lit + 10) * np.float32(12.7)).astype(np.uint8)
        patterns = [texture.uniform_patterns(grey) for grey in (as_levels(faces), levels)]
        turned = [texture.mirrored_patterns(own) for own in patterns]
        views = (patterns, lit), (turned, np.ascontiguousarray(lit[:, :, ::-1]))
        stacked = [
            np.concatenate([*map(texture.pattern_histograms, own), texture.gabor(pictures)], axis=1)
            for own, pictures in views
        ]
        return (np.stack(stacked) / _SCALES).astype(np.float32, copy=False)

    def contribution_map(self, parts: Doubles, shape: Shape) -> Doubles:
        """Return a map (h, w) of values (2, f): patterns over cells, and waves around points."""
        height, width = shape
        cells = texture.cell_edges(height), texture.cell_edges(width)
        places = texture.place_edges(height, 0), texture.place_edges(width, 1)
        across = (2, texture.PATTERN_CELLS, texture.PATTERN_CELLS, texture.PATTERN_BINS)
        maps = []
        for side in parts:
            patterns, waves = np.split(side, [2 * texture.TEXTURE_LENGTH])
            over_cells = _over_pixels(patterns.reshape(across).sum(axis=(0, 3)), cells, shape)
            waves = waves.reshape(-1, *texture.PLACES).sum(axis=0)
            maps.append(over_cells + _over_pixels(waves, places, shape))
        own, mirrored = maps
        return own + mirrored[:, ::-1]


def _over_pixels(cells: Doubles, edges: tuple[Doubles, Doubles], shape: Shape) -> Doubles:
    """Spread the values of cells (a, b) over a map (h, w), given the cell edges along each axis."""
    shares = []
    for ends, side in zip(edges, shape, strict=True):
        pixels = np.arange(side)[:, None]
        overlap = np.minimum(ends[1:], pixels + 1) - np.maximum(ends[:-1], pixels)
        shares.append(np.maximum(overlap, 0) / np.diff(ends))
    spread: Doubles = shares[0] @ cells @ shares[1].T
    return spread


def person_numbers(people: People) -> Numbers:
    """Return each face's person number (n,), in order of first appearance; −1 if it has no name.

    >>> person_numbers(["Ada", None, "Grace", "Ada"])
    array([ 0, -1,  1,  0])
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(filter(None, people)))}
    return np.array([-1 if name is None else names[name] for name in people], np.intp)
