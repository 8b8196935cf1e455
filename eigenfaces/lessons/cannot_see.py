"""Lesson: what directions cannot see, beside t-SNE; uncorrelated is not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.laboratory.tsne import PERPLEXITIES, TsneSettings, most_perplexity, tsne
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import pca
from eigenfaces.lessons.lesson import Lesson, Settings, read_words, slide, whole
from eigenfaces.lessons.subjects import Cloud, Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_NEAREST = 12
_FEWEST_GROUPS = 4  # distances between fewer groups are too few to compare


@dataclass(frozen=True)
class KeptByMap:
    """What a map of labelled points keeps."""

    trust: float  # trustworthiness of the 12 nearest, 0…1
    same: float  # the share of the points whose nearest has the same label
    apart: float  # correlation of the distances between groups with those in truth; NaN with few

    @classmethod
    def of(
        cls, truth: Doubles, on_map: Doubles, labels: Sequence[str], tick: Tick = no_tick
    ) -> KeptByMap:
        """Measure a map (n, v) of points (n, d) on all of them."""
        from scipy.spatial.distance import pdist
        from sklearn.manifold import trustworthiness

        few = min(_NEAREST, (len(truth) - 1) // 2)
        trust = float(trustworthiness(truth, on_map, n_neighbors=few)) if few else np.nan
        names, groups = np.unique(np.asarray(labels), return_inverse=True)
        apart = float("nan")
        if len(names) >= _FEWEST_GROUPS:
            members = groups == np.arange(len(names))[:, None]
            both = [pdist([x[rows].mean(axis=0) for rows in members]) for x in (truth, on_map)]
            apart = float(np.corrcoef(*both)[0, 1])
        tick(1, 1)
        return cls(trust, same_label(on_map, labels), apart)


def same_label(points: Doubles, labels: Sequence[str]) -> float:
    """Return the share of points (n, v) whose nearest has their label."""
    from sklearn.neighbors import NearestNeighbors

    names = np.asarray(labels)
    nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors()[1][:, 0]
    return float((names[nearest] == names).mean())


@dataclass(frozen=True, eq=False)
class _Mapped:
    """Points, their first two scores, and a map by t-SNE; what each keeps."""

    subject: Subject
    labels: tuple[str, ...]
    scores: Doubles  # (n, 2)
    shares: Doubles  # (r,) of the variance
    near: float  # the share of the points whose nearest, in truth, has their label
    by_components: tuple[KeptByMap, KeptByMap]  # the first one alone, and the first two
    cache: dict[TsneSettings, tuple[Doubles, KeptByMap]] = field(default_factory=dict)
    settings: TsneSettings = field(default_factory=TsneSettings)  # of the map that is shown

    @property
    def maps(self) -> tuple[KeptByMap, ...]:
        """What the first component keeps, the first two, and t-SNE."""
        return (*self.by_components, self.cache[self.settings][1])


def prepare(subject: Subject, tick: Tick) -> _Mapped:
    """Find the components, and measure what they keep."""
    values, labels = subject.values, subject.labels or ()
    fitted = pca(values)
    if len(fitted.variances) < 2:
        raise EigenfacesError(
            "All of these lie on one line, which components see whole: choose others."
        )
    scores, shares = fitted.project(values)[:, :2], fitted.variances / fitted.variances.sum()
    first, second = (
        KeptByMap.of(values, scores[:, :k], labels, part_of(tick, k - 1, 2)) for k in (1, 2)
    )
    return _Mapped(subject, labels, scores, shares, same_label(values, labels), (first, second))


def renew(ready: _Mapped, settings: Settings, tick: Tick) -> _Mapped:
    """Return the same points with the map by t-SNE that these settings ask for."""
    values, start = ready.subject.values, settings["start"]
    perplexity = min(settings["perplexity"], most_perplexity(len(values)))
    key = TsneSettings(perplexity=perplexity, seed=start, start="random" if start else "pca")
    if key not in ready.cache:
        places = tsne(values, key, part_of(tick, 0, 2))
        kept_by_map = KeptByMap.of(values, places, ready.labels, part_of(tick, 1, 2))
        ready.cache[key] = places, kept_by_map
    return replace(ready, settings=key)


def picture(
    ready: _Mapped, angle: float = 0.0, perplexity: int = 30, start: int = 0
) -> fig.LessonPicture:
    """Return the two maps, what each keeps, and what one axis says of the other."""
    del perplexity, start  # the map by t-SNE is ready
    subject, maps, d = ready.subject, ready.maps, ready.subject.values.shape[1]
    noun = "point" if isinstance(subject, Cloud) else "picture"
    nearest = f"Nearest has its label (in truth {percent(ready.near)})"
    rows = [
        (f"Trustworthiness, {_NEAREST} nearest", *(percent(kept.trust) for kept in maps)),
        (nearest, *(percent(kept.same) for kept in maps)),
        ("Distances of groups, correlation", *(f"{kept.apart:.2f}" for kept in maps)),
        (f"A place for a new {noun}", "yes", "yes", "none"),
    ]
    if not np.isfinite(maps[-1].apart):
        del rows[2]
    table = fig.TablePanel(("", f"PCA, 1 of {d}", f"PCA, 2 of {d}", "t-SNE"), tuple(rows))
    angles = np.arange(0, 91, 1.0)
    by_line, by_square = follows(ready.scores, angles)
    curves, mark = {"b from a, by a line": by_line, "b² from a²": by_square}, f"θ = {angle:.0f}°"
    look, x = {"percent": True, "title": "What a says of b"}, "turn θ (degrees)"
    panel = fig.curves(angles, curves, x, "share", (angle, mark), **look)
    linear, squares = follows(ready.scores, np.array([angle]))
    note = f"measured on all {len(subject):,} {noun}s"
    return fig.LessonPicture(
        fig.Drawing("What it cannot see", (_planes(ready, angle),), subject.title),
        fig.Drawing("What each map keeps", ((table,), (panel,)), note),
        {
            "linear": float(linear[0]),
            "squares": float(squares[0]),
            "trust": np.array([kept.trust for kept in maps]),
            "same": np.array([kept.same for kept in maps]),
        },
    )


def follows(scores: Doubles, angles: Doubles) -> tuple[Doubles, Doubles]:
    """Return how much of b follows from a by a line, and of b² from a², for turned axes a and b.

    Both are squared correlations 0…1 for each angle (m,) in degrees. If a and b are independent
    both are 0 but for the chance of a sample; the contrary need not hold.
    """
    turned = (scores[:, 0] + 1j * scores[:, 1]) * np.exp(-1j * np.radians(angles))[:, None]

    def squared_correlation(one: Doubles, other: Doubles) -> Doubles:
        one, other = (rows - rows.mean(axis=1, keepdims=True) for rows in (one, other))
        both = (one**2).sum(axis=1) * (other**2).sum(axis=1)
        shares: Doubles = (one * other).sum(axis=1) ** 2 / np.where(both > 0, both, 1)
        return shares

    a, b = turned.real, turned.imag
    return squared_correlation(a, b), squared_correlation(a**2, b**2)


def _planes(ready: _Mapped, angle: float) -> tuple[fig.PlanePanel, fig.PlanePanel]:
    """Return the first two scores with the axes a and b, and the map by t-SNE."""
    scores, turn, d = ready.scores, np.radians(angle), ready.subject.values.shape[1]
    names, groups = np.unique(np.array(ready.labels), return_inverse=True)
    dots = fig.Dots(scores, labels=groups, names=tuple(names), tips=ready.labels, small=True)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axes *= 1.15 * np.abs(scores @ axes.T).max(axis=0)[:, None]
    layers: list[fig.Layer] = [
        fig.Strokes(-axis[None], axis[None], "faint", thin=True, words=name)
        for axis, name in zip(axes, "ab", strict=True)
    ]
    layers.append(dots)
    x, y = "component 1", "component 2"
    title, caption = (
        f"PCA, 2 of {d} components",
        f"{percent(ready.shares[:2].sum(), 0)} of the variance",
    )
    if d == 2:  # what one component keeps can be shown below both
        x, y = (f"component {k + 1} ({percent(ready.shares[k], 0)})" for k in (0, 1))
        low = scores[:, 1].min() - 0.25 * np.ptp(scores[:, 1])
        at = np.column_stack([scores[:, 0], np.full(len(scores), low)])
        layers.append(fig.Dots(at, labels=groups, small=True))
        title, caption = "PCA, both components", "lowest: what component 1 alone keeps"
    settings = ready.settings
    start = f"at random, seed {settings.seed}" if settings.seed else "from PCA"
    places, axis = ready.cache[settings][0], "no axis: only who is near whom"
    look: dict[str, Any] = {"caption": f"perplexity {settings.perplexity}, begun {start}"}
    look["title"] = "t-SNE of both numbers" if d == 2 else f"t-SNE of all {d} numbers"
    t_sne = fig.PlanePanel((replace(dots, at=places),), axis, **look)
    return fig.PlanePanel(tuple(layers), x, y, title=title, caption=caption), t_sne


LISTING = """\
from scipy.spatial.distance import cdist
from sklearn.manifold import TSNE, trustworthiness

