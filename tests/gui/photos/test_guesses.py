"""Several faces on a photograph: guesses are listed, confirmed in one go, changed by a key."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from eigenfaces import load_sample
from eigenfaces.importing.correct import read_for_review
from eigenfaces.photographs.placement import Eyes
from gui.photos.grid import TO_LOOK_AT
from gui.photos.sheet import ImportSheet
from gui.state import actions
from gui.state.jobs import JobKind
from gui.state.session import Session
from tests.groups import know_where_they_stand, write_albums
from tests.gui import seen
from tests.gui.photos.conftest import entries, press, press_undo
from tests.gui.seen import button

Truth = dict[Path, int]


@pytest.fixture
def albums(tmp_path, monkeypatch) -> Truth:
    """Five people × three photographs; on one of these they are alone."""
    know_where_they_stand(monkeypatch)
    return write_albums(tmp_path / "albums", load_sample(), 5, 3, alone=1)


@pytest.fixture
def sheet(albums, open_sheet, tmp_path) -> ImportSheet:
    return open_sheet(tmp_path / "albums")


def bar(sheet: ImportSheet) -> str:
    """What the bar above the photographs says; "" if there is none."""
    shown = sheet.panel.grid.guessed
    return shown.text.text() if shown.isVisible() else ""


def numbers(eyes: dict[Path, Eyes | None]) -> Truth:
    """Which face from the left it is on each photograph."""
    return {path: int(where.middle.real // 92) for path, where in eyes.items() if where}


def taken(sheet: ImportSheet) -> Truth:
    """Which face is cut from each photograph."""
    return numbers({path: e.reading and e.reading.eyes for path, e in entries(sheet).items()})


def added(session: Session) -> tuple[Truth, dict[Path, str]]:
    """Which face was enrolled from each photograph, and who has chosen it."""
    placements = {photo.path: photo.placement for photo in session.gallery.index.photos}
    return (
        numbers({path: placement.eyes for path, placement in placements.items()}),
        {path: placement.source for path, placement in placements.items()},
    )


def test_all_guesses_are_looked_at_confirmed_in_one_go_and_undone(sheet, albums, settle):
    assert sheet.note.text() == "15 photos found: 15 will be added (10 guesses)."
    assert taken(sheet) == albums
    assert bar(sheet) == "10 guesses: press Enter to confirm one, or 1–9 to choose another face."
    faces = {face.key: face for face in sheet.panel.grid.photos.faces.faces()}
    for path, entry in entries(sheet).items():
        face = faces[str(path)]
        assert face.subcaption == f"{path.parent.name}{'?' * entry.guessed}"
        assert ("other photos" in face.warning) == entry.guessed == (int(path.stem) >= 1)
    sheet.panel.grid.filter.set_current(TO_LOOK_AT)
    assert len(sheet.panel.grid.visible_keys()) == 10
    button(sheet, "Confirm all 10").click()
    settle(sheet)
    assert bar(sheet) == ""
    assert sheet.note.text() == "15 photos found: 15 will be added."
    assert taken(sheet) == albums
    press_undo(sheet)
    settle(sheet)
    assert "(10 guesses)" in sheet.note.text()


def test_a_number_takes_another_face_enter_confirms_and_that_is_added(
    session, sheet, albums, settle, finish
):
    sheet.panel.grid.filter.set_current(TO_LOOK_AT)
    first, second, third = (Path(key) for key in sheet.panel.grid.visible_keys()[:3])
    sheet.panel.grid.select(str(first))
    assert "The chosen one looks like" in sheet.panel.editor.status.text.text()
    other = (albums[first] + 1) % 3
    press(sheet, Qt.Key(Qt.Key.Key_1 + other))
    settle(sheet)
    assert taken(sheet)[first] == other
    sheet.panel.grid.select(str(second))
    press(sheet, Qt.Key.Key_Return)
    settle(sheet)
    assert sheet.panel.grid.selected() == [str(third)]
    button(sheet, f"It is face {albums[third] + 1}").click()
    settle(sheet)
    assert taken(sheet) == albums | {first: other}
    assert not any(entries(sheet)[path].guessed for path in (first, second, third))
    assert "(7 guesses)" in sheet.note.text()
    sheet.start.click()
    finish()
    faces, sources = added(session)
    assert (faces, sources[first]) == (albums | {first: other}, "by hand")


def test_with_few_photographs_the_likely_face_waits_and_all_selected_are_taken_by_a_key(
    tmp_path, open_sheet, settle, monkeypatch
):
    know_where_they_stand(monkeypatch)
    write_albums(tmp_path / "albums", load_sample(), 4, 1)
    sheet = open_sheet(tmp_path / "albums")
    assert sheet.note.text() == "4 photos found: 4 need your choice."
    assert bar(sheet) == ""
    view = sheet.panel.editor.view
    assert view.faces.index(view.chosen) == 1, "the one in the middle"
    assert "do not show which one is Person 1" in sheet.panel.editor.status.text.text()
    sheet.panel.grid.photos.selectAll()
    press(sheet, Qt.Key.Key_Return)
    settle(sheet)
    assert sheet.note.text() == "4 photos found: 4 will be added."
    assert set(taken(sheet).values()) == {1}


@pytest.mark.parametrize("read", [0, 4])
def test_what_is_not_compared_when_start_is_pressed_is_chosen_by_the_same_rule(
    qtbot, session, albums, tmp_path, monkeypatch, settle, finish, read
):
    sheet = ImportSheet(session, tmp_path / "albums")
    sheet.show()
    qtbot.waitUntil(lambda: len(sheet.panel.entries) == len(albums), timeout=60_000)
    session.jobs.cancel(JobKind.REVIEW)
    settle(sheet)
    cut, enrolled = sheet.faces.preparation, session.gallery.faces
    for task in sheet.panel.review.tasks()[:read]:
        sheet.panel.review.add_reading(read_for_review(task, cut, enrolled))
    monkeypatch.setattr(sheet.panel, "_choose_among", lambda _: None)  # it takes too long
    sheet.panel.refresh()
    assert sheet.start.text() == "Add 15 photos of 5 people"
    sheet.start.click()
    finish()
    sources = {path: "guess" if int(path.stem) >= 1 else "found" for path in albums}
    assert added(session) == (albums, sources)
    assert "Confirm 10 guesses on People." in session.message.text


def test_the_others_on_group_photographs_are_taken_without_names_if_one_says_so(
    session, sheet, albums, settle, finish
):
    assert sheet.others.text() == "Also add the 20 other faces\nin these photos"
    sheet.others.setChecked(True)
    path = next(path for path, entry in entries(sheet).items() if entry.guessed)
    sheet.panel.grid.select(str(path))
    eyes = sheet.panel.review.detected_eyes(path)[albums[path]]
    sheet.panel.editor.place_face(Eyes.at(eyes.middle + 2, eyes.across), exact=True)
    settle(sheet)
    sheet.start.click()
    finish()
    index = session.gallery.index
    assert len(index.photos) == 15 + 20
    assert all(len(index.rows_of(who)) == 3 for who in index.people)
    unknown = [photo for photo in index.photos if photo.person is None]
    at = {(photo.path, int(photo.placement.eyes.middle.real // 92)) for photo in unknown}
    assert not at & albums.items()
    assert len(at) == len({photo.id for photo in unknown}) == 20


def test_all_of_it_is_read_aloud(sheet):
    assert seen.unread(sheet) == []


def test_that_the_others_are_taken_is_not_remembered_for_photos_that_come_later(
    session, sheet, albums, tmp_path, settled, monkeypatch
):
    """“Add them” takes whom the folder names, and asks nothing: the others are nobody’s choice."""
    sheet.others.setChecked(True)
    sheet.start.click()
    settled()
    before = len(session.gallery.faces)
    assert before == 15 + 20
    write_albums(tmp_path / "more", load_sample(), 1, 4)
    new = tmp_path / "albums" / "Person 1" / "new.png"
    (tmp_path / "more" / "Person 1" / "3.png").rename(new)
    actions.look_for_new(session)
    settled()
    look = session.message.look
    assert [photo.path for photo in look.found.photos] == [new]
    actions.take_over(session, look)
    settled()
    (added,) = session.gallery.index.photos[before:]
    assert (added.path, added.person) == (new, "Person 1")
