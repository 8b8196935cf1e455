"""Lesson: the groups in the data determine the components, and therefore the map."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import subspace_angles

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Choice, Lesson, Question, Slide, Step
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.text import count, percent, with_minus

_COLOURS = 10  # with more groups, only the chosen one has a colour and a name
_COMPONENTS = 4  # components shown as pictures
_ENOUGH = 1000  # the most components of all points from which others are fitted quickly


@dataclass(frozen=True, eq=False)
class _Grouped:
    """Points (n, d) with group labels."""

    subject: Subject
    labels: NDArray[np.str_]
    groups: tuple[str, ...]
    whole: PrincipalComponents
    coordinates: Doubles  # (n, r) along the components of all points

    def fit(self, group: str, weight: float) -> PrincipalComponents:
        """Return the mean and the first components when one group has this weight.

        Components are fitted to coordinates, because a rotation of the points only rotates their
        components. Signs are arbitrary, so they are chosen to match the components of all points.
        """
        weights = np.where(self.labels == group, weight, 1.0)
        fitted = pca(self.coordinates, weights=weights).first(_COMPONENTS)
        if len(fitted.variances) < 2:
            raise EigenfacesError(f"Without “{group}” there is no plane. Choose a weight above 0.")
        signs = np.where(np.diag(fitted.components) < 0, -1.0, 1.0)[:, None]
        return replace(fitted, components=signs * fitted.components)


def prepare(subject: Subject, tick: Tick) -> _Grouped:
    """Return the components of all points, and the groups of the points."""
    labels = np.array(subject.labels or ())
    groups = tuple(sorted(set(labels.tolist()) - {""}))
    if len(groups) < 2:
        raise EigenfacesError(
            "There is nobody to leave out, because this lesson needs two or more groups. Name the "
            "people, or choose other data."
        )
    whole = pca(subject.values, tick).first(_ENOUGH)
    if len(whole.variances) < 2:
        raise EigenfacesError("All points lie on one line, so there is no map. Choose other data.")
    return _Grouped(subject, labels, groups, whole, whole.project(subject.values))


def picture(ready: _Grouped, weight: float, group: str) -> fig.LessonPicture:
    """Draw the maps with and without weighting, their components, and how much they keep.

    ``weight`` is the weight of each point in the group: 0 leaves the group out, and 1 treats it
    like the others.
    """
    group = group if group in ready.groups else ready.groups[0]
    fitted, r = ready.fit(group, weight), ready.coordinates.shape[1]
    planes = np.eye(r)[:2], fitted.components[:2]
    members: Flags = ready.labels == group
    away = ready.coordinates - ready.coordinates[~members].mean(axis=0)

    def kept(rows: Doubles) -> Doubles:  # the share of the squares that lies in each plane
        total = float((rows**2).sum()) or np.nan
        return np.array([((rows @ plane.T) ** 2).sum() / total for plane in planes])

    kept_group, kept_others = kept(away[members]), kept(away[~members])
    angle = float(np.degrees(subspace_angles(planes[0].T, planes[1].T).max()))
    titles = (
        "Components of all groups",
        f"“{group}” with weight {weight:g}" if weight else f"Components without “{group}”",
    )
    maps = fig.on_one_scale(
        _map(ready, group, ready.coordinates @ planes[0].T, titles[0]),
        _map(ready, group, fitted.first(2).project(ready.coordinates), titles[1]),
    )
    rows = [
        (f"“{group}”, measured from the mean of the others", *map(percent, kept_group)),
        ("the others, measured from their mean", *map(percent, kept_others)),
    ]
    directions = (ready.whole.components[:_COMPONENTS], fitted.components @ ready.whole.components)
    below: list[tuple[fig.Panel, ...]] = []
    if isinstance(ready.subject, ImageSet):
        shape, panels = ready.subject.shape, list[fig.Panel]()
        for title, part in zip(titles, directions, strict=True):
            words = tuple("1234")[: len(part)]
            panels.append(fig.pictures(part, shape, title, len(part), signed=True, words=words))
        below.append(tuple(panels))
    else:
        for k in (0, 1):
            texts = (", ".join(f"{value:.2f}" for value in part[k]) for part in directions)
            rows.append((f"component {k + 1}", *(with_minus(f"({text})") for text in texts)))
    below.append((fig.TablePanel(("Share of variance in the plane", *titles), tuple(rows)),))
    return fig.LessonPicture(
        fig.Drawing("Who is in the data", (maps,), f"angle between the two planes: {angle:.0f}°"),
        fig.Drawing("Components, and what they keep", tuple(below)),
        {"angle": angle, "kept_group": kept_group, "kept_others": kept_others},
        {"group": group},
    )


def _map(ready: _Grouped, group: str, at: Doubles, title: str) -> fig.PlanePanel:
    """Draw all points in a plane, with a colour for each group or only for the chosen group."""
    few = len(ready.groups) <= _COLOURS
    names = ready.groups if few else (group,)
    coloured: Flags = ready.labels != "" if few else ready.labels == group
    labels = ready.labels[coloured]
    numbers, tips = np.searchsorted(np.array(names), labels), tuple(labels.tolist())
    dots = fig.Dots(at[coloured], labels=numbers, names=names, tips=tips, small=True)
    layers = fig.Dots(at[~coloured], small=True), dots
    return fig.PlanePanel(layers, "component 1", "component 2", title=title)


def _sizes(ready: _Grouped) -> dict[str, dict[str, str]]:
    """Return the groups to choose from, with the number of points in each."""
    noun = "picture" if isinstance(ready.subject, ImageSet) else "point"
    labels = ready.labels.tolist()
    return {"group": {group: count(labels.count(group), noun) for group in ready.groups}}


LISTING = """\
labels = np.array(labels).astype(str)
groups = np.unique(labels[labels != ""])
inside = labels == (group if group in groups else groups[0])


