"""Read photographs of any mode and bit depth, and decode them upright, in grey and in colour."""

import contextlib
import hashlib
import re
import stat
import sys
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError
from PIL.TiffImagePlugin import TiffImageFile

from eigenfaces.errors import EigenfacesError, PhotoError, reason_of
from eigenfaces.files import is_there
from eigenfaces.photographs.header import open_image
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count

SMALLEST_SIDE = 16  # pixels: a smaller picture shows no face
MOST_PIXELS = 89_000_000  # larger pictures are refused from their header alone
MOST_BYTES = 1_000_000_000  # larger files are refused without reading them
MOST_TEXT = 100_000_000  # … and larger tables and lists
LONGEST_SHOWN = 1400  # longer side, in pixels, of a photograph shown in the editor

PICTURES = (
    "avif",
    "bmp",
    "gif",
    "heic",
    "heif",
    "hif",
    "jfif",
    "jpe",
    "jpeg",
    "jpg",
    "pbm",
    "pgm",
    "png",
    "pnm",
    "ppm",
    "tif",
    "tiff",
    "webp",
)
"""File name extensions of pictures that can be read."""

NOT_READ = (
    "arw",
    "cr2",
    "cr3",
    "dng",
    "jxl",
    "nef",
    "nrw",
    "orf",
    "pef",
    "raf",
    "raw",
    "rw2",
    "srw",
    "x3f",
)
"""File name extensions of photographs that are listed as unreadable."""

_RAW = "This is a camera raw file, or a type of TIFF that cannot be read. Export it as JPEG."
_FILM = "This is a film, not a photo. Save one of its frames as JPEG."
_REFUSALS = {
    rb".{4}ftypcrx|FUJIFILMCCD-RAW|II(RO|RS|U\0|\*\0)|MM(OR|\0\*)|FOVb|\0MRM": _RAW,
    rb"\xff\x0a|\0{3}\x0cJXL ": "JPEG XL cannot be read here. Save it as JPEG or PNG.",
    rb".{4}(ftyp(qt|is[om]|mp4|M4V|3g|avc|dash|MSNV)|moov|mdat|wide|free|skip)": _FILM,
    rb"RIFF.{4}AVI |\x1aE\xdf\xa3|FLV|\0\0\x01[\xb3\xba]|0&\xb2u": _FILM,
    rb"": "This is not a picture in a supported format, or it is damaged.",
}
"""The reasons why a file cannot be read as a picture, keyed by patterns for its first bytes."""

_PGM = re.compile(rb"P5((?:\s|#[^\r\n]*[\r\n])+\d+){2}(?:\s|#[^\r\n]*[\r\n])+(\d+)\s")
_END_OF_JPEG = b"\xff\xd9"
_WHITES = (255, 1023, 4095, 16383, 65535)  # possible levels of white, from 8 to 16 bits
_COLOUR_MODES = ("L", "P", "RGB", "RGBA", "CMYK", "YCbCr")
_PROFILED = {"L": "L", "LA": "L", "P": "RGB", "RGB": "RGB", "RGBA": "RGB", "CMYK": "CMYK"}
"""The modes to which a profile is applied, and the mode in which it describes colours."""
_ROUNDING = 1  # a profile that differs from sRGB by this many levels of 255 counts as sRGB
_MOST_PAGES = 20  # at most this many pages of a TIFF are checked
_TOO_LARGE = (
    f"The picture is too large. At most {MOST_PIXELS // 1_000_000} million pixels can be read. "
    "Save a smaller copy."
)


def read_bytes(path: Path) -> bytes:
    """Return the content of a photograph (“-”: standard input), or raise `PhotoError`."""
    if path == Path("-") and not is_there(path):
        content = sys.stdin.buffer.read(MOST_BYTES)
    else:
        content = read_content(path, MOST_BYTES)
    if not content:
        raise PhotoError("The file is empty.")
    return content


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """Return the content of a text file of at most ``most`` bytes.

    Raises `EigenfacesError` if the file is unreadable, and `UnicodeDecodeError` if it is not UTF-8.
    """
    try:
        return read_content(path, most).decode("utf-8-sig")
    except PhotoError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {error}") from None


def read_content(path: Path, most: int) -> bytes:
    """Return the content of a file of at most ``most`` bytes, or raise `PhotoError`.

    Pipes and devices are never opened.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise PhotoError("This is a folder.")
        if not stat.S_ISREG(status.st_mode):
            raise PhotoError("This is a pipe or a device, not a file.")
        if status.st_size > most:
            raise PhotoError(f"The file is too large (over {most // 1_000_000} megabytes).")
        return path.read_bytes() if status.st_size else b""
    except FileNotFoundError:
        raise PhotoError("The file is not there (moved, deleted, or a broken link).") from None
    except PermissionError:
        raise PhotoError("You have no permission to read this file.") from None
    except OSError as error:
        raise PhotoError(f"The file cannot be read: {reason_of(error)}.") from None
    except ValueError:  # a zero byte in the path, from a list
        raise PhotoError("No file can have this path.") from None


# pathlib raises errors about paths that no file can have, such as those with a zero byte.


def content_hash(content: bytes) -> str:
    """Return the hexadecimal SHA-256 of a file's content, which identifies a photograph."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, eq=False)
