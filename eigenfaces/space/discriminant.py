"""Discriminant space: the few directions in which people differ, rather than photographs.

Features are whitened and projected on the people's means (`eigenfaces.space.people_axes`
has the formulas); the cosine of two faces' coordinates says how alike they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.arrays.filed_rows import in_file
from eigenfaces.space.centred import COLUMNS_AT_ONCE, Centred, signs_of
from eigenfaces.space.people_axes import Reach, Scatter, people_axes, pieces, reach_of

Kind = TypeVar("Kind", bound=np.floating)

NEGLIGIBLE = 1e-8
"""A total variance below this is rounding: of grey 0…1, and of blocks of unit length."""

_ROWS_AT_ONCE, _SUMS_AT_ONCE = 64, 256


@dataclass(frozen=True, eq=False)
class DiscriminantSpace:
    """Axes along which people differ, fitted to n faces; immutable.

    Parameters
    ----------
    mean
        (f,) mean of the features.
    scale
        (f,) what they are divided by: the root of their block's total variance, or 1.
    axes
        (j, f) from scaled deviations from the mean to coordinates; neither orthogonal nor unit.
    variances
        (j,) λ of the fitted faces along each. With few people there is one coordinate more, whose λ
        is taken for the smallest: what lies outside (`eigenfaces.space.people_axes.outside`).
    span
        Faces to enrol have coordinates along so many of the axes, and 0 along the others.
    """

    mean: Floats
    scale: Floats
    axes: Floats
    variances: Doubles
    span: int

    def __post_init__(self) -> None:
        for array in (self.mean, self.scale, self.axes, self.variances):
            array.setflags(write=False)

    @classmethod
    def fit(
        cls,
        features: Floats | Crops,
        people: Numbers,
        scatter: Scatter,
        blocks: Sequence[int] = (),
        tick: Tick = no_tick,
    ) -> DiscriminantSpace:
        """Return the space fitted to features (n, f) of n ≥ 2 faces.

        Parameters
        ----------
        features
            Of faces. They are read some at a time, as often as it takes.
        people
            (n,) the number of the person on each, negative where there is nobody.
        scatter
            What is whitened.
        blocks
            How many features belong together, block by block: each block is divided by the root
            of its total variance, so that all count alike. Without any, features stay as they are.

        Raises
        ------
        EigenfacesError
            Fewer than two faces, values that are not numbers, or all faces the same.
        """
        matrix = scaled(features, blocks, part_of(tick, 0, 3))
        n, f = matrix.shape
        step = part_of(tick, 1, 3)  # the products are in no name: they go as soon as they can
        weights, along, span = people_axes(gram_of(matrix, step), people, scatter)
        weights, along = weights[:, :f], along[:, :f]  # more are of rounding
        variances = (along**2).sum(axis=0) / (n - 1)
        if reach_of(people, scatter) != "means":
            variances = np.concatenate([variances, [variances.min()]])
        axes = _sums(matrix, weights, part_of(tick, 2, 3))
        axes *= signs_of(axes)[:, None]
        return cls(
            mean=matrix.mean.astype(np.float32),
            scale=matrix.scale.astype(np.float32),
            axes=axes,
            variances=variances,
            span=min(span, f),
        )

    def __len__(self) -> int:
        return len(self.variances)

    @property
    def has_outside(self) -> bool:
        """Whether the last coordinate is what lies outside."""
        return len(self.variances) > len(self.axes)

    @property
    def reach(self) -> Reach:
        """Where faces are compared, whoever is enrolled by now."""
        if not self.has_outside:
            return "means"
        return "all" if self.span == len(self.axes) else "means and rest"

    @property
    def kept(self) -> Doubles:
        """(j,) share of the variance along all axes that the first 1 … j of them keep."""
        return np.cumsum(self.variances) / self.variances.sum()

    @cached_property
    def _products(self) -> Doubles:
        """(j, j) inner products of the axes."""
        axes = self.axes.astype(np.float64)
        return axes @ axes.T

    @property
    def components(self) -> None:
        """Nothing turns coordinates back into pixels."""
        return

    def in_file(self) -> DiscriminantSpace:
        """Return the same, whose axes lie in a temporary file."""
        return replace(self, axes=in_file(self.axes))

    def project(self, features: Floats) -> Floats:
        """Return the coordinates (…, j) of features (…, f) to enrol: 0 beyond the span."""
        along = self._deviations(features) @ self.axes[: self.span].T
        beyond = np.zeros((*along.shape[:-1], len(self) - self.span), along.dtype)
        return np.concatenate([along, beyond], axis=-1)

    def in_and_from(self, features: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return the first k coordinates (m, k) of features (m, f), and what these leave out.

        That is their distance (m,) from all features with the mean plus a sum of the first k axes.
        """
        left = self._deviations(features).astype(np.float64)
        axes = self.axes[:k].astype(np.float64)
        along = left @ axes.T
        left -= np.linalg.solve(self._products[:k, :k], along.T).T @ axes
        far = np.linalg.norm(left, axis=-1)
        if k > len(self.axes):
            along = with_outside(along, far)
        return along.astype(np.float32), far

    def parts(self, features: Floats, weights: Doubles) -> Doubles:
        """Return what each feature (…, f) adds to a weighted sum (j,) of the coordinates.

        Coordinates are linear in the features, so the parts (…, f) add up to it exactly.
        """
        along = weights[: len(self.axes)] @ self.axes.astype(np.float64)
        return along * self._deviations(features).astype(np.float64)

    def _deviations(self, features: Floats) -> Floats:
        if features.shape[-1] != self.mean.size:
            raise EigenfacesError(
                "This gallery was trained on faces of another size; prepare the photographs to "
                "that size."
            )
        deviations = features - self.mean
        deviations /= self.scale
        return deviations


