"""Unused photographs: imported photographs that the project keeps outside the gallery.

In some of them, the user still has to choose a face.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.text import count

Unused = tuple[Skipped, ...]


def with_read_time(skipped: Unused, time: str) -> Unused:
    """Return the skipped photographs with the time at which they were read (ISO 8601)."""
    return tuple(replace(file, read=time) for file in skipped)


def unused_after_import(before: Unused, tried: Collection[Path], skipped: Unused) -> Unused:
    """Return the photographs still unused after an import: those skipped, and those not retried."""
    return replace_files(before, tuple(file for file in before if file.path in tried), skipped)


def replace_files(files: Unused, removed: Unused, added: Unused) -> Unused:
    """Return the files without the ``removed`` files and with the ``added`` files."""
    paths = {file.path for file in (*removed, *added)}
    return (*(file for file in files if file.path not in paths), *added)


@dataclass(frozen=True)
class PendingPhotos(FoundPhotos):
    """Photographs in which the user must choose a face, followed by those with guesses to check."""

    guesses: int = 0  # the number of photographs with a guess to confirm

    @property
    def words(self) -> str:
        """The number of photographs of each kind, one per line, or "" if there are none."""
        choices = len(self.photos) - self.guesses
        lines = []
        if choices:
            lines.append(f"{count(choices)} to review")
        if self.guesses:
            lines.append(f"{count(self.guesses, 'guess', 'guesses')} to confirm")
        return "\n".join(lines)


def pending_photos(unused: Unused, enrolled: PhotoIndex | None = None) -> PendingPhotos:
    """Return the photographs in which a face must be chosen or a guess must be confirmed."""
    choices = [file for file in unused if file.needs_choice]
    photos = {file.path: Photo(file.path, file.person, turned=file.turned) for file in choices}
    needed = len(photos)
    for guess in enrolled.guesses if enrolled else ():
        photo = Photo(guess.path, guess.person, turned=guess.photograph.turned)
        photos.setdefault(guess.path, photo)
    return PendingPhotos(tuple(photos.values()), guesses=len(photos) - needed)
