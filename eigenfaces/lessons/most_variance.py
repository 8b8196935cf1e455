"""Lesson: the direction of most variance is that of least squared error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.figures import shares
from eigenfaces.lessons.lesson import Lesson, Suggestion, flag, slide
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles


@dataclass(frozen=True)
class DirectionSettings:
    """The angle of w in degrees, how far the points lie off the middle, and two conditions."""

    angle: float = slide(12.0, "Direction θ", 0, 180, unit="°", plays=True)
    offset: float = slide(0.0, "Off the middle", 0, 4, step=0.1)
    unit_length: bool = flag(True, "w has length 1")
    centred: bool = flag(True, "mean is zero")


def points_of(subject: Subject, _tick: Tick) -> Doubles:
    """Return the points (n, 2); an `EigenfacesError` if all lie at one place."""
    if (subject.values == subject.values[0]).all():
        raise EigenfacesError(
            "All points lie at one place, so no direction has variance: choose other points."
        )
    return subject.values


def _as_seen(points: Doubles, settings: DirectionSettings) -> Doubles:
    """Return the points (n, 2) moved, and about their mean if it is subtracted."""
    x = points + settings.offset * np.array([1, -0.5])
    return x - x.mean(axis=0) if settings.centred else x


def _directions(degrees: Doubles | float, settings: DirectionSettings) -> Doubles:
    """Return w (2,) or (2, a) for each angle."""
    angle = np.radians(degrees)
    return (1.0 if settings.unit_length else 1.25) * np.array([np.cos(angle), np.sin(angle)])


def best_angle(points: Doubles, settings: DirectionSettings) -> float:
    """Return the angle of most variance, to a whole degree: of the first eigenvector of Σ."""
    x = _as_seen(points, settings)
    first = np.linalg.eigh(x.T @ x)[1][:, -1]
    return float(np.round(np.degrees(np.arctan2(first[1], first[0])) % 180))


def picture(points: Doubles, settings: DirectionSettings) -> fig.LessonPicture:
    """Return the points with their projections, and variance and error over the angle."""
    x, w = _as_seen(points, settings), _directions(settings.angle, settings)
    angle, best = settings.angle, best_angle(points, settings)
    projected = np.outer(x @ w, w)
    first = _directions(best, settings)
    kept, most = (float(((x @ each) ** 2).mean()) for each in (w, first))
    error = float(((x - projected) ** 2).sum(axis=1).mean())
    total = float((x**2).sum(axis=1).mean())

    reach = 1.1 * np.abs(x).max(axis=0)
    along, across = (2 * _to_the_edge(each, reach)[None] for each in (w, first))
    said = f"best, {best:.0f}°"
    plane = fig.PlanePanel(
        layers=(
            fig.Strokes(start=-across, end=across, ink="grey", dashed=True, thin=True, words=said),
            fig.Strokes(start=x, end=projected, ink="contrast", thin=True),
            fig.Strokes(start=-along, end=along),
            fig.Dots(at=projected, ink="main", small=True),
            fig.Dots(at=x, movable=True, origin=points[0] - x[0]),
        ),
        x="first number",
        y="second number",
        span=((-reach[0], reach[0]), (-reach[1], reach[1])),
        grip=fig.Grip(
            at=0.8 * _to_the_edge(w, reach), setting="angle", words=f"w, θ = {angle:.0f}°"
        ),
    )
    angles = np.arange(0, 181, 1.0)
    every = _directions(angles, settings)
    over = ((x @ every) ** 2).mean(axis=0)  # (a,), one for each angle
    left = total - over * (2 - (every**2).sum(axis=0))  # ‖x − wwᵀx‖², written out
    curves = fig.CurvesPanel(
        curves=(
            fig.DrawnCurve(name="variance kept", x=angles, y=over),
            fig.DrawnCurve(name="squared error", x=angles, y=left, ink="contrast", dashed=True),
        ),
        x="direction θ (degrees)",
        y="variance",
        mark=(angle, f"θ = {angle:.0f}°"),
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Most variance, least error", hint="drag the ring, or a point", rows=((plane,),)
        ),
        lower=fig.Drawing(
            heading="Both over the angle",
            note=f"greatest and least at the same {best:.0f}°" if settings.unit_length else "",
            rows=((_bar(kept, error, total, most),), (curves,)),
            weights=(1, 2),
        ),
        numbers={"w": w, "kept": kept, "error": error, "total": total},
        words={"best": f"{best:.0f}°"},
    )


def _to_the_edge(direction: Doubles, reach: Doubles) -> Doubles:
    """Return the point (2,) in a direction, on the edge of a box that reaches so far."""
    return direction / float(np.max(np.abs(direction) / np.maximum(reach, 1e-9)))


def _bar(kept: float, error: float, total: float, most: float) -> fig.SharesPanel:
    both = kept + error
    if np.isclose(both, total):
        whole = f"together always {both:.2f}: the total variance"
        mark = most, f"the most that can be kept: {most:.2f}"
    else:
        whole, mark = f"together {both:.2f}, and the total variance is {total:.2f}", None
    return shares({"Variance kept": kept, "Squared error": error}, whole, mark)


LISTING = """\
x = x + offset * np.array([1, -0.5])
if centred:
    x = x - x.mean(axis=0)
w = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
if not unit_length:
    w = 1.25 * w
kept = np.mean((x @ w) ** 2)  # the variance along w
error = np.mean(np.sum((x - np.outer(x @ w, w)) ** 2, axis=1))  # what is lost
total = np.mean(np.sum(x**2, axis=1))  # the trace of the covariance
print(f"{kept:.3f} + {error:.3f} = {kept + error:.3f}; total variance {total:.3f}")
"""

MOST_VARIANCE = Lesson(
    name="variance",
    title="Most variance, least error",
    line="One direction turned by hand",
    group="Directions",
    see=(
        "Every point is projected onto the line; the red lines are what is lost.",
        "However the line is turned, what is kept and what is lost add up to the same.",
        "So the direction of <b>most variance</b> is the one of <b>least squared error</b>.",
    ),
    formula="<i>w</i>ᵀΣ<i>w</i> + E‖<i>x</i> − <i>ww</i>ᵀ<i>x</i>‖² = tr Σ",
    why=(
        "Pythagoras for every point: ‖<i>x</i>‖² = (<i>w</i>ᵀ<i>x</i>)² + the rest, if <i>w</i> "
        "has length 1. The first is greatest where <i>w</i> is the eigenvector of Σ with the "
        "largest eigenvalue."
    ),
    tries=(
        "Turn the line to {best}: the bar reaches its mark.",
        "Let <i>w</i> be longer than 1: the sum no longer holds.",
        "Move the cloud off the middle and let its mean stand: the best line points at the mean.",
        "Drag one point far out and turn again.",
    ),
    subjects=("cloud",),
    settings=DirectionSettings(),
    about={
        "angle": "the angle between the direction w and the first axis",
        "offset": "how far all points are moved, before the mean is subtracted",
        "unit_length": "the direction is a unit vector, not a longer one",
        "centred": "the mean is subtracted from every point",
    },
    prepare=points_of,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            "Best",
            "Turn to the direction of most variance",
            lambda points, now: {"angle": best_angle(points, now)},
        ),
    ),
)
