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
    open_image,
    read_text,
    resolved,
)
from eigenfaces.text import count, name_key, short_repr

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


Source = Literal["found", "guess", "middle", "by hand", "from a file"]


@dataclass(frozen=True)
class Placement:
    """The placement of a face in its photograph, and its source."""

    eyes: Eyes | None = None  # in pixels after turning; None: the whole photograph is the face
    source: Source = "found"
    turned: int = 0  # quarter turns clockwise in addition to the orientation in the file


WHOLE = Placement()  # the whole photograph is the face


@dataclass(frozen=True)
class Region:
    """A face that another program has marked: its box in the upright photograph, and its name."""

    box: Box
    person: str | None = None


@dataclass(frozen=True)
class Photo:
    """A photograph as taken, its person, and the placement of the face, if that is given."""

    path: Path
    person: str | None = None
    placement: Placement | None = None
    turned: int = 0  # quarter turns clockwise by a person; it is searched like that
    regions: tuple[Region, ...] = ()  # marked by another program, those with a name first

    @property
    def marked(self) -> tuple[Region, ...]:
        """The regions that are its faces, the first that of its person.

        None if nobody is named on several: which one its person is, is not known.
        """
        named = any(region.person is not None for region in self.regions)
        one = self.person is None or len(self.regions) == 1
        return self.regions if (named or one) and self.turned == 0 else ()


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
    """The content of a folder or list: photographs in natural order, and skipped files."""

    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()
    note: str = ""  # a sentence about lines of a file of eyes that are of none of them
    __repr__ = short_repr

    @property
    def marked(self) -> str:
        """A sentence if another program has marked faces; else ""."""
        number = sum(bool(photo.marked) for photo in self.photos)
        marked = (
            f"On {count(number)} another program has marked faces: its boxes and names are used."
        )
        return marked if number else ""


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
    """Return the photographs of a folder, of a list, or of a pattern with * or ?.

    In a folder, all files below a sub-folder belong to the person of that name. A list is a text
    file with one ``path;label`` a line, or with a comma or a tab between them; a heading may name
    the columns otherwise (`IN_HEADING`), relative paths start at its own folder, and a line that
    begins with # is a comment, unless such a file is there. A pattern is of files, or of folders,
    each a person.

    ``pattern``: who is on photographs directly in the folder, by their file names, as in
    ``{person}.*`` for ``subject01.happy.gif``; see `person_from_name`. ``eyes``: a file for
    `read_eyes`; else the ``eyes.csv`` in the folder or beside the list, if there is one.

    Raises `EigenfacesError` if the source cannot be read or has no photographs, and if a file of
    eyes that is given names none of them.
    """
    if pattern is not None:
        check_pattern(pattern)
    source = Path(source).absolute()  # so that a project finds its photographs from any folder
    try:
        paths = _expand_pattern(source)
        if paths != [source]:
            found = photos_of(paths, folders_are_people=True)
        elif source.is_dir():
            found = _read_folder(source)
        elif is_regular(source):
            found = _read_list(source)
        else:
            raise EigenfacesError(f"“{source}” does not exist. Check the path and try again.")
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
    known = {path: Placement(stated, "from a file") for path, stated in read_eyes(file).items()}
    photos = [replace(photo, placement=known.get(resolved(photo.path))) for photo in found.photos]
    if eyes and photos and all(photo.placement is None for photo in photos):
        raise EigenfacesError(
            f"“{file}” states the eyes of none of these photographs. Check the paths in its column "
            "file: they start at its own folder."
        )
    paths = [photo.path for photo in found.photos] + [file.path for file in found.skipped]
    here = set(map(resolved, paths))
    elsewhere, note = len(known.keys() - here), ""
    if elsewhere and not is_there(file.with_name(FACES_TABLE)):  # beside that lie the cut faces
        note = f"Eyes are also stated for {count(elsewhere)} not found here."
    return replace(found, photos=tuple(photos), note=note)


def photos_of(paths: Sequence[Path], *, folders_are_people: bool = False) -> FoundPhotos:
    """Return the photographs in files, folders (perhaps of people), and patterns like ``*.png``."""
    photos, skipped, notes = list[Photo](), list[Skipped](), list[str]()
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
    return FoundPhotos(tuple(photos), tuple(skipped), " ".join(filter(None, notes)))


