"""What Eigenfaces, Reconstruct, Map and Evaluate show a whole room (F11)."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.pages.eigenfaces import EigenfacesPage, component_image
from gui.pages.evaluate.page import EvaluatePage
from gui.pages.map.page import MapPage
from gui.pages.reconstruct import ReconstructPage
from gui.style.images import grey_image
from tests.gui import layout, seen


@pytest.fixture
def alone(trained_session, open_page, qtbot, do):
    """Open a page, and its figure alone; return both."""

    def open_alone(kind, prepare=lambda page: None):
        page = open_page(kind)
        do(prepare, page)
        hall = seen.show(qtbot, page.open_hall(), (1366, 768))
        hall.activateWindow()
        hall.setFocus()
        return page, hall

    return open_alone


def press(qtbot, *keys: str) -> None:
    for key in keys:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key[f"Key_{key}"])


def test_components_are_gone_through_by_the_slider(alone, trained_session, qtbot, do):
    page, hall = alone(EigenfacesPage)
    space = trained_session.gallery.trained.space
    assert seen.says(hall, "Eigenfaces")
    press(qtbot, "Right", "Right")
    assert hall.slider.value.text() == "3"
    assert hall.faces.views[1].image == component_image(space, 2, signed=True)
    assert f"{100 * space.variance_ratio[2]:.1f} %" in hall.words.text()
    hall.left.emit()
    page.close_hall()
    assert page.components.grid.selected_keys() == ["2"]


def test_a_face_is_rebuilt_from_k_components(alone, trained_session, qtbot, do):
    page, hall = alone(ReconstructPage)
    press(qtbot, "Home")
    do(press, qtbot, "PageUp")
    face = page.reconstruction
    assert (hall.slider.value.text(), page.slider.value()) == ("10", 10)
    assert hall.pictures.views[1].image == grey_image(face.rebuilt(10))
    assert f"{100 * face.errors[10]:.1f} %" in hall.words.text()
    assert seen.says(hall, face.name)


@pytest.mark.parametrize("at", [0, 1])
def test_the_map_is_the_one_of_the_page(alone, at):
    page, hall = alone(MapPage, lambda page: page.kinds.set_current(at))
    assert hall.figure.widget.view is page.chart.view is not None
    assert seen.says(hall, ("Component map", "t-SNE map")[at])
    assert hall.slider is None


def test_charts_are_shown_one_after_the_other(alone, qtbot, do):
    page, hall = alone(EvaluatePage, lambda page: page.run())
    titles = [title for title, _ in page.results.drawings()]
    assert titles[:3] == ["Against k", "Cumulative match (CMC)", "Errors · ROC"]
    for number, title in enumerate(titles):
        assert seen.says(hall, title)
        assert hall.dots.current == number
        assert [type(mark) for mark in hall.chart.marks] == [
            type(mark) for mark in page.results.drawings()[number][1].marks
        ]
        press(qtbot, "PageDown")
    assert not hall.next.isEnabled()
    press(qtbot, "PageUp")
    assert seen.says(hall, titles[-2])


@pytest.mark.parametrize("kind", [EigenfacesPage, ReconstructPage, MapPage])
@pytest.mark.parametrize("size", [(1366, 768), (910, 512)])
def test_each_figure_has_three_quarters_of_the_height_and_nothing_is_cut(alone, kind, size):
    _page, hall = alone(kind)
    hall.resize(*size)
    assert layout.wrong(hall) == []
    assert hall.figure.height() >= 0.74 * hall.height()


def test_what_has_no_figure_yet_shows_none(open_page):
    assert open_page(EvaluatePage).open_hall() is None
