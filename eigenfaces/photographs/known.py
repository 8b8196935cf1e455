"""Known files: the state of a project's photograph files, and the folders that it watches.

Changed and missing files are detected by size and modification time, without reading them.
Photographs are arranged by the day on which they were taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self

from eigenfaces.errors import PhotoError, Tick, no_tick
from eigenfaces.files import is_regular
from eigenfaces.photographs.decode import content_hash, read_bytes, read_content
from eigenfaces.photographs.header import ISO_SECONDS, Header, read_header, upright_size
from eigenfaces.photographs.names import as_name, person_from_name
from eigenfaces.photographs.xmp import MOST_STARS, MOST_XMP, rating_of, xmp_text


@dataclass(frozen=True)
class KnownFile:
    """State of a photograph file when the program last checked it.

    ``taken`` is the time when the photograph was taken (ISO 8601, local time), from EXIF, or else
    the modification time; it is "" if unknown. ``changed`` is the modification time of the file in
    nanoseconds. A ``favourite`` was marked by the user. ``gone`` means that the file was missing.
    """

    path: Path
    sha: str  # SHA-256 of the file; "" if it could not be read
    size: int  # bytes
    changed: int
    shape: tuple[int, int] = (0, 0)  # (h, w) in pixels, upright; zeros if it could not be read
    taken: str = ""
    favourite: bool = False
    gone: bool = False

    @classmethod
    def read(cls, path: Path, sha: str = "", *, favourite: bool = False) -> Self | None:
        """Return the current state of a file, or None if the file is missing.

        ``sha`` is the SHA-256 of the file, if it has just been read.
        """
        try:
            state = path.stat()
        except OSError:
            return None
        if not sha:
            with suppress(PhotoError):
                sha = content_hash(read_bytes(path))
        header = read_header(path)
        width = height = 0
        if header is not None:
            # Some PNG files would have to be decoded to know their orientation.
            width, height = upright_size(header.stored, header.stated_orientation or 1)
        taken = _time_of(state.st_mtime_ns)
        if header is not None and header.taken:
            taken = header.taken
        favourite = favourite or _is_favourite(path, header)
        return cls(path, sha, state.st_size, state.st_mtime_ns, (height, width), taken, favourite)

    def is_unchanged(self, size: int, changed: int) -> bool:
        """Return whether a file of this size and modification time need not be read again."""
        return self.size == size and self.changed == changed


@dataclass(frozen=True)
class WatchedFolder:
    """Folder that was added to the project and is searched for new photographs.

    ``people`` says whether each sub-folder, except the ``events``, is a person. Other files show
    ``person``, if given. Otherwise, ``pattern`` is used to read the person from the names of files
    directly in the folder.
    """

    path: Path
    people: bool = True
    events: tuple[str, ...] = ()
    pattern: str | None = None
    person: str | None = None

    def person_on(self, path: Path) -> str | None:
        """Return the person in a photograph according to its folder or file name, or None.

        >>> folder = WatchedFolder(Path("Photos"), events=("Christmas",))
        >>> [folder.person_on(Path("Photos", *parts)) for parts in (("Ada", "1.jpg"), ("2.jpg",))]
        ['Ada', None]
        """
        first, *deeper = path.relative_to(self.path).parts
        if deeper:
            return as_name(first) if self.people and first not in self.events else self.person
        if self.person is not None or self.pattern is None:
            return self.person
        named = person_from_name(path.name, self.pattern)
        return None if named is None else as_name(named)


def known_files(
    paths: Iterable[Path], shas: Mapping[Path, str], tick: Tick = no_tick
) -> tuple[KnownFile, ...]:
    """Return the current state of the files that exist; ``shas`` contains known SHA-256 values."""
    wanted = [*dict.fromkeys(paths)]
    files = list[KnownFile]()
    for done, path in enumerate(wanted):
        tick(done, len(wanted))
        if (file := KnownFile.read(path, shas.get(path, ""))) is not None:
            files.append(file)
    return tuple(files)


def with_files(before: tuple[KnownFile, ...], coming: Iterable[KnownFile]) -> tuple[KnownFile, ...]:
    """Return the known files, updated with those just checked. Favourites stay favourites."""
    now = {file.path: file for file in coming}
    kept = list[KnownFile]()
    for file in before:
        new = now.pop(file.path, file)
        new = replace(new, favourite=new.favourite or file.favourite)
        kept.append(file if new == file else new)
    return (*kept, *now.values())


def _is_favourite(path: Path, header: Header | None) -> bool:
    """Return whether a photograph has five stars, in its own XMP or in a sidecar file."""
    documents = [] if header is None else [header.xmp]
    for sidecar in (path.with_name(f"{path.name}.xmp"), path.with_suffix(".xmp")):
        if is_regular(sidecar):
            with suppress(PhotoError):
                documents.append(read_content(sidecar, MOST_XMP))
    return any(rating_of(xmp_text(document)[0]) == MOST_STARS for document in documents)


def _time_of(nanoseconds: int) -> str:
    """Return a file system time as local time (ISO 8601), or "" if it is out of range."""
    try:
        moment = datetime.fromtimestamp(nanoseconds // 1_000_000_000).astimezone()
    except (OverflowError, OSError, ValueError):
        return ""
    return moment.strftime(ISO_SECONDS)
