"""The slider around zero: pointer, keys, what is shown without being moved, and its pictures."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor

from gui.pages.synthesise.cards import BipolarSlider
from gui.style import theme
from gui.style.images import grey_image
from tests.gui import seen

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def slider(qapp, qtbot) -> BipolarSlider:
    theme.apply(qapp, "light")
    made = BipolarSlider("Component 1", 2.5)
    made.set_words("1", "18.1 %", "Component 1")
    made.set_ends(*(grey_image(np.full((112, 92), grey)) for grey in (0.2, 0.8)))
    made.resize(520, 48)
    return seen.show(qtbot, made)


def at(slider: BipolarSlider, value: float) -> QPoint:
    return QPoint(round(slider.place(value)), slider.height() // 2)


@pytest.mark.parametrize("value", [-2.5, -1.0, 0.5, 2.5])
def test_a_press_moves_to_its_place(qtbot, slider, value):
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.mouseClick(slider, LEFT, pos=at(slider, value))
    assert told.args[0] == slider.score == pytest.approx(value, abs=0.02)
    assert slider.strong


def test_a_drag_stops_at_the_ends(qtbot, slider):
    qtbot.mousePress(slider, LEFT, pos=at(slider, 0.4))
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.mouseMove(slider, QPoint(slider.width() + 40, 5))
    assert told.args == [2.5]
    qtbot.mouseRelease(slider, LEFT)


def test_a_press_on_words_or_pictures_moves_nothing(qtbot, slider):
    for x in (5, slider.width() - 5):
        with qtbot.assertNotEmitted(slider.moved):
            qtbot.mouseClick(slider, LEFT, pos=QPoint(x, 24))
    assert slider.score == 0


def test_a_double_click_is_zero(qtbot, slider):
    slider.show_value(1.7, strong=True)
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.mouseDClick(slider, LEFT, pos=at(slider, 1.7))
    assert told.args == [0.0]


@pytest.mark.parametrize(
    ("key", "value"),
    seen.keyed(Right=1.1, Left=0.9, Up=1.1, Down=0.9, PageUp=1.5, PageDown=0.5)
    + seen.keyed(Home=-2.5, End=2.5, Delete=0.0),
)
def test_keys(qtbot, slider, key, value):
    slider.show_value(1.0, strong=False)
    with qtbot.waitSignal(slider.moved) as told:
        qtbot.keyClick(slider, key)
    assert told.args == [value]


def test_a_value_that_is_shown_is_not_moved(qtbot, slider):
    with qtbot.assertNotEmitted(slider.moved), qtbot.assertNotEmitted(slider.valueChanged):
        slider.show_value(3.4, strong=False)
    assert slider.score == 3.4, "a real face may lie beyond the ends"
    assert slider.read_out == slider.accessibleDescription() == "+3.4 σ"
    assert slider.place(3.4) == slider.place(2.5)
    assert not slider.strong


def test_it_is_read_aloud_with_its_value(slider):
    slider.show_value(-0.75, strong=True)
    assert slider.accessibleName() == "Component 1"
    assert slider.accessibleDescription() == "−0.8 σ"
    assert slider.value() == -75


def test_the_bar_begins_at_zero(qtbot, slider):
    slider.show_value(1.5, strong=True)
    shown = slider.grab().toImage()
    middle = shown.height() // 2
    colours = {
        value: shown.pixelColor(round(slider.place(value)), middle) for value in (-1, 0.5, 2.2)
    }
    assert colours[0.5] == QColor(theme.LIGHT.accent)
    assert colours[-1] == colours[2.2] == QColor(theme.LIGHT.track)


@pytest.mark.parametrize("height", [30, 48])
def test_both_ends_have_their_pictures(slider, height):
    slider.resize(QSize(520, height))
    shown, groove = slider.grab().toImage(), slider.groove()
    left = shown.pixelColor(round(groove.left()) - 24, height // 2)
    right = shown.pixelColor(round(groove.right()) + 24, height // 2)
    assert (left.red(), right.red()) == (51, 204)
