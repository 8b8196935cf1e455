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

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from eigenfaces.arrays import Doubles, Flags, Numbers
from eigenfaces.errors import EigenfacesError, Tick, no_tick

Scatter = Literal["within people", "total"]
"""What is whitened: how faces differ from their person's mean, or from the mean of all."""

RIDGE = 1 / 9
"""c as a share of the mean variance along n − 1 directions: 0.9 S + 0.1 · mean · I, over 0.9."""

FEWEST_PEOPLE = 4
"""With fewer, the means span so few directions that faces are compared in all of them."""

_NEGLIGIBLE = 1e-9
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
        return own if own.ridge > _NEGLIGIBLE * everybody.ridge else everybody


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
    keep = squares > _NEGLIGIBLE * squares[-1]
    return (means @ (turned[:, keep] / np.sqrt(squares[keep])))[:, ::-1]


@dataclass(frozen=True, eq=False)
class WhitenedProducts:
    """Inner products of n whitened faces, and how alike they are when some of them are away.

    Parameters
    ----------
    gram
        K, (n, n): inner products of the faces' features, minus their mean.
    products
        T, (n, n): c · xᵢᵀ (S + c I)⁻¹ xⱼ of the same.
    people
        (n,) the number of the person on each face, negative where there is nobody.
    scatter
        What was to be whitened.
    group
        Whose scatter was whitened.
    """

    gram: Doubles
    products: Doubles
    people: Numbers
    scatter: Scatter
    group: Group

    @classmethod
    def of(cls, gram: Doubles, people: Numbers, scatter: Scatter) -> WhitenedProducts:
        """Return the whitened products of a Gram matrix: see `people_axes`. T = K − KHGHK."""
        group = Group.by(scatter, people, gram)
        half = residuals(gram, group.of)
        inner = residuals(half.T, group.of) + group.ridge * np.eye(len(gram))
        products = gram - half.T @ np.linalg.solve(inner, half)
        return cls(gram, products, people, scatter, group)

    def left_out(self, parts: Iterable[Numbers], tick: Tick = no_tick) -> Doubles:
        """Return how alike each face is to each person, (n, p), when its part is away.

        As if the space had been fitted without these faces, exactly, but for c, which stays (with
        few people it is fitted anew, as `FEWEST_PEOPLE` wants it). The
        largest cosine with any of a person's other faces; −∞ for a person without any. Faces in
        no part: not a number.

        Parameters
        ----------
        parts
            Rows that are away together, all of one person: the faces of a person, or a photograph
            and its mirror image.
        """
        parts = list(parts)
        order = np.argsort(self.people, kind="stable")
        present, starts = np.unique(self.people[order], return_index=True)
        alike = np.full((len(order), self.people.max(initial=-1) + 1), np.nan)
        named = present >= 0
        for step, gone in enumerate(parts):
            tick(step, len(parts))
            best = np.maximum.reduceat(Without(self, gone).cosines[:, order], starts, axis=1)
            alike[gone] = -np.inf
            alike[np.ix_(gone, present[named])] = best[:, named]
        tick(len(parts), len(parts))
        return alike

    @cached_property
    def means(self) -> Doubles:
        """(p, n) the mean of the rows of T of each person there is."""
        return averages(self.people) @ self.products


@dataclass(frozen=True, eq=False)
class Without:
    """Faces of one person are away from whitened products.

    What they added to the scatter is Xᵀ Z Zᵀ X with few columns Z, so the products of the others
    are T′ = T + TZ (c I − ZᵀTZ)⁻¹ ZᵀT, by Woodbury's identity again.

    Parameters
    ----------
    whole
        The products with them.
    gone
        (g,) their rows.
    """

    whole: WhitenedProducts
    gone: Numbers

    @cached_property
    def stay(self) -> Flags:
        """(n,) which rows are left."""
        stay = np.ones(len(self.whole.people), bool)
        stay[self.gone] = False
        return stay

    @cached_property
    def cosines(self) -> Doubles:
        """(g, n) cosines between those away and the others; −∞ between those away."""
        spread = averages(np.where(self.stay, self.whole.people, -1))
        if len(spread) < FEWEST_PEOPLE:
            along = self._fitted_anew()
        else:
            spread -= self.stay / self.stay.sum()  # A′
            means = self._means + (spread @ self._removed.T) @ self._update  # A′T′
            means -= means[:, self.stay].mean(axis=1, keepdims=True)
            squares, turned = np.linalg.eigh(means @ spread.T)
            keep = squares > _NEGLIGIBLE * squares[-1]
            along = (turned[:, keep] / np.sqrt(squares[keep])).T @ means
        lengths = np.linalg.norm(along, axis=0)
        along = along / np.where(lengths > 0, lengths, 1)
        cosines = along[:, self.gone].T @ along
        cosines[:, self.gone] = -np.inf
        return cosines

    def _fitted_anew(self) -> Doubles:
        """Return the coordinates (j, n) of all faces in a space fitted to those left."""
        nowhere = np.zeros((0, len(self.stay)))
        if not self.stay.any():
            return nowhere
        rows = self.whole.gram[self.stay]
        rows = rows - rows.mean(axis=0)
        rows -= rows[:, self.stay].mean(axis=1, keepdims=True)
        if np.trace(rows[:, self.stay]) < _NEGLIGIBLE * np.trace(self.whole.gram):
            return nowhere
        people = self.whole.people[self.stay]
        return people_axes(rows[:, self.stay], people, self.whole.scatter).T @ rows

    @cached_property
    def _means(self) -> Doubles:
        """A′T, (p, n): the mean rows of T of those left, of each person minus of all."""
        products, people = self.whole.products, self.whole.people
        gone = products[self.gone].sum(axis=0)
        mean = (products.sum(axis=0) - gone) / self.stay.sum()
        means, person = self.whole.means.copy(), people[self.gone[0]]
        own, count = np.unique(people[people >= 0]) == person, int((people == person).sum())
        if count == len(self.gone):
            return means[~own] - mean
        means[own] = (count * means[own] - gone) / (count - len(self.gone))
        return means - mean

    @cached_property
    def _removed(self) -> Doubles:
        """ZᵀT, (z, n)."""
        return self._parts(self.whole.products)

    @cached_property
    def _update(self) -> Doubles:
        """(c I − ZᵀTZ)⁻¹ ZᵀT, (z, n)."""
        inner = self._parts(self._removed.T)
        ridge = self.whole.group.ridge * np.eye(len(inner))
        return np.asarray(np.linalg.solve(ridge - inner, self._removed), np.float64)

    def _parts(self, rows: Doubles) -> Doubles:
        """Return Zᵀ · rows of n rows.

        Those of the faces away minus their mean; and, where others of their group are left, that
        mean minus the group's, √(g N / (N − g)) times for g of N faces.
        """
        own, group = rows[self.gone], self.whole.group.of
        mean, g = own.mean(axis=0), len(self.gone)
        members = group == group[self.gone[0]]
        count = int(members.sum())
        if count == g:
            return own - mean
        away = np.sqrt(g * count / (count - g)) * (mean - rows[members].mean(axis=0))
        return np.concatenate([own - mean, away[None]])
