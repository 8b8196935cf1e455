"""Threads for the linear algebra: how many it uses, and which modules to import beforehand.

BLAS uses all cores by default, and its threads wait for each other in a busy loop. This pays off
for one large matrix. For many small matrices, or alongside other processes, it costs more than it
saves. No result may depend on the number of threads.
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
"""Modules that functions import only when first called, as importing them takes a second."""
_IMPORTING = Lock()


def import_before_threads() -> None:
    """Import the modules in `IMPORTED_LATER` before several threads do so at the same time.

    SciPy's modules import each other. If two threads start with different modules, each may have to
    wait for the other. Python then hands out a half-imported module, and both threads fail.
    """
    with _IMPORTING:
        for name in IMPORTED_LATER:
            import_module(name)


def free_cores() -> int:
    """Return the number of cores to use for long work: all but one, and never fewer than one."""
    return max(1, (os.cpu_count() or 2) - 1)


def limit_blas_threads() -> None:
    """Limit BLAS to the free cores in this process and its children, unless it is already limited.

    Call this at an entry point before NumPy is loaded: BLAS reads the environment only once.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(free_cores()))


_LOCK = Lock()
_WITHIN: list[tuple[ThreadPoolExecutor, Any]] = []  # the limit, once for each thread that needs it


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread, for many small matrices or alongside other threads or processes.

    Several threads may need this at the same time, and the last of them restores the earlier limit.
    Only the thread that set a limit can lift it, so a separate thread does both.
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
    """Limit BLAS and OpenMP to the free cores, in a process that runs alongside the window."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(free_cores()):
        yield
