"""The Eigenfaces page: what is shown, and what dragging, presets and clicks change."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QGuiApplication

from eigenfaces import Recipe
from gui.pages.eigenfaces import MEAN_KEY, EigenfacesPage, component_image
from gui.style.images import rgb_array
from tests.gui import seen


@pytest.fixture
def page(trained_session, open_page) -> EigenfacesPage:
    return open_page(EigenfacesPage, (1000, 800))


def test_mean_and_every_component_are_there_with_their_share(page, trained_session):
    faces = page.components.grid.faces.faces()
    assert not faces[1].image().isGrayscale()
    seen.button(page, "Grey").click()
    space, faces = trained_session.gallery.trained.space, page.components.grid.faces.faces()
    assert faces[1].image().isGrayscale()
    assert [face.caption for face in faces] == ["Mean face", *map(str, range(1, len(space) + 1))]
    assert faces[1].subcaption == f"{100 * space.variance_ratio[0]:.1f} %"
    assert seen.words(page.components)[:2] == ["Components", "23"]
    page.components.show_space(replace(space, total_variance=1e9), signed=True)
    assert page.components.grid.faces.faces()[1].subcaption == "<0.1 %", "not none"


def test_components_share_one_scale_around_white(trained_session):
    space = trained_session.gallery.trained.space
    colours = rgb_array(component_image(space, 0, signed=True)).reshape(-1, 3).astype(int)
    values = space.components[0]
    assert colours[np.abs(values).argmin()].min() > 245
    red, _, blue = colours[values.argmax()]
    assert red > blue


def test_dragging_is_live_and_letting_go_saves_k(page, trained_session, qtbot):
    chart, choice = page.choice.chart, page.choice
    chart.line_moved.emit(0)
    assert choice.k == 1, "never zero"
    chart.line_moved.emit(7)
    assert (choice.k, page.components.cells.k) == (7, 7)
    assert trained_session.gallery.recipe.matcher.components == 10, "not saved before letting go"
    with qtbot.waitSignal(trained_session.gallery_changed):
        chart.released.emit()
    assert trained_session.gallery.recipe.matcher.components == 7
    assert trained_session.history.undo_title == "k = 7"
    trained_session.undo()
    qtbot.waitUntil(lambda: page.choice.k == 10)


def test_a_preset_keeps_a_share_and_says_so(page, trained_session, do):
    presets = page.choice.presets
    do(presets[0.95].click)
    assert trained_session.gallery.recipe.matcher.components == 0.95
    k, step = trained_session.gallery.k, trained_session.history.undo_title
    assert page.choice.k == k
    assert f"95 % of the variance: k = {k}" in seen.words(page.choice)
    presets[0.95].click()
    assert trained_session.history.undo_title == step, "the same again is no change"
    assert [share for share, preset in presets.items() if preset.isChecked()] == [0.95]


def test_a_recipe_that_compares_all_its_numbers_says_that_k_changes_nothing(page, trained_session):
    trained_session.apply("x", lambda g: g.with_recipe(Recipe.of("Network")))
    page.choice.chosen.emit(7)
    assert "always compares all its numbers" in trained_session.message.text


def test_more_components_wanted_than_there_are(page, trained_session, do):
    do(trained_session.apply, "k", lambda g: g.with_recipe(g.recipe.changed(components=500)))
    assert "You asked for 500; there are only 23." in seen.words(page.choice)


def test_clicking_a_component_or_the_mean_shows_it(page, trained_session, qtbot):
    seen.click(qtbot, page.components.grid, "2")
    assert "Component 3" in seen.words(page.inspector)
    value = trained_session.gallery.trained.space.singular_values[2]
    assert page.inspector.facts.values()["Singular value"] == f"{value:.4g}"
    page.components.chosen.emit(MEAN_KEY)
    assert page.inspector.facts.values()["Photos averaged"] == "24"


def test_the_faces_at_the_ends_have_the_extreme_scores(page, trained_session, qtbot):
    scores, ends = trained_session.gallery.trained.coordinates[:, 0], page.inspector
    photos, row = trained_session.gallery.index.photos, ends.highest
    assert ends.lowest.faces.keys[0] == photos[int(np.argmin(scores))].id
    assert row.faces.keys[0] == photos[int(np.argmax(scores))].id
    seen.click(qtbot, row, 0)
    assert trained_session.photo == row.faces.keys[0]
    qtbot.waitUntil(lambda: row.selected_keys() == row.faces.keys[:1])


def test_a_gallery_of_three_photos(page, trained_session, do):
    do(seen.keep_photos, trained_session, 3)
    assert len(page.components.grid.faces.faces()) == 3
    ends = [row.faces.rowCount() for row in (page.inspector.lowest, page.inspector.highest)]
    assert ends == [1, 1], "no face is at both ends"


def test_before_training_the_page_gets_ready_and_the_inspector_is_empty(page, trained_session, do):
    for training in (None, trained_session.gallery.training):
        do(trained_session.apply, "x", lambda g, made=training: replace(g, training=made))
        assert seen.says(page, "Getting ready…") == (training is None)
        assert page.inspector.nothing.isVisible() == (training is None)
        assert page.inspector.facts.isVisible() == (training is not None)


def test_the_export_menu_writes_all_that_it_names(page, trained_session, exported):
    files, space = exported(page), trained_session.gallery.trained.space
    with files["singular values.csv"].open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(space)
    assert float(lines[0]["singular_value"]) == pytest.approx(space.singular_values[0])
    assert float(lines[-1]["cumulative_ratio"]) == pytest.approx(1)
    with Image.open(files["component 001.png"]) as picture:
        drawn = rgb_array(component_image(space, 0, signed=True))
        np.testing.assert_array_equal(np.asarray(picture), drawn)


def test_a_context_menu_copies_a_component_and_shows_a_face_elsewhere(page, trained_session):
    def menu_of(faces, row: int):
        return seen.menu_at(page, faces, faces.visualRect(faces.faces.index(row)).center())

    space = trained_session.gallery.trained.space
    actions = menu_of(page.components.grid, 3)
    assert list(actions) == ["Component 3 as a picture…", "Copy picture"]
    actions["Copy picture"].trigger()
    copied = rgb_array(QGuiApplication.clipboard().image())
    np.testing.assert_array_equal(copied, rgb_array(component_image(space, 2, signed=True)))
    assert list(menu_of(page.components.grid, 0)) == ["Mean face as a picture…", "Copy picture"]
    menu_of(page.inspector.highest, 0)["Show in Reconstruct"].trigger()
    assert trained_session.page == "reconstruct"
    assert trained_session.photo == page.inspector.highest.faces.keys[0]
