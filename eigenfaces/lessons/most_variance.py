"""Lesson: the direction of most variance is the direction of least squared error."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Button, Choice, Flag, Lesson, Question, Settings, Slide, Step
from eigenfaces.lessons.subjects import require_variance
from eigenfaces.space.arrays import Doubles


def moved(points: Doubles, offset: float, centred: bool) -> Doubles:
    """Move points (n, 2) by an offset and then, if ``centred``, subtract their mean."""
    x = points + offset * np.array([1, -0.5])
    return x - x.mean(axis=0) if centred else x


def best_angle(points: Doubles, offset: float, centred: bool) -> float:
    """Return the angle of the first eigenvector, rounded to whole degrees."""
    x = moved(points, offset, centred)
    first = np.linalg.eigh(x.T @ x)[1][:, -1]
    return float(np.round(np.degrees(np.arctan2(first[1], first[0])) % 180))


def _best(points: Cloud, now: Settings) -> Settings:
    values = points.in_plane(now["across"], now["up"]).values
    return {"angle": best_angle(values, now["offset"], now["centred"])}


def _columns(points: Cloud) -> Mapping[str, Mapping[str, str] | None]:
    """Return the columns to choose from for each axis, or None if there are only two columns."""
    names = list(points.columns)
    if len(names) == 2:
        return {"across": None, "up": None}
    return {
        "across": {name: name for name in names},
        "up": {name: name for name in names[1:] + names[:1]},
    }


def picture(
    points: Cloud,
    angle: float,
    offset: float,
    unit_length: bool,
    centred: bool,
    across: str,
    up: str,
) -> fig.LessonPicture:
    """Draw the points with their projections, and the variance and the error for each angle.

    If there are more than two columns, only ``across`` and ``up`` are shown.
    """
    shown, movable = points.in_plane(across, up), len(points.columns) == 2
    values = shown.values
    x, best = moved(values, offset, centred), best_angle(values, offset, centred)
    angles = np.append(np.arange(0, 181, 1.0), [angle, best])
    ws = np.array([np.cos(np.radians(angles)), np.sin(np.radians(angles))])
    ws *= 1 if unit_length else 1.25
    w, first, total = ws[:, -2], ws[:, -1], float(np.mean(np.sum(x**2, axis=1)))
    variances = np.sum(ws * (x.T @ x / len(x) @ ws), axis=0)  # wᵀΣw
    errors = total - (2 - w @ w) * variances  # E‖x − wwᵀx‖², multiplied out
    kept, error, most = float(variances[-2]), float(errors[-2]), float(variances[-1])
    projected, reach = np.outer(x @ w, w), 1.1 * np.abs(x).max(axis=0)
    # from the centre to the edge of the picture, along w and along the best direction
    edge, best_edge = (v / np.max(np.abs(v) / np.maximum(reach, 1e-9)) for v in (w, first))
    line, best_line = 2 * edge[None], 2 * best_edge[None]
    words = f"best direction, θ = {best:.0f}°"
    origin = values[0] - x[0] if movable else None
    tips = points.names or points.labels or ()
    dots = fig.Dots(x, tips=tips, movable=movable, small=not movable, origin=origin)
    layers = (
        fig.Strokes(-best_line, best_line, "grey", dashed=True, thin=True, words=words),
        fig.Strokes(x, projected, "contrast", thin=True),
        fig.Strokes(-line, line),
        fig.Dots(projected, "main", small=True),
        dots,
    )
    span = (-reach[0], reach[0]), (-reach[1], reach[1])
    grip = fig.AngleHandle(0.8 * edge, "angle", f"w, θ = {angle:.0f}°")
    first_name, second_name = shown.columns
    plane = fig.PlanePanel(layers, first_name, second_name, span, grip=grip)
    both = {"variance kept": variances[:-2], "squared error": errors[:-2]}
    mark = angle, f"θ = {angle:.0f}°"
    curves = fig.CurvesPanel(
        angles[:-2], both, "θ: angle between w and the first axis (degrees)", "variance", mark
    )
    hint = "drag the ring or a point" if movable else "drag the ring"
    note = f"most kept and least lost at θ = {best:.0f}°" if unit_length else ""
    whole, limit = f"together {kept + error:.3f}, but the total variance is {total:.3f}", None
    if np.isclose(kept + error, total):
        whole = f"together always {total:.3f}: the total variance"
        limit = most, f"the most that can be kept: {most:.3f}"
    bar = fig.SharesPanel(("Variance kept", kept), ("Squared error", error), whole, limit)
    return fig.LessonPicture(
        fig.Drawing("Most variance, least error", ((plane,), (bar,)), hint=hint),
        fig.Drawing("Both for each angle", ((curves,),), note),
        {"w": w, "kept": kept, "error": error, "total": total},
        {"best": f"{best:.0f}°"},
    )


LISTING = """\
x = x + offset * np.array([1, -0.5])
if centred:
    x = x - x.mean(axis=0)
w = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
if not unit_length:
    w = 1.25 * w
kept = np.mean((x @ w) ** 2)  # the variance along w
error = np.mean(np.sum((x - np.outer(x @ w, w)) ** 2, axis=1))  # the squared error
total = np.mean(np.sum(x**2, axis=1))  # the trace of the covariance
print(f"{kept:.3f} + {error:.3f} = {kept + error:.3f}; total variance {total:.3f}")
"""

LESSON = Lesson(
    name="variance",
    title="Most variance, least error",
    line="Turn a direction by hand",
    group="Directions",
    see=(
        "Every point is projected onto the line. The red lines show what is lost.",
        "However you turn the line, the kept part and the lost part add up to the same total.",
        "So the direction of **most variance** is the direction of **least squared error**.",
    ),
    formula="*w*ᵀΣ*w* + E‖*x* − *ww*ᵀ*x*‖² = tr Σ",
    why=(
        "By Pythagoras, ‖*x*‖² = (*w*ᵀ*x*)² + the rest for every point, if *w* has length 1. The "
        "first part is greatest when *w* is the eigenvector of Σ with the largest eigenvalue."
    ),
    steps=(
        Step("At θ = {best} the blue bar is longest and the red one shortest.", {"angle": 39}),
        Step("Turn the line away: what the blue bar loses, the red bar gains.", {"angle": 84}),
        Step("Make *w* longer than 1: the parts no longer add up.", {"unit_length": False}),
        Step(
            "Move the mean away from 0: the best line points towards it.",
            {"offset": 3, "centred": False, "angle": 161},
        ),
    ),
    question=Question(
        "Along which line is the least lost?",
        ("where the points spread most", "where they spread least", "halfway between"),
        0,
    ),
    subjects=("cloud", "own-table"),
    controls=(
        Slide(
            "angle",
            "Direction θ",
            "the angle between w and the first axis",
            39.0,
            0,
            180,
            unit="°",
            plays=True,
        ),
        Slide("offset", "Off the middle", "how far the points are moved from 0", 0.0, 0, 4, 0.1),
        Flag("unit_length", "w has length 1", "the direction is a unit vector", default=True),
        Flag("centred", "mean is zero", "the mean is subtracted from every point", default=True),
        Choice("across", "Across", "the column on the horizontal axis", {}, default=""),
        Choice("up", "Up", "the column on the vertical axis", {}, default=""),
    ),
    prepare=lambda points, _tick: require_variance(points),
    picture=picture,
    listing=LISTING,
    picture_only=("across", "up"),
    buttons={"Best": Button("Turn to the direction of most variance", _best)},
    limits=_columns,
    shown=lambda points, now: points.in_plane(now["across"], now["up"]),
)
