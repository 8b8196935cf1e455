"""Lighting correction for face crops, and windows that hide the background.

Every method returns pictures about as bright as the crops, with mid-grey where there is no
information, so that means, components and reconstructions can still be shown as pictures. This is
harmless, because adding a constant to every face does not change the face space, and multiplying
every face by a common factor does not change any ranking.
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
    about="How the lighting of each face is corrected",
    choices={
        "none": "x: each face as it was photographed.",
        "photo mean": "x − mean of the photo + ½: removes the overall brightness of each photo.",
        "mean and variance": "0.2 (x − mean) / deviation + ½: removes brightness and contrast.",
        "equalised": "Grey values spread evenly: only their order is kept.",
        "CLAHE": "Grey values spread evenly in each region, with limited contrast. A region is a "
        "quarter of the height and width, and at most 1 % of its pixels count for any of 256 "
        "grey values, so that noise is not amplified (Zuiderveld).",
        "Tan–Triggs": "Difference of Gaussians of x^0.2 with even contrast: σ = 1 and 2, α = 0.1 "
        "and τ = 10, shown as ½ + x / 20. Keeps edges, and helps against light from one side (Tan "
        "and Triggs).",
    },
)
WINDOW_FIELD = OneOf(
    name="window",
    label="Window that hides the background",
    about="How the background is hidden",
    choices={
        "none": "x: the whole crop is compared, with hair and background.",
        "oval": "(x − ½) w + ½; w is 0 outside an oval: the face stays whole, the corners fade to "
        "mid-grey.",
        "Gaussian": "(x − ½) w + ½; w is 1 in the middle and ½ at a third of the height from it.",
    },
)

_GREY = np.float32(0.5)
_FLAT = 1 / 255  # a face whose grey values differ by no more than this shows nothing
_SPREAD = 0.2  # the standard deviation of a corrected face


def even_light(faces: Floats, lighting: Lighting) -> Floats:
    """Return grey crops (n, h, w) in 0…1, with the lighting of each crop corrected.

    The formulas are in `LIGHTING`. Sources: K. Zuiderveld, *Contrast limited adaptive histogram
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
        else face  # there are only rounding errors to equalise
        for face in faces
    ]
    return np.array(even, np.float32).reshape(faces.shape)


def through_window(faces: Floats, window: Window) -> Floats:
    """Return crops (n, h, w) faded to mid-grey around the face: (x − ½) · weight + ½.

    ``Gaussian`` suppresses the background as Turk and Pentland did: the weight is 1 in the middle
    of the face, and ½ at a distance of a third of the height. ``oval`` keeps the face and removes
    the corners.
    """
    if window == "none":
        return faces
    return (faces - _GREY) * window_weights(faces.shape[1:], window) + _GREY


def window_weights(shape: tuple[int, ...], window: Window) -> Floats:
    """Return the weights (h, w), between 0 and 1, that a window gives to the pixels of a crop."""
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
