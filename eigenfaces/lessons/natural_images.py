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
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.figures import pictures
from eigenfaces.lessons.lesson import Lesson, flag, slide
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_COMPONENTS, _SHOWN, _EXAMPLES = 36, 24, 4
_ALIKE = 0.8


@dataclass(frozen=True)
class NaturalImagesSettings:
    """Whether each patch loses its mean and each pixel its scale, and a component."""

    own_mean: bool = flag(True, "minus its own mean")
    scaled: bool = flag(False, "each pixel scaled")
    which: float = slide(4, "Component", 1, _COMPONENTS, whole=True, plays=True)


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
    shape: tuple[int, int]
    ways: dict[tuple[bool, bool], _Waves]
    chance: float


def prepare(subject: Subject, tick: Tick) -> PatchesReady:
    """Return the components for each setting; `EigenfacesError` for what is not in grey."""
    from scipy.fft import dctn

    if not isinstance(subject, ImageSet) or len(subject.shape) != 2:
        raise EigenfacesError("This lesson compares grey pictures with waves. Choose some.")
    shape, values, ways = (subject.shape[0], subject.shape[1]), subject.values, {}
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
    return PatchesReady(subject.title, values[some], shape, ways, chance)


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


def picture(ready: PatchesReady, settings: NaturalImagesSettings) -> fig.LessonPicture:
    """Return patches and components, one beside its wave, and the shares of all in theirs."""
    now, untouched = ready.ways[settings.own_mean, settings.scaled], ready.ways[False, False]
    best, both = best_shares(now.coefficients)
    number = min(int(settings.which), len(best)) - 1  # beyond the last one, the last
    shown = now.found.components[: min(_SHOWN, len(best))]
    title = f"The first {len(shown)} components"
    least, most = untouched.deviations.min(), untouched.deviations.max()
    alike = "all alike" if least > _ALIKE * most else "not alike at all"
    deviations = fig.MatrixPanel(
        title="Deviation of each pixel",
        caption=f"{now.deviations.min():.2g} to {now.deviations.max():.2g}",
        values=now.deviations.reshape(ready.shape),
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Components like waves",
            note=ready.title,
            rows=(
                _patches(ready, settings, number),
                (pictures(shown, ready.shape, title, across=12, signed=True),),
            ),
            weights=(1.2, 1),
        ),
        lower=fig.Drawing(
            heading="How much of a component is one wave",
            note=f"the first ten: {percent(best[:10].mean(), 0)}",
            rows=((deviations, _curves(ready, best, both, number)),),
        ),
        numbers={
            "deviations": now.deviations,
            "lam": now.found.variances[: len(best)],
            "best": best,
        },
        words={"even": f"{least:.2g} to {most:.2g}, {alike}"},
    )


def _patches(
    ready: PatchesReady, settings: NaturalImagesSettings, number: int
) -> tuple[fig.Panel, ...]:
    """Return a few patches before and after, and a component beside its best cosine."""
    from scipy.fft import idctn

    now, shape = ready.ways[settings.own_mean, settings.scaled], ready.shape
    coefficients = now.coefficients[number]
    down, across = np.unravel_index(np.abs(coefficients).argmax(), shape)
    alone = np.zeros(shape)
    alone[down, across] = np.sign(coefficients[down, across])
    component, cosine = now.found.components[number], idctn(alone, norm="ortho")
    share = percent(float(coefficients[down, across] ** 2), 0)
    done = "Less its mean" if settings.own_mean else "Not changed"
    return (
        pictures(ready.raw, shape, "Patches", across=2),
        pictures(now.x, shape, "Scaled" if settings.scaled else done, across=2, signed=True),
        pictures(component, shape, f"Component {number + 1}", f"{share} in one wave", signed=True),
        pictures(cosine, shape, "Its best cosine", f"{down} down, {across} across", signed=True),
    )


def _curves(ready: PatchesReady, best: Doubles, both: Doubles, number: int) -> fig.CurvesPanel:
    x = np.arange(1.0, len(best) + 1)
    chance = np.full(len(best), ready.chance)
    curves = [
        fig.DrawnCurve(name="best cosine", x=x, y=best),
        fig.DrawnCurve(name="a random direction", x=x, y=chance, ink="grey", dashed=True),
    ]
    if ready.shape[0] == ready.shape[1]:
        curves.insert(1, fig.DrawnCurve(name="best two, slanted", x=x, y=both, ink="good"))
    return fig.CurvesPanel(
        curves=tuple(curves),
        x="component",
        y="share of its energy",
        percent=True,
        mark=(number + 1, f"{percent(best[number], 0)}"),
        weight=2,
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
    about={
        "own_mean": "each patch is without its own brightness",
        "scaled": "each pixel is divided by its standard deviation",
        "which": "the component that is compared with waves",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
)
