"""Lesson: covariance, singular value decomposition and Gram matrix give the same components.

Times are of the processor, in one thread, so that other work on the computer hardly counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import thread_time

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import largest_angle, upright
from eigenfaces.lessons.lesson import Lesson, flag, slide, told
from eigenfaces.lessons.subjects import Subject, varied
from eigenfaces.space.arrays import Doubles

MOST_POINTS = 600  # as many are decomposed: the Gram matrix has a row for each
LARGEST_COVARIANCE = 2048  # up to so many numbers to a point: the eigenvectors of more take minutes
SHOWN = 8  # components that are shown, and compared
_SIZES, _FIXED = (32, 64, 128, 256, 512), 64
"""The sizes that times are measured for, and what the other size is then."""

_TOLERANCE = 1e-6  # a singular value below this share of the largest is rounding
BYTES = {"GB": 1e9, "MB": 1e6, "kB": 1e3, "bytes": 1.0}
SECONDS = {"s": 1.0, "ms": 1e-3}
_RUNS, _QUICK = 5, 0.3


@dataclass(frozen=True, eq=False)
class Way:
    """A way to the components, with what it decomposes, for people.

    ``numbers`` are those of all arrays that it has at once besides X, for n, d and r = min(n, d):
    the square matrix with its eigenvectors, or the two sets of singular vectors. ``go`` leads from
    points (n, d) about their mean to singular values (r,), descending, and directions (d, r).
    """

    ink: fig.Ink
    matrix: str
    numbers: Callable[[int, int, int], int]
    go: Callable[[Doubles], tuple[Doubles, Doubles]]

    def memory(self, n: int, d: int) -> int:
        """Return the bytes of all arrays that it has at once, for n points of d numbers."""
        return 8 * (n * d + self.numbers(n, d, min(n, d)))


def _by_covariance(x: Doubles) -> tuple[Doubles, Doubles]:
    """By the eigenvectors of XᵀX, which is n times the covariance."""
    return _from_squares(x.T @ x, min(x.shape))


def _by_svd(x: Doubles) -> tuple[Doubles, Doubles]:
    """By the singular value decomposition of Xᵀ."""
    directions, singular, _ = np.linalg.svd(x.T, full_matrices=False)
    return singular, directions


def _by_gram(x: Doubles) -> tuple[Doubles, Doubles]:
    """By the eigenvectors of XXᵀ (Sirovich and Kirby 1987).

    Where a singular value is rounding only, its direction is left 0.
    """
    singular, left = _from_squares(x @ x.T, min(x.shape))
    least = _TOLERANCE * singular[0]
    return singular, x.T @ (left * np.where(singular > least, 1 / np.maximum(singular, least), 0))


def _from_squares(products: Doubles, r: int) -> tuple[Doubles, Doubles]:
    """Return the roots of the r largest eigenvalues, and their eigenvectors in columns."""
    squares, vectors = np.linalg.eigh(products)
    return np.sqrt(np.maximum(squares[::-1], 0))[:r], vectors[:, ::-1][:, :r]


WAYS: Mapping[str, Way] = {
    "Covariance": Way("contrast", "{d:,} × {d:,}", lambda _n, d, _r: 2 * d * d, _by_covariance),
    "SVD": Way("main", "{d:,} × {n:,}", lambda n, d, r: n * r + r * d, _by_svd),
    "Gram trick": Way("good", "{n:,} × {n:,}", lambda n, d, r: 2 * n * n + d * r, _by_gram),
}


def with_unit(amount: float, units: Mapping[str, float]) -> str:
    """Return an amount in the largest unit that it fills, for people.

    >>> [with_unit(each, BYTES) for each in (2_500, 849_346_560)], with_unit(0.0493, SECONDS)
    (['2.5 kB', '849 MB'], '49.3 ms')
    """
    unit = next((unit for unit, size in units.items() if amount >= size), [*units][-1])
    return f"{amount / units[unit]:.3g} {unit}"


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
        while len(times) < _RUNS and sum(times) < _QUICK:
            start = thread_time()
            singular, directions = WAYS[way].go(x)
            times.append(thread_time() - start)
    return Gone(singular, directions, min(times))


@dataclass(frozen=True, eq=False)
class WaysReady:
    """Points (n, d) about their mean, and what the ways found that were gone.

    ``times`` are seconds (2, s) by way, over n where d is fixed, and over d where n is.
    """

    subject: Subject
    x: Doubles
    gone: Mapping[str, Gone]
    times: Mapping[str, Doubles]

    @property
    def rank(self) -> int:
        """How many singular values are more than rounding."""
        singular = self.gone["SVD"].singular
        return int((singular > _TOLERANCE * singular[0]).sum())

    @property
    def k(self) -> int:
        """How many components are shown, and put back from."""
        return min(SHOWN, self.rank)

    def agreement(self, way: str) -> tuple[float, float]:
        """Return how far a way is from the SVD: singular values, and the first directions."""
        svd, other, rank, k = self.gone["SVD"], self.gone[way], self.rank, self.k
        differ = np.abs(svd.singular[:rank] - other.singular[:rank]).max()
        return float(differ), largest_angle(svd.directions[:, :k].T, other.directions[:, :k].T)


def prepare(subject: Subject, tick: Tick) -> WaysReady:
    """Go all ways that can be gone, and measure them on other sizes."""
    values = varied(subject.values[:MOST_POINTS])
    x = values - values.mean(axis=0)
    gone = {}
    for number, way in enumerate(WAYS):
        tick(number, 8)
        if way != "Covariance" or x.shape[1] <= LARGEST_COVARIANCE:
            gone[way] = go(way, x)
    drawn = np.random.default_rng(0)
    times = {way: np.zeros((2, len(_SIZES))) for way in WAYS}
    for place, size in enumerate(_SIZES):
        tick(3 + place, 8)
        for over, shape in enumerate(((size, _FIXED), (_FIXED, size))):
            points = drawn.normal(size=shape)
            for way in WAYS:
                times[way][over, place] = go(way, points).seconds
    return WaysReady(subject, x, gone, times)


def picture(ready: WaysReady, flip: float = 0, memory: bool = False) -> fig.LessonPicture:
    """Return what the ways agree on, the components with their signs, and what each takes.

    ``flip`` is the number of a component whose sign is turned round, 0 for none.
    """
    (n, d), k = ready.x.shape, ready.k
    signs = np.where(np.arange(1, k + 1) == min(flip, k), -1, 1)
    directions = upright(ready.gone["SVD"].directions[:, :k]) * signs
    back = directions @ (ready.x[0] @ directions)
    agreement = {way: ready.agreement(way) for way in ready.gone}
    differ, angle = (max(each[at] for each in agreement.values()) for at in (0, 1))
    of_pictures = isinstance(ready.subject, ImageSet)
    shown = _of_pictures(ready, directions, back) if of_pictures else _of_points(ready, directions)
    rows = (_table(ready, agreement),), shown
    heading = "Memory of each way" if memory else "Time of each way"
    note = f"one core, the quickest of {_RUNS} runs: they vary"
    note = "all arrays at once, computed" if memory else note
    below = tuple(_curves(ready, over, in_memory=memory) for over in (0, 1))
    note_above = f"{n:,} × {d:,}, rank {ready.rank}"
    return fig.LessonPicture(
        fig.Drawing("One answer, three ways", rows, note_above),
        fig.Drawing(heading, (below,), note),
        {
            "rank": float(ready.rank),
            "singular": ready.gone["SVD"].singular[: ready.rank],
            "differ": differ,
            "angle": angle,
            "put_back": back,
        },
    )


def _table(ready: WaysReady, agreement: Mapping[str, tuple[float, float]]) -> fig.TablePanel:
    """Return what the ways decompose, what that takes, and how far they differ."""
    (n, d), rows = ready.x.shape, []
    for way, each in WAYS.items():
        found = ("left out", "–", "–")
        if way in ready.gone:
            differ, angle = (fig.tick(float(f"{each:.0e}")) for each in agreement[way])
            apart = ("–", "–") if way == "SVD" else (differ, f"{angle} rad")
            found = (with_unit(ready.gone[way].seconds, SECONDS), *apart)
        size, matrix = with_unit(each.memory(n, d), BYTES), each.matrix.format(n=n, d=d)
        rows.append((way, matrix, size, *found))
    left_out = (
        f"The covariance is left out: its {d:,} × {d:,} numbers take {with_unit(8 * d * d, BYTES)}."
    )
    head = ("Way", "Matrix", "Memory", "Time", "Σ differs", "V differs")
    caption = "" if len(ready.gone) == len(WAYS) else left_out
    return fig.TablePanel(head, tuple(rows), caption=caption)


def _of_pictures(ready: WaysReady, directions: Doubles, back: Doubles) -> tuple[fig.Panel, ...]:
    """Return the components, the scores of the first picture, and it put back."""
    assert isinstance(ready.subject, ImageSet)
    k, shape, two = ready.k, ready.subject.shape, np.stack([ready.x[0], back])
    free, of, look = "V: a sign is free", f"from {k} of them", {"signed": True}
    names, scores = tuple(str(number) for number in range(1, k + 1)), ready.x[0] @ directions
    title, words = "The first components", ("x", "UUᵀx")
    return (
        fig.pictures(directions.T, shape, title, min(4, k), caption=free, weight=1.6, **look),
        fig.BarsPanel(names, scores, title="Scores of the first", caption="a row of XV = UΣ"),
        fig.pictures(
            two, shape, "The first, put back", 2, caption=of, alike=True, words=words, **look
        ),
    )


def _of_points(ready: WaysReady, directions: Doubles) -> tuple[fig.Panel, ...]:
    """Return the points with the components, and their scores."""
    reach = 1.1 * float(np.linalg.norm(ready.x, axis=1).max())
    span = ((-reach, reach), (-reach, reach))
    scores = ready.x @ directions
    scores = np.pad(scores, ((0, 0), (0, max(0, 2 - scores.shape[1]))))[:, :2]
    points, places = (
        (fig.Dots(at), fig.Dots(at[:1], "contrast")) for at in (ready.x[:, :2], scores)
    )
    axes, free = fig.arrows(0.6 * reach * directions[:2].T), "the sign of an arrow is free"
    first = "XV = UΣ; red: the first point"
    return (
        fig.PlanePanel((*points, axes), span=span, title="Points and V", caption=free),
        fig.PlanePanel(places, span=span, title="Scores", caption=first),
    )


def _curves(ready: WaysReady, over: int, *, in_memory: bool) -> fig.CurvesPanel:
    """Return time or memory of each way over n (``over`` 0), or over d (1)."""
    title, x = (
        ("More points", f"n, points (d = {_FIXED})"),
        ("More numbers of each", f"d, numbers of each (n = {_FIXED})"),
    )[over]
    shapes = [((size, _FIXED), (_FIXED, size))[over] for size in _SIZES]
    curves = []
    for way, each in WAYS.items():
        memory = np.array([each.memory(*shape) / 1e6 for shape in shapes])
        taken = memory if in_memory else 1000 * ready.times[way][over]
        sizes = np.array(_SIZES, dtype=float)
        curves.append(fig.DrawnCurve(way, sizes, taken, each.ink, dashed=way == "SVD"))
    y = "memory (MB)" if in_memory else "time (ms)"
    return fig.CurvesPanel(tuple(curves), x, y, log_x=True, log_y=True, title=title)


LISTING = f"""\
x = x[:{MOST_POINTS}] - x[:{MOST_POINTS}].mean(axis=0)
v, singular, u = np.linalg.svd(x.T, full_matrices=False)
rank = np.sum(singular > 1e-6 * singular[0])
k = min(8, rank)
singular, v = singular[:rank], v[:, :k]
squares, left = np.linalg.eigh(x @ x.T)  # the Gram trick, n × n
values = np.sqrt(squares[::-1][:rank])
ways = [(values, x.T @ left[:, ::-1][:, :k] / values[:k])]
if x.shape[1] <= {LARGEST_COVARIANCE}:  # n times the covariance, d × d
    squares, directions = np.linalg.eigh(x.T @ x)
    ways.append((np.sqrt(squares[::-1][:rank]), directions[:, ::-1][:, :k]))
