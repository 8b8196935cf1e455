"""The one hard computation: the leading singular vectors of a centred matrix.

Three routes to the same answer. With fewer faces than pixels, the Gram matrix A Aᵀ (Sirovich and
Kirby 1987; Turk and Pentland 1991); with fewer pixels than faces, the covariance AᵀA; and where
both are large, a block Krylov space (Musco and Musco 2015) that gives the leading part.

Only ``numpy.linalg.eigh`` and matrix products are used: they release the interpreter's lock, so a
window goes on answering (``scipy.linalg`` and ``numpy.linalg.qr`` hold it to the end).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Doubles, Floats
from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.crops import Crops

LARGEST_EXACT = 3000
"""Up to this min(n, d), all singular vectors are found; above, the leading `LEADING`."""

LEADING = 500
"""Components kept from a matrix too large for the exact routes.

They are not exact, and the last are the least so. Measured against the exact route on 5000 pictures
made of the AT&T faces (turned, shifted, lit otherwise): singular values to 4e-7 of each, components
to 1e-3 rad. Where neighbouring variances are nearly equal, single components may turn into each
other; what they span together stays. `tests/benchmarks/test_core.py` measures it again.
"""

TOLERANCE = 1e-6
"""Singular values below this share of the largest are rounding, not rank."""

_KRYLOV_BLOCK, _KRYLOV_STEPS = 150, 10
_ROUNDING = 1e-5  # of single precision, in a block of a thousand rows
_COLUMNS_AT_ONCE = 2048


@dataclass(frozen=True)
class Centred:
    """The matrix A = (X − mean) / scale, (n, d), given out in float64 pieces, never whole."""

    pixels: Floats | Crops
    mean: Doubles
    scale: Doubles

    def columns(self, start: int, stop: int) -> Doubles:
        """Return the pixels start…stop of all faces."""
        return (self.pixels[:, start:stop] - self.mean[start:stop]) / self.scale[start:stop]

    def rows(self, start: int, stop: int) -> Doubles:
        """Return the faces start…stop."""
        return (self.pixels[start:stop] - self.mean) / self.scale


def leading_svd(
    matrix: Centred, tick: Tick = no_tick, largest_exact: int = LARGEST_EXACT
) -> tuple[Doubles, NDArray[np.float32]]:
    """Return the singular values and right singular vectors of a centred matrix.

    Parameters
    ----------
    matrix
        A, (n, d), with columns of zero mean: its rank is at most n − 1.
    tick
        Called as the work goes on.
    largest_exact
        The largest min(n, d) that is decomposed completely.

    Returns
    -------
    (k,) float64 singular values, descending, and (k, d) float32 orthonormal components. In each
    component the entry of largest magnitude is positive, so that signs do not depend on the route.
    """
    n, d = matrix.pixels.shape
    if min(n, d) > largest_exact:
        values, vectors = _by_krylov(matrix, tick)
    elif n <= d:
        values, vectors = _by_gram(matrix, tick)
    else:
        values, vectors = _by_covariance(matrix, tick)
    vectors = vectors[: len(values)]
    largest = np.abs(vectors).argmax(axis=1)
    signs = np.where(vectors[np.arange(len(vectors)), largest] < 0, -1, 1)
    vectors *= signs[:, None].astype(np.float32)
    return values, vectors


def _by_gram(matrix: Centred, tick: Tick) -> tuple[Doubles, NDArray[np.float32]]:
    n, d = matrix.pixels.shape
    pieces = [(start, min(start + _COLUMNS_AT_ONCE, d)) for start in range(0, d, _COLUMNS_AT_ONCE)]
    steps = 2 * len(pieces) + 1
    gram = np.zeros((n, n))
    for step, (start, stop) in enumerate(pieces):
        tick(step, steps)
        piece = matrix.columns(start, stop)
        gram += piece @ piece.T
    values, left = _descending(gram, n - 1)
    scaled = left / values
    vectors = np.empty((len(values), d), np.float32)
    for step, (start, stop) in enumerate(pieces):
        tick(len(pieces) + 1 + step, steps)
        vectors[:, start:stop] = scaled.T @ matrix.columns(start, stop)
    tick(steps, steps)
    return values, vectors


def _by_covariance(matrix: Centred, tick: Tick) -> tuple[Doubles, NDArray[np.float32]]:
    n, d = matrix.pixels.shape
    covariance = np.zeros((d, d))
    for start in range(0, n, _COLUMNS_AT_ONCE):
        tick(start, n + 1)
        piece = matrix.rows(start, start + _COLUMNS_AT_ONCE)
        covariance += piece.T @ piece
    tick(n, n + 1)
    values, right = _descending(covariance, n - 1)
    tick(n + 1, n + 1)
    return values, np.ascontiguousarray(right.T, np.float32)


def _descending(square: Doubles, rank: int) -> tuple[Doubles, Doubles]:
    """Turn a matrix of squares into singular values and vectors (in columns), largest first."""
    squares, vectors = np.linalg.eigh(square)
    values = np.sqrt(np.maximum(squares[::-1], 0))
    keep = min(rank, int((values > TOLERANCE * values[0]).sum())) if values.size else 0
    return values[:keep], vectors[:, ::-1][:, :keep]


def _by_krylov(matrix: Centred, tick: Tick) -> tuple[Doubles, NDArray[np.float32]]:
    n, d = matrix.pixels.shape
    centred = np.empty((n, d), np.float32)
    for start in range(0, n, _COLUMNS_AT_ONCE):
        centred[start : start + _COLUMNS_AT_ONCE] = matrix.rows(start, start + _COLUMNS_AT_ONCE)
    steps = _KRYLOV_STEPS + 2
    # The start is arbitrary: seeded, so that two runs on the same faces agree bit for bit.
    block = np.random.default_rng(0).standard_normal((d, _KRYLOV_BLOCK), np.float32)
    space = _orthonormal(block, np.empty((d, 0), np.float32))
    newest = space
    for step in range(_KRYLOV_STEPS):
        tick(step, steps)
        newest = _orthonormal(centred.T @ (centred @ newest), space)
        space = np.concatenate([space, newest], axis=1)
    tick(_KRYLOV_STEPS, steps)
    image = (centred @ space).astype(np.float64)
    values, inner = _descending(image.T @ image, min(n - 1, LEADING))
    tick(_KRYLOV_STEPS + 1, steps)
    vectors = np.ascontiguousarray((space @ inner.astype(np.float32)).T)
    tick(steps, steps)
    return values, vectors


def _orthonormal(block: NDArray[np.float32], space: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an orthonormal basis of what a block (d, b) adds to an orthonormal space (d, m)."""
    for _ in range(2):  # twice is enough
        length = np.linalg.norm(block, axis=0).max(initial=0)
        block = block - space @ (space.T @ block)
        squares, directions = np.linalg.eigh(block.astype(np.float64).T @ block)
        # What is left of a block that lies in the space is rounding, and not orthogonal to it.
        keep = squares > (_ROUNDING * length) ** 2
        block = (block @ (directions[:, keep] / np.sqrt(squares[keep]))).astype(np.float32)
    return block
