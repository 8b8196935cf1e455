"""The four views of “Any pictures”: components, reconstruction, map, accuracy."""

from __future__ import annotations

from math import prod

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    PicturesPanel,
    PlanePanel,
    Strokes,
    TablePanel,
)
from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy, size_words
from eigenfaces.laboratory.lessons.decomposed_pictures import PictureShown, places_of
from eigenfaces.photographs.photos import natural_key
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import limits, percent

_DRAWN, _ACROSS = 12, 6
_BARS = 20
_NAMED = 12
"""Labels whose names are written on the map; more would cover it."""

Views = tuple[Drawing, Drawing]


def components(shown: PictureShown) -> Views:
    """Return the mean and the first components as pictures, and the variance kept over k."""
    space, pictures = shown.ready.space, shown.ready.pictures
    number = min(shown.k, _DRAWN)
    parts = space.components[:number].reshape(-1, *pictures.shape)
    ratios = space.variance_ratio
    words = tuple(f"{i + 1}: {percent(ratios[i])}" for i in range(number))
    upper = Drawing(
        heading="Components",
        note=f"{pictures.title}, {size_words(pictures.shape)}",
        rows=(
            (
                PicturesPanel(
                    title="Mean",
                    pictures=space.mean.reshape(1, *pictures.shape).astype(float),
                    across=1,
                ),
                PicturesPanel(
                    title=f"The first {number} of {len(space):,}" if number > 1 else "The first",
                    pictures=parts.astype(float),
                    across=min(_ACROSS, number),
                    signed=True,
                    words=words,
                    weight=5.0,
                ),
            ),
        ),
        key=_key(pictures, "share of the variance below each; each with limits of its own"),
    )
    return upper, _kept(shown)


def _kept(shown: PictureShown) -> Drawing:
    space, k = shown.ready.space, shown.k
    fewest = [(share, space.fewest_for(share)) for share in (0.9, 0.99)]
    kept = space.kept
    return Drawing(
        heading="Variance kept",
        note="; ".join(f"{percent(share, 0)} with {n:,}" for share, n in fewest if n),
        rows=(
            (
                CurvesPanel(
                    curves=(DrawnCurve(name="kept by the first k", x=_counted(kept), y=kept),),
                    x="components k",
                    y="share of the variance",
                    percent=True,
                    mark=(k, f"k = {k:,}: {percent(float(kept[k - 1]))}"),
                    caption=" ".join(shown.ready.pictures.notes),
                ),
            ),
        ),
    )


def reconstruction(shown: PictureShown) -> Views:
    """Return a picture, what k components make of it, what is missing, and the error over k."""
    pictures = shown.ready.pictures
    original, rebuilt = shown.original.astype(float), shown.rebuilt.astype(float)
    upper = Drawing(
        heading="Reconstruction",
        note=shown.name,
        rows=(
            (
                PicturesPanel(
                    title="Original",
                    caption=size_words(pictures.shape),
                    pictures=original,
                    across=1,
                ),
                PicturesPanel(
                    title="Rebuilt",
                    caption=f"k = {shown.k:,}",
                    pictures=np.clip(rebuilt, 0, 1),
                    across=1,
                ),
                PicturesPanel(
                    title="Missing",
                    caption=f"error {shown.error:.4f}",
                    pictures=(original - rebuilt).astype(float),
                    across=1,
                    signed=True,
                ),
            ),
        ),
        key=_key(pictures, "what is missing"),
    )
    return upper, _errors(shown)


def _errors(shown: PictureShown) -> Drawing:
    space, pictures = shown.ready.space, shown.ready.pictures
    energy = space.energy_kept(pictures.pixels[shown.row])
    d, n = prod(pictures.shape), len(pictures)
    whole = float(np.sum((pictures.pixels[shown.row] - space.mean).astype(float) ** 2))
    own = np.sqrt(np.maximum(whole * (1 - energy[1:]), 0) / d)
    # The mean square of what all lose is the sum of the variances left out.
    left = np.maximum(space.total_variance - np.cumsum(space.variances), 0)
    everyone = np.sqrt(left * (n - 1) / n / d)
    x = _counted(own)
    return Drawing(
        heading="Error over k",
        note="root of the mean square, of grey values or colours 0 to 1",
        rows=(
            (
                CurvesPanel(
                    curves=(
                        DrawnCurve(name="this picture", x=x, y=own, ink="contrast"),
                        DrawnCurve(name="all pictures", x=x, y=everyone, ink="grey", dashed=True),
                    ),
                    x="components k",
                    y="error",
                    mark=(shown.k, f"k = {shown.k:,}: {shown.error:.4f}"),
                ),
            ),
        ),
    )


