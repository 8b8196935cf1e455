"""Pictures in IDX files, plain or packed by gzip: those of MNIST and its likes.

A file begins with two zero bytes, the kind of number (8: bytes), how many dimensions there are, and
each dimension in four bytes, the highest first (Y. LeCun, C. Cortes and C. Burges).
"""

from __future__ import annotations

import gzip
import re
import struct
import zlib
from math import prod
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.laboratory.image_set import ImageSet, drawn, drawn_code, sampled
from eigenfaces.laboratory.picture_files.picture_values import as_pixels, most_pictures
from eigenfaces.photographs.decoding import is_regular
from eigenfaces.space.arrays import Bytes
from eigenfaces.text import count

_GZIP = b"\x1f\x8b"
_BYTES = 8
_DENSEST = 1032
"""To one byte of gzip, at most so many are packed."""

_AT_ONCE = 4_000_000
"""Values that are read in one step."""


def is_idx(beginning: bytes) -> bool:
    """Return whether a file begins like an IDX file, or like one that is packed."""
    return beginning.startswith((_GZIP, b"\0\0"))


def read_idx(path: Path, tick: Tick = no_tick, seed: int = 0) -> ImageSet:
    """Return the pictures of an IDX file, with the labels of the file beside it."""
    images, n, shape = _read_pictures(path, tick, seed)
    beside = labels_beside(path)
    notes = [] if n == len(images) else [sampled(n, len(images), seed)]
    rows = np.arange(n) if n == len(images) else drawn(n, len(images), seed)
    code = _code("x", path, 8 + 4 * len(shape), f".reshape({n}, -1) / 255")
    labels = None
    if beside is not None and is_regular(beside):
        found = _read_labels(beside)
        if len(found) != n:
            raise EigenfacesError(
                f"The labels do not fit: “{beside.name}” has {len(found):,} of them, and "
                f"“{path.name}” {count(n, 'picture')}."
            )
        labels = tuple(map(str, found[rows]))
        code += "\n" + _code("labels", beside, 8, ".astype(str)")
    else:
        looked = "" if beside is None else f": there is no “{beside.name}” beside it"
        notes.append(f"The pictures have no labels{looked}.")
    if n != len(images):
        code += "\n" + drawn_code(len(images), seed, labelled=labels is not None)
    return ImageSet(
        title=count(len(images), "picture"),
        pixels=as_pixels(images, 255),
        shape=shape,
        labels=labels,
        code=("import gzip\n\n" if "gzip" in code else "") + code,
        notes=tuple(notes),
    )


def labels_beside(path: Path) -> Path | None:
    """Return where the labels of a file of pictures should be, by its name; None: it says nothing.

    >>> labels_beside(Path("train-images-idx3-ubyte.gz")).name
    'train-labels-idx1-ubyte.gz'
    """
    name = re.sub("idx3", "idx1", re.sub("images", "labels", path.name))
    if "labels" not in name or name == path.name:
        return None
    beside = path.with_name(name)
    other = beside.with_suffix("") if name.endswith(".gz") else path.with_name(f"{name}.gz")
    return other if is_regular(other) and not is_regular(beside) else beside


def _code(name: str, path: Path, skip: int, then: str) -> str:
    """Return the lines of a listing that read the bytes of a file after its beginning."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    opened = f"gzip.open({str(path)!r})" if packed else f"open({str(path)!r}, 'rb')"
    return (
        f"with {opened} as file:\n"
        f"    {name} = np.frombuffer(file.read(), np.uint8, offset={skip}){then}"
    )


def _read_pictures(path: Path, tick: Tick, seed: int) -> tuple[Bytes, int, tuple[int, int]]:
    """Return the pictures (m, h·w), how many the file has, and (h, w)."""
    try:
        with _opened(path) as file:
            n, *shape = _dimensions(path, file, 3)
            height, width = shape
            most = min(n, most_pictures(height * width))
            rows = np.arange(n) if most == n else drawn(n, most, seed)
            kept = []
            step = max(1, _AT_ONCE // (height * width))
            for start in range(0, n, step):
                tick(start, n)
                stop = min(n, start + step)
                block = _exactly(path, file, (stop - start) * height * width)
                inside = rows[(rows >= start) & (rows < stop)] - start
                kept.append(block.reshape(stop - start, -1)[inside])
            _check_end(path, file)
    except (OSError, EOFError, zlib.error):
        raise EigenfacesError(_cut_short(path)) from None
    return np.concatenate(kept), n, (height, width)


def _read_labels(path: Path) -> Bytes:
    try:
        with _opened(path) as file:
            (n,) = _dimensions(path, file, 1)
            labels = _exactly(path, file, n)
            _check_end(path, file)
    except (OSError, EOFError, zlib.error):
        raise EigenfacesError(_cut_short(path)) from None
    return labels


def _opened(path: Path) -> BinaryIO:
    file = path.open("rb")
    packed = file.read(2) == _GZIP
    file.seek(0)
    if not packed:
        return file
    file.close()
    return cast("BinaryIO", gzip.open(path, "rb"))


def _dimensions(path: Path, file: BinaryIO, wanted: int) -> tuple[int, ...]:
    """Return the dimensions that the beginning of a file states."""
    beginning = file.read(4)
    if len(beginning) < 4:
        raise EigenfacesError(_cut_short(path))
    zeros, kind, dimensions = struct.unpack(">HBB", beginning)
    if zeros or kind != _BYTES or dimensions != wanted:
        what = "labels" if (zeros, kind, dimensions) == (0, _BYTES, 1) else "something else"
        needed = "pictures of bytes in three dimensions" if wanted == 3 else "labels in bytes"
        raise EigenfacesError(
            f"“{path.name}” is no IDX file of {needed}, it holds {what}: its first bytes are "
            f"{beginning.hex(' ')}, and 00 00 08 0{wanted} are expected. Choose the other file."
        )
    rest = file.read(4 * wanted)
    if len(rest) < 4 * wanted:
        raise EigenfacesError(_cut_short(path))
    found = struct.unpack(f">{wanted}I", rest)
    packed = isinstance(file, gzip.GzipFile)
    if prod(found) > path.stat().st_size * (_DENSEST if packed else 1):
        raise EigenfacesError(_cut_short(path))
    if 0 in found:
        raise EigenfacesError(f"“{path.name}” holds nothing: one of its dimensions is 0.")
    return found


def _exactly(path: Path, file: BinaryIO, number: int) -> Bytes:
    content = file.read(number)
    if len(content) < number:
        raise EigenfacesError(_cut_short(path))
    return np.frombuffer(content, np.uint8)


def _check_end(path: Path, file: BinaryIO) -> None:
    if file.read(1):
        raise EigenfacesError(
            f"“{path.name}” is longer than its beginning says, so it is damaged: get it anew."
        )


def _cut_short(path: Path) -> str:
    return f"“{path.name}” is damaged or cut short: it ends too early. Get the whole file."
