"""The tables of a project file: columns, types, and a checksum (the seal) in every row.

Schema, version 1 (``application_id`` 0x45464143; the version is the lowest byte of
``user_version``, see `sqlite_file`). Arrays are little-endian; every row ends with ``seal``, a
CRC-32 of its other values, so that damage is noticed; only those of ``face`` do not need one.

========== =====================================================================================
setting    ``preparation``, ``recipe``, ``share`` (of strangers named at most) and ``photos`` (how
           many there are), as JSON
person     id, name
photo      key (SHA-256 of the file), position, path, person, excluded, height, width, the crop that
           is its face, and where that lies: turned, source, and the eyes, x and y of the left and
           of the right one (float64), or nothing. They stand in the order of their positions, of
           which some may be free
face       a crop: the SHA-256 of its levels, and these: h · w bytes, 8-bit grey
space      at most one row: the face space without its components, and the recipe it was fitted with
component  of the face space: number and d float32 values
fitted     what the face space was fitted to: keys of photos, and the SHA-256 of their crops then,
           as JSON, some thousands in a block
coordinate of the photos at 256 positions, a block: k float32 each, 0 where there is no photo
discriminant at most one row: what a recipe compares in that is no face space, without its axes
axis       of it: number and f float32 values
compared   of such a block: the float32 coordinates there
run        an evaluation: id, when it was made, name, and its record (JSON, zlib)
unused     photographs of imports that are not in the gallery: position, path, person, kind, reason,
           quarter turns by hand, and when they were read (ISO 8601, or nothing)
finding    faces found in a file: its SHA-256, turned, what has searched, and the faces (JSON)
calibration the arrays of one: name, shape (JSON) and numbers, and what it was made from as “basis”
answer     to a verdict: key of the probe, what was said, who it is, who not (JSON), the crop of a
           stranger, and whether the photo was in the gallery before, and as whom
probe      a face to recognise: key, position, where it lies, its crop, and what there was to say
faceless   photographs to recognise in which no face was found: path
========== =====================================================================================

A project file may come from anybody: nothing in it is used before `check_tables` has checked that
it has only these tables, and no view, trigger or index that would run when they are read.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from types import NoneType, UnionType
from typing import Any

VERSION = 1

Value = str | bytes | int | float | None

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal INTEGER);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, seal INTEGER);
CREATE TABLE photo (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL,
    person INTEGER REFERENCES person (id), excluded INTEGER NOT NULL,
    height INTEGER NOT NULL, width INTEGER NOT NULL, crop TEXT NOT NULL,
    turned INTEGER NOT NULL, source TEXT NOT NULL, eyes BLOB, seal INTEGER);
CREATE TABLE face (crop TEXT PRIMARY KEY, levels BLOB NOT NULL);
CREATE TABLE space (
    id INTEGER PRIMARY KEY CHECK (id = 1), recipe TEXT NOT NULL, height INTEGER NOT NULL,
    width INTEGER NOT NULL, count INTEGER NOT NULL, total_variance REAL NOT NULL,
    mean BLOB NOT NULL, scale BLOB, singular_values BLOB NOT NULL, seal INTEGER);
CREATE TABLE component (number INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
CREATE TABLE fitted (block INTEGER PRIMARY KEY, faces TEXT NOT NULL, seal INTEGER);
CREATE TABLE coordinate (block INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
CREATE TABLE discriminant (id INTEGER PRIMARY KEY CHECK (id = 1), mean BLOB NOT NULL,
    scale BLOB NOT NULL, variances BLOB NOT NULL, seal INTEGER);
CREATE TABLE axis (number INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
CREATE TABLE compared (block INTEGER PRIMARY KEY, value BLOB NOT NULL, seal INTEGER);
CREATE TABLE run (id INTEGER PRIMARY KEY, made TEXT NOT NULL, name TEXT NOT NULL,
    record BLOB NOT NULL, seal INTEGER);
CREATE TABLE unused (position INTEGER PRIMARY KEY, path NOT NULL, person TEXT, kind TEXT NOT NULL,
    reason TEXT NOT NULL, turned INTEGER NOT NULL, read TEXT NOT NULL, seal INTEGER);
CREATE TABLE finding (photo TEXT NOT NULL, turned INTEGER NOT NULL, search TEXT NOT NULL,
    faces TEXT NOT NULL, seal INTEGER, PRIMARY KEY (photo, turned));
CREATE TABLE calibration (name TEXT PRIMARY KEY, shape TEXT NOT NULL, value BLOB NOT NULL,
    seal INTEGER);
CREATE TABLE answer (probe TEXT PRIMARY KEY, said TEXT NOT NULL, person TEXT, never TEXT NOT NULL,
    crop BLOB NOT NULL, held INTEGER NOT NULL, before TEXT, seal INTEGER);
CREATE TABLE probe (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, path NOT NULL, person TEXT,
    height INTEGER NOT NULL, width INTEGER NOT NULL, turned INTEGER NOT NULL, source TEXT NOT NULL,
    eyes BLOB, crop BLOB NOT NULL, number INTEGER NOT NULL, faces INTEGER NOT NULL,
    concerns TEXT NOT NULL, cut TEXT NOT NULL, seal INTEGER);
CREATE TABLE faceless (path PRIMARY KEY, seal INTEGER);
"""

