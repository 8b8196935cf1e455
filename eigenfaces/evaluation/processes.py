"""The folds of an evaluation over all cores: processes that share what is large in a file.

Threads would not do: eigenvectors and products release Python's lock, but a sum over several
threads of BLAS differs from that over one in its last digits, and BLAS has one number of threads
for the whole program. Each process here computes in one thread, as an evaluation does without them.
"""

from __future__ import annotations

import errno
import mmap
import os
import pickle
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any, BinaryIO, Generic, TypeVar

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.arrays.filed_rows import Filed, RowsFile, folder_on_disk

S = TypeVar("S")
T = TypeVar("T")

_LOOK = 0.1
"""Seconds between two looks whether somebody wants to stop."""

_NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}

_ALIGNED = 64
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Shelved(Generic[T]):
    """A value in a file: its arrays are mapped into the memory of every process, not copied.

    Crops that are in no array here are in none there: their rows are read when they are wanted.
    """

    path: Path

    @classmethod
    def of(cls, value: T, folder: Path) -> Shelved[T]:
        """Write a value into a new file of a folder."""
        pickler = _Pickler()
        pickler.dump(value)
        descriptor, name = tempfile.mkstemp(dir=folder)
        with os.fdopen(descriptor, "wb") as file:
            arrays = [_put(file, [array.raw()]) for array in pickler.arrays]
            crops = [_InFile.put(file, each) for each in pickler.crops]
            start = file.tell()
            pickle.dump((arrays, crops, pickler.head.getvalue()), file)
            file.write(start.to_bytes(8, "little"))
        return cls(Path(name))

    def value(self) -> T:
        """Return the value; its arrays are read-only."""
        return _taken_down(self.path)


class _Pickler(pickle.Pickler):
    """Leaves out arrays, and crops that are in no array: these are never all in memory."""

    def __init__(self) -> None:
        self.head, self.arrays, self.crops = BytesIO(), list[pickle.PickleBuffer](), list[Crops]()
        super().__init__(self.head, protocol=5, buffer_callback=self.arrays.append)

    def persistent_id(self, value: object) -> int | None:
        """Return which of the crops that are left out a value is; None for all else."""
        if not isinstance(value, Crops) or isinstance(value.source, np.ndarray):
            return None
        if value not in self.crops:
            self.crops.append(value)
        return self.crops.index(value)


class _Unpickler(pickle.Unpickler):
    def __init__(self, head: bytes, buffers: Iterable[memoryview], crops: Sequence[Crops]) -> None:
        super().__init__(BytesIO(head), buffers=buffers)
        self._crops = crops

    def persistent_load(self, which: int) -> Crops:
        """Return crops that were left out."""
        return self._crops[which]


@dataclass(frozen=True)
class _InFile:
    """Where crops, or what was computed from them, (n, d), begin in a file."""

    start: int
    shape: tuple[int, int]
    kind: np.dtype[Any]

    @classmethod
    def put(cls, file: BinaryIO, crops: Crops) -> _InFile:
        """Write them down, some rows after others."""
        pieces = (
            crops.stored(slice(start, start + _ROWS_AT_ONCE)).data
            for start in range(0, len(crops), _ROWS_AT_ONCE)
        )
        return cls(_put(file, pieces).start, crops.shape, crops.stored(slice(0)).dtype)

    def of(self, path: Path) -> Crops:
        """Return them, unread."""
        n, d = self.shape
        file = RowsFile(path.open("rb", buffering=0), d, self.kind, self.start)
        return Crops(Filed(file, np.arange(n)))


def _put(file: BinaryIO, pieces: Iterable[memoryview]) -> slice:
    """Write bytes where an array of them can begin, and return their place."""
    file.write(bytes(-file.tell() % _ALIGNED))
    start = file.tell()
    file.writelines(pieces)
    return slice(start, file.tell())


@lru_cache(maxsize=2)
def _taken_down(path: Path) -> Any:
    with path.open("rb") as file:
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    start = int.from_bytes(whole[-8:], "little")
    arrays, crops, head = pickle.loads(whole[start:-8])
    buffers = [whole[place] for place in arrays]
    return _Unpickler(head, buffers, [each.of(path) for each in crops]).load()


def _shelved(value: T, folder: Path) -> Shelved[T]:
    """Return `Shelved.of`; raise `EigenfacesError` where the disk has no room for it."""
    try:
        return Shelved.of(value, folder)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise EigenfacesError(
            f"There is no room to hand faces to the processes that measure ({error.strerror}). "
            f"Free some space in “{folder.parent}”, and try again."
        ) from None


