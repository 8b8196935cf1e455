"""Lesson: what directions cannot see, beside t-SNE; uncorrelated is not independent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    Layer,
    LessonPicture,
    PlanePanel,
    Strokes,
    TablePanel,
)
from eigenfaces.laboratory.lessons.decomposed import decomposed
from eigenfaces.laboratory.lessons.kept_by_maps import NEAREST, KeptByMap, same_label
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide
from eigenfaces.laboratory.lessons.subjects import Cloud, Subject
from eigenfaces.laboratory.tsne import PERPLEXITIES, TsneSettings, most_perplexity, tsne
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import Field, Whole, percent

_ANGLES = np.arange(0, 91, 1.0)


@dataclass(frozen=True)
class MapSettings:
    """The turn of the axes a and b in degrees; t-SNE's perplexity and start."""

    angle: float = 0.0
    perplexity: int = 30
    start: int = 0


CONTROLS = (
    Slide(
        name="angle",
        label="Turn a and b by θ",
        about="the angle between the axis a and the first component",
        least=0,
        most=90,
        unit="°",
        plays=True,
    ),
    Whole(
        name="perplexity",
        label="Perplexity",
        about="to about how many neighbours t-SNE draws each point; it takes a while",
        least=PERPLEXITIES[0],
        most=PERPLEXITIES[1],
        refusal="The perplexity is a whole number from {} to {}.".format(*PERPLEXITIES),
    ),
    Whole(
        name="start",
        label="Start",
        about="where t-SNE begins: 0, from the components; else at random, with this seed",
        least=0,
        most=9,
        refusal="The start is a whole number from 0 to 9.",
    ),
)


@dataclass(frozen=True, eq=False)
class _Mapped:
    """Points (n, d), their first two scores (n, 2), and a map by t-SNE; what each keeps."""

    title: str
    new: str
    values: Doubles
    labels: tuple[str, ...]
    scores: Doubles
    shares: Doubles
    near: float
    by_components: tuple[KeptByMap, KeptByMap]
    known: dict[TsneSettings, tuple[Doubles, KeptByMap]] = field(default_factory=dict)
    """Maps by t-SNE that are there already …"""
    settings: TsneSettings = field(default_factory=TsneSettings)
    """… and which of them is shown."""

    @property
    def places(self) -> Doubles:
        """The map by t-SNE (n, 2)."""
        return self.known[self.settings][0]

    @property
    def by_tsne(self) -> KeptByMap:
        """What it keeps."""
        return self.known[self.settings][1]


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
    return _Mapped(
        title=subject.title,
        new="point" if isinstance(subject, Cloud) else "picture",
        values=values,
        labels=labels,
        scores=scores,
        shares=found.variances / found.variances.sum(),
        near=same_label(values, labels),
        by_components=(first, second),
    )


def renew(ready: _Mapped, settings: MapSettings, tick: Tick) -> _Mapped:
    """Return the same points with the map by t-SNE that these settings ask for."""
    wanted = _tsne_settings(settings, len(ready.values))
    if wanted not in ready.known:
        ready.known[wanted] = _by_tsne(ready.values, ready.labels, wanted, tick)
    return replace(ready, settings=wanted)


def _tsne_settings(settings: MapSettings, n: int) -> TsneSettings:
    perplexity = min(settings.perplexity, most_perplexity(n))
    start = settings.start
    return TsneSettings(perplexity=perplexity, seed=start, start="random" if start else "pca")


def _by_tsne(
    values: Doubles, labels: tuple[str, ...], settings: TsneSettings, tick: Tick
) -> tuple[Doubles, KeptByMap]:
    places = tsne(values, settings, part_of(tick, 0, 2))
    return places, KeptByMap.of(values, places, labels, part_of(tick, 1, 2))


def controls_for(ready: _Mapped) -> tuple[Field, ...]:
    """Return the controls: perplexity goes to a third of the points."""
    angle, perplexity, start = CONTROLS
    return angle, replace(perplexity, most=most_perplexity(len(ready.values))), start


