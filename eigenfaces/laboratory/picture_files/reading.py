"""Pictures from a folder or a file, whatever it is: told apart by what it holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.picture_files.array_files import ZIP, read_arrays
from eigenfaces.laboratory.picture_files.idx_files import is_idx, read_idx
from eigenfaces.laboratory.picture_files.picture_folder import read_folder
from eigenfaces.photographs.decoding import decode_upright, is_regular, read_bytes

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