class Processes(ProcessPoolExecutor):
    """Processes that compute in one thread each, and end with this one, however it ends."""

    def __init__(self, count: int) -> None:
        # Not forked: a window has threads.
        super().__init__(count, get_context("spawn"), initializer=_begin)
        self._folder = tempfile.TemporaryDirectory(prefix="eigenfaces-", dir=folder_on_disk())

    def shelve(self, value: T) -> Shelved[T]:
        """Return what stands for a value in a call: it is written once, for all calls."""
        return _shelved(value, Path(self._folder.name))

    def submit(self, function: Callable[..., T], /, *args: object, **named: object) -> Future[T]:
        """Call a function in one of the processes, which may begin here."""
        with _uninterrupted():  # Ctrl-C is for this process: it ends the others
            return super().submit(function, *args, **named)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:  # nobody wants the results
            for process in list((self._processes or {}).values()):
                process.terminate()
        self.shutdown(wait=True, cancel_futures=True)
        self._folder.cleanup()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the end; processes that begin inside never hear of it.

    It could leave the lock of a result held, and whoever ends the processes would wait for it.
    """
    stop, here = signal.getsignal(signal.SIGINT), current_thread() is main_thread()
    masks, came = hasattr(signal, "pthread_sigmask"), []
    if here and callable(stop):  # a mask alone is of one thread, and BLAS has others
        signal.signal(signal.SIGINT, lambda *said: came.append(said))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if here and callable(stop):
            signal.signal(signal.SIGINT, stop)
    if came and callable(stop):
        stop(*came[0])


def _begin() -> None:
    """Begin a process: it computes in one thread, and does not outlive the one that began it."""
    import scipy.linalg  # noqa: F401  # its own BLAS; what is loaded later is not limited
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threadpool_limits(1, "blas")
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def on_all_cores(
    seconds: float, most: int, each: float = 0.0
) -> AbstractContextManager[Processes | None]:
    """Return processes for some work; None inside where they would not pay.

    Parameters
    ----------
    seconds
        About how long it would take one.
    most
        Into how many parts it can be divided.
    each
        About how many bytes a process needs: there are not more than the memory has room for.
    """
    import psutil

    room = psutil.virtual_memory().available // (each + _BYTES)
    count = int(min(_cores(), most, room))
    return Processes(count) if seconds > _PAYS and count > 1 else nullcontext()


_PAYS = 6.0
"""Seconds of work from which processes pay: each takes a second or two to begin."""


_BYTES = 150_000_000
"""What a process takes by itself."""


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each_of(
    work: Callable[[S, int], T],
    value: S,
    count: int,
    tick: Tick = no_tick,
    executor: Processes | None = None,
    *,
    prepare: Callable[[S], object] | None = None,
) -> Iterator[T]:
    """Yield what a function returns for a value and each number below ``count``, in order.

    Parameters
    ----------
    work
        A function of a module.
    tick
        Called before each here; with processes some times a second, with how many are done.
    executor
        Where it is called; None: here.
    prepare
        Another function of a module, called once with the value where there are processes: it
        computes what the value keeps for all calls.
    """
    if executor is None:
        for number in range(count):
            tick(number, count)
            yield work(value, number)
        return
    tick(0, count)
    try:
        shelved = executor.shelve(value)
        if prepare is not None:
            ready = executor.submit(_prepared, prepare, shelved)
            (shelved,) = _in_order(deque([ready]), lambda *_: tick(0, count))
        futures = [executor.submit(_with_shelved, work, shelved, at) for at in range(count)]
        yield from _in_order(deque(futures), tick)
    except BrokenProcessPool:
        raise EigenfacesError(
            "A process that measured some of the folds was ended from outside, perhaps because "
            "there was not enough memory. Close other programs, or measure fewer photographs."
        ) from None


def _in_order(futures: deque[Future[T]], tick: Tick) -> Iterator[T]:
    """Yield results as their turn comes; what has been yielded is not kept."""
    looked, total = time.monotonic(), len(futures)
    while futures:
        is_done = False
        while not is_done:
            with _uninterrupted():
                is_done = not wait([futures[0]], _LOOK).not_done
                left = sum(not each.done() for each in futures) if _is_over(looked) else None
            if left is not None:  # however quickly one follows another
                tick(total - left, total)
                looked = time.monotonic()
        with _uninterrupted():
            result = futures.popleft().result()
        yield result


def _is_over(looked: float) -> bool:
    return time.monotonic() - looked >= _LOOK


def _prepared(prepare: Callable[[S], object], shelved: Shelved[S]) -> Shelved[S]:
    """Prepare a value, in the process where that is called, and return what stands for it then."""
    value = shelved.value()
    prepare(value)
    _taken_down.cache_clear()
    return _shelved(value, shelved.path.parent)


def _with_shelved(work: Callable[[S, int], T], shelved: Shelved[S], number: int) -> T:
    return work(shelved.value(), number)
