"""Paths, and where faces lie, as columns of a project file, and back."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import cast, get_args, get_type_hints

from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.stored_arrays import expect
from eigenfaces.project.tables import Value

_SOURCES = get_args(get_type_hints(Placement)["source"])


def storable(path: Path) -> str | bytes:
    """Return a path as text, or as bytes where its name is no valid text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return str(path)


def placed(where: Placement) -> tuple[Value, ...]:
    """Return a placement as six columns: turned, source, and the eyes or nothing."""
    eyes = (None,) * 4 if where.eyes is None else (*where.eyes.left, *where.eyes.right)
    return where.turned, where.source, *eyes


def placement_of(turned: int, source: str, *places: float | None) -> Placement:
    """Return the placement of six columns; raise `ValueError` where there is no such place."""
    eyes = None
    if places != (None,) * 4:
        if not all(map(_is_number, places)):
            raise ValueError("a number is missing")
        eyes = Eyes(places[:2], places[2:])  # type: ignore[arg-type]
    expect(source in _SOURCES and 0 <= turned <= 3, "a face lies nowhere")
    return Placement(eyes, source, turned)  # type: ignore[arg-type]


def _is_number(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def number(value: float | None) -> float:
    """Return a number; raise `ValueError` where it is none."""
    expect(_is_number(value), "a number is missing")
    return cast(float, value)
