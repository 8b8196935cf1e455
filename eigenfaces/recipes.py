"""How a face crop is compared: a saved value, applied alike to the gallery and to every probe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from eigenfaces.distances import distance_named
from eigenfaces.errors import EigenfacesError

Scaling = Literal["covariance", "correlation"]
Whitening = Literal["none", "pca", "zca"]
Rule = Literal["nearest", "class mean"]


@dataclass(frozen=True)
class Recipe:
    """Crop → verdict. Changing it never reads a photograph again.

    Parameters
    ----------
    name
        What it is called.
    remove_photo_mean
        Subtract from each crop its own mean grey: takes out overall brightness.
    scaling
        ``covariance``: plain PCA; ``correlation``: every pixel divided by its standard deviation.
    components
        How many are compared: a count, or as a float the share of the variance to keep.
    whitening
        ``pca``: coordinates divided by √(λ + smoothing); ``zca``: the same, rotated back to pixels.
    smoothing
        ε ≥ 0 in the whitening, in units of variance (grey² summed over pixels).
    distance
        A name of `eigenfaces.distances.DISTANCES`.
    rule
        ``nearest``: the nearest enrolled face names the person (k-NN for ``neighbours`` > 1, ties
        by the smaller summed distance); ``class mean``: the nearest mean of a person's faces.
    """

    name: str = "Eigenfaces"
    remove_photo_mean: bool = False
    scaling: Scaling = "covariance"
    components: int | float = 0.95
    whitening: Whitening = "none"
    smoothing: float = 0.0
    distance: str = "L2"
    rule: Rule = "nearest"
    neighbours: int = 1

    def __post_init__(self) -> None:
        distance_named(self.distance)
        for value, kind in (
            (self.scaling, Scaling),
            (self.whitening, Whitening),
            (self.rule, Rule),
        ):
            if value not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise EigenfacesError(f"There is no “{value}”. Choose one of: {known}.")
        share = isinstance(self.components, float)
        if not (0 < self.components <= 1 if share else self.components >= 1):
            raise EigenfacesError(
                "Give the components as a count of at least 1, or as a share above 0 and up to 1.0."
            )
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0):
            raise EigenfacesError("The smoothing ε of the whitening must be 0 or more.")
        if self.neighbours < 1:
            raise EigenfacesError("The number of neighbours must be at least 1.")
        if self.whitening != "none" and self.distance.startswith(("Mahalanobis", "Yambor")):
            raise EigenfacesError(
                f"“{self.distance}” whitens by itself: choose no whitening, or another distance."
            )

    def features(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Turn crops (n, d) into what the face space is built from, (n, d)."""
        if not self.remove_photo_mean:
            return pixels
        return pixels - pixels.mean(axis=1, keepdims=True, dtype=np.float64).astype(np.float32)

    def picture(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Turn what the face space is built from, or the mean of it, into grey to be looked at.

        Without each photograph's own mean it lies around zero: that is shown as mid-grey.
        """
        return features + np.float32(0.5) if self.remove_photo_mean else features

    def refits(self, other: Recipe) -> bool:
        """Say whether going over to another recipe needs a new face space."""
        return (self.remove_photo_mean, self.scaling) != (other.remove_photo_mean, other.scaling)
