"""Read pictures for the laboratory from a folder, an .npz file or a classic data set."""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from math import isqrt, prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick, reason_of
from eigenfaces.files import is_regular
from eigenfaces.laboratory.image_set import MOST_VALUES, ImageSet, size_words, values_code
from eigenfaces.laboratory.picture_sets import Arrays, set_reader
from eigenfaces.photographs.decode import MOST_BYTES, decode, read_bytes
from eigenfaces.photographs.find import pictures_in
from eigenfaces.photographs.names import as_name
from eigenfaces.space.principal import draw_rows
from eigenfaces.text import count, first_few

_PICTURES = ("x", "images", "pixels", "x_train")
_LABELS = ("y", "labels", "target", "y_train")
"""The array names to look for in an .npz file, in this order."""

_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    MemoryError,
    NotImplementedError,
    RuntimeError,  # another compression, or encrypted
)


def read_pictures(path: Path | str, tick: Tick = no_tick) -> ImageSet:
    """Return the pictures in a folder or a file, all of one size.

    A folder holds pictures in grey or in colour, in sub-folders named after labels. Pictures that
    do not have the most common size are cropped in the middle and resized. An .npz file holds an
    array of pictures and, often, one of labels. An .npy file holds only pictures. For MNIST (IDX,
    compressed or not) and binary CIFAR, labels and their names are read from the files beside the
    pictures. If an .npy file or a set has more than `MOST_VALUES` values, a sample is read.

    Parameters
    ----------
    path
        The folder or file. An .npz file has an array ``x``, ``images``, ``pixels`` or ``x_train``
        of shape (n, h, w), (n, h, w, 3) or, for squares, (n, h·w), and may have ``y``, ``labels``,
        ``target`` or ``y_train`` (n,). Bytes are levels 0…255. Other numbers must start at 0, which
        is black. If the largest is above 1, all are divided by it.
    tick
        Called before each picture of a folder.

    Returns
    -------
    ImageSet
        The n pictures, with values 0…1 and notes on how they were read.

    Raises
    ------
    EigenfacesError
        The file cannot be read, has no pictures of one size, or has too many pictures.
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     np.savez(Path(folder, "few.npz"), x=np.arange(18.0).reshape(2, 3, 3), y=["a", "b"])
    ...     few = read_pictures(Path(folder, "few.npz"))
    >>> few.shape, few.labels, few.notes
    ((3, 3), ('a', 'b'), ('Values of 0 to 17 are divided by 17.',))
    """
    path = Path(path).absolute()
    images, labels, notes = _read_folder(path, tick) if path.is_dir() else _read_file(path)
    shape = picture_shape(images.shape)
    white = white_of(images)
    if labels is not None and labels.shape != (len(images),):
        raise EigenfacesError(
            f"The labels of “{path.name}” do not match: {_sides(labels.shape)} of them for "
            f"{count(len(images), 'picture')}."
        )
    _check_number(images.size)
    if white not in (1.0, 255.0):
        notes.append(f"Values of 0 to {white:g} are divided by {white:g}.")
    code = values_code(f"read_pictures(Path({str(path)!r}))", labels is not None)
    pixels = images.reshape(len(images), -1)
    return ImageSet(
        title=f"{count(len(images), 'picture')} of {path.name}",
        pixels=np.divide(pixels, white, dtype=np.float32, casting="unsafe"),
        shape=shape,
        labels=None if labels is None else tuple(labels.tolist()),
        code=f"from pathlib import Path\n\nfrom eigenfaces import read_pictures\n\n{code}",
        notes=tuple(notes),
    )


