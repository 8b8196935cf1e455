"""Paths, and where faces lie, as columns of a project file, and back."""

from __future__ import annotations

import math
import os
import struct
from pathlib import Path
from typing import get_args, get_type_hints

from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.tables import Value

_SOURCES = get_args(get_type_hints(Placement)["source"])
_EYES = struct.Struct("<4d")


def storable(path: Path) -> str | bytes:
    """Return a path as text, or as bytes where its name is no valid text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return str(path)


def storable_text(text: str) -> str:
    r"""Return a sentence as valid text: bytes of a file name in it that are none as ``\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Paths:
    """Paths from columns: those of one folder have it in common, which is quicker to make."""

    def __init__(self) -> None:
        self._folders: dict[str, Path] = {}

    def of(self, stored: str | bytes) -> Path:
        """Return a path."""
        name = stored if isinstance(stored, str) else os.fsdecode(stored)
        folder, _, last = name.rpartition("/")
        if not folder:
            return Path(name)
        if folder not in self._folders:
            self._folders[folder] = Path(folder)
        return self._folders[folder] / last


def packed(where: Placement) -> tuple[Value, ...]:
    """Return a placement as three columns, the eyes, left and right, in one of them."""
    eyes = where.eyes
    places = None if eyes is None else _EYES.pack(*eyes.left, *eyes.right)
    return where.turned, where.source, places


def unpacked(turned: int, source: str, eyes: bytes | None) -> Placement:
    """Return the placement of three columns; raise an error where there is no such place."""
    if source not in _SOURCES or not 0 <= turned <= 3:
        raise ValueError("a face lies nowhere")
    if eyes is None:
        return Placement(None, source, turned)  # type: ignore[arg-type]
    left_x, left_y, right_x, right_y = _EYES.unpack(eyes)
    if not math.isfinite(left_x + left_y + right_x + right_y):
        raise ValueError("a number is missing")
    return Placement(Eyes((left_x, left_y), (right_x, right_y)), source, turned)  # type: ignore[arg-type]


def number(value: float | None) -> float:
    """Return a number; raise `ValueError` where it is none."""
    if value is None or not math.isfinite(value):
        raise ValueError("a number is missing")
    return value
