"""What waits: kept in the project, said on People, confirmed in one go, left out, undone."""

import contextlib
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from eigenfaces import Project, find_photos, load_sample
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.project.unused import pending_photos
from gui.pages.people.entries import ATTENTION
from gui.pages.people.page import PeoplePage
from gui.photos.grid import TO_LOOK_AT
from gui.photos.sheet import ImportSheet
from gui.state import importing
from gui.state.session import Session
from gui.window.main_window import MainWindow
from tests.groups import know_where_they_stand, write_albums
from tests.gui import seen
from tests.gui.seen import button, button_names, says

Truth = dict[Path, int]
Open = Callable[[], ImportSheet]
FOUND, GUESSED = 5, 8
WAIT = ["2 photos to review", "8 guesses to confirm"]


@pytest.fixture
def albums(tmp_path: Path) -> Truth:
    """Four people × three photographs, alone on one; and Eve, who is not seen twice."""
    faces, eve = load_sample(), tmp_path / "albums" / "Eve"
    truth = write_albums(eve.parent, faces, 4, 3, alone=1)
    few = write_albums(tmp_path / "few", faces, 5, 9, alone=7)
    eve.mkdir()
    for name in ("Person 5/0.png", "Person 4/7.png", "Person 3/8.png"):
        path = tmp_path / "few" / name
        truth[eve / path.name] = few[path]
        shutil.copy(path, eve)
    return truth


@pytest.fixture
def window(qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    know_where_they_stand(monkeypatch)
    return seen.show(qtbot, MainWindow(session), (1467, 943))


@pytest.fixture
def imported(window: MainWindow, albums: Truth, tmp_path: Path, finish) -> Session:
    """After an import that took eight guesses, and could not tell twice who is Eve."""
    importing.import_photos(window.session, find_photos(tmp_path / "albums"))
    finish()
    return window.session


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, imported: Session) -> Open:
    """Open what waits by a button, as a person does."""

    def show(name: str = "\n".join(WAIT)) -> ImportSheet:
        look(qtbot, window)
        qtbot.mouseClick(button(window, name), Qt.MouseButton.LeftButton)
        sheet = window.findChildren(ImportSheet)[-1]
        sheet.resize(1400, 900)
        qtbot.waitUntil(sheet.leave_out.isEnabled, timeout=60_000)
        return sheet

    return show


def look(qtbot: QtBot, window: MainWindow) -> None:
    """Choose the last row of the list of people: what needs a look."""
    page = window.page
    if not isinstance(page, PeoplePage):
        return  # the welcome: nothing waits
    seen.settle(qtbot, page.session)
    if ATTENTION in page.entries:
        page.list.chosen.emit(ATTENTION)
        seen.settle(qtbot, page.session)


def waits(qtbot: QtBot, window: MainWindow) -> list[str]:
    """Return what People says of what waits, where that is looked at."""
    look(qtbot, window)
    names = button_names(window.page)
    return [
        line
        for name in names
        if "to review" in name or "guess" in name
        for line in name.split("\n")
    ]


def sources(session: Session) -> dict[str, int]:
    """Return how many faces were found, guessed and chosen by hand."""
    return Counter(photo.placement.source for photo in session.gallery.index.photos)


