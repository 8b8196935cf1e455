"""The face space of every fold, computed fast: all from one Gram matrix.

The inner products of the mean-subtracted faces of a fold are a centred sub-block of the inner
products of all faces, which are computed once. Its eigenvectors give the coordinates of every face
in the fold's own face space without using the pixels again: cᵢ = K̃ᵢ V / σ, where K̃ is the
block centred by the fold's mean (Schölkopf, Smola and Müller 1998, with a linear kernel).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Doubles
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import Rows
from eigenfaces.faces.crops import Crops
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.svd import LARGEST_EXACT, TOLERANCE


@dataclass(frozen=True, eq=False)
class FoldSpace:
    """All n faces in the face space of a fold.

    Parameters
    ----------
    coordinates
        (n, k), all components.
    variances
        (k,) λ along each, of the training faces.
    total_variance
        Of the training faces.
    squared_deviations
        (n,) ‖x − m‖² of each face.
    components
        (k, d), if the comparison needs them.
    """

    coordinates: Doubles
    variances: Doubles
    total_variance: float
    squared_deviations: Doubles
    components: Doubles | None = None

    def __len__(self) -> int:
        return len(self.variances)

    @property
    def kept(self) -> Doubles:
        """(k,) share of the variance that the first 1 … k components keep."""
        return np.cumsum(self.variances) / max(self.total_variance, 1e-300)

    def left_out(self, rows: Rows) -> Doubles:
        """Return the mean share of the faces' squared deviation that 1 … k components lose."""
        whole = self.squared_deviations[rows]
        some = whole > 0
        if not some.any():
            return np.zeros(len(self))
        kept = np.cumsum(self.coordinates[rows[some]] ** 2, axis=1)
        return np.clip(1 - kept / whole[some, None], 0, 1).mean(axis=0)


@dataclass(frozen=True, eq=False)
class Spaces:
    """Faces prepared by a recipe, and the face space of any fold of them.

    Parameters
    ----------
    features
        (n, d) the crops after lighting correction, which works on each crop separately.
    shape
        (h, w) of a crop.
    recipe
        How the face space is made.
    """

    features: Crops
    shape: tuple[int, int]
    recipe: Recipe

    @classmethod
    def of(cls, faces: FaceSet, recipe: Recipe) -> Spaces:
        """Return the features of faces; raise `EigenfacesError` if some are not numbers."""
        features = recipe.features_of(faces.pixels, faces.shape)
        if not features.are_finite():
            raise EigenfacesError("Some faces hold values that are not numbers.")
        return cls(features, faces.shape, recipe)

    @cached_property
    def gram(self) -> Doubles:
        """(n, n) inner products of the faces, each minus the mean of all of them."""
        pixels = self.features[:].astype(np.float64)
        pixels -= pixels.mean(axis=0)
        return pixels @ pixels.T

    def fit(self, train: Rows) -> FoldSpace:
        """Return all faces in the face space fitted to the training rows."""
        if len(train) < 2:
            raise EigenfacesError("A fold has fewer than two photographs to fit a face space to.")
        recipe = self.recipe
        pixelwise = recipe.whitening == "zca" and not DISTANCES[recipe.distance].rotates
        if recipe.scaling == "correlation" or pixelwise or len(train) > LARGEST_EXACT:
            return self._by_pixels(train, components=pixelwise)
        return self._by_gram(train)

    def _by_gram(self, train: Rows) -> FoldSpace:
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
        return FoldSpace(
            coordinates=centred @ vectors / values,
            variances=values**2 / (len(train) - 1),
            total_variance=float(np.trace(centred[train])) / (len(train) - 1),
            squared_deviations=np.maximum(deviations, 0),
        )

    def _by_pixels(self, train: Rows, *, components: bool) -> FoldSpace:
        fitted = self.features[train]
        if not np.ptp(fitted, axis=0).any():  # all these faces are the same
            none = np.empty((len(self.features), 0))
            return FoldSpace(none, np.empty(0), 0.0, np.zeros(len(self.features)))
        space = self.recipe.fit(fitted, self.shape)
        deviations = space.standardise(self.features[:]).astype(np.float64)
        return FoldSpace(
            coordinates=self.features.each(space.project).astype(np.float64),
            variances=space.variances,
            total_variance=space.total_variance,
            squared_deviations=(deviations**2).sum(axis=1),
            components=space.components.astype(np.float64) if components else None,
        )
