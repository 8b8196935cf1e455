"""What dlib's frontal detector is made from.

dlib unpacks it in a third of a second, in which no other thread can go on. (A file of its own: a
process that does it imports nothing else.)
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from multiprocessing import get_context
from threading import Lock
from typing import Any


class Unpacking:
    """Where it is unpacked."""

    aside = False
    """In a process of its own: a window asks for that, so that it answers meanwhile."""


_ONCE = Lock()


def state() -> Any:
    """Return what a detector is made from, in 2 ms; it is unpacked once."""
    with _ONCE:
        return _kept()


@cache
def _kept() -> Any:
    if Unpacking.aside:
        with (
            suppress(OSError, BrokenProcessPool),  # no process can be begun: then here
            ProcessPoolExecutor(1, get_context("spawn")) as pool,
        ):
            return pool.submit(unpacked).result()
    return unpacked()


def unpacked() -> Any:
    """Unpack it here and now."""
    import dlib

    return dlib.get_frontal_face_detector().__getstate__()
