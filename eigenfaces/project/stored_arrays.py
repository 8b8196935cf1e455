"""Arrays in the tables of a project file: written as they are, and checked when they are read."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Floats
from eigenfaces.errors import EigenfacesError
from eigenfaces.project.tables import rows


def expect(fits: bool, what: str) -> None:
    """Raise `ValueError`, which says what is wrong, unless it fits."""
    if not fits:
        raise ValueError(what)


@contextlib.contextmanager
def of_this_program() -> Iterator[None]:
    """Turn what goes wrong with damaged content into a `ValueError` that says what is wrong."""
    try:
        yield
    except (MemoryError, sqlite3.Error):
        raise
    except Exception as error:  # what is in a damaged file can raise almost anything
        told = isinstance(error, ValueError | EigenfacesError)
        why = str(error).rstrip(".") if told else "its content does not fit together"
        raise ValueError(why) from error


def blob(array: Floats) -> bytes:
    """Return float32 numbers as bytes."""
    return np.ascontiguousarray(array, "<f4").tobytes()


def array(content: bytes, kind: str, size: int) -> NDArray[Any]:
    """Return the ``size`` numbers of a blob; raise where one is not finite."""
    numbers = np.frombuffer(content, kind) if content else np.empty(0, kind)
    numbers = numbers.reshape(size)
    expect(kind == "u1" or bool(np.isfinite(numbers).all()), "a number is missing")
    return numbers


def load_arrays(
    connection: sqlite3.Connection, table: str, keys: Sequence[int | str], size: int
) -> Floats:
    """Read a table of one array for each key, in the order of the keys: (n, size)."""
    expect_blobs(connection, table, "value", 4 * size * len(keys))
    places = {key: place for place, key in enumerate(keys)}
    arrays = np.empty((len(keys), size), np.float32)
    for key, value in rows(connection, table):
        arrays[places.pop(key)] = array(value, "<f4", size)
    expect(not places, "a part of the face space is missing")
    return arrays


def expect_blobs(connection: sqlite3.Connection, table: str, column: str, size: int) -> None:
    """Raise, before memory is taken, where a column has not the total size that it should have."""
    held = connection.execute(f"SELECT coalesce(sum(length({column})), 0) FROM {table}").fetchone()
    expect(held[0] == size, "its arrays have not the size that they should have")
