"""Points in space, seen from a side that the pointer turns; without perspective."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF

from eigenfaces.lessons.drawing import FIRST_VIEW
from eigenfaces.space.arrays import Doubles

_PER_PIXEL = math.radians(0.5)


def _about_x(angle: float) -> Doubles:
    """Return the rotation (3, 3) by which what is above comes nearer."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])


def _about_y(angle: float) -> Doubles:
    """Return the rotation (3, 3) by which what is near goes to the right."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])


class Turning:
    """From which side points in space are looked at.

    The rows of ``rotation`` (3, 3) are the directions in space that lie across on the screen, up,
    and towards whoever looks.
    """

    def __init__(self) -> None:
        self.rotation = FIRST_VIEW

    def turn(self, by: QPointF) -> None:
        """Turn by a way of the pointer, in pixels: what is near goes with it."""
        turned = _about_x(_PER_PIXEL * by.y()) @ _about_y(_PER_PIXEL * by.x()) @ self.rotation
        # Rounding must not add up: the nearest rotation, from U Σ Vᵀ, is U Vᵀ.
        u, _, vt = np.linalg.svd(turned)
        self.rotation = u @ vt

    def seen(self, points: Doubles) -> Doubles:
        """Return where points (n, 3) are seen: across, up, and how near (n, 3)."""
        return points @ self.rotation.T
