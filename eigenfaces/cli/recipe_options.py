"""The options for a recipe, and the recipe made from them."""

from dataclasses import dataclass, replace

import typer

from eigenfaces.cli import options
from eigenfaces.recognition.recipe import Recipe

RECIPES = (Recipe().name,)
"""Every recipe there is, by name."""


@dataclass(frozen=True)
class ComparisonOptions:
    """Comparison: what a sweep goes through. None is what is not said."""

    components: options.Components = None
    distance: options.Distance = None
    lighting: options.Light = None
    drop_first: options.DropFirst = None

    def said(self) -> dict[str, object]:
        """Return the fields of the recipe that were given."""
        given = {
            "components": self.components,
            "distance": self.distance,
            "lighting": self.lighting,
            "dropped": self.drop_first,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class RecipeOptions:
    """Recipe: all else in it. None is what is not said."""

    window: options.AgainstBackground = None
    correlation: options.Correlation = False
    whitening: options.Whiten = None
    smoothing: options.Epsilon = None
    rule: options.By = None
    neighbours: options.Neighbours = None

    def said(self) -> dict[str, object]:
        """Return the fields of the recipe that were given."""
        given = {
            "window": self.window,
            "scaling": "correlation" if self.correlation else None,
            "whitening": self.whitening,
            "smoothing": self.smoothing,
            "rule": self.rule,
            "neighbours": self.neighbours,
        }
        return {name: value for name, value in given.items() if value is not None}


def recipe_of(start: Recipe, *said: ComparisonOptions | RecipeOptions) -> Recipe:
    """Return a recipe in which only the given fields are changed."""
    changes: dict[str, object] = {}
    for each in said:
        changes |= each.said()
    return replace(start, **changes)  # type: ignore[arg-type]


def recipe_name(text: str) -> str:
    """Return the name of a recipe; upper and lower case are the same.

    >>> recipe_name("eigenfaces")
    'Eigenfaces'
    """
    names = {name.casefold(): name for name in RECIPES}
    if text.strip().casefold() not in names:
        known = " and ".join(f"“{name}”" for name in RECIPES)
        raise typer.BadParameter(f"There is no recipe “{text}”. There is {known}.")
    return names[text.strip().casefold()]
