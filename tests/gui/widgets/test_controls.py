"""Controls: by mouse, by keyboard, read aloud, and in both themes."""

from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.bars import ColourBar
from gui.widgets.box_layouts import in_row
from gui.widgets.commands import bind_button
from gui.widgets.controls import (
    PHOTOS_MIME,
    Button,
    DropArea,
    Segmented,
    Slider,
    open_at,
    open_below,
)
from gui.widgets.face_view import FaceView
from tests.gui import seen


def test_an_icon_is_drawn_anew_where_it_changes(qapp, qtbot, light_again):
    button = seen.show(qtbot, Button("Train", "train"))
    drawn = [button.icon().cacheKey()]
    dark = partial(theme.apply, qapp, "dark")
    for change in (partial(button.set_icon, "play"), partial(button.set_primary, True), dark):
        change()
        qapp.processEvents()
        drawn.append(button.icon().cacheKey())
    assert len(set(drawn)) == len(drawn)
    button.set_icon(None)
    assert button.icon().isNull()


def test_a_button_tells_the_key_that_presses_it(qtbot: QtBot) -> None:
    button = Button("Merge…")
    bind_button("merge", button)
    pressed = seen.told(seen.show(qtbot, button).clicked)
    assert button.toolTip().endswith("(Ctrl+M)")
    QTest.keyClick(button, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert len(pressed) == 1


def test_an_ampersand_is_a_letter_and_no_shortcut(qtbot: QtBot) -> None:
    button = seen.show(qtbot, Button("AT&T sample"))
    assert button.shortcut().isEmpty()
    button.setText("R&D")
    assert button.shortcut().isEmpty()
    assert button.text() == button.accessibleName() == "R&D"


def test_a_button_is_read_by_its_name_and_by_what_is_written_on_it(qtbot: QtBot) -> None:
    button = seen.show(qtbot, Button("", name="Project menu"))
    assert seen.spoken(button).startswith("Project menu")
    button.setText("Holiday")
    assert seen.spoken(button).startswith("Project menu: Holiday")
    button.setText("Project")
    assert seen.spoken(button).startswith("Project menu\n")


def test_a_click_leaves_no_focus_ring_and_the_border_shows_that_of_the_keys(qtbot):
    window, buttons = QWidget(), [Button("Mmmm"), Button("Mmmm")]
    in_row(*buttons, inside=window)
    for button in buttons:
        button.setFixedSize(160, 60)
    with qtbot.waitActive(window):
        seen.show(qtbot, window)
    buttons[0].setFocus()
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert not buttons[1].hasFocus()
    qtbot.keyClick(buttons[0], Qt.Key.Key_Tab)  # by keys: Qt marks the focus then
    qtbot.waitUntil(buttons[1].hasFocus)
    first, second = (button.grab(QRect(6, 6, 148, 48)).toImage() for button in buttons)
    assert first == second, "no second frame around the words"


def test_segments_are_exclusive_and_tell_each_change_once(qtbot: QtBot) -> None:
    segments = seen.show(qtbot, Segmented(["Signed", "Grey", "Magma"], name="Colours"))
    told: list[int] = []
    segments.changed.connect(lambda: told.append(segments.current))
    for _ in range(2):
        qtbot.mouseClick(segments.buttons[2], Qt.MouseButton.LeftButton)
    segments.set_current(1)
    assert told == [2, 1]
    stops = [button.focusPolicy() == Qt.FocusPolicy.TabFocus for button in segments.buttons]
    assert stops == [button.isChecked() for button in segments.buttons] == [False, True, False]
    segments.set_current(0)
    segments.buttons[1].setEnabled(False)
    segments.buttons[0].setFocus()
    qtbot.keyClick(segments.buttons[0], Qt.Key.Key_Right)
    assert segments.current == 2, "what is disabled is skipped"


def test_files_and_folders_can_be_dropped_and_nothing_else(qtbot, tmp_path):
    area = seen.show(qtbot, DropArea("Drop photos here"), (300, 120))
    dropped, colours, none = seen.told(area.dropped), list[QColor](), Qt.KeyboardModifier.NoModifier
    files = [tmp_path, tmp_path / "ü 1.png"]
    own = seen.files(*files)
    own.setData(PHOTOS_MIME, b"[]")
    for mime in (seen.files("https://example.org/face.png"), own, seen.files(*files)):
        args = Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none
        enter = QDragEnterEvent(QPoint(5, 5), *args)
        enter.ignore()
        area.dragEnterEvent(enter)
        colours.append(area.grab().toImage().pixelColor(20, 20))
        if enter.isAccepted():
            area.dropEvent(QDropEvent(QPointF(5, 5), *args))
    assert dropped == [files], "photos of this project are no new files"
    dark, lit = QColor(theme.LIGHT.surface), QColor(theme.LIGHT.soft)
    assert colours == [dark, dark, lit], "lit while over it"
    with qtbot.waitSignal(area.clicked):
        qtbot.keyClick(area, Qt.Key.Key_Return)


@pytest.mark.parametrize("size", [(300, 120), (120, 300)])
@pytest.mark.parametrize("shape", [(92, 112), (112, 92)])
def test_faces_keep_their_aspect(qtbot, size, shape):
    view = seen.show(qtbot, FaceView("Original", grows=True), size)
    view.set_image(grey_image(np.full(shape, 0.5)))
    rect = view.picture_rect()
    assert rect.height() / rect.width() == pytest.approx(shape[0] / shape[1], rel=0.05)
    assert view.rect().contains(rect.toAlignedRect())


def test_colour_bar_says_what_its_ends_mean(qtbot: QtBot) -> None:
    bar = seen.show(qtbot, ColourBar("signed", "darker than original", "brighter"), (400, 20))
    assert bar.accessibleName() == "Colour scale from darker than original to brighter"
    image, y = bar.grab().toImage(), bar.height() // 2
    row = [image.pixelColor(x, y) for x in range(bar.width())]
    blue = [x for x, colour in enumerate(row) if colour.blue() > colour.red() + 90]
    red = [x for x, colour in enumerate(row) if colour.red() > colour.blue() + 90]
    assert 0 < max(blue) < min(red)


@pytest.fixture
def slider(qtbot) -> Slider:
    slider = seen.show(qtbot, Slider("Number of components k", 0, 100), (400, 30))
    slider.setValue(40)
    return slider


def test_a_press_on_a_handle_takes_hold_of_it_and_one_beside_it_goes_there(qtbot, slider):
    handle, press = slider.handle(), partial(qtbot.mousePress, slider, seen.LEFT)
    middle, release = handle.center(), partial(qtbot.mouseRelease, slider, seen.LEFT)
    for beside in (-6, 6):
        press(pos=middle + QPoint(beside, 0))
        assert slider.value() == 40
        qtbot.mouseMove(slider, middle + QPoint(beside, 0))
        assert slider.value() == 40
        qtbot.mouseMove(slider, middle + QPoint(beside + 38, 0))
        assert slider.value() == 50
        release(pos=middle + QPoint(beside + 38, 0))
        slider.setValue(40)
    press(pos=QPoint(300, handle.center().y()))
    assert slider.value() == 76
    assert abs(slider.handle().center().x() - 300) <= 2
    release(pos=QPoint(300, handle.center().y()))


@pytest.mark.parametrize("kind", [QMenu, QFrame])
def test_what_a_button_or_the_pointer_opens_stays_on_the_screen(qtbot, kind):
    window = seen.show(qtbot, QWidget(), (300, 200))
    button = Button("Choose…")
    in_row(button, inside=window)
    room = window.screen().availableGeometry()

    def popup() -> QWidget:
        made = kind(window)
        if isinstance(made, QMenu):
            made.addAction("One of many that are offered")
        else:
            made.setWindowFlags(Qt.WindowType.Popup)
            made.resize(320, 300)
        return made

    for corner in (room.topLeft(), room.bottomRight() - QPoint(300, 200), QPoint(200, 0)):
        window.move(corner)
        below = popup()
        open_below(button, below)
        assert below.isVisible()
        assert room.contains(QRect(below.pos(), below.size()))
        place = QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
        assert not QRect(below.pos(), below.size()).intersects(place)
        below.close()
        there = popup()
        open_at(there, corner + QPoint(290, 190))
        assert room.contains(QRect(there.pos(), there.size()))
        there.close()
