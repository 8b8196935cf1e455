"""The Eigenfaces page: what is shown, and what dragging, presets and clicks change."""

import csv
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from gui.pages.eigenfaces import (
    MEAN,
    EigenfacesPage,
    component_image,
)
from gui.state.session import Session
from gui.style import theme
from gui.style.images import rgb_array
from tests.gui import seen


def shown(session: Session, qtbot) -> EigenfacesPage:
    page = EigenfacesPage(session)
    qtbot.addWidget(page.inspector)
    page.inspector.resize(290, 800)
    page.inspector.show()
    return seen.show(qtbot, page, (1000, 800))


@pytest.fixture
def page(trained_session: Session, qtbot, qapp) -> Iterator[EigenfacesPage]:
    theme.apply(qapp, "light")
    made = shown(trained_session, qtbot)
    yield made
    made.inspector.close()


def test_mean_and_every_component_are_there_with_their_share(page, trained_session):
    assert not page.components.grid.faces.faces()[1].image().isGrayscale()
    seen.button(page, "Grey").click()
    assert page.components.grid.faces.faces()[1].image().isGrayscale()
    space = trained_session.gallery.trained.space
    faces = page.components.grid.faces.faces()
    assert [face.caption for face in faces] == ["Mean face", *map(str, range(1, len(space) + 1))]
    assert faces[1].subcaption == f"{100 * space.variance_ratio[0]:.1f} %"
    assert seen.words(page.components)[:2] == ["Components", "23"]


def test_components_share_one_scale_around_white(trained_session):
    space = trained_session.gallery.trained.space
    image = component_image(space, 0, signed=True)
    values = space.components[0].reshape(space.shape)
    row, column = np.unravel_index(np.argmin(np.abs(values)), values.shape)
    colour = image.pixelColor(int(column), int(row))
    assert min(colour.red(), colour.green(), colour.blue()) > 245
    row, column = np.unravel_index(np.argmax(values), values.shape)
    colour = image.pixelColor(int(column), int(row))
    assert colour.red() > colour.blue()


def test_dragging_is_live_and_letting_go_saves_k(page, trained_session, qtbot):
    chart, choice = page.choice.chart, page.choice
    chart.moved.emit(0)
    assert choice.k == 1, "never zero"
    chart.moved.emit(7)
    assert (choice.k, page.components.cells.kept) == (7, 7)
    assert trained_session.gallery.recipe.matcher.components == 10, "not saved before letting go"
    with qtbot.waitSignal(trained_session.gallery_changed):
        chart.released.emit()
    assert trained_session.gallery.recipe.matcher.components == 7
    assert trained_session.history.can_undo == "k = 7"
    trained_session.undo()
    qtbot.waitUntil(lambda: page.choice.k == 10)


def test_a_preset_keeps_a_share_and_says_so(page, trained_session, qtbot):
    qtbot.mouseClick(page.choice.presets[0.95], Qt.MouseButton.LeftButton)
    assert trained_session.gallery.recipe.matcher.components == 0.95
    k = trained_session.gallery.k
    qtbot.waitUntil(lambda: page.choice.k == k)
    assert f"95 % of the variance: k = {k}" in seen.words(page.choice)
    assert page.choice.presets[0.95].isChecked()
    assert not page.choice.presets[0.9].isChecked()
    before = trained_session.history.can_undo
    qtbot.mouseClick(page.choice.presets[0.95], Qt.MouseButton.LeftButton)
    assert trained_session.history.can_undo == before, "the same again is no change"
    assert page.choice.presets[0.95].isChecked()


def test_a_recipe_that_compares_all_its_numbers_says_that_k_changes_nothing(page, trained_session):
    trained_session.apply("x", lambda g: g.with_recipe(Recipe.of("Network")))
    page.choice.chosen.emit(7)
    assert "always compares all its numbers" in trained_session.message.text


def test_more_components_wanted_than_there_are(page, trained_session, qtbot):
    trained_session.apply("k", lambda g: g.with_recipe(g.recipe.changed(components=500)))
    words = "500 were asked for; there are 23."
    qtbot.waitUntil(lambda: words in seen.words(page.choice))


