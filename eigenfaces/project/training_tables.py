"""The result of training as rows of a project file, and back: face space, coordinates, and more."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from heapq import merge

import numpy as np

from eigenfaces.faces.preparation import Preparation
from eigenfaces.project.discriminant_tables import (
    Load,
    load_discriminant,
    write_compared,
    write_discriminant,
)
from eigenfaces.project.photo_tables import Change
from eigenfaces.project.stored_arrays import (
    array,
    blob,
    expect,
    load_arrays,
    write_blocks,
)
from eigenfaces.project.stored_places import number
from eigenfaces.project.tables import insert, rows
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Projected, Training
from eigenfaces.space.facespace import FaceSpace

_FITTED_AT_ONCE = 4096


def write_training(
    connection: sqlite3.Connection, old: Training | None, new: Training | None, change: Change
) -> None:
    """Change the tables from the training of some photographs to that of others."""
    same = old is not None and new is not None and old.is_fitted_as(new)
    if not same:
        _write_space(connection, new)
    if new is not None:
        stale = change.stale if same else change.placed
        if stale.size:  # else they may be unread
            write_blocks(connection, "coordinate", new.coordinates, change.placed, stale)
            write_compared(connection, new, change.placed, stale)


def _write_space(connection: sqlite3.Connection, new: Training | None) -> None:
    write_discriminant(connection, new)
    for table in ("space", "component", "fitted", "coordinate"):
        connection.execute(f"DELETE FROM {table}")
    if new is None:
        return
    space = new.space
    row = (
        1,
        as_json(new.recipe.record),
        *space.shape,
        space.count,
        space.total_variance,
        blob(space.mean),
        None if space.scale is None else blob(space.scale),
        np.ascontiguousarray(space.singular_values, "<f8").tobytes(),
    )
    insert(connection, "space", [row])
    insert(connection, "component", enumerate(map(blob, space.components)))
    at_once, faces = _FITTED_AT_ONCE, [*new.fitted]
    starts = range(0, len(faces), at_once)
    # One sort of all would keep Python's lock: 0.2 s of 100 000, in which the window stands still.
    in_order = [*merge(*(sorted(faces[start : start + at_once]) for start in starts))]
    blocks = ((start, json.dumps(in_order[start : start + at_once])) for start in starts)
    insert(connection, "fitted", blocks)


def load_training(
    connection: sqlite3.Connection, preparation: Preparation, load: Load
) -> Training | None:
    """Return what was trained; None where nothing was.

    ``load`` returns the coordinates of all photographs, perhaps unread. Raises `ValueError` where
    they do not fit each other.
    """
    found = _load_space(connection, preparation)
    if found is None:
        return None
    space, recipe = found
    faces = frozenset(_load_fitted(connection))
    expect(len(faces) == space.count, "a part of the face space is missing")
    shown = Projected(space, load("coordinate", len(space)))
    compared = load_discriminant(connection, recipe.features, preparation.shape)
    other = None if compared is None else Projected(compared, load("compared", len(compared)))
    return Training(shown, preparation, recipe, faces, other)


def _load_space(
    connection: sqlite3.Connection, preparation: Preparation
) -> tuple[FaceSpace, Recipe] | None:
    """Return the face space and the recipe that it was fitted with, where there is one."""
    found = list(rows(connection, "space"))
    if not found:
        return None
    _, recipe, height, width, count, total, mean, scale, values = found[0]
    expect((height, width) == preparation.shape, "its face space is of another size")
    d, k = height * width, len(values) // 8
    expect(count >= 2 and 1 <= k <= min(count - 1, d), "its face space has no such components")
    expect(number(total) > 0, "its faces have no variance")
    singular_values = array(values, "<f8", k)
    expect(bool((singular_values > 0).all()), "its variances are not positive")
    scales = None if scale is None else array(scale, "<f4", d)
    expect(scales is None or bool((scales > 0).all()), "its scales are not positive")
    space = FaceSpace(
        mean=array(mean, "<f4", d),
        components=load_arrays(connection, "component", k, d),
        singular_values=singular_values,
        total_variance=total,
        count=count,
        shape=(height, width),
        scale=scales,
    )
    return space, Recipe.of(**json.loads(recipe))


def _load_fitted(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the keys of the photographs that the face space was fitted to, and their crops."""
    for _, text in rows(connection, "fitted"):
        for key, crop in json.loads(text):
            if not type(key) is type(crop) is str:
                raise ValueError("a part of the face space is missing")
            yield key, crop


def as_json(value: object) -> str:
    """Return settings as text."""
    return json.dumps(value, default=lambda number: number.item())  # one of NumPy's
