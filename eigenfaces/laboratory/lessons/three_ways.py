"""Lesson: covariance, singular value decomposition and Gram matrix give the same components."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.arrays import Doubles
from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    Ink,
    LessonPicture,
    Panel,
    PicturesPanel,
    PlanePanel,
    Strokes,
    TablePanel,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.decomposed import largest_angle
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion, yes_or_no
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.laboratory.lessons.turning import upright
from eigenfaces.laboratory.lessons.ways import (
    FIXED,
    LARGEST_COVARIANCE,
    RUNS,
    SIZES,
    WAYS,
    Gone,
    go,
    in_bytes,
    in_time,
    measured,
    memory,
    sane,
)
from eigenfaces.wording import Field

MOST_POINTS = 600
_SHOWN = 8
_TOLERANCE = 1e-6
_INKS: Mapping[str, Ink] = {"Covariance": "contrast", "SVD": "main", "Gram trick": "good"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MATRICES = {
    "Covariance": "XᵀX: {d:,} × {d:,}",
    "SVD": "Xᵀ: {d:,} × {n:,}",
    "Gram trick": "XXᵀ: {n:,} × {n:,}",
}


@dataclass(frozen=True)
class WaysSettings:
    """The number of a component whose sign is turned round, 0 for none; memory or time."""

    flip: float = 0
    memory: bool = False


def _controls(most: int) -> tuple[Field, ...]:
    return (
        Slide(
            name="flip",
            label="Flip component",
            about="the number of the component whose sign is turned round; 0: none",
            least=0,
            most=most,
        ),
        yes_or_no("memory", "memory", "the curves show memory, not time"),
    )


@dataclass(frozen=True, eq=False)
class _WaysReady:
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
        return _rank(self.gone["SVD"])

    @property
    def k(self) -> int:
        """How many components are shown, and put back from."""
        return min(_SHOWN, self.rank)


def _rank(found: Gone) -> int:
    return int((found.singular > _TOLERANCE * found.singular[0]).sum())


def _agreement(one: Gone, other: Gone) -> tuple[float, float]:
    rank = _rank(one)
    k = min(_SHOWN, rank)
    differ = np.abs(one.singular[:rank] - other.singular[:rank]).max()
    return float(differ), largest_angle(one.directions[:, :k].T, other.directions[:, :k].T)


def prepare(subject: Subject, tick: Tick) -> _WaysReady:
    """Go all ways that can be gone, and measure them on other sizes."""
    if len(subject) < 2:
        raise EigenfacesError("A lesson needs at least two points.")
    values = subject.values[:MOST_POINTS]
    x = values - values.mean(axis=0)
    if not np.abs(x).max() > _TOLERANCE**2 * (1 + np.abs(values).max()):
        raise EigenfacesError("All are alike, so they have no components. Choose others.")
    tick(0, 2)
    ways = [way for way in WAYS if sane(way, x.shape[1])]
    gone = {}
    for number, way in enumerate(ways):
        part_of(tick, 0, 2)(number, len(ways))
        gone[way] = go(way, x)
    agreement = {way: _agreement(gone["SVD"], each) for way, each in gone.items()}
    return _WaysReady(subject, x, gone, agreement, measured(part_of(tick, 1, 2)))


def fitted(ready: _WaysReady) -> tuple[Field, ...]:
    """Return the controls: as many components to flip as are shown."""
    return _controls(ready.k)


def picture(ready: _WaysReady, settings: WaysSettings) -> LessonPicture:
    """Return what the ways agree on, the components with their signs, and what each takes."""
    n, d = ready.x.shape
    signs = np.ones(ready.k)
    flip = int(min(settings.flip, ready.k))
    signs[flip - 1 : flip] = -1
    directions = upright(ready.gone["SVD"].directions[:, : ready.k]) * signs
    scores = ready.x[0] @ directions
    back = directions @ scores
    differ, angle = (max(each[at] for each in ready.agreement.values()) for at in (0, 1))
    return LessonPicture(
        upper=Drawing(
            heading="One answer, three ways",
            note=f"{n:,} × {d:,}, rank {ready.rank}",
            rows=((_table(ready),), _components(ready, directions, scores, back)),
            weights=(2, 3),
        ),
        lower=Drawing(
            heading="Memory of each way" if settings.memory else "Time of each way",
            note=(
                "all arrays at once, computed"
                if settings.memory
                else f"one core, medians of {RUNS} runs: they vary"
            ),
            rows=(tuple(_curves(ready, settings, over) for over in (0, 1)),),
        ),
        numbers={
            "rank": float(ready.rank),
            "singular": ready.gone["SVD"].singular[: ready.rank],
            "differ": differ,
            "angle": angle,
            "put_back": back,
        },
    )


def _table(ready: _WaysReady) -> TablePanel:
    n, d = ready.x.shape
    rows = tuple(
        (
            way,
            _MATRICES[way].format(n=n, d=d),
            in_bytes(memory(way, n, d)),
            *(_found(ready, way) if way in ready.gone else ("left out", "–", "–")),
        )
        for way in WAYS
    )
    left_out = (
        ""
        if len(ready.gone) == len(WAYS)
        else f"Left out: more than {LARGEST_COVARIANCE:,} × {LARGEST_COVARIANCE:,} takes minutes."
    )
    return TablePanel(
        head=("Way", "Decomposes", "Memory", "Time", "Values differ by", "Largest angle"),
        rows=rows,
        caption=left_out,
    )


def _found(ready: _WaysReady, way: str) -> tuple[str, str, str]:
    time = in_time(ready.gone[way].seconds)
    if way == "SVD":
        return time, "–", "–"
    differ, angle = ready.agreement[way]
    return time, _power(differ), f"{_power(angle)} rad"


def _power(value: float) -> str:
    """Return a tiny number as “3·10⁻¹³”."""
    if not value:
        return "0"
    digit, _, power = f"{value:.0e}".partition("e")
    return f"{digit}·10{str(int(power)).translate(_RAISED)}"


def _components(
    ready: _WaysReady, directions: Doubles, scores: Doubles, back: Doubles
) -> tuple[Panel, ...]:
    k = ready.k
    if not isinstance(ready.subject, ImageSet):
        return _of_points(ready, directions)
    shape = ready.subject.shape
    pair = _in_grey(np.stack([ready.x[0], back]), shape)
    return (
        PicturesPanel(
            title="The first components",
            caption="V: a sign is free",
            pictures=_in_grey(directions.T, shape),
            across=min(4, k),
            signed=len(shape) == 2,
            weight=1.6,
        ),
        BarsPanel(
            title="Scores of the first",
            caption="a row of XV = UΣ",
            names=tuple(str(number) for number in range(1, k + 1)),
            values=scores,
        ),
        PicturesPanel(
            title="The first, put back",
            caption=f"from {k} of them",
            pictures=pair,
            across=2,
            signed=len(shape) == 2,
            alike=True,
            words=("x", "UUᵀx"),
        ),
    )


def _in_grey(rows: Doubles, shape: tuple[int, ...]) -> Doubles:
    """Return rows as pictures; in colour, about grey, as colours have no sign."""
    pictures = rows.reshape(-1, *shape)
    if len(shape) == 2:
        return pictures
    limits = np.abs(rows).max(axis=1).reshape(-1, 1, 1, 1)
    return 0.5 + pictures / (2 * np.where(limits > 0, limits, 1))


def _of_points(ready: _WaysReady, directions: Doubles) -> tuple[Panel, ...]:
    x = ready.x[:, :2]
    reach = 1.1 * float(np.linalg.norm(ready.x, axis=1).max())
    arrows = 0.6 * reach * directions[:2].T
    scores = ready.x @ directions
    if scores.shape[1] == 1:
        scores = np.column_stack([scores, np.zeros(len(scores))])
    span = ((-reach, reach), (-reach, reach))
    return (
        PlanePanel(
            title="Points and V",
            caption="the sign of an arrow is free",
            layers=(
                Dots(at=x),
                Dots(at=x[:1], ink="contrast"),
                Strokes(start=np.zeros_like(arrows), end=arrows, arrow=True),
            ),
            span=span,
        ),
        PlanePanel(
            title="Scores",
            caption="XV = UΣ; red: the first point",
            layers=(Dots(at=scores[:, :2]), Dots(at=scores[:1, :2], ink="contrast")),
            span=span,
        ),
    )


def _curves(ready: _WaysReady, settings: WaysSettings, over: int) -> CurvesPanel:
    sizes = np.array(SIZES, dtype=float)
    shapes = [(size, FIXED) if over == 0 else (FIXED, size) for size in SIZES]
    curves = tuple(
        DrawnCurve(
            name=way,
            x=sizes,
            y=(
                np.array([memory(way, *shape) / 1e6 for shape in shapes])
                if settings.memory
                else 1000 * ready.times[way][over]
            ),
            ink=_INKS[way],
            dashed=way == "SVD",
        )
        for way in WAYS
    )
    grows, stays = ("n, points", "d") if over == 0 else ("d, numbers of each", "n")
    return CurvesPanel(
        title=f"More {'points' if over == 0 else 'numbers of each'}",
        curves=curves,
        x=f"{grows} ({stays} = {FIXED})",
        y="memory (MB)" if settings.memory else "time (ms)",
        log_x=True,
        log_y=True,
    )


def _flip_first(_ready: _WaysReady, settings: WaysSettings) -> WaysSettings:
    return replace(settings, flip=0 if settings.flip else 1)


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
    subjects=("digits", "cloud", "gallery", "opened"),
    settings=WaysSettings(),
    controls=_controls(_SHOWN),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            title="Flip the first", about="Turn the first component round", apply=_flip_first
        ),
    ),
    slow=True,
    fitted=fitted,
)
