"""Lesson: components depend on the units, unless every feature is divided by its deviation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    Ink,
    LessonPicture,
    Panel,
    PicturesPanel,
    PlanePanel,
    Strokes,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.decomposed import principal_axes
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion
from eigenfaces.laboratory.lessons.subjects import Cloud, Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, percent

NO_DEVIATION = 1e-9
"""A feature with less than this share of the largest deviation is constant, up to rounding."""

_POWERS = np.arange(0, 3.01, 0.1)
_COMPONENTS = 6
_UNITS = {0: "m", 1: "dm", 2: "cm", 3: "mm"}


@dataclass(frozen=True)
class ScaleSettings:
    """The power of ten by which one feature grows, and how many axes points are put back from."""

    power: float = 0.0
    k: float = 1


def _controls(most: int) -> tuple[Field, ...]:
    return (
        Slide(
            name="power",
            label="Unit",
            about="the power of ten by which one feature is multiplied: metres, at 2 centimetres",
            least=0,
            most=3,
            step=0.1,
            plays=True,
        ),
        Slide(
            name="k",
            label="Components k",
            about="how many components the points are put back from",
            least=0,
            most=most,
            whole=True,
        ),
    )


@dataclass(frozen=True, eq=False)
class ToScale:
    """Points or pictures (m, d) that are shown, and the moments of all.

    ``column`` is the feature whose unit changes; ``standard`` the axes (r, d) of the standardised
    values and their variances; ``weights`` (p,) the share that the feature has in the first axis,
    over `_POWERS`.
    """

    shown: Doubles
    mean: Doubles
    covariance: Doubles
    column: int
    standard: tuple[Doubles, Doubles]
    weights: Doubles
    names: tuple[str, ...]
    shape: tuple[int, ...] | None

    def factors(self, power: float) -> Doubles:
        """Return by how much each feature (d,) is multiplied."""
        return np.where(np.arange(len(self.mean)) == self.column, 10.0**power, 1.0)

    def axes(self, power: float) -> tuple[Doubles, Doubles]:
        """Return the axes (r, d) of the values in these units, and their variances."""
        factors = self.factors(power)
        return principal_axes(self.covariance * np.outer(factors, factors))

    def deviations(self, power: float) -> Doubles:
        """Return the standard deviations (d,), and 1 where there is none."""
        found = np.sqrt(np.diag(self.covariance)) * self.factors(power)
        return np.where(found > NO_DEVIATION * found.max(), found, 1.0)


def prepare(subject: Subject, tick: Tick) -> ToScale:
    """Return what is needed for any unit."""
    values = subject.values
    mean = values.mean(axis=0)
    x = values - mean
    covariance = x.T @ x / len(x)
    principal_axes(covariance, np.finfo(float).eps * float((values**2).sum()) / len(x))
    middle = np.argsort(values.std(axis=0))[max(values.shape[1] // 2 - 1, 0)]
    pictures = isinstance(subject, ImageSet)
    made = ToScale(
        shown=values[:: max(len(values) // 5, 1)] if pictures else values,
        mean=mean,
        covariance=covariance,
        column=int(middle),
        standard=(np.zeros(0), np.zeros(0)),
        weights=np.zeros(0),
        names=subject.columns if isinstance(subject, Cloud) else (),
        shape=subject.shape if isinstance(subject, ImageSet) else None,
    )
    deviations, weights = made.deviations(0), []
    for number, power in enumerate(_POWERS):
        tick(number, len(_POWERS))
        weights.append(made.axes(power)[0][0, made.column] ** 2)
    standard = principal_axes(covariance / np.outer(deviations, deviations))
    return replace(made, standard=standard, weights=np.array(weights))


def put_back(x: Doubles, axes: Doubles, mean: Doubles, deviations: Doubles) -> Doubles:
    """Return points (m, d) rebuilt from k axes (k, d): scaled back by σ, then the mean."""
    return ((x - mean) / deviations) @ axes.T @ axes * deviations + mean


def picture(ready: ToScale, settings: ScaleSettings) -> LessonPicture:
    """Return the axes as measured and standardised, and points put back from k of them."""
    axes, lam = ready.axes(settings.power)
    standard, correlations = ready.standard
    k = int(settings.k)
    x = ready.shown * ready.factors(settings.power)
    mean = ready.mean * ready.factors(settings.power)
    deviations = ready.deviations(settings.power)
    back = put_back(x, standard[:k], mean, deviations)
    rows = _pictures(ready, settings, back) if ready.shape else (_planes(ready, settings, back),)
    return LessonPicture(
        upper=Drawing(
            heading="Covariance against correlation",
            note=f"{_named(ready, settings.power)}; k = {k}",
            rows=rows,
            key="blue: first axis, red: second; blue dots: put back" if ready.shape is None else "",
        ),
        lower=Drawing(
            heading="Whose direction is the first?",
            note=f"it holds {percent(lam[0] / lam.sum(), 0)} of the variance; "
            f"standardised {percent(correlations[0] / correlations.sum(), 0)}",
            rows=((_curves(ready, settings.power),),),
        ),
        numbers={
            "first": np.abs(axes[0]),
            "first_standardised": np.abs(standard[0]),
            "share": lam[0] / lam.sum(),
            "put_back": back[0],
        },
        words={
            "feature": _feature(ready),
            "now": percent(float(axes[0, ready.column] ** 2), 0),
            "always": percent(float(standard[0, ready.column] ** 2), 0),
        },
    )


def _feature(ready: ToScale) -> str:
    """Return the name of the feature whose unit changes, without its unit."""
    if ready.shape is None:
        return ready.names[ready.column].partition(" (")[0]
    row, column = np.unravel_index(ready.column, ready.shape)[:2]
    return f"the pixel in row {row + 1}, column {column + 1}"


def _named(ready: ToScale, power: float) -> str:
    """Return the feature in its unit, like “height (cm)”."""
    name = _feature(ready)
    if power in _UNITS and ready.shape is None and ready.names[ready.column] == f"{name} (m)":
        return f"{name} ({_UNITS[int(power)]})"
    unit = " (m)" if ready.shape is None and ready.names[ready.column].endswith(" (m)") else ""
    return f"{name}{unit} × {10**power:.3g}" if power else f"{name}{unit}"


def _planes(ready: ToScale, settings: ScaleSettings, back: Doubles) -> tuple[Panel, ...]:
    power, k = settings.power, int(settings.k)
    x = ready.shown * ready.factors(power)
    mean, deviations = ready.mean * ready.factors(power), ready.deviations(power)
    axes, lam = ready.axes(power)
    standard, correlations = ready.standard
    ones, zero = np.ones_like(mean), np.zeros_like(mean)
    z = (x - mean) / deviations
    kept = put_back(x, axes[:k], mean, ones)
    names = [*ready.names]
    names[ready.column] = _named(ready, power)
    crosses = np.sqrt(correlations)[:, None] * standard
    return (
        _plane("As measured", (x, kept), (mean, np.sqrt(lam)[:, None] * axes), names),
        _plane(
            "Standardised",
            (z, put_back(z, standard[:k], zero, ones)),
            (zero, crosses),
            [f"{name.partition(' (')[0]} / σ" for name in ready.names],
        ),
        replace(
            _plane("Put back: × σ, + mean", (x, back), (mean, crosses * deviations), names),
            equal=False,
            span=None,
        ),
    )


def _plane(
    title: str,
    points: tuple[Doubles, Doubles],
    axes: tuple[Doubles, Doubles],
    names: list[str],
) -> PlanePanel:
    middle, arms = axes
    inks: tuple[Ink, ...] = ("main", "contrast")
    reach = 1.1 * float(np.abs(points[0] - middle).max())
    return PlanePanel(
        title=title,
        layers=(
            Dots(at=points[0][:, :2], small=True),
            Dots(at=points[1][:, :2], ink="main", small=True),
            *(
                Strokes(
                    start=middle[None, :2], end=(middle + 2 * arm)[None, :2], ink=ink, arrow=True
                )
                for arm, ink in zip(arms, inks, strict=False)
            ),
        ),
        x=names[0],
        y=names[1],
        span=(
            (float(middle[0]) - reach, float(middle[0]) + reach),
            (float(middle[1]) - reach, float(middle[1]) + reach),
        ),
    )


def _pictures(
    ready: ToScale, settings: ScaleSettings, back: Doubles
) -> tuple[tuple[Panel, ...], ...]:
    assert ready.shape is not None
    power, k, factors = settings.power, int(settings.k), ready.factors(settings.power)
    axes, lam = ready.axes(power)
    standard, correlations = ready.standard
    x, mean = ready.shown * factors, ready.mean * factors
    kept = put_back(x, axes[:k], mean, np.ones_like(mean))
    forgotten = (back - mean) / ready.deviations(power) + mean
    rebuilt = (("As they are", x), ("Covariance", kept), ("Correlation", back))
    return (
        (
            _components("By covariance", axes, lam, ready.shape),
            _components("By correlation", standard, correlations, ready.shape),
        ),
        tuple(
            PicturesPanel(
                title=title, pictures=(each[:4] / factors).reshape(-1, *ready.shape), across=2
            )
            for title, each in (*rebuilt, ("Without × σ", forgotten))
        ),
    )


def _components(title: str, axes: Doubles, lam: Doubles, shape: tuple[int, ...]) -> PicturesPanel:
    first = axes[:_COMPONENTS]
    return PicturesPanel(
        title=title,
        pictures=first.reshape(-1, *shape),
        across=3,
        signed=True,
        words=tuple(percent(each / lam.sum(), 0) for each in lam[: len(first)]),
    )


def _curves(ready: ToScale, power: float) -> CurvesPanel:
    always = np.full(len(_POWERS), ready.standard[0][0, ready.column] ** 2)
    name = _feature(ready)
    return CurvesPanel(
        curves=(
            DrawnCurve(name="covariance", x=_POWERS, y=ready.weights),
            DrawnCurve(name="correlation", x=_POWERS, y=always, ink="good", dashed=True),
        ),
        x="unit: the power of ten by which the feature is multiplied",
        y=f"{name}: share of the first axis"
        if ready.shape is None
        else "its share of the first axis",
        percent=True,
        mark=(power, _named(ready, power)),
    )


def _unit(power: float) -> Suggestion[ToScale, ScaleSettings]:
    return Suggestion(
        title=f"× {10**power:,.0f}",
        about=f"Multiply the feature by {10**power:g}",
        apply=lambda _ready, settings: replace(settings, power=power),
    )


LISTING = """\
column = np.argsort(x.std(axis=0))[x.shape[1] // 2 - 1]  # the one whose unit changes
x = x * np.where(np.arange(x.shape[1]) == column, 10**power, 1)
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

SCALE = Lesson(
    name="scale",
    title="Scale",
    line="Change a unit and watch",
    group="Scale",
    see=(
        "Only the unit of one feature changes ({feature}), and the axes of the covariance turn: "
        "it makes up {now} of the first.",
        "Divided by its deviation <b>σ</b> no feature has a unit: the axes of the correlation "
        "stay ({always}).",
        "What was divided is put back in the opposite order: first times <b>σ</b>, then plus the "
        "<b>mean</b>.",
    ),
    formula="<i>z</i> = (<i>x</i> − <i>m</i>) / σ,   <i>x̂</i> = σ · <i>VV</i>ᵀ<i>z</i> + <i>m</i>",
    why=(
        "In another unit, <i>Dx</i>, the covariance is <i>D</i>Σ<i>D</i>: a hundred times the "
        "number is ten thousand times the variance, and the first axis goes where variance is. "
        "The deviations become <i>D</i>σ, so <i>z</i> and its correlations are the same. Where all "
        "features have one unit, as pixels do, dividing weighs quiet ones up to loud ones."
    ),
    tries=(
        "Run from metres (× 1) to millimetres (× 1,000): where do both weigh the same?",
        "Set k to 0, 1 and 2, of the digits to 20: which does the correlation put back worse?",
        "Take the digits: by correlation a pixel at the edge counts as much as any other.",
    ),
    subjects=("bodies", "digits", "patches"),
    settings=ScaleSettings(),
    controls=_controls(144),
    fitted=lambda ready: _controls(len(ready.standard[0])),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(_unit(0.0), _unit(2.0), _unit(3.0)),
)
