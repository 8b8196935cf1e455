"""Pictures from a folder or a file, whatever it is: told apart by what it holds."""

from __future__ import annotations

import gzip
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isqrt, prod
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.laboratory.image_set import (
    MOST_VALUES,
    ImageSet,
    drawn,
    drawn_code,
    sampled,
    size_words,
    values_code,
)
from eigenfaces.photographs.decode import (
    MOST_BYTES,
    Decoded,
    decode_upright,
    is_regular,
    read_bytes,
)
from eigenfaces.photographs.photos import as_name, pictures_in
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.text import count, some_of

_BEGINNING = 4


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
        return read_folder(path, tick, size, seed)
    if not is_regular(path):
        raise EigenfacesError(f"“{path}” does not exist. Check the path and try again.")
    if size is not None:
        raise EigenfacesError("Only the pictures of a folder are resized: leave the size out.")
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except OSError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {error.strerror}.") from None
    if not beginning:
        raise EigenfacesError(f"“{path}” is empty: get the whole file.")
    found = None
    if beginning.startswith(ZIP):
        found = read_arrays(path, seed)
    elif is_idx(beginning):
        found = read_idx(path, tick, seed)
    if found is None:
        raise EigenfacesError(f"“{path}” {_other(path)}")
    return replace(found, title=f"{found.title} of {path.name}")


def _other(path: Path) -> str:
    """Return what a file is that holds no set of pictures, and what to choose."""
    try:
        decode_upright(read_bytes(path), smallest=1)
    except PhotoError:
        return (
            "holds no pictures that can be read here. Choose a folder of pictures, an .npz or an "
            "IDX file like those of MNIST."
        )
    return (
        "is one picture, and principal components need at least two. Choose the folder in which "
        "the pictures lie."
    )


_LARGEST = 1_000_000
"""Values of one picture, at most: larger ones have to be made smaller."""

_SHAPES = "(n, height, width), (n, height, width, 3) in colour, or (n, pixels) of squares in grey"


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
        words = " × ".join(f"{side:,}" for side in shape) or "one number"
        raise EigenfacesError(
            f"An array of {words} holds no pictures that can be read here: save it as {_SHAPES}."
        )
    return shape[1:]


def most_pictures(values: int) -> int:
    """Return how many pictures of so many values each may be held at once."""
    if values > _LARGEST:
        raise EigenfacesError(
            f"The pictures are too large: {values:,} values each, and at most {_LARGEST:,} are "
            "read. Make them smaller."
        )
    return MOST_VALUES // values


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


def as_pixels(numbers: NDArray[Any], white: float) -> Floats:
    """Return pictures (n, …) as rows (n, d) of 0…1."""
    rows = numbers.reshape(len(numbers), -1)
    return np.divide(rows, white, dtype=np.float32, casting="unsafe")


ZIP = b"PK"
PICTURES = ("x", "images", "pixels", "x_train")
"""Names of arrays of pictures that are looked for, in this order …"""

_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, MemoryError),
    *(NotImplementedError, RuntimeError),  # packed in another way, or encrypted
)

LABELS = ("y", "labels", "target", "y_train")
"""… and those of labels."""


