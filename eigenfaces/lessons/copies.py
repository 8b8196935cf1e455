"""Lesson: a feature that is there m times counts m times, and turns the axes towards itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed, no_zeros
from eigenfaces.lessons.figures import around_zero, arrows
from eigenfaces.lessons.lesson import Lesson, Suggestion, flag, slide
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, number, percent

MOST_COPIES = 8


@dataclass(frozen=True)
class CopiesSettings:
    """How many copies of Y are added, their noise in its deviations, and whether all are scaled."""

    copies: float = slide(0, "Copies of Y", 0, MOST_COPIES, whole=True, plays=True)
    noise: float = slide(0.0, "Noise of the copies", 0, 2, step=0.1)
    standardised: bool = flag(False, "standardised")


def points_of(subject: Subject, _tick: Tick) -> Doubles:
    """Return the points (n, 2)."""
    if subject.values.shape[1] != 2:
        raise EigenfacesError("This lesson needs two features, X and Y. Choose points with two.")
    return subject.values


def with_copies(points: Doubles, settings: CopiesSettings) -> Doubles:
    """Return X, Y and its copies (n, 2 + copies), without their means."""
    drawn = np.random.default_rng(0).normal(size=(len(points), MOST_COPIES))
    noise = settings.noise * points[:, 1].std() * drawn[:, : int(settings.copies)]
    x = np.hstack([points, points[:, [1]] + noise])
    x = x - x.mean(axis=0)
    return x / no_zeros(x.std(axis=0)) if settings.standardised else x


def picture(points: Doubles, settings: CopiesSettings) -> fig.LessonPicture:
    """Return the points, as wide in Y as it counts, the axes, and both over the copies."""
    x = with_copies(points, settings)
    found = decomposed(x)
    names = ("X", "Y", *(f"Y{each}" for each in range(2, x.shape[1])))
    first, share = np.abs(found.components[0]), found.variances[0] / found.variances.sum()
    of_x = percent(float(first[0] ** 2), 0)
    a, b = with_copies(points, replace(settings, copies=0)).var(axis=0)
    enough = int(np.floor(a / b + 1e-9)) if b > 0 else MOST_COPIES + 1
    when = "already without a copy" if enough == 0 else f"with {count(enough, 'copy', 'copies')}"
    covariance = fig.MatrixPanel(
        title="Covariance",
        values=x.T @ x / len(x),
        rows=names,
        columns=names,
        numbers=len(names) <= 5,
    )
    weights = fig.BarsPanel(
        title="Weights of the first axis", names=names, values=found.components[0], y="weight"
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Copies count double",
            note="Y is there " + (count(len(names) - 1, "time") if len(names) > 2 else "once"),
            rows=((_plane(x, found), covariance),),
            key="blue: first axis, red: second; two deviations, as far as they lie in this plane",
        ),
        lower=fig.Drawing(
            heading="Weights, and variances over the copies",
            note=f"first axis: {percent(share, 0)} of all, {of_x} X",
            rows=((weights, _curves(points, settings)),),
        ),
        numbers={"lam": found.variances[:2], "first": first, "of_x": first[0] ** 2},
        words={
            "enough": when if enough <= MOST_COPIES else "with no number of copies here",
            "now": of_x,
            "values": f"{number(a)} and {number(b)}",
        },
    )


def _together(x: Doubles) -> Doubles:
    """Return X, and what Y and its copies come to: their sum over √m."""
    return np.column_stack([x[:, 0], x[:, 1:].sum(axis=1) / np.sqrt(x.shape[1] - 1)])


def _plane(x: Doubles, found: Decomposed) -> fig.PlanePanel:
    at = _together(x)
    arms = _together(2 * np.sqrt(found.variances[:2, None]) * found.components[:2])
    return fig.PlanePanel(
        layers=(
            fig.Dots(at=at, small=True),
            arrows(arms[:1], words="first"),
            *(arrows(each[None], "contrast") for each in arms[1:]),
        ),
        x="X",
        y="Y and its copies: sum / √m",
        span=around_zero(at),
        weight=1.2,
    )


def _curves(points: Doubles, settings: CopiesSettings) -> fig.CurvesPanel:
    x = np.arange(MOST_COPIES + 1.0)
    each = [decomposed(with_copies(points, replace(settings, copies=many))) for many in x]
    share = np.array([found.variances[0] / found.variances.sum() for found in each])
    of_x = np.array([found.components[0, 0] ** 2 for found in each])
    return fig.CurvesPanel(
        curves=(
            fig.DrawnCurve(name="variance in the first axis", x=x, y=share),
            fig.DrawnCurve(name="X in the first axis", x=x, y=of_x, ink="contrast", dashed=True),
        ),
        x="copies of Y",
        y="share",
        percent=True,
        mark=(settings.copies, f"{int(settings.copies)}"),
    )


LISTING = """\
drawn = np.random.default_rng(0).normal(size=(len(x), 8))
added = noise * x[:, 1].std() * drawn[:, : int(copies)]
x = np.hstack([x, x[:, [1]] + added])  # X, Y, and copies of Y
x = x - x.mean(axis=0)
deviation = x.std(axis=0)
deviation[deviation <= 1e-9 * deviation.max()] = 1
if standardised:
    x = x / deviation
lam, u = np.linalg.eigh(x.T @ x / len(x))
lam = lam[::-1][:2]
first = abs(u[:, -1])
of_x = first[0] ** 2
print("variances along the first two axes:", lam.round(3))
print(f"X makes up {of_x:.1%} of the first axis")
"""

COPIES = Lesson(
    name="copies",
    title="Copies count double",
    line="Repeated features turn the axes",
    group="Scale",
    see=(
        "X and Y have nearly nothing to do with each other; their variances are {values}.",
        "Each copy of Y adds its variance once more, as if the points were <b>stretched</b> along "
        "Y by √<i>m</i>.",
        "So the first axis goes from X to Y ({now} X now), though <b>nothing new</b> was measured.",
    ),
    formula="λ = ½ (<i>a</i> + <i>mb</i> ± √((<i>a</i> − <i>mb</i>)² + 4<i>mc</i>²))",
    why=(
        "<i>a</i> and <i>b</i> are the variances of X and Y, <i>c</i> their covariance; Y is there "
        "<i>m</i> times. All equal columns move along one direction, (1, …, 1)/√<i>m</i>, with "
        "variance <i>mb</i>. Once <i>mb</i> exceeds <i>a</i> it is the first, and m − 1 directions "
        "are left with no variance at all."
    ),
    tries=(
        "Add copies one by one: Y is the first {enough}.",
        "Standardise: one copy is enough, as both then have a variance of 1.",
        "Give the copies noise: each says less of Y, and the axis turns back.",
        "Think of faces: which part of a picture is there many times?",
    ),
    subjects=("pair", "cloud"),
    settings=CopiesSettings(),
    about={
        "copies": "how often Y is added once more",
        "noise": "what is added to each copy, in deviations of Y: 0 copies it exactly",
        "standardised": "every feature is divided by its deviation",
    },
    prepare=points_of,
    picture=picture,
    listing=LISTING,
    suggestions=(Suggestion("Eight copies", "Add all of them", {"copies": MOST_COPIES}),),
)
