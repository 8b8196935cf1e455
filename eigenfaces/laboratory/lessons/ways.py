"""Three ways to the same components, what they agree on, and what each takes.

Times are of the processor, in one thread, so that other work on the computer hardly counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import thread_time
from types import MappingProxyType

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import Tick
from eigenfaces.laboratory.lessons.decomposed import largest_angle
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles

LARGEST_COVARIANCE = 2048
"""Up to so many numbers to a point: the eigenvectors of more take minutes."""

SIZES = (32, 64, 128, 256, 512)
FIXED = 64
"""The sizes that times are measured for, and what the other size is then."""

SHOWN = 8
"""Components that are shown, and compared."""

TOLERANCE = 1e-6
"""A singular value below this share of the largest is rounding."""

_BYTES = 8
RUNS = 5
_QUICK = 0.3
_SEED = 0

Way = Callable[[Doubles], tuple[Doubles, Doubles]]
"""From points (n, d) about their mean: singular values, descending, and directions (d, r)."""


def by_covariance(x: Doubles) -> tuple[Doubles, Doubles]:
    """Return the components by the eigenvectors of XᵀX, which is n times the covariance."""
    squares, vectors = np.linalg.eigh(x.T @ x)
    keep = min(x.shape)
    return np.sqrt(np.maximum(squares[::-1], 0))[:keep], vectors[:, ::-1][:, :keep]


def by_svd(x: Doubles) -> tuple[Doubles, Doubles]:
    """Return the components by the singular value decomposition of Xᵀ."""
    directions, singular, _ = np.linalg.svd(x.T, full_matrices=False)
    return singular, directions


def by_gram(x: Doubles) -> tuple[Doubles, Doubles]:
    """Return the components by the eigenvectors of XXᵀ (Sirovich and Kirby 1987).

    Where a singular value is rounding only, its direction is left 0.
    """
    squares, vectors = np.linalg.eigh(x @ x.T)
    keep = min(x.shape)
    singular = np.sqrt(np.maximum(squares[::-1], 0))[:keep]
    least = 1e-6 * singular[0]
    shares = np.where(singular > least, 1 / np.maximum(singular, least), 0)
    return singular, x.T @ (vectors[:, ::-1][:, :keep] * shares)


WAYS: Mapping[str, Way] = MappingProxyType(
    {"Covariance": by_covariance, "SVD": by_svd, "Gram trick": by_gram}
)


def memory(way: str, n: int, d: int) -> int:
    """Return the bytes of all arrays that a way has at once, for n points of d numbers.

    X, and the square matrix with its eigenvectors, or the two sets of singular vectors.

    >>> memory("Covariance", 400, 10304) - memory("Gram trick", 400, 10304) > 1_600_000_000
    True
    """
    r = min(n, d)
    arrays = {
        "Covariance": 2 * d * d,
        "SVD": n * r + r * d,
        "Gram trick": 2 * n * n + d * r,
    }
    return _BYTES * (n * d + arrays[way])


def sane(way: str, d: int) -> bool:
    """Return whether a way is gone with points of d numbers."""
    return way != "Covariance" or d <= LARGEST_COVARIANCE


def in_bytes(amount: float) -> str:
    """Return an amount of memory, for people.

    >>> in_bytes(2_500), in_bytes(849_346_560), in_bytes(1_700_000_000)
    ('2.5 kB', '849 MB', '1.7 GB')
    """
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if amount >= size:
            return f"{amount / size:.3g} {unit}"
    return f"{amount:.0f} bytes"


def in_time(seconds: float) -> str:
    """Return a time, for people.

    >>> in_time(0.0000284), in_time(0.0493), in_time(0.4931), in_time(2.5)
    ('0.028 ms', '49 ms', '493 ms', '2.50 s')
    """
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.2g} ms"


@dataclass(frozen=True, eq=False)
class Gone:
    """A way that was gone: singular values (r,), directions (d, r), and seconds it took."""

    singular: Doubles
    directions: Doubles
    seconds: float


def go(way: str, x: Doubles) -> Gone:
    """Return what a way gives for points (n, d) about their mean, and how long it takes.

    Of a few runs the quickest counts: what disturbs a run only adds to its time.
    """
    times: list[float] = []
    with threadpool_limits(1, "blas"):
        while len(times) < RUNS and sum(times) < _QUICK:
            start = thread_time()
            singular, directions = WAYS[way](x)
            times.append(thread_time() - start)
    return Gone(singular, directions, min(times))


@dataclass(frozen=True, eq=False)
class WaysReady:
    """Points (n, d) about their mean, and what the ways found that were gone.

    ``agreement``: by way, the largest difference of a singular value from that of the SVD, and the
    largest angle to its first directions; ``times`` over n and over d.
    """

    subject: Subject
    x: Doubles
    gone: Mapping[str, Gone]
    agreement: Mapping[str, tuple[float, float]]
    times: Mapping[str, tuple[Doubles, Doubles]]

    @property
    def rank(self) -> int:
        """How many singular values are more than rounding."""
        return _rank(self.gone["SVD"])

    @property
    def k(self) -> int:
        """How many components are shown, and put back from."""
        return min(SHOWN, self.rank)


def _rank(found: Gone) -> int:
    return int((found.singular > TOLERANCE * found.singular[0]).sum())


def agreement_of(one: Gone, other: Gone) -> tuple[float, float]:
    """Return the largest difference of singular values, and the largest angle of the first."""
    rank = _rank(one)
    k = min(SHOWN, rank)
    differ = np.abs(one.singular[:rank] - other.singular[:rank]).max()
    return float(differ), largest_angle(one.directions[:, :k].T, other.directions[:, :k].T)


def measured(tick: Tick) -> Mapping[str, tuple[Doubles, Doubles]]:
    """Return the seconds of each way over `SIZES`: of n where d is `FIXED`, and of d where n is."""
    chosen = np.random.default_rng(_SEED)
    steps, done = 2 * len(WAYS) * len(SIZES), 0
    times = {way: (np.zeros(len(SIZES)), np.zeros(len(SIZES))) for way in WAYS}
    for place, size in enumerate(SIZES):
        for over, shape in enumerate(((size, FIXED), (FIXED, size))):
            x = chosen.normal(size=shape)
            for way in WAYS:
                tick(done, steps)
                times[way][over][place] = go(way, x).seconds
                done += 1
    tick(steps, steps)
    return times
