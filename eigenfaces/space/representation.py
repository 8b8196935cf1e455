"""What faces are compared in: a space fitted to features, with coordinates along some axes.

`FaceSpace` is one. Another is another class with these names, made by its own ``fit``; whoever
compares asks for no more than this, and whoever shows pictures asks for a face space.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from eigenfaces.space.arrays import Doubles, Floats

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


Smoothing = float | str
"""ε itself, as a variance, or “10%”: a share of the mean variance of the components kept."""


def epsilon(smoothing: Smoothing, variances: Doubles) -> float:
    """Return the ε that a smoothing comes to.

    ``variances``: (k,) λ of the components kept, of which a share is taken.

    >>> import numpy as np
    >>> epsilon(0.5, np.array([3.0, 1.0])), epsilon("10%", np.array([3.0, 1.0]))
    (0.5, 0.2)
    """
    if not isinstance(smoothing, str):
        return smoothing
    return percentage(smoothing) / 100 * float(variances.mean()) if len(variances) else 0.0


def deviations(smoothing: Smoothing, variances: Doubles) -> Doubles:
    """Return √(λ + ε), (k,), by which whitening divides the k coordinates kept."""
    return np.sqrt(variances + epsilon(smoothing, variances))


def percentage(smoothing: str) -> float:
    """Return the per cent in a smoothing that is a share.

    >>> percentage("10%")
    10.0
    """
    return float(smoothing.rstrip("% "))
