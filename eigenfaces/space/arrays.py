"""Arrays by what they hold: one name for each type; and arrays that rows are added to."""

from __future__ import annotations

from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Pixels and coordinates."""

Coordinates = NDArray[np.floating]
"""(n, k), in single or double precision."""

Doubles = NDArray[np.float64]
"""What is computed in double precision: variances, distances, figures."""

Numbers = NDArray[np.intp]
"""Rows, places and counts."""

ShortNumbers = NDArray[np.int32]
"""The same where there are millions of them."""

Flags = NDArray[np.bool_]

Bytes = NDArray[np.uint8]
"""Grey levels 0 … 255, and colours."""


Row = TypeVar("Row", bound=np.generic)

_SPARE = 16  # rows for which room is made at least, and a quarter of those that are there
_APPENDING = Lock()


class _Buffer(np.ndarray[Any, Any]):
    """Rows, of which the first ``used`` are seen by somebody; behind them is room for more."""

    used = 0


def append_rows(rows: NDArray[Row], more: NDArray[Row]) -> NDArray[Row]:
    """Return rows (n, …) and then more (m, …), read-only; those that are there are not copied.

    The result shares its memory with ``rows`` where there is room behind them that nobody has used
    yet: each array sees its own rows only, so neither can tell. Else all are copied once, with room
    for the next ones. So a gallery of 10,000 faces grows by one in no time.

    >>> first = append_rows(np.zeros((2, 3)), np.ones((1, 3)))
    >>> second, other = append_rows(first, np.ones((1, 3))), append_rows(first, np.zeros((1, 3)))
    >>> second[3], other[3], np.shares_memory(first, second), np.shares_memory(first, other)
    (array([1., 1., 1.]), array([0., 0., 0.]), True, False)
    """
    n, total = len(rows), len(rows) + len(more)
    with _APPENDING:
        buffer = _buffer_of(rows)
        if buffer is None or buffer.used != n or total > len(buffer):
            room = total + max(_SPARE, total // 4)
            buffer = _Buffer((room, *rows.shape[1:]), rows.dtype)
            buffer[:n] = rows
        buffer[n:total] = more
        buffer.used = total
    joined = buffer.view(np.ndarray)[:total]
    joined.setflags(write=False)
    return joined


def _buffer_of(rows: NDArray[Row]) -> _Buffer | None:
    """Return the buffer whose first rows these are, or None."""
    owner: Any = rows
    while getattr(owner, "base", None) is not None:
        owner = owner.base
    if not isinstance(owner, _Buffer) or rows.shape[1:] != owner.shape[1:]:
        return None
    from_its_start = rows.ctypes.data == owner.ctypes.data and rows.strides == owner.strides
    return owner if from_its_start else None
