"""Principal coordinates of faces, and the single function that fits spaces to some of the faces.

The features of all faces are rotated into their principal coordinates once. A rotation preserves
all distances, so a space for some of the faces can be fitted in these coordinates. Training calls
`fit` for all faces, calibration for all but one person or one tenth, and evaluation for each fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np

from eigenfaces.errors import EigenfacesError, NotPossibleError, Tick, no_tick
from eigenfaces.space.arrays import Bytes, Coordinates, Doubles, Floats, Numbers
from eigenfaces.space.discriminant import Scatter, discriminant_axes
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import TOLERANCE, as_grey, decompose, eigenpairs, signs_of

MOST_COORDINATES = 1500  # up to this many faces, all coordinates are kept; for more, only this many
MOST_FITTED = 3000  # axes are fitted to at most this many faces, drawn at random

_FACES_AT_ONCE = 256
_SEED = 0


@dataclass(frozen=True, eq=False)
class Principal:
    """The principal coordinates of n faces, and the axes along which they are measured."""

    mean: Doubles  # (f,) mean of the features
    axes: Floats  # (r, f) orthonormal rows, by decreasing variance
    singular_values: Doubles  # (r,) of the mean-subtracted (n, f) features
    total_variance: float  # variance of all features
    coordinates: Coordinates  # (n, r)
    squares_outside: Doubles  # (n,) squared length of each face's part outside the axes
    whole: bool  # whether axes along which the faces do not vary are included

    @classmethod
    def of(
        cls, features: Bytes | Floats, *, whole: bool = False, tick: Tick = no_tick
    ) -> Principal:
        """Return the principal coordinates of n ≥ 2 faces, given their features (n, f).

        For up to `MOST_COORDINATES` faces, all coordinates are kept, so nothing is lost. For more
        faces, only the first `MOST_COORDINATES` are kept. There are none if all faces are the same.

        Raises `EigenfacesError` for fewer than two faces, and for values that are not numbers.
        """
        if whole:
            return cls._of_few_features(as_grey(features).astype(np.float64))
        n = len(features)
        firsts = _first_of_equals(features)
        if n > 1 and not firsts.any():
            return cls._of_equals(as_grey(features))
        rows: Bytes | Floats | Doubles = features
        if n <= MOST_COORDINATES:  # in double precision, so that every refit gives the same digits
            rows = as_grey(features).astype(np.float64)
        made = decompose(rows, n_components=MOST_COORDINATES, tick=tick)
        outside = np.zeros(n)
        if len(made.singular_values) == MOST_COORDINATES:
            mean = made.mean.astype(np.float32)
            for start in range(0, n, _FACES_AT_ONCE):
                some = slice(start, start + _FACES_AT_ONCE)
                away = as_grey(features[some]) - mean
                squares = np.einsum("ij,ij->i", away, away, dtype=np.float64)
                along = made.coordinates[some]
                inside = np.einsum("ij,ij->i", along, along, dtype=np.float64)
                outside[some] = np.maximum(squares - inside, 0)
        return cls(
            mean=made.mean,
            axes=made.components,
            singular_values=made.singular_values,
            total_variance=made.total_variance,
            coordinates=made.coordinates[firsts],
            squares_outside=outside,
            whole=False,
        )

    @classmethod
    def _of_few_features(cls, features: Doubles) -> Principal:
        """Return the principal coordinates along all f axes, even if there are only a few faces."""
        n = len(features)
        mean = features.mean(axis=0)
        centred = features - mean
        squares, vectors = np.linalg.eigh(centred.T @ centred)
        values = np.sqrt(np.maximum(squares[::-1], 0))
        values[values < TOLERANCE * values[0]] = 0  # rounding errors
        axes = vectors[:, ::-1].T
        axes = axes * signs_of(axes)[:, None]
        return cls(
            mean=mean,
            axes=axes,
            singular_values=values,
            total_variance=float((values**2).sum()) / max(n - 1, 1),
            coordinates=centred @ axes.T,
            squares_outside=np.zeros(n),
            whole=True,
        )

    @classmethod
    def _of_equals(cls, features: Floats) -> Principal:
        """Return an instance without coordinates, for faces that are all the same."""
        n, f = features.shape
        return cls(
            mean=features[0].astype(np.float64),
            axes=np.empty((0, f), np.float32),
            singular_values=np.empty(0),
            total_variance=0.0,
            coordinates=np.empty((n, 0)),
            squares_outside=np.zeros(n),
            whole=False,
        )

    def __len__(self) -> int:
        return len(self.coordinates)

    def check_that_faces_differ(self) -> None:
        """Raise `NotPossibleError` if all faces are the same, so that nobody can be recognised."""
        if not self.coordinates.shape[1]:
            raise NotPossibleError("All faces are the same, so there is nothing to tell apart.")

    @property
    def is_truncated(self) -> bool:
        """Whether some coordinates were left out because there were too many faces."""
        return bool(self.squares_outside.any())

    def without_axes(self) -> Principal:
        """Return a copy without axes, which needs far less memory and is sufficient for fitting."""
        return replace(self, mean=np.empty(0), axes=np.empty((0, 0), np.float32))

    def select(self, rows: Numbers) -> Principal:
        """Return the principal coordinates of some of the faces."""
        return replace(
            self, coordinates=self.coordinates[rows], squares_outside=self.squares_outside[rows]
        )

    def face_space(self, shape: tuple[int, int]) -> FaceSpace:
        """Return the face space of the faces, whose features must be pixels of this shape."""
        return FaceSpace(
            mean=self.mean.astype(np.float32),
            components=self.axes.astype(np.float32),
            singular_values=self.singular_values,
            total_variance=self.total_variance,
            count=len(self),
            shape=shape,
        )


@dataclass(frozen=True, eq=False)
class Fit:
    """Axes fitted to some faces, expressed in the r principal coordinates of all faces."""

    mean: Doubles  # (r,) mean of the fitted faces
    axes: Doubles  # (r, j) axes along which faces are compared
    variances: Doubles  # (j,) variance λ of the fitted faces along each axis
    variance_kept: Doubles  # (j,) share of their variance that the first 1 … j axes keep

    def __len__(self) -> int:
        return len(self.variances)

    def project(self, coordinates: Coordinates) -> Doubles:
        """Return the coordinates (…, j) along the axes, given principal coordinates (…, r)."""
        return (coordinates - self.mean) @ self.axes

    def squares_lost(self, principal: Principal, rows: Numbers) -> Doubles:
        """Return the mean shares (j,) of the faces' squared deviations lost with 1 … j axes.

        A share is the squared length outside the span of the axes, divided by the total.
        """
        away = principal.coordinates[rows] - self.mean
        whole = np.einsum("ij,ij->i", away, away) + principal.squares_outside[rows]
        away = away[whole > 0]
        if not len(away) or not len(self):
            return np.zeros(len(self))
        inside = np.cumsum((away @ np.linalg.qr(self.axes)[0]) ** 2, axis=1)
        return np.clip(1 - inside / whole[whole > 0, None], 0, 1).mean(axis=0)


def fit(
    principal: Principal,
    rows: Numbers,
    people: Numbers | None = None,
    scatter: Scatter | None = None,
) -> Fit:
    """Fit the axes along which faces are compared. All fits in the program use this function.

    Parameters
    ----------
    principal
        All n faces in their principal coordinates.
    rows
        (m,) the faces to fit to, of which at most `MOST_FITTED`, drawn at random, are used.
    people
        (n,) the person index of each face, negative for nobody; required with a scatter.
    scatter
        The scatter that is whitened before the people's means are compared (`discriminant_axes`).
        If None, the axes are the principal axes of the rows.
    """
    rows = draw_rows(rows, MOST_FITTED)
    some = principal.coordinates[rows].astype(np.float64)
    mean = some.mean(axis=0)
    some -= mean
    if scatter is not None:
        assert people is not None
        axes = discriminant_axes(some, people[rows], scatter)
        outside = 0.0
    else:
        axes = _principal_axes(some, principal)
        outside = float(principal.squares_outside[rows].sum()) / max(len(rows) - 1, 1)
    variances = ((some @ axes) ** 2).sum(axis=0) / max(len(rows) - 1, 1)
    total = max(float(variances.sum()) + outside, 1e-300)
    return Fit(mean, axes, variances, np.cumsum(variances) / total)


def _first_of_equals(features: Bytes | Floats) -> Numbers:
    """For each row, return the index (n,) of the first row equal to it, so that ties are exact."""
    places: dict[bytes, int] = {}
    firsts = np.empty(len(features), np.intp)
    for place, row in enumerate(features):
        firsts[place] = places.setdefault(blake2b(row.tobytes()).digest(), place)
    return firsts


def _principal_axes(centred: Doubles, principal: Principal) -> Doubles:
    """Return the principal axes (r, j) of centred coordinates (m, r).

    They are computed from the covariance or Gram matrix, whichever is smaller, as in `decompose`.
    """
    m, r = centred.shape
    if principal.whole:
        return np.linalg.eigh(centred.T @ centred)[1][:, ::-1]
    by_covariance = r < m
    squares = centred.T @ centred if by_covariance else centred @ centred.T
    values, vectors = eigenpairs(squares, min(m - 1, r))
    # Values that are negligible relative to the variance of all faces are rounding errors.
    values = values[values > TOLERANCE * principal.singular_values.max(initial=0)]
    vectors = vectors[:, : len(values)]
    return vectors if by_covariance else centred.T @ (vectors / values)


def draw_rows(rows: Numbers, most: int) -> Numbers:
    """Return the rows (n,) in order, or ``most`` of them drawn at random if there are more."""
    if len(rows) <= most:
        return rows
    return np.sort(np.random.default_rng(_SEED).choice(rows, most, replace=False))


@dataclass(frozen=True, eq=False)
class MatchingSpace:
    """Axes in feature space along which faces are compared; immutable.

    It is a `Fit` in terms of features instead of principal coordinates, for use on new faces.
    """

    mean: Floats  # (f,) mean of the features
    axes: Floats  # (j, f) map deviations to coordinates; not always orthogonal or of unit length
    variances: Doubles  # (j,) λ of the fitted faces along each axis

    def __post_init__(self) -> None:
        j, f = self.axes.shape
        if self.variances.shape != (j,) or self.mean.shape != (f,):
            raise ValueError("the shapes of the arrays do not match")
        for array in (self.mean, self.axes, self.variances):
            array.setflags(write=False)

    @classmethod
    def of(cls, principal: Principal, fitted: Fit) -> tuple[MatchingSpace, Floats]:
        """Return the space of a fit, and the coordinates (n, j) of all faces in it."""
        axes = (fitted.axes.T @ principal.axes).astype(np.float32)
        signs = signs_of(axes)
        mean = principal.mean + fitted.mean @ principal.axes
        coordinates = fitted.project(principal.coordinates) * signs
        space = cls(mean.astype(np.float32), axes * signs[:, None], fitted.variances)
        return space, coordinates.astype(np.float32)

    def __len__(self) -> int:
        return len(self.variances)

    @property
    def variance_kept(self) -> Doubles:
        """The share (j,) of the variance along all axes that the first 1 … j of them keep."""
        return np.cumsum(self.variances) / max(float(self.variances.sum()), 1e-300)

    def project(self, features: Floats) -> Floats:
        """Return the coordinates (…, j) of features (…, f)."""
        return self._deviations(features) @ self.axes.T

    def project_with_residual(self, features: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return coordinates (m, k) along the first k axes, and distances (m,) from their span."""
        left = self._deviations(features).astype(np.float64)
        axes = self.axes[:k].astype(np.float64)
        along = left @ axes.T
        left -= np.linalg.solve(axes @ axes.T, along.T).T @ axes
        return along.astype(np.float32), np.linalg.norm(left, axis=-1)

    def contributions(self, features: Floats, weights: Doubles) -> Doubles:
        """Return what each feature (…, f) contributes to a sum of coordinates with weights (j,).

        Coordinates are linear in the features, so the contributions add up to exactly that sum.
        """
        along = weights @ self.axes.astype(np.float64)
        return along * self._deviations(features).astype(np.float64)

    def _deviations(self, features: Floats) -> Floats:
        if features.shape[-1] != self.mean.size:
            raise EigenfacesError(
                f"There are {features.shape[-1]:,} features, and this space was fitted to "
                f"{self.mean.size:,}: prepare the photos in the same size."
            )
        return features - self.mean


Space = FaceSpace | MatchingSpace  # a space in which faces are compared
