"""Context menu for a face, with commands that open other pages or the folder of the photo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from eigenfaces.faces.identity import FaceId
from ..state.session import Session
from .controls import open_at

_PAGES = ("people", "reconstruct", "synthesise")


def open_folder(session: Session, path: Path) -> None:
    """Open the folder of a photo in the system's file manager."""
    if path.parent.is_dir():
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
    else:
        session.show_message(f"The folder “{path.parent}” no longer exists.", "warn")


def copy_path(session: Session, path: Path) -> None:
    """Copy the path of a photo to the clipboard."""
    QGuiApplication.clipboard().setText(str(path))
    session.show_message("The path of the photo has been copied.")


def add_face_actions(menu: QMenu, session: Session, face: FaceId) -> None:
    """Add menu commands for a face in the gallery, or for a face that was recognised."""
    found = session.face(face)
    if found is None:
        return
    photo = found[0]
    in_gallery = session.gallery.index.row_of(face) is not None
    for page in _PAGES if in_gallery else _PAGES[1:]:
        if page != session.page:
            show = partial(_show_in, session, face, page)
            menu.addAction(f"Show in {page.title()}").triggered.connect(show)
    menu.addAction("Show in folder").triggered.connect(partial(open_folder, session, photo.path))
    menu.addAction("Copy the file’s path").triggered.connect(
        partial(copy_path, session, photo.path)
    )


def _show_in(session: Session, face: FaceId, page: str) -> None:
    session.select(face)
    session.show_page(page)


def install_face_menu(
    view: QWidget, session: Session, face_at: Callable[[QPoint], FaceId | None]
) -> None:
    """Add a context menu for each face to a view that shows faces.

    ``face_at`` returns the face at a position in the view or, for a list, in its viewport.
    """

    def open_menu(place: QPoint) -> None:
        face = face_at(place)
        if face is None or session.face(face) is None:
            return
        menu = QMenu("Face", view)
        add_face_actions(menu, session, face)
        inside = view.viewport() if isinstance(view, QAbstractScrollArea) else view
        open_at(menu, inside.mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(open_menu)
