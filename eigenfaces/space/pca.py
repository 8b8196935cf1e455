"""Principal components: the singular vectors of mean-subtracted faces.

For up to `LARGEST_EXACT` faces or pixels, the result is exact: from the Gram matrix A Aᵀ if there
are fewer faces than pixels (L. Sirovich and M. Kirby 1987; M. Turk and A. Pentland 1991), otherwise
from the covariance AᵀA. Beyond that, a randomised range finder with power iterations computes the
leading components (N. Halko, P. Martinsson and J. Tropp, *Finding structure with randomness*,
2011).

Products are computed in single precision and summed in double. Single precision resolves singular
values down to `RESOLVED` times the largest. If smaller ones are needed, products are computed in
double as well. The singular values are the norms of A times the singular vectors. The functions of
`numpy.linalg` used here release the GIL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from eigenfaces.errors import EigenfacesError, NotPossibleError, Tick, no_tick, part_of
from eigenfaces.space.arrays import Bytes, Doubles, Floats

LARGEST_EXACT = 3000  # if min(n, d) is at most this, all singular vectors are computed
LEADING = 500  # components computed for a larger matrix, if no number is given

TOLERANCE = 1e-6  # singular values below this share of the largest are rounding errors …
RESOLVED = 1e-3  # … and below this share, single precision cannot resolve them
NEGLIGIBLE = 1e-4  # a standard deviation below this (grey 0…1) means that the pixel is constant

_COLUMNS_AT_ONCE = 2048
_NUMBERS_AT_ONCE = 1 << 23
_SPARE, _POWERS, _SEED = 1.1, 5, 0
_SHIFT = 1e-14  # share of the trace added so that the Cholesky factor exists
Factors = tuple[Doubles, Floats, Floats]  # values (k,), components (k, d), coordinates (n, k)
Chunk = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The singular value decomposition of n mean-subtracted faces, for the requested components.

    In each component, the entry of largest magnitude is positive, so the signs do not depend on the
    method.
    """

    mean: Doubles  # (d,) mean of each pixel
    total_variance: float  # sum of the variances of all columns
    singular_values: Doubles  # (k,) decreasing
    components: Floats  # (k, d) orthonormal rows
    coordinates: Floats  # (n, k) of the faces themselves: U Σ


def decompose(
    faces: Bytes | Floats | Doubles,
    *,
    n_components: int | None = None,
    tick: Tick = no_tick,
) -> Decomposition:
    """Return the decomposition of n ≥ 2 faces (n, d): grey values, or grey levels 0…255 as bytes.

    ``n_components``: how many components to return at most. None means all, or `LEADING` if min(n,
    d) exceeds `LARGEST_EXACT`. If the faces are not in double precision, components with singular
    values below `RESOLVED` times the largest may be missing, as they are lost in rounding errors.

    Raises `EigenfacesError` if there are fewer than two faces, if values are not numbers, or if all
    faces are the same.
    """
    n, d = faces.shape
    if n < 2:
        raise NotPossibleError("A face space needs at least two photos.")
    matrix, total = _Centred.of(faces, part_of(tick, 0, 8))
    exact = min(n, d) <= LARGEST_EXACT
    most = min(n - 1, d, n_components or (d if exact else LEADING))
    route = _by_squares if exact else _by_random_start
    values, components, coordinates = route(matrix, most, tick)
    if exact and (len(values) < most or most == min(n - 1, d)):  # nothing is left out
        total = float((values**2).sum()) / (n - 1)
    signs = signs_of(components)
    components *= signs[:, None]
    coordinates *= signs
    tick(1, 1)
    return Decomposition(matrix.mean, total, values, components, coordinates)


def as_grey(values: ArrayLike) -> Floats:
    """Return bytes (grey levels 0…255) as float32 values 0…1, and other arrays unchanged.

    Every function that takes faces calls this first.
    """
    array = np.asarray(values)
    if array.dtype != np.uint8:
        return cast(Floats, array)
    grey = array.astype(np.float32)
    grey /= 255  # in place, which takes half the time
    return grey


def as_levels(grey: NDArray[np.floating]) -> Bytes:
    """Return grey values 0…1 as the nearest grey levels 0…255; values outside are clipped.

    >>> levels = np.arange(256, dtype=np.uint8)
    >>> bool((as_levels(as_grey(levels)) == levels).all())
    True
    """
    return np.rint(np.clip(grey, 0, 1) * 255).astype(np.uint8)


def signs_of(rows: Floats) -> Floats:
    """Return the signs (k,) that make the entry of largest magnitude in each row positive."""
    return np.where(rows.max(axis=1) < -rows.min(axis=1), -1, 1).astype(np.float32)


def eigenpairs(squares: Doubles, most: int) -> tuple[Doubles, Doubles]:
    """Return singular values (k,) of A, largest first, and vectors (n, k), from A Aᵀ or AᵀA."""
    values, vectors = np.linalg.eigh(squares)
    values = np.sqrt(np.maximum(values[::-1], 0))
    keep = min(most, int((values > TOLERANCE * values[0]).sum())) if len(values) else 0
    return values[:keep], vectors[:, ::-1][:, :keep]


