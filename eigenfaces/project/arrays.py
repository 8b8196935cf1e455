"""Arrays of an open project: values made of them as blobs, and the crops.

A frozen value of numbers and arrays (a face space, a calibration) is stored as named arrays, to the
bit, whatever its fields are: a number, a text, an array of one type, or another such value. A field
that may be None is left out where it is; another value that may be None is worked out anew.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from math import prod
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces.face_set import Crops
from eigenfaces.photographs.decode import content_hash
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats, Numbers, ShortNumbers

T = TypeVar("T")

ROWS_AT_ONCE = 64

_PART = 1 << 24
"""Bytes of a blob: an array may be larger than what SQLite takes in one place."""

_KINDS: dict[Any, str] = {
    float: "<f8",
    int: "<i8",
    bool: "|b1",
    str: "|u1",
    tuple[int, ...]: "<i8",
    Floats: "<f4",
    Doubles: "<f8",
    Numbers: "<i8",
    ShortNumbers: "<i4",
    Flags: "|b1",
    Bytes: "|u1",
}
"""The numbers of a field as they are written."""


def expect(fits: bool, what: str) -> None:
    """Raise `ValueError`, which says what is wrong, unless it fits."""
    if not fits:
        raise ValueError(what)


def parts_of(value: object, within: str = "") -> dict[str, NDArray[Any]]:
    """Return the arrays of a value by name; those of a value in it as “field.array”."""
    parts: dict[str, NDArray[Any]] = {}
    for name, hint, _ in _stored_fields(type(value)):
        held = getattr(value, name)
        if is_dataclass(hint):
            parts |= parts_of(held, f"{within}{name}.")
        elif held is not None:
            numbers = np.frombuffer(held.encode(), np.uint8) if hint is str else held
            parts[within + name] = np.asarray(numbers, _KINDS[hint], order="C")
    return parts


def _stored_fields(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """Yield the name of each field that is stored, what it holds, and whether it may be None."""
    hints = get_type_hints(kind)
    for field in fields(cast(Any, kind)):
        hint = hints[field.name]
        optional = NoneType in get_args(hint)
        if optional:
            hint = next(each for each in get_args(hint) if each is not NoneType)
        if not (optional and is_dataclass(hint)):
            yield field.name, hint, optional


def write_value(connection: sqlite3.Connection, name: str, value: object | None) -> None:
    """Replace the value of a name (without a dot) by another one, or by nothing."""
    connection.execute("DELETE FROM array WHERE name BETWEEN ? AND ?", (f"{name}.", f"{name}/"))
    if value is None:
        return
    for part_name, array in parts_of(value, f"{name}.").items():
        shape, content = json.dumps(array.shape), array.reshape(-1).view(np.uint8)
        for part, start in enumerate(range(0, max(1, len(content)), _PART)):
            piece = content[start : start + _PART].tobytes()
            row = part_name, part, shape, piece, zlib.crc32(piece)
            connection.execute("INSERT INTO array VALUES (?, ?, ?, ?, ?)", row)


def read_value(connection: sqlite3.Connection, name: str, kind: type[T]) -> T | None:
    """Return the value of a name; None where there is none.

    Raises `ValueError` or `KeyError` where an array is missing, or is not what the value needs. Its
    numbers are not checked.
    """
    within = (f"{name}.", f"{name}/")
    known = connection.execute("SELECT 1 FROM array WHERE name BETWEEN ? AND ?", within).fetchone()
    return None if known is None else _value(connection, f"{name}.", kind)


def _value(connection: sqlite3.Connection, within: str, kind: type[T]) -> T:
    held: dict[str, Any] = {}
    for name, hint, optional in _stored_fields(kind):
        if is_dataclass(hint):
            held[name] = _value(connection, f"{within}{name}.", cast(type, hint))
            continue
        array = read_array(connection, within + name, _KINDS[hint])
        if array is None:
            expect(optional, "a part of what was computed is missing")
            held[name] = None
        elif hint is str:
            held[name] = array.tobytes().decode()
        elif hint == tuple[int, ...]:
            held[name] = tuple(array.reshape(-1).tolist())
        else:
            held[name] = array.item() if isinstance(hint, type) else array
    return kind(**held)


def read_array(connection: sqlite3.Connection, name: str, kind: str) -> NDArray[Any] | None:
    """Return an array; None where there is none. It is not larger than what the file holds."""
    ask = "SELECT min(shape), max(shape), sum(length(value)) FROM array WHERE name = ?"
    first, last, held = connection.execute(ask, (name,)).fetchone()
    if first is None:
        return None
    sizes = json.loads(first)
    expect(first == last and isinstance(sizes, list), "an array has no size")
    expect(all(type(size) is int and size >= 0 for size in sizes), "an array has no such size")
    expect(held == prod(sizes) * np.dtype(kind).itemsize, "a part of an array is missing")
    array = np.empty(sizes, kind)
    content, start = array.reshape(-1).view(np.uint8), 0
    ask = "SELECT value, crc FROM array WHERE name = ? ORDER BY part"
    for part, crc in connection.execute(ask, (name,)):
        expect(zlib.crc32(part) == crc, "a number in it is not what it was")
        content[start : start + len(part)] = np.frombuffer(part, np.uint8)
        start += len(part)
    return array


class CropStore:
    """The crops of an open project, of one size, each once: found by the SHA-256 of its levels.

    It holds all that were in the project since it was opened, for undo, and only grows.

    Parameters
    ----------
    size
        Pixels of a crop.
    room
        How many are expected.
    """

    def __init__(self, size: int, room: int = 0) -> None:
        self.size = size
        self._levels = np.empty((room, size), np.uint8)
        self._rows: dict[str, int] = {}

    def __contains__(self, crop: str) -> bool:
        return crop in self._rows

    def add(self, levels: Bytes) -> list[str]:
        """Add crops (m, size) that are not there yet; return the name of each."""
        names = [content_hash(crop.tobytes()) for crop in levels]
        new = {name: row for row, name in enumerate(names) if name not in self}
        held = len(self._rows)
        if held + len(new) > len(self._levels):  # with room for more, so that few are copied
            larger = np.empty((max(held + len(new), held * 5 // 4), self.size), np.uint8)
            larger[:held] = self._levels[:held]
            self._levels = larger
        self._levels[held : held + len(new)] = levels[[*new.values()]]
        self._rows |= {name: held + number for number, name in enumerate(new)}
        return names

    def crops(self, names: Iterable[str]) -> Crops:
        """Return crops that are there."""
        rows = np.array([self._rows[name] for name in names], np.intp)
        held = self._levels[: len(self._rows)]
        return Crops(held) if np.array_equal(rows, np.arange(len(held))) else Crops(held, rows)
