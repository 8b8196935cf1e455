"""The options for a recipe, and the recipe made from them."""

from typing import Annotated

import typer

from eigenfaces.cli.field_options import declared, flag_of, reader, with_options
from eigenfaces.cli.running import note
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.text import one_of

FIELDS = {each.name: each for recipe in RECIPES.values() for each in recipe.fields}
"""Every setting of every recipe, by name."""

USUAL = {
    name: value for each in reversed(RECIPES.values()) for name, value in each.settings.items()
}
"""The values that help shows, of the first recipe that has them."""


RecipeName = Annotated[
    str | None,
    typer.Option(
        "--recipe",
        metavar="NAME",
        parser=reader(lambda text: one_of(RECIPES, text, "recipe")),
        help=f"The recipe to start from: {', '.join(RECIPES)}.",
        show_default="a project's own; else Eigenfaces",
    ),
]


@with_options({"name": RecipeName} | declared(FIELDS.values(), USUAL))
class RecipeOptions:
    """Recipe: what is compared, and how. None is what is not said."""

    def of(self, start: Recipe) -> Recipe:
        """Return a recipe in which only what was said is changed; what has no effect is noted.

        ``start``: that one, unless another was named.
        """
        said = {
            name: flag_of(FIELDS[name]) if value is True else value
            for name, value in vars(self).items()
        }
        given = {
            name: each for name, each in said.items() if each is not None and each is not False
        }
        name = given.pop("name", None)
        recipe = (RECIPES[name] if name else start).changed(**given)
        for idle, sentence in recipe.matcher.idle.items():
            if idle in given:
                note(sentence)
        return recipe
