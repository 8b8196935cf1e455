"""What is done to a sound project file to make it do harm: functions that change its tables."""

import json
import sqlite3
import zlib
from collections.abc import Callable

import numpy as np

Change = Callable[[sqlite3.Connection], object]

ENDLESS = "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)"


def array_with(name: str, kind: str, value: float) -> Change:
    """Put a number at the beginning of an array."""

    def change(connection: sqlite3.Connection) -> None:
        ask = "SELECT value FROM array WHERE name = ?"
        content = connection.execute(ask, (name,)).fetchone()[0]
        number = np.array([value], kind).tobytes()
        whole = (number + content[len(number) :], name)
        connection.execute("UPDATE array SET value = ? WHERE name = ?", whole)

    return change


def setting_with(name: str, **values: object) -> Change:
    """Change what a setting says; what is no JSON is written as Python writes it."""

    def change(connection: sqlite3.Connection) -> None:
        ask = "SELECT value FROM setting WHERE name = ?"
        content = json.loads(connection.execute(ask, (name,)).fetchone()[0]) | values
        text = json.dumps(content)
        connection.execute("UPDATE setting SET value = ? WHERE name = ?", (text, name))

    return change


def text_of(name: str, text: str) -> Change:
    return lambda connection: connection.execute(
        "UPDATE setting SET value = ? WHERE name = ?", (text, name)
    )


def array_of(name: str, numbers: object, kind: str = "<f8") -> Change:
    """Replace an array by another one."""
    part = np.array(numbers, kind)
    values = (json.dumps(part.shape), part.tobytes(), name)
    told = "UPDATE array SET shape = ?, value = ? WHERE name = ?"
    return lambda connection: connection.execute(told, values)


def coordinates_of(numbers: object) -> Change:
    """Replace the coordinates of every photograph."""
    content = np.array(numbers, "<f4").tobytes()
    return lambda connection: connection.execute("UPDATE coordinate SET shown = ?", (content,))


def record_of(content: bytes) -> Change:
    return lambda connection: connection.execute("UPDATE run SET record = ?", (content,))


def bomb(megabytes: int) -> bytes:
    """Pack blanks: the same flushed block again and again, as packing them all takes its time."""
    packer, blanks = zlib.compressobj(9), b" " * 1_000_000
    first, again = (packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + again * (megabytes - 1) + packer.flush()


def as_view(table: str) -> list[str]:
    """Put an endless view in the place of a table."""
    view = f"CREATE VIEW {table} AS {ENDLESS} SELECT x, x, x, x, x FROM endless"
    return [f"DROP TABLE {table}", view]


def remade(table: str, columns: str) -> list[str]:
    """Make a table with other columns, and the content that it had."""
    return [
        f"ALTER TABLE {table} RENAME TO old",
        f"CREATE TABLE {table} ({columns})",
        f"INSERT INTO {table} SELECT * FROM old",
        "DROP TABLE old",
    ]


def many_tables(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO sqlite_master VALUES ('table', ?, ?, 2, ?)",
        ((f"t{n}", f"t{n}", f"CREATE TABLE t{n} (a, b, c)") for n in range(100_000)),
    )
    connection.execute("COMMIT")
    connection.execute("PRAGMA writable_schema = OFF")


def many_photos(connection: sqlite3.Connection) -> None:
    """Promise faces that would fill any memory."""
    setting_with("preparation", height=512, width=512)(connection)
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO photo VALUES "
        "(?, ?, 'x', NULL, 9, 9, 0, 'found', NULL, NULL, NULL, NULL, 0, 'x')",
        ((f"key {number}", number + 9) for number in range(100_000)),
    )
    connection.execute("COMMIT")
