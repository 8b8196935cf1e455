"""Several faces of one photograph: shown together, picked by a click, answered one by one."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from eigenfaces.faces.identity import FaceId
from gui.pages.recognise.page import RecognisePage
from gui.style.images import grey_image, rgb_array
from tests.gui import seen
from tests.synthetic import on_file


@pytest.fixture
def page(qtbot, open_page, trained_session, tmp_path) -> RecognisePage:
    """The page with Ada, Hedy and Sofia on one photograph; and one whose file is gone."""
    path, gallery = tmp_path / "group.png", trained_session.gallery
    levels = np.random.default_rng(0).integers(0, 256, (120, 300), np.uint8)
    Image.fromarray(levels).save(path)
    alone = seen.probe_of(gallery, 4)
    gone = replace(alone, photo=on_file(alone.photo, tmp_path / "gone.png"))
    trained_session.put_probes([*seen.group_probes(gallery, path, 0, 8, 20), gone])
    page = open_page(RecognisePage, (1250, 860))
    qtbot.waitUntil(lambda: page.photo.image is not None, timeout=10_000)
    return page


def test_the_menu_of_a_face_opens_at_the_pointer(page):
    lines = page.photos.list
    for view, at in (
        (page.photo, page.photo.to_view(seen.MIDDLES[1]).toPoint()),
        (lines, lines.visualRect(lines.selectedIndexes()[0]).center()),
    ):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view.viewport(), event)
        menu = QApplication.activePopupWidget()
        texts = [action.text() for action in menu.actions()[:3]]
        assert texts == ["It is Hedy\tEnter", "It is…\tI", "Not this person\tN"]
        assert page.session.photo == FaceId("c0ffee", 2)
        menu.close()


def test_there_is_a_name_on_every_face_and_a_click_a_number_or_an_arrow_asks(
    qtbot, page, settled, do
):
    photo = page.photo

    def click(middle: complex) -> None:
        place = photo.to_view(middle).toPoint()
        qtbot.mouseClick(photo.viewport(), Qt.MouseButton.LeftButton, pos=place)
        settled()

    assert photo.image.width() == 300
    assert [face.eyes.middle for face in photo.named] == list(seen.MIDDLES)
    names = [face.name for face in photo.named]
    assert names == ["Closest: Ada", "Closest: Hedy", "Closest: Sofia"]
    assert photo.selected == {0}
    click(seen.MIDDLES[2])
    assert page.face.title.text().endswith("Sofia")
    assert page.session.photo == FaceId("c0ffee", 3)
    assert page.photos.list.selected_keys() == [FaceId("c0ffee")]  # one line a photograph
    click(90 + 110j)  # nobody is there
    assert page.session.photo == FaceId("c0ffee", 3)
    for widget, key, expected in (
        (page.photos.list, Qt.Key.Key_2, {1}),
        (photo, Qt.Key.Key_2, {1}),
        (photo, Qt.Key.Key_Right, {2}),
        (photo, Qt.Key.Key_Space, {0}),
        (photo, Qt.Key.Key_Left, {2}),
    ):
        widget.setFocus()
        do(qtbot.keyClick, widget, key)
        assert photo.selected == expected
    do(qtbot.keyClick, photo, Qt.Key.Key_1, Qt.KeyboardModifier.KeypadModifier)
    assert photo.selected == {0}


@pytest.mark.parametrize("content", [None, b"no picture"])
def test_where_a_file_is_gone_its_face_is_shown(qtbot, page, do, content):
    """Or where it is no picture any more; that is no error."""
    gone = page.session.probes[3]
    if content is not None:
        gone.photo.path.write_bytes(content)
    do(page.session.select, gone.photo.id)
    qtbot.waitUntil(lambda: "is no longer there" in page.photo.caption)
    assert (rgb_array(page.photo.image) == rgb_array(grey_image(gone.image))).all()
    assert [face.eyes for face in page.photo.named] == [None]
    assert page.session.message is None or page.session.message.severity != "error"
    assert page.face.title.text().endswith("Grace")