def picture_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of one picture in an array (n, …); raise `EigenfacesError` if it is unclear.

    >>> picture_shape((1797, 64)), picture_shape((60, 28, 28)), picture_shape((9, 32, 32, 3))
    ((8, 8), (28, 28), (32, 32, 3))
    """
    if len(shape) == 2 and isqrt(shape[1]) ** 2 == shape[1] > 0:
        return (isqrt(shape[1]), isqrt(shape[1]))
    if len(shape) == 4 and shape[3] == 1:
        shape = shape[:3]
    if 0 in shape or len(shape) not in (3, 4) or shape[3:] not in ((), (3,)):
        raise EigenfacesError(
            f"An array of {_sides(shape)} cannot be read as pictures: save it as (n, "
            "height, width), (n, height, width, 3) in colour, or (n, pixels) of squares in grey."
        )
    return shape[1:]


def _sides(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{side:,}" for side in shape) or "one number"


def white_of(numbers: NDArray[Any]) -> float:
    """Return the value of white: 255 for bytes, 1 if no value is greater, or else the maximum.

    >>> white_of(np.array([0.0, 0.5])), white_of(np.array([0, 16])), white_of(np.uint8([7]))
    (1.0, 16.0, 255.0)
    """
    if numbers.dtype.kind not in "biuf":
        raise EigenfacesError("The pictures are not numbers: save their grey values or colours.")
    if numbers.dtype == np.uint8:
        return 255.0
    least, most = float(numbers.min(initial=0)), float(numbers.max(initial=0))
    if not np.isfinite(least + most):
        raise EigenfacesError("Some pictures have values that are not numbers: correct them.")
    if least < 0:
        raise EigenfacesError(
            f"The pictures contain values from {least:.4g} to {most:.4g}: grey values and colours "
            "must start at 0, which is black."
        )
    return max(1.0, most)


def _check_number(values: int) -> None:
    if values > MOST_VALUES:
        raise EigenfacesError(
            f"The pictures have {values:,} values in total, but at most {MOST_VALUES:,} are read. "
            "Use fewer or smaller pictures."
        )


def _read_file(path: Path) -> Arrays:
    """Return the pictures in a file and their labels, or a sample if there are too many."""
    if not is_regular(path):
        raise EigenfacesError(f"“{path}” does not exist. Check the path and try again.")
    read = set_reader(path)
    if read is None:
        return _read_npz(path)
    images, labels, notes = read(path)
    n = len(images) if images.ndim else 0
    most = MOST_VALUES // max(1, prod(images.shape[1:]))
    if n > most > 1 and (labels is None or len(labels) == n):
        rows = draw_rows(np.arange(n), most)
        images, labels = images[rows], None if labels is None else labels[rows]
        notes.append(f"A sample of {most:,} of {n:,} pictures, drawn at random.")
    return images, labels, notes


def _read_npz(path: Path) -> Arrays:
    """Return the pictures in an .npz file, and their labels if there are any.

    Pickled objects are refused, because they could run arbitrary code.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as members:
            if sum(member.file_size for member in members.infolist()) > MOST_BYTES:
                raise EigenfacesError(
                    f"“{path.name}” is too large: over {MOST_BYTES // 1_000_000} megabytes. Save "
                    "only part of it."
                )
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            names = [next((n for n in known if n in arrays), "") for known in (_PICTURES, _LABELS)]
            if not names[0]:
                known, present = (
                    first_few([f"“{name}”" for name in part], 6) for part in (_PICTURES, arrays)
                )
                raise EigenfacesError(
                    f"“{path.name}” has no array of pictures: it should have one of {known}, "
                    f"but has {present or 'nothing'}."
                )
            images = np.asarray(arrays[names[0]])
            labels = np.asarray(arrays[names[1]]).astype(str) if names[1] else None
    except _DAMAGED:
        raise EigenfacesError(
            f"“{path}” is not an .npz of pictures, is damaged, or has Python objects instead of "
            "numbers. Choose the folder of the pictures, or save them with numpy.savez."
        ) from None
    return images, labels, []


def _read_folder(folder: Path, tick: Tick) -> Arrays:
    """Return the pictures in a folder, upright and in one size, labelled with their sub-folders.

    If any picture is in colour, all are returned in colour. Unreadable files are left out.
    """
    try:
        files = list(pictures_in(folder))
    except OSError as error:
        raise EigenfacesError(f"“{folder}” cannot be read: {reason_of(error)}.") from None
    unread = [f"“{path.name}”: {reason}" for path, reason in files if reason]
    paths = [path for path, reason in files if not reason]
    if not paths:
        raise EigenfacesError(
            f"There are no pictures in “{folder}”. Choose a folder of pictures, or an .npz."
        )
    pictures = list[NDArray[Any]]()
    labels = list[str]()
    values = 0
    for number, path in enumerate(paths):
        tick(number, len(paths))
        try:
            pictures.append(_read_picture(path))
        except PhotoError as error:
            unread.append(f"“{path.name}”: {error}")
            continue
        values += pictures[-1].size
        _check_number(values)
        first, *rest = path.relative_to(folder).parts
        labels.append((as_name(first) or "") if rest else "")
    if not pictures:
        raise EigenfacesError(f"No picture in “{folder}” can be read. The first: {unread[0]}")
    notes = []
    if unread:
        notes.append(f"Left out: {count(len(unread), 'file')} that cannot be read. {unread[0]}")
    if any(picture.ndim == 3 for picture in pictures):
        pictures = [part if part.ndim == 3 else np.dstack([part] * 3) for part in pictures]
    sizes = Counter(picture.shape for picture in pictures)
    (shape, most), *_ = sizes.most_common(1)
    if len(sizes) > 1:
        _check_number(len(pictures) * prod(shape))
        others = count(len(pictures) - most, "picture")
        notes.append(
            f"{others} of another size: cropped in the middle, resized to {size_words(shape)}."
        )
        pictures = [_crop_and_resize(picture, shape) for picture in pictures]
    return np.stack(pictures), np.array(labels) if any(labels) else None, notes


def _read_picture(path: Path) -> NDArray[np.uint8]:
    """Return a picture as (h, w) if all three channels are the same, or else as (h, w, 3)."""
    decoded = decode(read_bytes(path), smallest=1)
    values: NDArray[np.uint8] = decoded.colours(max(decoded.size))
    return values[..., 0] if (values == values[..., :1]).all() else values


def _crop_and_resize(picture: NDArray[np.uint8], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a picture cropped in the middle and resized to the given shape."""
    if picture.shape == shape:
        return picture
    size = (shape[1], shape[0])
    smooth = Image.Resampling.BILINEAR
    return np.asarray(ImageOps.fit(Image.fromarray(picture), size, smooth))