class Decoded:
    """Decoded, upright photograph, in grey for computation and in colour for display."""

    grey: NDArray[np.float32]  # (h, w) in 0…1, black to white
    size: tuple[int, int]  # (h, w) of the whole photograph; ``grey`` may be smaller
    image: Image.Image  # the picture in colour; in sRGB, if the file has a colour profile
    truncated: str = ""  # a sentence if the end of the file is missing …
    rescaled: str = ""  # … if white is not the largest value of its bit depth …
    pages: str = ""  # … and if it has more pages

    def colours(self, longest: int) -> NDArray[np.uint8]:
        """Return the colour picture (h, w, 3), at most ``longest`` pixels on its longer side."""
        image = self.image
        if image.mode not in _COLOUR_MODES:
            image = Image.fromarray(as_levels(self.grey))
        small = _on_white(image).convert("RGB")
        small.thumbnail((longest, longest))
        return np.asarray(small)


def decode(content: bytes, longest: int | None = None, smallest: int = SMALLEST_SIDE) -> Decoded:
    """Decode a photograph's first frame in grey and in colour, turned upright according to EXIF.

    Colours with an ICC profile are converted to sRGB. Grey is the luma of ITU-R 601-2,
    L = 0.299 R + 0.587 G + 0.114 B; transparent parts become white. ``content`` is the whole file.
    A JPEG may be decoded at 1/2, 1/4 or 1/8 of its size, which is much faster, if its longer side
    still has ``longest`` pixels or more.

    Raises `PhotoError` if the content is not a picture, is truncated, damaged or too large, or has
    a side of fewer than ``smallest`` pixels.
    """
    try:
        with open_image(BytesIO(content)) as image:
            height, width = image.height, image.width
            _check(image, content, smallest)
            tags = _tags(image)
            white = 4095 if tags.get(258) == (12,) else 0  # if the file says so
            if image.format in ("PPM", "HEIF") and image.mode[0] == "I":
                white = 65535
            loaded, truncated = _load(image, content, longest)
            upright = loaded
            with contextlib.suppress(Exception):  # unreadable EXIF: orientation unknown
                upright = ImageOps.exif_transpose(loaded)
            size = (height, width) if upright.size == loaded.size else (width, height)
            upright = in_srgb(upright, image.info.get("icc_profile"))
            with np.errstate(invalid="ignore"):  # floats may be NaN
                grey, rescaled = _grey(upright, white, negative=tags.get(262) == 0)
            return Decoded(grey, size, upright, truncated, rescaled, _pages(image, content))
    except PhotoError:
        raise
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise PhotoError(_TOO_LARGE) from None
    except UnidentifiedImageError:
        reasons = (why for begin, why in _REFUSALS.items() if re.match(begin, content, re.DOTALL))
        raise PhotoError(next(reasons)) from None
    except MemoryError:
        raise PhotoError("There is not enough memory to open this picture.") from None
    except Exception as error:  # decoders of damaged files raise almost anything
        raise PhotoError(f"The picture is damaged or cut short ({error}).") from None


def _check(image: Image.Image, content: bytes, smallest: int) -> None:
    """Check whether a picture should be decoded; if not, raise `PhotoError`."""
    (width, height), tags = image.size, _tags(image)
    if image.format in ("EPS", "WMF"):  # Pillow would run Ghostscript, or Windows, on them
        raise PhotoError("This is a drawing, not a photo. Save it as JPEG or PNG.")
    if content[8:10] == b"CR" or tags.get(254, 0) & 1 or 50706 in tags:
        raise PhotoError(_RAW)  # its first picture is a thumbnail, or it is a DNG
    if width * height > MOST_PIXELS:
        raise PhotoError(_TOO_LARGE)
    if min(width, height) < smallest:
        raise PhotoError(
            f"The picture is too small: {width} × {height} pixels, "
            f"and at least {smallest} are needed on each side."
        )
    if (header := _PGM.match(content)) is not None:
        pixels = width * height * (1 if int(header[2]) < 256 else 2)
        surplus = content[header.end() + pixels :]
        if surplus.strip() and not surplus.lstrip().startswith(b"P5"):  # P5: a second frame
            raise PhotoError(
                f"The file is {count(len(surplus), 'byte')} longer than its header says, so its "
                "pixels are shifted, probably by a text-mode transfer. Get an undamaged copy."
            )


def _tags(image: Image.Image) -> Any:
    return image.tag_v2 if isinstance(image, TiffImageFile) else {}


