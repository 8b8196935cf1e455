"""Lesson: points are turned onto their components, cut to the first k, and turned back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import decomposed, upright
from eigenfaces.lessons.lesson import Lesson, slide, told
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent

MOST_TURNED = 256  # up to so many numbers to a point, the axes are turned as a whole
_MOST_POINTS = 2000
_MOST_CELLS = 120  # as many coordinates of a picture are drawn; those that follow are smaller still


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

    def axes(self, share: float) -> Doubles:
        """Return the axes (d, r) after a share of the turn, where they can be turned."""
        whole = self.parts is None or share == 1
        return self.u if whole else turned_by(self.parts or [], share, len(self.mean))


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


def picture(ready: ToRotate, k: float = 1, turned: float = 1.0) -> fig.LessonPicture:
    """Return the four figures, and what the k axes keep."""
    subject, u, d = ready.subject, ready.u, len(ready.mean)
    k, axes, rotated = int(min(k, ready.most)), ready.axes(turned), ready.shown @ u
    cut = np.where(np.arange(u.shape[1]) < k, rotated, 0.0)
    stages = (ready.shown, ready.shown @ axes, cut, rotated[:, :k] @ u[:, :k].T)
    kept, error = float(ready.variances[:k].sum()), float(ready.variances[k:].sum())
    first = ("x, minus the mean", _turn_words(ready, turned))
    rows: list[tuple[fig.Panel, ...]] = []
    last = "0: the mean" if k == 0 else "UUᵀx"
    if isinstance(subject, ImageSet):
        panels = _of_pictures(subject.shape, stages)
        captions = (*first, f"{count(k, 'number')} kept", last)
        (bar, lower), noun = _over_k(ready, k), "pictures"
        rows.append((bar,))
        key = "zero is mid-grey in pictures, white in coordinates"
    else:
        panels = _of_points(ready, subject.columns, stages, axes)
        few = f"{k} of {count(d, 'axis', 'axes')} kept" if k else "no axis kept"
        captions = (*first, few, last)
        lower, noun = _covariances(ready, axes, k), "points"
        key = "green: the components; blue and red: the two sides of the first; grey: what is lost"
    titles = (f"1 · The {noun}", "2 · Turned", "3 · Cut", "4 · Put back")
    named = zip(panels, titles, captions, strict=True)
    row = tuple(replace(each, title=title, caption=said) for each, title, said in named)
    heading, note = "Rotation, projection, approximation", f"{k:,} of {d:,} numbers kept"
    return fig.LessonPicture(
        fig.Drawing(heading, (row, *rows), note, key=key),
        lower,
        {"kept": kept, "error": error, "first": stages[3][0]},
        {"enough": f"{ready.enough}", "share": percent(0.9, 0), "turn": _turn_try(ready)},
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
    rotated = shown @ ready.u
    sides = (rotated[:, 0] < 0).astype(np.intp)
    arms = (ready.u * 2 * np.sqrt(ready.variances)).T
    own = fig.Dots(shown, labels=sides, small=True, movable=True, origin=ready.mean)
    dots = [fig.Dots(each, labels=sides, small=True) for each in (seen, cut, back)]
    faint = [fig.Dots(each, "faint", small=True) for each in (rotated, shown)]
    lost = fig.Strokes(shown, back, "grey", thin=True)
    layers: tuple[tuple[fig.Dots | fig.Strokes, ...], ...] = (
        (own, fig.arrows(arms, "good")),
        (dots[0], fig.arrows(arms @ axes, "good")),
        (faint[0], dots[1]),
        (faint[1], lost, dots[2]),
    )
    if len(columns) == 2:
        span = fig.around_zero(*(each[:, :2] for each in (shown, seen, rotated)), room=1.08)
        return tuple(fig.PlanePanel(each, span=span) for each in layers)
    x, y, z = columns
    names = ((x, y, z), ("u₁", "u₂", "u₃"))
    order = (names[0], names[1], names[1], names[0])
    return tuple(fig.SpacePanel(each, three) for each, three in zip(layers, order, strict=True))


def _of_pictures(shape: tuple[int, ...], stages: tuple[Doubles, ...]) -> tuple[fig.Panel, ...]:
    """Return pictures in grey about zero, to one limit, and coordinates in colour between."""
    limit, made = float(np.abs(stages[0]).max()) or 1.0, []
    for at, each in enumerate(stages):
        if at in (0, 3):
            made.append(fig.pictures(np.clip(0.5 + each / (2 * limit), 0, 1), shape))
            continue
        cells = each[:, :_MOST_CELLS]  # in a grid about as a picture is
        across = max(1, round(float(np.sqrt(cells.shape[1] * shape[1] / shape[0]))))
        cells = np.pad(cells, ((0, 0), (0, -cells.shape[1] % across)))
        made.append(fig.pictures(cells, (cells.shape[1] // across, across), signed=True))
    return tuple(made)


def _over_k(ready: ToRotate, k: int) -> tuple[fig.Panel, fig.Drawing]:
    """Return the share that is kept with k, and the shares over k."""
    total = float(ready.variances.sum())
    kept = np.append(0, np.cumsum(ready.variances)[: ready.rank])
    curve = fig.DrawnCurve("variance kept", np.arange(1.0 + ready.rank), kept / total)
    mark = float(k), f"k = {k}: {percent(float(kept[k] / total))}"
    panel = fig.CurvesPanel((curve,), "components kept, k", "variance kept", mark, percent=True)
    whole = f"together {total:.2f}: the total variance"
    bar = fig.SharesPanel(("Kept", float(kept[k])), ("Lost", total - float(kept[k])), whole)
    note = f"with {k:,} of {count(ready.rank, 'component')}"
    return bar, fig.Drawing("What is kept", ((panel,),), note)


def _covariances(ready: ToRotate, axes: Doubles, k: int) -> fig.Drawing:
    """Return the covariances of the points, and of the turned ones."""
    before = (ready.u * ready.variances) @ ready.u.T
    both = np.stack([before, axes.T @ before @ axes])
    most = float(np.abs(both).max())
    both[np.abs(both) < 1e-12 * most] = 0
    kept, total = ready.variances[:k].sum(), ready.variances.sum()
    titles = ("of the points", "of the turned points")
    row = tuple(
        fig.MatrixPanel(values, numbers=True, most=most, title=title)
        for title, values in zip(titles, both, strict=True)
    )
    note = f"variance kept: {kept:.2f} of {total:.2f} · {percent(kept / total, 0)}"
    return fig.Drawing("Covariance", (row,), note)


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

WORDS = """
title: Rotation, projection, approximation
line: Turn, cut and put back
group: Directions
see: The points are **turned** until their components lie along the axes: nothing is lost.
see: Then only the first *k* axes are **kept**; all other coordinates become 0.
see: Turned back, the points lie near where they were: the best **approximation** by *k* numbers
    each.
