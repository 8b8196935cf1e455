"""Distances and ranks from searches for probes in a gallery, or from comparisons of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from eigenfaces.evaluation.protocols import Fold, RowPairs, Rows
from eigenfaces.recognition.neighbours import Matching, distance_in_space
from eigenfaces.recognition.recipe import Recipe, Rule
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.principal import Fit, Principal

_DISTANCES_AT_ONCE = 2_000_000  # distances to photographs in memory at a time


@dataclass(frozen=True, eq=False)
class Searches:
    """Table of m searches among p people, given by their indices in `PhotoIndex.people`."""

    fold: Numbers  # (m,) the fold of each search
    probes: Rows  # (m,) the row of each probe
    people: Numbers  # (m,) the person on each probe
    distances: Doubles  # (m, p) the distance to each person, ∞ if not enrolled
    ranks: Numbers  # (m,) the rank of the right person, from 1; 0 for strangers
    answers: Numbers  # (m,) the person who came first
    taken: Rows  # (m,) the nearest photograph of the person who came first
    should: Rows  # (m,) the nearest photograph of the right person; −1 for strangers

    def __len__(self) -> int:
        return len(self.probes)

    @property
    def mated(self) -> Flags:
        """Whether the right person was enrolled, (m,)."""
        return self.ranks > 0

    @property
    def right(self) -> Flags:
        """Whether the right person came first, (m,)."""
        return self.ranks == 1

    @property
    def is_comparison(self) -> Flags:
        """Whether each distance (m, p) is to an enrolled person, and not counted elsewhere."""
        probe = self.fold * (int(self.probes.max(initial=0)) + 1) + self.probes  # in its fold
        first = self.mated | ~np.isin(probe, probe[self.mated])
        return np.isfinite(self.distances) & first[:, None]

    @property
    def answer_distances(self) -> Doubles:
        """The distance to the person who came first, (m,)."""
        return self.distances[np.arange(len(self)), self.answers]

    def select(self, which: Flags | Numbers | slice) -> Searches:
        """Return the searches that a mask, an array of indices or a slice selects."""
        return Searches(**{array.name: getattr(self, array.name)[which] for array in fields(self)})


@dataclass(frozen=True, eq=False)
class PairScores:
    """Table of m comparisons of two photographs, each in one fold.

    ``pairs`` (m, 2) are rows, and ``mated`` says whether both photographs show the same person. All
    other arrays are (m,).
    """

    fold: Numbers
    pairs: RowPairs
    distances: Doubles
    mated: Flags

    def __len__(self) -> int:
        return len(self.distances)

    def right(self, thresholds: Doubles) -> Flags:
        """Return which pairs (m,) are decided correctly, given the thresholds (f,) of all folds."""
        return (self.distances <= thresholds[self.fold]) == self.mated


Scores = TypeVar("Scores", Searches, PairScores)


def concatenate_scores(parts: Sequence[Scores]) -> Scores:
    """Return the searches, or the comparisons, of several folds as one table."""
    names = [array.name for array in fields(parts[0])]
    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return type(parts[0])(**whole)


@dataclass(frozen=True, eq=False)
class FoldPoints:
    """The points that represent n faces when they are compared in a fold."""

    points: Doubles  # (n, k) standardised coordinates, or (n,) rows of a table
    distances: Callable[[Doubles, Doubles], Doubles]  # (m, n) between m points and n others
    rule: Rule = "nearest"
    mean_scatter: float = 0.0  # from `Recipe.mean_scatter`

    @classmethod
    def of(cls, principal: Principal, fitted: Fit, recipe: Recipe) -> FoldPoints:
        """Return the points of all faces along the axes fitted to a fold."""
        distance = distance_in_space(recipe.matcher, fitted.variances, fitted.variance_kept)
        points = distance.standardised(fitted.project(principal.coordinates))
        return cls(points, distance.between, recipe.matcher.rule, recipe.mean_scatter)


def search(fold_points: FoldPoints, fold: Fold, number: int, people: Numbers) -> Searches:
    """Search the gallery of a fold for its probes. ``number`` is the index of the fold."""
    known = np.unique(people[fold.gallery])
    parts = list[Searches]()
    for every, gallery in probes_and_galleries(fold):
        of = np.searchsorted(known, people[gallery])
        pieces = 1 + len(every) * len(gallery) // _DISTANCES_AT_ONCE
        for probes in np.array_split(every, pieces):
            rows = np.arange(len(probes))
            matching = Matching(
                rule=fold_points.rule,
                people=of,
                count=len(known),
                distances=fold_points.distances,
                probes=fold_points.points[probes],
                photos=fold_points.points[gallery],
                mean_scatter=fold_points.mean_scatter,
            )
            order = matching.ranking
            distances = np.full((len(probes), people.max() + 1), np.inf)
            distances[:, known] = matching.to_people
            mated = np.isin(people[probes], people[gallery])
            own = np.where(mated, np.searchsorted(known, people[probes]), 0)
            parts.append(
                Searches(
                    fold=np.full(len(probes), number),
                    probes=probes,
                    people=people[probes],
                    distances=distances,
                    ranks=np.where(mated, (order == own[:, None]).argmax(axis=1) + 1, 0),
                    answers=known[order[:, 0]],
                    taken=gallery[matching.nearest_photos[rows, order[:, 0]]],
                    should=np.where(mated, gallery[matching.nearest_photos[rows, own]], -1),
                )
            )
    return concatenate_scores(parts)


def probes_and_galleries(fold: Fold) -> Iterator[tuple[Rows, Rows]]:
    """Yield groups of probes, each with a gallery to search, which never contains those probes."""
    if not np.isin(fold.probes, fold.gallery).any():
        yield fold.probes, fold.gallery
        return
    for probe in fold.probes:
        yield np.array([probe]), fold.gallery[fold.gallery != probe]


def compare_pairs(
    fold_points: FoldPoints, pairs: RowPairs, fold: int, people: Numbers
) -> PairScores:
    """Compare the two faces of each pair (m, 2). ``fold`` is the index of the fold."""
    points = fold_points.points
    distances = [fold_points.distances(points[[a]], points[[b]])[0, 0] for a, b in pairs]
    mated = people[pairs[:, 0]] == people[pairs[:, 1]]
    return PairScores(np.full(len(pairs), fold), pairs, np.array(distances), mated)