def _load(image: Image.Image, content: bytes, longest: int | None) -> tuple[Image.Image, str]:
    """Return the decoded picture, with a warning if it is a JPEG whose end is missing."""
    share = 1.0 if longest is None else longest / max(image.size)
    reduced = max(1, int(image.width * share)), max(1, int(image.height * share))
    image.draft(None, reduced)
    try:
        image.load()
        return image, ""
    except OSError:
        scans = content.count(b"\xff\xda")
        if image.format not in ("JPEG", "MPO") or ("progression" in image.info and scans < 6):
            raise
        ended = Image.open(BytesIO(content + _END_OF_JPEG))
        ended.draft(None, reduced)
        # Rows that were not in the file are decoded as mid-grey.
        rows = np.flatnonzero((np.asarray(ended).reshape(ended.height, -1) != 128).any(axis=1))
        if rows.max(initial=0) < 0.8 * ended.height:
            raise
        return ended, "The end of the file is missing. The last rows of the picture may be blank."


def _pages(image: Image.Image, content: bytes) -> str:
    """Return a warning if a TIFF has several pages, apart from smaller copies of the first page."""
    if not isinstance(image, TiffImageFile):
        return ""
    with contextlib.suppress(Exception), open_image(BytesIO(content)) as again:
        for page in range(1, _MOST_PAGES):
            again.seek(page)  # it raises at the end
            if not _tags(again).get(254, 0) & 1:
                return "The file has several pages. Only the first is read."
    return ""


def in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return a picture converted to sRGB, or unchanged if its ICC profile is invalid.

    Grey levels of more than 8 bits are left unchanged.
    """
    if not profile or image.mode not in _PROFILED:
        return image
    mode = _PROFILED[image.mode]
    try:
        if (transform := _to_srgb(profile, mode)) is None:
            return image
        converted = transform.apply(image.convert(mode))
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):  # damaged, or for other modes
        return image
    if image.has_transparency_data:
        converted.putalpha(image.convert("RGBA").getchannel("A"))
    return converted


@lru_cache(maxsize=16)
def _to_srgb(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    """Return the transform from a profile to sRGB; None if the profile is sRGB up to rounding."""
    source = ImageCms.ImageCmsProfile(BytesIO(profile))
    transform = ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
    if mode == "CMYK":
        return transform
    levels = np.linspace(0, 255, 16, dtype=np.uint8)
    if mode == "RGB":
        levels = np.stack(np.meshgrid(levels, levels, levels), axis=-1).reshape(16, 256, 3)
    before = Image.fromarray(np.atleast_2d(levels))
    changed = np.asarray(transform.apply(before), int) - np.asarray(before.convert("RGB"), int)
    return transform if np.abs(changed).max() > _ROUNDING else None


def _on_white(image: Image.Image) -> Image.Image:
    """Return a picture with its transparent parts filled with white."""
    if not image.has_transparency_data:
        return image
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)


def _grey(image: Image.Image, stated: int, *, negative: bool) -> tuple[NDArray[np.float32], str]:
    """Return the grey values (h, w) in 0…1, with a warning if the white level had to be guessed.

    ``stated`` is the white level given in the file, or 0 if none is given; the guess is then the
    smallest usual level that no value exceeds. ``negative`` says whether 0 is white. Raises
    `PhotoError` for values that are not grey levels.
    """
    if image.mode.startswith(("I", "F")):
        values = np.asarray(image, np.float32)
        real = image.mode == "F"
        over = 1.2 if real else 1.0  # resampling overshoots black and white
        limits = {1: 10.0} if real and not stated else {}  # no photo has just 10 of 255 levels
        limits |= {level: level * over for level in ([stated] if stated else _WHITES)}
        most = float(values.max())
        white = next((level for level, limit in limits.items() if most <= limit), max(limits))
        if not (values.min() >= white * (1 - over) and most <= limits[white]):  # or it is NaN
            raise PhotoError(f"Its grey values are not between 0 and {white:,}.")
        grey = np.maximum(values / np.float32(max(white, most)), 0)
        rescaled = ""
        if not stated and (255 < white < 65535 or (white == 255 and image.mode[:2] == "I;")):
            bits = white.bit_length()
            rescaled = f"The grey values have {bits} bits, so {white:,} is treated as white."
        return 1 - grey if negative else grey, rescaled
    if image.mode == "LAB":  # Pillow itself cannot convert this mode
        profiles = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        image = ImageCms.profileToProfile(image, *profiles, outputMode="RGB") or image
    image = _on_white(image)
    if image.mode not in ("1", "L", "RGB"):
        image = image.convert("RGB")
    return np.asarray(image.convert("L"), np.float32) / np.float32(255), ""


def colours(content: bytes, longest: int, turned: int = 0) -> NDArray[np.uint8]:
    """Return a colour photograph (h, w, 3), rotated by clockwise quarter turns; see `decode`."""
    return np.rot90(decode(content, longest).colours(longest), -turned)
