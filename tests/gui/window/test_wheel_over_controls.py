"""The wheel over a list, a number box or a slider scrolls the page, and changes nothing."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QDialog, QScrollArea, QSlider, QWidget

from gui.widgets.box_layouts import in_column
from gui.widgets.cards import PageScroll
from gui.widgets.fields import DropDown
from gui.window.main_window import MainWindow
from tests.gui import seen

CONTROLS = (QComboBox, QAbstractSpinBox, QSlider)
DOWN = QPoint(0, -120)  # a notch of the wheel


@pytest.fixture
def window(qtbot, trained_session) -> MainWindow:
    shown = seen.show(qtbot, MainWindow(trained_session), (1100, 700))
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    seen.settle(qtbot, trained_session)
    return shown


def turn(control: QWidget) -> None:
    """Turn the wheel over a control, as the system tells a window of it."""
    top = control.window()
    place = control.mapTo(top, control.rect().center())
    QTest.wheelEvent(top.windowHandle(), QPointF(place), DOWN)


def controls_of(page: QWidget) -> Iterator[QWidget]:
    """Yield the controls of a page, each scrolled to, without the focus."""
    for part in page.findChildren(QWidget):
        if isinstance(part, CONTROLS) and part.isVisible() and part.isEnabled():
            part.clearFocus()
            yield part


def value(control: QWidget) -> object:
    return control.currentIndex() if isinstance(control, QComboBox) else control.value()


@pytest.mark.parametrize("key", ["settings", "reconstruct", "synthesise", "map", "evaluate"])
def test_over_each_control_of_a_page_it_scrolls_the_page(qtbot, window, key):
    session = window.session
    session.show_page(key)
    if key == "settings":
        window.page.more.click()
    seen.settle(qtbot, session)
    recipe, found = session.gallery.recipe, 0
    for control in controls_of(window.page):
        area = control
        while not isinstance(area, QScrollArea):
            area = area.parentWidget()
        area.ensureWidgetVisible(control)
        bar, before = area.verticalScrollBar(), value(control)
        bar.setValue(min(bar.value(), bar.maximum() - 1))
        scrolled = bar.value()
        if not control.visibleRegion().contains(control.rect().center()):
            continue
        found += 1
        turn(control)
        assert value(control) == before, control.accessibleName()
        assert bar.value() > scrolled or not bar.maximum(), control.accessibleName()
        assert not control.hasFocus()
    assert found
    seen.settle(qtbot, session)
    assert session.gallery.recipe == recipe


def test_over_the_recipe_of_why_it_starts_no_training(qtbot, window):
    session = window.session
    session.show_page("recognise")
    session.put_probes([seen.probe_of(session.gallery, 0)])
    seen.settle(qtbot, session)
    seen.button(window.page, "Why?").click()
    seen.settle(qtbot, session)
    chosen = window.page.why.recipe.currentIndex()
    jobs = seen.told(session.jobs.changed)
    turn(window.page.why.recipe)
    assert jobs == []
    assert window.page.why.recipe.currentIndex() == chosen


def test_over_an_open_list_it_scrolls_the_list(qtbot, window):
    box = DropDown("Number", [f"Choice {number}" for number in range(60)])
    page = QWidget()
    in_column(box, inside=page)
    seen.show(qtbot, page, (300, 200))
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    box.showPopup()
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    turn(view.viewport())
    assert view.verticalScrollBar().value() > 0
    box.hidePopup()


def test_with_the_focus_it_changes_the_value_in_a_dialog_as_well(qtbot, window):
    dialog, content = QDialog(window), QWidget()
    box = DropDown("Number", ["one", "two", "three"])
    inside = QWidget()
    inside.setFixedSize(200, 2000)
    in_column(box, inside, inside=content)
    area = PageScroll(content)
    in_column(area, inside=dialog)
    seen.show(qtbot, dialog, (300, 300))
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    area.setFocus()
    turn(box)
    assert box.currentIndex() == 0
    assert area.verticalScrollBar().value() > 0
    box.setFocus(Qt.FocusReason.TabFocusReason)

    bar, looks = area.verticalScrollBar(), list[bool]()

    def stays_at_the_top() -> bool:
        """Return whether it was there three times in a row: a late layout scrolls again."""
        looks.append(box.hasFocus() and bar.value() == 0)
        bar.setValue(0)
        return looks[-3:] == [True] * 3

    qtbot.waitUntil(stays_at_the_top)
    turn(box)
    assert box.currentText() == "two"
    assert area.verticalScrollBar().value() == 0
