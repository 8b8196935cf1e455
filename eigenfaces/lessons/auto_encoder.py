"""Lesson: a linear auto-encoder, trained by gradient descent, finds the space of the components.

P. Baldi and K. Hornik, *Neural networks and principal component analysis* (1989). A rotation of the
data turns weights and slopes alike, so all of it happens along the components, where Σ = Λ. The
start is drawn in the span of the data, and no step leaves it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Lesson, read_words, slide, whole
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, percent

STEPS = 600
_TRAININGS = 6  # so many are remembered, tied and untied: a slider finds them again
_TOO_LARGE = 100.0  # a weight beyond this never comes back: the descent has diverged
_HIGHEST = 1.2  # losses above this share of the variance are not drawn
_SMALLEST = 1e-6  # angles below this (radians) are drawn as this


@dataclass(frozen=True, eq=False)
class Descent:
    """Gradient descent of a linear auto-encoder x̂ = VWᵀx along r components, from its start on."""

    weights: Doubles  # (STEPS + 1, m, r, k); m = 1: V = W; m = 2: the encoder W first, then V
    losses: Doubles  # (STEPS + 1,) E‖x − VWᵀx‖² = tr Λ − 2 tr VᵀΛW + tr (WᵀΛW)(VᵀV)
    angles: Doubles  # (STEPS + 1,) the largest between the span of V and the first k components
    diverged: int | None  # the step after which a weight is too large, and all stay as they are

    @classmethod
    def of(cls, components: PrincipalComponents, k: int, rate: float, tied: bool) -> Descent:
        """Train k columns, from weights drawn for every pixel and projected on the span.

        The learning rate is in units of 1/(8 λ₁), the momentum 0.9.
        """
        d, lam, diverged = len(components.mean), components.variances[:, None], None
        start = np.random.default_rng(0).normal(size=(1 if tied else 2, d, k))
        path = [0.1 / np.sqrt(d) * (components.components @ start)]
        speed = np.zeros_like(path[0])
        for step in range(STEPS):
            weights = path[-1]
            if diverged is None and np.abs(weights).max() >= _TOO_LARGE:
                diverged = step
            if diverged is None:
                # ∂loss/∂W = 2 (ΛW VᵀV − ΛV) and ∂loss/∂V = 2 (V WᵀΛW − ΛW); tied, their sum
                w, v = weights[0], weights[-1]
                of_w = 2 * (lam * w @ (v.T @ v) - lam * v)
                of_v = 2 * (v @ (w.T @ (lam * w)) - lam * w)
                slope = (of_w + of_v)[None] if tied else np.stack([of_w, of_v])
                speed = 0.9 * speed - rate / (8 * lam[0]) * slope
                weights = weights + speed
            path.append(weights)
        weights = np.stack(path)
        w, v = weights[:, 0], weights[:, -1]
        squares = (w.swapaxes(1, 2) @ (lam * w)) * (v.swapaxes(1, 2) @ v)
        losses = lam.sum() - 2 * (v * lam * w).sum(axis=(1, 2)) + squares.sum(axis=(1, 2))
        sines = np.linalg.norm(np.linalg.qr(v)[0][:, k:], 2, axis=(1, 2))
        return cls(weights, losses, np.arcsin(np.minimum(sines, 1.0)), diverged)


@dataclass(frozen=True, eq=False)
class _Trainable:
    images: ImageSet
    components: PrincipalComponents
    train: Callable[[int, float, bool], Descent]

    def columns(self, k: int) -> int:
        """Return k, or less if the pictures do not fill so many directions."""
        return min(k, len(self.components.variances) - 1)


def prepare(images: ImageSet, tick: Tick) -> _Trainable:
    """Find the components, and train with the settings to begin with."""
    components = pca(images.values, part_of(tick, 0, 3))
    if len(components.variances) < 2:
        raise EigenfacesError(
            "These pictures differ in one direction only, so there is nothing to choose between: "
            "take three or more that differ."
        )
    ready = _Trainable(images, components, lru_cache(_TRAININGS)(partial(Descent.of, components)))
    for number, tied in enumerate((True, False), 1):
        tick(number, 3)
        ready.train(ready.columns(LESSON.settings["k"]), LESSON.settings["rate"], tied)
    tick(3, 3)
    return ready


def picture(
    ready: _Trainable, step: float = 40, rate: float = 1.0, k: int = 5
) -> fig.LessonPicture:
    """Return the columns beside the components, and loss and angle over the steps.

    ``rate`` is in units of 1/(8 λ₁), ``k`` the number of columns of W.
    """
    step, k, shape = int(step), ready.columns(k), ready.images.shape
    tied, untied = (ready.train(k, rate, tied) for tied in (True, False))
    components, variances = ready.components.components, ready.components.variances
    total, best = float(variances.sum()), float(variances[k:].sum())
    rows, losses, angles = [], [], []
    trained: tuple[tuple[Descent, str, str, fig.Ink], ...] = (
        (tied, "W, trained with tied weights: x̂ = W Wᵀ x", "tied", "main"),
        (untied, "V, trained without the tie: x̂ = V Wᵀ x", "not tied", "contrast"),
    )
    for descent, title, name, ink in trained:
        columns = descent.weights[step, -1].T
        shares = np.abs(columns) / np.linalg.norm(columns, axis=1, keepdims=True)
        degrees = np.degrees(np.arccos(np.minimum(shares.max(axis=1), 1)))
        nearest = zip(degrees, shares.argmax(axis=1), strict=True)
        look: dict[str, Any] = {"words": tuple(f"{a:.0f}° from {i + 1}" for a, i in nearest)}
        rows.append((fig.pictures(columns @ components, shape, title, k, signed=True, **look),))
        high = np.flatnonzero(descent.losses > _HIGHEST * total)
        end = int(high[0]) if high.size else STEPS + 1
        x, angle = np.arange(end, dtype=float), np.maximum(descent.angles, _SMALLEST)[:end]
        losses.append(fig.PlotLine(name, x, descent.losses[:end] / total, ink))
        angles.append(fig.PlotLine(name, x, angle, ink))
    words = tuple(f"number {i}" for i in range(1, k + 1))
    rows.append(
        (fig.pictures(components[:k], shape, "The components", k, signed=True, words=words),)
    )
    ends, least = np.array([0.0, STEPS]), np.full(2, best / total)
    losses.append(fig.PlotLine("PCA: the least there is", ends, least, "good", dashed=True))
    lost, far, mark = "share of the variance lost", "angle (radians)", (step, f"step {step}")
    look = {"log_y": True, "title": "Largest angle to the PCA space"}
    below = (
        fig.CurvesPanel(tuple(losses), "step", lost, mark, percent=True, title="Loss"),
        fig.CurvesPanel(tuple(angles), "step", far, mark, **look),
    )
    loss, last = float(tied.losses[step]), tied.angles[-1]
    note = f"loss {percent(loss / total, 2)} of the variance"
    if tied.diverged is not None and step >= tied.diverged:
        note = f"diverged by step {tied.diverged}: a step is longer than the valley is wide"
    near = f"{last:.1g} radians" if last >= _SMALLEST else "less than a millionth of a radian"
    reached = f"{ready.images.title}, after {count(step, 'step')}"
    return fig.LessonPicture(
        fig.Drawing("A linear auto-encoder", tuple(rows), reached),
        fig.Drawing("The way down", (below,), note),
        {
            "best": best,
            "loss": loss,
            "angle": float(tied.angles[step]),
            "loss_untied": float(untied.losses[step]),
            "angle_untied": float(untied.angles[step]),
        },
        {"best": percent(best / total, 2), "last": near, "rate": f"{rate:g}"},
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


WORDS = """
title: A linear auto-encoder
line: Gradient descent finds the same
group: Limits
see: A picture becomes *k* numbers and a picture again; each step of gradient descent makes the loss
    smaller.
