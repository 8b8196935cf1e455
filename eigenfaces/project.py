"""The project file: one SQLite database that holds a gallery, changed one transaction at a time.

Schema, version 1 (``application_id`` 0x45464143, ``user_version`` 1). Arrays are little-endian.

========== =====================================================================================
setting    ``preparation`` and ``recipe``, as JSON
person     id, name
photo      key (SHA-256 of the file), position in the gallery, path, person, excluded, height, width
face       of a photo: the crop, h · w bytes, 8-bit grey levels
space      at most one row: the face space and the recipe it was fitted with; float32 and float64
fitted     keys of the photos that the face space was fitted to
coordinate of a photo: its k float32 coordinates
========== =====================================================================================

A killed process leaves the state before or after a change, never one between (SQLite's journal).
While a project is open it is locked: a second window is told so.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, ProjectError
from eigenfaces.faces import FacePhoto, FaceSet, Preparation
from eigenfaces.facespace import FaceSpace
from eigenfaces.gallery import Gallery, Training
from eigenfaces.recipes import Recipe

SUFFIX = ".eigenfaces"
APPLICATION_ID = 0x45464143
VERSION = 1

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE photo (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL,
    person INTEGER REFERENCES person (id), excluded INTEGER NOT NULL,
    height INTEGER NOT NULL, width INTEGER NOT NULL);
CREATE TABLE face (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    crop BLOB NOT NULL);
CREATE TABLE space (
    id INTEGER PRIMARY KEY CHECK (id = 1), recipe TEXT NOT NULL, height INTEGER NOT NULL,
    width INTEGER NOT NULL, count INTEGER NOT NULL, total_variance REAL NOT NULL,
    mean BLOB NOT NULL, scale BLOB, singular_values BLOB NOT NULL, components BLOB NOT NULL);
CREATE TABLE fitted (key TEXT PRIMARY KEY);
CREATE TABLE coordinate (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    value BLOB NOT NULL);
"""


class Project:
    """An open project file and the gallery it holds. Use `create`, `open`, `save` and `close`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._connection = connection
        self._lock = RLock()
        self._gallery = _load(connection)

    @property
    def gallery(self) -> Gallery:
        """The gallery as it stands in the file."""
        return self._gallery

    @classmethod
    def create(cls, path: Path, gallery: Gallery | None = None) -> Project:
        """Write a new project beside its place, put it there whole, and open it."""
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with _sentences(path):
                part.unlink(missing_ok=True)
                with contextlib.closing(_connect(part, read_only=False)) as connection:
                    _write_new(connection, gallery or Gallery.new())
                part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Project:
        """Open a project file; raise `ProjectError`, a sentence, where that cannot be done."""
        with _sentences(path):
            if not path.is_file():
                raise ProjectError(f"There is no project file “{path}”.")
            with path.open("rb") as file:
                if not file.read(16).startswith(b"SQLite format 3"):
                    raise ProjectError(f"“{path}” is not a project file of this program.")
            read_only = not os.access(path, os.W_OK)
            connection = _connect(path, read_only)
            try:
                _check(connection, path)
                return cls(path, connection, read_only)
            except BaseException:
                connection.close()
                raise

    def save(self, gallery: Gallery) -> None:
        """Bring the file to this gallery, in one transaction or not at all."""
        with self._lock, _sentences(self.path):
            if self.read_only:
                raise ProjectError(
                    f"“{self.path.name}” is read-only, so nothing was changed. "
                    "Save a copy elsewhere and work on that."
                )
            with _transaction(self._connection):
                _write_changes(self._connection, self._gallery, gallery)
            self._gallery = gallery

    def save_copy(self, path: Path) -> None:
        """Write a copy of the project elsewhere, whole or not at all."""
        Project.create(path, self._gallery).close()

    def close(self) -> None:
        """Let go of the file. Everything is already in it."""
        with self._lock:
            self._connection.close()


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(
        address, uri=True, timeout=0.2, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA foreign_keys = ON")
    if not read_only:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into a sentence with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise ProjectError(_sentence(path.name, str(error))) from error
    except OSError as error:
        raise ProjectError(f"“{path}” cannot be used: {error.strerror}.") from error


def _sentence(name: str, said: str) -> str:
    if "locked" in said:
        return f"“{name}” is open in another window. Close it there, then try again."
    if "full" in said:
        return f"The disk is full, so nothing was changed in “{name}”. Make room and try again."
    if "readonly" in said:
        return f"“{name}” cannot be written, so nothing was changed. Save a copy elsewhere."
    if "not a database" in said or "malformed" in said:
        return f"“{name}” is damaged and cannot be opened. Use a backup copy of it."
    return f"“{name}” could not be read or written ({said}). Nothing was changed."


def _damaged(path: Path, what: str) -> ProjectError:
    return ProjectError(f"“{path.name}” is damaged ({what}). Use a backup copy of it.")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if os.access(path, os.W_OK):  # take the lock now, and keep it: see locking_mode
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ProjectError(f"“{path}” is not a project file of this program.")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise ProjectError(
            f"“{path.name}” was made by a newer version of this program. Update the program."
        )
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise _damaged(path, "its pages do not fit together")


def _write_new(connection: sqlite3.Connection, gallery: Gallery) -> None:
    with _transaction(connection):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        empty = Gallery.new(gallery.preparation, gallery.recipe)
        _write_settings(connection, empty)
        _write_changes(connection, empty, gallery)


def _write_settings(connection: sqlite3.Connection, gallery: Gallery) -> None:
    for name, value in (("preparation", gallery.preparation), ("recipe", gallery.recipe)):
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, json.dumps(asdict(value)))
        )


def _write_changes(connection: sqlite3.Connection, old: Gallery, new: Gallery) -> None:
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
    names = [(name,) for name in new.people]
    connection.executemany("INSERT OR IGNORE INTO person (name) VALUES (?)", names)
    ids = dict(connection.execute("SELECT name, id FROM person"))
    for row, photo in enumerate(new.photos):
        if held.get(photo.key) == (row, photo):
            continue
        values = (row, _storable(photo.path), photo.person and ids[photo.person], photo.excluded)
        if photo.key in held:
            connection.execute(
                "UPDATE photo SET position = ?, path = ?, person = ?, excluded = ? WHERE key = ?",
                (*values, photo.key),
            )
            continue
        connection.execute(
            "INSERT INTO photo VALUES (?, ?, ?, ?, ?, ?, ?)", (photo.key, *values, *photo.size)
        )
        crop = np.rint(new.pixels[row] * 255).astype(np.uint8).tobytes()
        connection.execute("INSERT INTO face VALUES (?, ?)", (photo.key, crop))
    connection.execute(
        "DELETE FROM person WHERE id NOT IN (SELECT person FROM photo WHERE person NOT NULL)"
    )


def _write_training(
    connection: sqlite3.Connection, old: Training | None, new: Training | None
) -> None:
    if old is not None and new is not None and old.space is new.space:
        return
    for table in ("space", "fitted", "coordinate"):
        connection.execute(f"DELETE FROM {table}")
    if new is None:
        return
    space = new.space
    connection.execute(
        "INSERT INTO space VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            json.dumps(asdict(new.recipe)),
            *space.shape,
            space.count,
            space.total_variance,
            _blob(space.mean),
            None if space.scale is None else _blob(space.scale),
            np.ascontiguousarray(space.singular_values, "<f8").tobytes(),
            _blob(space.components),
        ),
    )
    connection.executemany("INSERT INTO fitted VALUES (?)", [(key,) for key in sorted(new.keys)])


def _write_coordinates(connection: sqlite3.Connection, old: Gallery, new: Gallery) -> None:
    training = new.trained
    held: set[str] = set()
    if old.training is not None and old.training.space is training.space:
        held = {photo.key for photo in old.faces.photos}
    connection.executemany(
        "INSERT INTO coordinate VALUES (?, ?)",
        (
            (photo.key, _blob(training.coordinates[row]))
            for row, photo in enumerate(new.faces.photos)
            if photo.key not in held
        ),
    )


def _blob(array: NDArray[np.float32]) -> bytes:
    return np.ascontiguousarray(array, "<f4").tobytes()


def _storable(path: Path) -> str | bytes:
    """Return a path as text, or as bytes where its name is no valid text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return str(path)


