"""Folders of photographs that are no part of the project: the environment says where they are."""

import os
from pathlib import Path

import pytest

from eigenfaces import find_photos
from eigenfaces.photographs.decode import content_hash, decode, read_bytes
from eigenfaces.photographs.photos import Photo


def folder(name: str) -> Path:
    """Return the folder of a set of photographs, or skip the test where it is not said."""
    variable = f"EIGENFACES_{name.upper()}"
    if variable not in os.environ:
        pytest.skip(f"Set {variable} to the folder of the {name} photographs to get this figure.")
    return Path(os.environ[variable])


def different_photos(where: Path) -> list[Photo]:
    """Return the photographs below a folder, of those with the same pixels the first."""
    first: dict[str, Photo] = {}
    for photo in find_photos(where).photos:
        first.setdefault(content_hash(decode(read_bytes(photo.path)).grey.tobytes()), photo)
    return list(first.values())
