"""The photo editor: real faces found, chosen, shown by hand, turned, left out."""

from pathlib import Path

import numpy as np
import pytest
from astronaut import off, small_face
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from eigenfaces import EigenfacesError, Preparation
from eigenfaces.faces.detect import FoundFace, find_faces
from eigenfaces.importing.entries import Entry
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats
from gui.photos.grid import ALL, TO_LOOK_AT, draw_tile
from gui.photos.sheet import ImportSheet
from gui.style.images import rgb_array
from tests.gui.photos.conftest import EYES, FACE, NOISE, entries, press, press_undo, write_pictures

FACES: dict[bytes, tuple[FoundFace, ...]] = {}
"""Those of each picture: these tests show the same few again and again."""


@pytest.fixture
def folder(tmp_path):
    """One photograph each with a face, with two, without any, and upside down."""
    two = np.concatenate([FACE, FACE[:, ::-1]], axis=1)
    pictures = {"1": FACE, "2": two, "3": NOISE, "4": np.rot90(FACE, 2)}
    return write_pictures(tmp_path / "photos" / "Ada", pictures).parent


@pytest.fixture
def sheet(folder, open_sheet, monkeypatch):
    """The sheet, when it has looked at everything."""

    def find_once(grey: Floats, finer: int = 1) -> tuple[FoundFace, ...]:
        key = grey.tobytes() + bytes([finer])
        if key not in FACES:
            FACES[key] = find_faces(grey, finer)
        return FACES[key]

    monkeypatch.setattr("eigenfaces.faces.read.find_faces", find_once)
    monkeypatch.setattr("eigenfaces.faces.network.is_installed", lambda: False)  # one has to choose
    return open_sheet(folder)


def choose(sheet: ImportSheet, name: str) -> None:
    sheet.panel.grid.select(str(entry(sheet, name).photo.path))


def entry(sheet: ImportSheet, name: str) -> Entry:
    return next(entry for path, entry in entries(sheet).items() if path.stem == name)


def eyes(sheet: ImportSheet, name: str) -> Eyes:
    reading = entry(sheet, name).reading
    assert reading is not None
    assert reading.eyes is not None
    return reading.eyes


def shown(sheet: ImportSheet) -> list[str]:
    return [Path(key).stem for key in sheet.panel.grid.visible_keys()]


def second_face(sheet: ImportSheet) -> int:
    """The number of the face on the right of the photograph with two: of the mirror image."""
    faces = sheet.panel.review.detected_eyes(entry(sheet, "2").photo.path)
    return max(range(len(faces)), key=lambda number: faces[number].middle.real)


def test_every_photograph_is_looked_at_and_the_filters_show_their_part(sheet):
    assert sheet.note.text() == "4 photos found: 1 will be added, 3 need your choice."
    assert sheet.start.text() == "Add 1 photo of 1 person"
    assert off(eyes(sheet, "1"), EYES) < 0.1
    titles = [entry(sheet, name).concerns[0].title for name in "234"]
    assert titles == ["Several faces", "No face found", "No face found"]
    grid = sheet.panel.grid
    assert [button.text() for button in grid.filter.buttons] == ["All 4", "To review 3"]
    for name, numbers in ((ALL, "1234"), (TO_LOOK_AT, "234")):
        grid.filter.set_current(name)
        assert shown(sheet) == list(numbers)


def test_the_photos_of_the_sheet_and_their_faces_are_in_colour(sheet):
    tile = draw_tile(entry(sheet, "1"))
    for part in (tile.copy(0, 0, 192, 176), tile.copy(200, 0, 144, 176)):
        colours = rgb_array(part).astype(int)
        assert np.ptp(colours, axis=2).max() > 40, "grey has three equal values"


def test_a_click_a_box_and_eyes_say_which_face_is_meant(sheet, settle) -> None:
    view, review = sheet.panel.editor.view, sheet.panel.review
    choose(sheet, "2")
    path, other = entry(sheet, "2").photo.path, second_face(sheet)
    faces = review.detected_eyes(path)
    view.face_chosen.emit(other)
    settle(sheet)
    assert entry(sheet, "2").state == "added"
    assert off(eyes(sheet, "2"), faces[other]) < 1e-9
    assert "You showed where" in sheet.panel.editor.status.text.text()
    assert len(review.detected_eyes(path)) == len(faces) == 2, "others stay on offer"
    choose(sheet, "1")
    left, top, size = EYES.box
    view.face_placed.emit(Eyes.in_box(left + 0.08 * size, top - 0.06 * size, 1.1 * size), False)
    settle(sheet)
    assert off(eyes(sheet, "1"), EYES) < 0.1
    choose(sheet, "3")
    exact = Eyes((50.0, 45.0), (90.0, 50.0))
    view.face_placed.emit(exact, True)
    settle(sheet)
    assert (eyes(sheet, "3"), entry(sheet, "3").state) == (exact, "added")


