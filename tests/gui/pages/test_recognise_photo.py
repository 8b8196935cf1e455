"""Several faces of one photograph: shown together, picked by a click, answered one by one."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.photographs.photos import Eyes, Placement
from eigenfaces.recognition.probes import Probe
from gui.pages.recognise.page import RecognisePage
from gui.style.images import grey_image, rgb_array
from tests.gui import seen

MIDDLES = (40 + 50j, 150 + 60j, 250 + 45j)
KEY = "c0ffee"


def face(path, number, gallery, row):
    """Make the probe that one face of a group photograph gives."""
    eyes = Eyes.at(MIDDLES[number - 1], 24 + 0j)
    key = KEY if number == 1 else f"{KEY}-{number}"
    photo = FacePhoto(path, None, key, (120, 300), placement=Placement(eyes))
    noise = np.random.default_rng(number).normal(0, 0.02, gallery.faces.shape)
    image = np.clip(gallery.faces.image(row) + noise, 0, 1).astype(np.float32)
    return Probe(photo, image, number, len(MIDDLES))


@pytest.fixture
def group(trained_session, tmp_path):
    """Three probes of one photograph: Ada, Hedy and Sofia; and one of another."""
    path = tmp_path / "group.png"
    levels = np.random.default_rng(0).integers(0, 256, (120, 300), np.uint8)
    Image.fromarray(levels).save(path)
    gallery = trained_session.gallery
    probes = [face(path, number, gallery, row) for number, row in ((1, 0), (2, 8), (3, 20))]
    alone = replace(probes[0].photo, path=tmp_path / "gone.png", key="d00d")
    return [*probes, Probe(alone, gallery.faces.image(4))]


@pytest.fixture
def page(qtbot, trained_session, group):
    made = seen.show(qtbot, RecognisePage(trained_session), (1250, 860))
    trained_session.put_probes(group)
    settle(qtbot, made)
    yield made
    made.hide()


def settle(qtbot, page):
    seen.settle(qtbot, page.session)


def click(qtbot, page, middle):
    place = page.photo.to_view(middle).toPoint()
    qtbot.mouseClick(page.photo.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, page)


def test_the_menu_of_a_face_opens_at_the_pointer(qtbot, page):
    qtbot.waitUntil(lambda: page.photo.image is not None, timeout=10_000)
    line = page.photos.list.visualRect(page.photos.list.selectedIndexes()[0]).center()
    for view, at in (
        (page.photo, page.photo.to_view(MIDDLES[1]).toPoint()),
        (page.photos.list, line),
    ):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view.viewport(), event)
        menu = QApplication.activePopupWidget()
        texts = [action.text() for action in menu.actions()[:3]]
        assert texts == ["It is Hedy\tEnter", "It is…\tI", "Not this person\tN"]
        assert page.session.photo == f"{KEY}-2"
        menu.close()


def test_there_is_a_name_on_every_face_and_a_click_a_number_or_an_arrow_asks(qtbot, page):
    qtbot.waitUntil(lambda: page.photo.image is not None, timeout=10_000)
    assert page.photo.image.width() == 300
    assert [face.eyes.middle for face in page.photo.named] == list(MIDDLES)
    names = [face.name for face in page.photo.named]
    assert names == ["Closest: Ada", "Closest: Hedy", "Closest: Sofia"]
    assert page.photo.selected == {0}
    click(qtbot, page, MIDDLES[2])
    assert page.face.title.text().endswith("Sofia")
    assert page.session.photo == f"{KEY}-3"
    assert page.photos.list.selected_keys() == [KEY]  # one line a photograph
    click(qtbot, page, 90 + 110j)  # nobody is there
    assert page.session.photo == f"{KEY}-3"
    for widget, key, expected in (
        (page.photos.list, Qt.Key.Key_2, {1}),
        (page.photo, Qt.Key.Key_2, {1}),
        (page.photo, Qt.Key.Key_Right, {2}),
        (page.photo, Qt.Key.Key_Space, {0}),
        (page.photo, Qt.Key.Key_Left, {2}),
    ):
        widget.setFocus()
        qtbot.keyClick(widget, key)
        settle(qtbot, page)
        assert page.photo.selected == expected


@pytest.mark.parametrize("content", [None, b"no picture"])
def test_where_a_file_is_gone_its_face_is_shown(qtbot, page, content):
    """Or where it is no picture any more; that is no error."""
    if content is not None:
        page.session.probes[3].photo.path.write_bytes(content)
    page.session.select("d00d")
    settle(qtbot, page)
    shown = page.session.probes[3].image
    qtbot.waitUntil(lambda: "is not there any more" in page.photo.caption)
    assert (rgb_array(page.photo.image) == rgb_array(grey_image(shown))).all()
    assert [each.eyes for each in page.photo.named] == [None]
    assert page.session.message is None or page.session.message.severity != "error"
    assert page.face.title.text().endswith("Grace")
