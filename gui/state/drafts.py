"""Drafts: projects not saved by the person yet; where they are kept, and which are used again."""

from __future__ import annotations

import contextlib
from datetime import date
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from eigenfaces.errors import EigenfacesError, ProjectError
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.recognition.gallery import Gallery


def drafts_folder() -> Path:
    """Return the folder of projects that the person has not saved yet."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(where) / "drafts"


def draft_path(title: str) -> Path:
    """Return an unused path among the drafts."""
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


def delete(draft: Path) -> None:
    """Delete a draft, where that is possible; of one of 1 GB it takes half a second."""
    with contextlib.suppress(OSError):
        draft.unlink(missing_ok=True)


def left_behind(title: str, gallery: Gallery) -> Project | None:
    """Open the draft with this title that holds only this gallery; None if there is none.

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
    """Return whether a project holds only this gallery; k may differ: it is easily set again.

    Photographs of the gallery may have been recognised, and its distances measured.
    """
    now = project.gallery
    asked = (gallery.index.row_of(probe.photo.key) for probe in project.asked.probes)
    with contextlib.suppress(ProjectError):  # if that cannot be read, assume that it holds more
        return (
            now.index.photos == gallery.index.photos
            and now.preparation == gallery.preparation
            and now.recipe.changed(components=gallery.recipe.matcher.components) == gallery.recipe
            and (now.training is None, now.changes) == (gallery.training is None, gallery.changes)
            and (now.answers, now.share) == (gallery.answers, gallery.share)
            and not (project.unused or project.runs() or project.asked.faceless or None in asked)
        )
    return False
