"""Projects that have no place of their own yet: where they are kept, and which are used again."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import date
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from eigenfaces.errors import EigenfacesError, ProjectError
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.recognition.gallery import Gallery


def drafts_folder() -> Path:
    """Return where projects are kept that have no place of their own yet."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(where) / "drafts"


def draft_path(title: str) -> Path:
    """Return a free place among the drafts."""
    folder = drafts_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(
            f"There is no place for a new project: the folder “{folder}” cannot be made "
            f"({error.strerror})."
        ) from error
    today = date.today()
    stem, number = f"{title} {today.day} {today:%b}", 1
    while (path := folder / f"{stem}{f' ({number})' if number > 1 else ''}{SUFFIX}").exists():
        number += 1
    return path


def left_behind(title: str, gallery: Gallery) -> Project | None:
    """Open the draft of this title that holds this gallery and nothing else, if there is one.

    A process that was killed leaves it: whoever closes such a draft removes it.
    """
    for path in sorted(drafts_folder().glob(f"{title} *{SUFFIX}")):
        with contextlib.suppress(EigenfacesError):  # in use, or damaged
            project = Project.open(path)
            if not project.read_only and holds_only(project, gallery):
                return project
            project.close()
    return None


def holds_only(project: Project, gallery: Gallery) -> bool:
    """Whether there is nothing in a project but this gallery; k is chosen again in a moment."""
    now = project.gallery
    with contextlib.suppress(ProjectError):  # if it cannot be known, rather not
        return (
            now.faces.photos == gallery.faces.photos
            and now.preparation == gallery.preparation
            and replace(now.recipe, components=gallery.recipe.components) == gallery.recipe
            and (now.training is None, now.changes) == (gallery.training is None, gallery.changes)
            and not project.runs()
        )
    return False
