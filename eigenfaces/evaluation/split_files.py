"""Splits read from files: lists of photographs, and pairs in the format of LFW.

A photograph is named by its path below the folder of photographs, with forward slashes. The last
parts of the path are enough if they are unique. A photograph that is named twice counts once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePath, PurePosixPath
from typing import Literal, TypeVar

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.decode import read_text
from eigenfaces.photographs.photos import IN_HEADING, Skipped
from eigenfaces.text import some_of

T = TypeVar("T")
Names = tuple[str, ...]
Pair = tuple[str, str]

NOT_ACQUIRED, LEFT_OUT = -1, -2
"""The rows of a photograph that could not be used, and of one left out as a duplicate."""

Missing = Literal["count", "refuse"]
"""What becomes of a photograph that is named and could not be used: it is counted, or refused."""


def rows_named(
    faces: FaceSet, *lists: Iterable[str], missing: Missing = "refuse"
) -> list[list[int]]:
    """Return the rows of the photographs that each list names, in its order.

    If they are counted, those that are not there are `NOT_ACQUIRED` or `LEFT_OUT`.

    In a name, a # after a space begins a comment, and a tab, semicolon or comma another column, if
    no photograph has the whole name. Names that fit no photograph, or several, raise an
    `EigenfacesError` that tells them, with the reason if such a photograph could not be used.
    """
    rows: dict[str, list[tuple[Names, int]]] = {}
    unused: dict[str, list[tuple[Names, Skipped]]] = {}
    for row, photo in enumerate(faces.index.photos):
        rows.setdefault(_parts(photo.path)[-1], []).append((_parts(photo.path), row))
    for each in faces.skipped:
        unused.setdefault(_parts(each.path)[-1], []).append((_parts(each.path), each))
    unknown: dict[str, None] = {}

    def row_of(name: str) -> int:
        found = _ending_in(name, rows)
        if not found:
            name = re.split(r"\s#|[\t;,]", name)[0].strip().strip('"')
            found = _ending_in(name, rows)
        if len(found) == 1:
            return found[0]
        said = _ending_in(name, unused)
        if said and not found and missing == "count":
            return LEFT_OUT if said[0].kind == "duplicate" else NOT_ACQUIRED
        why = f" ({said[0].reason.rstrip('.')})" if said else ""
        unknown[f"“{name}” fits {len(found)} photos" if found else f"“{name}”{why}"] = None
        return 0

    named = [[row_of(name) for name in each] for each in lists]
    if unknown:
        count = "One photo" if len(unknown) == 1 else f"{len(unknown)} photos"
        raise EigenfacesError(
            f"{count} that the protocol names cannot be used or found: "
            f"{some_of([*unknown], 5)}. Put that right in the lists, or add the photos."
        )
    return named


def _ending_in(name: str, known: dict[str, list[tuple[Names, T]]]) -> list[T]:
    """Return what is known of the paths that end as a name; the key is their last part."""
    parts = _parts(PurePosixPath(name.replace("\\", "/"))) or ("",)
    return [value for path, value in known.get(parts[-1], ()) if path[-len(parts) :] == parts]


def _parts(path: PurePath) -> Names:
    """Return the parts of a path in Unicode NFC, since file systems and editors differ."""
    return tuple(unicodedata.normalize("NFC", part) for part in path.parts)


def read_list(path: Path) -> Names:
    """Return the names of photographs, one per line.

    A line that begins with # is a comment; a name that does so is written “./#1.jpg”. For a # after
    a space, and for other columns, see `rows_named`; a heading is passed over.
    """
    lines = [line.strip() for line in _lines(path)]
    if lines and re.split(r"[\t;,]", lines[0])[0].strip('" ').lower() in IN_HEADING[0]:
        del lines[0]
    names = tuple(line for line in lines if line and not line.startswith("#"))
    if not names:
        raise EigenfacesError(f"“{path.name}” names no photo: write one name a line.")
    return names


def read_pairs(path: Path) -> tuple[tuple[Pair, ...], ...]:
    """Return the sets of pairs in a file of LFW (``pairs.txt``, ``pairsDevTrain.txt``).

    The first line has the number of sets and of mated (and non-mated) pairs in each; only the
    latter for a single set. Then follow ``name number number`` for a mated pair and
    ``name number name number`` for a non-mated one. Photographs are ``name/name_0001.jpg``.
    """
    head, *lines = [line.split() for line in _lines(path) if line.strip()] or [[]]
    try:
        if not 1 <= len(head) <= 2 or not all(map(_is_count, head)):
            raise ValueError("its first line must give the number of sets and of pairs in each")
        sets, size = int(head[0]) if len(head) == 2 else 1, 2 * int(head[-1])
        pairs = [_pair(words) for words in lines]
        if len(pairs) != sets * size:
            raise ValueError(f"{sets * size} pairs are announced and {len(pairs)} follow")
    except ValueError as error:
        raise EigenfacesError(
            f"“{path.name}” is not a list of pairs as LFW writes them: {error}."
        ) from None
    return tuple(tuple(pairs[start : start + size]) for start in range(0, len(pairs), size))


def _pair(words: list[str]) -> Pair:
    said = f"“{' '.join(words)}”"
    if len(words) == 3:
        words = [words[0], words[1], words[0], words[2]]
    if len(words) != 4 or not _is_count(words[1]) or not _is_count(words[3]):
        raise ValueError(f"{said} is no pair")
    first, one, second, other = words
    if (first, int(one)) == (second, int(other)):
        raise ValueError(f"{said} compares a photo with itself")
    return f"{first}/{first}_{int(one):04}.jpg", f"{second}/{second}_{int(other):04}.jpg"


def _is_count(word: str) -> bool:
    return re.fullmatch("[0-9]{1,9}", word) is not None and int(word) > 0


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).splitlines()
    except UnicodeDecodeError:
        raise EigenfacesError(f"“{path.name}” is no text file in UTF-8.") from None
