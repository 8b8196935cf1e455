"""Lesson: a linear auto-encoder, trained by gradient descent, finds the space of the components.

P. Baldi and K. Hornik, *Neural networks and principal component analysis* (1989). A rotation of the
data rotates weights and gradients in the same way, so everything is computed along the components,
where Σ = Λ. The initial weights lie in the span of the data, and no step leaves that span.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, percent

TRAINING_STEPS = 600
_HIGHEST = 1.2  # losses above this share of the variance are not drawn
_CONTRAST = 0.75  # the rank of the example among all pictures, by contrast
_FARTHEST = 1e3  # the largest score drawn, if the descent has diverged
_DRAWN, _ACROSS = 6, 3  # the number of columns drawn, and how many of them in a row
_SMALLEST = 1e-6  # smaller angles (radians) are drawn as this


@dataclass(frozen=True, eq=False)
class GradientDescent:
    """Gradient descent for a linear auto-encoder x̂ = WWᵀx, in coordinates along r components."""

    weights: Doubles  # (STEPS + 1, r, k)
    losses: Doubles  # (STEPS + 1,) E‖x − WWᵀx‖² = tr Λ − 2 tr WᵀΛW + tr WᵀΛW WᵀW
    angles: Doubles  # (STEPS + 1,) the largest angle from the span of W to k components

    @cached_property
    def diverged(self) -> int | None:
        """Step at which a weight becomes too large and training stops, or None if it never does."""
        too_large = np.abs(self.weights).max(axis=(1, 2)) >= 100
        return int(too_large.argmax()) if too_large.any() else None


def gradient_descent(u: Doubles, lam: Doubles, k: int, rate: float) -> GradientDescent:
    """Train k columns of W, expressed in components u (r, d) with variances lam (r,).

    The initial weights are drawn at random for each pixel, then projected onto the span of u. The
    learning rate is given in units of 1/(8 λ₁), and the momentum is 0.9.
    """
    lam, root = lam[:, None], np.sqrt(u.shape[1])
    w = u @ np.random.default_rng(0).normal(size=(u.shape[1], k)) * 0.1 / root
    speed, history = np.zeros_like(w), []
    for _ in range(601):
        gram, spread = w.T @ w, w.T @ (lam * w)
        loss = lam.sum() - 2 * np.trace(spread) + np.trace(spread @ gram)
        angle = np.arcsin(np.minimum(np.linalg.norm(np.linalg.qr(w)[0][k:], 2), 1))
        history.append((w, loss, angle))
        slope = 2 * (lam * w @ gram + w @ spread) - 4 * lam * w
        speed = 0.9 * speed - rate / (8 * lam[0]) * slope
        w = w + speed * (np.abs(w).max() < 100)  # larger weights have diverged
    return GradientDescent(*(np.array(part) for part in zip(*history, strict=True)))


@dataclass(frozen=True, eq=False)
class _Trained:
    images: ImageSet
    components: PrincipalComponents
    example: int  # the row of the picture to rebuild
    scores: Doubles  # (r,) the scores of that picture
    descent: GradientDescent


def prepare(images: ImageSet, tick: Tick, rate: float, k: float) -> _Trained:
    """Return the components of the pictures, and a network that has been trained on them.

    ``rate`` is given in units of 1/(8 λ₁). W has ``k`` columns, or fewer if the pictures vary in
    too few directions.
    """
    components = pca(images.values, tick)
    if len(components.variances) < 2:
        raise EigenfacesError(
            "These pictures differ in only one direction, so there is nothing to choose. "
            "Take three or more different pictures."
        )
    by_contrast = np.argsort(images.pixels.std(axis=1), kind="stable")
    example = int(by_contrast[int(_CONTRAST * len(images))])
    scores = components.project(images.pixels[example].astype(float))
    variances = components.variances
    columns = min(int(k), len(variances) - 1)
    descent = gradient_descent(components.components, variances, columns, rate)
    return _Trained(images, components, example, scores, descent)


def picture(ready: _Trained, step: float, rate: float, k: float) -> fig.LessonPicture:
    """Draw a picture rebuilt by the network and by PCA, the training curves, and the directions."""
    del k  # `prepare` has used it
    step, descent = int(step), ready.descent
    columns = descent.weights.shape[2]
    variances = ready.components.variances
    total, best = float(variances.sum()), float(variances[columns:].sum())
    loss, angle, last = float(descent.losses[step]), descent.angles[step], descent.angles[-1]
    high = np.flatnonzero(descent.losses > _HIGHEST * total)
    x = np.arange(high[0] if high.size else TRAINING_STEPS + 1, dtype=float)
    mark, least = (step, f"step {step}"), (np.full(len(x), best / total), "good")
    losses = {"network": descent.losses[: len(x)] / total, "PCA": least}
    look: dict[str, Any] = {"percent": True, "weight": 2.2}
    curves = fig.CurvesPanel(x, losses, "step", "variance lost", mark, **look)
    angles = {"angle": np.maximum(descent.angles[: len(x)], _SMALLEST)}
    title = "Angle to the PCA space"
    turning = fig.CurvesPanel(x, angles, "step", "radians", mark, log_y=True, title=title)
    note = f"{count(columns, 'number')}: loss {percent(loss / total, 2)} of the variance"
    if descent.diverged is not None and step >= descent.diverged:
        note = f"diverged by step {descent.diverged}: the steps are too long"
    near = f"{last:.1g} radians" if last >= _SMALLEST else "less than a millionth of a radian"
    row = *_rebuilt(ready, descent.weights[step]), curves
    return fig.LessonPicture(
        fig.Drawing("A linear auto-encoder", (row,), note),
        fig.Drawing("The directions", ((*_columns(ready, descent.weights[step]), turning),)),
        {"best": best, "loss": loss, "angle": float(angle)},
        {"best": percent(best / total, 2), "last": near, "rate": f"{rate:g}"},
    )


def _rebuilt(ready: _Trained, weights: Doubles) -> tuple[fig.Panel, ...]:
    """Draw a picture, and its reconstructions by the network and from k components."""
    images, fitted, k = ready.images, ready.components, weights.shape[1]
    original = images.pixels[ready.example].astype(float)
    encoded = np.clip(ready.scores @ weights @ weights.T, -_FARTHEST, _FARTHEST)
    rebuilt = (
        fitted.mean + encoded @ fitted.components,
        fitted.mean + ready.scores[:k] @ fitted.first(k).components,
    )
    return (
        fig.pictures(original, images.shape, "The photo"),
        *(
            fig.pictures(np.clip(pixels, 0, 1), images.shape, title)
            for pixels, title in zip(rebuilt, ("Network", "PCA"), strict=True)
        ),
    )


def _columns(ready: _Trained, weights: Doubles) -> tuple[fig.Panel, fig.Panel]:
    """Draw the components, and the columns of W with their angles to the nearest component."""
    components, shape = ready.components.components, ready.images.shape
    columns = weights.T[:_DRAWN]
    cosines = np.abs(columns) / np.linalg.norm(columns, axis=1, keepdims=True)
    degrees = np.degrees(np.arccos(np.minimum(cosines.max(axis=1), 1)))
    nearest = zip(degrees.tolist(), (cosines.argmax(axis=1) + 1).tolist(), strict=True)
    angles = tuple(f"{angle:.0f}° to {number}" for angle, number in nearest)
    k = len(columns)
    numbers = tuple(f"{number}" for number in range(1, k + 1))
    look: dict[str, Any] = {"signed": True, "weight": 1.3}
    return (
        fig.pictures(
            columns @ components,
            shape,
            "Columns of W",
            _ACROSS,
            words=angles,
            caption="angle to the nearest component",
            **look,
        ),
        fig.pictures(components[:k], shape, "The components", _ACROSS, words=numbers, **look),
    )


LISTING = """\
x = x - x.mean(axis=0)
_, s, vt = np.linalg.svd(x, full_matrices=False)
u, lam = vt[s > 1e-5 * s[0]], s[s > 1e-5 * s[0]] ** 2 / len(x)
k = min(int(k), len(lam) - 1)
best = lam[k:].sum()
lam, root = lam[:, None], np.sqrt(u.shape[1])
w = u @ np.random.default_rng(0).normal(size=(u.shape[1], k)) * 0.1 / root
speed, history = np.zeros_like(w), []
for _ in range(601):
    gram, spread = w.T @ w, w.T @ (lam * w)
    loss = lam.sum() - 2 * np.trace(spread) + np.trace(spread @ gram)
    angle = np.arcsin(np.minimum(np.linalg.norm(np.linalg.qr(w)[0][k:], 2), 1))
    history.append((w, loss, angle))
    slope = 2 * (lam * w @ gram + w @ spread) - 4 * lam * w
    speed = 0.9 * speed - rate / (8 * lam[0]) * slope
    w = w + speed * (np.abs(w).max() < 100)  # larger weights have diverged
