"""The import uses what the sheet has read: no photograph is decoded a second time for it."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.photos.sheet import ImportSheet
from gui.state.session import Session
from tests.decodes import counted_decodes, write_photographs


def read(qtbot: QtBot, session: Session, folder: Path) -> ImportSheet:
    """Open a sheet, and wait until everything in it is read and shown."""
    sheet = ImportSheet(session, folder)
    sheet.resize(1400, 900)
    sheet.show()
    jobs = session.jobs, sheet.panel.editor.jobs
    qtbot.waitUntil(sheet.start.isEnabled, timeout=60_000)
    qtbot.waitUntil(lambda: not any(each.current for each in jobs), timeout=60_000)
    return sheet


def add(qtbot: QtBot, session: Session, sheet: ImportSheet) -> set[str]:
    """Press the button; return the names of what is in the gallery then."""
    sheet.start.click()
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=60_000)
    return {photo.path.name for photo in session.gallery.index.photos}


def test_thumbnails_and_faces_are_of_one_decode(qtbot, session, tmp_path):
    folder = write_photographs(tmp_path / "people")
    with counted_decodes(folder) as decodes:
        added = add(qtbot, session, read(qtbot, session, folder))
    assert added - {"two.png"} == {"face.png", "large.jpg", "mirrored.jpg"}
    (shown,) = (name for name, times in decodes.items() if times > 1)  # the one shown large
    expected = dict.fromkeys(added | {"sideways.png", "two.png", "none.png"}, 1)
    assert {**decodes, shown: 1} == expected


def test_what_is_added_is_what_was_seen(qtbot, session, tmp_path, monkeypatch):
    """Whatever becomes of the files meanwhile."""
    folder = write_photographs(tmp_path / "people")
    sheet = read(qtbot, session, folder)
    for file in folder.rglob("*.*"):
        file.unlink()
    assert add(qtbot, session, sheet) - {"two.png"} == {"face.png", "large.jpg", "mirrored.jpg"}