def test_clicking_a_component_or_the_mean_shows_it(page, trained_session, qtbot):
    grid = page.components.grid
    place = grid.visualRect(grid.faces.index_of("2")).center()
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "Component 3" in seen.words(page.inspector)
    value = trained_session.gallery.trained.space.singular_values[2]
    assert page.inspector.facts.values()["Singular value"] == f"{value:.4g}"
    page.components.chosen.emit(MEAN)
    assert page.inspector.facts.values()["Photos averaged"] == "24"


def test_the_faces_at_the_ends_have_the_extreme_scores(page, trained_session, qtbot):
    scores = trained_session.gallery.trained.coordinates[:, 0]
    photos = trained_session.gallery.index.photos
    lowest = page.inspector.lowest.faces.faces()
    highest = page.inspector.highest.faces.faces()
    assert lowest[0].key == photos[int(np.argmin(scores))].key
    assert highest[0].key == photos[int(np.argmax(scores))].key
    row = page.inspector.highest
    place = row.visualRect(row.faces.index(0)).center()
    qtbot.mouseClick(row.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert trained_session.photo == highest[0].key
    qtbot.waitUntil(lambda: row.selected_keys() == [highest[0].key])


def test_a_gallery_of_three_photos(session, qtbot, tmp_path, qapp):
    images = np.random.default_rng(0).random((3, 24, 20))
    faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace"])
    gallery = Gallery(faces, Preparation(24, 20, already_cropped=True), Recipe()).train()
    session.open(Project.create(tmp_path / "tiny.eigenfaces", gallery))
    page = shown(session, qtbot)
    assert len(page.components.grid.faces.faces()) == 3
    ends = [row.faces.rowCount() for row in (page.inspector.lowest, page.inspector.highest)]
    assert ends == [1, 1], "no face is at both ends"
    page.inspector.close()


def test_before_training_the_page_asks_for_it_and_the_inspector_is_empty(
    session, small_gallery, tmp_path, qtbot
):
    untrained = replace(small_gallery, training=None)
    session.open(Project.create(tmp_path / "untrained.eigenfaces", untrained))
    page = shown(session, qtbot)
    assert "Train first" in seen.words(page)
    assert page.inspector.nothing.isVisible()
    assert not page.inspector.facts.isVisible()
    session.apply("training", lambda gallery: gallery.train())
    qtbot.waitUntil(lambda: page.inspector.facts.isVisible())
    assert not page.inspector.nothing.isVisible()
    session.apply("forgetting", lambda gallery: replace(gallery, training=None))
    qtbot.waitUntil(lambda: page.inspector.nothing.isVisible())
    page.inspector.close()


def test_the_export_menu_writes_all_that_it_names(
    page, trained_session, tmp_path, qtbot, monkeypatch
):
    files = seen.exported(page, tmp_path, monkeypatch, qtbot)
    space = trained_session.gallery.trained.space
    with files["singular values.csv"].open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(space)
    assert float(lines[0]["singular_value"]) == pytest.approx(space.singular_values[0])
    assert float(lines[-1]["cumulative_ratio"]) == pytest.approx(1)
    with Image.open(files["component 001.png"]) as picture:
        drawn = rgb_array(component_image(space, 0, signed=True))
        np.testing.assert_array_equal(np.asarray(picture), drawn)
    assert page.session.settings.last_folder == tmp_path


def test_a_context_menu_copies_a_component_and_shows_a_face_elsewhere(page, trained_session):
    def menu_of(faces, row: int) -> dict[str, QAction]:
        place = faces.visualRect(faces.faces.index(row)).center()
        faces.customContextMenuRequested.emit(place)
        menu = page.findChildren(QMenu)[-1]
        menu.close()
        return {action.text(): action for action in menu.actions()}

    space = trained_session.gallery.trained.space
    offered = menu_of(page.components.grid, 3)
    assert list(offered) == ["Component 3 as a picture…", "Copy picture"]
    offered["Copy picture"].trigger()
    copied = rgb_array(QGuiApplication.clipboard().image())
    np.testing.assert_array_equal(copied, rgb_array(component_image(space, 2, signed=True)))
    assert list(menu_of(page.components.grid, 0)) == ["Mean face as a picture…", "Copy picture"]
    menu_of(page.inspector.highest, 0)["Show in Reconstruct"].trigger()
    assert trained_session.page == "reconstruct"
    assert trained_session.photo == page.inspector.highest.faces.keys[0]
