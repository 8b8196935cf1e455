"""What of a face crop is compared: the part of a recipe whose change needs a new fit.

`PixelFeatures` are the classic ones, whose face space is shown as pictures. Other features are
another class in a file of its own; what compares asks for no more than `Features` has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal
from weakref import ref

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.feature_rows import Described, made_once
from eigenfaces.recognition.lighting import (
    LIGHTING,
    WINDOW,
    Lighting,
    Window,
    even_light,
    through_window,
)
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.discriminant import Space
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.folds import Folds, GramFolds, RefittedFolds
from eigenfaces.space.pca import LARGEST_EXACT, LEADING, Decomposition, decompose, deviations
from eigenfaces.text import Field, OneOf, check_fields

Scaling = Literal["covariance", "correlation"]
People = Sequence[str | None]
"""The name of each face; None for one without."""

SCALING = OneOf(
    name="scaling",
    label="Kind of principal components",
    about="Divide each pixel by its standard deviation",
    choices={
        "covariance": "x − m: plain principal components.",
        "correlation": "(x − m) / σ: pixels that hardly vary count as much as those that do.",
    },
    flag="correlation",
)

_PROJECTED_AT_ONCE = 64


@dataclass(frozen=True)
class Features(ABC):
    """From crops to what is compared: a frozen value, the same for the gallery and every probe.

    ``FIELDS`` are its settings, one for each field of the dataclass.
    """

    FIELDS: ClassVar[tuple[Field, ...]] = ()

    @property
    def shown(self) -> PixelFeatures:
        """The pixels whose face space people look at beside it."""
        return PixelFeatures()

    @abstractmethod
    def of(self, pixels: Floats, shape: tuple[int, int]) -> Floats:
        """Return the features (n, f) of crops (n, d) of (h, w), each from its own crop."""

    def described(self, crops: Crops, shape: tuple[int, int]) -> Described:
        """Return the features of all crops, unmade."""
        return Described(crops, partial(self.of, shape=shape))

    def of_all(self, crops: Crops, shape: tuple[int, int], tick: Tick = no_tick) -> Crops:
        """Return the features of all crops, made some at a time: of many, in a file."""
        return replace(crops, source=self.described(crops, shape).kept(tick))

    @abstractmethod
    def principal(
        self, features: Crops, wanted: int | None = None, tick: Tick = no_tick
    ) -> Decomposition:
        """Return the principal components of features (n, f), in which spaces are refitted."""

    @abstractmethod
    def fit(
        self,
        features: Crops,
        people: People,
        shape: tuple[int, int],
        tick: Tick = no_tick,
    ) -> Space:
        """Return the representation fitted to the features (n, f) of crops (h, w) of people."""

    def fit_faces(
        self, faces: FaceSet, rows: Sequence[int], tick: Tick = no_tick, *, asked: int = 0
    ) -> tuple[Space, Floats]:
        """Return the representation fitted to the features of some faces, and all coordinates.

        Parameters
        ----------
        faces
            All n.
        rows
            Those fitted to.
        asked
            Components to be compared: where not all are found, so many at least.
        """
        features = features_once(self, faces.pixels, faces.shape, part_of(tick, 0, 3))
        people = [photo.person for photo in faces.index.photos]
        step = part_of(tick, 1, 3)
        space = self.fit_to(features, people, faces.shape, np.asarray(rows), step)
        projected = part_of(tick, 2, 3)
        return space, features.each(space.project, projected, at_once=_PROJECTED_AT_ONCE)

    def fit_to(
        self,
        features: Crops,
        people: People,
        shape: tuple[int, int],
        rows: Numbers,
        tick: Tick = no_tick,
    ) -> Space:
        """Return the representation fitted to some rows of the features of faces."""
        every = np.array_equal(rows, np.arange(len(features)))
        some = made_once(features if every else features.select(rows))
        return self.fit(some, [people[row] for row in rows], shape, tick)

    def over_face(self, parts: Doubles, shape: tuple[int, int]) -> dict[str, Doubles]:
        """Return where numbers, one for each feature, lie on a face: (h, w) for each block.

        ``parts``: (f,), or (sides, f) where features are the mean of those of several sides.
        """
        return {}

    def folds(self, features: Crops, people: People, shape: tuple[int, int]) -> Folds:
        """Return how the representation of each fold of these faces is fitted: here, anew."""
        return RefittedFolds(features, partial(self.fit_to, features, people, shape))


@dataclass(frozen=True)
class PixelFeatures(Features):
    """The grey levels of a crop, whose representation is the face space.

    Their light is evened out (`lighting.even_light`), then the background kept out
    (`lighting.through_window`); ``correlation`` scaling divides by each pixel's deviation.
    """

    lighting: Lighting = "none"
    window: Window = "none"
    scaling: Scaling = "covariance"

    FIELDS: ClassVar[tuple[Field, ...]] = (LIGHTING, WINDOW, SCALING)

    def __post_init__(self) -> None:
        check_fields(self, self.FIELDS)

    @property
    def shown(self) -> PixelFeatures:
        """Themselves: people look at what is compared."""
        return self

    def of(self, pixels: Floats, shape: tuple[int, int]) -> Floats:
        """Return the features (n, d) of crops (n, d): their light evened out."""
        faces = even_light(pixels.reshape(-1, *shape), self.lighting)
        return through_window(faces, self.window).reshape(pixels.shape)

    def of_all(self, crops: Crops, shape: tuple[int, int], tick: Tick = no_tick) -> Crops:
        """Return the features of all crops; as they are, a byte a pixel, if nothing is changed."""
        if self.lighting == self.window == "none":
            return crops
        return super().of_all(crops, shape, tick)

    def fit(
        self,
        features: Crops,
        people: People,
        shape: tuple[int, int],
        tick: Tick = no_tick,
    ) -> FaceSpace:
        """Return the face space fitted to features (n, d), whoever is on them."""
        return FaceSpace.fit(features, shape, correlation=self.scaling == "correlation", tick=tick)

    def fit_faces(
        self, faces: FaceSet, rows: Sequence[int], tick: Tick = no_tick, *, asked: int = 0
    ) -> tuple[FaceSpace, Floats]:
        """Return the face space, and the coordinates: where it was fitted, a part of the SVD."""
        features = features_once(self, faces.pixels, faces.shape)
        fitted = features if len(rows) == len(features) else features.select(rows)
        wanted = max(LEADING, asked) if min(fitted.shape) > LARGEST_EXACT else None
        made = self.principal(fitted, wanted, tick)
        space = FaceSpace.of(made, faces.shape)
        if fitted is features:
            return space, made.coordinates
        coordinates = np.empty((len(features), len(space)), np.float32)
        coordinates[[*rows]] = made.coordinates
        others = np.setdiff1d(np.arange(len(features)), rows)
        coordinates[others] = features.select(others).each(space.project)
        return space, coordinates

    def principal(
        self, features: Crops, wanted: int | None = None, tick: Tick = no_tick
    ) -> Decomposition:
        """Return the principal components of features (n, d)."""
        divide = deviations if self.scaling == "correlation" else None
        return decompose(features, divide=divide, wanted=wanted, tick=tick)

    def over_face(self, parts: Doubles, shape: tuple[int, int]) -> dict[str, Doubles]:
        """Return the numbers at their pixels."""
        return {"pixels": parts.reshape(shape)}

    def folds(self, features: Crops, people: People, shape: tuple[int, int]) -> Folds:
        """Return how face spaces are fitted: of few faces, from their inner products."""
        if self.scaling == "correlation" or len(features) > LARGEST_EXACT:
            return super().folds(features, people, shape)
        return GramFolds(features)


_kept: list[tuple[ref[Crops], tuple[Features, tuple[int, int]], Crops]] = []


def features_once(
    features: Features, crops: Crops, shape: tuple[int, int], tick: Tick = no_tick
) -> Crops:
    """Return the features of all crops (n, d) of (h, w): those made last, if they are the same.

    So training, and the calibration that follows, make them once. They are kept until
    `forget_features`, or until nobody holds the crops any longer.
    """
    wanted = features, shape
    known = next((made for of, what, made in _kept if of() is crops and what == wanted), None)
    if known is not None:
        tick(1, 1)
        return known
    forget_features()
    made = features.of_all(crops, shape, tick)
    if made is not crops:
        _kept[:] = [(ref(crops, lambda _: forget_features()), wanted, made)]
    return made


def forget_features() -> None:
    """Free the features that are kept."""
    _kept.clear()
