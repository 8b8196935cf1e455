"""Offscreen Qt, a home of its own, and nothing left running."""

import gc
import os
import shutil
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import numpy as np

# Before Qt and NumPy are imported anywhere: they read these once. Each worker has its own.
_HOME = Path(tempfile.mkdtemp(prefix="eigenfaces-tests-"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HOME"] = os.environ["USERPROFILE"] = str(_HOME)
for _name in ("CONFIG", "CACHE", "STATE", "DATA"):
    os.environ[f"XDG_{_name}_HOME"] = str(_HOME / _name.lower())
os.environ["APPDATA"] = os.environ["LOCALAPPDATA"] = str(_HOME)
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # Or every program that a test starts would compile all libraries anew.
    os.environ["PYTHONPYCACHEPREFIX"] = str(_HOME / "bytecode")
if "PYTEST_XDIST_WORKER" in os.environ:
    # The cores are busy with the other workers; OpenMP, in t-SNE, would wait for them in a loop.
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

_UNCHECKED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile(
    "quick",  # the same examples each time
    deadline=None,
    max_examples=30,
    derandomize=True,
    suppress_health_check=_UNCHECKED,
)
settings.register_profile(
    "explore",  # others each time: a failure says what it was by “@reproduce_failure”
    deadline=None,
    max_examples=300,
    print_blob=True,
    suppress_health_check=_UNCHECKED,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Fail where Python asks for another computer; the window imports no network module of Qt's."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        if arguments[0].type == socket.SOCK_DGRAM:  # so “distributed” learns its own address
            return
        host = arguments[1][0]
    else:
        return
    if host not in (None, "", "localhost", "127.0.0.1", "::1", socket.gethostname()):
        raise AssertionError(f"The program asks for another computer: {event} {host}")


sys.addaudithook(_refuse_network)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Share folders out among the cores; named files, and benchmarks, run here and at once."""
    folders = [path for path in map(Path, config.args) if path.is_dir()]
    return None if any(path.name != "benchmarks" for path in folders) else 0


def pytest_unconfigure() -> None:
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture
def rng() -> "np.random.Generator":
    import numpy as np  # how many threads it takes may be said by a folder's own conftest

    return np.random.default_rng(20240607)


@pytest.fixture(scope="module", autouse=True)
def modules_and_the_like_are_set_aside() -> None:
    """Let neither Python's collector nor `_timers` look again at all that is there to stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def garbage_is_collected_between_tests() -> Iterator[None]:
    """Let no job's thread delete what is left of a window: see `collect_garbage_from`."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a running timer or a window on the screen."""
    before = set(threading.enumerate())
    yield
    for thread in {*threading.enumerate()} - before:
        if thread.daemon:  # nothing waits for it, but it has to end
            thread.join(5)
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    assert not left, f"Threads left running: {left}"
    if "qapp" in request.fixturenames:
        assert not _windows(), f"Windows left open: {_windows()}"
        assert not _timers(), f"Timers left running: {_timers()}"


def _windows() -> list[str]:
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication

    if QApplication.instance() is None:
        return []
    # What was closed is only deleted when the event loop comes round.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [repr(window) for window in QApplication.topLevelWidgets() if window.isVisible()]


def _timers() -> list[str]:
    import shiboken6
    from PySide6.QtCore import QTimer

    timers = [thing for thing in gc.get_objects() if issubclass(type(thing), QTimer)]
    return [repr(timer) for timer in timers if shiboken6.isValid(timer) and timer.isActive()]
