"""JSON of very many numbers, written in pieces: other threads, the window's above all, go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np


def json_text(value: Any) -> str:
    """Return a value as JSON; numbers that are not finite are ``null``.

    As ``json.dumps`` writes it, which lets no other thread work until the last number is written.
    """
    text = "".join(_pieces(value, ascii_only=False))
    try:
        text.encode()
    except UnicodeEncodeError:  # the name of some file is no valid text
        return "".join(_pieces(value, ascii_only=True))
    return text


def _pieces(value: Any, *, ascii_only: bool) -> Iterator[str]:
    if isinstance(value, dict):
        for number, (name, each) in enumerate(value.items()):
            key = json.dumps(name, ensure_ascii=ascii_only)
            yield f"{', ' if number else '{'}{key}: "
            yield from _pieces(each, ascii_only=ascii_only)
        yield "}" if value else "{}"
    elif isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple | dict):
        for number, each in enumerate(value):
            yield ", " if number else "["
            yield from _pieces(each, ascii_only=ascii_only)
        yield "]"
    else:
        try:
            yield json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
        except (TypeError, ValueError):  # a number of NumPy's, or one that is not finite
            yield json.dumps(_finite(value), ensure_ascii=ascii_only, allow_nan=False)


def _finite(value: Any) -> Any:
    """Replace what JSON has no number for, in a value or a list of values."""
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
