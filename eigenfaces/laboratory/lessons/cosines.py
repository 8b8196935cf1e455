"""The cosine transform (DCT-II) as a matrix: waves of length 1 at right angles to each other."""

from __future__ import annotations

import numpy as np

from eigenfaces.arrays import Doubles


def waves(size: int) -> Doubles:
    """Return the cosines (size, size): row f has f half-waves.

    >>> waves(2).round(3)
    array([[ 0.707,  0.707],
           [ 0.707, -0.707]])
    """
    place = np.arange(size)
    found = np.sqrt(2 / size) * np.cos(np.pi * np.outer(place, place + 0.5) / size)
    found[0] = np.sqrt(1 / size)
    return found


def cosines(pictures: Doubles) -> Doubles:
    """Return the coefficients (…, h, w) of pictures (…, h, w): half-waves down and across."""
    h, w = pictures.shape[-2:]
    return waves(h) @ pictures @ waves(w).T


def from_cosines(coefficients: Doubles) -> Doubles:
    """Return the pictures (…, h, w) of coefficients (…, h, w)."""
    h, w = coefficients.shape[-2:]
    return waves(h).T @ coefficients @ waves(w)
