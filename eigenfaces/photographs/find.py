"""Find photographs, and the people in them, from folders, lists and patterns."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import glob
from itertools import chain
from pathlib import Path

from PIL import Image

from eigenfaces.errors import EigenfacesError, Fault, PhotoError, reason_of
from eigenfaces.files import is_regular, is_there, resolved
from eigenfaces.photographs.decode import NOT_READ, PICTURES
from eigenfaces.photographs.header import open_image
from eigenfaces.photographs.known import WatchedFolder
from eigenfaces.photographs.names import (
    as_name,
    check_pattern,
    natural_key,
    person_from_name,
)
from eigenfaces.photographs.placement import Box, Placement, read_eyes
from eigenfaces.photographs.tables import (
    PERSON_HEADINGS,
    PHOTO_HEADINGS,
    read_table,
    table_path,
)
from eigenfaces.text import count, name_key, short_repr

FACES_TABLE = "faces.csv"  # the table that the command ``faces`` writes next to the crops


@dataclass(frozen=True)
class Region:
    """Face marked by another program: its box in the upright photograph, and its name."""

    box: Box
    person: str | None = None


@dataclass(frozen=True)
class Photo:
    """Photograph to read, with its person and the placement of the face, if given."""

    path: Path
    person: str | None = None
    placement: Placement | None = None
    turned: int = 0  # quarter turns clockwise in addition to the orientation in the file
    regions: tuple[Region, ...] = ()  # faces marked by another program, named ones first
    stored: tuple[int, int] | None = field(default=None, compare=False)
    """The size (h, w) as stored, before EXIF rotation; None if the header was not read."""

    @property
    def marked_faces(self) -> tuple[Region, ...]:
        """The regions that are used as faces, starting with that of the person in the photograph.

        The tuple is empty if there are several regions without names, because it is unknown which
        of them shows the person.
        """
        named = any(region.person is not None for region in self.regions)
        one = self.person is None or len(self.regions) == 1
        return self.regions if (named or one) and self.turned == 0 else ()


@dataclass(frozen=True)
class Skipped:
    """Photograph that is not used, with the reason as a sentence, and its person if known."""

    path: Path
    reason: str
    person: str | None = None
    kind: Fault = "unreadable"
    turned: int = 0  # see `Photo`
    read: str = ""  # when it was last read (ISO 8601), if that is known

    @classmethod
    def from_error(cls, error: PhotoError, photo: Photo) -> Skipped:
        """Return the record of a photograph that cannot be used because of an error."""
        return cls(photo.path, str(error), photo.person, error.kind, photo.turned)

    @property
    def needs_choice(self) -> bool:
        """Whether the user must choose the face."""
        return self.kind in ("no face", "several faces", "doubtful", "not a face", "unlike")

    @property
    def can_be_shown_a_face(self) -> bool:
        """Whether the file can be read, so that the user can show where the face is."""
        return self.needs_choice or self.kind in ("left out", "unnamed")


@dataclass(frozen=True)
class FoundPhotos:
    """Contents of a folder or list: photographs in natural order, and skipped files."""

    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()
    note: str = ""  # sentences about other files in the folder that are not read
    folders: tuple[WatchedFolder, ...] = ()  # the folders that were searched
    __repr__ = short_repr

    @property
    def marked_words(self) -> str:
        """A sentence about faces that another program has marked, or "" if there are none."""
        number = sum(bool(photo.marked_faces) for photo in self.photos)
        marked = (
            f"Another program has marked faces in {count(number)}. Its boxes and names are used."
        )
        return marked if number else ""

    @property
    def people(self) -> list[str]:
        """The names of all people in order of appearance, first in photographs, then in regions."""
        names = [photo.person for photo in self.photos]
        names += [region.person for photo in self.photos for region in photo.regions]
        return [*dict.fromkeys(filter(None, names))]


def find_photos(
    source: Path | str, pattern: str | None = None, eyes: Path | str | None = None
) -> FoundPhotos:
    """Return the photographs in a folder or a list, or those that match a pattern with * or ?.

    In a folder, all files below a sub-folder belong to the person of that name. A list is a text
    file with one ``path;label`` per line; a comma or a tab can replace the semicolon. A heading may
    name other columns (`PHOTO_HEADINGS`, `PERSON_HEADINGS`). Paths are relative to the folder of
    the list, and comments are treated as in `read_table`. A pattern matches files, or folders with
    one person each. No photograph is decoded.

    Parameters
    ----------
    source
        The folder, the list, or the pattern.
    pattern
        The pattern that gives the person for files directly in the folder, such as ``{person}.*``
        for ``subject01.happy.gif``; see `person_from_name`. If None, people are not read from
        file names.
    eyes
        A file for `read_eyes`, or None to use any ``eyes.csv`` in the folder or next to the list.

    Returns
    -------
    FoundPhotos
        The photographs in natural order, each with its person if known, and the skipped files.

    Raises
    ------
    EigenfacesError
        The source does not exist, cannot be read or contains no photographs, the pattern is
        invalid, or the given table of eyes lists none of the photographs.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("Ada 2.png", "Ada 10.png"):
    ...         Image.new("L", (4, 4)).save(Path(folder, name))
    ...     found = find_photos(folder, "{person} *.png")
    >>> [(photo.path.name, photo.person) for photo in found.photos]
    [('Ada 2.png', 'Ada'), ('Ada 10.png', 'Ada')]
    """
    if pattern is not None:
        check_pattern(pattern)
    source = Path(source).absolute()  # so that a project finds its photographs from any folder
    try:
        paths = _expand_pattern(source)
        if paths != [source]:
            found = photos_of(paths, folders_are_people=True)
        elif source.is_dir():
            found = replace(_read_folder(source), folders=(WatchedFolder(source),))
        elif is_regular(source):
            found = _read_list(source)
        else:
            raise EigenfacesError(f"“{source}” does not exist. Check the path and try again.")
    except OSError as error:
        raise EigenfacesError(f"“{source}” cannot be read: {reason_of(error)}.") from error
    if not found.photos and not found.skipped:
        raise EigenfacesError(
            f"There are no photos in “{source}”. Choose a folder that contains some."
        )
    if pattern is not None:
        found = named_by_pattern(found, pattern)
    file = (source if source.is_dir() else source.parent) / "eyes.csv" if not eyes else Path(eyes)
    if not eyes and not is_there(file):
        return found
    known = {path: Placement(stated, "from a file") for path, stated in read_eyes(file).items()}
    photos = [replace(photo, placement=known.get(resolved(photo.path))) for photo in found.photos]
    if eyes and photos and all(photo.placement is None for photo in photos):
        raise EigenfacesError(
            f"“{file}” gives no eye positions for any of these photos. Check the paths in its "
            "column “file”, which are relative to its folder."
        )
    paths = [photo.path for photo in found.photos] + [file.path for file in found.skipped]
    here = set(map(resolved, paths))
    elsewhere = len(known.keys() - here)
    note = found.note
    if elsewhere and not is_there(file.with_name(FACES_TABLE)):  # next to it are crops, not photos
        note = f"{note} Eye positions are also given for {count(elsewhere)} not found here.".strip()
    return replace(found, photos=tuple(photos), note=note)


def photos_of(paths: Sequence[Path], *, folders_are_people: bool = False) -> FoundPhotos:
    """Return the photographs specified by files, folders and patterns such as ``*.png``."""
    photos = list[Photo]()
    skipped = list[Skipped]()
    notes = list[str]()
    folders = list[WatchedFolder]()
    for path in chain.from_iterable(map(_expand_pattern, paths)):
        if not os.path.isdir(path):  # noqa: PTH112 - pathlib refuses impossible paths
            photos.append(Photo(path))
            continue
        try:
            found = find_photos(path)
        except EigenfacesError as error:
            skipped.append(Skipped(path, str(error)))
            continue
        name = as_name(path.name) if folders_are_people else None
        photos += [replace(photo, person=photo.person or name) for photo in found.photos]
        skipped += found.skipped
        notes.append(found.note)
        folders += [replace(folder, person=name) for folder in found.folders]
    note = " ".join(filter(None, notes))
    return FoundPhotos(tuple(photos), tuple(skipped), note, tuple(folders))


def _expand_pattern(path: Path) -> list[Path]:
    """Return the files and folders that match a path with * or ?, or else the path itself."""
    if is_there(path) or not re.search(r"[*?[]", str(path)):
        return [path]
    matches = sorted(glob(str(path), recursive=True), key=natural_key)  # noqa: PTH207 - as typed
    return [p for p in map(Path, matches) if p.name.casefold() not in _OF_THE_SYSTEM] or [path]


_FILMS = ("3gp", "avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "webm", "wmv")
_OTHERS = {"film": frozenset(_FILMS), "PDF": frozenset({"pdf"})}
"""Other types of file that are found among photographs, and their extensions."""


def others_words(files: Mapping[str, int]) -> str:
    """Return a sentence about the films and PDF files that are not read, or "" if there are none.

    >>> others_words({"film": 3, "PDF": 1})
    '3 films and 1 PDF are not read.'
    """
    parts = [count(files[kind], kind) for kind in _OTHERS if files.get(kind)]
    one = sum(files.values()) == 1
    return f"{' and '.join(parts)} {'is' if one else 'are'} not read." if parts else ""


def _read_folder(folder: Path) -> FoundPhotos:
    photos, skipped = list[Photo](), list[Skipped]()
    others = Counter[str]()
    for path, reason in pictures_in(folder, others):
        first, *deeper = path.relative_to(folder).parts
        if reason:
            skipped.append(Skipped(path, reason, as_name(first)))
        else:
            photos.append(Photo(path, as_name(first) if deeper else None))
    return FoundPhotos(tuple(photos), tuple(skipped), others_words(others))


def pictures_in(root: Path, others: Counter[str] | None = None) -> Iterator[tuple[Path, str]]:
    """Yield the pictures in a folder tree in natural order, and skipped folders with the reasons.

    Films and PDF files are counted in ``others``.
    """
    seen: set[tuple[int, int]] = set()
    stack = [root]  # no recursion: folders may be nested deeper than calls
    while stack:
        path = stack.pop()
        if path is not root and not os.path.isdir(path):  # noqa: PTH112 - as above
            ending = path.suffix.lower().removeprefix(".")
            kind = next((kind for kind, endings in _OTHERS.items() if ending in endings), None)
            if kind is None and is_picture(path):
                yield path, ""
            elif kind is not None and others is not None:
                others[kind] += 1
            continue
        try:
            status = path.stat()
            if (status.st_dev, status.st_ino) in seen:
                yield path, "This folder has already been read under another name."
                continue
            seen.add((status.st_dev, status.st_ino))
            stack.extend(path / name for name in reversed(_names_in(path)))
        except OSError as error:
            if path is root:
                raise
            yield path, f"This folder cannot be read: {reason_of(error)}."


def _names_in(folder: Path) -> list[str]:
    """Return the names in a folder in natural order, without hidden and system files."""
    names = os.listdir(folder)  # noqa: PTH208 - names, not paths
    visible = (name for name in names if name[0] != "." and not is_of_the_system(name))
    return sorted(visible, key=lambda name: (natural_key(name), name))


def is_of_the_system(name: str) -> bool:
    """Return whether a file or folder of this name is created by a system rather than the user."""
    return name.casefold() in _OF_THE_SYSTEM


_OF_THE_SYSTEM = {
    *("@eadir", "@tmp", "@__thumb", "@sharebin", "@synoresource", "@recycle", "#recycle"),
    *("@recently-snapshot", "#snapshot", "~snapshot", "$recycle.bin", "recycler", "lost.dir"),
    *("system volume information", "found.000", "lost+found", "__macosx", "temporary items"),
    *("network trash folder", "thumbs.db", "ehthumbs.db", "ipod photo cache", "_gsdata_"),
}
"""Names of files and folders created by operating systems and storage devices, in lower case."""


_SUFFIXES = frozenset(f".{ending}" for ending in PICTURES + NOT_READ)


def is_picture(path: Path) -> bool:
    """Return whether a file is a picture, even if its name is unusual (``subject01.happy``)."""
    if path.suffix.lower() in _SUFFIXES:
        return True
    try:
        if not is_regular(path):
            return False  # opening a pipe would block
        with open_image(path):
            return True
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return True
    except Exception:  # decoders raise almost anything on other files
        return False


def _read_list(file: Path) -> FoundPhotos:
    photos = list[Photo]()
    skipped = list[Skipped]()
    labels: dict[str, str] = {}  # the first spelling of each, by its folded form
    lines = read_table(file)
    columns = lines[0].columns(PHOTO_HEADINGS, PERSON_HEADINGS) if lines else None
    if columns is not None:
        del lines[0]
    path_at, label_at = columns or (0, 1)
    for line in lines:
        path = table_path(file, line.cell(path_at))
        label = as_name(line.cell(label_at))
        if label is not None:
            photos.append(Photo(path, labels.setdefault(name_key(label), label)))
        else:
            skipped.append(Skipped(path, "Its line in the list has no label.", kind="unnamed"))
    return FoundPhotos(tuple(photos), tuple(skipped))


def named_by_pattern(found: FoundPhotos, pattern: str) -> FoundPhotos:
    """Name unnamed photographs using a file name pattern, and skip those that do not match."""
    reason = f"Its name does not match the pattern “{pattern}”."
    photos = list[Photo]()
    skipped = list(found.skipped)
    for photo in found.photos:
        person = photo.person or person_from_name(photo.path.name, pattern)
        if person is None:
            skipped.append(Skipped(photo.path, reason, kind="unnamed"))
        else:
            photos.append(replace(photo, person=as_name(person)))
    folders = tuple(replace(folder, pattern=pattern) for folder in found.folders)
    return replace(found, photos=tuple(photos), skipped=tuple(skipped), folders=folders)
