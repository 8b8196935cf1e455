"""One person's way through the whole program, in the real window, with nothing replaced."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider

from eigenfaces import load_sample
from eigenfaces.recognition.verdict import identify
from gui.photos.sheet import ImportSheet
from gui.state.session import Session
from gui.state.settings import Settings
from gui.window.main_window import MainWindow
from tests.gui.seen import button, button_names, words


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


class Journey:
    """The window and what a person does in it, leg by leg."""

    def __init__(self, qtbot, folder: Path, settings: Settings) -> None:
        self.qtbot, self.folder, self.settings = qtbot, folder, settings
        self.open_window()

    def open_window(self) -> None:
        self.session = Session(self.settings)
        self.window = MainWindow(self.session)
        self.qtbot.addWidget(self.window)
        self.window.resize(1280, 720)
        self.window.show()

    def wait(self, condition) -> None:
        self.qtbot.waitUntil(condition, timeout=20_000)

    def wait_for_words(self, text: str) -> None:
        self.wait(lambda: text in words(self.window))

    def wait_for_verdict(self, name: str) -> None:
        """Wait until distances are measured, and the decision on the first probe is shown."""
        self.quiet()
        probe, gallery = self.session.probes[0], self.session.gallery
        self.session.select(probe.photo.key)
        decision = identify(gallery, probe.image).decision
        assert gallery.calibrated is not None
        assert decision.nearest[0] == name
        self.wait_for_words(decision.headline)

    def quiet(self) -> None:
        self.wait(lambda: self.session.jobs.current is None)

    def import_the_folder(self) -> None:
        self.window.take([self.folder / "faces"])
        sheet = self.window.findChild(ImportSheet)
        self.wait(sheet.start.isEnabled)
        self.qtbot.mouseClick(sheet.start, Qt.MouseButton.LeftButton)
        self.wait(lambda: len(self.session.gallery.faces) == 45)
        self.quiet()
        assert len(self.session.gallery.people) == 5
        assert [skipped.path.name for skipped in self.session.message.skipped] == ["broken.jpg"]

    def train(self) -> None:
        self.session.show_page("eigenfaces")
        assert "Train first" in words(self.window)
        button(self.window.top_bar, "Train").click()
        self.wait(lambda: self.session.gallery.training is not None)
        self.quiet()
        self.wait_for_words("Up to date")
        recipe = self.session.gallery.recipe.changed(components=20)
        self.session.apply("k = 20", lambda g: g.with_recipe(recipe))
        assert self.session.gallery.k == 20

    def rebuild_a_face(self) -> None:
        self.session.select(self.session.gallery.index.photos[7].key)
        self.session.show_page("reconstruct")
        slider = next(s for s in self.window.findChildren(QSlider) if s.isVisible())
        slider.setValue(44)
        self.wait_for_words("0.0 %")

    def ask_who(self) -> None:
        self.session.show_page("recognise")
        self.window.take([self.folder / "probe" / f"Person {n}" for n in (1, 2, 3, 4, 5)])
        self.wait(lambda: len(self.session.probes) == 5)
        self.wait_for_verdict("Person 1")

    def change_a_name_and_take_it_back(self) -> None:
        self.session.apply("rename", lambda g: g.rename("Person 1", "Ada"))
        self.wait_for_verdict("Ada")
        self.session.undo()
        self.wait_for_verdict("Person 1")

    def leave_and_come_back(self) -> None:
        left = self.session.project.path.stem
        self.window.close()
        self.open_window()
        name = f"{left} (not saved elsewhere yet)"
        self.wait(lambda: left in button_names(self.window.page))
        button(self.window, name).click()
        self.wait(lambda: len(self.session.gallery.faces) == 45)
        self.quiet()
        assert self.session.gallery.k == 20
        assert self.session.gallery.changes == 0
        assert len(self.session.probes) == 5
        self.session.show_page("recognise")
        self.wait_for_verdict("Person 1")
        self.window.close()


def test_from_an_empty_window_to_a_name_and_back(qtbot, folder, tmp_path, lone_windows):
    journey = Journey(qtbot, folder, Settings(tmp_path / "settings.ini"))
    assert "Start with a folder of photos" in words(journey.window)
    journey.import_the_folder()
    journey.train()
    journey.rebuild_a_face()
    journey.ask_who()
    journey.change_a_name_and_take_it_back()
    journey.leave_and_come_back()
    assert lone_windows == ["MainWindow"] * 2, "nothing flashes up outside of the window"
