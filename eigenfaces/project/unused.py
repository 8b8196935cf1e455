"""Photographs of imports that are not in the gallery, and what was found: rows of a project file.

Those that need a choice wait for it in the project, and no photograph is searched twice.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from eigenfaces.errors import Fault, PhotoError
from eigenfaces.faces.face_reading import ReadFile
from eigenfaces.faces.findings import FOUND, Finding, version
from eigenfaces.faces.photo_index import PhotoIndex
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.project.stored_places import storable
from eigenfaces.project.tables import rows, sealed
from eigenfaces.wording import count

Unused = tuple[Skipped, ...]
Texts = Mapping[Finding, str]
NOBODY = PhotoIndex()
"""An empty gallery."""

_FIRST = 5
"""The version of project files that first had these tables."""


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
    """Photographs that wait for a person: a face has to be chosen, or (the last) confirmed."""

    guesses: int = 0

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
    chosen = {each.path: Photo(each.path, each.person) for each in unused if each.needs_choice}
    guessed = {
        photo.path: Photo(photo.path, photo.person)
        for photo in held.guesses
        if photo.path not in chosen
    }
    return Waiting((*chosen.values(), *guessed.values()), guesses=len(guessed))


def texts_of(keys: Collection[str], unused: Unused, read: ReadFile) -> Texts:
    """Return what was found in files with these keys, and in the photographs that wait."""
    wanted = {*keys}
    for photo in waiting(unused).photos:
        with contextlib.suppress(PhotoError):
            wanted.add(content_hash(read(photo.path)))
    return FOUND.texts(wanted)


def write_unused(connection: sqlite3.Connection, unused: Unused) -> None:
    """Write the files that are not used; where there are none, forget what was found in them."""
    connection.execute("DELETE FROM unused")
    connection.executemany(
        "INSERT INTO unused VALUES (?, ?, ?, ?, ?, ?)",
        [
            sealed(place, storable(each.path), each.person, each.kind, each.reason)
            for place, each in enumerate(unused)
        ],
    )
    if not unused:
        connection.execute("DELETE FROM finding WHERE photo NOT IN (SELECT key FROM photo)")


def write_findings(connection: sqlite3.Connection, texts: Texts) -> None:
    """Write what was found in photographs."""
    connection.executemany(
        "INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?, ?)",
        [sealed(key, turned, version(), text) for (key, turned), text in texts.items()],
    )


def load_unused(connection: sqlite3.Connection, file_version: int) -> Unused:
    """Return the files that are not used; raise `ValueError` where there can be none such."""
    if file_version < _FIRST:
        return ()
    unused = []
    for place, (position, path, person, kind, reason) in enumerate(
        rows(connection, "unused", "position")
    ):
        if position != place or kind not in get_args(Fault):
            raise ValueError("its photographs that wait are not in order")
        unused.append(Skipped(Path(os.fsdecode(path)), reason, person, kind))
    return tuple(unused)


def load_findings(connection: sqlite3.Connection, file_version: int) -> dict[Finding, str]:
    """Return what the present search has found before; not what another one has."""
    if file_version < _FIRST:
        return {}
    found: Sequence[tuple[object, ...]] = list(rows(connection, "finding"))
    return {(str(row[0]), int(str(row[1]))): str(row[3]) for row in found if row[2] == version()}
