"""Without a display there is no window, and the process does not crash."""

import ctypes
import socket
import sys

import pytest

import main
from gui.window import display

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there a display can lack")

NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "QT_QPA_PLATFORM")


@pytest.fixture
def environment(monkeypatch):
    """Begin without any display; return how to set a variable."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch.setenv


@pytest.mark.parametrize("platform", ["", "xcb", "wayland", "offscreen", "nonsense"])
def test_nothing_set_is_no_display(environment, platform):
    environment("QT_QPA_PLATFORM", platform)
    assert not display.has_display()


@pytest.mark.parametrize("server", [":4711", "localhost:4711", "nonsense"])
def test_a_dead_server_is_no_display(environment, server):
    environment("DISPLAY", server)
    assert not display.has_display()


def test_a_compositor_that_is_gone_is_no_display(environment, tmp_path):
    environment("XDG_RUNTIME_DIR", str(tmp_path))
    environment("WAYLAND_DISPLAY", "wayland-0")
    assert not display.has_display()


def test_a_compositor_that_answers_is_one(environment, tmp_path):
    environment("XDG_RUNTIME_DIR", str(tmp_path))
    environment("WAYLAND_DISPLAY", "wayland-0")
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-0"))
        compositor.listen()
        assert display.has_display()
        environment("QT_QPA_PLATFORM", "offscreen")
        assert not display.has_display()
        environment("QT_QPA_PLATFORM", "wayland-egl;xcb")
        assert display.has_display()


def test_a_missing_library_is_named(environment, monkeypatch, capsys):
    def refuse(path):
        raise OSError("libxcb-cursor.so.0: cannot open shared object file")

    environment("DISPLAY", ":0")
    monkeypatch.setattr(ctypes, "CDLL", refuse)
    monkeypatch.setattr(sys, "argv", ["main.py"])
    assert main.main() == 1
    said = capsys.readouterr().err
    assert "libxcb-cursor.so.0" in said
    assert "apt install" in said
