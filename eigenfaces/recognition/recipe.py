"""Recipes: saved settings for comparing face crops, used for the gallery and probes alike.

A recipe specifies what is compared (`Features`, which give it its name) and how (`Matcher`). To add
a recipe, write a features class and add a line to `RECIPES`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, Literal

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.network import DESCRIPTOR_SIZE
from eigenfaces.recognition.features import (
    Features,
    FisherfaceFeatures,
    PixelFeatures,
    TextureFeatures,
)
from eigenfaces.recognition.network import NetworkFeatures
from eigenfaces.space.distances import DISTANCES
from eigenfaces.text import Field, OneOf, WholeNumber, as_number, check_fields, parse_name

Rule = Literal["nearest", "class mean", "mean distance"]
_MOST_COUNTED = 100_000  # the largest number of components that can be requested


@dataclass(frozen=True, eq=False, kw_only=True)
class ComponentsField(Field):
    """A field for a number of components, up to ``most``, or a share of the variance to keep."""

    most: int = _MOST_COUNTED

    def checked(self, value: object) -> int | float:
        """Check that a value is a count (int) or a share 0…1 (float), and return the number."""
        number = as_number(value)
        if not (1 <= number <= self.most if isinstance(number, int) else 0 < number <= 1):
            raise EigenfacesError(
                f"Give the components as a count of 1 to {self.most:,}, or as a share above 0 and "
                "up to 1.0."
            )
        return number

    def read(self, text: str) -> int | float:
        """Parse “40” as a count (int), and “0.95” or “95%” as a share of the variance (float)."""
        text = text.strip()
        try:
            if text.endswith("%"):
                return self.checked(float(text[:-1]) / 100)
            return self.checked(float(text) if "." in text else int(text))
        except (ValueError, EigenfacesError):
            raise EigenfacesError(
                f"“{text}” is neither a count from 1 up, like 40, nor a share of the variance to "
                "keep, like 0.95 or 95%."
            ) from None


DISTANCE = OneOf(
    name="distance",
    label="Distance in face space",
    about="Distance in face space",
    choices={name: distance.words for name, distance in DISTANCES.items()},
    titles={name: name for name in DISTANCES},
)
COMPONENTS_FIELD = ComponentsField(
    name="components",
    label="Components",
    about="Components to compare",
    how="a count, or the share of the variance to keep (0.95, 95%)",
    why="The first components are compared: this many, or the fewest that keep this share.",
    metavar="N|SHARE",
)
DROPPED = WholeNumber(
    name="dropped",
    label="Leading components to drop",
    about="Leave the first N components out of the comparison",
    why="The first components often describe the lighting. Without them, some distances work "
    "better and others worse: Evaluate shows which.",
    option="drop-first",
    unit="dropped",
    least=0,
    most=_MOST_COUNTED,
    refusal="The number of leading components to drop must be a whole number of 0 to "
    f"{_MOST_COUNTED:,}.",
)

RULE = OneOf(
    name="rule",
    label="Who is closest",
    titles={"nearest": "Nearest photo", "class mean": "Person’s mean"},
    about="Compare with each photo, with each person’s mean, or by the mean distance to a "
    "person’s photos",
    choices={
        "nearest": "The person in the nearest enrolled photo.",
        "class mean": "The person whose photos have the nearest mean.",
        "mean distance": "The person whose photos are nearest on average.",
    },
)


@dataclass(frozen=True)
class Matcher:
    """The settings for comparing the features of faces; each setting is explained by its field.

    Names may be written as on the command line (``l2``, ``class-mean``); they are stored in their
    standard form. Invalid values raise `EigenfacesError`.
    """

    components: int | float = 0.95
    dropped: int = 0
    distance: str = "L2"
    rule: Rule = "nearest"

    FIELDS: ClassVar[tuple[Field, ...]] = (COMPONENTS_FIELD, DROPPED, DISTANCE, RULE)

    def __post_init__(self) -> None:
        check_fields(self, self.FIELDS)
        if isinstance(self.components, int) and self.dropped >= self.components:
            raise EigenfacesError(
                "Drop fewer leading components than are compared: at least one must be left."
            )


@dataclass(frozen=True)
class Recipe:
    """How faces are compared: features, which must be refitted if they change, and a matcher.

    Faces need not be cropped again when the recipe changes. `Recipe.of` returns a recipe by name.

    Parameters
    ----------
    features
        What is compared: pixels (with lighting and window), Fisherfaces, Texture or Network.
    matcher
        How it is compared: ``components``, ``dropped``, ``distance`` and ``rule``.

    Examples
    --------
    >>> Recipe.of(distance="cosine").changed(lighting="clahe").features
    PixelFeatures(lighting='CLAHE', window='none')
    """

    features: Features = field(default_factory=PixelFeatures)
    matcher: Matcher = field(default_factory=Matcher)

    @classmethod
    def of(cls, name: str = "Eigenfaces", **settings: object) -> Recipe:
        """Return the recipe with this name, after changing any settings that are given.

        Parameters
        ----------
        name
            ``Eigenfaces``, ``Fisherfaces``, ``Texture`` or ``Network``; case is ignored.
        **settings
            Settings of the features and the matcher, written as on the command line.

        Raises
        ------
        EigenfacesError
            There is no such recipe (the message lists the recipes), it has no such setting, or a
            value is invalid.
        """
        return RECIPES[parse_name(RECIPES, name, "recipe")].changed(**settings)

    @property
    def name(self) -> str:
        """The name of the recipe, which is the name of its features."""
        return self.features.NAME

    def changed(self, **settings: object) -> Recipe:
        """Return the recipe with some settings changed, written as on the command line.

        Raises
        ------
        EigenfacesError
            The recipe has no such setting, or a value is invalid.
        """
        parts: dict[str, Any] = {}
        for part in ("features", "matcher"):
            value: Any = getattr(self, part)
            own = {setting.name for setting in fields(value)} & settings.keys()
            parts[part] = replace(value, **{name: settings.pop(name) for name in own})
        if settings:
            raise EigenfacesError(
                f"The recipe “{self.name}” has no setting “{', '.join(settings)}”."
            )
        return replace(self, **parts)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings by name, as they are stored; `of` accepts them with the recipe's name."""
        return asdict(self.features) | asdict(self.matcher)

    @property
    def record(self) -> dict[str, Any]:
        """The name and the settings of the recipe, as they are stored."""
        return {"name": self.name, **self.settings}

    @property
    def fields(self) -> tuple[Field, ...]:
        """The field of each setting, in the order of `settings`."""
        return self.features.FIELDS + self.matcher.FIELDS

    @property
    def pixels(self) -> PixelFeatures:
        """The pixel features for the face space that the user sees."""
        return self.features if isinstance(self.features, PixelFeatures) else PixelFeatures()

    @property
    def shown_components(self) -> int | float:
        """The count or share of components to show: the recipe's or, for Network, the default."""
        outside = self.features.PRETRAINED
        return Matcher().components if outside else self.matcher.components

    @property
    def mean_scatter(self) -> float:
        """The term that, times 1 − 1/m, is added to squared distances from a mean of m photographs.

        This term makes scores comparable between people with different numbers of photographs.
        """
        by_mean = self.matcher.rule == "class mean" and self.matcher.distance == "L2"
        return self.features.PERSON_SCATTER if by_mean else 0.0

    @property
    def has_general_limit(self) -> bool:
        """Whether the general limit applies: it was fitted to Network with its default matcher."""
        return self.features.PRETRAINED and self.matcher == RECIPES[self.name].matcher

    def needs_refit(self, other: Recipe) -> bool:
        """Return whether changing to another recipe requires refitting."""
        return self.features != other.features


