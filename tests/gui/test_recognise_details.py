"""What is said below the pictures and bars of a verdict."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery, Recipe
from eigenfaces.probes import Probe
from gui.pages.recognise.details import ComponentsCard, SeenCard, remarks
from gui.pages.recognise.findings import compare


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(), ""),
        (Recipe(distance="Mahalanobis L2"), ""),
        (Recipe(distance="cosine"), "twice the cosine distance"),
        (Recipe(distance="L1"), "the squared L2 distance: L1 is no sum"),
        (Recipe(distance="Yambor"), "the squared Mahalanobis L2 distance: Yambor is no sum"),
        (Recipe(rule="class mean"), "to the nearest photos, though the means"),
    ],
)
def test_shares_say_which_distance_is_squared(recipe: Recipe, words: str) -> None:
    assert words in remarks(recipe)
    assert bool(words) == bool(remarks(recipe))


def test_one_component_is_no_plural(qtbot: QtBot, small_gallery: Gallery) -> None:
    gallery = small_gallery.with_recipe(replace(small_gallery.recipe, components=1))
    probe = Probe(gallery.faces.photos[9], gallery.faces.image(9))
    seen, components = SeenCard(), ComponentsCard()
    for card in (seen, components):
        qtbot.addWidget(card)
        card.show_finding(gallery, compare(gallery, [probe], 1.0)[0])
    assert "what 1 component cannot" in seen.words.text()
    assert "components" not in components.words.text()
