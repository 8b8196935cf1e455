"""The Reconstruct page: the numbers under the slider, its keys, and where its face comes from."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gui.pages.reconstruct import ReconstructPage
from gui.plots.marks import Line
from gui.style.images import rgb_array
from tests.gui import seen


@pytest.fixture
def page(trained_session, open_page) -> ReconstructPage:
    return open_page(ReconstructPage)


def figures(page: ReconstructPage) -> list[str]:
    return [figure.text() for figure in page.figures.values()]


def test_a_training_face_is_rebuilt_without_error_at_the_largest_k(page, do):
    do(page.slider.setValue, 23)
    assert page.badge.text() == "In the training set"
    assert list(page.figures) == ["relative error", "RMSE (of 255)", "energy kept"]
    assert figures(page) == ["0.0 %", "0.0", "100.0 %"]
    original, rebuilt, residual = (rgb_array(view.image) for view in page.pictures.views)
    np.testing.assert_array_equal(original, rebuilt)
    assert residual.min() == 255, "nothing is missing: white"


def test_the_residual_is_the_original_minus_the_reconstruction(page, do):
    do(page.slider.setValue, 0)
    ours = page.reconstruction
    residual = ours.original - ours.training.space.mean.reshape(ours.original.shape)
    colours = rgb_array(page.pictures.views[2].image).astype(int)
    red, blue = colours[..., 0], colours[..., 2]
    assert (red > blue)[residual > 0.1].all(), "red: the original is brighter"
    assert (blue > red)[residual < -0.1].all()


def test_a_stranger_keeps_an_error(page, trained_session, do):
    do(trained_session.put_probes, [seen.stranger()])
    do(page.slider.setValue, 23)
    assert page.badge.text() == "Not in the training set"
    assert "stranger.png" in seen.words(page)
    assert float(figures(page)[0].split()[0]) > 10
    assert page.chart.marks_of(Line)[0].y[-1] > 0.1


def test_an_excluded_photo_is_not_in_the_training_set_after_training(page, trained_session, do):
    do(trained_session.select, None)
    first = trained_session.gallery.index.photos[0]
    assert page.reconstruction.photo == first
    assert trained_session.photo is None, "the selection is left alone"
    do(trained_session.apply, "excluded", lambda g: g.exclude([first.id]).train())
    assert page.badge.text() == "Not in the training set"


def test_milestones_end_at_the_largest_k_and_jump(page, trained_session, qtbot, do):
    row = page.milestones
    assert row.faces.keys == ["0", "1", "2", "5", "10", "23"]
    seen.click(qtbot, row, "5")
    assert page.slider.value() == 5
    qtbot.waitUntil(lambda: row.selected_keys() == ["5"])
    do(page.slider.setValue, 6)
    assert row.selected_keys() == [], "between two milestones none is marked"
    do(seen.keep_photos, trained_session, 3)
    assert (row.faces.keys, page.slider.value()) == (["0", "1", "2"], 2)


@pytest.mark.parametrize(
    ("key", "k"), seen.keyed(Right=12, Left=10, PageUp=21, PageDown=1, Home=0, End=23)
)
@pytest.mark.parametrize("beside", [False, True])
def test_keys_move_k_also_after_a_click_beside_everything(page, qtbot, key, k, beside):
    page.slider.setValue(11)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.play.setFocus()
    if beside:
        qtbot.mouseClick(page.content, seen.LEFT, pos=QPoint(1, page.content.height() - 1))
    else:
        page.slider.setFocus()
    qtbot.keyClick(QApplication.focusWidget(), key)
    assert page.slider.value() == k


def test_ctrl_c_copies_the_reconstruction(page, qtbot, do):
    QGuiApplication.clipboard().clear()
    do(page.slider.setValue, 5)
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


def test_the_picture_is_written(page, exported):
    page.chart.line_moved.emit(9)
    assert page.slider.value() == 9
    QApplication.processEvents()
    assert figures(page)[0] != "0.0 %", "it is drawn as soon as the events have been handled"
    ((name, file),) = exported(page).items()
    assert name == "Ada 1 k = 9.png"
    with Image.open(file) as picture:
        drawn = rgb_array(page.pictures.views[1].image)[..., 0]
        np.testing.assert_array_equal(np.asarray(picture), drawn)