differ = max(np.abs(values - singular).max() for values, _ in ways)
angle = max(np.arcsin(np.linalg.norm(w - v @ (v.T @ w), 2)) for _, w in ways)
v[:, max(0, int(flip) - 1) : int(flip)] *= -1
scores = x @ v  # UΣ, but for the sign
put_back = scores[0] @ v.T
print(f"singular values differ by {{differ:.0e}}, directions by {{angle:.0e}} rad")
"""


WORDS = """
title: One answer, three ways
line: Covariance, SVD and the Gram trick
group: Numbers
see: Eigenvectors of the covariance, the SVD of the data and the **Gram trick** find the same
    components, to rounding.
see: They differ in time and memory: one has a matrix of *d* × *d* numbers, one of *n* × *n*.
see: A component and its **negative** are the same direction: scores change their sign with it, what
    is put back does not.
formula: *X*ᵀ*X* = *V*Σ²*V*ᵀ, *XX*ᵀ = *U*Σ²*U*ᵀ
why: With *X* = *U*Σ*V*ᵀ these follow, and scores: *XV* = *U*Σ. From *XX*ᵀ*u* = *s*²*u* comes *v* =
    *X*ᵀ*u*/*s*. Squares lose half of the digits: below 10<sup>−8</sup> of the largest, only the SVD
    finds a singular value.
try: Flip a component: its picture and its score turn round, the put back one stays.
try: See how time grows with *n*, and how with *d*: which way is steep where?
try: Look at the memory; then take the gallery, with thousands of pixels to a photo.
set flip: the number of the component whose sign is turned round; 0: none
set memory: the curves show memory, not time
press Flip the first: Turn the first component round
"""

LESSON = Lesson(
    **told(WORDS),
    name="three-ways",
    subjects=("digits", "patches", "cloud", "gallery", "opened"),
    fields=(slide("flip", "Flip component", 0, SHOWN, whole=True), flag("memory", "memory")),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={"Flip the first": lambda _ready, now: {"flip": 0 if now["flip"] else 1}},
    fitted=lambda ready: {"flip": ready.k},
    slow=True,
)
