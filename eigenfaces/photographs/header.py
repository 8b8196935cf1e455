"""Headers of photographs: size, orientation, time and XMP, without decoding the picture.

Cameras store a picture as the sensor sees it, and record in EXIF how to show it (EXIF 2.3, 4.6.4):
transposed or not, and then perhaps mirrored. All code that handles orientation uses this module.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from io import BytesIO
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile

from eigenfaces.errors import PhotoError

Area = tuple[float, float, float, float]
"""A part of a picture: its centre (x, y), width and height, as fractions of the picture."""

ISO_SECONDS = "%Y-%m-%dT%H:%M:%S"

_HEIF = re.compile(rb".{4}ftyp.{0,48}?(hei[cfmsx]|hev[cmsx])", re.DOTALL)
_NO_HEIC = (
    "HEIC cannot be read here. Run “pip install pillow-heif” and start the program again, or save "
    "the photo as JPEG."
)
_ORIENTATION, _WIDTH, _HEIGHT = 274, 256, 257  # tags of EXIF and of TIFF
_EXIF, _TAKEN, _DIGITISED, _CHANGED = 0x8769, 0x9003, 0x9004, 0x0132  # EXIF 2.3, 4.6.5
_TIME = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)")
_TRANSPOSED = (5, 6, 7, 8)  # orientations in which rows become columns, …
_MIRRORED = (2, 3, 6, 7)  # … in which left and right are then exchanged, …
_UPSIDE_DOWN = (3, 4, 7, 8)  # … and in which top and bottom are exchanged


@dataclass(frozen=True)
class Header:
    """Metadata of a picture, read from the header of its file."""

    path: Path
    stored: tuple[int, int]  # (width, height) of the picture as stored
    stated_orientation: int | None  # from EXIF, 1 to 8; None: it may follow the pixels
    xmp: bytes = b""  # the XMP document in the file, if any
    decoder_orientation: int = 1  # the orientation that the decoder has undone already (HEIF)
    taken: str = ""  # when it was taken (ISO 8601, local time), if the file says so

    @property
    def frames(self) -> list[tuple[tuple[int, int], int]]:
        """The picture sizes (width, height) that programs may record, each with its orientation."""
        sensor = upright_size(self.stored, self.decoder_orientation)
        return [(self.stored, self.orientation), (self.size, 1), (sensor, self.decoder_orientation)]

    @cached_property
    def orientation(self) -> int:
        """The EXIF orientation, 1 to 8. Some PNG files must be decoded completely to find it."""
        if self.stated_orientation is not None:
            return self.stated_orientation
        try:
            with open_image(self.path) as image:
                return _orientation(image)
        except Exception:  # decoders raise almost anything on damaged files
            return 1

    @property
    def size(self) -> tuple[int, int]:
        """The (width, height) of the picture as shown, upright."""
        return upright_size(self.stored, self.orientation)


def read_header(path: Path) -> Header | None:
    """Return the header of a photograph, without decoding it, or None if it cannot be read."""
    try:
        if not path.is_file():
            return None  # opening a pipe would block
        with open_image(path) as image:
            stored = image.size
            if isinstance(image, TiffImageFile):  # for these, Pillow gives the size as shown
                stored = image.tag_v2[_WIDTH], image.tag_v2[_HEIGHT]
            behind = isinstance(image, PngImageFile) and "exif" not in image.info
            packet = image.info.get("xmp") or b""
            xmp = packet if isinstance(packet, bytes) else str(packet).encode()
            undone = image.info.get("original_orientation") or 1
            stated = None if behind else _orientation(image)
            return Header(path, stored, stated, xmp, undone, "" if behind else _time_taken(image))
    except Exception:  # decoders raise almost anything on other files
        return None


def open_image(source: Path | BytesIO) -> Image.Image:
    """Open a picture with Pillow, without decoding it, and return the image.

    Raises `PhotoError` for HEIC if its decoder is not installed, and possibly any other error if
    the file is not a picture.
    """
    if isinstance(source, BytesIO):
        begin = source.getbuffer()[:64].tobytes()
    else:
        with source.open("rb") as file:
            begin = file.read(64)
    if _HEIF.match(begin):
        try:
            from pillow_heif import HeifImageFile
        except ImportError as error:
            raise PhotoError(_NO_HEIC) from error
        return HeifImageFile(source)
    return Image.open(source)


def orientation(path: Path) -> int:
    """Return the EXIF orientation of a photograph, 1 to 8, or 1 if it cannot be read."""
    header = read_header(path)
    return 1 if header is None else header.orientation


def _time_taken(image: Image.Image) -> str:
    """Return the time when a photograph was taken, from EXIF (ISO 8601); "" if unknown."""
    try:
        exif = image.getexif()
        inner = exif.get_ifd(_EXIF)
        stated = [inner.get(_TAKEN), inner.get(_DIGITISED), exif.get(_CHANGED)]
    except Exception:  # decoders raise almost anything on damaged files
        return ""
    for text in stated:
        if found := _TIME.match(text if isinstance(text, str) else ""):
            year, month, day, *clock = found.groups()
            with suppress(ValueError):  # the clock of the camera was never set
                moment = datetime.fromisoformat(f"{year}-{month}-{day}T{':'.join(clock)}")
                return moment.strftime(ISO_SECONDS)
    return ""


def _orientation(image: Image.Image) -> int:
    try:
        tag = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # EXIF cannot be read; `decode` does the same
        return 1
    return tag if tag in range(1, 9) else 1


def upright_size(stored: tuple[int, int], orientation: int) -> tuple[int, int]:
    """Return the (width, height) of a picture as shown; the function is its own inverse."""
    width, height = stored
    return (height, width) if orientation in _TRANSPOSED else (width, height)


def upright_area(area: Area, orientation: int) -> Area:
    """Convert an area of the stored picture to an area of the upright picture."""
    if orientation in _TRANSPOSED:
        area = _transposed(area)
    return _mirrored(area, orientation)


def stored_area(area: Area, orientation: int) -> Area:
    """Convert an area of the upright picture to an area of the stored picture."""
    area = _mirrored(area, orientation)
    return _transposed(area) if orientation in _TRANSPOSED else area


def _transposed(area: Area) -> Area:
    x, y, width, height = area
    return y, x, height, width


def _mirrored(area: Area, orientation: int) -> Area:
    x, y, width, height = area
    if orientation in _MIRRORED:
        x = 1 - x
    if orientation in _UPSIDE_DOWN:
        y = 1 - y
    return x, y, width, height


def same_place(one: Area, other: Area) -> bool:
    """Return whether two areas show the same face: each contains the centre of the other."""
    across = 2 * abs(one[0] - other[0]) <= min(one[2], other[2])
    down = 2 * abs(one[1] - other[1]) <= min(one[3], other[3])
    return across and down
