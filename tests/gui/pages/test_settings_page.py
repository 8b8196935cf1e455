"""The Settings page: appearance and project; faces, light and recipe under Advanced."""

from typing import get_args

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication
from skimage import data

from eigenfaces import Gallery, Preparation, Project, find_photos, load_faces
from eigenfaces.faces.lighting import LIGHTING, Lighting, even_light, through_window
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Placement
from eigenfaces.recognition.recipe import RECIPES
from gui.pages.settings import SettingsPage
from gui.style import theme
from gui.style.images import grey_image, rgb_array
from gui.widgets.words import ElidedLabel
from tests.gui import seen


def advanced(qtbot, session):
    """Return the page with all of its cards."""
    page = seen.show(qtbot, SettingsPage(session), (1100, 900))
    assert not page.recipe.isVisible()
    page.more.click()
    return page


@pytest.fixture
def page(qtbot, trained_session):
    made = advanced(qtbot, trained_session)
    yield made
    seen.settle(qtbot, trained_session)


@pytest.fixture
def folder_session(session, tmp_path):
    """A session whose photographs are files, twice as wide as a face."""
    rng = np.random.default_rng(1)
    for person in ("Ada", "Grace"):
        (tmp_path / "photos" / person).mkdir(parents=True)
        for number in range(2):
            picture = rng.integers(0, 256, (40, 80), np.uint8)
            Image.fromarray(picture).save(tmp_path / "photos" / person / f"{number}.png")
    preparation = Preparation(40, 40, already_cropped=True)
    faces = load_faces(find_photos(tmp_path / "photos"), preparation)
    gallery = Gallery.new(preparation).enrol(faces).train()
    session.open(Project.create(tmp_path / "files.eigenfaces", gallery))
    return session


def choose(box, words):
    """Choose from a list as a person does."""
    box.setCurrentText(words)
    box.activated.emit(box.currentIndex())


def test_the_theme_changes_at_once_and_is_kept(page, trained_session, qapp):
    try:
        page.theme.set_current(2)
        assert theme.tokens().dark
        assert trained_session.settings.theme == "dark"
    finally:
        theme.apply(QApplication.instance(), "light")


def test_the_project_s_file_is_shown_and_how_a_draft_is_kept(
    qtbot, trained_session, monkeypatch, nameless
):
    monkeypatch.setattr(type(trained_session), "is_draft", True)
    page = advanced(qtbot, trained_session)
    facts, path = page.facts.values(), trained_session.project.path
    assert facts["File"] == str(path)
    assert facts["Size"].endswith(("kB", "MB"))
    labels = page.findChildren(ElidedLabel)
    words = next(part for part in labels if "Save" in part.full_text)
    assert words.text() == words.full_text
    assert not nameless(page)


def test_without_a_project_it_works_too(qtbot, session):
    page = advanced(qtbot, session)
    assert "none yet" in page.facts.values()["File"]
    choose(page.light.lighting, "Photo mean")
    assert session.gallery.recipe.pixels.lighting == "photo mean"
    seen.settle(qtbot, session)


# Recipe and light


def test_changes_apply_at_once_and_can_be_undone(page, qtbot, trained_session):
    choose(page.light.lighting, "Photo mean")
    choose(page.light.background, "Oval")
    choose(page.recipe.distance, "Mahalanobis cosine")
    choose(page.recipe.rule, page.recipe.rule.field.title("class mean"))
    recipe = trained_session.gallery.recipe
    assert (recipe.pixels.lighting, recipe.pixels.window) == ("photo mean", "oval")
    assert (recipe.matcher.distance, recipe.matcher.rule) == ("Mahalanobis cosine", "class mean")
    page.recipe.dropped.setValue(99_999)  # one component at least is compared
    gallery = trained_session.gallery
    assert gallery.recipe.matcher.dropped == page.recipe.dropped.value() == gallery.k - 1 > 0
    assert gallery.changes == 1
    for _ in range(5):
        trained_session.undo()
    seen.settle(qtbot, trained_session)
    assert page.light.lighting.currentText() == "None"
    assert page.recipe.distance.currentText() == "L2"
    assert trained_session.history.can_undo is None


def test_what_a_recipe_does_not_have_cannot_be_set(page, qtbot, trained_session):
    editors = page.light.lighting, page.light.background
    assert all(editor.isEnabled() for editor in editors)
    trained_session.apply("x", lambda now: now.with_recipe(RECIPES["Texture"]))
    seen.settle(qtbot, trained_session)
    assert not any(editor.isEnabled() for editor in editors)


def test_every_light_is_explained_and_tried_on_the_selected_face(page, qtbot, trained_session):
    trained_session.select_person("Hedy")
    seen.settle(qtbot, trained_session)
    light, gallery = page.light, trained_session.gallery
    face = gallery.faces.image(gallery.index.rows_of("Hedy")[0])
    choose(light.background, "Oval")
    for lighting in get_args(Lighting):
        choose(light.lighting, f"{lighting[0].upper()}{lighting[1:]}")
        seen.settle(qtbot, trained_session)
        words = light.rows[light.lighting].explanation.text()
        assert words.startswith(LIGHTING.choices[lighting])
        lit = through_window(even_light(face[None], lighting), "oval")[0]
        np.testing.assert_array_equal(rgb_array(light.face.image), rgb_array(grey_image(lit)))


# Faces


def test_a_choice_is_applied_or_discarded(qtbot, folder_session):
    page = advanced(qtbot, folder_session)
    faces = page.faces
    assert not faces.apply.isEnabled()
    faces.kind.set_current(0)
    assert "training again" in faces.about.text()
    assert faces.choice == Preparation(40, 40)
    faces.back.click()
    assert faces.choice == folder_session.gallery.preparation
    before = folder_session.gallery
    faces.width_box.setValue(30)
    photo = before.index.photos[0].path
    photo.rename(photo.with_suffix(".away"))
    faces.apply.click()
    seen.settle(qtbot, folder_session)
    assert "Nothing was changed" in folder_session.message.text
    assert folder_session.gallery is before


def test_faces_are_looked_for_from_now_on_and_back(qtbot, session, tmp_path):
    """One ordinary photograph was cut as a whole so far, and one set by hand."""
    whole = Image.fromarray(data.astronaut())
    (tmp_path / "Eileen").mkdir()
    whole.save(tmp_path / "Eileen" / "1.png")
    whole.rotate(90).save(tmp_path / "Eileen" / "2.png")
    first, second = find_photos(tmp_path).photos
    by_hand = Placement(Eyes((204, 101), (247, 104)), "by hand", 1)
    second = type(second)(second.path, second.person, by_hand)
    preparation = Preparation(already_cropped=True)
    gallery = Gallery.new(preparation).enrol(load_faces(FoundPhotos((first, second)), preparation))
    session.open(Project.create(tmp_path / "eileen.eigenfaces", gallery))
    page = advanced(qtbot, session)
    seen.settle(qtbot, session)
    before = session.gallery
    page.faces.kind.set_current(0)
    page.faces.apply.click()
    seen.settle(qtbot, session)
    first, second = session.gallery.index.photos
    assert (first.placement.source, second.placement.source) == ("found", "by hand")
    assert abs(first.placement.eyes.middle - 225.3 - 102.4j) < 8
    assert page.faces.kind.current == 0
    session.undo()
    seen.settle(qtbot, session)
    assert session.gallery.index.photos == before.faces.index.photos
    assert page.faces.kind.current == 1