def _expand_pattern(path: Path) -> list[Path]:
    """Return the files and folders that a path with * or ? stands for; else itself."""
    if is_there(path) or not re.search(r"[*?[]", str(path)):
        return [path]
    matches = sorted(glob(str(path), recursive=True), key=natural_key)  # noqa: PTH207 - as typed
    return [p for p in map(Path, matches) if p.name.casefold() not in _OF_THE_SYSTEM] or [path]


def _read_folder(folder: Path) -> FoundPhotos:
    photos, skipped = list[Photo](), list[Skipped]()
    for path, reason in pictures_in(folder):
        first, *deeper = path.relative_to(folder).parts
        if reason:
            skipped.append(Skipped(path, reason, as_name(first)))
        else:
            photos.append(Photo(path, as_name(first) if deeper else None))
    return FoundPhotos(tuple(photos), tuple(skipped))


def pictures_in(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the pictures below a folder in natural order, and folders left out, with reasons."""
    seen: set[tuple[int, int]] = set()
    stack = [root]  # no recursion: folders may be nested deeper than calls
    while stack:
        path = stack.pop()
        if path is not root and not os.path.isdir(path):  # noqa: PTH112 - as above
            if is_picture(path):
                yield path, ""
            continue
        try:
            status = path.stat()
            if (status.st_dev, status.st_ino) in seen:
                yield path, "This folder has been read already, under another name."
                continue
            seen.add((status.st_dev, status.st_ino))
            stack.extend(path / name for name in reversed(_names_in(path)))
        except OSError as error:
            if path is root:
                raise
            yield path, f"This folder cannot be read: {error.strerror}."


def _names_in(folder: Path) -> list[str]:
    """Return the names in a folder, in natural order, without hidden ones and the system's."""
    names = os.listdir(folder)  # noqa: PTH208 - names, not paths
    visible = (name for name in names if name[0] != "." and name.casefold() not in _OF_THE_SYSTEM)
    return sorted(visible, key=lambda name: (natural_key(name), name))


_OF_THE_SYSTEM = {
    *("@eadir", "@tmp", "@__thumb", "@sharebin", "@synoresource", "@recycle", "#recycle"),
    *("@recently-snapshot", "#snapshot", "~snapshot", "$recycle.bin", "recycler", "lost.dir"),
    *("system volume information", "found.000", "lost+found", "__macosx", "temporary items"),
    *("network trash folder", "thumbs.db", "ehthumbs.db", "ipod photo cache", "_gsdata_"),
}
"""What systems and disks put into folders, in lower case: nobody's photographs."""


_SUFFIXES = frozenset(f".{ending}" for ending in PICTURES + NOT_READ)


def is_picture(path: Path) -> bool:
    """Return whether a file is a picture, though its name may be unusual (``subject01.happy``)."""
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


def _separator(lines: Sequence[str]) -> str:
    plain = [re.sub(r'"[^"]*"', "", line) for line in lines]
    return max("\t;,", key=lambda mark: sum(mark in line for line in plain))


def _table_path(table: Path, name: str) -> Path:
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


def _read_list(file: Path) -> FoundPhotos:
    try:
        lines = read_text(file).splitlines()
        rows = list(csv.reader(lines, delimiter=_separator(lines), strict=True))
    except UnicodeDecodeError:
        raise EigenfacesError(
            f"“{file}” is neither a folder nor a list of path;label lines (in UTF-8)."
        ) from None
    except csv.Error as error:
        raise EigenfacesError(
            f"“{file}” is no list of path;label lines ({error}). Check its quotation marks."
        ) from None
    photos, skipped, columns = list[Photo](), list[Skipped](), (0, 1)
    labels: dict[str, str] = {}  # the first spelling of each, by its folded form
    for row in rows:
        cells = [*map(str.strip, row), *[""] * (max(columns) + 1)]
        path = _table_path(file, cells[columns[0]])
        if not any(cells) or (cells[0].startswith("#") and not is_there(path)):
            continue
        heads = [[n for n, cell in enumerate(cells) if cell.lower() in know] for know in IN_HEADING]
        if all(heads) and not photos and not skipped:
            columns = heads[0][0], heads[1][0]
        elif label := cells[columns[1]]:
            photos.append(Photo(path, as_name(labels.setdefault(name_key(label), label))))
        else:
            skipped.append(Skipped(path, "Its line in the list has no label.", kind="unnamed"))
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
        raise EigenfacesError(f"“{file}” cannot be read: it is no table in CSV.") from None
    columns = ", ".join(EYE_COLUMNS)
    if not set(EYE_COLUMNS).issubset(table.fieldnames or ()):
        raise EigenfacesError(
            f"“{file}” states no eyes: its first line must name the columns {columns}."
        )
    known: dict[Path, Eyes] = {}
    for number, row in rows:
        try:
            x, y, u, v = (float(row[name]) for name in EYE_COLUMNS[1:])
            path, eyes = resolved(_table_path(file.absolute(), row["file"])), Eyes((x, y), (u, v))
        except (KeyError, TypeError, ValueError):
            eyes = None
        if eyes is None or not eyes.distance > 0 or x > u:
            raise EigenfacesError(
                f"Line {number} of “{file}” does not state two eyes, in pixels, the one at the "
                f"left of the picture first. The columns are {columns}."
            )
        if known.setdefault(path, eyes) != eyes:
            raise EigenfacesError(
                f"Line {number} of “{file}” states other eyes for “{path.name}” than a line before "
                "it. Keep one."
            )
    return known


def named_by_pattern(found: FoundPhotos, pattern: str) -> FoundPhotos:
    """Return the photographs, those without a name named by a pattern; others are skipped."""
    reason = f"Its name does not fit the pattern “{pattern}”."
    photos, skipped = list[Photo](), list(found.skipped)
    for photo in found.photos:
        person = photo.person or person_from_name(photo.path.name, pattern)
        if person is None:
            skipped.append(Skipped(photo.path, reason, kind="unnamed"))
        else:
            photos.append(replace(photo, person=as_name(person)))
    return replace(found, photos=tuple(photos), skipped=tuple(skipped))


_MOST_STARS = 3  # more would take a regular expression too long on a name that does not fit


def check_pattern(pattern: str) -> None:
    """Raise `EigenfacesError` if a pattern cannot name anybody."""
    if pattern.count("{person}") != 1 or len(re.findall(r"\*+", pattern)) > _MOST_STARS:
        raise EigenfacesError(
            f"The pattern “{pattern}” must contain {{person}} once, as in “{{person}}.*”, and * at "
            f"most {_MOST_STARS} times."
        )


def person_from_name(name: str, pattern: str) -> str | None:
    """Return the person in a file name by a pattern, or None if it does not match.

    As in “{person}.*”: each ``*`` takes as much as possible, ``{number}`` digits, and the person as
    little as possible but at least one letter; earlier parts go first.
    """
    check_pattern(pattern)
    name, pattern = (unicodedata.normalize("NFC", text) for text in (name, pattern))
    parts = re.split(r"(\{person\}|\{number\}|\*+)", pattern)
    meanings = {"{person}": "(.+?)", "{number}": "[0-9]+"}
    regex = "".join(
        ".*" if part.startswith("*") else meanings.get(part, re.escape(part)) for part in parts
    )
    match = re.fullmatch(regex, name, re.DOTALL)
    return (match[1].strip() or None) if match else None


def suggest_pattern(names: list[str]) -> str | None:
    """Return the common pattern that fits every name and keeps the most people apart.

    At least two people, one of them with two files, or a name a file; a camera is nobody. None,
    too, if every pattern would make one person of two.
    """
    counts: dict[str, int] = {}
    names = [unicodedata.normalize("NFC", name) for name in names]
    for pattern in _PATTERNS:
        files = Counter(takewhile(bool, (person_from_name(name, pattern) for name in names)))
        people = [person for person in files if person and not _CAMERA.fullmatch(person)]
        if pattern.startswith("{number}"):  # of several numbers none is a person
            people = [person for person in people if re.search(r"[^\W\d_]", person)]
        if files.total() < len(names) or not 1 < len(people) == len(files):
            continue
        once = sum(times == 1 for times in files.values())
        if all(map(_NAME.fullmatch, people)) or 2 * once <= len(people):
            counts[pattern] = len(people)
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
