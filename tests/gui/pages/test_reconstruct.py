"""The Reconstruct page: the numbers under the slider, its keys, and where its face comes from."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from gui.pages.reconstruct import ReconstructPage
from gui.plots.marks import Line, Rule
from gui.state.session import Session
from gui.style import theme
from gui.style.images import rgb_array
from tests.gui import seen


def shown(session: Session, qtbot) -> ReconstructPage:
    return seen.show(qtbot, ReconstructPage(session), (1200, 800))


@pytest.fixture
def page(trained_session: Session, qtbot, qapp) -> ReconstructPage:
    theme.apply(qapp, "light")
    return shown(trained_session, qtbot)


def figures(page: ReconstructPage) -> list[str]:
    return [figure.text() for figure in page.figures.values()]


def go_to(page: ReconstructPage, k: int, qtbot) -> None:
    page.slider.setValue(k)
    qtbot.waitUntil(lambda: page.chart.of(Rule)[0].at == k)


def test_a_training_face_is_rebuilt_without_error_at_the_largest_k(page, qtbot):
    go_to(page, 23, qtbot)
    assert page.badge.text() == "In the training set"
    assert list(page.figures) == ["relative error", "RMSE (of 255)", "energy kept"]
    assert figures(page) == ["0.0 %", "0.0", "100.0 %"]
    original, rebuilt, residual = (rgb_array(view.image) for view in page.pictures.views)
    np.testing.assert_array_equal(original, rebuilt)
    assert residual.min() == 255, "nothing is missing: white"


def test_a_stranger_keeps_an_error(page, trained_session, qtbot):
    trained_session.put_probes([seen.stranger()])
    qtbot.waitUntil(lambda: page.badge.text() == "Not in the training set")
    go_to(page, 23, qtbot)
    assert "stranger.png" in seen.words(page)
    assert float(figures(page)[0].split()[0]) > 10
    assert page.chart.of(Line)[0].y[-1] > 0.1


def test_an_excluded_photo_is_not_in_the_training_set_after_training(page, trained_session, qtbot):
    trained_session.select(None)
    first = trained_session.gallery.index.photos[0]
    qtbot.waitUntil(lambda: page.reconstruction.photo == first)
    assert trained_session.photo is None, "the selection is left alone"
    trained_session.apply("excluded", lambda g: g.exclude([first.key]).train())
    qtbot.waitUntil(lambda: page.badge.text() == "Not in the training set")


def test_milestones_end_at_the_largest_k_and_jump(page, trained_session, qtbot):
    keys = [face.key for face in page.milestones.faces.faces()]
    assert keys == ["0", "1", "2", "5", "10", "23"]
    row = page.milestones
    place = row.visualRect(row.faces.index_of("5")).center()
    qtbot.mouseClick(row.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.slider.value() == 5
    qtbot.waitUntil(lambda: row.selected_keys() == ["5"])
    go_to(page, 6, qtbot)
    assert row.selected_keys() == [], "between two milestones none is marked"


@pytest.mark.parametrize(
    ("key", "k"), seen.keyed(Right=12, Left=10, PageUp=21, PageDown=1, Home=0, End=23)
)
@pytest.mark.parametrize("focus", ["slider", "page"])
def test_keys(page, qtbot, key, k, focus):
    page.slider.setValue(11)
    qtbot.keyClick(page.slider if focus == "slider" else page.content, key)
    assert page.slider.value() == k


def test_ctrl_c_copies_the_reconstruction(page, qtbot):
    QGuiApplication.clipboard().clear()
    go_to(page, 5, qtbot)
    qtbot.keyClick(page.slider, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = rgb_array(QGuiApplication.clipboard().image())
    np.testing.assert_array_equal(copied, rgb_array(page.pictures.views[1].image))


def test_space_plays_to_the_end_and_stops(page, qtbot):
    page.slider.setValue(20)
    qtbot.keyClick(page.slider, Qt.Key.Key_Space)
    assert page.play.playing
    assert page.play.text() == "Pause"
    qtbot.waitUntil(lambda: not page.play.playing)
    assert page.slider.value() == 23
    assert page.play.text() == "Play"


def test_a_gallery_of_three_photos(session, qtbot, tmp_path):
    images = np.random.default_rng(0).random((3, 24, 20))
    faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace"])
    gallery = Gallery(faces, Preparation(24, 20, already_cropped=True), Recipe()).train()
    session.open(Project.create(tmp_path / "tiny.eigenfaces", gallery))
    page = shown(session, qtbot)
    assert [face.key for face in page.milestones.faces.faces()] == ["0", "1", "2"]
    assert page.slider.value() == 2


def test_the_residual_is_the_original_minus_the_reconstruction(page, qtbot):
    go_to(page, 0, qtbot)
    ours = page.reconstruction
    residual = ours.original - ours.space.mean.reshape(ours.original.shape)
    colours = rgb_array(page.pictures.views[2].image).astype(int)
    red, blue = colours[..., 0], colours[..., 2]
    assert (red > blue)[residual > 0.1].all(), "red: the original is brighter"
    assert (blue > red)[residual < -0.1].all()


def test_the_picture_is_written_until_the_project_is_closed(
    page, trained_session, tmp_path, qtbot, monkeypatch
):
    page.chart.moved.emit(9)
    assert page.slider.value() == 9
    QApplication.processEvents()
    assert figures(page)[0] != "0.0 %", "it is drawn as soon as the events have been handled"
    files = seen.exported(page, tmp_path, monkeypatch, qtbot)
    assert list(files) == ["Ada 1 k = 9.png"]
    with Image.open(files["Ada 1 k = 9.png"]) as picture:
        drawn = rgb_array(page.pictures.views[1].image)[..., 0]
        np.testing.assert_array_equal(np.asarray(picture), drawn)
    trained_session.close_project()
    seen.settle(qtbot, trained_session)
    page.export()
    assert "nothing to export" in trained_session.message.text
