"""The import sheet: what it finds, how it names, how it cuts, and what it starts."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from skimage import data

from eigenfaces import FaceSet, Gallery, Preparation, Recipe, load_sample
from eigenfaces.importing.scan import Scan
from eigenfaces.photographs.find import FoundPhotos, Photo, Region
from eigenfaces.sample import PREPARATION as SAMPLE
from gui.photos.grid import TO_LOOK_AT
from gui.photos.options import FILE_NAMES, FOLDERS, MANIFEST, PHOTOGRAPHS, NameOptions
from gui.photos.sheet import ImportSheet
from gui.state import importing
from gui.state.jobs import JobKind
from gui.widgets.status_bar import JobLine
from gui.window.main_window import MainWindow
from tests.decodes import counted_decodes, write_photographs
from tests.gui import seen
from tests.gui.photos.conftest import OpenSheet
from tests.gui.state.gate import Gate
from tests.picture_files import picture, two_people


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return two_people(tmp_path / "faces")


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    """Two people × two photographs in one folder, named as the Yale faces are."""
    for person in (1, 2):
        for seed, look in enumerate(("happy", "sad")):
            picture(tmp_path / "flat" / f"subject0{person}.{look}.png", 10 * person + seed)
    return tmp_path / "flat"


def people_listed(sheet: ImportSheet) -> list[list[str]]:
    return seen.rows(sheet.people)


def test_a_folder_of_folders(session, open_sheet, folder, finish):
    (folder / "Katherine").mkdir()
    sheet = open_sheet(folder)
    assert people_listed(sheet) == [["Ada", "3"], ["Grace", "3"]]
    assert sheet.names.way == FOLDERS
    assert not sheet.names.ways.isVisible()  # there is no choice
    assert sheet.start.text() == "Add 6 photos of 2 people"
    assert sheet.note.text() == "6 photos found: 6 will be added."
    sheet.start.click()
    finish()
    assert session.gallery.people == ("Ada", "Grace")
    assert session.person == "Ada"
    assert session.gallery.preparation == Preparation(24, 20, already_cropped=True)


def test_a_flat_folder_comes_with_its_pattern_which_is_tried_as_it_is_typed(
    session, open_sheet, flat, finish
):
    sheet = open_sheet(flat)
    assert sheet.names.way == FILE_NAMES
    assert sheet.names.pattern.text() == "{person}.*.*"
    assert people_listed(sheet) == [["subject01", "2"], ["subject02", "2"]]
    sheet.names.pattern.setText("{person}.h*")
    assert people_listed(sheet) == [["subject01", "1"], ["subject02", "1"]]
    assert sheet.note.text() == "4 photos found: 2 will be added, 2 left out."
    grid = sheet.panel.grid
    grid.photos.setFixedHeight(140)
    seen.button(grid, "Left out 2").click()
    names = [Path(key).name for key in grid.visible_keys()]
    assert names[2:] == ["subject01.sad.png", "subject02.sad.png"], "last, and faint"
    place = grid.photos.visualRect(grid.photos.faces.index(2, 0))
    assert grid.photos.viewport().rect().contains(place.center()), "and come into view"
    grid.filter.set_current(TO_LOOK_AT)
    assert [Path(key).name for key in grid.visible_keys()] == names[2:], "here as well"
    grid.select(grid.visible_keys()[0])
    assert "does not match" in sheet.panel.editor.status.text.text()
    assert not sheet.panel.editor.leave_out.isEnabled()
    sheet.start.click()
    finish()
    assert len(session.gallery.faces) == 2
    assert len(session.skipped) == 2


def test_a_flat_folder_can_be_added_without_names(open_sheet: OpenSheet, flat: Path) -> None:
    sheet = open_sheet(flat)
    for pattern, fits in (("no name here", False), ("{person}.*", True)):
        sheet.names.pattern.setText(pattern)
        assert ("{person}" in sheet.names.trouble.text()) == sheet.names.trouble.isVisible() != fits
        assert sheet.start.isEnabled() == fits
    sheet.names.ways.set_current(FOLDERS)
    assert people_listed(sheet) == [["Nobody (Unknown)", "4"]]
    assert not sheet.people.isVisible()
    assert "similar faces will be grouped" in sheet.names.sentence.text()
    assert sheet.start.text() == "Add 4 photos"


def test_where_another_program_has_named_some_no_folder_is_said_to_be_a_person(qapp) -> None:
    ada = Photo(Path("1.jpg"), "Ada", regions=(Region((10.0, 10.0, 40.0), "Ada"),))
    found = FoundPhotos((ada, Photo(Path("2.jpg"))))
    options = NameOptions([])
    options.show_scan(Scan("folder", found, None, Preparation()), [])
    first, _, second = options.sentence.text().partition(". ")
    assert (first, second[:28]) == ("1 photo already has a name", "Next, similar faces will be ")
    options.show_scan(Scan("files", FoundPhotos((ada,)), None, Preparation()), [])
    assert options.sentence.text() == "1 photo already has a name."


def test_a_manifest(open_sheet: OpenSheet, flat: Path) -> None:
    manifest = flat.parent / "list.csv"
    lines = ["path;label", "flat/subject01.sad.png;Ada", "flat/subject02.sad.png;"]
    manifest.write_text("\n".join(lines), encoding="utf-8")
    sheet = open_sheet(manifest)
    assert sheet.names.way == MANIFEST
    assert people_listed(sheet) == [["Ada", "1"]]
    assert sheet.note.text() == "2 photos found: 1 will be added, 1 left out."
    assert sheet.start.text() == "Add 1 photo of 1 person"


def test_several_files_show_whom_one_says(trained_session, open_sheet, folder, finish):
    sheet = open_sheet([folder / "Ada" / "0.png", folder / "Ada" / "1.png"])
    assert not sheet.names.ways.isVisible()
    assert sheet.names.person.suggestions()[0] == "Ada"  # of the gallery
    assert people_listed(sheet) == [["Nobody (Unknown)", "2"]]
    sheet.names.person.setText("ADA")  # who is known, however typed
    assert people_listed(sheet) == [["Ada", "2"]]
    sheet.names.person.setText("Eve")
    assert people_listed(sheet) == [["Eve", "2"]]
    sheet.start.click()
    finish()
    assert len(trained_session.gallery.index.rows_of("Eve")) == 2


def test_nothing_to_find_is_a_sentence(qtbot: QtBot, open_sheet: OpenSheet, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    sheet = open_sheet(empty)
    assert sheet.trouble.isVisible()
    assert "There are no photos in" in sheet.trouble.text.text()
    assert not sheet.start.isVisible()
    picture(empty / "Ada" / "1.png", 1)
    seen.button(sheet, "Look again").click()
    qtbot.waitUntil(lambda: sheet.start.isVisible() and sheet.start.isEnabled())
    assert people_listed(sheet) == [["Ada", "1"]]


def test_photographs_or_cut_faces(session, open_sheet, flat, settle):
    sheet = open_sheet(flat)
    assert sheet.faces.sentence.text() == "The pictures are already cropped faces."
    assert "20 × 24 pixels" in sheet.faces.sentence.toolTip()
    assert sheet.faces.preparation == Preparation(24, 20, already_cropped=True)
    sheet.faces.kind.set_current(PHOTOGRAPHS)
    settle(sheet)
    assert sheet.note.text() == "4 photos found: 4 need your choice."
    assert sheet.faces.preparation == Preparation(24, 20)


def test_a_photograph_added_to_cut_faces_is_searched_for_its_face(
    trained_session, open_sheet, folder, tmp_path
):
    """The whole of a group photograph, taken for a face, had a green tick."""
    sheet = open_sheet(picture(tmp_path / "holiday.png", 1, (640, 420)))
    assert sheet.faces.kind.current == PHOTOGRAPHS
    assert open_sheet(folder).faces.preparation == trained_session.gallery.preparation


@pytest.mark.parametrize("looked", [True, False])
def test_closing_changes_nothing_also_while_it_looks(session, open_sheet, folder, finish, looked):
    sheet = open_sheet(folder) if looked else ImportSheet(session, folder)
    sheet.show()
    sheet.cancel.click()
    finish()
    assert not isValid(sheet) or not sheet.isVisible()
    assert session.project is session.message is None


def test_it_says_what_it_waits_for(qtbot, session, folder):
    reading = Gate()
    session.run(JobKind.IMPORT, "Reading 9 photos", reading.work, lambda _: None)
    sheet = ImportSheet(session, folder)
    assert sheet.looking.text() == "Waiting for “Reading 9 photos”…"
    reading.open.set()
    qtbot.waitUntil(lambda: sheet.looking.text() == "Looking for photos…")
    qtbot.waitUntil(lambda: session.jobs.current is None)
    sheet.close()


def test_the_gallery_counts_as_it_is_when_the_photos_are_found(qtbot, session, folder, flat):
    session.run(JobKind.IMPORT, "Reading", lambda tick: None, lambda _: None)
    sheet = ImportSheet(session, folder)
    session.apply(
        "the face size", lambda gallery: Gallery.new(Preparation(32, 30, already_cropped=True))
    )
    faces = FaceSet.from_arrays(np.full((1, 32, 30), 0.5), ["Zoe"])
    session.apply("add", lambda gallery: gallery.enrol(faces))
    sheet.show()
    qtbot.waitUntil(lambda: session.jobs.current is None)
    assert sheet.faces.preparation == Preparation(32, 30, already_cropped=True)
    assert "Zoe" in sheet.names.person.suggestions()
    sheet.close()


def test_where_faces_of_another_size_have_come_meanwhile_it_stays_and_says_so(
    session, open_sheet, flat
):
    """Nothing of what was chosen on it is lost."""
    sheet = open_sheet(flat)
    faces = FaceSet.from_arrays(np.full((1, 32, 30), 0.5), ["Zoe"])
    session.apply("add", lambda _: Gallery.new(Preparation(32, 30, True)).enrol(faces))
    sheet.start.click()
    assert sheet.isVisible()
    assert "have a different size" in sheet.note.text()
    assert not session.jobs.is_busy(JobKind.IMPORT)


EVERY_FACE = {"face.png", "large.jpg", "mirrored.jpg", "sideways.png"}


@pytest.fixture
def add(qtbot, session, finish):
    """Press the button; return the names of what is in the gallery then."""

    def press(sheet: ImportSheet) -> set[str]:
        qtbot.waitUntil(sheet.start.isEnabled, timeout=60_000)
        sheet.start.click()
        finish()
        return {photo.path.name for photo in session.gallery.index.photos}

    return press


def test_thumbnails_and_faces_are_of_one_decode(tmp_path, open_sheet, add):
    folder = write_photographs(tmp_path / "people")
    with counted_decodes(folder) as decodes:
        names = add(open_sheet(folder))
    assert names - {"two.png"} == EVERY_FACE
    (large,) = (name for name, times in decodes.items() if times > 1)  # the one in the editor
    assert {**decodes, large: 1} == dict.fromkeys(names | {"two.png", "none.png"}, 1)


def test_what_is_added_is_what_was_seen_whatever_becomes_of_the_files(tmp_path, open_sheet, add):
    folder = write_photographs(tmp_path / "people")
    sheet = open_sheet(folder)
    for file in folder.rglob("*.*"):
        file.unlink()
    assert add(sheet) - {"two.png"} == EVERY_FACE


def test_a_photo_that_comes_later_to_cut_faces_is_searched_for_its_face(
    open_gallery, tmp_path, finish
):
    """As “Add them” does after a look at the folders: nobody has said that it is only a face."""
    faces = load_sample().select(range(0, 60, 10))
    session = open_gallery(Gallery(faces, SAMPLE, Recipe()).train())
    path = tmp_path / "room.png"
    Image.fromarray(data.astronaut()).resize((640, 640)).save(path)
    importing.import_photos(session, FoundPhotos((Photo(path, "Eileen"),)))
    finish()
    (row,) = session.gallery.index.rows_of("Eileen")
    eyes = session.gallery.index.photos[row].placement.eyes
    assert eyes is not None
    assert eyes.distance < 60


def test_while_it_reads_there_is_one_cancel_and_how_far_it_is(qtbot, session, open_sheet, folder):
    window = seen.show(qtbot, MainWindow(session), (1280, 720))
    sheet, reading = open_sheet(folder), Gate()
    assert not sheet.progress.isVisible()
    session.run(JobKind.REVIEW, "Checking the photos", reading.work, lambda _: None)
    qtbot.waitUntil(lambda: sheet.progress.isVisible() and sheet.progress.maximum() == 4)
    for line in window.findChildren(JobLine):
        line.patience.timeout.emit()  # it has taken longer than a moment
    names = [*seen.button_names(sheet), *seen.button_names(window)]
    assert [name for name in names if "Cancel" in name] == ["Cancel"]
    assert seen.unread(sheet) == []
    reading.open.set()
    qtbot.waitUntil(lambda: not sheet.progress.isVisible())
