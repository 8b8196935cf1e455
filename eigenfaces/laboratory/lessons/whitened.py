"""Whitening of points and pictures: ε, the turn that stays white, and the distance it goes.

A. J. Bell and T. J. Sejnowski, *The “independent components” of natural scenes are edge filters*
(1997), named ZCA; that it is the nearest: A. Kessy, A. Lewin and K. Strimmer, *Optimal whitening
and decorrelation* (2018).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.decomposed import Decomposed, decomposed
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles, Numbers

_CONTRAST = 0.9
"""Where the picture that is shown stands among all, by how much there is to be seen in it."""

_MATRIX_ROWS = 144
"""So many rows of a covariance can still be seen: of more pixels, that many are picked."""


@dataclass(frozen=True, eq=False)
class ToWhiten:
    """What is whitened: its decomposition, and two of its pictures or all points (m, d).

    ``shown`` (m, d) are without their mean, the first of all before others; ``coordinates`` (m, r)
    are theirs, and ``followed`` is the one that is looked at. ``shape`` is that of a
    picture, or None for points; ``rows`` are the pixels whose covariance is shown, ``parts`` the
    shape in which the r coordinates are laid out; ``count`` is n.
    """

    found: Decomposed
    shown: Doubles
    coordinates: Doubles
    followed: int
    shape: tuple[int, ...] | None
    rows: Numbers
    parts: tuple[int, int]
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
    values = subject.values
    found = decomposed(values, tick)
    d, r = len(found.mean), len(found.variances)
    shape, rows, parts = None, np.arange(d), (1, r)
    chosen = np.arange(len(values))
    followed = int(((values - found.mean) ** 2).sum(axis=1).argmax())
    if isinstance(subject, ImageSet):
        shape, rows = subject.shape, _spread(subject.shape)
        by_contrast = np.argsort(values.std(axis=1), kind="stable")
        chosen, followed = np.array([0, by_contrast[int(_CONTRAST * len(values))]]), 1
        side = int(np.ceil(np.sqrt(r)))
        parts = (shape[0], shape[1]) if len(shape) == 2 and d <= 2 * r else (side, side)
    return ToWhiten(
        found=found,
        shown=values[chosen] - found.mean,
        coordinates=found.coordinates(values[chosen]),
        followed=followed,
        shape=shape,
        rows=rows,
        parts=parts,
        count=len(values),
    )


def _spread(shape: tuple[int, ...]) -> Numbers:
    """Return all pixels of a picture, or so many on a grid that their covariance can be seen."""
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    step = 1
    while numbers[::step, ::step].size > _MATRIX_ROWS:
        step += 1
    start = [(size - 1) % step // 2 for size in shape[:2]]
    return numbers[start[0] :: step, start[1] :: step].ravel()


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
