"""Discriminant space: the few directions in which people differ, rather than photographs.

Regularised discriminant analysis inside face space (R. Fisher, *The use of multiple measurements in
taxonomic problems*, 1936; J. Friedman, *Regularized discriminant analysis*, 1989; P. Belhumeur and
others, *Eigenfaces vs. Fisherfaces*, 1997). Features become their principal coordinates, which is a
rotation; one matrix W then whitens them by a scatter that is drawn towards the identity, and turns
them into the span of the people's means. The cosine of two faces' coordinates says how alike they
are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import Decomposition, signs_of

Scatter = Literal["within people", "total"]  # from their person's mean, or the mean of all
RIDGE = 1 / 9  # c as a share of the mean variance along n − 1 directions
FEWEST_PEOPLE = 7  # with fewer, their means span so little that strangers fit it, too

MOST_COORDINATES = 1500  # principal coordinates that are kept: all of up to so many faces
_NEGLIGIBLE = 1e-9  # a square below this share of the largest is rounding


@dataclass(frozen=True, eq=False)
class DiscriminantSpace:
    """Axes along which people differ, fitted to n faces; immutable."""

    mean: Floats  # (f,) of the features
    scale: Floats  # (f,) what they are divided by: the root of their block's total variance, or 1
    axes: Floats  # (j, f) from scaled deviations to coordinates; neither orthogonal nor unit
    variances: Doubles  # (j,) λ of the fitted faces along each

    def __post_init__(self) -> None:
        j, f = self.axes.shape
        if self.variances.shape != (j,) or not self.mean.shape == self.scale.shape == (f,):
            raise ValueError("the arrays of a discriminant space do not fit each other")
        for array in (self.mean, self.scale, self.axes, self.variances):
            array.setflags(write=False)

    @classmethod
    def of(cls, pca: Decomposition, people: Numbers, scatter: Scatter) -> DiscriminantSpace:
        """Return the space of decomposed features, of ``people`` (n,), negative for nobody."""
        rotation = people_axes(pca.coordinates.astype(np.float64), people, scatter)
        axes = rotation.T.astype(np.float32) @ pca.components
        scale = np.ones_like(pca.mean) if pca.scale is None else pca.scale
        return cls(
            mean=pca.mean.astype(np.float32),
            scale=scale.astype(np.float32),
            axes=axes * signs_of(axes)[:, None],
            variances=((pca.coordinates @ rotation) ** 2).sum(axis=0) / (len(people) - 1),
        )

    def __len__(self) -> int:
        return len(self.variances)

    @property
    def kept(self) -> Doubles:
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

    def parts(self, features: Floats, weights: Doubles) -> Doubles:
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
        centred: Floats = (features - self.mean) / self.scale
        return centred


Space = FaceSpace | DiscriminantSpace  # in which faces are compared


def check_people(people: Numbers) -> None:
    """Raise `EigenfacesError` where fewer people are on faces (n,) than a discriminant takes."""
    there = len(np.unique(people[people >= 0]))
    if there < FEWEST_PEOPLE:
        raise EigenfacesError(
            f"What people differ in is learnt from {FEWEST_PEOPLE} people or more, and there "
            f"{'is' if there == 1 else 'are'} {there}: add people, or use Eigenfaces or Network."
        )


def people_axes(coordinates: Doubles, people: Numbers, scatter: Scatter) -> Doubles:
    """Return W (r, j): from principal coordinates to those in which people are compared.

    With C the coordinates minus their mean, and H = C or, for the scatter within people, C minus
    each person's mean: S = HᵀH is drawn towards the identity, S + c I = L Lᵀ. The people's means M,
    centred by their own mean, are M L⁻ᵀ = U s Qᵀ when whitened, and W = L⁻ᵀ Q.

    ``coordinates``: (n, r) of the faces fitted to; ``people``: (n,) the number of the person on
    each. A face of nobody (negative) is a person of its own, and has no mean that is spanned.
    """
    n, r = coordinates.shape
    centred = coordinates - coordinates.mean(axis=0)
    named, who = np.unique(people[people >= 0], return_inverse=True)
    counts = np.bincount(who, minlength=len(named))[:, None]
    sums = np.zeros((len(named), r))
    np.add.at(sums, who, centred[people >= 0])
    means = sums / counts
    total = centred.T @ centred
    if not total.any():  # all faces are the same
        return np.empty((r, 0))
    squares = total
    if scatter == "within people":
        within = centred[people >= 0] - means[who]
        squares = within.T @ within
        if np.trace(squares) <= _NEGLIGIBLE * np.trace(total):  # nobody differs from themselves
            squares = total
    squares.flat[:: r + 1] += RIDGE * np.trace(squares) / (n - 1)
    lower = np.linalg.cholesky(squares)
    white = np.linalg.solve(lower, (means - means.mean(axis=0)).T)  # (r, people)
    lengths, turned = np.linalg.eigh(white.T @ white)
    keep = lengths > _NEGLIGIBLE * lengths[-1]
    spanned = white @ (turned[:, keep] / np.sqrt(lengths[keep]))
    return np.linalg.solve(lower.T, spanned[:, ::-1])
