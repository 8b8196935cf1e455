"""All singular vectors of few faces with many pixels, from their Gram matrix A Aᵀ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.centred import (
    RESOLVED,
    Centred,
    Factors,
    divisors,
    leading_eigenvectors,
    lengths,
)


def by_gram(
    faces: Crops, correlation: bool, most: int, tick: Tick
) -> tuple[Centred, float, Factors]:
    """Return the centred matrix of faces (n, d), its total variance, and its leading factors."""
    faces = Crops(faces.held)  # from wherever they are
    precision: type[np.floating[Any]] = np.float32
    matrix, gram = _squares(faces, correlation, precision, part_of(tick, 0, 2))
    values, left = leading_eigenvectors(gram, most)
    if values[-1] < RESOLVED * values[0]:
        precision = np.float64
        matrix, gram = _squares(faces, correlation, precision, no_tick)
        values, left = leading_eigenvectors(gram, most)
    weights = np.ascontiguousarray((left / values).T, precision)
    components = np.empty((len(values), faces.shape[1]), np.float32)
    for here, columns in matrix.over_columns(precision, part_of(tick, 1, 2)):
        np.matmul(weights, columns, out=components[:, here], casting="same_kind")
    found = lengths(components)
    components /= found[:, None].astype(np.float32)
    values = values * found
    total = float(np.trace(gram)) / (len(faces) - 1)
    return matrix, total, (values, components, (left * values).astype(np.float32))


def _squares(
    faces: Crops, correlation: bool, dtype: DTypeLike, tick: Tick
) -> tuple[Centred, Doubles]:
    """Return the centred matrix and A Aᵀ (n, n): products in one precision, sums in double."""
    n, d = faces.shape
    matrix, gram = Centred(faces, np.empty(d), np.ones(d)), np.zeros((n, n))
    # About the first face: a mean in single precision loses nothing of small differences.
    first, average = faces[0].astype(np.float64), np.full(n, 1 / n, dtype)
    with np.errstate(invalid="ignore"):  # ∞ − ∞: refused below
        for here, piece in Centred(faces, first, np.ones(d)).over_columns(dtype, tick):
            mean = average @ piece
            piece -= mean
            matrix.mean[here] = first[here] + mean.astype(np.float64)
            if correlation:
                variances = np.einsum("ij,ij->j", piece, piece).astype(np.float64) / (n - 1)
                matrix.scale[here] = divisors(variances)
                piece /= matrix.scale[here].astype(dtype)
            gram += piece @ piece.T
    matrix.refuse_if_alike(float(np.trace(gram)) / (n - 1))
    return matrix, gram
