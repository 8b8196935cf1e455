"""Whether a window can be shown. Qt does not ask: without a display it ends the whole process."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path

_PATIENCE = 2.0  # seconds for a Wayland compositor to answer


def has_display() -> bool:
    """Return whether a window can be shown; only Linux and similar systems can lack a display."""
    if sys.platform in ("win32", "darwin"):
        return True
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    kinds = {name.partition(":")[0].partition("-")[0] for name in asked.split(";") if name}
    return any(answers() for kind, answers in _KINDS.items() if not kinds or kind in kinds)


def missing_library() -> str:
    """Return the system library that Qt lacks to show a window in X; empty if none is missing."""
    if not os.environ.get("DISPLAY") or sys.platform in ("win32", "darwin"):
        return ""
    import PySide6.QtGui

    plugin = Path(PySide6.__path__[0], "Qt", "plugins", "platforms", "libqxcb.so")
    try:
        if plugin.exists():  # not in a Linux distribution's own package, which is complete
            ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)
    return ""


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    address = str(Path(os.environ.get("XDG_RUNTIME_DIR", ""), name))
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.settimeout(_PATIENCE)
        try:
            compositor.connect(address)
        except OSError:
            return False
    return True


def _x_answers() -> bool:
    """Open a connection as Qt will, so that a dead server and a refused key are noticed too."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # `missing_library` will name it
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not refused


_KINDS = {"wayland": _wayland_answers, "xcb": _x_answers}
