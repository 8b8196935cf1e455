"""Lesson: the direction of most variance is that of least squared error."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    Grip,
    Ink,
    LessonPicture,
    PlanePanel,
    Share,
    SharesPanel,
    Strokes,
)
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion, yes_or_no
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_LONGER = 1.25
_AWAY = np.array([1, -0.5])
_ANGLES = np.arange(0, 181, 1.0)


@dataclass(frozen=True)
class DirectionSettings:
    """The angle of w in degrees, how far the points lie off the middle, and two conditions."""

    angle: float = 12.0
    offset: float = 0.0
    unit_length: bool = True
    centred: bool = True


CONTROLS = (
    Slide(
        name="angle",
        label="Direction θ",
        about="the angle between the direction w and the first axis",
        least=0,
        most=180,
        unit="°",
        plays=True,
    ),
    Slide(
        name="offset",
        label="Off the middle",
        about="how far all points are moved, before the mean is subtracted",
        least=0,
        most=4,
        step=0.1,
    ),
    yes_or_no("unit_length", "w has length 1", "the direction is a unit vector, not a longer one"),
    yes_or_no("centred", "mean is zero", "the mean is subtracted from every point"),
)


@dataclass(frozen=True, eq=False)
class _Turned:
    """Points (n, 2) as they are looked at, and a direction (2,)."""

    x: Doubles
    w: Doubles

    @classmethod
    def of(cls, points: Doubles, settings: DirectionSettings, angle: float) -> _Turned:
        x = points + settings.offset * _AWAY
        x = x - x.mean(axis=0) if settings.centred else x
        length = 1.0 if settings.unit_length else _LONGER
        return cls(x, length * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]))

    @property
    def projected(self) -> Doubles:
        return np.outer(self.x @ self.w, self.w)

    @property
    def kept(self) -> float:
        return float(((self.x @ self.w) ** 2).mean())

    @property
    def error(self) -> float:
        return float(((self.x - self.projected) ** 2).sum(axis=1).mean())

    @property
    def total(self) -> float:
        return float((self.x**2).sum(axis=1).mean())


def points_of(subject: Subject, _tick: Tick) -> Doubles:
    """Return the points (n, 2); an `EigenfacesError` if all lie at one place."""
    if (subject.values == subject.values[0]).all():
        raise EigenfacesError(
            "All points lie at one place, so no direction has variance: choose other points."
        )
    return subject.values


def picture(points: Doubles, settings: DirectionSettings) -> LessonPicture:
    """Return the points with their projections, and variance and error over the angle."""
    now = _Turned.of(points, settings, settings.angle)
    best = best_angle(points, settings)
    return LessonPicture(
        upper=Drawing(
            heading="Most variance, least error",
            hint="drag the ring, or a point",
            rows=((_plane(now, _Turned.of(points, settings, best), points, settings),),),
        ),
        lower=Drawing(
            heading="Both over the angle",
            note=f"greatest and least at the same {best:.0f}°" if settings.unit_length else "",
            rows=((_bar(now, _Turned.of(points, settings, best)),), (_curves(points, settings),)),
            weights=(1, 2),
        ),
        numbers={"w": now.w, "kept": now.kept, "error": now.error, "total": now.total},
        words={"best": f"{best:.0f}°"},
    )


def _plane(now: _Turned, best: _Turned, points: Doubles, settings: DirectionSettings) -> PlanePanel:
    reach = 1.1 * np.abs(now.x).max(axis=0)
    along, across = (_to_the_edge(each.w, 2 * reach)[None] for each in (now, best))
    best_words = f"best, {best_angle(points, settings):.0f}°"
    return PlanePanel(
        layers=(
            Strokes(
                start=-across, end=across, ink="grey", dashed=True, thin=True, words=best_words
            ),
            Strokes(start=now.x, end=now.projected, ink="contrast", thin=True),
            Strokes(start=-along, end=along),
            Dots(at=now.projected, ink="main", small=True),
            Dots(at=now.x, movable=True, origin=points[0] - now.x[0]),
        ),
        x="first number",
        y="second number",
        span=((-reach[0], reach[0]), (-reach[1], reach[1])),
        grip=Grip(
            at=0.8 * _to_the_edge(now.w, reach),
            setting="angle",
            words=f"w, θ = {settings.angle:.0f}°",
        ),
    )


def _to_the_edge(direction: Doubles, reach: Doubles) -> Doubles:
    """Return the point (2,) in a direction, on the edge of a box that reaches so far."""
    return direction / float(np.max(np.abs(direction) / np.maximum(reach, 1e-9)))


def _bar(now: _Turned, best: _Turned) -> SharesPanel:
    both = now.kept + now.error
    holds = bool(np.isclose(both, now.total))
    return SharesPanel(
        parts=(
            _share("Variance kept", now.kept, both, "main"),
            _share("Squared error", now.error, both, "contrast"),
        ),
        whole=(
            f"together always {both:.2f}: the total variance"
            if holds
            else f"together {both:.2f}, and the total variance is {now.total:.2f}"
        ),
        mark=(best.kept, f"the most that can be kept: {best.kept:.2f}") if holds else None,
    )


def _share(words: str, value: float, both: float, ink: Ink) -> Share:
    return Share(words=f"{words} {value:.2f} · {percent(value / both, 0)}", value=value, ink=ink)


def _curves(points: Doubles, settings: DirectionSettings) -> CurvesPanel:
    turned = _Turned.of(points, settings, 0.0)
    directions = np.radians(_ANGLES)
    w = float(np.linalg.norm(turned.w)) * np.stack([np.cos(directions), np.sin(directions)])
    kept = ((turned.x @ w) ** 2).mean(axis=0)  # (a,), one for each angle
    error = turned.total - kept * (2 - (w**2).sum(axis=0))  # ‖x − wwᵀx‖², written out
    return CurvesPanel(
        curves=(
            DrawnCurve(name="variance kept", x=_ANGLES, y=kept),
            DrawnCurve(name="squared error", x=_ANGLES, y=error, ink="contrast", dashed=True),
        ),
        x="direction θ (degrees)",
        y="variance",
        mark=(settings.angle, f"θ = {settings.angle:.0f}°"),
    )


def best_angle(points: Doubles, settings: DirectionSettings) -> float:
    """Return the angle of most variance, to a whole degree: of the first eigenvector of Σ."""
    x = _Turned.of(points, settings, 0).x
    first = np.linalg.eigh(x.T @ x)[1][:, -1]
    return float(np.round(np.degrees(np.arctan2(first[1], first[0])) % 180))


def _best(points: Doubles, settings: DirectionSettings) -> DirectionSettings:
    return replace(settings, angle=best_angle(points, settings))


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
    controls=CONTROLS,
    prepare=points_of,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(title="Best", about="Turn to the direction of most variance", apply=_best),
    ),
)