formula: *x* → *U*ᵀ*x* → *U<sub>k</sub>*ᵀ*x* → *U<sub>k</sub>U<sub>k</sub>*ᵀ*x*
why: *U* is a rotation, so lengths and angles stay, and *UU*ᵀ = *I*. In the new axes the covariance
    is diagonal: the first *k* hold the most variance, and what is cut is exactly what is lost.
try: {turn}
try: Let *k* be 0: every point becomes the mean.
try: Let *k* be as large as it goes: the last figure is the first one.
try: Keep {share} of the variance: *k* = {enough} will do.
set k: how many of the turned axes are kept
set turned: how far the second figure is turned: 0 not at all, 1 onto the components
press Keep 90 %: The fewest components that keep 90 % of the variance
"""

LESSON = Lesson(
    **told(WORDS),
    name="rotation",
    subjects=("cloud", "space", "digits", "patches", "gallery", "opened"),
    fields=(
        slide("k", "Components k", 0, 10_000, whole=True, plays=True),
        slide("turned", "Turned", 0, 1, 0.02, plays=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={"Keep 90 %": lambda ready, _now: {"k": ready.enough}},
    fitted=lambda ready: (
        {"k": ready.most} if ready.parts is not None else {"k": ready.most, "turned": None}
    ),
)
