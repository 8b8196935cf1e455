"""Calls of one function for many things, on another executor: their results come in order."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from itertools import islice
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


class Workers(Executor):
    """Workers that keep values: what many calls need is sent once.

    They are called with functions of modules, and values that can be pickled.
    """

    @property
    @abstractmethod
    def threads(self) -> int:
        """How many calls they work on at once."""

    @abstractmethod
    def kept(self, value: T) -> T:
        """Return what stands for a value among the arguments of a call: it lies on a worker.

        Where that worker ends, the value comes to another one.
        """


def in_order(
    work: Callable[[S], T], things: Iterable[S], workers: Workers, *, each: int = 4
) -> Iterator[Future[T]]:
    """Yield, in order, what a function makes of things; each has ended when it is yielded.

    Parameters
    ----------
    work
        A function that can be pickled: it is sent once.
    things
        Asked for when their turn comes.
    workers
        Where it is called.
    each
        How many calls for each thread are under way: more are not begun before the first of them
        has been taken, so that few results wait.
    """
    kept, coming = workers.kept(work), iter(things)
    most = each * max(1, workers.threads)
    under_way: deque[Future[T]] = deque()
    try:
        while True:
            more = islice(coming, most - len(under_way))
            under_way.extend(workers.submit(_called, kept, one) for one in more)
            if not under_way:
                return
            under_way[0].exception()  # waits
            yield under_way.popleft()
    finally:
        for future in under_way:
            future.cancel()


def _called(work: Callable[[S], T], thing: S) -> T:
    return work(thing)