def score_map(shown: PictureShown) -> Views:
    """Return all pictures at their first two scores, and the scores of one of them."""
    ready = shown.ready
    labels = ready.pictures.labels
    known = () if labels is None else tuple(labels[row] for row in ready.rows)
    names = tuple(sorted(set(known), key=natural_key))
    groups = np.array([names.index(label) for label in known]) if known else None
    own = places_of(ready.space, ready.pictures.pixels[[shown.row]])
    ratios = ready.space.variance_ratio
    n, m = len(ready.pictures), len(ready.rows)
    axes = [f"score {i + 1} ({percent(ratios[i])} of the variance)" for i in range(len(ratios[:2]))]
    upper = Drawing(
        heading="Map",
        note=f"{n:,} pictures" if m == n else f"{m:,} of {n:,} pictures, by chance",
        rows=(
            (
                PlanePanel(
                    layers=(
                        Dots(
                            at=ready.places,
                            labels=groups,
                            names=names if len(names) <= _NAMED else (),
                            told=known,
                            small=True,
                        ),
                        _crossing(own, ready.places),
                        Dots(at=own, ink="contrast", told=(shown.name,)),
                    ),
                    x=axes[0],
                    y=axes[1] if len(axes) > 1 else "no second component",
                ),
            ),
        ),
        key=_map_key(len(names)),
    )
    return upper, _scores(shown)


def _scores(shown: PictureShown) -> Drawing:
    number = min(shown.k, _BARS)
    return Drawing(
        heading="Scores",
        note=shown.name,
        rows=(
            (
                PicturesPanel(pictures=shown.original.astype(float), across=1),
                BarsPanel(
                    names=tuple(f"{i + 1}" for i in range(number)),
                    values=shown.scores[:number].astype(float),
                    y="score",
                    weight=4.0,
                ),
            ),
        ),
    )


def _crossing(at: Doubles, places: Doubles) -> Strokes:
    """Return a line across and one upwards that cross at a place (1, 2)."""
    lowest, highest = (np.tile(each, (2, 1)) for each in (places.min(axis=0), places.max(axis=0)))
    for line, axis in ((0, 1), (1, 0)):
        lowest[line, axis] = highest[line, axis] = at[0, axis]
    return Strokes(start=lowest, end=highest, ink="contrast", dashed=True, thin=True)


def _map_key(labels: int) -> str:
    if not labels:
        return "the lines cross at the picture chosen; the pictures have no labels"
    number = "" if labels <= _NAMED else f" ({labels:,} of them)"
    return f"a colour for each label{number}; the lines cross at the picture chosen"


def accuracy(shown: PictureShown) -> Views:
    """Return the accuracy of the nearest neighbour over k, and what to hold beside it."""
    found = shown.ready.accuracy
    if isinstance(found, str):
        raise EigenfacesError(found)
    k = min(shown.k, len(found))
    upper = Drawing(
        heading="Nearest picture, same label?",
        note=f"{found.pictures:,} pictures, {found.labels:,} labels",
        rows=(
            (
                CurvesPanel(
                    curves=(
                        DrawnCurve(
                            name="right, with its 95 % interval by label",
                            x=_counted(found.right),
                            y=found.right,
                            low=found.low,
                            high=found.high,
                        ),
                    ),
                    x="components k",
                    y="share with the right label",
                    percent=True,
                    mark=(k, f"k = {k:,}: {percent(float(found.right[k - 1]))}"),
                ),
            ),
        ),
    )
    return upper, _beside(found, k)


def _beside(found: LabelAccuracy, k: int) -> Drawing:
    best = found.best
    rows = [
        (f"k = {number:,}{said}", percent(float(found.right[number - 1])), _interval(found, number))
        for number, said in ((k, ""), (best, ", the best here"))
    ]
    return Drawing(
        heading="Beside it",
        note=f"halves drawn by the seed {found.seed}, each searched for in the other",
        rows=(
            (
                TablePanel(
                    head=("Components", "Right", "95 % interval"),
                    rows=(
                        *rows,
                        ("always the most frequent label", percent(found.most_frequent), "–"),
                    ),
                    strong=(0,),
                    caption=(
                        "Mean and components are those of the half searched in. The best k is "
                        "chosen on the pictures searched for, so others will do a little worse."
                    ),
                ),
            ),
        ),
    )


def _interval(found: LabelAccuracy, k: int) -> str:
    return limits(float(found.low[k - 1]), float(found.high[k - 1]))


def _counted(values: Doubles) -> Doubles:
    return np.arange(1, len(values) + 1, dtype=float)


def _key(pictures: ImageSet, words: str) -> str:
    if len(pictures.shape) == 2:
        return words
    return f"grey is zero, a colour more of it; {words}"
