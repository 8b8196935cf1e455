"""What faces are compared in, in every fold of an evaluation: each fitted to that fold alone.

The face spaces of all folds are computed fast, from sums over all faces that are made once.

Of few faces, their Gram matrix. The inner products of the mean-subtracted faces of a fold are a
centred sub-block of it. Its eigenvectors give the coordinates of every face in the fold's own face
space without using the pixels again: cᵢ = K̃ᵢ V / σ, where K̃ is the block centred by the fold's
mean (Schölkopf, Smola and Müller 1998, with a linear kernel).

Of few pixels, their scatter matrix: that of a fold is what is left without the other faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.centred import TOLERANCE
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.space.facespace import FaceSpace, fewest_components
from eigenfaces.space.leading import LARGE, eigenpairs
from eigenfaces.space.representation import Representation
from eigenfaces.space.svd import LARGEST_EXACT, LEADING

ALIKE = 192
"""BLAS works on several rows and columns at once, and may round some left over at the end
otherwise: a multiple of these comes out as in the product of all, to the last bit."""

_FEWER = 3 / 4
"""Of a smaller share of pixels than of faces, their scatter matrix is the smaller way."""

_LARGEST_GRAM, _FITTED = 8000, 1 / 4
"""Faces up to which there is a Gram matrix of all, 0.5 GB; and the share of more than
`LARGEST_EXACT` faces that a fold is fitted to at least, where it pays."""

_ROWS_AT_ONCE, _FACES_AT_ONCE = 1024, 256
_NUMBERS_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False)
class FoldSpace:
    """All n faces in the face space of a fold.

    Parameters
    ----------
    coordinates
        (n, k), all components, or the first that were asked for.
    variances
        (k,) λ along each, of the training faces.
    kept
        (k,) share of the variance that the first 1 … k components keep.
    squared_deviations
        (n,) ‖x − m‖² of each face.
    span
        Enrolled faces have so many of the coordinates, and 0 along the others; None: all.
    """

    coordinates: Doubles
    variances: Doubles
    kept: Doubles
    squared_deviations: Doubles
    span: int | None = None

    def __len__(self) -> int:
        return len(self.variances)

    def enrolled(self, rows: Numbers) -> Doubles:
        """Return the coordinates (m, k) that faces are enrolled with."""
        along = self.coordinates[rows]
        if self.span is not None:
            along[:, self.span :] = 0
        return along

    def left_out(self, rows: Numbers) -> Doubles:
        """Return the mean share of the faces' squared deviation that 1 … k components lose."""
        whole = self.squared_deviations[rows]
        some = whole > 0
        if not some.any():
            return np.zeros(len(self))
        asked, whole = rows[some], whole[some, None]
        sums, step = np.empty((0, len(self))), 1 + _NUMBERS_AT_ONCE // (1 + len(self))
        for start in range(0, len(asked), step):
            part = slice(start, start + step)
            kept = np.cumsum(self.coordinates[asked[part]] ** 2, axis=1)
            lost = np.clip(1 - kept / whole[part], 0, 1)
            sums = np.concatenate([sums, lost]).sum(axis=0, keepdims=True)
        return sums[0] / len(asked)


class Folds(Protocol):
    """How the space of a fold is fitted, for any fold of the same n faces."""

    def fit(self, train: Numbers, wanted: int | float | None = None) -> FoldSpace:
        """Return all n faces in the space fitted to at least two training rows.

        ``wanted``: how many components are compared, or the share of the variance they keep, if
        the coordinates along others need not be known.
        """
        ...

    def prepare(self, fewest: int) -> None:
        """Compute what is the same for all folds, the smallest fitted to ``fewest`` faces."""
        ...


@dataclass(frozen=True, eq=False)
class RefittedFolds:
    """Folds of any representation, each fitted anew.

    Parameters
    ----------
    features
        (n, f) of all faces.
    refit
        A function that returns the representation fitted to some rows.
    """

    features: Crops
    refit: Callable[[Numbers], Representation]

    def fit(self, train: Numbers, wanted: int | float | None = None) -> FoldSpace:
        """Return all faces in the representation fitted to the training rows."""
        space = self.refit(train)
        n, k = len(self.features), len(space)
        coordinates, squares, enrolled = np.empty((n, k)), np.empty(n), np.zeros(n, bool)
        enrolled[train] = True
        for start in range(0, n, _FACES_AT_ONCE):
            some = slice(start, start + _FACES_AT_ONCE)
            features, here = self.features[some], start + np.flatnonzero(enrolled[some])
            coordinates[some], outside = space.in_and_from(features, k)
            squares[some] = (coordinates[some] ** 2).sum(axis=1) + outside**2
            coordinates[here] = space.project(features[here - start])
        return FoldSpace(
            coordinates=coordinates,
            variances=space.variances,
            kept=space.kept,
            squared_deviations=squares,
            span=space.span if isinstance(space, DiscriminantSpace) and space.has_outside else None,
        )

    def prepare(self, fewest: int) -> None:
        """Compute nothing: every fold is fitted anew."""


