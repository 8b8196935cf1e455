"""Pictures of components and of the mean face, with one scale for all components."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtGui import QImage

from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from gui.style.images import grey_image, signed_image

_TIMES_RMS = 3.0


def component_limit(space: FaceSpace) -> float:
    """Return the value drawn in full colour: three times the root mean square of a component.

    A component has unit length, so that is 3 / √d for every one of them: a common scale.
    """
    return _TIMES_RMS / math.sqrt(space.mean.size)


def component_image(space: FaceSpace, component: int, signed: bool) -> QImage:
    """Return one component as an image: red is brighter than the mean, blue darker; or in grey."""
    values = space.components[component].reshape(space.shape)
    limit = component_limit(space)
    return signed_image(values, limit) if signed else grey_image(0.5 + values / (2 * limit))


def to_grey(pixels: Floats, space: FaceSpace) -> Floats:
    """Return pixels of the face space as a grey picture (h, w), 0…1."""
    return np.clip(pixels, 0, 1).reshape(space.shape)


def along(space: FaceSpace, component: int, deviations: float) -> Floats:
    """Return the face (h, w) at so many standard deviations from the mean along one component."""
    scores = np.zeros(len(space), np.float32)
    scores[component] = deviations * math.sqrt(space.variances[component])
    return to_grey(space.reconstruct(scores), space)


def share_text(share: float) -> str:
    """Return a share of the variance as a short text.

    >>> share_text(0.174), share_text(0.0004), share_text(0.0)
    ('17.4 %', '<0.1 %', '0 %')
    """
    if share <= 0:
        return "0 %"
    return f"{100 * share:.1f} %" if share >= 0.0005 else "<0.1 %"
