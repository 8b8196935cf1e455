"""Whitened inner products of faces, and how alike these are when some of them are away.

Of K and its whitening see `eigenfaces.space.people_axes`; what leaving somebody out changes follows
by the same identity of Woodbury's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.inverse_of_means import InverseOfMeans, PersonAway
from eigenfaces.space.people_axes import (
    NEGLIGIBLE,
    Group,
    Reach,
    Scatter,
    averages,
    outside,
    people_axes,
    reach_of,
    shrunk,
)

_MUCH = 0.05
"""Where a block's share changes by more, a space is fitted anew."""

_REFINED = 750
"""Faces up to which the shares of blocks follow who is away."""


@dataclass(frozen=True, eq=False)
class WhitenedProducts:
    """Inner products of n whitened faces, and how alike they are when some of them are away.

    Parameters
    ----------
    grams
        (b, n, n): inner products of each block of the faces' features, minus their mean. They sum
        to K. Of several, each is over the block's total variance.
    products
        T, (n, n): c · xᵢᵀ (S + c I)⁻¹ xⱼ of all blocks.
    slopes
        (b, n, n): how T grows with the share of each block; none of very many faces, where one
        person changes it too little.
    people
        (n,) the number of the person on each face, negative where there is nobody.
    scatter
        What was to be whitened.
    group
        Whose scatter was whitened.
    reach
        Where faces are compared, whoever is away.
    """

    grams: Doubles
    products: Doubles
    slopes: Doubles
    people: Numbers
    scatter: Scatter
    group: Group
    reach: Reach

    @classmethod
    def of(
        cls,
        grams: Doubles,
        people: Numbers,
        scatter: Scatter,
        tick: Tick = no_tick,
        *,
        reach: Reach | None = None,
    ) -> Self:
        """Return the whitened products of blocks of features: see `people_axes`. T = K − KHGHK.

        With M = I − HGHK it is K M, and Mᵀ K M grows it by the block of which K is the Gram matrix.
        ``reach``: where faces are compared, unless as `reach_of` says.
        """
        gram = grams.sum(axis=0)
        group = Group.by(scatter, people, gram)
        mixed = shrunk(gram, group)  # M
        tick(1, 2)
        slopes = np.empty_like(grams if len(gram) <= _REFINED else grams[:0])
        for slope, block in zip(slopes, grams, strict=False):
            np.matmul(mixed.T, block @ mixed, out=slope)
        reach = reach or reach_of(people, scatter)
        return cls(grams, gram @ mixed, slopes, people, scatter, group, reach)

    def left_out(self, parts: Iterable[Numbers], tick: Tick = no_tick) -> Doubles:
        """Return how alike each face is to each person, (n, p), when its part is away.

        As if the space had been fitted without these faces: exactly, but that c and the shares of
        blocks change to first order only (where they change much, and where faces are compared in
        all directions, it is fitted anew). The largest cosine with any of a person's other faces;
        −∞ for a person without any. Faces in no part: not a number.

        Parameters
        ----------
        parts
            Rows that are away together, all of one person.
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
    def tables(self) -> tuple[Doubles, ...]:
        """T, the slopes and the Gram matrices: up to 1 + 2 b of (n, n)."""
        return self.products, *self.slopes, *self.grams

    @cached_property
    def means(self) -> Doubles:
        """(tables, p, n) the mean rows of these of each person there is."""
        return self._averaged(self.people)

    @cached_property
    def group_means(self) -> Doubles:
        """(tables, groups, n) the same of each group."""
        return self._averaged(self.group.of)

    @cached_property
    def inverse(self) -> InverseOfMeans | None:
        """How faces are left out of very many; None where the usual way is as fast, or surer."""
        if len(self.people) <= _REFINED or (self.people < 0).any() or self.reach != "means":
            return None
        return InverseOfMeans.of(self.means[0], averages(self.people))

    def _averaged(self, who: Numbers) -> Doubles:
        spread = averages(who)
        return np.array([spread @ table for table in self.tables])

    @cached_property
    def scattered(self) -> Doubles:
        """(b,) the trace of HKH of each block."""
        own = np.take_along_axis(
            self.group_means[-len(self.grams) :], self.group.of[None, None], axis=1
        )[:, 0]
        return np.einsum("bii->b", self.grams) - own.sum(axis=1)


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
        return ~np.isin(np.arange(len(self.whole.people)), self.gone)

    @cached_property
    def shares(self) -> Doubles:
        """(b,) what the blocks are to be multiplied by, so that c may stay as it is.

        A single block, because c is in proportion to the scatter left; of several, because each is
        over its total variance.
        """
        scatter, left = self.whole.scattered, int(self.stay.sum())
        lost = [np.trace(self._parts(edge.T)) for edge in self._edges[-len(scatter) :]]
        still = np.maximum(scatter - lost, NEGLIGIBLE * scatter) / max(1, left - 1)
        before = scatter / (len(self.stay) - 1)
        return np.divide(before, still, out=np.ones(len(scatter)), where=still > 0)

    @cached_property
    def cosines(self) -> Doubles:
        """(g, n) cosines between those away and the others; −∞ between those away."""
        anew = self.whole.reach == "all" or bool((np.abs(self.shares - 1) > _MUCH).any())
        if anew:
            along = self._fitted_anew()
        elif self.whole.inverse is not None:
            return self.whole.inverse.without(self._gone)
        else:
            spread = averages(np.where(self.stay, self.whole.people, -1))
            spread -= self.stay / self.stay.sum()  # A′
            means = self._means + (spread @ self._removed.T) @ self._update  # A′T′
            means -= means[:, self.stay].mean(axis=1, keepdims=True)
            squares, turned = np.linalg.eigh(means @ spread.T)
            keep = squares > NEGLIGIBLE * squares[-1]
            along = (turned[:, keep] / np.sqrt(squares[keep])).T @ means
        lengths = np.linalg.norm(along, axis=0)
        if self.whole.reach == "means and rest" and not anew:
            lengths[self.gone] = self._whole_lengths
        along = along / np.where(lengths > 0, lengths, 1)
        cosines = along[:, self.gone].T @ along
        cosines[:, self.gone] = -np.inf
        return cosines

    def _fitted_anew(self) -> Doubles:
        """Return the coordinates (j, n) of all faces in a space fitted to those left.

        With few people, in the last one what lies outside of it: see `outside`; and those left are
        in the span only.
        """
        nowhere = np.zeros((0, len(self.stay)))
        if not self.stay.any():
            return nowhere
        gram = np.tensordot(self.shares, self.whole.grams, axes=1)
        rows = gram[self.stay]
        rows = rows - rows.mean(axis=0)
        rows -= rows[:, self.stay].mean(axis=1, keepdims=True)
        if np.trace(rows[:, self.stay]) < NEGLIGIBLE * np.trace(gram):
            return nowhere
        people = self.whole.people[self.stay]
        left = rows[:, self.stay]
        reach = self.whole.reach
        axes, inside, span = people_axes(left, people, self.whole.scatter, reach=reach)
        along = axes.T @ rows
        if reach == "means":
            return along
        mean = gram[self.stay].mean(axis=0)
        squares = np.diag(gram) - 2 * mean + mean[self.stay].mean()
        beyond = outside(along.T, axes.T @ inside, squares)
        along = np.concatenate([along, beyond[None]])
        along[span:, self.stay] = 0
        return along

    def _changed(self, tables: Doubles) -> Doubles:
        """Return rows (…, n) of T with the shares of blocks changed, of the same of each table."""
        used = 1 + len(self.whole.slopes)
        return np.tensordot([1, *(self.shares - 1)][:used], tables[:used], axes=1)

    @cached_property
    def _means(self) -> Doubles:
        """A′T, (p, n): the mean rows of T of those left, of each person minus of all."""
        people, means = self.whole.people, self._changed(self.whole.means)
        gone = self._changed(
            np.array([table[self.gone].sum(axis=0) for table in self.whole.tables])
        )
        mean = -gone / self.stay.sum()  # all rows of T sum to 0
        person = people[self.gone[0]]
        own, count = np.unique(people[people >= 0]) == person, int((people == person).sum())
        if count == len(self.gone):
            return means[~own] - mean
        means[own] = (count * means[own] - gone) / (count - len(self.gone))
        return means - mean

    @property
    def _whole_lengths(self) -> Doubles:
        """The whitened lengths (g,) of those away, in what is left: their squares are in T′."""
        some = np.array([table[self.gone] for table in self.whole.tables])
        rows = self._changed(some) + self._removed[:, self.gone].T @ self._update
        own = rows[np.arange(len(self.gone)), self.gone]
        left, count = self._removed[:, self.stay].mean(axis=1), int(self.stay.sum())
        mean = -self._changed(some.sum(axis=1)) / count + left @ self._update
        squares = own - 2 * rows[:, self.stay].mean(axis=1) + mean[self.stay].mean()
        return np.sqrt(np.maximum(squares, 0))

    @property
    def _gone(self) -> PersonAway:
        """What changes without them, of T itself."""
        people, removed = self.whole.people, self._removed
        person = people[self.gone[0]]
        return PersonAway(
            rows=self.gone,
            own=people == person,
            number=int(np.searchsorted(np.unique(people), person)),
            row_sum=self.whole.products[self.gone].sum(axis=0),
            removed=removed,
            inner=self._inner,
        )

    @cached_property
    def _removed(self) -> Doubles:
        """ZᵀT, (z, n)."""
        return self._changed(self._edges)

    @property
    def _inner(self) -> Doubles:
        """Return c I − ZᵀTZ, (z, z)."""
        inner = self._parts(self._removed.T)
        return self.whole.group.ridge * np.eye(len(inner)) - inner

    @cached_property
    def _update(self) -> Doubles:
        """(c I − ZᵀTZ)⁻¹ ZᵀT, (z, n)."""
        return np.asarray(np.linalg.solve(self._inner, self._removed), np.float64)

    @cached_property
    def _edges(self) -> Doubles:
        """(tables, z, n) Zᵀ of each table."""
        number = self.whole.group.of[self.gone[0]]
        means = self.whole.group_means[:, number]
        pairs = zip(self.whole.tables, means, strict=True)
        return np.array([self._of_parts(table[self.gone], mean) for table, mean in pairs])

    def _parts(self, rows: Doubles) -> Doubles:
        """Return Zᵀ · rows of n rows."""
        group = self.whole.group.of
        return self._of_parts(rows[self.gone], rows[group == group[self.gone[0]]].mean(axis=0))

    def _of_parts(self, own: Doubles, mean: Doubles) -> Doubles:
        """Return Zᵀ of the rows of those away, and of their group's mean row.

        Those of the faces away minus their mean; and, where others of their group are left, that
        mean minus the group's, √(g N / (N − g)) times for g of N faces.
        """
        group, g = self.whole.group.of, len(self.gone)
        count = int((group == group[self.gone[0]]).sum())
        apart = own - own.mean(axis=0)
        if count == g:
            return apart
        away = np.sqrt(g * count / (count - g)) * (own.mean(axis=0) - mean)
        return np.concatenate([apart, away[None]])
