"""How often the nearest picture in k components has the right label, by the rules of evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.by_components import best_k, of_fold, summed_up
from eigenfaces.evaluation.controls import guessing
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.searches import Spaces
from eigenfaces.faces.face_set import Crops, FacePhoto, FaceSet, PhotoIndex
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles

MOST_PICTURES = 2000
"""Compared with each other; of more, a sample by the seed."""

MOST_COMPONENTS = 100
"""The largest k that is tried."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelAccuracy:
    """Accuracy of the nearest neighbour with 1 … K components, on halves split by a seed.

    Parameters
    ----------
    right
        (K,) share of the pictures whose nearest one of the other half has their label.
    low, high
        (K,) its 95 % interval, by label: pictures with the same label are not independent.
    pictures, labels
        How many take part.
    most_frequent
        What always answering the most frequent label would reach.
    seed
        Of the halves, and of the sample where there are more than `MOST_PICTURES`.
    """

    right: Doubles
    low: Doubles
    high: Doubles
    pictures: int
    labels: int
    most_frequent: float
    seed: int

    def __len__(self) -> int:
        return len(self.right)

    @property
    def best(self) -> int:
        """The smallest k of the greatest accuracy, chosen on the pictures searched for."""
        return best_k(self.right)

    @classmethod
    def of(cls, pictures: ImageSet, seed: int = 0, tick: Tick = no_tick) -> LabelAccuracy:
        """Search for each half of the pictures of every label in the other half.

        As an evaluation of faces does: mean and components are those of the half searched in. A
        picture alone with its label is only enrolled, one without a label takes no part.

        Raises
        ------
        EigenfacesError
            No labels, only one, or no label with two pictures.
        """
        some = _with_labels(pictures).sample(MOST_PICTURES, seed)
        faces = _as_faces(some)
        people = faces.index.people
        if len(people) < 2:
            raise EigenfacesError("All pictures have one label: an accuracy needs at least two.")
        folds = KFold(parts=2, seed=seed).folds(faces)
        if not folds:
            raise EigenfacesError("No label has two pictures, so there is nothing to search for.")
        place = {name: i for i, name in enumerate(people)}
        of = np.array([place[photo.person or ""] for photo in faces.index.photos])
        recipe = Recipe()
        found = []
        with threadpool_limits(1, "blas"):
            spaces = Spaces.of(faces, recipe)
            for number, fold in enumerate(folds):
                tick(number, len(folds))
                space = spaces.fit(fold.train)
                first = replace(
                    space,
                    coordinates=space.coordinates[:, :MOST_COMPONENTS],
                    variances=space.variances[:MOST_COMPONENTS],
                    kept=space.kept[:MOST_COMPONENTS],
                )
                found.append(of_fold(first, fold, of, recipe.matcher, ("L2",)))
        by_k = summed_up(found, len(people))
        return cls(
            right=by_k.accuracy["L2"],
            low=by_k.low["L2"],
            high=by_k.high["L2"],
            pictures=len(some),
            labels=len(people),
            most_frequent=guessing(folds, of).majority,
            seed=seed,
        )


def _with_labels(pictures: ImageSet) -> ImageSet:
    if pictures.labels is None:
        raise EigenfacesError("The pictures have no labels, so no answer is right or wrong.")
    rows = np.flatnonzero([label != "" for label in pictures.labels])
    return pictures if len(rows) == len(pictures) else pictures.select(rows)


def _as_faces(pictures: ImageSet) -> FaceSet:
    """Return pictures as the faces of people by the name of their labels."""
    height, *rest = pictures.shape
    shape = (height, prod(rest))  # colours side by side: only their differences count
    photos = tuple(
        FacePhoto(Path(f"{row}"), label, f"{row}", shape)
        for row, label in enumerate(pictures.labels or ())
    )
    return FaceSet(Crops(pictures.pixels), shape, PhotoIndex(photos))
