"""The one table of fields: what it says is what the values take, whoever asks."""

from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from eigenfaces import EigenfacesError, Preparation, Recipe
from eigenfaces.faces.prepare import ALREADY_CROPPED, FIT, HEIGHT, WIDTH
from eigenfaces.recognition.features import PixelFeatures
from eigenfaces.recognition.recipe import RECIPES, Matcher
from eigenfaces.text import Field, NumberOrShare, OneOf, Whole, typed

PREPARATION = (HEIGHT, WIDTH, FIT, ALREADY_CROPPED)
VALUES = (
    (PixelFeatures, PixelFeatures.FIELDS),
    (Matcher, Matcher.FIELDS),
    (Preparation, PREPARATION),
)
ALL = [pytest.param(kind, field, id=field.name) for kind, some in VALUES for field in some]


@pytest.mark.parametrize(("kind", "table"), VALUES)
def test_every_field_stands_in_the_table_once(kind: type, table: tuple[Field, ...]) -> None:
    assert [field.name for field in table] == [each.name for each in fields(kind)]


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_it_says_what_there_is_to_choose(kind: type, field: Field) -> None:
    assert field.label[0].isupper()
    assert field.about[0].isupper()
    assert not field.about.endswith(".")
    if isinstance(field, OneOf):
        names = get_args(get_type_hints(kind)[field.name])
        assert not names or names == tuple(field.choices)
        assert all(meaning.endswith(".") for meaning in field.choices.values())


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_its_limits_are_those_of_the_value(kind: type, field: Field) -> None:
    def made(value: object) -> object:
        return getattr(kind(**{field.name: value}), field.name)

    if isinstance(field, OneOf):
        assert [made(typed(name)) for name in field.choices] == list(field.choices)
        assert [field.read(typed(name)) for name in field.choices] == list(field.choices)
    if isinstance(field, Whole):
        assert made(field.least) == field.read(f" {field.least} ") == field.least
        for wrong in (field.least - 1, field.most + 1, "3", 1.5):
            with pytest.raises(EigenfacesError, match=f"{field.most:,}|{field.most}"):
                made(wrong)
    if isinstance(field, NumberOrShare):
        assert made(field.most) == field.read(str(field.most)) == field.most
        share = field.share(field.most_share)
        assert made(share) == share == field.read(f"{field.most_share}%")
        assert field.per_cent(share) == field.most_share
        assert field.per_cent(field.most) is None
        for wrong in (field.most + 1, field.share(field.most_share + 1), "much"):
            with pytest.raises(EigenfacesError):
                made(wrong)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda recipe: recipe.name)
def test_a_recipe_is_changed_and_stored_by_the_names_of_its_fields(recipe: Recipe) -> None:
    assert list(recipe.record) == ["name", *(field.name for field in recipe.fields)]
    assert Recipe.of(**recipe.record) == recipe == recipe.changed(**recipe.settings)
    with pytest.raises(EigenfacesError, match="has no setting “flavour”"):
        recipe.changed(flavour=3)
