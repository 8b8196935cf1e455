"""Evaluations kept in a project file, as rows of its `tables`: their records are JSON, packed."""

from __future__ import annotations

import sqlite3
import zlib

from eigenfaces.errors import ProjectError
from eigenfaces.project.tables import insert, is_sound

MOST_TEXT = 64_000_000
"""Bytes of the record of an evaluation: a few megabytes could be unpacked to gigabytes."""

_TOO_LARGE = (
    "This evaluation has too many scores to be kept in a project. Write a report of it: its JSON "
    "file holds them all."
)

Run = tuple[int, str, str]
"""Id, when it was made (ISO 8601), and name of an evaluation that is kept."""


DAMAGED_RUN = "Damaged evaluation"
"""What an evaluation is called that is not what was kept: it can only be thrown away."""


def list_runs(connection: sqlite3.Connection) -> list[Run]:
    """Return the stored evaluations, in the order in which they were made."""
    listed = connection.execute("SELECT * FROM run ORDER BY id")
    return [
        (row[0], row[1], row[2]) if is_sound("run", row) else (row[0], "", DAMAGED_RUN)
        for row in listed
    ]


def packed(record: str) -> bytes:
    """Return the record of an evaluation, as JSON, as it is kept; refuse one too large."""
    text = record.encode()
    if len(text) > MOST_TEXT:
        raise ProjectError(_TOO_LARGE)
    return zlib.compress(text)


def write_run(connection: sqlite3.Connection, made: str, name: str, record: bytes) -> int:
    """Store an evaluation, its record packed; return its id."""
    taken = connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()[0]
    insert(connection, "run", [(taken + 1, made, name, record)])
    return int(taken + 1)


def read_run(connection: sqlite3.Connection, number: int) -> str:
    """Return the record of an evaluation, JSON; raise `ProjectError` if it is damaged."""
    found = connection.execute("SELECT * FROM run WHERE id = ?", (number,)).fetchone()
    if found is None:
        raise ProjectError("This evaluation is no longer in the project.")
    if is_sound("run", found):
        unpacked = zlib.decompressobj()
        try:
            text = unpacked.decompress(found[3], MOST_TEXT).decode()
        except (zlib.error, UnicodeError):
            text = ""
        if text and unpacked.eof:
            return text
    raise ProjectError("This evaluation is damaged in the project file. Run it again.")


def copy_runs(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy all evaluations into tables that have none."""
    rows = source.execute("SELECT * FROM run").fetchall()
    target.executemany("INSERT INTO run VALUES (?, ?, ?, ?, ?)", rows)
