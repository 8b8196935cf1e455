"""Read and decode photographs of any mode and depth, upright: grey to compute, colour to show."""

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
MOST_BYTES = 1_000_000_000  # larger files are refused unread
MOST_TEXT = 100_000_000  # … and larger tables and lists
LONGEST_SHOWN = 1400  # pixels of the longer side of a photograph that fills the editor

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
"""Suffixes of pictures that are read …"""

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
"""… and of photographs that are listed as not read."""

_RAW = "This is camera raw, or a kind of TIFF that cannot be read here. Export it as JPEG."
_FILM = "This is a film, not a photo. Save one of its frames as JPEG."
_REFUSALS = {
    rb".{4}ftypcrx|FUJIFILMCCD-RAW|II(RO|RS|U\0|\*\0)|MM(OR|\0\*)|FOVb|\0MRM": _RAW,
    rb"\xff\x0a|\0{3}\x0cJXL ": "JPEG XL cannot be read here. Save it as JPEG or PNG.",
    rb".{4}(ftyp(qt|is[om]|mp4|M4V|3g|avc|dash|MSNV)|moov|mdat|wide|free|skip)": _FILM,
    rb"RIFF.{4}AVI |\x1aE\xdf\xa3|FLV|\0\0\x01[\xb3\xba]|0&\xb2u": _FILM,
    rb"": "This is not a picture in any format that can be read here, or it is damaged.",
}
"""Why a file is no picture, by its first bytes."""

_PGM = re.compile(rb"P5((?:\s|#[^\r\n]*[\r\n])+\d+){2}(?:\s|#[^\r\n]*[\r\n])+(\d+)\s")
_END_OF_JPEG = b"\xff\xd9"
_WHITES = (255, 1023, 4095, 16383, 65535)  # possible white levels of more than 8 bits
_COLOUR_MODES = ("L", "P", "RGB", "RGBA", "CMYK", "YCbCr")
_PROFILED = {"L": "L", "LA": "L", "P": "RGB", "RGB": "RGB", "RGBA": "RGB", "CMYK": "CMYK"}
"""The modes in which a profile is applied, and that in which it describes the colours."""
_ROUNDING = 1  # levels of 255 by which a profile may differ from sRGB, to be sRGB
_MOST_PAGES = 20  # of a TIFF, looked at
_TOO_LARGE = (
    f"The picture is too large: at most {MOST_PIXELS // 1_000_000} million pixels are read. "
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

    Raises `EigenfacesError` if it cannot be read, and `UnicodeDecodeError` if it is not UTF-8.
    """
    try:
        return read_content(path, most).decode("utf-8-sig")
    except PhotoError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {error}") from None


def read_content(path: Path, most: int) -> bytes:
    """Return the content of a file of at most ``most`` bytes, or raise `PhotoError`.

    A pipe or a device is never opened.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise PhotoError("This is a folder.")
        if not stat.S_ISREG(status.st_mode):
            raise PhotoError("This is not a file but a pipe or a device.")
        if status.st_size > most:
            raise PhotoError(f"The file is too large: over {most // 1_000_000} megabytes.")
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
    """Return the SHA-256 of a file's content, in hexadecimal: it identifies a photograph."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, eq=False)
class Decoded:
    """A photograph decoded once, upright: in grey for computation, in colour for display."""

    grey: NDArray[np.float32]  # (h, w) in 0…1, black to white
    size: tuple[int, int]  # (h, w) of the whole photograph; ``grey`` may be smaller
    image: Image.Image  # the same pixels in colour: in sRGB, if the file says what its colours are
    truncated: str = ""  # a sentence if the end of the file is missing …
    rescaled: str = ""  # … if white is not the largest number its depth allows …
    pages: str = ""  # … and if it has more pages

    def colours(self, longest: int) -> NDArray[np.uint8]:
        """Return it as (h, w, 3), its longer side at most ``longest`` pixels."""
        image = self.image
        if image.mode not in _COLOUR_MODES:
            image = Image.fromarray(as_levels(self.grey))
        small = _on_white(image).convert("RGB")
        small.thumbnail((longest, longest))
        return np.asarray(small)


def decode(content: bytes, longest: int | None = None, smallest: int = SMALLEST_SIDE) -> Decoded:
    """Decode a photograph's first frame, upright by its EXIF orientation, in grey and in colour.

    By an ICC profile in the file, colours become those of sRGB. Colour becomes luma by ITU-R 601-2,
    L = 0.299 R + 0.587 G + 0.114 B; transparent parts become white. ``content`` is the whole file.
    A JPEG may be decoded at 1/2, 1/4 or 1/8 of its size if its longer side keeps at least
    ``longest`` pixels: that takes a fraction of the time.

    Raises `PhotoError` with the reason: not a picture, truncated, damaged, too large, or with a
    side of fewer than ``smallest`` pixels.
    """
    try:
        with open_image(BytesIO(content)) as image:
            height, width = image.height, image.width
            _check(image, content, smallest)
            tags = _tags(image)
            white = 4095 if tags.get(258) == (12,) else 0  # where the file says it
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
    """Raise `PhotoError` for what should not, or need not, be decoded."""
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
    """Return a picture decoded, and a sentence if it is a JPEG that lacks no more than its end."""
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
        return ended, "The end of the file is missing: the last rows of the picture may be blank."


def _pages(image: Image.Image, content: bytes) -> str:
    """Return a sentence if a TIFF has more than one page; smaller copies of it are none."""
    if not isinstance(image, TiffImageFile):
        return ""
    with contextlib.suppress(Exception), open_image(BytesIO(content)) as again:
        for page in range(1, _MOST_PAGES):
            again.seek(page)  # it raises at the end
            if not _tags(again).get(254, 0) & 1:
                return "The file has several pages: only the first is read."
    return ""


def in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return a picture in the colours of sRGB, by its ICC profile; unchanged if that is none.

    Grey levels of more than 8 bits are taken as they are.
    """
    if not profile or image.mode not in _PROFILED:
        return image
    mode = _PROFILED[image.mode]
    try:
        if (transform := _to_srgb(profile, mode)) is None:
            return image
        converted = transform.apply(image.convert(mode))
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):  # a damaged one, or another's
        return image
    if image.has_transparency_data:
        converted.putalpha(image.convert("RGBA").getchannel("A"))
    return converted


