"""Photographs: find them by person, and read one upright and grey, whatever its mode or depth."""

import csv
import hashlib
import os
import re
import stat
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from eigenfaces.errors import EigenfacesError, PhotoError

SMALLEST_SIDE = 16
"""A picture with a side under this many pixels shows no face."""

MOST_PIXELS = 89_000_000
"""Larger pictures are refused from their header alone; Pillow's own limit lies just above."""

MOST_BYTES = 1_000_000_000
"""Larger files are refused unread."""

# Pillow only warns between its limit and twice that; here such a picture is refused.
warnings.simplefilter("error", Image.DecompressionBombWarning)
# It also remarks on damaged metadata; what matters of that is raised anyway.
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")

_SUFFIXES = {".avif", ".bmp", ".gif", ".heic", ".heif", ".jpeg", ".jpg", ".pbm", ".pgm", ".png"}
_SUFFIXES |= {".pnm", ".ppm", ".tif", ".tiff", ".webp"}
_NO_PHOTOS = "There are no photographs in “{}”. Choose a folder with one sub-folder per person."


@dataclass(frozen=True)
class Photo:
    """A photograph as taken, and who is on it (None: not said)."""

    path: Path
    person: str | None = None


@dataclass(frozen=True)
class Skipped:
    """A photograph that is not used, and why, as a sentence."""

    path: Path
    reason: str


@dataclass(frozen=True)
class FoundPhotos:
    """What a folder or a manifest holds: photographs in natural order, and what was passed over."""

    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()


