"""Lesson: the first component finds the line y = 2x in noisy points."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import principal_axes
from eigenfaces.lessons.lesson import Flag, Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count

_ROUNDING = 1e-9


def fit_line(
    x: Doubles, n: float, noise: float, third: bool, scaled: bool
) -> tuple[Doubles, Doubles, Doubles, Doubles, float]:
    """Return centred points, directions (columns), variances, a line, and its angle to v₁."""
    t, in_x, in_y, in_z = x[: int(n)].T
    points = np.column_stack([t + noise * in_x, 2 * t + noise * in_y])
    if third:
        points = np.column_stack([points, in_z])
    points = points - points.mean(axis=0)
    if scaled:
        points = points / points.std(axis=0)
    variances, v = principal_axes(points)
    line = np.array([1.0, 1.0 if scaled else 2.0, 0.0])[: len(v)]
    line = line / np.linalg.norm(line)
    off = v[:, 0] - (v[:, 0] @ line) * line
    away = np.degrees(np.arcsin(np.linalg.norm(off).clip(max=1)))
    return points, v, variances, line, float(away) if away > _ROUNDING else 0.0


def picture(
    values: Doubles, noise: float, n: float, third: bool, scaled: bool
) -> fig.LessonPicture:
    """Draw the points with the directions found, and the error of the first direction by n."""
    n = int(min(n, len(values)))
    x, v, variances, line, away = fit_line(values, n, noise, third, scaled)
    rows, columns = ("x", "y", "z")[: len(v)], ("v₁", "v₂", "v₃")[: len(v)]
    look: dict[str, Any] = {"title": "V: a direction in each column", "numbers": True, "most": 1}
    caption = f"the line: ({', '.join(f'{part:.3g}' for part in line)})"
    matrix = fig.MatrixPanel(v, rows, columns, caption=caption, **look)
    counts = np.unique(np.append(np.geomspace(5, 1000, 30).astype(int), n))
    counts = counts[counts <= len(values)]
    angles = np.array([fit_line(values, number, noise, third, scaled)[-1] for number in counts])
    ys, mark = {"degrees": angles}, (float(n), f"n = {n:,}: {away:.2f}°")
    curves = fig.CurvesPanel(counts * 1.0, ys, "number of points", "degrees", mark, log_x=True)
    span = fig.range_around_zero(x[:, :2], room=1.05)
    arms = 2 * np.sqrt(variances)[:, None] * v.T
    end = (1.5 if third else 3) * span[0][1] * line[None]
    layers = (
        fig.Dots(x, small=n > 60),
        fig.Strokes(-end, end, "contrast", dashed=True, thin=True, words="the line itself"),
        fig.arrows(arms[:1], words="v₁"),
        fig.arrows(arms[1:], "grey"),
    )
    axes = [f"{axis} ÷ its deviation" if scaled else axis for axis in rows]
    look = {"title": "Scaled points" if scaled else "Points", "weight": 1.4}
    points: fig.Panel = fig.SpacePanel(layers, ("x", "y", "z"), **look)
    if not third:
        points = fig.PlanePanel(layers, axes[0], axes[1], span, **look)
    note = f"{count(n, 'point')}, {'scaled' if scaled else 'not scaled'}"
    off = f"{away:.2f}° with {count(n, 'point')}"
    direction, root = ("1, 1", 2) if scaled else ("1, 2", 5)
    return fig.LessonPicture(
        fig.Drawing(
            "Finding the line",
            ((points, matrix),),
            note,
            hint="drag to turn the points" if third else "",
            key="v₁: the first direction found",
        ),
        fig.Drawing("Error of the first direction", ((curves,),), off),
        {"v": v, "variances": variances, "away": away},
        {"ideal": f"({direction}{', 0' if third else ''})/√{root}"},
    )


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
v = v * np.sign(v[largest, range(len(v))])  # signs are free: make these positive
line = np.array([1.0, 1.0 if scaled else 2.0, 0.0])[: len(v)]
line = line / np.linalg.norm(line)
off = v[:, 0] - (v[:, 0] @ line) * line
away = np.degrees(np.arcsin(np.linalg.norm(off).clip(max=1)))
print(v.round(3), f"first direction {away:.2f}° from the line", sep="\\n")
"""

LESSON = Lesson(
    name="line",
    title="Finding the line",
    line="y = 2x with noise, and a third axis",
    group="Directions",
    see=(
        "The points scatter around the line *y* = 2*x*, because noise moves every one of them.",
        "The first column of *V* is the direction of most variance: it **finds the line**, "
        "{ideal}.",
        "A third axis that is only noise has a 0 in this column: it has **nothing to do** with "
        "the line.",
    ),
    formula="Σ = *VΛV*ᵀ, *v*₁ ≈ {ideal}",
    why=(
        "Noise that is equal in all directions adds the same amount to every variance, so it "
        "turns no axis. After scaling, *x* and *y* rise together, and the line is (1, 1)/√2. All "
        "1,000 points together have exactly uncorrelated noise. Fewer points are a sample of them."
    ),
    steps=(
        Step("The points lie beside the line, but the blue arrow lies on it.", {"n": 200}),
        Step("Take five points: the arrow is a few degrees off the line.", {"n": 5}),
        Step("Scale the axes: *v*₁ is (1, 1)/√2 with any amount of noise.", {"scaled": True}),
        Step("Add a third axis of noise: the arrow stays close to the line.", {"third": True}),
    ),
    question=Question(
        "Noise moves every point, equally in all directions. What happens to the first direction?",
        ("it turns a lot", "it hardly turns", "it vanishes"),
        1,
    ),
    subjects=("line",),
    controls=(
        Slide("noise", "Noise", "the deviation of the noise in x and in y", 1.0, 0, 1.5, 0.05),
        Slide("n", "Points n", "how many points there are", 200, 5, 1000, 5, plays=True),
        Flag("third", "third axis", "points get a third number, only noise", default=False),
        Flag("scaled", "scaled", "every axis is divided by its standard deviation", default=False),
    ),
    prepare=lambda subject, _tick: subject.values,
    picture=picture,
    listing=LISTING,
)
