"""Lesson: covariance, singular value decomposition and Gram matrix give the same components.

Processor time is measured in one thread, so other work on the computer barely affects it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import thread_time
from typing import Any

import numpy as np
from scipy.linalg import subspace_angles

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import fix_signs
from eigenfaces.lessons.lesson import Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count
from eigenfaces.threads import one_blas_thread

MOST_POINTS = 600  # the most points used: the Gram matrix has a row for each of them
LARGEST_COVARIANCE = 2048  # the most numbers per point: with more, eigenvectors take minutes
COMPARED = 8  # the number of components compared
_DRAWN = 4  # how many of them are drawn for each way
_TOLERANCE = 1e-6  # a singular value below this share of the largest is rounding error
_RUNS, _ENOUGH = 3, 0.1  # the most timed runs of a way, and the seconds that end the timing

Solution = tuple[Doubles, Doubles]
"""Singular values (r,), largest first, and directions (d, r) of points (n, d); r = min(n, d)."""


def _by_squares(products: Doubles, r: int) -> Solution:
    """Return the square roots of the r largest eigenvalues, and the eigenvectors in columns."""
    squares, vectors = np.linalg.eigh(products)
    return np.sqrt(np.maximum(squares[::-1], 0))[:r], vectors[:, ::-1][:, :r]


def by_covariance(x: Doubles) -> Solution:
    """Decompose XᵀX, which is n times the covariance."""
    return _by_squares(x.T @ x, min(x.shape))


def by_svd(x: Doubles) -> Solution:
    """Decompose Xᵀ."""
    directions, singular, _ = np.linalg.svd(x.T, full_matrices=False)
    return singular, directions


def by_gram(x: Doubles) -> Solution:
    """Decompose XXᵀ (Sirovich and Kirby 1987): if XXᵀu = s²u, then v = Xᵀu/s.

    The direction is 0 for a singular value that is only rounding error.
    """
    singular, left = _by_squares(x @ x.T, min(x.shape))
    least = _TOLERANCE * singular[0]
    return singular, x.T @ (left * np.where(singular > least, 1 / np.maximum(singular, least), 0))


WAYS: Mapping[str, Callable[[Doubles], Solution]] = {
    "Covariance": by_covariance,
    "SVD": by_svd,
    "Gram trick": by_gram,
}


def megabytes_needed(n: int, d: int) -> tuple[float, float, float]:
    """Return the memory in megabytes that each method needs for n points of d numbers.

    Besides X, a method needs a square matrix and its eigenvectors, or all singular vectors.
    """
    r = min(n, d)
    most = (2 * d * d, n * r + r * d, 2 * n * n + d * r)
    covariance, svd, gram = (8e-6 * (n * d + more) for more in most)
    return covariance, svd, gram


@dataclass(frozen=True, eq=False)
class Solved:
    """Pictures and their decomposition by each method."""

    shape: tuple[int, ...]
    x: Doubles  # (n, d) the pictures minus their mean
    solutions: Mapping[str, Solution]  # except for ways that would take too long
    seconds: Mapping[str, float]

    @cached_property
    def rank(self) -> int:
        """Number of singular values above rounding error."""
        singular, _ = self.solutions["SVD"]
        return int((singular > _TOLERANCE * singular[0]).sum())

    def differences(self, way: str) -> tuple[float, float]:
        """Return how much a method differs from the SVD, in singular values and in directions."""
        (singular, v), (others, w) = self.solutions["SVD"], self.solutions[way]
        values, k = np.abs(singular - others)[: self.rank].max(), min(COMPARED, self.rank)
        return float(values), float(subspace_angles(v[:, :k], w[:, :k]).max())


def prepare(images: ImageSet, tick: Tick) -> Solved:
    """Return the components from each method, and the processor time it takes, in seconds.

    The covariance method is left out if its matrix would be too large. The time is that of the
    fastest of a few runs, because other work can only make a run slower.
    """
    values = images.values[:MOST_POINTS]
    x = values - values.mean(axis=0)
    solutions, seconds = dict[str, Solution](), dict[str, float]()
    for done, (name, solve) in enumerate(WAYS.items()):
        tick(done, len(WAYS))
        if name == "Covariance" and x.shape[1] > LARGEST_COVARIANCE:
            continue
        times = list[float]()
        with one_blas_thread():
            while len(times) < _RUNS and sum(times) < _ENOUGH:
                start = thread_time()
                solutions[name] = solve(x)
                times.append(thread_time() - start)
        seconds[name] = min(times)
    return Solved(images.shape, x, solutions, seconds)


def picture(ready: Solved, flip: float, k: float) -> fig.LessonPicture:
    """Draw the components from each method, the cost of each, and the effect of flipping a sign.

    ``flip`` is the number of the component whose sign is flipped, or 0. The first picture is
    rebuilt from ``k`` components.
    """
    x, most, shape = ready.x, min(COMPARED, ready.rank), ready.shape
    signs = np.where(np.arange(1, most + 1) == min(flip, most), -1, 1)
    found = {way: fix_signs(v[:, :most]) * signs for way, (_, v) in ready.solutions.items()}
    singular, directions = ready.solutions["SVD"][0], found["SVD"]
    scores = x @ directions
    k = min(int(k), most)
    back = directions[:, :k] @ scores[0, :k]
    differences = {way: ready.differences(way) for way in ready.solutions}
    faces = tuple(
        fig.pictures(v[:, :_DRAWN].T, shape, way, 2, signed=True) for way, v in found.items()
    )
    names, row = tuple(map(str, range(1, most + 1))), "a row of XV = UΣ"
    bars = fig.BarsPanel(names, scores[0], title="Scores of the first picture", caption=row)
    look: dict[str, Any] = {"words": ("x", "VVᵀx"), "caption": f"from {count(k, 'component')}"}
    rebuilt = fig.pictures(
        np.stack([x[0], back]), shape, "The first picture, rebuilt", 2, signed=True, **look
    )
    note = "{:,} × {:,}, rank {}".format(*x.shape, ready.rank)
    return fig.LessonPicture(
        fig.Drawing("One answer, three ways", (faces, (_costs(ready, differences),)), note),
        fig.Drawing("What a sign changes", ((bars, rebuilt),)),
        {
            "rank": float(ready.rank),
            "singular": singular[: ready.rank],
            "differ": max(values for values, _ in differences.values()),
            "angle": max(angle for _, angle in differences.values()),
            "put_back": back,
        },
    )


def _costs(ready: Solved, differences: Mapping[str, tuple[float, float]]) -> fig.TablePanel:
    """Return a table with the cost of each method and its difference from the SVD."""
    n, d = ready.x.shape
    rows, matrices = [], (f"{d:,} × {d:,}", f"{d:,} × {n:,}", f"{n:,} × {n:,}")
    for name, matrix, size in zip(WAYS, matrices, megabytes_needed(n, d), strict=True):
        cells = ("left out", "–")
        if name in ready.solutions:
            angle = fig.tick_label(float(f"{differences[name][1]:.0e}"))
            milliseconds = float(f"{1000 * ready.seconds[name]:.2g}")
            cells = (f"{milliseconds:,g} ms", f"{angle} rad")
            cells = (cells[0], "–") if name == "SVD" else cells
        rows.append((name, matrix, f"{size:,.1f} MB", *cells))
    left_out = f"The covariance is left out: its {d:,} × {d:,} numbers take {8e-6 * d * d:,.0f} MB."
    caption = left_out if len(differences) < len(WAYS) else ""
    head = ("Way", "Matrix", "Memory", "Time", "V differs by")
    return fig.TablePanel(head, tuple(rows), caption=caption)


LISTING = """\
x = x[:600] - x[:600].mean(axis=0)
v, singular, u = np.linalg.svd(x.T, full_matrices=False)
rank = np.sum(singular > 1e-6 * singular[0])
few = min(8, rank)
singular, v = singular[:rank], v[:, :few]
squares, left = np.linalg.eigh(x @ x.T)  # the Gram trick, n × n
values = np.sqrt(squares[::-1][:rank])
ways = [(values, x.T @ left[:, ::-1][:, :few] / values[:few])]
if x.shape[1] <= 2048:  # n times the covariance, d × d
    squares, directions = np.linalg.eigh(x.T @ x)
    ways.append((np.sqrt(squares[::-1][:rank]), directions[:, ::-1][:, :few]))
