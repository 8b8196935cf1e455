"""Texture of faces: histograms of local binary patterns, cell by cell.

A pattern says which of a pixel's eight neighbours are at least as bright as it is: brightness and
contrast do not matter to it (T. Ojala and others, *Multiresolution gray-scale and rotation
invariant texture classification with local binary patterns*, 2002; T. Ahonen and others, *Face
description with local binary patterns*, 2006).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from eigenfaces.space.arrays import Bytes, Doubles, Floats

RADIUS = 2
"""Pixels from a pixel to its eight neighbours."""

CELLS = 8
"""Histograms in each direction."""

BINS = 59
"""Of each histogram: the 58 uniform patterns, with at most two changes around, and all others."""

LENGTH = CELLS * CELLS * BINS
"""Numbers that describe a face."""

_AT_ONCE = 32  # faces: more of them no longer fit the processor's cache
_TOLERANCE = 1e-3  # grey levels: interpolation between equal levels is rounded


def texture(levels: Bytes) -> Floats:
    """Return the texture of crops (n, h, w) in grey levels 0…255: (n, `LENGTH`), of unit length.

    Histograms of the uniform patterns at radius 2 over 8 × 8 cells; the square root evens out
    their weights, and makes the product of two textures a likeness (Bhattacharyya).

    Examples
    --------
    >>> faces = np.random.default_rng(0).integers(0, 256, (3, 112, 92), np.uint8)
    >>> texture(faces).shape
    (3, 3776)
    >>> brighter = faces // 2 + 100
    >>> bool(((texture(faces // 2) * texture(brighter)).sum(axis=1) > 0.9999).all())
    True
    """
    made = np.empty((len(levels), LENGTH), np.float32)
    for start in range(0, len(levels), _AT_ONCE):
        block = levels[start : start + _AT_ONCE]
        made[start : start + len(block)] = texture_of(patterns(block))
    return made


def texture_of(numbers: NDArray[np.uint8]) -> Floats:
    """Return the texture (n, `LENGTH`) of images with these `patterns`."""
    made = np.sqrt(_histograms(numbers))
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def mirrored(numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the `patterns` of mirror images, from those of the images."""
    return _numbers_mirrored()[numbers[:, :, ::-1]]


def patterns(levels: Bytes) -> NDArray[np.uint8]:
    """Return the number of the pattern (0…58) around every pixel of images (n, h, w).

    Pixels nearer than the radius to the border have none: (n, h − 4, w − 4).
    """
    height, width = (side - 2 * RADIUS for side in levels.shape[1:])
    grey = levels.astype(np.float32)
    centre = grey[:, RADIUS:-RADIUS, RADIUS:-RADIUS] - np.float32(_TOLERANCE)
    codes = np.zeros(centre.shape, np.uint8)
    for bit, shares in enumerate(_neighbours()):
        neighbour = sum(
            np.float32(share) * grey[:, down : down + height, right : right + width]
            for down, right, share in shares
        )
        codes |= (neighbour >= centre).view(np.uint8) << np.uint8(bit)
    return _numbers()[codes]


def cell_edges(side: int) -> Doubles:
    """Return where the cells along a side of a crop begin and end, in pixels: (`CELLS` + 1,)."""
    return RADIUS + np.ceil(np.arange(CELLS + 1) * (side - 2 * RADIUS) / CELLS)


def _histograms(numbers: NDArray[np.uint8]) -> Floats:
    """Return how often each pattern occurs in each cell: (n, `LENGTH`)."""
    n, height, width = numbers.shape
    rows, columns = (np.arange(side) * CELLS // side for side in (height, width))
    cell = (rows[:, None] * CELLS + columns) * BINS
    first = np.arange(n)[:, None, None] * LENGTH + cell
    counts = np.bincount((first + numbers).ravel(), minlength=n * LENGTH)
    return counts.reshape(n, LENGTH).astype(np.float32)


@cache
def _neighbours() -> tuple[tuple[tuple[int, int, float], ...], ...]:
    """Return the eight neighbours: each as pixels (down, right, share) that it lies between."""
    return tuple(tuple(_around(k * math.tau / 8)) for k in range(8))


def _around(angle: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pixels around a neighbour and their shares, from the top left of all of them."""
    down = round(RADIUS - RADIUS * math.sin(angle), 9)
    right = round(RADIUS + RADIUS * math.cos(angle), 9)
    for row in (math.floor(down), math.floor(down) + 1):
        for column in (math.floor(right), math.floor(right) + 1):
            share = (1 - abs(down - row)) * (1 - abs(right - column))
            if share > 0:
                yield row, column, share


@cache
def _numbers() -> NDArray[np.uint8]:
    """Return the number of each of the 256 patterns: 58 for all that are not uniform."""
    numbers = np.full(256, BINS - 1, np.uint8)
    uniform = [code for code in range(256) if _changes(code) <= 2]
    numbers[uniform] = range(len(uniform))
    return numbers


@cache
def _numbers_mirrored() -> NDArray[np.uint8]:
    """Return the number of each pattern in a mirror image, where the neighbour k is 4 − k."""
    numbers, mirrored = _numbers(), np.empty(BINS, np.uint8)
    for code in range(256):
        turned = sum((code >> k & 1) << (4 - k) % 8 for k in range(8))
        mirrored[numbers[code]] = numbers[turned]
    return mirrored


def _changes(code: int) -> int:
    """Return how often neighbouring bits differ, all the way round."""
    return (code ^ ((code >> 1) | ((code & 1) << 7))).bit_count()


def tan_triggs(faces: Floats) -> Floats:
    """Return crops (n, h, w), grey 0…1, as Tan and Triggs prepare them, −10…10.

    Little is left of the light, and of brightness (X. Tan and B. Triggs, *Enhanced local texture
    feature sets for face recognition under difficult lighting conditions*, 2010).

    Differences of Gaussians of (x + 0.001)^0.2, σ = 1 and 2, over mean(|x|^0.1)^10, then over
    mean(min(10, |x|)^0.1)^10; 10 tanh(x / 10) of the result.
    """
    from scipy.ndimage import gaussian_filter

    raised = (faces + np.float32(0.001)) ** np.float32(0.2)  # so that black is no cliff
    narrow, wide = (
        gaussian_filter(raised, (0, sigma, sigma), output=np.float64, mode="nearest")
        for sigma in (1, 2)
    )
    even: Doubles = narrow - wide
    for limit in (np.inf, 10.0):
        strength = np.minimum(np.abs(even), limit) ** 0.1
        even /= np.maximum(strength.mean(axis=(1, 2), keepdims=True) ** 10, 1e-9)
    return (10 * np.tanh(even / 10)).astype(np.float32)
