"""Pictures for the laboratory from a folder, an .npz or IDX files: told apart by what they hold."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections import Counter
from math import isqrt, prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.laboratory.image_set import (
    MOST_VALUES,
    ImageSet,
    sample_note,
    sample_rows,
    size_words,
    values_code,
)
from eigenfaces.photographs.decode import MOST_BYTES, decode, is_regular, read_bytes
from eigenfaces.photographs.photos import as_name, pictures_in
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.text import count, some_of

_LARGEST = 1_000_000
"""Values of one picture, at most: larger ones have to be made smaller."""

_ZIP, _GZIP, _IDX = b"PK", b"\x1f\x8b", b"\0\0"
_PICTURES = ("x", "images", "pixels", "x_train")
_LABELS = ("y", "labels", "target", "y_train")
"""Names of arrays in an .npz that are looked for, in this order."""

_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, MemoryError),
    *(NotImplementedError, RuntimeError),  # packed in another way, or encrypted
)

_Read = tuple[NDArray[Any], NDArray[Any] | None, list[str]]
"""Pictures (n, …) as they are in a file, their labels (n,) as texts, and notes."""


def read_pictures(
    path: Path | str, tick: Tick = no_tick, *, size: tuple[int, int] | None = None, seed: int = 0
) -> ImageSet:
    """Return the pictures in a folder, an .npz or an IDX file.

    A folder has pictures in grey or in colour, all of one size, and sub-folders for their labels;
    an .npz an array of pictures, and one of labels if there are any; IDX files, plain or packed
    by gzip, are those of MNIST, the labels beside the pictures.
    At most `image_set.MOST_VALUES` numbers are held: of more pictures, a sample.

    Parameters
    ----------
    path
        The folder or file.
    tick
        Called as they are read.
    size
        (h, w) to which pictures of a folder are cut in the middle and resized.
    seed
        Of the sample.

    Raises
    ------
    EigenfacesError
        It cannot be read, or holds no pictures that fit each other: a sentence says why.
    """
    path = Path(path).absolute()
    if path.is_dir():
        images, labels, notes = _read_folder(path, tick, size, seed)
    else:
        images, labels, notes = _read_file(path, tick, size)
    shape, white = picture_shape(images.shape), white_of(images)
    n, most = len(images), _most_pictures(prod(shape))
    if labels is not None and labels.shape != (n,):
        raise EigenfacesError(
            f"The labels of “{path.name}” do not fit: {_times(labels.shape)} of them for "
            f"{count(n, 'picture')}."
        )
    if white not in (1.0, 255.0):
        notes.append(f"Values of 0 to {white:g} are divided by {white:g}.")
    if n > most:
        rows = sample_rows(n, most, seed)
        images, labels = images[rows], None if labels is None else labels[rows]
        notes.append(sample_note(n, most, seed))
    options = (f", size={size}" if size else "") + (f", seed={seed}" if seed else "")
    code = values_code(f"read_pictures(Path({str(path)!r}){options})", labels is not None)
    pixels = images.reshape(len(images), -1)
    return ImageSet(
        title=f"{count(len(images), 'picture')} of {path.name}",
        pixels=np.divide(pixels, white, dtype=np.float32, casting="unsafe"),
        shape=shape,
        labels=None if labels is None else tuple(labels.tolist()),
        code=f"from pathlib import Path\n\nfrom eigenfaces import read_pictures\n\n{code}",
        notes=tuple(notes),
    )


def _read_file(path: Path, tick: Tick, size: tuple[int, int] | None) -> _Read:
    """Return the pictures of an .npz, or of an IDX file with the labels of the file beside it."""
    if not is_regular(path):
        raise EigenfacesError(f"“{path}” does not exist. Check the path and try again.")
    if size is not None:
        raise EigenfacesError("Only the pictures of a folder are resized: leave the size out.")
    try:
        with path.open("rb") as file:
            beginning = file.read(2)
    except OSError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {error.strerror}.") from None
    tick(0, 1)
    if beginning == _ZIP:
        return _read_arrays(path)
    if beginning not in (_GZIP, _IDX):
        raise EigenfacesError(
            f"“{path}” is no set of pictures that can be read here. Choose the folder in which the "
            "pictures lie, an .npz or an IDX file like those of MNIST."
        )
    images = _idx_array(path, 3)
    # the names of MNIST: “train-images-idx3-ubyte.gz” and “train-labels-idx1-ubyte.gz”
    name = path.name.replace("images", "labels").replace("idx3", "idx1")
    if name == path.name:
        return images, None, ["The pictures have no labels."]
    other = name.removesuffix(".gz") if name.endswith(".gz") else f"{name}.gz"
    for beside in map(path.with_name, (name, other)):
        if is_regular(beside):
            return images, _idx_array(beside, 1).astype(str), []
    return images, None, [f"The pictures have no labels: there is no “{name}” beside it."]


def picture_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of each picture in an array of n; `EigenfacesError` if that is not clear.

    >>> picture_shape((1797, 64)), picture_shape((60, 28, 28)), picture_shape((9, 32, 32, 3))
    ((8, 8), (28, 28), (32, 32, 3))
    """
    if len(shape) == 2 and isqrt(shape[1]) ** 2 == shape[1] > 0:
        return (isqrt(shape[1]), isqrt(shape[1]))
    if len(shape) == 4 and shape[3] == 1:
        shape = shape[:3]
    if 0 in shape or len(shape) not in (3, 4) or shape[3:] not in ((), (3,)):
        raise EigenfacesError(
            f"An array of {_times(shape)} holds no pictures that can be read here: save it as (n, "
            "height, width), (n, height, width, 3) in colour, or (n, pixels) of squares in grey."
        )
    return shape[1:]


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{side:,}" for side in shape) or "one number"


