"""Lesson: components depend on the units, unless every feature is divided by its deviation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import no_zeros, principal_axes
from eigenfaces.lessons.lesson import Lesson, slide, told
from eigenfaces.lessons.subjects import Cloud, Subject, varied
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_FACTORS = 10 ** np.arange(0, 3.01, 0.1)
_UNITS = {1: "m", 10: "dm", 100: "cm", 1000: "mm"}

Axes = tuple[Doubles, Doubles]
"""Axes (r, d), and the variances along them (r,)."""


@dataclass(frozen=True, eq=False)
class ToScale:
    """Points or pictures (m, d) that are shown, and the moments of all.

    ``column`` is the feature whose unit changes; ``standard`` the axes of the standardised values;
    ``weights`` (p,) the share that the feature has in the first axis, over `_FACTORS`.
    """

    subject: Subject
    shown: Doubles
    mean: Doubles
    covariance: Doubles
    column: int
    standard: Axes
    weights: Doubles

    def factors(self, factor: float) -> Doubles:
        """Return by how much each feature (d,) is multiplied."""
        return np.where(np.arange(len(self.mean)) == self.column, factor, 1.0)

    def axes(self, factor: float) -> Axes:
        """Return the axes of the values in these units, and their variances."""
        factors = self.factors(factor)
        return principal_axes(self.covariance * np.outer(factors, factors))

    @property
    def feature(self) -> str:
        """The name of the feature whose unit changes, without its unit."""
        if isinstance(self.subject, Cloud):
            return self.subject.columns[self.column].partition(" (")[0]
        row, column = np.unravel_index(self.column, self.subject.shape)[:2]
        return f"the pixel in row {row + 1}, column {column + 1}"

    def named(self, factor: float) -> str:
        """Return the feature in its unit, like “height (cm)”."""
        metres = isinstance(self.subject, Cloud) and "(m)" in self.subject.columns[self.column]
        if metres and factor in _UNITS:
            return f"{self.feature} ({_UNITS[int(factor)]})"
        times = f" × {factor:.3g}" if factor != 1 else ""
        return f"{self.feature}{' (m)' if metres else ''}{times}"


def prepare(subject: Subject, tick: Tick) -> ToScale:
    """Return what is needed for any unit."""
    values = varied(subject.values)
    mean = values.mean(axis=0)
    covariance = (values - mean).T @ (values - mean) / len(values)
    deviations = no_zeros(np.sqrt(np.diag(covariance)))
    column = int(np.argsort(values.std(axis=0))[max(values.shape[1] // 2 - 1, 0)])
    shown = values[:: max(len(values) // 5, 1)] if isinstance(subject, ImageSet) else values
    standard = principal_axes(covariance / np.outer(deviations, deviations))
    made = ToScale(subject, shown, mean, covariance, column, standard, np.zeros(0))
    weights = []
    for number, factor in enumerate(_FACTORS):
        tick(number, len(_FACTORS))
        weights.append(made.axes(factor)[0][0, column] ** 2)
    return replace(made, weights=np.array(weights))


def picture(ready: ToScale, factor: float = 1.0, k: float = 1) -> fig.LessonPicture:
    """Return the axes as measured and standardised, and points put back from k of them."""
    factors, (standard, correlations) = ready.factors(factor), ready.standard
    now = axes, variances = ready.axes(factor)
    x, mean = ready.shown * factors, ready.mean * factors
    deviations = no_zeros(np.sqrt(np.diag(ready.covariance)) * factors)
    first, few = axes[: int(k)], standard[: int(k)]
    kept = (x - mean) @ first.T @ first + mean
    z = (x - mean) / deviations
    back = z @ few.T @ few * deviations + mean  # first σ, then the mean
    share, always = variances[0] / variances.sum(), correlations[0] / correlations.sum()
    of_feature = [float(each[0, ready.column] ** 2) for each in (axes, standard)]
    named, points = ready.named(factor), isinstance(ready.subject, Cloud)
    stays = np.full(len(_FACTORS), of_feature[1])
    curves = (
        fig.DrawnCurve("covariance", _FACTORS, ready.weights),
        fig.DrawnCurve("correlation", _FACTORS, stays, "good", dashed=True),
    )
    y = f"{ready.feature}: share of the first axis" if points else "its share of the first axis"
    panel = fig.CurvesPanel(
        curves, "the feature is multiplied by", y, (factor, named), log_x=True, percent=True
    )
    if isinstance(ready.subject, Cloud):
        rows = _of_points(ready, named, (x, kept, back), mean, deviations, now)
    else:
        missing = (back - mean) / deviations + mean
        rows = _of_pictures(ready, ready.subject.shape, now, [x, kept, back, missing], factors)
    held = f"it holds {percent(share, 0)} of the variance; standardised {percent(always, 0)}"
    key = "blue: first axis, red: second; blue dots: put back" if points else ""
    return fig.LessonPicture(
        fig.Drawing("Covariance against correlation", rows, f"{named}; k = {int(k)}", key=key),
        fig.Drawing("Whose direction is the first?", ((panel,),), held),
        {
            "first": np.abs(axes[0]),
            "first_standardised": np.abs(standard[0]),
            "share": share,
            "put_back": back[0],
        },
        {
            "feature": ready.feature,
            "now": percent(of_feature[0], 0),
            "always": percent(of_feature[1], 0),
        },
    )


def _of_points(
    ready: ToScale,
    named: str,
    points: tuple[Doubles, Doubles, Doubles],
    mean: Doubles,
    deviations: Doubles,
    now: Axes,
) -> tuple[tuple[fig.Panel, ...], ...]:
    """Return points with their axes, standardised, and both put back."""
    assert isinstance(ready.subject, Cloud)
    (x, kept, back), columns = points, ready.subject.columns
    names = [named if i == ready.column else each for i, each in enumerate(columns)]
    without = [f"{each.partition(' (')[0]} / σ" for each in columns]
    arms, crosses = (np.sqrt(lam)[:, None] * axes for axes, lam in (now, ready.standard))
    z, put_back = ((each - mean) / deviations for each in (x, back))
    last = _plane("Put back: × σ, + mean", (x, back), mean, crosses * deviations, names)
    return (
        (
            _plane("As measured", (x, kept), mean, arms, names),
            _plane("Standardised", (z, put_back), np.zeros_like(mean), crosses, without),
            replace(last, equal=False, span=None),
        ),
    )


def _plane(
    title: str, points: tuple[Doubles, Doubles], middle: Doubles, arms: Doubles, names: list[str]
) -> fig.PlanePanel:
    inks: tuple[fig.Ink, ...] = ("main", "contrast")
    reach = 1.1 * float(np.abs(points[0] - middle).max())
    first, second = ((at - reach, at + reach) for at in middle[:2].tolist())
    start = middle[None, :2]
    axes = [
        fig.Strokes(start, start + 2 * arm[:2], ink, arrow=True)
        for arm, ink in zip(arms, inks, strict=False)
    ]
    dots = (
        fig.Dots(points[0][:, :2], small=True),
        fig.Dots(points[1][:, :2], "main", small=True),
    )
    return fig.PlanePanel((*dots, *axes), names[0], names[1], (first, second), title=title)


def _of_pictures(
    ready: ToScale, shape: tuple[int, ...], now: Axes, rebuilt: list[Doubles], factors: Doubles
) -> tuple[tuple[fig.Panel, ...], ...]:
    """Return the components by covariance and correlation, and pictures put back from each."""
    components = []
    for title, (axes, lam) in (("By covariance", now), ("By correlation", ready.standard)):
        words = tuple(percent(each / lam.sum(), 0) for each in lam[:6])
        components.append(fig.pictures(axes[:6], shape, title, 3, signed=True, words=words))
    titles = ("As they are", "Covariance", "Correlation", "Without × σ")
    return tuple(components), tuple(
        fig.pictures(each[:4] / factors, shape, title, 2)
        for title, each in zip(titles, rebuilt, strict=True)
    )


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
see: What was divided is put back in the opposite order: first times **σ**, then plus the **mean**.
formula: *z* = (*x* − *m*) / σ,   *x̂* = σ · *VV*ᵀ*z* + *m*
why: In another unit, *Dx*, the covariance is *D*Σ*D*: a hundred times the number is ten thousand
    times the variance, and the first axis goes where variance is. The deviations become *D*σ, so
    *z* and its correlations are the same. Where all features have one unit, as pixels do, dividing
    weighs quiet ones up to loud ones.
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
    **told(WORDS),
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
