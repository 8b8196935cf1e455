"""Lesson: components depend on units unless each feature is divided by its standard deviation."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import principal_axes
from eigenfaces.lessons.lesson import Lesson, Question, Slide, Step
from eigenfaces.lessons.own_table import biplot
from eigenfaces.lessons.subjects import require_variance
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_FACTORS = 10 ** np.arange(0, 3.01, 0.2)
_UNITS = {1: "m", 10: "dm", 100: "cm", 1000: "mm"}

Axes = tuple[Doubles, Doubles]
"""Variances (d,) in decreasing order, and directions (d, d) in columns."""


def standardise(x: Doubles, factor: float) -> tuple[Doubles, Doubles, Doubles, Axes, Axes]:
    """Return the rescaled points (n, d), deviations, standardised points, and axes of each set."""
    column = x.std(axis=0).argmin()  # the one whose unit changes
    x = x * np.where(np.arange(x.shape[1]) == column, factor, 1)
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    z = (x - mean) / np.where(deviation > 0, deviation, 1)
    return x, deviation, z, principal_axes(x), principal_axes(z)


@lru_cache(1)
def _shares(points: Cloud) -> Doubles:
    """For each factor, return the least variable column's share of the first axis."""
    column = int(points.values.std(axis=0).argmin())
    units = np.where(np.arange(points.values.shape[1]) == column, _FACTORS[:, None], 1)  # each D
    covariances = units[:, :, None] * np.cov(points.values.T, bias=True) * units[:, None]
    shares: Doubles = np.linalg.eigh(covariances)[1][:, column, -1] ** 2
    return shares


def picture(subject: Cloud, factor: float, k: float) -> fig.LessonPicture:
    """Draw the points, as measured and standardised, with their axes and reconstructions."""
    column = int(subject.values.std(axis=0).argmin())
    x, deviation, z, (lam, u), (rho, v) = standardise(subject.values, factor)
    mean, few, few_z = x.mean(axis=0), u[:, : int(k)], v[:, : int(k)]
    kept, kept_z = (x - mean) @ few @ few.T + mean, z @ few_z @ few_z.T
    back = kept_z * deviation + mean  # first σ, then the mean
    now, always = float(u[column, 0] ** 2), float(v[column, 0] ** 2)
    feature, _, unit = subject.columns[column].partition(" (")
    named = f"{feature} × {factor:.3g}" if factor != 1 else feature
    if unit == "m)" and factor in _UNITS:
        named = f"{feature} ({_UNITS[int(factor)]})"
    names = [named if at == column else name for at, name in enumerate(subject.columns)]
    scaled = [f"{name.partition(' (')[0]} / σ" for name in names]
    row = (
        _plane("As measured", (x, kept), mean, (np.sqrt(lam) * u).T, names),
        _plane("Standardised", (z, kept_z), np.zeros_like(mean), (np.sqrt(rho) * v).T, scaled),
    )
    key = "blue: first axis, red: second axis; blue dots: rebuilt"
    if len(names) > 2:  # a table of the user's own
        row = (
            _biplot("As measured", (x - mean) @ u, lam, u, names, int(k), column),
            _biplot("Standardised", z @ v, rho, v, scaled, int(k), column),
        )
        key = f"arrows: the columns, red: {named}; blue dots: rebuilt"
    constant = np.full(len(_FACTORS), always), "good"
    curves = {"covariance": _shares(subject), "correlation": constant}
    titles = "the feature is multiplied by", f"share of {feature} in the first axis"
    panel = fig.CurvesPanel(_FACTORS, curves, *titles, (factor, named), log_x=True, percent=True)
    first = (percent(variances[0] / variances.sum(), 0) for variances in (lam, rho))
    note = "first axis: {} of the variance; standardised: {}".format(*first)
    return fig.LessonPicture(
        fig.Drawing("Covariance and correlation", (row,), f"{named}; k = {int(k)}", key=key),
        fig.Drawing("Which feature is the first axis?", ((panel,),), note),
        {
            "first": np.abs(u[:, 0]),
            "first_standardised": np.abs(v[:, 0]),
            "share": lam[0] / lam.sum(),
            "put_back": back[0],
        },
        {"feature": feature, "now": percent(now, 0), "always": percent(always, 0)},
    )


