"""Photographs of a face, and import sheets on them, closed when the test ends."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from eigenfaces.importing.entries import Entry
from eigenfaces.photographs.placement import Eyes
from gui.photos.sheet import ImportSheet
from gui.state.jobs import Jobs
from gui.state.session import Session
from tests.decodes import astronaut

Settle = Callable[[QWidget], None]
OpenSheet = Callable[[Path | list[Path]], ImportSheet]

FACE = np.asarray(astronaut())
EYES = Eyes((73.6, 80.8), (117.0, 83.2))
"""The head of the astronaut, and her eyes, by eye."""

NOISE = np.random.default_rng(1).integers(0, 256, (120, 160), np.uint8)


def write_pictures(folder: Path, pictures: dict[str, np.ndarray]) -> Path:
    """Write a PNG file of each name into a folder that is new; return the folder."""
    folder.mkdir(parents=True)
    for name, pixels in pictures.items():
        Image.fromarray(np.ascontiguousarray(pixels)).save(folder / f"{name}.png")
    return folder


def entries(sheet: ImportSheet) -> dict[Path, Entry]:
    return {entry.photo.path: entry for entry in sheet.panel.entries.values()}


def press(sheet: ImportSheet, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(sheet.panel.grid.photos, key)


def press_undo(sheet: ImportSheet) -> None:
    QTest.keyClick(sheet.panel.grid.photos, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


@pytest.fixture
def settle(qtbot: QtBot, session: Session) -> Settle:
    """Wait until a sheet or an editor looks at nothing any more."""

    def wait(widget: QWidget) -> None:
        every = (session.jobs, *widget.findChildren(Jobs))
        qtbot.waitUntil(lambda: not any(jobs.current for jobs in every), timeout=60_000)

    return wait


@pytest.fixture
def open_sheet(session: Session, settle: Settle) -> Iterator[OpenSheet]:
    """Open a sheet on a folder or on files, and wait until it has looked at all of them."""
    sheets: list[ImportSheet] = []

    def opened(source: Path | list[Path]) -> ImportSheet:
        sheet = ImportSheet(session, source)
        sheets.append(sheet)
        sheet.resize(1400, 900)
        sheet.show()
        settle(sheet)
        return sheet

    yield opened
    for sheet in sheets:
        if isValid(sheet):
            sheet.done(0)