@dataclass(frozen=True, eq=False)
class PixelFolds:
    """Folds of a face space.

    Parameters
    ----------
    features
        (n, d) the crops after lighting correction, which works on each crop separately.
    shape
        (h, w) of a crop.
    correlation
        Whether pixels are divided by their standard deviation.
    """

    features: Crops
    shape: tuple[int, int]
    correlation: bool

    @cached_property
    def gram(self) -> Doubles:
        """(n, n) inner products of the faces, each minus the mean of all of them."""
        pixels = self.features[:, self._varied].astype(np.float64)
        pixels -= pixels.mean(axis=0)
        return pixels @ pixels.T

    @cached_property
    def scatter(self) -> tuple[Doubles, Doubles]:
        """(f,) the mean of all faces, and (f, f) their scatter about it, in pixels that vary."""
        mean = sum(block.sum(axis=0) for block in self._blocks()) / len(self.features)
        return mean, self._sums(np.arange(len(self.features)), mean)[1]

    def fit(self, train: Numbers, wanted: int | float | None = None) -> FoldSpace:
        """Return all faces in the face space fitted to the training rows."""
        return self._way(len(train))(train, wanted)

    def prepare(self, fewest: int) -> None:
        """Compute the Gram or scatter matrix, if a fold needs it."""
        way = self._way(fewest)
        if way == self._by_gram:
            _ = self.gram
        elif way == self._by_scatter:
            _ = self.scatter

    def _way(self, fitted: int) -> Callable[[Numbers, int | float | None], FoldSpace]:
        """Return how a space is fitted to so many faces."""
        n, pixels = len(self.features), int(self._varied.sum())
        if self.correlation:
            return self._by_pixels
        if 0 < pixels <= min(LARGEST_EXACT, _FEWER * n) and fitted >= _FEWER * pixels:
            return self._by_scatter
        few = n <= LARGEST_EXACT or (n <= _LARGEST_GRAM and fitted >= _FITTED * n)
        return self._by_gram if few else self._by_pixels

    @cached_property
    def _varied(self) -> Flags:
        """(d,) which pixels are not the same on all faces."""
        first = self.features[0]
        differ = [(block != first).any(axis=0) for block in self.features.blocks()]
        return np.any(differ, axis=0)

    def _blocks(self) -> Iterator[Doubles]:
        """Yield the pixels that vary, of some faces after others."""
        for block in self.features.blocks():
            yield block[:, self._varied].astype(np.float64)

    def _sums(self, rows: Numbers, mean: Doubles) -> tuple[Doubles, Doubles]:
        """Return the sum (f,) of deviations of some faces from a mean, and of their squares."""
        total, squares = np.zeros(len(mean)), np.zeros((len(mean),) * 2)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            # In parts: pixels that do not vary are left out before there are many of them.
            parts = np.array_split(rows[start : start + _ROWS_AT_ONCE], 8)
            some = np.concatenate([self.features[each][:, self._varied] for each in parts]) - mean
            total += some.sum(axis=0)
            squares += some.T @ some
        return total, squares

    def _by_gram(self, train: Numbers, wanted: int | float | None) -> FoldSpace:
        if len(train) >= LARGE:
            return self._by_large_gram(train, wanted)
        centred = self.gram[:, train]
        mean = centred.mean(axis=1)  # ⟨x, m⟩ of every face
        energy = float(mean[train].mean())  # ⟨m, m⟩
        centred -= mean[:, None]
        centred -= mean[train]
        centred += energy
        found = self._leading(centred[train], wanted)
        vectors, values = found.vectors[:, : found.alike], found.values[: found.alike]
        coordinates = (centred @ vectors / values)[:, : found.asked]
        return self._from_gram(found, coordinates, mean, energy)

    def _by_large_gram(self, train: Numbers, wanted: int | float | None) -> FoldSpace:
        """Return the same; what is known of the fitted faces is not multiplied: they are U Σ."""
        others = np.setdiff1d(np.arange(len(self.gram)), train)
        square, apart = (self.gram[np.ix_(rows, train)] for rows in (train, others))
        mean = np.empty(len(self.gram))
        mean[train], mean[others] = square.mean(axis=1), apart.mean(axis=1)
        energy = float(mean[train].mean())
        for rows, products in ((train, square), (others, apart)):
            products -= mean[rows][:, None]
            products -= mean[train]
            products += energy
        found = self._leading(square, wanted)
        vectors, values = found.vectors[:, : found.asked], found.values[: found.asked]
        coordinates = np.empty((len(mean), found.asked))
        coordinates[train], coordinates[others] = vectors * values, apart @ vectors / values
        return self._from_gram(found, coordinates, mean, energy)

    def _leading(self, square: Doubles, wanted: int | float | None) -> _Leading:
        most = None if len(square) <= LARGEST_EXACT else LEADING
        return _Leading.of(square, len(square), float(np.trace(self.gram)), wanted, most)

    def _from_gram(
        self, found: _Leading, coordinates: Doubles, mean: Doubles, energy: float
    ) -> FoldSpace:
        deviations = np.diag(self.gram) - 2 * mean + energy
        return FoldSpace(
            coordinates=coordinates,
            variances=found.values**2 / (len(found.vectors) - 1),
            kept=found.kept,
            squared_deviations=np.maximum(deviations, 0),
        )

    def _by_scatter(self, train: Numbers, wanted: int | float | None) -> FoldSpace:
        overall, square = self.scatter
        away = np.setdiff1d(np.arange(len(self.features)), train)
        if 2 * len(away) < len(self.features):
            total, gone = self._sums(away, overall)
            total, square = -total, square - gone
        else:
            total, square = self._sums(train, overall)
        mean = total / len(train)
        square -= len(train) * np.multiply.outer(mean, mean)
        found = _Leading.of(square, len(train), float(np.trace(self.scatter[1])), wanted)
        coordinates, squares = [], []
        for block in self._blocks():
            block -= overall + mean
            coordinates.append((block @ found.vectors[:, : found.alike])[:, : found.asked])
            squares.append(np.einsum("ij,ij->i", block, block))
        return FoldSpace(
            coordinates=np.concatenate(coordinates),
            variances=found.values**2 / (len(train) - 1),
            kept=found.kept,
            squared_deviations=np.concatenate(squares),
        )

    def _by_pixels(self, train: Numbers, wanted: int | float | None) -> FoldSpace:
        fitted = self.features.select(train)
        first = fitted[0]
        if all((block == first).all() for block in fitted.blocks()):  # the same face
            none = np.empty((len(self.features), 0))
            return FoldSpace(none, np.empty(0), np.empty(0), np.zeros(len(self.features)))
        space = FaceSpace.fit(fitted, self.shape, correlation=self.correlation)
        squares = [
            (space.standardise(block).astype(np.float64) ** 2).sum(axis=1)
            for block in self.features.blocks()
        ]
        kept = _kept(space.variances, space.total_variance)
        asked = len(space) if wanted is None else fewest_components(kept, wanted)
        some = space.first(min(len(space), _alike(asked)))
        coordinates = np.empty((len(self.features), asked))
        for start in range(0, len(coordinates), _FACES_AT_ONCE):
            part = slice(start, start + _FACES_AT_ONCE)
            coordinates[part] = some.project(self.features[part])[:, :asked]
        return FoldSpace(
            coordinates=coordinates,
            variances=space.variances,
            kept=kept,
            squared_deviations=np.concatenate(squares),
        )


