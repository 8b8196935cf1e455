"""Mean, principal components and variances of points or pictures, in double precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Coordinates, Doubles

NO_VARIANCE = 1e-10  # a smaller share of the largest variance is rounding error
_ROWS_AT_ONCE = 4096
ALL_THE_SAME = "All of them are the same, so there are no components. Choose other data."


@dataclass(frozen=True, eq=False)
class PrincipalComponents:
    """Mean (d,), components (r, d) of non-zero variance, and their variances (r,), largest first.

    Variances are divided by n, not by n − 1. In each component, the entry of largest magnitude is
    positive.
    """

    mean: Doubles
    components: Doubles
    variances: Doubles

    def project(self, x: Coordinates) -> Doubles:
        """Return the coordinates (n, r) of points (n, d) along the components."""
        coordinates: Doubles = (x - self.mean) @ self.components.T
        return coordinates

    def first(self, k: int) -> PrincipalComponents:
        """Return the first k components, or all if there are fewer."""
        return PrincipalComponents(self.mean, self.components[:k], self.variances[:k])


def blocks(n: int) -> list[slice]:
    """Return slices of a few thousand rows: 60,000 pictures at once would need half a gigabyte."""
    return [slice(start, start + _ROWS_AT_ONCE) for start in range(0, n, _ROWS_AT_ONCE)]


def pca(
    values: Coordinates, tick: Tick = no_tick, *, weights: Doubles | None = None
) -> PrincipalComponents:
    """Return the principal components of n points (n, d), even if d > n.

    Sums are in double precision, whatever the type of the points. With ``weights`` (n,), a point of
    weight m counts as m copies. Raise `EigenfacesError` if all points of non-zero weight are equal.

    Examples
    --------
    >>> fitted = pca(np.array([[0.0, 0, 1], [2, 0, 1], [4, 0, 1]]))
    >>> fitted.mean, fitted.components, fitted.variances.round(3)
    (array([2., 0., 1.]), array([[1., 0., 0.]]), array([2.667]))
    """
    tick(0, 2)
    n, d = values.shape
    shares = np.full(n, 1 / n) if weights is None else weights / max(weights.sum(), 1e-300)
    mean: Doubles = values.mean(axis=0, dtype=np.float64)
    if weights is not None:
        mean = np.asarray(shares @ values, np.float64)
    lengths = np.einsum("ij,ij->i", values, values, dtype=np.float64)
    rounding = np.finfo(float).eps * float(shares @ lengths)
    # XᵀX = Σ and XXᵀ have the same eigenvalues, so the smaller of them is decomposed. From
    # XXᵀu = λu it follows that v = Xᵀu/√λ (Sirovich and Kirby 1987). Σ is a sum over points.
    roots = np.sqrt(shares)[:, None]
    if d > n:
        x = roots * (values - mean)
        products = x @ x.T
    else:
        products = np.zeros((d, d))
        for some in blocks(n):
            x = roots[some] * (values[some] - mean)
            products += x.T @ x
    tick(1, 2)
    eigenvalues, vectors = np.linalg.eigh(products)
    if eigenvalues[-1] <= rounding:
        raise EigenfacesError(ALL_THE_SAME)
    rows = np.flatnonzero(eigenvalues > NO_VARIANCE * eigenvalues[-1])[::-1]
    variances, columns = eigenvalues[rows], vectors[:, rows]
    tick(2, 2)
    components = fix_signs(columns if d <= n else x.T @ columns / np.sqrt(variances)).T
    return PrincipalComponents(mean, components, variances)


def fix_signs(columns: Doubles) -> Doubles:
    """Return columns (d, r), flipped so that the entry of largest magnitude in each is positive.

    >>> fix_signs(np.array([[0.6], [-0.8]])).ravel().tolist()
    [-0.6, 0.8]
    """
    largest = np.abs(columns).round(6).argmax(axis=0)  # the first if several are equal
    signs = np.where(columns[largest, np.arange(columns.shape[1])] < 0, -1.0, 1.0)
    return columns * signs + 0.0  # no −0


def principal_axes(points: Doubles) -> tuple[Doubles, Doubles]:
    """Return all variances (d,) of points (n, d), including zeros, and directions (d, d).

    Directions are columns in order of decreasing variance. `fix_signs` determines their signs.
    """
    variances, directions = np.linalg.eigh(np.cov(points.T, bias=True))
    return variances[::-1], fix_signs(directions[:, ::-1])
