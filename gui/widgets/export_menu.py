"""The menu of what leaves a project: names beside photos, a table, copies, a project to share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from eigenfaces.faces.identity import FaceId
from eigenfaces.project.exports import named_faces, write_faces
from eigenfaces.text import count
from gui.state import actions
from gui.state.session import Session
from gui.widgets.saving import save, share_project


def export_menu(session: Session, parent: QWidget, faces: Collection[FaceId] | None) -> QMenu:
    """Return the menu, of some faces or (None) of all that have a name."""
    menu = QMenu("Export", parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    some = "" if faces is None else f" ({count(len(faces), 'face')})"

    def write_table() -> None:
        named = named_faces(session.gallery.index, faces)
        save(session, parent, "names.csv", lambda part: write_faces(part, named))

    def copy_photos() -> None:
        start, title = str(session.settings.last_folder), "Copy the photos into"
        if into := QFileDialog.getExistingDirectory(parent, title, start):
            actions.export_copies(session, Path(into), faces)

    entries: dict[str, Callable[[], object]] = {
        f"Names beside the photos{some}": lambda: actions.export_names(session, faces),
        f"Table of names{some}…": write_table,
        f"Copies in a folder for each person{some}…": copy_photos,
        "Share…": lambda: share_project(session, parent),
    }
    for words, act in entries.items():
        menu.addAction(words).triggered.connect(lambda _=False, act=act: act())
    return menu
