"""Photographs dropped on the window or a part of it, or pasted: files, or a picture kept as one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication, QImage

from gui.state.session import Session
from gui.state.settings import drafts_folder


def local_paths(mime: QMimeData) -> list[Path]:
    """Return the files and folders of a drag or of the clipboard, web addresses left out."""
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


def accept_as_copy(event: QDropEvent) -> None:
    """Accept a drag as a copy, whatever was proposed.

    Many programs propose to move, and a program whose files were moved may delete them.
    """
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def pasted(session: Session) -> list[Path]:
    """Return the files on the clipboard; where there are none, say why."""
    clipboard = QGuiApplication.clipboard()
    paths = local_paths(clipboard.mimeData())
    image = clipboard.image()
    if not paths and not image.isNull():
        return _kept(session, image)
    if not paths:
        session.say("There is no picture on the clipboard. Copy a photo or a file first.")
    return paths


def _kept(session: Session, image: QImage) -> list[Path]:
    """Write a picture to a file and return its path; nothing if that fails."""
    folder, number = drafts_folder().parent / "pasted", 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        session.say(f"The pasted picture cannot be kept in “{folder}”: {error.strerror}.", "error")
        return []
    while (path := folder / f"Pasted {number}.png").exists():
        number += 1
    if not image.save(str(path)):
        session.say(f"The pasted picture cannot be written to “{path}”.", "error")
        return []
    return [path]
