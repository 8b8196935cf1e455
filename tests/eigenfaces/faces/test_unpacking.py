"""dlib's detector is unpacked once, and for a window in another process."""

import os
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from eigenfaces.faces import unpacking
from eigenfaces.faces.unpacking import Unpacking, state, unpacked


@pytest.fixture(autouse=True)
def _not_unpacked_yet(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(Unpacking, "aside", False)
    unpacking._kept.cache_clear()
    yield
    unpacking._kept.cache_clear()


def test_the_other_process_returns_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    here = unpacked()
    monkeypatch.setattr(Unpacking, "aside", True)
    monkeypatch.setattr(unpacking, "unpacked", os.getpid)
    assert state() != os.getpid()
    monkeypatch.undo()
    unpacking._kept.cache_clear()
    monkeypatch.setattr(Unpacking, "aside", True)
    assert state() == here


@pytest.mark.parametrize("error", [OSError("no more processes"), BrokenProcessPool("it ended")])
def test_where_no_process_can_be_begun_it_is_unpacked_here(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Any:
        raise error

    monkeypatch.setattr(Unpacking, "aside", True)
    monkeypatch.setattr(unpacking, "ProcessPoolExecutor", refuse)
    assert state() == unpacked()


def test_threads_that_search_at_once_unpack_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(unpacking, "unpacked", lambda: asked.append(1))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: state(), range(8)))
    assert len(asked) == 1
