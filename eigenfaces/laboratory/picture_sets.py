"""Readers for classic data sets in their original files: IDX, binary CIFAR, and .npy arrays.

MNIST and Fashion-MNIST are IDX files, with or without gzip compression, with labels in a second
file (Y. LeCun, C. Cortes and C. Burges, *The MNIST database of handwritten digits*). CIFAR-10 and
CIFAR-100 are records of labels and 32 × 32 colour pictures (A. Krizhevsky, *Learning multiple
layers of features from tiny images*, 2009). The size given in a file's header is checked against
the file before any memory is allocated, and nothing in the file is ever executed.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, PhotoError, reason_of
from eigenfaces.files import is_regular
from eigenfaces.photographs.decode import MOST_BYTES, read_content
from eigenfaces.text import count

Arrays = tuple[NDArray[Any], NDArray[Any] | None, list[str]]
"""The pictures (n, …) in a file, their labels (n,) as text, and notes."""

_IDX_KINDS = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
"""The number types of IDX files, by the third byte of the file."""

_GZIP, _NPY = b"\x1f\x8b", b"\x93NUMPY"
_MOST_PACKED = 1032  # the most bytes that one byte of deflated data can expand to
_MOST_SIDES = 4

_CLASSES = (
    *("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat"),
    *("Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"),
)
_CLASS_FILES = {"25c81989df183df01b3e8a0aad5dffbe", "bb300cfdad3c16e7a12a480ee83cd310"}
"""The MD5 sums of the two label files of Fashion-MNIST, as published by its authors.

The files have the same names as those of MNIST, so only the MD5 sums identify them for certain."""

_SIDE, _COLOURS = 32, 3
_CIFAR_NAMES = {1: ("batches.meta.txt",), 2: ("coarse_label_names.txt", "fine_label_names.txt")}
_CIFAR_LABELS = {1: (10,), 2: (20, 100)}
"""The files with label names, and the numbers of labels, by the label bytes per record."""

_MOST_NAMES = 100_000  # the most bytes read from a file with names

_PICTURE_NAME = re.compile(r"(.*)images([-.]idx)3(-ubyte)(\.gz)?", re.IGNORECASE)


def set_reader(path: Path) -> Callable[[Path], Arrays] | None:
    """Return the function that can read a file, judged by its first bytes; None if there is none.

    Raises `EigenfacesError` for a pickle, which is never read, and for a file that cannot be
    opened.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(_NPY))
    except OSError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {reason_of(error)}.") from None
    if start == _NPY:
        return _read_npy
    if path.name.lower().endswith((".bin", ".bin.gz")):  # its records may begin with any byte
        return _read_cifar
    if start[:2] == _GZIP or (start[:2] == b"\0\0" and len(start) > 2 and start[2] in _IDX_KINDS):
        return _read_idx
    if re.match(rb"\x80[\2-\5]", start):
        raise EigenfacesError(
            f"“{path.name}” is a Python pickle, which could run any program, so it was not read. "
            "Download the binary version of the set."
        )
    return None


def _read_idx(path: Path) -> Arrays:
    """Return the pictures in an IDX file, and their labels from the file beside it."""
    images = _idx_numbers(path)
    if images.ndim == 1:
        raise EigenfacesError(
            f"“{path.name}” has labels but no pictures. Open the file of pictures instead: its "
            "labels are found beside it."
        )
    name = _PICTURE_NAME.fullmatch(path.name)
    if name is None:
        return images, None, []
    wanted = f"{name[1]}labels{name[2]}1{name[3]}"
    for suffix in (name[4] or "", "", ".gz"):
        if is_regular(beside := path.with_name(wanted + suffix)):
            return images, _idx_labels(beside), []
    return images, None, [f"There are no labels: “{wanted}” is not beside the file."]


def _idx_labels(path: Path) -> NDArray[Any]:
    """Return the labels (n,) in a file; for Fashion-MNIST, these are the names of its classes."""
    numbers = _idx_numbers(path)
    content = read_content(path, MOST_BYTES)
    if hashlib.md5(content, usedforsecurity=False).hexdigest() in _CLASS_FILES:
        return np.array(_CLASSES)[numbers]
    return numbers.astype(str)


def _idx_numbers(path: Path) -> NDArray[Any]:
    """Return the numbers in an IDX file, which may be compressed."""
    damaged = EigenfacesError(
        f"“{path.name}” is not an IDX file, or is damaged: its size does not match its header. "
        "Download it again. A .tar.gz must be unpacked first."
    )
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if file.read(2) != _GZIP:
                file.seek(0)
                return _idx_content(file, size, size, damaged)
            file.seek(0)
            with gzip.GzipFile(fileobj=file) as unpacked:
                content = cast(IO[bytes], unpacked)
                return _idx_content(content, None, size * _MOST_PACKED, damaged)
    except (OSError, EOFError, zlib.error, OverflowError, MemoryError):
        raise damaged from None


