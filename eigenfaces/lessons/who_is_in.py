"""Lesson: who is in the data decides the components, and with them the map."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed, largest_angle
from eigenfaces.lessons.lesson import Lesson, Settings, choice, slide, told
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.text import count, percent

_COLOURS = 10  # so many groups have a colour and a name each; of more, only the chosen one has
_SHOWN = 4  # components that are shown as pictures
_WEIGHTS = np.arange(0, 5.01, 0.25)
"""For each of these the components are found before a slider moves."""


@dataclass(frozen=True, eq=False)
class _Grouped:
    """Points (n, d) with labels, and their coordinates (n, r) in all components of the whole.

    ``fits`` are the components along those, with one ``group`` weighted.
    """

    subject: Subject
    labels: NDArray[np.str_]
    groups: tuple[str, ...]
    whole: Decomposed
    coordinates: Doubles
    group: str = ""
    fits: Mapping[float, Decomposed] = field(default_factory=dict)

    def fitted(self, weight: float) -> Decomposed:
        """Return the first components, and the mean, with the group at a weight.

        A rotation of the points turns their components alike, so nothing is lost along those of the
        whole. Of the signs, which are free, those are taken that are nearer to them.
        """
        if weight in self.fits:
            return self.fits[weight]
        weights = np.where(self.labels == self.group, weight, 1.0)
        found = decomposed(self.coordinates, weights=weights)
        if len(found.variances) < 2:
            raise EigenfacesError(f"Without “{self.group}” there is no plane: give it some weight.")
        first = found.components[:_SHOWN]
        signs = np.where(np.diag(first) < 0, -1.0, 1.0)[:, None]
        return Decomposed(found.mean, signs * first, found.variances[:_SHOWN])


def prepare(subject: Subject, tick: Tick) -> _Grouped:
    """Find the components of all."""
    labels = np.array(subject.labels or ())
    groups = tuple(sorted({each for each in labels.tolist() if each}))
    if len(groups) < 2:
        raise EigenfacesError(
            "There is nobody to leave out: this lesson needs two or more groups. Name the people, "
            "or choose other data."
        )
    whole = decomposed(subject.values, tick)
    if len(whole.variances) < 2:
        raise EigenfacesError("All of these lie on one line, which is no map: choose others.")
    return _Grouped(subject, labels, groups, whole, whole.coordinates(subject.values))


def renew(ready: _Grouped, settings: Settings, tick: Tick) -> _Grouped:
    """Return the same points with this group weighted; the first, if there is no such one."""
    group = settings["group"] if settings["group"] in ready.groups else ready.groups[0]
    if group == ready.group:
        return ready
    chosen, fits = replace(ready, group=group, fits={}), {}
    for number, weight in enumerate(_WEIGHTS.tolist()):
        tick(number, len(_WEIGHTS))
        with suppress(EigenfacesError):  # said when it is looked at
            fits[weight] = chosen.fitted(weight)
    return replace(chosen, fits=fits)


def picture(ready: _Grouped, weight: float = 0.0, group: str = "C") -> fig.LessonPicture:
    """Return both maps, the components of both, and what each keeps of whom.

    ``weight`` is how often each of a group counts: 0, it is left out; 1, as all the others.
    """
    group, fitted = ready.group, ready.fitted(weight)  # the first, where there is no such group
    r = len(fitted.mean)
    own = replace(fitted, components=fitted.components[:2])
    whole = Decomposed(np.zeros(r), np.eye(r)[:2], ready.whole.variances[:2])
    inside: Flags = ready.labels == group
    away = ready.coordinates - ready.coordinates[~inside].mean(axis=0)
    kept = [_kept(away[rows], both) for rows in (inside, ~inside) for both in (whole, own)]
    angle = float(np.degrees(largest_angle(whole.components, own.components)))
    titles = ("All alike", f"“{group}” {weight:g} times" if weight else f"Without “{group}”")
    maps = _map(ready, whole, titles[0]), _map(ready, own, titles[1])
    rows = [
        (f"of “{group}”, from the others’ mean", *(percent(each) for each in kept[:2])),
        ("of the others, from their mean", *(percent(each) for each in kept[2:])),
        ("angle between the two planes", "", f"{angle:.1f}°"),
    ]
    directions = (ready.whole.components[:_SHOWN], fitted.components @ ready.whole.components)
    below: tuple[tuple[fig.Panel, ...], ...] = ()
    if isinstance(ready.subject, ImageSet):
        shape, made = ready.subject.shape, []
        for title, some in zip(titles, directions, strict=True):
            look = {"signed": True, "words": tuple("1234")[: len(some)]}
            made.append(fig.pictures(some, shape, title, len(some), **look))
        below = (tuple(made),)
    else:
        rows += [
            (f"component {k + 1}", *(_written(each[k]) for each in directions)) for k in (0, 1)
        ]
    table = fig.TablePanel(("Share seen in the plane", *titles), tuple(rows))
    note = f"the planes lie {angle:.0f}° apart"
    numbers = {"angle": angle, "kept_group": np.array(kept[:2]), "kept_others": np.array(kept[2:])}
    return fig.LessonPicture(
        fig.Drawing("Who is in the data", (maps,), note),
        fig.Drawing("Components, and what they keep", (*below, (table,))),
        numbers,
        {"group": group},
    )


def _kept(away: Doubles, plane: Decomposed) -> float:
    """Return the share of squared deviations (n, r) that lies in a plane."""
    total = float((away**2).sum())
    return float(((away @ plane.components.T) ** 2).sum()) / total if total > 0 else float("nan")


def _map(ready: _Grouped, plane: Decomposed, title: str) -> fig.PlanePanel:
    at = plane.coordinates(ready.coordinates)
    few = len(ready.groups) <= _COLOURS
    names = ready.groups if few else (ready.group,)
    shown = ready.labels != "" if few else ready.labels == ready.group
    own = ready.labels[shown]
    numbers, told = np.searchsorted(np.array(names), own), tuple(own.tolist())
    dots = fig.Dots(at[shown], labels=numbers, names=names, told=told, small=True)
    layers = fig.Dots(at[~shown], small=True), dots
    return fig.PlanePanel(layers, "component 1", "component 2", title=title)


def _written(direction: Doubles) -> str:
    return f"({', '.join(f'{each:.2f}' for each in direction)})".replace("-", "−")


def _groups(ready: _Grouped) -> dict[str, dict[str, str]]:
    """Return the groups that there are, with how many are in each."""
    noun = "picture" if isinstance(ready.subject, ImageSet) else "point"
    sizes = {each: count(int((ready.labels == each).sum()), noun) for each in ready.groups}
    return {"group": sizes}


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
    np.array([np.sum((some @ each.T) ** 2) / np.sum(some**2) for each in planes])
    for some in (away[inside], away[~inside])
)
print(f"{angle:.2f}° apart; kept {kept_group.round(3)}, others {kept_others.round(3)}")
"""

