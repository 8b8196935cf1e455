"""The tables of a project file, version 1, and the check that a file has these and no others.

Arrays are little-endian. SQLite checks that a column holds what is stated here (``STRICT``, and
``CHECK``), and `check` makes it look at every row. What a column cannot state, `load` checks.

========== =====================================================================================
setting    ``preparation``, ``recipe``, ``share`` (of strangers named at most) and ``trained`` (the
           recipe of the last training), as JSON
photo      a photograph of the gallery: key (SHA-256 of the file), its place in the order of all,
           path, person, whether it is excluded, height, width, the crop that is its face, and where
           that lies: quarter turns, source, and the eyes, or nothing
face       a crop: the SHA-256 of its levels, and these: h · w bytes, 8-bit grey
fitted     what the face space was fitted to: the key of each photograph, and its crop then
array      of the face space, of what is compared where that is another, and of the calibration:
           its name, its shape (JSON) and its numbers, in parts of some megabytes with the CRC-32
           of each: damaged numbers would look like others
coordinate of a photograph: float32 in the face space, and in what is compared where that is
           another, and the CRC-32 of these
answer     to a verdict: key of the probe, what was said, who it is, who not (JSON), the crop of a
           stranger, and whether the photo was in the gallery before, and as whom
probe      a face to recognise: key, place, photograph, where it lies, its crop, its number among
           the faces of the photograph, and what there was to say
faceless   photographs to recognise in which no face was found
unused     photographs of imports that are not in the gallery, and why; when they were read
           (ISO 8601, or nothing)
finding    faces found in a file: its SHA-256, quarter turns, what has searched, the faces (JSON)
run        an evaluation: id, when it was made, name, and its record (JSON, zlib)
========== =====================================================================================
"""

from __future__ import annotations

import sqlite3
from typing import get_args, get_type_hints

from eigenfaces.errors import Fault
from eigenfaces.photographs.photos import Placement
from eigenfaces.recognition.gallery import Said

VERSION = 1

APPLICATION_ID = 0x45464143


def _one_of(column: str, values: tuple[object, ...]) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} TEXT NOT NULL CHECK ({column} IN ({listed}))"


_PATH = "path ANY NOT NULL CHECK (typeof(path) IN ('text', 'blob'))"
_TURNED = "turned INTEGER NOT NULL CHECK (turned BETWEEN 0 AND 3)"
_PHOTO = f"""key TEXT PRIMARY KEY, position INTEGER NOT NULL, {_PATH}, person TEXT,
    height INTEGER NOT NULL CHECK (height > 0), width INTEGER NOT NULL CHECK (width > 0), {_TURNED},
    {_one_of("source", get_args(get_type_hints(Placement)["source"]))},
    left_x REAL, left_y REAL, right_x REAL, right_y REAL"""

_TABLES = {
    "setting": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    "photo": f"{_PHOTO}, excluded INTEGER NOT NULL CHECK (excluded IN (0, 1)), crop TEXT NOT NULL",
    "face": "crop TEXT PRIMARY KEY, levels BLOB NOT NULL",
    "fitted": "photo TEXT NOT NULL, crop TEXT NOT NULL, PRIMARY KEY (photo, crop)",
    "array": """name TEXT NOT NULL, part INTEGER NOT NULL, shape TEXT NOT NULL, value BLOB NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (name, part)""",
    "coordinate": """photo TEXT PRIMARY KEY, shown BLOB NOT NULL, compared BLOB,
    crc INTEGER NOT NULL""",
    "answer": f"""probe TEXT PRIMARY KEY, {_one_of("said", get_args(Said))}, person TEXT,
    never TEXT NOT NULL, crop BLOB NOT NULL, held INTEGER NOT NULL CHECK (held IN (0, 1)),
    before TEXT""",
    "probe": f"""{_PHOTO}, crop BLOB NOT NULL, number INTEGER NOT NULL, faces INTEGER NOT NULL,
    concerns TEXT NOT NULL, cut TEXT NOT NULL, CHECK (number BETWEEN 1 AND faces)""",
    "faceless": _PATH.replace("NOT NULL", "PRIMARY KEY"),
    "unused": f"""position INTEGER PRIMARY KEY, {_PATH}, person TEXT,
    {_one_of("kind", get_args(Fault))}, reason TEXT NOT NULL, {_TURNED}, read TEXT NOT NULL""",
    "finding": f"""photo TEXT NOT NULL, {_TURNED}, search TEXT NOT NULL, faces TEXT NOT NULL,
    PRIMARY KEY (photo, turned)""",
    "run": "id INTEGER PRIMARY KEY, made TEXT NOT NULL, name TEXT NOT NULL, record BLOB NOT NULL",
}

STATEMENTS = {name: f"CREATE TABLE {name} ({rows}) STRICT" for name, rows in _TABLES.items()}
"""What makes each table."""


def create(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty database; the caller has begun a transaction."""
    for statement in STATEMENTS.values():
        connection.execute(statement)


def check(connection: sqlite3.Connection, size: int) -> None:
    """Raise `ValueError` where there is anything but sound tables of a project.

    That excludes views and triggers, which would run when a file is read; then all pages and rows
    are looked at. ``size``: bytes of the file.
    """
    listed = connection.execute(
        "SELECT sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) LIMIT ?",
        (len(STATEMENTS) + 1,),
    )
    if {sql for (sql,) in listed} != {*STATEMENTS.values()}:
        raise ValueError("its tables are not those of a project")
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    if size % page:
        raise ValueError("its end is missing")
    (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise ValueError("its content is not that of a project")
