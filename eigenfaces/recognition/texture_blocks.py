"""The three blocks of numbers that describe a face's texture, one after the other."""

from __future__ import annotations

import numpy as np

from eigenfaces.faces import gabor, texture
from eigenfaces.faces.texture import tan_triggs
from eigenfaces.recognition.sum_over_face import SumOverFace
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.arrays.crops import as_levels

BLOCKS = texture.LENGTH, texture.LENGTH, gabor.LENGTH
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


def block_maps(parts: Doubles, shape: tuple[int, int]) -> tuple[SumOverFace, ...]:
    """Return where numbers, one for each that describes a face, lie on a face (h, w).

    A pattern lies anywhere in its cell, a wave around its place: their sums are spread evenly.
    """
    height, width = shape
    cells = texture.cell_edges(height), texture.cell_edges(width)
    places = gabor.place_edges(height, 0), gabor.place_edges(width, 1)
    grey, lit, waves = np.split(parts, np.cumsum(BLOCKS[:-1]))
    across = (texture.CELLS, texture.CELLS, texture.BINS)
    return (
        SumOverFace.spread("grey patterns", grey.reshape(across).sum(axis=2), cells, shape),
        SumOverFace.spread("lit patterns", lit.reshape(across).sum(axis=2), cells, shape),
        SumOverFace.spread("waves", waves.reshape(-1, *gabor.PLACES).sum(axis=0), places, shape),
    )


def _described(crops: Floats) -> Floats:
    lit = tan_triggs(crops)
    levels = np.rint((lit + 10) * np.float32(12.7)).astype(np.uint8)
    numbers = [texture.patterns(each) for each in (as_levels(crops), levels)]
    turned = [texture.mirrored(each) for each in numbers]
    sides = (numbers, lit), (turned, np.ascontiguousarray(lit[:, :, ::-1]))
    return np.stack(
        [
            np.concatenate([*map(texture.texture_of, patterns), gabor.gabor(pictures)], axis=1)
            for patterns, pictures in sides
        ]
    )