def plane(weights):
    shares = weights / weights.sum()
    away = np.sqrt(shares)[:, None] * (x - shares @ x)
    return np.linalg.svd(away, full_matrices=False)[2][:2]


planes = plane(np.ones(len(x))), plane(np.where(inside, weight, 1.0))
outside = planes[1] - planes[1] @ planes[0].T @ planes[0]
angle = np.degrees(np.arcsin(min(1, np.linalg.norm(outside, 2))))
away = x - x[~inside].mean(axis=0)
kept_group, kept_others = (
    np.array([np.sum((some @ plane.T) ** 2) / np.sum(some**2) for plane in planes])
    for some in (away[inside], away[~inside])
)
print(f"{angle:.2f}° apart; kept {kept_group.round(3)}, others {kept_others.round(3)}")
"""

LESSON = Lesson(
    name="who-is-in-the-data",
    title="Who is in the data",
    line="Leave a group out, or give it a weight",
    group="Limits",
    see=(
        "Both maps show the same points. For the map on the right, one group has another weight.",
        "Components describe **the groups in the data**. No component is spent on a group that is "
        "left out.",
        "A group that is left out often lands in the middle, not because it is average but "
        "because it has no **direction** of its own.",
    ),
    formula="Σ = E[*m* (*x* − *μ*)(*x* − *μ*)ᵀ] / E[*m*]",
    why=(
        "A weight of *m* has the effect of *m* copies. A group that is large or far away takes "
        "the first directions. So a map does not prove that neighbours are alike, that a person "
        "in the middle is typical, or which group varies most. With other people in the data, the "
        "map is different."
    ),
    steps=(
        Step("If {group} is left out, it lands in the middle.", {"weight": 0}),
        Step("Give {group} the weight of the others: the maps become the same.", {"weight": 1}),
        Step("Give {group} a weight of 5: what do the other groups lose?", {"weight": 5}),
        Step("Take digits without the 1: what changes?", {"group": "1"}, subject="digits"),
    ),
    question=Question(
        "Group C is left out. Where does it land on the map?",
        ("far outside", "in the middle", "at the edge"),
        1,
    ),
    subjects=("groups", "digits", "gallery", "opened"),
    controls=(
        Slide(
            "weight",
            "Weight",
            "the weight of the group: 0 leaves it out",
            0.0,
            0,
            5.0,
            0.25,
            plays=True,
        ),
        Choice("group", "Group", "the group that is left out or has a weight", {}, default="C"),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    limits=_sizes,
)
