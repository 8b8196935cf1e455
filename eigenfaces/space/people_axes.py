"""The axes along which people differ, as sums of faces: without eigenvectors of the pixels.

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

from eigenfaces.errors import EigenfacesError
from eigenfaces.space.arrays import Doubles, Numbers

Scatter = Literal["within people", "total"]
"""What is whitened: how faces differ from their person's mean, or from the mean of all."""

Reach = Literal["means", "means and rest", "all"]
"""Where faces are compared: in the span of the people's means; there, but with a probe's whole
whitened length; or in all directions."""

RIDGE = 1 / 9
"""c as a share of the mean variance along n − 1 directions: 0.9 S + 0.1 · mean · I, over 0.9."""

FEWEST_PEOPLE = 4
"""With fewer, the means span so few directions that faces are compared in all of them."""

ENOUGH_PEOPLE, MOST_FACES = 7, 1000
"""With fewer people, strangers fit the span of the means so well that the rest of them counts, too;
with more faces that would take too many axes."""

NEGLIGIBLE = 1e-9
"""A square below this share of the largest is rounding."""

_AT_ONCE = 128


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
        everybody = cls(np.zeros(len(people), np.intp), _ridge(np.trace(gram), len(gram)))
        if everybody.ridge <= 0:
            raise EigenfacesError("All faces are the same, so there is nothing to tell apart.")
        if scatter == "total":
            return everybody
        # A face of nobody's says nothing of how a person's faces differ.
        of = np.unique(nobody_alone(people), return_inverse=True)[1]
        between = means_of(gram, of)[of, np.arange(len(of))].sum()
        own = cls(of, _ridge(np.trace(gram) - between, len(gram)))
        return own if own.ridge > NEGLIGIBLE * everybody.ridge else everybody


def nobody_alone(people: Numbers) -> Numbers:
    """Return the number of the person on each face (n,); each face of nobody (< 0) has its own."""
    return np.where(people < 0, people.max(initial=0) + 1 + np.arange(len(people)), people)


def _ridge(total: float, n: int) -> float:
    """Return c for the trace of HKH (n, n)."""
    return RIDGE * float(total) / max(1, n - 1)


def reach_of(people: Numbers, scatter: Scatter) -> Reach:
    """Return where faces of people (n,) are compared: the fewer, the further it reaches.

    Where it was measured, that is. Whitened by how photographs of a person differ, the rest of a
    stranger is hardly larger than that of whom they look like, and more are named than promised.
    """
    shown = len(np.unique(people[people >= 0]))
    if shown < FEWEST_PEOPLE:
        return "all"
    few = shown < ENOUGH_PEOPLE and len(people) <= MOST_FACES
    return "means and rest" if scatter == "total" and few else "means"


def _renumbered(people: Numbers) -> Numbers:
    """Return the numbers of people (n,) as 0 … p − 1, in the same order; of nobody as −1."""
    return np.where(people < 0, -1, np.searchsorted(np.unique(people[people >= 0]), people))


def averages(people: Numbers) -> Doubles:
    """Return what turns n rows into the means of the people on them, (p, n): 1 / own, else 0."""
    present = np.unique(people[people >= 0])
    shown = people == present[:, None]
    return shown / shown.sum(axis=1, keepdims=True)


def means_of(rows: Doubles, groups: Numbers) -> Doubles:
    """Return the means of n rows by group, (g, …): of some columns after others.

    ``groups``: (n,) the number of each row's, of 0 … g − 1; negative where it is in none.
    """
    counts = np.bincount(groups[groups >= 0])
    order = np.argsort(groups, kind="stable")[len(groups) - counts.sum() :]
    starts = np.cumsum(counts) - counts
    means = np.empty((len(counts), rows.shape[1]))
    for some in pieces(rows.shape[1], _AT_ONCE):
        means[:, some] = np.add.reduceat(rows[order, some], starts, axis=0) / counts[:, None]
    return means


def leave_means_out(rows: Doubles, groups: Numbers) -> None:
    """Turn n rows into H · rows where they are: each minus the mean of its group."""
    for some in pieces(rows.shape[1], _AT_ONCE):
        rows[:, some] -= means_of(rows[:, some], groups)[groups]


def pieces(n: int, at_once: int) -> list[slice]:
    """Return slices of so many rows, one after the other, of n."""
    return [slice(start, min(start + at_once, n)) for start in range(0, n, at_once)]


def _spread(rows: Doubles, people: Numbers | None) -> Doubles:
    """Return A · rows: A turns n rows into the means of people (n,), or each into itself.

    Minus the mean of all rows.
    """
    spread = rows.copy() if people is None else means_of(rows, people)
    spread -= rows.mean(axis=0)
    return spread


