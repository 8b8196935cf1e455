"""Lesson: a linear auto-encoder, trained by gradient descent, finds the space of the components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Drawing,
    DrawnCurve,
    Ink,
    LessonPicture,
    PicturesPanel,
    directions,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.decomposed import Decomposed, decomposed
from eigenfaces.laboratory.lessons.descent import (
    LOGGED,
    STEPS,
    Descent,
    DescentPath,
    EncoderWeights,
)
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion
from eigenfaces.laboratory.lessons.subjects import Subject, pictures_of
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, Whole, count, percent

_TRAININGS = 6
"""So many are remembered, tied and untied: a slider finds them again."""

_HIGHEST = 1.2
"""Losses above this share of the variance are not drawn."""

_SMALLEST = 1e-6
"""Angles below this (radians) are drawn as this."""


@dataclass(frozen=True)
class TrainingSettings:
    """Steps taken, columns of W, and the learning rate in units of 1/(8 λ₁)."""

    step: float = 40
    k: int = 5
    rate: float = 1.0


CONTROLS = (
    Slide(
        name="step",
        label="Step",
        about="how many steps of gradient descent have been taken",
        least=0,
        most=STEPS,
        whole=True,
        step=LOGGED,
        plays=True,
    ),
    Slide(
        name="rate",
        label="Learning rate",
        about="the length of a step: times 1/(8 λ₁), where λ₁ is the largest eigenvalue of Σ",
        least=0.1,
        most=3,
        step=0.1,
        unit=" × 1/(8 λ₁)",
    ),
    Whole(
        name="k",
        label="Columns k",
        about="how many numbers a picture becomes",
        least=1,
        most=6,
        refusal="k is a whole number from 1 to 6.",
    ),
)


@dataclass(frozen=True, eq=False)
class _Trainable:
    images: ImageSet
    principal: Decomposed
    trained: Callable[[Descent], DescentPath]

    def columns(self, settings: TrainingSettings) -> int:
        """Return k: fewer than asked for if the pictures do not fill so many directions."""
        return min(settings.k, len(self.principal.variances) - 1)


def prepare(subject: Subject, tick: Tick) -> _Trainable:
    """Find the components, and train with the settings to begin with."""
    images = pictures_of(subject)
    principal = decomposed(images.values, part_of(tick, 0, 3))
    if len(principal.variances) < 2:
        raise EigenfacesError(
            "These pictures differ in one direction only, so there is nothing to choose between: "
            "take three or more that differ."
        )
    ready = _Trainable(images, principal, lru_cache(_TRAININGS)(partial(DescentPath.of, principal)))
    for number, tied in enumerate((True, False), 1):
        tick(number, 3)
        ready.trained(_descent(ready, TrainingSettings(), tied=tied))
    tick(3, 3)
    return ready


def _descent(ready: _Trainable, settings: TrainingSettings, *, tied: bool) -> Descent:
    return Descent(ready.columns(settings), settings.rate, tied)


def controls_for(ready: _Trainable) -> tuple[Field, ...]:
    """Return the controls for some pictures: there are not always six columns to have."""
    most = ready.columns(TrainingSettings(k=6))
    step, rate, k = CONTROLS
    return (step, rate, replace(k, most=most)) if most > 1 else (step, rate)


def picture(ready: _Trainable, settings: TrainingSettings) -> LessonPicture:
    """Return the columns beside the components, and loss and angle over the steps."""
    step = int(settings.step)
    tied, untied = (ready.trained(_descent(ready, settings, tied=each)) for each in (True, False))
    now, other = tied.at(step), untied.at(step)
    variances = ready.principal.variances
    best, loss = float(variances[ready.columns(settings) :].sum()), now.loss(variances)
    mark = (step, f"step {step}")
    return LessonPicture(
        upper=Drawing(
            heading="A linear auto-encoder",
            note=f"{ready.images.title}, after {count(step, 'step')}",
            rows=(
                (_columns(ready, now, "W, trained with tied weights: x̂ = W Wᵀ x"),),
                (_columns(ready, other, "V, trained without the tie: x̂ = V Wᵀ x"),),
                (_components(ready, settings),),
            ),
        ),
        lower=Drawing(
            heading="The way down",
            note=_note(tied, now),
            rows=((_losses(tied, untied, best, mark), _angles(tied, untied, mark)),),
        ),
        numbers={
            "best": best,
            "loss": loss,
            "angle": now.angle(),
            "loss_untied": other.loss(variances),
            "angle_untied": other.angle(),
        },
        words={
            "best": percent(best / variances.sum(), 2),
            "last": _radians(tied.angles[-1]),
            "rate": f"{settings.rate:g}",
        },
    )


def _note(tied: DescentPath, now: EncoderWeights) -> str:
    if now.diverged:
        return f"diverged by step {tied.diverged_at}: a step is longer than the valley is wide"
    return f"loss {percent(now.loss(tied.variances) / tied.variances.sum(), 2)} of the variance"


def _radians(angle: float) -> str:
    return f"{angle:.1g} radians" if angle >= _SMALLEST else "less than a millionth of a radian"


def _columns(ready: _Trainable, weights: EncoderWeights, title: str) -> PicturesPanel:
    columns = weights.decoder.T
    shares = np.abs(columns) / np.linalg.norm(columns, axis=1, keepdims=True)
    nearest = shares.argmax(axis=1)
    degrees = np.degrees(np.arccos(np.minimum(shares.max(axis=1), 1)))
    words = tuple(
        f"{angle:.0f}° from {number + 1}" for number, angle in zip(nearest, degrees, strict=True)
    )
    rows = columns @ ready.principal.components
    return directions(rows, ready.images.shape, title=title, words=words)


def _components(ready: _Trainable, settings: TrainingSettings) -> PicturesPanel:
    first = ready.principal.components[: ready.columns(settings)]
    words = tuple(f"number {number + 1}" for number in range(len(first)))
    return directions(first, ready.images.shape, title="The components", words=words)


def _losses(
    tied: DescentPath, untied: DescentPath, best: float, mark: tuple[float, str]
) -> CurvesPanel:
    total = float(tied.variances.sum())
    return CurvesPanel(
        title="Loss",
        curves=(
            _shown("tied", tied, tied.losses / total, "main"),
            _shown("not tied", untied, untied.losses / total, "contrast"),
            DrawnCurve(
                name="PCA: the least there is",
                x=np.array([0.0, STEPS]),
                y=np.full(2, best / total),
                ink="good",
                dashed=True,
            ),
        ),
        x="step",
        y="share of the variance lost",
        percent=True,
        mark=mark,
    )


def _shown(name: str, trained: DescentPath, values: Doubles, ink: Ink) -> DrawnCurve:
    """Return a curve as far as the loss can be drawn."""
    high = np.flatnonzero(trained.losses > _HIGHEST * trained.variances.sum())
    end = int(high[0]) if high.size else len(values)
    return DrawnCurve(name=name, x=trained.steps[:end], y=values[:end], ink=ink)


def _angles(tied: DescentPath, untied: DescentPath, mark: tuple[float, str]) -> CurvesPanel:
    return CurvesPanel(
        title="Largest angle to the PCA space",
        curves=(
            _shown("tied", tied, np.maximum(tied.angles, _SMALLEST), "main"),
            _shown("not tied", untied, np.maximum(untied.angles, _SMALLEST), "contrast"),
        ),
        x="step",
        y="angle (radians)",
        log_y=True,
        mark=mark,
    )


LISTING = """\
x = x - x.mean(axis=0)
_, s, vt = np.linalg.svd(x, full_matrices=False)
u, lam = vt[s > 1e-5 * s[0]], s[s > 1e-5 * s[0]] ** 2 / len(x)
k, c = min(k, len(lam) - 1), np.diag(lam)  # Σ along the components
best = lam[k:].sum()
for tied in (False, True):
    weights = u @ np.random.default_rng(0).normal(size=(2 - tied, x.shape[1], k))
    weights, speed = 0.1 / np.sqrt(x.shape[1]) * weights, 0
    for _ in range(int(step)):
        w, v = weights[0], weights[-1]
        slope = 2 * np.array([c @ w @ v.T @ v - c @ v, v @ w.T @ c @ w - c @ w])
        slope = slope.sum(axis=0, keepdims=True) if tied else slope
        speed = 0.9 * speed - rate / (8 * lam[0]) * slope
        weights = weights + speed * (np.abs(weights).max() < 100)  # until it diverges
    w, v = weights[0], weights[-1]
    loss = np.trace((np.eye(len(c)) - v @ w.T) @ c @ (np.eye(len(c)) - w @ v.T))
    angle = np.arcsin(min(1, np.linalg.norm(np.linalg.qr(v)[0][k:], 2)))
    if not tied:
        loss_untied, angle_untied = loss, angle
    print(f"{loss:.5f}, PCA {best:.5f}, angle {angle:.1e} rad")
