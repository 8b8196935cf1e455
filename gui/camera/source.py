"""Where the live pictures come from: the camera, or a film that stands in for it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from eigenfaces.errors import EigenfacesError


class Camera(QObject):
    """Live pictures, from `start` to `stop`; where there are none, the reason and the remedy."""

    arrived = Signal(QImage)
    failed = Signal(str)

    def start(self) -> None:
        """Begin; what goes wrong is told by `failed`."""
        raise NotImplementedError

    def stop(self) -> None:
        """Let go of the device or the file."""
        raise NotImplementedError


_stand_in: list[Path] = []


def let_stand_in(film: Path) -> None:
    """Let a film stand in for the camera from now on, over and over."""
    _stand_in[:] = [film]


def make_camera(parent: QObject) -> Camera:
    """Return the camera, not started; raise `EigenfacesError` where the system lacks a library."""
    try:
        from gui.camera.multimedia import Device, Film
    except ImportError as error:
        raise EigenfacesError(
            f"A library that the camera needs is missing: {error}. On Debian or Ubuntu, "
            "“apt install libpulse0” brings it. Then try again."
        ) from error
    return Film(_stand_in[0], parent) if _stand_in else Device(parent)
