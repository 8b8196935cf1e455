"""Lesson: covariance, singular value decomposition and Gram matrix give the same components.

Times are of the processor, in one thread, so that other work on the computer hardly counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import thread_time

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import largest_angle, upright
from eigenfaces.lessons.figures import arrows, pictures
from eigenfaces.lessons.lesson import Lesson, Suggestion, flag, slide
from eigenfaces.lessons.subjects import Subject
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
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class WaysSettings:
    """The number of a component whose sign is turned round, 0 for none; memory or time."""

    flip: float = slide(0, "Flip component", 0, SHOWN, whole=True)
    memory: bool = flag(False, "memory")


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


def _tiny(value: float) -> str:
    """Return a tiny number as “3·10⁻¹³”."""
    if not value:
        return "0"
    digit, _, power = f"{value:.0e}".partition("e")
    return f"{digit}·10{str(int(power)).translate(_RAISED)}"


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
    values = subject.values[:MOST_POINTS]
    x = values - values.mean(axis=0)
    if len(x) < 2 or not np.abs(x).max() > _TOLERANCE**2 * (1 + np.abs(values).max()):
        raise EigenfacesError("All are alike, so they have no components. Choose others.")
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


def picture(ready: WaysReady, settings: WaysSettings) -> fig.LessonPicture:
    """Return what the ways agree on, the components with their signs, and what each takes."""
    (n, d), k = ready.x.shape, ready.k
    signs = np.ones(k)
    flip = int(min(settings.flip, k))
    signs[flip - 1 : flip] = -1
    directions = upright(ready.gone["SVD"].directions[:, :k]) * signs
    scores = ready.x[0] @ directions
    back = directions @ scores
    agreement = {way: ready.agreement(way) for way in ready.gone}
    differ, angle = (max(each[at] for each in agreement.values()) for at in (0, 1))
    shown = (
        _of_pictures(ready, ready.subject.shape, directions, scores, back)
        if isinstance(ready.subject, ImageSet)
        else _of_points(ready, directions)
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="One answer, three ways",
            note=f"{n:,} × {d:,}, rank {ready.rank}",
            rows=((_table(ready, agreement),), shown),
            weights=(2, 3),
        ),
        lower=fig.Drawing(
            heading="Memory of each way" if settings.memory else "Time of each way",
            note="all arrays at once, computed"
            if settings.memory
            else f"one core, the quickest of {_RUNS} runs: they vary",
            rows=(tuple(_curves(ready, over, in_memory=settings.memory) for over in (0, 1)),),
        ),
        numbers={
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
            differ, angle = agreement[way]
            apart = ("–", "–") if way == "SVD" else (_tiny(differ), f"{_tiny(angle)} rad")
            found = (with_unit(ready.gone[way].seconds, SECONDS), *apart)
        rows.append(
            (way, each.matrix.format(n=n, d=d), with_unit(each.memory(n, d), BYTES), *found)
        )
    left_out = (
        f"The covariance is left out: its {d:,} × {d:,} numbers take {with_unit(8 * d * d, BYTES)}."
    )
    return fig.TablePanel(
        head=("Way", "Matrix", "Memory", "Time", "Σ differs", "V differs"),
        rows=tuple(rows),
        caption="" if len(ready.gone) == len(WAYS) else left_out,
    )


def _of_pictures(
    ready: WaysReady, shape: tuple[int, ...], directions: Doubles, scores: Doubles, back: Doubles
) -> tuple[fig.Panel, ...]:
    """Return the components, the scores of the first picture, and it put back."""
    k, two = ready.k, np.stack([ready.x[0], back])
    first = pictures(
        directions.T, shape, "The first components", "V: a sign is free", min(4, k), signed=True
    )
    pair = pictures(two, shape, "The first, put back", f"from {k} of them", 2, signed=True)
    return (
        replace(first, weight=1.6),
        fig.BarsPanel(
            title="Scores of the first",
            caption="a row of XV = UΣ",
            names=tuple(str(number) for number in range(1, k + 1)),
            values=scores,
        ),
        replace(pair, alike=True, words=("x", "UUᵀx")),
    )


def _of_points(ready: WaysReady, directions: Doubles) -> tuple[fig.Panel, ...]:
    """Return the points with the components, and their scores."""
    reach = 1.1 * float(np.linalg.norm(ready.x, axis=1).max())
    span = ((-reach, reach), (-reach, reach))
    scores = ready.x @ directions
    scores = np.pad(scores, ((0, 0), (0, max(0, 2 - scores.shape[1]))))[:, :2]

    def dots(at: Doubles) -> tuple[fig.Dots, fig.Dots]:
        return fig.Dots(at=at), fig.Dots(at=at[:1], ink="contrast")

    return (
        fig.PlanePanel(
            title="Points and V",
            caption="the sign of an arrow is free",
            layers=(*dots(ready.x[:, :2]), arrows(0.6 * reach * directions[:2].T)),
            span=span,
        ),
        fig.PlanePanel(
            title="Scores", caption="XV = UΣ; red: the first point", layers=dots(scores), span=span
        ),
    )


def _curves(ready: WaysReady, over: int, *, in_memory: bool) -> fig.CurvesPanel:
    """Return time or memory of each way over n (``over`` 0), or over d (1)."""
    title, grows, stays = (
        ("More points", "n, points", "d"),
        ("More numbers of each", "d, numbers of each", "n"),
    )[over]
    shapes = [((size, _FIXED), (_FIXED, size))[over] for size in _SIZES]
    curves = []
    for way, each in WAYS.items():
        memory = np.array([each.memory(*shape) / 1e6 for shape in shapes])
        y = memory if in_memory else 1000 * ready.times[way][over]
        x = np.array(_SIZES, dtype=float)
        curves.append(fig.DrawnCurve(name=way, x=x, y=y, ink=each.ink, dashed=way == "SVD"))
    return fig.CurvesPanel(
        title=title,
        curves=tuple(curves),
        x=f"{grows} ({stays} = {_FIXED})",
        y="memory (MB)" if in_memory else "time (ms)",
        log_x=True,
        log_y=True,
    )


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

THREE_WAYS = Lesson(
    name="three-ways",
    title="One answer, three ways",
    line="Covariance, SVD and the Gram trick",
    group="Numbers",
    see=(
        "Eigenvectors of the covariance, the SVD of the data and the <b>Gram trick</b> find the "
        "same components, to rounding.",
        "They differ in time and memory: one has a matrix of <i>d</i> × <i>d</i> numbers, one of "
        "<i>n</i> × <i>n</i>.",
        "A component and its <b>negative</b> are the same direction: scores change their sign "
        "with it, what is put back does not.",
    ),
    formula="<i>X</i>ᵀ<i>X</i> = <i>V</i>Σ²<i>V</i>ᵀ, <i>XX</i>ᵀ = <i>U</i>Σ²<i>U</i>ᵀ",
    why=(
        "With <i>X</i> = <i>U</i>Σ<i>V</i>ᵀ these follow, and scores: <i>XV</i> = <i>U</i>Σ. "
        "From <i>XX</i>ᵀ<i>u</i> = <i>s</i>²<i>u</i> comes <i>v</i> = <i>X</i>ᵀ<i>u</i>/<i>s</i>. "
        "Squares lose half of the digits: below 10<sup>−8</sup> of the largest, only the SVD finds "
        "a singular value."
    ),
    tries=(
        "Flip a component: its picture and its score turn round, the put back one stays.",
        "See how time grows with <i>n</i>, and how with <i>d</i>: which way is steep where?",
        "Look at the memory; then take the gallery, with thousands of pixels to a photo.",
    ),
    subjects=("digits", "patches", "cloud", "gallery", "opened"),
    settings=WaysSettings(),
    about={
        "flip": "the number of the component whose sign is turned round; 0: none",
        "memory": "the curves show memory, not time",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            "Flip the first",
            "Turn the first component round",
            lambda _ready, now: {"flip": 0 if now.flip else 1},
        ),
    ),
    fitted=lambda ready: {"flip": ready.k},
    slow=True,
)
