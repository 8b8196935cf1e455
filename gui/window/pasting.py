"""Pictures pasted from the clipboard, which are saved as files and deleted on exit if unused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from eigenfaces.project.project import Project
from ..state.session import Session
from ..state.settings import drafts_folder
from ..widgets.controls import local_paths


class Pasting(QObject):
    """Pasted pictures, saved as files because every photograph in a project is a file.

    Only pictures from this session are known. Others in the folder may belong to any project.
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._kept = set[Path]()
        self._used = dict[Path, set[Path]]()  # the pasted pictures in each project, as last seen
        session.gallery_changed.connect(self._note_use)
        session.probes_changed.connect(self._note_use)

    def paths(self) -> list[Path]:
        """Return the files on the clipboard, or a new file with its picture. Show any failure."""
        clipboard = QGuiApplication.clipboard()
        paths, image = local_paths(clipboard.mimeData()), clipboard.image()
        if paths or image.isNull():
            if not paths:
                self._session.show_message(
                    "There is no picture on the clipboard. Copy a photo or a file first."
                )
            return paths
        folder, number = drafts_folder().parent / "pasted", 1
        with suppress(OSError):  # saving the picture then fails as well
            folder.mkdir(parents=True, exist_ok=True)
        while (path := folder / f"Pasted {number}.png").exists():
            number += 1
        if not image.save(str(path)):
            words = f"The pasted picture could not be saved as “{path}”."
            self._session.show_message(words, "error")
            return []
        self._kept.add(path)
        return [path]

    def delete_unused(self) -> None:
        """Delete the pictures that no project uses. This is called when the program ends."""
        projects = (used for project, used in self._used.items() if project.exists())
        for path in self._kept.difference(*projects):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _note_use(self) -> None:
        project = self._session.project
        if project is not None and self._kept:
            self._used[project.path] = self._kept & _photographs(project)


def _photographs(project: Project) -> set[Path]:
    """Return the files of all photographs in a project: enrolled, to be recognised, or left out."""
    listed, unused = project.probe_list, project.unused
    faces = (*project.gallery.index.photos, *(probe.photo for probe in listed.probes))
    return {*(face.path for face in faces), *listed.without_face, *(file.path for file in unused)}
