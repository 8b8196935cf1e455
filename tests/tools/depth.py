"""A generic depth model of the head, which turns frontal faces to the side and up or down.

Only the eyes determine its place. It cannot show parts that the photograph does not show: a cheek
that comes into view is stretched, and parts that the nose should hide are drawn over it. This does
not matter to a regressor that sees histograms of gradients.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

REACH = 3.2
"""Half the side of the turned picture, around the middle of the eyes, in eye distances."""

UNIT = 48
"""The number of pixels between the eyes before the head is turned."""

_ROUNDS = 8  # iterations to find the point of the photograph that each pixel shows


def depth(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far points are in front of the middle of the head, in eye distances.

    ``x`` and ``y`` point right and down from the middle of the eyes. The head is an ellipsoid with
    eye sockets and a nose. Beyond the cheeks it continues at the depth of the ears.
    """
    away = (x / 1.25) ** 2 + ((y - 0.35) / 1.9) ** 2
    head = 1.35 * np.sqrt(1 - np.minimum(away, 0.68))
    sockets = 0.1 * np.exp(-(((np.abs(x) - 0.5) / 0.26) ** 2) - (y / 0.2) ** 2)
    along = np.clip(y / 0.65, 0, 1) * np.clip((0.9 - y) / 0.25, 0, 1)
    return head - sockets + 0.42 * along * np.exp(-((x / 0.17) ** 2))


def shading(
    x: NDArray[np.float64], y: NDArray[np.float64], light: tuple[float, float, float]
) -> NDArray[np.float64]:
    """Return the brightness (rows, columns), 0 to 1, of a matt head under light from one direction.

    ``x`` (columns,) and ``y`` (rows,) are as for `depth`. The components of ``light`` point right,
    down and to the front.
    """
    down, right = np.gradient(depth(x, y[:, None]), y, x)
    facing = (light[2] - light[0] * right - light[1] * down) / np.sqrt(1 + right**2 + down**2)
    return np.clip(facing / np.linalg.norm(light), 0, 1)


def turned_in_depth(grey: Floats, eyes: Eyes, yaw: float, pitch: float) -> tuple[Floats, Eyes]:
    """Return a frontal face turned by two angles in radians, about 300 × 300, and its eyes."""
    turn = _rotation(yaw, pitch)
    size = round(2 * REACH * UNIT)
    rows, columns = np.mgrid[:size, :size] + 0.5
    seen = np.stack([columns, rows]) / UNIT - REACH
    back = np.linalg.inv(turn[:2, :2])
    point = np.einsum("ij,jhw->ihw", back, seen)
    for _ in range(_ROUNDS):
        shifted = seen - turn[:2, 2, None, None] * depth(*point)
        point = 0.5 * (point + np.einsum("ij,jhw->ihw", back, shifted))
    place = eyes.middle + eyes.across * (point[0] + 1j * point[1])
    image = map_coordinates(grey, [place.imag - 0.5, place.real - 0.5], order=1, mode="nearest")
    x = np.array([-0.5, 0.5])
    ends = turn[:2] @ np.stack([x, 0 * x, depth(x, 0 * x)])
    left, right = ((ends + REACH) * UNIT).T.tolist()
    return image.astype(np.float32), Eyes(tuple(left), tuple(right))


def _rotation(yaw: float, pitch: float) -> NDArray[np.float64]:
    about_y = [[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]]
    about_x = [[1, 0, 0], [0, np.cos(pitch), np.sin(pitch)], [0, -np.sin(pitch), np.cos(pitch)]]
    return np.array(about_x) @ np.array(about_y)
