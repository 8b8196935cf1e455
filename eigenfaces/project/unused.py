"""The photographs of imports that are not in the gallery: a project keeps them with it.

Those that need a choice wait for it there.
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
    """Return what an import skipped with the time (ISO 8601) at which it was read."""
    return tuple(replace(file, read=time) for file in skipped)


def unused_after_import(before: Unused, tried: Collection[Path], skipped: Unused) -> Unused:
    """Return what is not used after an import: what it skipped, and what it did not try."""
    return replace_files(before, tuple(file for file in before if file.path in tried), skipped)


def replace_files(files: Unused, removed: Unused, added: Unused) -> Unused:
    """Return the files without those that are removed, and with those that are added."""
    paths = {file.path for file in (*removed, *added)}
    return (*(file for file in files if file.path not in paths), *added)


@dataclass(frozen=True)
class PendingPhotos(FoundPhotos):
    """Photographs that wait for a person: a face has to be chosen, or (the last) confirmed."""

    guesses: int = 0  # to be confirmed

    @property
    def words(self) -> str:
        """How many there are, a line for each kind; "" where nothing waits."""
        choices = len(self.photos) - self.guesses
        lines = []
        if choices:
            lines.append(f"{count(choices)} to look at")
        if self.guesses:
            lines.append(f"{count(self.guesses, 'guess', 'guesses')} to confirm")
        return "\n".join(lines)


def pending_photos(unused: Unused, enrolled: PhotoIndex | None = None) -> PendingPhotos:
    """Return what waits, each file once: for the choice of a face, or a guess to be confirmed."""
    choices = [file for file in unused if file.needs_choice]
    photos = {file.path: Photo(file.path, file.person, turned=file.turned) for file in choices}
    needed = len(photos)
    for guess in enrolled.guesses if enrolled else ():
        photo = Photo(guess.path, guess.person, turned=guess.photograph.turned)
        photos.setdefault(guess.path, photo)
    return PendingPhotos(tuple(photos.values()), guesses=len(photos) - needed)
