"""Threads: how many the linear algebra has, and what is imported before they begin.

BLAS takes all cores unless it is told otherwise, and its threads wait for each other in a loop. For
one large matrix that pays; for many small ones, or beside other processes, it costs more than it
gives. No result may depend on it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from threading import Lock
from typing import Any

IMPORTED_LATER = (
    "scipy.cluster.hierarchy",
    "scipy.ndimage",
    "scipy.spatial.distance",
    "scipy.special",
    "skimage.exposure",
    "skimage.transform",
)
"""Modules that functions import when they are first called, because that takes a second."""
_IMPORTING = Lock()


def import_before_threads() -> None:
    """Import what is imported later, before several threads do so at once.

    SciPy's modules import each other. Where two threads begin with different ones, each may have to
    wait for the other; Python then hands out a module that is half imported, and both fail.
    """
    with _IMPORTING:
        for name in IMPORTED_LATER:
            import_module(name)


def free_cores() -> int:
    """Return how many cores work may take: one is left to whoever sits there, if there are two."""
    return max(1, (os.cpu_count() or 2) - 1)


def limit_blas_threads() -> None:
    """Let BLAS have the free cores, in this process and those that it starts, unless told.

    Only for an entry point, before NumPy is loaded: the environment is read once.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(free_cores()))


_LOCK = Lock()
_WITHIN: list[tuple[ThreadPoolExecutor, Any]] = []  # the limit, as often as it is asked for now


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS have one thread: for many small matrices, or beside other processes or threads.

    Several threads may ask for it at once: the last to leave puts back what was before. As only the
    thread that has set a limit may lift it, that is a thread of its own.
    """
    from threadpoolctl import threadpool_limits

    with _LOCK:
        if _WITHIN:
            limit = _WITHIN[0]
        else:
            owner = ThreadPoolExecutor(1)
            limit = owner, owner.submit(threadpool_limits, 1, "blas").result()
        _WITHIN.append(limit)
    try:
        yield
    finally:
        with _LOCK:
            owner, limits = _WITHIN.pop()
            if not _WITHIN:
                owner.submit(limits.restore_original_limits).result()
                owner.shutdown()


@contextlib.contextmanager
def threads_on_free_cores() -> Iterator[None]:
    """Let BLAS and OpenMP have the free cores: for a process of its own, beside the window."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(free_cores()):
        yield
