"""One photo large: the next one, the whole screen and back, naming, a slideshow."""

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.album import AlbumPhoto
from gui.album.large_view import LargeView
from tests.gui import seen

Key = Qt.Key


@pytest.fixture
def album(tmp_path: Path) -> list[AlbumPhoto]:
    found = []
    for at in range(3):
        path = tmp_path / f"{at}.png"
        Image.new("RGB", (120, 90), (at * 90, 0, 0)).save(path)
        photograph = Photograph(path, f"sha {at}", (90, 120))
        place = Placement(Eyes((50.0, 40.0), (70.0, 40.0)))
        face = FacePhoto(photograph, "Ada" if at else None, placement=place)
        found.append(AlbumPhoto(photograph, "2024-06-15T16:42:07", (face,)))
    return found


@pytest.fixture
def large(qtbot, trained_session, album):
    page = QWidget()
    view = LargeView(trained_session)
    column = QVBoxLayout(page)
    for part in (view, QWidget()):
        column.addWidget(part)
    seen.show(qtbot, page, (700, 500))
    view.show_photos(album, "sha 0")
    qtbot.waitUntil(lambda: view.view.image is not None)
    page.activateWindow()
    view.view.setFocus()
    yield view
    if view.is_full_screen:
        view.toggle_full_screen()
    qtbot.waitUntil(lambda: trained_session.jobs.current is None)


def test_the_keys_go_on_and_come_back(qtbot, large):
    for key, place in ((Key.Key_Right, 1), (Key.Key_End, 2), (Key.Key_Right, 2), (Key.Key_Home, 0)):
        qtbot.keyClick(large.view, key)
        assert large.place == place
    with qtbot.waitSignal(large.closed) as closed:
        qtbot.keyClick(large.view, Key.Key_Escape)
    assert closed.args == ["sha 0"]


def test_the_whole_screen_and_back_into_the_page(qtbot, large):
    page = large.parentWidget()
    qtbot.keyClick(large.view, Key.Key_F)
    assert large.is_full_screen
    qtbot.keyClick(large.view, Key.Key_F)
    assert not large.is_full_screen
    assert large.parentWidget() is page
    assert page.layout().indexOf(large) == 0, "at its old place"
    assert large.isVisible()


def test_closed_by_the_desktop_it_goes_back_into_the_page(qtbot, large):
    page = large.parentWidget()
    qtbot.keyClick(large.view, Key.Key_F)
    with qtbot.waitSignal(large.closed):
        large.close()
    assert large.parentWidget() is page


def test_names_can_be_hidden_and_a_face_gets_one(qtbot, large):
    assert [face.name for face in large.view.named] == ["Who is this?"]
    qtbot.keyClick(large.view, Key.Key_N)
    assert large.view.named == ()
    qtbot.keyClick(large.view, Key.Key_I)
    assert large.field.isVisible()
    with qtbot.waitSignal(large.named) as named:
        large.field.named.emit("Grace")
    assert named.args == [large.photos[0].faces[0].id, "Grace"]
    assert not large.field.isVisible()


def test_a_slideshow_ends_by_esc_and_the_photo_stays(qtbot, large):
    qtbot.keyClick(large.view, Key.Key_Space)
    assert large.plays
    large.go(1, around=True)
    qtbot.keyClick(large.view, Key.Key_Escape)
    assert not large.plays
    assert large.isVisible()
    assert large.place == 1
    with qtbot.waitSignal(large.favourite_wanted):
        qtbot.keyClick(large.view, Key.Key_S)


@pytest.mark.parametrize("key", [Key.Key_Space, Key.Key_I, Key.Key_F, Key.Key_Escape])
def test_whatever_ends_a_slideshow_the_button_offers_a_new_one(qtbot, large, key):
    qtbot.keyClick(large.view, Key.Key_Space)
    assert large.show_button.text() == "Pause"
    qtbot.keyClick(large.view, key)
    assert not large.plays
    assert large.show_button.text() == "Slideshow"


def test_a_photo_that_is_gone_says_why(qtbot, large, album):
    album[2].photograph.path.unlink()
    large._pictures.clear()
    qtbot.keyClick(large.view, Key.Key_End)
    qtbot.waitUntil(lambda: "2.png" not in large.view.caption and bool(large._failed))
    assert large.view.image is None
