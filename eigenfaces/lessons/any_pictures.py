"""Lesson: not only faces but pictures of any kind have components."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet, size_words
from eigenfaces.laboratory.tsne import tsne, usual_perplexity
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, blocks, pca
from eigenfaces.lessons.lesson import Choice, Flag, Lesson, Slide, Step
from eigenfaces.photographs.names import natural_key
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.space.principal import draw_rows
from eigenfaces.text import count, percent

_COMPONENTS = 12
_SCORES = 25  # scores of each picture from which t-SNE makes its map
_MAPPED = 1000  # the most pictures on that map
_NAMED = 12  # the most labels written on the map; more would cover it
_VIEWS = {
    "Components": "the mean and the components as pictures",
    "Reconstruction": "a picture from k components, beside the original",
    "Map": "every picture at its first two scores",
}
_IDLE = {"Components": ("which", "by_tsne"), "Reconstruction": ("by_tsne",), "Map": ("k", "which")}


@dataclass(frozen=True, eq=False)
class DecomposedPictures:
    """Pictures with their mean, all components and the first scores (n, c) of each picture."""

    images: ImageSet
    points: Floats  # (n, d) the pictures, each value divided by its scale
    scales: Doubles  # (d,) deviations of the pixels, or ones without scaling
    fitted: PrincipalComponents
    scores: Doubles
    mapped: Numbers  # (m,) the pictures on the t-SNE map
    places: Doubles  # (m, 2) their positions on it

    @property
    def kept_shares(self) -> Doubles:
        """Shares (r,) of the variance kept by the first 1, 2, … components."""
        return np.cumsum(self.fitted.variances) / self.fitted.variances.sum()

    def rmse_by_components(self, row: int) -> Doubles:
        """Return the RMS errors (r + 1,) of a picture rebuilt from 0, 1, … components."""
        rest = np.append(0.0, np.cumsum(self.scores_of(row)[::-1] ** 2))[::-1]
        return np.sqrt(rest / self.images.pixels.shape[1])

    def scores_of(self, row: int) -> Doubles:
        """Return all scores (r,) of a picture."""
        return self.fitted.project(self.points[row : row + 1])[0]

    def key(self, words: str) -> str:
        """Return the key to the colours of these pictures, followed by ``words``."""
        colour = "grey is zero, and a colour means more of that colour; " * (
            len(self.images.shape) == 3
        )
        return colour + words


def prepare(
    images: ImageSet, tick: Tick, scaled: bool = False, by_tsne: bool = False
) -> DecomposedPictures:
    """Return the components of the pictures and, if ``by_tsne``, a t-SNE map of some of them."""
    points, scales = images.pixels, np.ones(images.pixels.shape[1])
    if scaled:
        scales = images.column_scales()
        points = np.divide(points, scales, dtype=np.float32)
    fitted = pca(points, part_of(tick, 0, 2))
    first = fitted.first(_SCORES)
    scores = np.concatenate([first.project(points[some]) for some in blocks(len(points))])
    mapped, places = np.arange(0), np.empty((0, 2))
    if by_tsne:
        mapped = draw_rows(np.arange(len(images)), _MAPPED)
        places = tsne(scores[mapped], usual_perplexity(len(mapped)), part_of(tick, 1, 2))
    return DecomposedPictures(images, points, scales, fitted, scores, mapped, places)


def picture(
    ready: DecomposedPictures, view: str, k: float, which: float, scaled: bool, by_tsne: bool
) -> fig.LessonPicture:
    """Draw one of the views. ``which`` is the number of a picture, counted from 1."""
    del scaled, by_tsne  # `prepare` has used both
    all_components = len(ready.fitted.components)
    number, row = min(int(k), all_components), min(int(which), len(ready.images)) - 1
    views = {"Components": _components, "Reconstruction": _reconstruction, "Map": _map}
    kept = float(ready.kept_shares[number - 1])
    return fig.LessonPicture(
        *views[view](ready, number, row),
        {
            "kept": kept,
            "error": ready.rmse_by_components(row)[number],
            "first": ready.fitted.components[0],
        },
        {
            "first": "The first" if number == 1 else f"The first {number:,}",
            "keep": "keeps" if number == 1 else "keep",
            "components": count(all_components, "component"),
            "kept": percent(kept),
            "d": f"{ready.images.pixels.shape[1]:,}",
        },
    )


Views = tuple[fig.Drawing, fig.Drawing | None]


def _components(ready: DecomposedPictures, k: int, _row: int) -> Views:
    """Draw the mean, the first components, and the share of the variance kept by the first k."""
    images, fitted, kept = ready.images, ready.fitted, ready.kept_shares
    number, shares = min(k, _COMPONENTS), fitted.variances / fitted.variances.sum()
    mean = fig.pictures(fitted.mean * ready.scales, images.shape, "Mean")
    title = f"The first {number} of {len(kept):,}" if number > 1 else "The first"
    words = tuple(f"{i + 1}: {percent(shares[i])}" for i in range(number))
    first, look = fitted.components[:number], {"signed": True, "weight": 5.0}
    parts = fig.pictures(first, images.shape, title, min(6, number), words=words, **look)
    note = "; ".join(f"{percent(p, 0)} with {fewest_components(kept, p):,}" for p in (0.9, 0.99))
    key = ready.key("below each: its share of the variance; each has its own range of colours")
    size = f"{images.title}, {size_words(images.shape)}"
    mark = k, f"k = {k:,}: {percent(float(kept[k - 1]))}"
    x, ys = np.arange(1.0, len(kept) + 1), {"kept by the first k": kept}
    curve = fig.CurvesPanel(x, ys, "components k", "share of the variance", mark, percent=True)
    return (
        fig.Drawing("Components", ((mean, parts),), size, key=key),
        fig.Drawing("Variance kept", ((curve,),), note),
    )


def _reconstruction(ready: DecomposedPictures, k: int, row: int) -> Views:
    """Draw a picture, its reconstruction from k components, the residual, and the error by k."""
    images, fitted, shape = ready.images, ready.fitted.first(k), ready.images.shape
    errors, original = ready.rmse_by_components(row), ready.points[row].astype(float)
    rebuilt, error = fitted.mean + ready.scores_of(row)[:k] @ fitted.components, f"{errors[k]:.4f}"
    missing, caption = original - rebuilt, f"error {error}"
    scales = ready.scales
    panels = (
        fig.pictures(original * scales, shape, "Original", caption=size_words(shape)),
        fig.pictures(np.clip(rebuilt * scales, 0, 1), shape, "Rebuilt", caption=f"k = {k:,}"),
        fig.pictures(missing * scales, shape, "Missing", caption=caption, signed=True),
    )
    # The mean square error over all pictures is the sum of the variances left out.
    left = np.maximum(ready.fitted.variances.sum() * (1 - ready.kept_shares), 0)
    everyone = np.sqrt(left / len(original)), "grey"
    label = f", “{images.labels[row]}”" if images.labels and images.labels[row] else ""
    name = f"picture {row + 1:,} of {len(images):,}{label}"
    x, ys = np.arange(1.0, len(left) + 1), {"this picture": errors[1:], "all pictures": everyone}
    curves = fig.CurvesPanel(x, ys, "components k", "error", (k, f"k = {k:,}: {error}"))
    unit = "grey values or colours 0 to 1" if (scales == 1).all() else "standard deviations"
    note = f"root mean square, in {unit}"
    return (
        fig.Drawing("Reconstruction", (panels,), name, key=ready.key("the missing part")),
        fig.Drawing("Error for each k", ((curves,),), note),
    )


def _map(ready: DecomposedPictures, _k: int, _row: int) -> Views:
    """Plot the pictures by their first two scores and on the t-SNE map, coloured by label."""
    scores, labels = ready.scores[:, :2], ready.images.labels or ()
    places = np.pad(scores, ((0, 0), (0, 2 - scores.shape[1])))
    names = tuple(sorted(set(labels), key=natural_key))
    ratios = np.diff(ready.kept_shares[:2], prepend=0)
    axes = [f"score {i} ({percent(ratio)} of the variance)" for i, ratio in enumerate(ratios, 1)]
    x, y = (*axes, "no second component")[:2]
    groups = np.array([names.index(label) for label in labels]) if labels else None
    few = len(names) <= _NAMED
    dots = fig.Dots(places, labels=groups, names=names * few, tips=labels, small=True)
    panels = [fig.PlanePanel((dots,), x, y)]
    several = "" if few else f" ({len(names):,} of them)"
    key = f"a colour for each label{several}" if labels else "the pictures have no labels"
    note = f"{len(ready.images):,} pictures"
    if len(mapped := ready.mapped):
        some = replace(
            dots,
            at=ready.places,
            labels=None if groups is None else groups[mapped],
            tips=tuple(labels[row] for row in mapped) if labels else (),
        )
        title = f"t-SNE of {count(ready.scores.shape[1], 'score')}"
        panels.append(fig.PlanePanel((some,), "only nearness matters", title=title))
        panels[0] = replace(panels[0], title="The first two scores")
        if len(mapped) < len(ready.images):
            note += f", of which t-SNE shows {len(mapped):,}, chosen at random"
    return fig.Drawing("Map", (tuple(panels),), note, key=key), None


LISTING = """\
if scaled:
    spread = x.std(axis=0)
    x = x / np.where(spread > 1e-4, spread, 1)
