"""What faces are compared in, in every fold of an evaluation: each fitted to that fold alone.

All follows from the inner products of the faces, which are taken once. Those of a fold, minus its
own mean, are a centred sub-block K̃ (each block of features over its own total variance there): its
eigenvectors give the principal coordinates of every face, cᵢ = K̃ᵢ V / σ (Schölkopf, Smola and
Müller 1998, with a linear kernel). Where people are compared, `people_axes` follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers
from eigenfaces.space.discriminant import Scatter, Space, check_people, people_axes
from eigenfaces.space.face_space import fewest_components
from eigenfaces.space.pca import NEGLIGIBLE, as_grey, eigenpairs

_FACES_AT_ONCE, _COLUMNS_AT_ONCE = 256, 2048


PARTS, SEED = 10, 0  # into which photographs are dealt where nothing else is said, and how


def fold_numbers(people: Numbers, parts: int = PARTS, seed: int = SEED) -> Numbers:
    """Return the part (n,) of each face, drawn at random by person; −1: single or unnamed."""
    rng, part, done = np.random.default_rng(seed), np.full(len(people), -1), 0
    order = np.argsort(people, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(people[order])) + 1):
        if len(rows) > 1 and people[rows[0]] >= 0:
            part[rng.permutation(rows)] = (done + np.arange(len(rows))) % parts
            done += len(rows)
    return part


@dataclass(frozen=True, eq=False)
class FoldSpace:
    """All n faces in the space of a fold."""

    coordinates: Doubles  # (n, k), along all components or the first that were asked for
    variances: Doubles  # (k,) λ along each, of the training faces
    kept: Doubles  # (k,) share of the variance that the first 1 … k components keep
    squared_deviations: Doubles  # (n,) ‖x − m‖² of each face

    def __len__(self) -> int:
        return len(self.variances)

    def residuals(self, rows: Numbers) -> Doubles:
        """Return the mean share of the faces' squared deviation that 1 … k components lose."""
        whole = self.squared_deviations[rows]
        searched = rows[whole > 0]
        if not len(searched):
            return np.zeros(len(self))
        shares = np.cumsum(self.coordinates[searched] ** 2, axis=1) / whole[whole > 0, None]
        return np.clip(1 - shares, 0, 1).mean(axis=0)


@dataclass(frozen=True, eq=False)
class RefittedFolds:
    """Folds of any features, each fitted anew."""

    features: Bytes | Floats  # (n, f) of all faces
    refit: Callable[[Numbers], Space]  # returns the space fitted to some rows

    def fit(self, train: Numbers, n_components: int | float | None = None) -> FoldSpace:
        """Return all faces in the space of training rows, in its first ``n_components`` or all."""
        n = len(self.features)
        if (self.features[train] == self.features[train[:1]]).all():
            return FoldSpace(np.empty((n, 0)), np.empty(0), np.empty(0), np.zeros(n))
        space = self.refit(train)
        k = len(space) if n_components is None else fewest_components(space.kept, n_components)
        coordinates, squares = np.empty((n, k)), np.empty(n)
        for start in range(0, n, _FACES_AT_ONCE):
            some = slice(start, start + _FACES_AT_ONCE)
            coordinates[some], outside = space.project_with_residual(
                as_grey(self.features[some]), k
            )
            squares[some] = (coordinates[some] ** 2).sum(axis=1) + outside**2
        return FoldSpace(coordinates, space.variances, space.kept, squares)


@dataclass(frozen=True, eq=False)
class GramFolds:
    """Folds fitted from the inner products of all faces."""

    features: Bytes | Floats  # (n, f)
    blocks: tuple[int, ...] = ()  # features in each block that is divided by its deviation, if any
    people: Numbers | None = None  # (n,) the person on each, negative for nobody …
    scatter: Scatter | None = None  # … and what is whitened, where people are compared

    @cached_property
    def grams(self) -> Doubles:
        """(blocks, n, n) inner products of all faces, minus the mean of all of them."""
        n, f = self.features.shape
        edges = np.cumsum([0, *(self.blocks or (f,))])
        grams = np.zeros((len(edges) - 1, n, n))
        for gram, (first, last) in zip(grams, pairwise(edges), strict=True):
            for start in range(first, last, _COLUMNS_AT_ONCE):
                stop = min(start + _COLUMNS_AT_ONCE, last)
                chunk = as_grey(self.features[:, start:stop]).astype(np.float64)
                chunk -= chunk.mean(axis=0)
                gram += chunk @ chunk.T
        return grams

    def fit(self, train: Numbers, n_components: int | float | None = None) -> FoldSpace:
        """Return all faces in the space fitted to training rows; see `RefittedFolds.fit`."""
        rows = np.asarray(train)
        gram, squares = self._centred(rows)
        values, vectors = eigenpairs(gram[rows], len(rows) - 1)
        # Values that are negligible compared with the faces are rounding errors.
        floor = max(1e-9 * np.sqrt(self.grams.trace(0, 1, 2).sum()), 1e-12)
        keep = int((values > floor).sum())
        values, vectors = values[:keep], vectors[:, :keep]
        variances = values**2 / (len(rows) - 1)
        kept = np.cumsum(variances) / max(float(np.trace(gram[rows])) / (len(rows) - 1), 1e-300)
        if self.people is None or self.scatter is None or not keep:
            k = keep if n_components is None or not keep else fewest_components(kept, n_components)
            return FoldSpace(gram @ (vectors[:, :k] / values[:k]), variances, kept, squares)
        check_people(self.people[rows])
        principal = gram @ (vectors / values)
        axes = people_axes(principal[rows], self.people[rows], self.scatter)
        along = principal @ axes
        variances = (along[rows] ** 2).sum(axis=0) / (len(rows) - 1)
        inside = (along * np.linalg.solve(axes.T @ axes, along.T).T).sum(axis=1)
        squares = (along**2).sum(axis=1) + np.maximum(squares - inside, 0)
        return FoldSpace(along, variances, np.cumsum(variances) / variances.sum(), squares)

    def _centred(self, train: Numbers) -> tuple[Doubles, Doubles]:
        """Return centred inner products (n, t) of all with the training rows, and ‖x − m‖² (n,)."""
        n = len(self.features)
        gram, squares = np.zeros((n, len(train))), np.zeros(n)
        for block in self.grams:
            part = block[:, train]
            mean = part.mean(axis=1)  # ⟨x, m⟩ of every face
            energy = float(mean[train].mean())  # ⟨m, m⟩
            part = part - mean[:, None] - mean[train] + energy
            total = float(np.trace(part[train])) / (len(train) - 1)
            weight = 1.0
            if self.blocks:
                weight = 1 / total if total > NEGLIGIBLE**2 else 0.0
            gram += weight * part
            squares += weight * np.maximum(np.diag(block) - 2 * mean + energy, 0)
        return gram, squares


Folds = GramFolds | RefittedFolds  # how the space of any fold of the same n faces is fitted
