"""Lesson: rotate points onto their components, keep the first k, and rotate the points back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import fix_signs, pca
from eigenfaces.lessons.lesson import Button, Lesson, Question, Slide, Step
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent, with_minus

_MOST_CELLS = 120  # the most coordinates drawn for a picture; the rest are smaller still


@dataclass(frozen=True, eq=False)
class Rotation:
    """Subject with its new axes. For points, the axes form a full rotation (r = d)."""

    subject: Subject
    mean: Doubles  # (d,)
    u: Doubles  # (d, r) the new axes in columns, those without variance last
    variances: Doubles  # (r,)
    x: Doubles  # (m, d) the rows shown, minus the mean

    @property
    def k_for_90_percent(self) -> int:
        """Smallest k that keeps 90 % of the variance."""
        return fewest_components(np.cumsum(self.variances) / self.variances.sum(), 0.9)


def prepare(subject: Subject, tick: Tick) -> Rotation:
    """Return the components, or raise `EigenfacesError` if all points are the same."""
    fitted = pca(subject.values, tick)
    u, variances, x = fitted.components.T, fitted.variances, subject.values - fitted.mean
    if isinstance(subject, ImageSet):
        x = x[:: max(1, len(x) // 3)][:3]
    else:
        d, rank = u.shape
        u = np.column_stack([u, fix_signs(np.linalg.svd(u.T)[2][rank:].T)])
        u[:, -1] *= np.linalg.det(u)  # a rotation, not a reflection
        variances = np.pad(variances, (0, d - rank))
    return Rotation(subject, fitted.mean, u, variances, x)


def picture(ready: Rotation, k: float, turned: float) -> fig.LessonPicture:
    """Draw the four stages, and the variance that the first k axes keep."""
    subject, u, x, variances = ready.subject, ready.u, ready.x, ready.variances
    (d, r), k, rotated, axes = u.shape, int(min(k, u.shape[1])), x @ u, u
    by, rows = "Uᵀx", list[tuple[fig.Panel, ...]]()
    if not isinstance(subject, ImageSet):
        angle = turned * np.arctan2(u[1, 0], u[0, 0])
        cos, sin = np.cos(angle), np.sin(angle)
        axes = np.array([[cos, -sin], [sin, cos]])
        by = with_minus(f"Uᵀx: axes turned by {np.degrees(angle):.0f}°")
    cut = np.where(np.arange(r) < k, rotated, 0.0)
    stages = (x, x @ axes, cut, rotated[:, :k] @ u[:, :k].T)
    kept, total = float(variances[:k].sum()), float(variances.sum())
    if isinstance(subject, ImageSet):
        panels, noun = _of_pictures(subject.shape, stages), "pictures"
        whole = f"together {total:.3f}: the total variance"
        rows.append((fig.SharesPanel(("Kept", kept), ("Lost", total - kept), whole),))
        shares, title = np.append(0, np.cumsum(variances)) / total, "components kept, k"
        mark, name = (float(k), f"k = {k}: {percent(kept / total)}"), "variance kept"
        curve = fig.CurvesPanel(np.arange(1.0 + r), {name: shares}, title, name, mark, percent=True)
        lower = fig.Drawing("What is kept", ((curve,),), f"{k:,} of {count(r, 'component')}")
        key, numbers = "zero is grey in pictures and white in coordinates", count(k, "number")
        turn = "Play k: figure 3 fills up, and figure 4 becomes figure 1."
    else:
        panels, noun = _of_points(ready, stages, axes), "points"
        before = (u * variances) @ u.T
        both = np.stack([before, axes.T @ before @ axes])
        both[np.abs(both) < 1e-12 * np.abs(both).max()] = 0
        below = tuple(
            fig.MatrixPanel(values, title=name, numbers=True, most=float(np.abs(both).max()))
            for name, values in zip(("of the points", "of the turned points"), both, strict=True)
        )
        note = f"variance kept: {kept:.3f} of {total:.3f} · {percent(kept / total, 0)}"
        lower = fig.Drawing("Covariance", (below,), note)
        key = "green: the components; blue, red: both sides of the first; grey: before the cut"
        numbers = f"{k} of {count(d, 'axis', 'axes')}"
        turn = "Play “Turned”: the covariance off the diagonal becomes 0."
    captions = ("x, minus the mean", by, f"{numbers} kept", "UₖUₖᵀx" if k else "0: the mean")
    names = (f"1 · The {noun}", "2 · Turned", "3 · Cut", "4 · Turned back")
    row = tuple(
        replace(panel, title=title, caption=caption)
        for panel, title, caption in zip(panels, names, captions, strict=True)
    )
    heading, note = "Rotation, projection, approximation", f"{k:,} of {d:,} numbers kept"
    return fig.LessonPicture(
        fig.Drawing(heading, (row, *rows), note, key=key),
        lower,
        {"kept": kept, "error": float(variances[k:].sum()), "first": stages[3][0]},
        {"enough": f"{ready.k_for_90_percent}", "share": percent(0.9, 0), "turn": turn},
    )


def _of_points(
    ready: Rotation, stages: tuple[Doubles, ...], axes: Doubles
) -> tuple[fig.Panel, ...]:
    """Draw the points at each of the four stages."""
    x, turned, cut, back = stages
    rotated = x @ ready.u
    sides = (rotated[:, 0] < 0).astype(np.intp)
    arms = (ready.u * 2 * np.sqrt(ready.variances)).T
    dots = [fig.Dots(at, labels=sides, small=True) for at in (turned, cut, back)]
    movable = replace(dots[0], at=x, movable=True, origin=ready.mean)
    layers: tuple[tuple[fig.Layer, ...], ...] = (
        (movable, fig.arrows(arms, "good")),
        (dots[0], fig.arrows(arms @ axes, "good")),
        (fig.Dots(rotated, "faint", small=True), dots[1]),
        (fig.Dots(x, "faint", small=True), fig.Strokes(x, back, "grey", thin=True), dots[2]),
    )
    span = fig.range_around_zero(x, turned, rotated, room=1.08)
    return tuple(fig.PlanePanel(part, span=span) for part in layers)


def _of_pictures(shape: tuple[int, ...], stages: tuple[Doubles, ...]) -> tuple[fig.Panel, ...]:
    """Draw the pictures at each of the four stages, with coloured coordinates in the middle two."""
    limit, panels = float(np.abs(stages[0]).max()) or 1.0, []
    for at, rows in enumerate(stages):
        if at in (0, 3):
            panels.append(fig.pictures(np.clip(0.5 + rows / (2 * limit), 0, 1), shape))
            continue
        cells = rows[:, :_MOST_CELLS]  # in a grid that is shaped like a picture
        across = max(1, round(float(np.sqrt(cells.shape[1] * shape[1] / shape[0]))))
        cells = np.pad(cells, ((0, 0), (0, -cells.shape[1] % across)))
        panels.append(fig.pictures(cells, (cells.shape[1] // across, across), signed=True))
    return tuple(panels)


LISTING = """\
mean = x.mean(axis=0)
u = np.linalg.svd(x - mean, full_matrices=False)[2].T  # components in columns
rotated = (x - mean) @ u  # Uᵀx of each point: a rotation
cut = rotated.copy()
cut[:, int(k) :] = 0  # keep only the first k axes
put_back = cut @ u.T  # UUᵀx: turned back
first = put_back[0]
kept = np.mean(np.sum(cut**2, axis=1))
error = np.mean(np.sum((x - mean - put_back) ** 2, axis=1))
print(f"k = {int(k)}: {kept:.3f} kept and {error:.3f} lost of {kept + error:.3f}")
"""

LESSON = Lesson(
    name="rotation",
    title="Rotation, projection, approximation",
    line="Turn, cut and turn back",
    group="Directions",
    see=(
        "The points are **turned** until their components lie along the axes. Nothing is lost.",
        "Then only the first *k* axes are **kept**. All other coordinates become 0.",
        "Turned back, the points lie close to where they were. This is the best **approximation** "
        "with *k* numbers each.",
    ),
    formula="*x* → *U*ᵀ*x* → *U<sub>k</sub>*ᵀ*x* → *U<sub>k</sub>U<sub>k</sub>*ᵀ*x*",
    why=(
        "*U* is a rotation, so lengths and angles stay the same, and *UU*ᵀ = *I*. In the new axes "
        "the covariance is diagonal. The first *k* axes hold the most variance, and exactly the "
        "variance of the other axes is lost."
    ),
    steps=(
        Step("The points are turned, cut to one axis and turned back.", {"k": 1}),
        Step("{turn}", {"turned": 0.5}),
        Step("Keep all axes: the last figure is the same as the first.", {"k": 2}),
        Step("For digits, {enough} numbers keep {share}.", {"k": 21}, subject="digits"),
    ),
    question=Question(
        "Which of the three steps loses something?", ("turning", "cutting", "turning back"), 1
    ),
    subjects=("cloud", "digits", "gallery", "opened"),
    controls=(
        Slide("k", "Components k", "how many axes are kept", 1, 0, 10_000, plays=True),
        Slide(
            "turned",
            "Turned",
            "how far figure 2 is turned; 1 is all the way",
            1.0,
            0,
            1,
            0.02,
            plays=True,
        ),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    picture_only=("turned",),
    buttons={
        "Keep 90 %": Button(
            "Keep the fewest components with 90 % of the variance",
            lambda ready, _now: {"k": ready.k_for_90_percent},
        )
    },
    limits=lambda ready: (
        {"k": ready.u.shape[1]} | ({"turned": None} if isinstance(ready.subject, ImageSet) else {})
    ),
)
