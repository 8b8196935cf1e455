"""A matrix of mean-subtracted faces, given out in pieces; and the eigenvectors of its squares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.arrays.crops import Crops, as_grey
from eigenfaces.space.leading import eigenpairs

T = TypeVar("T")

COLUMNS_AT_ONCE = 2048
NUMBERS_AT_ONCE = 1 << 23
"""Numbers of some faces that are read at once, where rows are: 32 MB in single precision."""

TOLERANCE = 1e-6
"""Singular values below this share of the largest are rounding, not rank …"""

RESOLVED = 1e-3
"""… and below this share, squares in single precision do not tell them apart.

At 1.7e-3 (3000 faces made of the sample) components are orthonormal to 4e-5.
"""

NEGLIGIBLE = 1e-4
"""A pixel whose standard deviation is below this (grey 0…1) is constant, up to rounding."""

Factors = tuple[Doubles, Floats, Floats]
"""Singular values (k,), descending; components (k, d); and coordinates (n, k) along them."""


@dataclass(frozen=True, eq=False)
class Centred:
    """The matrix A = (X − mean) / scale, (n, d), given out in pieces, never whole."""

    pixels: Floats | Crops
    mean: Doubles
    scale: Doubles

    def over_columns(
        self, dtype: DTypeLike, tick: Tick = no_tick
    ) -> Iterator[tuple[slice, NDArray[np.floating]]]:
        """Yield some columns after others, and all faces in them: the next lie where they were."""
        crops = self._crops
        n, d = crops.shape
        room = np.empty((n, min(d, COLUMNS_AT_ONCE)), dtype)
        for start in range(0, d, COLUMNS_AT_ONCE):
            tick(start, d)
            here = slice(start, min(start + COLUMNS_AT_ONCE, d))
            made = room[:, : here.stop - start]
            pixels = crops.stored((slice(None), here))
            if pixels.dtype == np.uint8:
                pixels = as_grey(pixels, made if dtype == np.float32 else None)
            yield here, deviations(pixels, self.mean[here], self.scale[here], dtype, made)
        tick(d, d)

    def rows(self, start: int, stop: int, dtype: DTypeLike = np.float64) -> NDArray[np.floating]:
        """Return the faces start…stop."""
        return deviations(self.pixels[start:stop], self.mean, self.scale, dtype)

    def over_rows(
        self, work: Callable[[Floats], T], dtype: DTypeLike = np.float32, tick: Tick = no_tick
    ) -> Iterator[T]:
        """Yield what a function makes of some rows after others, wherever these are."""
        crops = self._crops
        n, at_once = len(crops), rows_at_once(crops.shape[1])
        turned = partial(_of_deviations, work, self.mean, self.scale, dtype)
        for done, made in enumerate(crops.over_rows(turned, at_once)):
            tick(min(n, done * at_once), n)
            yield made
        tick(n, n)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        n, d = self.pixels.shape
        return n, d

    @property
    def _crops(self) -> Crops:
        return self.pixels if isinstance(self.pixels, Crops) else Crops(self.pixels.view())

    def refuse_if_alike(self, total_variance: float) -> None:
        """Raise `EigenfacesError` where some values are no numbers, or all faces are the same."""
        if not np.isfinite(self.mean).all():
            raise EigenfacesError("Some faces hold values that are not numbers.")
        if total_variance < NEGLIGIBLE**2:
            raise EigenfacesError("All faces are the same, so there is nothing to tell apart.")


def rows_at_once(columns: int) -> int:
    """Return how many rows of so many columns are read at once."""
    return max(16, NUMBERS_AT_ONCE // max(1, columns))


def deviations(
    pixels: Floats,
    mean: Doubles,
    scale: Doubles,
    dtype: DTypeLike,
    room: NDArray[np.floating] | None = None,
) -> NDArray[np.floating]:
    """Return (X − mean) / scale of some faces, or of some of their pixels.

    Pixels that were made for this are overwritten, if no other ``room`` is given.
    """
    own = pixels.flags.writeable and pixels.flags.owndata and pixels.dtype == dtype
    place = pixels if room is None and own else room
    made = np.subtract(pixels, mean.astype(dtype), out=place, dtype=dtype)
    if (scale != 1).any():
        made /= scale.astype(dtype)
    return made


def _of_deviations(
    work: Callable[[Floats], T], mean: Doubles, scale: Doubles, dtype: DTypeLike, pixels: Floats
) -> T:
    return work(deviations(pixels, mean, scale, dtype))


def divisors(variances: Doubles) -> Doubles:
    """Return the standard deviations that pixels are divided by, (d,): 1 where one is constant."""
    roots = np.sqrt(variances)
    return np.where(roots > NEGLIGIBLE, roots, 1)


def leading_eigenvectors(square: Doubles, most: int) -> tuple[Doubles, Doubles]:
    """Turn a matrix of squares into singular values and vectors (in columns), largest first."""
    squares, vectors = eigenpairs(square, most)
    values = np.sqrt(np.maximum(squares, 0))
    keep = min(most, int((values > TOLERANCE * values[0]).sum())) if values.size else 0
    return values[:keep], vectors[:, :keep]


def lengths(rows: Floats) -> Doubles:
    """Return the length of each row (k, d), added up in double precision."""
    squares = np.zeros(len(rows))
    for start in range(0, rows.shape[1], COLUMNS_AT_ONCE):
        piece = rows[:, start : start + COLUMNS_AT_ONCE]
        squares += np.einsum("ij,ij->i", piece, piece, dtype=np.float64)
    return np.sqrt(squares)


def signs_of(rows: Floats) -> Floats:
    """Return (k,) 1 or −1: times these, the entry of largest magnitude in each row is positive.

    The signs of singular vectors are arbitrary: so they are the same in every fit.
    """
    return np.where(rows.max(axis=1) < -rows.min(axis=1), -1, 1).astype(np.float32)
