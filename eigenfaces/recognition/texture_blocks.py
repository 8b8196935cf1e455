"""The three blocks of numbers that describe a face's texture, one after the other."""

from __future__ import annotations

import numpy as np

from eigenfaces.faces import texture
from eigenfaces.faces.prepare import tan_triggs
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.arrays.crops import as_levels

BLOCKS = texture.TEXTURE_LENGTH, texture.TEXTURE_LENGTH, texture.GABOR_LENGTH
"""How many numbers the patterns of the grey face, those of the lit face, and the waves are."""

_AT_ONCE = 32
"""Faces: more of them no longer fit the processor's cache."""


def texture_blocks(crops: Floats) -> Floats:
    """Return crops (n, h, w), grey 0…1, and their mirror images as (2, n, sum of `BLOCKS`).

    Three blocks side by side: local binary patterns of the crop; the same of the crop as
    `tan_triggs` lights it, shown as grey levels (x + 10) · 12.7; and Gabor magnitudes of that. Each
    block has unit length.
    """
    described = np.empty((2, len(crops), sum(BLOCKS)), np.float32)
    for start in range(0, len(crops), _AT_ONCE):
        described[:, start : start + _AT_ONCE] = _described(crops[start : start + _AT_ONCE])
    return described


def block_maps(parts: Doubles, shape: tuple[int, int]) -> dict[str, Doubles]:
    """Return where numbers, one for each that describes a face, lie on a face (h, w).

    A pattern lies anywhere in its cell, a wave around its place: their sums are spread evenly.
    """
    height, width = shape
    cells = texture.cell_edges(height), texture.cell_edges(width)
    places = texture.place_edges(height, 0), texture.place_edges(width, 1)
    grey, lit, waves = np.split(parts, np.cumsum(BLOCKS[:-1]))
    across = (texture.CELLS, texture.CELLS, texture.BINS)
    return {
        "grey patterns": _spread(grey.reshape(across).sum(axis=2), cells, shape),
        "lit patterns": _spread(lit.reshape(across).sum(axis=2), cells, shape),
        "waves": _spread(waves.reshape(-1, *texture.PLACES).sum(axis=0), places, shape),
    }


def _spread(cells: Doubles, edges: tuple[Doubles, Doubles], shape: tuple[int, int]) -> Doubles:
    """Return cells (a, b) spread evenly over the pixels (h, w) that they cover.

    ``edges``: (a + 1,) down and (b + 1,) across, in pixels.

    >>> edges = np.array([0.0, 1.5, 3.0])
    >>> _spread(np.array([[4.5, 0], [0, 9]]), (edges, edges), (3, 3)).round(6).tolist()
    [[2.0, 1.0, 0.0], [1.0, 1.5, 2.0], [0.0, 2.0, 4.0]]
    """
    shares = []
    for ends, side in zip(edges, shape, strict=True):
        pixels = np.arange(side)[:, None]
        overlap = np.minimum(ends[1:], pixels + 1) - np.maximum(ends[:-1], pixels)
        shares.append(np.maximum(overlap, 0) / np.diff(ends))
    spread: Doubles = shares[0] @ cells @ shares[1].T
    return spread


def _described(crops: Floats) -> Floats:
    lit = tan_triggs(crops)
    levels = np.rint((lit + 10) * np.float32(12.7)).astype(np.uint8)
    numbers = [texture.patterns(each) for each in (as_levels(crops), levels)]
    turned = [texture.mirrored(each) for each in numbers]
    sides = (numbers, lit), (turned, np.ascontiguousarray(lit[:, :, ::-1]))
    return np.stack(
        [
            np.concatenate([*map(texture.texture_of, patterns), texture.gabor(pictures)], axis=1)
            for patterns, pictures in sides
        ]
    )
