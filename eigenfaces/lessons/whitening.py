"""Lesson: whitening makes every direction alike; ZCA does it and moves the picture least.

A. J. Bell and T. J. Sejnowski, *The “independent components” of natural scenes are edge filters*
(1997), named ZCA; that it is the nearest: A. Kessy, A. Lewin and K. Strimmer, *Optimal whitening
and decorrelation* (2018); what the retina has to do with it: J. J. Atick and A. N. Redlich, *What
does the retina know about natural scenes?* (1992).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.figures import around_zero, pictures
from eigenfaces.lessons.lesson import Lesson, Suggestion, slide
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components

_CONTRAST = 0.9  # where the picture shown stands among all, by how much there is to be seen in it
_MATRIX_ROWS = 144  # so many rows of a covariance can be seen: of more pixels, that many are picked
_CLEAR = 0.99  # the share of the variance that Retina takes for the picture, the rest for noise
_LEAST = 1e-6


@dataclass(frozen=True)
class WhiteningSettings:
    """ε as a share of the largest variance, and a turn after whitening in degrees."""

    epsilon: float = slide(0.01, "ε", _LEAST, 1, step=0.1, powers=True)
    turn: float = slide(0.0, "Turn Q", -180, 180, unit="°")


@dataclass(frozen=True, eq=False)
class ToWhiten:
    """What is whitened: its decomposition, and two of its pictures or all points (m, d).

    ``shown`` (m, d) are without their mean, the first of all before others, and ``followed`` is the
    one that is looked at. ``shape`` is that of a picture, or None for points; ``rows`` are the
    pixels whose covariance is shown; ``count`` is n.
    """

    found: Decomposed
    shown: Doubles
    followed: int
    shape: tuple[int, ...] | None
    rows: Numbers
    count: int

    def shares(self, epsilon: float) -> Doubles:
        """Return the variance (r,) of each component after whitening."""
        lam = self.found.variances
        return lam / (lam + epsilon * lam[0])

    def factors(self, epsilon: float) -> Doubles:
        """Return (Λ + εI)^−½, (r,)."""
        lam = self.found.variances
        return 1 / np.sqrt(lam + epsilon * lam[0])


def prepare(subject: Subject, tick: Tick) -> ToWhiten:
    """Return the decomposition of points or pictures, and those that are shown."""
    values, n = subject.values, len(subject)
    found = decomposed(values, tick)
    x = values - found.mean
    if not isinstance(subject, ImageSet):
        farthest = int((x**2).sum(axis=1).argmax())
        return ToWhiten(found, x, farthest, None, np.arange(x.shape[1]), n)
    by_contrast = np.argsort(values.std(axis=1), kind="stable")
    shown = x[[0, by_contrast[int(_CONTRAST * n)]]]
    return ToWhiten(found, shown, 1, subject.shape, _spread(subject.shape), n)


def _spread(shape: tuple[int, ...]) -> Numbers:
    """Return all pixels of a picture, or so many on a grid that their covariance can be seen."""
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    step = 1
    while numbers[::step, ::step].size > _MATRIX_ROWS:
        step += 1
    down, across = ((size - 1) % step // 2 for size in shape[:2])
    return numbers[down::step, across::step].ravel()


def turned(x: Doubles, degrees: float, rows: Numbers | None = None) -> Doubles:
    """Return points (…, d) after the orthogonal Q that turns each number with the one opposite.

    ``rows``: only those of the d numbers are wanted.
    """
    last = x.shape[-1] - 1
    rows = np.arange(last + 1) if rows is None else rows
    side = np.sign(rows - last / 2)
    angle = np.radians(degrees) * np.abs(side)  # one in the middle has none opposite
    return np.cos(angle) * x[..., rows] + np.sin(angle) * side * x[..., last - rows]


def distances(ready: ToWhiten, epsilon: float, degrees: Doubles) -> Doubles:
    """Return the mean squared distance between x and QWx, over the turns of Q (t,).

    It is tr C + tr WCW − 2 tr QWC, and Q turns in pairs: tr QWC = cos θ tr WC, but for a number in
    the middle that stays.
    """
    lam, u = ready.found.variances, ready.found.components
    both = lam * ready.factors(epsilon)
    middle = float(both @ u[:, u.shape[1] // 2] ** 2) if u.shape[1] % 2 else 0.0
    common = np.cos(np.radians(degrees)) * (both.sum() - middle) + middle
    return lam.sum() + ready.shares(epsilon).sum() - 2 * common


def picture(ready: ToWhiten, settings: WhiteningSettings) -> fig.LessonPicture:
    """Return the four stages with their covariances, and the variances before and after."""
    epsilon, u, shape = settings.epsilon, ready.found.components, ready.shape
    (r, d), rows = u.shape, len(ready.rows)
    rotated = ready.shown @ u.T
    pca = rotated * ready.factors(epsilon)
    zca = turned(pca @ u, settings.turn)
    last = ("ZCA, then turned", "Q") if settings.turn else ("ZCA-whitened", "")
    stages = {
        ("Raw", "x"): ready.shown,
        ("Rotated", "Uᵀx"): rotated,
        ("PCA-whitened", "(Λ + εI)⁻½ Uᵀx"): pca,
        (last[0], f"{last[1]}U (Λ + εI)⁻½ Uᵀx"): zca,
    }
    if shape is None:
        note, weights = "the red one is followed", (3.0, 1.0)
    else:
        note, weights = f"one of {ready.count:,} pictures; covariance of all", (1.2, 1.0)
        note += "" if rows == d else f", at {rows} of {d:,} pixels or coordinates"
    without = f"{d - r:,} of {d:,} have no variance: left at 0"
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Whitening",
            note=note,
            hint="drag a point" if shape is None else "",
            rows=(
                _points(ready, stages) if shape is None else _pictures(ready, shape, stages),
                _covariances(ready, settings),
            ),
            weights=weights,
        ),
        lower=fig.Drawing(
            heading="Variances, weights and distances",
            note=f"all {d:,} directions have variance" if r == d else without,
            rows=(
                (_variances(ready, epsilon), _rows_of_w(ready, epsilon), _moved(ready, settings)),
            ),
        ),
        numbers={
            "lam": ready.found.variances,
            "whitened": ready.shares(epsilon),
            "first": zca[0],
            "distance": float(distances(ready, epsilon, np.array([settings.turn]))[0]),
        },
    )


def _pictures(
    ready: ToWhiten, shape: tuple[int, ...], stages: Mapping[tuple[str, str], Doubles]
) -> tuple[fig.Panel, ...]:
    """Return the stages of the picture that is followed; coordinates are laid out row by row."""
    r, d = ready.found.components.shape
    side = int(np.ceil(np.sqrt(r)))
    parts = shape if len(shape) == 2 and d <= 2 * r else (side, side)
    panels = []
    sizes = (shape, parts, parts, shape)
    for ((title, formula), stage), size in zip(stages.items(), sizes, strict=True):
        raw = stage is ready.shown
        numbers = stage[ready.followed] + (ready.found.mean if raw else 0.0)
        laid = np.pad(numbers, (0, int(np.prod(size)) - len(numbers)))
        panels.append(pictures(laid, size, title, formula, signed=not raw))
    return tuple(panels)


def _points(ready: ToWhiten, stages: Mapping[tuple[str, str], Doubles]) -> tuple[fig.Panel, ...]:
    """Return the stages of all points."""
    panels = []
    for (title, formula), stage in stages.items():
        at = np.pad(stage, ((0, 0), (0, max(0, 2 - stage.shape[1]))))[:, :2]
        raw = stage is ready.shown
        origin = ready.found.mean[:2] if raw else None
        layers = (
            fig.Dots(at=at, small=True, movable=raw, origin=origin),
            fig.Dots(at=at[[ready.followed]], ink="contrast"),
        )
        panels.append(
            fig.PlanePanel(title=title, caption=formula, layers=layers, span=around_zero(at))
        )
    return tuple(panels)


def _covariances(ready: ToWhiten, settings: WhiteningSettings) -> tuple[fig.Panel, ...]:
    """Return that of each stage, at the rows that are shown."""
    lam, u, rows = ready.found.variances, ready.found.components, ready.rows
    shares = ready.shares(settings.epsilon)
    after = turned(u, settings.turn, rows)
    diagonals = [np.pad(each, (0, len(rows)))[: len(rows)] for each in (lam, shares)]
    matrices = (
        (u[:, rows].T * lam) @ u[:, rows],
        *(np.diag(each) for each in diagonals),
        (after.T * shares) @ after,
    )
    return tuple(
        fig.MatrixPanel(values=each, numbers=len(rows) <= 3, caption="its covariance")
        for each in matrices
    )


def _variances(ready: ToWhiten, epsilon: float) -> fig.Panel:
    lam, after = ready.found.variances, ready.shares(epsilon)
    if len(lam) <= 3:
        return fig.BarsPanel(
            names=tuple(f"λ{each}{said}" for each in "₁₂₃"[: len(lam)] for said in ("", " after")),
            values=np.column_stack([lam, after]).ravel(),
            y="variance",
            weight=1.6,
        )
    x, ones = np.arange(1.0, len(lam) + 1), np.ones_like(lam)
    curves = [
        fig.DrawnCurve(name="before", x=x, y=lam),
        fig.DrawnCurve(name="whitened, ε = 0", x=x, y=ones, ink="good", dashed=True),
    ]
    if epsilon > 0:
        name = f"whitened, ε = {epsilon:.2g}"
        curves.append(fig.DrawnCurve(name=name, x=x, y=after, ink="contrast"))
    return fig.CurvesPanel(
        curves=tuple(curves), x="component", y="variance", log_y=True, weight=1.6
    )


def _rows_of_w(ready: ToWhiten, epsilon: float) -> fig.Panel:
    """Return W, or its rows for four pixels well inside a picture."""
    u, shape = ready.found.components, ready.shape
    pixels = np.arange(u.shape[1])
    if shape is not None:
        number = pixels.reshape(*shape[:2], -1)[:, :, 0]
        down, across = ([size // 3, 2 * size // 3] for size in shape[:2])
        pixels = number[np.ix_(down, across)].ravel()
    rows = (u[:, pixels].T * ready.factors(epsilon)) @ u
    if shape is None:
        return fig.MatrixPanel(title="W", values=rows, numbers=True)
    return pictures(rows, shape, "Four rows of W", across=2, signed=True)


def _moved(ready: ToWhiten, settings: WhiteningSettings) -> fig.CurvesPanel:
    turns = np.arange(-180, 181, 2.0)
    y = distances(ready, settings.epsilon, turns)
    return fig.CurvesPanel(
        curves=(fig.DrawnCurve(name="‖x − QWx‖²", x=turns, y=y, ink="good"),),
        x="turn of Q (degrees)",
        y="squared distance from x",
        mark=(settings.turn, f"{settings.turn:.0f}°"),
    )


def _retina(ready: ToWhiten, _now: WhiteningSettings) -> dict[str, float]:
    """Return ε as the variance where nearly all of it is reached, to a step of the slider."""
    lam = ready.found.variances
    last = fewest_components(np.cumsum(lam) / lam.sum(), _CLEAR)
    power = np.floor(10 * np.log10(lam[last - 1] / lam[0])) / 10
    return {"epsilon": float(f"{max(10.0**power, _LEAST):.3g}"), "turn": 0.0}


LISTING = """\
x = x - x.mean(axis=0)
s, ut = np.linalg.svd(x, full_matrices=False)[1:]  # the rows of ut are the components
lam = s**2 / len(x)
some = lam > 1e-10 * lam[0]  # where there is no variance, nothing is divided
lam, ut = lam[some], ut[some]
rotated = x @ ut.T
pca = rotated / np.sqrt(lam + epsilon * lam[0])
zca = pca @ ut
whitened = pca.var(axis=0)
side = np.sign(np.arange(x.shape[1]) - (x.shape[1] - 1) / 2)
angle = np.radians(turn) * abs(side)
turned = np.cos(angle) * zca + np.sin(angle) * side * zca[:, ::-1]
first = turned[0]
distance = np.mean(np.sum((x - turned) ** 2, axis=1))
print(f"variances {lam[0]:.3g} … {lam[-1]:.3g}; {whitened[0]:.3g} … {whitened[-1]:.3g}")
print(f"squared distance from x: {distance:.4g}")
"""

WHITENING = Lesson(
    name="whitening",
    title="Whitening",
    line="Every direction made alike",
    group="Scale",
    see=(
        "Rotation makes the covariance diagonal; dividing by the spread makes it the identity.",
        "PCA-whitening leaves coordinates; ZCA turns them back into <b>pictures</b>, as near to "
        "the raw ones as any whitening can be.",
        "Small variances are divided by almost nothing: <b>ε</b> keeps noise from filling the "
        "picture.",
    ),
    formula="<i>W</i> = <i>U</i> (Λ + ε<i>I</i>)<sup>−½</sup> <i>U</i>ᵀ",
    why=(
        "With ε = 0 the covariance of <i>Wx</i> is <i>U</i>Λ<sup>−½</sup>ΛΛ<sup>−½</sup><i>U</i>ᵀ "
        "= <i>I</i>. <i>QW</i> whitens as well for any rotation <i>Q</i>; "
        "E‖<i>x</i> − <i>QWx</i>‖² is a constant − 2 tr <i>QWC</i>, which is least for <i>Q</i> = "
        "<i>I</i>, as <i>WC</i> is symmetric and has no negative eigenvalue."
    ),
    tries=(
        "Move ε to 0: which pixels begin to flicker?",
        "Press <b>Retina</b>: each row of <i>W</i> is a pixel minus its surround, as ganglion "
        "cells compute it, and ZCA draws edges.",
        "Turn <i>Q</i>: the covariance stays as white, and the picture moves away from the raw "
        "one.",
    ),
    subjects=("digits", "patches", "cloud", "gallery", "opened"),
    settings=WhiteningSettings(),
    about={
        "epsilon": "what is added to every variance, as a share of the largest",
        "turn": "a turn after ZCA, of each pixel with the one opposite: as white, and further away",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion("ε = 0", "Divide by the variances as they are", {"epsilon": 0.0}),
        Suggestion(
            "Retina",
            "ε as the variance where 99 % of all is reached: edges, and little noise",
            _retina,
        ),
    ),
)
