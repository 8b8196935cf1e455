"""Lesson: any pictures of one size have components, not only faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy, sample_rows, size_words
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Lesson, choice, read_words, slide
from eigenfaces.photographs.photos import natural_key
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count, percent

_MOST_ON_MAP = 2000
_COMPONENTS = 12
_NAMED = 12  # labels whose names are written on the map; more would cover it


_Drawings = tuple[fig.Drawing, fig.Drawing | None]


@dataclass(frozen=True, eq=False)
class DecomposedPictures:
    """Pictures with their mean and all components."""

    images: ImageSet
    space: FaceSpace
    rows: Numbers  # (m,) those on the map, all or a sample
    places: Doubles  # (m, 2) their first two scores
    accuracy: LabelAccuracy | str  # how well labels are told apart, or why that is not known


def prepare(images: ImageSet, tick: Tick) -> DecomposedPictures:
    """Return the components of pictures, and how well they tell labels apart."""
    space, n = images.space(part_of(tick, 0, 2)), len(images)
    accuracy: LabelAccuracy | str
    try:
        accuracy = LabelAccuracy.of(images, tick=part_of(tick, 1, 2))
    except EigenfacesError as error:  # no labels, or too few pictures of each
        accuracy = str(error)
    rows = np.arange(n) if n <= _MOST_ON_MAP else sample_rows(n, _MOST_ON_MAP, 0)
    places = space.first(min(2, len(space))).project(images.pixels[rows]).astype(float)
    places = np.pad(places, ((0, 0), (0, 2 - places.shape[1])))
    return DecomposedPictures(images, space, rows, places, accuracy)


def picture(
    ready: DecomposedPictures, view: str = "Components", k: float = 16, which: float = 1
) -> fig.LessonPicture:
    """Return one of the views; without labels, an accuracy is an `EigenfacesError`.

    ``which`` is the number of a picture, from 1.
    """
    images, space = ready.images, ready.space
    k, row = min(int(k), len(space)), min(int(which), len(images)) - 1
    kept = float(space.kept[k - 1])
    pixels = images.pixels[[row]]
    scores, residual = space.project_with_residual(pixels, k)
    rebuilt = space.first(k).reconstruct(scores).astype(float)
    error = float(residual[0]) / float(np.sqrt(pixels.size))
    if view == "Reconstruction":
        upper, lower = _reconstruction(ready, k, row, rebuilt, error)
    else:
        upper, lower = _VIEWS[view](ready, k)
    return fig.LessonPicture(
        upper,
        lower,
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
    title: str, note: str, ys: dict[str, Any], y: str, mark: tuple[int, str], **look: Any
) -> fig.Drawing:
    """Return a drawing of curves over 1, 2, … components, with a mark at k."""
    first = next(iter(ys.values()))
    x, (k, value) = np.arange(1.0, len(first) + 1), mark
    panel = fig.curves(x, ys, "components k", y, (k, f"k = {k:,}: {value}"), **look)
    return fig.Drawing(title, ((panel,),), note)


def _key(images: ImageSet, words: str) -> str:
    """Return what colours mean."""
    return f"grey is zero, a colour more of it; {words}" if len(images.shape) == 3 else words


def _components(ready: DecomposedPictures, k: int) -> _Drawings:
    """Return the mean and the first components as pictures, and the variance kept over k."""
    space, images = ready.space, ready.images
    number, kept = min(k, _COMPONENTS), space.kept
    mean = fig.pictures(space.mean.astype(float), images.shape, "Mean")
    title = f"The first {number} of {len(space):,}" if number > 1 else "The first"
    words = tuple(f"{i + 1}: {percent(space.variance_ratio[i])}" for i in range(number))
    first, look = space.components[:number].astype(float), {"signed": True, "weight": 5.0}
    parts = fig.pictures(first, images.shape, title, min(6, number), words=words, **look)
    fewest = [(share, space.fewest_for(share)) for share in (0.9, 0.99)]
    note = "; ".join(f"{percent(share, 0)} with {n:,}" for share, n in fewest if n)
    key = _key(images, "share of the variance below each; each with limits of its own")
    size = f"{images.title}, {size_words(images.shape)}"
    mark, y = (k, percent(float(kept[k - 1]))), "share of the variance"
    curves = {"kept by the first k": kept}
    return (
        fig.Drawing("Components", ((mean, parts),), size, key=key),
        _over_k("Variance kept", note, curves, y, mark, percent=True),
    )


def _reconstruction(
    ready: DecomposedPictures, k: int, row: int, rebuilt: Doubles, error: float
) -> _Drawings:
    """Return a picture, what k components make of it, what is missing, and the error over k."""
    space, images, shape = ready.space, ready.images, ready.images.shape
    original, (n, d) = images.pixels[[row]].astype(float), images.pixels.shape
    panels = (
        fig.pictures(original, shape, "Original", caption=size_words(shape)),
        fig.pictures(np.clip(rebuilt, 0, 1), shape, "Rebuilt", caption=f"k = {k:,}"),
        fig.pictures(
            original - rebuilt, shape, "Missing", caption=f"error {error:.4f}", signed=True
        ),
    )
    energy = space.energy_kept(images.pixels[row])
    whole = float(np.sum((original - space.mean) ** 2))
    own = np.sqrt(np.maximum(whole * (1 - energy[1:]), 0) / d)
    # The mean square of what all lose is the sum of the variances left out.
    left = np.maximum(space.total_variance - np.cumsum(space.variances), 0)
    curves = {"this picture": own, "all pictures": (np.sqrt(left * (n - 1) / n / d), "grey")}
    label = f", “{images.labels[row]}”" if images.labels and images.labels[row] else ""
    name = f"picture {row + 1:,} of {n:,}{label}"
    note = "root of the mean square, of grey values or colours 0 to 1"
    return (
        fig.Drawing("Reconstruction", (panels,), name, key=_key(images, "what is missing")),
        _over_k("Error over k", note, curves, "error", (k, f"{error:.4f}")),
    )


def _map(ready: DecomposedPictures, _k: int) -> _Drawings:
    """Return all pictures at their first two scores, in the colours of their labels."""
    images, n, m = ready.images, len(ready.images), len(ready.rows)
    labels = tuple(images.labels[row] for row in ready.rows) if images.labels else ()
    names = tuple(sorted(set(labels), key=natural_key))
    ratios = ready.space.variance_ratio[:2]
    axes = [f"score {i} ({percent(ratio)} of the variance)" for i, ratio in enumerate(ratios, 1)]
    x, y = (*axes, "no second component")[:2]
    groups = np.array([names.index(label) for label in labels]) if labels else None
    written = names if len(names) <= _NAMED else ()
    dots = fig.Dots(ready.places, labels=groups, names=written, tips=labels, small=True)
    several = f" ({len(names):,} of them)" if len(names) > _NAMED else ""
    key = f"a colour for each label{several}" if labels else "the pictures have no labels"
    note = f"{n:,} pictures" if m == n else f"{m:,} of {n:,} pictures, drawn at random"
    return fig.Drawing("Map", ((fig.PlanePanel((dots,), x, y),),), note, key=key), None


def _accuracy(ready: DecomposedPictures, k: int) -> _Drawings:
    """Return the accuracy of the nearest neighbour over k."""
    accuracy = ready.accuracy
    if isinstance(accuracy, str):
        raise EigenfacesError(accuracy)
    k, right = min(k, len(accuracy)), accuracy.right
    best, chance = float(right.max()), np.full(len(right), accuracy.most_frequent)
    name, other = "nearest in the other half", "always the most frequent label"
    drawing = _over_k(
        "Nearest picture, same label?",
        f"best: {percent(best)} with {accuracy.best}, of {accuracy.pictures:,} pictures",
        {name: right, other: (chance, "grey")},
        "share with the right label",
        (k, percent(float(right[k - 1]))),
        percent=True,
        caption="two random halves, each searched for in the other",
    )
    return drawing, None


_VIEWS: dict[str, Callable[[DecomposedPictures, int], _Drawings]] = {
    "Components": _components,
    "Map": _map,
    "Accuracy": _accuracy,
}

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
try: Open pictures of your own: a folder, or an .npz.
set view: what is shown of the pictures and their components
set k: how many components are kept
set which: which of the pictures is rebuilt
"""

LESSON = Lesson(
    **read_words(WORDS),
    name="any-pictures",
    subjects=("digits", "patches", "gallery", "opened"),
    fields=(
        choice(
            "view",
            "View",
            {
                "Components": "the mean and the components as pictures",
                "Reconstruction": "a picture from k components, beside the original",
                "Map": "every picture at its first two scores",
                "Accuracy": "how often the nearest picture has the same label",
            },
        ),
        slide("k", "k", 1, 64, whole=True, plays=True),
        slide("which", "Picture", 1, 100, whole=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=lambda ready: {"k": len(ready.space), "which": len(ready.images)},
)
