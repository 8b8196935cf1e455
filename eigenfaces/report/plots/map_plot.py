"""A map of the faces of a gallery as a figure: each person in a colour and a mark of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from eigenfaces.laboratory.maps import FaceMap, Faithfulness, share_words
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.report.plots.plot import OTHERS, SECONDARY, TEXT, Plot, drawable
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (6.5, 5.2)
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.6}
_LETTER = 7.0
"""Points of a name; a letter is about 0.55 times as wide."""


def map_plot(
    found: FaceMap, axes: Sequence[int], gallery: Gallery, kept: Faithfulness | None
) -> Plot:
    """Return the figure of a map along two axes, counted from 0.

    ``kept``: what the view keeps of neighbours, which the caption states.
    """
    people, photos, rows = gallery.people, gallery.index.photos, found.rows
    places = found.view(axes)[rows]
    numbers = {name: number for number, name in enumerate(people)}
    groups = np.array([numbers.get(photos[row].person or "", -1) for row in rows])
    titles = [found.axis(axis) for axis in axes]

    def draw(on: Axes) -> None:
        _draw_faces(on, places, groups)
        on.set_aspect("equal", adjustable="datalim")
        on.set_xlabel(titles[0] + (", in σ" if found.shares is not None else ""))
        on.set_ylabel(titles[1] + (", in σ" if found.shares is not None else ""))
        _draw_names(on, places, groups, people)

    return Plot(
        "face-map",
        f"Map of {found.faces_words}",
        map_words(found, axes, kept),
        draw,
        size=_SIZE,
    )


def map_words(found: FaceMap, axes: Sequence[int], kept: Faithfulness | None) -> str:
    """Return what a map shows and keeps, in words."""
    shown = " and ".join(found.axis(axis) for axis in axes)
    said = f"{found.faces_words} along {shown}."
    if found.shares is not None:
        share = float(found.shares[sorted(set(axes))].sum())
        said += f" Together they show {share_words(share)} of the variance."
    if kept is not None:
        said += (
            f" Of the neighbours {found.named} it keeps: trustworthiness "
            f"{kept.trustworthiness:.2f}, continuity {kept.continuity:.2f} "
            f"({count(kept.neighbours, 'neighbour')})."
        )
    if found.kind == "t-SNE":
        said += " Distances between groups, their size and the axes mean nothing."
    return said


def _draw_faces(on: Axes, places: Doubles, groups: Numbers) -> None:
    for number in np.unique(groups):
        here = places[groups == number]
        colour = SECONDARY if number < 0 else OTHERS[number % len(OTHERS)][0]
        mark = "." if number < 0 else _MARKS[number // len(OTHERS) % len(_MARKS)]
        x, y = here.T
        on.scatter(x, y, s=16, c=colour, marker=mark, linewidths=0.4, edgecolors="white")


def _draw_names(on: Axes, places: Doubles, groups: Numbers, people: Sequence[str]) -> None:
    """Write names in the middle of people, the most photographs first, where there is room."""
    width, height = (size * 72 for size in _SIZE)
    on.apply_aspect()  # else the limits are not known yet
    (left, right), (low, high) = on.get_xlim(), on.get_ylim()
    taken: list[tuple[float, float, float]] = []
    named = [number for number in np.unique(groups).tolist() if number >= 0]
    for number in sorted(named, key=lambda each: -int((groups == each).sum())):
        own = places[groups == number]
        away = ((own - np.median(own, axis=0)) ** 2).sum(axis=1)
        middle = own[away.argmin()]  # of two groups, in one
        name = drawable(people[number], number + 1)
        x = (middle[0] - left) / (right - left) * width
        y = (middle[1] - low) / (high - low) * height
        half = 0.3 * _LETTER * len(name)
        if all(abs(x - u) > half + v or abs(y - w) > 1.3 * _LETTER for u, w, v in taken):
            taken.append((x, y, half))
            on.annotate(
                name, middle, ha="center", va="center", fontsize=_LETTER, color=TEXT, bbox=_PAPER
            )
