"""Lesson: what directions cannot see, beside t-SNE; uncorrelated is not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.laboratory.tsne import PERPLEXITIES, TsneSettings, most_perplexity, tsne
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import decomposed
from eigenfaces.lessons.lesson import Lesson, slide, typed_whole
from eigenfaces.lessons.subjects import Cloud, Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

_NEAREST = 12
_FEWEST_GROUPS = 4  # distances between fewer groups are too few to compare


@dataclass(frozen=True)
class MapSettings:
    """The turn of the axes a and b in degrees; t-SNE's perplexity and start."""

    angle: float = slide(0.0, "Turn a and b by θ", 0, 90, unit="°", plays=True)
    perplexity: int = typed_whole(30, "Perplexity", *PERPLEXITIES, called="The perplexity")
    start: int = typed_whole(0, "Start", 0, 9, called="The start")


@dataclass(frozen=True)
class KeptByMap:
    """What a map of labelled points keeps.

    ``trust``: trustworthiness of the 12 nearest, 0…1. ``same``: the share of the points whose
    nearest has the same label. ``apart``: the correlation of the distances between the middles of
    the groups, with those in truth; NaN with few groups.
    """

    trust: float
    same: float
    apart: float

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
            inside = groups == np.arange(len(names))[:, None]
            both = [pdist([x[each].mean(axis=0) for each in inside]) for x in (truth, on_map)]
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
    """Points (n, d), their first two scores (n, 2), and a map by t-SNE; what each keeps."""

    subject: Subject
    labels: tuple[str, ...]
    scores: Doubles
    shares: Doubles
    near: float
    by_components: tuple[KeptByMap, KeptByMap]
    known: dict[TsneSettings, tuple[Doubles, KeptByMap]] = field(default_factory=dict)
    """Maps by t-SNE (n, 2) that are there already, with what they keep …"""
    settings: TsneSettings = field(default_factory=TsneSettings)
    """… and which of them is shown."""

    @property
    def d(self) -> int:
        """How many numbers a point has."""
        return self.subject.values.shape[1]

    @property
    def maps(self) -> tuple[KeptByMap, ...]:
        """What the first component keeps, the first two, and t-SNE."""
        return (*self.by_components, self.known[self.settings][1])

    def dots(self, at: Doubles) -> fig.Dots:
        """Return places (n, 2) in the colours of the labels."""
        names, groups = np.unique(np.array(self.labels), return_inverse=True)
        return fig.Dots(
            at=at,
            labels=groups.astype(np.intp),
            names=tuple(names.tolist()),
            told=self.labels,
            small=True,
        )


def prepare(subject: Subject, tick: Tick) -> _Mapped:
    """Find the components, and measure what they keep."""
    values, labels = subject.values, subject.labels
    if labels is None:
        raise EigenfacesError("This lesson needs points with labels: choose others.")
    found = decomposed(values)
    if len(found.variances) < 2:
        raise EigenfacesError(
            "All of these lie on one line, which components see whole: choose others."
        )
    scores = found.coordinates(values)[:, :2]
    first, second = (
        KeptByMap.of(values, scores[:, :k], labels, part_of(tick, k - 1, 2)) for k in (1, 2)
    )
    shares = found.variances / found.variances.sum()
    near = same_label(values, labels)
    return _Mapped(subject, labels, scores, shares, near, (first, second))


def renew(ready: _Mapped, settings: MapSettings, tick: Tick) -> _Mapped:
    """Return the same points with the map by t-SNE that these settings ask for."""
    values, start = ready.subject.values, settings.start
    wanted = TsneSettings(
        perplexity=min(settings.perplexity, most_perplexity(len(values))),
        seed=start,
        start="random" if start else "pca",
    )
    if wanted not in ready.known:
        places = tsne(values, wanted, part_of(tick, 0, 2))
        kept = KeptByMap.of(values, places, ready.labels, part_of(tick, 1, 2))
        ready.known[wanted] = places, kept
    return replace(ready, settings=wanted)


def picture(ready: _Mapped, settings: MapSettings) -> fig.LessonPicture:
    """Return the two maps, what each keeps, and what one axis says of the other."""
    linear, squares = follows(ready.scores, np.array([settings.angle]))
    angles = np.arange(0, 91, 1.0)
    by_line, by_square = follows(ready.scores, angles)
    new = "point" if isinstance(ready.subject, Cloud) else "picture"
    curves = fig.CurvesPanel(
        title="What a says of b",
        curves=(
            fig.DrawnCurve(name="b from a, by a line", x=angles, y=by_line),
            fig.DrawnCurve(name="b² from a²", x=angles, y=by_square, ink="contrast", dashed=True),
        ),
        x="turn θ (degrees)",
        y="share",
        percent=True,
        mark=(settings.angle, f"θ = {settings.angle:.0f}°"),
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="What it cannot see",
            note=ready.subject.title,
            rows=((_components(ready, settings), _neighbours(ready)),),
        ),
        lower=fig.Drawing(
            heading="What each map keeps",
            note=f"measured on all {len(ready.subject):,} {new}s",
            rows=((_table(ready, new),), (curves,)),
            weights=(1.0, 1.3),
        ),
        numbers={
            "linear": float(linear[0]),
            "squares": float(squares[0]),
            "trust": np.array([each.trust for each in ready.maps]),
            "same": np.array([each.same for each in ready.maps]),
        },
    )


