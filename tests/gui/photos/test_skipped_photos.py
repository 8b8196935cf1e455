"""Photographs that an import skipped stay listed on the People page."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from eigenfaces import Preparation, find_photos
from eigenfaces.faces.read import NO_FACE, SEVERAL_FACES
from eigenfaces.photographs.photos import FoundPhotos, Skipped
from gui.state import actions
from gui.state.session import Session
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from tests.gui import seen

CUT = Preparation(24, 20, already_cropped=True)
Finish = Callable[[], None]


def picture(path: Path, seed: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (30, 26), np.uint8)).save(path)
    return path


@pytest.fixture
def window(qtbot: QtBot, session: Session, tmp_path: Path, finish: Finish) -> MainWindow:
    """A gallery after an import that left two photographs to be looked at, and a broken file."""
    for number in range(4):
        picture(tmp_path / "faces" / ("Ada", "Grace")[number // 2] / f"{number}.png", number)
    others = (
        Skipped(picture(tmp_path / "a.png", 8), NO_FACE, "Ada", "no face"),
        Skipped(picture(tmp_path / "b.png", 9), SEVERAL_FACES.format(3), "Ada", "several faces"),
        Skipped(tmp_path / "c.png", "The file is empty.", "Ada"),
    )
    made = seen.show(qtbot, MainWindow(session), (1280, 720))
    found = find_photos(tmp_path / "faces")
    actions.import_photos(session, FoundPhotos(found.photos, others), CUT)
    finish()
    return made


def said(window: MainWindow) -> list[str]:
    """Return what the People page says of them, if it does."""
    buttons = [b for b in window.page.findChildren(QPushButton) if b.isVisible()]
    return [b.text() for b in buttons if " wait" in b.text() or "left out" in b.text()]


def test_the_list_opens_from_there(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: bool(said(window)))
    button = next(b for b in window.findChildren(QPushButton) if "left out" in b.text())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    (files,) = window.findChildren(SkippedList)
    assert [file.path.name for file in files.skipped] == ["c.png"], "the others wait"
    files.close()


def test_it_goes_along_to_another_place_and_not_to_another_project(
    qtbot: QtBot, window: MainWindow, session: Session, finish: Finish, tmp_path: Path
) -> None:
    actions.save_as(session, tmp_path / "mine.eigenfaces")
    finish()
    qtbot.waitUntil(lambda: said(window) == ["1 file left out", "2 photos wait"])
    session.new()
    actions.import_photos(session, find_photos(tmp_path / "faces"), CUT)
    finish()
    qtbot.waitUntil(lambda: window.page.key == "people")
    assert said(window) == []
