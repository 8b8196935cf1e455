"""The window is shown before any slow module is imported."""

import subprocess
import sys

HEAVY = (
    *("sklearn", "scipy", "skimage", "PySide6.QtMultimedia", "typer", "matplotlib"),
    *("eigenfaces.laboratory", "eigenfaces.lessons", "gui.pages.lessons", "gui.pages.map"),
    "gui.pages.synthesise",
)

SHOW_THE_WINDOW = """
import sys, time
from gui.app import show_window
from gui.window.main_window import MainWindow
from PySide6.QtWidgets import QApplication

paint = MainWindow.paintEvent

def painted(window, event):
    paint(window, event)
    print(time.time(), *[name for name in sys.argv[1:] if name in sys.modules], flush=True)
    QApplication.quit()

MainWindow.paintEvent = painted
show_window()
"""


def test_the_first_window_needs_nothing_heavy():
    command = [sys.executable, "-c", SHOW_THE_WINDOW, *HEAVY]
    painted, *heavy = subprocess.check_output(command, text=True, timeout=60).split()
    assert float(painted) > 0
    assert heavy == []