differ = max(np.abs(values - singular).max() for values, _ in ways)
angle = max(np.arcsin(np.linalg.norm(w - v @ (v.T @ w), 2)) for _, w in ways)
v[:, max(0, int(flip) - 1) : int(flip)] *= -1
scores = x @ v  # UΣ, except for the sign
put_back = scores[0, : int(k)] @ v[:, : int(k)].T
print(f"singular values differ by {differ:.0e}, directions by {angle:.0e} rad")
"""


LESSON = Lesson(
    name="three-ways",
    title="One answer, three ways",
    line="Covariance, SVD and the Gram trick",
    group="Numbers",
    see=(
        "Eigenvectors of the covariance, the SVD of the data and the **Gram trick** give the same "
        "components, up to rounding.",
        "They differ in time and memory: the covariance has *d* × *d* numbers, the Gram matrix "
        "*n* × *n*.",
        "A component and its **negative** describe the same direction. When it is flipped, the "
        "scores change sign, but the reconstruction stays the same.",
    ),
    formula="*X*ᵀ*X* = *V*Σ²*V*ᵀ, *XX*ᵀ = *U*Σ²*U*ᵀ",
    why=(
        "Both formulas follow from *X* = *U*Σ*V*ᵀ, and so do the scores: *XV* = *U*Σ. If *XX*ᵀ*u* "
        "= *s*²*u*, then *v* = *X*ᵀ*u*/*s*. Squaring loses half of the digits, so only the SVD "
        "finds singular values below 10<sup>−8</sup> of the largest."
    ),
    steps=(
        Step("All three ways show the same pictures. Compare memory and time.", {"flip": 0}),
        Step("Flip a component: its score flips, the reconstruction stays.", {"flip": 1}),
        Step("Take digits: which matrix is the smallest now?", subject="digits"),
    ),
    question=Question(
        "400 faces have 10,304 pixels each. Which matrix is the smallest?",
        ("pixels × pixels", "pixels × faces", "faces × faces"),
        2,
    ),
    subjects=("small", "digits", "gallery", "opened"),
    controls=(
        Slide("flip", "Flip component", "the component to flip, or 0 for none", 0, 0, COMPARED),
        Slide(
            "k", "Components k", "how many components rebuild the picture", COMPARED, 1, COMPARED
        ),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    limits=lambda ready: dict.fromkeys(("flip", "k"), min(COMPARED, ready.rank)),
)
