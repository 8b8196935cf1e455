"""What was found in photographs, remembered by the content of their files: none is searched twice.

A finding depends on the file, on how it is turned, and on what searches (its `version`): so it
holds for any size of faces, in any import. It is remembered while the program runs, and a project
keeps those of its own photographs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields
from functools import cache
from importlib.resources import files

import msgspec

from eigenfaces.faces.detection import FoundFace
from eigenfaces.photographs.decoding import content_hash

SEARCH = 1
"""Raise it where faces are found otherwise, though `FoundFace` and ``faces.npz`` are as before."""

Faces = tuple[FoundFace, ...]
Finding = tuple[str, int]
"""SHA-256 of a file, and the quarter turns before the search."""


@cache
def version() -> str:
    """Return what findings depend on besides the photograph: the search and what it knows."""
    known = content_hash((files("assets") / "faces.npz").read_bytes())
    said = (SEARCH, [(each.name, str(each.type)) for each in fields(FoundFace)], known)
    return content_hash(repr(said).encode())[:16]


class FoundByFile:
    """Found faces as text by file and turn; of any thread."""

    def __init__(self) -> None:
        self._texts: dict[Finding, str] = {}

    def of(self, key: str, turned: int, search: Callable[[], Faces]) -> Faces:
        """Return the faces in a photograph; ``search`` for them if they are not known."""
        finding = (key, turned % 4)
        text = self._texts.get(finding)
        if text is not None and (known := as_faces(text)) is not None:
            return known
        faces = search()
        self._texts[finding] = as_text(faces)
        return faces

    def texts(self, keys: Collection[str]) -> dict[Finding, str]:
        """Return what was found in these files."""
        found = ((key, turned) for key in keys for turned in range(4))
        return {each: self._texts[each] for each in found if each in self._texts}

    def remember(self, texts: dict[Finding, str]) -> None:
        """Remember what was found before; what is not readable is searched again."""
        self._texts |= texts

    def forget(self) -> None:
        """Forget everything."""
        self._texts.clear()


FOUND = FoundByFile()
"""What this process knows."""


def as_text(faces: Faces) -> str:
    """Return found faces as JSON."""
    return msgspec.json.encode(faces, enc_hook=lambda number: number.item()).decode()


def as_faces(text: str) -> Faces | None:
    """Return the found faces in a JSON text, or None if there are no such faces in it."""
    try:
        return msgspec.json.decode(text, type=Faces)
    except (msgspec.MsgspecError, RecursionError):
        return None
