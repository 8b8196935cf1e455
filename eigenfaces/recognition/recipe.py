"""How a face crop is compared: a saved value, applied alike to the gallery and to every probe.

A recipe is a name, what is compared (`Features`) and how (`Matcher`). A new one is another features
value, and a line in `RECIPES`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.features import Features, PixelFeatures
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.people_features import DiscriminantFeatures, TextureFeatures
from eigenfaces.space.representation import percentage
from eigenfaces.text import Field


@dataclass(frozen=True)
class Recipe:
    """Crop → verdict. Changing it never reads a photograph again.

    Parameters
    ----------
    name
        Its name.
    features
        What is compared: all whose change needs a new fit.
    matcher
        How it is compared.

    Examples
    --------
    >>> Recipe.of(distance="cosine").changed(lighting="clahe").features
    PixelFeatures(lighting='CLAHE', window='none', scaling='covariance')
    """

    name: str = "Eigenfaces"
    features: Features = field(default_factory=PixelFeatures)
    matcher: Matcher = field(default_factory=Matcher)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise EigenfacesError("The name of a recipe must be text.")

    @classmethod
    def of(cls, name: str = "Eigenfaces", **settings: object) -> Recipe:
        """Return the recipe of this name in which these settings are changed.

        ``texture`` is `Texture`, as on the command line. A recipe of an own name is made of pixels.
        """
        said = name.casefold() if isinstance(name, str) else name
        known = next((each for each in RECIPES.values() if each.name.casefold() == said), None)
        return (known or replace(cls(), name=name)).changed(**settings)

    def changed(self, **settings: object) -> Recipe:
        """Return a recipe in which these settings are others, whatever part they belong to.

        Names may be written as on the command line (``l2``, ``tan-triggs``). Impossible values
        raise `EigenfacesError`.
        """
        parts: dict[str, Any] = {}
        for part in ("features", "matcher"):
            value: Any = getattr(self, part)
            own = {each.name for each in fields(value)} & settings.keys()
            parts[part] = replace(value, **{name: settings.pop(name) for name in own})
        if settings:
            raise EigenfacesError(
                f"The recipe “{self.name}” has no setting “{', '.join(settings)}”."
            )
        return replace(self, **parts)

    @property
    def settings(self) -> dict[str, Any]:
        """All its settings by name, as they are stored: without saying to which part they belong.

        `of` takes the name and these.
        """
        return asdict(self.features) | asdict(self.matcher)

    @property
    def record(self) -> dict[str, Any]:
        """Its name and its settings, as they are stored."""
        return {"name": self.name, **self.settings}

    @property
    def fields(self) -> tuple[Field, ...]:
        """What can be set, in the same order."""
        return self.features.FIELDS + self.matcher.FIELDS

    @property
    def pixels(self) -> PixelFeatures:
        """The pixels whose face space people look at."""
        return self.features.shown

    def refits(self, other: Recipe) -> bool:
        """Return whether a change to another recipe needs a new fit."""
        return self.features != other.features


BY_ANGLE = Matcher(components=1.0, distance="cosine")
"""How Discriminant and Texture compare: the nearest photograph, by all components."""

RECIPES = {
    each.name: each
    for each in (
        Recipe(),
        Recipe("Discriminant", DiscriminantFeatures(), BY_ANGLE),
        Recipe("Texture", TextureFeatures(), BY_ANGLE),
    )
}
"""Every recipe there is, by name."""

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
    parts += [
        matcher.distance,
        f"k = {wanted}" if isinstance(wanted, int) else f"{100 * wanted:g} % of the variance",
    ]
    if matcher.dropped:
        parts.append(f"the first {matcher.dropped} dropped")
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
        many = f"components for {f'{100 * wanted:g} % of the variance'}"
    else:
        many = "1 component" if wanted == 1 else f"{wanted} components"
    return f"{many}, {f'the first {matcher.dropped} dropped'}" if matcher.dropped else many


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
