"""Lesson: a linear auto-encoder, trained by gradient descent, finds the space of the components.

P. Baldi and K. Hornik, *Neural networks and principal component analysis* (1989). A rotation of the
data turns weights and slopes alike, so all of it happens along the components, where Σ = Λ. The
start is drawn in the span of the data, and no step leaves it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.figures import pictures
from eigenfaces.lessons.lesson import Lesson, Suggestion, slide, typed_whole
from eigenfaces.lessons.subjects import Subject, pictures_of
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, percent

STEPS = 600
_LOGGED = 5  # every so many steps the weights are kept
_TRAININGS = 6  # so many are remembered, tied and untied: a slider finds them again
_TOO_LARGE = 100.0  # a weight beyond this never comes back: the descent has diverged
_HIGHEST = 1.2  # losses above this share of the variance are not drawn
_SMALLEST = 1e-6  # angles below this (radians) are drawn as this


@dataclass(frozen=True)
class TrainingSettings:
    """Steps taken, the learning rate in units of 1/(8 λ₁), and the columns of W."""

    step: float = slide(40, "Step", 0, STEPS, step=_LOGGED, whole=True, plays=True)
    rate: float = slide(1.0, "Learning rate", 0.1, 3, step=0.1, unit=" × 1/(8 λ₁)")
    k: int = typed_whole(5, "Columns k", 1, 6, called="k")


@dataclass(frozen=True, eq=False)
class EncoderWeights:
    """Weights (m, r, k) along r components of a linear auto-encoder x̂ = VWᵀx, and their velocity.

    m = 1: tied, V = W; m = 2: the encoder W and the decoder V.
    """

    values: Doubles
    velocity: Doubles

    @property
    def encoder(self) -> Doubles:
        """W (r, k)."""
        return self.values[0]

    @property
    def decoder(self) -> Doubles:
        """V (r, k)."""
        return self.values[-1]

    @property
    def diverged(self) -> bool:
        """Whether a weight has become too large."""
        return bool(np.abs(self.values).max() >= _TOO_LARGE)

    def loss(self, variances: Doubles) -> float:
        """Return E‖x − VWᵀx‖² = tr Λ − 2 tr VᵀΛW + tr (WᵀΛW)(VᵀV)."""
        w, v = self.encoder, self.decoder
        scaled = variances[:, None] * w
        return float(variances.sum() - 2 * (v * scaled).sum() + ((w.T @ scaled) * (v.T @ v)).sum())

    def angle(self) -> float:
        """Return the largest principal angle between the span of V and the first k components."""
        q = np.linalg.qr(self.decoder)[0]
        return float(np.arcsin(min(1.0, float(np.linalg.norm(q[q.shape[1] :], 2)))))

    def next(self, variances: Doubles, rate: float) -> EncoderWeights:
        """Return the weights after one step; ones that have diverged stay as they are.

        The learning rate is in units of 1/(8 λ₁), the momentum 0.9.
        """
        if self.diverged:
            return self
        w, v = self.encoder, self.decoder
        scaled = variances[:, None] * w
        of_w = 2 * (scaled @ (v.T @ v) - variances[:, None] * v)
        of_v = 2 * (v @ (w.T @ scaled) - scaled)
        slope = (of_w + of_v)[None] if len(self.values) == 1 else np.stack([of_w, of_v])
        velocity = 0.9 * self.velocity - rate / (8 * variances[0]) * slope
        return EncoderWeights(self.values + velocity, velocity)


@dataclass(frozen=True, eq=False)
class DescentPath:
    """A descent from its start to its last step, of which every few steps are kept (m,)."""

    variances: Doubles
    rate: float
    logged: tuple[EncoderWeights, ...]
    losses: Doubles
    angles: Doubles

    @classmethod
    def of(cls, found: Decomposed, k: int, rate: float, tied: bool) -> DescentPath:
        """Train k columns, from weights drawn for every pixel and projected on the span."""
        d, variances = len(found.mean), found.variances
        drawn = np.random.default_rng(0).normal(size=(1 if tied else 2, d, k))
        values = 0.1 / np.sqrt(d) * (found.components @ drawn)
        now = EncoderWeights(values, np.zeros_like(values))
        logged = [now]
        for step in range(1, STEPS + 1):
            now = now.next(variances, rate)
            if step % _LOGGED == 0:
                logged.append(now)
        losses = np.array([each.loss(variances) for each in logged])
        angles = np.array([each.angle() for each in logged])
        return cls(variances, rate, tuple(logged), losses, angles)

    def at(self, step: int) -> EncoderWeights:
        """Return the weights after a number of steps."""
        now = self.logged[step // _LOGGED]
        for _ in range(step % _LOGGED):
            now = now.next(self.variances, self.rate)
        return now

    def curve(self, name: str, values: Doubles, ink: fig.Ink) -> fig.DrawnCurve:
        """Return values (m,) over the steps as a curve, as far as the loss can be drawn."""
        high = np.flatnonzero(self.losses > _HIGHEST * self.variances.sum())
        end = int(high[0]) if high.size else len(values)
        x = _LOGGED * np.arange(end, dtype=float)
        return fig.DrawnCurve(name=name, x=x, y=values[:end], ink=ink)


@dataclass(frozen=True, eq=False)
class _Trainable:
    images: ImageSet
    principal: Decomposed
    trained: Callable[[int, float, bool], DescentPath]

    def columns(self, k: int) -> int:
        """Return k: fewer than asked for if the pictures do not fill so many directions."""
        return min(k, len(self.principal.variances) - 1)


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
        ready.trained(ready.columns(TrainingSettings().k), TrainingSettings().rate, tied)
    tick(3, 3)
    return ready


def picture(ready: _Trainable, settings: TrainingSettings) -> fig.LessonPicture:
    """Return the columns beside the components, and loss and angle over the steps."""
    step, k = int(settings.step), ready.columns(settings.k)
    tied, untied = (ready.trained(k, settings.rate, each) for each in (True, False))
    now, other = tied.at(step), untied.at(step)
    variances, total = tied.variances, float(tied.variances.sum())
    best, loss, last = float(variances[k:].sum()), now.loss(variances), tied.angles[-1]
    note = f"loss {percent(loss / total, 2)} of the variance"
    if now.diverged:
        by = next(number for number, each in enumerate(tied.logged) if each.diverged)
        note = f"diverged by step {_LOGGED * by}: a step is longer than the valley is wide"
    first, words = ready.principal.components[:k], tuple(f"number {i}" for i in range(1, k + 1))
    components = pictures(
        first, ready.images.shape, "The components", across=k, signed=True, words=words
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="A linear auto-encoder",
            note=f"{ready.images.title}, after {count(step, 'step')}",
            rows=(
                (_columns(ready, now, "W, trained with tied weights: x̂ = W Wᵀ x"),),
                (_columns(ready, other, "V, trained without the tie: x̂ = V Wᵀ x"),),
                (components,),
            ),
        ),
        lower=fig.Drawing(
            heading="The way down", note=note, rows=(_curves(tied, untied, step, best),)
        ),
        numbers={
            "best": best,
            "loss": loss,
            "angle": now.angle(),
            "loss_untied": other.loss(variances),
            "angle_untied": other.angle(),
        },
        words={
            "best": percent(best / total, 2),
            "last": f"{last:.1g} radians"
            if last >= _SMALLEST
            else "less than a millionth of a radian",
            "rate": f"{settings.rate:g}",
        },
    )


def _curves(
    tied: DescentPath, untied: DescentPath, step: int, best: float
) -> tuple[fig.CurvesPanel, fig.CurvesPanel]:
    """Return loss and angle over the steps; ``best``: the loss of PCA."""
    total, mark = float(tied.variances.sum()), (step, f"step {step}")
    least = fig.DrawnCurve(
        name="PCA: the least there is",
        x=np.array([0.0, STEPS]),
        y=np.full(2, best / total),
        ink="good",
        dashed=True,
    )
    losses = fig.CurvesPanel(
        title="Loss",
        curves=(
            tied.curve("tied", tied.losses / total, "main"),
            untied.curve("not tied", untied.losses / total, "contrast"),
            least,
        ),
        x="step",
        y="share of the variance lost",
        percent=True,
        mark=mark,
    )
    angles = fig.CurvesPanel(
        title="Largest angle to the PCA space",
        curves=(
            tied.curve("tied", np.maximum(tied.angles, _SMALLEST), "main"),
            untied.curve("not tied", np.maximum(untied.angles, _SMALLEST), "contrast"),
        ),
        x="step",
        y="angle (radians)",
        log_y=True,
        mark=mark,
    )
    return losses, angles


def _columns(ready: _Trainable, weights: EncoderWeights, title: str) -> fig.PicturesPanel:
    """Return the columns of V as pictures, with the angle of each to the nearest component."""
    columns = weights.decoder.T
    shares = np.abs(columns) / np.linalg.norm(columns, axis=1, keepdims=True)
    degrees = np.degrees(np.arccos(np.minimum(shares.max(axis=1), 1)))
    near = zip(degrees, shares.argmax(axis=1), strict=True)
    words = tuple(f"{angle:.0f}° from {number + 1}" for angle, number in near)
    rows = columns @ ready.principal.components
    across = len(columns)
    return pictures(rows, ready.images.shape, title, across=across, signed=True, words=words)


def _fitted(ready: _Trainable) -> dict[str, int | None]:
    """Return how many columns there are to have: one needs no control."""
    most = ready.columns(6)
    return {"k": most if most > 1 else None}


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
    about={
        "step": "how many steps of gradient descent have been taken",
        "rate": "the length of a step: times 1/(8 λ₁), where λ₁ is the largest eigenvalue of Σ",
        "k": "how many numbers a picture becomes",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion("To the end", "All steps at the usual rate", {"step": STEPS, "rate": 1.0}),
        Suggestion(
            "Too fast", "A learning rate at which it diverges", {"step": STEPS, "rate": 3.0}
        ),
    ),
    fitted=_fitted,
)
