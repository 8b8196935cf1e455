"""A second start of the program: the first window comes forward, or another one opens."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer

from gui.state import one_window
from gui.state.one_window import Doorbell, ask_to_come_forward

_ASK = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui.state.one_window import ask_to_come_forward
app = QCoreApplication([])
place = Path(sys.argv[1]) if len(sys.argv) > 1 else None
sys.exit(0 if ask_to_come_forward(place) else 3)
"""


@pytest.fixture(autouse=True)
def of_this_test(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(one_window, "_PATIENCE", 3000)


@pytest.fixture
def doorbell(qapp):
    owner, rings = QObject(), []
    yield Doorbell(lambda: rings.append(1), owner), rings
    owner.deleteLater()


def asked(qtbot, *project: Path) -> int:
    """Start another process that asks, and return what it ended with."""
    process = subprocess.Popen([sys.executable, "-c", _ASK, *map(str, project)])
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=30_000)
    return process.returncode


def test_another_process_is_heard(doorbell, qtbot, tmp_path):
    bell, rings = doorbell
    assert asked(qtbot) == 0
    assert rings == [1]
    family = tmp_path / "family.eigenfaces"
    assert asked(qtbot, family) == 3, "another project opens its own window"
    bell.show_project(family)
    assert asked(qtbot, family) == 0
    bell.show_project(None)
    assert asked(qtbot, family) == 3
    assert rings == [1, 1]


def test_what_a_killed_process_left_gives_way(qapp, qtbot, monkeypatch, tmp_path):
    left = (
        "import os\nfrom PySide6.QtCore import QCoreApplication, QObject\n"
        "from gui.state.one_window import Doorbell\n"
        "app, owner = QCoreApplication([]), QObject()\nDoorbell(print, owner)\nos._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", left], check=False).returncode == 9
    assert not ask_to_come_forward(None)
    owner, rings = QObject(), []
    Doorbell(lambda: rings.append(1), owner)
    assert asked(qtbot) == 0
    assert rings == [1]
    owner.deleteLater()


def test_of_two_starts_at_once_one_shows_a_window(qtbot, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    start = "import sys; from gui.app import show_window; sys.exit(show_window())"
    both = [subprocess.Popen([sys.executable, "-c", start]) for _ in range(2)]
    try:
        qtbot.waitUntil(lambda: any(one.poll() is not None for one in both), timeout=30_000)
        assert sorted(one.poll() is None for one in both) == [False, True]
        assert 0 in [one.poll() for one in both]
    finally:
        for one in both:
            one.kill()
            one.wait()


def test_a_window_that_does_not_answer_is_not_waited_for_for_long(qapp, monkeypatch):
    monkeypatch.setattr(one_window, "_PATIENCE", 50)
    silent = QLocalServer()
    assert silent.listen(one_window._name(None))
    assert not ask_to_come_forward(None)
    silent.close()
