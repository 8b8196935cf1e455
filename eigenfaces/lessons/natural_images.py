"""Lesson: the components of patches of natural images look like waves.

P. J. B. Hancock, R. J. Baddeley and L. S. Smith, *The principal components of natural images*
(1992). Fourier analysis shows that a covariance that depends only on distance has waves as
eigenvectors. The components are close to cosines: N. Ahmed, T. Natarajan and K. R. Rao, *Discrete
cosine transform* (1974).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import principal_axes
from eigenfaces.lessons.lesson import Flag, Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_COMPONENTS, _DRAWN, _ACROSS, _EXAMPLES = 36, 12, 4, 4
_ALIKE = 0.8  # as a share of the largest deviation


@dataclass(frozen=True, eq=False)
class _Decomposition:
    """Components of square patches, for one choice of mean removal and scaling."""

    x: Doubles  # (n, d) the patches that are decomposed
    deviations: Doubles  # (d,)
    variances: Doubles  # (k,)
    components: Doubles  # (k, d)
    waves: Doubles  # (side, side) a cosine in each row
    in_waves: Doubles  # (k, side, side) each component as a sum of products of waves
    best: Doubles  # (k,) the share of each component that lies in its best wave


def decompose(x: Doubles, own_mean: bool, scaled: bool) -> _Decomposition:
    """Return the components of square patches (n, d), also written as sums of waves."""
    if own_mean:
        x = x - x.mean(axis=1, keepdims=True)  # of each patch
    deviations = x.std(axis=0)
    if scaled:
        x = x / np.where(deviations > 0, deviations, 1)
    lam, u = principal_axes(x)
    lam, ut = lam[:_COMPONENTS], u.T[:_COMPONENTS]
    side = int(np.sqrt(x.shape[1]))
    place = np.arange(side)
    waves = np.sqrt(2 / side) * np.cos(np.pi * np.outer(place, place + 0.5) / side)
    waves[0] = np.sqrt(1 / side)
    in_waves = waves @ ut.reshape(-1, side, side) @ waves.T
    best = (in_waves**2).max(axis=(1, 2))
    return _Decomposition(x, deviations, lam, ut, waves, in_waves, best)


@dataclass(frozen=True, eq=False)
class _Patches:
    """A few patches, and the components for each combination of the two settings."""

    title: str
    ways: dict[tuple[bool, bool], _Decomposition]
    chance: float  # the mean share of a random direction in its best wave


def prepare(images: ImageSet, tick: Tick) -> _Patches:
    """Return the components of square grey pictures for all four combinations of settings."""
    values, ways = images.values, {}
    few = np.linspace(0, len(values) - 1, min(_EXAMPLES, len(values)) + 1)[1:].astype(int)
    for number, (own_mean, scaled) in enumerate(product((False, True), repeat=2)):
        tick(number, 4)
        way = decompose(values, own_mean, scaled)
        ways[own_mean, scaled] = replace(way, x=way.x[few])
    directions = np.random.default_rng(0).normal(size=(100, *images.shape))
    directions /= np.linalg.norm(directions, axis=(1, 2), keepdims=True)
    chance = ((way.waves @ directions @ way.waves.T) ** 2).max(axis=(1, 2)).mean()
    return _Patches(images.title, ways, float(chance))


def picture(ready: _Patches, own_mean: bool, scaled: bool, which: float) -> fig.LessonPicture:
    """Draw the components, the wave closest to each, one pair enlarged, and the energy shares."""
    way, untouched = ready.ways[own_mean, scaled], ready.ways[False, False]
    best, shape = way.best, way.waves.shape
    number = min(int(which), len(best)) - 1  # a larger number stands for the last component
    waves = np.stack([_best_wave(way, component) for component in range(len(best))])
    first = slice(0, _DRAWN)
    shares = tuple(f"{at}: {percent(share, 0)}" for at, share in enumerate(best[first], 1))
    look: dict[str, Any] = {"signed": True, "weight": 1.0}
    patches = fig.pictures(untouched.x, shape, "Patches", 1, weight=0.3)
    components = fig.pictures(way.components[first], shape, "Components", _ACROSS, **look)
    cosines = fig.pictures(waves[first], shape, "The best cosine for each", _ACROSS, **look)
    components = replace(components, words=tuple(map(str, range(1, len(shares) + 1))))
    cosines = replace(cosines, words=shares)
    share, title = percent(best[number], 0), f"Component {number + 1}"
    pair = np.stack([way.components[number].reshape(shape), waves[number]])
    words = title, "its best cosine"
    compared = fig.PicturesPanel(pair, 2, signed=True, words=words)
    x, chance = np.arange(1.0, len(best) + 1), np.full(len(best), ready.chance)
    curves = {"best cosine": best, "a random direction": (chance, "grey")}
    y = "share of its energy"
    panel = fig.CurvesPanel(
        x, curves, "component", y, (number + 1, share), percent=True, weight=1.5
    )
    least, most = untouched.deviations.min(), untouched.deviations.max()
    alike = "all similar" if least > _ALIKE * most else "very different"
    matrix = fig.MatrixPanel(
        untouched.deviations.reshape(shape),
        title="Deviation of each pixel",
        caption=f"{least:.2g} to {most:.2g}",
    )
    note = f"mean of the first ten: {percent(best[:10].mean(), 0)}"
    return fig.LessonPicture(
        fig.Drawing("Components like waves", ((patches, components, cosines),), ready.title),
        fig.Drawing("How much of a component is one wave", ((compared, panel, matrix),), note),
        {"deviations": way.deviations, "lam": way.variances, "best": best},
        {"even": f"{least:.2g} to {most:.2g}, {alike}"},
    )


def _best_wave(way: _Decomposition, number: int) -> Doubles:
    """Return the product of two cosines (side, side) that is most similar to a component."""
    in_waves = way.in_waves[number]
    down, across = np.unravel_index(np.abs(in_waves).argmax(), in_waves.shape)
    return np.sign(in_waves[down, across]) * np.outer(way.waves[down], way.waves[across])


LISTING = """\
if own_mean:
    x = x - x.mean(axis=1, keepdims=True)  # of each patch
