"""What faces are compared in, where that is no face space, as rows of a project file, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from eigenfaces.arrays import Floats, Numbers
from eigenfaces.errors import EigenfacesError
from eigenfaces.project.stored_arrays import array, blob, expect, load_arrays, write_blocks
from eigenfaces.project.tables import VERSION, insert, rows
from eigenfaces.recognition.features import Features
from eigenfaces.recognition.people_features import PeopleFeatures, TextureFeatures
from eigenfaces.recognition.training import Projected, Training, Unread
from eigenfaces.space.discriminant import DiscriminantSpace, with_outside
from eigenfaces.space.people_axes import FEWEST_PEOPLE
from eigenfaces.space.representation import Representation

Load = Callable[[str, int], Floats | Unread]
"""From a table, and how many numbers each photograph has in it, to those numbers."""

_FIRST_WITH_MEANS = 10
"""The version from which on the features of Texture are means over a face and its mirror image, and
few people are compared by what lies outside, too."""

_SPAN = "span"
"""The setting that says along how many of the axes enrolled faces have coordinates, from version
11 on; before, it was along all of them."""


def write_discriminant(connection: sqlite3.Connection, training: Training | None) -> None:
    """Replace what faces are compared in, without the coordinates of any."""
    for table in ("discriminant", "axis", "compared"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute(f"DELETE FROM setting WHERE name = '{_SPAN}'")
    if training is None or training.other is None:
        return
    space = training.representation
    if not isinstance(space, DiscriminantSpace):
        raise EigenfacesError("A project file does not hold what this recipe compares.")
    variances = np.ascontiguousarray(space.variances, "<f8").tobytes()
    insert(connection, "discriminant", [(1, blob(space.mean), blob(space.scale), variances)])
    insert(connection, "axis", enumerate(map(blob, space.axes)))
    insert(connection, "setting", [(_SPAN, json.dumps(space.span))])


def write_compared(
    connection: sqlite3.Connection, training: Training, positions: Numbers, stale: Numbers
) -> None:
    """Write the coordinates of photographs at these positions, as far as they are stale."""
    if training.other is not None:
        write_blocks(connection, "compared", training.other.coordinates, positions, stale)


def load_discriminant(
    connection: sqlite3.Connection,
    features: Features,
    shape: tuple[int, int],
    version: int = VERSION,
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
    (held,) = connection.execute("SELECT count(*) FROM axis").fetchone()
    expect(held in (j, j - 1), "it has not an axis for each variance")
    span = json.loads(dict(rows(connection, "setting")).get(_SPAN, str(held)))
    fits = type(span) is int and (span == held or 0 < span < held < j)
    expect(fits, "its faces have coordinates along other axes than it holds")
    space = DiscriminantSpace(
        mean=array(mean, "<f4", f),
        scale=array(scale, "<f4", f),
        axes=load_arrays(connection, "axis", held, f),
        variances=array(values, "<f8", j),
        span=span,
    )
    expect(bool((space.scale > 0).all()), "its scales are not positive")
    expect(bool((space.variances > 0).all()), "its variances are not positive")
    ask = "SELECT (SELECT count(*) FROM person), (SELECT count FROM space)"
    people, fitted = connection.execute(ask).fetchone()
    in_all_directions = people < FEWEST_PEOPLE and held >= fitted - 1
    if version < _FIRST_WITH_MEANS and in_all_directions:
        return replace(space, variances=np.append(space.variances, space.variances.min()))
    return space


def projected(
    features: Features, space: DiscriminantSpace, load: Load, version: int = VERSION
) -> Projected:
    """Return it with the coordinates that ``load`` returns, so many for each photograph."""
    if not were_otherwise(features, space, version):
        return Projected(space, load("compared", len(space)))
    j, images = len(space.axes), 1 + isinstance(features, TextureFeatures)
    # Features are the means of both now, and coordinates are linear in them.
    found = Projected(space, load("compared", images * j)).coordinates
    found = found.reshape(-1, images, j).mean(axis=1)
    if space.has_outside:
        found = with_outside(found, np.zeros(len(found)))
    return Projected(space, found)


def were_otherwise(features: Features, space: Representation, version: int) -> bool:
    """Return whether a program that wrote a version compared in such a space otherwise."""
    few = isinstance(space, DiscriminantSpace) and space.has_outside
    return version < _FIRST_WITH_MEANS and (few or isinstance(features, TextureFeatures))
