"""Pictures in a folder, in grey or in colour; sub-folders are their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.laboratory.image_set import ImageSet, drawn, sampled, size_words, values_code
from eigenfaces.laboratory.picture_files.picture_values import most_pictures
from eigenfaces.photographs.decoding import Decoded, decode_upright, read_bytes
from eigenfaces.photographs.photos import as_name, pictures_in
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.text import count, some_of

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
