"""Gabor magnitudes of faces: how strong a wave of each length and direction is around each place.

A filter is a plane wave under a Gaussian, ψ(z) = k² / σ² · exp(−k² z² / 2σ²) · exp(i k·z), here
without what it answers to plain grey. Its wave number is (π/2) / √2^ν, ν = 0 … 4, its direction
μπ/8, μ = 0 … 7, and σ = 2π (M. Lades and others, *Distortion invariant object recognition in the
dynamic link architecture*, 1993; C. Liu and H. Wechsler, *Gabor feature based classification using
the enhanced Fisher linear discriminant model*, 2002).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from eigenfaces.space.arrays import Doubles, Floats

SIZE = 56, 46
"""(h, w) of the pictures that are filtered."""

EVERY = 4
"""Of so many places in each direction the filters answer at the first."""

SCALES, DIRECTIONS = 5, 8
PLACES = tuple(-(-side // EVERY) for side in SIZE)
LENGTH = SCALES * DIRECTIONS * PLACES[0] * PLACES[1]
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
    """Return the magnitudes of pictures (n, h, w) of any size: (n, `LENGTH`), of unit length.

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
    rows = answers.reshape(len(answers), LENGTH)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths, 1e-9)).astype(np.float32)


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


def _answers(pictures: Floats) -> Waves:
    """Return the answers of all filters at every fourth place: (n, filters, places, places).

    A product of spectra is a convolution; keeping every fourth place of it in each direction is
    adding up the 4 × 4 parts of the spectrum that then coincide (aliasing), before a 16 times
    smaller inverse transform.
    """
    height, width = PLACES
    first = _BEFORE // EVERY
    folded = _parts(np.fft.fft2(_padded(pictures))) @ _filters()
    small = folded.transpose(1, 2, 0).reshape(-1, SCALES * DIRECTIONS, *_FOLDED)
    return np.fft.ifft2(small)[..., first : first + height, first : first + width]


def _padded(pictures: Floats) -> Floats:
    """Return pictures with their border replicated to `_PADDED`."""
    around = [(_BEFORE, whole - side - _BEFORE) for side, whole in zip(SIZE, _PADDED, strict=True)]
    return np.pad(pictures, ((0, 0), *around), mode="edge")


def _parts(spectra: Waves) -> Waves:
    """Return spectra (m, h, w) as their parts that coincide: (frequencies, m, 16)."""
    height, width = _FOLDED
    parts = spectra.reshape(-1, EVERY, height, EVERY, width).transpose(2, 4, 0, 1, 3)
    return parts.reshape(height * width, len(spectra), EVERY**2)


@cache
def _filters() -> Waves:
    """Return the spectra of all filters in their parts: (frequencies, 16, filters)."""
    placed = np.zeros((SCALES * DIRECTIONS, *_PADDED), complex)
    around = np.arange(-_REACH, _REACH + 1)
    placed[:, around[:, None], around] = [
        _filter(math.pi / 2 / math.sqrt(2) ** scale, direction * math.pi / DIRECTIONS)
        for scale in range(SCALES)
        for direction in range(DIRECTIONS)
    ]
    parts = _parts(np.fft.fft2(placed)) / EVERY**2
    return np.ascontiguousarray(parts.transpose(0, 2, 1), np.complex64)


def _filter(wave_number: float, direction: float) -> NDArray[np.complex128]:
    """Return one filter, (2 `_REACH` + 1) in each direction, that answers 0 to plain grey."""
    around: Doubles = np.arange(-_REACH, _REACH + 1.0)
    down, across = around[:, None], around
    ratio = wave_number**2 / _SIGMA**2
    hill = ratio * np.exp(-ratio * (down**2 + across**2) / 2)
    phase = wave_number * (across * math.cos(direction) + down * math.sin(direction))
    wave = np.exp(1j * phase)
    return hill * (wave - (hill * wave).sum() / hill.sum())
