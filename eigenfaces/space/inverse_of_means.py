"""Cosines in the span of people's means, when few faces are away: by updating an inverse.

Without some faces, whitened products, one person's mean and the mean of all change by matrices of
low rank. So does the inverse of the inner products of the means (M. Woodbury, *Inverting modified
matrices*, 1950), from which the length of every face in their span follows: of n faces and p people
that takes p n steps instead of p² n.

Means lie around the mean of all, so their inner products have no inverse. With a constant added,
they have one, F: and F − F 1 1ᵀ F / (1ᵀ F 1) is that of their differences, whatever the constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.space.arrays import Doubles, Flags, Numbers

_WELL_APART = 1e-6
"""Share of the largest variance that the means must have along every axis."""


@dataclass(frozen=True, eq=False)
class InverseOfMeans:
    """The inverse of the inner products of the means of p people, on n faces of theirs.

    Parameters
    ----------
    means
        (p, n) inner products of the means with all faces; each row sums to 0.
    spread
        (p, n) what turns n rows into the means.
    lift
        The constant added to the inner products of the means.
    inverse
        F, (p, p).
    squares
        (n,) the squares of the faces by it.
    """

    means: Doubles
    spread: Doubles
    lift: float
    inverse: Doubles
    squares: Doubles

    @classmethod
    def of(cls, means: Doubles, spread: Doubles) -> InverseOfMeans | None:
        """Return it; None where the means do not differ in p − 1 directions."""
        products = means @ spread.T
        variances = np.linalg.eigvalsh(products)
        if variances[1] < _WELL_APART * variances[-1]:
            return None
        lift = float(np.trace(products)) / len(products)
        inverse = np.asarray(np.linalg.inv(products + lift), np.float64)
        return cls(means, spread, lift, inverse, (means * (inverse @ means)).sum(axis=0))

    def without(self, gone: PersonAway) -> Doubles:
        """Return the cosines (g, n) of those away with the others, in the span of these.

        Between those away, −∞.
        """
        changed = _Changed.of(self, gone)
        weights, turns = changed.weights, changed.turns
        inverse = self.inverse + weights @ changed.between @ weights.T
        faces = self.means[:, gone.rows] + turns @ changed.along[:, gone.rows]
        asked = inverse @ faces
        added = turns.T @ inverse
        lines = np.concatenate([weights.T, added, asked.T]) @ self.means
        first, second, third = np.split(lines, np.cumsum([weights.shape[1], len(added)]))
        squares = self.squares + (first * (changed.between @ first)).sum(axis=0)
        squares += (changed.along * (2 * second + (added @ turns) @ changed.along)).sum(axis=0)
        lengths = np.sqrt(np.maximum(squares, 0))
        lengths = np.where(lengths > 0, lengths, 1)
        products: Doubles = third + (asked.T @ turns) @ changed.along
        cosines = products / lengths[gone.rows][:, None] / lengths
        cosines[:, gone.rows] = -np.inf
        return cosines


@dataclass(frozen=True, eq=False)
class PersonAway:
    """Faces of one person that are away, and what whitened products become without them.

    Parameters
    ----------
    rows
        (g,) their places among n.
    own
        (n,) whose faces are that person's.
    number
        The person's place among the means.
    row_sum
        (n,) the sum of their rows of products.
    removed, inner
        U, (z, n), and R, (z, z): the products are Uᵀ R⁻¹ U more.
    """

    rows: Numbers
    own: Flags
    number: int
    row_sum: Doubles
    removed: Doubles
    inner: Doubles

    def of_mean(self, whole: Doubles, sums: Doubles) -> Doubles:
        """Return the mean of a person's values without the sum of those away."""
        count = int(self.own.sum())
        mean: Doubles = (count * whole - sums) / (count - len(self.rows))
        return mean

    @property
    def everybody(self) -> bool:
        """Whether none of the person's faces is left."""
        return int(self.own.sum()) == len(self.rows)


@dataclass(frozen=True, eq=False)
class _Changed:
    """How the inverse changes, by ``weights`` · ``between`` · ``weights``ᵀ, and the means.

    The inner products of the means with all faces change by ``turns`` · ``along``.
    """

    weights: Doubles
    between: Doubles
    turns: Doubles
    along: Doubles

    @classmethod
    def of(cls, whole: InverseOfMeans, gone: PersonAway) -> _Changed:
        n, own, removed = whole.means.shape[1], gone.number, gone.removed
        at_means = whole.spread @ removed.T  # V, (p, z)
        row = whole.means[own]
        if gone.everybody:
            at_means[own] = 0
        else:
            row = gone.of_mean(row, gone.row_sum)
            at_means[own] = gone.of_mean(at_means[own], removed[:, gone.rows].sum(axis=1))
        weights, between = _of_inverse(whole, gone, row, at_means)
        turns = np.linalg.solve(gone.inner, at_means.T).T
        sums = whole.means[:, gone.rows].sum(axis=1)
        sums[own] = row[gone.rows].sum()
        sums += turns @ removed[:, gone.rows].sum(axis=1)
        mean = sums / (n - len(gone.rows))  # minus that of those left: rows of products sum to 0
        unit = np.eye(len(whole.means))[own]
        along = np.concatenate([[row - whole.means[own]], removed, np.ones((1, n))])
        return cls(weights, between, np.column_stack([unit, turns, mean]), along)


def _of_inverse(
    whole: InverseOfMeans, gone: PersonAway, row: Doubles, at_means: Doubles
) -> tuple[Doubles, Doubles]:
    """Return the weights (p, r) and what is between them (r, r): the inverse changes by these.

    The person is taken out, put back with another mean (``row``) where some faces are left, and the
    rest follows the products; last, the constant is taken out again.
    """
    own, inverse = gone.number, whole.inverse
    out = inverse[:, own]
    parts, factors = [out[:, None]], [np.array([[-1 / out[own]]])]
    inverse = inverse - np.outer(out, out) / out[own]
    if not gone.everybody:
        products = whole.spread @ row
        square = gone.of_mean(products[own], row[gone.rows].sum()) + whole.lift
        products = products + whole.lift
        products[own] = 0
        back = -inverse @ products
        left = square + products @ back
        back[own] = 1
        parts.append(back[:, None])
        factors.append(np.array([[1 / left]]))
        inverse = inverse + np.outer(back, back) / left
    moved = inverse @ at_means
    update = -np.linalg.inv(gone.inner + at_means.T @ moved)
    inverse = inverse + moved @ update @ moved.T
    level = inverse.sum(axis=1)
    parts += [moved, level[:, None]]
    factors += [update, np.array([[-1 / level.sum()]])]
    return np.concatenate(parts, axis=1), _diagonal(factors)


def _diagonal(blocks: list[Doubles]) -> Doubles:
    """Return square blocks along the diagonal of a matrix."""
    ends = np.cumsum([0, *(len(block) for block in blocks)])
    whole = np.zeros((ends[-1], ends[-1]))
    for block, start, end in zip(blocks, ends[:-1], ends[1:], strict=True):
        whole[start:end, start:end] = block
    return whole
