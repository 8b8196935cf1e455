"""The tables of a project file: a gallery as rows, and back.

Schema, version 3 (``application_id`` 0x45464143, ``user_version`` 3). Arrays are little-endian;
every row ends with ``seal``, the CRC-32 of its other values, so that damage is noticed.

========== =====================================================================================
setting    ``preparation`` and ``recipe``, as JSON
person     id, name
photo      key (SHA-256 of the file), position in the gallery, path, person, excluded, height, width
face       of a photo: the crop, h · w bytes, 8-bit grey levels
placement  of a photo that is more than its face: turned, source, and the eyes or nothing
space      at most one row: the face space without its components, and the recipe it was fitted with
component  of the face space: number and d float32 values
fitted     keys of the photos that the face space was fitted to
coordinate of a photo: its k float32 coordinates
run        an evaluation: id, when it was made, name, and its record (JSON, zlib)
========== =====================================================================================

Version 1 had no ``placement``: every photograph was a face already. Version 2 had no ``run``.
"""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.alignment import WHOLE, Eyes, Placement
from eigenfaces.errors import ProjectError
from eigenfaces.faces import FacePhoto, FaceSet
from eigenfaces.facespace import FaceSpace
from eigenfaces.gallery import Gallery, Training
from eigenfaces.preparation import Preparation
from eigenfaces.recipes import Recipe

APPLICATION_ID = 0x45464143
VERSION = 3

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal INTEGER);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, seal INTEGER);
CREATE TABLE photo (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL,
    person INTEGER REFERENCES person (id), excluded INTEGER NOT NULL,
    height INTEGER NOT NULL, width INTEGER NOT NULL, seal INTEGER);
CREATE TABLE face (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    crop BLOB NOT NULL, seal INTEGER);
CREATE TABLE placement (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    turned INTEGER NOT NULL, source TEXT NOT NULL,
    left_x REAL, left_y REAL, right_x REAL, right_y REAL, seal INTEGER);
CREATE TABLE space (
    id INTEGER PRIMARY KEY CHECK (id = 1), recipe TEXT NOT NULL, height INTEGER NOT NULL,
    width INTEGER NOT NULL, count INTEGER NOT NULL, total_variance REAL NOT NULL,
    mean BLOB NOT NULL, scale BLOB, singular_values BLOB NOT NULL, seal INTEGER);
