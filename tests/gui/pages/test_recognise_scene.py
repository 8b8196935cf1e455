"""The face map of a photograph: opened from a verdict, pointed at, changed, written, left."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from skimage import data

from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.laboratory.scene.scene import summary, why
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.probes import Probe
from gui.pages.recognise.page import RecognisePage
from gui.pages.recognise.scene.photo import nearness, over_photo
from gui.pages.recognise.scene.view import SceneView
from gui.state.jobs import MAP_SCENE
from gui.style.images import colour_table, rgb_array
from tests.gui import seen

KEY = "ca7"


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    path = tmp_path / "astronaut.png"
    Image.fromarray(data.astronaut()).convert("L").resize((160, 160)).save(path)
    return path


@pytest.fixture
def page(qtbot, trained_session, photograph):
    made = seen.show(qtbot, RecognisePage(trained_session), (1250, 860))
    placement = Placement(Eyes.at(70 + 32j, 13 + 0j))
    photo = FacePhoto(photograph, None, KEY, (160, 160), placement=placement)
    trained_session.put_probes([Probe(photo, trained_session.gallery.faces.image(0))])
    seen.settle(qtbot, trained_session)
    return made


@pytest.fixture
def view(qtbot, page) -> SceneView:
    """The map, opened by its link."""
    seen.button(page, "Face map").click()
    seen.settle(qtbot, page.session)
    assert page.side.scene is not None
    assert page.side.scene.scene is not None
    return page.side.scene


def test_nothing_of_the_map_is_there_before_it_is_opened(page: RecognisePage) -> None:
    assert page.side.scene is None


def test_it_is_shown_in_place_of_the_verdict(page, view) -> None:
    assert view.isVisible()
    assert not page.verdict.isVisible()
    assert seen.says(view, "Face map of astronaut.png")
    assert seen.says(view, summary(view.scene))
    assert view.photo.image is not None
    assert view.window_card.table.rows.rowCount() == len(view.scene.marked)


def test_pointing_at_a_place_shows_its_window_and_the_reason(qtbot, view) -> None:
    place = view.photo.seen(80 + 80j).toPoint()
    qtbot.mouseMove(view.photo, place - QPoint(3, 3))
    qtbot.mouseMove(view.photo, place)
    window = view.scene.map.at(view.photo.meant(place.toPointF()))
    assert window is not None
    assert view.window_card.words.text() == why(view.scene, window)
    assert all(each.image is not None for each in view.window_card.views)
    assert view.photo._window == window
    corner = view.photo.seen(1 + 1j).toPoint()
    qtbot.mouseMove(view.photo, corner)
    assert view.window_card.words.text() == why(view.scene, None)
    assert view.window_card.views[0].image is None


def test_a_row_of_the_table_shows_that_place(view) -> None:
    last = len(view.scene.marked) - 1
    view.window_card.table.select_row(last)
    assert view.photo._window == view.scene.marked[last]


def test_one_size_alone_and_all_of_them(view) -> None:
    assert view.sizes.count() == 1 + len(view.scene.map.sizes)
    whole = rgb_array(view.photo.image)
    view.sizes.setCurrentIndex(2)
    view.sizes.activated.emit(2)
    assert (rgb_array(view.photo.image) != whole).any()
    view._point(80 + 80j)
    assert view.photo._window.size == 1


def test_without_opacity_the_photograph_is_left(view) -> None:
    view.opacity.setValue(0)
    grey = np.rint(255 * np.clip(view.scene.map.sizes[0].grey, 0, 1))
    assert (rgb_array(view.photo.image) == grey[..., None]).all()


def test_the_faces_of_the_detector_can_be_hidden(view) -> None:
    shown = rgb_array(view.photo.grab().toImage())
    view.boxes.setChecked(False)
    hidden = rgb_array(view.photo.grab().toImage())
    assert bool(view.scene.faces) == bool((shown != hidden).any())


def test_the_light_of_1991_makes_another_map_and_the_first_is_kept(qtbot, page, view) -> None:
    first = view.scene
    view.lights.set_current(1)
    seen.settle(qtbot, page.session)
    assert view.scene is not first
    assert view.scene.map.space.light == "grey"
    view.lights.set_current(0)
    assert view.scene is first


def test_back_and_escape_lead_to_the_verdict(qtbot, page, view) -> None:
    view.back.click()
    assert page.verdict.isVisible()
    assert not view.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_M)
    seen.settle(qtbot, page.session)
    assert view.isVisible()
    qtbot.keyClick(view.back, Qt.Key.Key_Escape)
    assert page.verdict.isVisible()


def test_minima_and_picture_are_written(view, tmp_path, monkeypatch) -> None:
    actions = {action.text(): action for action in view.export_menu().actions()}
    for words, name in (("This map as a picture…", "m.png"), ("The nearest places", "m.csv")):
        path = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, to=path: (str(to), ""))
        next(action for text, action in actions.items() if text.startswith(words)).trigger()
        assert path.stat().st_size > 0
    assert (tmp_path / "m.csv").read_text("utf-8").startswith("rank,distance,x,y,width")
    with Image.open(tmp_path / "m.png") as picture:
        assert picture.size == (view.photo.width(), view.photo.height())


def test_a_file_that_is_gone_is_said(qtbot, page, photograph) -> None:
    photograph.unlink()
    seen.button(page, "Face map").click()
    seen.settle(qtbot, page.session)
    view = page.side.scene
    assert view.scene is None
    assert "not" in view.words.text()
    assert not view.export.isEnabled()
    assert seen.button(view, "Back to the verdict").isEnabled()


def test_nothing_of_another_photograph_stays_while_one_is_mapped(page, view, photograph) -> None:
    first, other = view.scene, photograph.with_name("other.png")
    Image.fromarray(data.camera()).resize((160, 160)).save(other)
    view.show_photo(other, 0)
    for path in (photograph, other):  # back to what is kept, and again to what is under way
        view.show_photo(path, 0)
    assert seen.says(view, "Face map of other.png")
    assert seen.says(view, "The photograph is being searched, place by place…")
    assert view.scene is None
    assert view.window_card.table.rows.rowCount() == 0
    assert view.window_card.facts.isHidden()
    view.show_photo(photograph, 0)
    page.session.jobs.cancel(MAP_SCENE)
    assert view.scene is first
    assert view.words.text() == summary(first)


def test_why_there_is_no_map_is_said_of_that_photograph_alone(
    qtbot, page, view, photograph
) -> None:
    gone = photograph.with_name("gone.png")
    view.show_photo(gone, 0)
    view.show_photo(photograph, 0)  # before the file is missed
    seen.settle(qtbot, page.session)
    assert view.words.text() == summary(view.scene)
    view.show_photo(gone, 0)
    assert view.scene is None
    assert "not there" in view.words.text()


def test_a_photograph_without_a_face_has_a_map_too(qtbot, page, photograph) -> None:
    page.session.put_probes((), [photograph])
    seen.settle(qtbot, page.session)
    page._choose_probe(f"\0{photograph}")
    seen.settle(qtbot, page.session)
    seen.button(page, "Face map").click()
    seen.settle(qtbot, page.session)
    assert page.side.scene.scene is not None
    page.side.scene.back.click()
    assert seen.says(page, "No face was found in this photograph.")


def test_everything_that_takes_the_focus_has_a_name(view, nameless) -> None:
    assert not nameless(view)


def test_what_is_near_glows_and_what_has_no_window_is_bare() -> None:
    near = nearness(np.array([[0.4, 1.0, np.nan]]), 0.8)
    np.testing.assert_allclose(near, [[1, 0, np.nan]])
    painted = over_photo(np.full((1, 3), 0.5, np.float32), near, 1.0)
    table = colour_table("magma")
    assert painted[0].tolist() == [table[-1].tolist(), table[0].tolist(), [128, 128, 128]]
