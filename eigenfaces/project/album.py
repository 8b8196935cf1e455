"""Album: the photographs of a project by date, with the people in each photograph."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.photographs.known import KnownFile
from eigenfaces.project.content import Content

MONTHS = (  # always in English, like all text in the window
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_BETWEEN = {"and", "with", "&"}  # words that a search ignores
_SHORTEST_MONTH = 3  # letters of the shortest form, “Dec”


@dataclass(frozen=True)
class AlbumPhoto:
    """Photograph in a project, with the time it was taken and its faces in the gallery.

    ``taken`` is the local time from `KnownFile` (ISO 8601), or "" if unknown.
    """

    photograph: Photograph
    taken: str
    faces: tuple[FacePhoto, ...]
    favourite: bool = False
    gone: bool = False  # whether its file was missing when the program last looked

    @property
    def why_gone(self) -> str:
        """A sentence saying that the photograph's file is missing, or "" if it is not."""
        return "The file was no longer in its folder." if self.gone else ""

    @property
    def people(self) -> tuple[str, ...]:
        """The names of the people in the photograph, from left to right."""
        return tuple(dict.fromkeys(face.person for face in self.faces if face.person is not None))


def album(
    content: Content, people: Collection[str] = (), words: str = ""
) -> tuple[AlbumPhoto, ...]:
    """Return the photographs of a project, newest first, with undated photographs last.

    With ``people``, only photographs that show all of these people are returned. With ``words``,
    each word must match a person, the path, or the date (“Ada Grace”, “sea”, “24 December 2022”).
    Each photograph is listed once, whether or not it shows faces. Duplicates and unreadable
    photographs are left out.
    """
    index = content.gallery.index
    known = {file.path: file for file in content.files}
    wanted = frozenset(people)
    found = list[AlbumPhoto]()
    for rows in index.rows_by_sha.values():
        faces = [index.photos[row] for row in rows]
        if wanted.issubset(face.person for face in faces):
            found.append(_with_faces(faces, known.get(faces[0].path)))
    if not wanted:
        there = {*index.rows_by_sha}
        found += (_without_faces(file) for file in _shown_without_faces(content, there))
    if asked := _words_of(words):
        found = _with_words(found, asked)
    return tuple(sorted(found, key=lambda photo: (photo.taken, *photo.photograph.path.parts)))[::-1]


def _words_of(text: str) -> list[str]:
    """Return the words of a search query, leaving out “and” and similar words."""
    words = [_search_key(word) for word in re.split(r"[\s,;]+", text) if word]
    return [word for word in words if word not in _BETWEEN] or words


def _search_key(text: str) -> str:
    """Return text normalised for searching: Unicode NFC with case folding."""
    return unicodedata.normalize("NFC", text).casefold()


def _with_words(photos: Sequence[AlbumPhoto], words: Sequence[str]) -> list[AlbumPhoto]:
    """Return the photographs that match every word."""
    shared = _shared_parts([photo.photograph.path for photo in photos])
    months = {word for word in words if len(word) >= _SHORTEST_MONTH}
    dated = any(_search_key(month).startswith(word) for month in MONTHS for word in months)
    found = []
    for photo in photos:
        path = photo.photograph.path
        place = path.parts[shared:] if path.is_absolute() else path.parts
        named = _search_key("\n".join((*photo.people, *place)))
        when = _when(photo.taken)
        if all(_says(word, named, when, dated=dated) for word in words):
            found.append(photo)
    return found


def _says(word: str, named: str, when: str, *, dated: bool) -> bool:
    """Return whether a word matches. If a query has a month, short numbers match only the day."""
    if len(word) > 2 or not word.isdecimal():
        return word in named or word in when
    return when[8:10] == word.zfill(2) if dated else word in named


@lru_cache(maxsize=1 << 15)
def _when(taken: str) -> str:
    """Return a time as its ISO date and the name of the month, normalised for searching."""
    try:
        day = date.fromisoformat(taken[:10])
    except ValueError:
        return ""
    return f"{day.isoformat()} {_search_key(MONTHS[day.month - 1])}"


def _shared_parts(paths: Sequence[Path]) -> int:
    """Return how many leading folders are shared by all paths and thus ignored in a search.

    The last shared folder is not counted, because it may be the folder that was added.
    """
    folders = {path.parent for path in paths if path.is_absolute()}
    try:
        return max(len(Path(os.path.commonpath(folders)).parts) - 1, 0)
    except ValueError:  # there are none, or they are on several drives
        return 0


def _with_faces(faces: list[FacePhoto], file: KnownFile | None) -> AlbumPhoto:
    ordered = sorted(faces, key=_left_of)
    if file is None:
        return AlbumPhoto(faces[0].photograph, "", tuple(ordered))
    return AlbumPhoto(
        faces[0].photograph, file.taken, tuple(ordered), file.favourite, gone=file.gone
    )


def _left_of(face: FacePhoto) -> float:
    """Return the distance of a face from the left edge of its photograph, in pixels."""
    return 0.0 if face.placement.eyes is None else face.placement.eyes.middle.real


def _shown_without_faces(content: Content, there: Collection[str]) -> Iterable[KnownFile]:
    """Yield one file for each picture that is shown despite having no face in the gallery."""
    unused = {file.path for file in content.unused if file.kind not in ("unreadable", "duplicate")}
    seen = {*there, ""}
    for file in content.files:
        if file.path in unused and file.sha not in seen and min(file.shape) > 0:
            seen.add(file.sha)
            yield file


def _without_faces(file: KnownFile) -> AlbumPhoto:
    photograph = Photograph(file.path, file.sha, file.shape)
    return AlbumPhoto(photograph, file.taken, (), file.favourite, gone=file.gone)
