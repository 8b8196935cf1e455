"""Principal coordinates of faces, and the one way in which a space is fitted to some of them.

The features of all faces are turned into their principal coordinates once. That is a rotation, so
distances stay what they are, and whatever is fitted to some of the faces can be fitted in these
coordinates. Training is `fit` of all of them, calibration of all but a person or a tenth, and
evaluation of those of a fold.
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

MOST_COORDINATES = 1500  # of up to so many faces, all of their coordinates are kept
MOST_FITTED = 3000  # of more faces, so many are drawn to fit axes to

_FACES_AT_ONCE = 256
_SEED = 0


@dataclass(frozen=True, eq=False)
class Principal:
    """The principal coordinates of n faces, and the axes along which they are measured."""

    mean: Doubles  # (f,) of the features
    axes: Floats  # (r, f) orthonormal rows, by falling variance
    singular_values: Doubles  # (r,) of the mean-subtracted (n, f) features
    total_variance: float  # of all features
    coordinates: Coordinates  # (n, r)
    squares_outside: Doubles  # (n,) squared length of what the coordinates leave out of each
    whole: bool  # whether axes along which the faces do not vary are there, and count, too

    @classmethod
    def of(
        cls, features: Bytes | Floats, *, whole: bool = False, tick: Tick = no_tick
    ) -> Principal:
        """Return the principal coordinates of n ≥ 2 faces, of their features (n, f).

        Of up to `MOST_COORDINATES` faces these are all, so nothing is left out; of more, so many.

        Of faces that are all the same there are none.

        Raises `EigenfacesError` for fewer than two faces, and values that are not numbers.
        """
        if whole:
            return cls._of_few_features(as_grey(features).astype(np.float64))
        n = len(features)
        firsts = _first_of_equals(features)
        if n > 1 and not firsts.any():
            return cls._of_equals(as_grey(features))
        rows: Bytes | Floats | Doubles = features
        if n <= MOST_COORDINATES:  # in double precision, so that every refit has the same digits
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
        """Return the principal coordinates with all f axes, however few faces there are."""
        n = len(features)
        mean = features.mean(axis=0)
        centred = features - mean
        squares, vectors = np.linalg.eigh(centred.T @ centred)
        values = np.sqrt(np.maximum(squares[::-1], 0))
        values[values < TOLERANCE * values[0]] = 0  # rounding
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
        """Return what there is of faces that are all the same: no coordinate."""
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
        """Raise `NotPossibleError` where all faces are the same, so that nobody can be told."""
        if not self.coordinates.shape[1]:
            raise NotPossibleError("All faces are the same, so there is nothing to tell apart.")

    @property
    def is_truncated(self) -> bool:
        """Whether coordinates are left out, since there are so many faces."""
        return bool(self.squares_outside.any())

    def without_axes(self) -> Principal:
        """Return what is needed to fit to the faces, without the axes: a fraction of the memory."""
        return replace(self, mean=np.empty(0), axes=np.empty((0, 0), np.float32))

    def select(self, rows: Numbers) -> Principal:
        """Return some of the faces, in the same coordinates."""
        return replace(
            self, coordinates=self.coordinates[rows], squares_outside=self.squares_outside[rows]
        )

    def face_space(self, shape: tuple[int, int]) -> FaceSpace:
        """Return the face space of the faces, whose features are pixels of this shape."""
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
    """Axes fitted to some faces, in the principal coordinates (r) of all."""

    mean: Doubles  # (r,) of the faces fitted to
    axes: Doubles  # (r, j) along which faces are compared
    variances: Doubles  # (j,) λ along each, of the faces fitted to
    variance_kept: Doubles  # (j,) share of their variance that the first 1 … j axes keep

    def __len__(self) -> int:
        return len(self.variances)

    def project(self, coordinates: Coordinates) -> Doubles:
        """Return principal coordinates (…, r) as coordinates along the axes, (…, j)."""
        return (coordinates - self.mean) @ self.axes

    def squares_lost(self, principal: Principal, rows: Numbers) -> Doubles:
        """Return the mean share of faces' squared deviations that 1 … j axes lose, (j,).

        That is the squared length of what lies outside of their span, divided by the whole.
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
    """Fit the axes along which faces are compared to some rows of them: the one way there is.

    Parameters
    ----------
    principal
        All n faces in their principal coordinates.
    rows
        (m,) those fitted to; of more than `MOST_FITTED`, so many are drawn.
    people
        (n,) the number of the person on each face, negative for nobody; needed with a scatter.
    scatter
        What is whitened before the people's means are compared (`discriminant_axes`); None: the
        axes are the principal axes of the rows.
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
    """Return for each row (n,) the first that is the same: faces that are must tie exactly."""
    places: dict[bytes, int] = {}
    firsts = np.empty(len(features), np.intp)
    for place, row in enumerate(features):
        firsts[place] = places.setdefault(blake2b(row.tobytes()).digest(), place)
    return firsts


def _principal_axes(centred: Doubles, principal: Principal) -> Doubles:
    """Return the principal axes (r, j) of centred coordinates (m, r).

    From the smaller of the covariance and the Gram matrix, as `pca.decompose` does.
    """
    m, r = centred.shape
    if principal.whole:
        return np.linalg.eigh(centred.T @ centred)[1][:, ::-1]
    by_covariance = r < m
    squares = centred.T @ centred if by_covariance else centred @ centred.T
    values, vectors = eigenpairs(squares, min(m - 1, r))
    # What is negligible beside the variance of all faces is rounding, too.
    values = values[values > TOLERANCE * principal.singular_values.max(initial=0)]
    vectors = vectors[:, : len(values)]
    return vectors if by_covariance else centred.T @ (vectors / values)


def draw_rows(rows: Numbers, most: int) -> Numbers:
    """Return some rows (n,), in their order; of more than ``most``, so many drawn at random."""
    if len(rows) <= most:
        return rows
    return np.sort(np.random.default_rng(_SEED).choice(rows, most, replace=False))


@dataclass(frozen=True, eq=False)
class MatchingSpace:
    """Axes in the space of features along which faces are compared; immutable.

    `Fit` as it is applied to new faces: taken back from principal coordinates to features.
    """

    mean: Floats  # (f,) of the features
    axes: Floats  # (j, f) from deviations to coordinates; not always orthogonal, nor of unit length
    variances: Doubles  # (j,) λ of the fitted faces along each

    def __post_init__(self) -> None:
        j, f = self.axes.shape
        if self.variances.shape != (j,) or self.mean.shape != (f,):
            raise ValueError("the arrays of a space do not fit each other")
        for array in (self.mean, self.axes, self.variances):
            array.setflags(write=False)

    @classmethod
    def of(cls, principal: Principal, fitted: Fit) -> tuple[MatchingSpace, Floats]:
        """Return the space of a fit, and the coordinates (n, j) in it of the faces themselves."""
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
        """(j,) share of the variance along all axes that the first 1 … j of them keep."""
        return np.cumsum(self.variances) / max(float(self.variances.sum()), 1e-300)

    def project(self, features: Floats) -> Floats:
        """Return the coordinates (…, j) of features (…, f)."""
        return self._deviations(features) @ self.axes.T

    def project_with_residual(self, features: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return the first k coordinates (m, k) of features, and the length (m,) of the rest."""
        left = self._deviations(features).astype(np.float64)
        axes = self.axes[:k].astype(np.float64)
        along = left @ axes.T
        left -= np.linalg.solve(axes @ axes.T, along.T).T @ axes
        return along.astype(np.float32), np.linalg.norm(left, axis=-1)

    def contributions(self, features: Floats, weights: Doubles) -> Doubles:
        """Return what each feature (…, f) adds to a weighted sum (j,) of the coordinates.

        Coordinates are linear in the features, so the parts (…, f) add up to it exactly.
        """
        along = weights @ self.axes.astype(np.float64)
        return along * self._deviations(features).astype(np.float64)

    def _deviations(self, features: Floats) -> Floats:
        if features.shape[-1] != self.mean.size:
            raise EigenfacesError(
                f"These features are {features.shape[-1]:,} numbers, and this space is made of "
                f"{self.mean.size:,}; prepare the photographs to its size."
            )
        return features - self.mean


Space = FaceSpace | MatchingSpace  # in which faces are compared
