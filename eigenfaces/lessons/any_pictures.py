"""Lesson: any pictures of one size have components, not only faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy, drawn, size_words
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Lesson, choice, slide, told
from eigenfaces.photographs.photos import natural_key
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.folds import SEED
from eigenfaces.text import count, limits, percent

_MOST_ON_MAP = 2000
_DRAWN, _BARS = 12, 20
_NAMED = 12  # labels whose names are written on the map; more would cover it
_VIEWS = {
    "Components": "the mean and the components as pictures, and the variance they keep",
    "Reconstruction": "a picture from k components, beside the original and what is missing",
    "Map": "every picture at its first two scores, in the colour of its label",
    "Accuracy": "how often the nearest picture in k components has the same label",
}

Views = tuple[fig.Drawing, fig.Drawing]


@dataclass(frozen=True, eq=False)
class DecomposedPictures:
    """Pictures with their mean and all components.

    ``rows`` (m,) are those on the map, all or a sample, at ``places`` (m, 2), their first two
    scores. ``accuracy`` is how well labels are told apart, or why that is not known.
    """

    images: ImageSet
    space: FaceSpace
    rows: Numbers
    places: Doubles
    accuracy: LabelAccuracy | str


def prepare(images: ImageSet, tick: Tick) -> DecomposedPictures:
    """Return the components of pictures, and how well they tell labels apart."""
    space, n = images.space(part_of(tick, 0, 2)), len(images)
    accuracy: LabelAccuracy | str
    try:
        accuracy = LabelAccuracy.of(images, tick=part_of(tick, 1, 2))
    except EigenfacesError as error:  # no labels, or too few pictures of each
        accuracy = str(error)
    rows = np.arange(n) if n <= _MOST_ON_MAP else drawn(n, _MOST_ON_MAP, 0)
    return DecomposedPictures(images, space, rows, _places(space, images.pixels[rows]), accuracy)


def _places(space: FaceSpace, pixels: Floats) -> Doubles:
    """Return the first two scores (m, 2) of pictures (m, d)."""
    scores = space.first(min(2, len(space))).project(pixels).astype(float)
    return np.pad(scores, ((0, 0), (0, 2 - scores.shape[1])))


@dataclass(frozen=True, eq=False)
class _Shown:
    """One picture (1, d) in k components: its scores (k,), and the picture that they make (1, d).

    ``error`` is the root of the mean squared difference from the original, over its values.
    """

    ready: DecomposedPictures
    k: int
    row: int
    original: Doubles
    rebuilt: Doubles
    scores: Floats
    error: float

    @property
    def name(self) -> str:
        """Which picture it is, with its label if it has one."""
        labels, n = self.ready.images.labels, len(self.ready.images)
        label = f", “{labels[self.row]}”" if labels and labels[self.row] else ""
        return f"picture {self.row + 1:,} of {n:,}{label}"

    def key(self, words: str) -> str:
        """Return what colours mean."""
        colour = len(self.ready.images.shape) == 3
        return f"grey is zero, a colour more of it; {words}" if colour else words


def picture(
    ready: DecomposedPictures, view: str = "Components", k: float = 16, which: float = 1
) -> fig.LessonPicture:
    """Return one of the views; without labels, an accuracy is an `EigenfacesError`.

    ``which`` is the number of a picture, from 1.
    """
    k, row = min(int(k), len(ready.space)), min(int(which), len(ready.images)) - 1
    pixels = ready.images.pixels[[row]]
    scores, far = ready.space.project_with_residual(pixels, k)
    rebuilt = ready.space.first(k).reconstruct(scores).astype(float)
    error = float(far[0]) / float(np.sqrt(pixels.size))
    shown = _Shown(ready, k, row, pixels.astype(float), rebuilt, scores[0], error)
    views = (_components, _reconstruction, _map, _accuracy)
    upper, lower = dict(zip(_VIEWS, views, strict=True))[view](shown)
    kept, first = float(ready.space.kept[k - 1]), ready.space.components[0].astype(float)
    return fig.LessonPicture(
        upper,
        lower,
        {"kept": kept, "error": error, "first": first},
        {
            "first": "The first" if k == 1 else f"The first {k:,}",
            "keep": "keeps" if k == 1 else "keep",
            "components": count(len(ready.space), "component"),
            "kept": percent(kept),
            "d": f"{ready.images.pixels.shape[1]:,}",
        },
    )


def _over_k(
    *curves: fig.DrawnCurve, y: str, k: int, value: str, percent: bool = False, caption: str = ""
) -> fig.CurvesPanel:
    """Return curves over 1, 2, … components, with a mark at k."""
    mark = k, f"k = {k:,}: {value}"
    return fig.CurvesPanel(curves, "components k", y, mark, percent=percent, caption=caption)


def _counted(values: Doubles) -> Doubles:
    return np.arange(1, len(values) + 1, dtype=float)


def _components(shown: _Shown) -> Views:
    """Return the mean and the first components as pictures, and the variance kept over k."""
    space, images, k = shown.ready.space, shown.ready.images, shown.k
    number, ratios, kept = min(k, _DRAWN), space.variance_ratio, space.kept
    mean = fig.pictures(space.mean.astype(float), images.shape, "Mean")
    title = f"The first {number} of {len(space):,}" if number > 1 else "The first"
    words = tuple(f"{i + 1}: {percent(ratios[i])}" for i in range(number))
    first, look = space.components[:number].astype(float), {"signed": True, "weight": 5.0}
    parts = fig.pictures(first, images.shape, title, min(6, number), words=words, **look)
    curve = fig.DrawnCurve("kept by the first k", _counted(kept), kept)
    value, caption = percent(float(kept[k - 1])), " ".join(images.notes)
    y = "share of the variance"
    panel = _over_k(curve, y=y, k=k, value=value, percent=True, caption=caption)
    fewest = [(share, space.fewest_for(share)) for share in (0.9, 0.99)]
    note = "; ".join(f"{percent(share, 0)} with {n:,}" for share, n in fewest if n)
    size = f"{images.title}, {size_words(images.shape)}"
    key = shown.key("share of the variance below each; each with limits of its own")
    return (
        fig.Drawing("Components", ((mean, parts),), size, key=key),
        fig.Drawing("Variance kept", ((panel,),), note),
    )


def _reconstruction(shown: _Shown) -> Views:
    """Return a picture, what k components make of it, what is missing, and the error over k."""
    space, images, shape = shown.ready.space, shown.ready.images, shown.ready.images.shape
    original, rebuilt, error = shown.original, shown.rebuilt, f"error {shown.error:.4f}"
    said, missing = f"k = {shown.k:,}", original - rebuilt
    panels = (
        fig.pictures(original, shape, "Original", caption=size_words(shape)),
        fig.pictures(np.clip(rebuilt, 0, 1), shape, "Rebuilt", caption=said),
        fig.pictures(missing, shape, "Missing", caption=error, signed=True),
    )
    n, d = images.pixels.shape
    energy = space.energy_kept(images.pixels[shown.row])
    whole = float(np.sum((original - space.mean) ** 2))
    own = np.sqrt(np.maximum(whole * (1 - energy[1:]), 0) / d)
    # The mean square of what all lose is the sum of the variances left out.
    left = np.maximum(space.total_variance - np.cumsum(space.variances), 0)
    everyone = np.sqrt(left * (n - 1) / n / d)
    x = _counted(own)
    curves = _over_k(
        fig.DrawnCurve("this picture", x, own, "contrast"),
        fig.DrawnCurve("all pictures", x, everyone, "grey", dashed=True),
        y="error",
        k=shown.k,
        value=f"{shown.error:.4f}",
    )
    root, key = "root of the mean square, of grey values or colours 0 to 1", "what is missing"
    return (
        fig.Drawing("Reconstruction", (panels,), shown.name, key=shown.key(key)),
        fig.Drawing("Error over k", ((curves,),), root),
    )


def _map(shown: _Shown) -> Views:
    """Return all pictures at their first two scores, and the scores of one of them."""
    ready = shown.ready
    labels, places, n, m = ready.images.labels, ready.places, len(ready.images), len(ready.rows)
    known = () if labels is None else tuple(labels[row] for row in ready.rows)
    names = tuple(sorted(set(known), key=natural_key))
    own = _places(ready.space, ready.images.pixels[[shown.row]])
    start, end = (np.tile(each, (2, 1)) for each in (places.min(axis=0), places.max(axis=0)))
    for ends in (start, end):  # a line across and one upwards, which cross at the picture
        ends[[0, 1], [1, 0]] = own[0, ::-1]
    ratios = ready.space.variance_ratio
    axes = [f"score {i + 1} ({percent(ratios[i])} of the variance)" for i in range(len(ratios[:2]))]
    groups = np.array([names.index(label) for label in known]) if known else None
    written = names if len(names) <= _NAMED else ()
    layers = (
        fig.Dots(places, labels=groups, names=written, told=known, small=True),
        fig.Strokes(start, end, "contrast", dashed=True, thin=True),
        fig.Dots(own, "contrast", told=(shown.name,)),
    )
    x, y = (*axes, "no second component")[:2]
    several = f" ({len(names):,} of them)" if len(names) > _NAMED else ""
    key = "the lines cross at the picture chosen; the pictures have no labels"
    if known:
        key = f"a colour for each label{several}; the lines cross at the picture chosen"
    number = min(shown.k, _BARS)
    scores, numbers = shown.scores[:number].astype(float), (f"{i + 1}" for i in range(number))
    bars = fig.BarsPanel(tuple(numbers), scores, "score", weight=4.0)
    note = f"{n:,} pictures" if m == n else f"{m:,} of {n:,} pictures, by chance"
    below = ((fig.pictures(shown.original, ready.images.shape), bars),)
    return fig.Drawing("Map", ((fig.PlanePanel(layers, x, y),),), note, key=key), fig.Drawing(
        "Scores", below, shown.name
    )


def _accuracy(shown: _Shown) -> Views:
    """Return the accuracy of the nearest neighbour over k, and what to hold beside it."""
    found = shown.ready.accuracy
    if isinstance(found, str):
        raise EigenfacesError(found)
    k, best, right = min(shown.k, len(found)), found.best, found.right
    name, x = "right, with its 95 % interval by label", _counted(right)
    curve = fig.DrawnCurve(name, x, right, low=found.low, high=found.high)
    value = percent(float(right[k - 1]))
    curves = _over_k(curve, y="share with the right label", k=k, value=value, percent=True)
    rows = [
        (
            f"k = {number:,}{said}",
            percent(float(right[number - 1])),
            limits(float(found.low[number - 1]), float(found.high[number - 1])),
        )
        for number, said in ((k, ""), (best, ", the best here"))
    ]
    rows.append(("always the most frequent label", percent(found.most_frequent), "–"))
    head, caption = (
        ("Components", "Right", "95 % interval"),
        "Mean and components are those of the half searched in. The best k is chosen on the "
        "pictures searched for, so others will do a little worse.",
    )
    table = fig.TablePanel(head, tuple(rows), (0,), caption=caption)
    size = f"{found.pictures:,} pictures, {found.labels:,} labels"
    note = f"halves drawn by the seed {SEED}, each searched for in the other"
    return (
        fig.Drawing("Nearest picture, same label?", ((curves,),), size),
        fig.Drawing("Beside it", ((table,),), note),
    )


LISTING = """\
mean = x.mean(axis=0)
_, s, vt = np.linalg.svd(x - mean, full_matrices=False)
largest = np.abs(vt).argmax(axis=1)  # signs are free: that of the largest is +
vt = vt * np.sign(vt[np.arange(len(vt)), largest])[:, None]
first = vt[0]  # reshape it to see it
components = vt[: int(k)]
scores = (x - mean) @ components.T  # the map shows the first two columns
kept = np.sum(s[: int(k)] ** 2) / np.sum(s**2)
i = min(int(which), len(x)) - 1
rebuilt = mean + scores[i] @ components
error = np.sqrt(np.mean((x[i] - rebuilt) ** 2))
print(f"{kept:.1%} of the variance; error of picture {i + 1}: {error:.4f}")
"""


WORDS = """
title: Any pictures
line: Digits, patches, a folder of yours
group: Pictures
see: Each picture is a point of {d} numbers; nothing else is known of it.
see: The **components** are pictures too: a picture is the mean, plus each of them times a score.
see: {first} of {components} {keep} {kept} of the variance.
formula: *x* ≈ *m* + Σ *c<sub>i</sub>u<sub>i</sub>*, *c<sub>i</sub>* = *u<sub>i</sub>*ᵀ(*x* − *m*)
why: Nothing in it knows what a face is: it finds the directions in which points differ most. Colour
    makes three numbers of each pixel, and nothing else changes.
try: **Reconstruction**: with which k can you tell what it shows?
try: **Map**: which labels lie apart, and which over each other?
try: **Accuracy**, where there are labels: from which k on does it rise no more?
try: Open pictures of your own: a folder, an .npz, or MNIST.
set view: what is shown of the pictures and their components
set k: how many components are kept
set which: which of the pictures is rebuilt, and marked on the map
"""

LESSON = Lesson(
    **told(WORDS),
    name="any-pictures",
    subjects=("digits", "patches", "gallery", "opened"),
    fields=(
        choice("view", "View", _VIEWS),
        slide("k", "k", 1, 64, whole=True, plays=True),
        slide("which", "Picture", 1, 100, whole=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=lambda ready: {"k": len(ready.space), "which": len(ready.images)},
)
