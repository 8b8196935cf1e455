"""Texture of faces: histograms of local binary patterns in cells, and Gabor magnitudes.

A pattern records which of a pixel's eight neighbours are at least as bright as the pixel, so
overall brightness and contrast do not matter (T. Ojala et al., *Multiresolution gray-scale and
rotation invariant texture classification with local binary patterns*, 2002; T. Ahonen et al., *Face
description with local binary patterns*, 2006).

A Gabor filter is a plane wave in a Gaussian envelope, ψ(z) = k² / σ² · exp(−k² z² / 2σ²) ·
exp(i k·z), corrected so that plain grey gives 0. It measures the strength of waves of one
wavelength and direction around a point. Its wave number is (π/2) / √2^ν, ν = 0 … 4, its direction
μπ/8, μ = 0 … 7, σ = 2π (M. Lades et al., *Distortion invariant object recognition in the dynamic
link architecture*, 1993; C. Liu and H. Wechsler, *Gabor feature based classification using the
enhanced Fisher linear discriminant model*, 2002).
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from eigenfaces.space.arrays import Bytes, Doubles, Floats

RADIUS = 2  # the distance in pixels from a pixel to its eight neighbours
PATTERN_CELLS = 8  # cells in each direction, with one histogram each
PATTERN_BINS = 59  # one for each of the 58 uniform patterns (at most two changes), one for the rest
TEXTURE_LENGTH = PATTERN_CELLS * PATTERN_CELLS * PATTERN_BINS  # numbers that describe a face
_TOLERANCE = 1e-3  # in grey levels, as interpolation between equal levels has rounding errors


def pattern_histograms(numbers: NDArray[np.uint8]) -> Floats:
    """Return the unit-length texture vectors (n, `TEXTURE_LENGTH`), given `uniform_patterns`.

    The texture consists of histograms of the uniform patterns at radius 2 in 8 × 8 cells. Taking
    their square roots balances rare and frequent patterns, and makes the dot product of two
    textures a measure of similarity (the Bhattacharyya coefficient).

    Examples
    --------
    >>> faces = np.random.default_rng(0).integers(0, 256, (3, 112, 92), np.uint8)
    >>> pattern_histograms(uniform_patterns(faces)).shape
    (3, 3776)
    """
    n, height, width = numbers.shape
    # One histogram for everything: a bin is numbered by image, then by cell, then by pattern.
    rows, columns = (np.arange(side) * PATTERN_CELLS // side for side in (height, width))
    cell = (rows[:, None] * PATTERN_CELLS + columns) * PATTERN_BINS
    first = np.arange(n)[:, None, None] * TEXTURE_LENGTH + cell
    counts = np.bincount((first + numbers).ravel(), minlength=n * TEXTURE_LENGTH)
    roots = np.sqrt(counts.reshape(n, TEXTURE_LENGTH).astype(np.float32))
    return roots / np.linalg.norm(roots, axis=1, keepdims=True)


def uniform_patterns(levels: Bytes) -> NDArray[np.uint8]:
    """Return the pattern numbers 0…58 (n, h − 4, w − 4) of the pixels of images (n, h, w).

    Pixels closer to the border than the radius have no pattern.
    """
    height, width = (side - 2 * RADIUS for side in levels.shape[1:])
    grey = levels.astype(np.float32)
    centre = grey[:, RADIUS:-RADIUS, RADIUS:-RADIUS] - np.float32(_TOLERANCE)
    codes = np.zeros(centre.shape, np.uint8)
    for bit in range(8):
        # Neighbour k is at an angle of k · 45°, between up to four pixels.
        down = round(RADIUS - RADIUS * math.sin(bit * math.tau / 8), 9)
        right = round(RADIUS + RADIUS * math.cos(bit * math.tau / 8), 9)
        corners = product(*((math.floor(at), math.floor(at) + 1) for at in (down, right)))
        shares = ((y, x, (1 - abs(down - y)) * (1 - abs(right - x))) for y, x in corners)
        neighbour = sum(
            np.float32(share) * grey[:, y : y + height, x : x + width]
            for y, x, share in shares
            if share > 0
        )
        codes |= (neighbour >= centre).view(np.uint8) << np.uint8(bit)
    return _uniform_lbp_tables()[0][codes]


def mirrored_patterns(numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the `uniform_patterns` of the mirror images, given those of the images."""
    return _uniform_lbp_tables()[1][numbers[:, :, ::-1]]