def _idx_content(
    file: IO[bytes], size: int | None, most: int, damaged: EigenfacesError
) -> NDArray[Any]:
    """Return the numbers in an IDX file; raise ``damaged`` if they do not match its header.

    For a compressed file, ``size`` is None, and ``most`` is the largest size it can unpack to.
    """
    start = file.read(4)
    if len(start) < 4 or start[:2] != b"\0\0" or start[2] not in _IDX_KINDS:
        raise damaged
    kind, sides = np.dtype(_IDX_KINDS[start[2]]), start[3]
    lengths = file.read(4 * sides)
    if not 1 <= sides <= _MOST_SIDES or len(lengths) < 4 * sides:
        raise damaged
    shape = tuple(np.frombuffer(lengths, ">u4").tolist())
    wanted = prod(shape) * kind.itemsize
    whole = len(start) + len(lengths) + wanted
    if whole > most or size not in (None, whole):
        raise damaged
    _check_bytes(wanted)
    content = file.read(wanted)
    if len(content) != wanted or file.read(1):
        raise damaged
    return np.frombuffer(content, kind).reshape(shape)


def _read_npy(path: Path) -> Arrays:
    """Return the array in an .npy file as a memory map, and refuse Python objects."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        fits = array.offset + array.nbytes == path.stat().st_size
    except (
        *(OSError, ValueError, EOFError, TypeError, KeyError, AttributeError, SyntaxError),
        *(TokenError, OverflowError, MemoryError, RecursionError),
    ):
        fits = False
    if not fits:
        raise EigenfacesError(
            f"“{path.name}” is damaged, or has Python objects or nothing instead of numbers. "
            "Save the pictures again with numpy.save."
        )
    return array, None, []


def _read_cifar(path: Path) -> Arrays:
    """Return the pictures (n, 32, 32, 3) in a binary CIFAR file, with their labels and notes."""
    try:
        packed = read_content(path, MOST_BYTES)
    except PhotoError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {error}") from None
    # no record begins like a gzip file: neither set has a label 31
    content = np.frombuffer(_unpacked(packed) if packed[:2] == _GZIP else packed, np.uint8)
    values = _COLOURS * _SIDE * _SIDE
    for width, numbers in _CIFAR_LABELS.items():
        if not len(content) or len(content) % (width + values):
            continue
        records = content.reshape(-1, width + values)
        if (records[:, :width] < numbers).all():
            images = records[:, width:].reshape(-1, _COLOURS, _SIDE, _SIDE).transpose(0, 2, 3, 1)
            return images, *_cifar_labels(path, records[:, :width])
    raise EigenfacesError(
        f"“{path.name}” is not a binary CIFAR-10 or CIFAR-100 file, or is damaged. Download "
        "it again."
    )


def _unpacked(packed: bytes) -> bytes:
    """Return the unpacked content of a gzip file; b"" if it is damaged or too large."""
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        content = unpacking.decompress(packed, MOST_BYTES)
    except zlib.error:
        return b""
    return content if unpacking.eof else b""


def _cifar_labels(path: Path, numbers: NDArray[np.uint8]) -> tuple[NDArray[Any], list[str]]:
    """Return the labels (n,), with names from the files beside ``path``, and notes."""
    width = numbers.shape[1]
    words, notes = [], []
    for column, name, most in zip(
        numbers.T, _CIFAR_NAMES[width], _CIFAR_LABELS[width], strict=True
    ):
        names = _label_names(path.with_name(name))
        if len(names) != most:
            names = [str(number) for number in range(most)]
            notes.append(f"Labels are numbers: no names were found in “{name}”.")
        words.append(np.array(names)[column])
    if width == 1:
        return words[0], notes
    return np.array([f"{coarse}: {fine}" for coarse, fine in zip(*words, strict=True)]), notes


def _label_names(path: Path) -> list[str]:
    """Return the names in a file, one per line; an empty list if the file cannot be read."""
    try:
        text = read_content(path, _MOST_NAMES).decode("utf-8")
    except (PhotoError, UnicodeDecodeError):
        return []
    return [line.strip() for line in text.splitlines() if line.strip()]


def _check_bytes(wanted: int) -> None:
    if wanted > MOST_BYTES:
        raise EigenfacesError(
            f"The pictures would take {count(wanted // 1_000_000, 'megabyte')}, and at most "
            f"{MOST_BYTES // 1_000_000:,} are read. Save fewer of them."
        )
