"""Arrays in the tables of a project file: written as they are, and checked when they are read."""

from __future__ import annotations

import contextlib
import sqlite3
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, ProjectError
from eigenfaces.project.tables import insert, row_of
from eigenfaces.space.arrays import Floats, Numbers
from eigenfaces.space.arrays.filed_rows import in_file

_POSITIONS = 256
"""How many photographs share a block of coordinates."""


_DAMAGE = (ValueError, TypeError, KeyError, OverflowError, RecursionError, struct.error)
"""What reading damaged content raises. Anything else is a fault of the program."""


def expect(fits: bool, what: str) -> None:
    """Raise `ValueError`, which says what is wrong, unless it fits."""
    if not fits:
        raise ValueError(what)


@contextlib.contextmanager
def of_this_program() -> Iterator[None]:
    """Turn what goes wrong with damaged content into a `ValueError` that says what is wrong."""
    try:
        yield
    except ProjectError:
        raise
    except (*_DAMAGE, EigenfacesError) as error:
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


def load_arrays(connection: sqlite3.Connection, table: str, count: int, size: int) -> Floats:
    """Read a table of so many arrays, numbered from 0, large ones into a file: (count, size)."""
    arrays = np.empty((count, size), np.float32)
    for number in range(count):
        arrays[number] = _array_of(connection, table, number, size)
    return in_file(arrays)


def load_blocks(
    connection: sqlite3.Connection, table: str, positions: Numbers, size: int
) -> Floats:
    """Read the arrays at some positions, rising numbers (n,), from a table of blocks: (n, size)."""
    arrays = np.empty((len(positions), size), np.float32)
    for block, start, stop in _blocks(positions):
        held = _array_of(connection, table, block, _POSITIONS * size).reshape(-1, size)
        first, last = (
            positions[start] - block * _POSITIONS,
            positions[stop - 1] - block * _POSITIONS,
        )
        if last - first == stop - 1 - start:  # none is free in between
            arrays[start:stop] = held[first : last + 1]
        else:
            arrays[start:stop] = held[positions[start:stop] - block * _POSITIONS]
    return arrays


def write_blocks(
    connection: sqlite3.Connection, table: str, arrays: Floats, positions: Numbers, stale: Numbers
) -> None:
    """Write the arrays (n, k) at some positions, as far as their blocks hold stale positions."""
    unwritten = {*(stale // _POSITIONS).tolist()}
    for block, start, stop in _blocks(positions):
        if block in unwritten:
            held = np.zeros((_POSITIONS, arrays.shape[1]), np.float32)
            held[positions[start:stop] - block * _POSITIONS] = arrays[start:stop]
            insert(connection, table, [(block, blob(held))], instead=True)
            unwritten.discard(block)
    gone = [(block,) for block in unwritten]
    connection.executemany(f"DELETE FROM {table} WHERE block = ?", gone)


def _blocks(positions: Numbers) -> Iterator[tuple[int, int, int]]:
    """Yield the number of each block that holds some of these positions, and which of them."""
    blocks = positions // _POSITIONS
    starts = np.flatnonzero(np.diff(blocks, prepend=-1))  # they rise: no need to sort them
    ends = np.append(starts, len(positions)).tolist()
    yield from zip(blocks[starts].tolist(), ends[:-1], ends[1:], strict=True)


def _array_of(connection: sqlite3.Connection, table: str, number: int, size: int) -> Floats:
    found = row_of(connection, table, number)
    expect(found is not None and len(found[1]) == 4 * size, "a part of the face space is missing")
    assert found is not None
    return array(found[1], "<f4", size)
