"""A recipe in words: the same in the terminal, in the window and in a report."""

from __future__ import annotations

from eigenfaces.recognition.features import PixelFeatures
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.representation import percentage

_SAID_APART = ("lighting", "distance", "components", "dropped")


def recipe_words(recipe: Recipe) -> str:
    """Return every setting of a recipe in a line.

    >>> recipe_words(Recipe.of(components=20))
    'Eigenfaces, L2, 1 nearest, covariance; 20 components; light as it is'
    >>> recipe_words(Recipe.of("Texture"))
    'Texture, cosine, 1 nearest; components for 100 % of the variance'
    """
    words = f"{comparison_words(recipe)}; {components_words(recipe.matcher)}"
    if not isinstance(recipe.features, PixelFeatures):
        return words
    return f"{words}; light {lighting_words(recipe)}"


def recipe_in_short(recipe: Recipe) -> str:
    """Return distance, components, and the other unusual settings; the name of other recipes.

    >>> recipe_in_short(Recipe.of("Texture"))
    'Texture'
    >>> recipe_in_short(Recipe.of(components=0.9, dropped=2, lighting="CLAHE", window="oval"))
    'L2, 90 % of the variance, the first 2 dropped, CLAHE, window oval'
    """
    classic = recipe.name == Recipe().name
    if not classic and recipe == Recipe.of(recipe.name):
        return recipe.name
    matcher, lighting = recipe.matcher, recipe.pixels.lighting
    wanted = matcher.components
    parts = [] if classic else [recipe.name]
    parts += [matcher.distance, f"k = {wanted}" if isinstance(wanted, int) else _share(wanted)]
    if matcher.dropped:
        parts.append(_dropped(matcher))
    if lighting != "none":
        parts.append(lighting)
    return ", ".join([*parts, *unusual_settings(recipe)])


def unusual_settings(recipe: Recipe) -> list[str]:
    """Return the unusual settings, without lighting, distance and components.

    >>> unusual_settings(Recipe.of(whitening="pca", neighbours=3))
    ['whitening pca', 'neighbours 3']
    """
    usual = Recipe.of(recipe.name).settings
    return [
        f"{name} {value}"
        for name, value in recipe.settings.items()
        if name not in _SAID_APART and value != usual.get(name)
    ]


def comparison_words(recipe: Recipe) -> str:
    """Return its name, and how faces are compared."""
    matcher = recipe.matcher
    rule = f"{matcher.neighbours} nearest" if matcher.rule == "nearest" else matcher.rule
    parts = [recipe.name, matcher.distance, rule]
    if isinstance(recipe.features, PixelFeatures):
        parts.append(recipe.features.scaling)
    if matcher.whitening != "none":
        parts.append(f"{matcher.whitening.upper()} whitening, {smoothing_words(matcher)}")
    return ", ".join(parts)


def components_words(matcher: Matcher) -> str:
    """Return how many components are compared.

    >>> components_words(Matcher(components=20, dropped=3))
    '20 components, the first 3 dropped'
    """
    wanted = matcher.components
    if isinstance(wanted, float):
        many = f"components for {_share(wanted)}"
    else:
        many = "1 component" if wanted == 1 else f"{wanted} components"
    return f"{many}, {_dropped(matcher)}" if matcher.dropped else many


def lighting_words(recipe: Recipe) -> str:
    """Return the lighting correction, and the window against the background."""
    pixels = recipe.pixels
    lighting = "as it is" if pixels.lighting == "none" else f"evened out: {pixels.lighting}"
    return lighting if pixels.window == "none" else f"{lighting}; {pixels.window} window"


def smoothing_words(matcher: Matcher) -> str:
    """Return the ε of a whitening: as a number, or as a share of the variance.

    >>> smoothing_words(Matcher(smoothing="10%"))
    'ε = 10 % of the mean variance kept'
    """
    if isinstance(matcher.smoothing, str):
        return f"ε = {percentage(matcher.smoothing):g} % of the mean variance kept"
    return f"ε = {matcher.smoothing:g}"


def _share(wanted: float) -> str:
    return f"{100 * wanted:g} % of the variance"


def _dropped(matcher: Matcher) -> str:
    return f"the first {matcher.dropped} dropped"
