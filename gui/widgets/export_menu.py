"""Export menu, which offers names beside the photos, a table, copies or a project to share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from eigenfaces.project.exports import Outgoing, write_faces
from ..state import actions
from ..state.session import Session
from .saving import save_as_kind, share_project


def export_menu(
    session: Session, parent: QWidget, find: Callable[[], Outgoing], some: str = ""
) -> QMenu:
    """Return a menu that exports what ``find`` returns; ``some`` describes any selection."""
    menu = QMenu("Export", parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    some = some and f" ({some})"

    def write_table(part: Path, kind: str) -> None:
        write_faces(part, find().faces, as_json=kind == ".json")

    def copy_photos() -> None:
        start, title = str(session.settings.last_folder), "Copy photos to"
        if into := QFileDialog.getExistingDirectory(parent, title, start):
            actions.export_copies(session, Path(into), find)

    entries: dict[str, Callable[[], object]] = {
        f"Names beside the photos{some}": partial(actions.export_names, session, find),
        f"Table of names{some}…": partial(
            save_as_kind, session, parent, "names", (".csv", ".json"), write_table
        ),
        f"Copies in a folder for each person{some}…": copy_photos,
        "Share…": partial(share_project, session, parent, pictures=True),
        "Share without pictures…": partial(share_project, session, parent, pictures=False),
    }
    for words, act in entries.items():
        menu.addAction(words).triggered.connect(lambda _=False, act=act: act())
    return menu
