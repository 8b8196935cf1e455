"""Discriminant spaces of the folds of an evaluation, from one Gram matrix of each block.

Centring, the weight of each block and all that follows are functions of inner products, so the
features are used once for all folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.centred import Centred
from eigenfaces.space.discriminant import NEGLIGIBLE, grams_of
from eigenfaces.space.folds import FoldSpace
from eigenfaces.space.people_axes import Reach, Scatter, outside, people_axes, reach_of


@dataclass(frozen=True, eq=False)
class DiscriminantFolds:
    """Folds of `eigenfaces.space.discriminant.DiscriminantSpace`, each fitted to its own faces.

    Parameters
    ----------
    features
        (n, f) of all faces.
    people
        (n,) the number of the person on each, negative where there is nobody.
    scatter, blocks
        As the space is fitted.
    reach
        Where faces are compared, whoever is away; if it is None, as the people of each fold are.
    """

    features: Floats
    people: Numbers
    scatter: Scatter
    blocks: Sequence[int] = ()
    reach: Reach | None = None

    @cached_property
    def grams(self) -> Doubles:
        """(blocks, n, n) inner products of all faces, minus the mean of all of them."""
        mean = self.features.mean(axis=0, dtype=np.float64)
        return grams_of(Centred(self.features, mean, np.ones_like(mean)), self.blocks)

    def fit(self, train: Numbers, wanted: int | float | None = None) -> FoldSpace:
        """Return all faces in the space fitted to the training rows."""
        rows, n = np.asarray(train), len(self.people)
        gram, squares = self._scaled(rows)
        if not gram[rows].any():  # all these faces are the same
            return FoldSpace(np.empty((n, 0)), np.empty(0), np.empty(0), np.zeros(n))
        people = self.people[rows]
        reach = self.reach or reach_of(people, self.scatter)
        weights, _, span = people_axes(gram[rows], people, self.scatter, reach=reach)
        along = gram @ weights  # (n, j)
        variances = (along[rows] ** 2).sum(axis=0) / (len(rows) - 1)
        beyond = outside(along, weights.T @ along[rows], squares)
        deviations = (along**2).sum(axis=1) + beyond**2
        if reach != "means":
            along = np.concatenate([along, beyond[:, None]], axis=1)
            along[rows, span:] = 0
            variances = np.append(variances, variances.min())
        return FoldSpace(
            coordinates=along,
            variances=variances,
            kept=np.cumsum(variances) / max(float(variances.sum()), 1e-300),
            squared_deviations=deviations,
            span=None if reach == "means" else span,
        )

    def prepare(self, fewest: int) -> None:
        """Compute the Gram matrices."""
        _ = self.grams

    def _scaled(self, rows: Numbers) -> tuple[Doubles, Doubles]:
        """Return inner products of all faces with those of the rows, and squared deviations.

        Each minus the mean of the rows, each block over the root of its total variance there.
        """
        gram = np.zeros((len(self.grams[0]), len(rows)))
        squares = np.zeros(len(gram))
        for block in self.grams:
            part = block[:, rows]
            mean = part.mean(axis=1)  # ⟨x, m⟩ of every face
            energy = float(mean[rows].mean())  # ⟨m, m⟩
            part = part - mean[:, None] - mean[rows] + energy
            total = float(np.trace(part[rows])) / (len(rows) - 1)
            if total < NEGLIGIBLE:
                continue
            weight = 1 / total if self.blocks else 1.0
            gram += weight * part
            squares += weight * np.maximum(np.diag(block) - 2 * mean + energy, 0)
        return gram, squares
