"""The slider around zero: pointer, keys, what is shown without being moved, and its pictures."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from gui.pages.synthesise import BipolarSlider
from gui.style import theme
from tests.gui import seen

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def slider(qapp, qtbot) -> BipolarSlider:
    theme.apply(qapp, "light")
    return seen.show(qtbot, BipolarSlider(2.5), (520, 48))


def at(slider: BipolarSlider, value: float) -> QPoint:
    return QPoint(round(slider.place(value)), slider.height() // 2)


@pytest.mark.parametrize("value", [-2.5, -1.0, 0.5, 2.5])
def test_a_press_moves_to_its_place(qtbot, slider, value):
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.mouseClick(slider, LEFT, pos=at(slider, value))
    assert told.args[0] == slider.score == pytest.approx(value, abs=0.02)


def test_a_drag_stops_at_the_ends(qtbot, slider):
    qtbot.mousePress(slider, LEFT, pos=at(slider, 0.4))
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.mouseMove(slider, QPoint(slider.width() + 40, 5))
    assert told.args == [2.5]
    qtbot.mouseRelease(slider, LEFT)


def test_a_double_click_is_zero(qtbot, slider):
    slider.show_value(1.7)
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.mouseDClick(slider, LEFT, pos=at(slider, 1.7))
    assert told.args == [0.0]


@pytest.mark.parametrize(
    ("key", "value"),
    seen.keyed(Right=1.1, Left=0.9, Up=1.1, Down=0.9, PageUp=1.5, PageDown=0.5)
    + seen.keyed(Home=-2.5, End=2.5, Delete=0.0),
)
def test_keys(qtbot, slider, key, value):
    slider.show_value(1.0)
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.keyClick(slider, key)
    assert told.args == [value]


def test_a_value_that_is_shown_is_not_moved(qtbot, slider):
    with qtbot.assertNotEmitted(slider.moved), qtbot.assertNotEmitted(slider.valueChanged):
        slider.show_value(3.4)
    assert slider.score == 3.4, "a real face may lie beyond the ends"
    assert slider.accessibleDescription() == "+3.4 σ"
    assert slider.place(3.4) == slider.place(2.5)


def test_it_is_read_aloud_with_its_value(slider):
    slider.show_value(-0.75)
    assert slider.accessibleDescription() == "−0.8 σ"
    assert slider.value() == -75


def test_the_bar_begins_at_zero(qtbot, slider):
    slider.show_value(1.5)
    shown = slider.grab().toImage()
    middle = shown.height() // 2
    colours = {
        value: shown.pixelColor(round(slider.place(value)), middle) for value in (-1, 0.5, 2.2)
    }
    assert colours[0.5] == QColor(theme.LIGHT.accent)
    assert colours[-1] == colours[2.2] == QColor(theme.LIGHT.track)
