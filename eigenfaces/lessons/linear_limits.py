"""Lesson: what linear components cannot show but t-SNE can."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.points import Cloud
from eigenfaces.laboratory.tsne import PERPLEXITIES, tsne, usual_perplexity
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import pca
from eigenfaces.lessons.lesson import Lesson, Question, Slide, Step
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_NEAREST = 12


@dataclass(frozen=True, eq=False)
class _Mapped:
    """Points (n, d) with their first two scores and a map made by t-SNE."""

    subject: Subject
    scores: Doubles  # (n, 2)
    shares: Doubles  # (r,) the shares of the variance
    places: Doubles | None  # (n, 2) the map by t-SNE, if the user wants one
    # for the first component, the first two, and t-SNE: the trustworthiness of the 12 nearest, and
    # the share of points whose nearest point has the same label
    trust: tuple[float, ...]
    same: tuple[float, ...]
    in_truth: float  # the same share for the original points


def prepare(subject: Subject, tick: Tick, perplexity: float) -> _Mapped:
    """Return the first two scores and a t-SNE map, with measures of what each of them keeps."""
    from sklearn.manifold import trustworthiness
    from sklearn.neighbors import NearestNeighbors

    values, fitted, names = subject.values, pca(subject.values), np.array(subject.labels or ())
    if len(fitted.variances) < 2:
        raise EigenfacesError(
            "All points lie on one line, so one component is enough. Choose other data."
        )
    if not names.size or len(subject) <= 2 * _NEAREST:
        raise EigenfacesError(
            f"This lesson needs at least {2 * _NEAREST + 1} rows with labels. Choose a table "
            "that has a column with only a few different words."
        )
    scores, shares = fitted.project(values)[:, :2], fitted.variances / fitted.variances.sum()
    maps = [scores[:, :1], scores]
    if perplexity:
        most = usual_perplexity(len(values), int(perplexity))
        maps.append(tsne(values, most, part_of(tick, 0, 2)))
    trust, same = list[float](), list[float]()
    for number, points in enumerate((*maps, values)):
        part_of(tick, 1, 2)(number, 4)
        nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors()[1][:, 0]
        same.append(float((names[nearest] == names).mean()))
        if points is not values:
            trust.append(float(trustworthiness(values, points, n_neighbors=_NEAREST)))
    places = maps[2] if perplexity else None
    return _Mapped(subject, scores, shares, places, (*trust,), (*same[:-1],), same[-1])


def r2_of_axes_and_squares(scores: Doubles, angle: float) -> tuple[float, float]:
    """Return R² for b predicted from a, and for b² from a², with the axes turned by an angle.

    If a and b are independent, both values are 0 up to sampling error. The converse need not
    hold.
    """
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    a, b = np.array([[cos, sin], [-sin, cos]]) @ scores.T
    linear = np.corrcoef(a, b)[0, 1] ** 2
    squares = np.corrcoef(a**2, b**2)[0, 1] ** 2
    return linear, squares


def picture(ready: _Mapped, angle: float, perplexity: float) -> fig.LessonPicture:
    """Draw the maps, what each map keeps, and how well one axis predicts the other."""
    del perplexity  # `prepare` has used it
    subject, d = ready.subject, ready.subject.values.shape[1]
    noun = "point" if isinstance(subject, Cloud) else "picture"
    heads = (f"PCA, 1 of {d}", f"PCA, 2 of {d}", "t-SNE")[: len(ready.trust)]
    rows = (
        (f"Trustworthiness, {_NEAREST} nearest", *map(percent, ready.trust)),
        (
            f"Nearest has the same label (in all {d} numbers: {percent(ready.in_truth)})",
            *map(percent, ready.same),
        ),
        (f"Can place a new {noun}", *("yes", "yes", "no")[: len(heads)]),
    )
    table = fig.TablePanel(("", *heads), rows)
    angles = np.arange(0, 91, 3.0)
    by_line, by_square = np.transpose([r2_of_axes_and_squares(ready.scores, at) for at in angles])
    curves = {"b from a, with a line": by_line, "b² from a²": by_square}
    mark, x, title = (angle, f"θ = {angle:.0f}°"), "turn θ (degrees)", "How well a predicts b"
    panel = fig.CurvesPanel(angles, curves, x, "share", mark, percent=True, title=title)
    linear, squares = r2_of_axes_and_squares(ready.scores, angle)
    note = f"measured on all {len(subject):,} {noun}s"
    return fig.LessonPicture(
        fig.Drawing("What it cannot see", (_planes(ready, angle),), subject.title),
        fig.Drawing("What each map keeps", ((table,), (panel,)), note),
        {
            "linear": linear,
            "squares": squares,
            "trust": np.array(ready.trust),
            "same": np.array(ready.same),
        },
    )


def _planes(ready: _Mapped, angle: float) -> tuple[fig.PlanePanel, ...]:
    """Draw the first two scores with axes a and b, the first score alone, and the t-SNE map."""
    scores, turn, d = ready.scores, np.radians(angle), ready.subject.values.shape[1]
    labels = ready.subject.labels or ()
    names, groups = np.unique(np.array(labels), return_inverse=True)
    dots = fig.Dots(scores, labels=groups, names=tuple(names), tips=labels, small=True)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axes *= 1.15 * np.abs(scores @ axes.T).max(axis=0)[:, None]
    layers: list[fig.Layer] = [
        fig.Strokes(-axis[None], axis[None], "faint", thin=True, words=name)
        for axis, name in zip(axes, "ab", strict=True)
    ]
    layers.append(dots)
    x, y = (f"component {k + 1} ({percent(ready.shares[k], 0)})" for k in (0, 1))
    one, two, *by_tsne = (f"nearest has the same label: {percent(s, 0)}" for s in ready.same)
    panels = [fig.PlanePanel(tuple(layers), x, y, title=f"PCA, 2 of {d}", caption=two)]
    if d == 2:  # two components show the points as they are, so one component is shown too
        panels = [replace(panels[0], title="The points", caption="")]
        piled = replace(dots, at=fig.piled(scores[:, 0]), names=())
        panels.append(fig.PlanePanel((piled,), x, title="PCA, 1 of 2", caption=one))
    if ready.places is not None:
        at, title = replace(dots, at=ready.places), f"t-SNE of all {d} numbers"
        (kept,) = by_tsne
        panels.append(fig.PlanePanel((at,), "only nearness matters", title=title, caption=kept))
    return tuple(panels)


LISTING = """\
from scipy.spatial.distance import cdist
from sklearn.manifold import TSNE, trustworthiness

