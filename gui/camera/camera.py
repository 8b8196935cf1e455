"""Live pictures, wherever they come from."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage


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
