"""Lesson: a feature that is there m times counts m times, and turns the axes towards itself."""

from __future__ import annotations

import numpy as np

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Lesson, flag, slide, source, told
from eigenfaces.lessons.subjects import varied
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, number, percent

MOST_COPIES = 8


def with_copies(
    x: Doubles, copies: float, noise: float, standardised: bool
) -> tuple[Doubles, Doubles, Doubles, Doubles, float]:
    """Return X, Y and copies less their means, two variances, axes, and of the first the weights.

    The last is the share of X in the first axis.
    """
    drawn = np.random.default_rng(0).normal(size=(len(x), 8))
    added = noise * x[:, 1].std() * drawn[:, : int(copies)]
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
    return x, lam, u, first, float(of_x)


def picture(
    points: Doubles, copies: float = 0, noise: float = 0.0, standardised: bool = False
) -> fig.LessonPicture:
    """Return the points, as wide in Y as it counts, the axes, and both over the copies."""
    over = [with_copies(points, each, noise, standardised) for each in range(MOST_COPIES + 1)]
    x, lam, u, first, of_x = over[int(copies)]
    names = ("X", "Y", *(f"Y{each}" for each in range(2, x.shape[1])))
    shares = np.array([lam[0] / (each**2).mean(axis=0).sum() for each, lam, *_ in over])
    now = percent(of_x, 0)
    a, b = over[0][0].var(axis=0)
    enough = int(np.floor(a / b + 1e-9)) if b > 0 else MOST_COPIES + 1
    when = "already without a copy" if enough == 0 else f"with {count(enough, 'copy', 'copies')}"
    covariance = fig.MatrixPanel(
        x.T @ x / len(x), names, names, numbers=len(names) <= 5, title="Covariance"
    )
    weights = fig.BarsPanel(names, u[:, 0], "weight", title="Weights of the first axis")
    ks, parts = np.arange(MOST_COPIES + 1.0), np.array([each[-1] for each in over])
    curves = (
        fig.DrawnCurve("variance in the first axis", ks, shares),
        fig.DrawnCurve("X in the first axis", ks, parts, "contrast", dashed=True),
    )
    mark, rows = (copies, f"{int(copies)}"), ((_plane(x, lam, u), covariance),)
    over_copies = fig.CurvesPanel(curves, "copies of Y", "share", mark, percent=True)
    times = count(len(names) - 1, "time") if len(names) > 2 else "once"
    key = "blue: first axis, red: second; two deviations, as far as they lie in this plane"
    below, said = "Weights, and variances over the copies", percent(shares[int(copies)], 0)
    note = f"first axis: {said} of all, {now} X"
    return fig.LessonPicture(
        fig.Drawing("Copies count double", rows, f"Y is there {times}", key=key),
        fig.Drawing(below, ((weights, over_copies),), note),
        {"lam": lam, "first": first, "of_x": of_x},
        {
            "enough": when if enough <= MOST_COPIES else "with no number of copies here",
            "now": now,
            "values": f"{number(a)} and {number(b)}",
        },
    )


def _plane(x: Doubles, lam: Doubles, u: Doubles) -> fig.PlanePanel:
    """Return X, and what Y and its copies come to: their sum over √m."""
    arms = 2 * np.sqrt(np.maximum(lam, 0)) * u
    at, arms = (
        np.column_stack([each[:, 0], each[:, 1:].sum(axis=1) / np.sqrt(x.shape[1] - 1)])
        for each in (x, arms.T)
    )
    layers = fig.Dots(at, small=True), fig.arrows(arms[:1], words="first")
    second = [fig.arrows(arms[1:], "contrast")] if lam[1] > 1e-10 * lam[0] else []
    y = "Y and its copies: sum / √m"
    return fig.PlanePanel((*layers, *second), "X", y, fig.around_zero(at), weight=1.2)


WORDS = """
title: Copies count double
line: Repeated features turn the axes
group: Scale
see: X and Y have nearly nothing to do with each other; their variances are {values}.
see: Each copy of Y adds its variance once more, as if the points were **stretched** along Y by
    √*m*.
see: So the first axis goes from X to Y ({now} X now), though **nothing new** was measured.
formula: λ = ½ (*a* + *mb* ± √((*a* − *mb*)² + 4*mc*²))
why: *a* and *b* are the variances of X and Y, *c* their covariance; Y is there *m* times. All equal
    columns move along one direction, (1, …, 1)/√*m*, with variance *mb*. Once *mb* exceeds *a* it
    is the first, and m − 1 directions are left with no variance at all.
try: Add copies one by one: Y is the first {enough}.
try: Standardise: one copy is enough, as both then have a variance of 1.
try: Give the copies noise: each says less of Y, and the axis turns back.
try: Think of faces: which part of a picture is there many times?
set copies: how often Y is added once more
set noise: what is added to each copy, in deviations of Y: 0 copies it exactly
set standardised: every feature is divided by its deviation
press Eight copies: Add all of them
"""

LESSON = Lesson(
    **told(WORDS),
    name="copies",
    subjects=("pair", "cloud"),
    fields=(
        slide("copies", "Copies of Y", 0, MOST_COPIES, whole=True, plays=True),
        slide("noise", "Noise of the copies", 0, 2, 0.1),
        flag("standardised", "standardised"),
    ),
    prepare=lambda points, _tick: varied(points.values),
    picture=picture,
    listing=source(
        with_copies,
        'print("variances along the first two axes:", lam.round(3))\n'
        'print(f"X makes up {of_x:.1%} of the first axis")',
    ),
    buttons={"Eight copies": {"copies": MOST_COPIES}},
)
