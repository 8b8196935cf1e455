"""Lesson: the components of patches of natural images look like waves.

P. J. B. Hancock, R. J. Baddeley and L. S. Smith, *The principal components of natural images*
(1992); that a covariance that depends on the distance only has waves for eigenvectors is Fourier
analysis; that cosines come near to its components: N. Ahmed, T. Natarajan and K. R. Rao, *Discrete
cosine transform* (1974).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Drawing,
    DrawnCurve,
    LessonPicture,
    MatrixPanel,
    PicturesPanel,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.decomposed import Decomposed, decomposed
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, yes_or_no
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_COMPONENTS = 36
_SHOWN = 24
_ACROSS = 12
_EXAMPLES = 4
_RANDOM = 100
_ALIKE = 0.8


@dataclass(frozen=True)
class NaturalImagesSettings:
    """Whether each patch loses its mean and each pixel its scale, and a component."""

    own_mean: bool = True
    scaled: bool = False
    which: float = 4


CONTROLS = (
    yes_or_no("own_mean", "minus its own mean", "each patch is without its own brightness"),
    yes_or_no("scaled", "each pixel scaled", "each pixel is divided by its standard deviation"),
    Slide(
        name="which",
        label="Component",
        about="the component that is compared with waves",
        least=1,
        most=_COMPONENTS,
        whole=True,
        plays=True,
    ),
)


@dataclass(frozen=True, eq=False)
class _Waves:
    """The patches (n, d) as they are decomposed, with deviations (d,), components, cosines."""

    x: Doubles
    deviations: Doubles
    found: Decomposed
    coefficients: Doubles
    """(k, h, w) of each component in the cosines."""


@dataclass(frozen=True, eq=False)
class PatchesReady:
    """All four ways to decompose the pictures of shape (h, w), by own mean and scaling.

    ``raw`` are a few of them; ``chance`` is the share of a random direction in its best
    cosine, on average.
    """

    title: str
    raw: Doubles
    shape: tuple[int, int]
    ways: dict[tuple[bool, bool], _Waves]
    chance: float


def prepare(subject: Subject, tick: Tick) -> PatchesReady:
    """Return the components for each setting; `EigenfacesError` for what is not in grey."""
    from scipy.fft import dctn

    if not isinstance(subject, ImageSet) or len(subject.shape) != 2:
        raise EigenfacesError("This lesson compares grey pictures with waves. Choose some.")
    shape, values = (subject.shape[0], subject.shape[1]), subject.values
    ways = {}
    for number, way in enumerate([(True, False), (True, True), (False, False), (False, True)]):
        tick(number, 4)
        ways[way] = _waves(values, shape, *way)
    directions = np.random.default_rng(0).normal(size=(_RANDOM, *shape))
    directions /= np.linalg.norm(directions, axis=(1, 2), keepdims=True)
    chance = float(best_shares(dctn(directions, axes=(1, 2), norm="ortho"))[0].mean())
    return PatchesReady(subject.title, values[_spread(len(values))], shape, ways, chance)


def _spread(n: int) -> list[int]:
    return [int(each) for each in np.linspace(0, n - 1, min(_EXAMPLES, n) + 1)[1:]]


def _waves(values: Doubles, shape: tuple[int, int], own_mean: bool, scaled: bool) -> _Waves:
    from scipy.fft import dctn

    x = values - values.mean(axis=1, keepdims=True) if own_mean else values
    deviations = x.std(axis=0)
    y = x / np.where(deviations > 0, deviations, 1) if scaled else x
    found = decomposed(y)
    first = found.components[:_COMPONENTS].reshape(-1, *shape)
    coefficients = dctn(first, axes=(1, 2), norm="ortho")
    return _Waves(y[_spread(len(y))], deviations, found, coefficients)


def best_shares(coefficients: Doubles) -> tuple[Doubles, Doubles]:
    """Return the share (k,) of each component in its best cosine, and in the best two of a square.

    The two are waves of the same frequency, down and across exchanged: together they also make
    slanted ones. ``coefficients`` are (k, h, w), of unit length each.
    """
    energy = coefficients**2
    both = energy
    if energy.shape[1] == energy.shape[2]:
        both = energy + energy.swapaxes(1, 2)
        both[:, np.eye(energy.shape[1], dtype=bool)] /= 2
    return energy.max(axis=(1, 2)), both.max(axis=(1, 2))


def picture(ready: PatchesReady, settings: NaturalImagesSettings) -> LessonPicture:
    """Return patches and components, one beside its wave, and the shares of all in theirs."""
    now, untouched = ready.ways[settings.own_mean, settings.scaled], ready.ways[False, False]
    h, w = ready.shape
    best, both = best_shares(now.coefficients)
    first = PicturesPanel(
        title=f"The first {min(_SHOWN, len(best))} components",
        pictures=now.found.components[: min(_SHOWN, len(best))].reshape(-1, h, w),
        across=_ACROSS,
        signed=True,
    )
    least, most = untouched.deviations.min(), untouched.deviations.max()
    alike = "all alike" if least > _ALIKE * most else "not alike at all"
    return LessonPicture(
        upper=Drawing(
            heading="Components like waves",
            note=ready.title,
            rows=(_patches(ready, now, settings), (first,)),
            weights=(1.2, 1),
        ),
        lower=_lower(ready, settings, best, both),
        numbers={
            "deviations": now.deviations,
            "lam": now.found.variances[: len(best)],
            "best": best,
        },
        words={"even": f"{least:.2g} to {most:.2g}, {alike}"},
    )


def _number(now: _Waves, settings: NaturalImagesSettings) -> int:
    """Return the component that is looked at, from 0; beyond the last one, the last."""
    return min(int(settings.which), len(now.coefficients)) - 1


def _patches(
    ready: PatchesReady, now: _Waves, settings: NaturalImagesSettings
) -> tuple[PicturesPanel, ...]:
    from scipy.fft import idctn

    h, w = ready.shape
    number = _number(now, settings)
    coefficients = now.coefficients[number]
    down, across = np.unravel_index(np.abs(coefficients).argmax(), (h, w))
    alone = np.zeros((h, w))
    alone[down, across] = np.sign(coefficients[down, across])
    done = {(True, False): "Less its mean", (False, False): "Not changed"}
    return (
        PicturesPanel(title="Patches", pictures=ready.raw.reshape(-1, h, w), across=2),
        PicturesPanel(
            title=done.get((settings.own_mean, settings.scaled), "Scaled"),
            pictures=now.x.reshape(-1, h, w),
            across=2,
            signed=True,
        ),
        PicturesPanel(
            title=f"Component {number + 1}",
            caption=f"{percent(float(coefficients[down, across] ** 2), 0)} in one wave",
            pictures=now.found.components[number].reshape(1, h, w),
            across=1,
            signed=True,
        ),
        PicturesPanel(
            title="Its best cosine",
            caption=f"{down} down, {across} across",
            pictures=idctn(alone, norm="ortho")[None],
            across=1,
            signed=True,
        ),
    )


def _lower(
    ready: PatchesReady, settings: NaturalImagesSettings, best: Doubles, both: Doubles
) -> Drawing:
    now = ready.ways[settings.own_mean, settings.scaled]
    number, place = _number(now, settings), np.arange(1.0, len(best) + 1)
    chance = np.full(len(best), ready.chance)
    curves = [
        DrawnCurve(name="best cosine", x=place, y=best),
        DrawnCurve(name="a random direction", x=place, y=chance, ink="grey", dashed=True),
    ]
    if ready.shape[0] == ready.shape[1]:
        curves.insert(1, DrawnCurve(name="best two, slanted", x=place, y=both, ink="good"))
    least, most = now.deviations.min(), now.deviations.max()
    return Drawing(
        heading="How much of a component is one wave",
        note=f"the first ten: {percent(best[:10].mean(), 0)}",
        rows=(
            (
                MatrixPanel(
                    title="Deviation of each pixel",
                    caption=f"{least:.2g} to {most:.2g}",
                    values=now.deviations.reshape(ready.shape),
                ),
                CurvesPanel(
                    curves=tuple(curves),
                    x="component",
                    y="share of its energy",
                    percent=True,
                    mark=(number + 1, f"{percent(best[number], 0)}"),
                    weight=2,
                ),
            ),
        ),
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

NATURAL_IMAGES = Lesson(
    name="natural-images",
    title="Natural images",
    line="Patches: components like waves",
    group="Scale",
    see=(
        "Each patch loses its own brightness; what is left is taken apart into <b>waves</b>, from "
        "coarse to fine.",
        "Of a patch that is cut out anywhere no pixel is special. Their standard deviations, "
        "before anything is subtracted: {even}.",
        "Where all are alike there is nothing to <b>scale</b>, and after the own mean is gone it "
        "would only spoil the waves.",
    ),
    formula="cov(<i>x</i><sub>i</sub>, <i>x</i><sub>j</sub>) = <i>c</i>(i − j)  ⇒  "
    "<i>u</i><sub>k</sub> ≈ cos(π<i>k</i>(i + ½)/<i>N</i>)",
    why=(
        "If pixels are as much alike as they are near, wherever they lie, Σ depends on their "
        "distance only, and the eigenvectors of such a matrix are waves, up to the edges. Coarse "
        "ones have the most variance, as light and dark come in large areas."
    ),
    tries=(
        "Run through the components: which are one wave, and which are two?",
        "Leave the own mean in, then scale: nothing happens. Without it the waves fade.",
        "Take digits: their pixels are not alike, and their components are no waves.",
    ),
    subjects=("patches", "digits"),
    settings=NaturalImagesSettings(),
    controls=CONTROLS,
    prepare=prepare,
    picture=picture,
    listing=LISTING,
)
