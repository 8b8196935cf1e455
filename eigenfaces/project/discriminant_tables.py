"""What faces are compared in, where that is no face space, as rows of a project file, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.project.stored_arrays import array, blob, expect, expect_blobs, load_arrays
from eigenfaces.project.tables import rows, sealed
from eigenfaces.recognition.features import Features
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.people_features import PeopleFeatures
from eigenfaces.recognition.training import Projected, Training
from eigenfaces.space.discriminant import DiscriminantSpace


def write_discriminant(connection: sqlite3.Connection, training: Training | None) -> None:
    """Replace what faces are compared in, without the coordinates of any."""
    for table in ("discriminant", "axis", "compared"):
        connection.execute(f"DELETE FROM {table}")
    if training is None or training.other is None:
        return
    space = training.representation
    if not isinstance(space, DiscriminantSpace):
        raise EigenfacesError("A project file does not hold what this recipe compares.")
    variances = np.ascontiguousarray(space.variances, "<f8").tobytes()
    connection.execute(
        "INSERT INTO discriminant VALUES (?, ?, ?, ?, ?)",
        sealed(1, blob(space.mean), blob(space.scale), variances),
    )
    connection.executemany(
        "INSERT INTO axis VALUES (?, ?, ?)",
        (sealed(number, blob(axis)) for number, axis in enumerate(space.axes)),
    )


def write_compared(
    connection: sqlite3.Connection, gallery: Gallery, held: Collection[tuple[str, str]]
) -> None:
    """Write the coordinates of the faces of a gallery but for those that are held already."""
    other = gallery.trained.other
    if other is None:
        return
    connection.executemany(
        "INSERT OR REPLACE INTO compared VALUES (?, ?, ?)",
        (
            sealed(photo.key, blob(other.coordinates[row]))
            for row, photo in enumerate(gallery.index.photos)
            if (photo.key, photo.crop) not in held
        ),
    )


def load_compared(
    connection: sqlite3.Connection, features: Features, shape: tuple[int, int], keys: Sequence[str]
) -> Projected | None:
    """Read what features are compared in, and the coordinates of the photographs of these keys.

    None for features that are compared in the face space. Raises `ValueError` where they do not
    fit each other.
    """
    found = list(rows(connection, "discriminant"))
    if not isinstance(features, PeopleFeatures):
        expect(not found, "it holds more than its recipe compares")
        expect_blobs(connection, "axis", "value", 0)
        expect_blobs(connection, "compared", "value", 0)
        return None
    expect(len(found) == 1, "what its recipe compares is missing")
    _, mean, scale, values = found[0]
    plain = np.zeros((1, shape[0] * shape[1]), np.float32)
    images = features.IMAGES
    f, j = features.of(plain, shape).shape[1] // images, len(values) // 8
    space = DiscriminantSpace(
        mean=array(mean, "<f4", f),
        scale=array(scale, "<f4", f),
        axes=load_arrays(connection, "axis", range(j), f),
        variances=array(values, "<f8", j),
    )
    expect(bool((space.scale > 0).all()), "its scales are not positive")
    expect(bool((space.variances > 0).all()), "its variances are not positive")
    coordinates = load_arrays(connection, "compared", keys, images * j)
    if images > 1:
        coordinates = coordinates.reshape(len(keys), images, j)
    return Projected(space, coordinates)
