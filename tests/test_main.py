"""Starting the program: without a display, without a library, with options, and offline."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from gui import app

ROOT = Path(__file__).resolve().parents[1]


def start(place: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program without a display, in the empty home folder ``place``."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "COLUMNS"):
        own.pop(name, None)
    own |= {"HOME": str(place), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *words],
        env=own | environment,
        cwd=place,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="There is always a display.")
def test_without_display(tmp_path: Path) -> None:
    """Images 1–8 of each person are trained on, 9 and 10 recognised. The output fits ASCII."""
    ended = start(tmp_path, "mine.eigenfaces", PYTHONIOENCODING="ascii:strict")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "There is no display, so the program is running without a window."
    assert "eigenfaces info mine.eigenfaces" in lines[2]
    assert "Right answers: 76 of 80, 95.00 %. Mistaken:" in lines
    assert "  Person 05, image 10: closest is Person 40" in lines
    assert "Start the program on one" in lines[-1]
    assert max(map(len, lines[3:])) <= 85
    assert not (tmp_path / "mine.eigenfaces").exists()


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = ImportError("libEGL.so.1: cannot open shared object file")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.setattr(app, "show_window", Mock(side_effect=reason))
    monkeypatch.setattr(sys, "argv", ["main.py"])
    assert app.main() == 1
    error = capsys.readouterr().err
    assert "libEGL.so.1" in error
    assert "apt install libegl1" in error


def test_help(tmp_path: Path) -> None:
    ended = start(tmp_path, "--help", COLUMNS="80")
    assert ended.returncode == 0
    for word in ("--sample", "--add-to-menu", "eigenfaces --help"):
        assert word in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_no_test_reaches_another_computer() -> None:
    """Connections are refused, so all tests of the window, command line and core run offline."""
    with pytest.raises(AssertionError, match="another computer"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    uses = {
        path.name: path.read_text("utf-8")
        for path in (ROOT / "gui").rglob("*.py")
        if "QtNetwork" in path.read_text("utf-8")
    }
    assert uses.keys() == {"one_window.py"}, "and that one speaks to this computer alone"
    (imported,) = re.findall(r"from PySide6.QtNetwork import (.*)", uses["one_window.py"])
    assert imported == "QLocalServer, QLocalSocket"
