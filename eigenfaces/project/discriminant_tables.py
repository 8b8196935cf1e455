"""What faces are compared in, where that is no face space, as rows of a project file, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import numpy as np

from eigenfaces.project.stored_arrays import array, blob, expect, load_arrays, write_blocks
from eigenfaces.project.tables import insert, rows
from eigenfaces.recognition.features import Features
from eigenfaces.recognition.people_features import PeopleFeatures
from eigenfaces.recognition.training import Training, Unread
from eigenfaces.space.arrays import Floats, Numbers
from eigenfaces.space.discriminant import DiscriminantSpace

Load = Callable[[str, int], Floats | Unread]
"""From a table, and how many numbers each photograph has in it, to those numbers."""


def write_discriminant(connection: sqlite3.Connection, training: Training | None) -> None:
    """Replace what faces are compared in, without the coordinates of any."""
    for table in ("discriminant", "axis", "compared"):
        connection.execute(f"DELETE FROM {table}")
    if training is None or training.other is None:
        return
    space = training.representation
    assert isinstance(space, DiscriminantSpace)
    variances = np.ascontiguousarray(space.variances, "<f8").tobytes()
    insert(connection, "discriminant", [(1, blob(space.mean), blob(space.scale), variances)])
    insert(connection, "axis", enumerate(map(blob, space.axes)))


def write_compared(
    connection: sqlite3.Connection, training: Training, positions: Numbers, stale: Numbers
) -> None:
    """Write the coordinates of photographs at these positions, as far as they are stale."""
    if training.other is not None:
        write_blocks(connection, "compared", training.other.coordinates, positions, stale)


def load_discriminant(
    connection: sqlite3.Connection, features: Features, shape: tuple[int, int]
) -> DiscriminantSpace | None:
    """Read what features are compared in; None for those that are compared in the face space.

    Raises `ValueError` where they do not fit each other.
    """
    found = list(rows(connection, "discriminant"))
    if not isinstance(features, PeopleFeatures):
        expect(not found, "it holds more than its recipe compares")
        return None
    expect(len(found) == 1, "what its recipe compares is missing")
    _, mean, scale, values = found[0]
    plain = np.zeros((1, shape[0] * shape[1]), np.float32)
    f, j = features.of(plain, shape).shape[1], len(values) // 8
    space = DiscriminantSpace(
        mean=array(mean, "<f4", f),
        scale=array(scale, "<f4", f),
        axes=load_arrays(connection, "axis", j, f),
        variances=array(values, "<f8", j),
    )
    expect(bool((space.scale > 0).all()), "its scales are not positive")
    expect(bool((space.variances > 0).all()), "its variances are not positive")
    return space
