"""Files dropped on the window or a part of it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent


def local_paths(mime: QMimeData) -> list[Path]:
    """Return the files and folders of a drag or of the clipboard, web addresses left out."""
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


def accept_as_copy(event: QDropEvent) -> None:
    """Accept a drag as a copy, whatever was proposed.

    Many programs propose to move, and a program whose files were moved may delete them.
    """
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
