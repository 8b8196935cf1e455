"""Lesson: whitening makes every direction alike; ZCA does it and moves the picture least.

A. J. Bell and T. J. Sejnowski, *The “independent components” of natural scenes are edge filters*
(1997), named ZCA; that it is the nearest: A. Kessy, A. Lewin and K. Strimmer, *Optimal whitening
and decorrelation* (2018); what the retina has to do with it: J. J. Atick and A. N. Redlich, *What
does the retina know about natural scenes?* (1992).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Lesson, Settings, Slide, Step
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components

_CONTRAST = 0.9  # where the picture shown stands among all, by its contrast
_MATRIX_ROWS = 144  # so many rows of a covariance can be seen: of more pixels, that many are picked
_CLEAR = 0.99  # the share of the variance that Retina takes for the picture, the rest for noise
_LEAST = 1e-6


@dataclass(frozen=True, eq=False)
class Whitening:
    """What is whitened: its decomposition, and two of its pictures or all points."""

    components: PrincipalComponents
    x: Doubles  # (m, d) without the mean, the first of all before others
    followed_row: int  # the row that is looked at
    shape: tuple[int, ...] | None  # of a picture; None for points
    rows: Numbers  # the pixels whose covariance is shown
    count: int

    def factors(self, epsilon: float) -> Doubles:
        """Return (Λ + εI)^−½, (r,)."""
        lam = self.components.variances
        return 1 / np.sqrt(lam + epsilon * lam[0])


def prepare(subject: Subject, tick: Tick) -> Whitening:
    """Return the decomposition of points or pictures, and those that are shown."""
    values, n = subject.values, len(subject)
    components = pca(values, tick)
    x = values - components.mean
    if not isinstance(subject, ImageSet):
        farthest = int((x**2).sum(axis=1).argmax())
        return Whitening(components, x, farthest, None, np.arange(x.shape[1]), n)
    x = x[[0, np.argsort(values.std(axis=1), kind="stable")[int(_CONTRAST * n)]]]
    # all pixels, or so many on a grid that their covariance can be seen
    pixels, step = np.arange(int(np.prod(subject.shape))).reshape(subject.shape), 1
    while pixels[::step, ::step].size > _MATRIX_ROWS:
        step += 1
    down, across = ((size - 1) % step // 2 for size in subject.shape[:2])
    return Whitening(components, x, 1, subject.shape, pixels[down::step, across::step].ravel(), n)


def picture(ready: Whitening, epsilon: float = 0.01) -> fig.LessonPicture:
    """Return the four stages with their covariances, and the variances before and after.

    ``epsilon`` is ε as a share of the largest variance.
    """
    lam, u, rows = ready.components.variances, ready.components.components, ready.rows
    (r, d), number, factors = u.shape, len(ready.rows), ready.factors(epsilon)
    after, rotated = lam * factors**2, ready.x @ u.T
    pca_white = rotated * factors
    zca = pca_white @ u
    stages = {
        ("Raw", "x"): ready.x,
        ("Rotated", "Uᵀx"): rotated,
        ("PCA-whitened", "(Λ + εI)⁻½ Uᵀx"): pca_white,
        ("ZCA-whitened", "U (Λ + εI)⁻½ Uᵀx"): zca,
    }
    of_pixels = u[:, rows].T
    diagonals = (np.diag(np.pad(values, (0, number))[:number]) for values in (lam, after))
    raw, white = ((of_pixels * variances) @ of_pixels.T for variances in (lam, after))
    look: dict[str, Any] = {"numbers": number <= 3, "caption": "its covariance"}
    covariances = tuple(fig.MatrixPanel(matrix, **look) for matrix in (raw, *diagonals, white))
    note, hint = "the red one is followed", "drag a point"
    if ready.shape is not None:
        note, hint = f"one of {ready.count:,} pictures; covariance of all", ""
        note += "" if number == d else f", at {number} of {d:,} pixels or coordinates"
    missing = f"{d - r:,} of {d:,} have no variance: left at 0"
    missing = f"all {d:,} directions have variance" if r == d else missing
    below = _variances(lam, after, epsilon), _rows_of_w(ready, epsilon)
    return fig.LessonPicture(
        fig.Drawing("Whitening", (_stages(ready, stages), covariances), note, hint=hint),
        fig.Drawing("Variances and weights", (below,), missing),
        {"lam": lam, "whitened": after, "first": zca[0]},
    )


def _stages(ready: Whitening, stages: dict[tuple[str, str], Doubles]) -> tuple[fig.Panel, ...]:
    """Return the stages of all points, or of a picture, its coordinates laid out row by row."""
    panels: list[fig.Panel] = []
    (r, d), mean = ready.components.components.shape, ready.components.mean
    for (title, formula), stage in stages.items():
        raw, look = stage is ready.x, dict[str, Any](title=title, caption=formula)
        if ready.shape is None:
            at = np.pad(stage, ((0, 0), (0, max(0, 2 - stage.shape[1]))))[:, :2]
            dots = fig.Dots(at, small=True, movable=raw, origin=mean[:2] if raw else None)
            layers = dots, fig.Dots(at[[ready.followed_row]], "contrast")
            panels.append(fig.PlanePanel(layers, span=fig.range_around_zero(at), **look))
            continue
        size, side = ready.shape, int(np.ceil(np.sqrt(r)))
        if title in ("Rotated", "PCA-whitened") and (len(size) == 3 or d > 2 * r):
            size = (side, side)
        numbers = stage[ready.followed_row] + (mean if raw else 0.0)
        numbers = np.pad(numbers, (0, int(np.prod(size)) - len(numbers)))
        panels.append(fig.pictures(numbers, size, signed=not raw, **look))
    return tuple(panels)


def _variances(lam: Doubles, after: Doubles, epsilon: float) -> fig.Panel:
    """Return the variances before and after, as bars where there are few."""
    if len(lam) <= 3:
        names = (f"λ{i}{when}" for i in "₁₂₃"[: len(lam)] for when in ("", " after"))
        both = np.column_stack([lam, after]).ravel()
        return fig.BarsPanel(tuple(names), both, "variance", weight=1.6)
    x, ones = np.arange(1.0, len(lam) + 1), np.ones_like(lam)
    ys: dict[str, Any] = {"before": lam, "whitened, ε = 0": (ones, "good")}
    if epsilon > 0:
        ys[f"whitened, ε = {epsilon:.2g}"] = after
    return fig.CurvesPanel(x, ys, "component", "variance", log_y=True, weight=1.6)


def _rows_of_w(ready: Whitening, epsilon: float) -> fig.Panel:
    """Return W, or its rows for four pixels well inside a picture."""
    u, shape = ready.components.components, ready.shape
    pixels = np.arange(u.shape[1])
    if shape is not None:
        number = pixels.reshape(*shape[:2], -1)[:, :, 0]
        down, across = ([size // 3, 2 * size // 3] for size in shape[:2])
        pixels = number[np.ix_(down, across)].ravel()
    rows = (u[:, pixels].T * ready.factors(epsilon)) @ u
    if shape is None:
        return fig.MatrixPanel(rows, numbers=True, title="W")
    return fig.pictures(rows, shape, "Four rows of W", 2, signed=True)


def _retina(ready: Whitening, _settings: Settings) -> Settings:
    """Return ε as the variance where nearly all of it is reached, to a step of the slider."""
    lam = ready.components.variances
    last = fewest_components(np.cumsum(lam) / lam.sum(), _CLEAR)
    power = np.floor(10 * np.log10(lam[last - 1] / lam[0])) / 10
    return {"epsilon": float(f"{max(10.0**power, _LEAST):.3g}")}


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
first = zca[0]
print(f"variances {lam[0]:.3g} … {lam[-1]:.3g}; {whitened[0]:.3g} … {whitened[-1]:.3g}")
"""


