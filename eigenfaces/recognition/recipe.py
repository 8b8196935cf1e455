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
from eigenfaces.wording import Field


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
