"""The tables of a project file: columns, types, and a checksum (the seal) in every row.

Schema, version 6 (``application_id`` 0x45464143; the version is the lowest byte of
``user_version``, see `sqlite_file`). Arrays are little-endian; every row ends with ``seal``, the
CRC-32 of its other values, so that damage is noticed.

========== =====================================================================================
setting    ``preparation``, ``recipe`` and ``share`` (of strangers named at most), as JSON
person     id, name
photo      key (SHA-256 of the file), position in the gallery, path, person, excluded, height, width
face       of a photo: the crop, h · w bytes, 8-bit grey levels
placement  of a photo that is more than its face: turned, source, and the eyes or nothing
space      at most one row: the face space without its components, and the recipe it was fitted with
component  of the face space: number and d float32 values
fitted     what the face space was fitted to: keys of photos, and the SHA-256 of their crops then
coordinate of a photo: its k float32 coordinates
discriminant at most one row: what a recipe compares in that is no face space, without its axes
axis       of it: number and f float32 values
compared   of a photo: its float32 coordinates there, and those of its mirror image
run        an evaluation: id, when it was made, name, and its record (JSON, zlib)
unused     photographs of imports that are not in the gallery: position, path, person, kind, reason
finding    faces found in a file: its SHA-256, turned, what has searched, and the faces (JSON)
calibration the arrays of one: name, shape (JSON) and numbers, and what it was made from as “basis”
answer     to a verdict: key of the probe, what was said, who it is, who not (JSON), and the crop of
           a stranger
probe      a face to recognise: key, position, where it lies, its crop, and what there was to say
faceless   photographs to recognise in which no face was found: path
========== =====================================================================================

Version 1 had no ``placement``: every photograph was a face already. Version 2 had no ``run``;
version 3 did not say which crops a face space was fitted to; version 4 held no other space, no
``unused`` and no ``finding``; version 5 no ``share`` and nothing of verdicts.

A project file may come from anybody: nothing in it is used before `check_tables` has checked that
it has only these tables, and no view, trigger or index that would run when they are read.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from types import NoneType, UnionType
from typing import Any

VERSION = 6

Value = str | bytes | int | float | None

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
CREATE TABLE fitted (key TEXT PRIMARY KEY, crop TEXT NOT NULL, seal INTEGER);
CREATE TABLE coordinate (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    value BLOB NOT NULL, seal INTEGER);
CREATE TABLE discriminant (id INTEGER PRIMARY KEY CHECK (id = 1), mean BLOB NOT NULL,
    scale BLOB NOT NULL, variances BLOB NOT NULL, seal INTEGER);
CREATE TABLE axis (number INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
CREATE TABLE compared (photo TEXT PRIMARY KEY REFERENCES photo (key) ON DELETE CASCADE,
    value BLOB NOT NULL, seal INTEGER);
CREATE TABLE run (id INTEGER PRIMARY KEY, made TEXT NOT NULL, name TEXT NOT NULL,
    record BLOB NOT NULL, seal INTEGER);
CREATE TABLE unused (position INTEGER PRIMARY KEY, path NOT NULL, person TEXT, kind TEXT NOT NULL,
    reason TEXT NOT NULL, seal INTEGER);
CREATE TABLE finding (photo TEXT NOT NULL, turned INTEGER NOT NULL, search TEXT NOT NULL,
    faces TEXT NOT NULL, seal INTEGER, PRIMARY KEY (photo, turned));
CREATE TABLE calibration (name TEXT PRIMARY KEY, shape TEXT NOT NULL, value BLOB NOT NULL,
    seal INTEGER);
CREATE TABLE answer (probe TEXT PRIMARY KEY, said TEXT NOT NULL, person TEXT, never TEXT NOT NULL,
    crop BLOB NOT NULL, seal INTEGER);
CREATE TABLE probe (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL, person TEXT,
    height INTEGER NOT NULL, width INTEGER NOT NULL, turned INTEGER NOT NULL, source TEXT NOT NULL,
    left_x REAL, left_y REAL, right_x REAL, right_y REAL, crop BLOB NOT NULL,
    number INTEGER NOT NULL, faces INTEGER NOT NULL, concerns TEXT NOT NULL, cut TEXT NOT NULL,
    seal INTEGER);
CREATE TABLE faceless (path PRIMARY KEY, seal INTEGER);
"""