CREATE TABLE component (number INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
CREATE TABLE fitted (key TEXT PRIMARY KEY, seal INTEGER);
CREATE TABLE coordinate (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    value BLOB NOT NULL, seal INTEGER);
CREATE TABLE run (id INTEGER PRIMARY KEY, made TEXT NOT NULL, name TEXT NOT NULL,
    record BLOB NOT NULL, seal INTEGER);
"""


def create_tables(connection: sqlite3.Connection, gallery: Gallery) -> None:
    """Make an empty database hold a gallery; the caller has begun a transaction."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for statement in filter(str.strip, _SCHEMA.split(";")):
        connection.execute(statement)
    empty = Gallery.new(gallery.preparation, gallery.recipe)
    _write_settings(connection, empty)
    write_changes(connection, empty, gallery)


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring the tables of an older version to this one; the caller has begun a transaction."""
    added = ("placement", "run") if version == 1 else ("run",)
    for statement in _SCHEMA.split(";"):
        if any(f"CREATE TABLE {name} " in statement for name in added):
            connection.execute(statement)
    _write_settings(connection, load_gallery(connection, version))
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _write_settings(connection: sqlite3.Connection, gallery: Gallery) -> None:
    for name, value in (("preparation", gallery.preparation), ("recipe", gallery.recipe)):
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?, ?)",
            _sealed(name, _json(value)),
        )


def write_changes(connection: sqlite3.Connection, old: Gallery, new: Gallery) -> None:
    """Bring the tables from one gallery to another; the caller has begun a transaction."""
    if (old.preparation, old.recipe) != (new.preparation, new.recipe):
        _write_settings(connection, new)
    fresh = old if old.preparation == new.preparation else Gallery.new(new.preparation, new.recipe)
    if fresh is not old:
        connection.execute("DELETE FROM photo")
    _write_photos(connection, fresh.faces, new.faces)
    _write_training(connection, old.training, new.training)
    if new.training is not None:
        _write_coordinates(connection, fresh, new)


def _write_photos(connection: sqlite3.Connection, old: FaceSet, new: FaceSet) -> None:
    held = {photo.key: (row, photo) for row, photo in enumerate(old.photos)}
    kept = {photo.key for photo in new.photos}
    gone = [(key,) for key in held if key not in kept]
    connection.executemany("DELETE FROM photo WHERE key = ?", gone)
    ids = _write_people(connection, new.people)
    for row, photo in enumerate(new.photos):
        if held.get(photo.key) == (row, photo):
            continue
        person = None if photo.person is None else ids[photo.person]
        values = _sealed(
            photo.key, row, _storable(photo.path), person, int(photo.excluded), *photo.size
        )
        if photo.key in held:
            connection.execute(
                "UPDATE photo SET key = ?, position = ?, path = ?, person = ?, excluded = ?, "
                "height = ?, width = ?, seal = ? WHERE key = ?",
                (*values, photo.key),
            )
            if held[photo.key][1].placement != photo.placement:
                connection.execute("DELETE FROM placement WHERE photo = ?", (photo.key,))
                _write_placement(connection, photo)
            continue
        connection.execute("INSERT INTO photo VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        crop = np.rint(new.pixels[row] * 255).astype(np.uint8).tobytes()
        connection.execute("INSERT INTO face VALUES (?, ?, ?)", _sealed(photo.key, crop))
        _write_placement(connection, photo)
    connection.execute(
        "DELETE FROM person WHERE id NOT IN (SELECT person FROM photo WHERE person NOT NULL)"
    )


def _write_placement(connection: sqlite3.Connection, photo: FacePhoto) -> None:
    where = photo.placement
    if where == WHOLE:
        return
    eyes = (None,) * 4 if where.eyes is None else (*where.eyes.left, *where.eyes.right)
    connection.execute(
        "INSERT INTO placement VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        _sealed(photo.key, where.turned, where.source, *eyes),
    )


def _write_people(connection: sqlite3.Connection, people: tuple[str, ...]) -> dict[str, int]:
    """Add the people who are not in the file yet; return everybody's id."""
    ids: dict[str, int] = dict(connection.execute("SELECT name, id FROM person"))
    unused = itertools.count(max(ids.values(), default=0) + 1)
    for name in people:
        if name not in ids:
            ids[name] = next(unused)
            connection.execute("INSERT INTO person VALUES (?, ?, ?)", _sealed(ids[name], name))
    return ids


def _write_training(
    connection: sqlite3.Connection, old: Training | None, new: Training | None
) -> None:
    if old is not None and new is not None and old.space is new.space:
        return
    for table in ("space", "component", "fitted", "coordinate"):
        connection.execute(f"DELETE FROM {table}")
    if new is None:
        return
    space = new.space
    connection.execute(
        "INSERT INTO space VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _sealed(
            1,
            _json(new.recipe),
            *space.shape,
            space.count,
            space.total_variance,
            _blob(space.mean),
            None if space.scale is None else _blob(space.scale),
            np.ascontiguousarray(space.singular_values, "<f8").tobytes(),
        ),
    )
    connection.executemany(
        "INSERT INTO component VALUES (?, ?, ?)",
        (_sealed(number, _blob(component)) for number, component in enumerate(space.components)),
    )
    connection.executemany(
        "INSERT INTO fitted VALUES (?, ?)", [_sealed(key) for key in sorted(new.keys)]
    )


def _write_coordinates(connection: sqlite3.Connection, old: Gallery, new: Gallery) -> None:
    training = new.trained
    held: set[str] = set()
    if old.training is not None and old.training.space is training.space:
        held = {photo.key for photo in old.faces.photos}
    connection.executemany(
        "INSERT INTO coordinate VALUES (?, ?, ?)",
        (
            _sealed(photo.key, _blob(training.coordinates[row]))
            for row, photo in enumerate(new.faces.photos)
            if photo.key not in held
        ),
    )


def _json(value: Preparation | Recipe) -> str:
    return json.dumps(asdict(value), default=lambda number: number.item())  # one of NumPy's


def _blob(array: NDArray[np.float32]) -> bytes:
    return np.ascontiguousarray(array, "<f4").tobytes()


def _storable(path: Path) -> str | bytes:
    """Return a path as text, or as bytes where its name is no valid text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return str(path)


Value = str | bytes | int | float | None


def _seal(values: Sequence[Value]) -> int:
    """Return the CRC-32 of the values of a row."""
    seal = 0
    for value in values:
        content = value if isinstance(value, bytes) else repr(value).encode()
        seal = zlib.crc32(content, zlib.crc32(b"%d:" % len(content), seal))
    return seal


def _sealed(*values: Value) -> tuple[Value, ...]:
    return *values, _seal(values)


def _rows(connection: sqlite3.Connection, table: str, order: str = "1") -> Iterator[list[Any]]:
    """Yield the rows of a table without their seals, which are checked."""
    for *values, seal in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):
        if seal != _seal(values):
            raise ValueError("its content does not fit its seals")
        yield values


Run = tuple[int, str, str]
"""Id, when it was made (ISO 8601), and name of an evaluation that is kept."""


def list_runs(connection: sqlite3.Connection) -> list[Run]:
    """Return the evaluations that are kept, in the order in which they were made."""
    return list(connection.execute("SELECT id, made, name FROM run ORDER BY id"))


def write_run(connection: sqlite3.Connection, made: str, name: str, record: str) -> int:
    """Keep an evaluation, its record as JSON; return its id."""
    taken = connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()[0]
    values = _sealed(taken + 1, made, name, zlib.compress(record.encode()))
    connection.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?)", values)
    return int(taken + 1)


def read_run(connection: sqlite3.Connection, number: int) -> str:
    """Return the record of an evaluation, JSON; raise `ProjectError` where it is damaged."""
    found = connection.execute("SELECT * FROM run WHERE id = ?", (number,)).fetchone()
    if found is None:
        raise ProjectError("This evaluation is no longer in the project.")
    try:
        if found[-1] == _seal(found[:-1]):
            return zlib.decompress(found[3]).decode()
    except (zlib.error, TypeError, UnicodeError):
        pass
    raise ProjectError("This evaluation is damaged in the project file. Run it again.")


def copy_runs(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy all evaluations into tables that have none."""
    rows = source.execute("SELECT * FROM run").fetchall()
    target.executemany("INSERT INTO run VALUES (?, ?, ?, ?, ?)", rows)


