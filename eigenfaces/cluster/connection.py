"""A Dask cluster that somebody has started: whether it can be used, and calls on its workers.

Dask is imported only here, and only where a cluster is asked for.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from logging import CRITICAL, getLogger
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from eigenfaces.cluster.calls import Workers
from eigenfaces.errors import EigenfacesError

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

_SECONDS = 10
"""A scheduler answers within this time, and its workers come within the same again."""


class DaskWorkers(Workers):
    """The workers of a cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    @property
    def threads(self) -> int:
        """How many calls they work on at once: workers may come and go."""
        return sum(self._client.nthreads().values())

    def kept(self, value: T) -> T:
        """Return what stands for a value: the result of a call, which is made again if it is lost.

        It waits until the value has arrived, so that little is on its way at a time.
        """
        future = self._client.submit(_itself, value, pure=False)
        future.exception()
        return cast("T", future)

    def submit(self, function: Callable[..., T], /, *args: object, **named: object) -> Future[T]:
        """Call a function on one of the workers."""
        return cast("Future[T]", self._executor.submit(function, *args, **named))


def _itself(value: T) -> T:
    return value


@contextmanager
def workers_at(address: str | None) -> Iterator[Workers | None]:
    """Connect with the scheduler at an address like “192.168.0.7:8786”; None without an address.

    At the end, whatever it is, nothing of this is left on the cluster.

    Raises
    ------
    EigenfacesError
        Dask is not installed; nothing answers there, or something else; there are no workers, or
        they have another version of this program; or later: the cluster is lost.
    """
    if address is None:
        yield None
        return
    with _connected(address) as client:
        _check(client, address)
        from distributed import KilledWorker

        try:
            yield DaskWorkers(client)
        except (CancelledError, KilledWorker):
            raise EigenfacesError(
                f"The Dask cluster at {address} was lost: its scheduler or too many of its workers "
                "were ended, perhaps because there was not enough memory. Start them again, and "
                "then the same command."
            ) from None


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise EigenfacesError(
            "Dask is not installed, and --dask needs it. Install it with "
            "“pip install eigenfaces[dask]”."
        ) from None
    # A block of faces is as large as it should be: no warning of that.
    with _unlogged(), dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
        try:
            # It would wait for ever for somebody who listens and never answers.
            asyncio.run(asyncio.wait_for(_answer(address), _SECONDS))
            client = Client(address, timeout=_SECONDS, set_as_default=False)
        except Exception:  # whatever it takes an answer for that is none
            raise EigenfacesError(
                f"No Dask scheduler answers at “{address}”. Start one with “dask scheduler”: it "
                "says its address, like tcp://192.168.0.7:8786."
            ) from None
        try:
            yield client
        finally:
            client.close()


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep Dask's log away: what matters of it, an error says here in a sentence."""
    loggers = [getLogger(name) for name in ("distributed", "tornado")]
    before = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


async def _answer(address: str) -> None:
    """Raise some error if no scheduler answers at an address."""
    from distributed import Security, rpc

    known = Security().get_connection_args("client")
    async with rpc(address, connection_args=known) as asked:
        if (await asked.identity())["type"] != "Scheduler":
            raise ValueError(address)


def _check(client: Client, address: str) -> None:
    """Raise `EigenfacesError` if there are no workers, or another program is on one of them."""
    try:
        client.wait_for_workers(1, timeout=_SECONDS)
    except TimeoutError:
        raise EigenfacesError(
            f"The Dask scheduler at {address} has no workers. Start some with "
            f"“dask worker {address}”."
        ) from None
    here = _here()
    for worker, there in client.run(program, on_error="return").items():
        if not isinstance(there, dict):
            raise EigenfacesError(
                f"The worker {worker} does not have Eigenfaces, or has an earlier version. "
                f"Install Eigenfaces {version('eigenfaces')} wherever workers run."
            )
        for name, wanted in here.items():
            if there.get(name) != wanted:
                raise EigenfacesError(
                    f"The worker {worker} has {name} {there.get(name)}, and this machine has "
                    f"{name} {wanted}. Install the same everywhere: else results would differ."
                )


def _here() -> dict[str, str]:
    return program()


@cache
def program() -> dict[str, str]:
    """Return what results depend on: what this is, in which version."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "Eigenfaces": f"{version('eigenfaces')} ({_digest()})",
        **{name: version(name) for name in ("numpy", "scipy", "pillow", "dlib-bin", "distributed")},
    }


def _digest() -> str:
    """Return what tells the files of this program from those of another state of it."""
    root = Path(__file__).parents[1]
    sources = sorted(root.rglob("*.py"), key=lambda path: path.relative_to(root).as_posix())
    content = [path.read_bytes() for path in sources]
    digest = sha256((files("assets") / "faces.npz").read_bytes())
    for each in content:
        digest.update(each)
    return digest.hexdigest()[:8]
