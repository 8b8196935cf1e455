"""What waits: said once on People, looked at in groups, confirmed in one go, left out, undone."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from eigenfaces import FaceSet, find_photos, load_sample
from eigenfaces.project.unused import waiting
from gui.photos.grid import NEEDS_YOU
from gui.photos.sheet import ImportSheet
from gui.state import actions
from gui.state.session import Session
from gui.window.main_window import MainWindow
from tests.groups import know_where_they_stand, write_albums
from tests.gui import seen
from tests.gui.seen import button, button_names, says

Truth = dict[Path, int]
Open = Callable[[], ImportSheet]
GUESSED, UNSURE = 8, 2


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


@pytest.fixture
def albums(tmp_path: Path, att: FaceSet) -> Truth:
    """Four people × three photographs, alone on one; and Eve, who is not seen twice."""
    truth = write_albums(tmp_path / "albums", att, 4, 3, alone=1)
    few = write_albums(tmp_path / "few", att, 5, 9, alone=7)
    eve = tmp_path / "albums" / "Eve"
    eve.mkdir()
    for path, at in few.items():
        if (path.parent.name, path.stem) in (
            ("Person 5", "0"),
            ("Person 4", "7"),
            ("Person 3", "8"),
        ):
            truth[eve / path.name] = at
            shutil.copy(path, eve)
    return truth


@pytest.fixture
def window(
    qtbot: QtBot,
    session: Session,
    albums: Truth,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> MainWindow:
    """The window after an import that took eight guesses, and could not tell twice who is Eve."""
    know_where_they_stand(monkeypatch)
    made = seen.show(qtbot, MainWindow(session), (1467, 943))
    actions.import_photos(session, find_photos(tmp_path / "albums"))
    done(qtbot, session)
    return made


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> Iterator[Open]:
    """Open what waits, as a person does."""
    made: list[ImportSheet] = []

    def show() -> ImportSheet:
        qtbot.mouseClick(window.page.waits, Qt.MouseButton.LeftButton)
        sheet = window.findChildren(ImportSheet)[-1]
        made.append(sheet)
        sheet.resize(1400, 900)
        qtbot.waitUntil(sheet.leave_out.isEnabled, timeout=60_000)
        return sheet

    yield show
    for sheet in made:
        if isValid(sheet):
            sheet.done(0)


def done(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=60_000)


def waits(window: MainWindow) -> list[str]:
    """What People says of what waits."""
    names = button_names(window.page)
    return [
        line for name in names if "wait" in name or "guess" in name for line in name.split("\n")
    ]


def sources(session: Session) -> dict[str, int]:
    found = [photo.placement.source for photo in session.gallery.index.photos]
    return {source: found.count(source) for source in found}


def filters(sheet: ImportSheet) -> list[str]:
    return [button.text() for button in sheet.panel.grid.filter.findChildren(QPushButton)]


def of_several(sheet: ImportSheet) -> list[str]:
    """Return the keys of those on which it is not known who is meant: they follow the guesses."""
    sheet.panel.grid.filter.set_current(NEEDS_YOU)
    entries = sheet.panel.entries
    return [key for key in sheet.panel.grid.visible_keys() if entries[key].state == "choice"]


def press(sheet: ImportSheet, key: Qt.Key) -> None:
    QTest.keyClick(sheet.panel.grid.photos, key)


def test_guesses_are_shown_first_and_confirmed_in_one_go_and_one_undo(
    qtbot, session, window, opened, albums
):
    before, page = session.gallery, window.page
    assert waits(window) == ["2 photos wait", "8 guesses to confirm"]
    assert not any("left out" in name for name in button_names(window))
    qtbot.waitUntil(lambda: "Eve" in page.seen.index.people and len(page.seen.checks.concerns) == 9)
    (lone,) = page.seen.need_attention
    assert before.index.photos[lone].person == "Eve", "the guesses are said above"
    assert sources(session) == {"found": 5, "guess": GUESSED}
    sheet = opened()
    assert sheet.windowTitle() == "Photos that wait"
    assert filters(sheet) == ["All 10", "Needs you 10"]
    assert of_several(sheet) == sheet.panel.grid.visible_keys()[GUESSED:]
    assert sheet.leave_out.text() == "Leave all 10 out"
    assert sheet.note.text() == "8 to confirm, 2 still to decide."
    assert not sheet.start.isEnabled()
    button(sheet, "Confirm all 8").click()
    assert sheet.note.text() == "8 chosen, 2 still to decide."
    button(sheet, "Take 8 choices").click()
    done(qtbot, session)
    assert sources(session) == {"found": 5, "by hand": GUESSED}
    placed = {photo.path: photo.placement.eyes for photo in session.gallery.index.photos}
    assert {path: int(eyes.middle.real // 92) for path, eyes in placed.items() if eyes} == {
        path: at for path, at in albums.items() if path in placed
    }
    assert waits(window) == ["2 photos wait"]
    assert session.message.text == "8 guesses were confirmed. Ctrl+Z takes it back."
    assert session.history.can_undo == "choosing faces"
    session.undo()
    done(qtbot, session)
    assert session.gallery.index.photos == before.index.photos
    assert waits(window) == ["2 photos wait", "8 guesses to confirm"]


def test_a_number_takes_another_face_and_del_leaves_a_photo_out(
    qtbot, session, window, opened, albums
):
    sheet = opened()
    wanted = {}
    unsure, out = of_several(sheet)
    for key in (sheet.panel.grid.visible_keys()[0], unsure):
        path = Path(key)
        wanted[path] = (albums[path] + 1) % 3
        sheet.panel.grid.select(str(path))
        press(sheet, Qt.Key(Qt.Key.Key_1 + wanted[path]))
        qtbot.waitUntil(lambda: sheet.panel.review.all_applied, timeout=60_000)
    assert sheet.start.text() == "Take 2 choices"
    sheet.panel.grid.select(out)
    press(sheet, Qt.Key.Key_Delete)
    assert sheet.note.text() == "7 to confirm, 2 chosen, 1 to leave out."
    sheet.start.click()
    done(qtbot, session)
    placed = {p.path: p.placement for p in session.gallery.index.photos}
    assert {path: int(placed[path].eyes.middle.real // 92) for path in wanted} == wanted
    assert {placed[path].source for path in wanted} == {"by hand"}
    assert [str(file.path) for file in session.skipped if not file.needs_choice] == [out]
    assert waits(window) == ["7 guesses to confirm"]
    assert session.message.text.startswith(
        "1 guess was confirmed. 1 photo was added. 1 photo was left out."
    )
    session.undo()
    done(qtbot, session)
    assert sources(session) == {"found": 5, "guess": GUESSED}
    assert waits(window) == ["2 photos wait", "8 guesses to confirm"]


def test_all_are_left_out_and_one_undo_brings_them_back(qtbot, session, window, opened):
    before, skipped = session.gallery, session.skipped
    opened().leave_out.click()
    done(qtbot, session)
    assert sources(session) == {"found": 5}
    assert waits(window) == []
    assert "10 files left out" in button_names(window)
    assert session.message.text == "10 photos were left out. Ctrl+Z takes it back."
    for act, left in (("undo", 10), ("redo", 0), ("undo", 10)):
        getattr(session, act)()
        done(qtbot, session)
        assert len(waiting(session.skipped, session.gallery.index).photos) == left
    assert session.gallery.index.photos == before.index.photos
    assert set(session.skipped) == set(skipped)


def test_a_file_that_is_gone_says_so_and_goes_on_waiting(qtbot, session, window, opened, tmp_path):
    gone = tmp_path / "albums" / "Eve" / "7.png"
    gone.unlink()
    sheet = opened()
    assert sheet.panel.grid.visible_keys()[-1] == str(gone)
    sheet.panel.grid.select(str(gone))
    assert says(sheet, "The file is not there")
    button(sheet, "Confirm all 8").click()
    sheet.start.click()
    done(qtbot, session)
    qtbot.waitUntil(lambda: waits(window) == ["2 photos wait"])
