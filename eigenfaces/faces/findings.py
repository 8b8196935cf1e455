"""What was found in photographs, remembered by the content of their files: none is searched twice.

A finding depends on the file, on how it is turned, and on what searches (its `version`): so it
holds for any size of faces, in any import. It is remembered while the program runs; a project keeps
those of its own photographs, and a build writes each down until it is done (`kept_in`).
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.detection import FoundFace
from eigenfaces.photographs.decoding import content_hash

SEARCH = 1
"""Raise it where faces are found otherwise, though `FoundFace` and ``faces.npz`` are as before."""

Faces = tuple[FoundFace, ...]
Finding = tuple[str, int]
"""SHA-256 of a file, and the quarter turns before the search."""

_HEADING = b"Faces that an unfinished build of Eigenfaces has found; it goes on from here.\n"


@cache
def version() -> str:
    """Return what findings depend on besides the photograph: the search and what it knows."""
    known = content_hash((files("assets") / "faces.npz").read_bytes())
    said = (SEARCH, [(each.name, str(each.type)) for each in fields(FoundFace)], known)
    return content_hash(repr(said).encode())[:16]


class FoundByFile:
    """Found faces as text by file and turn; of any thread."""

    def __init__(self) -> None:
        self.used: set[Finding] = set()
        self._texts: dict[Finding, str] = {}
        self._write: Callable[[Finding, str], None] | None = None

    def of(self, key: str, turned: int, search: Callable[[], Faces]) -> Faces:
        """Return the faces in a photograph; ``search`` for them if they are not known."""
        finding = (key, turned % 4)
        text = self._texts.get(finding)
        if text is not None and (known := as_faces(text)) is not None:
            self.used.add(finding)
            return known
        faces = search()
        self.used.add(finding)
        self._texts[finding] = text = as_text(faces)
        if self._write is not None:
            self._write(finding, text)
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
        self.used.clear()

    @contextlib.contextmanager
    def kept_in(self, path: Path) -> Iterator[frozenset[Finding]]:
        """Write every new finding to a file at once, so that a killed process can go on.

        Yield what is remembered from the file that an earlier one left. The file is removed if the
        work succeeds; where it cannot be written, the work goes on without it.

        Raises
        ------
        EigenfacesError
            Something else is in its place.
        """
        before = _read(path)
        self.remember(before)
        written = _FindingsFile(path)
        self._write = written.add
        try:
            yield frozenset(before)
        finally:
            self._write = None
            written.close()
        path.unlink(missing_ok=True)


FOUND = FoundByFile()
"""What this process knows."""


class _FindingsFile:
    """A file to which every finding is added at once; of any thread."""

    def __init__(self, path: Path) -> None:
        self._path, self._file, self._failed = path, -1, False
        self._lock = Lock()

    def add(self, finding: Finding, text: str) -> None:
        """Add a finding; after a failure, none."""
        line = json.dumps([*finding, text])
        with self._lock:
            try:
                if self._failed:
                    return
                if self._file < 0:
                    self._begin()
                os.write(self._file, f"{zlib.crc32(line.encode()):08x} {line}\n".encode())
            except OSError:  # as on a full disk: what is kept for later is not worth failing now
                self._failed = True

    def _begin(self) -> None:
        self._file = os.open(self._path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        new = os.fstat(self._file).st_size == 0
        heading = _HEADING + version().encode() if new else b""
        os.write(self._file, heading + b"\n")  # also ends a line that was cut off

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)


def _read(path: Path) -> dict[Finding, str]:
    """Return the findings in a file; of another version, none, and the file is removed."""
    if not os.path.lexists(path):
        return {}
    content = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    if content is None or not (content.startswith(_HEADING) or _HEADING.startswith(content)):
        raise EigenfacesError(
            f"“{path}” is in the way: what is found would be kept there until the build is done. "
            "Move it elsewhere, or choose another name for the project."
        )
    lines = content.removeprefix(_HEADING).split(b"\n")
    if lines[0] != version().encode():
        path.unlink()
        return {}
    found = {}
    for line in lines[1:]:
        seal, _, said = line.partition(b" ")
        if seal == b"%08x" % zlib.crc32(said):
            key, turned, text = json.loads(said)
            found[key, turned] = text
    return found


def as_text(faces: Faces) -> str:
    """Return found faces as JSON."""
    return json.dumps([asdict(face) for face in faces], default=lambda number: number.item())


def as_faces(text: str) -> Faces | None:
    """Return the found faces in a JSON text, or None if there are no such faces in it."""
    try:
        return tuple(_as(FoundFace, each) for each in json.loads(text, parse_constant=_refused))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _refused(constant: str) -> float:
    raise ValueError(constant)


def _as(kind: Any, value: Any) -> Any:
    """Return a value from JSON as one of a type; raise `ValueError` or the like if it is none."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        wanted = {each.name for each in fields(kind)}
        if set(value) != wanted:
            raise ValueError("other fields")
        return kind(**{name: _as(hints[name], value[name]) for name in wanted})
    if get_origin(kind) in (Union, UnionType):
        if value is None and type(None) in get_args(kind):
            return None
        return _as(next(each for each in get_args(kind) if each is not type(None)), value)
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        kinds = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
        return tuple(_as(each, one) for each, one in zip(kinds, value, strict=True))
    if kind is float and type(value) in (int, float):
        return float(value)
    if type(value) is not kind:
        raise ValueError("another type")
    return value
