"""The import sheet: what it finds, how it names, how it cuts, and what it starts."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from eigenfaces import FaceSet, Gallery, Preparation
from gui.photos.options import FILE_NAMES, FOLDERS, MANIFEST, PHOTOGRAPHS
from gui.photos.sheet import ImportSheet
from gui.state.session import Session
from tests.gui import seen
from tests.picture_files import picture, two_people

MakeSheet = Callable[[Path | list[Path]], ImportSheet]


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


@pytest.fixture
def make(qtbot: QtBot, session: Session) -> Iterator[MakeSheet]:
    """Open a sheet and wait until it has looked."""
    made: list[ImportSheet] = []

    def opened(source: Path | list[Path]) -> ImportSheet:
        sheet = ImportSheet(session, source)
        made.append(sheet)
        sheet.resize(1400, 900)
        sheet.show()
        found = sheet.stages
        qtbot.waitUntil(
            lambda: found.currentIndex() > 0 and not session.jobs.current, timeout=20_000
        )
        return sheet

    yield opened
    for sheet in made:
        if isValid(sheet):
            sheet.close()


def found(sheet: ImportSheet) -> list[tuple[str, str]]:
    return [(person, photos) for person, photos in seen.rows(sheet.people)]


def finish(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=20_000)


def test_a_folder_of_folders(qtbot: QtBot, session: Session, make: MakeSheet, folder: Path) -> None:
    sheet = make(folder)
    assert found(sheet) == [("Ada", "3"), ("Grace", "3")]
    assert sheet.names.way == FOLDERS
    assert not sheet.names.ways.isVisible()  # there is no choice
    assert sheet.start.text() == "Add 6 photos of 2 people"
    assert sheet.note.text() == "6 photos found: 6 will be added."
    sheet.start.click()
    finish(qtbot, session)
    assert session.gallery.people == ("Ada", "Grace")
    assert session.gallery.preparation == Preparation(24, 20, already_cropped=True)


def test_a_person_without_a_photograph_is_told(make: MakeSheet, folder: Path) -> None:
    (folder / "Katherine").mkdir()
    said = "6 photos found: 6 will be added. There is no photograph in the folder “Katherine”."
    assert make(folder).note.text() == said


def test_a_flat_folder_comes_with_its_pattern(make: MakeSheet, flat: Path) -> None:
    sheet = make(flat)
    assert sheet.names.way == FILE_NAMES
    assert sheet.names.pattern.text() == "{person}.*.*"
    assert found(sheet) == [("subject01", "2"), ("subject02", "2")]
    assert sheet.names.example.full_text == "subject01.happy.png  →  subject01"


def test_the_pattern_is_tried_as_it_is_typed(qtbot, session, make, flat):
    sheet = make(flat)
    sheet.names.pattern.setText("{person}.h*")
    assert found(sheet) == [("subject01", "1"), ("subject02", "1")]
    assert sheet.note.text() == "4 photos found: 2 will be added, 2 left out."
    assert len(sheet.panel.grid.visible_keys()) == 2
    assert sheet.panel.grid.fold.text() == "▸ 2 left out"
    sheet.panel.grid.fold.click()
    assert [Path(key).name for key in sheet.panel.grid.visible_keys()[2:]] == [
        "subject01.sad.png",
        "subject02.sad.png",
    ]
    assert "does not fit" in sheet.panel.editor.status.text.text()
    assert not sheet.panel.editor.leave_out.isEnabled()
    sheet.start.click()
    finish(qtbot, session)
    assert len(session.gallery.faces) == 2
    assert len(session.skipped) == 2


def test_a_pattern_without_person_is_refused_beside_the_field(make: MakeSheet, flat: Path) -> None:
    sheet = make(flat)
    sheet.names.pattern.setText("no name here")
    assert "{person}" in sheet.names.trouble.text()
    assert sheet.names.trouble.isVisible()
    assert not sheet.start.isEnabled()
    sheet.names.pattern.setText("{person}.*")
    assert not sheet.names.trouble.isVisible()
    assert sheet.start.isEnabled()


def test_a_flat_folder_can_be_added_without_names(make: MakeSheet, flat: Path) -> None:
    sheet = make(flat)
    sheet.names.ways.set_current(FOLDERS)
    assert found(sheet) == [("Nobody (Unknown)", "4")]
    assert not sheet.people.isVisible()
    assert "Nobody is named on these 4 photos." in sheet.names.sentence.text()
    assert sheet.start.text() == "Add 4 photos"


def test_a_manifest(make: MakeSheet, flat: Path) -> None:
    manifest = flat.parent / "list.csv"
    lines = ["path;label", "flat/subject01.sad.png;Ada", "flat/subject02.sad.png;"]
    manifest.write_text("\n".join(lines), encoding="utf-8")
    sheet = make(manifest)
    assert sheet.names.way == MANIFEST
    assert found(sheet) == [("Ada", "1")]
    assert sheet.note.text() == "2 photos found: 1 will be added, 1 left out."
    assert sheet.start.text() == "Add 1 photo of 1 person"


def test_several_files_show_whom_one_says(qtbot, trained_session, make, folder):
    sheet = make([folder / "Ada" / "0.png", folder / "Ada" / "1.png"])
    assert not sheet.names.ways.isVisible()
    assert sheet.names.person.offered()[0] == "Ada"  # of the gallery
    assert found(sheet) == [("Nobody (Unknown)", "2")]
    sheet.names.person.setText("ADA")  # who is known, however typed
    assert found(sheet) == [("Ada", "2")]
    sheet.names.person.setText("Eve")
    assert found(sheet) == [("Eve", "2")]
    sheet.start.click()
    finish(qtbot, trained_session)
    assert len(trained_session.gallery.index.rows_of("Eve")) == 2


def test_nothing_to_find_is_a_sentence(qtbot: QtBot, make: MakeSheet, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    sheet = make(empty)
    assert sheet.trouble.isVisible()
    assert "There are no photographs in" in sheet.trouble.text.text()
    assert not sheet.start.isVisible()
    picture(empty / "Ada" / "1.png", 1)
    seen.button(sheet, "Look again").click()
    qtbot.waitUntil(lambda: sheet.start.isVisible() and sheet.start.isEnabled())
    assert found(sheet) == [("Ada", "1")]


def crops(sheet: ImportSheet) -> list[NDArray[np.float32]]:
    readings = [entry.reading for entry in sheet.panel.entries.values()]
    return [each.crop for each in readings if each is not None and each.crop is not None]


def test_size_and_policy_are_tried_at_once(qtbot, session, make, flat):
    sheet = make(flat)
    assert {crop.shape for crop in crops(sheet)} == {(24, 20)}
    sheet.faces.width_box.setValue(40)
    qtbot.waitUntil(lambda: {crop.shape for crop in crops(sheet)} == {(24, 40)})
    sheet.faces.fit.set_current(1)
    qtbot.waitUntil(
        lambda: len(crops(sheet)) == 4 and crops(sheet)[0][12, 0] == np.float32(0.5019608)
    )
    assert sheet.faces.preparation == Preparation(24, 40, "fit", already_cropped=True)


def test_what_was_chosen_a_moment_ago_counts(qtbot, session, make, flat):
    sheet = make(flat)
    sheet.faces.width_box.setValue(40)
    sheet.start.click()
    finish(qtbot, session)
    assert session.gallery.faces.shape == (24, 40)
    assert len(session.gallery.faces) == 4


def test_the_policy_is_asked_for_only_where_it_matters(make: MakeSheet, flat: Path) -> None:
    sheet = make(flat)
    assert sheet.faces.line.text() == "Each photo is a face already."
    assert not sheet.faces.fit.isVisible()
    sheet.faces.fold.click()
    assert sheet.faces.fit.isVisible()
    sheet.faces.kind.set_current(PHOTOGRAPHS)
    assert not sheet.faces.fit.isVisible()
    assert sheet.faces.width_box.isVisible()


def test_the_size_is_fixed_once_there_are_faces(trained_session, make, folder):
    sheet = make(folder)
    assert sheet.faces.preparation == trained_session.gallery.preparation
    assert not sheet.faces.width_box.isVisible()
    assert not sheet.faces.fit.isVisible()
    assert "20 × 24 pixels" in sheet.faces.sentence.text()


def test_a_photograph_added_to_cut_faces_is_searched_for_its_face(
    trained_session: Session, make: MakeSheet, folder: Path, tmp_path: Path
) -> None:
    """The whole of a group photograph, taken for a face, had a green tick."""
    assert trained_session.gallery.preparation.already_cropped
    assert make(picture(tmp_path / "holiday.png", 1, (640, 420))).faces.kind.current == PHOTOGRAPHS
    assert make(folder).faces.kind.current != PHOTOGRAPHS


def test_cancel_changes_nothing(session: Session, make: MakeSheet, folder: Path) -> None:
    sheet = make(folder)
    sheet.cancel.click()
    assert not sheet.isVisible()
    assert session.project is None
    assert session.jobs.current is None


def test_closing_while_it_looks_is_harmless(qtbot: QtBot, session: Session, folder: Path) -> None:
    sheet = ImportSheet(session, folder)
    sheet.show()
    sheet.close()
    finish(qtbot, session)
    assert session.message is None


def test_the_gallery_counts_as_it_is_when_the_photos_are_found(qtbot, session, folder, flat):
    session.run("import", "Reading", lambda tick: None, lambda _: None)
    sheet = ImportSheet(session, folder)
    session.apply(
        "the face size", lambda gallery: Gallery.new(Preparation(32, 30, already_cropped=True))
    )
    faces = FaceSet.from_arrays(np.full((1, 32, 30), 0.5), ["Zoe"])
    session.apply("add", lambda gallery: gallery.enrol(faces))
    sheet.show()
    qtbot.waitUntil(lambda: session.jobs.current is None)
    assert sheet.faces.preparation == Preparation(32, 30, already_cropped=True)
    assert "Zoe" in sheet.names.person.offered()
    sheet.close()
