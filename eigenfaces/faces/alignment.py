"""The standard crop that two eyes define, and how the eyes are found.

As complex numbers in photo pixels, *a* is the middle between the eyes and *b* the vector from the
left to the right one. A point *u* of the standard face, in eye distances, lies at a + b·u. A crop
is the photograph sampled at the points of the standard face; alignment finds *a* and *b*.

Alignment is cascaded linear regression (X. Xiong and F. De la Torre, *Supervised descent
method and its applications to face alignment*, 2013): three regressors from the features of a crop
to its position error, each trained on smaller errors. Where a face is lit from the side, a fourth
takes the place of the last. ``assets/faces.npz`` holds them.
"""

from __future__ import annotations

import cmath
import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

EYE_ROW = 42 / 112
"""Height of the eyes in every crop, as a share of its height."""

EYE_DISTANCE = 40 / 96
"""Distance of the eyes in every crop, as a share of its width."""

LOOK = (84, 72)
"""(h, w) of the crop that the regressors use."""

CELLS = (14, 12)
"""Rows and columns of the histograms in it …"""

BINS = 8
"""… and the directions in each, the first to the right, then clockwise."""

FEATURES = CELLS[0] * CELLS[1] * BINS + 1

FROM_THE_SIDE = 0.4
"""Logarithm of how much brighter one half of a face is than the other, if it is lit from there."""

_ORDER = (0, 1, 2, 2, 2)
"""Which regressor is applied when …"""

_LAST, _SIDE_LIT = 2, 3
"""… and which one instead of the last, where light comes from the side."""


def crop_at(grey: Floats, eyes: Eyes, shape: tuple[int, int]) -> Floats:
    """Return the standard crop (h, w) of a grey photograph (H, W), its eyes at fixed places.

    The eyes are at 28/96 and 68/96 of the width and 42/112 of the height. Outside the
    photograph its border is repeated. A larger photograph is first reduced by a Lanczos filter.
    """
    return _sampled(grey, eyes.middle, eyes.across, shape, Image.Resampling.BICUBIC)


def standard_points(eyes: Eyes, shape: tuple[int, int]) -> NDArray[np.complex128]:
    """Return the positions of a crop's pixel centres in the photograph, (h, w), as x + iy."""
    height, width = shape
    across = eyes.across / (EYE_DISTANCE * width)
    rows, columns = np.mgrid[:height, :width] + 0.5
    return eyes.middle + across * (columns - width / 2 + 1j * (rows - EYE_ROW * height))


def standard_eyes(shape: tuple[int, ...]) -> Eyes:
    """Return where the eyes lie in a crop of (h, w)."""
    height, width = shape
    return Eyes.at(complex(width / 2, EYE_ROW * height), complex(EYE_DISTANCE * width))


def _sampled(
    grey: Floats, a: complex, b: complex, shape: tuple[int, int], filter_: Image.Resampling
) -> Floats:
    height, width = shape
    across = b / (
        EYE_DISTANCE * width
    )  # the step in the photograph from one crop pixel to the next
    origin = a - across * complex(width / 2, EYE_ROW * height)
    corners = origin + across * np.array([0, width, 1j * height, width + 1j * height])
    step = abs(across)
    part, corner = _part(grey, corners, 2 * max(step, 1) + 1)
    image = Image.fromarray(part)
    shrunk_x = shrunk_y = 1.0
    if step > 1:
        small = max(1, round(image.width / step)), max(1, round(image.height / step))
        shrunk_x, shrunk_y = image.width / small[0], image.height / small[1]
        image = image.resize(small, Image.Resampling.LANCZOS, reducing_gap=2.0)
    place = origin - corner
    to_photo = (
        *(across.real / shrunk_x, -across.imag / shrunk_x, place.real / shrunk_x),
        *(across.imag / shrunk_y, across.real / shrunk_y, place.imag / shrunk_y),
    )
    return np.asarray(image.transform((width, height), Image.Transform.AFFINE, to_photo, filter_))


def _part(grey: Floats, points: NDArray[np.complex128], margin: float) -> tuple[Floats, complex]:
    """Return the rectangle around some points, its border repeated, and its top left corner."""
    left, top = math.floor(points.real.min() - margin), math.floor(points.imag.min() - margin)
    right, bottom = math.ceil(points.real.max() + margin), math.ceil(points.imag.max() + margin)
    rows, columns = _inside(top, bottom, grey.shape[0]), _inside(left, right, grey.shape[1])
    outside = (
        (max(rows.start - top, 0), max(bottom - rows.stop, 0)),
        (max(columns.start - left, 0), max(right - columns.stop, 0)),
    )
    part = np.pad(grey[rows, columns], outside, mode="edge")
    return np.ascontiguousarray(part, np.float32), complex(left, top)


