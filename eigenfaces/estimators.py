"""Eigenfaces for scikit-learn: a transformer and a classifier, built on the program's functions.

They work with `Pipeline`, `GridSearchCV`, `clone` and `set_output`. The rows of `X` are pictures,
with one value per pixel, although other features work as well. Bytes are grey levels 0…255, which
are divided by 255. `fit` checks the parameters, and its `ValueError` says which values are allowed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, RealNotInt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import Verdict, identify_all
from eigenfaces.space.arrays import Bytes, Doubles, Floats
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.face_space import fewest_components
from eigenfaces.space.pca import Decomposition, as_grey, decompose
from eigenfaces.text import parse_name

_SMALLEST = 16  # the smallest width and height of a face, in pixels
_FLOATS = (np.float64, np.float32)
_READ = (*_FLOATS, np.uint8)  # numbers of these types are kept; all others become doubles

_COMPONENTS = (
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0, 1, closed="right"),
)


def _doubles(rows: Bytes | Floats | Doubles) -> NDArray[Any]:
    """Return the rows in double precision, with bytes converted to grey values in 0…1."""
    return as_grey(rows).astype(np.float64, copy=False)


def _precision(rows: NDArray[Any]) -> type[np.floating[Any]]:
    """Return the precision of the result: single for rows in single precision, otherwise double."""
    return np.float32 if rows.dtype == np.float32 else np.float64


def _decomposition(rows: NDArray[Any], wanted: int | float | None) -> Decomposition:
    """Return the ``wanted`` components of rows (n, d): a number, a share of the variance, or all.

    If there are very many rows, only the leading components are computed at first. If these keep
    too small a share, twice as many are computed, and so on.
    """
    most = min(len(rows) - 1, rows.shape[1])
    if wanted is None or (isinstance(wanted, float) and wanted == 1):
        return decompose(rows, n_components=most)
    if isinstance(wanted, int):
        return decompose(rows, n_components=wanted)
    made = decompose(rows)
    found = 0
    while found < len(made.singular_values) < most:
        found = len(made.singular_values)
        if (made.singular_values**2).sum() / (len(rows) - 1) >= wanted * made.total_variance:
            break
        made = decompose(rows, n_components=2 * found)
    return made


class Eigenfaces(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Principal components of faces, like those of `sklearn.decomposition.PCA`.

    In each component, the entry of largest magnitude is positive. There are at most n − 1
    components for n faces, and none whose variance is only rounding error. For faces in float32,
    every result is float32, but it is computed in double precision.

    Parameters
    ----------
    n_components
        The number of components, the share of variance to keep (a float in 0…1), or None for all.
    whiten
        Whether to divide each coordinate by the standard deviation along its component.

    Attributes
    ----------
    components_
        (k, d), the components as orthonormal rows, in order of decreasing variance.
    explained_variance_, explained_variance_ratio_
        (k,), the variance along each component, and its share of the total variance.
    singular_values_
        (k,), the singular values of the mean-subtracted (n, d) matrix.
    mean_
        (d,), the mean of the training faces.
    n_components_
        The number of components, k.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((20, 12))
    >>> model = Eigenfaces(n_components=5).fit(X)
    >>> model.transform(X).shape, model.inverse_transform(model.transform(X)).shape
    ((20, 5), (20, 12))
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [*_COMPONENTS, None],
        "whiten": ["boolean"],
    }

    def __init__(self, n_components: int | float | None = None, *, whiten: bool = False) -> None:
        self.n_components = n_components
        self.whiten = whiten

    def fit(self, X: ArrayLike, y: object = None) -> Self:  # noqa: N803 - as in scikit-learn
        """Fit to faces (n, d), n ≥ 2, and return self. Raise `ValueError` if that is impossible."""
        self._validate_params()
        given = validate_data(self, X, dtype=_READ, ensure_min_samples=2)
        rows = _doubles(given)
        components = self.n_components
        try:
            if components is not None:
                components = Recipe.of(components=components).matcher.components
            made = _decomposition(rows, components)
        except EigenfacesError as error:
            raise ValueError(str(error)) from error
        variances = made.singular_values**2 / (len(rows) - 1)
        ratio = variances / made.total_variance
        k = len(variances)
        if components is not None:
            k = fewest_components(np.cumsum(ratio), components)
        kind = _precision(given)
        self.n_components_ = k
        self.mean_ = made.mean.astype(kind)
        self.components_ = made.components[:k].astype(kind)
        self.singular_values_ = made.singular_values[:k].astype(kind)
        self.explained_variance_ = variances[:k].astype(kind)
        self.explained_variance_ratio_ = ratio[:k].astype(kind)
        self._divisors = np.sqrt(variances[:k]) if self.whiten else np.ones(k)
        return self

    def transform(self, X: ArrayLike) -> Doubles | Floats:  # noqa: N803
        """Return the coordinates (m, k) of faces (m, d). Raise `NotFittedError` before `fit`."""
        check_is_fitted(self)
        given = validate_data(self, X, dtype=_READ, reset=False)
        coordinates = (_doubles(given) - self.mean_) @ self.components_.T / self._divisors
        return coordinates.astype(_precision(given), copy=False)

    def inverse_transform(self, X: ArrayLike) -> Doubles | Floats:  # noqa: N803
        """Return the faces (m, d) at coordinates (m, k). Raise `NotFittedError` before `fit`."""
        check_is_fitted(self)
        given = check_array(X, dtype=_FLOATS, input_name="X")
        faces = given * self._divisors @ self.components_ + self.mean_
        return faces.astype(_precision(given), copy=False)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self) -> int:
        return self.n_components_


class EigenfaceClassifier(ClassifierMixin, BaseEstimator):
    """Nearest-neighbour classifier of faces in a face space, as in the program.

    Values are grey values in 0…1, or bytes. If some are neither, all values are scaled from the
    range of the training faces, and clipped to it. No value is rounded. Without ``image_shape``,
    each row is laid out as a picture that is nearly square.

    Parameters
    ----------
    recipe
        ``"eigenfaces"``, ``"fisherfaces"`` or ``"texture"``. The last two need ``image_shape`` and
        at least seven classes.
    n_components
        The number of components to compare, or their share of the variance. With None, the recipe
        decides.
    distance
        A distance such as ``"cosine"``. With None, the recipe decides.
    image_shape
        The shape (h, w) of the picture in each row.
    unknown_label
        The label that `predict` returns if nobody is named, such as ``"unknown"``, or −1 if labels
        are numbers. With None, `predict` always returns the nearest class. At least three classes
        are needed to estimate how near strangers come.
    strangers
        The largest share of strangers, 0…1, that may be named, with an ``unknown_label``.

    Attributes
    ----------
    classes_
        The sorted labels.
    gallery_
        The trained `Gallery` that gives the answers.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat(rng.random((4, 30)), 5, axis=0) + 0.1 * rng.random((20, 30))
    >>> model = EigenfaceClassifier().fit(X, np.repeat([*"abcd"], 5))
    >>> model.predict(X[::5])
    array(['a', 'b', 'c', 'd'], dtype='<U1')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "recipe": [str],
        "n_components": [*_COMPONENTS, None],
        "distance": [str, None],
        "image_shape": [tuple, list, None],
        "strangers": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        recipe: str = "eigenfaces",
        *,
        n_components: int | float | None = None,
        distance: str | None = None,
        image_shape: tuple[int, int] | None = None,
        unknown_label: Hashable = None,
        strangers: float = 0.01,
    ) -> None:
        self.recipe = recipe
        self.n_components = n_components
        self.distance = distance
        self.image_shape = image_shape
        self.unknown_label = unknown_label
        self.strangers = strangers

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Enrol faces (n, d) under their labels (n,), and return self.

        Raises
        ------
        ValueError
            There are fewer than two classes, the rows do not fit ``image_shape``, or the value of
            a parameter is not allowed.
        """
        self._validate_params()
        name = self._known("recipe", RECIPES)
        settings: dict[str, Any] = {}
        if self.n_components is not None:
            settings["components"] = self.n_components
        if self.distance is not None:
            settings["distance"] = self._known("distance", DISTANCES)
        if self.image_shape is not None and len(self.image_shape) != 2:
            raise ValueError(
                "The 'image_shape' parameter of EigenfaceClassifier must be (h, w) or None. Got "
                f"{self.image_shape!r} instead."
            )
        given, labels = validate_data(self, X, y, dtype=_READ, ensure_min_samples=2)
        rows = _doubles(given)
        check_classification_targets(labels)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("There is only one class: EigenfaceClassifier needs at least two.")
        if self.unknown_label is not None:
            self._check_unknown_label()
        side = max(_SMALLEST, math.isqrt(rows.shape[1]))
        usual = side, max(_SMALLEST, math.ceil(rows.shape[1] / side))
        height, width = self.image_shape or usual
        if self.image_shape and height * width != rows.shape[1]:
            raise ValueError(f"Rows of {rows.shape[1]} values are not {height} × {width} pixels.")
        low, high = (0.0, 1.0) if 0 <= rows.min() <= rows.max() <= 1 else (rows.min(), rows.max())
        self._shape = (height, width)
        self._low = low
        self._range = (high - low) or 1.0
        try:
            recipe = Recipe.of(name, **settings)
            if self.image_shape is None and recipe.features != recipe.pixels:
                raise EigenfacesError(f"{recipe.name} needs an image_shape.")
            pictures = self._pictures(rows)
            faces = FaceSet.from_arrays(pictures, [f"{at}" for at in numbers])
            # Values are not rounded to grey levels: other features can differ by less.
            faces = replace(faces, pixels=Crops(pictures.reshape(len(rows), -1)))
            prepared = Preparation(height, width, already_cropped=True)
            gallery = Gallery(faces, prepared, recipe, share=self.strangers).train()
            self.gallery_ = gallery.calibrate()
        except EigenfacesError as error:
            raise ValueError(str(error)) from error
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """Return the labels (m,) of faces (m, d). Raise `NotFittedError` before `fit`."""
        verdicts = self._verdicts(X)
        labels = self.classes_[[int(verdict.closest.person) for verdict in verdicts]]
        if self.unknown_label is None:
            return labels
        strange = [verdict.decision.person is None for verdict in verdicts]
        answers: NDArray[Any] = np.where(strange, np.asarray(self.unknown_label), labels)
        return answers

    def predict_proba(self, X: ArrayLike) -> Doubles:  # noqa: N803
        """Return the class probabilities (m, c) of faces (m, d).

        The nearest class gets the certainty of the verdict, but never less than any other class.
        The certainty is 1 if no photographs could be held out to estimate it, and 0 if the picture
        does not seem to show a face. The other classes share the rest equally.
        """
        verdicts = self._verdicts(X)
        count = len(self.classes_)
        shares = np.empty((len(verdicts), count))
        for row, verdict in zip(shares, verdicts, strict=True):
            certain = verdict.decision.probability
            if certain is None:
                certain = 1.0 if verdict.decision.limit is None else 0.0
            first = max(certain, (1 + 1e-9) / count)
            row[:] = (1 - first) / (count - 1)
            row[int(verdict.closest.person)] = first
        return shares

    def _known(self, parameter: str, known: Iterable[str]) -> str:
        """Return the known name to which a parameter is set, or raise `ValueError`."""
        value = getattr(self, parameter)
        try:
            return parse_name(known, value, parameter)
        except EigenfacesError:
            names = ", ".join(map(repr, known))
            raise ValueError(
                f"The {parameter!r} parameter of EigenfaceClassifier must be a str among "
                f"{{{names}}}, in any case. Got {value!r} instead."
            ) from None

    def _check_unknown_label(self) -> None:
        """Raise `ValueError` if the labels and `unknown_label` cannot share one array."""
        label = self.classes_[0]
        unknown = self.unknown_label
        if isinstance(label, str) != isinstance(unknown, str) or np.ndim(np.asarray(unknown)) != 0:
            raise ValueError(
                f"Give an unknown_label of the same type as the labels, such as {label!r}, not "
                f"{unknown!r}: answers of two types cannot be scored."
            )

    def _verdicts(self, X: ArrayLike) -> list[Verdict]:  # noqa: N803
        check_is_fitted(self)
        rows = _doubles(validate_data(self, X, dtype=_READ, reset=False))
        return identify_all(self.gallery_, self._pictures(rows))

    def _pictures(self, rows: Doubles) -> Floats:
        """Return pictures (m, h, w) in 0…1 from rows (m, d), black where there is no value."""
        height, width = self._shape
        flat = np.zeros((len(rows), height * width), np.float32)
        flat[:, : rows.shape[1]] = np.clip((rows - self._low) / self._range, 0, 1)
        return flat.reshape(len(rows), height, width)
