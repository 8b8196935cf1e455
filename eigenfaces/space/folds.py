"""What faces are compared in, in every fold of an evaluation: each fitted to that fold alone.

The face spaces of all folds are computed fast, from one Gram matrix. The inner products of the
mean-subtracted faces of a fold are a centred sub-block of the inner products of all faces, which
are computed once. Its eigenvectors give the coordinates of every face in the fold's own face space
without using the pixels again: cᵢ = K̃ᵢ V / σ, where K̃ is the block centred by the fold's mean
(Schölkopf, Smola and Müller 1998, with a linear kernel).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from eigenfaces.arrays import Doubles, Numbers
from eigenfaces.faces.crops import Crops
from eigenfaces.space.centred import TOLERANCE
from eigenfaces.space.facespace import FaceSpace, fewest_components
from eigenfaces.space.representation import Representation, own
from eigenfaces.space.svd import LARGEST_EXACT

_ALIKE = 192
"""BLAS works on several columns at once, and may round some left over at the end otherwise: a
multiple of these comes out as in the product of all columns, to the last bit."""


@dataclass(frozen=True, eq=False)
class FoldSpace:
    """All n faces in the face space of a fold.

    Parameters
    ----------
    coordinates
        (n, k), all components, or the first that were asked for; (n, 2, k) of faces and their
        mirror images.
    variances
        (k,) λ along each, of the training faces.
    kept
        (k,) share of the variance that the first 1 … k components keep.
    squared_deviations
        (n,) ‖x − m‖² of each face.
    components
        (k, d), if the comparison needs them.
    """

    coordinates: Doubles
    variances: Doubles
    kept: Doubles
    squared_deviations: Doubles
    components: Doubles | None = None

    def __len__(self) -> int:
        return len(self.variances)

    def left_out(self, rows: Numbers) -> Doubles:
        """Return the mean share of the faces' squared deviation that 1 … k components lose."""
        whole = self.squared_deviations[rows]
        some = whole > 0
        if not some.any():
            return np.zeros(len(self))
        kept = np.cumsum(own(self.coordinates[rows[some]]) ** 2, axis=1)
        return np.clip(1 - kept / whole[some, None], 0, 1).mean(axis=0)


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
        inside, outside = space.in_and_from(self.features[:], len(space))
        coordinates = inside.astype(np.float64)
        return FoldSpace(
            coordinates=coordinates,
            variances=space.variances,
            kept=space.kept,
            squared_deviations=(coordinates**2).sum(axis=1) + outside**2,
            components=None if space.components is None else space.components.astype(np.float64),
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
    components
        Whether the comparison needs them.
    """

    features: Crops
    shape: tuple[int, int]
    correlation: bool
    components: bool

    @cached_property
    def gram(self) -> Doubles:
        """(n, n) inner products of the faces, each minus the mean of all of them."""
        pixels = self.features[:].astype(np.float64)
        pixels -= pixels.mean(axis=0)
        return pixels @ pixels.T

    def fit(self, train: Numbers, wanted: int | float | None = None) -> FoldSpace:
        """Return all faces in the face space fitted to the training rows."""
        return (
            self._by_gram(train, wanted) if self._from_gram(len(train)) else self._by_pixels(train)
        )

    def prepare(self, fewest: int) -> None:
        """Compute the Gram matrix, if a fold needs it."""
        if self._from_gram(fewest):
            _ = self.gram

    def _from_gram(self, fitted: int) -> bool:
        return not (self.correlation or self.components) and fitted <= LARGEST_EXACT

    def _by_gram(self, train: Numbers, wanted: int | float | None) -> FoldSpace:
        block = self.gram[:, train]
        mean = block.mean(axis=1)  # ⟨x, m⟩ of every face
        energy = float(mean[train].mean())  # ⟨m, m⟩
        centred = block - mean[:, None] - mean[train] + energy
        squares, vectors = np.linalg.eigh(centred[train])
        values = np.sqrt(np.maximum(squares[::-1], 0))
        # Values that are negligible compared with the faces are rounding errors.
        floor = max(TOLERANCE * values[0], 1e-9 * float(np.sqrt(np.trace(self.gram))), 1e-12)
        keep = min(len(train) - 1, int((values > floor).sum()))
        values, vectors = values[:keep], vectors[:, ::-1][:, :keep]
        deviations = np.diag(self.gram) - 2 * mean + energy
        variances = values**2 / (len(train) - 1)
        kept = _kept(variances, float(np.trace(centred[train])) / (len(train) - 1))
        most = keep if wanted is None or not keep else fewest_components(kept, wanted)
        some = -(-most // _ALIKE) * _ALIKE
        return FoldSpace(
            coordinates=(centred @ vectors[:, :some] / values[:some])[:, :most],
            variances=variances,
            kept=kept,
            squared_deviations=np.maximum(deviations, 0),
        )

    def _by_pixels(self, train: Numbers) -> FoldSpace:
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
        return FoldSpace(
            coordinates=self.features.each(space.project).astype(np.float64),
            variances=space.variances,
            kept=_kept(space.variances, space.total_variance),
            squared_deviations=np.concatenate(squares),
            components=space.components.astype(np.float64) if self.components else None,
        )


def _kept(variances: Doubles, total: float) -> Doubles:
    return np.cumsum(variances) / max(total, 1e-300)