def test_turning_finds_the_face_of_a_photograph_upside_down(sheet, settle):
    choose(sheet, "4")
    for _ in range(2):
        sheet.panel.editor.right.click()
        settle(sheet)
    assert entry(sheet, "4").state == "added"
    assert off(eyes(sheet, "4"), EYES) < 0.1
    for _ in range(2):
        sheet.panel.editor.right.click()  # each on top of the last, without waiting for it
    settle(sheet)
    assert sheet.panel.review.turned(entry(sheet, "4").photo.path) == 0
    assert entry(sheet, "4").state == "choice"


def test_searching_again_finds_a_face_that_is_upside_down(sheet, settle):
    choose(sheet, "4")
    sheet.panel.editor.again.click()
    settle(sheet)
    assert sheet.panel.review.turned(entry(sheet, "4").photo.path) == 2
    assert entry(sheet, "4").state == "added"
    assert off(eyes(sheet, "4"), EYES) < 0.1
    assert "turned it upright" in sheet.panel.editor.status.text.text()


def test_a_photograph_that_was_turned_by_itself_is_turned_back_and_forth(sheet, folder, settle):
    path = folder / "Ada" / "1.png"
    Image.open(path).rotate(90, expand=True).save(path)
    sheet.panel.begin(sheet.panel.review.found, sheet.faces.preparation)
    sheet.panel.read()
    settle(sheet)
    choose(sheet, "1")
    assert (sheet.panel.review.turned(path), entry(sheet, "1").state) == (1, "added")
    editor = sheet.panel.editor
    for button, *now in ((editor.left, 0, "choice", False), (editor.right, 1, "added", True)):
        button.click()
        settle(sheet)
        is_told = "The program turned it upright." in editor.status.text.text()
        assert [entry(sheet, "1").reading.turned, entry(sheet, "1").state, is_told] == now
    assert off(eyes(sheet, "1"), EYES) < 0.1


def test_a_photograph_is_said_to_be_a_face_already_and_stays_so_when_it_is_turned(sheet, settle):
    choose(sheet, "3")
    for key in (Qt.Key.Key_C, Qt.Key.Key_R):
        press(sheet, key)
        settle(sheet)
        assert entry(sheet, "3").state == "added"
        assert sheet.panel.editor.status.text.text() == "The whole photo is the face."
    reading = entry(sheet, "3").reading
    assert (reading.eyes, reading.turned, reading.crop.shape) == (None, 1, (112, 92))
    assert sheet.panel.editor.whole.text() == "Find the face"
    sheet.panel.editor.whole.click()
    settle(sheet)
    assert entry(sheet, "3").concerns[0].title == "No face found"


def test_a_small_face_is_found_by_searching_again(sheet, folder, settle):
    small_face().save(folder / "Ada" / "3.png")
    sheet.panel.begin(sheet.panel.review.found, sheet.faces.preparation)
    sheet.panel.read()
    settle(sheet)
    choose(sheet, "3")
    assert entry(sheet, "3").concerns[0].title == "No face found"
    sheet.panel.editor.again.click()
    settle(sheet)
    assert entry(sheet, "3").state == "added"
    assert 200 < eyes(sheet, "3").middle.real < 237
    choose(sheet, "2")
    press(sheet, Qt.Key.Key_S)
    settle(sheet)
    assert len(sheet.panel.review.detected_eyes(entry(sheet, "2").photo.path)) == 2
    sheet.panel.editor.view.face_chosen.emit(1)
    settle(sheet)
    assert entry(sheet, "2").state == "added"
    assert sheet.panel.editor.undo_button.toolTip() == "Undo choosing the face (Ctrl+Z)"
    for title in ("searching 1 photo again", "searching 1 photo again"):
        press_undo(sheet)
        settle(sheet)
        assert sheet.panel.editor.undo_button.toolTip() == f"Undo {title} (Ctrl+Z)"
    press_undo(sheet)
    settle(sheet)
    assert entry(sheet, "3").state == "choice"