mean = x.mean(axis=0)
_, s, vt = np.linalg.svd(x - mean, full_matrices=False)
largest = np.abs(vt).argmax(axis=1)  # signs are free: make the largest entry +
vt = vt * np.sign(vt[np.arange(len(vt)), largest])[:, None]
first = vt[0]  # reshape it to a picture
components = vt[: int(k)]
scores = (x - mean) @ components.T  # the map shows the first two columns
kept = np.sum(s[: int(k)] ** 2) / np.sum(s**2)
i = min(int(which), len(x)) - 1
rebuilt = mean + scores[i] @ components
error = np.sqrt(np.mean((x[i] - rebuilt) ** 2))
print(f"{kept:.1%} of the variance; error of picture {i + 1}: {error:.4f}")
"""


LESSON = Lesson(
    name="any-pictures",
    title="Any pictures",
    line="Faces, digits, patches or a folder of yours",
    group="Laboratory",
    see=(
        "Each picture is a point with {d} coordinates. Nothing else is known about it.",
        "The **components** are pictures too. Every picture is the mean plus each component times "
        "a score.",
        "{first} of {components} {keep} {kept} of the variance.",
    ),
    formula=(
        "*x* ≈ *m* + Σ *c<sub>i</sub>u<sub>i</sub>*, *c<sub>i</sub>* = *u<sub>i</sub>*ᵀ(*x* − *m*)"
    ),
    why=(
        "The method does not know what a face is. It finds the directions in which the points "
        "differ most. In colour, each pixel has three numbers, and nothing else changes."
    ),
    steps=(
        Step("The first components of faces look like faces themselves.", {"k": 16}),
        Step("At which *k* can you tell who it is?", {"view": "Reconstruction", "k": 40}),
        Step("Which digits lie far apart, and which overlap?", {"view": "Map"}, subject="digits"),
        Step("Open your own pictures: a folder, or a set such as MNIST."),
    ),
    subjects=("sample", "digits", "patches", "gallery", "opened"),
    controls=(
        Choice("view", "View", "what to show of the pictures", _VIEWS, default="Components"),
        Slide("k", "k", "how many components are kept", 16, 1, 64, plays=True),
        Slide("which", "Picture", "which picture is rebuilt", 1, 1, 100),
        Flag("scaled", "scaled", "each pixel is divided by its standard deviation", default=False),
        Flag("by_tsne", "t-SNE", "a t-SNE map of at most 1,000 pictures", default=False),
    ),
    prepare=prepare,
    picture=picture,
    slow_settings=("scaled", "by_tsne"),
    listing=LISTING,
    picture_only=("view", "by_tsne"),
    limits=lambda ready: {"k": len(ready.fitted.variances), "which": len(ready.images)},
    unused_settings=lambda now: _IDLE[now["view"]],
)
