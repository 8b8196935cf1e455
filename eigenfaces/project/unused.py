"""Photographs of imports that are not in the gallery, and what was found in them.

Those that need a choice wait for it in the project, and no photograph is searched twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.errors import PhotoError
from eigenfaces.faces.findings import FOUND, Finding
from eigenfaces.faces.photo_index import PhotoIndex
from eigenfaces.photographs.decoding import content_hash, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.text import count

Unused = tuple[Skipped, ...]
Texts = Mapping[Finding, str]
NOBODY = PhotoIndex()
"""An empty gallery."""


def read_at(skipped: Unused, time: str) -> Unused:
    """Return what an import skipped with the time (ISO 8601) at which it was read."""
    return tuple(replace(file, read=time) for file in skipped)


def after_import(before: Unused, tried: Collection[Path], skipped: Unused) -> Unused:
    """Return what is not used after an import: what it skipped, and what it did not try."""
    again = {*tried, *(file.path for file in skipped)}
    return (*(file for file in before if file.path not in again), *skipped)


def without(files: Unused, gone: Unused, come: Unused) -> Unused:
    """Return the files without those that are gone, and with those that have come."""
    paths = {file.path for file in (*gone, *come)}
    return (*(file for file in files if file.path not in paths), *come)


@dataclass(frozen=True)
class Waiting(FoundPhotos):
    """Photographs that wait for a person: a face has to be chosen, or (the last) confirmed.

    ``read``: when the first of those that need a choice was read, and when the last; nothing where
    that is not known, as after a build on the command line.
    """

    guesses: int = 0
    read: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How many there are, a line for each kind; "" where nothing waits."""
        chosen, lines = len(self.photos) - self.guesses, []
        if chosen:
            lines.append(f"{count(chosen)} {'waits' if chosen == 1 else 'wait'}")
        if self.guesses:
            lines.append(f"{count(self.guesses, 'guess', 'guesses')} to confirm")
        return "\n".join(lines)


def waiting(unused: Unused, held: PhotoIndex = NOBODY) -> Waiting:
    """Return what waits, each file once: for the choice of a face, or for a guess to be confirmed.

    ``held``: the photographs of the gallery; guesses of nobody named are none any more.
    """
    chosen = {
        each.path: Photo(each.path, each.person, turned=each.turned)
        for each in unused
        if each.needs_choice
    }
    guessed = {
        photo.path: Photo(photo.path, photo.person, turned=photo.placement.turned)
        for photo in held.guesses
        if photo.path not in chosen
    }
    times = sorted(each.read for each in unused if each.needs_choice and each.read)
    read = (times[0], times[-1]) if times else ()
    return Waiting((*chosen.values(), *guessed.values()), guesses=len(guessed), read=read)


def texts_of(keys: Collection[str], unused: Unused) -> Texts:
    """Return what was found in files with these keys, and in the photographs that wait."""
    wanted = {*keys}
    for photo in waiting(unused).photos:
        with contextlib.suppress(PhotoError):
            wanted.add(content_hash(read_bytes(photo.path)))
    return FOUND.texts(wanted)