def places(session: Session) -> Truth:
    """Return which face from the left was taken from each photograph."""
    photos = session.gallery.index.photos
    eyes = {photo.path: photo.placement.eyes for photo in photos if photo.placement.eyes}
    return {path: int(where.middle.real // 92) for path, where in eyes.items()}


def unsure(sheet: ImportSheet) -> list[str]:
    """Return the keys of those on which it is not known who is meant: they follow the guesses."""
    sheet.panel.grid.filter.set_current(TO_LOOK_AT)
    entries = sheet.panel.entries
    return [key for key in sheet.panel.grid.visible_keys() if entries[key].state == "choice"]


def test_guesses_are_shown_first_and_confirmed_in_one_go_and_one_undo(
    qtbot, imported, window, opened, albums, settled
):
    session, gallery, page = imported, imported.gallery, window.page
    assert waits(qtbot, window) == WAIT
    assert not any("left out" in name for name in button_names(window))
    qtbot.waitUntil(lambda: "Eve" in page.seen.index.people and len(page.seen.checks.concerns) == 9)
    (lone,) = page.seen.need_attention
    assert gallery.index.photos[lone].person == "Eve", "the guesses are said above"
    assert sources(session) == {"found": FOUND, "guess": GUESSED}
    sheet = opened()
    assert sheet.windowTitle() == "Photos to review"
    names = [part.text() for part in sheet.panel.grid.filter.findChildren(QPushButton)]
    assert names == ["All 10", "To review 10"]
    assert unsure(sheet) == sheet.panel.grid.visible_keys()[GUESSED:]
    assert sheet.leave_out.text() == "Leave out all 10"
    assert sheet.note.text() == "8 to confirm, 2 still to decide."
    assert not sheet.start.isEnabled()
    button(sheet, "Confirm all 8").click()
    assert sheet.note.text() == "8 chosen, 2 still to decide."
    button(sheet, "Keep 8 answers").click()
    settled()
    assert sources(session) == {"found": FOUND, "by hand": GUESSED}
    assert places(session).items() <= albums.items()
    assert waits(qtbot, window) == WAIT[:1]
    assert session.message.text == "8 guesses were confirmed. Ctrl+Z undoes it."
    assert session.history.undo_title == "choosing faces"
    session.undo()
    settled()
    assert session.gallery.index.photos == gallery.index.photos
    for act, lines in (("redo", WAIT[:1]), ("undo", WAIT), ("undo", []), ("redo", WAIT)):
        getattr(session, act)()  # of the import, too
        settled()
        assert waits(qtbot, window) == lines


def test_a_number_takes_another_face_and_del_leaves_a_photo_out(
    qtbot, imported, window, opened, albums, settled
):
    session, sheet, chosen = imported, opened(), Truth()
    (choice, out), grid = unsure(sheet), sheet.panel.grid
    for key in (grid.visible_keys()[0], choice):
        chosen[Path(key)] = at = (albums[Path(key)] + 1) % 3
        grid.select(key)
        QTest.keyClick(grid.photos, Qt.Key(Qt.Key.Key_1 + at))
        qtbot.waitUntil(lambda: sheet.panel.review.all_corrections_applied, timeout=60_000)
    assert sheet.start.text() == "Keep 2 answers"
    grid.select(out)
    QTest.keyClick(grid.photos, Qt.Key.Key_Delete)
    assert sheet.note.text() == "7 to confirm, 2 chosen, 1 to leave out."
    sheet.start.click()
    settled()
    assert places(session).items() >= chosen.items()
    assert sources(session) == {"found": FOUND, "guess": GUESSED - 1, "by hand": 2}
    assert [str(file.path) for file in session.skipped if not file.needs_choice] == [out]
    assert waits(qtbot, window) == ["7 guesses to confirm"]
    assert session.message.text.startswith(
        "1 guess was confirmed. 1 photo was added. 1 photo was left out."
    )
    session.undo()
    settled()
    assert sources(session) == {"found": FOUND, "guess": GUESSED}
    assert waits(qtbot, window) == WAIT


def test_all_are_left_out_and_one_undo_brings_them_back(qtbot, imported, window, opened, settled):
    session, gallery, skipped = imported, imported.gallery, imported.skipped
    opened().leave_out.click()
    settled()
    assert sources(session) == {"found": FOUND}
    assert waits(qtbot, window) == []
    assert "10 files left out" in button_names(window)
    assert session.message.text == "10 photos were left out. Ctrl+Z undoes it."
    for act, number in (("undo", 10), ("redo", 0), ("undo", 10)):
        getattr(session, act)()
        settled()
        for files in (session.skipped, session.project.unused):
            assert len(pending_photos(files, session.gallery.index).photos) == number
    assert session.gallery.index.photos == gallery.index.photos
    assert set(session.skipped) == set(skipped)


def test_a_file_that_is_gone_says_so_and_goes_on_waiting(
    qtbot, imported, window, opened, tmp_path, finish
):
    gone = tmp_path / "albums" / "Eve" / "7.png"
    gone.unlink()
    sheet = opened()
    assert sheet.panel.grid.visible_keys()[-1] == str(gone)
    sheet.panel.grid.select(str(gone))
    assert says(sheet, "The file is not there")
    button(sheet, "Confirm all 8").click()
    sheet.start.click()
    finish()
    qtbot.waitUntil(lambda: waits(qtbot, window) == WAIT[:1])


def test_what_waits_is_kept_in_the_file_and_found_again(qtbot, imported, window, tmp_path, finish):
    skipped, path = imported.skipped, imported.project.path
    imported.close_project()
    imported.open(Project.open(path))
    assert imported.skipped == skipped
    for photos in (FoundPhotos(pending_photos(skipped).photos), find_photos(tmp_path / "albums")):
        importing.import_photos(imported, photos)
        finish()
        assert waits(qtbot, window) == WAIT


def test_what_a_later_import_found_survives_the_undo_of_an_earlier_one_and_is_kept(
    qtbot, session, window, albums, settled
):
    alone = [path for path in albums if path.stem == "0"]
    eve = [path for path in albums if path.parent.name == "Eve" and path not in alone]
    for paths in (alone, eve):
        photos = tuple(Photo(path, path.parent.name) for path in paths)
        importing.import_photos(session, FoundPhotos(photos))
        settled()
    session.undo()
    settled()
    assert (len(session.gallery.faces), waits(qtbot, window)) == (0, WAIT[:1])
    path = session.project.path
    session.close_project()
    with contextlib.closing(Project.open(path)) as project:
        assert {file.path for file in project.unused} == {*eve}