@cache
def _uniform_lbp_tables() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return two tables: the numbers of the 256 patterns, and the mirror image of each number.

    All non-uniform patterns have the number 58.
    """
    codes = np.arange(256)
    turned = (codes >> 1) | ((codes & 1) << 7)  # neighbouring bits differ where these do
    uniform = [code for code in codes if int(code ^ turned[code]).bit_count() <= 2]
    numbers = np.full(256, PATTERN_BINS - 1, np.uint8)
    mirror = np.empty(PATTERN_BINS, np.uint8)
    numbers[uniform] = range(len(uniform))
    flipped = sum((codes >> k & 1) << (4 - k) % 8 for k in range(8))  # neighbour k becomes 4 − k
    mirror[numbers] = numbers[flipped]
    return numbers, mirror


def cell_edges(side: int) -> Doubles:
    """Return the edges (cells + 1,) of the histogram cells along one side of a crop, in pixels."""
    return RADIUS + np.ceil(np.arange(PATTERN_CELLS + 1) * (side - 2 * RADIUS) / PATTERN_CELLS)


GABOR_SIZE = 56, 46  # (h, w) of the pictures that are filtered
GABOR_SPACING = 4  # pixels between the points at which the filters are evaluated
SCALES, DIRECTIONS = 5, 8
PLACES = tuple(-(-side // GABOR_SPACING) for side in GABOR_SIZE)
GABOR_LENGTH = SCALES * DIRECTIONS * PLACES[0] * PLACES[1]  # numbers that describe a face
_SIGMA = 2 * math.pi
_REACH = 15  # pixels from the middle of a filter to its edge
_AT_ONCE = 4  # the patches of this many pictures fit into the cache


def gabor(pictures: Floats) -> Floats:
    """Return the unit-length vectors (n, `GABOR_LENGTH`) of Gabor magnitudes of pictures (n, h, w).

    The pictures may have any size. The responses of each filter are scaled to mean 0 and standard
    deviation 1 over the face. This gives all filters equal weight, and removes the effect of
    overall brightness.

    Examples
    --------
    >>> faces = np.random.default_rng(0).random((3, 112, 92), np.float32)
    >>> gabor(faces).shape
    (3, 6720)
    >>> bool(np.allclose(gabor(faces), gabor(5 * faces + 1), atol=1e-4))
    True
    """
    from skimage.transform import resize_local_mean

    small = resize_local_mean(pictures, (len(pictures), *GABOR_SIZE))  # the mean over each area
    answers = gabor_magnitudes(small).astype(np.float64)
    answers = answers.reshape(len(answers), SCALES * DIRECTIONS, PLACES[0] * PLACES[1])
    answers -= answers.mean(axis=2, keepdims=True)
    answers /= np.maximum(answers.std(axis=2, keepdims=True), 1e-9)
    rows = answers.reshape(len(answers), GABOR_LENGTH)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths, 1e-9)).astype(np.float32)


def gabor_magnitudes(pictures: Floats) -> Floats:
    """Return the magnitudes of all filters at every fourth pixel of pictures of `GABOR_SIZE`.

    The shape is (n, filters, rows, columns). A magnitude is computed from the products of the patch
    around the pixel with the real and imaginary parts of the filter. Beyond the edge of a picture,
    its border pixels are repeated.
    """
    padded = np.pad(pictures, ((0, 0), (_REACH, _REACH), (_REACH, _REACH)), mode="edge")
    side = 2 * _REACH + 1
    filters = _filters()
    patches = sliding_window_view(padded, (side, side), (1, 2))[:, ::GABOR_SPACING, ::GABOR_SPACING]
    answers = np.empty((len(pictures), *PLACES, SCALES * DIRECTIONS), np.float32)
    for start in range(0, len(pictures), _AT_ONCE):
        rows = patches[start : start + _AT_ONCE].reshape(-1, side**2) @ filters
        real, imaginary = np.split(rows, 2, axis=1)
        magnitudes = np.sqrt(real**2 + imaginary**2).reshape(-1, *answers.shape[1:])
        answers[start : start + _AT_ONCE] = magnitudes
    return answers.transpose(0, 3, 1, 2)


@cache
def _filters() -> Floats:
    """Return the filters as columns (31 · 31, 2 · filters): real parts, then imaginary parts."""
    down, across = np.mgrid[-_REACH : _REACH + 1, -_REACH : _REACH + 1]
    filters = []
    for scale, direction in product(range(SCALES), range(DIRECTIONS)):
        wave_number = math.pi / 2 / math.sqrt(2) ** scale
        angle = direction * math.pi / DIRECTIONS
        ratio = wave_number**2 / _SIGMA**2
        hill = ratio * np.exp(-ratio * (down**2 + across**2) / 2)
        wave = np.exp(1j * wave_number * (across * math.cos(angle) + down * math.sin(angle)))
        to_grey = (hill * wave).sum() / hill.sum()
        filters.append((hill * (wave - to_grey)).ravel())
    return np.concatenate([np.real(filters), np.imag(filters)]).T.astype(np.float32)


def place_edges(side: int, axis: int) -> Doubles:
    """Return the edges (points + 1,) between the filter points along a side of a picture.

    The edges are in pixels. ``axis`` is 0 for vertical and 1 for horizontal. Each point covers the
    pixels that are nearest to it.
    """
    middles = np.arange(PLACES[axis]) * GABOR_SPACING + 0.5
    inner = (middles[1:] + middles[:-1]) / 2
    return np.concatenate([[0.0], inner, [GABOR_SIZE[axis]]]) * side / GABOR_SIZE[axis]
