"""Lesson: whitening gives all directions the same variance, and ZCA changes the data least.

A. J. Bell and T. J. Sejnowski named ZCA in *The “independent components” of natural scenes are edge
filters* (1997). A. Kessy, A. Lewin and K. Strimmer show in *Optimal whitening and decorrelation*
(2018) that it changes the data least. J. J. Atick and A. N. Redlich describe whitening in the eye
in *What does the retina know about natural scenes?* (1992).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Button, Lesson, Question, Settings, Slide, Step
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import fewest_components

_CONTRAST = 0.75  # the rank of the example among all pictures, by contrast
_FLAT = 0.1  # the second component of the plot has less than this share of λ₁
_CLEAR = 0.99  # Retina treats this share of the variance as picture, the rest as noise
_LEAST = 1e-6
_AROUND = 15  # the width of the drawn part of a row of W, in pixels


_Rows = tuple[tuple[fig.Panel, ...], ...]


@dataclass(frozen=True, eq=False)
class Whitening:
    """Decomposition of a subject, with two of its pictures or all its points."""

    components: PrincipalComponents
    x: Doubles  # (m, d) minus the mean
    shape: tuple[int, ...] | None  # the shape of a picture, or None for points
    scores: Doubles  # (n, 2) scores of all pictures on two components; empty for points
    across: int  # the index of the second of these components

    def factors(self, epsilon: float) -> Doubles:
        """Return the diagonal (r,) of (Λ + εI)^−½."""
        lam = self.components.variances
        return 1 / np.sqrt(lam + epsilon * lam[0])


def prepare(subject: Subject, tick: Tick) -> Whitening:
    """Decompose a subject, and choose the points or pictures to show."""
    values, n = subject.values, len(subject)
    components = pca(values, tick)
    x = values - components.mean
    if not isinstance(subject, ImageSet):
        return Whitening(components, x, None, x[:, :0], 0)
    lam = components.variances
    across = min(int((lam > _FLAT * lam[0]).sum()), len(lam) - 1)
    scores = x @ components.components[[0, across]].T
    x = x[[0, np.argsort(values.std(axis=1), kind="stable")[int(_CONTRAST * n)]]]
    return Whitening(components, x, subject.shape, scores, across)


def picture(ready: Whitening, epsilon: float) -> fig.LessonPicture:
    """Draw the subject before and after whitening, and the variances.

    ``epsilon`` is ε as a share of the largest variance.
    """
    lam, u = ready.components.variances, ready.components.components
    (r, d), factors = u.shape, ready.factors(epsilon)
    after = lam * factors**2
    zca = ready.x @ u.T * factors @ u
    draw, note = _of_points, f"{'drag a point; ' if d == 2 else ''}one point is red in every stage"
    if ready.shape is not None:
        draw, note = _of_pictures, "one of the pictures, and all of them as points"
    missing = f"{d - r:,} of {d:,} directions have no variance and stay 0"
    missing = f"all {d:,} directions have variance" if r == d else missing
    below = _variances(lam, after, epsilon), _rows_of_w(ready, epsilon)
    return fig.LessonPicture(
        fig.Drawing("Whitening", draw(ready, zca, factors), note),
        fig.Drawing("Variances and weights", (below,), missing),
        {"lam": lam, "whitened": after, "first": zca[0]},
    )


def _of_pictures(ready: Whitening, zca: Doubles, factors: Doubles) -> _Rows:
    """Draw a picture before and after whitening, and all pictures as points on two components."""
    shape = ready.shape or ()
    caption = f"along components 1 and {ready.across + 1}"
    after = ready.scores * factors[[0, ready.across]]
    planes = fig.on_one_scale(
        *(
            fig.PlanePanel((fig.Dots(at, small=True),), title=title, caption=caption, weight=1.6)
            for at, title in ((ready.scores, "All before"), (after, "All after: round"))
        )
    )
    before = ready.x[1] + ready.components.mean
    faces = (
        fig.pictures(before, shape, "Before", caption="x"),
        fig.pictures(zca[1], shape, "Whitened", signed=True, caption="U (Λ + εI)⁻½ Uᵀx"),
    )
    return ((*faces, *planes),)


def _of_points(ready: Whitening, zca: Doubles, factors: Doubles) -> _Rows:
    """Draw all points at four stages, with the covariance below each stage."""
    lam, u, mean = ready.components.variances, ready.components.components, ready.components.mean
    after, d = lam * factors**2, len(mean)
    rotated = ready.x @ u.T
    stages = (
        ("Raw", "x", ready.x, (u.T * lam) @ u),
        ("Rotated", "Uᵀx", rotated, np.diag(lam)),
        ("PCA-whitened", "(Λ + εI)⁻½ Uᵀx", rotated * factors, np.diag(after)),
        ("ZCA-whitened", "U (Λ + εI)⁻½ Uᵀx", zca, (u.T * after) @ u),
    )
    planes, covariances = list[fig.PlanePanel](), list[fig.Panel]()
    followed = int((ready.x**2).sum(axis=1).argmax())
    for title, formula, stage, covariance in stages:
        raw = stage is ready.x
        at = np.pad(stage, ((0, 0), (0, max(0, 2 - stage.shape[1]))))[:, :2]
        dots = fig.Dots(at, small=True, movable=raw and d == 2, origin=mean[:2] if raw else None)
        layers = dots, fig.Dots(at[[followed]], "contrast")
        planes.append(fig.PlanePanel(layers, title=title, caption=formula))
        matrix = fig.MatrixPanel(covariance, numbers=d <= 3, caption="covariance")
        covariances.append(matrix)
    return fig.on_one_scale(*planes), tuple(covariances)


def _variances(lam: Doubles, after: Doubles, epsilon: float) -> fig.Panel:
    """Draw the variances before and after whitening, as bars if there are few of them."""
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
    """Draw W or, for pictures, four rows of W, each cropped to the area around its pixel."""
    u, shape = ready.components.components, ready.shape
    factors = ready.factors(epsilon)
    if shape is None:
        return fig.MatrixPanel((u.T * factors) @ u, numbers=True, title="W")
    pixels, side = np.arange(u.shape[1]).reshape(shape), min(_AROUND, *shape[:2])
    pieces = []
    for at in product(*([size // 3, 2 * size // 3] for size in shape[:2])):
        row = (u[:, pixels[at].flat[0]] * factors) @ u
        starts = [
            min(max(0, middle - side // 2), size - side)
            for middle, size in zip(at, shape, strict=False)
        ]
        rows, columns = (slice(start, start + side) for start in starts)
        pieces.append(row.reshape(shape)[rows, columns])
    return fig.PicturesPanel(np.stack(pieces), 2, signed=True, title="Four rows of W")


def _retina(ready: Whitening, _settings: Settings) -> Settings:
    """Return an ε equal to the variance of the component at which 99 % of the total is reached."""
    lam = ready.components.variances
    last = fewest_components(np.cumsum(lam) / lam.sum(), _CLEAR)
    power = np.floor(10 * np.log10(lam[last - 1] / lam[0])) / 10
    return {"epsilon": float(f"{max(10.0**power, _LEAST):.3g}")}


LISTING = """\
x = x - x.mean(axis=0)
s, ut = np.linalg.svd(x, full_matrices=False)[1:]  # the rows of ut are the components
lam = s**2 / len(x)
some = lam > 1e-10 * lam[0]  # directions without variance are left out
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
    line="Make every direction equal",
    group="Scale",
    see=(
        "Before whitening, the points spread far more along one component than along another. "
        "Whitening makes **all directions equal**: the long cloud becomes round.",
        "PCA whitening gives coordinates. ZCA turns them back into **pictures** that are as close "
        "to the raw pictures as whitened pictures can be.",
        "Dividing by a variance near 0 fills the picture with noise. **ε** prevents this.",
    ),
    formula="*W* = *U* (Λ + ε*I*)<sup>−½</sup> *U*ᵀ",
    why=(
        "With ε = 0, the covariance of *Wx* is *U*Λ<sup>−½</sup>ΛΛ<sup>−½</sup>*U*ᵀ = *I*. *QW* "
        "also whitens for any rotation *Q*. E‖*x* − *QWx*‖² is a constant − 2 tr *QWC*, with *C* "
        "the covariance of *x*. It is least for *Q* = *I*, because *WC* is symmetric and has no "
        "negative eigenvalue."
    ),
    steps=(
        Step("The long cloud becomes round, and a face becomes its edges.", {"epsilon": 0.01}),
        Step("Set ε to 0: the last components are noise, and now they matter.", {"epsilon": 0}),
        Step(
            "Click **Retina**: a row of *W* is a pixel minus its surroundings.",
            {"epsilon": 0.000631},
        ),
        Step("Take the cloud: it shows all four stages.", subject="cloud"),
    ),
    question=Question(
        "Every direction is made equally strong. What is left of a face?",
        ("its edges", "its shadows", "its brightness"),
        0,
    ),
    subjects=("half", "digits", "patches", "cloud", "gallery", "opened", "own-table"),
    controls=(
        Slide(
            "epsilon",
            "ε",
            "what is added to every variance, as a share of the largest",
            0.01,
            _LEAST,
            1,
            0.1,
            powers=True,
        ),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={
        "Retina": Button(
            "Set ε to the variance beyond which only 1 % is left: edges, and little noise", _retina
        )
    },
)