def test_all_corrections_can_be_undone_by_keys(sheet, settle):
    start = {name: entry(sheet, name).state for name in "1234"}
    choose(sheet, "3")
    sheet.panel.editor.place_face(EYES, exact=True)
    settle(sheet)
    for key in (Qt.Key.Key_R, Qt.Key.Key_Delete):
        press(sheet, key)
        settle(sheet)
    assert entry(sheet, "3").by_hand
    assert sheet.panel.editor.leave_out.text() == "Include"
    for state in ("choice", "added", "choice"):
        press_undo(sheet)
        settle(sheet)
        assert entry(sheet, "3").state == state
    assert {name: entry(sheet, name).state for name in "1234"} == start
    assert not sheet.panel.editor.undo_button.isEnabled()


def test_a_damaged_file_can_only_be_left_out(tmp_path, open_sheet):
    folder = write_pictures(tmp_path / "Ada", {"1": FACE})
    (folder / "5.png").write_bytes(b"no picture")
    sheet = open_sheet(folder)
    choose(sheet, "5")
    editor = sheet.panel.editor
    assert not any(part.isEnabled() for part in (editor.view, editor.left, editor.right))
    assert editor.leave_out.isEnabled()
    choose(sheet, "1")
    assert editor.left.isEnabled()


def test_what_is_corrected_stays_under_its_filter_until_one_goes_on_and_is_added_so(
    qtbot, session, sheet, settle, monkeypatch
):
    grid = sheet.panel.grid
    grid.filter.set_current(TO_LOOK_AT)
    choose(sheet, "2")
    sheet.panel.editor.view.face_chosen.emit(second_face(sheet))
    settle(sheet)
    assert shown(sheet) == ["2", "3", "4"]
    grid.select_next()
    sheet.panel.refresh()
    assert shown(sheet) == ["3", "4"]
    wanted = [eyes(sheet, name) for name in "12"]

    def searched(*_: object) -> None:
        raise AssertionError("found already")

    monkeypatch.setattr("eigenfaces.faces.read.find_faces", searched)
    sheet.start.click()
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=20_000)
    photos = session.gallery.index.photos
    assert [photo.placement.eyes for photo in photos] == wanted
    assert [photo.placement.source for photo in photos] == ["found", "by hand"]
    assert session.gallery.preparation == Preparation()
    assert session.message.text == "2 photos were added. 2 photos need you to choose a face."


def test_corrections_are_not_lost_by_one_escape(sheet, settle, monkeypatch):
    answers = [QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Discard]
    monkeypatch.setattr(QMessageBox, "question", lambda *_: answers.pop(0))
    choose(sheet, "1")
    sheet.panel.editor.toggle_left_out()
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert sheet.isVisible()
    sheet.panel.editor.turn(1)
    settle(sheet)
    assert sheet.panel.review.all_corrections_applied, "it still reads"
    assert sheet.close()
    assert not answers


def test_keys_count_on_the_photographs_alone_and_for_all_selected(session, sheet):
    photos, review = sheet.panel.grid.photos, sheet.panel.review
    press(sheet, Qt.Key.Key_Return)
    assert sheet.isVisible()
    assert session.jobs.current is None
    sheet.names.pattern.parentWidget().show()
    for field in (sheet.names.pattern, sheet.cancel):
        field.setFocus()
        QTest.keyClicks(field, "r1")
    assert review.undo_title is None
    photos.setFocus()
    photos.selectAll()
    press(sheet, Qt.Key.Key_Delete)
    assert sheet.note.text() == "4 photos found: 4 left out."
    assert not sheet.start.isEnabled()
    sheet.panel.editor.undo()
    assert "4 left out" not in sheet.note.text()


@pytest.mark.parametrize("job", ["map_photos", "Undecided.choices"])
def test_where_all_of_a_look_fails_the_photographs_can_be_added_all_the_same(
    session, folder, open_sheet, monkeypatch, job
):
    def fail(*_: object) -> None:
        raise EigenfacesError("The coordinates are damaged.")

    monkeypatch.setattr(f"gui.photos.review.{job}", fail)
    sheet = open_sheet(folder)
    assert session.message.text == "The coordinates are damaged."
    assert not sheet.panel.is_comparing
    assert sheet.start.isEnabled()