BY_ANGLE = Matcher(components=1.0, distance="cosine")  # for Fisherfaces and Texture

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(),
        Recipe(FisherfaceFeatures(), BY_ANGLE),
        Recipe(TextureFeatures(), BY_ANGLE),
        Recipe(NetworkFeatures(), Matcher(components=DESCRIPTOR_SIZE, rule="class mean")),
    )
}
"""All recipes by name, the simplest first."""


def recipe_words(recipe: Recipe) -> str:
    """Return a one-line description of a recipe with all its settings.

    >>> recipe_words(Recipe.of(components=20))
    'Eigenfaces, L2, nearest photo; 20 components; lighting unchanged'
    >>> recipe_words(Recipe.of("Texture"))
    'Texture, cosine, nearest photo; components for 100 % of the variance'
    """
    matcher, pixels = recipe.matcher, recipe.features
    rule = "nearest photo" if matcher.rule == "nearest" else matcher.rule
    words = f"{recipe.name}, {matcher.distance}, {rule}; {components_words(matcher)}"
    if not isinstance(pixels, PixelFeatures):
        return words
    light = "unchanged" if pixels.lighting == "none" else f"evened out: {pixels.lighting}"
    window = "" if pixels.window == "none" else f"; {pixels.window} window"
    return f"{words}; lighting {light}{window}"


def recipe_in_short(recipe: Recipe) -> str:
    """Return a short label with the name (unless it is Eigenfaces) and the main settings.

    >>> recipe_in_short(Recipe.of(components=0.9, dropped=2, lighting="CLAHE", window="oval"))
    'L2, 90 % of the variance, the first 2 dropped, CLAHE, window oval'
    >>> recipe_in_short(Recipe.of(components=20, rule="class mean"))
    'L2, k = 20, rule class mean'
    """
    usual = Recipe.of(recipe.name)
    matcher = recipe.matcher
    classic = recipe.name == Recipe().name
    if not classic and recipe == usual:
        return recipe.name
    k = matcher.components
    lighting = recipe.pixels.lighting
    elsewhere = ("lighting", "distance", "components", "dropped")
    parts = [
        "" if classic else recipe.name,
        matcher.distance,
        f"k = {k}" if isinstance(k, int) else f"{100 * k:g} % of the variance",
        f"the first {matcher.dropped} dropped" if matcher.dropped else "",
        "" if lighting == "none" else lighting,
        *(
            f"{name} {value}"
            for name, value in recipe.settings.items()
            if name not in elsewhere and value != usual.settings.get(name)
        ),
    ]
    return ", ".join(filter(None, parts))


def components_words(matcher: Matcher) -> str:
    """Return the number of components as text, such as “20 components, the first 2 dropped”."""
    k = matcher.components
    if isinstance(k, float):
        many = f"components for {100 * k:g} % of the variance"
    else:
        many = "1 component" if k == 1 else f"{k} components"
    return f"{many}, the first {matcher.dropped} dropped" if matcher.dropped else many
