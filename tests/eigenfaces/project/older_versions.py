"""Project files as the earlier versions of this program wrote them."""

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from eigenfaces import Gallery, Project
from eigenfaces.arrays import Floats
from eigenfaces.photographs.placement import WHOLE
from eigenfaces.project.stored_arrays import write_blocks
from eigenfaces.project.stored_places import placed
from eigenfaces.project.unused import Unused
from eigenfaces.recognition.people_features import TextureFeatures


def sealed(*values: object) -> tuple[object, ...]:
    """Add the checksum that version 1 wrote at the end of each row."""
    whole = b""
    for value in values:
        content = value if isinstance(value, bytes) else repr(value).encode()
        whole += b"%d:" % len(content) + content
    return *values, zlib.crc32(whole)


def write_version_1(path: Path, gallery: Gallery, *, remove_photo_mean: bool) -> None:
    """Write a project as the first version of this program did."""
    recipe = {"name": "Eigenfaces", "remove_photo_mean": remove_photo_mean}
    recipe |= {"scaling": "covariance", "components": 0.9, "whitening": "none", "smoothing": 0.0}
    recipe |= {"distance": "cosine", "rule": "nearest", "neighbours": 1}
    size = dict(zip(("height", "width"), gallery.faces.shape, strict=True))
    rows: dict[str, list[tuple[object, ...]]] = {
        "setting": [("preparation", json.dumps(size | {"fit": "fit"}))],
        "person": list(enumerate(gallery.people, start=1)),
        "photo": [],
        "face": [],
    }
    rows["setting"].append(("recipe", json.dumps(recipe)))
    for row, photo in enumerate(gallery.index.photos):
        person = gallery.people.index(photo.person or "") + 1
        rows["photo"].append((photo.key, row, str(photo.path), person, 0, *photo.size))
        crop = gallery.faces.pixels.held[row]
        rows["face"].append((photo.key, crop.tobytes()))
    if gallery.training is not None:
        rows |= training_rows(gallery, json.dumps(recipe), shift=0.5 * remove_photo_mean)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            """
            PRAGMA application_id = 0x45464143; PRAGMA user_version = 1;
            CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal INTEGER);
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, seal INTEGER);
            CREATE TABLE photo (
                key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL,
                person INTEGER REFERENCES person (id), excluded INTEGER NOT NULL,
                height INTEGER NOT NULL, width INTEGER NOT NULL, seal INTEGER);
            CREATE TABLE face (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
                crop BLOB NOT NULL, seal INTEGER);
            CREATE TABLE space (
                id INTEGER PRIMARY KEY CHECK (id = 1), recipe TEXT NOT NULL,
                height INTEGER NOT NULL, width INTEGER NOT NULL, count INTEGER NOT NULL,
                total_variance REAL NOT NULL, mean BLOB NOT NULL, scale BLOB,
                singular_values BLOB NOT NULL, seal INTEGER);
            CREATE TABLE component (number INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
            CREATE TABLE fitted (key TEXT PRIMARY KEY, seal INTEGER);
            CREATE TABLE coordinate (photo TEXT PRIMARY KEY
                REFERENCES photo (key) ON DELETE CASCADE, value BLOB NOT NULL, seal INTEGER);
            """
        )
        for table, lines in rows.items():
            for line in lines:
                places = ", ".join("?" * (len(line) + 1))
                connection.execute(f"INSERT INTO {table} VALUES ({places})", sealed(*line))


def training_rows(
    gallery: Gallery, recipe: str, *, shift: float
) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of a face space; version 1 had evened-out faces around 0, not around ½."""
    training = gallery.trained
    space = training.space
    arrays = (space.mean - np.float32(shift)).tobytes(), None, space.singular_values.tobytes()
    coordinates = zip(gallery.index.photos, training.coordinates, strict=True)
    return {
        "space": [(1, recipe, *space.shape, space.count, space.total_variance, *arrays)],
        "component": [(at, one.tobytes()) for at, one in enumerate(space.components)],
        "fitted": [(key,) for key in training.keys],
        "coordinate": [(photo.key, row.tobytes()) for photo, row in coordinates],
    }


@contextlib.contextmanager
def _made_older(path: Path, version: int) -> Iterator[sqlite3.Connection]:
    """Yield the connection that makes a project file one of an earlier version."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        yield connection
        connection.execute(f"PRAGMA user_version = {version}")


def version_of(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0]) & 0xFF


def compared(gallery: Gallery) -> Floats:
    """Return the coordinates (n, …) as they were held: of Texture those of mirror images, too."""
    training, faces = gallery.trained, gallery.faces
    features, space = training.recipe.features, training.representation
    if not isinstance(features, TextureFeatures):
        return training.compared
    sides = features.sides(faces.pixels[:].reshape(-1, *faces.shape))
    return np.concatenate([space.project(side) for side in sides], axis=1)


def write_version_9(path: Path, gallery: Gallery) -> None:
    """Write a project as the ninth version did: Texture compared each photo and its mirror."""
    Project.create(path, gallery).close()
    with _made_older(path, 9) as connection:
        if gallery.training is not None and gallery.training.other is not None:
            places = np.arange(len(gallery.faces))
            write_blocks(connection, "compared", compared(gallery), places, places)


def write_version_8(path: Path, gallery: Gallery) -> None:
    """Write a project as the eighth version did: an answer said nothing of what was before."""
    write_version_9(path, gallery)
    with _made_older(path, 8) as connection:
        rows = connection.execute("SELECT probe, said, person, never, crop FROM answer").fetchall()
        connection.execute("DROP TABLE answer")
        connection.execute(
            """CREATE TABLE answer (probe TEXT PRIMARY KEY, said TEXT NOT NULL, person TEXT,
            never TEXT NOT NULL, crop BLOB NOT NULL, seal INTEGER)"""
        )
        for row in rows:
            insert(connection, "answer", *row)


