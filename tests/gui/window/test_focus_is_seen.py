"""Whoever goes from part to part by Tab sees where the focus is, on every page."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.style import theme
from gui.window.main_window import MainWindow
from gui.window.menus import PLACES
from tests.gui import seen


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_every_stop_of_tab_is_seen(qtbot, qapp, trained_session, place):
    theme.apply(qapp, "light")
    window = seen.show(qtbot, MainWindow(trained_session), (1280, 800))
    window.activateWindow()
    trained_session.show_page(place.key)
    seen.settle(qtbot, trained_session)
    seen_at = list[QWidget]()
    while (part := next_stop(window)) not in seen_at:
        seen_at.append(part)
        if window.page.isAncestorOf(part):
            seen.settle(qtbot, trained_session)
            shown = window.grab().toImage()
            part.clearFocus()
            seen.settle(qtbot, trained_session)
            assert window.grab().toImage() != shown, f"{part} {part.accessibleName()}"
            part.setFocus(Qt.FocusReason.TabFocusReason)
    assert any(map(window.page.isAncestorOf, seen_at))


def next_stop(window: MainWindow) -> QWidget:
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
    return QApplication.focusWidget()
