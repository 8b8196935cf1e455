"""Fixtures of the core's tests, and the folder of `synthetic` on the path."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from astronaut import PICTURE
from quick_network import quick_network  # noqa: F401 - a fixture

from eigenfaces import FaceSet, load_sample


@pytest.fixture(scope="session")
def att() -> FaceSet:
    """The 400 mended AT&T faces."""
    return load_sample()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A woman's portrait, in a folder of its own."""
    path = tmp_path / "Folder" / "a.jpg"
    path.parent.mkdir()
    PICTURE.save(path, quality=95)
    return path


@pytest.fixture
def no_waiting() -> Iterator[None]:
    """Fail a test that would wait for ever."""

    def end(*_: object) -> None:
        raise AssertionError("It waits.")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