LESSON = Lesson(
    name="whitening",
    title="Whitening",
    line="Every direction made alike",
    group="Scale",
    see=(
        "Rotation makes the covariance diagonal; dividing by the spread makes it the identity.",
        "PCA-whitening leaves coordinates; ZCA turns them back into **pictures**, as near to "
        "the raw ones as any whitening can be.",
        "Dividing by a variance near 0 fills the picture with noise: **ε** prevents that.",
    ),
    formula="*W* = *U* (Λ + ε*I*)<sup>−½</sup> *U*ᵀ",
    why=(
        "With ε = 0 the covariance of *Wx* is *U*Λ<sup>−½</sup>ΛΛ<sup>−½</sup>*U*ᵀ = *I*. *QW* "
        "whitens as well for any rotation *Q*; E‖*x* − *QWx*‖² is a constant − 2 tr *QWC*, which "
        "is least for *Q* = *I*, as *WC* is symmetric and has no negative eigenvalue."
    ),
    steps=(
        Step("Move ε to 0: which pixels begin to flicker?"),
        Step(
            "Press **Retina**: each row of *W* is a pixel minus its surround, as ganglion "
            "cells compute it, and ZCA draws edges."
        ),
    ),
    about={
        "epsilon": "what is added to every variance, as a share of the largest",
        "ε = 0": "Divide by the variances as they are",
        "Retina": "ε as the variance where 99 % of all is reached: edges, and little noise",
    },
    subjects=("digits", "patches", "cloud", "gallery", "opened"),
    fields=(Slide("epsilon", "ε", _LEAST, 1, 0.1, powers=True),),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={"ε = 0": {"epsilon": 0.0}, "Retina": _retina},
)
