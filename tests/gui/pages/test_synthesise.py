"""The Synthesise page: what the sliders make, where faces begin, the morph, keys and files."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.laboratory.synthesis import SyntheticFace, person_key
from eigenfaces.project.exports import grey_levels
from gui.pages.synthesise import BipolarSlider, SynthesisePage
from gui.state.session import Session
from gui.style import theme
from gui.style.images import rgb_array
from gui.widgets.fields import FaceChooser
from tests.gui import seen
from tests.synthetic import people

LEFT = Qt.MouseButton.LeftButton
SEED = 4
"""Of the faces that the page draws by chance."""


def shown(session: Session, qtbot, size: tuple[int, int] = (1240, 860)) -> SynthesisePage:
    page = seen.show(qtbot, SynthesisePage(session, np.random.default_rng(SEED)), size)
    settle(page, qtbot)
    return page


def settle(page: SynthesisePage, qtbot) -> None:
    timers = page.findChildren(QTimer)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers if timer.isSingleShot()))


def face_shown(page: SynthesisePage) -> np.ndarray:
    return rgb_array(page.view.image)[..., 0]


def pressed(page: SynthesisePage, name: str, qtbot) -> None:
    seen.button(page, name).click()
    settle(page, qtbot)


@pytest.fixture
def page(trained_session: Session, qtbot, qapp) -> SynthesisePage:
    """The page with six people and ten components; the first photo of Ada is selected."""
    theme.apply(qapp, "light")
    return shown(trained_session, qtbot)


def test_it_begins_with_the_selected_photo(page, trained_session):
    gallery = trained_session.gallery
    row = gallery.index.row_of(trained_session.photo)
    space = gallery.trained.space.first(10)
    rebuilt = space.reconstruct(gallery.trained.coordinates[row, :10]).reshape(24, 20)
    np.testing.assert_allclose(face_shown(page), grey_levels(rebuilt), atol=1)
    assert page.start.name == "Ada, photo 1"
    assert page.closest.faces.faces()[0].key == trained_session.photo
    assert not any(row.strong for row in page.rows)


def test_a_slider_moves_the_face_along_its_component(page, qtbot):
    qtbot.keyClick(page.rows[1].slider, Qt.Key.Key_End)
    settle(page, qtbot)
    assert page.face.scores[1] == 2.5
    np.testing.assert_array_equal(face_shown(page), grey_levels(page.face.pixels))
    np.testing.assert_array_equal(
        np.delete(page.face.scores, 1), np.delete(page.start.face.scores, 1)
    )
    assert [row.strong for row in page.rows[:3]] == [False, True, False]
    faces, nearest = page.closest.faces.faces(), page.real.nearest(page.face, 5)
    wanted = [(match.photo.key, f"{match.distance:.1f}") for match in nearest]
    assert [(face.key, face.subcaption) for face in faces] == wanted


def test_random_and_reset_by_button_and_by_key(page, qtbot):
    begun = page.face.scores
    pressed(page, "Random", qtbot)
    drawn = SyntheticFace.random(page.real.space, np.random.default_rng(SEED))
    np.testing.assert_array_equal(page.face.scores, drawn.scores)
    qtbot.keyClick(page.rows[0].slider, Qt.Key.Key_R)
    assert (page.face.scores != drawn.scores).all(), "each time another one"
    qtbot.keyClick(page.content, Qt.Key.Key_0)
    qtbot.keyClick(page.content, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, begun)
    pressed(page, "Random", qtbot)
    pressed(page, "Reset", qtbot)
    np.testing.assert_array_equal(page.face.scores, begun)


def test_it_starts_from_the_mean_a_person_or_a_photo(page, trained_session, qtbot):
    seen.button(page, "Start from…").click()
    chooser = page.findChild(FaceChooser)
    qtbot.waitUntil(chooser.isVisible)
    mean = chooser.grid.faces.faces()[0]
    assert mean.caption == "The mean face"
    chooser.grid.chosen.emit(mean.key)
    settle(page, qtbot)
    assert page.face.radius == 0
    qtbot.keyClicks(chooser.filter, "hedy")
    faces = chooser.grid.faces.faces()
    assert faces[0].subcaption == "mean of all photos"
    assert [face.caption for face in faces] == ["Hedy"] * 5
    chooser.grid.chosen.emit(faces[0].key)
    chooser.hide()
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, page.real.start(person_key("Hedy")).face.scores)
    assert page.start_button.toolTip() == "Started from: Hedy, mean of 4 photos"
    chooser.grid.chosen.emit(faces[2].key)
    settle(page, qtbot)
    assert page.start.name == "Hedy, photo 2"
    assert trained_session.photo == faces[2].key, "selected on all pages"
    assert not any(face.image().isNull() for face in (mean, faces[0]))


def test_a_selection_elsewhere_is_followed_until_a_slider_was_moved(
    page, trained_session, tmp_path, qtbot
):
    probe = seen.stranger()
    trained_session.put_probes([probe])
    qtbot.waitUntil(lambda: page.start.key == probe.photo.key)
    coordinates = trained_session.gallery.trained.project(probe.image.ravel())[:10]
    np.testing.assert_allclose(page.face.coordinates, coordinates, rtol=1e-4, atol=1e-5)
    qtbot.keyClick(page.rows[0].slider, Qt.Key.Key_Home)
    settle(page, qtbot)
    made = page.face
    trained_session.select(trained_session.gallery.index.photos[9].key)
    settle(page, qtbot)
    assert page.face is made, "what a person has made is not lost"
    path = tmp_path / "dropped.png"
    Image.fromarray(np.full((48, 40), 90, np.uint8)).save(path)
    assert page.take_paths([path])
    qtbot.waitUntil(lambda: page.start.name == "dropped.png")
    assert not page.take_paths([tmp_path]), "a folder is the window's business"


def test_training_anew_begins_anew_and_another_k_keeps_what_was_made(page, trained_session, qtbot):
    qtbot.keyClick(page.rows[0].slider, Qt.Key.Key_Home)
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


def test_a_recipe_without_pictures_gets_the_face_space_of_pixels_and_says_so(
    session, tmp_path, qtbot, qapp
):
    several = people(np.random.default_rng(2), 7, 3, shape=(48, 48), spread=0.1)
    preparation = Preparation(48, 48, already_cropped=True)
    gallery = Gallery(several, preparation, Recipe.of("Texture")).train()
    session.open(Project.create(tmp_path / "other.eigenfaces", gallery))
    page = shown(session, qtbot)
    assert page.note.isVisible()
    assert "The recipe Texture compares what has no picture" in page.note.text.text()
    assert page.real.space.mean is gallery.trained.space.mean
    session.apply("plain", lambda g: g.with_recipe(Recipe()).train())
    settle(page, qtbot)
    assert not page.note.isVisible()


def test_one_person_and_faces_without_names_will_do(session, tmp_path, qtbot, qapp):
    several = people(np.random.default_rng(2), 1, 6, spread=0.2)
    preparation = Preparation(*several.shape, already_cropped=True)
    gallery = Gallery(several, preparation, Recipe.of(components=3)).train()
    session.open(Project.create(tmp_path / "one.eigenfaces", gallery))
    page = shown(session, qtbot)
    keys = [photo.key for photo in gallery.index.photos]
    assert page.end.key == keys[-1]
    session.apply("nobody", lambda g: g.move(keys, None))
    settle(page, qtbot)
    pressed(page, "Random", qtbot)
    assert page.closest.faces.faces()[0].caption == "Nobody named"


def test_all_has_room_on_a_low_page(trained_session, qtbot, qapp):
    page = shown(trained_session, qtbot, (1092, 637))
    pressed(page, "Random", qtbot)
    assert page.content.height() <= page.height()
    assert len(page.closest.faces.faces()) == 5


def test_excluding_or_removing_everything_leaves_the_page_as_it_was(page, trained_session, qtbot):
    made = page.face
    keys = [photo.key for photo in trained_session.gallery.index.photos]
    trained_session.apply("exclude", lambda g: g.exclude(keys))
    settle(page, qtbot)
    assert page.face is made
    assert "take some back" in page.note.text.text()
    trained_session.undo()
    trained_session.apply("remove", lambda g: g.remove(keys[1:]))
    seen.settle(qtbot, trained_session)
    settle(page, qtbot)
    assert [face.key for face in page.closest.faces.faces()] == keys[:1]
    assert not page.note.isVisible()
    trained_session.apply("remove", lambda g: g.remove(keys[:1]))
    settle(page, qtbot)
    assert page.start is not None


def test_the_morph_goes_from_the_start_to_somebody_else(page, trained_session, qtbot):
    a, b = page.start, page.end
    assert a.short == "Ada" != b.short
    for value, step in ((100, ["100"]), (0, ["0"]), (40, ["40"]), (43, [])):
        page.slider.setValue(value)
        settle(page, qtbot)
        wanted = a.face.towards(b.face, value / 100)
        np.testing.assert_allclose(page.face.scores, wanted.scores)
        assert page.morph.selected_keys() == step
        assert seen.says(page, f"{value} %")
    pressed(page, "Random", qtbot)
    assert page.slider.value() == 0, "that is on no way between the two"
    seen.button(page, "Choose B…").click()
    chooser = page.findChild(FaceChooser)
    qtbot.waitUntil(chooser.isVisible)
    chooser.face_chosen.emit(person_key("Sofia"))
    chooser.hide()
    captions = [face.caption for face in page.morph.faces.faces()]
    assert captions == ["Ada", "20 %", "40 %", "60 %", "80 %", "Sofia"]
    trained_session.apply("renaming", lambda g: g.rename("Sofia", "Sonja"))
    settle(page, qtbot)
    assert page.end.short != "Sofia", "who is gone is replaced"


def test_space_plays_the_morph_to_its_end(page, qtbot):
    page.slider.setValue(95)
    qtbot.keyClick(page.content, Qt.Key.Key_Space)
    assert page.play.playing
    qtbot.waitUntil(lambda: not page.play.playing)
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, page.end.face.scores)
    page.play.toggle()
    assert page.slider.value() == 0, "from the end it begins again"
    page.hide()
    assert not page.play.playing, "nothing plays while the page is hidden"


def test_the_face_is_written_until_the_project_is_closed(
    page, trained_session, tmp_path, monkeypatch, qtbot
):
    files = seen.exported(page, tmp_path, monkeypatch, qtbot)
    with Image.open(files["nobody.png"]) as image:
        np.testing.assert_array_equal(np.asarray(image), grey_levels(page.face.pixels))
    trained_session.close_project()
    seen.settle(qtbot, trained_session)
    page.export()
    assert "nothing to export" in trained_session.message.text


# The slider around zero


@pytest.fixture
def slider(qapp, qtbot) -> BipolarSlider:
    theme.apply(qapp, "light")
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


def test_a_drag_stops_at_the_ends(qtbot, slider):
    def send(kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        at = QPointF(x, slider.height() / 2)  # QTest adds buttons that another test still holds
        keys = Qt.KeyboardModifier(0)
        event = QMouseEvent(kind, at, slider.mapToGlobal(at), button, LEFT, keys)
        QApplication.sendEvent(slider, event)

    send(QEvent.Type.MouseButtonPress, slider.place(0.4), LEFT)
    with qtbot.waitSignal(slider.moved) as signal:
        send(QEvent.Type.MouseMove, slider.width() + 40, Qt.MouseButton.NoButton)
    assert signal.args == [2.5]


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
