"""Finding photographs in a folder or a list, and the people on them."""

from __future__ import annotations

import cmath
import csv
import math
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from PIL import Image

from eigenfaces.errors import EigenfacesError, Fault, PhotoError
from eigenfaces.photographs.decode import is_regular, is_there, read_text, resolved

Box = tuple[float, float, float]
"""Left, top and size of a square, in pixels of the photograph as it is turned."""


@dataclass(frozen=True)
class Eyes:
    """The pupils of a face, in pixels of the upright photograph from its top left corner.

    ``left`` is the one on the left of the picture: the person's right eye.
    """

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

    def turned(self, quarters: int, shape: tuple[int, int]) -> Eyes:
        """Return the same eyes after quarter turns clockwise of a photograph of (h, w)."""
        eyes, (height, width) = self, shape
        for _ in range(quarters % 4):
            (x, y), (u, v) = eyes.left, eyes.right
            eyes = Eyes((height - y, x), (height - v, u))
            height, width = width, height
        return eyes


_IN_BOX = 0.496 + 0.382j
"""Where the middle of the eyes lies in the box of a face, in shares of its size …"""

_EYES_IN_BOX = 0.371
"""… and how far they lie apart: so it reaches from the forehead to the chin."""


@dataclass(frozen=True)
class Placement:
    """The placement of a face in its photograph, and its source.

    Parameters
    ----------
    eyes
        The eyes, in pixels after turning; None: the whole photograph is the face, already cropped.
    source
        ``found`` by the program, a ``guess`` which of several found is meant, set ``by hand``, or
        read ``from a file``.
    turned
        Quarter turns clockwise in addition to the orientation in the file.
    """

    eyes: Eyes | None = None
    source: Literal["found", "guess", "by hand", "from a file"] = "found"
    turned: int = 0


WHOLE = Placement()
"""The whole photograph is the face."""


_SUFFIXES = {".avif", ".bmp", ".gif", ".heic", ".heif", ".jpeg", ".jpg", ".pbm", ".pgm", ".png"}
_SUFFIXES |= {".pnm", ".ppm", ".tif", ".tiff", ".webp"}
_NOT_ALLOWED = "You have no permission to read this folder."
_NAMED = 3  # folders or photographs that are called by their names
_NO_PHOTOS = "There are no photographs in “{}”. Choose a folder that holds some."


@dataclass(frozen=True)
class Photo:
    """A photograph as taken, its person, and the placement of the face (None: not given).

    ``turned``: by how many quarter turns clockwise a person has turned it; it is searched like
    that.
    """

    path: Path
    person: str | None = None
    placement: Placement | None = None
    turned: int = 0


@dataclass(frozen=True)
class Skipped:
    """A photograph that is not used, the reason (a sentence), and its person (None: unknown).

    ``turned``: see `Photo`. ``read``: when it was read last (ISO 8601); "" where that is not kept.
    """

    path: Path
    reason: str
    person: str | None = None
    kind: Fault = "unreadable"
    turned: int = 0
    read: str = ""

    @classmethod
    def from_error(cls, error: PhotoError, photo: Photo) -> Skipped:
        """Return a photograph that cannot be used."""
        return cls(photo.path, str(error), photo.person, error.kind, photo.turned)

    @property
    def needs_choice(self) -> bool:
        """Whether a person must choose the face."""
        return self.kind in ("no face", "several faces")


@dataclass(frozen=True)
class FoundPhotos:
    """The content of a folder or manifest: photographs in natural order, and skipped files.

    ``empty``: the folders of people in which there is no picture at all. ``elsewhere``: paths in a
    file of eyes that are none of these photographs.
    """

    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()
    empty: tuple[Path, ...] = ()
    elsewhere: tuple[Path, ...] = ()

    @property
    def remarks(self) -> str:
        """Sentences about folders without a picture and eyes without a photograph; "" if none."""
        said = []
        if self.empty:
            said.append(f"There is no photograph in the {_listed('folder', self.empty)}.")
        if self.elsewhere:
            named = _listed("photograph", self.elsewhere)
            said.append(f"Eyes are also stated for the {named}, not found here.")
        return " ".join(said)


