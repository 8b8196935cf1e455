"""Recipes: values that can only be sensible, and the one table of their fields."""

import math
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Preparation, Recipe
from eigenfaces.faces.face_set import Crops
from eigenfaces.faces.lighting import Lighting, Window, even_light, through_window
from eigenfaces.faces.prepare import ALREADY_CROPPED, HEIGHT, WIDTH
from eigenfaces.recognition.features import PixelFeatures
from eigenfaces.recognition.recipe import COMPONENTS_FIELD, RECIPES, Matcher
from eigenfaces.text import Field, OneOf, WholeNumber, cli_name


def test_a_recipe_is_known_by_its_name_however_it_is_written() -> None:
    assert list(RECIPES) == ["Eigenfaces", "Fisherfaces", "Texture", "Network"]
    for name, recipe in RECIPES.items():
        assert Recipe.of(name.lower()) == Recipe.of(name.upper()) == recipe


@pytest.mark.parametrize("typed", ["fisherface", "Discriminant", "my own", "", None, 3])
def test_a_name_that_no_recipe_has_is_refused_with_those_there_are(typed: Any) -> None:
    with pytest.raises(EigenfacesError, match="Eigenfaces, Fisherfaces, Texture, Network"):
        Recipe.of(typed)


def test_a_recipe_cannot_be_called_otherwise_than_what_it_compares() -> None:
    for name, recipe in RECIPES.items():
        assert recipe.name == recipe.changed(distance="L1").name == name
        assert Recipe(recipe.features).name == name


NONSENSE = (
    *(None, True, np.bool_(True), "", "5", "x" * 10_000, [], {}, 1j),
    *(math.nan, math.inf, -math.inf, -1, 1e300, 10**400, Fraction(10**400)),
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ({"distance": "l2"}, {"distance": "L2"}),
        ({"distance": "linf"}, {"distance": "L∞"}),
        ({"distance": "mahalanobis-cosine"}, {"distance": "Mahalanobis cosine"}),
        ({"lighting": "tan-triggs"}, {"lighting": "Tan–Triggs"}),
        ({"lighting": "mean-and-variance"}, {"lighting": "mean and variance"}),
        ({"lighting": "clahe", "window": "gaussian"}, {"lighting": "CLAHE", "window": "Gaussian"}),
        ({"rule": "class-mean"}, {"rule": "class mean"}),
        ({"components": np.int64(7)}, {"components": 7}),
        ({"components": np.float32(0.5)}, {"components": 0.5}),
    ],
)
def test_values_may_be_written_as_on_the_command_line(
    typed: dict[str, Any], meant: dict[str, Any]
) -> None:
    """And they are the same value: it can be found in a list, and saved and compared."""
    assert Recipe.of(**typed) == Recipe.of(**meant)
    settings = Recipe.of(**typed).settings
    assert settings == Recipe.of(**meant).settings == Recipe().settings | meant
    assert all(type(settings[name]) is type(value) for name, value in meant.items())


@pytest.mark.parametrize("window", get_args(Window))
@pytest.mark.parametrize("lighting", get_args(Lighting))
def test_features_are_lit_then_seen_through_the_window_some_at_a_time_or_all(
    lighting: Lighting, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PixelFeatures, "AT_ONCE", 3)
    crops = Crops(np.random.default_rng(0).integers(0, 256, (8, 320), np.uint8))
    recipe = Recipe.of(lighting=lighting, window=window)
    features = recipe.pixels.of_all(crops, (20, 16))
    np.testing.assert_array_equal(features[:], recipe.pixels.of(crops[:], (20, 16)))
    lit = even_light(crops[:].reshape(8, 20, 16), lighting)
    np.testing.assert_array_equal(features[:], through_window(lit, window).reshape(8, -1))


def test_only_what_changes_the_face_space_refits() -> None:
    new = {"lighting": "CLAHE", "window": "oval"}
    same = {"components": 3, "distance": "L1", "rule": "mean distance"}
    for name, value in (new | same).items():
        assert Recipe().needs_refit(Recipe().changed(**{name: value})) == (name in new)


VALUES = (
    (PixelFeatures, PixelFeatures.FIELDS),
    (Matcher, Matcher.FIELDS),
    (Preparation, (HEIGHT, WIDTH, ALREADY_CROPPED)),
)
ALL = [pytest.param(kind, field, id=field.name) for kind, some in VALUES for field in some]


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_nonsense_is_refused_with_a_sentence(kind: type, field: Field) -> None:
    for wrong in (*NONSENSE, *((0, 0.0, 1.01, 1.5) if field is COMPONENTS_FIELD else ())):
        if field is not ALREADY_CROPPED or wrong not in (True,):
            with pytest.raises(EigenfacesError, match=r"^[A-Z].*[.?]$"):
                (Preparation if kind is Preparation else Recipe.of)(**{field.name: wrong})
    with pytest.raises(EigenfacesError, match=r"^[A-Z].*\.$"):
        Recipe.of(name=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_its_limits_are_those_of_the_value(kind: type, field: Field) -> None:
    def made(value: object) -> object:
        return getattr(kind(**{field.name: value}), field.name)

    if isinstance(field, OneOf):
        assert [made(cli_name(name)) for name in field.choices] == list(field.choices)
        assert [field.read(cli_name(name)) for name in field.choices] == list(field.choices)
    if isinstance(field, WholeNumber):
        assert made(field.least) == field.read(f" {field.least} ") == field.least
        for wrong in (field.least - 1, field.most + 1, "3", 1.5):
            with pytest.raises(EigenfacesError, match=f"{field.most:,}|{field.most}"):
                made(wrong)
    if field is COMPONENTS_FIELD:
        assert (
            made(COMPONENTS_FIELD.most)
            == field.read(str(COMPONENTS_FIELD.most))
            == COMPONENTS_FIELD.most
        )
        assert made(1.0) == field.read("100%") == field.read("1.0") == 1.0
        with pytest.raises(EigenfacesError):
            made(COMPONENTS_FIELD.most + 1)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda recipe: recipe.name)
def test_a_recipe_is_changed_and_stored_by_the_names_of_its_fields(recipe: Recipe) -> None:
    assert list(recipe.record) == ["name", *(field.name for field in recipe.fields)]
    assert Recipe.of(**recipe.record) == recipe == recipe.changed(**recipe.settings)
    with pytest.raises(EigenfacesError, match="has no setting “flavour”"):
        recipe.changed(flavour=3)
    with pytest.raises(EigenfacesError, match="has no setting “neighbours”"):
        Recipe.of(recipe.name, neighbours=3)
