"""The Settings page: appearance and project; faces, light and recipe under Advanced."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from PIL import Image
from skimage import data

from eigenfaces import Gallery, Preparation, find_photos, load_faces
from eigenfaces.faces.lighting import LIGHTING, Lighting, even_light, through_window
from eigenfaces.photographs.find import FoundPhotos
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.recipe import RECIPES, RULE
from gui.pages.settings import SettingsPage
from gui.style import theme
from gui.style.images import grey_image, rgb_array
from gui.widgets.labels import ElidedLabel
from tests.gui import seen


def unfolded(open_page) -> SettingsPage:
    page = open_page(SettingsPage, (1100, 900))
    assert not page.recipe.isVisible()
    page.more.click()
    return page


@pytest.fixture
def page(trained_session, open_page) -> SettingsPage:
    return unfolded(open_page)


def test_the_theme_changes_at_once_and_is_kept(page, trained_session, light_again):
    page.theme.set_current(2)
    assert theme.tokens().dark
    assert trained_session.settings.theme == "dark"


def test_the_project_s_file_is_shown_and_how_a_draft_is_kept(
    trained_session, open_page, monkeypatch
):
    monkeypatch.setattr(type(trained_session), "is_draft", True)
    page = unfolded(open_page)
    facts, path = page.facts.values(), trained_session.project.path
    assert facts["File"] == str(path)
    assert facts["Size"].endswith(("kB", "MB"))
    labels = page.findChildren(ElidedLabel)
    words = next(part for part in labels if "Save" in part.full_text)
    assert words.text() == words.full_text
    assert seen.unread(page) == []


def test_without_a_project_it_works_too(session, open_page, settled):
    page = unfolded(open_page)
    assert "none yet" in page.facts.values()["File"]
    seen.choose(page.light.lighting, "Photo mean")
    assert session.gallery.recipe.pixels.lighting == "photo mean"
    settled()


# Recipe and light


def test_changes_apply_at_once_and_can_be_undone(page, trained_session, settled):
    seen.choose(page.light.lighting, "Photo mean")
    seen.choose(page.light.background, "Oval")
    seen.choose(page.recipe.distance, "Mahalanobis cosine")
    seen.choose(page.recipe.rule, RULE.title("class mean"))
    recipe = trained_session.gallery.recipe
    assert (recipe.pixels.lighting, recipe.pixels.window) == ("photo mean", "oval")
    assert (recipe.matcher.distance, recipe.matcher.rule) == ("Mahalanobis cosine", "class mean")
    page.recipe.dropped.setValue(99_999)  # one component at least is compared
    gallery = trained_session.gallery
    assert gallery.recipe.matcher.dropped == page.recipe.dropped.value() == gallery.k - 1 > 0
    assert gallery.changes_since_training == 1
    for _ in range(5):
        trained_session.undo()
    settled()
    assert page.light.lighting.currentText() == "None"
    assert page.recipe.distance.currentText() == "L2"
    assert trained_session.history.undo_title is None


def test_what_a_recipe_does_not_have_cannot_be_set(page, trained_session, do):
    editors = page.light.lighting, page.light.background
    assert all(editor.isEnabled() for editor in editors)
    do(trained_session.apply, "x", lambda now: now.with_recipe(RECIPES["Texture"]))
    assert not any(editor.isEnabled() for editor in editors)


def test_every_light_is_explained_and_tried_on_the_selected_face(page, trained_session, do):
    do(trained_session.select_person, "Hedy")
    light, gallery = page.light, trained_session.gallery
    face = gallery.faces.image(gallery.index.rows_of("Hedy")[0])
    seen.choose(light.background, "Oval")
    for lighting in get_args(Lighting):
        do(seen.choose, light.lighting, f"{lighting[0].upper()}{lighting[1:]}")
        words = light.rows[light.lighting].explanation.text()
        assert words.startswith(LIGHTING.choices[lighting])
        lit = through_window(even_light(face[None], lighting), "oval")[0]
        np.testing.assert_array_equal(rgb_array(light.face.image), rgb_array(grey_image(lit)))


# Faces


def test_a_choice_is_applied_or_discarded(open_gallery, open_page, do, tmp_path):
    """Of photographs that are files, twice as wide as a face."""
    for person in ("Ada", "Grace"):
        (tmp_path / "photos" / person).mkdir(parents=True)
        picture = np.random.default_rng(len(person)).integers(0, 256, (40, 80), np.uint8)
        Image.fromarray(picture).save(tmp_path / "photos" / person / "1.png")
    preparation = Preparation(40, 40, already_cropped=True)
    faces = load_faces(find_photos(tmp_path / "photos"), preparation)
    session = open_gallery(Gallery.new(preparation).enrol(faces).train())
    page, gallery = unfolded(open_page), session.gallery
    card = page.faces
    assert not card.apply.isEnabled()
    card.kind.set_current(0)
    assert "train again" in card.about.text()
    assert card.choice == Preparation(40, 40)
    card.back.click()
    assert card.choice == preparation
    card.width_box.setValue(30)
    photo = gallery.index.photos[0].path
    photo.rename(photo.with_suffix(".away"))
    do(card.apply.click)
    assert session.message.text.startswith(
        "1 photo cannot be cropped again, so nothing was changed"
    )
    assert session.gallery is gallery


def test_faces_are_looked_for_from_now_on_and_back(open_gallery, open_page, do, tmp_path):
    """One ordinary photograph was cut as a whole so far, and one set by hand."""
    whole = Image.fromarray(data.astronaut())
    (tmp_path / "Eileen").mkdir()
    whole.save(tmp_path / "Eileen" / "1.png")
    whole.rotate(90).save(tmp_path / "Eileen" / "2.png")
    first, second = find_photos(tmp_path).photos
    placed = Placement(Eyes((204, 101), (247, 104)), "by hand")
    second = replace(second, placement=placed, turned=1)
    preparation = Preparation(already_cropped=True)
    faces = load_faces(FoundPhotos((first, second)), preparation)
    session = open_gallery(Gallery.new(preparation).enrol(faces))
    page, photos = unfolded(open_page), session.gallery.index.photos
    page.faces.kind.set_current(0)
    do(page.faces.apply.click)
    first, second = session.gallery.index.photos
    assert (first.placement.source, second.placement.source) == ("found", "by hand")
    assert abs(first.placement.eyes.middle - 225.3 - 102.4j) < 8
    assert page.faces.kind.current == 0
    do(session.undo)
    assert session.gallery.index.photos == photos
    assert page.faces.kind.current == 1
