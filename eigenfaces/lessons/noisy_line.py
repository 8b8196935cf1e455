"""Lesson: the first component finds the line y = 2x in noisy points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import upright
from eigenfaces.lessons.figures import around_zero, arrows
from eigenfaces.lessons.lesson import Lesson, Suggestion, flag, slide
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count

_ROUNDING = 1e-9


@dataclass(frozen=True)
class LineSettings:
    """Spread of the noise, number of points, whether there is a third axis, and scaling."""

    noise: float = slide(0.4, "Noise", 0, 0.9, step=0.05)
    n: float = slide(100, "Points n", 5, 1000, step=5, whole=True, plays=True)
    third: bool = flag(False, "third axis")
    scaled: bool = flag(False, "scaled")


@dataclass(frozen=True, eq=False)
class _LineFound:
    """Points about their mean (n, d), directions v (d, d) in columns, and their variances (d,).

    The line itself is ``ideal`` (d,).
    """

    x: Doubles
    v: Doubles
    variances: Doubles
    ideal: Doubles

    @classmethod
    def of(cls, drawn: Doubles, settings: LineSettings, n: int) -> _LineFound:
        x = line_points(drawn[:n], settings)
        x = x - x.mean(axis=0)
        x = x / x.std(axis=0) if settings.scaled else x
        variances, v = np.linalg.eigh(x.T @ x / n)
        ideal = np.array([1.0, 1.0 if settings.scaled else 2.0, 0.0])[: x.shape[1]]
        return cls(x, upright(v[:, ::-1]), variances[::-1], ideal / np.linalg.norm(ideal))

    @property
    def away(self) -> float:
        """The angle between the first direction and the line, in degrees."""
        along = float(self.v[:, 0] @ self.ideal)
        across = float(np.linalg.norm(self.v[:, 0] - along * self.ideal))
        angle = float(np.degrees(np.arctan2(across, abs(along))))
        return angle if angle > _ROUNDING else 0.0


def line_points(drawn: Doubles, settings: LineSettings) -> Doubles:
    """Return points (n, 2) or (n, 3) about the line, from drawn numbers (n, 4) of variance 1."""
    t, *noises = drawn.T
    columns = [t + settings.noise * noises[0], 2 * t + settings.noise * noises[1]]
    return np.column_stack([*columns, noises[2]] if settings.third else columns)


def picture(drawn: Doubles, settings: LineSettings) -> fig.LessonPicture:
    """Return the points with the directions found, and how far these are off over n."""
    n = int(min(settings.n, len(drawn)))
    found = _LineFound.of(drawn, settings, n)
    numbers, root = ("1, 1", 2) if settings.scaled else ("1, 2", 5)
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Finding the line",
            note=f"{count(n, 'point')}, {'scaled' if settings.scaled else 'not scaled'}",
            rows=((_points(found, settings), _matrix(found)),),
            key="dashed: the line itself",
        ),
        lower=fig.Drawing(
            heading="How far the first direction is off",
            note=f"{found.away:.2f}° with {count(n, 'point')}",
            rows=((_over_n(drawn, settings, found),),),
        ),
        numbers={"v": found.v, "variances": found.variances, "away": found.away},
        words={"ideal": f"({numbers}{', 0' if settings.third else ''})/√{root}"},
    )


def _points(found: _LineFound, settings: LineSettings) -> fig.Panel:
    span, n = around_zero(found.x, room=1.05), len(found.x)
    line = (1 if settings.third else 3) * span[0][1] * found.ideal[None]
    layers = (
        fig.Dots(at=found.x, small=n > 60, ink="faint" if n > 200 else "grey"),
        fig.Strokes(start=-line, end=line, ink="contrast", dashed=True, thin=True),
        arrows(2 * np.sqrt(found.variances)[:, None] * found.v.T),
    )
    title = "Scaled points" if settings.scaled else "Points"
    if settings.third:
        return fig.SpacePanel(title=title, layers=layers, axes=("x", "y", "z"), weight=1.4)
    x, y = (f"{each} ÷ its spread" if settings.scaled else each for each in "xy")
    return fig.PlanePanel(title=title, layers=layers, x=x, y=y, span=span, weight=1.4)


def _matrix(found: _LineFound) -> fig.MatrixPanel:
    numbers = ", ".join(f"{each:.3f}".rstrip("0").rstrip(".") for each in found.ideal)
    d = len(found.v)
    return fig.MatrixPanel(
        title="V, a direction in each column",
        caption=f"the line: ({numbers})",
        values=np.where(np.abs(found.v) < _ROUNDING, 0.0, found.v),
        rows=("x", "y", "z")[:d],
        columns=("v₁", "v₂", "v₃")[:d],
        numbers=True,
        most=1,
    )


def _over_n(drawn: Doubles, settings: LineSettings, now: _LineFound) -> fig.CurvesPanel:
    counts = np.unique(np.geomspace(5, 1000, 60).astype(int))
    counts = counts[counts <= len(drawn)]
    away = np.array([_LineFound.of(drawn, settings, each).away for each in counts.tolist()])
    x, n = counts.astype(float), len(now.x)
    typical = expected(drawn, settings, x)
    return fig.CurvesPanel(
        curves=(
            fig.DrawnCurve(name="these points", x=x, y=away),
            fig.DrawnCurve(name="typical", x=x, y=typical, ink="grey", dashed=True),
        ),
        x="number of points",
        y="degrees",
        log_x=True,
        mark=(float(n), f"n = {n:,}: {now.away:.2f}°"),
    )


def expected(drawn: Doubles, settings: LineSettings, counts: Doubles) -> Doubles:
    """Return the root mean square of the angle in degrees, over numbers of points.

    For many points: Σ λ₁λⱼ / (λ₁ − λⱼ)² / n (Anderson 1963); times 1 − n/N, as they are n of N.
    """
    first, *others = _LineFound.of(drawn, settings, len(drawn)).variances
    squares = sum(first * each / (first - each) ** 2 for each in others)
    if settings.scaled:  # of two scaled axes the direction is always (1, 1)/√2
        squares = first / (first - 1) ** 2 if settings.third else 0
    return np.degrees(np.sqrt(squares * (1 / counts - 1 / len(drawn))))


LISTING = """\
t, in_x, in_y, in_z = x[: int(n)].T
points = np.column_stack([t + noise * in_x, 2 * t + noise * in_y])
if third:
    points = np.column_stack([points, in_z])
