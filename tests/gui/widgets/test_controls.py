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
from tests.gui import seen

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


def test_button_follows_the_theme(qapp: QApplication, qtbot: QtBot) -> None:
    button = Button("", "cross", name="Dismiss")
    _shown(qtbot, button)

    def middle() -> int:
        return button.icon().pixmap(16, 16).toImage().pixelColor(8, 8).lightness()

    assert middle() < 60
    theme.apply(qapp, "dark")
    qapp.processEvents()
    assert middle() > 180


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


def test_only_the_one_that_stands_out_is_filled(qtbot: QtBot) -> None:
    button = Button("Train")
    _shown(qtbot, button)
    at = QPoint(8, button.height() // 2)
    assert button.grab().toImage().pixelColor(at) == QColor(theme.LIGHT.surface)
    button.set_primary(True)
    assert button.grab().toImage().pixelColor(at) == QColor(theme.LIGHT.accent)


def test_name_of_a_button_follows_its_text(qtbot: QtBot) -> None:
    button = Button("Play")
    qtbot.addWidget(button)
    button.setText("Pause")
    assert button.accessibleName() == "Pause"


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
    assert segments.current_text == "Grey"
    assert sum(b.isChecked() for b in segments.findChildren(QPushButton)) == 1


def test_arrow_keys_move_the_choice_and_skip_what_is_disabled(qtbot: QtBot) -> None:
    segments = Segmented(["2-D", "3-D", "4-D"])
    _shown(qtbot, segments)
    segments.set_option_enabled(1, False)
    first = segments.findChildren(QPushButton)[0]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert segments.current == 2
    qtbot.keyClick(segments.findChildren(QPushButton)[2], Qt.Key.Key_Right)
    assert segments.current == 0, "it goes round"
    qtbot.keyClick(first, Qt.Key.Key_Left)
    assert segments.current == 2


def test_segments_are_one_stop_for_the_tab_key(qtbot: QtBot) -> None:
    segments = Segmented(["a", "b", "c"])
    qtbot.addWidget(segments)
    segments.set_current(2)
    stops = [b.focusPolicy() for b in segments.findChildren(QPushButton)]
    assert stops.count(Qt.FocusPolicy.TabFocus) == 1
    assert stops[2] == Qt.FocusPolicy.TabFocus


def test_search_field_is_cleared_by_escape(qtbot: QtBot) -> None:
    field = SearchField("Find a person or photo", "Ctrl+F")
    _shown(qtbot, field)
    qtbot.keyClicks(field, "ada")
    assert field.text() == "ada"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_the_keys_of_a_search_field_do_not_touch_its_words(qtbot: QtBot) -> None:
    field, plain = (
        SearchField("Find a person or photo", "Ctrl+F"),
        SearchField("Find a person or photo"),
    )
    words = field.fontMetrics().horizontalAdvance(field.placeholderText())
    for each in (field, plain):
        _shown(qtbot, each, QSize(words + field._hint_width() + 54, 32))
    assert field.grab().toImage() == plain.grab().toImage()


def test_slider_jumps_to_where_it_is_pressed(qtbot: QtBot) -> None:
    slider = Slider("Components", 0, 100)
    _shown(qtbot, slider, QSize(400, 24))
    for share in (0.25, 0.75, 0.5):
        at = QPoint(round(9 + share * 382), 12)
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at)
        assert slider.value() == pytest.approx(100 * share, abs=2)


def test_slider_answers_to_keys(qtbot: QtBot) -> None:
    slider = Slider("Components", 0, 100)
    _shown(qtbot, slider)
    slider.setValue(40)
    for key, value in seen.keyed(Right=41, PageUp=51, Home=0, End=100):
        qtbot.keyClick(slider, key)
        assert slider.value() == value


def _mime(*urls: QUrl) -> QMimeData:
    mime = QMimeData()
    mime.setUrls(list(urls))
    return mime


def _drag(area: DropArea, mime: QMimeData) -> bool:
    args = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), *args, none)
    enter.ignore()
    area.dragEnterEvent(enter)
    if enter.isAccepted():
        area.dropEvent(QDropEvent(QPointF(5, 5), *args, none))
    return enter.isAccepted()


def test_files_and_folders_can_be_dropped(qtbot: QtBot, tmp_path: Path) -> None:
    area = DropArea("Drop photos here")
    _shown(qtbot, area)
    file = tmp_path / "ü 1.png"
    with qtbot.waitSignal(area.dropped) as caught:
        mime = _mime(QUrl.fromLocalFile(str(tmp_path)), QUrl.fromLocalFile(str(file)))
        assert _drag(area, mime)
    assert caught.args == [[tmp_path, file]]


def test_what_is_not_on_this_computer_is_not_taken(qtbot: QtBot) -> None:
    area = DropArea("Drop photos here")
    _shown(qtbot, area)
    with qtbot.assertNotEmitted(area.dropped):
        assert not _drag(area, _mime(QUrl("https://example.org/face.png")))


def test_drop_area_lights_up_while_something_is_over_it(qtbot: QtBot, tmp_path: Path) -> None:
    area = DropArea("Drop photos here")
    _shown(qtbot, area, QSize(300, 120))
    mime = _mime(QUrl.fromLocalFile(str(tmp_path)))
    enter = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    assert area.grab().toImage().pixelColor(20, 20) == QColor(theme.LIGHT.surface)
    area.dragEnterEvent(enter)
    assert area.grab().toImage().pixelColor(20, 20) == QColor(theme.LIGHT.soft)


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


def test_face_is_drawn_and_a_ring_picks_it_out(qtbot: QtBot) -> None:
    view = FaceView()
    _shown(qtbot, view)
    view.set_image(_face())
    middle = view.picture_rect().center().toPoint()
    assert view.grab().toImage().pixelColor(middle) == QColor(128, 128, 128)
    edge = QPoint(round(view.picture_rect().left()) - 1, middle.y())
    plain = view.grab().toImage().pixelColor(edge)
    view.set_ring("ok")
    ringed = view.grab().toImage().pixelColor(edge)
    assert ringed != plain
    assert ringed.green() > ringed.red() + 40
    assert view.ring == "ok"


def test_only_a_clickable_face_is_clicked(qtbot: QtBot) -> None:
    view, still = FaceView("k = 40", clickable=True), FaceView("k = 40")
    for widget in (view, still):
        _shown(qtbot, widget)
    with qtbot.waitSignal(view.clicked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.clicked):
        qtbot.keyClick(view, Qt.Key.Key_Space)
    with qtbot.assertNotEmitted(still.clicked):
        qtbot.mouseClick(still, Qt.MouseButton.LeftButton)
    assert still.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_a_face_is_named_after_what_it_shows(qtbot: QtBot) -> None:
    view = FaceView("Query")
    qtbot.addWidget(view)
    assert view.accessibleName() == "Query"
    view.set_caption("Person 13", "3,323")
    assert view.accessibleName() == "Person 13, 3,323"


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
