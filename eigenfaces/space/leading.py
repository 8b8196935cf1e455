"""The leading eigenvectors of a large symmetric matrix that is at hand, without all the others.

Block Lanczos with full reorthogonalisation (G. Golub and R. Underwood, *The block Lanczos method
for computing eigenvalues*, 1977): the matrix is tridiagonal by blocks in the space that its powers
make of some vectors, and the leading eigenvectors come out of that space first. A few hundred of
some thousand are found in a third of the time of all, to nearly as many digits. Only ``eigh`` and
matrix products are used: they release the interpreter's lock.
"""

from __future__ import annotations

import numpy as np

from eigenfaces.space.arrays import Doubles

LARGE = 1200
"""Rows from which it is faster than finding all eigenvectors."""

_BLOCK = 32
_FIRST, _GROWTH, _SOONER = 256, 1.08, 1.6
"""Dimensions of the space when it is first looked at, and how many times as many at the next; and
while it does not hold all that is wanted."""

_USUAL = 2.8
"""Dimensions it takes at least for each vector that is wanted."""

_RESIDUAL = 1e-9
"""Length of A x − λ x, as a share of the largest eigenvalue, where a vector x is found.

Distances in the space of all these vectors are then as exact to eight digits and more: what a
vector lacks is mostly its neighbours among them.
"""

_MOST, _DIMENSIONS = 1 / 6, 3 / 5
"""Where a larger share of all vectors is wanted, or takes a larger space, all are found."""

_LOST, _APART = 1e-12, 1e-5
"""What is shorter than this share of the trace is rounding; and what is shorter than this share of
the longest is made orthonormal after the rest."""


def eigenpairs(
    square: Doubles, wanted: int | float | None = None, most: int | None = None
) -> tuple[Doubles, Doubles]:
    """Return eigenvalues (k,), largest first, and eigenvectors (n, k) of a matrix of squares.

    Parameters
    ----------
    square
        (n, n) symmetric, without negative eigenvalues beyond rounding.
    wanted
        How many are needed, or the share of the trace that their values make up: there may be more
        of them, or fewer if all others are 0. None: all.
    most
        How many are found at most, of a matrix that is too large for all; None: all.
    """
    if len(square) >= LARGE:
        asked = [] if wanted is None else [wanted if most is None else min(wanted, most)]
        for each in asked if most is None else [*asked, most]:
            found = _leading(square, each, int(_MOST * len(square)) if most is None else most)
            if found is not None:
                return found
    values, vectors = np.linalg.eigh(square)
    return values[::-1][:most], vectors[:, ::-1][:, :most]


def _leading(square: Doubles, wanted: int | float, most: int) -> tuple[Doubles, Doubles] | None:
    """Return the leading eigenpairs; None where they are too many, or it would take too long."""
    n = len(square)
    if wanted > most or (isinstance(wanted, float) and wanted >= 1):
        return None
    rows = np.empty((int(_DIMENSIONS * n), n))  # the space, a basis vector a row
    inner = np.zeros((len(rows),) * 2)  # the matrix in it
    # The start is arbitrary: seeded, so that two fits of the same faces agree bit for bit.
    newest = _orthonormal(np.random.default_rng(0).standard_normal((n, _BLOCK)), rows[:0], 0.0)[0]
    trace, share = float(np.trace(square)), wanted if isinstance(wanted, float) else 0.0
    size, start, look = 0, 0, _FIRST
    coupling = np.zeros((_BLOCK, 0))
    while newest.size and size + newest.shape[1] <= len(rows):
        before, start, size = start, size, size + newest.shape[1]
        rows[start:size] = newest.T
        inner[start:size, before:start], inner[before:start, start:size] = coupling, coupling.T
        image = square @ newest
        within = newest.T @ image
        inner[start:size, start:size] = (within + within.T) / 2
        image -= newest @ within
        image -= rows[before:start].T @ coupling.T
        image -= rows[:size].T @ (rows[:size] @ image)
        newest, coupling = _orthonormal(image, rows[:size], _LOST * trace)
        if size < look and newest.size:
            continue
        values, turned = np.linalg.eigh(inner[:size, :size])
        values, turned = values[::-1], turned[:, ::-1]
        if not newest.size and values.sum() < (1 - _LOST * n) * trace:
            return None  # more vectors than a block have the same eigenvalue: some are missing
        k = _needed(values, wanted, trace) if newest.size else size
        if newest.size and _hold(values, most) < share * trace:
            return None
        look = int(max(_GROWTH * size, _USUAL * k if k <= size else _SOONER * size))
        left = np.linalg.norm(coupling @ turned[start:size, :k], axis=0)
        if k <= size and (left <= _RESIDUAL * values[0]).all():
            return values[:k], rows[:size].T @ turned[:, :k]
    return None


def _needed(values: Doubles, wanted: int | float, trace: float) -> int:
    """Return how many of these eigenvalues are needed; more than there are, if these lack some."""
    if isinstance(wanted, int):
        return wanted
    return int(np.searchsorted(np.cumsum(values), wanted * trace)) + 1


def _hold(values: Doubles, count: int) -> float:
    """Return what so many eigenvalues sum up to at most; the first half of these are known."""
    half = len(values) // 2
    return float(values[:half].sum() + max(0, count - half) * values[half])


def _orthonormal(block: Doubles, space: Doubles, rounding: float) -> tuple[Doubles, Doubles]:
    """Return an orthonormal basis Q (n, j) of a block (n, b), and R (j, b): block = Q R.

    ``space``: (m, n) rows that the block is orthogonal to. Directions no longer than ``rounding``
    are left out.
    """
    whole, found = block, [np.empty((len(block), 0))]
    while block.shape[1]:
        squares, turned = np.linalg.eigh(block.T @ block)
        keep = squares > max(rounding**2, _APART**2 * squares[-1])
        if not keep.any():
            break
        basis = block @ (turned[:, keep] / np.sqrt(squares[keep]))
        squares, again = np.linalg.eigh(basis.T @ basis)
        found.append(basis @ (again / np.sqrt(squares)))
        block = block @ turned[:, ~keep]
        for known in (found[-1], space.T) * 2:
            block = block - known @ (known.T @ block)
    basis = np.concatenate(found, axis=1)
    return basis, basis.T @ whole
