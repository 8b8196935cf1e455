"""The list of skipped files: each with its reason to read and to copy, and trying again."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from gui.widgets.skipped_list import SkippedList
from tests.gui import seen

REASONS = {"cut.png": "The file is cut short.", "empty.jpg": "The file is empty."}


@pytest.fixture
def listed(qtbot: QtBot, tmp_path: Path) -> SkippedList:
    folder = tmp_path / "gone" / "Ada"
    files = [Skipped(folder / name, reason, "Ada", turned=1) for name, reason in REASONS.items()]
    made = seen.show(qtbot, SkippedList(files))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    return made


def test_every_file_has_its_reason_to_read_and_to_copy(listed: SkippedList, tmp_path: Path) -> None:
    folder = tmp_path / "gone" / "Ada"
    rows = [[name, reason, str(folder)] for name, reason in REASONS.items()]
    assert seen.rows(listed.table) == rows
    for at, reason in enumerate(REASONS.values()):
        listed.table.select_row(at)
        assert listed.whole_reason.text() == reason
    listed.copy.click()
    lines = [f"{folder / name}\t{reason}" for name, reason in REASONS.items()]
    assert QGuiApplication.clipboard().text().splitlines() == lines
    listed.folder.click()
    assert "is no longer there" in listed.whole_reason.text()
    listed.table.clearSelection()
    listed.table.doubleClicked.emit(listed.table.model().index(0, 0))  # with Ctrl: nothing is left


def test_they_are_tried_again_as_they_were(qtbot: QtBot, listed: SkippedList) -> None:
    with qtbot.waitSignal(listed.again_asked) as asked:
        listed.again.click()
    photos = tuple(Photo(file.path, "Ada", turned=1) for file in listed.skipped)
    assert asked.args == [FoundPhotos(photos)]
    assert not listed.isVisible()