def follows(scores: Doubles, angles: Doubles) -> tuple[Doubles, Doubles]:
    """Return how much of b follows from a by a line, and of b² from a², for turned axes a and b.

    Both are squared correlations 0…1 for each angle (m,) in degrees. If a and b are independent
    both are 0 but for the chance of a sample; the contrary need not hold.
    """
    radians = np.radians(angles)[:, None]
    x, y = scores[:, 0], scores[:, 1]
    a = np.cos(radians) * x + np.sin(radians) * y
    b = np.cos(radians) * y - np.sin(radians) * x
    return _explained(a, b), _explained(a**2, b**2)


def _explained(one: Doubles, other: Doubles) -> Doubles:
    one, other = (each - each.mean(axis=1, keepdims=True) for each in (one, other))
    both = (one**2).sum(axis=1) * (other**2).sum(axis=1)
    shares: Doubles = (one * other).sum(axis=1) ** 2 / np.where(both > 0, both, 1)
    return shares


def _components(ready: _Mapped, settings: MapSettings) -> fig.PlanePanel:
    """Return the first two scores with the axes a and b; of a plane, what one keeps below."""
    scores, turn = ready.scores, np.radians(settings.angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axes *= 1.15 * np.abs(scores @ axes.T).max(axis=0)[:, None]
    lines = (
        fig.Strokes(start=-axis[None], end=axis[None], ink="faint", thin=True, words=name)
        for axis, name in zip(axes, "ab", strict=True)
    )
    layers: tuple[fig.Layer, ...] = (*lines, ready.dots(scores))
    if ready.d > 2:
        return fig.PlanePanel(
            title=f"PCA, 2 of {ready.d} components",
            caption=f"{percent(float(ready.shares[:2].sum()), 0)} of the variance",
            layers=layers,
            x="component 1",
            y="component 2",
        )
    low = scores[:, 1].min() - 0.25 * np.ptp(scores[:, 1])
    alone = ready.dots(np.column_stack([scores[:, 0], np.full(len(scores), low)]))
    x, y = (f"component {k + 1} ({percent(float(ready.shares[k]), 0)})" for k in (0, 1))
    return fig.PlanePanel(
        title="PCA, both components",
        caption="lowest: what component 1 alone keeps",
        layers=(*layers, replace(alone, names=(), told=())),
        x=x,
        y=y,
    )


def _neighbours(ready: _Mapped) -> fig.PlanePanel:
    now, d = ready.settings, ready.d
    start = f"at random, seed {now.seed}" if now.seed else "from PCA"
    return fig.PlanePanel(
        title=f"t-SNE of all {d} numbers" if d > 2 else "t-SNE of both numbers",
        caption=f"perplexity {now.perplexity}, begun {start}",
        layers=(ready.dots(ready.known[now][0]),),
        x="no axis: only who is near whom",
    )


def _table(ready: _Mapped, new: str) -> fig.TablePanel:
    maps, d = ready.maps, ready.d
    rows = [
        (f"Trustworthiness, {_NEAREST} nearest", *(percent(each.trust) for each in maps)),
        (
            f"Nearest has its label (in truth {percent(ready.near)})",
            *(percent(each.same) for each in maps),
        ),
        ("Distances of groups, correlation", *(f"{each.apart:.2f}" for each in maps)),
        (f"A place for a new {new}", "yes", "yes", "none"),
    ]
    if not np.isfinite(maps[-1].apart):
        del rows[2]
    return fig.TablePanel(head=("", f"PCA, 1 of {d}", f"PCA, 2 of {d}", "t-SNE"), rows=tuple(rows))


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

CANNOT_SEE = Lesson(
    name="cannot-see",
    title="What it cannot see",
    line="Rings, moons, and digits by t-SNE",
    group="Limits",
    see=(
        "PCA looks for <b>directions</b>. A curve, a ring or clumps have none.",
        "<b>t-SNE</b> keeps near what is near and gives up the rest: how far apart groups lie is "
        "not its aim.",
        "Scores are <b>uncorrelated</b>, not <b>independent</b>: only for jointly Gaussian data is "
        "it the same.",
    ),
    formula="cov(<i>a</i>, <i>b</i>) = 0 ⇏ <i>a</i> ⊥ <i>b</i>",
    why=(
        "A covariance sees straight lines only. On a ring, <i>a</i>² + <i>b</i>² = 1, <i>b</i>² "
        "follows from <i>a</i>². The red curve is the squared correlation of the two: 0 if "
        "<i>a</i> and <i>b</i> are independent (0 alone is no proof). For a Gaussian it is the "
        "blue one squared, but for chance."
    ),
    tries=(
        "Choose the ring: each component keeps half, <i>b</i>² follows at every turn.",
        "Choose the Gaussian cloud: at 0° nothing follows. Now turn.",
        "Set the perplexity to 5: clumps in a single cloud.",
        "Start the digits at random: neighbours stay, groups change places.",
    ),
    subjects=("ring", "moons", "spiral", "gaussian", "digits"),
    settings=MapSettings(),
    about={
        "angle": "the angle between the axis a and the first component",
        "perplexity": "to about how many neighbours t-SNE draws each point; it takes a while",
        "start": "where t-SNE begins: 0, from the components; else at random, with this seed",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=lambda ready: {"perplexity": most_perplexity(len(ready.subject))},
    slow=True,
    renewed_by=("perplexity", "start"),
    renew=renew,
)
