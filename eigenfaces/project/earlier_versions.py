"""Project files of earlier versions: their galleries are read whole, and written as this one does.

Until version 6 there was a row for the crop of each photograph, for its placement if it was more
than its face, for its coordinates, and for each face that was fitted to.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from eigenfaces.arrays import Floats
from eigenfaces.arrays.crops import Crops
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.placement import WHOLE
from eigenfaces.project.stored_arrays import array, expect
from eigenfaces.project.stored_places import placement_of
from eigenfaces.project.tables import rows
from eigenfaces.project.training_tables import load_training
from eigenfaces.recognition.training import Training


def load_faces_before_7(
    connection: sqlite3.Connection, preparation: Preparation, version: int
) -> FaceSet:
    """Read all faces into memory."""
    people: dict[int | None, str | None] = {None: None}
    people.update((number, name) for number, name in rows(connection, "person"))
    placed = rows(connection, "placement", version=version) if version > 1 else ()
    placements = {key: placement_of(*where) for key, *where in placed}
    listed = list(rows(connection, "photo", "position", version))
    size = preparation.height * preparation.width
    _expect_blobs(connection, "face", "crop", len(listed) * size)
    places = {key: place for place, (key, *_) in enumerate(listed)}
    crops = np.empty((len(listed), size), np.uint8)
    for key, crop in rows(connection, "face", version=version):
        crops[places.pop(key)] = array(crop, "u1", size)
    photos = []
    for place, (key, position, path, person, excluded, *shown) in enumerate(listed):
        expect(position == place, "its photographs are not in order")
        expect(excluded in (0, 1) and min(shown) > 0, "a photograph has no size")
        height, width = shown
        photos.append(
            FacePhoto(
                Path(os.fsdecode(path)),
                people[person],
                key,
                (height, width),
                bool(excluded),
                placements.get(key, WHOLE),
                content_hash(crops[place].tobytes()),
            )
        )
    return FaceSet(Crops(crops), preparation.shape, PhotoIndex(tuple(photos)))


def load_training_before_7(
    connection: sqlite3.Connection, faces: FaceSet, preparation: Preparation, version: int
) -> Training | None:
    """Read what was trained on these faces; None where nothing was."""
    keys = [photo.key for photo in faces.index.photos]
    load = partial(_load_arrays, connection, keys, version)
    fitted = partial(_load_fitted, connection, faces, version)
    return load_training(connection, preparation, load, fitted, version)


def _load_fitted(
    connection: sqlite3.Connection, faces: FaceSet, version: int
) -> Iterator[tuple[str, str]]:
    """Read what the face space was fitted to: before version 4, to the crops as they are now."""
    crops = {photo.key: photo.crop for photo in faces.index.photos}
    for key, *crop in rows(connection, "fitted", version=version):
        yield key, crop[0] if crop else crops.get(key, "")


def _load_arrays(
    connection: sqlite3.Connection, keys: Sequence[str], version: int, table: str, size: int
) -> Floats:
    """Read a table of one array for each key, in the order of the keys: (n, size)."""
    _expect_blobs(connection, table, "value", 4 * size * len(keys))
    places = {key: place for place, key in enumerate(keys)}
    arrays = np.empty((len(keys), size), np.float32)
    for key, value in rows(connection, table, version=version):
        arrays[places.pop(key)] = array(value, "<f4", size)
    expect(not places, "a part of the face space is missing")
    return arrays


def _expect_blobs(connection: sqlite3.Connection, table: str, column: str, size: int) -> None:
    """Raise, before memory is taken, where a column has not the total size that it should have."""
    held = connection.execute(f"SELECT coalesce(sum(length({column})), 0) FROM {table}").fetchone()
    expect(held[0] == size, "its arrays have not the size that they should have")
