"""Lighting correction of face crops, and a window against the background.

Every method returns pictures of about the same brightness as the crops, mid-grey where there is no
information, so that means, components and reconstructions are still visible pictures. A constant
added to every face does not change the face space, and a common factor does not change any order.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from eigenfaces.faces.prepare import tan_triggs
from eigenfaces.space.arrays import Floats
from eigenfaces.text import OneOf

Lighting = Literal["none", "photo mean", "mean and variance", "equalised", "CLAHE", "Tan–Triggs"]
Window = Literal["none", "oval", "Gaussian"]

LIGHTING = OneOf(
    name="lighting",
    label="Lighting",
    about="Light evened out in each face",
    choices={
        "none": "x: each face as it was photographed.",
        "photo mean": "x − mean of the photo + ½: takes out how bright a photo is as a whole.",
        "mean and variance": "0.2 (x − mean) / deviation + ½: takes out brightness and contrast.",
        "equalised": "Grey values spread evenly: only their order is left.",
        "CLAHE": "Spread evenly region by region, contrast limited: regions of a quarter of the "
        "height and width, in which at most 1 % of the pixels count for any of 256 grey values, so "
        "that noise is not blown up (Zuiderveld).",
        "Tan–Triggs": "Difference of Gaussians of x^0.2, contrast made even: σ = 1 and 2, α = 0.1 "
        "and τ = 10, shown as ½ + x / 20. Keeps edges, against light from one side (Tan and "
        "Triggs).",
    },
)
WINDOW_FIELD = OneOf(
    name="window",
    label="Window against the background",
    about="Keeps the background out",
    choices={
        "none": "x: all of the crop is compared, hair and background included.",
        "oval": "(x − ½) w + ½; w is 0 outside an oval: the face stays whole, the corners fade to "
        "mid-grey.",
        "Gaussian": "(x − ½) w + ½; w halves a third of the height away: from 1 in the middle.",
    },
)

_GREY = np.float32(0.5)
_FLAT = 1 / 255  # a face whose grey values lie no further apart shows nothing
_SPREAD = 0.2  # grey that one standard deviation becomes


def even_light(faces: Floats, lighting: Lighting) -> Floats:
    """Return crops (n, h, w), grey 0…1, with corrected lighting, each crop separately.

    By the formulas of `LIGHTING`. Sources: K. Zuiderveld, *Contrast limited adaptive histogram
    equalization*, 1994; X. Tan and B. Triggs, *Enhanced local texture feature sets*, 2010.
    """
    if lighting == "none":
        return faces
    if lighting in ("photo mean", "mean and variance"):
        centred = faces - faces.mean(axis=(1, 2), keepdims=True, dtype=np.float64)
        if lighting == "mean and variance":
            spread = centred.std(axis=(1, 2), keepdims=True)
            centred *= _SPREAD / np.maximum(spread, _FLAT)
        return (centred + _GREY).astype(np.float32)
    if lighting == "Tan–Triggs":
        return (tan_triggs(faces) / 20 + _GREY).astype(np.float32)
    from skimage.exposure import equalize_adapthist, equalize_hist

    if lighting == "equalised":
        return np.array([equalize_hist(face) for face in faces], np.float32).reshape(faces.shape)
    region = [max(1, side // 4) for side in faces.shape[1:]]
    even = [
        equalize_adapthist(face, region, clip_limit=0.01, nbins=256)
        if np.ptp(face) > _FLAT
        else face  # nothing to equalise but rounding errors
        for face in faces
    ]
    return np.array(even, np.float32).reshape(faces.shape)


def through_window(faces: Floats, window: Window) -> Floats:
    """Return crops (n, h, w) that fade to mid-grey away from the face, (x − ½) · weight + ½.

    ``Gaussian`` is Turk and Pentland's remedy against the background: 1 in the middle of the face,
    half of it a third of the height away. ``oval`` keeps the face whole and cuts the corners off.
    """
    if window == "none":
        return faces
    return (faces - _GREY) * window_weights(faces.shape[1:], window) + _GREY


def window_weights(shape: tuple[int, ...], window: Window) -> Floats:
    """Return the weights (h, w), 0…1, of a window for the pixels of a crop."""
    height, width = shape
    rows, columns = np.mgrid[:height, :width] + 0.5
    down, across = rows / height - 0.52, columns / width - 0.5
    if window == "none":
        return np.ones((height, width), np.float32)
    if window == "oval":
        inside = (down / 0.52) ** 2 + (across / 0.48) ** 2
        return np.clip((1.15 - inside) / 0.3, 0, 1).astype(np.float32)
    squared = down**2 + (across * width / height) ** 2
    return (0.5 ** (squared * 9)).astype(np.float32)
