"""The window is shown before any slow module is imported."""

import subprocess
import sys

HEAVY = (
    *("sklearn", "scipy", "skimage", "PySide6.QtMultimedia", "typer", "matplotlib"),
    *("eigenfaces.laboratory", "gui.pages.lessons", "gui.pages.map", "gui.pages.synthesise"),
)

SHOW_THE_WINDOW = """
import sys
import main
from gui.window.main_window import MainWindow
from PySide6.QtWidgets import QApplication

paint = MainWindow.paintEvent

def painted(window, event):
    paint(window, event)
    print("painted", *[name for name in sys.argv[1:] if name in sys.modules], flush=True)
    QApplication.quit()

MainWindow.paintEvent = painted
main._with_window(None, False)
"""


def test_the_first_window_needs_nothing_heavy():
    shown = subprocess.run(
        [sys.executable, "-c", SHOW_THE_WINDOW, *HEAVY],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.split() == ["painted"]


VERDICTS_ARE_AHEAD = """
import sys, threading
import main
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

class Seen:
    def find_spec(self, name, path, target=None):
        if name == "scipy.ndimage":
            print("by a thread:", threading.current_thread() is not threading.main_thread())
            QTimer.singleShot(0, QApplication.instance(), QApplication.quit)

sys.meta_path.insert(0, Seen())
main._with_window(None, False)
"""


def test_what_a_verdict_computes_with_is_imported_beside_the_window():
    shown = subprocess.run(
        [sys.executable, "-c", VERDICTS_ARE_AHEAD],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.strip() == "by a thread: True"