see: It falls to that of PCA and no further: the **space** turns into that of the components.
see: The **directions** need not: a column of *W* is a mixture of components.
formula: E‖*x* − *WW*ᵀ*x*‖² ≥ λ<sub>k+1</sub> + … + λ<sub>d</sub>
why: Every *W* = *UQ* with a rotation *Q* loses the least there is, as *WW*ᵀ = *UU*ᵀ; not tied, any
    *V* = *UM* will do. Steps: {rate} × 1/(8 λ₁), momentum 0.9. A rotation turns all steps alike, so
    they are computed along the components.
try: Play: the loss is at {best} early; the angle goes on falling, to {last}.
try: Take one column: it can only be the first component.
try: Compare the angles below the pictures: few columns are near a component.
try: Press **Too fast**: a step that is too long climbs the other side.
set step: how many steps of gradient descent have been taken
set rate: the length of a step: times 1/(8 λ₁), where λ₁ is the largest eigenvalue of Σ
set k: how many numbers a picture becomes
press To the end: All steps at the usual rate
press Too fast: A learning rate at which it diverges
"""

LESSON = Lesson(
    **read_words(WORDS),
    name="auto-encoder",
    subjects=("digits", "gallery", "opened"),
    fields=(
        slide("step", "Step", 0, STEPS, 5, whole=True, plays=True),
        slide("rate", "Learning rate", 0.1, 3, 0.1, unit=" × 1/(8 λ₁)"),
        whole("k", "Columns k", 1, 6, "k"),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={
        "To the end": {"step": STEPS, "rate": 1.0},
        "Too fast": {"step": STEPS, "rate": 3.0},
    },
    fitted=lambda ready: {"k": most if (most := ready.columns(6)) > 1 else None},
)