init = "random" if start else "pca"
t_sne = TSNE(2, perplexity=perplexity, init=init, random_state=start).fit_transform(x)
x = x - x.mean(axis=0)
vt = np.linalg.svd(x, full_matrices=False)[2][:2]
vt = vt * np.sign(vt[[0, 1], np.abs(vt).argmax(axis=1)])[:, None]
maps = x @ vt[:1].T, x @ vt.T, t_sne
trust = [trustworthiness(x, each, n_neighbors=12) for each in maps]
nearest = [np.argsort(cdist(each, each), axis=1)[:, 1] for each in maps]
same = [np.mean(labels[each] == labels) for each in nearest]
cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
a, b = np.array([[cos, sin], [-sin, cos]]) @ maps[1].T  # the scores, turned
linear = np.corrcoef(a, b)[0, 1] ** 2
squares = np.corrcoef(a**2, b**2)[0, 1] ** 2
print(f"b from a: {linear:.1%}, b² from a²: {squares:.1%}")
print("trustworthiness:", np.round(trust, 3), "same label:", np.round(same, 3))
"""


WORDS = """
title: What it cannot see
line: Rings, moons, and digits by t-SNE
group: Limits
see: PCA looks for **directions**. A curve, a ring or clumps have none.
see: **t-SNE** keeps neighbours together and gives up the rest: how far apart groups lie means
    nothing.
