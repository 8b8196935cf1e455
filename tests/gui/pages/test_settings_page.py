"""The Settings page: appearance and project; faces, light and recipe under Advanced."""

from typing import get_args

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from skimage import data

from eigenfaces import Gallery, Preparation, Project, Recipe, find_photos, load_faces
from eigenfaces.faces.lighting import LIGHTING, Lighting, even_light, through_window
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Placement
from eigenfaces.recognition.gallery import gone_words
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
def settled(qtbot, trained_session, page):
    """Wait until nothing runs and every change has been made: spin boxes take a moment."""

    def wait():
        timers = page.recipe.findChildren(QTimer)
        qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
        seen.settle(qtbot, trained_session)

    return wait


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
    session.switch(Project.create(tmp_path / "files.eigenfaces", gallery))
    return session


@pytest.fixture
def eileen(session, tmp_path):
    """A session with one ordinary photograph, cut as a whole so far, and one set by hand."""
    whole = Image.fromarray(data.astronaut())
    (tmp_path / "Eileen").mkdir()
    whole.save(tmp_path / "Eileen" / "1.png")
    whole.rotate(90).save(tmp_path / "Eileen" / "2.png")
    first, second = find_photos(tmp_path).photos
    by_hand = Placement(Eyes((204, 101), (247, 104)), "by hand", 1)
    second = type(second)(second.path, second.person, by_hand)
    preparation = Preparation(already_cropped=True)
    gallery = Gallery.new(preparation).enrol(load_faces(FoundPhotos((first, second)), preparation))
    session.switch(Project.create(tmp_path / "eileen.eigenfaces", gallery))
    return session


def choose(box, words):
    """Choose from a list as a person does."""
    box.setCurrentText(words)
    box.activated.emit(box.currentIndex())


def drawn(view):
    return rgb_array(view.image).tobytes()


def drawn_as(face):
    return rgb_array(grey_image(face)).tobytes()


def test_the_theme_changes_at_once_and_is_kept(page, trained_session, qapp):
    try:
        page.theme.set_current(2)
        assert theme.tokens().dark
        assert trained_session.settings.theme == "dark"
    finally:
        theme.apply(QApplication.instance(), "light")


def test_the_project_s_file_is_shown_and_how_a_draft_is_kept(page, trained_session, monkeypatch):
    facts, path = page.facts.values(), trained_session.project.path
    assert facts["File"] == str(path)
    assert facts["Size"].endswith(("kB", "MB"))
    monkeypatch.setattr(type(trained_session), "is_draft", True)
    page._refresh_shown()
    words = next(each for each in page.findChildren(ElidedLabel) if "Save" in each.full_text)
    assert words.text() == words.full_text


def test_without_a_project_it_works_too(qtbot, session):
    page = advanced(qtbot, session)
    assert "none yet" in page.facts.values()["File"]
    choose(page.light.lighting, "Photo mean")
    assert session.gallery.recipe.pixels.lighting == "photo mean"
    seen.settle(qtbot, session)


def test_everything_that_takes_focus_has_a_name(nameless, page):
    assert not nameless(page)


# Recipe


def test_what_needs_training_says_so_and_can_be_undone(page, trained_session, settled):
    choose(page.light.lighting, "Photo mean")
    choose(page.light.background, "Oval")
    settled()
    pixels = trained_session.gallery.recipe.pixels
    assert (pixels.lighting, pixels.window) == ("photo mean", "oval")
    assert trained_session.gallery.changes == 1
    for _ in range(2):
        trained_session.undo()
        settled()
    assert page.light.lighting.currentText() == "None"
    assert trained_session.gallery.changes == 0


def test_what_a_recipe_does_not_have_cannot_be_set(page, trained_session, settled):
    editors = page.light.lighting, page.light.background
    assert all(editor.isEnabled() for editor in editors)
    trained_session.apply("x", lambda now: now.with_recipe(RECIPES["Texture"]))
    settled()
    assert not any(editor.isEnabled() for editor in editors)
    assert page.recipe.whitening.isEnabled()


def test_components_by_share_and_by_count(page, trained_session, settled):
    recipe = page.recipe
    assert recipe.components.kind.current_text == "Count"
    assert recipe.components.number.value() == 10
    recipe.components.kind.set_current(0)
    recipe.components.share.setValue(50)
    settled()
    assert trained_session.gallery.recipe.matcher.components == pytest.approx(0.5)
    k = trained_session.gallery.k
    assert seen.says(recipe, f"Here k = {k} of 23")
    recipe.components.kind.set_current(1)
    settled()
    assert trained_session.gallery.recipe.matcher.components == k
    assert isinstance(trained_session.gallery.recipe.matcher.components, int)


def test_many_steps_of_a_spin_box_are_one_change(page, trained_session, settled):
    for _ in range(5):
        page.recipe.components.number.stepUp()
    settled()
    assert trained_session.gallery.recipe.matcher.components == 15
    trained_session.undo()
    settled()
    assert trained_session.gallery.recipe.matcher.components == 10
    assert trained_session.history.can_undo is None


def test_two_numbers_changed_at_once_are_both_kept(page, trained_session, settled):
    page.recipe.components.number.setValue(12)
    page.recipe.dropped.setValue(2)
    settled()
    matcher = trained_session.gallery.recipe.matcher
    assert (matcher.components, matcher.dropped) == (12, 2)


