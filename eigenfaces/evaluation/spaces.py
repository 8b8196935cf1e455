"""The space of every fold of an evaluation, as the features of a recipe have it fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import Fold, Rows
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.folds import Folds, FoldSpace


@dataclass(frozen=True, eq=False)
class Spaces:
    """The folds of faces that are prepared by a recipe, and their features (n, f)."""

    folds: Folds
    recipe: Recipe
    features: Crops

    @classmethod
    def of(cls, faces: FaceSet, recipe: Recipe) -> Spaces:
        """Return the folds of faces; raise `EigenfacesError` if some are not numbers."""
        features = recipe.features.of_all(faces.pixels, faces.shape)
        if not features.are_finite():
            raise EigenfacesError("Some faces hold values that are not numbers.")
        people = [photo.person for photo in faces.index.photos]
        return cls(recipe.features.folds(features, people, faces.shape), recipe, features)

    def fit(self, train: Rows, *, every_k: bool = True) -> FoldSpace:
        """Return all faces in the space fitted to the training rows.

        ``every_k``: in all components, not only in those that the recipe compares.
        """
        if len(train) < 2:
            raise EigenfacesError("A fold has fewer than two photographs to fit a face space to.")
        return self.folds.fit(train, None if every_k else self.recipe.matcher.components)

    def prepare(self, folds: Sequence[Fold]) -> None:
        """Compute what folds have in common, before they are shared out."""
        self.folds.prepare()