def _inside(start: int, stop: int, size: int) -> slice:
    """Return the part of a range inside 0…size; if there is none, the nearest border."""
    first = min(max(start, 0), size - 1)
    return slice(first, max(first + 1, min(stop, size)))


def features(crop: Floats) -> Floats:
    """Return the gradient features (`FEATURES`,) of a crop (84, 72), the last always 1.

    Histograms of 8 gradient directions over 14 × 12 cells. A gradient counts by its length, shared
    between the two nearest directions and the four nearest cells. Each histogram is divided by its
    own norm plus half the root mean square norm of all.
    """
    x, y = np.zeros((2, crop.size), np.float32).reshape(2, *crop.shape)
    y[1:-1] = crop[2:] - crop[:-2]
    x[:, 1:-1] = crop[:, 2:] - crop[:, :-2]
    lengths = np.sqrt(x * x + y * y).ravel()
    directions = (np.arctan2(y, x) * np.float32(BINS / math.tau)).ravel()
    lower = np.floor(directions)
    upper_share = (directions - lower) * lengths
    place = lower.astype(np.intp) % BINS
    shares = np.zeros((BINS, crop.size), np.float32)
    shares[place, _PIXELS] = lengths - upper_share
    shares[(place + 1) % BINS, _PIXELS] = upper_share
    histograms = _ROWS @ (shares.reshape(BINS, *crop.shape) @ _COLUMNS.T)
    histograms = histograms.transpose(1, 2, 0)
    norms = np.linalg.norm(histograms, axis=2, keepdims=True)
    histograms = histograms / (norms + 0.5 * math.sqrt((norms**2).mean()) + 1e-6)
    return np.append(histograms.ravel(), 1).astype(np.float32)


def _cell_weights(cells: int, size: int) -> Floats:
    """Return how much each of the pixels counts in each of the cells, (cells, size)."""
    middles = (np.arange(cells) + 0.5) * size / cells
    away = np.abs(np.arange(size) + 0.5 - middles[:, None]) * cells / size
    return np.clip(1 - away, 0, None).astype(np.float32)


_ROWS, _COLUMNS = (_cell_weights(*each) for each in zip(CELLS, LOOK, strict=True))
_PIXELS = np.arange(LOOK[0] * LOOK[1])


def rooted(seen: Floats) -> Floats:
    """Return the square roots of `features`: those that a bright part outshines count for more."""
    return np.sqrt(np.maximum(seen, 0))


def lit_from_the_side(crop: Floats) -> bool:
    """Return whether one half of the face in a crop (84, 72) is far brighter than the other."""
    halves = crop[25:65, 18:54].reshape(40, 2, 18).mean(axis=(0, 2))
    left, right = (np.maximum(halves, 0) + 0.005).tolist()
    return abs(math.log(right / left)) > FROM_THE_SIDE


def look_at(grey: Floats, eyes: Eyes) -> Floats:
    """Return the crop (84, 72) of the face with these eyes, for `features`."""
    return _sampled(grey, eyes.middle, eyes.across, LOOK, Image.Resampling.BILINEAR)


def moved(eyes: Eyes, step: NDArray[np.floating]) -> Eyes:
    """Return eyes after a step: right and down in eye distances, growth (log), turn (radians)."""
    right, down, growth, turn = step.tolist()
    b = eyes.across
    return Eyes.at(eyes.middle + b * complex(right, down), b * cmath.exp(complex(growth, turn)))


def align(grey: Floats, start: Eyes, regressors: Floats) -> Eyes:
    """Return the exact positions of eyes that a detector has found.

    Parameters
    ----------
    grey
        (H, W) photograph.
    start
        Approximate eyes: within a third of their distance, a quarter in size, and 23°.
    regressors
        (4, `FEATURES`, 4): from the features of a crop to the step that is `moved` by; the last
        of them from `rooted` features, of a face that is `lit_from_the_side`.
    """
    eyes = start
    for stage in _ORDER:
        crop = look_at(grey, eyes)
        if stage == _LAST and lit_from_the_side(crop):
            step = rooted(features(crop)) @ regressors[_SIDE_LIT]
        else:
            step = features(crop) @ regressors[stage]
        eyes = moved(eyes, step)
    return eyes