WORDS = """
title: Who is in the data
line: Leave a group out, or weight it
group: Limits
see: Both maps show the same; at the right one group counts as often as its weight says.
see: Components belong to **whoever is in the data**: none is spent on who is left out.
see: Who is missing often lands in the middle: not as average, but for want of a **direction**.
formula: Σ = E[*m* (*x* − *μ*)(*x* − *μ*)ᵀ] / E[*m*]
why: A weight of *m* is *m* copies. Far off or many, a group takes the first directions. So no map
    shows that neighbours on it are alike, that who is in the middle is typical, or whose spread is
    largest: with others in the data it is another map.
try: Move the weight from 0 to 1: the maps become the same.
try: On the digits leave out 1, then 0: which components change?
try: Give a group a weight of 5: what do the others lose?
try: Look at the row of {group}: how much of it is seen without it?
set weight: how often each of the group counts: 0, it is left out; 1, as all the others do
set group: which group is left out or counts more, by its label
press All alike: Count the group as all the others
"""

LESSON = Lesson(
    **told(WORDS),
    name="who-is-in-the-data",
    subjects=("groups", "digits", "gallery", "opened"),
    fields=(
        slide("weight", "Weight", 0, 5.0, 0.25, plays=True),
        choice("group", "Group", {}),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={"All alike": {"weight": 1.0}},
    fitted=_groups,
    renewed_by=("group",),
    renew=renew,
)
