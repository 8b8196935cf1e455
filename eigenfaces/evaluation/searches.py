"""Search a fold's probes in its gallery, or compare its pairs: distances and ranks only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TypeVar

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.evaluation.protocols import Fold, RowPairs, Rows
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.recognition.neighbours import Comparison, Matching, Points
from eigenfaces.recognition.recipe import Matcher, Recipe
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.folds import Folds, FoldSpace, GramFolds

_DISTANCES_AT_ONCE = 2_000_000  # distances to photographs that are held at once


@dataclass(frozen=True, eq=False)
class Searches:
    """m searches among p people, numbered as in `FaceSet.people`; rows are those of the faces."""

    fold: Numbers  # (m,) the fold of each
    probes: Rows  # (m,)
    people: Numbers  # (m,) the person on each probe
    distances: Doubles  # (m, p) to each person, ∞ if not enrolled
    ranks: Numbers  # (m,) rank of the right person, from 1; 0 for a stranger's search
    answers: Numbers  # (m,) the person who came first
    taken: Rows  # (m,) the nearest photograph of that person …
    should: Rows  # (m,) … and of the right person; −1 for a stranger's search

    def __len__(self) -> int:
        return len(self.probes)

    @property
    def mated(self) -> Flags:
        """(m,) whether the right person was enrolled."""
        return self.ranks > 0

    @property
    def right(self) -> Flags:
        """(m,) whether the right person came first."""
        return self.ranks == 1

    @property
    def compared(self) -> Flags:
        """(m, p) which distances are comparisons with somebody enrolled, each of them once."""
        probe = self.fold * (int(self.probes.max(initial=0)) + 1) + self.probes  # in its fold
        first = self.mated | ~np.isin(probe, probe[self.mated])
        return np.isfinite(self.distances) & first[:, None]

    @property
    def answer_distances(self) -> Doubles:
        """(m,) the distance to the person who came first."""
        return self.distances[np.arange(len(self)), self.answers]

    def some(self, which: Flags | Numbers | slice) -> Searches:
        """Return some of the searches."""
        return Searches(**{array.name: getattr(self, array.name)[which] for array in fields(self)})


@dataclass(frozen=True, eq=False)
class PairScores:
    """m comparisons of one photograph with one other, each in a fold.

    ``pairs`` are (m, 2) rows; ``mated`` says whether both show the same person, (m,) as the others.
    """

    fold: Numbers
    pairs: RowPairs
    distances: Doubles
    mated: Flags

    def __len__(self) -> int:
        return len(self.distances)

    def right(self, thresholds: Doubles) -> Flags:
        """Return which pairs are decided correctly, (m,), by the threshold of each fold, (f,)."""
        return (self.distances <= thresholds[self.fold]) == self.mated


Scores = TypeVar("Scores", Searches, PairScores)


def joined(parts: Sequence[Scores]) -> Scores:
    """Return all the searches, or all the comparisons, of several folds."""
    names = [array.name for array in fields(parts[0])]
    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return type(parts[0])(**whole)


@dataclass(frozen=True, eq=False)
class Spaces:
    """The folds of faces that are prepared by a recipe, and their features (n, f)."""

    folds: Folds
    recipe: Recipe
    features: Crops

    @classmethod
    def of(cls, faces: FaceSet, recipe: Recipe, tick: Tick = no_tick) -> Spaces:
        """Return the folds of faces."""
        recipe.features.read_photographs(faces, part_of(tick, 0, 2))
        features = recipe.features.of_all(faces.pixels, faces.shape, part_of(tick, 1, 2))
        people = [photo.person for photo in faces.index.photos]
        folds = recipe.features.folds(features, people, faces.shape)
        if isinstance(folds, GramFolds):
            _ = folds.grams  # once, before folds are given to other processes
        return cls(folds, recipe, features)

    def fit(self, train: Rows, *, all_components: bool = True) -> FoldSpace:
        """Return all faces in the space of the training rows, in the components compared or all."""
        return self.folds.fit(train, None if all_components else self.recipe.matcher.components)


@dataclass(frozen=True, eq=False)
class InSpace:
    """Faces in the space of a fold, compared by a matcher."""

    space: FoldSpace
    matcher: Matcher

    @cached_property
    def comparison(self) -> Comparison:
        """How the matcher compares in this space."""
        return Comparison.of(self.matcher, self.space.variances, self.space.kept)

    def faces(self, rows: Rows) -> Points:
        """Return the arguments of `distances` for some faces."""
        return self.comparison.compared(self.space.coordinates[rows])

    def distances(self, probes: Points, photos: Points) -> Doubles:
        """Return the distances between m faces and n others, (m, n)."""
        return self.comparison.distances(probes, photos)

    def between(self, pairs: RowPairs) -> Doubles:
        """Return the distance between the two faces of each pair, (m,)."""
        a, b = (self.comparison.standardised(self.faces(rows)) for rows in pairs.T)
        both = zip(a[:, None], b[:, None], strict=True)
        return np.array([self.comparison.distance.between(*pair)[0, 0] for pair in both])


@dataclass(frozen=True, eq=False)
class Precomputed:
    """Distances between all faces, (n, n), that need no face space."""

    matrix: Doubles

    def faces(self, rows: Rows) -> Points:
        """Return the arguments of `distances` for some faces."""
        return rows

    def distances(self, probes: Points, photos: Points) -> Doubles:
        """Return the distances between m faces and n others, (m, n)."""
        return self.matrix[np.ix_(probes, photos)]

    def between(self, pairs: RowPairs) -> Doubles:
        """Return the distance between the two faces of each pair, (m,)."""
        return self.matrix[pairs[:, 0], pairs[:, 1]]


Compared = InSpace | Precomputed


def search(
    compared: Compared, fold: Fold, number: int, people: Numbers, matcher: Matcher
) -> Searches:
    """Return the searches for the probes of a fold, with its number, by the matcher's rule."""
    known, parts = np.unique(people[fold.gallery]), list[Searches]()
    for every, gallery in probes_and_galleries(fold):
        photos = compared.faces(gallery)
        of = np.searchsorted(known, people[gallery])
        pieces = 1 + len(every) * len(gallery) // _DISTANCES_AT_ONCE
        for probes in np.array_split(every, pieces):
            points, rows = compared.faces(probes), np.arange(len(probes))
            matching = Matching(matcher, of, len(known), compared.distances, points, photos)
            order, distances = matching.order, np.full((len(probes), people.max() + 1), np.inf)
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
    return joined(parts)


def probes_and_galleries(fold: Fold) -> Iterator[tuple[Rows, Rows]]:
    """Yield probes with the gallery to search, which never contains them."""
    if not np.isin(fold.probes, fold.gallery).any():
        yield fold.probes, fold.gallery
        return
    for probe in fold.probes:
        yield np.array([probe]), fold.gallery[fold.gallery != probe]


def compare_pairs(compared: Compared, pairs: RowPairs, number: int, people: Numbers) -> PairScores:
    """Return the comparisons of the faces of each pair; ``number`` is the index of the fold."""
    mated = people[pairs[:, 0]] == people[pairs[:, 1]]
    return PairScores(np.full(len(pairs), number), pairs, compared.between(pairs), mated)