raw, x = x, x - x.mean(axis=0)
vt = np.linalg.svd(x, full_matrices=False)[2][:2]
vt = vt * np.sign(vt[[0, 1], np.abs(vt).argmax(axis=1)])[:, None]
scores = x @ vt.T
maps = [scores[:, :1], scores]
if perplexity:
    few = min(int(perplexity), (len(x) - 1) // 3)
    maps.append(TSNE(2, perplexity=few, init="pca", random_state=0).fit_transform(raw))
trust = [trustworthiness(raw, points, n_neighbors=12) for points in maps]
nearest = [np.argsort(cdist(points, points), axis=1)[:, 1] for points in maps]
same = [np.mean(labels[rows] == labels) for rows in nearest]
cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
a, b = np.array([[cos, sin], [-sin, cos]]) @ scores.T
linear = np.corrcoef(a, b)[0, 1] ** 2
squares = np.corrcoef(a**2, b**2)[0, 1] ** 2
print(f"b from a: {linear:.1%}, b² from a²: {squares:.1%}")
print("trustworthiness:", np.round(trust, 3), "same label:", np.round(same, 3))
"""


LESSON = Lesson(
    name="cannot-see",
    title="What it cannot see",
    line="Rings, moons and digits, with t-SNE",
    group="Limits",
    see=(
        "PCA looks for **directions**. Curves, rings and clusters have none.",
        "**t-SNE** keeps neighbours together and gives up everything else: the distance between "
        "groups means nothing.",
        "Scores are **uncorrelated**, but not **independent**. Only for jointly Gaussian data are "
        "these the same.",
    ),
    formula="cov(*a*, *b*) = 0 ⇏ *a* ⊥ *b*",
    why=(
        "A covariance sees only straight lines. On a ring, *a*² + *b*² = 1, so *b*² follows from "
        "*a*². The red curve is the squared correlation of *a*² and *b*². It is 0 if *a* and *b* "
        "are independent, although 0 alone is no proof. For a Gaussian it is the square of the "
        "blue curve, except for chance."
    ),
    steps=(
        Step("In one number the moons overlap. Does any turn separate them?", {"angle": 0}),
        Step("On a ring, *b*² follows from *a*² at every turn.", {"angle": 30}, subject="ring"),
        Step("t-SNE separates the moons, but it takes a while.", {"perplexity": 30}),
        Step("t-SNE shows clusters even in a single cloud.", {"perplexity": 5}, subject="gaussian"),
    ),
    question=Question(
        "Which single direction separates the two moons?",
        ("the first component", "the second component", "no direction"),
        2,
    ),
    subjects=("moons", "ring", "gaussian", "digits", "own-table"),
    controls=(
        Slide(
            "angle",
            "Turn a and b by θ",
            "the angle from the first component to a",
            0.0,
            0,
            90,
            unit="°",
            plays=True,
        ),
        Slide(
            "perplexity",
            "t-SNE, perplexity",
            "how many neighbours count; 0: no t-SNE",
            0,
            0,
            PERPLEXITIES[1],
        ),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    limits=lambda ready: {"perplexity": usual_perplexity(len(ready.subject), PERPLEXITIES[1])},
    slow_settings=("perplexity",),
)
