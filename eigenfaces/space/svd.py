"""The one hard computation: the leading singular vectors of mean-subtracted faces.

Three routes to the same answer. With few faces, the Gram matrix A Aᵀ (Sirovich and Kirby 1987;
Turk and Pentland 1991), whole columns at a time. With many, only rows at a time are read, so that
the faces may lie in a file, or on other machines (`by_rows`): the covariance AᵀA
where there are few pixels, and else a block Krylov space.

**Precision.** Products of some thousand numbers are taken in single precision, and added up in
double: twice as fast as in double, and hardly less exact. Squares in single precision tell values
down to `RESOLVED` of the largest; where smaller ones are wanted, the route is taken again in
double. Singular values are the lengths of what the vectors make of the matrix, in which an error of
a direction counts only by its square. On the AT&T faces, against an SVD in double precision:
singular values to 2e-7 of each, the first 100 directions to 7e-5 rad.

Only ``numpy.linalg.eigh`` and matrix products are used: they release the interpreter's lock, so a
window goes on answering (``scipy.linalg`` and ``numpy.linalg.qr`` hold it to the end).
"""

from __future__ import annotations

from dataclasses import dataclass

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.by_gram import by_gram
from eigenfaces.space.by_rows import by_covariance, by_krylov
from eigenfaces.space.centred import signs_of

LARGEST_EXACT = 3000
"""Up to this min(n, d), all singular vectors are found; above, the leading ones."""

LEADING = 500
"""Components found of a matrix too large for the exact routes, if no other number is asked for.

They are not exact, and the last are the least so. Measured against the exact route on 5000 pictures
made of the AT&T faces (turned, shifted, lit otherwise): singular values to 4e-7 of each, components
to 1e-3 rad. Where neighbouring variances are nearly equal, single components may turn into each
other; what they span together stays. `tests/benchmarks/test_core.py` measures it again.
"""


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The singular value decomposition of n mean-subtracted faces, as far as it was asked for.

    Parameters
    ----------
    mean
        (d,) float64, of each pixel.
    scale
        (d,) float64 standard deviations that the pixels are divided by, or None.
    total_variance
        Sum of the variances of all (divided) pixels.
    singular_values
        (k,) float64, descending.
    components
        (k, d) float32, orthonormal rows. In each, the entry of largest magnitude is positive, so
        that signs do not depend on the route.
    coordinates
        (n, k) float32 of the faces themselves, along the components: U Σ.
    """

    mean: Doubles
    scale: Doubles | None
    total_variance: float
    singular_values: Doubles
    components: Floats
    coordinates: Floats


def decompose(
    faces: Crops,
    *,
    correlation: bool = False,
    wanted: int | None = None,
    tick: Tick = no_tick,
    largest_exact: int = LARGEST_EXACT,
) -> Decomposition:
    """Return the decomposition of n ≥ 2 faces (n, d).

    Parameters
    ----------
    correlation
        Whether each pixel is divided by its standard deviation.
    wanted
        How many components; None for all, or `LEADING` where min(n, d) exceeds ``largest_exact``.
    tick
        Called as the work goes on.
    largest_exact
        The largest min(n, d) that is decomposed completely.

    Raises
    ------
    EigenfacesError
        Fewer than two faces, values that are not numbers, or all faces the same.
    """
    n, d = faces.shape
    if n < 2:
        raise EigenfacesError("A face space needs at least two photographs.")
    exact = min(n, d) <= largest_exact
    route = (by_gram if n <= d else by_covariance) if exact else by_krylov
    most = min(n - 1, d, wanted or (d if exact else LEADING))
    matrix, total, (values, components, coordinates) = route(faces, correlation, most, tick)
    if exact and (len(values) < most or most == min(n - 1, d)):  # all are found: nothing is left
        total = float((values**2).sum()) / (n - 1)
    signs = signs_of(components)
    components *= signs[:, None]
    coordinates *= signs
    scale = matrix.scale if correlation else None
    return Decomposition(matrix.mean, scale, total, values, components, coordinates)
