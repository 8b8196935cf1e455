"""Points in a plane: the neighbour in a direction, those with room, turned.

The first number of a point goes to the right, the second upwards, the third towards the viewer.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from eigenfaces.space.arrays import Doubles, Flags, Numbers

Direction = Literal["left", "right", "up", "down"]

_WAYS: dict[Direction, tuple[int, int]] = {
    "right": (0, 1),
    "left": (0, -1),
    "up": (1, 1),
    "down": (1, -1),
}
"""Of each direction: which number of a point changes, and its sign."""


def neighbour(points: Doubles, row: int, direction: Direction) -> int | None:
    """Return which of the points (n, 2) is nearest to one of them in a direction; None: none is.

    That is in the quarter of the plane around the direction, its edges included. Of points at one
    place, later ones lie to the right, so that each can be reached.

    >>> points = np.array([[0.0, 0.0], [3.0, 1.0], [1.0, 2.0], [-1.0, 0.5]])
    >>> neighbour(points, 0, "right"), neighbour(points, 0, "up"), neighbour(points, 0, "down")
    (1, 2, None)
    """
    axis, sign = _WAYS[direction]
    away = points - points[row]
    along, beside = sign * away[:, axis], np.abs(away[:, 1 - axis])
    there = (along > 0) & (beside <= along)
    if axis == 0:
        there |= (away == 0).all(axis=1) & (sign * (np.arange(len(points)) - row) > 0)
    rows = np.flatnonzero(there)
    if not rows.size:
        return None
    far = (away[rows] ** 2).sum(axis=1)
    nearest = rows[far == far.min()]
    return int(nearest[np.abs(nearest - row).argmin()])


def with_room(points: Doubles, width: float, height: float) -> Flags:
    """Return which of the points (n, 2) are shown if each cell of a grid has room for one: (n,).

    The last of a cell is.
    """
    cells = np.floor(points / (width, height)).astype(np.int64)
    cells -= cells.min(axis=0, initial=0)
    numbers = cells[:, 0] * (cells[:, 1].max(initial=0) + 1) + cells[:, 1]
    last = np.full(numbers.max(initial=-1) + 1, -1)
    last[numbers] = np.arange(len(points))  # of several in one cell, the last stays
    shown = np.zeros(len(points), bool)
    shown[last[last >= 0]] = True
    return shown


def turned(points: Doubles, yaw: float, pitch: float) -> Doubles:
    """Return points (n, 3) turned about the axis upwards, then about the one across; radians.

    >>> turned(np.array([[1.0, 0.0, 0.0]]), np.pi / 2, 0.0).round(9).tolist()
    [[0.0, 0.0, -1.0]]
    """
    about_up = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    about_across = np.array(
        [[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]]
    )
    return points @ (about_across @ about_up).T


def nearest(distances: Doubles, count: int, without: int | None = None) -> Numbers:
    """Return the rows of the smallest of n distances, nearest first; ``without`` is not among them.

    At equal distances, earlier rows come first.
    """
    if len(distances) > count + 1:  # those that can be among them
        near = np.flatnonzero(distances <= np.partition(distances, count)[count])
    else:
        near = np.arange(len(distances))
    order = near[np.argsort(distances[near], kind="stable")]
    return order[order != (-1 if without is None else without)][:count]
