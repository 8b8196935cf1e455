"""Folders of events on the import sheet: proposed, taken by itself or one alone, and undone."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import FaceSet, load_sample
from gui.photos.sheet import ImportSheet
from tests.groups import know_where_they_stand, masked, write_albums
from tests.gui import seen

CHRISTMAS, SUMMER, ADA = "2022 Christmas", "Summer", "Person 1"
NOBODY = "Nobody (Unknown)"


def write_event(folder: Path, faces: FaceSet, first: int) -> None:
    """Write five photos of ten people, two on each, whom nobody sees again."""
    folder.mkdir(parents=True)
    for number in range(5):
        rows = [first + 20 * number, first + 20 * number + 10]
        pair = [masked(faces.image(row), row) for row in rows]
        levels = np.rint(np.concatenate(pair, axis=1) * 255).astype(np.uint8)
        Image.fromarray(levels).save(folder / f"{number}.png")


@pytest.fixture
def albums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for albums, which has that of one event."""
    know_where_they_stand(monkeypatch)
    write_event(tmp_path / "albums" / CHRISTMAS, load_sample(), 0)
    return tmp_path / "albums"


@pytest.fixture
def events(albums: Path) -> Path:
    """Two events, and nobody has a folder."""
    write_event(albums / SUMMER, load_sample(), 120)
    return albums


@pytest.fixture
def mixed(albums: Path) -> Path:
    """An event, and a folder of one person."""
    write_albums(albums, load_sample(), 1, 5, alone=5)
    return albums


def listed(sheet: ImportSheet) -> dict[str, str]:
    """Return who is listed, with the number of photos."""
    return dict(seen.rows(sheet.people))


def test_where_no_folder_is_of_one_person_they_are_taken_as_events(
    session, events, open_sheet, finish
):
    sheet = open_sheet(events)
    assert sheet.are_events.isVisible()
    assert sheet.are_events.isChecked(), "set by itself"
    assert sheet.mixed.text() == "2 of 2 folders seem to contain several people."
    assert listed(sheet) == {NOBODY: "10"}
    assert sheet.start.text() == "Add 10 photos"
    assert sheet.note.text() == (
        "10 photos found: 10 will be added. 10 photos show several people: all 20 faces in them "
        "will be added."
    )
    assert seen.unread(sheet) == []
    sheet.start.click()
    finish()
    assert session.gallery.people == ()
    assert len(session.gallery.faces) == 20, "everybody on the photos"
    (folder,) = session.project.content.folders
    assert folder.events == (CHRISTMAS, SUMMER)
    session.undo()
    finish()
    assert len(session.gallery.faces) == len(session.project.content.folders) == 0, "one step"


def test_what_was_set_by_itself_is_taken_back_in_one_step_and_stays_so(events, open_sheet, settle):
    sheet = open_sheet(events)
    sheet.are_events.click()
    settle(sheet)
    assert not sheet.are_events.isChecked()
    assert listed(sheet) == {CHRISTMAS: "5", SUMMER: "5"}
    sheet.panel.refresh()
    settle(sheet)
    assert not sheet.are_events.isChecked(), "nobody is asked twice"
    sheet.are_events.click()
    settle(sheet)
    assert listed(sheet) == {NOBODY: "10"}


def test_beside_the_folder_of_a_person_it_is_only_proposed(mixed, open_sheet):
    sheet = open_sheet(mixed)
    assert sheet.are_events.isVisible()
    assert not sheet.are_events.isChecked()
    assert sheet.mixed.text() == "1 of 2 folders seems to contain several people."
    assert listed(sheet) == {CHRISTMAS: "5", ADA: "5"}
    assert not sheet.one_event.isVisible(), "no row is selected"


def test_one_row_alone_is_an_event_and_all_are_people_again_in_one_step(
    session, mixed, open_sheet, settle, finish
):
    sheet = open_sheet(mixed)
    sheet.people.select_row([*listed(sheet)].index(CHRISTMAS))
    assert sheet.one_event.text().endswith("” is not a person"), "whatever the name"
    assert sheet.one_event.toolTip() == f"“{CHRISTMAS}” is not a person"
    sheet.one_event.click()
    settle(sheet)
    assert listed(sheet) == {ADA: "5", NOBODY: "5"}
    assert not sheet.are_events.isChecked()
    assert sheet.one_event.text() == "The folders are people after all"
    sheet.one_event.click()
    settle(sheet)
    assert listed(sheet) == {CHRISTMAS: "5", ADA: "5"}
    sheet.people.select_row([*listed(sheet)].index(CHRISTMAS))
    sheet.one_event.click()
    settle(sheet)
    sheet.start.click()
    finish()
    assert session.gallery.people == (ADA,)
    assert len(session.gallery.faces) == 15
