"""Lesson: points are turned onto their components, cut to the first k, and turned back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import decomposed, upright
from eigenfaces.lessons.figures import around_zero, arrows, pictures, shares
from eigenfaces.lessons.lesson import Lesson, Suggestion, slide
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent

MOST_TURNED = 256  # up to so many numbers to a point, the axes are turned as a whole
_MOST_POINTS = 2000
_MOST_CELLS = 120  # as many coordinates of a picture are drawn; those that follow are smaller still


@dataclass(frozen=True)
class RotationSettings:
    """How many components stay, and how far the points are turned: 0 not at all, 1 onto them."""

    k: float = slide(1, "Components k", 0, 10_000, whole=True, plays=True)
    turned: float = slide(1.0, "Turned", 0, 1, step=0.02, plays=True)


def turns(u: Doubles) -> list[tuple[int, int, float]]:
    """Return a rotation (d, d) as turns in planes of two axes: first, second, angle in radians.

    Givens (1958): each makes one entry below the diagonal zero; `turned_by` puts them together.
    """
    left, found = u.copy(), []
    for first in range(len(u) - 1):
        for second in range(first + 1, len(u)):
            angle = float(np.arctan2(left[second, first], left[first, first]))
            if angle:
                _turn(left.T, first, second, angle)
                found.append((first, second, angle))
    return found


def turned_by(parts: list[tuple[int, int, float]], share: float, d: int) -> Doubles:
    """Return the axes (d, d) after a share of each turn: 0 for the old axes, 1 for the rotation.

    >>> quarter = turns(np.array([[0.0, -1.0], [1.0, 0.0]]))
    >>> turned_by(quarter, 0.5, 2).round(3).tolist()
    [[0.707, -0.707], [0.707, 0.707]]
    """
    made = np.eye(d)
    for first, second, angle in parts:
        _turn(made, first, second, share * angle)
    return made


def _turn(columns: Doubles, first: int, second: int, angle: float) -> None:
    one, other = columns[:, first].copy(), columns[:, second].copy()
    columns[:, first] = np.cos(angle) * one + np.sin(angle) * other
    columns[:, second] = np.cos(angle) * other - np.sin(angle) * one


@dataclass(frozen=True, eq=False)
class ToRotate:
    """A subject with mean (d,), its new axes in columns (d, r), and the variances along them (r,).

    Of few numbers to a point r is d, and the axes are a rotation in ``parts``, as those without any
    variance are among them. (m, d) points are ``shown``, about the mean.
    """

    subject: Subject
    mean: Doubles
    u: Doubles
    variances: Doubles
    rank: int
    shown: Doubles
    parts: list[tuple[int, int, float]] | None

    @property
    def most(self) -> int:
        """The largest k: of points the number of axes, of pictures the rank."""
        return self.rank if isinstance(self.subject, ImageSet) else len(self.mean)

    @property
    def enough(self) -> int:
        """The smallest k that keeps 90 % of the variance."""
        return fewest_components(np.cumsum(self.variances) / self.variances.sum(), 0.9)


def prepare(subject: Subject, tick: Tick) -> ToRotate:
    """Return the components; `EigenfacesError` if all points are alike."""
    tick(0, 2)
    found = decomposed(subject.values)
    tick(1, 2)
    (rank, d), u, parts = found.components.shape, found.components.T, None
    if d <= MOST_TURNED:
        u = np.column_stack([u, upright(np.linalg.svd(found.components)[2][rank:].T)])
        u[:, -1] *= np.linalg.det(u)  # no mirror
        parts = turns(u)
    variances = np.pad(found.variances, (0, u.shape[1] - rank))
    x = subject.values - found.mean
    step, most = (max(1, len(x) // 3), 3) if isinstance(subject, ImageSet) else (1, _MOST_POINTS)
    return ToRotate(subject, found.mean, u, variances, rank, x[::step][:most], parts)


def picture(ready: ToRotate, settings: RotationSettings) -> fig.LessonPicture:
    """Return the four figures, and what the k axes keep."""
    subject, u, d = ready.subject, ready.u, len(ready.mean)
    k, share = int(min(settings.k, ready.most)), settings.turned
    axes = u if ready.parts is None or share == 1 else turned_by(ready.parts, share, d)
    turned = ready.shown @ u
    cut = np.where(np.arange(u.shape[1]) < k, turned, 0.0)
    stages = (ready.shown, ready.shown @ axes, cut, turned[:, :k] @ u[:, :k].T)
    kept, error = float(ready.variances[:k].sum()), float(ready.variances[k:].sum())

    of_pictures = isinstance(subject, ImageSet)
    titles = (f"1 · The {'pictures' if of_pictures else 'points'}", "2 · Turned", "3 · Cut")
    few = "no axis kept" if k == 0 else f"{k} of {count(d, 'axis', 'axes')} kept"
    captions = (
        "x, minus the mean",
        _turn_words(ready, share),
        f"{count(k, 'number')} kept" if of_pictures else few,
        "0: the mean" if k == 0 else "UUᵀx",
    )
    panels: tuple[fig.Panel, ...] = (
        _of_pictures(subject.shape, stages)
        if isinstance(subject, ImageSet)
        else _of_points(ready, subject.columns, stages, axes)
    )
    named = zip(panels, (*titles, "4 · Put back"), captions, strict=True)
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Rotation, projection, approximation",
            note=f"{k:,} of {d:,} numbers kept",
            rows=(tuple(replace(each, title=t, caption=c) for each, t, c in named),),
            key=(
                "zero is mid-grey in pictures, white in coordinates"
                if of_pictures
                else "green: the components; blue and red: the two sides of the first; "
                "grey: what is lost"
            ),
        ),
        lower=_over_k(ready, k) if of_pictures else _covariances(ready, axes, k),
        numbers={"kept": kept, "error": error, "first": stages[3][0]},
        words={"enough": f"{ready.enough}", "share": percent(0.9, 0), "turn": _turn_try(ready)},
    )


def _turn_words(ready: ToRotate, share: float) -> str:
    if len(ready.mean) == 2:
        angle = share * np.degrees(np.arctan2(ready.u[1, 0], ready.u[0, 0]))
        return f"Uᵀx, by {angle:.0f}°".replace("-", "−")
    part = ready.parts is not None and share < 1
    return f"Uᵀx, {percent(share, 0)} of it" if part else "Uᵀx"


def _turn_try(ready: ToRotate) -> str:
    if ready.parts is None:
        return "Play k: figure 4 becomes figure 1, while figure 3 fills up."
    goes = "the pictures become their coordinates"
    if not isinstance(ready.subject, ImageSet):
        goes = "beside the diagonal, the covariance goes to 0"
    return f"Play “Turned” from 0 to 1: {goes}."


def _of_points(
    ready: ToRotate, columns: tuple[str, ...], stages: tuple[Doubles, ...], axes: Doubles
) -> tuple[fig.Panel, ...]:
    """Return the four figures of points in two or three dimensions."""
    shown, seen, cut, back = stages
    turned = shown @ ready.u
    sides = (turned[:, 0] < 0).astype(np.intp)
    arms = (ready.u * 2 * np.sqrt(ready.variances)).T
    rests = fig.Strokes(start=shown, end=back, ink="grey", thin=True)

    def dots(at: Doubles) -> fig.Dots:
        return fig.Dots(at=at, labels=sides, small=True)

    def faint(at: Doubles) -> fig.Dots:
        return fig.Dots(at=at, ink="faint", small=True)

    layers: tuple[tuple[fig.Dots | fig.Strokes, ...], ...] = (
        (replace(dots(shown), movable=True, origin=ready.mean), arrows(arms, "good")),
        (dots(seen), arrows(arms @ axes, "good")),
        (faint(turned), dots(cut)),
        (faint(shown), rests, dots(back)),
    )
    if len(columns) == 2:
        span = around_zero(*(each[:, :2] for each in (shown, seen, turned)), room=1.08)
        return tuple(fig.PlanePanel(layers=each, span=span) for each in layers)
    x, y, z = columns
    new = ("u₁", "u₂", "u₃")
    names = ((x, y, z), new, new, (x, y, z))
    return tuple(
        fig.SpacePanel(layers=each, axes=three) for each, three in zip(layers, names, strict=True)
    )


def _of_pictures(
    shape: tuple[int, ...], stages: tuple[Doubles, ...]
) -> tuple[fig.PicturesPanel, ...]:
    """Return pictures in grey about zero, to one limit, and coordinates in colour between."""
    shown, seen, cut, back = stages
    limit = float(np.abs(shown).max()) or 1.0
    first, last = (
        pictures(np.clip(0.5 + each / (2 * limit), 0, 1), shape) for each in (shown, back)
    )
    between = []
    for each in (seen[:, :_MOST_CELLS], cut[:, :_MOST_CELLS]):  # in grids about as a picture is
        across = max(1, round(float(np.sqrt(each.shape[1] * shape[1] / shape[0]))))
        cells = np.pad(each, ((0, 0), (0, -each.shape[1] % across)))
        between.append(pictures(cells, (cells.shape[1] // across, across), signed=True))
    return first, *between, last


def _over_k(ready: ToRotate, k: int) -> fig.Drawing:
    """Return the share that is kept with k, and over k."""
    total = float(ready.variances.sum())
    kept = np.append(0, np.cumsum(ready.variances)[: ready.rank])
    sums = {"Kept": float(kept[k]), "Lost": total - float(kept[k])}
    curves = fig.CurvesPanel(
        curves=(
            fig.DrawnCurve(name="variance kept", x=np.arange(1.0 + ready.rank), y=kept / total),
        ),
        x="components kept, k",
        y="variance kept",
        percent=True,
        mark=(float(k), f"k = {k}: {percent(float(kept[k] / total))}"),
    )
    return fig.Drawing(
        heading="What is kept",
        note=f"with {k:,} of {count(ready.rank, 'component')}",
        rows=((shares(sums, f"together {total:.2f}: the total variance"),), (curves,)),
        weights=(1, 2),
    )


def _covariances(ready: ToRotate, axes: Doubles, k: int) -> fig.Drawing:
    """Return the covariances of the points, and of the turned ones."""
    before = (ready.u * ready.variances) @ ready.u.T
    both = np.stack([before, axes.T @ before @ axes])
    most = float(np.abs(both).max())
    both[np.abs(both) < 1e-12 * most] = 0
    kept, total = ready.variances[:k].sum(), ready.variances.sum()
    return fig.Drawing(
        heading="Covariance",
        note=f"variance kept: {kept:.2f} of {total:.2f} · {percent(kept / total, 0)}",
        rows=(
            tuple(
                fig.MatrixPanel(title=title, values=values, numbers=True, most=most)
                for title, values in zip(
                    ("of the points", "of the turned points"), both, strict=True
                )
            ),
        ),
    )


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
    about={
        "k": "how many of the turned axes are kept",
        "turned": "how far the second figure is turned: 0 not at all, 1 onto the components",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            "Keep 90 %",
            "The fewest components that keep 90 % of the variance",
            lambda ready, _now: {"k": ready.enough},
        ),
    ),
    fitted=lambda ready: (
        {"k": ready.most} if ready.parts is not None else {"k": ready.most, "turned": None}
    ),
)