points = points - points.mean(axis=0)
if scaled:
    points = points / points.std(axis=0)
variances, v = np.linalg.eigh(points.T @ points / len(points))
variances, v = variances[::-1], v[:, ::-1]  # the largest first
largest = np.abs(v).round(6).argmax(axis=0)
v = v * np.sign(v[largest, range(len(v))])  # signs are free: these are positive
line = np.array([1.0, 1.0 if scaled else 2.0, 0.0])[: len(v)]
line = line / np.linalg.norm(line)
off = v[:, 0] - (v[:, 0] @ line) * line
away = np.degrees(np.arcsin(min(1, np.linalg.norm(off))))
print(v.round(3), f"first direction {away:.2f}° from the line", sep="\\n")
"""

LINE = Lesson(
    name="line",
    title="Finding the line",
    line="y = 2x with noise, in 2-D and 3-D",
    group="Directions",
    see=(
        "The points lie about the line <i>y</i> = 2<i>x</i>; noise moves every one of them.",
        "The first column of <i>V</i> is the direction of most variance: it <b>finds the line</b>, "
        "{ideal}.",
        "A third axis of noise alone gets a 0 in it: it has <b>nothing to do</b> with the line.",
    ),
    formula="Σ = <i>VΛV</i>ᵀ, <i>v</i>₁ ≈ {ideal}",
    why=(
        "Noise that is equal in all directions adds the same to every variance, and turns none. "
        "Divided by their spreads, <i>x</i> and <i>y</i> rise alike: (1, 1)/√2. The 1,000 points "
        "are made so that line and noise are exactly uncorrelated; fewer of them are a sample."
    ),
    tries=(
        "Play <i>n</i>: with few points the direction wavers, with all 1,000 it is the line.",
        "Take the scaled axes: in 2-D <i>v</i>₁ is (1, 1)/√2 whatever the noise.",
        "Add the third axis, and scale: its noise counts as much as <i>x</i> and <i>y</i> now.",
    ),
    subjects=("line",),
    settings=LineSettings(),
    about={
        "noise": "the standard deviation of what is added to x and y; along the line x has 1",
        "n": "how many points there are",
        "third": "a third number of each point, that is noise alone",
        "scaled": "every axis is divided by its standard deviation",
    },
    prepare=lambda subject, _tick: subject.values,
    picture=picture,
    listing=LISTING,
    suggestions=(Suggestion("All points", "Take all the points that there are", {"n": 1000}),),
)