def natural_key(text: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts ``s2`` before ``s10``.

    >>> sorted(["s10", "S2", "s1"], key=natural_key)
    ['s1', 'S2', 's10']
    """
    parts = re.split(r"([0-9]+)", text.casefold())
    # Of numbers, the one with more digits is larger; words come before numbers.
    numbers = [part.lstrip("0") for part in parts]
    return tuple(
        (1 + len(number), number) if place % 2 else (0, part)
        for place, (part, number) in enumerate(zip(parts, numbers, strict=True))
    )


def find_photos(source: Path, pattern: str | None = None) -> FoundPhotos:
    """Find the photographs of a folder, or of a CSV manifest ``path;label``.

    Parameters
    ----------
    source
        A folder: everything below a sub-folder belongs to the person of that name. Or a manifest,
        a text file with one ``path;label`` (or ``path,label``) a line; relative paths start at
        the manifest's own folder.
    pattern
        How a file name gives the person, for photographs directly in the folder: ``{person}``
        stands for the name and ``*`` for anything, as in ``{person}.*`` for
        ``subject01.happy.gif``. Without it they belong to nobody.

    Raises
    ------
    EigenfacesError
        The source cannot be read, or holds no photographs.
    """
    source = source.absolute()  # so that a project finds its photographs from anywhere
    try:
        if not source.is_dir() and not source.is_file():
            raise EigenfacesError(f"“{source}” does not exist. Check the path and try again.")
        found = _read_folder(source, pattern) if source.is_dir() else _read_manifest(source)
    except OSError as error:
        raise EigenfacesError(f"“{source}” cannot be read: {error.strerror}.") from error
    if not found.photos and not found.skipped:
        raise EigenfacesError(_NO_PHOTOS.format(source))
    return found


def person_from_name(name: str, pattern: str) -> str | None:
    """Return the person that a file name states under a pattern, or None where it does not fit.

    >>> person_from_name("subject01.happy.gif", "{person}.*")
    'subject01'
    """
    if pattern.count("{person}") != 1:
        raise EigenfacesError(
            f"The pattern “{pattern}” must contain {{person}} once, as in “{{person}}.*”."
        )
    parts = re.split(r"(\{person\}|\*)", pattern)
    as_regex = {"{person}": "(.+?)", "*": ".*"}
    match = re.fullmatch("".join(as_regex.get(part, re.escape(part)) for part in parts), name)
    return match[1].strip() or None if match else None


def suggest_pattern(names: list[str]) -> str | None:
    """Return the first usual pattern that fits every name and groups at least two of them.

    >>> suggest_pattern(["subject01.happy.gif", "subject01.sad.gif", "subject02.sad.gif"])
    '{person}.*.*'
    """
    for pattern in ("{person}.*.*", "{person}_*", "{person}-*", "{person} *"):
        people = [person_from_name(name, pattern) for name in names]
        if names and None not in people and len(set(people)) < len(people):
            return pattern
    return None


def _read_folder(folder: Path, pattern: str | None) -> FoundPhotos:
    photos, skipped = [], []
    for path in _walk(folder, set()):
        parts = path.relative_to(folder).parts
        if path.is_dir():
            skipped.append(Skipped(path, _folder_reason(path)))
        elif len(parts) > 1:
            photos.append(Photo(path, as_name(parts[0])))
        elif pattern is None:
            photos.append(Photo(path))
        elif person := person_from_name(path.name, pattern):
            photos.append(Photo(path, as_name(person)))
        else:
            skipped.append(Skipped(path, f"Its name does not fit the pattern “{pattern}”."))
    return FoundPhotos(tuple(photos), tuple(skipped))


def as_name(text: str) -> str | None:
    """Make one name of a text, however a file system spells its letters; None of blanks.

    >>> as_name(" Zoe\u0308 ")
    'Zoë'
    """
    readable = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", readable).strip() or None


def _folder_reason(folder: Path) -> str:
    if not os.access(folder, os.R_OK | os.X_OK):
        return "You have no permission to read this folder."
    return "This folder is read already, under another name."


def _walk(folder: Path, seen: set[tuple[int, int]]) -> Iterator[Path]:
    """Yield the picture files below a folder in natural order.

    Every real folder is entered once; one that is met again, or may not be read, is itself yielded.
    """
    status = folder.stat()
    if (status.st_dev, status.st_ino) in seen:
        yield folder
        return
    seen.add((status.st_dev, status.st_ino))
    with os.scandir(folder) as entries:
        names = sorted(
            (entry.name for entry in entries), key=lambda name: (natural_key(name), name)
        )
    for name in names:
        path = folder / name
        if name.startswith(".") or name == "__MACOSX":
            continue
        if path.is_dir():
            try:
                yield from _walk(path, seen)
            except PermissionError:
                yield path
        elif path.suffix.lower() in _SUFFIXES or _is_picture(path):
            yield path


def _is_picture(path: Path) -> bool:
    """Tell a picture with an unusual name (``subject01.happy``) from notes and other files."""
    try:
        if not path.is_file():
            return False  # opening a pipe would wait for ever
        with Image.open(path):
            return True
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return True
    except Exception:  # decoders raise almost anything on files that are none of theirs
        return False


def _read_manifest(manifest: Path) -> FoundPhotos:
    try:
        lines = manifest.read_text(encoding="utf-8-sig").splitlines()
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
        if not any(cells) or cells[0].startswith("#"):
            continue
        if [cell.casefold() for cell in cells[:2]] in (["path", "label"], ["path", "person"]):
            continue
        path = manifest.parent / cells[0]
        if len(cells) < 2 or not cells[1]:
            skipped.append(Skipped(path, "Its line in the manifest has no label."))
        else:
            photos.append(Photo(path, as_name(cells[1])))
    return FoundPhotos(tuple(photos), tuple(skipped))


def read_bytes(path: Path) -> bytes:
    """Return a photograph's file whole; raise `PhotoError` with the reason where that fails."""
    try:
        status = path.stat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise PhotoError("This is no file but a pipe or a device.")
        if status.st_size > MOST_BYTES:
            raise PhotoError(f"The file is too large: over {MOST_BYTES // 1_000_000} megabytes.")
        content = path.read_bytes()
    except FileNotFoundError:
        raise PhotoError("The file is not there (moved, deleted, or a broken link).") from None
    except PermissionError:
        raise PhotoError("You have no permission to read this file.") from None
    except OSError as error:
        raise PhotoError(f"The file cannot be read: {error.strerror}.") from None
    except ValueError:  # a zero byte in the path, from a manifest
        raise PhotoError("This is no possible path of a file.") from None
    if not content:
        raise PhotoError("The file is empty.")
    return content


def is_there(path: Path) -> bool:
    """Say whether a photograph's file is where it was, and may be looked at."""
    try:
        return path.exists()
    except OSError:
        return False


def content_hash(content: bytes) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal: what identifies a photograph."""
    return hashlib.sha256(content).hexdigest()


def decode(content: bytes) -> NDArray[np.float32]:
    """Decode a photograph: first frame, upright by its EXIF orientation, grey.

    Parameters
    ----------
    content
        The whole file, in any format that Pillow reads.

    Returns
    -------
    (h, w) float32 in 0…1, black to white. Colour becomes luma by ITU-R 601-2,
    L = 0.299 R + 0.587 G + 0.114 B; transparent parts lie on white.

    Raises
    ------
    PhotoError
        With the reason: not a picture, truncated, too small, too large, damaged.
    """
    try:
        with Image.open(BytesIO(content)) as image:
            _check_size(image)
            _check_portable_greymap(content, image)
            with np.errstate(invalid="ignore"):  # floats may be anything: `_scaled` sees to it
                return _to_grey(_upright(image))
    except PhotoError:
        raise
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise PhotoError(_too_large()) from None
    except UnidentifiedImageError:
        raise PhotoError(_unidentified(content)) from None
    except MemoryError:
        raise PhotoError("There is not enough memory to open this picture.") from None
    except Exception as error:  # decoders of damaged files raise almost anything
        raise PhotoError(f"The picture is damaged or cut short ({error}).") from None


def _unidentified(content: bytes) -> str:
    if content[4:8] == b"ftyp":
        return "HEIC photographs are not read here. Save it as JPEG or PNG."
    return "This is not a picture in any format that can be read here, or it is damaged."


def _check_size(image: Image.Image) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise PhotoError(_too_large())
    if min(width, height) < SMALLEST_SIDE:
        raise PhotoError(
            f"The picture is too small: {width} × {height} pixels, "
            f"and at least {SMALLEST_SIDE} are needed on each side."
        )


def _too_large() -> str:
    return (
        f"The picture is too large: at most {MOST_PIXELS // 1_000_000} million pixels are read. "
        "Save a smaller copy."
    )


def _check_portable_greymap(content: bytes, image: Image.Image) -> None:
    """Refuse a binary PGM that is longer than its header says: its pixels are shifted."""
    if not content.startswith(b"P5"):
        return
    gap = rb"(?:\s|#[^\r\n]*[\r\n])+"
    header = re.match(rb"P5" + gap + rb"\d+" + gap + rb"\d+" + gap + rb"(\d+)\s", content)
    if header is None:
        return
    depth = 1 if int(header[1]) < 256 else 2
    surplus = content[header.end() + image.width * image.height * depth :]
    if surplus.strip() and not surplus.lstrip().startswith(b"P5"):  # a P5 there: a second frame
        raise PhotoError(
            f"The file is {len(surplus)} bytes longer than its header says, so its pixels are "
            "shifted. It was probably damaged by a text-mode transfer: get an undamaged copy."
        )


def _upright(image: Image.Image) -> Image.Image:
    image.load()
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # unreadable EXIF says nothing about the orientation
        return image


def _to_grey(image: Image.Image) -> NDArray[np.float32]:
    if image.mode == "1":
        image = image.convert("L")
    if image.mode.startswith("I"):
        return _scaled(np.asarray(image, np.float32), 65535)
    if image.mode == "F":
        values = np.asarray(image, np.float32)
        return _scaled(values, 1 if values.max() <= 1 else 255 if values.max() <= 255 else 65535)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    if image.mode not in ("L", "RGB"):
        image = image.convert("RGB")
    return np.asarray(image.convert("L"), np.float32) / np.float32(255)


def _scaled(values: NDArray[np.float32], white: int) -> NDArray[np.float32]:
    """Divide by the value of white; refuse what does not fit between black and white."""
    if not (values.min() >= 0 and values.max() <= white):  # false for what is not a number, too
        raise PhotoError(f"Its grey values do not lie between 0 and {white}.")
    return values / np.float32(white)
