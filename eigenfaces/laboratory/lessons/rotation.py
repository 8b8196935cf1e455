"""Lesson: points are turned onto their components, cut to the first k, and turned back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.drawing import Drawing, LessonPicture
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion
from eigenfaces.laboratory.lessons.rotation_figures import (
    FourStages,
    of_pictures,
    of_points,
    over_k,
    rows_shown,
    shares,
    spreads,
)
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.laboratory.lessons.turning import (
    MOST_TURNED,
    Components,
    rotation,
    turned_by,
    turns,
)
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, count, percent

_ENOUGH = 0.9
_ROUNDING = 1e-9


@dataclass(frozen=True)
class RotationSettings:
    """How many components stay, and how far the points are turned: 0 not at all, 1 onto them."""

    k: float = 1
    turned: float = 1.0


def _controls(most: int, turn: bool) -> tuple[Field, ...]:
    keep = Slide(
        name="k",
        label="Components k",
        about="how many of the turned axes are kept",
        least=0,
        most=most,
        whole=True,
        plays=True,
    )
    by_hand = Slide(
        name="turned",
        label="Turned",
        about="how far the second figure is turned: 0 not at all, 1 onto the components",
        least=0,
        most=1,
        step=0.02,
        plays=True,
    )
    return (keep, by_hand) if turn else (keep,)


@dataclass(frozen=True, eq=False)
class _RotationReady:
    """A subject, its components, and the turns that lead to them, if there are few axes.

    (m, d) of its points are ``shown``, about the mean, with their ``coordinates`` (m, r).
    """

    subject: Subject
    found: Components
    shown: Doubles
    coordinates: Doubles
    parts: list[tuple[int, int, float]] | None

    @property
    def most(self) -> int:
        return self.found.rank if isinstance(self.subject, ImageSet) else self.found.x.shape[1]


def prepare(subject: Subject, tick: Tick) -> _RotationReady:
    """Return the components; `EigenfacesError` if all points are alike."""
    tick(0, 2)
    found = Components.of(subject.values)
    tick(1, 2)
    few = found.x.shape[1] <= MOST_TURNED
    if few:
        found = replace(found, u=rotation(found.u))
    shown = rows_shown(subject, found.x)
    parts = turns(found.u) if few else None
    return _RotationReady(subject, found, shown, shown @ found.u, parts)


def fitted(ready: _RotationReady) -> tuple[Field, ...]:
    """Return the controls: k up to the rank, and the turn where there are few axes."""
    return _controls(ready.most, ready.parts is not None)


def picture(ready: _RotationReady, settings: RotationSettings) -> LessonPicture:
    """Return the four figures, and what the k axes keep."""
    found, k = ready.found, int(min(settings.k, ready.most))
    share = 1.0 if ready.parts is None else settings.turned
    axes = found.u
    if ready.parts is not None and share < 1:
        axes = turned_by(ready.parts, share, len(axes))
    stages = FourStages(
        found=found,
        shown=ready.shown,
        coordinates=ready.coordinates,
        k=k,
        axes=axes,
        share=share,
    )
    kept = float(found.variances[:k].sum())
    error = float(found.variances[k:].sum())
    pictures = isinstance(ready.subject, ImageSet)
    figures = (
        of_pictures(ready.subject, stages)
        if isinstance(ready.subject, ImageSet)
        else of_points(ready.subject, stages)
    )
    return LessonPicture(
        upper=Drawing(
            heading="Rotation, projection, approximation",
            note=f"{k:,} of {ready.found.x.shape[1]:,} numbers kept",
            rows=figures,
            key=_key(pictures),
        ),
        lower=(
            _over_k(found, k, kept, error)
            if pictures
            else Drawing(
                heading="Covariance",
                note=f"variance kept: {kept:.2f} of {kept + error:.2f} · "
                + percent(kept / (kept + error), 0),
                rows=(spreads(stages),),
            )
        ),
        numbers={"kept": kept, "error": error, "first": stages.put_back[0]},
        words={
            "enough": f"{enough(found)}",
            "share": percent(_ENOUGH, 0),
            "turn": _turn_try(ready),
        },
    )


def _over_k(found: Components, k: int, kept: float, error: float) -> Drawing:
    return Drawing(
        heading="What is kept",
        note=f"with {k:,} of {count(found.rank, 'component')}",
        rows=((shares(kept, error),), over_k(found, k)),
        weights=(1, 2),
    )


def _key(pictures: bool) -> str:
    return (
        "zero is mid-grey in pictures, white in coordinates"
        if pictures
        else "green: the components; blue and red: the two sides of the first; grey: what is lost"
    )


def _turn_try(ready: _RotationReady) -> str:
    if ready.parts is None:
        return "Play k: figure 4 becomes figure 1, while figure 3 fills up."
    goes = "the pictures become their coordinates"
    if not isinstance(ready.subject, ImageSet):
        goes = "beside the diagonal, the covariance goes to 0"
    return f"Play “Turned” from 0 to 1: {goes}."


def enough(found: Components) -> int:
    """Return the smallest k that keeps 90 % of the variance."""
    shares_kept = np.cumsum(found.variances) / found.variances.sum()
    return int(np.searchsorted(shares_kept, _ENOUGH - _ROUNDING)) + 1


def _enough(ready: _RotationReady, settings: RotationSettings) -> RotationSettings:
    return replace(settings, k=enough(ready.found))


LISTING = """\
mean = x.mean(axis=0)
u = np.linalg.svd(x - mean, full_matrices=False)[2].T  # components in columns
rotated = (x - mean) @ u  # Uᵀx of each: a rotation
cut = rotated.copy()
cut[:, int(k) :] = 0  # only the first k axes
put_back = cut @ u.T  # UUᵀx: back again
first = put_back[0]
kept = np.mean(np.sum(cut**2, axis=1))
error = np.mean(np.sum((x - mean - put_back) ** 2, axis=1))
print(f"k = {int(k)}: {kept:.3f} kept and {error:.3f} lost of {kept + error:.3f}")
"""

ROTATION = Lesson(
    name="rotation",
    title="Rotation, projection, approximation",
    line="Turn, cut and put back",
    group="Directions",
    see=(
        "The points are <b>turned</b> until their components lie along the axes: nothing is lost.",
        "Then only the first <i>k</i> axes are <b>kept</b>; all other coordinates become 0.",
        "Turned back, the points lie near where they were: the best <b>approximation</b> by "
        "<i>k</i> numbers each.",
    ),
    formula="<i>x</i> → <i>U</i>ᵀ<i>x</i> → <i>U<sub>k</sub></i>ᵀ<i>x</i> → "
    "<i>U<sub>k</sub>U<sub>k</sub></i>ᵀ<i>x</i>",
    why=(
        "<i>U</i> is a rotation, so lengths and angles stay, and <i>UU</i>ᵀ = <i>I</i>. In the new "
        "axes the covariance is diagonal: the first <i>k</i> hold the most variance, and what is "
        "cut is exactly what is lost."
    ),
    tries=(
        "{turn}",
        "Let <i>k</i> be 0: every point becomes the mean.",
        "Let <i>k</i> be as large as it goes: the last figure is the first one.",
        "Keep {share} of the variance: <i>k</i> = {enough} will do.",
    ),
    subjects=("cloud", "space", "digits", "patches", "gallery", "opened"),
    settings=RotationSettings(),
    controls=_controls(10_000, True),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            title="Keep 90 %",
            about="The fewest components that keep 90 % of the variance",
            apply=_enough,
        ),
    ),
    fitted=fitted,
)