def load_gallery(connection: sqlite3.Connection, version: int = VERSION) -> Gallery:
    """Read the whole gallery; every array's size is checked against what it belongs to."""
    try:
        settings = {name: json.loads(value) for name, value in _rows(connection, "setting")}
        if version == 1:
            settings["preparation"]["already_cropped"] = True
        preparation = Preparation(**settings["preparation"])
        recipe = _recipe(settings["recipe"])
        placements = _load_placements(connection) if version > 1 else {}
        faces = _load_faces(connection, preparation, placements)
        return Gallery(faces, preparation, recipe, _load_training(connection, faces, preparation))
    except MemoryError:
        raise
    except Exception as error:  # what is in a damaged file can raise almost anything
        raise ProjectError(
            f"The project file is damaged ({error}). Use a backup copy of it."
        ) from error


def _recipe(values: dict[str, Any]) -> Recipe:
    """Make a recipe of what is stored; version 1 knew one way of evening out the light."""
    if values.pop("remove_photo_mean", False):
        values["lighting"] = "photo mean"
    return Recipe(**values)


def _load_placements(connection: sqlite3.Connection) -> dict[str, Placement]:
    placements = {}
    for key, turned, source, *places in _rows(connection, "placement"):
        x, y, u, v = places
        eyes = None if x is None else Eyes((x, y), (u, v))
        placements[key] = Placement(eyes, source, turned)
    return placements


def _load_faces(
    connection: sqlite3.Connection, preparation: Preparation, placements: dict[str, Placement]
) -> FaceSet:
    people: dict[int | None, str | None] = {None: None}
    people.update((number, name) for number, name in _rows(connection, "person"))
    photos = [
        FacePhoto(
            Path(os.fsdecode(path)),
            people[person],
            key,
            (height, width),
            bool(excluded),
            placements.get(key, WHOLE),
        )
        for key, _, path, person, excluded, height, width in _rows(connection, "photo", "position")
    ]
    size = preparation.height * preparation.width
    places = {photo.key: row for row, photo in enumerate(photos)}
    pixels = np.empty((len(photos), size), np.float32)
    for key, crop in _rows(connection, "face"):
        pixels[places.pop(key)] = _array(crop, "u1", size) / np.float32(255)
    if places:
        raise ValueError("some faces are missing")
    return FaceSet(pixels, preparation.shape, tuple(photos))


def _load_training(
    connection: sqlite3.Connection, faces: FaceSet, preparation: Preparation
) -> Training | None:
    rows = list(_rows(connection, "space"))
    if not rows:
        return None
    _, recipe, height, width, count, total, mean, scale, values = rows[0]
    d, k = height * width, len(values) // 8
    components = np.empty((k, d), np.float32)
    mean_face = _array(mean, "<f4", d)
    if json.loads(recipe).get("remove_photo_mean"):  # version 1 left such faces around 0
        mean_face = mean_face + np.float32(0.5)
    numbers = []
    for number, component in _rows(connection, "component"):
        components[number] = _array(component, "<f4", d)
        numbers.append(number)
    coordinates = np.empty((len(faces), k), np.float32)
    stored = dict(_rows(connection, "coordinate"))
    for place, photo in enumerate(faces.photos):
        coordinates[place] = _array(stored[photo.key], "<f4", k)
    keys = frozenset(key for (key,) in _rows(connection, "fitted"))
    if numbers != list(range(k)) or len(keys) != count:
        raise ValueError("a part of the face space is missing")
    space = FaceSpace(
        mean=mean_face,
        components=components,
        singular_values=_array(values, "<f8", k),
        total_variance=total,
        count=count,
        shape=(height, width),
        scale=None if scale is None else _array(scale, "<f4", d),
    )
    return Training(space, preparation, _recipe(json.loads(recipe)), keys, coordinates)


def _array(blob: bytes, kind: str, size: int) -> NDArray[Any]:
    """Return the numbers of a blob, of which there must be so many."""
    return np.frombuffer(blob, kind).reshape(size)