"""

AUTO_ENCODER = Lesson(
    name="auto-encoder",
    title="A linear auto-encoder",
    line="Gradient descent finds the same",
    group="Limits",
    see=(
        "A picture becomes <i>k</i> numbers and a picture again; each step of gradient descent "
        "makes the loss smaller.",
        "It falls to that of PCA and no further: the <b>space</b> turns into that of the "
        "components.",
        "The <b>directions</b> need not: a column of <i>W</i> is a mixture of components.",
    ),
    formula="E‖<i>x</i> − <i>WW</i>ᵀ<i>x</i>‖² ≥ λ<sub>k+1</sub> + … + λ<sub>d</sub>",
    why=(
        "Every <i>W</i> = <i>UQ</i> with a rotation <i>Q</i> loses the least there is, as "
        "<i>WW</i>ᵀ = <i>UU</i>ᵀ; not tied, any <i>V</i> = <i>UM</i> will do. Steps: {rate} × "
        "1/(8 λ₁), momentum 0.9. A rotation turns all steps alike, so they are computed along the "
        "components."
    ),
    tries=(
        "Play: the loss is at {best} early; the angle goes on falling, to {last}.",
        "Take one column: it can only be the first component.",
        "Compare the angles below the pictures: few columns are near a component.",
        "Press <b>Too fast</b>: a step that is too long climbs the other side.",
    ),
    subjects=("digits", "gallery", "opened"),
    settings=TrainingSettings(),
    controls=CONTROLS,
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=controls_for,
    suggestions=(
        Suggestion(
            title="To the end",
            about="All steps at the usual rate",
            apply=lambda _ready, now: replace(now, step=STEPS, rate=1.0),
        ),
        Suggestion(
            title="Too fast",
            about="A learning rate at which it diverges",
            apply=lambda _ready, now: replace(now, step=STEPS, rate=3.0),
        ),
    ),
)
