"""What the pages that need a face space do alike."""

import re

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication

from eigenfaces import Recipe
from eigenfaces.project.share import for_recognising
from gui.pages.eigenfaces import EigenfacesPage
from gui.pages.evaluate.page import EvaluatePage
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


@pytest.mark.parametrize(
    "kind", [EigenfacesPage, ReconstructPage, SynthesisePage, MapPage, EvaluatePage]
)
def test_of_a_project_without_pictures_there_is_nothing_to_see_and_it_is_said(
    kind, open_gallery, open_page, small_gallery
):
    session = open_gallery(for_recognising(small_gallery))
    page = open_page(kind)
    assert seen.says(page, "This project has names but no pictures")
    page.export()
    assert re.search("(nothing|no result) to export", session.message.text)


@pytest.mark.parametrize("kind", [SynthesisePage, MapPage])
def test_a_recipe_without_pictures_gets_the_face_space_of_pixels_and_says_so(
    kind, open_gallery, open_page, do, rng
):
    recipe, note = (
        Recipe.of("Texture"),
        "The recipe Texture does not compare pixels, so it has no pictures.",
    )
    session = open_gallery(synthetic.gallery(rng, recipe, count=7, photos=3, shape=(48, 48)))
    page = open_page(kind)
    assert seen.says(page, note)
    do(session.apply, "plain", lambda gallery: gallery.with_recipe(Recipe()).train())
    assert not seen.says(page, note)


def reconstructed(page):
    return page.pictures


def closest(page):
    return page.closest


def of_component(page):
    return page.inspector.highest


@pytest.mark.parametrize(
    ("kind", "faces"),
    [(EigenfacesPage, of_component), (ReconstructPage, reconstructed), (SynthesisePage, closest)],
)
def test_a_face_has_a_menu_that_shows_it_elsewhere_and_where_its_photo_lies(
    kind, faces, open_page, trained_session, do
):
    page, photo = open_page(kind), trained_session.gallery.index.photos[3]
    do(trained_session.show_page, page.key)
    do(trained_session.select, photo.id)
    view = faces(page)
    shown = view.faces.keys[0] if hasattr(view, "faces") else photo.id
    place = view.visualRect(view.faces.index(0)).center() if hasattr(view, "faces") else QPoint()
    menu = seen.menu_at(page if kind is EigenfacesPage else view, view, place)
    here = f"Show in {page.title}"
    assert here not in menu
    elsewhere = {f"Show in {name}" for name in ("People", "Reconstruct", "Synthesise")} - {here}
    assert {*menu} == {*elsewhere, "Show in folder", "Copy the file’s path"}
    menu["Copy the file’s path"].trigger()
    path = trained_session.face(shown)[0].path
    assert QGuiApplication.clipboard().text() == str(path)
    menu["Show in People"].trigger()
    assert (trained_session.page, trained_session.photo) == ("people", shown)
