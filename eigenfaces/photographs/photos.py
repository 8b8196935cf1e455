"""Photographs: finding them, the people on them, and where a face lies on each.

Two eyes define a similarity transform: the position, the size and the tilt of a face.
"""

from __future__ import annotations

import cmath
import csv
import math
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from glob import glob
from itertools import chain, takewhile
from pathlib import Path
from typing import Literal

from PIL import Image

from eigenfaces.errors import EigenfacesError, Fault, PhotoError
from eigenfaces.photographs.decode import (
    NOT_READ,
    PICTURES,
    is_regular,
    is_there,
    opened,
    read_text,
    resolved,
)
from eigenfaces.text import as_line, folded, some_of

Box = tuple[float, float, float]  # left, top and size, in pixels of the photograph as it is turned
_IN_BOX = 0.496 + 0.382j  # where the middle of the eyes lies in the box of a face …

_EYES_IN_BOX = 0.371  # … and how far they lie apart: so it reaches from the forehead to the chin


@dataclass(frozen=True)
class Eyes:
    """The pupils of a face in the upright photograph; ``left`` is on the left of the picture."""

    left: tuple[float, float]
    right: tuple[float, float]

    @classmethod
    def at(cls, a: complex, b: complex) -> Eyes:
        """Return the eyes with the middle *a* and the vector *b* between them."""
        left, right = a - b / 2, a + b / 2
        return cls((left.real, left.imag), (right.real, right.imag))

    @classmethod
    def in_box(cls, left: float, top: float, size: float) -> Eyes:
        """Return the eyes of an upright face from its square box: the inverse of `box`."""
        middle = complex(left + _IN_BOX.real * size, top + _IN_BOX.imag * size)
        return cls.at(middle, complex(_EYES_IN_BOX * size))

    @property
    def middle(self) -> complex:
        """*a*: the point halfway between the eyes."""
        return (complex(*self.left) + complex(*self.right)) / 2

    @property
    def across(self) -> complex:
        """*b*: from the left eye to the right one."""
        return complex(*self.right) - complex(*self.left)

    @property
    def distance(self) -> float:
        """Pixels between the eyes."""
        return abs(self.across)

    @property
    def angle(self) -> float:
        """Tilt in degrees, clockwise: 0 for level eyes."""
        return math.degrees(cmath.phase(self.across))

    @property
    def box(self) -> Box:
        """Left, top and size of the upright square around the face, forehead to chin, in pixels."""
        size = self.distance / _EYES_IN_BOX
        corner = self.middle - size * _IN_BOX
        return corner.real, corner.imag, size

    def scaled(self, factor: float) -> Eyes:
        """Return the same eyes in the photograph at another size."""
        return Eyes.at(self.middle * factor, self.across * factor)


@dataclass(frozen=True)
class Placement:
    """The placement of a face in its photograph, and its source."""

    eyes: Eyes | None = None  # in pixels after turning; None: the whole photograph is the face
    source: Literal["found", "guess", "by hand", "from a file"] = "found"
    turned: int = 0  # quarter turns clockwise in addition to the orientation in the file


WHOLE = Placement()  # the whole photograph is the face


@dataclass(frozen=True)
class Photo:
    """A photograph as taken, its person, and the placement of the face, if that is given."""

    path: Path
    person: str | None = None
    placement: Placement | None = None
    turned: int = 0  # quarter turns clockwise by a person; it is searched like that


@dataclass(frozen=True)
class Skipped:
    """A photograph that is not used, the reason (a sentence), and its person, if known."""

    path: Path
    reason: str
    person: str | None = None
    kind: Fault = "unreadable"
    turned: int = 0  # see `Photo`
    read: str = ""  # when it was read last (ISO 8601), where that is kept

    @classmethod
    def from_error(cls, error: PhotoError, photo: Photo) -> Skipped:
        """Return a photograph that cannot be used."""
        return cls(photo.path, str(error), photo.person, error.kind, photo.turned)

    @property
    def needs_choice(self) -> bool:
        """Whether a person must choose the face."""
        return self.kind in ("no face", "several faces", "doubtful", "not a face", "unlike")