see: Scores are **uncorrelated**, not **independent**: only for jointly Gaussian data is it the
    same.
formula: cov(*a*, *b*) = 0 ⇏ *a* ⊥ *b*
why: A covariance sees straight lines only. On a ring, *a*² + *b*² = 1, *b*² follows from *a*². The
    red curve is the squared correlation of the two: 0 if *a* and *b* are independent (0 alone is no
    proof). For a Gaussian it is the blue one squared, but for chance.
try: Choose the ring: each component keeps half, *b*² follows at every turn.
try: Choose the Gaussian cloud: at 0° nothing follows. Now turn.
try: Set the perplexity to 5: clumps in a single cloud.
try: Start the digits at random: neighbours stay, groups change places.
set angle: the angle between the axis a and the first component
set perplexity: about how many neighbours t-SNE draws each point to; it takes a while
set start: where t-SNE begins: 0, from the components; else at random, with this seed
"""

LESSON = Lesson(
    **read_words(WORDS),
    name="cannot-see",
    subjects=("moons", "ring", "spiral", "gaussian", "digits"),
    fields=(
        slide("angle", "Turn a and b by θ", 0, 90, unit="°", plays=True),
        whole("perplexity", "Perplexity", *PERPLEXITIES, "The perplexity"),
        whole("start", "Start", 0, 9, "The start"),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=lambda ready: {"perplexity": most_perplexity(len(ready.subject))},
    slow=True,
    renewed_by=("perplexity", "start"),
    renew=renew,
)
