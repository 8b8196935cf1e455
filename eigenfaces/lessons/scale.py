"""Lesson: components depend on the units, unless every feature is divided by its deviation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import principal_axes
from eigenfaces.lessons.lesson import Lesson, read_words, slide
from eigenfaces.lessons.subjects import Cloud, Subject, varied
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_FACTORS = 10 ** np.arange(0, 3.01, 0.1)
_UNITS = {1: "m", 10: "dm", 100: "cm", 1000: "mm"}
_ROUNDING = 1e-9  # of the largest deviation: a smaller one is none, and nothing is divided by it


@dataclass(frozen=True, eq=False)
class ToScale:
    """What is needed for any unit of one feature; axes are (r, d), with variances (r,)."""

    subject: Subject
    x: Doubles  # (m, d) points or pictures that are shown
    mean: Doubles
    covariance: Doubles
    deviations: Doubles  # (d,) 1 where there is none
    column: int  # the feature whose unit changes
    standard: tuple[Doubles, Doubles]  # axes of the standardised values
    shares: Doubles  # (p,) what the feature makes up of the first axis, over `_FACTORS`

    def axes(self, factor: float) -> tuple[Doubles, Doubles]:
        """Return the axes of the values in these units, and their variances."""
        factors = np.where(np.arange(len(self.mean)) == self.column, factor, 1.0)
        return principal_axes(self.covariance * np.outer(factors, factors))

    def feature(self, factor: float | None = None) -> str:
        """Return the feature whose unit changes, with a factor in its unit: “height (cm)”."""
        if not isinstance(self.subject, Cloud):
            row, column = np.unravel_index(self.column, self.subject.shape)[:2]
            name, unit = f"the pixel in row {row + 1}, column {column + 1}", ""
        else:
            name, _, unit = self.subject.columns[self.column].partition(" (")
        if factor is None:
            return name
        if unit == "m)" and factor in _UNITS:
            return f"{name} ({_UNITS[int(factor)]})"
        times = f" × {factor:.3g}" if factor != 1 else ""
        return f"{name}{' (m)' if unit == 'm)' else ''}{times}"


def prepare(subject: Subject, tick: Tick) -> ToScale:
    """Return what is needed for any unit."""
    values = varied(subject.values)
    mean = values.mean(axis=0)
    covariance = (values - mean).T @ (values - mean) / len(values)
    deviations = np.sqrt(np.diag(covariance))
    deviations = np.where(deviations > _ROUNDING * deviations.max(), deviations, 1.0)
    column = int(np.argsort(values.std(axis=0))[max(values.shape[1] // 2 - 1, 0)])
    x = values[:: max(len(values) // 5, 1)] if isinstance(subject, ImageSet) else values
    standard = principal_axes(covariance / np.outer(deviations, deviations))
    ready = ToScale(subject, x, mean, covariance, deviations, column, standard, np.zeros(0))
    shares = []
    for number, factor in enumerate(_FACTORS):
        tick(number, len(_FACTORS))
        shares.append(ready.axes(factor)[0][0, column] ** 2)
    return replace(ready, shares=np.array(shares))


def picture(ready: ToScale, factor: float = 1.0, k: float = 1) -> fig.LessonPicture:
    """Return the axes as measured and standardised, and points put back from k of them."""
    k, column, subject = int(k), ready.column, ready.subject
    factors = np.where(np.arange(len(ready.mean)) == column, factor, 1.0)
    x, mean, deviations = (a * factors for a in (ready.x, ready.mean, ready.deviations))
    (axes, variances), (standard, correlations) = ready.axes(factor), ready.standard
    z = (x - mean) / deviations
    kept = (x - mean) @ axes[:k].T @ axes[:k] + mean
    kept_z = z @ standard[:k].T @ standard[:k]
    back = kept_z * deviations + mean  # first σ, then the mean
    now, always = float(axes[0, column] ** 2), float(standard[0, column] ** 2)
    named, key = ready.feature(factor), ""
    if isinstance(subject, Cloud):
        names = [named if i == column else name for i, name in enumerate(subject.columns)]
        scaled = [f"{name.partition(' (')[0]} / σ" for name in names]
        arms = np.sqrt(variances)[:, None] * axes
        arms_z = np.sqrt(correlations)[:, None] * standard
        last = _plane("Put back: × σ, + mean", (x, back), mean, arms_z * deviations, names)
        rows: tuple[tuple[fig.Panel, ...], ...] = (
            (
                _plane("As measured", (x, kept), mean, arms, names),
                _plane("Standardised", (z, kept_z), np.zeros_like(mean), arms_z, scaled),
                replace(last, equal=False, span=None),
            ),
        )
        y = f"{ready.feature()}: share of the first axis"
        key = "blue: first axis, red: second; blue dots: put back"
    else:
        shape, look = subject.shape, {"across": 3, "signed": True}
        both = (("covariance", axes, variances), ("correlation", standard, correlations))
        components = []
        for name, u, lam in both:
            words = tuple(percent(value / lam.sum(), 0) for value in lam[:6])
            components.append(fig.pictures(u[:6], shape, f"By {name}", words=words, **look))
        stages = {"As they are": x, "Covariance": kept, "Correlation": back}
        stages["Without × σ"] = kept_z + mean
        rows = (
            tuple(components),
            tuple(
                fig.pictures(stage[:4] / factors, shape, title, 2)
                for title, stage in stages.items()
            ),
        )
        y = "its share of the first axis"
    curves: dict[str, Any] = {"covariance": ready.shares}
    curves["correlation"] = np.full(len(_FACTORS), always), "good"
    look = {"log_x": True, "percent": True}
    x_title, mark = "the feature is multiplied by", (factor, named)
    panel = fig.curves(_FACTORS, curves, x_title, y, mark, **look)
    shares = (percent(lam[0] / lam.sum(), 0) for lam in (variances, correlations))
    note = "it keeps {} of the variance; standardised, {}".format(*shares)
    return fig.LessonPicture(
        fig.Drawing("Covariance against correlation", rows, f"{named}; k = {k}", key=key),
        fig.Drawing("Whose direction is the first?", ((panel,),), note),
        {
            "first": np.abs(axes[0]),
            "first_standardised": np.abs(standard[0]),
            "share": variances[0] / variances.sum(),
            "put_back": back[0],
        },
        {"feature": ready.feature(), "now": percent(now, 0), "always": percent(always, 0)},
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
column = np.argsort(x.std(axis=0))[x.shape[1] // 2 - 1]  # the one whose unit changes
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
try: Set k to 0, 1 and 2, of the digits to 20: which does the correlation put back worse?
try: Take the digits: by correlation a pixel at the edge counts as much as any other.
set factor: what one feature is multiplied by: metres, by 100, are centimetres
set k: how many components the points are put back from
press × 1: The feature in its unit
press × 100: Multiply the feature by 100
press × 1,000: Multiply the feature by 1,000
"""

LESSON = Lesson(
    **read_words(WORDS),
    name="scale",
    subjects=("bodies", "digits", "patches"),
    fields=(
        slide("factor", "Multiplied by", 1, 1000, 0.1, powers=True, plays=True),
        slide("k", "Components k", 0, 144, whole=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={"× 1": {"factor": 1}, "× 100": {"factor": 100}, "× 1,000": {"factor": 1000}},
    fitted=lambda ready: {"k": len(ready.standard[0])},
)
