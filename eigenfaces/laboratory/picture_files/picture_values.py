"""Arrays of numbers as pictures: their shape, and where black and white lie."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.image_set import MOST_VALUES
from eigenfaces.space.arrays import Floats

_LARGEST = 1_000_000
"""Values of one picture, at most: larger ones have to be made smaller."""

_SHAPES = "(n, height, width), (n, height, width, 3) in colour, or (n, pixels) of squares in grey"


def picture_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of each picture in an array of n; `EigenfacesError` if that is not clear.

    >>> picture_shape((1797, 64)), picture_shape((60, 28, 28)), picture_shape((9, 32, 32, 3))
    ((8, 8), (28, 28), (32, 32, 3))
    """
    if len(shape) == 2 and isqrt(shape[1]) ** 2 == shape[1] > 0:
        return (isqrt(shape[1]), isqrt(shape[1]))
    if len(shape) == 4 and shape[3] == 1:
        shape = shape[:3]
    if 0 in shape or len(shape) not in (3, 4) or shape[3:] not in ((), (3,)):
        words = " × ".join(f"{side:,}" for side in shape) or "one number"
        raise EigenfacesError(
            f"An array of {words} holds no pictures that can be read here: save it as {_SHAPES}."
        )
    return shape[1:]


def most_pictures(values: int) -> int:
    """Return how many pictures of so many values each may be held at once."""
    if values > _LARGEST:
        raise EigenfacesError(
            f"The pictures are too large: {values:,} values each, and at most {_LARGEST:,} are "
            "read. Make them smaller."
        )
    return MOST_VALUES // values


def white_of(numbers: NDArray[Any]) -> float:
    """Return the value of white: 255 of bytes, 1 where none is greater, else the largest.

    >>> white_of(np.array([0.0, 0.5])), white_of(np.array([0, 16])), white_of(np.uint8([7]))
    (1.0, 16.0, 255.0)
    """
    if numbers.dtype.kind not in "biuf":
        raise EigenfacesError("The pictures hold no numbers: save their grey values or colours.")
    if numbers.dtype == np.uint8:
        return 255.0
    least, most = float(numbers.min(initial=0)), float(numbers.max(initial=0))
    if not np.isfinite(least + most):
        raise EigenfacesError("Some pictures hold values that are not numbers: mend them.")
    if least < 0:
        raise EigenfacesError(
            f"The pictures hold values from {least:.4g} to {most:.4g}: grey values and colours go "
            "from 0, black, to 1, 255 or another white."
        )
    return max(1.0, most)


def as_pixels(numbers: NDArray[Any], white: float) -> Floats:
    """Return pictures (n, …) as rows (n, d) of 0…1."""
    rows = numbers.reshape(len(numbers), -1)
    return np.divide(rows, white, dtype=np.float32, casting="unsafe")
