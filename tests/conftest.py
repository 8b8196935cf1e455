"""Settings for all tests: offscreen Qt, a temporary home, no network, nothing left running."""

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

# Qt and NumPy read these once, so they are set before any import. Each worker has its own home.
_HOME = Path(tempfile.mkdtemp(prefix="eigenfaces-tests-"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HOME"] = os.environ["USERPROFILE"] = str(_HOME)
for _name in ("CONFIG", "CACHE", "STATE", "DATA"):
    os.environ[f"XDG_{_name}_HOME"] = str(_HOME / _name.lower())
os.environ["APPDATA"] = os.environ["LOCALAPPDATA"] = str(_HOME)
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # Otherwise every program that a test starts would compile all libraries again.
    os.environ["PYTHONPYCACHEPREFIX"] = str(_HOME / "bytecode")
if "PYTEST_XDIST_WORKER" in os.environ:
    # Other workers use the cores. In t-SNE, OpenMP would wait for them in a busy loop.
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
    "explore",  # new examples each time; a failure prints “@reproduce_failure” to repeat it
    deadline=None,
    max_examples=300,
    print_blob=True,
    suppress_health_check=_UNCHECKED,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Fail if Python contacts another computer. The window does not use Qt for that."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        if arguments[0].type == socket.SOCK_DGRAM:  # “distributed” finds its own address this way
            return
        host = arguments[1][0]
    else:
        return
    if host not in (None, "", "localhost", "127.0.0.1", "::1", socket.gethostname()):
        raise AssertionError(f"The program asks for another computer: {event} {host}")


sys.addaudithook(_refuse_network)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return None, for all cores, if folders are run, and 0 for named files and benchmarks."""
    folders = [path for path in map(Path, config.args) if path.is_dir()]
    return None if any(path.name != "benchmarks" for path in folders) else 0


def pytest_unconfigure() -> None:
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture
def rng() -> "np.random.Generator":
    import numpy as np  # a folder's own conftest may set the number of threads first

    return np.random.default_rng(20240607)


@pytest.fixture(scope="module", autouse=True)
def modules_and_the_like_are_set_aside() -> None:
    """Exclude permanent objects from Python's collector and from the search in `_timers`."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def garbage_is_collected_between_tests() -> Iterator[None]:
    """Keep the threads of jobs from deleting parts of a window: see `collect_garbage_from`."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a running timer or an open window."""
    before = set(threading.enumerate())
    yield
    for thread in {*threading.enumerate()} - before:
        if thread.daemon:  # Python does not wait for it at exit, but it has to end
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
    # The event loop deletes closed windows only later.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [repr(window) for window in QApplication.topLevelWidgets() if window.isVisible()]


def _timers() -> list[str]:
    import shiboken6
    from PySide6.QtCore import QTimer

    timers = [thing for thing in gc.get_objects() if issubclass(type(thing), QTimer)]
    return [repr(timer) for timer in timers if shiboken6.isValid(timer) and timer.isActive()]
