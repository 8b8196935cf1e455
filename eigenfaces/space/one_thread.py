"""One thread for the linear algebra, for as long as something is measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import threadpool_limits


class _OneThread:
    """How many are inside, and what gives the other threads back when the last has left."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limits: threadpool_limits | None = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        import scipy.linalg  # noqa: F401  # its own BLAS; what is loaded later is not limited
        from threadpoolctl import threadpool_limits

        with self._lock:
            self._limits = self._limits or threadpool_limits(1, "blas")
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._limits and not self._inside:
                    self._limits.restore_original_limits()
                    self._limits = None


one_thread = _OneThread()
"""A context in which BLAS computes in one thread, in all of the program; several may overlap.

On many small matrices several wait for each other: on busy cores several times as long as one
computes.
"""
