"""The interface of a source of live pictures."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage


class Camera(QObject):
    """A source of live pictures, from `start` to `stop`; `failed` says why there are none."""

    arrived = Signal(QImage)
    failed = Signal(str)

    def start(self) -> None:
        """Start; `failed` reports an error."""
        raise NotImplementedError

    def stop(self) -> None:
        """Release the device or the file."""
        raise NotImplementedError
