"""The choice of the live pictures: from the camera, or from a video file instead."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from eigenfaces.errors import EigenfacesError
from gui.camera.camera import Camera

_films: list[Path] = []


def use_film(film: Path) -> None:
    """Show a video file repeatedly instead of the camera from now on."""
    _films[:] = [film]


def make_camera(parent: QObject) -> Camera:
    """Return the camera, not started; raise `EigenfacesError` where the system lacks a library."""
    try:
        from gui.camera.multimedia import Device, Film
    except ImportError as error:
        raise EigenfacesError(
            f"A library that the camera needs is missing: {error}. On Debian or Ubuntu, "
            "“apt install libpulse0” brings it. Then try again."
        ) from error
    return Film(_films[0], parent) if _films else Device(parent)