def with_outside(along: NDArray[Kind], far: Doubles) -> NDArray[Kind]:
    """Return coordinates (…, j) with one more, the last: what lies outside (…)."""
    return np.concatenate([along, far[..., None].astype(along.dtype)], axis=-1)


def _sums(matrix: Centred, weights: Doubles, tick: Tick) -> Floats:
    """Return sums of the rows of a centred matrix (n, f), with weights (n, j): (j, f)."""
    (n, f), j = matrix.shape, weights.shape[1]
    found = np.empty((j, f), np.float32)
    for some in pieces(j, _SUMS_AT_ONCE):
        sums = np.zeros((some.stop - some.start, f))
        for rows in pieces(n, _ROWS_AT_ONCE):
            tick(some.start * n + rows.start, j * n)
            piece = matrix.rows(rows.start, rows.stop)
            for first in range(0, f, COLUMNS_AT_ONCE):
                here = slice(first, first + COLUMNS_AT_ONCE)
                sums[:, here] += weights[rows, some].T @ piece[:, here]
        found[some] = sums
    tick(1, 1)
    return found


def scaled(features: Floats | Crops, blocks: Sequence[int] = (), tick: Tick = no_tick) -> Centred:
    """Return features (n, f) minus their mean, each block over the root of its total variance."""
    n, f = features.shape
    if n < 2:
        raise EigenfacesError("A face space needs at least two photographs.")
    mean, squares = np.zeros(f), np.zeros(f)
    for some in pieces(n, _ROWS_AT_ONCE):
        tick(some.start, 2 * n)
        mean += features[some].sum(axis=0, dtype=np.float64)
    mean /= n
    if not np.isfinite(mean).all():
        raise EigenfacesError("Some faces hold values that are not numbers.")
    matrix = Centred(features, mean, np.ones_like(mean))
    for some in pieces(n, _ROWS_AT_ONCE):
        tick(n + some.start, 2 * n)
        squares += (matrix.rows(some.start, some.stop) ** 2).sum(axis=0)
    tick(1, 1)
    variances = squares / (n - 1)
    if variances.sum() < NEGLIGIBLE:
        raise EigenfacesError("All faces are the same, so there is nothing to tell apart.")
    if not blocks:
        return matrix
    totals = np.add.reduceat(variances, np.cumsum([0, *blocks[:-1]]))
    roots = np.sqrt(np.where(totals > NEGLIGIBLE, totals, 1))
    return Centred(features, mean, np.repeat(roots, blocks))


def gram_of(matrix: Centred, tick: Tick = no_tick) -> Doubles:
    """Return the inner products (n, n) of the rows of a centred matrix."""
    (gram,) = grams_of(matrix, tick=tick)
    return gram


def grams_of(matrix: Centred, blocks: Sequence[int] = (), tick: Tick = no_tick) -> Doubles:
    """Return the same of each block of columns, (b, n, n): some rows with some others at a time."""
    n, f = matrix.shape
    ends = np.cumsum([0, *(blocks or [f])])
    columns = [slice(start, end) for start, end in pairwise(ends)]
    grams = np.empty((len(columns), n, n))
    for rows in pieces(n, _ROWS_AT_ONCE):
        here = matrix.rows(rows.start, rows.stop)
        for others in pieces(rows.stop, _ROWS_AT_ONCE):
            tick(rows.start**2 + others.start * len(here), n**2)
            there = here
            if others.start < rows.start:
                there = matrix.rows(others.start, others.stop)
            for gram, column in zip(grams, columns, strict=True):
                gram[rows, others] = here[:, column] @ there[:, column].T
                gram[others, rows] = gram[rows, others].T
    tick(1, 1)
    return grams