def _plane(
    title: str, points: tuple[Doubles, Doubles], middle: Doubles, arms: Doubles, names: list[str]
) -> fig.PlanePanel:
    """Draw points and their reconstructions, with the axes as arrows from the mean."""
    reach = 1.1 * float(np.abs(points[0] - middle).max())
    x, y = ((at - reach, at + reach) for at in middle[:2].tolist())
    dots = (fig.Dots(points[0][:, :2], small=True), fig.Dots(points[1][:, :2], "main", small=True))
    inks: tuple[fig.Ink, ...] = ("main", "contrast")
    start, layers = middle[None, :2], list[fig.Layer](dots)
    for arm, ink in zip(arms, inks, strict=False):
        layers.append(fig.Strokes(start, start + 2 * arm[:2], ink, arrow=True))
    return fig.PlanePanel(tuple(layers), names[0], names[1], (x, y), title=title)


def _biplot(
    title: str, scores: Doubles, lam: Doubles, u: Doubles, names: list[str], k: int, column: int
) -> fig.PlanePanel:
    """Draw points with more than two columns along their first two axes."""
    back = np.where(np.arange(2) < k, scores[:, :2], 0)
    dots = (fig.Dots(scores[:, :2], small=True), fig.Dots(back, "main", small=True))
    axes = (
        f"axis {at} ({percent(share, 0)})"
        for at, share in zip((1, 2), lam / lam.sum(), strict=False)
    )
    x, y = axes
    loadings = u[:, :2] * np.sqrt(np.maximum(lam[:2], 0))
    return biplot(dots, loadings, tuple(names), column, x=x, y=y, title=title)


LISTING = """\
column = x.std(axis=0).argmin()  # the one whose unit changes
x = x * np.where(np.arange(x.shape[1]) == column, factor, 1)
mean, deviation = x.mean(axis=0), x.std(axis=0)
z = (x - mean) / np.where(deviation > 0, deviation, 1)
(lam, u), (rho, v) = (np.linalg.eigh(np.cov(points.T, bias=True)) for points in (x, z))
lam, u, rho, v = lam[::-1], u[:, ::-1], rho[::-1], v[:, ::-1]  # the largest first
share, first, first_standardised = lam[0] / lam.sum(), abs(u[:, 0]), abs(v[:, 0])
kept = v[:, : int(k)]
put_back = z[0] @ kept @ kept.T * deviation + mean  # first σ, then the mean
print(f"the feature's share in the first axis: {first[column]**2:.3f}")
print(f"standardised, in any unit: {first_standardised[column]**2:.3f}")
"""

LESSON = Lesson(
    name="scale",
    title="Scale",
    line="Change a unit and watch the axes",
    group="Scale",
    see=(
        "Only the unit of one feature changes ({feature}), but the axes of the covariance turn: "
        "this feature makes up {now} of the first axis.",
        "Divided by its deviation **σ**, a feature has no unit, so the axes of the correlation "
        "stay the same ({always}).",
        "To undo the scaling, first multiply by **σ**, then add the **mean**.",
    ),
    formula="*z* = (*x* − *m*) / σ,   *x̂* = σ · *VV*ᵀ*z* + *m*",
    why=(
        "In another unit, *Dx*, the covariance is *D*Σ*D*. Numbers a hundred times as large have "
        "ten thousand times the variance, and the first axis turns to the most variance. The "
        "deviations become *D*σ, so *z* and its correlations stay the same. If all features have "
        "one unit, as pixels do, scaling makes quiet features as loud as the others."
    ),
    steps=(
        Step("In metres, height hardly varies: the first axis is weight.", {"factor": 1}),
        Step("In centimetres, both features matter.", {"factor": 100}),
        Step("In millimetres, height takes over.", {"factor": 1000}),
        Step("Rebuild the points from both axes: nothing is lost.", {"factor": 1000, "k": 2}),
    ),
    question=Question(
        "Heights are given in millimetres instead of metres. What happens to the first axis?",
        ("nothing", "it turns", "it grows longer"),
        1,
    ),
    subjects=("bodies", "own-table"),
    controls=(
        Slide(
            "factor",
            "Multiplied by",
            "the factor of one feature: 100 turns m into cm",
            1.0,
            1,
            1000,
            0.1,
            powers=True,
            plays=True,
        ),
        Slide("k", "Components k", "how many components rebuild the points", 1, 0, 2),
    ),
    prepare=lambda points, _tick: require_variance(points),
    picture=picture,
    listing=LISTING,
    limits=lambda points: {"k": len(points.columns)},
)
