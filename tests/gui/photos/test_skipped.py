"""Photographs that were skipped: each with its reason, tried again, and listed on People."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from eigenfaces.faces.read import NO_FACE_FOUND, SEVERAL_FACES
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import Eyes
from gui.pages.people.entries import ATTENTION
from gui.photos.dialog import PhotoDialog
from gui.state import actions, importing
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from tests.gui import seen
from tests.gui.photos.conftest import FACE, NOISE, write_pictures
from tests.picture_files import picture

REASONS = {"cut.png": "The file is cut short.", "empty.jpg": "The file is empty."}


@pytest.fixture
def listed(qtbot: QtBot, tmp_path: Path) -> SkippedList:
    folder = tmp_path / "gone" / "Ada"
    files = [Skipped(folder / name, reason, "Ada", turned=1) for name, reason in REASONS.items()]
    made = seen.show(qtbot, SkippedList(files))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    return made


def test_every_file_has_its_reason_and_is_tried_again_as_it_was(qtbot, listed, tmp_path):
    folder = tmp_path / "gone" / "Ada"
    assert seen.unread(listed) == []
    rows = [[name, reason, str(folder)] for name, reason in REASONS.items()]
    assert seen.rows(listed.table) == rows
    for at, reason in enumerate(REASONS.values()):
        listed.table.select_row(at)
        assert listed.whole_reason.text() == reason
    listed.copy.click()
    lines = [f"{folder / name}\t{reason}" for name, reason in REASONS.items()]
    assert QGuiApplication.clipboard().text().splitlines() == lines
    listed.folder.click()
    assert "no longer exists" in listed.whole_reason.text()
    listed.table.clearSelection()
    listed.table.doubleClicked.emit(listed.table.model().index(0, 0))  # with Ctrl: nothing is left
    with qtbot.waitSignal(listed.retry_wanted) as signal:
        listed.again.click()
    photos = tuple(Photo(file.path, "Ada", turned=1) for file in listed.skipped)
    assert signal.args == [FoundPhotos(photos)]
    assert not listed.isVisible()


def said(window: MainWindow) -> list[str]:
    """Return what the People page says of them, if it does."""
    names = seen.button_names(window.page)
    return [name for name in names if "to review" in name or "left out" in name]


def test_the_list_opens_from_people_wherever_the_project_is_and_not_from_another(
    qtbot, trained_session, small_gallery, open_gallery, tmp_path, finish
):
    session = trained_session
    others = (
        Skipped(picture(tmp_path / "a.png", 8), NO_FACE_FOUND, "Ada", "no face"),
        Skipped(picture(tmp_path / "b.png", 9), SEVERAL_FACES.format(3), "Ada", "several faces"),
        Skipped(tmp_path / "c.png", "The file is empty.", "Ada"),
    )
    window = seen.show(qtbot, MainWindow(session), (1280, 720))
    session.show_page("people")
    session.change("", lambda now: replace(now, unused=others))
    actions.save_as(session, tmp_path / "mine.eigenfaces")
    finish()
    qtbot.waitUntil(lambda: ATTENTION in window.page.entries)
    window.page.list.chosen.emit(ATTENTION)
    qtbot.waitUntil(lambda: {*said(window)} == {"1 file left out", "2 photos to review"})
    seen.button(window, "1 file left out").click()
    (files,) = window.findChildren(SkippedList)
    assert [file.path.name for file in files.skipped] == ["c.png"], "the others wait"
    files.close()
    open_gallery(small_gallery)
    session.show_page("people")
    qtbot.waitUntil(lambda: window.page.key == "people")
    assert said(window) == []


def test_a_person_shows_where_the_face_is_on_a_photo_that_was_skipped(
    qtbot, session, tmp_path, finish, settle
):
    window = seen.show(qtbot, MainWindow(session), (1280, 720))
    folder = write_pictures(tmp_path / "photos", {"1": FACE, "wall": NOISE})
    importing.import_photos(session, FoundPhotos((Photo(folder / "1.png", "Ada"),)))
    finish()
    wall = Skipped(folder / "wall.png", "You left it out.", "Ada", "left out")
    damaged = Skipped(folder / "no.png", "The file is empty.")
    session.change("", lambda now: replace(now, unused=(damaged, wall)))
    window._show_skipped((damaged, wall))
    (files,) = window.findChildren(SkippedList)
    assert seen.says(files, "They have not been moved or changed.")
    assert not files.face.isEnabled(), "nobody can show a face in what cannot be read"
    files.table.select_row(1)
    seen.button(files, "Show where the face is").click()
    qtbot.waitUntil(lambda: bool(files.findChildren(PhotoDialog)), timeout=20_000)
    (dialog,) = files.findChildren(PhotoDialog)
    settle(dialog)
    assert not dialog.another.isVisible(), "there is no other"
    assert dialog.width() == window.width() - 24, "as large as over a page"
    assert dialog.who.text() == "Ada"
    dialog.editor.view.face_placed.emit(Eyes((50.0, 45.0), (90.0, 50.0)), True)
    settle(dialog)
    seen.button(dialog, "Add").click()
    finish()
    assert len(session.gallery.index.rows_of("Ada")) == 2
    assert session.skipped == (damaged,)
    assert seen.says(files, "1 file was skipped")
    assert seen.says(files, "It has not been moved or changed.")
    session.undo()
    finish()
    assert len(session.gallery.faces) == 1
