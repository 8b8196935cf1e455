"""Taking more faces into a fitted face space: its mean, components and variances, not fitted anew.

The sequential Karhunen–Loève transform with the mean corrected: D. Ross, J. Lim, R.-S. Lin and
M.-H. Yang, *Incremental learning for robust visual tracking* (2008). The scatter of n + b faces is
that of the n, that of the b about their own mean, and n b / (n + b) times the square of what lies
between the two means. It is kept as a small matrix in an orthonormal basis, which grows by what new
faces have outside it; only a basis that has become too large is cut back to its leading directions.

Mean and total variance are exact. So are the components, to rounding, if those before left nothing
out. If they did, the faces they were fitted to have parts in the new directions of which no more is
known than how large they can be: that bounds what a full fit would keep more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.arrays import Doubles, Floats
from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.crops import Crops
from eigenfaces.space.centred import signs_of
from eigenfaces.space.facespace import FaceSpace
from eigenfaces.space.svd import LARGEST_EXACT, LEADING

SCALED = (
    "Pixels are divided by their standard deviations here, and these change with every photograph, "
    "so the face space cannot be updated: train again."
)

_NOTHING = 1e-6
"""A share of the variance that is rounding."""

_RANK = 1e-6
"""Singular values below this share of the largest are rounding."""

_ROUNDING = 1e-5  # of single precision, in a row
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Updated:
    """That a face space was updated since it was last fitted, and what a full fit would do better.

    Parameters
    ----------
    fitted
        The number of faces that it was last fitted to, all at once.
    most
        Share of the variance, 0…1, that as many components of a full fit keep, at most.
    """

    fitted: int
    most: float


def leaves_nothing_out(space: FaceSpace) -> bool:
    """Return whether the faces that a space was fitted to lie in it, up to rounding."""
    return bool(1 - space.variance_ratio.sum() < _NOTHING)


def update(
    space: FaceSpace,
    faces: Floats | Crops,
    updated: Updated | None = None,
    *,
    tick: Tick = no_tick,
    rows_at_once: int = _ROWS_AT_ONCE,
    largest_exact: int = LARGEST_EXACT,
) -> tuple[FaceSpace, Updated]:
    """Return the space of its own faces and of b ≥ 1 more (b, d), of which a few are read at once.

    A space that left nothing out keeps all components that the faces have (as a fit does, up to
    ``largest_exact`` faces); any other as many as it had. Its variances are never above those of a
    full fit. ``updated``: what is known of a space that was updated before.

    Raises
    ------
    EigenfacesError
        The pixels of the space are scaled: their deviations change with every face.

    Examples
    --------
    >>> faces = np.random.default_rng(0).random((9, 6), dtype=np.float32)
    >>> space, _ = update(FaceSpace.fit(faces[:4], (2, 3)), faces[4:])
    >>> full = FaceSpace.fit(faces, (2, 3))
    >>> bool(np.allclose(space.components, full.components, atol=1e-5))
    True
    """
    if space.scale is not None:
        raise EigenfacesError(SCALED)
    keep = _components_kept(space, len(faces), largest_exact)
    held = _Held.of(space, fresh=updated is None)
    for start in range(0, len(faces), rows_at_once):
        tick(start, len(faces))
        held = held.with_faces(faces[start : start + rows_at_once])
        if len(held.basis) > 2 * keep + _ROWS_AT_ONCE:
            held = held.leading(keep)
    made = held.leading(keep)
    tick(len(faces), len(faces))
    # The first k eigenvalues of a sum of two scatters add up to no more than the first k of the one
    # and the trace of the other (K. Fan 1949): k components keep what they did, and all that came.
    had = space.total_variance * (space.count - 1)
    before = updated.most if updated else float(space.variance_ratio[: len(made.basis)].sum())
    most = min(1.0, 1 - (1 - before) * had / made.total)
    if held.ceiling is not None:
        highest = np.linalg.eigvalsh(held.ceiling)[::-1][: len(made.basis)]
        most = min(most, float(highest.sum()) / made.total)
    after = replace(
        space,
        mean=made.mean.astype(np.float32),
        components=made.basis,
        singular_values=np.sqrt(np.diag(made.inside)),
        total_variance=made.total / (made.count - 1),
        count=made.count,
    )
    return after, Updated(updated.fitted if updated else space.count, most)


def _components_kept(space: FaceSpace, more: int, largest_exact: int) -> int:
    if not leaves_nothing_out(space):
        return len(space)
    n, d = space.count + more, space.mean.size
    return min(n - 1, d) if min(n, d) <= largest_exact else min(LEADING, largest_exact)


@dataclass(frozen=True, eq=False)
class _Held:
    """What is known of n faces: mean, an orthonormal basis (m, d), and their scatter inside it.

    ``total`` is the trace of their whole scatter (d, d). That is nowhere above ``ceiling`` (m, m),
    continued by ``floor`` in all directions outside the basis; None once the basis was cut.
    """

    mean: Doubles
    basis: Floats
    inside: Doubles
    total: float
    count: int
    floor: float
    ceiling: Doubles | None

    @classmethod
    def of(cls, space: FaceSpace, *, fresh: bool) -> _Held:
        """Return what a space knows; a ``fresh`` one, as it was fitted, leaves no more out.

        No direction outside its components has more of the scatter than the last of them.
        """
        inside = np.diag(space.singular_values**2)
        return cls(
            mean=space.mean.astype(np.float64),
            basis=space.components,
            inside=inside,
            total=space.total_variance * (space.count - 1),
            count=space.count,
            floor=0.0 if leaves_nothing_out(space) else float(inside[-1, -1]),
            ceiling=inside if fresh else None,
        )

    def with_faces(self, faces: Floats) -> _Held:
        """Return it with b more faces (b, d)."""
        n, b = self.count, len(faces)
        mean = faces.mean(axis=0, dtype=np.float64)
        between = (mean - self.mean) * np.sqrt(n * b / (n + b))
        if not np.isfinite(between).all():
            raise EigenfacesError("Some faces hold values that are not numbers.")
        rows = np.concatenate([faces - mean, between[None]])
        basis, along = _widened(self.basis, rows)
        came, new = along.T @ along, len(basis) - len(self.basis)
        ceiling = None if self.ceiling is None else came + _continued(self.ceiling, new, self.floor)
        return replace(
            self,
            mean=(n * self.mean + b * mean) / (n + b),
            basis=basis,
            inside=came + _continued(self.inside, new, 0.0),
            total=self.total + float((rows**2).sum()),
            count=n + b,
            ceiling=ceiling,
        )

    def leading(self, keep: int) -> _Held:
        """Return it turned to its principal directions, of which only the first are kept."""
        squares, turn = np.linalg.eigh(self.inside)
        squares, turn = squares[::-1], turn[:, ::-1]
        keep = min(keep, self.count - 1, int((squares > _RANK**2 * squares[0]).sum()))
        basis = turn[:, :keep].T.astype(np.float32) @ self.basis
        basis *= signs_of(basis)[:, None]
        return replace(self, basis=basis, inside=np.diag(squares[:keep]), ceiling=None)


def _continued(square: Doubles, by: int, value: float) -> Doubles:
    """Return a square matrix widened by some rows and columns, with a value on their diagonal."""
    wider = np.diag(np.full(len(square) + by, value))
    wider[: len(square), : len(square)] = square
    return wider


def _widened(basis: Floats, rows: Doubles) -> tuple[Floats, Doubles]:
    """Return a basis (m, d) widened by what rows (b, d) have outside it, and their coordinates."""
    outside: Floats = rows.astype(np.float32)
    along = np.zeros((len(rows), len(basis)))
    for _ in range(2):  # twice is enough
        part = outside @ basis.T
        outside -= part @ basis
        along += part
    squares, turn = np.linalg.eigh(outside.astype(np.float64) @ outside.T)
    # What is left of rows that lie in the basis is rounding, and not orthogonal to it.
    some = squares > _ROUNDING**2 * float((rows**2).sum(axis=1).max())
    lengths = np.sqrt(squares[some])
    new = (turn[:, some] / lengths).T.astype(np.float32) @ outside
    return np.concatenate([basis, new]), np.hstack([along, turn[:, some] * lengths])


def settled(space: FaceSpace, coordinates: Floats) -> tuple[FaceSpace, Doubles]:
    """Return a space turned within itself, so that variances are those of the faces themselves.

    Parameters
    ----------
    space
        An updated space, which knows only a part of the variance along each component.
    coordinates
        (n, k) of all the faces it is made of.

    Returns
    -------
    The space, along whose components the faces vary by its variances and independently, and what
    turns coordinates into those there, (k, k).
    """
    inside = np.zeros((len(space), len(space)))
    for start in range(0, len(coordinates), _ROWS_AT_ONCE):
        piece = coordinates[start : start + _ROWS_AT_ONCE].astype(np.float64)
        inside += piece.T @ piece
    squares, turn = np.linalg.eigh(inside)
    squares, turn = squares[::-1], turn[:, ::-1]
    turned = turn.T.astype(np.float32) @ space.components
    signs = signs_of(turned)
    components = turned * signs[:, None]
    return replace(space, components=components, singular_values=np.sqrt(squares)), turn * signs
