"""JSON of very many numbers: written piece by piece, and read row by row.

So other threads, the window's above all, go on, and there is never a list of all the numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

_AT_ONCE = 1000
"""Numbers of a long array that make a piece."""


def json_text(value: Any) -> str:
    """Return a value as JSON; numbers that are not finite are ``null``, arrays lists of lists.

    What an iterator yields is a list, too.

    As ``json.dumps`` writes it, which lets no other thread work until the last number is written.
    """
    return "".join(json_pieces(value))


def json_pieces(value: Any) -> Iterator[str]:
    """Yield the same, piece after piece."""
    if isinstance(value, dict):
        for number, (name, each) in enumerate(value.items()):
            yield f"{', ' if number else '{'}{_written(name)}: "
            yield from json_pieces(each)
        yield "}" if value else "{}"
    elif isinstance(value, np.ndarray) and value.ndim == 1:
        for start in range(0, len(value), _AT_ONCE):
            yield ", " if start else "["
            yield _written(value[start : start + _AT_ONCE].tolist())[1:-1]
        yield "]" if len(value) else "[]"
    elif isinstance(value, Iterator) or _holds_more(value):
        before = "["
        for each in value:
            yield before
            yield from json_pieces(each)
            before = ", "
        yield "[]" if before == "[" else "]"
    else:
        yield _written(value)


def _holds_more(value: Any) -> bool:
    """Return whether a value holds lists, arrays or dictionaries: what is written one by one."""
    if isinstance(value, np.ndarray):
        return bool(value.ndim and len(value))
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and isinstance(value[0], list | tuple | dict | np.ndarray)
    )


def _written(value: Any) -> str:
    text = _dumped(value, ascii_only=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # the name of some file is no valid text
        return _dumped(value, ascii_only=True)
    return text


def _dumped(value: Any, *, ascii_only: bool) -> str:
    try:
        return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
    except (TypeError, ValueError):  # one of NumPy's, or a number that is not finite
        return json.dumps(_finite(value), ensure_ascii=ascii_only, allow_nan=False)


def _finite(value: Any) -> Any:
    """Replace what JSON has no number for, in a value or a list of values."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def read_json(text: str, where: tuple[str, ...], made: Callable[[Any], Any]) -> Any:
    """Return the value that JSON states; raise `ValueError` where it is none.

    Parameters
    ----------
    where
        The names that lead to a long list in objects.
    made
        What is made of each value in that list, as soon as it is read.
    """
    reader = _Reader(text, where, made)
    value, end = reader.value(reader.skip(0), ())
    if reader.skip(end) < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def _whole(digits: str) -> int:
    if len(digits) > 300:  # no other number could hold it
        raise ValueError("a number is too large")
    return int(digits)


_DECODER = json.JSONDecoder(parse_int=_whole)
_BLANKS = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True)
class _Reader:
    """Reads values that begin at a place in a text, and returns each with the place of its end."""

    text: str
    where: tuple[str, ...]
    made: Callable[[Any], Any]

    def value(self, at: int, path: tuple[str, ...]) -> tuple[Any, int]:
        first = self.text[at : at + 1]
        if first == "[" and path == self.where:
            return self._list(at)
        if first == "{" and path == self.where[: len(path)]:
            return self._object(at, path)
        return _DECODER.raw_decode(self.text, at)

    def _list(self, at: int) -> tuple[list[Any], int]:
        values, at = list[Any](), self.skip(at + 1)
        while not self.text.startswith("]", at):
            if values:
                at = self._past(",", at)
            value, at = _DECODER.raw_decode(self.text, at)
            values.append(self.made(value))
            at = self.skip(at)
        return values, at + 1

    def _object(self, at: int, path: tuple[str, ...]) -> tuple[dict[str, Any], int]:
        values, at = dict[str, Any](), self.skip(at + 1)
        while not self.text.startswith("}", at):
            if values:
                at = self._past(",", at)
            name, end = _DECODER.raw_decode(self.text, at)
            if not isinstance(name, str):
                raise json.JSONDecodeError("Expecting a name", self.text, at)
            values[name], at = self.value(self._past(":", self.skip(end)), (*path, name))
            at = self.skip(at)
        return values, at + 1

    def _past(self, sign: str, at: int) -> int:
        if not self.text.startswith(sign, at):
            raise json.JSONDecodeError(f"Expecting {sign!r}", self.text, at)
        return self.skip(at + 1)

    def skip(self, at: int) -> int:
        return _BLANKS.match(self.text, at).end()  # type: ignore[union-attr]
