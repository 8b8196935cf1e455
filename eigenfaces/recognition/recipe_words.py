"""A recipe in words: the same in the terminal, in the window and in a report."""

from __future__ import annotations

from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.whitening import percentage

_SELDOM_CHANGED = ("window", "scaling", "whitening", "smoothing", "rule", "neighbours")


def recipe_words(recipe: Recipe) -> str:
    """Return every setting of a recipe in a line.

    >>> recipe_words(Recipe(components=20))
    'Eigenfaces, L2, 1 nearest, covariance; 20 components; light as it is'
    """
    light = lighting_words(recipe)
    return f"{comparison_words(recipe)}; {components_words(recipe)}; light {light}"


def recipe_in_short(recipe: Recipe) -> str:
    """Return distance, components, and the other unusual settings.

    >>> recipe_in_short(Recipe(components=0.9, dropped=2, lighting="CLAHE", window="oval"))
    'L2, 90 % of the variance, the first 2 dropped, CLAHE, window oval'
    """
    wanted = recipe.components
    parts = [recipe.distance, f"k = {wanted}" if isinstance(wanted, int) else _share(wanted)]
    if recipe.dropped:
        parts.append(_dropped(recipe))
    if recipe.lighting != "none":
        parts.append(recipe.lighting)
    return ", ".join([*parts, *unusual_settings(recipe)])


def unusual_settings(recipe: Recipe) -> list[str]:
    """Return the unusual settings, without lighting, distance and components.

    >>> unusual_settings(Recipe(whitening="pca", neighbours=3))
    ['whitening pca', 'neighbours 3']
    """
    usual = Recipe()
    return [
        f"{name} {getattr(recipe, name)}"
        for name in _SELDOM_CHANGED
        if getattr(recipe, name) != getattr(usual, name)
    ]


def comparison_words(recipe: Recipe) -> str:
    """Return its name, and how faces are compared."""
    rule = f"{recipe.neighbours} nearest" if recipe.rule == "nearest" else recipe.rule
    parts = [recipe.name, recipe.distance, rule, recipe.scaling]
    if recipe.whitening != "none":
        parts.append(f"{recipe.whitening.upper()} whitening, {smoothing_words(recipe)}")
    return ", ".join(parts)


def components_words(recipe: Recipe) -> str:
    """Return how many components are compared.

    >>> components_words(Recipe(components=20, dropped=3))
    '20 components, the first 3 dropped'
    """
    wanted = recipe.components
    if isinstance(wanted, float):
        many = f"components for {_share(wanted)}"
    else:
        many = "1 component" if wanted == 1 else f"{wanted} components"
    return f"{many}, {_dropped(recipe)}" if recipe.dropped else many


def lighting_words(recipe: Recipe) -> str:
    """Return the lighting correction, and the window against the background."""
    lighting = "as it is" if recipe.lighting == "none" else f"evened out: {recipe.lighting}"
    return lighting if recipe.window == "none" else f"{lighting}; {recipe.window} window"


def smoothing_words(recipe: Recipe) -> str:
    """Return the ε of a whitening: as a number, or as a share of the variance.

    >>> smoothing_words(Recipe(smoothing="10%"))
    'ε = 10 % of the mean variance kept'
    """
    if isinstance(recipe.smoothing, str):
        return f"ε = {percentage(recipe.smoothing):g} % of the mean variance kept"
    return f"ε = {recipe.smoothing:g}"


def _share(wanted: float) -> str:
    return f"{100 * wanted:g} % of the variance"


def _dropped(recipe: Recipe) -> str:
    return f"the first {recipe.dropped} dropped"
