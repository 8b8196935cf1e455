"""The singular vectors of many faces, of which some are read after others, as often as it takes.

Every sum over faces is one of what some of them give, each by a function of those alone: they may
lie in a file (`eigenfaces.space.arrays.crops.Crops.over_rows`).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import DTypeLike, NDArray

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.centred import (
    RESOLVED,
    Centred,
    Factors,
    divisors,
    leading_eigenvectors,
    lengths,
    rows_at_once,
)

_STEPS = 10
_DIMENSIONS = 3  # of the Krylov space, for each component wanted
_SPARE = 1.1  # times as many components are measured in the end as are wanted
_ROWS_DOUBLED = 8192  # coordinates of so many faces are held in double precision at once
_ROUNDING = 1e-5  # of single precision, in a block of a thousand rows


def by_covariance(
    faces: Crops, correlation: bool, most: int, tick: Tick
) -> tuple[Centred, float, Factors]:
    """Return the centred matrix of faces, its total variance and leading factors, from AᵀA.

    For few pixels; the faces are read three times, where small values are wanted four times.
    """
    matrix, total = _moments(faces, correlation, part_of(tick, 0, 3))
    values, right = leading_eigenvectors(_squares(matrix, np.float32, part_of(tick, 1, 3)), most)
    if values[-1] < RESOLVED * values[0]:
        values, right = leading_eigenvectors(_squares(matrix, np.float64, no_tick), most)
    components = np.ascontiguousarray(right.T, np.float32)
    coordinates = _along(matrix, components, part_of(tick, 2, 3))
    return matrix, total, (lengths(coordinates.T), components, coordinates)


def by_krylov(
    faces: Crops, correlation: bool, most: int, tick: Tick
) -> tuple[Centred, float, Factors]:
    """Return the same, of which the factors are not exact, from a block Krylov space.

    C. Musco and C. Musco, *Randomized block Krylov methods for stronger and faster approximate
    singular value decomposition* (2015). The faces are read twelve times. What the space holds of
    AᵀA gives some more vectors than are wanted; along these the faces themselves are measured.
    """
    passes = _STEPS + 2
    matrix, total = _moments(faces, correlation, part_of(tick, 0, passes))
    n, d = matrix.shape
    # The start is arbitrary: seeded, so that two fits of the same faces agree bit for bit.
    size = (d, -(-_DIMENSIONS * most // _STEPS))
    newest = np.random.default_rng(0).standard_normal(size, np.float32)
    room, held = np.empty((d, _STEPS * size[1]), np.float32), np.empty((0, 0))
    space = room[:, :0]
    for step in range(_STEPS):
        newest = _orthonormal(newest, space)
        known, dimensions = space.shape[1], space.shape[1] + newest.shape[1]
        room[:, known:dimensions] = newest
        space = room[:, :dimensions]
        newest = _squares_times(matrix, newest, part_of(tick, step + 1, passes))
        held = _bordered(held, space.T @ newest)
    del newest
    inner = leading_eigenvectors(held, min(n - 1, int(_SPARE * most)))[1]
    del held
    basis = inner.T.astype(np.float32) @ space.T
    del space, room, inner  # of a large fit, most of the memory that it takes
    along = _along(matrix, basis, part_of(tick, _STEPS + 1, passes))
    squares = np.zeros((len(basis),) * 2)
    for start in range(0, n, _ROWS_DOUBLED):
        some = along[start : start + _ROWS_DOUBLED].astype(np.float64)
        squares += some.T @ some
    values, turn = leading_eigenvectors(squares, most)
    turned = turn.astype(np.float32)
    return matrix, total, (values, turned.T @ basis, along @ turned)


def _moments(faces: Crops, correlation: bool, tick: Tick) -> tuple[Centred, float]:
    """Return the centred matrix of faces (n, d), and its total variance."""
    (n, d), first = faces.shape, faces[:1][0]
    added, squared = np.zeros(d), np.zeros(d)
    at_once = rows_at_once(d)
    for done, (some, squares) in enumerate(faces.over_rows(partial(_sums, first), at_once)):
        tick(min(n, done * at_once), n)
        added += some
        squared += squares
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        variances = np.maximum(squared - added**2 / n, 0) / (n - 1)
        scale = divisors(variances) if correlation else np.ones(d)
        matrix, total = (
            Centred(faces, first + added / n, scale),
            float((variances / scale**2).sum()),
        )
    matrix.refuse_if_alike(total)
    return matrix, total


def _sums(first: Floats, faces: Floats) -> tuple[Doubles, Doubles]:
    """Return the sums of deviations from one of the faces, and of their squares, (d,) each."""
    with np.errstate(invalid="ignore"):
        apart = faces - first
        squares = np.einsum("ij,ij->j", apart, apart).astype(np.float64)
        return apart.sum(axis=0, dtype=np.float64), squares


def _squares(matrix: Centred, dtype: DTypeLike, tick: Tick) -> Doubles:
    """Return AᵀA, (d, d): products in one precision, sums in double."""
    squares = np.zeros((matrix.shape[1],) * 2)
    for part in matrix.over_rows(_own_squares, dtype, tick):
        squares += part
    return squares


def _own_squares(rows: NDArray[np.floating]) -> NDArray[np.floating]:
    return rows.T @ rows


def _squares_times(matrix: Centred, block: Floats, tick: Tick) -> Floats:
    """Return AᵀA times a block (d, b)."""
    product = np.zeros(block.shape)
    for part in matrix.over_rows(partial(_back_and_forth, block), np.float32, tick):
        product += part
    return product.astype(np.float32)


def _back_and_forth(block: Floats, rows: Floats) -> Floats:
    return rows.T @ (rows @ block)


def _along(matrix: Centred, components: Floats, tick: Tick) -> Floats:
    """Return the coordinates (n, k) of all faces along components (k, d)."""
    coordinates, start = np.empty((matrix.shape[0], len(components)), np.float32), 0
    for part in matrix.over_rows(partial(_times, components), np.float32, tick):
        coordinates[start : start + len(part)] = part
        start += len(part)
    return coordinates


def _times(components: Floats, rows: Floats) -> Floats:
    return rows @ components.T


def _bordered(held: Doubles, columns: Floats) -> Doubles:
    """Return a symmetric matrix with some more of its columns (m, b)."""
    before, after = len(held), len(columns)
    made = np.empty((after, after))
    made[:before, :before] = held
    made[:, before:] = columns
    made[before:, :before] = columns[:before].T
    own = made[before:, before:]
    own[:] = (own + own.T) / 2
    return made


def _orthonormal(block: Floats, space: Floats) -> Floats:
    """Return an orthonormal basis of what a block (d, b) adds to an orthonormal space (d, m)."""
    for _ in range(2):  # twice is enough
        length = np.linalg.norm(block, axis=0).max(initial=0)
        block = block - space @ (space.T @ block)
        squares, directions = np.linalg.eigh(block.astype(np.float64).T @ block)
        # What is left of a block that lies in the space is rounding, and not orthogonal to it.
        keep = squares > (_ROUNDING * length) ** 2
        block = (block @ (directions[:, keep] / np.sqrt(squares[keep]))).astype(np.float32)
    return block