deviations = x.std(axis=0)
if scaled:
    x = x / np.where(deviations > 0, deviations, 1)
away = x - x.mean(axis=0)
lam, u = np.linalg.eigh(away.T @ away / len(x))
lam, ut = lam[::-1][:36], u.T[::-1][:36]  # the largest first
ut = ut * np.sign(ut[range(len(ut)), np.abs(ut).round(6).argmax(axis=1)])[:, None]
side = int(np.sqrt(x.shape[1]))
place = np.arange(side)
waves = np.sqrt(2 / side) * np.cos(np.pi * np.outer(place, place + 0.5) / side)
waves[0] = np.sqrt(1 / side)
in_waves = waves @ ut.reshape(-1, side, side) @ waves.T
best = (in_waves**2).max(axis=(1, 2))
print(f"deviations {deviations.min():.3f} to {deviations.max():.3f}")
print("share of each component in its best wave:", best.round(2))
"""

LESSON = Lesson(
    name="natural-images",
    title="Natural images",
    line="Components of patches look like waves",
    group="Scale",
    see=(
        "The brightness of each patch is subtracted. The components of what is left are "
        "**waves**, from coarse to fine.",
        "Patches are cut out anywhere, so no pixel is special. Before anything is subtracted, the "
        "standard deviations of the pixels are {even}.",
        "If they are all similar, there is nothing to **scale**. After the brightness is "
        "subtracted, scaling only spoils the waves.",
    ),
    formula=(
        "cov(*x*<sub>i</sub>, *x*<sub>j</sub>) = *c*(i − j)  ⇒  *u*<sub>k</sub> ≈ cos(π*k*(i + "
        "½)/*N*)"
    ),
    why=(
        "If the covariance of two pixels depends only on their distance, the eigenvectors of Σ "
        "are waves, except at the edges. Coarse waves have the most variance, because light and "
        "dark areas are large."
    ),
    steps=(
        Step("Compare each component with its cosine: which pairs look alike?", {"which": 4}),
        Step(
            "Keep the brightness and scale the pixels: nothing happens.",
            {"own_mean": False, "scaled": True},
        ),
        Step("Subtract the brightness and scale the pixels: the waves fade.", {"scaled": True}),
        Step("The pixels of digits are very different, so there are no waves.", subject="digits"),
    ),
    question=Question(
        "What do the components of small patches of photos look like?",
        ("like objects", "like waves", "like noise"),
        1,
    ),
    subjects=("patches", "digits"),
    controls=(
        Flag("own_mean", "minus its own mean", "each patch loses its brightness", default=True),
        Flag(
            "scaled", "each pixel scaled", "each pixel is divided by its deviation", default=False
        ),
        Slide("which", "Component", "which component is compared", 4, 1, _COMPONENTS, plays=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    picture_only=("which",),
)
