"""The folds of an evaluation by joblib: over processes here, or over the workers of a Dask cluster.

Threads would not do: BLAS has one number of threads for the whole program, and much of a fold
holds Python's lock. Each process computes in one thread.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import folder_on_disk, has_room
from eigenfaces.space.arrays import Bytes

S = TypeVar("S")


I = TypeVar("I")  # noqa: E741


T = TypeVar("T")


Sharing = Callable[[list[Bytes]], AbstractContextManager[Any]]
"""Returns joblib's configuration for calls that all have some arrays among their arguments."""


_PAYS = 5e6
"""Σ n² over folds fitted to n faces from which processes pay: some five seconds of work."""


_LOOK = 0.1
"""Seconds between two looks whether somebody wants to stop."""


_PATIENCE = 10
"""Seconds within which a scheduler has to answer."""


_APART = 1 << 20
"""Bytes from which an array is no part of a call: joblib maps it from a file, or sends it once."""


@contextmanager
def shared_out(
    folds: Sequence[Fold], features: int, cluster: str | None = None
) -> Iterator[Sharing | None]:
    """Yield how `each_of` is to share folds out; None where it takes them one after another, here.

    Parameters
    ----------
    features
        Numbers of each face.
    cluster
        The address of a Dask scheduler; None: processes here, if these pay.

    Raises
    ------
    EigenfacesError
        There is no Dask here, or none that answers.
    """
    if cluster is not None:
        with _cluster(cluster) as sharing:
            yield sharing
        return
    import psutil

    fitted = np.array([len(fold.train) for fold in folds], np.float64)
    most = float(fitted.max(initial=0))
    room = psutil.virtual_memory().available // (12 * most**2 + 4 * most * features + 1.5e8)
    jobs = int(min(_cores(), len(folds), room)) if (fitted**2).sum() > _PAYS else 1
    if jobs < 2:
        yield None
        return
    from joblib import parallel_config
    from joblib.externals.loky import get_reusable_executor

    try:
        yield lambda _: parallel_config(
            "loky",
            n_jobs=jobs,
            inner_max_num_threads=1,
            initializer=_begin,
            temp_folder=folder_on_disk(),
            max_nbytes=_APART,
        )
    finally:
        get_reusable_executor().shutdown(kill_workers=True)


@contextmanager
def _cluster(address: str) -> Iterator[Sharing]:
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise EigenfacesError(
            "A Dask cluster needs a part of the program that is not installed: install "
            "“eigenfaces[dask]”."
        ) from None
    from joblib import parallel_config

    for name in ("distributed", "distributed.client"):  # what matters is said here
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:  # first without a client: one that was never connected does not close quietly
        socket.create_connection(get_address_host_port(address, strict=True), _PATIENCE).close()
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError):
        raise EigenfacesError(
            f"No Dask scheduler answers at “{address}”. Start one with “dask scheduler”, and "
            "workers with “dask worker”; or correct the address."
        ) from None
    with client:
        if not client.ncores():
            raise EigenfacesError(
                f"The Dask scheduler at “{address}” has no workers. Start some with “dask worker”."
            )
        # In every worker's memory beforehand: none takes it along when it is lost.
        yield lambda arrays: parallel_config("dask", scatter=arrays)


def _begin() -> None:
    """Begin a process: it does not outlive the one that began it."""
    import psutil

    def follow(parent: int) -> None:
        while os.getppid() == parent and psutil.pid_exists(parent):
            time.sleep(_LOOK)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=follow, args=(os.getppid(),), daemon=True).start()


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each_of(
    work: Callable[[S, I], T],
    value: S,
    items: Iterable[I],
    tick: Tick = no_tick,
    sharing: Sharing | None = None,
) -> Iterator[T]:
    """Yield what a function returns for a value and each item, in order.

    Parameters
    ----------
    work
        A function of a module.
    tick
        Called here with how many are done: before each, and some times a second while others
        work. What it raises ends them.
    sharing
        What `shared_out` yields.
    """
    asked = list(items)
    if sharing is None:
        for done, item in enumerate(asked):
            tick(done, len(asked))
            yield work(value, item)
        return
    from joblib import Parallel, delayed

    tick(0, len(asked))
    packed, mark = _packed(value), uuid4().hex
    found: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
    with sharing(packed):
        parallel = Parallel(return_as="generator")
    thread = None
    try:
        with parallel:  # to leave it early ends the processes
            with _unheard():
                results = parallel(delayed(_unpacked)(work, item, mark, *packed) for item in asked)
            thread = Thread(target=_take, args=(results, found), daemon=True)
            thread.start()
            for done in range(len(asked)):
                came = None
                while came is None:
                    tick(done, len(asked))
                    with suppress(Empty):
                        came = found.get(timeout=_LOOK)
                yield _result(*came)
    finally:
        if thread is not None:
            thread.join()


def _take(results: Iterable[Any], found: SimpleQueue[tuple[Any, BaseException | None]]) -> None:
    """Take results as they come: joblib waits for each without an end."""
    try:
        for result in results:
            found.put((result, None))
    except BaseException as error:
        found.put((None, error))


def _result(result: Any, error: BaseException | None) -> Any:
    """Return a result, or raise what came instead."""
    lost = isinstance(error, BrokenProcessPool | CancelledError)
    if lost or type(error).__name__ == "KilledWorker":  # Dask's
        raise EigenfacesError(
            "What measured some of the folds was ended from outside, perhaps because there was "
            "not enough memory. Close other programs, or measure fewer photographs."
        ) from None
    if error is not None:
        raise error
    return result


@contextmanager
def _unheard() -> Iterator[None]:
    """Let threads and processes that begin inside never hear of Ctrl-C: this one ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _packed(value: object) -> list[Bytes]:
    """Return a value as bytes: pickled, and after it its large arrays."""
    large: list[memoryview] = []

    def keep(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < _APART:
            return True  # in the pickle
        large.append(raw)
        return False

    head = memoryview(pickle.dumps(value, 5, buffer_callback=keep))
    if not has_room(sum(each.nbytes for each in (head, *large))):
        raise EigenfacesError(
            f"There is no room to hand faces to the processes that measure. Free some space in "
            f"“{folder_on_disk()}”, and try again."
        )
    return [np.frombuffer(each, np.uint8) for each in (head, *large)]


_KEPT: dict[str, Any] = {}
"""The value that this process works on, and what it has computed of itself, by its mark."""


def _unpacked(work: Callable[[S, I], T], item: I, mark: str, head: Bytes, *large: Bytes) -> T:
    value = _KEPT.get(mark)
    if value is None:
        value = pickle.loads(head.data, buffers=large)
        _KEPT.clear()
        _KEPT[mark] = value
    return work(value, item)
