"""What of a face crop is compared: the part of a recipe whose change needs a new fit.

`PixelFeatures` are the classic ones, whose face space is shown as pictures. `FisherfaceFeatures`,
pixels still, and `TextureFeatures`, patterns and waves, are compared along the axes in which the
people on the faces differ. Those of a network are in `recognition.network`.
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

People = Sequence[str | None]  # the name of each face; None for one without
Shape = tuple[int, int]  # height and width of a crop

_AT_ONCE = 32  # faces whose features are made at once, in the processor's cache

BLOCKS = texture.TEXTURE_LENGTH, texture.TEXTURE_LENGTH, texture.GABOR_LENGTH
"""How many features each block of texture has."""

BLOCK_SCALES = 0.413, 0.371, 0.622
"""The root of each block's total variance: over its scale, each block counts alike.

Learnt once, from the 204 photographs of the London set (`assets/faces.md`). On other sets they are
the same within 15 %.
"""

_SCALES = np.repeat(np.array(BLOCK_SCALES, np.float32), BLOCKS)


@dataclass(frozen=True)
class Features(ABC):
    """From crops to what is compared: a frozen value, the same for the gallery and every probe."""

    NAME: ClassVar[str]  # of the recipe that compares them
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    """Its settings."""

    AT_ONCE: ClassVar[int] = _AT_ONCE
    """Faces whose features are made together."""

    PRETRAINED: ClassVar[bool] = False
    """Whether nothing of a gallery is fitted to, so that its faces can be compared with any."""

    SCATTER: ClassVar[Scatter | None] = None
    """What is whitened before people's means are compared; None where people do not matter."""

    PERSON_SCATTER: ClassVar[float] = 0.0
    """The mean squared distance of a person's photographs from what all of them have in common."""

    def no_faces(self, crops: Floats) -> Flags:
        """Return which of crops (m, h, w) the features themselves show to be no faces, (m,)."""
        return np.zeros(len(crops), bool)

    def read_photographs(self, faces: FaceSet, tick: Tick = no_tick) -> None:  # noqa: B027
        """Look at the photographs of faces, where their crops do not say enough: most need not."""

    @abstractmethod
    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the features (n, f) of crops (n, d) of (h, w), each from its own crop."""

    def views(self, pixels: Floats, shape: Shape) -> Floats:
        """Return v views (v, n, f) of crops (n, d), whose mean the features are; here one."""
        return self.of(pixels, shape)[None]

    def of_all(self, crops: Crops, shape: Shape, tick: Tick = no_tick) -> Crops:
        """Return the features of all crops, as rows (n, f)."""
        return Crops(crops.apply(partial(self.of, shape=shape), tick, at_once=self.AT_ONCE))

    def contribution_map(self, parts: Doubles, shape: Shape) -> Doubles | None:
        """Return where numbers, one for each feature, lie on a face: a map (h, w), if there is one.

        ``parts``: (f,), or (views, f) where features are the mean of those of several views.
        """
        return parts.reshape(shape)


@dataclass(frozen=True)
class PixelFeatures(Features):
    """The grey levels of a crop, whose space is the face space.

    Their light is evened out (`lighting.even_light`), then the background kept out
    (`lighting.through_window`).
    """

    lighting: Lighting = "none"
    window: Window = "none"

    NAME: ClassVar[str] = "Eigenfaces"
    FIELDS: ClassVar[tuple[Field, ...]] = (LIGHTING, WINDOW_FIELD)

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


@dataclass(frozen=True)
class FisherfaceFeatures(Features):
    """Half grey, half equalised levels, whitened by how photographs of a person differ."""

    NAME: ClassVar[str] = "Fisherfaces"
    SCATTER: ClassVar[Scatter] = "within people"

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return (x + equalised x) / 2, (n, d), of crops (n, d)."""
        faces = pixels.reshape(-1, *shape)
        mixed = np.float32(0.5) * (faces + even_light(faces, "equalised"))
        return mixed.reshape(pixels.shape)


@dataclass(frozen=True)
class TextureFeatures(Features):
    """Three blocks of texture, whitened by how all photographs differ.

    They are the mean of a face's own and of its mirror image's, as if each were enrolled with that.
    Each block is divided by a constant, so that the three count alike.
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

        Side by side: local binary patterns of the crop; the same of the crop as `tan_triggs` lights
        it, shown as grey levels (x + 10) · 12.7; Gabor magnitudes of that. Each has the length 1
        over its scale (`BLOCK_SCALES`).
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
        """Return the numbers (2, f) added up: patterns over their cells, waves around theirs."""
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
    """Return cells (a, b) with edges (a + 1,), (b + 1,) spread evenly over pixels (h, w)."""
    shares = []
    for ends, side in zip(edges, shape, strict=True):
        pixels = np.arange(side)[:, None]
        overlap = np.minimum(ends[1:], pixels + 1) - np.maximum(ends[:-1], pixels)
        shares.append(np.maximum(overlap, 0) / np.diff(ends))
    spread: Doubles = shares[0] @ cells @ shares[1].T
    return spread


def person_numbers(people: People) -> Numbers:
    """Return the number of each name in order of appearance, (n,); −1 without a name.

    >>> person_numbers(["Ada", None, "Grace", "Ada"])
    array([ 0, -1,  1,  0])
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(filter(None, people)))}
    return np.array([-1 if name is None else names[name] for name in people], np.intp)
