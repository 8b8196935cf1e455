"""Tab visits everything that takes the focus, once, in reading order, on every page."""

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.widgets.controls import Button
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests.gui import seen

EVERY_PAGE = pytest.mark.parametrize("page", [item.key for item in NAVIGATION_ITEMS])


@pytest.fixture
def window(qtbot, trained_session):
    """The window of a small gallery, with two photos to recognise."""
    trained_session.put_probes([seen.probe_of(trained_session.gallery, row) for row in (0, 9)])
    window = seen.show(qtbot, MainWindow(trained_session), (1467, 943))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def takes_focus(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isEnabled() and widget.isVisible() and widget.focusProxy() is None


def stops(window: MainWindow, key: Qt.Key) -> list[QWidget]:
    """Return where a key leads, from the navigation to where it comes round again."""
    (current,) = (part for part in window.navigation.findChildren(Button) if part.isChecked())
    current.setFocus()
    found = [current]
    while True:
        QTest.keyClick(QApplication.focusWidget(), key)
        stop = QApplication.focusWidget()
        if stop in found[:-1]:
            return found
        if stop is not found[-1]:  # else it is a text, in which Tab goes from link to link
            found.append(stop)


def groups(window: QWidget, one: QWidget, other: QWidget) -> tuple[QRect, QRect]:
    """Return the places of the two groups that part two widgets: below their nearest ancestor."""
    ways = []
    for widget in (one, other):
        way = [widget]
        while way[0] is not window:
            way.insert(0, way[0].parentWidget())
        ways.append(way)
    together = sum(a is b for a, b in zip(*ways, strict=False))
    parts = (way[min(together, len(way) - 1)] for way in ways)
    first, second = (QRect(part.mapTo(window, QPoint(0, 0)), part.size()) for part in parts)
    return first, second


def comes_before(first: QRect, second: QRect) -> bool:
    """Whether the first of two parts is read first, as far as their places can say."""
    beside = first.top() <= second.bottom() and second.top() <= first.bottom()
    above = first.left() <= second.right() and second.left() <= first.right()
    if beside and not above:
        return first.left() < second.left()
    if above and not beside:
        return first.top() < second.top()
    return True


@EVERY_PAGE
def test_tab_goes_everywhere_once_as_one_reads(window, qtbot, page):
    window.session.show_page(page)
    seen.settle(qtbot, window.session)
    window.session.show_message("Something happened.", "error")
    seen.settle(qtbot, window.session)
    order = stops(window, Qt.Key.Key_Tab)
    everything = {part for part in window.findChildren(QWidget) if takes_focus(part)}
    here = {part for part in everything if part.window() is window}
    missed = [(type(part).__name__, part.accessibleName()) for part in here - {*order}]
    assert not missed
    assert {*order} == here
    for one, other in combinations(order, 2):
        first, second = groups(window, one, other)
        assert comes_before(first, second), f"{other} {other.accessibleName()} after {one}"
    assert stops(window, Qt.Key.Key_Backtab) == [order[0], *order[:0:-1]]


def test_what_tab_leads_to_is_scrolled_into_view(window, qtbot):
    window.session.show_page("settings")
    scroll = window.page.scrolled
    scroll.setFixedHeight(160)
    seen.settle(qtbot, window.session)
    order, bar = stops(window, Qt.Key.Key_Tab), scroll.verticalScrollBar()
    inside = [part for part in order if scroll.widget().isAncestorOf(part)]
    before, after = order.index(inside[0]) - 1, (order.index(inside[-1]) + 1) % len(order)
    assert bar.maximum() > 0
    for key, outside, far in (
        (Qt.Key.Key_Backtab, order[after], 0),
        (Qt.Key.Key_Tab, order[before], bar.maximum()),
    ):
        outside.setFocus()
        bar.setValue(far)
        QTest.keyClick(outside, key)
        assert QApplication.focusWidget() in inside
        while (stop := QApplication.focusWidget()) in inside:
            top = stop.mapTo(scroll.viewport(), QPoint(0, 0)).y()
            assert 0 <= top < scroll.viewport().height()
            QTest.keyClick(stop, key)


def test_the_focus_of_a_part_that_goes_stays_near_it(window, qtbot):
    """Else it went to the navigation, where Enter leaves the page."""
    window.session.show_page("recognise")
    seen.settle(qtbot, window.session)
    card = window.page.face
    card.it_is.setFocus()
    card.it_is.click()
    card.close_name()
    for button in (*card.buttons, card.it_is, card.more):
        button.setFocus()
        button.hide()
        assert card.isAncestorOf(QApplication.focusWidget())