@dataclass(frozen=True)
class FoundPhotos:
    """The content of a folder or manifest: photographs in natural order, and skipped files."""

    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()
    empty: tuple[Path, ...] = ()  # folders of people in which there is no picture at all
    elsewhere: tuple[Path, ...] = ()  # paths in a file of eyes that are none of these photographs
    __repr__ = as_line

    @property
    def remarks(self) -> str:
        """Sentences about folders without a picture and eyes without a photograph; "" if none."""
        said = []
        if self.empty:
            said.append(f"There is no photograph in the folder{_listed(self.empty)}.")
        if self.elsewhere:
            named = _listed(self.elsewhere)
            said.append(f"Eyes are also stated for the photograph{named}, not found here.")
        return " ".join(said)


def _listed(paths: Sequence[Path]) -> str:
    return "s" * (len(paths) > 1) + " " + some_of([f"“{as_name(path.name)}”" for path in paths], 3)


def as_name(text: str) -> str | None:
    """Return a text as a name in Unicode NFC, without outer blanks; None if empty.

    >>> as_name(" Zoe\u0308 ")
    'Zoë'
    """
    readable = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", readable).strip() or None


def safe_name(name: str) -> str:
    """Return a name of a file or folder that every file system takes, of at most 81 letters.

    >>> safe_name("AC/DC: live. "), safe_name("con"), safe_name("..")
    ('AC_DC_ live', 'con_', '_')
    """
    safe = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", as_name(name) or "")[:80].strip(" .") or "_"
    reserved = re.match(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", safe, re.IGNORECASE)
    return f"{safe}_" if reserved else safe


def natural_key(text: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key that puts ``s2`` before ``s10``."""
    parts = re.split(r"0*([0-9]+)", text.casefold())
    # A number with more digits is larger; words come before numbers.
    return tuple((len(part) * (place % 2), part) for place, part in enumerate(parts))


def find_photos(
    source: Path | str, pattern: str | None = None, eyes: Path | str | None = None
) -> FoundPhotos:
    """Return the photographs of a folder, of a manifest, or of a pattern with * or ?.

    Of a folder, all files below a sub-folder belong to the person of that name. A manifest is a
    text file with one ``path;label`` a line, or with a comma or a tab between them; a heading may
    name the columns otherwise (`IN_HEADING`), relative paths start at its own folder, and a line
    that begins with # is a comment, unless such a file is there. A pattern is of files, or of
    folders, each a person.

    ``pattern``: who is on photographs directly in the folder, by their file names, as in
    ``{person}.*`` for ``subject01.happy.gif``; see `person_from_name`. ``eyes``: a file for
    `read_eyes`; else the ``eyes.csv`` in the folder or beside the manifest, if there is one.

    Raises `EigenfacesError` where the source cannot be read or has no photographs, and where a file
    of eyes that is given states those of none of them.
    """
    if pattern is not None:
        check_pattern(pattern)
    source = Path(source).absolute()  # so that a project finds its photographs from any folder
    try:
        fitting = _fitting(source)
        if fitting == [source] and not source.is_dir() and not is_regular(source):
            raise EigenfacesError(f"“{source}” does not exist. Check the path and try again.")
        if fitting != [source]:
            found = photos_of(fitting, folders_are_people=True)
        else:
            found = _read_folder(source) if source.is_dir() else _read_manifest(source)
    except OSError as error:
        raise EigenfacesError(f"“{source}” cannot be read: {error.strerror}.") from error
    if not found.photos and not found.skipped:
        raise EigenfacesError(
            f"There are no photographs in “{source}”. Choose a folder that holds some."
        )
    if pattern is not None:
        found = named_by_pattern(found, pattern)
    file = (source if source.is_dir() else source.parent) / "eyes.csv" if not eyes else Path(eyes)
    if not eyes and not is_there(file):
        return found
    known = {path: Placement(where, "from a file") for path, where in read_eyes(file).items()}
    placed = tuple(replace(each, placement=known.get(resolved(each.path))) for each in found.photos)
    if eyes and placed and all(each.placement is None for each in placed):
        raise EigenfacesError(
            f"“{file}” states the eyes of none of these photographs. Check the paths in its column "
            "file: they start at its own folder."
        )
    here = {resolved(photo.path) for photo in placed}
    here |= {resolved(skipped.path) for skipped in found.skipped}
    if not eyes and here.isdisjoint(known) and is_there(file.with_name(FACES_TABLE)):
        return found  # what `faces` wrote: cut faces, and the eyes in their photographs
    return replace(
        found, photos=placed, elsewhere=tuple(path for path in known if path not in here)
    )


def photos_of(paths: Sequence[Path], *, folders_are_people: bool = False) -> FoundPhotos:
    """Return the photographs in files, folders (perhaps of people), and patterns like ``*.png``."""
    photos, skipped, empty, elsewhere = list[Photo](), list[Skipped](), list[Path](), list[Path]()
    for path in chain.from_iterable(map(_fitting, paths)):
        if not _is_folder(path):
            photos.append(Photo(path))
            continue
        try:
            found = find_photos(path)
        except EigenfacesError as error:
            skipped.append(Skipped(path, str(error)))
            continue
        name = as_name(path.name) if folders_are_people else None
        photos += (replace(photo, person=photo.person or name) for photo in found.photos)
        skipped += found.skipped
        empty += found.empty
        elsewhere += found.elsewhere
    return FoundPhotos(tuple(photos), tuple(skipped), tuple(empty), tuple(elsewhere))


def _fitting(path: Path) -> list[Path]:
    """Return the files and folders that a path with * or ? stands for; else itself."""
    if is_there(path) or not re.search(r"[*?[]", str(path)):
        return [path]
    found = sorted(glob(str(path), recursive=True), key=natural_key)  # noqa: PTH207 - as typed
    paths = [Path(each) for each in found]
    return [each for each in paths if each.name.casefold() not in _OF_THE_SYSTEM] or [path]


def _read_folder(folder: Path) -> FoundPhotos:
    photos, skipped = [], []
    for path, reason in pictures_in(folder):
        first, *deeper = path.relative_to(folder).parts
        if reason:
            skipped.append(Skipped(path, reason, as_name(first)))
        else:
            photos.append(Photo(path, as_name(first) if deeper else None))
    paths = [*(photo.path for photo in photos), *(file.path for file in skipped)]
    full = {path.relative_to(folder).parts[0] for path in paths}
    empty = (folder / name for name in _names_in(folder) if name not in full)
    return FoundPhotos(tuple(photos), tuple(skipped), tuple(filter(_is_folder, empty)))


def pictures_in(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the pictures below a folder in natural order, and folders left out, with reasons."""
    seen: set[tuple[int, int]] = set()
    waiting = [root]  # the next one last
    while waiting:
        path = waiting.pop()
        if path is not root and not _is_folder(path):
            if is_picture(path):
                yield path, ""
            continue
        try:
            status = path.stat()
            if (status.st_dev, status.st_ino) in seen:
                yield path, "This folder is read already, under another name."
                continue
            seen.add((status.st_dev, status.st_ino))
            waiting.extend(path / name for name in reversed(_names_in(path)))
        except PermissionError:
            if path is root:
                raise
            yield path, "You have no permission to read this folder."
        except OSError as error:
            if path is root:
                raise
            yield path, f"This folder cannot be read: {error.strerror}."


def _names_in(folder: Path) -> list[str]:
    """Return the names in a folder, in natural order, without hidden ones and the system's."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries]
    if names and not os.access(folder, os.X_OK):
        raise PermissionError
    shown = (name for name in names if name[0] != "." and name.casefold() not in _OF_THE_SYSTEM)
    return sorted(shown, key=lambda name: (natural_key(name), name))


_OF_THE_SYSTEM = {
    *("@eadir", "@tmp", "@__thumb", "@sharebin", "@synoresource", "@recycle", "#recycle"),
    *("@recently-snapshot", "#snapshot", "~snapshot", "$recycle.bin", "recycler", "lost.dir"),
    *("system volume information", "found.000", "lost+found", "__macosx", "temporary items"),
    *("network trash folder", "thumbs.db", "ehthumbs.db", "ipod photo cache", "_gsdata_"),
}
"""What systems and disks put into folders, in lower case: nobody's photographs."""


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - of an impossible path, pathlib raises an error


_SUFFIXES = frozenset(f".{ending}" for ending in PICTURES + NOT_READ)


def is_picture(path: Path) -> bool:
    """Return whether a file is a picture, though its name may be unusual (``subject01.happy``)."""
    if path.suffix.lower() in _SUFFIXES:
        return True
    try:
        if not is_regular(path):
            return False  # opening a pipe would block
        with opened(path):
            return True
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return True
    except Exception:  # decoders raise almost anything on other files
        return False


def _separator(lines: Sequence[str]) -> str:
    plain = [re.sub(r'"[^"]*"', "", line) for line in lines]
    return max("\t;,", key=lambda each: sum(each in line for line in plain))


def _beside(table: Path, name: str) -> Path:
    """Return the path that a table states, from its own folder; as Windows writes it, too."""
    path = table.parent / name
    if "\\" in name and not is_there(path):
        path = table.parent / name.replace("\\", "/")
    return path


IN_HEADING = (
    {"path", "file", "filename", "file name", "photo", "photograph", "picture", "image"},
    {"label", "person", "name", "who", "subject", "identity", "class"},
)
"""What a list may call its columns of photographs and of people, in lower case."""


def _read_manifest(manifest: Path) -> FoundPhotos:
    try:
        lines = read_text(manifest).splitlines()
        rows = list(csv.reader(lines, delimiter=_separator(lines), strict=True))
    except UnicodeDecodeError:
        raise EigenfacesError(
            f"“{manifest}” is neither a folder nor a text file of path;label lines (in UTF-8)."
        ) from None
    except csv.Error as error:
        raise EigenfacesError(
            f"“{manifest}” is no list of path;label lines ({error}). Check its quotation marks."
        ) from None
    photos, skipped, columns = list[Photo](), list[Skipped](), (0, 1)
    called: dict[str, str] = {}
    for row in rows:
        cells = [*map(str.strip, row), *[""] * (max(columns) + 1)]
        path = _beside(manifest, cells[columns[0]])
        if not any(cells) or (cells[0].startswith("#") and not is_there(path)):
            continue
        heads = [[n for n, cell in enumerate(cells) if cell.lower() in each] for each in IN_HEADING]
        if all(heads) and not photos and not skipped:
            columns = heads[0][0], heads[1][0]
        elif label := cells[columns[1]]:
            photos.append(Photo(path, as_name(called.setdefault(folded(label), label))))
        else:
            reason = "Its line in the manifest has no label."
            skipped.append(Skipped(path, reason, kind="unnamed"))
    return FoundPhotos(tuple(photos), tuple(skipped))


FACES_TABLE = "faces.csv"  # the table beside faces that the command ``faces`` cut

EYE_COLUMNS = ("file", "left_x", "left_y", "right_x", "right_y")
"""Of a table of eyes, such as the command ``faces`` writes."""


def read_eyes(file: Path) -> dict[Path, Eyes]:
    """Return the eyes in a CSV file with the columns file, left_x, left_y, right_x, right_y.

    Pixels of the upright photograph, the eye on the left of the picture first; relative paths start
    at the file's own folder, and links are followed. Raises `EigenfacesError` for a file that
    cannot be read, a column that is missing, and a line without two eyes, with them in the other
    order, or with others than a line before it.
    """
    try:
        lines = read_text(file).splitlines()
        table = csv.DictReader(lines, delimiter=_separator(lines[:1]))
        rows = [(table.line_num, row) for row in table]
    except (UnicodeDecodeError, csv.Error):
        raise EigenfacesError(f"“{file}” cannot be read: It is no table in CSV.") from None
    columns = ", ".join(EYE_COLUMNS)
    if not set(EYE_COLUMNS).issubset(table.fieldnames or ()):
        raise EigenfacesError(
            f"“{file}” states no eyes: its first line must name the columns {columns}."
        )
    eyes: dict[Path, Eyes] = {}
    for number, row in rows:
        try:
            x, y, u, v = (float(row[name]) for name in EYE_COLUMNS[1:])
            path, where = resolved(_beside(file.absolute(), row["file"])), Eyes((x, y), (u, v))
        except (KeyError, TypeError, ValueError):
            where = None
        if where is None or not where.distance > 0:
            wrong = f"does not state two eyes. The columns are {columns}, in pixels."
        elif x > u:
            wrong = (
                "has the eyes in the wrong order: left_x and left_y are those of the eye at the "
                "left of the picture."
            )
        elif eyes.setdefault(path, where) != where:
            wrong = f"states other eyes for “{path.name}” than a line before it. Keep one."
        else:
            continue
        raise EigenfacesError(f"Line {number} of “{file}” {wrong}")
    return eyes


def named_by_pattern(found: FoundPhotos, pattern: str) -> FoundPhotos:
    """Return the photographs, those without a name named by a pattern; others are skipped."""
    people = [each.person or person_from_name(each.path.name, pattern) for each in found.photos]
    reason = f"Its name does not fit the pattern “{pattern}”."
    pairs = list(zip(found.photos, people, strict=True))
    strays = tuple(Skipped(each.path, reason, kind="unnamed") for each, who in pairs if who is None)
    named = tuple(replace(each, person=as_name(who)) for each, who in pairs if who is not None)
    return replace(found, photos=named, skipped=found.skipped + strays)


_LONGEST_PATTERN = 100


def check_pattern(pattern: str) -> None:
    """Raise `EigenfacesError`, a sentence, if a pattern cannot name anybody."""
    if pattern.count("{person}") != 1:
        raise EigenfacesError(
            f"The pattern “{pattern}” must contain {{person}} once, as in “{{person}}.*”."
        )
    if len(pattern) > _LONGEST_PATTERN:
        raise EigenfacesError(
            f"The pattern has {len(pattern)} letters: write one of at most {_LONGEST_PATTERN}."
        )


def person_from_name(name: str, pattern: str) -> str | None:
    """Return the person in a file name by a pattern, or None if it does not match.

    As in “{person}.*”: each ``*`` takes as much as possible, ``{number}`` digits, and the person as
    little as possible but at least one letter; earlier parts go first.
    """
    check_pattern(pattern)
    name, pattern = (unicodedata.normalize("NFC", each) for each in (name, pattern))
    parts = [part for part in re.split(r"(\{person\}|\{number\}|\*+)", pattern) if part]

    @cache  # a regular expression would try the same again and again
    def match(number: int, start: int) -> str | None:
        """Return the person in the rest of the name by the other parts; "" if named before."""
        if number == len(parts):
            return "" if start == len(name) else None
        part = parts[number]
        if part == "{person}":
            ends = range(start + 1, len(name) + 1)
        elif part.startswith("*"):
            ends = range(len(name), start - 1, -1)
        elif part == "{number}":
            digits = len(name[start:]) - len(name[start:].lstrip("0123456789"))
            ends = range(start + digits, start, -1)
        else:
            ends = range(start + len(part), start + len(part) + name.startswith(part, start))
        for end in ends:
            if (found := match(number + 1, end)) is not None:
                return name[start:end] if part == "{person}" else found
        return None

    person = match(0, 0)
    return person.strip() or None if person is not None else None


def suggest_pattern(names: list[str]) -> str | None:
    """Return the common pattern that fits every name and keeps the most people apart.

    At least two people, one of them with two files, or a name a file; a camera is nobody. None,
    too, where every pattern would make one person of two.
    """
    counts: dict[str, int] = {}
    names = [unicodedata.normalize("NFC", name) for name in names]
    for pattern in _PATTERNS:
        people = list(takewhile(bool, (person_from_name(name, pattern) for name in names)))
        found = {each for each in people if each and not _CAMERA.fullmatch(each)}
        if pattern.startswith("{number}"):  # of several numbers none is a person
            found = {each for each in found if re.search(r"[^\W\d_]", each)}
        if len(people) < len(names) or not 1 < len(found) == len(set(people)):
            continue
        once = sum(times == 1 for times in Counter(people).values())
        if all(map(_NAME.fullmatch, found)) or (2 * once <= len(found)):
            counts[pattern] = len(found)
    stems = {re.sub(r"[\W\d_]+$", "", Path(name).stem) for name in names}
    if not counts or (all(map(_NAME.fullmatch, stems)) and len(stems) > max(counts.values())):
        return None
    return max(counts, key=lambda pattern: counts[pattern])


_PATTERNS = (
    *("{person}.*.*", "{person}_*", "{person}-*", "{person} *", "{person}_{number}.*"),
    *("{person}-{number}.*", "{person} {number}.*", "{person} ({number}).*", "{person}{number}.*"),
    *("{person}.*", "{number}_{person}_{number}.*", "{number}-{person}-{number}.*"),
)
_NAME = re.compile(r"[^\W\d_]{2,}([ .,'’_-]+[^\W\d_]+)*\.?")
"""Words of letters: a file is called by a person's name."""

_CAMERA = re.compile(
    r"(img|dsc[nf]?|pxl|mvimg|vid|image|photo|foto|picture|pic|scan|screenshot|whatsapp( image)?"
    r"|signal)[\W\d_]*|(19|20)\d{6}[\W\d_]*",
    re.IGNORECASE,
)
"""How cameras and telephones begin the names of files, and dates."""