def _load(connection: sqlite3.Connection) -> Gallery:
    """Read the whole gallery; every array's size is checked against what it belongs to."""
    try:
        settings = dict(connection.execute("SELECT name, value FROM setting"))
        preparation = Preparation(**json.loads(settings["preparation"]))
        recipe = Recipe(**json.loads(settings["recipe"]))
        faces = _load_faces(connection, preparation)
        return Gallery(faces, preparation, recipe, _load_training(connection, faces))
    except (KeyError, TypeError, ValueError, EigenfacesError) as error:
        raise ProjectError(
            f"The project file is damaged ({error}). Use a backup copy of it."
        ) from error


def _load_faces(connection: sqlite3.Connection, preparation: Preparation) -> FaceSet:
    count = connection.execute("SELECT count(*) FROM photo").fetchone()[0]
    pixels = np.empty((count, preparation.height * preparation.width), np.float32)
    photos = []
    rows = connection.execute(
        "SELECT photo.key, path, person.name, excluded, height, width, crop FROM photo "
        "JOIN face ON face.photo = photo.key LEFT JOIN person ON person.id = photo.person "
        "ORDER BY position"
    )
    for row, (key, path, person, excluded, height, width, crop) in enumerate(rows):
        pixels[row] = np.frombuffer(crop, np.uint8) / np.float32(255)
        photos.append(
            FacePhoto(Path(os.fsdecode(path)), person, key, (height, width), bool(excluded))
        )
    return FaceSet(pixels, preparation.shape, tuple(photos))


def _load_training(connection: sqlite3.Connection, faces: FaceSet) -> Training | None:
    row = connection.execute(
        "SELECT recipe, height, width, count, total_variance, mean, scale, singular_values, "
        "components FROM space"
    ).fetchone()
    if row is None:
        return None
    recipe, height, width, count, total, mean, scale, values, components = row
    space = FaceSpace(
        mean=np.frombuffer(mean, "<f4"),
        components=np.frombuffer(components, "<f4").reshape(-1, height * width),
        singular_values=np.frombuffer(values, "<f8"),
        total_variance=total,
        count=count,
        shape=(height, width),
        scale=None if scale is None else np.frombuffer(scale, "<f4"),
    )
    coordinates = np.empty((len(faces), len(space)), np.float32)
    stored = dict(connection.execute("SELECT photo, value FROM coordinate"))
    for place, photo in enumerate(faces.photos):
        coordinates[place] = np.frombuffer(stored[photo.key], "<f4")
    keys = frozenset(key for (key,) in connection.execute("SELECT key FROM fitted"))
    return Training(space, Recipe(**json.loads(recipe)), keys, coordinates)
