"""Controls: by mouse, by keyboard, read aloud, and in both themes."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.controls import Button, DropArea, LinkButton, SearchField, Segmented, Slider
from gui.widgets.painted import ColourBar, FaceView

pytestmark = pytest.mark.usefixtures("light_again")


def _shown(qtbot: QtBot, widget: QWidget, size: QSize | None = None) -> QWidget:
    qtbot.addWidget(widget)
    widget.resize(size or widget.sizeHint())
    widget.show()
    QApplication.processEvents()
    return widget


def _face(width: int = 92, height: int = 112) -> QImage:
    return grey_image(np.full((height, width), 0.5))


def _controls(segments: Segmented) -> list[QWidget]:
    return [
        Button("Train", "train", primary=True),
        Button("", "cross", name="Dismiss"),
        LinkButton("Rename"),
        *segments.findChildren(QPushButton),
        SearchField("Find a person", "Ctrl+F"),
        Slider("Components"),
        DropArea("Drop photos here"),
        FaceView("Person 04", clickable=True),
        FaceView(clickable=True),
    ]


def test_everything_that_takes_focus_has_a_name(qapp: QApplication) -> None:
    segments = Segmented(["Grid", "List"])
    controls = _controls(segments)
    focusable = [c for c in controls if c.focusPolicy() != Qt.FocusPolicy.NoFocus]
    assert len(focusable) >= 8
    for control in focusable:
        assert control.accessibleName(), type(control)


def test_an_icon_is_drawn_anew_where_it_changes(qapp: QApplication, qtbot: QtBot) -> None:
    button = Button("Train", "train")
    _shown(qtbot, button)
    drawn = [button.icon().cacheKey()]
    button.setText("Train again")
    button.set_icon("train")
    assert button.icon().cacheKey() == drawn[0]
    changes = (partial(button.set_icon, "play"), partial(button.setText, ""))
    dark = partial(theme.apply, qapp, "dark")
    for change in (*changes, partial(button.set_primary, True), dark):
        change()
        qapp.processEvents()
        drawn.append(button.icon().cacheKey())
    assert len(set(drawn)) == len(drawn)
    button.set_icon(None)
    assert button.icon().isNull()


def test_an_ampersand_is_a_letter_and_no_shortcut(qtbot: QtBot) -> None:
    button = Button("AT&T sample")
    qtbot.addWidget(button)
    assert button.shortcut().isEmpty()
    button.setText("R&D")
    assert button.shortcut().isEmpty()
    assert button.text() == button.accessibleName() == "R&D"


def test_a_click_leaves_no_focus_ring(qtbot: QtBot) -> None:
    page = QWidget()
    row = QHBoxLayout(page)
    field, button = SearchField("Find"), Button("Train")
    row.addWidget(field)
    row.addWidget(button)
    _shown(qtbot, page)
    field.setFocus()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.hasFocus()


def test_segments_are_exclusive_and_tell_each_change_once(qtbot: QtBot) -> None:
    segments = Segmented(["Signed", "Grey", "Magma"], name="Colours")
    _shown(qtbot, segments)
    told: list[int] = []
    segments.changed.connect(lambda: told.append(segments.current))
    qtbot.mouseClick(segments.findChildren(QPushButton)[2], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(segments.findChildren(QPushButton)[2], Qt.MouseButton.LeftButton)
    segments.set_current(1)
    assert told == [2, 1]
    stops = [b.focusPolicy() for b in segments.findChildren(QPushButton)]
    assert [stop == Qt.FocusPolicy.TabFocus for stop in stops] == [False, True, False]
    assert segments.current_text == "Grey"
    assert sum(b.isChecked() for b in segments.findChildren(QPushButton)) == 1


def test_arrow_keys_move_the_choice_and_skip_what_is_disabled(qtbot: QtBot) -> None:
    segments = Segmented(["2-D", "3-D", "4-D"])
    _shown(qtbot, segments)
    segments.buttons[1].setEnabled(False)
    first = segments.findChildren(QPushButton)[0]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert segments.current == 2
    qtbot.keyClick(segments.findChildren(QPushButton)[2], Qt.Key.Key_Left)
    assert segments.current == 0


def test_search_field_is_cleared_by_escape(qtbot: QtBot) -> None:
    field = SearchField("Find a person or photo", "Ctrl+F")
    _shown(qtbot, field)
    qtbot.keyClicks(field, "ada")
    assert field.text() == "ada"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_slider_jumps_to_where_it_is_pressed(qtbot: QtBot) -> None:
    slider = Slider("Components", 0, 100)
    _shown(qtbot, slider, QSize(400, 24))
    for share in (0.25, 0.75, 0.5):
        at = QPoint(round(9 + share * 382), 12)
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at)
        assert slider.value() == pytest.approx(100 * share, abs=2)


def test_files_and_folders_can_be_dropped_and_nothing_else(qtbot: QtBot, tmp_path: Path) -> None:
    area, dropped, colours = DropArea("Drop photos here"), list[object](), list[QColor]()
    area.dropped.connect(dropped.append)
    _shown(qtbot, area, QSize(300, 120))
    files = [tmp_path, tmp_path / "ü 1.png"]
    for urls in (
        [QUrl("https://example.org/face.png")],
        [QUrl.fromLocalFile(str(path)) for path in files],
    ):
        mime = QMimeData()
        mime.setUrls(urls)
        args = Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton
        enter = QDragEnterEvent(QPoint(5, 5), *args, Qt.KeyboardModifier.NoModifier)
        enter.ignore()
        area.dragEnterEvent(enter)
        colours.append(area.grab().toImage().pixelColor(20, 20))
        if enter.isAccepted():
            area.dropEvent(QDropEvent(QPointF(5, 5), *args, Qt.KeyboardModifier.NoModifier))
    assert dropped == [files]
    assert colours == [QColor(theme.LIGHT.surface), QColor(theme.LIGHT.soft)], "lit while over it"


def test_drop_area_is_also_a_button(qtbot: QtBot) -> None:
    area = DropArea("Drop photos here")
    _shown(qtbot, area)
    with qtbot.waitSignal(area.clicked):
        qtbot.mouseClick(area, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(area.clicked):
        qtbot.keyClick(area, Qt.Key.Key_Return)


@pytest.mark.parametrize("size", [QSize(300, 120), QSize(120, 300), QSize(200, 200)])
@pytest.mark.parametrize("shape", [(92, 112), (112, 92), (50, 50)])
def test_faces_keep_their_aspect(qtbot: QtBot, size: QSize, shape: tuple[int, int]) -> None:
    view = FaceView("Original", grows=True)
    _shown(qtbot, view, size)
    view.set_image(_face(*shape))
    rect = view.picture_rect()
    assert rect.width() / rect.height() == pytest.approx(shape[0] / shape[1], rel=0.05)
    assert view.rect().contains(rect.toAlignedRect())


def test_only_a_clickable_face_is_clicked(qtbot: QtBot) -> None:
    view, still = FaceView("k = 40", clickable=True), FaceView("k = 40")
    assert view.accessibleName() == "k = 40"
    for widget in (view, still):
        _shown(qtbot, widget)
    with qtbot.waitSignal(view.clicked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.clicked):
        qtbot.keyClick(view, Qt.Key.Key_Space)
    with qtbot.assertNotEmitted(still.clicked):
        qtbot.mouseClick(still, Qt.MouseButton.LeftButton)
    assert still.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_colour_bar_says_what_its_ends_mean(qapp: QApplication, qtbot: QtBot) -> None:
    bar = ColourBar("signed", "darker than original", "brighter")
    _shown(qtbot, bar)
    assert "darker than original" in bar.accessibleName()
    image, y = bar.grab().toImage(), bar.height() // 2
    row = [image.pixelColor(x, y) for x in range(bar.width())]
    blue = [x for x, c in enumerate(row) if c.blue() > c.red() + 90]
    red = [x for x, c in enumerate(row) if c.red() > c.blue() + 90]
    assert blue
    assert red
    assert max(blue) < min(red)
    bar.set_scale("magma", "0", "60 grey levels")
    assert bar.accessibleName() == "Colour scale from 0 to 60 grey levels"


def test_the_focus_of_a_button_is_its_border_alone(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    buttons = [Button("Mmmm"), Button("Mmmm")]
    for button in buttons:
        button.setFixedSize(160, 60)
        row.addWidget(button)
    with qtbot.waitActive(window):
        window.show()
    buttons[0].setFocus()
    qtbot.keyClick(buttons[0], Qt.Key.Key_Tab)  # by keys: Qt marks the focus then
    qtbot.waitUntil(buttons[1].hasFocus)
    inner = QRect(6, 6, 148, 48)
    drawn = [button.grab(inner).toImage() for button in buttons]
    assert drawn[0] == drawn[1], "no second frame around the words"
