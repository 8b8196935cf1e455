"""How a face crop is compared: a saved value, applied alike to the gallery and to every probe."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from eigenfaces.arrays import Floats
from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.crops import Crops
from eigenfaces.recognition.lighting import Lighting, Window, even_light, through_window
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.facespace import FaceSpace
from eigenfaces.space.whitening import Smoothing, percentage
from eigenfaces.wording import one_of

Scaling = Literal["covariance", "correlation"]
Whitening = Literal["none", "pca", "zca"]
Rule = Literal["nearest", "class mean", "mean distance"]
MOST_COUNTED = 100_000
"""Components, and neighbours, that can be asked for: more than any face space has."""

MOST_SMOOTHING = 1_000_000.0
"""The largest ε: more than the variance of all pixels of the largest faces together."""

MOST_SHARE = 1000.0
"""The largest ε in per cent of the mean variance kept."""


@dataclass(frozen=True)
class Recipe:
    """Crop → verdict. Changing it never reads a photograph again.

    Names may be written as on the command line (``l2``, ``tan-triggs``); the value has their
    standard form. Impossible values raise `EigenfacesError`.

    Parameters
    ----------
    name
        Its name.
    lighting
        Lighting correction of each crop: see `eigenfaces.recognition.lighting.even_light`.
    window
        The window against the background: see `eigenfaces.recognition.lighting.through_window`.
    scaling
        ``covariance``: plain PCA; ``correlation``: every pixel divided by its standard deviation.
    components
        The number to compare: a count, or as a float the share of the variance to keep.
    dropped
        The number of leading components left out of the comparison. It helps some distances
        in some light and is worse for others: measure it.
    whitening
        ``pca``: coordinates divided by √(λ + smoothing); ``zca``: the same, rotated back to pixels.
    smoothing
        ε ≥ 0 in the whitening, in units of variance (grey² summed over pixels); or, as a text like
        ``10%``, its share of the mean variance of the components kept: see `epsilon`.
    distance
        A name of `eigenfaces.space.distances.DISTANCES`.
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
    smoothing: Smoothing = 0.0
    distance: str = "L2"
    rule: Rule = "nearest"
    neighbours: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise EigenfacesError("The name of a recipe must be text.")
        for field, known, kind in _NAMES:
            object.__setattr__(self, field, one_of(known, getattr(self, field), kind))
        for field, checked in _NUMBERS:
            object.__setattr__(self, field, checked(getattr(self, field)))
        if isinstance(self.components, int) and self.dropped >= self.components:
            raise EigenfacesError(
                "Drop fewer of the leading components than are compared: at least one must be left."
            )
        if self.whitening != "none" and DISTANCES[self.distance].whitens:
            raise EigenfacesError(
                f"“{self.distance}” whitens by itself: choose no whitening, or another distance."
            )

    def features(self, pixels: Floats, shape: tuple[int, int]) -> Floats:
        """Return the features (n, d) of crops (n, d) of (h, w): the input of the face space."""
        faces = even_light(pixels.reshape(-1, *shape), self.lighting)
        return through_window(faces, self.window).reshape(pixels.shape)

    def features_of(self, crops: Crops, shape: tuple[int, int]) -> Crops:
        """Return the features of all crops, made some at a time.

        Without lighting and window they are the crops themselves, a byte a pixel.
        """
        if self.lighting == self.window == "none":
            return crops
        return Crops(crops.each(lambda pixels: self.features(pixels, shape)))

    def fit(
        self, features: Floats | Crops, shape: tuple[int, int], tick: Tick = no_tick
    ) -> FaceSpace:
        """Return the face space fitted to the features (n, d) of crops (h, w)."""
        return FaceSpace.fit(features, shape, correlation=self.scaling == "correlation", tick=tick)

    def refits(self, other: Recipe) -> bool:
        """Return whether a change to another recipe needs a new face space."""
        return any(
            getattr(self, name) != getattr(other, name)
            for name in ("lighting", "window", "scaling")
        )


def _number(said: object) -> float:
    """Return a Python or NumPy number as a Python number; for anything else, an invalid one."""
    if isinstance(said, bool | np.bool_) or not isinstance(said, numbers.Real):
        return math.nan
    try:
        return int(said) if isinstance(said, numbers.Integral) else float(said)
    except OverflowError:
        return math.nan


def _components(said: object) -> int | float:
    number = _number(said)
    if not (1 <= number <= MOST_COUNTED if isinstance(number, int) else 0 < number <= 1):
        raise EigenfacesError(
            f"Give the components as a count of 1 to {MOST_COUNTED:,}, or as a share above 0 and "
            "up to 1.0."
        )
    return number


def _count(least: int, what: str) -> Callable[[object], int]:
    def checked(said: object) -> int:
        number = _number(said)
        if not isinstance(number, int) or not least <= number <= MOST_COUNTED:
            raise EigenfacesError(
                f"The number of {what} must be a whole number of {least} to {MOST_COUNTED:,}."
            )
        return number

    return checked


def _smoothing(said: object) -> Smoothing:
    if isinstance(said, str) and said.rstrip().endswith("%"):
        try:
            per_cent = percentage(said)
        except ValueError:
            per_cent = math.nan
        if 0 <= per_cent <= MOST_SHARE:
            return f"{per_cent:.10g}%"
    else:
        number = _number(said)
        if 0 <= number <= MOST_SMOOTHING:
            return float(number)
    raise EigenfacesError(
        f"Give the smoothing ε of the whitening as a variance of 0 to {MOST_SMOOTHING:,.0f}, or as "
        f"a share of the mean variance kept, of 0% to {MOST_SHARE:.0f}%."
    )


_NAMES: tuple[tuple[str, Iterable[str], str], ...] = (
    ("distance", DISTANCES, "distance"),
    ("lighting", get_args(Lighting), "lighting"),
    ("window", get_args(Window), "window"),
    ("scaling", get_args(Scaling), "scaling"),
    ("whitening", get_args(Whitening), "whitening"),
    ("rule", get_args(Rule), "rule"),
)
_NUMBERS: tuple[tuple[str, Callable[[object], Smoothing]], ...] = (
    ("components", _components),
    ("dropped", _count(0, "leading components to drop")),
    ("smoothing", _smoothing),
    ("neighbours", _count(1, "neighbours")),
)
