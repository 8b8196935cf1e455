"""The folds of an evaluation by joblib: over processes here, or over the workers of a Dask cluster.

Threads would not do: BLAS has one number of threads for the whole program, and much of a fold
holds Python's lock. Each process computes in one thread.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Thread
from typing import Any, TypeVar

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.protocols import Fold

T = TypeVar("T")
Sharing = Mapping[str, Any]
"""Arguments of `joblib.parallel_config`."""

_LOOK = 0.1
"""Seconds between two looks whether somebody wants to stop."""


@contextmanager
def shared_out(
    folds: Sequence[Fold], features: int, cluster: str | None = None
) -> Iterator[Sharing | None]:
    """Yield how `each_of` is to share out folds of faces with so many features.

    Processes are begun here; where there is no room for two, None is yielded. Or those of a Dask
    ``cluster`` are used, by the address of its scheduler; raises `EigenfacesError` if none answers.
    """
    if cluster is not None:
        with _client(cluster):
            yield {"backend": "dask"}
        return
    import psutil
    from joblib import cpu_count
    from joblib.externals.loky import get_reusable_executor

    most = max(len(fold.train) for fold in folds)
    each = 12 * most**2 + 4 * most * features + 150_000_000  # bytes
    jobs = min(cpu_count(), len(folds), psutil.virtual_memory().available // each)
    # For the features, which should leave as much room as they take; /tmp may lie in memory.
    folder, on_disk = tempfile.gettempdir(), "/var/tmp"
    folder = on_disk if folder == "/tmp" and os.access(on_disk, os.W_OK) else folder
    if jobs < 2 or 2 * 4 * most * features > shutil.disk_usage(folder).free:
        yield None
        return
    try:
        yield {"backend": "loky", "n_jobs": jobs, "inner_max_num_threads": 1} | {
            "initializer": _begin,
            "temp_folder": folder,
        }
    finally:
        get_reusable_executor().shutdown(kill_workers=True)


def _begin() -> None:
    """Begin a process: it ignores Ctrl-C, and does not outlive the one that began it."""

    def follow(parent: int) -> None:
        import psutil

        while os.getppid() == parent and psutil.pid_exists(parent):
            time.sleep(_LOOK)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=follow, args=(os.getppid(),), daemon=True).start()


def _client(address: str) -> Any:
    """Return what connects joblib with the scheduler at an address, as a context."""
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise EigenfacesError(
            "A Dask cluster needs a part of the program that is not installed: install "
            "“eigenfaces[dask]”."
        ) from None
    try:  # first without a client: one that was never connected leaves a thread
        socket.create_connection(get_address_host_port(address, strict=True), 10).close()
        client = Client(address, timeout=10)
        client.wait_for_workers(1, timeout=10)
    except (OSError, ValueError, TypeError):
        raise EigenfacesError(
            f"No Dask scheduler with workers answers at “{address}”. Start one with “dask "
            "scheduler”, and workers with “dask worker”; or correct the address."
        ) from None
    return client


def each_of(
    work: Callable[[Any, Any], T],
    value: object,
    items: Iterable[object],
    sharing: Sharing,
    tick: Tick = no_tick,
) -> Iterator[T]:
    """Yield what a function of a module returns for a value and each item, in order.

    ``tick`` is called here with how many are done, some times a second while others work; what it
    raises ends them. Raises `EigenfacesError` where one of them is ended from outside.
    """
    from joblib import Parallel, delayed, parallel_config

    asked = list(items)
    scattered = {"scatter": [value]} if sharing["backend"] == "dask" else {}
    with parallel_config(**sharing, **scattered):
        parallel = Parallel(return_as="generator")
    # joblib waits for a result without an end: in a thread, while `tick` is called here. To leave
    # `parallel` early ends the processes, and so the waiting.
    with ThreadPoolExecutor(1) as waiting, parallel:
        results = parallel(delayed(work)(value, item) for item in asked)
        for done in range(len(asked)):
            coming = waiting.submit(next, results)
            while not coming.done():
                tick(done, len(asked))
                wait([coming], _LOOK)
            error = coming.exception()
            lost = isinstance(error, BrokenProcessPool | CancelledError)
            if lost or type(error).__name__ == "KilledWorker":  # Dask's
                raise EigenfacesError(
                    "What measured some of the folds was ended from outside, perhaps because there "
                    "was not enough memory. Close other programs, or measure fewer photographs."
                )
            yield coming.result()
