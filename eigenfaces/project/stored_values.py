"""Frozen values of numbers and arrays as named arrays, and back: to the bit, whatever their fields.

A field is a number, a text, an array of one type, or another such value; what has None as its
default is worked out anew, and not stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from typing import Any, TypeVar, cast, get_type_hints

import numpy as np
from numpy.typing import NDArray

from eigenfaces.project.stored_arrays import expect
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats, Numbers, ShortNumbers

T = TypeVar("T")
Parts = Mapping[str, NDArray[Any]]

_NUMBERS: dict[type, str] = {float: "<f8", int: "<i8", bool: "|b1"}

_ARRAYS: dict[Any, str] = {
    Floats: "<f4",
    Doubles: "<f8",
    Numbers: "<i8",
    ShortNumbers: "<i4",
    Flags: "|b1",
    Bytes: "|u1",
}


def parts_of(value: object, within: str = "") -> dict[str, NDArray[Any]]:
    """Return the arrays of a value by name; those of a value in it as “field.array”."""
    parts: dict[str, NDArray[Any]] = {}
    for field, hint in _fields(type(value)):
        held, name = getattr(value, field.name), within + field.name
        if is_dataclass(hint):
            parts |= parts_of(held, f"{name}.")
        elif hint is str:
            parts[name] = np.frombuffer(held.encode(), np.uint8)
        else:
            parts[name] = np.asarray(held, _kind(hint))
    return parts


def names_of(kind: type, within: str = "") -> frozenset[str]:
    """Return the names of the arrays that a value of a kind has."""
    names: set[str] = set()
    for field, hint in _fields(kind):
        name = within + field.name
        names |= names_of(cast(type, hint), f"{name}.") if is_dataclass(hint) else {name}
    return frozenset(names)


def read_part(kind: type, name: str, shape: object, content: bytes) -> NDArray[Any]:
    """Return the array of this name of a value; raise `ValueError` where it does not fit."""
    sizes = shape if isinstance(shape, list) else [-1]
    expect(all(type(size) is int and size >= 0 for size in sizes), "an array has no such size")
    first, _, rest = name.partition(".")
    hint = next(hint for field, hint in _fields(kind) if field.name == first)
    if rest:
        return read_part(hint, rest, shape, content)
    dtype = "u1" if hint is str else _kind(hint)
    held = np.frombuffer(content, dtype) if content else np.empty(0, dtype)
    return held.reshape(sizes)


def value_of(kind: type[T], parts: Parts, within: str = "") -> T:
    """Return the value of a kind that has these arrays."""
    held: dict[str, Any] = {}
    for field, hint in _fields(kind):
        name = within + field.name
        if is_dataclass(hint):
            held[field.name] = value_of(cast(type, hint), parts, f"{name}.")
        elif hint is str:
            held[field.name] = parts[name].tobytes().decode()
        elif hint in _NUMBERS:
            held[field.name] = parts[name].item()
        else:
            held[field.name] = parts[name]
    return kind(**held)


def _fields(kind: type) -> Iterator[tuple[Field[Any], Any]]:
    """Yield the fields that are stored, and what each holds."""
    hints = get_type_hints(kind)
    for field in fields(cast(Any, kind)):
        if field.default is not None:
            yield field, hints[field.name]


def _kind(hint: Any) -> str:
    """Return the numbers of an array, or of a number, as they are written: little-endian."""
    return _NUMBERS.get(hint) or _ARRAYS[hint]