def picture(ready: _Mapped, settings: MapSettings) -> LessonPicture:
    """Return the two maps, what each keeps, and what one axis says of the other."""
    linear, squares = follows(ready.scores, np.array([settings.angle]))
    maps = (*ready.by_components, ready.by_tsne)
    return LessonPicture(
        upper=Drawing(
            heading="What it cannot see",
            note=ready.title,
            rows=((_components(ready, settings), _neighbours(ready)),),
        ),
        lower=Drawing(
            heading="What each map keeps",
            note=f"measured on all {len(ready.values):,} {ready.new}s",
            rows=((_table(ready),), (_curves(ready, settings),)),
            weights=(1.0, 1.3),
        ),
        numbers={
            "linear": float(linear[0]),
            "squares": float(squares[0]),
            "trust": np.array([each.trust for each in maps]),
            "same": np.array([each.same for each in maps]),
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


def _groups(ready: _Mapped) -> tuple[Numbers, tuple[str, ...]]:
    names, groups = np.unique(np.array(ready.labels), return_inverse=True)
    return groups.astype(np.intp), tuple(names.tolist())


def _components(ready: _Mapped, settings: MapSettings) -> PlanePanel:
    groups, names = _groups(ready)
    turn = np.radians(settings.angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axes *= 1.15 * np.abs(ready.scores @ axes.T).max(axis=0)[:, None]
    lines = tuple(
        Strokes(start=-axis[None], end=axis[None], ink="faint", thin=True, words=name)
        for axis, name in zip(axes, "ab", strict=True)
    )
    layers: tuple[Layer, ...] = (
        *lines,
        Dots(at=ready.scores, labels=groups, names=names, told=ready.labels, small=True),
    )
    d = ready.values.shape[1]
    if d > 2:
        title, caption = f"PCA, 2 of {d} components", percent(float(ready.shares[:2].sum()), 0)
        return PlanePanel(
            title=title,
            caption=f"{caption} of the variance",
            layers=layers,
            x="component 1",
            y="component 2",
        )
    low = ready.scores[:, 1].min() - 0.25 * np.ptp(ready.scores[:, 1])
    alone = np.column_stack([ready.scores[:, 0], np.full(len(ready.scores), low)])
    return PlanePanel(
        title="PCA, both components",
        caption="lowest: what component 1 alone keeps",
        layers=(*layers, Dots(at=alone, labels=groups, small=True)),
        x=f"component 1 ({percent(float(ready.shares[0]), 0)})",
        y=f"component 2 ({percent(float(ready.shares[1]), 0)})",
    )


def _neighbours(ready: _Mapped) -> PlanePanel:
    groups, names = _groups(ready)
    start = f"at random, seed {ready.settings.seed}" if ready.settings.seed else "from PCA"
    d = ready.values.shape[1]
    return PlanePanel(
        title=f"t-SNE of all {d} numbers" if d > 2 else "t-SNE of both numbers",
        caption=f"perplexity {ready.settings.perplexity}, begun {start}",
        layers=(Dots(at=ready.places, labels=groups, names=names, told=ready.labels, small=True),),
        x="no axis: only who is near whom",
    )


def _table(ready: _Mapped) -> TablePanel:
    maps, d = (*ready.by_components, ready.by_tsne), ready.values.shape[1]
    apart = ("Distances of groups, correlation", *(f"{each.apart:.2f}" for each in maps))
    return TablePanel(
        head=("", f"PCA, 1 of {d}", f"PCA, 2 of {d}", "t-SNE"),
        rows=(
            (f"Trustworthiness, {NEAREST} nearest", *(percent(each.trust) for each in maps)),
            (
                f"Nearest has its label (in truth {percent(ready.near)})",
                *(percent(each.same) for each in maps),
            ),
            *((apart,) if np.isfinite(ready.by_tsne.apart) else ()),
            (f"A place for a new {ready.new}", "yes", "yes", "none"),
        ),
    )


def _curves(ready: _Mapped, settings: MapSettings) -> CurvesPanel:
    linear, squares = follows(ready.scores, _ANGLES)
    return CurvesPanel(
        title="What a says of b",
        curves=(
            DrawnCurve(name="b from a, by a line", x=_ANGLES, y=linear),
            DrawnCurve(name="b² from a²", x=_ANGLES, y=squares, ink="contrast", dashed=True),
        ),
        x="turn θ (degrees)",
        y="share",
        percent=True,
        mark=(settings.angle, f"θ = {settings.angle:.0f}°"),
    )


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
    controls=CONTROLS,
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    slow=True,
    fitted=controls_for,
    renewed_by=("perplexity", "start"),
    renew=renew,
)