_FITTED_BEFORE_4 = "CREATE TABLE fitted (key TEXT PRIMARY KEY, seal INTEGER)"

_SINCE = {
    "placement": 2,
    "run": 3,
    **dict.fromkeys(("discriminant", "axis", "compared", "unused", "finding"), 5),
    **dict.fromkeys(("calibration", "answer", "probe", "faceless"), 6),
}
"""Versions that added a table."""

_TYPES: dict[str, tuple[type | UnionType, ...]] = {
    "setting": (str, str),
    "person": (int, str),
    "photo": (str, int, str | bytes, int | None, int, int, int),
    "face": (str, bytes),
    "placement": (str, int, str, *(float | None,) * 4),
    "space": (int, str, int, int, int, float, bytes, bytes | NoneType, bytes),
    "component": (int, bytes),
    "fitted": (str, str),
    "coordinate": (str, bytes),
    "discriminant": (int, bytes, bytes, bytes),
    "axis": (int, bytes),
    "compared": (str, bytes),
    "run": (int, str, str, bytes),
    "unused": (int, str | bytes, str | NoneType, str, str),
    "finding": (str, int, str, str),
    "calibration": (str, str, bytes),
    "answer": (str, str, str | NoneType, str, bytes),
    "probe": (
        *(str, int, str | bytes, str | NoneType, int, int, int, str),
        *(*(float | None,) * 4, bytes, int, int, str, str),
    ),
    "faceless": (str | bytes,),
}
"""What each column holds, but for the seal; SQLite itself would take anything."""


def _statements(version: int) -> dict[str, str]:
    """Return the statement that makes each table of a version."""
    made = {}
    for statement in filter(str.strip, _SCHEMA.split(";")):
        table = statement.split()[2]
        if _SINCE.get(table, 1) <= version:
            made[table] = statement
    if version < 4:
        made["fitted"] = _FITTED_BEFORE_4
    return made


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty database; the caller has begun a transaction."""
    for statement in _statements(VERSION).values():
        connection.execute(statement)


def upgrade_tables(connection: sqlite3.Connection, version: int) -> None:
    """Add the tables that a version did not have; leave ``fitted`` empty, as it has changed."""
    old = _statements(version)
    for table, statement in _statements(VERSION).items():
        if table == "fitted":
            connection.execute("DROP TABLE fitted")
        if table == "fitted" or table not in old:
            connection.execute(statement)


def check_tables(connection: sqlite3.Connection, version: int) -> None:
    """Raise `ValueError` if there is anything but the tables of this version."""
    expected = {("table", name, _bare(sql)) for name, sql in _statements(version).items()}
    listed = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
        "LIMIT ?",
        (len(expected) + 1,),
    )
    if {(kind, name, _bare(sql)) for kind, name, sql in listed} != expected:
        raise ValueError("its tables are not those of a project")


def _bare(sql: object) -> str:
    return "".join(str(sql).split())


def _seal(values: Sequence[Value]) -> int:
    """Return the CRC-32 of the values of a row."""
    seal = 0
    for value in values:
        content = value if isinstance(value, bytes) else repr(value).encode()
        seal = zlib.crc32(content, zlib.crc32(b"%d:" % len(content), seal))
    return seal


def sealed(*values: Value) -> tuple[Value, ...]:
    """Return the values of a row with their seal."""
    return *values, _seal(values)


def is_sound(table: str, row: Sequence[Value]) -> bool:
    """Return whether a row has the right types, and the right seal."""
    *values, seal = row
    return all(map(isinstance, values, _TYPES[table])) and seal == _seal(values)


def rows(connection: sqlite3.Connection, table: str, order: str = "1") -> Iterator[list[Any]]:
    """Yield the rows of a table without their seals; types and seals are checked."""
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):
        if not is_sound(table, row):
            raise ValueError("its content does not fit its seals")
        yield [*row[:-1]]


def sealed_keys(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the rows of ``fitted`` before version 4: only keys."""
    for key, seal in connection.execute("SELECT * FROM fitted"):
        if not isinstance(key, str) or seal != _seal([key]):
            raise ValueError("its content does not fit its seals")
        yield key
