"""A sum as a map over the face: which part of it lies where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.space.arrays import Doubles


@dataclass(frozen=True, eq=False)
class SumOverFace:
    """How a sum is made up of the pixels of a face.

    Parameters
    ----------
    name
        What is added up.
    over
        (h, w) what each pixel adds.
    """

    name: str
    over: Doubles

    def __post_init__(self) -> None:
        self.over.setflags(write=False)

    @classmethod
    def spread(
        cls, name: str, cells: Doubles, edges: tuple[Doubles, Doubles], shape: tuple[int, int]
    ) -> SumOverFace:
        """Return cells (a, b) spread evenly over the pixels that they cover.

        ``edges``: (a + 1,) down and (b + 1,) across, in pixels of (h, w).

        >>> edges = np.array([0.0, 1.5, 3.0])
        >>> made = SumOverFace.spread("cells", np.array([[4.5, 0], [0, 9]]), (edges, edges), (3, 3))
        >>> made.over.round(6).tolist()
        [[2.0, 1.0, 0.0], [1.0, 1.5, 2.0], [0.0, 2.0, 4.0]]
        """
        down, across = (_shares(each, side) for each, side in zip(edges, shape, strict=True))
        return cls(name, down @ cells @ across.T)

    @property
    def total(self) -> float:
        """The sum."""
        return float(self.over.sum())

    @property
    def thirds(self) -> tuple[float, float, float]:
        """What the upper, the middle and the lower third of the face add."""
        upper, middle, lower = (part.sum() for part in np.array_split(self.over, 3))
        return float(upper), float(middle), float(lower)


def _shares(edges: Doubles, side: int) -> Doubles:
    """Return the share (side, cells) of each cell that lies in each pixel."""
    pixels = np.arange(side)[:, None]
    overlap = np.minimum(edges[1:], pixels + 1) - np.maximum(edges[:-1], pixels)
    shares: Doubles = np.maximum(overlap, 0) / np.diff(edges)
    return shares
