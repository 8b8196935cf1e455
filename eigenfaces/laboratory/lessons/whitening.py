"""Lesson: whitening makes every direction alike; ZCA does it and moves the picture least.

What the retina has to do with it: J. J. Atick and A. N. Redlich, *What does the retina know about
natural scenes?* (1992).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    LessonPicture,
    MatrixPanel,
    Panel,
    PicturesPanel,
    PlanePanel,
)
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion
from eigenfaces.laboratory.lessons.whitened import ToWhiten, distances, prepare, turned
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components

_TITLES = (
    ("Raw", "x"),
    ("Rotated", "Uᵀx"),
    ("PCA-whitened", "(Λ + εI)⁻½ Uᵀx"),
    ("ZCA-whitened", "U (Λ + εI)⁻½ Uᵀx"),
)
_TURNED = ("ZCA, then turned", "QU (Λ + εI)⁻½ Uᵀx")

_CLEAR = 0.99
"""The share of the variance that Retina takes for the picture; what is left, for noise."""

_LEAST = 1e-6
_WIDE = 1.6
_TURNS = np.arange(-180, 181, 2.0)


@dataclass(frozen=True)
class WhiteningSettings:
    """ε as a share of the largest variance, and a turn after whitening in degrees."""

    epsilon: float = 0.01
    turn: float = 0.0


CONTROLS = (
    Slide(
        name="epsilon",
        label="ε",
        about="what is added to every variance, as a share of the largest",
        least=_LEAST,
        most=1,
        step=0.1,
        powers=True,
    ),
    Slide(
        name="turn",
        label="Turn Q",
        about="a turn after ZCA, of each pixel with the one opposite: as white, and further away",
        least=-180,
        most=180,
        unit="°",
    ),
)


def picture(ready: ToWhiten, settings: WhiteningSettings) -> LessonPicture:
    """Return the four stages with their covariances, and the variances before and after."""
    epsilon, u = settings.epsilon, ready.found.components
    number = ready.followed
    pca = ready.coordinates * ready.factors(epsilon)
    pixels = _four_pixels(ready)
    weights = u[:, pixels].T * ready.factors(epsilon)
    back = np.vstack([pca if ready.shape is None else pca[[0, number]], weights]) @ u
    zca = turned(back[: -len(pixels)], settings.turn)
    return LessonPicture(
        upper=Drawing(
            heading="Whitening",
            note=_note(ready),
            hint="drag a point" if ready.shape is None else "",
            rows=(
                _points(ready, settings, (pca, zca), number)
                if ready.shape is None
                else _pictures(ready, settings, (pca[number], zca[1]), number),
                _covariances(ready, settings),
            ),
            weights=(1.2, 1) if ready.shape else (3, 1),
        ),
        lower=Drawing(
            heading="Variances, weights and distances",
            note=_without(ready),
            rows=(
                (
                    _variances(ready, epsilon),
                    _rows_of_w(ready, back[-len(pixels) :]),
                    _moved(ready, settings),
                ),
            ),
        ),
        numbers={
            "lam": ready.found.variances,
            "whitened": ready.shares(epsilon),
            "first": zca[0],
            "distance": float(distances(ready, epsilon, np.array([settings.turn]))[0]),
        },
    )


def _titles(settings: WhiteningSettings) -> tuple[tuple[str, str], ...]:
    return _TITLES if settings.turn == 0 else (*_TITLES[:3], _TURNED)


def _pictures(
    ready: ToWhiten, settings: WhiteningSettings, whitened: tuple[Doubles, Doubles], number: int
) -> tuple[Panel, ...]:
    assert ready.shape is not None
    stages = (ready.shown[number] + ready.found.mean, ready.coordinates[number], *whitened)
    shapes = (ready.shape, ready.parts, ready.parts, ready.shape)
    return tuple(
        PicturesPanel(
            title=title,
            caption=formula,
            pictures=_laid_out(stage, shape),
            across=1,
            signed=stage is not stages[0],
        )
        for (title, formula), stage, shape in zip(_titles(settings), stages, shapes, strict=True)
    )


def _laid_out(numbers: Doubles, shape: tuple[int, ...]) -> Doubles:
    """Return numbers, row by row, as a picture (1, h, w); what is left over is 0."""
    laid = np.zeros((1, *shape))
    laid.reshape(-1)[: len(numbers)] = numbers
    return laid


def _points(
    ready: ToWhiten, settings: WhiteningSettings, whitened: tuple[Doubles, Doubles], number: int
) -> tuple[Panel, ...]:
    stages = (ready.shown, ready.coordinates, *whitened)
    panels = []
    for (title, formula), stage in zip(_titles(settings), stages, strict=True):
        at = np.zeros((len(stage), 2))
        at[:, : stage.shape[1]] = stage[:, :2]
        reach = 1.1 * float(np.abs(at).max())
        raw = stage is ready.shown
        panels.append(
            PlanePanel(
                title=title,
                caption=formula,
                layers=(
                    Dots(
                        at=at, small=True, movable=raw, origin=ready.found.mean[:2] if raw else None
                    ),
                    Dots(at=at[number : number + 1], ink="contrast"),
                ),
                span=((-reach, reach), (-reach, reach)),
            )
        )
    return tuple(panels)


def _covariances(ready: ToWhiten, settings: WhiteningSettings) -> tuple[Panel, ...]:
    lam, u, rows = ready.found.variances, ready.found.components, ready.rows
    shares = ready.shares(settings.epsilon)
    after = turned(u, settings.turn, rows)
    matrices = (
        (u[:, rows].T * lam) @ u[:, rows],
        _diagonal(lam, len(rows)),
        _diagonal(shares, len(rows)),
        (after.T * shares) @ after,
    )
    return tuple(
        MatrixPanel(values=each, numbers=len(rows) <= 3, caption="its covariance")
        for each in matrices
    )


def _diagonal(values: Doubles, size: int) -> Doubles:
    first = np.zeros(size)
    first[: len(values)] = values[:size]
    return np.diag(first)


def _variances(ready: ToWhiten, epsilon: float) -> Panel:
    lam = ready.found.variances
    if len(lam) <= 3:
        names = [(f"λ{'₁₂₃'[each]}", f"λ{'₁₂₃'[each]} after") for each in range(len(lam))]
        return BarsPanel(
            names=tuple(name for pair in names for name in pair),
            values=np.column_stack([lam, ready.shares(epsilon)]).ravel(),
            y="variance",
            weight=_WIDE,
        )
    number = np.arange(1.0, len(lam) + 1)
    curves = [
        DrawnCurve(name="before", x=number, y=lam),
        DrawnCurve(name="whitened, ε = 0", x=number, y=np.ones_like(lam), ink="good", dashed=True),
    ]
    if epsilon > 0:
        name = f"whitened, ε = {epsilon:.2g}"
        curves.append(DrawnCurve(name=name, x=number, y=ready.shares(epsilon), ink="contrast"))
    return CurvesPanel(curves=tuple(curves), x="component", y="variance", log_y=True, weight=_WIDE)


def _four_pixels(ready: ToWhiten) -> Numbers:
    """Return four pixels well inside a picture, or all axes."""
    d = len(ready.found.mean)
    if ready.shape is None:
        return np.arange(d)
    number = np.arange(d).reshape(ready.shape)
    across, down = ((size // 3, 2 * size // 3) for size in ready.shape[1::-1])
    return np.array([number[row, column].flat[0] for row in down for column in across])


def _rows_of_w(ready: ToWhiten, rows: Doubles) -> Panel:
    if ready.shape is None:
        return MatrixPanel(title="W", values=rows, numbers=True)
    return PicturesPanel(
        title="Four rows of W",
        pictures=rows.reshape(len(rows), *ready.shape),
        across=2,
        signed=True,
    )


def _moved(ready: ToWhiten, settings: WhiteningSettings) -> CurvesPanel:
    return CurvesPanel(
        curves=(
            DrawnCurve(
                name="‖x − QWx‖²",
                x=_TURNS,
                y=distances(ready, settings.epsilon, _TURNS),
                ink="good",
            ),
        ),
        x="turn of Q (degrees)",
        y="squared distance from x",
        mark=(settings.turn, f"{settings.turn:.0f}°"),
    )


def _note(ready: ToWhiten) -> str:
    if ready.shape is None:
        return "the red one is followed"
    what = f"one of {ready.count:,} pictures; covariance of all"
    d, rows = len(ready.found.mean), len(ready.rows)
    return what if rows == d else f"{what}, at {rows} of {d:,} pixels or coordinates"


def _without(ready: ToWhiten) -> str:
    d, r = len(ready.found.mean), len(ready.found.variances)
    if r == d:
        return f"all {d:,} directions have variance"
    return f"{d - r:,} of {d:,} have no variance: left at 0"


def _retina(ready: ToWhiten, settings: WhiteningSettings) -> WhiteningSettings:
    lam = ready.found.variances
    last = fewest_components(np.cumsum(lam) / lam.sum(), _CLEAR)
    power = np.floor(10 * np.log10(lam[last - 1] / lam[0])) / 10
    return replace(settings, epsilon=float(f"{max(10.0**power, _LEAST):.3g}"), turn=0.0)


def _none(_ready: ToWhiten, settings: WhiteningSettings) -> WhiteningSettings:
    return replace(settings, epsilon=0.0)


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
    controls=CONTROLS,
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(title="ε = 0", about="Divide by the variances as they are", apply=_none),
        Suggestion(
            title="Retina",
            about="ε as the variance where 99 % of all is reached: edges, and little noise",
            apply=_retina,
        ),
    ),
)