def _listed(noun: str, paths: Sequence[Path]) -> str:
    names = [f"“{as_name(path.name)}”" for path in paths[:_NAMED]]
    if len(paths) > _NAMED:
        names.append(f"{len(paths) - _NAMED:,} more")
    if len(names) == 1:
        return f"{noun} {names[0]}"
    return f"{noun}s {', '.join(names[:-1])} and {names[-1]}"


def natural_key(text: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key that puts ``s2`` before ``s10``.

    >>> sorted(["s10", "S2", "s1"], key=natural_key)
    ['s1', 'S2', 's10']
    """
    parts = re.split(r"([0-9]+)", text.casefold())
    # A number with more digits is larger; words come before numbers.
    numbers = [part.lstrip("0") for part in parts]
    return tuple(
        (1 + len(number), number) if place % 2 else (0, part)
        for place, (part, number) in enumerate(zip(parts, numbers, strict=True))
    )


def find_photos(
    source: Path | str, pattern: str | None = None, eyes: Path | str | None = None
) -> FoundPhotos:
    """Return the photographs of a folder, or of a CSV manifest ``path;label``.

    Parameters
    ----------
    source
        A folder: all files below a sub-folder belong to the person of that name. Or a manifest,
        a text file with one ``path;label`` (or ``path,label``) per line; relative paths start at
        the manifest's own folder. A line that begins with # is a comment, unless such a file is
        there.
    pattern
        The pattern of file names for photographs directly in the folder: ``{person}`` stands for
        the name and ``*`` for anything, as in ``{person}.*`` for ``subject01.happy.gif``.
        Without it these have no name.
    eyes
        A file for `read_eyes`. Without it, the ``eyes.csv`` in the folder or beside the manifest,
        if there is one.

    Raises
    ------
    EigenfacesError
        The source cannot be read, or has no photographs.
    """
    if pattern is not None:
        check_pattern(pattern)
    source = Path(source).absolute()  # so that a project finds its photographs from any folder
    try:
        if not source.is_dir() and not is_regular(source):
            raise EigenfacesError(f"“{source}” does not exist. Check the path and try again.")
        found = _read_folder(source) if source.is_dir() else _read_manifest(source)
    except OSError as error:
        raise EigenfacesError(f"“{source}” cannot be read: {error.strerror}.") from error
    if not found.photos and not found.skipped:
        raise EigenfacesError(_NO_PHOTOS.format(source))
    if pattern is not None:
        found = named_by_pattern(found, pattern)
    return _with_eyes(found, source, None if eyes is None else Path(eyes))


def photos_of(paths: Sequence[Path], *, folders_are_people: bool = False) -> FoundPhotos:
    """Return the photographs in a list of files and folders.

    ``folders_are_people``: photographs directly in a folder are named after it.
    """
    photos: list[Photo] = []
    skipped: list[Skipped] = []
    empty: list[Path] = []
    elsewhere: list[Path] = []
    for path in paths:
        if not _is_folder(path):
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
        empty += found.empty
        elsewhere += found.elsewhere
    return FoundPhotos(tuple(photos), tuple(skipped), tuple(empty), tuple(elsewhere))


def named_by_pattern(found: FoundPhotos, pattern: str) -> FoundPhotos:
    """Return the photographs, those without a name named by their file names.

    A photograph whose file name does not match is skipped; the pattern: see `person_from_name`.
    """
    reason = f"Its name does not fit the pattern “{pattern}”."
    photos: list[Photo] = []
    skipped = list(found.skipped)
    for photo in found.photos:
        person = photo.person or person_from_name(photo.path.name, pattern)
        if person is None:
            skipped.append(Skipped(photo.path, reason, kind="unnamed"))
        else:
            photos.append(replace(photo, person=as_name(person)))
    return replace(found, photos=tuple(photos), skipped=tuple(skipped))


def _with_eyes(found: FoundPhotos, source: Path, file: Path | None = None) -> FoundPhotos:
    """Return photographs with the eyes given in a file for `read_eyes`.

    Without a file, ``eyes.csv`` in the source folder, or beside the manifest, is used if it
    exists. A file that is given and states the eyes of none of them raises `EigenfacesError`.
    """
    said = file is not None
    if file is None:
        file = (source if source.is_dir() else source.parent) / "eyes.csv"
        if not is_there(file):
            return found
    eyes = read_eyes(file)
    known = {path: Placement(where, "from a file") for path, where in eyes.items()}
    places = [resolved(each.path) for each in found.photos]
    placed = [
        replace(each, placement=known.get(path))
        for each, path in zip(found.photos, places, strict=True)
    ]
    if said and found.photos and all(each.placement is None for each in placed):
        raise EigenfacesError(
            f"“{file}” states the eyes of none of these photographs. Check the paths in its column "
            "file: they start at its own folder."
        )
    here = {*places, *(resolved(each.path) for each in found.skipped)}
    elsewhere = tuple(path for path in known if path not in here)
    return replace(found, photos=tuple(placed), elsewhere=elsewhere)


def _read_folder(folder: Path) -> FoundPhotos:
    photos, skipped = [], []
    for path, reason in pictures_in(folder):
        parts = path.relative_to(folder).parts
        if reason:
            skipped.append(Skipped(path, reason, as_name(parts[0])))
        else:
            photos.append(Photo(path, as_name(parts[0]) if len(parts) > 1 else None))
    paths = [*(photo.path for photo in photos), *(file.path for file in skipped)]
    full = {path.relative_to(folder).parts[0] for path in paths}
    names = (name for name in _names_in(folder, set()) or () if name not in full)
    empty = tuple(folder / name for name in names if _is_folder(folder / name))
    return FoundPhotos(tuple(photos), tuple(skipped), empty)


def as_name(text: str) -> str | None:
    """Return a text as a name in Unicode NFC, without outer blanks; None if empty.

    >>> as_name(" Zoe\u0308 ")
    'Zoë'
    """
    readable = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", readable).strip() or None


def pictures_in(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the picture files below a folder in natural order, at any depth.

    Every real folder is entered once. A folder that appears again, or cannot be read, is itself
    yielded, with the reason; an `OSError` of the first one is raised.
    """
    seen: set[tuple[int, int]] = set()
    waiting = [root]  # the next one last
    while waiting:
        path = waiting.pop()
        if path is not root and not _is_folder(path):
            if path.suffix.lower() in _SUFFIXES or _is_picture(path):
                yield path, ""
            continue
        try:
            names = _names_in(path, seen)
        except OSError as error:
            if path is root:
                raise
            refused = isinstance(error, PermissionError)
            why = _NOT_ALLOWED if refused else f"This folder cannot be read: {error.strerror}."
            yield path, why
            continue
        if names is None:
            yield path, "This folder is read already, under another name."
        else:
            waiting.extend(path / name for name in reversed(names))


def _names_in(folder: Path, seen: set[tuple[int, int]]) -> list[str] | None:
    """Return the names in a folder, in natural order; None if it was seen before."""
    status = folder.stat()
    if (status.st_dev, status.st_ino) in seen:
        return None
    seen.add((status.st_dev, status.st_ino))
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries]
    if names and not os.access(folder, os.X_OK):
        raise PermissionError
    shown = (name for name in names if not name.startswith(".") and name != "__MACOSX")
    return sorted(shown, key=lambda name: (natural_key(name), name))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_picture(path: Path) -> bool:
    """Return whether this is a picture, though its name is unusual (``subject01.happy``)."""
    try:
        if not is_regular(path):
            return False  # opening a pipe would block
        with Image.open(path):
            return True
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return True
    except Exception:  # decoders raise almost anything on other files
        return False


