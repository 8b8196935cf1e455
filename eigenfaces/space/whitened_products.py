"""Whitened inner products of faces: what tells people apart, without eigenvectors of the pixels.

Features of n faces are whitened by a scatter matrix that is drawn towards the identity,
S + c · I, and compared in what the people's means then span: regularised discriminant analysis
(R. Fisher, *The use of multiple measurements in taxonomic problems*, 1936; J. Friedman,
*Regularized discriminant analysis*, 1989). All of it follows from the Gram matrix K of the centred
features X, K = X Xᵀ, by the identity (S + c I)⁻¹ = (I − Xᵀ H (c I + HKH)⁻¹ H X) / c for the scatter
S = Xᵀ H X, where H subtracts from each face the mean of its group (M. Woodbury, *Inverting
modified matrices*, 1950). Scatter matrices are sums here: a common factor turns no angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from eigenfaces.arrays import Doubles, Numbers
from eigenfaces.errors import EigenfacesError

Scatter = Literal["within people", "total"]
"""What is whitened: how faces differ from their person's mean, or from the mean of all."""

RIDGE = 1 / 9
"""c as a share of the mean variance along n − 1 directions: 0.9 S + 0.1 · mean · I, over 0.9."""

FEWEST_PEOPLE = 4
"""With fewer, the means span so few directions that faces are compared in all of them."""

_MOST_WHOLE = 500

NEGLIGIBLE = 1e-9
"""A square below this share of the largest is rounding."""


@dataclass(frozen=True, eq=False)
class Group:
    """Whose mean H subtracts from each of n faces, and c.

    Parameters
    ----------
    of
        (n,) the number of each face's group: its person, or 0 for all.
    ridge
        c > 0.
    """

    of: Numbers
    ridge: float

    @classmethod
    def by(cls, scatter: Scatter, people: Numbers, gram: Doubles) -> Group:
        """Return the groups of a scatter; all faces are one where no person's faces differ.

        ``people``: (n,) the number of the person on each face, negative where there is nobody.
        Raises `EigenfacesError` if all faces are the same.
        """
        everybody = cls(np.zeros(len(people), np.intp), _ridge(gram))
        if everybody.ridge <= 0:
            raise EigenfacesError("All faces are the same, so there is nothing to tell apart.")
        if scatter == "total":
            return everybody
        # A face of nobody's is alone: it says nothing of how a person's faces differ.
        alone = np.where(people < 0, people.max(initial=0) + 1 + np.arange(len(people)), people)
        of = np.unique(alone, return_inverse=True)[1]
        own = cls(of, _ridge(residuals(residuals(gram, of).T, of)))
        return own if own.ridge > NEGLIGIBLE * everybody.ridge else everybody


def _ridge(scatter: Doubles) -> float:
    """Return c for HKH (n, n)."""
    return RIDGE * float(np.trace(scatter)) / max(1, len(scatter) - 1)


def averages(people: Numbers) -> Doubles:
    """Return what turns n rows into the means of the people on them, (p, n): 1 / own, else 0."""
    present = np.unique(people[people >= 0])
    shown = people == present[:, None]
    return shown / shown.sum(axis=1, keepdims=True)


def residuals(rows: Doubles, groups: Numbers) -> Doubles:
    """Return H · rows: each of n rows minus the mean of its group."""
    return rows - (averages(groups) @ rows)[groups]


def people_axes(gram: Doubles, people: Numbers, scatter: Scatter) -> Doubles:
    """Return the axes in which people are compared, as sums of faces: E, (n, j).

    The coordinates of a face x are Eᵀ X (x − mean); their cosines are those of faces whitened and
    projected on the people's means. The axes fall by how far apart the means lie along them.

    Parameters
    ----------
    gram
        K, (n, n): inner products of the faces' features, minus their mean.
    people
        (n,) the number of the person on each face, negative where there is nobody.
    scatter
        What is whitened.
    """
    n, group = len(gram), Group.by(scatter, people, gram)
    spread = averages(people)
    spread = (spread if len(spread) >= FEWEST_PEOPLE else np.eye(n)) - 1 / n  # A
    half = residuals(gram, group.of)  # HK
    inner = residuals(half.T, group.of)  # HKH
    shrunk = np.linalg.solve(inner + group.ridge * np.eye(n), half @ spread.T)
    means = spread.T - residuals(np.asarray(shrunk, np.float64), group.of)  # D
    squares, turned = np.linalg.eigh(spread @ gram @ means)  # DᵀKAᵀ = V w Vᵀ
    keep = squares > NEGLIGIBLE * squares[-1]
    return (means @ (turned[:, keep] / np.sqrt(squares[keep])))[:, ::-1]


def by_whole_lengths(people: Numbers, below: int) -> bool:
    """Return whether probes are compared by their whole whitened lengths: fewer people than that.

    What that needs is saved with the space, so not with very many faces of them.
    """
    return len(np.unique(people[people >= 0])) < below and len(people) <= _MOST_WHOLE


def shrinking(gram: Doubles, people: Numbers, scatter: Scatter) -> Doubles:
    """Return what tells the whole whitened length of a face, as sums of faces: R, (n, n).

    ‖x‖² − ‖R X x‖² is c · xᵀ (S + c I)⁻¹ x, of which `people_axes` span a part: RᵀR = HGH.
    """
    group = Group.by(scatter, people, gram)
    inner = residuals(residuals(gram, group.of).T, group.of) + group.ridge * np.eye(len(gram))
    lower = np.linalg.cholesky(inner)
    return np.asarray(np.linalg.solve(lower, residuals(np.eye(len(gram)), group.of)), np.float64)
