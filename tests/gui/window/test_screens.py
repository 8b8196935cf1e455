"""A window that moves to a screen with twice as many pixels is drawn for that screen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui.window.navigation import NAVIGATION_ITEMS

SHOWN = """
import sys
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

app = QApplication([])
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from gui.widgets.box_layouts import in_row
from gui.widgets.face_view import FaceView
from gui.widgets.photo_view import PhotoView
from gui.window.main_window import MainWindow

theme.apply(app, "light")
session = Session(Settings(Path(sys.argv[1])))
picture = QImage(300, 400, QImage.Format.Format_RGB32)
picture.fill(0xFFFFFF)
with QPainter(picture) as painter:
    for at in range(0, 300, 12):
        painter.drawLine(at, 0, 300 - at, 400)


def pictures():
    window, face, photo = QWidget(), FaceView(), PhotoView("A photograph")
    in_row(face, photo, inside=window)
    face.set_image(picture)
    photo.show_photo(picture, (400, 300))
    window.resize(400, 300)
    return window


def program(page):
    session.show_page(page)
    window = MainWindow(session)
    window.resize(1100, 700)
    return window


def drawn(window, *places):
    for place in places:
        window.move(place)
        window.show()
        for _ in range(5):
            app.processEvents()
    assert window.devicePixelRatioF() == 2
    return window.grab().toImage()


here, there = QPoint(10, 10), QPoint(2100, 10)
kinds = pictures, lambda: program("people"), lambda: program("help")
for number, make in enumerate(kinds):
    moved, new = drawn(make(), here, there), drawn(make(), there)
    print(number, moved == new)
"""


def test_all_that_is_drawn_is_as_sharp_as_if_it_had_been_opened_there(tmp_path: Path) -> None:
    room = {"y": 0, "width": 2000, "height": 3000, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    screens = [{"name": "first", "x": 0, **room}, {"name": "second", "x": 2000, **room}]
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    own = {
        "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
        "QT_SCREEN_SCALE_FACTORS": "first=1;second=2",
    }
    command = [sys.executable, "-c", SHOWN, str(tmp_path / "settings.ini")]
    said = subprocess.check_output(command, text=True, timeout=60, env=os.environ | own)
    assert said.splitlines() == ["0 True", "1 True", "2 True"]


WHOLE = """
import sys
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from eigenfaces import Project
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests import synthetic
from tests.gui import layout, seen

app = QApplication([])
theme.apply(app, "light")
home, width, height = Path(sys.argv[1]), *map(int, sys.argv[2:])
session = Session(Settings(home / "settings.ini"))
session.open(Project.create(home / "small.eigenfaces", synthetic.small_gallery()))
session.put_probes(seen.group_probes(session.gallery, home / "group.png", 0, 5, 9))
window = MainWindow(session)
window.resize(width, height)
window.show()
print(window.width(), window.height(), window.devicePixelRatioF())
for place in NAVIGATION_ITEMS:
    session.show_page(place.key)
    while session.jobs.current is not None:
        QTest.qWait(20)
    for _ in range(100):
        QTest.qWait(20)
        wrong = layout.wrong(window)
        if not wrong:
            break
    print(place.key, *wrong, sep="\\n  ")
window.close()
"""


@pytest.mark.parametrize(
    ("scale", "size"), [("2", (960, 540)), ("1.5", (910, 512))], ids=["1920 × 1080", "1366 × 768"]
)
def test_every_page_is_whole_on_a_scaled_screen(
    scale: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """At 200 % on 1920 × 1080 pixels, and at 150 % on 1366 × 768."""
    own = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    command = [sys.executable, "-c", WHOLE, str(tmp_path), *map(str, size)]
    said = subprocess.check_output(command, text=True, timeout=120, env=os.environ | own)
    first, *pages = said.splitlines()
    assert first == f"{size[0]} {size[1]} {float(scale)}"
    assert pages == [place.key for place in NAVIGATION_ITEMS]
