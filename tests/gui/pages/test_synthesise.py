"""The Synthesise page: what the sliders make, where faces begin, the morph, keys and files."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt

from eigenfaces import Recipe
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.project.exports import grey_levels
from gui.pages.synthesise import BipolarSlider, SynthesisePage
from gui.style.images import rgb_array
from gui.widgets.fields import FaceChooser
from tests import synthetic
from tests.gui import seen

LEFT = Qt.MouseButton.LeftButton
SEED = 4
"""Of the faces that the page draws by chance."""

same = np.testing.assert_array_equal


def shown(open_page, size=(1240, 860)) -> SynthesisePage:
    return open_page(SynthesisePage, size, np.random.default_rng(SEED))


@pytest.fixture
def page(trained_session, open_page) -> SynthesisePage:
    """The page with six people and ten components; the first photo of Ada is selected."""
    return shown(open_page)


def face_shown(page: SynthesisePage) -> np.ndarray:
    return rgb_array(page.view.image)[..., 0]


def test_it_begins_with_the_selected_photo(page, trained_session):
    gallery = trained_session.gallery
    row = gallery.index.row_of(trained_session.photo)
    space = gallery.trained.space.first(10)
    rebuilt = space.reconstruct(gallery.trained.coordinates[row, :10]).reshape(24, 20)
    np.testing.assert_allclose(face_shown(page), grey_levels(rebuilt), atol=1)
    assert page.start.name == "Ada, photo 1"
    assert page.closest.faces.keys[0] == trained_session.photo
    assert not any(row.strong for row in page.rows)


def test_a_slider_moves_the_face_along_its_component(page, qtbot, do):
    do(qtbot.keyClick, page.rows[1].slider, Qt.Key.Key_End)
    expected = page.start.face.scores.copy()
    expected[1] = 2.5
    same(page.face.scores, expected)
    same(face_shown(page), grey_levels(page.face.pixels))
    assert [row.strong for row in page.rows[:3]] == [False, True, False]
    faces, nearest = page.closest.faces.faces(), page.real.nearest(page.face, 5)
    wanted = [(match.photo.id, f"{match.distance:.1f}") for match in nearest]
    assert [(face.key, face.subcaption) for face in faces] == wanted


def test_random_and_reset_by_button_and_by_key(page, qtbot):
    begun, random, reset = page.face.scores, *(seen.button(page, n) for n in ("Random", "Reset"))
    random.click()
    drawn = SyntheticFace.random(page.real.space, np.random.default_rng(SEED))
    same(page.face.scores, drawn.scores)
    assert page.random_words.isVisible()
    assert page.random_words.text() == page.real.random_words(drawn)
    page.rows[0].slider.setValue(50)
    assert not page.random_words.isVisible(), "it is another face"
    qtbot.keyClick(page.rows[0].slider, Qt.Key.Key_R)
    assert (page.face.scores != drawn.scores).all(), "each time another one"
    qtbot.keyClick(page.content, Qt.Key.Key_0)
    qtbot.keyClick(page.content, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    same(page.face.scores, begun)
    random.click()
    reset.click()
    same(page.face.scores, begun)


def test_it_starts_from_the_mean_a_person_or_a_photo(page, trained_session, qtbot, do):
    do(seen.button(page, "Start from…").click)
    chooser = page.findChild(FaceChooser)
    mean = chooser.grid.faces.faces()[0]
    assert mean.caption == "The mean face"
    do(chooser.grid.chosen.emit, mean.key)
    assert page.face.radius == 0
    qtbot.keyClicks(chooser.filter, "hedy")
    faces = chooser.grid.faces.faces()
    assert faces[0].subcaption == "mean of all photos"
    assert [face.caption for face in faces] == ["Hedy"] * 5
    chooser.grid.chosen.emit(faces[0].key)
    do(chooser.hide)
    same(page.face.scores, page.real.starting_face("Hedy").face.scores)
    assert page.start_button.toolTip() == "Started from: Hedy, mean of 4 photos"
    do(chooser.grid.chosen.emit, faces[2].key)
    assert page.start.name == "Hedy, photo 2"
    assert trained_session.photo == faces[2].key, "selected on all pages"
    assert not any(face.image().isNull() for face in (mean, faces[0]))


def test_a_selection_elsewhere_is_followed_until_a_slider_was_moved(
    page, trained_session, tmp_path, qtbot, do
):
    probe = seen.stranger()
    do(trained_session.put_probes, [probe])
    assert page.start.start == probe.photo.id
    coordinates = trained_session.gallery.trained.project(probe.image.ravel())[:10]
    np.testing.assert_allclose(page.face.coordinates, coordinates, rtol=1e-4, atol=1e-5)
    qtbot.keyClick(page.rows[0].slider, Qt.Key.Key_Home)
    made = page.face
    do(trained_session.select, trained_session.gallery.index.photos[9].id)
    assert page.face is made, "what a person has made is not lost"
    path = tmp_path / "dropped.png"
    Image.fromarray(np.full((48, 40), 90, np.uint8)).save(path)
    assert page.accept_paths([path])
    qtbot.waitUntil(lambda: page.start.name == "dropped.png")
    assert not page.accept_paths([tmp_path]), "a folder is the window's business"


def test_training_anew_begins_anew_and_another_k_keeps_what_was_made(
    page, trained_session, qtbot, do
):
    qtbot.keyClick(page.rows[0].slider, Qt.Key.Key_Home)
    do(trained_session.apply, "k", lambda g: g.with_recipe(Recipe.of(components=5)))
    assert len(page.face.scores) == 5
    assert page.face.scores[0] == -2.5
    key = trained_session.gallery.index.photos[3].id
    do(trained_session.apply, "training", lambda g: g.exclude([key]).train())
    assert page.face.scores[0] != -2.5
    assert key not in {photo.id for photo in page.real.photos}


def test_one_person_and_faces_without_names_will_do(open_gallery, rng, open_page, do):
    gallery = synthetic.gallery(rng, Recipe.of(components=3), count=1, photos=6)
    session, page = open_gallery(gallery), shown(open_page)
    keys = [photo.id for photo in gallery.index.photos]
    assert page.end.start == keys[-1]
    do(session.apply, "nobody", lambda g: g.move(keys, None))
    do(seen.button(page, "Random").click)
    assert page.closest.faces.faces()[0].caption == "Unnamed"


def test_all_has_room_on_a_low_page(trained_session, open_page):
    page = shown(open_page, (1092, 637))
    assert page.content.height() <= page.height()
    assert len(page.closest.faces.faces()) == 5


def test_excluding_or_removing_everything_leaves_the_page_as_it_was(page, trained_session, do):
    made = page.face
    keys = [photo.id for photo in trained_session.gallery.index.photos]
    do(trained_session.apply, "exclude", lambda g: g.exclude(keys))
    assert page.face is made
    assert "include some again" in page.note.text.text()
    trained_session.undo()
    do(trained_session.apply, "remove", lambda g: g.remove(keys[1:]))
    assert page.closest.faces.keys == keys[:1]
    assert not page.note.isVisible()
    do(trained_session.apply, "remove", lambda g: g.remove(keys[:1]))
    assert page.start is not None


def test_the_morph_goes_from_the_start_to_somebody_else(page, trained_session, do):
    a, b = page.start, page.end
    assert a.short == "Ada" != b.short
    for value, step in ((100, ["100"]), (0, ["0"]), (40, ["40"]), (43, [])):
        do(page.slider.setValue, value)
        wanted = a.face.morph(b.face, value / 100)
        np.testing.assert_allclose(page.face.scores, wanted.scores)
        assert page.morph.selected_keys() == step
        assert seen.says(page, f"{value} %")
    seen.button(page, "Random").click()
    assert page.slider.value() == 0, "that is on no way between the two"
    do(seen.button(page, "Choose B…").click)
    chooser = page.findChild(FaceChooser)
    assert page.screen().availableGeometry().contains(chooser.geometry())
    chooser.face_chosen.emit("Sofia")
    chooser.hide()
    captions = [face.caption for face in page.morph.faces.faces()]
    assert captions == ["Ada", "20 %", "40 %", "60 %", "80 %", "Sofia"]
    do(trained_session.apply, "renaming", lambda g: g.rename("Sofia", "Sonja"))
    assert page.end.short != "Sofia", "who is gone is replaced"


def test_space_plays_the_morph_to_its_end(page, qtbot, do):
    page.slider.setValue(95)
    qtbot.keyClick(page.content, Qt.Key.Key_Space)
    assert page.play.playing
    do(qtbot.waitUntil, lambda: not page.play.playing)
    same(page.face.scores, page.end.face.scores)
    page.play.toggle()
    assert page.slider.value() == 0, "from the end it begins again"
    page.hide()
    assert not page.play.playing, "nothing plays while the page is hidden"


def test_the_face_is_written(page, exported):
    with Image.open(exported(page)["nobody.png"]) as image:
        same(np.asarray(image), grey_levels(page.face.pixels))


# The slider around zero


@pytest.fixture
def slider(qtbot) -> BipolarSlider:
    return seen.show(qtbot, BipolarSlider(2.5), (520, 48))


def test_a_press_moves_to_its_place_and_a_double_click_to_zero(qtbot, slider):
    for value in (-2.5, 0.5):
        place = QPoint(round(slider.place(value)), slider.height() // 2)
        with qtbot.waitSignal(slider.moved) as signal:
            qtbot.mouseClick(slider, LEFT, pos=place)
        assert signal.args[0] == slider.score == pytest.approx(value, abs=0.02)
        with qtbot.waitSignal(slider.moved) as signal:
            qtbot.mouseDClick(slider, LEFT, pos=place)
        assert signal.args == [0.0]


def test_keys_move_a_slider_and_a_value_that_is_shown_is_not_moved(qtbot, slider):
    for key, value in seen.keyed(Right=1.1, Left=0.9, PageUp=1.5, Home=-2.5, End=2.5, Delete=0.0):
        slider.show_value(1.0)
        with qtbot.waitSignal(slider.moved) as signal:
            qtbot.keyClick(slider, key)
        assert signal.args == [value]
    with qtbot.assertNotEmitted(slider.moved), qtbot.assertNotEmitted(slider.valueChanged):
        slider.show_value(3.4)
    assert slider.score == 3.4, "a real face may lie beyond the ends"
    assert slider.accessibleDescription() == "+3.4 σ"
    assert slider.place(3.4) == slider.place(2.5)
