"""How many threads the linear algebra has. Here, and nowhere else, it is told so.

BLAS takes all cores unless it is told otherwise, and its threads wait for each other in a loop. For
one large matrix that pays; for many small ones, or beside other processes, it costs more than it
gives. No result may depend on it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


def free_cores() -> int:
    """Return how many cores work may take: one is left to whoever sits there, if there are two."""
    return max(1, (os.cpu_count() or 2) - 1)


def limit_blas_threads() -> None:
    """Let BLAS have the free cores, in this process and those that it starts, unless told.

    Only for an entry point, before NumPy is loaded: the environment is read once.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(free_cores()))


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS have one thread: for many small matrices, or beside other processes."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield


@contextlib.contextmanager
def threads_on_free_cores() -> Iterator[None]:
    """Let BLAS and OpenMP have the free cores: for a process of its own, beside the window."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(free_cores()):
        yield