def _read_manifest(manifest: Path) -> FoundPhotos:
    try:
        lines = read_text(manifest).splitlines()
    except UnicodeDecodeError:
        raise EigenfacesError(
            f"“{manifest}” is neither a folder nor a text file of path;label lines (in UTF-8)."
        ) from None
    unquoted = re.sub(r'"[^"]*"', "", "\n".join(lines))
    separator = ";" if ";" in unquoted else ","
    try:
        rows = list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error as error:
        raise EigenfacesError(
            f"“{manifest}” is no list of path;label lines ({error}). Check its quotation marks."
        ) from None
    photos, skipped = [], []
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        path = manifest.parent / cells[0]
        if cells[0].startswith("#") and not is_there(path):
            continue
        if [cell.casefold() for cell in cells[:2]] in (["path", "label"], ["path", "person"]):
            continue
        if len(cells) < 2 or not cells[1]:
            reason = "Its line in the manifest has no label."
            skipped.append(Skipped(path, reason, kind="unnamed"))
        else:
            photos.append(Photo(path, as_name(cells[1])))
    return FoundPhotos(tuple(photos), tuple(skipped))


def read_eyes(file: Path) -> dict[Path, Eyes]:
    """Return the eyes in a CSV file with the columns file, left_x, left_y, right_x, right_y.

    Pixels of the upright photograph, the eye on the left of the picture first; relative paths start
    at the file's own folder, and links are followed.

    Raises
    ------
    EigenfacesError
        The file cannot be read, lacks a column, or one of its lines does not have two eyes, has
        them in the other order, or contradicts another.
    """
    try:
        lines = read_text(file).splitlines()
        table = csv.DictReader(lines, delimiter=";" if ";" in "".join(lines[:1]) else ",")
        rows = [(table.line_num, row) for row in table]
    except (UnicodeDecodeError, csv.Error):
        raise EigenfacesError(f"“{file}” cannot be read: It is no table in CSV.") from None
    if not {"file", *_EYE_COLUMNS}.issubset(table.fieldnames or ()):
        raise EigenfacesError(
            f"“{file}” states no eyes: its first line must name the columns "
            f"file, {', '.join(_EYE_COLUMNS)}."
        )
    eyes: dict[Path, Eyes] = {}
    for number, row in rows:
        line = f"Line {number} of “{file}”"
        try:
            x, y, u, v = (float(row[name]) for name in _EYE_COLUMNS)
            path, where = resolved(file.absolute().parent / row["file"]), Eyes((x, y), (u, v))
            if not where.distance > 0:
                raise ValueError("one eye, or none")
        except (KeyError, TypeError, ValueError):
            raise EigenfacesError(
                f"{line} does not state two eyes. The columns are "
                f"file, {', '.join(_EYE_COLUMNS)}, in pixels."
            ) from None
        if x > u:
            raise EigenfacesError(
                f"{line} has the eyes in the wrong order: left_x and left_y are those of the eye "
                "at the left of the picture."
            )
        if eyes.setdefault(path, where) != where:
            raise EigenfacesError(
                f"{line} states other eyes for “{path.name}” than a line before it. Keep one."
            )
    return eyes


