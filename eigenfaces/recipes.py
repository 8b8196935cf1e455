"""How a face crop is compared: a saved value, applied alike to the gallery and to every probe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from eigenfaces.alignment import Floats
from eigenfaces.distances import distance_named
from eigenfaces.errors import EigenfacesError
from eigenfaces.lighting import Lighting, Window, even_light, through_window

Scaling = Literal["covariance", "correlation"]
Whitening = Literal["none", "pca", "zca"]
Rule = Literal["nearest", "class mean", "mean distance"]


@dataclass(frozen=True)
class Recipe:
    """Crop → verdict. Changing it never reads a photograph again.

    Parameters
    ----------
    name
        What it is called.
    lighting
        How light is evened out in each crop: see `eigenfaces.lighting.even_light`.
    window
        What keeps the background out: see `eigenfaces.lighting.through_window`.
    scaling
        ``covariance``: plain PCA; ``correlation``: every pixel divided by its standard deviation.
    components
        How many are compared: a count, or as a float the share of the variance to keep.
    dropped
        How many of them, the leading ones, are left out of the comparison. It helps some distances
        under some light and harms others: measure it.
    whitening
        ``pca``: coordinates divided by √(λ + smoothing); ``zca``: the same, rotated back to pixels.
    smoothing
        ε ≥ 0 in the whitening, in units of variance (grey² summed over pixels).
    distance
        A name of `eigenfaces.distances.DISTANCES`.
    rule
        ``nearest``: the nearest enrolled face names the person (k-NN for ``neighbours`` > 1, ties
        by the smaller summed distance); ``class mean``: the nearest mean of a person's faces;
        ``mean distance``: the smallest mean of the distances to a person's faces.
    """

    name: str = "Eigenfaces"
    lighting: Lighting = "none"
    window: Window = "none"
    scaling: Scaling = "covariance"
    components: int | float = 0.95
    dropped: int = 0
    whitening: Whitening = "none"
    smoothing: float = 0.0
    distance: str = "L2"
    rule: Rule = "nearest"
    neighbours: int = 1

    def __post_init__(self) -> None:
        distance_named(self.distance)
        for value, kind in (
            (self.lighting, Lighting),
            (self.window, Window),
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
        if self.dropped < 0 or (not share and self.dropped >= self.components):
            raise EigenfacesError(
                "Drop fewer of the leading components than are compared: at least one must be left."
            )
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0):
            raise EigenfacesError("The smoothing ε of the whitening must be 0 or more.")
        if self.neighbours < 1:
            raise EigenfacesError("The number of neighbours must be at least 1.")
        if self.whitening != "none" and self.distance.startswith(("Mahalanobis", "Yambor")):
            raise EigenfacesError(
                f"“{self.distance}” whitens by itself: choose no whitening, or another distance."
            )

    def features(self, pixels: Floats, shape: tuple[int, int]) -> Floats:
        """Turn crops (n, d) of (h, w) into what the face space is built from, (n, d)."""
        faces = even_light(pixels.reshape(-1, *shape), self.lighting)
        return through_window(faces, self.window).reshape(pixels.shape)

    def refits(self, other: Recipe) -> bool:
        """Say whether going over to another recipe needs a new face space."""
        return any(
            getattr(self, name) != getattr(other, name)
            for name in ("lighting", "window", "scaling")
        )
