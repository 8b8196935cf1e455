"""A linear auto-encoder x̂ = VWᵀx, trained by gradient descent with momentum.

P. Baldi and K. Hornik, *Neural networks and principal component analysis* (1989). A rotation of the
data turns weights and slopes alike, so all of it happens along the components, where Σ = Λ. The
start is drawn in the span of the data, and no step leaves it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.laboratory.lessons.decomposed import Decomposed
from eigenfaces.space.arrays import Doubles

STEPS = 600
LOGGED = 5
"""Every so many steps the weights are kept."""

MOMENTUM = 0.9
START = 0.1
"""The length of a column of the weights at the start, about."""

TOO_LARGE = 100.0
"""A weight beyond this never comes back: the descent has diverged."""


@dataclass(frozen=True)
class Descent:
    """What is trained: k columns, the learning rate in units of 1/(8 λ₁), tied weights or not."""

    k: int
    rate: float
    tied: bool = True


@dataclass(frozen=True, eq=False)
class EncoderWeights:
    """EncoderWeights (m, r, k) along r components and their velocity.

    m = 1: tied, V = W; m = 2: the encoder W and the decoder V.
    """

    values: Doubles
    velocity: Doubles

    @classmethod
    def drawn(cls, found: Decomposed, descent: Descent) -> EncoderWeights:
        """Return the weights to begin with: drawn for every pixel, then projected on the span."""
        d = len(found.mean)
        drawn = np.random.default_rng(0).normal(size=(1 if descent.tied else 2, d, descent.k))
        values = START / np.sqrt(d) * (found.components @ drawn)
        return cls(values, np.zeros_like(values))

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
        return bool(np.abs(self.values).max() >= TOO_LARGE)

    def loss(self, variances: Doubles) -> float:
        """Return E‖x − VWᵀx‖² = tr Λ − 2 tr VᵀΛW + tr (WᵀΛW)(VᵀV)."""
        w, v = self.encoder, self.decoder
        scaled = variances[:, None] * w
        return float(variances.sum() - 2 * (v * scaled).sum() + ((w.T @ scaled) * (v.T @ v)).sum())

    def angle(self) -> float:
        """Return the largest principal angle between the span of V and the first k components."""
        q = np.linalg.qr(self.decoder)[0]
        return float(np.arcsin(min(1.0, float(np.linalg.norm(q[q.shape[1] :], 2)))))

    def next(self, variances: Doubles, descent: Descent) -> EncoderWeights:
        """Return the weights after one step; ones that have diverged stay as they are."""
        if self.diverged:
            return self
        w, v = self.encoder, self.decoder
        scaled = variances[:, None] * w
        of_w = 2 * (scaled @ (v.T @ v) - variances[:, None] * v)
        of_v = 2 * (v @ (w.T @ scaled) - scaled)
        slope = (of_w + of_v)[None] if descent.tied else np.stack([of_w, of_v])
        velocity = MOMENTUM * self.velocity - descent.rate / (8 * variances[0]) * slope
        return EncoderWeights(self.values + velocity, velocity)


@dataclass(frozen=True, eq=False)
class DescentPath:
    """A descent from its start to its last step, of which every few steps are kept (m,)."""

    variances: Doubles
    descent: Descent
    logged: tuple[EncoderWeights, ...]
    losses: Doubles
    angles: Doubles

    @classmethod
    def of(cls, found: Decomposed, descent: Descent) -> DescentPath:
        """Train for `STEPS` steps."""
        variances = found.variances
        now = EncoderWeights.drawn(found, descent)
        logged = [now]
        for step in range(1, STEPS + 1):
            now = now.next(variances, descent)
            if step % LOGGED == 0:
                logged.append(now)
        losses = np.array([each.loss(variances) for each in logged])
        angles = np.array([each.angle() for each in logged])
        return cls(variances, descent, tuple(logged), losses, angles)

    @property
    def steps(self) -> Doubles:
        """The steps that are kept."""
        return LOGGED * np.arange(len(self.logged), dtype=float)

    @property
    def diverged_at(self) -> int | None:
        """The step by which it has diverged, or None."""
        found = [number for number, each in enumerate(self.logged) if each.diverged]
        return LOGGED * found[0] if found else None

    def at(self, step: int) -> EncoderWeights:
        """Return the weights after a number of steps."""
        now = self.logged[step // LOGGED]
        for _ in range(step % LOGGED):
            now = now.next(self.variances, self.descent)
        return now
