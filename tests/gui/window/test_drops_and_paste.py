"""What is dropped on the window, or pasted: a copy, taken by the page, or a sentence why not."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from eigenfaces.photographs.photos import FoundPhotos, Photo
from gui.photos.sheet import ImportSheet
from gui.widgets.controls import DropArea
from gui.window.main_window import MainWindow
from tests.gui import seen


@pytest.fixture
def window(qtbot, trained_session):
    return seen.show(qtbot, MainWindow(trained_session))


@pytest.fixture
def photo(tmp_path, trained_session) -> Path:
    path = tmp_path / "photo.png"
    Image.fromarray(np.uint8(trained_session.gallery.faces.image(0) * 255)).save(path)
    return path


def of(*urls: QUrl) -> QMimeData:
    mime = QMimeData()
    mime.setUrls(list(urls))
    return mime


def drag(widget: QWidget, mime: QMimeData) -> QDropEvent:
    """Drag on a widget and drop there, from a program that would rather move than copy."""
    both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    how = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier)
    enter = QDragEnterEvent(QPoint(5, 5), both, mime, *how)
    dropped = QDropEvent(QPointF(5, 5), both, mime, *how)
    for event in (enter, dropped):
        event.setDropAction(Qt.DropAction.MoveAction)
    widget.dragEnterEvent(enter)
    assert enter.isAccepted()
    assert enter.dropAction() == Qt.DropAction.CopyAction
    widget.dropEvent(dropped)
    return dropped


def paste(qtbot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    seen.settle(qtbot, window.session)


def test_a_drop_is_a_copy_for_the_program_that_it_comes_from(window, photo, qtbot):
    """It may delete the photographs that it believes to be moved."""
    window.session.show_page("recognise")
    area = DropArea("Drop photos here")
    qtbot.addWidget(area)
    for widget in (window, area):
        event = drag(widget, of(QUrl.fromLocalFile(str(photo))))
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction
    seen.settle(qtbot, window.session)
    assert [probe.photo.path for probe in window.session.probes] == [photo]


def test_a_dropped_web_address_is_answered_by_a_sentence(window):
    drag(window, of(QUrl("https://example.org/cat.jpg")))
    assert "not a file on this computer" in window.session.message.text


@pytest.mark.parametrize("page", ["recognise", "reconstruct", "synthesise"])
def test_files_and_pictures_are_pasted_as_probes(window, photo, qtbot, page):
    window.session.show_page(page)
    clipboard = QGuiApplication.clipboard()
    clipboard.setMimeData(of(QUrl.fromLocalFile(str(photo))))
    paste(qtbot, window)
    assert [probe.photo.path for probe in window.session.probes] == [photo]
    picture = QImage(40, 48, QImage.Format.Format_Grayscale8)
    picture.fill(90)
    clipboard.setImage(picture)
    paste(qtbot, window)
    assert window.session.probes[1].photo.path.name.startswith("Pasted")
    clipboard.setText("only words")
    paste(qtbot, window)
    assert "no picture on the clipboard" in window.session.message.text
    assert len(window.session.probes) == 2


def test_what_is_pasted_on_people_is_offered_for_the_gallery(window, photo, qtbot):
    window.session.show_page("people")
    QGuiApplication.clipboard().setMimeData(of(QUrl.fromLocalFile(str(photo))))
    paste(qtbot, window)
    sheet = window.findChild(ImportSheet)
    assert sheet is not None
    assert sheet.isVisible()
    assert not window.session.probes
    sheet.reject()


def test_a_skipped_probe_tried_again_is_a_probe_not_a_photo_of_the_gallery(window, photo, qtbot):
    window.session.show_page("recognise")
    window._take_again(FoundPhotos((Photo(photo, None),)))
    seen.settle(qtbot, window.session)
    assert [probe.photo.path for probe in window.session.probes] == [photo]
    assert window.findChild(ImportSheet) is None
