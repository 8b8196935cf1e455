"""Texture of faces: histograms of local binary patterns, cell by cell, and Gabor magnitudes.

A pattern says which of a pixel's eight neighbours are at least as bright as it is: brightness and
contrast do not matter to it (T. Ojala and others, *Multiresolution gray-scale and rotation
invariant texture classification with local binary patterns*, 2002; T. Ahonen and others, *Face
description with local binary patterns*, 2006).

A Gabor filter is a plane wave under a Gaussian, ψ(z) = k² / σ² · exp(−k² z² / 2σ²) · exp(i k·z),
here without what it answers to plain grey: how strong a wave of one length and direction is around
a place. Its wave number is (π/2) / √2^ν, ν = 0 … 4, its direction μπ/8, μ = 0 … 7, and σ = 2π
(M. Lades and others, *Distortion invariant object recognition in the dynamic link architecture*,
1993; C. Liu and H. Wechsler, *Gabor feature based classification using the enhanced Fisher linear
discriminant model*, 2002).
"""

from __future__ import annotations

import math
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

TEXTURE_LENGTH = CELLS * CELLS * BINS
"""Numbers that describe a face."""

_TOLERANCE = 1e-3  # grey levels: interpolation between equal levels is rounded


def texture_of(numbers: NDArray[np.uint8]) -> Floats:
    """Return the texture (n, `TEXTURE_LENGTH`) of images with these `patterns`, of unit length.

    Histograms of the uniform patterns at radius 2 over 8 × 8 cells; the square root evens out
    their weights, and makes the product of two textures a likeness (Bhattacharyya).

    Examples
    --------
    >>> faces = np.random.default_rng(0).integers(0, 256, (3, 112, 92), np.uint8)
    >>> texture_of(patterns(faces)).shape
    (3, 3776)
    """
    n, height, width = numbers.shape
    rows, columns = (np.arange(side) * CELLS // side for side in (height, width))
    cell = (rows[:, None] * CELLS + columns) * BINS
    first = np.arange(n)[:, None, None] * TEXTURE_LENGTH + cell
    counts = np.bincount((first + numbers).ravel(), minlength=n * TEXTURE_LENGTH)
    made = np.sqrt(counts.reshape(n, TEXTURE_LENGTH).astype(np.float32))
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


@cache
def _neighbours() -> tuple[tuple[tuple[int, int, float], ...], ...]:
    """Return the eight neighbours: each as pixels (down, right, share) that it lies between."""
    neighbours = []
    for k in range(8):
        down = round(RADIUS - RADIUS * math.sin(k * math.tau / 8), 9)
        right = round(RADIUS + RADIUS * math.cos(k * math.tau / 8), 9)
        around = (
            (row, column, (1 - abs(down - row)) * (1 - abs(right - column)))
            for row in (math.floor(down), math.floor(down) + 1)
            for column in (math.floor(right), math.floor(right) + 1)
        )
        neighbours.append(tuple(each for each in around if each[2] > 0))
    return tuple(neighbours)


@cache
def _numbers() -> NDArray[np.uint8]:
    """Return the number of each of the 256 patterns: 58 for all that are not uniform."""
    codes = np.arange(256)
    turned = (codes >> 1) | ((codes & 1) << 7)  # neighbouring bits differ where these do
    uniform = [code for code in codes if int(code ^ turned[code]).bit_count() <= 2]
    numbers = np.full(256, BINS - 1, np.uint8)
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


SIZE = 56, 46
"""(h, w) of the pictures that are filtered."""

EVERY = 4
"""Of so many places in each direction the filters answer at the first."""

SCALES, DIRECTIONS = 5, 8
PLACES = tuple(-(-side // EVERY) for side in SIZE)
GABOR_LENGTH = SCALES * DIRECTIONS * PLACES[0] * PLACES[1]
"""Numbers that describe a face."""

_SIGMA = 2 * math.pi
_REACH = 15
"""Pixels from the middle of a filter to its edge."""

_BEFORE = 16
"""Pixels of replicated border above and on the left: a multiple of `EVERY`, at least the reach."""

_PADDED = 88, 80
"""(h, w) with both borders, multiples of `EVERY` whose Fourier transform is fast."""

_FOLDED = _PADDED[0] // EVERY, _PADDED[1] // EVERY

Waves = NDArray[np.complexfloating]


def gabor(pictures: Floats) -> Floats:
    """Return the magnitudes of pictures (n, h, w) of any size: (n, `GABOR_LENGTH`), of unit length.

    The answers of each filter have mean 0 and deviation 1 over the face, so that all filters count
    alike, and the light on the whole face for nothing.

    Examples
    --------
    >>> faces = np.random.default_rng(0).random((3, 112, 92), np.float32)
    >>> gabor(faces).shape
    (3, 6720)
    >>> bool(np.allclose(gabor(faces), gabor(5 * faces + 1), atol=1e-4))
    True
    """
    answers = np.abs(_answers(resized(pictures, SIZE)))
    answers = answers.reshape(len(answers), SCALES * DIRECTIONS, PLACES[0] * PLACES[1])
    answers -= answers.mean(axis=2, keepdims=True)
    answers /= np.maximum(answers.std(axis=2, keepdims=True), 1e-9)
    rows = answers.reshape(len(answers), GABOR_LENGTH)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths, 1e-9)).astype(np.float32)


def _answers(pictures: Floats) -> Waves:
    """Return the answers of all filters at every fourth place: (n, filters, places, places).

    A product of spectra is a convolution; keeping every fourth place of it in each direction is
    adding up the 4 × 4 parts of the spectrum that then coincide (aliasing), before a 16 times
    smaller inverse transform.
    """
    around = [(_BEFORE, whole - side - _BEFORE) for side, whole in zip(SIZE, _PADDED, strict=True)]
    padded = np.pad(pictures, ((0, 0), *around), mode="edge")
    folded = _parts(np.fft.fft2(padded)) @ _filters()
    small = folded.transpose(1, 2, 0).reshape(-1, SCALES * DIRECTIONS, *_FOLDED)
    (height, width), first = PLACES, _BEFORE // EVERY
    return np.fft.ifft2(small)[..., first : first + height, first : first + width]


def place_edges(side: int, axis: int) -> Doubles:
    """Return the edges between places along a side of a picture, in its pixels: (places + 1,).

    ``axis``: 0 down, 1 across. A place takes what is nearer to it than to any other.
    """
    middles = np.arange(PLACES[axis]) * EVERY + 0.5
    inner = (middles[1:] + middles[:-1]) / 2
    return np.concatenate([[0.0], inner, [SIZE[axis]]]) * side / SIZE[axis]


def resized(pictures: Floats, size: tuple[int, int]) -> Floats:
    """Return pictures (n, h, w) in another size: each pixel the mean of the area that it covers."""
    down, across = (_shares(old, new) for old, new in zip(pictures.shape[1:], size, strict=True))
    return np.matmul(np.matmul(down, pictures), across.T, dtype=np.float32)


@cache
def _shares(old: int, new: int) -> Floats:
    """Return the share (new, old) of each old pixel, along a side, in each new one."""
    edges = np.arange(new + 1) * (old / new)
    pixels = np.arange(old)
    ends = np.minimum(edges[1:, None], pixels + 1)
    overlap = np.maximum(ends - np.maximum(edges[:-1, None], pixels), 0)
    return (overlap * new / old).astype(np.float32)


def _parts(spectra: Waves) -> Waves:
    """Return spectra (m, h, w) as their parts that coincide: (frequencies, m, 16)."""
    height, width = _FOLDED
    parts = spectra.reshape(-1, EVERY, height, EVERY, width).transpose(2, 4, 0, 1, 3)
    return parts.reshape(height * width, len(spectra), EVERY**2)


@cache
def _filters() -> Waves:
    """Return the spectra of all filters in their parts: (frequencies, 16, filters)."""
    placed = np.zeros((SCALES * DIRECTIONS, *_PADDED), complex)
    around: Doubles = np.arange(-_REACH, _REACH + 1.0)
    down, across = around[:, None], around
    places = around.astype(np.intp)
    for number in range(SCALES * DIRECTIONS):
        scale, direction = divmod(number, DIRECTIONS)
        wave_number, angle = math.pi / 2 / math.sqrt(2) ** scale, direction * math.pi / DIRECTIONS
        ratio = wave_number**2 / _SIGMA**2
        hill = ratio * np.exp(-ratio * (down**2 + across**2) / 2)
        phase = wave_number * (across * math.cos(angle) + down * math.sin(angle))
        wave = np.exp(1j * phase)
        answered = (hill * wave).sum() / hill.sum()  # to plain grey
        placed[number, places[:, None], places] = hill * (wave - answered)
    parts = _parts(np.fft.fft2(placed)) / EVERY**2
    return np.ascontiguousarray(parts.transpose(0, 2, 1), np.complex64)
