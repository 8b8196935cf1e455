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
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Lesson, flag, read_words, slide
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_COMPONENTS, _DRAWN, _EXAMPLES = 36, 24, 4
_ALIKE = 0.8


@dataclass(frozen=True, eq=False)
class _Waves:
    """Patches decomposed by one way of scaling."""

    x: Doubles  # (m, d) a few of them
    deviations: Doubles  # (d,)
    components: PrincipalComponents
    coefficients: Doubles  # (k, h, w) of each component, in cosines


@dataclass(frozen=True, eq=False)
class PatchesReady:
    """All four ways to decompose the pictures, by own mean and scaling."""

    title: str
    raw: Doubles  # (m, d) a few of the pictures
    shape: tuple[int, ...]  # (h, w)
    ways: dict[tuple[bool, bool], _Waves]
    chance: float  # the mean share of a random direction in its best cosine


def prepare(images: ImageSet, tick: Tick) -> PatchesReady:
    """Return the components of grey pictures for each setting."""
    from scipy.fft import dctn

    shape, values, ways = images.shape, images.values, {}
    few = np.linspace(0, len(values) - 1, min(_EXAMPLES, len(values)) + 1)[1:].astype(int)
    for number, (own_mean, scaled) in enumerate(np.ndindex(2, 2)):
        tick(number, 4)
        x = values - values.mean(axis=1, keepdims=True) if own_mean else values
        deviations = x.std(axis=0)
        y = x / np.where(deviations > 0, deviations, 1) if scaled else x
        components = pca(y)
        first = components.components[:_COMPONENTS].reshape(-1, *shape)
        cosines = dctn(first, axes=(1, 2), norm="ortho")
        ways[bool(own_mean), bool(scaled)] = _Waves(y[few], deviations, components, cosines)
    directions = np.random.default_rng(0).normal(size=(100, *shape))
    directions /= np.linalg.norm(directions, axis=(1, 2), keepdims=True)
    chance = float(best_shares(dctn(directions, axes=(1, 2), norm="ortho"))[0].mean())
    return PatchesReady(images.title, values[few], shape, ways, chance)


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
    from scipy.fft import idctn

    way, untouched, shape = ready.ways[own_mean, scaled], ready.ways[False, False], ready.shape
    best, best_two = best_shares(way.coefficients)
    number = min(int(which), len(best)) - 1  # beyond the last one, the last
    components = way.components.components[: len(best)]
    coefficients = way.coefficients[number]
    down, across = np.unravel_index(np.abs(coefficients).argmax(), shape)
    wave = np.zeros(shape)
    wave[down, across] = np.sign(coefficients[down, across])
    look, change = {"signed": True}, "Scaled" if scaled else "Less its mean"
    change = change if own_mean or scaled else "Not changed"
    share, place = f"{percent(best[number], 0)} in one wave", f"{down} down, {across} across"
    top = (
        fig.pictures(ready.raw, shape, "Patches", 2),
        fig.pictures(way.x, shape, change, 2, **look),
        fig.pictures(components[number], shape, f"Component {number + 1}", caption=share, **look),
        fig.pictures(idctn(wave, norm="ortho"), shape, "Its best cosine", caption=place, **look),
    )
    first = components[:_DRAWN]
    rows = top, (fig.pictures(first, shape, f"The first {len(first)} components", 12, **look),)
    matrix = fig.MatrixPanel(
        way.deviations.reshape(shape),
        title="Deviation of each pixel",
        caption=f"{way.deviations.min():.2g} to {way.deviations.max():.2g}",
    )
    x, chance = np.arange(1.0, len(best) + 1), np.full(len(best), ready.chance)
    curves = [fig.PlotLine("best cosine", x, best)]
    if shape[0] == shape[1]:
        curves.append(fig.PlotLine("best two, slanted", x, best_two, "good"))
    curves.append(fig.PlotLine("a random direction", x, chance, "grey", dashed=True))
    mark, y = (number + 1, percent(best[number], 0)), "share of its energy"
    panel = fig.CurvesPanel(tuple(curves), "component", y, mark, percent=True, weight=2)
    least, most = untouched.deviations.min(), untouched.deviations.max()
    alike = "all alike" if least > _ALIKE * most else "not alike at all"
    note, title = (
        f"the first ten: {percent(best[:10].mean(), 0)}",
        "How much of a component is one wave",
    )
    return fig.LessonPicture(
        fig.Drawing("Components like waves", rows, ready.title),
        fig.Drawing(title, ((matrix, panel),), note),
        {"deviations": way.deviations, "lam": way.components.variances[: len(best)], "best": best},
        {"even": f"{least:.2g} to {most:.2g}, {alike}"},
    )


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
see: Each patch loses its own brightness; the components of the rest are **waves**, from coarse to
    fine.
see: As patches are cut out anywhere, no pixel is special. Their standard deviations, before
    anything is subtracted: {even}.
see: Where all are alike there is nothing to **scale**, and once its own mean is gone, scaling only
    spoils the waves.
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
    **read_words(WORDS),
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
