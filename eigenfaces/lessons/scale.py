"""Lesson: components depend on the units, unless every feature is divided by its deviation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import no_zeros, principal_axes
from eigenfaces.lessons.figures import pictures
from eigenfaces.lessons.lesson import Lesson, Suggestion, slide
from eigenfaces.lessons.subjects import Cloud, Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_POWERS = np.arange(0, 3.01, 0.1)
_UNITS = {0: "m", 1: "dm", 2: "cm", 3: "mm"}


@dataclass(frozen=True)
class ScaleSettings:
    """The power of ten by which one feature grows, and how many axes points are put back from."""

    power: float = slide(0.0, "Unit", 0, 3, step=0.1, plays=True)
    k: float = slide(1, "Components k", 0, 144, whole=True)


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

    @property
    def feature(self) -> str:
        """The name of the feature whose unit changes, without its unit."""
        if self.shape is None:
            return self.names[self.column].partition(" (")[0]
        row, column = np.unravel_index(self.column, self.shape)[:2]
        return f"the pixel in row {row + 1}, column {column + 1}"

    def named(self, power: float) -> str:
        """Return the feature in its unit, like “height (cm)”."""
        name = self.feature
        metres = self.shape is None and self.names[self.column].endswith(" (m)")
        if metres and power in _UNITS:
            return f"{name} ({_UNITS[int(power)]})"
        unit = " (m)" if metres else ""
        return f"{name}{unit} × {10**power:.3g}" if power else f"{name}{unit}"


def prepare(subject: Subject, tick: Tick) -> ToScale:
    """Return what is needed for any unit."""
    values = subject.values
    mean = values.mean(axis=0)
    x = values - mean
    covariance = x.T @ x / len(x)
    principal_axes(covariance, np.finfo(float).eps * float((values**2).sum()) / len(x))
    deviations = no_zeros(np.sqrt(np.diag(covariance)))
    middle = np.argsort(values.std(axis=0))[max(values.shape[1] // 2 - 1, 0)]
    made = ToScale(
        shown=values[:: max(len(values) // 5, 1)] if isinstance(subject, ImageSet) else values,
        mean=mean,
        covariance=covariance,
        column=int(middle),
        standard=principal_axes(covariance / np.outer(deviations, deviations)),
        weights=np.zeros(0),
        names=subject.columns if isinstance(subject, Cloud) else (),
        shape=subject.shape if isinstance(subject, ImageSet) else None,
    )
    weights = []
    for number, power in enumerate(_POWERS):
        tick(number, len(_POWERS))
        weights.append(made.axes(power)[0][0, made.column] ** 2)
    return replace(made, weights=np.array(weights))


@dataclass(frozen=True, eq=False)
class _InUnits:
    """What is shown (m, d) in some units, with its axes (r, d) and their variances.

    From k axes it is ``kept`` as measured, and put ``back`` standardised: first σ, then the mean.
    """

    x: Doubles
    mean: Doubles
    deviations: Doubles
    axes: Doubles
    variances: Doubles
    factors: Doubles
    kept: Doubles
    back: Doubles

    @classmethod
    def of(cls, ready: ToScale, power: float, k: int) -> _InUnits:
        factors, standard = ready.factors(power), ready.standard[0][:k]
        axes, variances = ready.axes(power)
        x, mean = ready.shown * factors, ready.mean * factors
        deviations = no_zeros(np.sqrt(np.diag(ready.covariance)) * factors)
        kept = (x - mean) @ axes[:k].T @ axes[:k] + mean
        back = ((x - mean) / deviations) @ standard.T @ standard * deviations + mean
        return cls(x, mean, deviations, axes, variances, factors, kept, back)


def picture(ready: ToScale, settings: ScaleSettings) -> fig.LessonPicture:
    """Return the axes as measured and standardised, and points put back from k of them."""
    power, k = settings.power, int(settings.k)
    now = _InUnits.of(ready, power, k)
    standard, correlations = ready.standard
    share, always = now.variances[0] / now.variances.sum(), correlations[0] / correlations.sum()
    of_feature = [float(each[0, ready.column] ** 2) for each in (now.axes, standard)]
    stays = np.full(len(_POWERS), of_feature[1])
    named, points = ready.named(power), ready.shape is None
    curves = fig.CurvesPanel(
        curves=(
            fig.DrawnCurve(name="covariance", x=_POWERS, y=ready.weights),
            fig.DrawnCurve(name="correlation", x=_POWERS, y=stays, ink="good", dashed=True),
        ),
        x="unit: the power of ten by which the feature is multiplied",
        y=f"{ready.feature if points else 'its'}{':' if points else ''} share of the first axis",
        percent=True,
        mark=(power, named),
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="Covariance against correlation",
            note=f"{named}; k = {k}",
            rows=_of_pictures(ready, now, ready.shape)
            if ready.shape
            else _of_points(ready, now, named),
            key="blue: first axis, red: second; blue dots: put back" if points else "",
        ),
        lower=fig.Drawing(
            heading="Whose direction is the first?",
            note=f"it holds {percent(share, 0)} of the variance; standardised {percent(always, 0)}",
            rows=((curves,),),
        ),
        numbers={
            "first": np.abs(now.axes[0]),
            "first_standardised": np.abs(standard[0]),
            "share": share,
            "put_back": now.back[0],
        },
        words={
            "feature": ready.feature,
            "now": percent(of_feature[0], 0),
            "always": percent(of_feature[1], 0),
        },
    )


def _of_points(ready: ToScale, now: _InUnits, named: str) -> tuple[tuple[fig.Panel, ...], ...]:
    """Return points with their axes, standardised, and both put back."""
    standard, correlations = ready.standard
    names = [named if i == ready.column else each for i, each in enumerate(ready.names)]
    without = [f"{each.partition(' (')[0]} / σ" for each in ready.names]
    arms = np.sqrt(now.variances)[:, None] * now.axes
    crosses = np.sqrt(correlations)[:, None] * standard
    z, put_back = ((each - now.mean) / now.deviations for each in (now.x, now.back))
    last = _plane(
        "Put back: × σ, + mean", (now.x, now.back), now.mean, crosses * now.deviations, names
    )
    return (
        (
            _plane("As measured", (now.x, now.kept), now.mean, arms, names),
            _plane("Standardised", (z, put_back), np.zeros_like(now.mean), crosses, without),
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
        fig.Strokes(start=start, end=start + 2 * arm[:2], ink=ink, arrow=True)
        for arm, ink in zip(arms, inks, strict=False)
    ]
    return fig.PlanePanel(
        title=title,
        layers=(
            fig.Dots(at=points[0][:, :2], small=True),
            fig.Dots(at=points[1][:, :2], ink="main", small=True),
            *axes,
        ),
        x=names[0],
        y=names[1],
        span=(first, second),
    )


def _of_pictures(
    ready: ToScale, now: _InUnits, shape: tuple[int, ...]
) -> tuple[tuple[fig.Panel, ...], ...]:
    """Return the components by covariance and correlation, and pictures put back from each."""
    components = [
        pictures(
            axes[:6],
            shape,
            title,
            across=3,
            signed=True,
            words=tuple(percent(each / lam.sum(), 0) for each in lam[:6]),
        )
        for title, axes, lam in (
            ("By covariance", now.axes, now.variances),
            ("By correlation", *ready.standard),
        )
    ]
    rebuilt = {
        "As they are": now.x,
        "Covariance": now.kept,
        "Correlation": now.back,
        "Without × σ": (now.back - now.mean) / now.deviations + now.mean,
    }
    return tuple(components), tuple(
        pictures(each[:4] / now.factors, shape, title, across=2) for title, each in rebuilt.items()
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
    about={
        "power": "the power of ten by which one feature is multiplied: metres, at 2 centimetres",
        "k": "how many components the points are put back from",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion("× 1", "Multiply the feature by 1", {"power": 0.0}),
        Suggestion("× 100", "Multiply the feature by 100", {"power": 2.0}),
        Suggestion("× 1,000", "Multiply the feature by 1000", {"power": 3.0}),
    ),
    fitted=lambda ready: {"k": len(ready.standard[0])},
)
