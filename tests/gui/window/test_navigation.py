"""The navigation at the left of the window."""

import pytest
from PySide6.QtCore import QSize, Qt

from gui.style import icons, theme
from gui.window.navigation import NARROW, NAVIGATION_ITEMS, Navigation
from tests.gui.seen import button, show


@pytest.fixture
def navigation(qtbot, session):
    return show(qtbot, Navigation(session))


def test_the_page_that_is_pressed_is_open_and_its_icon_has_the_accent(qtbot, session, navigation):
    def in_accent() -> set[str]:
        found, size = set(), QSize(24, 18)
        for place in NAVIGATION_ITEMS:
            drawn = button(navigation, place.title).icon().pixmap(size).toImage()
            assert not drawn.isNull(), place.key
            wanted = icons.icon(place.key, theme.tokens().accent, 6).pixmap(size).toImage()
            found |= {place.key} if drawn == wanted else set()
        return found

    assert in_accent() == set()
    navigation.set_current("map", faces=True)
    assert in_accent() == {"map"}
    qtbot.mouseClick(button(navigation, "Reconstruct"), Qt.MouseButton.LeftButton)
    assert session.page == "reconstruct"
    assert in_accent() == {"reconstruct"}


def test_narrow_navigation_keeps_its_names_for_those_who_hover_or_listen(navigation):
    navigation.set_narrow(True)
    assert navigation.width() == NARROW
    people = button(navigation, "People")
    assert (people.text(), people.toolTip()) == ("", "People")
