"""Pictures in an .npz file of NumPy."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.image_set import ImageSet, drawn, drawn_code, sampled
from eigenfaces.laboratory.picture_files.picture_values import (
    as_pixels,
    most_pictures,
    picture_shape,
    white_of,
)
from eigenfaces.photographs.decoding import MOST_BYTES
from eigenfaces.text import count, some_of

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
    return _image_set(path, (name, images), (label, labels), seed)


def _image_set(
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
