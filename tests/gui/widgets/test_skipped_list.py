"""The list of skipped files: every kind of bad file with its reason, and trying again."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from eigenfaces import Preparation, find_photos
from eigenfaces.errors import no_tick
from eigenfaces.importing.scan import scan
from gui.state import actions
from gui.state.session import Session
from gui.widgets.skipped_list import SkippedList
from tests.gui import seen

REASONS = {
    "cut.png": "cut short",
    "empty.jpg": "empty",
    "notes.jpg": "not a picture",
    "tiny.png": "too small",
    "twice.png": "the same file",
    "phone.heic": "cut short",
    "gone.png": "not there",
    "long.pgm": "longer than its header",
}


def noise(path: Path, seed: int, size: tuple[int, int] = (24, 20)) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(seed).integers(0, 256, size, np.uint8)
    Image.fromarray(pixels).save(path)


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Two good photographs of Ada, and one file of every bad kind."""
    folder = tmp_path / "bad" / "Ada"
    for seed in range(2):
        noise(folder / f"{seed}.png", seed)
    noise(folder / "cut.png", 2, (80, 80))
    (folder / "cut.png").write_bytes((folder / "cut.png").read_bytes()[:900])
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "notes.jpg").write_text("these are only notes")
    noise(folder / "tiny.png", 3, (9, 12))
    shutil.copy(folder / "0.png", folder / "twice.png")
    (folder / "phone.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    (folder / "gone.png").symlink_to(tmp_path / "nowhere.png")
    (folder / "long.pgm").write_bytes(b"P5\n20 24\n255\n" + b"\x40" * (20 * 24 + 7))
    return tmp_path / "bad"


@pytest.fixture
def listed(qtbot: QtBot, session: Session, bad: Path) -> SkippedList:
    """The list after the folder of bad files was imported."""
    actions.import_photos(session, find_photos(bad), Preparation(24, 20, already_cropped=True))
    qtbot.waitUntil(lambda: session.jobs.current is None)
    made = seen.show(qtbot, SkippedList(session.skipped))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    return made


def test_every_kind_of_bad_file_has_its_reason_to_read_and_to_copy(
    session: Session, listed: SkippedList, bad: Path
) -> None:
    reasons = dict(REASONS)
    for at, (name, reason, folder) in enumerate(seen.rows(listed.table)):
        assert reasons.pop(name) in reason
        assert folder.endswith("Ada")
        listed.table.select_row(at)
        assert listed.whole_reason.text() == reason
    assert not reasons
    assert len(session.gallery.faces) == 2
    listed.copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == len(listed.skipped)
    assert any("empty.jpg\tThe file is empty." in line for line in lines)
    shutil.rmtree(bad)
    listed.folder.click()
    assert "is no longer there" in listed.whole_reason.text()
    listed.table.clearSelection()
    listed.table.doubleClicked.emit(listed.table.model().index(0, 0))  # with Ctrl: nothing is left


def test_what_was_mended_is_taken_by_trying_again(
    qtbot: QtBot, session: Session, listed: SkippedList, bad: Path
) -> None:
    noise(bad / "Ada" / "empty.jpg", 7)
    skipped = session.skipped
    with qtbot.waitSignal(listed.again_asked) as asked:
        listed.again.click()
    found = scan(asked.args[0], no_tick).found
    assert [photo.path for photo in found.photos] == [file.path for file in skipped]
    actions.import_photos(session, found)
    qtbot.waitUntil(lambda: session.jobs.current is None)
    assert len(session.gallery.index.rows_of("Ada")) == 3  # with the others of its folder
    assert "empty.jpg" not in {file.path.name for file in session.skipped}
