"""Where a recipe compares faces: the fewer people, the further beyond the span of their means."""

from __future__ import annotations

from collections.abc import Sequence

from eigenfaces.recognition.people_features import PeopleFeatures, numbered
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.space.people_axes import Reach, reach_of


def reach_in(
    recipe: Recipe, names: Sequence[str | None], training: Training | None = None
) -> Reach | None:
    """Return where a recipe compares faces of these people; None for one that is fitted to none.

    As it was trained, however many they have become; but in all directions each fit is made anew,
    so more people are measured in the span of their means, and nobody is named until training.
    """
    if not isinstance(recipe.features, PeopleFeatures):
        return None
    by_count = reach_of(numbered(names), recipe.features.SCATTER)
    space = None if training is None else training.representation
    if not isinstance(space, DiscriminantSpace) or (space.reach, by_count) == ("all", "means"):
        return by_count
    return space.reach
