"""Discriminant space: the few directions in which people differ, rather than photographs.

Features are whitened and projected on the people's means (`eigenfaces.space.people_axes`
has the formulas); the cosine of two faces' coordinates says how alike they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.faces.crops import Crops
from eigenfaces.space.centred import COLUMNS_AT_ONCE, Centred, signs_of
from eigenfaces.space.people_axes import Scatter, are_few, people_axes

Kind = TypeVar("Kind", bound=np.floating)

NEGLIGIBLE = 1e-8
"""A total variance below this is rounding: of grey 0…1, and of blocks of unit length."""


_ROWS_AT_ONCE = 256


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
    """

    mean: Floats
    scale: Floats
    axes: Floats
    variances: Doubles

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
            Of faces. They are read twice, and not held in between.
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
        matrix = scaled(_read(features, part_of(tick, 0, 3)), blocks)
        gram = gram_of(matrix, part_of(tick, 1, 3))
        matrix = replace(matrix, pixels=features)
        weights = people_axes(gram, people, scatter)
        variances = ((gram @ weights) ** 2).sum(axis=0) / (len(gram) - 1)
        if are_few(people):
            variances = np.concatenate([variances, [variances.min()]])
        del gram
        axes = _sums(matrix, weights, part_of(tick, 2, 3)).astype(np.float32)
        axes *= signs_of(axes)[:, None]
        return cls(
            mean=matrix.mean.astype(np.float32),
            scale=matrix.scale.astype(np.float32),
            axes=axes,
            variances=variances,
        )

    def __len__(self) -> int:
        return len(self.variances)

    @property
    def has_outside(self) -> bool:
        """Whether the last coordinate is what lies outside."""
        return len(self.variances) > len(self.axes)

    @property
    def kept(self) -> Doubles:
        """(j,) share of the variance along all axes that the first 1 … j of them keep."""
        return np.cumsum(self.variances) / self.variances.sum()

    @property
    def components(self) -> None:
        """Nothing turns coordinates back into pixels."""
        return

    def project(self, features: Floats) -> Floats:
        """Return the coordinates (…, j) of features (…, f) to enrol: with nothing outside."""
        along = self._deviations(features) @ self.axes.T
        return with_outside(along, np.zeros(along.shape[:-1])) if self.has_outside else along

    def in_and_from(self, features: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return the first k coordinates (m, k) of features (m, f), and what these leave out.

        That is their distance (m,) from all features with the mean plus a sum of the first k axes.
        """
        left = self._deviations(features).astype(np.float64)
        axes = self.axes[:k].astype(np.float64)
        along = left @ axes.T
        left -= np.linalg.solve(axes @ axes.T, along.T).T @ axes
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
        return (features - self.mean) / self.scale


def with_outside(along: NDArray[Kind], far: Doubles) -> NDArray[Kind]:
    """Return coordinates (…, j) with one more, the last: what lies outside (…)."""
    return np.concatenate([along, far[..., None].astype(along.dtype)], axis=-1)


def _sums(matrix: Centred, weights: Doubles, tick: Tick) -> Doubles:
    """Return sums of the rows of a centred matrix (n, f), with weights (n, j): (j, f)."""
    (n, f), sums = matrix.shape, np.zeros((weights.shape[1], matrix.shape[1]))
    for start in range(0, n, _ROWS_AT_ONCE):
        tick(start, n)
        stop = min(start + _ROWS_AT_ONCE, n)
        piece = matrix.rows(start, stop)
        for first in range(0, f, COLUMNS_AT_ONCE):
            here = slice(first, first + COLUMNS_AT_ONCE)
            sums[:, here] += weights[start:stop].T @ piece[:, here]
    tick(n, n)
    return sums


def _read(features: Floats | Crops, tick: Tick) -> Floats:
    """Return all features as an array; where they are in none, read some after others."""
    if isinstance(features, Crops) and not isinstance(features.source, np.ndarray):
        return features.each(lambda some: some, tick, at_once=_ROWS_AT_ONCE)
    tick(1, 1)
    return features[:]


def scaled(features: Floats, blocks: Sequence[int] = ()) -> Centred:
    """Return features (n, f) minus their mean, each block over the root of its total variance."""
    if len(features) < 2:
        raise EigenfacesError("A face space needs at least two photographs.")
    mean = features.mean(axis=0, dtype=np.float64)
    if not np.isfinite(mean).all():
        raise EigenfacesError("Some faces hold values that are not numbers.")
    matrix = Centred(features, mean, np.ones_like(mean))
    squares = [(piece**2).sum(axis=0) for _, piece in matrix.over_columns(np.float64)]
    variances = np.concatenate(squares) / (len(features) - 1)
    if variances.sum() < NEGLIGIBLE:
        raise EigenfacesError("All faces are the same, so there is nothing to tell apart.")
    if not blocks:
        return matrix
    totals = np.add.reduceat(variances, np.cumsum([0, *blocks[:-1]]))
    roots = np.sqrt(np.where(totals > NEGLIGIBLE, totals, 1))
    return Centred(features, mean, np.repeat(roots, blocks))


def gram_of(matrix: Centred, tick: Tick = no_tick) -> Doubles:
    """Return the inner products (n, n) of the rows of a centred matrix, in double precision."""
    (gram,) = grams_of(matrix, tick=tick)
    return gram


def grams_of(matrix: Centred, blocks: Sequence[int] = (), tick: Tick = no_tick) -> Doubles:
    """Return the same of each block of columns, (b, n, n)."""
    n, d = matrix.pixels.shape
    ends = np.cumsum(blocks or [d])
    grams = np.zeros((len(ends), n, n))
    for number, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        here, step = slice(start, end), part_of(tick, number, len(ends))
        block = Centred(matrix.pixels[:, here], matrix.mean[here], matrix.scale[here])
        for _, piece in block.over_columns(np.float64, step):
            _add_products(piece, grams[number])
        for rows in _pieces(n):
            grams[number, : rows.start, rows] = grams[number, rows, : rows.start].T
    return grams


def _add_products(piece: NDArray[np.floating], gram: Doubles) -> None:
    """Add the inner products of rows to those (n, n) of each row with the ones before it."""
    for rows in _pieces(len(gram)):
        gram[rows, : rows.stop] += piece[rows] @ piece[: rows.stop].T


def _pieces(n: int) -> Iterator[slice]:
    step = 2 * _ROWS_AT_ONCE
    yield from (slice(start, min(start + step, n)) for start in range(0, n, step))
