"""The Settings page: preferences, faces, recipe, project."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from eigenfaces import Gallery, Preparation, Project, find_photos, load_faces
from gui import theme
from gui.pages.settings.faces import gone_words
from gui.pages.settings.page import SettingsPage, size_words


@pytest.fixture
def page(qtbot, trained_session):
    made = SettingsPage(trained_session)
    qtbot.addWidget(made)
    made.resize(1100, 900)
    made.show()
    yield made
    qtbot.waitUntil(lambda: trained_session.jobs.current is None, timeout=10_000)


@pytest.fixture
def settled(qtbot, trained_session, page):
    """Wait until nothing runs and every change has been made."""

    def wait():
        def idle():
            waits = page._soon.isActive() or page.recipe._soon.isActive()
            return trained_session.jobs.current is None and not waits

        qtbot.waitUntil(idle, timeout=10_000)

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


def test_theme_and_text_size_change_at_once_and_are_kept(page, trained_session, qapp):
    try:
        page.appearance.theme.set_current(2)
        page.appearance.scale.set_current(2)
        assert theme.tokens().dark
        assert theme.text_scale() == 1.3
        assert trained_session.settings.theme == "dark"
        assert trained_session.settings.text_scale == 1.3
    finally:
        theme.apply(QApplication.instance(), "light", 1.0)


def test_hints_come_back(page, trained_session):
    trained_session.settings.dismiss_hint("drag k")
    page.appearance.hints.click()
    assert not trained_session.settings.hint_dismissed("drag k")
    assert trained_session.message.tone == "ok"


def test_what_needs_training_says_so_and_can_be_undone(page, trained_session, settled):
    page.recipe.own_mean.setChecked(True)
    settled()
    assert trained_session.gallery.recipe.lighting == "photo mean"
    assert page._out_of_date.isVisible()
    page.recipe.scaling.set_current(1)
    settled()
    assert trained_session.gallery.recipe.scaling == "correlation"
    trained_session.undo()
    settled()
    trained_session.undo()
    settled()
    assert not page.recipe.own_mean.isChecked()
    assert not page._out_of_date.isVisible()


def test_components_by_share_and_by_count(page, trained_session, settled):
    recipe = page.recipe
    assert recipe.kind.current_text == "Count"
    assert recipe.count.value() == 10
    recipe.kind.set_current(0)
    recipe.share.setValue(50)
    settled()
    assert trained_session.gallery.recipe.components == pytest.approx(0.5)
    k = trained_session.gallery.k
    assert f"Here k = {k} of 23" in recipe._components_row.explanation.text()
    recipe.kind.set_current(1)
    settled()
    assert trained_session.gallery.recipe.components == k
    assert isinstance(trained_session.gallery.recipe.components, int)


def test_many_steps_of_a_spin_box_are_one_change(page, trained_session, settled):
    for _ in range(5):
        page.recipe.count.stepUp()
    settled()
    assert trained_session.gallery.recipe.components == 15
    trained_session.undo()
    settled()
    assert trained_session.gallery.recipe.components == 10
    assert trained_session.can_undo is None


def test_whitening_and_its_smoothing(page, trained_session, settled):
    assert not page.recipe.smoothing.isEnabled()
    page.recipe.whitening.set_current(1)
    settled()
    page.recipe.smoothing.setValue(0.5)
    settled()
    assert trained_session.gallery.recipe.whitening == "pca"
    assert trained_session.gallery.recipe.smoothing == 0.5
    assert "√(λᵢ + ε)" in page.recipe._whitening_row.explanation.text()


def test_what_does_not_go_together_is_explained_in_place(page, trained_session, settled):
    distance = page.recipe.comparison.distance
    distance.setCurrentText("Mahalanobis cosine")
    distance.activated.emit(distance.currentIndex())
    settled()
    before = trained_session.gallery
    page.recipe.whitening.set_current(1)
    settled()
    assert trained_session.gallery is before
    assert page.recipe.refusal.isVisible()
    assert "whitens by itself" in page.recipe.refusal.text.text()
    assert page.recipe.whitening.current_text == "None"
    page.recipe.own_mean.setChecked(True)
    settled()
    assert not page.recipe.refusal.isVisible()


def test_the_preview_shows_the_policies(qtbot, folder_session):
    page = SettingsPage(folder_session)
    qtbot.addWidget(page)
    page.show()
    faces = page.faces
    qtbot.waitUntil(lambda: faces.views[0].image is not None, timeout=10_000)
    pictures = [view.image for view in faces.views]
    assert pictures[0] != pictures[1]
    assert pictures[1] != pictures[2]
    assert pictures[1].pixelColor(20, 2).red() in range(126, 130)  # fit: mid-grey above the photo
    assert not faces.apply.isEnabled()
    faces.views[2].clicked.emit()
    assert faces.choice.fit == "stretch"
    assert faces.apply.isEnabled()
    assert "trained anew" in faces.about.text()
    faces.back.click()
    assert faces.choice == folder_session.gallery.preparation


def test_faces_are_cut_anew_and_back(qtbot, folder_session):
    page = SettingsPage(folder_session)
    qtbot.addWidget(page)
    page.show()
    idle = lambda: folder_session.jobs.current is None  # noqa: E731
    qtbot.waitUntil(idle, timeout=10_000)
    page.faces.width_box.setValue(30)
    page.faces.apply.click()
    qtbot.waitUntil(lambda: folder_session.gallery.faces.shape == (40, 30), timeout=10_000)
    qtbot.waitUntil(idle, timeout=10_000)
    folder_session.undo()
    qtbot.waitUntil(lambda: folder_session.gallery.faces.shape == (40, 40), timeout=10_000)
    qtbot.waitUntil(idle, timeout=10_000)
    assert page.faces.width_box.value() == 40


def test_vanished_photographs_are_named(qtbot, folder_session):
    photo = folder_session.gallery.faces.photos[0]
    photo.path.unlink()
    page = SettingsPage(folder_session)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: page.faces.gone.isVisible(), timeout=10_000)
    assert photo.path.name in page.faces.gone.text()
    before = folder_session.gallery
    page.faces.width_box.setValue(30)
    page.faces.apply.click()
    qtbot.waitUntil(lambda: folder_session.message is not None, timeout=10_000)
    assert "Nothing was changed" in folder_session.message.text
    assert folder_session.gallery is before


def test_many_vanished_photographs_are_counted(small_gallery):
    text = gone_words(small_gallery.missing())
    assert text.startswith("24 photographs are no longer there")
    assert "and 21 more" in text


def test_the_project_s_file_is_shown(page, trained_session, settled):
    facts = page.project.facts.values()
    assert facts["File"] == str(trained_session.project.path)
    assert facts["Size"] == size_words(trained_session.project.path)
    assert facts["Size"].endswith(("kB", "MB"))


def test_without_a_project_it_works_too(qtbot, session):
    page = SettingsPage(session)
    qtbot.addWidget(page)
    page.show()
    assert "none yet" in page.project.facts.values()["File"]
    page.recipe.own_mean.setChecked(True)
    assert session.gallery.recipe.lighting == "photo mean"
    qtbot.waitUntil(lambda: not page._soon.isActive())


def test_everything_that_takes_focus_has_a_name(nameless, page):
    assert not nameless(page)