w, loss, angle = history[int(step)]
print(f"{loss:.5f}, PCA {best:.5f}, angle {angle:.1e} rad")
"""


LESSON = Lesson(
    name="auto-encoder",
    title="A linear auto-encoder",
    line="Gradient descent finds the same space",
    group="Limits",
    see=(
        "The network turns a picture into *k* numbers and back. Each step of gradient descent "
        "makes the loss smaller.",
        "The loss falls to the loss of PCA and no further: the network finds the same **space**.",
        "It need not find the same **directions**: a column of *W* is a mixture of components.",
    ),
    formula="E‖*x* − *WW*ᵀ*x*‖² ≥ λ<sub>k+1</sub> + … + λ<sub>d</sub>",
    why=(
        "Every *W* = *UQ* with a rotation *Q* has the least loss, because *WW*ᵀ = *UU*ᵀ. The "
        "learning rate is {rate} × 1/(8 λ₁), and the momentum is 0.9. All steps are computed "
        "along the components, because a rotation of the data only rotates them."
    ),
    steps=(
        Step("After 150 steps the network’s face is the same as that of PCA.", {"step": 150}),
        Step("Go back to step 20: the face is not there yet.", {"step": 20}),
        Step("Compare the angles: few columns are close to a component.", {"step": 600}),
        Step("Steps that are too long climb out of the valley.", {"step": 600, "rate": 3}),
    ),
    question=Question(
        "A network learns to turn a face into 12 numbers and back. How good does it get?",
        ("better than PCA", "just as good", "far worse"),
        1,
    ),
    subjects=("half", "digits", "gallery", "opened"),
    controls=(
        Slide(
            "step", "Step", "how many steps have been taken", 150, 0, TRAINING_STEPS, 5, plays=True
        ),
        Slide(
            "rate",
            "Learning rate",
            "the length of a step; λ₁ is the largest eigenvalue of Σ",
            1.0,
            0.1,
            3,
            0.1,
            unit=" × 1/(8 λ₁)",
        ),
        Slide("k", "Numbers k", "how many numbers a picture becomes", 12, 1, 20),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    slow_settings=("rate", "k"),
    limits=lambda ready: {
        "k": most if (most := min(20, len(ready.components.variances) - 1)) > 1 else None
    },
)
