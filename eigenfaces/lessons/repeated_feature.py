"""Lesson: a feature that appears m times has m times the weight, and turns the axes."""

from __future__ import annotations

import numpy as np

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import principal_axes
from eigenfaces.lessons.lesson import Flag, Lesson, Question, Slide, Step
from eigenfaces.lessons.subjects import require_variance
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, four_digits, percent

MOST_COPIES = 8

Stretched = tuple[Doubles, Doubles, Doubles, float]
"""Points with copies, their two largest variances, the two axes, and the share of X in axis 1."""


def with_copies(x: Doubles, copies: float, noise: float, standardised: bool) -> Stretched:
    """Return X, Y and noisy copies of Y, all centred, with their axes."""
    noises = np.random.default_rng(0).normal(size=(len(x), 8))
    added = noise * x[:, 1].std() * noises[:, : int(copies)]
    x = np.hstack([x, x[:, [1]] + added])  # X, Y, and copies of Y
    x = x - x.mean(axis=0)
    deviation = x.std(axis=0)
    deviation[deviation <= 1e-9 * deviation.max()] = 1
    if standardised:
        x = x / deviation
    lam, u = principal_axes(x)
    return x, lam[:2], u[:, :2], float(u[0, 0] ** 2)


def picture(points: Doubles, copies: float, noise: float, standardised: bool) -> fig.LessonPicture:
    """Draw the points, stretched along Y by the copies, and the axes for each number of copies."""
    results = [with_copies(points, m, noise, standardised) for m in range(MOST_COPIES + 1)]
    x, lam, u, of_x = results[int(copies)]
    names = ("X", "Y", *(f"Y{m}" for m in range(2, x.shape[1])))
    shares = np.array([lam[0] / (x**2).mean(axis=0).sum() for x, lam, *_ in results])
    cov, few = x.T @ x / len(x), len(names) <= 5
    covariance = fig.MatrixPanel(cov, names, names, numbers=few, title="Covariance")
    planes = fig.on_one_scale(
        _plane(results[0], "Y once"), _plane(results[int(copies)], f"Y {_times(copies)}")
    )
    ks, of_xs = np.arange(MOST_COPIES + 1.0), np.array([result[-1] for result in results])
    both, mark = {"share of the variance": shares, "share of X": of_xs}, int(copies)
    curves = fig.CurvesPanel(ks, both, "copies of Y", "first axis", (mark, f"{mark}"), percent=True)
    weights = fig.BarsPanel(names, u[:, 0], "weight", title="Weights of the first axis")
    a, b = results[0][0].var(axis=0)
    enough = int(np.floor(a / b + 1e-9)) if b > 0 else MOST_COPIES + 1
    when = "even without a copy" if enough == 0 else f"with {count(enough, 'copy', 'copies')}"
    now, key = percent(of_x, 0), "blue: first axis, red: second axis, both two deviations long"
    note = f"first axis: {percent(shares[mark], 0)} of the variance, {now} X"
    return fig.LessonPicture(
        fig.Drawing("Copies count double", (planes,), note, key=key),
        fig.Drawing("Why the axis turns", ((covariance, weights, curves),)),
        {"lam": lam, "first": np.abs(u[:, 0]), "of_x": of_x},
        {
            "enough": when if enough <= MOST_COPIES else "with no number of copies shown here",
            "now": now,
            "values": f"{four_digits(a)} and {four_digits(b)}",
        },
    )


def _times(copies: float) -> str:
    return f"{copies + 1:.0f} times" if copies else "once"


def _plane(result: Stretched, title: str) -> fig.PlanePanel:
    """Draw the points, stretched along Y by the copies, with their axes."""
    x, lam, u, _ = result
    # Y and its copies share an axis of the plot: their sum divided by √m
    arms = 2 * np.sqrt(np.maximum(lam, 0)) * u
    at, arms = (
        np.column_stack([rows[:, 0], rows[:, 1:].sum(axis=1) / np.sqrt(x.shape[1] - 1)])
        for rows in (x, arms.T)
    )
    layers: list[fig.Layer] = [fig.Dots(at, small=True), fig.arrows(arms[:1], words="first")]
    if lam[1] > 1e-10 * lam[0]:
        layers.append(fig.arrows(arms[1:], "contrast"))
    y = "Y" if x.shape[1] == 2 else "Y and its copies: sum / √m"
    return fig.PlanePanel(tuple(layers), "X", y, title=title)


LISTING = """\
noises = np.random.default_rng(0).normal(size=(len(x), 8))
added = noise * x[:, 1].std() * noises[:, : int(copies)]
x = np.hstack([x, x[:, [1]] + added])  # X, Y, and copies of Y
x = x - x.mean(axis=0)
deviation = x.std(axis=0)
deviation[deviation <= 1e-9 * deviation.max()] = 1
if standardised:
    x = x / deviation
lam, u = np.linalg.eigh(x.T @ x / len(x))
lam, u = lam[::-1][:2], u[:, ::-1][:, :2]  # the largest first
u = u * np.sign(u[np.abs(u).round(6).argmax(axis=0), [0, 1]])
first = abs(u[:, 0])
of_x = first[0] ** 2
print("variances along the first two axes:", lam.round(3))
print(f"X makes up {of_x:.1%} of the first axis")
"""

LESSON = Lesson(
    name="copies",
    title="Copies count double",
    line="Repeated features turn the axes",
    group="Scale",
    see=(
        "The variances of X and Y are {values}.",
        "Each copy of Y adds its variance once more, as if the points were **stretched** along Y "
        "by √*m*.",
        "So the first axis turns from X to Y (now {now} X), although **nothing new** was measured.",
    ),
    formula="λ = ½ (*a* + *mb* ± √((*a* − *mb*)² + 4*mc*²))",
    why=(
        "*a* and *b* are the variances of X and Y, *c* is their covariance. Y appears *m* times. "
        "Equal columns vary only along (1, …, 1)/√*m*, with the variance *mb*. When *mb* exceeds "
        "*a*, this direction comes first. The other *m* − 1 directions have no variance."
    ),
    steps=(
        Step("With four copies, the first axis is Y.", {"copies": 4}),
        Step("Remove the copies and add them one by one: Y comes first {enough}.", {"copies": 0}),
        Step("Standardise the features: one copy is enough.", {"copies": 1, "standardised": True}),
        Step("Add noise to the copies: the first axis keeps less variance.", {"noise": 2}),
    ),
    question=Question(
        "Y is written down five times. What happens to the first axis?",
        ("nothing: there is nothing new", "it turns to Y", "it turns to X"),
        1,
    ),
    subjects=("pair", "cloud"),
    controls=(
        Slide(
            "copies", "Copies of Y", "how many copies of Y are added", 4, 0, MOST_COPIES, plays=True
        ),
        Slide(
            "noise", "Noise of the copies", "noise in each copy, in deviations of Y", 0.0, 0, 2, 0.1
        ),
        Flag(
            "standardised",
            "standardised",
            "every feature is divided by its deviation",
            default=False,
        ),
    ),
    prepare=lambda points, _tick: require_variance(points).values,
    picture=picture,
    listing=LISTING,
)
