"""The Synthesise page: what the sliders make, where faces begin, the morph, keys and files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from synthesise_shown import SEED, face_shown, pressed, settle, shown

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from eigenfaces.laboratory.real_faces import RealFaces
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.project.exports import grey_levels
from eigenfaces.recognition.probes import Probe
from eigenfaces.space.facespace import FaceSpace
from gui.pages.synthesise.banks import Banks
from gui.pages.synthesise.page import SynthesisePage
from gui.style.images import rgb_array
from gui.widgets.face_chooser import FaceChooser
from gui.widgets.words import ElidedLabel
from tests.gui import seen
from tests.synthetic import people

LEFT = Qt.MouseButton.LeftButton


def test_it_begins_with_the_selected_photo(page, trained_session):
    gallery = trained_session.gallery
    row = gallery.index.row_of(trained_session.photo)
    space = gallery.trained.space.first(10)
    rebuilt = space.reconstruct(gallery.trained.coordinates[row, :10]).reshape(24, 20)
    np.testing.assert_allclose(face_shown(page), grey_levels(rebuilt), atol=1)
    assert page.start_button.toolTip() == "Ada, photo 1"
    assert page.closest.row.faces.faces()[0].key == trained_session.photo
    assert "This is a photo of Ada" in page.closest.sentence.words.text()
    assert not any(slider.strong for slider in page.banks.sliders)


def test_a_slider_moves_the_face_along_its_component(page, qtbot):
    slider = page.banks.sliders[1]
    qtbot.keyClick(slider, Qt.Key.Key_End)
    settle(page, qtbot)
    assert page.face.scores[1] == 2.5
    np.testing.assert_array_equal(face_shown(page), grey_levels(page.face.pixels))
    np.testing.assert_array_equal(
        np.delete(page.face.scores, 1), np.delete(page.start.face.scores, 1)
    )
    assert [each.strong for each in page.banks.sliders[:3]] == [False, True, False]
    radius = page.real.radius(page.face)
    assert page.face_card.chart.tag.label == f"this face {radius:.2f}"
    assert page.face_card.plausibility.words.text() == page.real.plausibility(page.face)
    nearest = page.real.nearest(page.face, 7)
    faces = page.closest.row.faces.faces()
    assert [face.key for face in faces] == [each.photo.key for each in nearest]
    assert [face.subcaption for face in faces] == [f"{each.distance:.1f}" for each in nearest]


def test_steps_in_one_go_are_drawn_once(page, qtbot, monkeypatch):
    drawn = []
    view = page.face_card.view
    show = view.set_image
    monkeypatch.setattr(view, "set_image", lambda image: (drawn.append(1), show(image)))
    for score in (0.1, 0.2, 0.3, 0.4):
        page.banks.sliders[0].moved.emit(score)
    settle(page, qtbot)
    assert page.face.scores[0] == 0.4
    assert len(drawn) == 1


def test_random_and_reset_by_button_and_by_key(page, qtbot):
    begun = page.face.scores
    pressed(page, "Random", qtbot)
    drawn = SyntheticFace.random(page.real.space, np.random.default_rng(SEED))
    np.testing.assert_array_equal(page.face.scores, drawn.scores)
    assert seen.says(page.face_card, "10 components")
    qtbot.keyClick(page.banks.sliders[0], Qt.Key.Key_R)
    assert (page.face.scores != drawn.scores).all(), "each time another one"
    qtbot.keyClick(page.content, Qt.Key.Key_0)
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, begun)
    qtbot.keyClick(page.content, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(page.face.scores, begun)
    pressed(page, "Random", qtbot)
    pressed(page, "Reset", qtbot)
    np.testing.assert_array_equal(page.face.scores, begun)


def choices(page: SynthesisePage) -> dict[str, object]:
    menu = page.start_button.menu()
    menu.aboutToShow.emit()
    return {action.text(): action for action in menu.actions() if action.text()}


def test_it_starts_from_the_mean_and_from_a_person(page, trained_session, qtbot):
    found = choices(page)
    found["The mean face"].trigger()
    settle(page, qtbot)
    assert page.face.radius == 0
    assert "smoother" in page.face_card.plausibility.words.text()
    found["The mean of Ada"].trigger()
    settle(page, qtbot)
    wanted = page.real.mean_of("Ada").scores
    np.testing.assert_array_equal(page.face.scores, wanted)
    assert page.start_button.toolTip() == "Ada, mean of 4 photos"
    assert any(words.startswith("The selected photo: Ada") for words in found)


def test_any_person_or_photo_can_be_chosen(page, trained_session, qtbot):
    choices(page)["A person, photo or probe…"].trigger()
    chooser = page.findChild(FaceChooser)
    qtbot.waitUntil(chooser.isVisible)
    qtbot.keyClicks(chooser.filter, "hedy")
    faces = chooser.grid.faces.faces()
    assert faces[0].subcaption == "mean of all photos"
    assert [face.caption for face in faces] == ["Hedy"] * 5
    chooser.face_chosen.emit(faces[0].key)
    chooser.hide()
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, page.real.mean_of("Hedy").scores)
    chooser.face_chosen.emit(faces[2].key)
    settle(page, qtbot)
    assert page.start_button.toolTip() == "Hedy, photo 2"
    assert trained_session.photo == faces[2].key, "selected on all pages"
    assert not faces[0].image().isNull()


def test_a_press_on_a_close_real_face_starts_from_it(page, trained_session, qtbot):
    row = page.closest.row
    face = row.faces.faces()[1]
    place = row.visualRect(row.faces.index_of(face.key)).center()
    qtbot.mouseClick(row.viewport(), LEFT, pos=place)
    settle(page, qtbot)
    assert trained_session.photo == face.key == page.start.key


def stranger() -> Probe:
    image = np.random.default_rng(9).random((1, 24, 20))
    faces = FaceSet.from_arrays(image, [None])
    photo = replace(faces.index.photos[0], key="not in the gallery", path=Path("stranger.png"))
    return Probe(photo, faces.image(0))


def test_a_probe_is_a_start_by_its_coordinates(page, trained_session, qtbot):
    probe = stranger()
    trained_session.put_probes([probe])
    qtbot.waitUntil(lambda: page.start.key == probe.photo.key)
    coordinates = trained_session.gallery.trained.project(probe.image.ravel())[:10]
    np.testing.assert_allclose(page.face.coordinates, coordinates, rtol=1e-4, atol=1e-5)
    assert page.start_button.toolTip() == "stranger.png"


def test_a_selection_elsewhere_is_followed_until_a_slider_was_moved(page, trained_session, qtbot):
    others = [trained_session.gallery.index.photos[row].key for row in (5, 9)]
    trained_session.select(others[0])
    qtbot.waitUntil(lambda: page.start.key == others[0])
    qtbot.keyClick(page.banks.sliders[0], Qt.Key.Key_Home)
    settle(page, qtbot)
    made = page.face
    trained_session.select(others[1])
    settle(page, qtbot)
    assert page.face is made, "what a person has made is not lost"
    assert choices(page)


def test_a_dropped_photo_replaces_even_what_was_made(page, trained_session, tmp_path, qtbot):
    qtbot.keyClick(page.banks.sliders[0], Qt.Key.Key_Home)
    path = tmp_path / "dropped.png"
    Image.fromarray(np.full((48, 40), 90, np.uint8)).save(path)
    assert page.take_paths([path])
    qtbot.waitUntil(lambda: page.start.name == "dropped.png")
    assert not page.take_paths([tmp_path]), "a folder is the window's business"


def test_the_component_of_other_pages_is_marked(trained_session, qtbot, qapp):
    trained_session.apply("k", lambda g: g.with_recipe(Recipe.of(components=23)))
    page = shown(trained_session, qtbot)
    trained_session.select_component(14)
    settle(page, qtbot)
    assert page.banks.first == 12
    assert [slider._chosen for slider in page.banks.sliders[:4]] == [False, False, True, False]
    visible = [slider.isVisible() for slider in page.banks.sliders]
    assert visible == [True] * 11 + [False]
    assert page.banks.sliders[2].accessibleName().startswith("Component 15, ")


@pytest.mark.usefixtures("light_again")
def test_the_heading_of_the_banks_is_never_cut(qtbot, qapp):
    space = FaceSpace.fit(np.random.default_rng(0).random((170, 169)), (13, 13))
    banks = Banks()
    qtbot.addWidget(banks)
    banks.resize(400, 700)
    banks.show()
    banks.show_space(space)
    heading, found = banks.findChild(ElidedLabel), set()
    for width in range(380, 700, 10):
        banks.resize(width, 700)
        for bank in (0, 4, 9, 14):
            banks.bar.go(bank)
            assert heading.text() == heading.full_text
            found.add(heading.text())
    assert found >= {"Components", "Components 1–12", "Components 169"}


def test_banks_hold_twelve_components_each(trained_session, qtbot, qapp):
    trained_session.apply("k", lambda g: g.with_recipe(Recipe.of(components=23)))
    page = shown(trained_session, qtbot)
    bar = page.banks.bar
    assert seen.says(page.banks, "Components 1–12")
    pressed(page, "13–23", qtbot)
    assert seen.says(page.banks, "Components 13–23")
    qtbot.keyClick(page.banks.sliders[0], Qt.Key.Key_End)
    settle(page, qtbot)
    assert page.face.scores[12] == 2.5
    pressed(page, "1–12", qtbot)
    assert page.banks.sliders[0].score == page.face.scores[0]
    assert not bar.before.isVisible(), "both banks are offered"


def test_more_banks_than_stand_side_by_side_are_reached_by_arrows(session, tmp_path, qtbot, qapp):
    several = people(np.random.default_rng(2), 16, 5, spread=0.2)
    preparation = Preparation(*several.shape, already_cropped=True)
    gallery = Gallery(several, preparation, Recipe.of(components=79)).train()
    session.switch(Project.create(tmp_path / "many.eigenfaces", gallery))
    page = shown(session, qtbot)
    bar = page.banks.bar
    seen.button(page, "Later components").click()
    assert page.banks.first == 48
    assert bar.choice.current_text == "49–60"
    assert not bar.after.isEnabled()
    session.select_component(78)
    settle(page, qtbot)
    assert bar.choice.current_text == "73–79"
    page.resize(700, 860)
    qtbot.waitUntil(lambda: page.banks.first == 72)
    seen.button(page, "Earlier components").click()
    assert page.banks.first < 72


def test_the_ends_of_a_slider_are_the_mean_moved(page):
    low, high = page.banks.sliders[3]._ends
    mean = SyntheticFace.mean(page.real.space)
    for image, score in ((low, -2.5), (high, 2.5)):
        wanted = grey_levels(mean.moved(3, score).pixels)
        np.testing.assert_array_equal(rgb_array(image)[..., 0], wanted)


def test_training_anew_begins_anew_and_another_k_keeps_what_was_made(page, trained_session, qtbot):
    qtbot.keyClick(page.banks.sliders[0], Qt.Key.Key_Home)
    settle(page, qtbot)
    trained_session.apply("k", lambda g: g.with_recipe(Recipe.of(components=5)))
    settle(page, qtbot)
    assert len(page.face.scores) == 5
    assert page.face.scores[0] == -2.5
    key = trained_session.gallery.index.photos[3].key
    trained_session.apply("training", lambda g: g.exclude([key]).train())
    settle(page, qtbot)
    assert page.face.scores[0] != -2.5
    assert key not in {photo.key for photo in page.real.photos}


@pytest.mark.parametrize("name", ["Discriminant", "Texture"])
def test_a_recipe_without_pictures_gets_the_face_space_of_pixels_and_says_so(
    session, tmp_path, qtbot, qapp, name
):
    several = people(np.random.default_rng(2), 4, 5, shape=(48, 48), spread=0.1)
    preparation = Preparation(48, 48, already_cropped=True)
    gallery = Gallery(several, preparation, Recipe.of(name)).train()
    session.switch(Project.create(tmp_path / "other.eigenfaces", gallery))
    page = shown(session, qtbot)
    assert page.note.isVisible()
    assert f"The recipe {name} compares what has no picture" in page.note.text.text()
    assert page.real.space.mean is gallery.trained.space.mean
    session.apply("plain", lambda g: g.with_recipe(Recipe()).train())
    settle(page, qtbot)
    assert not page.note.isVisible()


def test_one_person_and_faces_without_names_will_do(session, tmp_path, qtbot, qapp):
    several = people(np.random.default_rng(2), 1, 6, spread=0.2)
    preparation = Preparation(*several.shape, already_cropped=True)
    gallery = Gallery(several, preparation, Recipe.of(components=3)).train()
    session.switch(Project.create(tmp_path / "one.eigenfaces", gallery))
    page = shown(session, qtbot)
    assert page.morph.b.key == gallery.index.photos[-1].key
    keys = [photo.key for photo in gallery.index.photos]
    session.apply("nobody", lambda g: g.move(keys, None))
    settle(page, qtbot)
    pressed(page, "Random", qtbot)
    assert "Nobody has two photos here" in page.closest.sentence.words.text()
    assert page.closest.row.faces.faces()[0].caption == "Nobody named"


def test_a_low_page_shows_the_closest_faces_or_the_morph(trained_session, qtbot, qapp):
    page = shown(trained_session, qtbot, (1048, 640))
    assert page.closest.isVisible()
    assert not page.morph.isVisible()
    seen.button(page, "Below the face: Morph A → B").click()
    assert page.morph.isVisible()
    assert not page.closest.isVisible()
    page.resize(1240, 860)
    qtbot.waitUntil(lambda: page.closest.isVisible() and page.morph.isVisible())
    assert not page.tabs.isVisible()


def test_everything_that_takes_focus_has_a_name(nameless, page):
    assert not nameless(page)


def test_real_faces_are_those_of_the_gallery(page, trained_session):
    wanted = RealFaces.of(trained_session.gallery)
    np.testing.assert_array_equal(page.real.known, wanted.known)
    assert page.face_card.chart.band == wanted.usual


@pytest.mark.parametrize("size", [(916, 640), (1260, 861)])
def test_the_longest_words_have_room_and_the_page_does_not_scroll(
    trained_session, qtbot, qapp, size
):
    page = shown(trained_session, qtbot, size)
    pressed(page, "Random", qtbot)
    for text in (page.face_card.plausibility, page.closest.sentence):
        label = text.words
        assert label.heightForWidth(label.width()) <= label.height() == text.height()
    assert page.content.height() <= page.height()
    assert len(page.closest.row.faces.faces()) == page.closest.row.count >= 4


def test_excluding_or_removing_everything_leaves_the_page_as_it_was(page, trained_session, qtbot):
    made = page.face
    keys = [photo.key for photo in trained_session.gallery.index.photos]
    trained_session.apply("exclude", lambda g: g.exclude(keys))
    settle(page, qtbot)
    assert page.face is made
    assert "take some back" in page.note.text.text()
    assert page.note.isVisible()
    trained_session.undo()
    seen.settle(qtbot, trained_session)
    trained_session.apply("remove", lambda g: g.remove(keys[1:]))
    seen.settle(qtbot, trained_session)
    settle(page, qtbot)
    assert [face.key for face in page.closest.row.faces.faces()] == keys[:1]
    assert not page.note.isVisible()
    trained_session.apply("remove", lambda g: g.remove(keys[:1]))
    settle(page, qtbot)
    assert page.morph.a is not None