_EYE_COLUMNS = ("left_x", "left_y", "right_x", "right_y")


_LONGEST_PATTERN = 1000


def person_from_name(name: str, pattern: str) -> str | None:
    """Return the person in a file name by a pattern, or None if it does not match.

    >>> person_from_name("subject01.happy.gif", "{person}.*")
    'subject01'
    """
    check_pattern(pattern)
    person = _between(name, [part for part in re.split(r"(\{person\}|\*+)", pattern) if part])
    return person.strip() or None if person is not None else None


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


def _between(name: str, parts: list[str]) -> str | None:
    """Return the part of a name at ``{person}``; None if the name does not match.

    Each ``*`` matches as much as possible, the person as little as possible but at least one
    letter; earlier parts go first. Matches are computed from the end, once for each part and
    letter: so the time is at most the product of their numbers, for any pattern.
    """
    fits = [[place == len(name) for place in range(len(name) + 1)]]
    for part in reversed(parts):
        after, here = fits[-1], [False] * (len(name) + 1)
        later = False  # whether the rest matches somewhere behind this position
        for place in range(len(name), -1, -1):
            if part == "{person}":
                here[place] = later
            elif part.startswith("*"):
                here[place] = later or after[place]
            else:
                here[place] = name.startswith(part, place) and after[place + len(part)]
            later = later or after[place]
        fits.append(here)
    if not fits[-1][0]:
        return None
    place, person = 0, ""
    for number, part in enumerate(parts, start=1):
        after = fits[len(parts) - number]
        if part == "{person}":
            end = after.index(True, place + 1)
            person = name[place:end]
        elif part.startswith("*"):
            end = len(name) - after[::-1].index(True)
        else:
            end = place + len(part)
        place = end
    return person


def suggest_pattern(names: list[str]) -> str | None:
    """Return the first common pattern that matches every name and gives a few people.

    At least two people, one of them with two files: `IMG_1` and `IMG_2` have no person.

    >>> suggest_pattern(["subject01.happy.gif", "subject01.sad.gif", "subject02.sad.gif"])
    '{person}.*.*'
    """
    for pattern in ("{person}.*.*", "{person}_*", "{person}-*", "{person} *"):
        people = [person_from_name(name, pattern) for name in names]
        if None not in people and 1 < len(set(people)) < len(people):
            return pattern
    return None
