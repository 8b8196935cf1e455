"""Lesson: the components of patches of natural images look like waves.

P. J. B. Hancock, R. J. Baddeley and L. S. Smith, *The principal components of natural images*
(1992); that a covariance that depends on the distance only has waves for eigenvectors is Fourier
analysis; that cosines come near to its components: N. Ahmed, T. Natarajan and K. R. Rao, *Discrete
cosine transform* (1974).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.lesson import Lesson, flag, slide, told
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_COMPONENTS, _SHOWN, _EXAMPLES = 36, 24, 4
_ALIKE = 0.8


@dataclass(frozen=True, eq=False)
class _Waves:
    """A few patches as they are decomposed, with deviations (d,), components, cosines (k, h, w)."""

    x: Doubles
    deviations: Doubles
    found: Decomposed
    coefficients: Doubles


@dataclass(frozen=True, eq=False)
class PatchesReady:
    """All four ways to decompose the pictures of shape (h, w), by own mean and scaling.

    ``raw`` are a few of them; ``chance`` is the share of a random direction in its best
    cosine, on average.
    """

    title: str
    raw: Doubles
    shape: tuple[int, ...]
    ways: dict[tuple[bool, bool], _Waves]
    chance: float


def prepare(images: ImageSet, tick: Tick) -> PatchesReady:
    """Return the components of grey pictures for each setting."""
    from scipy.fft import dctn

    shape, values, ways = images.shape, images.values, {}
    some = np.linspace(0, len(values) - 1, min(_EXAMPLES, len(values)) + 1)[1:].astype(int)
    for number, (own_mean, scaled) in enumerate(np.ndindex(2, 2)):
        tick(number, 4)
        x = values - values.mean(axis=1, keepdims=True) if own_mean else values
        deviations = x.std(axis=0)
        y = x / np.where(deviations > 0, deviations, 1) if scaled else x
        found = decomposed(y)
        first = found.components[:_COMPONENTS].reshape(-1, *shape)
        cosines = dctn(first, axes=(1, 2), norm="ortho")
        ways[bool(own_mean), bool(scaled)] = _Waves(y[some], deviations, found, cosines)
    drawn = np.random.default_rng(0).normal(size=(100, *shape))
    drawn /= np.linalg.norm(drawn, axis=(1, 2), keepdims=True)
    chance = float(best_shares(dctn(drawn, axes=(1, 2), norm="ortho"))[0].mean())
    return PatchesReady(images.title, values[some], shape, ways, chance)


def best_shares(coefficients: Doubles) -> tuple[Doubles, Doubles]:
    """Return the share (k,) of each component in its best cosine, and in the best two of a square.

    The two are waves of the same frequency, down and across exchanged: together they also make
    slanted ones. ``coefficients`` are (k, h, w), of unit length each.
    """
    both = energy = coefficients**2
    if energy.shape[1] == energy.shape[2]:
        both = energy + energy.swapaxes(1, 2)
        both[:, np.eye(energy.shape[1], dtype=bool)] /= 2
    return energy.max(axis=(1, 2)), both.max(axis=(1, 2))


def picture(
    ready: PatchesReady, own_mean: bool = True, scaled: bool = False, which: float = 4
) -> fig.LessonPicture:
    """Return patches and components, one beside its wave, and the shares of all in theirs."""
    now, untouched, shape = ready.ways[own_mean, scaled], ready.ways[False, False], ready.shape
    best, both = best_shares(now.coefficients)
    number = min(int(which), len(best)) - 1  # beyond the last one, the last
    shown = now.found.components[: min(_SHOWN, len(best))]
    least, most = untouched.deviations.min(), untouched.deviations.max()
    alike = "all alike" if least > _ALIKE * most else "not alike at all"
    title = f"The first {len(shown)} components"
    done = "Scaled" if scaled else "Less its mean" if own_mean else "Not changed"
    rows = (
        (
            fig.pictures(ready.raw, shape, "Patches", 2),
            fig.pictures(now.x, shape, done, 2, signed=True),
            *_beside(now, shape, number),
        ),
        (fig.pictures(shown, shape, title, 12, signed=True),),
    )
    deviations = fig.MatrixPanel(
        now.deviations.reshape(shape),
        title="Deviation of each pixel",
        caption=f"{now.deviations.min():.2g} to {now.deviations.max():.2g}",
    )
    note = f"the first ten: {percent(best[:10].mean(), 0)}"
    below = ((deviations, _curves(ready, best, both, number)),)
    return fig.LessonPicture(
        fig.Drawing("Components like waves", rows, ready.title),
        fig.Drawing("How much of a component is one wave", below, note),
        {"deviations": now.deviations, "lam": now.found.variances[: len(best)], "best": best},
        {"even": f"{least:.2g} to {most:.2g}, {alike}"},
    )


def _beside(now: _Waves, shape: tuple[int, ...], number: int) -> tuple[fig.Panel, ...]:
    """Return a component beside its best cosine."""
    from scipy.fft import idctn

    coefficients = now.coefficients[number]
    down, across = np.unravel_index(np.abs(coefficients).argmax(), shape)
    alone = np.zeros(shape)
    alone[down, across] = np.sign(coefficients[down, across])
    component, cosine = now.found.components[number], idctn(alone, norm="ortho")
    share = f"{percent(float(coefficients[down, across] ** 2), 0)} in one wave"
    title, place = f"Component {number + 1}", f"{down} down, {across} across"
    return (
        fig.pictures(component, shape, title, caption=share, signed=True),
        fig.pictures(cosine, shape, "Its best cosine", caption=place, signed=True),
    )


def _curves(ready: PatchesReady, best: Doubles, both: Doubles, number: int) -> fig.CurvesPanel:
    x = np.arange(1.0, len(best) + 1)
    chance = np.full(len(best), ready.chance)
    curves = [
        fig.DrawnCurve("best cosine", x, best),
        fig.DrawnCurve("a random direction", x, chance, "grey", dashed=True),
    ]
    if ready.shape[0] == ready.shape[1]:
        curves.insert(1, fig.DrawnCurve("best two, slanted", x, both, "good"))
    mark, y = (number + 1, f"{percent(best[number], 0)}"), "share of its energy"
    return fig.CurvesPanel(tuple(curves), "component", y, mark, percent=True, weight=2)


LISTING = """\
if own_mean:
    x = x - x.mean(axis=1, keepdims=True)  # of each patch
