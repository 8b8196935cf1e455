"""JSON of very many numbers, written in pieces: other threads, the window's above all, go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