@dataclass(frozen=True, eq=False)
class _Leading:
    """Of a matrix of squares: singular values (k,), largest first, and vectors (m, k).

    ``kept``: (k,) share of the variance that the first 1 … k keep. ``asked``: how many of the
    vectors are asked for.
    """

    values: Doubles
    vectors: Doubles
    kept: Doubles
    asked: int

    @classmethod
    def of(
        cls,
        square: Doubles,
        fitted: int,
        every: float,
        wanted: int | float | None,
        most: int | None = None,
    ) -> _Leading:
        """Return those of so many fitted faces; ``every``: the trace of the matrix of all faces.

        ``most``: how many are found at most; None for all.
        """
        squares, vectors = eigenpairs(square, wanted, most)
        values = np.sqrt(np.maximum(squares, 0))
        # Values that are negligible compared with the faces are rounding errors.
        floor = max(TOLERANCE * float(values[0]), 1e-9 * float(np.sqrt(every)), 1e-12)
        keep = min(fitted - 1, int((values > floor).sum()))
        values, vectors = values[:keep], vectors[:, :keep]
        kept = _kept(values**2 / (fitted - 1), float(np.trace(square)) / (fitted - 1))
        asked = keep if wanted is None or not keep else fewest_components(kept, wanted)
        return cls(values, vectors, kept, asked)

    @property
    def alike(self) -> int:
        """How many vectors are multiplied, so that the asked ones come out as among all."""
        return _alike(self.asked)


def _alike(asked: int) -> int:
    return -(-asked // ALIKE) * ALIKE


def _kept(variances: Doubles, total: float) -> Doubles:
    return np.cumsum(variances) / max(total, 1e-300)
