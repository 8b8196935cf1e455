"""Lesson: any pictures of one size have components, not only faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy, sample_rows, size_words
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Lesson, choice, read_words, slide
from eigenfaces.photographs.photos import natural_key
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.folds import SEED
from eigenfaces.text import count, limits, percent

_MOST_ON_MAP = 2000
_COMPONENTS, _BARS = 12, 20
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
    """Pictures with their mean and all components."""

    images: ImageSet
    space: FaceSpace
    rows: Numbers  # (m,) those on the map, all or a sample
    places: Doubles  # (m, 2) their first two scores
    accuracy: LabelAccuracy | str  # how well labels are told apart, or why that is not known


@dataclass(frozen=True, eq=False)
class _Picture:
    """One picture in k components."""

    row: int
    k: int
    original: Doubles  # (1, d)
    rebuilt: Doubles  # (1, d)
    scores: Floats  # (k,)
    error: float  # root mean square of the difference
    name: str


def prepare(images: ImageSet, tick: Tick) -> DecomposedPictures:
    """Return the components of pictures, and how well they tell labels apart."""
    space, n = images.space(part_of(tick, 0, 2)), len(images)
    accuracy: LabelAccuracy | str
    try:
        accuracy = LabelAccuracy.of(images, tick=part_of(tick, 1, 2))
    except EigenfacesError as error:  # no labels, or too few pictures of each
        accuracy = str(error)
    rows = np.arange(n) if n <= _MOST_ON_MAP else sample_rows(n, _MOST_ON_MAP, 0)
    return DecomposedPictures(images, space, rows, _places(space, images.pixels[rows]), accuracy)


def _places(space: FaceSpace, pixels: Floats) -> Doubles:
    """Return the first two scores (m, 2) of pictures (m, d)."""
    scores = space.first(min(2, len(space))).project(pixels).astype(float)
    return np.pad(scores, ((0, 0), (0, 2 - scores.shape[1])))


def picture(
    ready: DecomposedPictures, view: str = "Components", k: float = 16, which: float = 1
) -> fig.LessonPicture:
    """Return one of the views; without labels, an accuracy is an `EigenfacesError`.

    ``which`` is the number of a picture, from 1.
    """
    images, space = ready.images, ready.space
    k, row = min(int(k), len(space)), min(int(which), len(images)) - 1
    pixels = images.pixels[[row]]
    scores, residual = space.project_with_residual(pixels, k)
    rebuilt = space.first(k).reconstruct(scores).astype(float)
    error = float(residual[0]) / float(np.sqrt(pixels.size))
    label = f", “{images.labels[row]}”" if images.labels and images.labels[row] else ""
    name = f"picture {row + 1:,} of {len(images):,}{label}"
    example = _Picture(row, k, pixels.astype(float), rebuilt, scores[0], error, name)
    views = (_components, _reconstruction, _map, _accuracy)
    kept = float(space.kept[k - 1])
    return fig.LessonPicture(
        *dict(zip(_VIEWS, views, strict=True))[view](ready, example),
        {"kept": kept, "error": error, "first": space.components[0].astype(float)},
        {
            "first": "The first" if k == 1 else f"The first {k:,}",
            "keep": "keeps" if k == 1 else "keep",
            "components": count(len(space), "component"),
            "kept": percent(kept),
            "d": f"{images.pixels.shape[1]:,}",
        },
    )


def _over_k(
    title: str,
    note: str,
    curves: tuple[fig.PlotLine, ...],
    y: str,
    mark: tuple[int, str],
    **look: Any,
) -> fig.Drawing:
    """Return a drawing of curves over 1, 2, … components, with a mark at k."""
    (k, value), x = mark, "components k"
    panel = fig.CurvesPanel(curves, x, y, (k, f"k = {k:,}: {value}"), **look)
    return fig.Drawing(title, ((panel,),), note)


def _count_from_one(values: Doubles) -> Doubles:
    return np.arange(1, len(values) + 1, dtype=float)


def _key(images: ImageSet, words: str) -> str:
    """Return what colours mean."""
    return f"grey is zero, a colour more of it; {words}" if len(images.shape) == 3 else words


def _components(ready: DecomposedPictures, example: _Picture) -> Views:
    """Return the mean and the first components as pictures, and the variance kept over k."""
    space, images, k = ready.space, ready.images, example.k
    number, kept = min(k, _COMPONENTS), space.kept
    mean = fig.pictures(space.mean.astype(float), images.shape, "Mean")
    title = f"The first {number} of {len(space):,}" if number > 1 else "The first"
    words = tuple(f"{i + 1}: {percent(space.variance_ratio[i])}" for i in range(number))
    first, look = space.components[:number].astype(float), {"signed": True, "weight": 5.0}
    parts = fig.pictures(first, images.shape, title, min(6, number), words=words, **look)
    fewest = [(share, space.fewest_for(share)) for share in (0.9, 0.99)]
    key = _key(images, "share of the variance below each; each with limits of its own")
    size = f"{images.title}, {size_words(images.shape)}"
    return fig.Drawing("Components", ((mean, parts),), size, key=key), _over_k(
        "Variance kept",
        "; ".join(f"{percent(share, 0)} with {n:,}" for share, n in fewest if n),
        (fig.PlotLine("kept by the first k", _count_from_one(kept), kept),),
        "share of the variance",
        (k, percent(float(kept[k - 1]))),
        percent=True,
        caption=" ".join(images.notes),
    )


def _reconstruction(ready: DecomposedPictures, example: _Picture) -> Views:
    """Return a picture, what k components make of it, what is missing, and the error over k."""
    space, images, shape, error = ready.space, ready.images, ready.images.shape, example.error
    original, rebuilt, (n, d) = example.original, example.rebuilt, images.pixels.shape
    size, kept, lost = size_words(shape), f"k = {example.k:,}", f"error {error:.4f}"
    panels = (
        fig.pictures(original, shape, "Original", caption=size),
        fig.pictures(np.clip(rebuilt, 0, 1), shape, "Rebuilt", caption=kept),
        fig.pictures(original - rebuilt, shape, "Missing", caption=lost, signed=True),
    )
    energy = space.energy_kept(images.pixels[example.row])
    whole = float(np.sum((original - space.mean) ** 2))
    own = np.sqrt(np.maximum(whole * (1 - energy[1:]), 0) / d)
    # The mean square of what all lose is the sum of the variances left out.
    left = np.maximum(space.total_variance - np.cumsum(space.variances), 0)
    everyone, x = np.sqrt(left * (n - 1) / n / d), _count_from_one(own)
    key = _key(images, "what is missing")
    return fig.Drawing("Reconstruction", (panels,), example.name, key=key), _over_k(
        "Error over k",
        "root of the mean square, of grey values or colours 0 to 1",
        (
            fig.PlotLine("this picture", x, own, "contrast"),
            fig.PlotLine("all pictures", x, everyone, "grey", dashed=True),
        ),
        "error",
        (example.k, f"{error:.4f}"),
    )


def _map(ready: DecomposedPictures, example: _Picture) -> Views:
    """Return all pictures at their first two scores, and the scores of one of them."""
    images, places, n, m = ready.images, ready.places, len(ready.images), len(ready.rows)
    labels = tuple(images.labels[row] for row in ready.rows) if images.labels else ()
    names = tuple(sorted(set(labels), key=natural_key))
    own = _places(ready.space, images.pixels[[example.row]])
    # a line across and one upwards, which cross at the picture
    start, end = (np.tile(corner, (2, 1)) for corner in (places.min(axis=0), places.max(axis=0)))
    for ends in (start, end):
        ends[[0, 1], [1, 0]] = own[0, ::-1]
    ratios = ready.space.variance_ratio[:2]
    axes = [f"score {i} ({percent(ratio)} of the variance)" for i, ratio in enumerate(ratios, 1)]
    x, y = (*axes, "no second component")[:2]
    groups = np.array([names.index(label) for label in labels]) if labels else None
    written = names if len(names) <= _NAMED else ()
    layers = (
        fig.Dots(places, labels=groups, names=written, tips=labels, small=True),
        fig.Strokes(start, end, "contrast", dashed=True, thin=True),
        fig.Dots(own, "contrast", tips=(example.name,)),
    )
    panel = fig.PlanePanel(layers, x, y)
    several = f" ({len(names):,} of them)" if len(names) > _NAMED else ""
    key = "the lines cross at the chosen picture; "
    key += f"a colour for each label{several}" if labels else "the pictures have no labels"
    number = min(example.k, _BARS)
    scores, numbers = example.scores[:number].astype(float), map(str, range(1, number + 1))
    bars = fig.BarsPanel(tuple(numbers), scores, "score", weight=4.0)
    note = f"{n:,} pictures" if m == n else f"{m:,} of {n:,} pictures, drawn at random"
    below = ((fig.pictures(example.original, images.shape), bars),)
    upper = fig.Drawing("Map", ((panel,),), note, key=key)
    return upper, fig.Drawing("Scores", below, example.name)


def _accuracy(ready: DecomposedPictures, example: _Picture) -> Views:
    """Return the accuracy of the nearest neighbour over k, and what to hold beside it."""
    found = ready.accuracy
    if isinstance(found, str):
        raise EigenfacesError(found)
    k, right = min(example.k, len(found)), found.right
    name, ks = "right, with its 95 % interval by label", _count_from_one(right)
    rows = [
        (
            f"k = {number:,}{words}",
            percent(float(right[number - 1])),
            limits(float(found.low[number - 1]), float(found.high[number - 1])),
        )
        for number, words in ((k, ""), (found.best, ", the best here"))
    ]
    rows.append(("always the most frequent label", percent(found.most_frequent), "–"))
    caption = (
        "Mean and components are those of the half searched in. The best k is chosen on the "
        "pictures searched for, so others will do a little worse."
    )
    head = ("Components", "Right", "95 % interval")
    table = fig.TablePanel(head, tuple(rows), (0,), caption=caption)
    note = f"two random halves (seed {SEED}), each searched for in the other"
    return _over_k(
        "Nearest picture, same label?",
        f"{found.pictures:,} pictures, {found.labels:,} labels",
        (fig.PlotLine(name, ks, right, low=found.low, high=found.high),),
        "share with the right label",
        (k, percent(float(right[k - 1]))),
        percent=True,
    ), fig.Drawing("Beside it", ((table,),), note)


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
    **read_words(WORDS),
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
