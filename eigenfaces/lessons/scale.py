"""Lesson: components depend on the units, unless every feature is divided by its deviation."""

from __future__ import annotations

import numpy as np

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import principal_axes
from eigenfaces.lessons.lesson import Lesson, Slide, read_words
from eigenfaces.lessons.subjects import Cloud
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_FACTORS = 10 ** np.arange(0, 3.01, 0.1)
_UNITS = {1: "m", 10: "dm", 100: "cm", 1000: "mm"}
_ROUNDING = 1e-9  # of the largest deviation: a smaller one is none, and nothing is divided by it


def picture(subject: Cloud, factor: float = 1.0, k: float = 1) -> fig.LessonPicture:
    """Return the axes as measured and standardised, and points put back from k of them."""
    k, values = int(k), subject.values
    column = int(values.std(axis=0).argmin())

    def in_units(factor: float) -> tuple[Doubles, Doubles, Doubles]:  # the points, axes, variances
        x = values * np.where(np.arange(values.shape[1]) == column, factor, 1.0)
        away = x - x.mean(axis=0)
        return x, *principal_axes(away.T @ away / len(x))

    x, axes, variances = in_units(factor)
    mean, deviations = x.mean(axis=0), x.std(axis=0)
    deviations = np.where(deviations > _ROUNDING * deviations.max(), deviations, 1.0)
    z = (x - mean) / deviations
    standard, correlations = principal_axes(z.T @ z / len(z))
    kept = (x - mean) @ axes[:k].T @ axes[:k] + mean
    kept_z = z @ standard[:k].T @ standard[:k]
    back = kept_z * deviations + mean  # first σ, then the mean
    now, always = float(axes[0, column] ** 2), float(standard[0, column] ** 2)
    feature, _, unit = subject.columns[column].partition(" (")
    named = f"{feature} × {factor:.3g}" if factor != 1 else feature
    if unit == "m)" and factor in _UNITS:
        named = f"{feature} ({_UNITS[int(factor)]})"
    names = [named if at == column else name for at, name in enumerate(subject.columns)]
    scaled = [f"{name.partition(' (')[0]} / σ" for name in names]
    arms = np.sqrt(variances)[:, None] * axes
    arms_z = np.sqrt(correlations)[:, None] * standard
    row = (
        _plane("As measured", (x, kept), mean, arms, names),
        _plane("Standardised", (z, kept_z), np.zeros_like(mean), arms_z, scaled),
    )
    shares = np.array([in_units(at)[1][0, column] ** 2 for at in _FACTORS])
    curves = {"covariance": shares, "correlation": (np.full(len(_FACTORS), always), "good")}
    titles = "the feature is multiplied by", f"{feature}: share of the first axis"
    panel = fig.CurvesPanel(_FACTORS, curves, *titles, (factor, named), log_x=True, percent=True)
    first = (percent(lam[0] / lam.sum(), 0) for lam in (variances, correlations))
    note = "it keeps {} of the variance; standardised, {}".format(*first)
    key = "blue: first axis, red: second; blue dots: put back"
    return fig.LessonPicture(
        fig.Drawing("Covariance against correlation", (row,), f"{named}; k = {k}", key=key),
        fig.Drawing("Whose direction is the first?", ((panel,),), note),
        {
            "first": np.abs(axes[0]),
            "first_standardised": np.abs(standard[0]),
            "share": variances[0] / variances.sum(),
            "put_back": back[0],
        },
        {"feature": feature, "now": percent(now, 0), "always": percent(always, 0)},
    )


def _plane(
    title: str, points: tuple[Doubles, Doubles], middle: Doubles, arms: Doubles, names: list[str]
) -> fig.PlanePanel:
    """Return points and what is put back of them, with the axes as arrows from the middle."""
    reach = 1.1 * float(np.abs(points[0] - middle).max())
    x, y = ((at - reach, at + reach) for at in middle[:2].tolist())
    dots = (fig.Dots(points[0][:, :2], small=True), fig.Dots(points[1][:, :2], "main", small=True))
    inks: tuple[fig.Ink, ...] = ("main", "contrast")
    start, layers = middle[None, :2], list[fig.Layer](dots)
    for arm, ink in zip(arms, inks, strict=False):
        layers.append(fig.Strokes(start, start + 2 * arm[:2], ink, arrow=True))
    return fig.PlanePanel(tuple(layers), names[0], names[1], (x, y), title=title)


LISTING = """\
column = x.std(axis=0).argmin()  # the one whose unit changes
x = x * np.where(np.arange(x.shape[1]) == column, factor, 1)
mean, deviation = x.mean(axis=0), x.std(axis=0)
deviation[deviation <= 1e-9 * deviation.max()] = 1
z = (x - mean) / deviation
lam, u = np.linalg.eigh(np.cov(x.T, bias=True))
share = lam[-1] / lam.sum()
first = abs(u[:, -1])
v = np.linalg.eigh(np.cov(z.T, bias=True))[1][:, ::-1]
first_standardised = abs(v[:, 0])
kept = v[:, : int(k)]
put_back = z[0] @ kept @ kept.T * deviation + mean  # first σ, then the mean
print(f"the feature's share of the first axis: {first[column]**2:.3f}")
print(f"standardised, in any unit: {first_standardised[column]**2:.3f}")
"""

WORDS = """
title: Scale
line: Change a unit and watch
group: Scale
see: Only the unit of one feature changes ({feature}), and the axes of the covariance turn: it makes
    up {now} of the first.
see: Divided by its deviation **σ** no feature has a unit: the axes of the correlation stay
    ({always}).
see: To undo it, go backwards: first multiply by **σ**, then add the **mean**.
formula: *z* = (*x* − *m*) / σ,   *x̂* = σ · *VV*ᵀ*z* + *m*
why: In another unit, *Dx*, the covariance is *D*Σ*D*: a hundred times the number is ten thousand
    times the variance, and the first axis goes where variance is. The deviations become *D*σ, so
    *z* and its correlations are the same. Where all features have one unit, as pixels do, dividing
    makes quiet ones as loud as all others.
try: Run from metres (× 1) to millimetres (× 1,000): where do both weigh the same?
try: Set k to 0, 1 and 2: what is put back of the points, as measured and standardised?
set factor: what one feature is multiplied by: metres, by 100, are centimetres
set k: how many components the points are put back from
press × 1: The feature in its unit
press × 100: Multiply the feature by 100
press × 1,000: Multiply the feature by 1,000
"""

LESSON = Lesson(
    **read_words(WORDS),
    name="scale",
    subjects=("bodies",),
    fields=(
        Slide("factor", "Multiplied by", 1, 1000, 0.1, powers=True, plays=True),
        Slide("k", "Components k", 0, 2, whole=True),
    ),
    prepare=lambda subject, _tick: subject,
    picture=picture,
    listing=LISTING,
    buttons={"× 1": {"factor": 1}, "× 100": {"factor": 100}, "× 1,000": {"factor": 1000}},
)
