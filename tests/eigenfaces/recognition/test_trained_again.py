"""Training again: the face space stays where another fit would make the same, and only there."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import Gallery
from eigenfaces.project.project import Project
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Floats
from eigenfaces.space.discriminant import DiscriminantSpace


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    """Eight people with five photographs each, trained."""
    return trained_gallery(rng, count=8)


def stays(before: Gallery, after: Gallery) -> bool:
    return after.trained.space is before.trained.space


def large(gallery: Gallery) -> list[Floats]:
    training = gallery.trained
    found = [training.space.components, training.coordinates, training.compared]
    space = training.representation
    return [*found, space.axes] if isinstance(space, DiscriminantSpace) else found


@pytest.mark.parametrize("name", ["Eigenfaces", "Discriminant", "Texture"])
def test_another_recipe_looks_at_the_same_space(gallery: Gallery, name: str) -> None:
    again = gallery.train(recipe=RECIPES[name])
    anew = replace(gallery.with_recipe(RECIPES[name]), training=None).train()
    assert stays(gallery, again)
    assert not stays(gallery, anew)
    assert again.changes == 0
    assert again.trained.fitted == anew.trained.fitted
    one, other = again.trained.space, anew.trained.space
    np.testing.assert_array_equal(one.components, other.components)
    np.testing.assert_array_equal(again.trained.coordinates, anew.trained.coordinates)
    np.testing.assert_array_equal(again.trained.compared, anew.trained.compared)
    assert stays(gallery, again.with_recipe(RECIPES["Eigenfaces"]).train())


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g.exclude([g.index.photos[0].key]),
        lambda g: g.remove([g.index.photos[0].key]),
        lambda g: g.enrol(people(np.random.default_rng(9), 1, 2)),
        lambda g: g.with_recipe(g.recipe.changed(lighting="equalised")),
        lambda g: g.with_recipe(g.recipe.changed(scaling="correlation")),
        lambda g: g.with_recipe(g.recipe.changed(components=7)),
    ],
    ids=["excluded", "removed", "enrolled", "lighting", "scaling", "components"],
)
def test_it_is_fitted_anew_where_that_makes_another(
    gallery: Gallery, change: Callable[[Gallery], Gallery]
) -> None:
    assert not stays(gallery, change(gallery).train())


def test_a_file_holds_what_was_trained_last(gallery: Gallery, tmp_path: Path) -> None:
    path = tmp_path / "people.eigenfaces"
    with closing(Project.create(path, gallery)) as project:
        for name in ("Discriminant", "Eigenfaces", "Texture"):
            gallery = gallery.with_recipe(RECIPES[name]).train()
            project.save(gallery)
    with closing(Project.open(path)) as project:
        kept = project.gallery.trained
        assert kept.recipe == gallery.recipe
        np.testing.assert_array_equal(kept.space.components, gallery.trained.space.components)
        np.testing.assert_array_equal(kept.compared, gallery.trained.compared)