def test_leading_components_are_dropped_but_never_all(page, trained_session, settled):
    recipe = page.recipe
    recipe.dropped.setValue(9)
    settled()
    assert trained_session.gallery.comparison.which == slice(9, 10)
    recipe.dropped.setValue(10)
    settled()
    assert trained_session.gallery.recipe.matcher.dropped == recipe.dropped.value() == 9
    assert "at least one must be left" in recipe.refusal.text.text()
    recipe.dropped.setValue(3)
    settled()
    assert not recipe.refusal.isVisible()


def test_what_the_boxes_show_is_what_the_recipe_says(page, trained_session, settled):
    """Also where it was said on the command line, and is more than anybody would choose here."""
    most = Recipe.of(components=100_000, dropped=5)
    trained_session.apply("the recipe", lambda gallery: gallery.with_recipe(most))
    settled()
    assert (page.recipe.components.value(), page.recipe.dropped.value()) == (100_000, 5)


def test_what_does_not_go_together_is_explained_in_place(page, trained_session, settled):
    choose(page.recipe.distance, "Mahalanobis cosine")
    settled()
    before = trained_session.gallery
    page.recipe.whitening.set_current(1)
    settled()
    assert trained_session.gallery is before
    assert "whitens by itself" in page.recipe.refusal.text.text()
    assert page.recipe.whitening.current_text == "None"
    choose(page.recipe.distance, "L2")
    choose(page.recipe.rule, page.recipe.rule.field.title("class mean"))
    settled()
    assert not page.recipe.refusal.isVisible()
    assert trained_session.gallery.recipe.matcher.rule == "class mean"


# Light


def test_the_light_is_tried_on_the_selected_face(page, trained_session, settled):
    trained_session.select_person("Hedy")
    settled()
    light, gallery = page.light, trained_session.gallery
    face = gallery.faces.image(gallery.index.rows_of("Hedy")[0])
    assert drawn(light.face) == drawn_as(face)
    choose(light.lighting, "Tan–Triggs")
    choose(light.background, "Oval")
    settled()
    lit = even_light(face[None], "Tan–Triggs")
    assert drawn(light.face) == drawn_as(through_window(lit, "oval")[0])


def test_every_lighting_has_its_formula(page, trained_session, settled):
    for lighting in get_args(Lighting):
        choose(page.light.lighting, f"{lighting[0].upper()}{lighting[1:]}")
        words = page.light.rows[page.light.lighting].explanation
        settled()
        assert trained_session.gallery.recipe.pixels.lighting == lighting
        assert words.text().startswith(LIGHTING.choices[lighting])


# Faces


def test_the_preview_shows_the_policies(qtbot, folder_session):
    page = advanced(qtbot, folder_session)
    seen.settle(qtbot, folder_session)
    faces, views = page.faces, page.faces.views
    assert len({drawn(view) for view in views}) == 3
    assert views[1].image.pixelColor(20, 2).red() in range(126, 130)  # fit: grey above the photo
    assert not faces.apply.isEnabled()
    views[2].clicked.emit()
    assert faces.choice.fit == "stretch"
    assert faces.apply.isEnabled()
    assert "training again" in faces.about.text()
    faces.back.click()
    assert faces.choice == folder_session.gallery.preparation


def test_ordinary_photos_have_no_policy(qtbot, folder_session):
    """Nor does a policy that was tried before count as a change."""
    page = advanced(qtbot, folder_session)
    seen.settle(qtbot, folder_session)
    faces = page.faces
    faces.fit.set_current(2)
    faces.kind.set_current(0)
    assert faces.choice == Preparation(40, 40)
    assert not faces.fit.isVisible()
    assert "No face was found in it." in faces.about.text()  # it is noise
    assert faces.face.image is None


def test_the_preview_finds_the_face(qtbot, eileen):
    page = advanced(qtbot, eileen)
    seen.settle(qtbot, eileen)
    page.faces.kind.set_current(0)
    example = page.faces.example
    assert abs(example.reading.eyes.middle - 225.3 - 102.4j) < 8
    assert drawn(page.faces.face) == drawn_as(example.cut(Preparation()))
    eileen.select(eileen.gallery.index.photos[1].key)
    seen.settle(qtbot, eileen)
    example = page.faces.example
    assert example.reading.photo.placement.source == "by hand"  # what was said holds
    np.testing.assert_array_equal(example.cut(Preparation()), eileen.gallery.faces.image(1))


def test_faces_are_looked_for_from_now_on_and_back(qtbot, eileen):
    page = advanced(qtbot, eileen)
    seen.settle(qtbot, eileen)
    before = eileen.gallery
    page.faces.kind.set_current(0)
    page.faces.apply.click()
    seen.settle(qtbot, eileen)
    first, second = eileen.gallery.index.photos
    assert (first.placement.source, second.placement.source) == ("found", "by hand")
    assert first.placement.eyes is not None
    assert page.faces.kind.current_text == "Ordinary"
    eileen.undo()
    seen.settle(qtbot, eileen)
    assert eileen.gallery.index.photos == before.faces.index.photos
    assert page.faces.kind.current_text == "Cut already"


def test_vanished_photographs_are_named(qtbot, folder_session, small_gallery):
    photo = folder_session.gallery.index.photos[0]
    photo.path.unlink()
    page = advanced(qtbot, folder_session)
    seen.settle(qtbot, folder_session)
    assert photo.path.name in page.faces.gone.text()
    before = folder_session.gallery
    page.faces.width_box.setValue(30)
    page.faces.apply.click()
    seen.settle(qtbot, folder_session)
    assert "Nothing was changed" in folder_session.message.text
    assert folder_session.gallery is before
    text = gone_words(small_gallery.missing())
    assert text.startswith("24 photographs are no longer there")
    assert "and 21 more" in text