def white_of(numbers: NDArray[Any]) -> float:
    """Return the value of white: 255 of bytes, 1 where none is greater, else the largest.

    >>> white_of(np.array([0.0, 0.5])), white_of(np.array([0, 16])), white_of(np.uint8([7]))
    (1.0, 16.0, 255.0)
    """
    if numbers.dtype.kind not in "biuf":
        raise EigenfacesError("The pictures hold no numbers: save their grey values or colours.")
    if numbers.dtype == np.uint8:
        return 255.0
    least, most = float(numbers.min(initial=0)), float(numbers.max(initial=0))
    if not np.isfinite(least + most):
        raise EigenfacesError("Some pictures hold values that are not numbers: mend them.")
    if least < 0:
        raise EigenfacesError(
            f"The pictures hold values from {least:.4g} to {most:.4g}: grey values and colours go "
            "from 0, black, to 1, 255 or another white."
        )
    return max(1.0, most)


def _most_pictures(values: int) -> int:
    """Return how many pictures of so many values each may be held at once."""
    if values > _LARGEST:
        raise EigenfacesError(
            f"The pictures are too large: {values:,} values each, and at most {_LARGEST:,} are "
            "read. Make them smaller."
        )
    return MOST_VALUES // values


def _read_arrays(path: Path) -> _Read:
    """Return the pictures of an .npz, and their labels if there are any.

    Pickled objects are refused: they could run any program.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            names = [next((n for n in known if n in arrays), "") for known in (_PICTURES, _LABELS)]
            if not names[0]:
                known, present = (
                    some_of([f"“{name}”" for name in part], 6) for part in (_PICTURES, arrays)
                )
                raise EigenfacesError(
                    f"“{path.name}” has no array of pictures: {known} are looked for, and it "
                    f"holds {present or 'nothing'}."
                )
            for member in arrays.zip.infolist():
                if member.filename.removesuffix(".npy") in names:
                    _check_size(path, member.file_size)
            images = np.asarray(arrays[names[0]])
            labels = np.asarray(arrays[names[1]]).astype(str) if names[1] else None
    except _DAMAGED:
        raise EigenfacesError(
            f"“{path}” cannot be read: it is damaged, or holds Python objects instead of numbers. "
            "Save it anew with numpy.savez."
        ) from None
    return images, labels, []


def _check_size(path: Path, size: int) -> None:
    if size > MOST_BYTES:
        raise EigenfacesError(
            f"“{path.name}” is too large: over {MOST_BYTES // 1_000_000} megabytes. Save a part "
            "of it."
        )


def _idx_array(path: Path, dimensions: int) -> Bytes:
    """Return what an IDX file holds, packed or not.

    It begins with two zero bytes, the kind of number (8: bytes), how many dimensions there are, and
    each dimension in four bytes, the highest first (Y. LeCun, C. Cortes and C. Burges).
    """
    damaged = f"“{path.name}” is damaged, cut short or too long: get the whole file anew."
    begin, magic = 4 + 4 * dimensions, bytes((0, 0, 8, dimensions))
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            head = file.read(begin)
            if len(head) >= 4 and head[:4] != magic:
                what = "pictures" if dimensions == 3 else "labels"
                raise EigenfacesError(
                    f"“{path.name}” is no IDX file of {what} in bytes: it begins with "
                    f"{head[:4].hex(' ')}, and {magic.hex(' ')} are expected. Choose the other "
                    "file."
                )
            shape = [int.from_bytes(head[at : at + 4], "big") for at in range(4, begin, 4)]
            _check_size(path, prod(shape))
            content = file.read(prod(shape) + 1)
    except (OSError, EOFError, zlib.error):
        raise EigenfacesError(damaged) from None
    if len(head) < begin or len(content) != prod(shape):
        raise EigenfacesError(damaged)
    return np.frombuffer(content, np.uint8).reshape(shape)


def _read_folder(folder: Path, tick: Tick, size: tuple[int, int] | None, seed: int) -> _Read:
    """Return the pictures in a folder, upright and all of one size; sub-folders are their labels.

    Where one is in colour, all are read in colour. Files that cannot be read are left out.
    """
    if size is not None:
        _most_pictures(prod(size))  # before any is made so large
    try:
        files = list(pictures_in(folder))
    except OSError as error:
        raise EigenfacesError(f"“{folder}” cannot be read: {error.strerror}.") from None
    unread = [f"“{path.name}”: {reason}" for path, reason in files if reason]
    paths = [path for path, reason in files if not reason]
    if not paths:
        raise EigenfacesError(
            f"There are no pictures in “{folder}”. Choose a folder of pictures, or an .npz or IDX "
            "file itself."
        )
    notes: list[str] = []
    for path in paths:  # the first that can be read says how many may be held
        try:
            most = _most_pictures(_read_picture(path, size).size)
        except PhotoError:
            continue
        if len(paths) > most:
            notes.append(sample_note(len(paths), most, seed))
            paths = [paths[row] for row in sample_rows(len(paths), most, seed)]
        break
    pictures, folders = list[Floats](), list[str]()
    for number, path in enumerate(paths):
        tick(number, len(paths))
        try:
            pictures.append(_read_picture(path, size))
        except PhotoError as error:
            unread.append(f"“{path.name}”: {error}")
        else:
            first, *rest = path.relative_to(folder).parts
            folders.append((as_name(first) or "") if rest else "")
    if not pictures:
        raise EigenfacesError(f"No picture in “{folder}” can be read. The first: {unread[0]}")
    if unread:
        notes.append(f"{count(len(unread), 'file')} cannot be read and is left out. {unread[0]}")
    sizes = Counter(picture.shape[:2] for picture in pictures)
    if len(sizes) > 1:
        counts = [f"{number:,} of {wide} × {high}" for (high, wide), number in sizes.most_common()]
        raise EigenfacesError(
            f"The pictures in “{folder}” have {len(sizes):,} different sizes ({some_of(counts, 3)} "
            "pixels), and principal components need one. Make them all the same size, or state "
            "the size that all are to be resized to."
        )
    coloured = sum(picture.ndim == 3 for picture in pictures)
    if 0 < coloured < len(pictures):
        are = "is" if coloured == 1 else "are"
        notes.append(
            f"{count(coloured, 'picture')} of {len(pictures):,} {are} in colour, so all are read "
            "in colour: a grey one has the same value in its three channels."
        )
        pictures = [part if part.ndim == 3 else np.dstack([part] * 3) for part in pictures]
    if size is not None:
        notes.append(f"All are cut in the middle and resized to {size_words(size)}.")
    return np.stack(pictures), np.array(folders) if any(folders) else None, notes


def _read_picture(path: Path, size: tuple[int, int] | None) -> Floats:
    """Return a picture (h, w), or (h, w, 3) unless all three channels are the same."""
    decoded = decode(read_bytes(path), smallest=1)
    values: NDArray[Any] = decoded.colours(max(decoded.size))
    if (values == values[..., :1]).all():
        values = decoded.grey
    if size is not None:
        image, (height, width) = Image.fromarray(values), size
        values = np.asarray(ImageOps.fit(image, (width, height), Image.Resampling.BILINEAR))
    return values if values.ndim == 2 else np.divide(values, 255, dtype=np.float32)
