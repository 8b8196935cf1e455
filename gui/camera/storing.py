"""Saving photographs of the camera in a folder that belongs to the project."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from PySide6.QtGui import QImage

from eigenfaces.errors import EigenfacesError
from eigenfaces.photographs.photos import safe_name
from eigenfaces.project.file import atomic_write
from gui.state.drafts import draft_path
from gui.state.session import Session
from gui.style.images import rgb_array

_QUALITY = 95  # of JPEG
_ASKED = "Who is this"


def photos_folder(session: Session) -> Path:
    """Return the project's own folder of photographs, beside the file it has or will have."""
    path = session.project.path if session.project else draft_path(session.name)
    return path.with_name(f"{path.stem} photos")


def keep(picture: QImage, folder: Path, person: str = "") -> Path:
    """Save a photograph, in the folder of its person if there is one; overwrite nothing.

    Raises
    ------
    EigenfacesError
        The place cannot be written to.
    """
    name = safe_name(person) if person else _ASKED
    place = folder / name if person else folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        number = 1
        while (path := place / f"{name} {number}.jpg").exists():
            number += 1
    except OSError as error:
        raise EigenfacesError(
            f"The photo cannot be kept in “{place}”: {error.strerror}. Save the project where "
            "you may write, then try again."
        ) from error
    with atomic_write(path) as part:
        Image.fromarray(rgb_array(picture)).save(part, "JPEG", quality=_QUALITY)
    return path
