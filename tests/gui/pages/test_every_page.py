"""What the pages that need a face space do alike."""

import pytest

from eigenfaces import Recipe
from gui.pages.eigenfaces import EigenfacesPage
from gui.pages.map.page import MapPage
from gui.pages.reconstruct import ReconstructPage
from gui.pages.synthesise import SynthesisePage
from tests import synthetic
from tests.gui import seen


@pytest.mark.parametrize("kind", [EigenfacesPage, ReconstructPage, SynthesisePage, MapPage])
def test_of_a_project_that_is_closed_nothing_can_be_exported(kind, open_page, trained_session, do):
    page = open_page(kind)
    do(trained_session.close_project)
    assert seen.says(page, "Not ready yet")
    page.export()
    assert "nothing to export" in trained_session.message.text


@pytest.mark.parametrize("kind", [SynthesisePage, MapPage])
def test_a_recipe_without_pictures_gets_the_face_space_of_pixels_and_says_so(
    kind, open_gallery, open_page, do, rng
):
    recipe, note = (
        Recipe.of("Texture"),
        "The recipe Texture compares what cannot be shown as a picture.",
    )
    session = open_gallery(synthetic.gallery(rng, recipe, count=7, photos=3, shape=(48, 48)))
    page = open_page(kind)
    assert seen.says(page, note)
    do(session.apply, "plain", lambda gallery: gallery.with_recipe(Recipe()).train())
    assert not seen.says(page, note)
