"""Three-dimensional view, without perspective, that the user turns with the pointer."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF

from eigenfaces.lessons.drawing import FIRST_VIEW
from eigenfaces.space.arrays import Doubles

_PER_PIXEL = math.radians(0.5)


def _about_x(angle: float) -> Doubles:
    """Return the rotation (3, 3) about the horizontal axis that brings upper points nearer."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])


def _about_y(angle: float) -> Doubles:
    """Return the rotation (3, 3) about the vertical axis that moves near points to the right."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])


class Turning:
    """Direction from which points in space are viewed.

    The rows of ``rotation`` (3, 3) are the directions in space that point right and up on the
    screen, and towards the viewer.
    """

    def __init__(self) -> None:
        self.rotation = FIRST_VIEW

    def turn(self, by: QPointF) -> None:
        """Turn the view by a pointer movement in pixels; near points move with the pointer."""
        turned = _about_x(_PER_PIXEL * by.y()) @ _about_y(_PER_PIXEL * by.x()) @ self.rotation
        # Rounding errors must not add up: the rotation nearest to U Σ Vᵀ is U Vᵀ.
        u, _, vt = np.linalg.svd(turned)
        self.rotation = u @ vt

    def seen(self, points: Doubles) -> Doubles:
        """Return points (n, 3) in view coordinates (n, 3): right, up and towards the viewer."""
        return points @ self.rotation.T