def read_arrays(path: Path, seed: int = 0) -> ImageSet:
    """Return the pictures of an .npz, and their labels if there are any.

    Bytes are divided by 255, other numbers that exceed 1 by the largest. Pickled objects are
    refused: they could run any program.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            name = _first(PICTURES, held.files)
            if name is None:
                raise EigenfacesError(
                    f"“{path.name}” has no array of pictures: {_names(PICTURES)} are looked for, "
                    f"and it holds {_names(held.files) if held.files else 'nothing'}."
                )
            images, label = _array(held, name), _first(LABELS, held.files)
            labels = None if label is None else _array(held, label)
    except _DAMAGED as error:
        pickled = "allow_pickle" in str(error)
        why = "it holds Python objects instead of numbers" if pickled else "it is damaged"
        raise EigenfacesError(
            f"“{path}” cannot be read, because {why}. Save it anew with numpy.savez."
        ) from None
    return _set_of_arrays(path, (name, images), (label, labels), seed)


def _set_of_arrays(
    path: Path,
    named: tuple[str, NDArray[Any]],
    of: tuple[str | None, NDArray[Any] | None],
    seed: int,
) -> ImageSet:
    (name, images), (label, labels) = named, of
    shape = picture_shape(images.shape)
    names = None if labels is None else label_texts(labels)
    if names is not None and len(names) != len(images):
        raise EigenfacesError(
            f"The labels do not fit: “{label}” has {len(names):,} of them, and “{name}” "
            f"{count(len(images), 'picture')}."
        )
    white, n, most = white_of(images), len(images), most_pictures(int(np.prod(shape)))
    notes = []
    if white not in (1.0, 255.0):
        notes.append(f"Values of 0 to {white:g} are divided by {white:g}.")
    code = [f"held = np.load({str(path)!r})", f"x = held[{name!r}]"]
    code += [f"x = x.reshape(len(x), -1) / {white:g}"]
    code += [] if label is None else [f"labels = held[{label!r}].astype(str)"]
    if n > most:
        rows = drawn(n, most, seed)
        images, names = images[rows], names and tuple(names[row] for row in rows)
        notes.append(sampled(n, most, seed))
        code += [drawn_code(most, seed, labelled=names is not None)]
    return ImageSet(
        title=count(len(images), "picture"),
        pixels=as_pixels(images, white),
        shape=shape,
        labels=names,
        code="\n".join(code),
        notes=tuple(notes),
    )


def label_texts(labels: NDArray[Any]) -> tuple[str, ...]:
    """Return labels, numbers or texts, as texts."""
    known = labels.ndim == 1 and labels.dtype.kind in "biufUS"
    try:
        if known:
            return tuple(map(str, labels.astype(str)))
    except UnicodeDecodeError:  # bytes that are no text
        pass
    raise EigenfacesError("The labels are no list of numbers or names: save one for each picture.")


def _array(held: np.lib.npyio.NpzFile, name: str) -> NDArray[Any]:
    """Return an array, unless it is too large to be read at once."""
    for info in held.zip.infolist():  # type: ignore[union-attr]
        if info.filename in (name, f"{name}.npy") and info.file_size > MOST_BYTES:
            raise EigenfacesError(
                f"The array “{name}” is too large: over {MOST_BYTES // 1_000_000} megabytes. Save "
                "a part of it."
            )
    found: NDArray[Any] = held[name]
    return found


def _first(wanted: Iterable[str], held: Iterable[str]) -> str | None:
    return next((name for name in wanted if name in set(held)), None)


def _names(names: Iterable[str]) -> str:
    return some_of([f"“{name}”" for name in names], 6)


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
    code = _idx_code("x", path, 8 + 4 * len(shape), f".reshape({n}, -1) / 255")
    labels = None
    if beside is not None and is_regular(beside):
        found = _read_labels(beside)
        if len(found) != n:
            raise EigenfacesError(
                f"The labels do not fit: “{beside.name}” has {len(found):,} of them, and "
                f"“{path.name}” {count(n, 'picture')}."
            )
        labels = tuple(map(str, found[rows]))
        code += "\n" + _idx_code("labels", beside, 8, ".astype(str)")
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


def _idx_code(name: str, path: Path, skip: int, then: str) -> str:
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


_RESIZED = Image.Resampling.BILINEAR
_SIZES = 3
"""That a sentence names, the most frequent ones."""


@dataclass(frozen=True, eq=False)
class _Picture:
    """One picture: its grey values (h, w) 0…1, and its colours (h, w, 3) if it has any."""

    path: Path
    grey: Floats
    colours: Bytes | None
    plain: bool
    """Whether Pillow alone reads the same: eight bits, and nothing transparent."""


def read_folder(
    folder: Path, tick: Tick = no_tick, size: tuple[int, int] | None = None, seed: int = 0
) -> ImageSet:
    """Return the pictures in a folder, upright and all of one size.

    Where one is in colour, all are read in colour. Files that cannot be read are left out.
    Parameters and errors: those of `reading.read_pictures`.
    """
    if size is not None:
        most_pictures(size[0] * size[1])
    try:
        found = [(path, reason) for path, reason in pictures_in(folder)]
    except OSError as error:
        raise EigenfacesError(f"“{folder}” cannot be read: {error.strerror}.") from None
    paths = [path for path, reason in found if not reason]
    unread = [f"“{path.name}”: {reason}" for path, reason in found if reason]
    if not paths:
        raise EigenfacesError(
            f"There are no pictures in “{folder}”. Choose a folder of pictures, or an .npz or IDX "
            "file itself."
        )
    paths, notes = _some(paths, size, seed)
    again = (f", size={size}" if size else "") + (f", seed={seed}" if seed else "")
    pictures = []
    for number, path in enumerate(paths):
        tick(number, len(paths))
        try:
            pictures.append(_read(path, size))
        except PhotoError as error:
            unread.append(f"“{path.name}”: {error}")
    if not pictures:
        raise EigenfacesError(f"No picture in “{folder}” can be read. The first: {unread[0]}")
    if unread:
        notes.append(f"{count(len(unread), 'file')} cannot be read and is left out. {unread[0]}")
    made = _image_set(folder, pictures, notes, size, seed)
    return replace(made, code=_code(folder, pictures, made, again))


def _some(
    paths: list[Path], size: tuple[int, int] | None, seed: int
) -> tuple[list[Path], list[str]]:
    """Return as many files as may be held, by the size of the first that can be read."""
    for path in paths:
        try:
            first = _read(path, size)
        except PhotoError:
            continue
        most = most_pictures(first.grey.size * (1 if first.colours is None else 3))
        if len(paths) > most:
            chosen = [paths[row] for row in drawn(len(paths), most, seed)]
            return chosen, [sampled(len(paths), most, seed)]
        break
    return paths, []


def _read(path: Path, size: tuple[int, int] | None) -> _Picture:
    decoded = decode_upright(read_bytes(path), smallest=1)
    grey, colours = decoded.grey, _colours(decoded)
    plain = decoded.image.mode in ("L", "RGB") and not decoded.image.has_transparency_data
    if size is not None:
        wanted = size[1], size[0]
        grey = np.asarray(ImageOps.fit(Image.fromarray(grey), wanted, _RESIZED))
        if colours is not None:
            colours = np.asarray(ImageOps.fit(Image.fromarray(colours), wanted, _RESIZED))
    return _Picture(path, grey, colours, plain)


def _colours(decoded: Decoded) -> Bytes | None:
    """Return the colours of a picture, or None where all three channels are the same."""
    colours = decoded.colours(max(decoded.size))
    red = colours[..., :1]
    return None if (colours == red).all() else colours


def _image_set(
    folder: Path,
    pictures: list[_Picture],
    notes: list[str],
    size: tuple[int, int] | None,
    seed: int,
) -> ImageSet:
    sizes = Counter(each.grey.shape for each in pictures)
    if len(sizes) > 1:
        raise EigenfacesError(_different(folder, sizes))
    coloured = sum(each.colours is not None for each in pictures)
    if 0 < coloured < len(pictures):
        are = "is" if coloured == 1 else "are"
        notes.append(
            f"{count(coloured, 'picture')} of {len(pictures):,} {are} in colour, so all are read "
            "in colour: a grey one has the same value in its three channels."
        )
    if size is not None:
        notes.append(f"All are cut in the middle and resized to {size_words(size)}.")
    (shape,) = sizes
    if coloured:
        shape = (*shape, 3)
    most = most_pictures(int(np.prod(shape)))
    if len(pictures) > most:  # in colour, where the first was grey
        notes.append(sampled(len(pictures), most, seed))
        pictures = [pictures[row] for row in drawn(len(pictures), most, seed)]
    pixels = np.empty((len(pictures), int(np.prod(shape))), np.float32)
    for row, each in enumerate(pictures):
        pixels[row] = _values(each, bool(coloured)).ravel()
    labels = _labels(folder, [each.path for each in pictures])
    return ImageSet(
        title=f"{count(len(pictures), 'picture')} of {folder.name}",
        pixels=pixels,
        shape=tuple(shape),
        labels=labels,
        notes=tuple(notes),
    )


def _values(picture: _Picture, in_colour: bool) -> Floats:
    if not in_colour:
        return picture.grey
    if picture.colours is None:
        return np.repeat(picture.grey[..., None], 3, axis=2)
    return np.divide(picture.colours, 255, dtype=np.float32)


def _labels(folder: Path, paths: Sequence[Path]) -> tuple[str, ...] | None:
    """Return the sub-folder of each picture; None where there are no sub-folders."""
    parts = [path.relative_to(folder).parts for path in paths]
    if all(len(each) == 1 for each in parts):
        return None
    return tuple((as_name(each[0]) or "") if len(each) > 1 else "" for each in parts)


def _different(folder: Path, sizes: Counter[tuple[int, ...]]) -> str:
    each = [f"{number:,} of {size[1]} × {size[0]}" for size, number in sizes.most_common()]
    return (
        f"The pictures in “{folder}” have {len(sizes):,} different sizes ({some_of(each, _SIZES)} "
        "pixels), and principal components need one. Make them all the same size, or state the "
        "size that all are to be resized to."
    )


def _code(folder: Path, pictures: Sequence[_Picture], made: ImageSet, asked: str) -> str:
    """Return how a listing reads them: with Pillow, unless that would read something else.

    ``asked`` is what was asked for besides the folder.
    """
    labelled = made.labels is not None
    key = _order([each.path for each in pictures])
    suffixes = {each.path.suffix for each in pictures}
    plain = not (made.notes or asked) and all(each.plain for each in pictures)
    paths = {each.path for each in pictures}
    if not plain or key is None or {*folder.rglob(f"*{min(suffixes)}")} != paths:
        return "from pathlib import Path\n\nfrom eigenfaces import read_pictures\n\n" + values_code(
            f"read_pictures(Path({str(folder)!r}){asked})", labelled
        )
    mode = "L" if all(each.colours is None for each in pictures) else "RGB"
    lines = [
        "from pathlib import Path\n\nfrom PIL import Image, ImageOps\n",
        f"paths = sorted(Path({str(folder)!r}).rglob('*{min(suffixes)}'){key})",
        f"upright = [ImageOps.exif_transpose(Image.open(p)).convert({mode!r}) for p in paths]",
        "x = np.array([np.asarray(each).ravel() for each in upright]) / 255",
    ]
    if labelled:
        depth = len(folder.parts)
        lines.append(
            f"labels = np.array([p.parts[{depth}] if len(p.parts) > {depth + 1} else '' "
            "for p in paths])"
        )
    return "\n".join(lines)


def _order(paths: Sequence[Path]) -> str | None:
    """Return by which key Python sorts files in this order; None where that is no short one."""
    orders = {
        "": sorted(paths),
        ", key=lambda p: [(len(part), part) for part in p.parts]": sorted(
            paths, key=lambda path: [(len(part), part) for part in path.parts]
        ),
        ", key=lambda p: (p.parent, len(p.name), p.name)": sorted(
            paths, key=lambda path: (path.parent, len(path.name), path.name)
        ),
    }
    return next((key for key, order in orders.items() if order == [*paths]), None)