deviations = x.std(axis=0)
if scaled:
    x = x / np.where(deviations > 0, deviations, 1)
x = x - x.mean(axis=0)  # of each pixel
s, ut = np.linalg.svd(x, full_matrices=False)[1:]
lam = s[:36] ** 2 / len(x)
side = int(np.sqrt(x.shape[1]))
place = np.arange(side)
waves = np.sqrt(2 / side) * np.cos(np.pi * np.outer(place, place + 0.5) / side)
waves[0] = np.sqrt(1 / side)
energy = (waves @ ut[:36].reshape(-1, side, side) @ waves.T) ** 2
best = energy.max(axis=(1, 2))
print(f"deviations {deviations.min():.3f} to {deviations.max():.3f}")
print("share of each component in one wave:", best.round(2))
"""


WORDS = """
title: Natural images
line: Patches: components like waves
group: Scale
see: Each patch loses its own brightness; what is left is taken apart into **waves**, from coarse to
    fine.
see: Of a patch that is cut out anywhere no pixel is special. Their standard deviations, before
    anything is subtracted: {even}.
see: Where all are alike there is nothing to **scale**, and after the own mean is gone it would only
    spoil the waves.
formula: cov(*x*<sub>i</sub>, *x*<sub>j</sub>) = *c*(i − j)  ⇒  *u*<sub>k</sub> ≈ cos(π*k*(i +
    ½)/*N*)
why: If pixels are as much alike as they are near, wherever they lie, Σ depends on their distance
    only, and the eigenvectors of such a matrix are waves, up to the edges. Coarse ones have the
    most variance, as light and dark come in large areas.
try: Run through the components: which are one wave, and which are two?
try: Leave the own mean in, then scale: nothing happens. Without it the waves fade.
try: Take digits: their pixels are not alike, and their components are no waves.
set own_mean: each patch is without its own brightness
set scaled: each pixel is divided by its standard deviation
set which: the component that is compared with waves
"""

LESSON = Lesson(
    **told(WORDS),
    name="natural-images",
    subjects=("patches", "digits"),
    fields=(
        flag("own_mean", "minus its own mean"),
        flag("scaled", "each pixel scaled"),
        slide("which", "Component", 1, _COMPONENTS, whole=True, plays=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
)