@lru_cache(maxsize=16)
def _to_srgb(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    """Return what makes colours sRGB; None if they are, but for rounding."""
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
    """Return a picture with its transparent parts white."""
    if not image.has_transparency_data:
        return image
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)


def _grey(image: Image.Image, stated: int, *, negative: bool) -> tuple[NDArray[np.float32], str]:
    """Return a picture (h, w) in 0…1, and a sentence if its white is found in unusual values.

    ``stated``: the number that the file says is white, or 0: then it is the least usual one that
    holds all values. ``negative``: whether 0 is white. Raises `PhotoError` for values that are no
    grey.
    """
    if image.mode.startswith(("I", "F")):
        values = np.asarray(image, np.float32)
        real = image.mode == "F"
        over = 1.2 if real else 1.0  # resampling overshoots black and white
        limits = {1: 10.0} if real and not stated else {}  # no photograph has 10 levels of 255
        limits |= {level: level * over for level in ([stated] if stated else _WHITES)}
        most = float(values.max())
        white = next((level for level, limit in limits.items() if most <= limit), max(limits))
        if not (values.min() >= white * (1 - over) and most <= limits[white]):  # or it is NaN
            raise PhotoError(f"Its grey values do not lie between 0 and {white:,}.")
        grey = np.maximum(values / np.float32(max(white, most)), 0)
        rescaled = ""
        if not stated and (255 < white < 65535 or (white == 255 and image.mode[:2] == "I;")):
            bits = white.bit_length()
            rescaled = f"The grey values have {bits} bits: {white:,} is taken for white."
        return 1 - grey if negative else grey, rescaled
    if image.mode == "LAB":  # which Pillow itself cannot convert
        profiles = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        image = ImageCms.profileToProfile(image, *profiles, outputMode="RGB") or image
    image = _on_white(image)
    if image.mode not in ("1", "L", "RGB"):
        image = image.convert("RGB")
    return np.asarray(image.convert("L"), np.float32) / np.float32(255), ""


def colours(content: bytes, longest: int, turned: int = 0) -> NDArray[np.uint8]:
    """Return a photograph that `decode` accepts as (h, w, 3), after quarter turns clockwise."""
    return np.rot90(decode(content, longest).colours(longest), -turned)