_TYPES: dict[str, tuple[type | UnionType, ...]] = {
    "setting": (str, str),
    "person": (int, str),
    "photo": (
        *(str, int, str | bytes, int | None, int, int, int),
        *(str, int, str, bytes | NoneType),
    ),
    "space": (int, str, int, int, int, float, bytes, bytes | NoneType, bytes),
    "component": (int, bytes),
    "fitted": (int, str),
    "coordinate": (int, bytes),
    "discriminant": (int, bytes, bytes, bytes),
    "axis": (int, bytes),
    "compared": (int, bytes),
    "run": (int, str, str, bytes),
    "unused": (int, str | bytes, str | NoneType, str, str, int, str),
    "finding": (str, int, str, str),
    "calibration": (str, str, bytes),
    "answer": (str, str, str | NoneType, str, bytes, int, str | NoneType),
    "probe": (
        *(str, int, str | bytes, str | NoneType, int, int),
        *(int, str, bytes | NoneType, bytes, int, int, str, str),
    ),
    "faceless": (str | bytes,),
}
"""What each column holds, but for the seal; SQLite itself would take anything."""

_STATEMENTS = {sql.split()[2]: sql for sql in filter(str.strip, _SCHEMA.split(";"))}
"""The statement that makes each table."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty database; the caller has begun a transaction."""
    for statement in _STATEMENTS.values():
        connection.execute(statement)


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise `ValueError` if there is anything but the tables of a project."""
    expected = {("table", name, _bare(sql)) for name, sql in _STATEMENTS.items()}
    listed = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
        "LIMIT ?",
        (len(expected) + 1,),
    )
    if {(kind, name, _bare(sql)) for kind, name, sql in listed} != expected:
        raise ValueError("its tables are not those of a project")


def is_large(connection: sqlite3.Connection) -> bool:
    """Return whether a file is so large that opening it does not look at every page."""
    return int(connection.execute("PRAGMA page_count").fetchone()[0]) > _FEW_PAGES


def check_pages(connection: sqlite3.Connection, size: int) -> None:
    """Raise `ValueError` if the pages of a file do not fit together, as far as they are read.

    In a small file all are looked at; in a large one, those of the tables that are read whole when
    it is opened. What is in the others is found by its number or its SHA-256, and checked then.
    ``size``: bytes of the file.
    """
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    if size % page:
        raise ValueError("its end is missing")
    tables = {*_STATEMENTS} - _READ_BY_NUMBER if is_large(connection) else {""}
    for table in tables:
        what = f"quick_check({table})" if table else "integrity_check(1)"
        if connection.execute(f"PRAGMA {what}").fetchone()[0] != "ok":
            raise ValueError("its pages do not fit together")


_READ_BY_NUMBER = {"face", "component", "axis", "coordinate", "compared"}

_FEW_PAGES = 10_000
"""Pages of a file that are all looked at when it is opened: 40 MB."""


def _bare(sql: object) -> str:
    return "".join(str(sql).split())


def _seal(values: Sequence[Value]) -> int:
    """Return the CRC-32 of the values of a row; of a blob its length and its own CRC-32 count."""
    told: tuple[object, ...] = tuple(values)
    if bytes in map(type, told):  # a blob may be very long, and its text four times as long
        told = tuple((len(v), zlib.crc32(v)) if isinstance(v, bytes) else v for v in values)
    return zlib.crc32(ascii(told).encode())


def sealed(*values: Value) -> tuple[Value, ...]:
    """Return the values of a row with their seal."""
    return *values, _seal(values)


def insert(
    connection: sqlite3.Connection,
    table: str,
    rows: Iterable[Sequence[Value]],
    *,
    instead: bool = False,
) -> None:
    """Write rows into a table, each with its seal; ``instead``: of those with the same key."""
    marks = ", ".join("?" * (len(_TYPES[table]) + 1))
    connection.executemany(
        f"INSERT {'OR REPLACE ' * instead}INTO {table} VALUES ({marks})",
        ((*row, _seal(row)) for row in rows),
    )


def is_sound(table: str, row: Sequence[Value]) -> bool:
    """Return whether a row has the right types, and the right seal."""
    values = tuple(row[:-1])
    return all(map(isinstance, values, _TYPES[table])) and row[-1] == _seal(values)


def rows(connection: sqlite3.Connection, table: str, order: str = "1") -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table without their seals; types and seals are checked."""
    types, right = _TYPES[table], set[tuple[type, ...]]()
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):
        values = row[:-1]
        kinds = tuple(map(type, values))
        if kinds not in right:
            _expect_sound(all(map(issubclass, kinds, types)))
            right.add(kinds)
        if row[-1] != _seal(values):
            _expect_sound(False)
        yield values


def _expect_sound(sound: bool) -> None:
    if not sound:
        raise ValueError("its content does not fit its seals")


def row_of(connection: sqlite3.Connection, table: str, number: int) -> tuple[Any, ...] | None:
    """Return the row with this number without its seal, checked; None where there is none."""
    found = connection.execute(f"SELECT * FROM {table} WHERE rowid = ?", (number,)).fetchone()
    _expect_sound(found is None or is_sound(table, found))
    return None if found is None else found[:-1]