def people_axes(
    gram: Doubles, people: Numbers, scatter: Scatter, *, reach: Reach | None = None
) -> tuple[Doubles, Doubles, int]:
    """Return the axes in which people are compared, as sums of faces, E, (n, j); KE, (n, j); span.

    The coordinates of a face x are Eᵀ X (x − mean), so KE are those of the faces; their cosines are
    those of faces whitened, and projected on the span of the people's means if it reaches no
    further. The axes fall by how far apart the means lie along them. The first ``span`` of them are
    those that the coordinates of an enrolled face are taken along; in the others it has none, so
    that they only make a probe longer, and less like everybody.

    Parameters
    ----------
    gram
        K, (n, n): inner products of the faces' features, minus their mean. It is overwritten: of
        thousands of faces there is no room for two.
    people
        (n,) the number of the person on each face, negative where there is nobody.
    scatter
        What is whitened.
    reach
        Where faces are compared; if it is None, `reach_of` says it.
    """
    group = Group.by(scatter, people, gram)
    reach = reach or reach_of(people, scatter)
    spanned = reach == "means"
    who = _renumbered(people) if spanned else None
    means = means_of(gram, group.of)
    leave_means_out(gram, group.of)
    shift = _spread(gram.T, who).T  # HKAᵀ
    leave_means_out(gram.T, group.of)  # K is HKH now
    gram.flat[:: len(gram) + 1] += group.ridge
    solve_in_place(gram, shift)  # (c I + HKH)⁻¹ HKAᵀ, which H leaves as it is
    del gram
    # Aᵀ is small enough to be made, now that there is room.
    whitened = (averages(people) if spanned else np.eye(len(people))).T - shift
    whitened -= 1 / len(people)  # D
    # KD = HKD + (I − H) KD, and HKD = HKAᵀ − HKH · shift
    along = group.ridge * shift + (means @ whitened)[group.of]
    squares, turned = np.linalg.eigh(_spread(along, who))  # AKD = V w Vᵀ
    keep = squares > NEGLIGIBLE * squares[-1]
    turned = (turned[:, keep] / np.sqrt(squares[keep]))[:, ::-1]
    axes, along = whitened @ turned, along @ turned
    if reach != "means and rest":
        return axes, along, axes.shape[1]
    turn, span = _means_first(along, _renumbered(people))
    return axes @ turn, along @ turn, span


def _means_first(along: Doubles, people: Numbers) -> tuple[Doubles, int]:
    """Return what turns coordinates (n, j) so that the first span the people's means: (j, j), span.

    Those fall by how far apart the means lie, the others by how far apart faces do.
    """
    _, lengths, axes = np.linalg.svd(means_of(along, people), full_matrices=False)
    first = axes[lengths**2 > NEGLIGIBLE * lengths[0] ** 2].T
    rest = along - along @ first @ first.T
    others = np.linalg.eigh(rest.T @ rest)[1][:, first.shape[1] :]
    return np.concatenate([first, others[:, ::-1]], axis=1), first.shape[1]


def outside(along: Doubles, products: Doubles, squares: Doubles) -> Doubles:
    """Return the distances (n,) of faces from all sums of some axes, in the faces' own measure.

    With few people, faces are whitened as a whole: what whitening leaves as it is, a face's part
    outside of all faces fitted to, makes it longer, and so less like each of them. An axis more
    has that length, which is 0 for whoever is enrolled.

    Parameters
    ----------
    along
        (n, j) inner products with the axes.
    products
        (j, j) those of the axes.
    squares
        (n,) squared lengths of the faces.
    """
    inside = (along * np.linalg.solve(products, along.T).T).sum(axis=1)
    return np.sqrt(np.maximum(squares - inside, 0))


def solve_in_place(square: Doubles, right: Doubles) -> None:
    """Turn columns (n, j) into the solutions X of a system A X = columns; A, (n, n), is lost.

    A is symmetric and positive definite, so that it can be eliminated block by block without a
    change of order (G. Golub and C. Van Loan, *Matrix computations*, 4.2): ``numpy.linalg.solve``
    alone would need two more of its size.
    """
    n, blocks = len(square), pieces(len(square), _AT_ONCE)
    for block in blocks:
        rest = slice(block.stop, n)
        known = np.concatenate([square[block, rest], right[block]], axis=1)
        known = np.linalg.solve(square[block, block], known)
        square[block, rest], right[block] = np.split(known, [n - block.stop], axis=1)
        for rows in blocks:
            if rows.start >= block.stop:
                square[rows, rest] -= square[rows, block] @ square[block, rest]
                right[rows] -= square[rows, block] @ right[block]
    for block in reversed(blocks):
        rest = slice(block.stop, n)
        right[block] -= square[block, rest] @ right[rest]


def shrunk(gram: Doubles, group: Group) -> Doubles:
    """Return M = I − H (c I + HKH)⁻¹ HK."""
    mixed = gram.copy()
    leave_means_out(mixed, group.of)  # HK
    inner = mixed.T.copy()
    leave_means_out(inner, group.of)  # HKH
    inner.flat[:: len(gram) + 1] += group.ridge
    solve_in_place(inner, mixed)
    np.negative(mixed, out=mixed)
    mixed.flat[:: len(gram) + 1] += 1
    return mixed
