"""What faces are compared in: a space fitted to features, with coordinates along some axes.

`FaceSpace` is one. Another is another class with these names, made by its own ``fit``; whoever
compares asks for no more than this, and whoever shows pictures asks for a face space.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Doubles, Floats

Coordinates = NDArray[np.floating]
"""(n, k), in single or double precision."""


class Axes(Protocol):
    """What a comparison has to know of k coordinates."""

    @property
    def variances(self) -> Doubles:
        """(k,) λ along each."""
        ...

    @property
    def kept(self) -> Doubles:
        """(k,) share of the variance that the first 1 … k of them keep."""
        ...


class Representation(Axes, Protocol):
    """Fitted to features, it turns features into coordinates."""

    @property
    def components(self) -> Floats | None:
        """(k, d) what turns coordinates back into pixels; None where nothing does."""
        ...

    def __len__(self) -> int:
        """k, the number of coordinates."""
        ...

    def project(self, features: Floats, /) -> Floats:
        """Return the coordinates (…, k) of features (…, d)."""
        ...

    def in_and_from(self, features: Floats, k: int, /) -> tuple[Floats, Doubles]:
        """Return the first k coordinates (m, k) of features (m, d), and what these leave out.

        That is their distance (m,) *from* the space of these coordinates.
        """
        ...

    def in_file(self) -> Representation:
        """Return the same, whose large arrays lie in a temporary file."""
        ...
