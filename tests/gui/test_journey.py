"""One person's way through the whole program, in the real window, with nothing replaced."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QSlider, QWidget

from eigenfaces import load_sample
from eigenfaces.recognition.verdict import identify
from gui.photos.sheet import ImportSheet
from gui.state.session import Session
from gui.state.settings import Settings
from gui.window.main_window import MainWindow
from tests.gui import seen
from tests.gui.seen import button, words


class TopLevelWindows(QObject):
    """Notes every window that belongs to no other: main windows, and what nobody has placed."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            tip = watched.metaObject().className() == "QTipLabel"
            if watched.isWindow() and watched.parentWidget() is None and not tip:
                self.shown.append(type(watched).__name__)
        return False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five people of the sample as PNG files, nine photographs each, and a broken file."""
    faces = load_sample()
    for row in range(50):
        number = row % 10 + 1
        where = tmp_path / ("probe" if number == 10 else "faces") / f"Person {row // 10 + 1}"
        where.mkdir(parents=True, exist_ok=True)
        levels = np.rint(faces.image(row) * 255).astype(np.uint8)
        Image.fromarray(levels).save(where / f"{number}.png")
    (tmp_path / "faces" / "Person 2" / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing more")
    return tmp_path


def test_from_an_empty_window_to_a_name_and_back(qtbot, qapp, folder, tmp_path):
    settings, windows = Settings(tmp_path / "settings.ini"), TopLevelWindows()
    qapp.installEventFilter(windows)

    def open_window() -> tuple[Session, MainWindow]:
        session = Session(settings)
        return session, seen.show(qtbot, MainWindow(session), (1280, 720))

    def wait_for_verdict(name: str) -> None:
        """Wait until distances are measured, and the decision on the first probe is shown."""
        seen.settle(qtbot, session)
        probe, gallery = session.probes[0], session.gallery
        session.select(probe.photo.id)
        decision = identify(gallery, probe.image).decision
        assert gallery.calibrated is not None
        assert decision.nearest[0] == name
        qtbot.waitUntil(lambda: decision.headline in words(window))

    session, window = open_window()
    assert "Start with a folder of photos" in words(window)
    window.open_paths([folder / "faces"])
    sheet = window.findChild(ImportSheet)
    qtbot.waitUntil(sheet.start.isEnabled, timeout=20_000)
    qtbot.mouseClick(sheet.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(session.gallery.faces) == 45, timeout=20_000)
    seen.settle(qtbot, session)
    assert len(session.gallery.people) == 5
    assert [skipped.path.name for skipped in session.message.skipped] == ["broken.jpg"]

    session.show_page("eigenfaces")
    seen.settle(qtbot, session)
    assert "Up to date" in words(window)
    recipe = session.gallery.recipe.changed(components=20)
    session.apply("k = 20", lambda gallery: gallery.with_recipe(recipe))

    session.select(session.gallery.index.photos[7].id)
    session.show_page("reconstruct")
    next(s for s in window.findChildren(QSlider) if s.isVisible()).setValue(44)
    qtbot.waitUntil(lambda: "0.0 %" in words(window))

    session.show_page("recognise")
    window.open_paths([folder / "probe" / f"Person {number}" for number in (1, 2, 3, 4, 5)])
    qtbot.waitUntil(lambda: len(session.probes) == 5, timeout=20_000)
    wait_for_verdict("Person 1")
    session.apply("rename", lambda gallery: gallery.rename("Person 1", "Ada"))
    wait_for_verdict("Ada")
    session.undo()
    wait_for_verdict("Person 1")

    draft = session.project.path.stem
    window.close()
    session, window = open_window()
    button(window, f"{draft} (not saved elsewhere yet)").click()
    qtbot.waitUntil(lambda: len(session.gallery.faces) == 45, timeout=20_000)
    assert (session.gallery.k, session.gallery.changes_since_training, len(session.probes)) == (
        20,
        0,
        5,
    )
    session.show_page("recognise")
    wait_for_verdict("Person 1")
    window.close()
    assert windows.shown == ["MainWindow"] * 2, "nothing flashes up outside of the window"