@dataclass(frozen=True, eq=False)
class _Centred:
    """The matrix A = X − mean, (n, d), which is only ever computed in chunks."""

    faces: Bytes | Floats | Doubles
    mean: Doubles

    @classmethod
    def of(cls, faces: Bytes | Floats | Doubles, tick: Tick) -> tuple[_Centred, float]:
        """Return the matrix and its total variance, summed about the first face for precision."""
        (n, d), first = faces.shape, as_grey(faces[0])
        added, squared = np.zeros(d), np.zeros(d)
        with np.errstate(invalid="ignore"):  # ∞ − ∞ is refused below
            for rows in _blocks(n, d, tick):
                apart = as_grey(faces[rows]) - first
                added += apart.sum(axis=0, dtype=np.float64)
                squared += np.einsum("ij,ij->j", apart, apart, dtype=np.float64)
            variances = np.maximum(squared - added**2 / n, 0) / (n - 1)
        mean = first + added / n
        if not np.isfinite(mean).all():
            raise EigenfacesError("Some faces contain values that are not numbers.")
        total = float(variances.sum())
        if total < NEGLIGIBLE**2:
            raise NotPossibleError("All faces are the same, so there is nothing to tell apart.")
        return cls(faces, mean), total

    @property
    def precision(self) -> type[np.floating]:
        """The precision of the vectors: single, unless the faces are in double precision."""
        return np.float64 if self.faces.dtype == np.float64 else np.float32

    def columns(self, tick: Tick, dtype: DTypeLike) -> Iterator[tuple[slice, Chunk]]:
        """Yield the matrix in chunks of columns (n, c)."""
        d = self.faces.shape[1]
        for start in range(0, d, _COLUMNS_AT_ONCE):
            tick(start, d)
            here = slice(start, min(start + _COLUMNS_AT_ONCE, d))
            yield here, self._chunk(slice(None), here, dtype)

    def rows(self, tick: Tick, dtype: DTypeLike = np.float32) -> Iterator[tuple[slice, Chunk]]:
        """Yield the matrix in chunks of faces, as columns (d, r) of Aᵀ."""
        for rows in _blocks(len(self.faces), self.faces.shape[1], tick):
            yield rows, self._chunk(rows, slice(None), dtype).T

    def _chunk(self, rows: slice, here: slice, dtype: DTypeLike) -> Chunk:
        grey = as_grey(self.faces[rows, here])
        centred: Chunk = np.subtract(grey, self.mean[here].astype(dtype), dtype=dtype)
        return centred


def _blocks(n: int, d: int, tick: Tick) -> Iterator[slice]:
    """Yield slices of n rows with d columns, each small enough to be read in one go."""
    edges = [*range(0, n, max(16, _NUMBERS_AT_ONCE // max(1, d))), n]
    for start, stop in pairwise(edges):
        tick(start, n)
        yield slice(start, stop)


def _by_squares(matrix: _Centred, most: int, tick: Tick) -> Factors:
    """Return the factors from A Aᵀ = U Σ² Uᵀ or AᵀA = V Σ² Vᵀ, whichever matrix is smaller.

    The vectors on the other side are Uᵀ A / Σ or Vᵀ Aᵀ / Σ. Their lengths are used to correct Σ.
    """
    n, d = matrix.faces.shape
    parts = matrix.columns if n <= d else matrix.rows
    dtypes: tuple[type[np.floating], ...] = (matrix.precision, np.float64)
    for dtype in dtypes:
        squares = np.zeros((min(n, d), min(n, d)))
        for _, part in parts(part_of(tick, 1, 4), dtype):
            squares += part @ part.T
        values, own = eigenpairs(squares, most)
        if values[-1] >= RESOLVED * values[0]:
            break
    weights = np.ascontiguousarray((own / values).T, dtype)
    others = np.empty((len(values), max(n, d)), matrix.precision)
    for here, part in parts(part_of(tick, 3, 4), dtype):
        others[:, here] = weights @ part
    lengths = np.sqrt(np.einsum("ij,ij->i", others, others, dtype=np.float64))
    others /= lengths[:, None].astype(matrix.precision)
    values = values * lengths
    left, right = (own, others) if n <= d else (others.T, own.T)
    coordinates = np.empty_like(left, matrix.precision)  # one copy: it may be 200 MB
    np.multiply(left, values, out=coordinates, dtype=np.float64, casting="same_kind")
    return values, np.ascontiguousarray(right, matrix.precision), coordinates


def _by_random_start(matrix: _Centred, most: int, tick: Tick) -> Factors:
    """Return the leading factors, from a basis Q of noise multiplied by powers of AᵀA.

    The noise is seeded, so that repeated fits to the same faces agree. Q has a few more directions
    than needed, and the faces are decomposed exactly within its span.
    """
    n, d = matrix.faces.shape
    size = min(n - 1, d, int(_SPARE * most) + 10)
    basis = np.random.default_rng(_SEED).standard_normal((d, size), np.float32)
    for step in range(_POWERS):
        image = np.zeros((d, size))
        for _, part in matrix.rows(part_of(tick, step + 1, _POWERS + 2)):
            image += part @ (part.T @ basis)
        for _ in range(2):  # Cholesky QR; the second pass removes the rounding errors of the first
            squares = image.T @ image
            squares.flat[:: size + 1] += _SHIFT * np.trace(squares)
            image = np.linalg.solve(np.linalg.cholesky(squares), image.T).T
        basis = image.astype(np.float32)
    parts = matrix.rows(part_of(tick, _POWERS + 1, _POWERS + 2))
    along = np.concatenate([part.T @ basis for _, part in parts])
    squares = np.zeros((size, size))
    for some in (along[rows].astype(np.float64) for rows in _blocks(n, size, no_tick)):
        squares += some.T @ some
    values, turn = eigenpairs(squares, most)
    turned = turn.astype(np.float32)
    return values, turned.T @ basis.T, along @ turned
