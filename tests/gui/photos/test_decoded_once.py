"""The import uses what the sheet has read: no photograph is decoded a second time for it."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.photos.editor import Corrections
from gui.photos.sheet import ImportSheet
from gui.state.session import Session
from tests.decodes import astronaut, counted_decodes, write_afar, write_photographs


def read(qtbot: QtBot, session: Session, folder: Path) -> ImportSheet:
    """Open a sheet, and wait until everything in it is read and shown."""
    sheet = ImportSheet(session, folder)
    sheet.resize(1400, 900)
    sheet.show()
    jobs = session.jobs, sheet.findChild(Corrections).jobs
    qtbot.waitUntil(sheet.start.isEnabled, timeout=60_000)
    qtbot.waitUntil(lambda: not any(each.current for each in jobs), timeout=60_000)
    return sheet


def add(qtbot: QtBot, session: Session, sheet: ImportSheet) -> set[str]:
    """Press the button; return the names of what is in the gallery then."""
    sheet.start.click()
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=60_000)
    return {photo.path.name for photo in session.gallery.index.photos}


def test_thumbnails_faces_and_the_photograph_shown_large_are_of_one_decode(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    folder = write_photographs(tmp_path / "people")
    with counted_decodes(folder) as decodes:
        added = add(qtbot, session, read(qtbot, session, folder))
    assert added - {"two.png"} == {"face.png", "large.jpg", "mirrored.jpg"}
    assert decodes == dict.fromkeys(added | {"sideways.png", "two.png", "none.png"}, 1)


def test_a_face_from_afar_is_decoded_twice_and_not_again_to_be_added(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    folder = write_afar(tmp_path / "people")
    with counted_decodes(folder) as decodes:
        sheet = read(qtbot, session, folder)
        before = decodes.copy()
        assert add(qtbot, session, sheet) == {"afar.jpg"}
    assert before == decodes == {"afar.jpg": 2}


def test_one_that_is_shown_is_not_decoded_again_for_it(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    """What is searched is large enough to fill the editor."""
    (tmp_path / "people").mkdir()
    for name in ("1 shown.jpg", "2 not shown.jpg"):
        face = astronaut(mirrored=name.startswith("2"))
        face.resize((2400, 2400)).save(tmp_path / "people" / name, quality=95)
    with counted_decodes(tmp_path / "people") as decodes:
        added = add(qtbot, session, read(qtbot, session, tmp_path / "people"))
    assert len(added) == 2
    assert decodes == {"1 shown.jpg": 1, "2 not shown.jpg": 1}


def test_what_is_added_is_what_was_seen(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever becomes of the files meanwhile."""
    folder = write_photographs(tmp_path / "people")
    sheet = read(qtbot, session, folder)
    for file in folder.rglob("*.*"):
        file.unlink()
    assert add(qtbot, session, sheet) - {"two.png"} == {"face.png", "large.jpg", "mirrored.jpg"}