def write_version_7(path: Path, gallery: Gallery, unused: Unused = ()) -> None:
    """Write a project as the seventh version did: what waits said nothing of turns and times."""
    write_version_8(path, gallery)
    with _made_older(path, 7) as connection:
        connection.execute("DROP TABLE unused")
        connection.execute(
            """CREATE TABLE unused (position INTEGER PRIMARY KEY, path NOT NULL, person TEXT,
            kind TEXT NOT NULL, reason TEXT NOT NULL, seal INTEGER)"""
        )
        for place, file in enumerate(unused):
            insert(connection, "unused", place, str(file.path), file.person, file.kind, file.reason)


def write_version_6(path: Path, gallery: Gallery) -> None:
    """Write a project as the sixth version did: every photograph had a row of each kind."""
    write_version_7(path, gallery)
    training = gallery.training
    both = None if training is None else compared(gallery)
    with _made_older(path, 6) as connection:
        ids = dict(connection.execute("SELECT name, id FROM person"))
        for table in ("photo", "face", "fitted", "coordinate", "compared"):
            connection.execute(f"DROP TABLE {table}")
        connection.executescript(VERSION_6)
        for row, photo in enumerate(gallery.index.photos):
            place = (row, str(photo.path), ids.get(photo.person), int(photo.excluded), *photo.size)
            insert(connection, "photo", photo.key, *place)
            if photo.placement != WHOLE:
                insert(connection, "placement", photo.key, *placed(photo.placement))
            insert(connection, "face", photo.key, gallery.faces.pixels.held[row].tobytes())
            if training is not None:
                insert(connection, "coordinate", photo.key, training.coordinates[row].tobytes())
                if training.other is not None and both is not None:
                    insert(connection, "compared", photo.key, both[row].tobytes())
        for key, crop in training.fitted if training else ():
            insert(connection, "fitted", key, crop)
        connection.execute("DELETE FROM setting WHERE name = 'photos'")


def insert(connection: sqlite3.Connection, table: str, *values: object) -> None:
    places = ", ".join("?" * (len(values) + 1))
    connection.execute(f"INSERT INTO {table} VALUES ({places})", sealed(*values))


VERSION_6 = """
CREATE TABLE photo (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL,
    person INTEGER REFERENCES person (id), excluded INTEGER NOT NULL,
    height INTEGER NOT NULL, width INTEGER NOT NULL, seal INTEGER);
CREATE TABLE face (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    crop BLOB NOT NULL, seal INTEGER);
CREATE TABLE placement (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    turned INTEGER NOT NULL, source TEXT NOT NULL,
    left_x REAL, left_y REAL, right_x REAL, right_y REAL, seal INTEGER);
CREATE TABLE fitted (key TEXT PRIMARY KEY, crop TEXT NOT NULL, seal INTEGER);
CREATE TABLE coordinate (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    value BLOB NOT NULL, seal INTEGER);
CREATE TABLE compared (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    value BLOB NOT NULL, seal INTEGER);
"""


def write_version_5(path: Path, gallery: Gallery) -> None:
    """Write a project as the fifth version did: it held nothing of verdicts."""
    write_version_6(path, gallery)
    with _made_older(path, 5) as connection:
        for table in ("calibration", "answer", "probe", "faceless"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("DELETE FROM setting WHERE name = 'share'")


def write_version_4(path: Path, gallery: Gallery) -> None:
    """Write a project as the fourth version did: one kind of space, and nothing waited in it."""
    write_version_5(path, gallery)
    with _made_older(path, 4) as connection:
        for table in ("discriminant", "axis", "compared", "unused", "finding"):
            connection.execute(f"DROP TABLE {table}")


def write_version_3(path: Path, gallery: Gallery) -> None:
    """Write a project as the third version did: it did not know which crops were fitted to."""
    write_version_4(path, gallery)
    with _made_older(path, 3) as connection:
        connection.execute("DROP TABLE fitted")
        connection.execute("CREATE TABLE fitted (key TEXT PRIMARY KEY, seal INTEGER)")
        keys = gallery.training.keys if gallery.training else ()
        for key in keys:
            insert(connection, "fitted", key)


def write_version_2(path: Path, gallery: Gallery) -> None:
    """Write a project as the second version of this program did: no runs, nothing dropped."""
    write_version_3(path, gallery)
    with _made_older(path, 2) as connection:
        connection.execute("DROP TABLE run")
        ask = "SELECT value FROM setting WHERE name = 'recipe'"
        recipe = json.loads(connection.execute(ask).fetchone()[0])
        del recipe["dropped"]
        row = sealed("recipe", json.dumps(recipe))
        connection.execute(
            "UPDATE setting SET value = ?, seal = ? WHERE name = ?", (*row[1:], row[0])
        )
        ask = "SELECT * FROM space"
        for _, _, *values, _ in connection.execute(ask).fetchall():
            row = sealed(1, json.dumps(recipe), *values)
            connection.execute("UPDATE space SET recipe = ?, seal = ?", (row[1], row[-1]))


def write_version(version: int, path: Path, gallery: Gallery) -> None:
    if version == 1:
        write_version_1(path, gallery, remove_photo_mean=False)
    else:
        older = {
            2: write_version_2,
            3: write_version_3,
            4: write_version_4,
            5: write_version_5,
            6: write_version_6,
            7: write_version_7,
            8: write_version_8,
            9: write_version_9,
        }
        older[version](path, gallery)
