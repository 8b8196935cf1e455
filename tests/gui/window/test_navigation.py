"""The navigation at the left of the window."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton

from gui.style import icons, theme
from gui.window.navigation import NARROW, PLACES, Navigation


def button(widget, name: str) -> QPushButton:
    return next(b for b in widget.findChildren(QPushButton) if b.accessibleName() == name)


def test_navigation_goes_where_it_is_pressed(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)
    with qtbot.waitSignal(navigation.changed):
        qtbot.mouseClick(button(navigation, "Reconstruct"), Qt.MouseButton.LeftButton)
    assert navigation.current == "reconstruct"
    assert button(navigation, "Reconstruct").isChecked()


def test_pages_that_need_faces_are_closed_without_them(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)
    navigation.set_faces(False)
    closed = {p.title for p in PLACES if not button(navigation, p.title).isEnabled()}
    assert closed == {"Eigenfaces", "Reconstruct", "Synthesise", "Map", "Recognise", "Evaluate"}


def test_narrow_navigation_keeps_its_names_for_those_who_hover_or_listen(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)
    navigation.set_narrow(True)
    assert navigation.width() == NARROW
    people = button(navigation, "People")
    assert people.text() == ""
    assert people.toolTip() == "People"


def test_the_icon_of_the_page_that_is_open_has_the_accent(qtbot):
    navigation = Navigation()
    qtbot.addWidget(navigation)

    def in_accent() -> set[str]:
        found, size = set(), QSize(24, 18)
        for place in PLACES:
            drawn = button(navigation, place.title).icon().pixmap(size).toImage()
            assert not drawn.isNull(), place.key
            wanted = icons.icon(place.icon, theme.tokens().accent, 6).pixmap(size).toImage()
            found |= {place.key} if drawn == wanted else set()
        return found

    assert in_accent() == set()
    navigation.go("map")
    assert in_accent() == {"map"}
    qtbot.mouseClick(button(navigation, "Reconstruct"), Qt.MouseButton.LeftButton)
    assert in_accent() == {"reconstruct"}
