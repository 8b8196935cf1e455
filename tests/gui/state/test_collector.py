"""A closed dialog is garbage-collected in the window's thread; free memory is given back."""

import gc
import linecache
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.state.collector import Collector


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[Collector]:
    owner = QObject()
    yield Collector(owner)
    owner.deleteLater()
    gc.enable()


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done, while by Python's thresholds nothing is due."""
    done: list[str] = []
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
    monkeypatch.setattr(gc, "collect", lambda age: done.append(f"looked through {age}"))
    monkeypatch.setattr(gc, "freeze", lambda: done.append("set aside"))
    return done


def test_a_cycle_is_collected_by_the_window_and_not_by_the_thread_that_fills_the_quota(
    collector: Collector, qtbot: QtBot
) -> None:
    where: list[threading.Thread] = []

    def leave_a_cycle() -> None:
        dialog = QWidget()
        dialog.itself = dialog  # type: ignore[attr-defined]
        weakref.finalize(dialog, lambda: where.append(threading.current_thread()))

    def fill_the_quota() -> None:
        kept = [[number] for number in range(100_000)]  # would collect all generations many times
        assert len(kept) == 100_000

    leave_a_cycle()
    for _ in range(12):
        job = threading.Thread(target=fill_the_quota)
        job.start()
        job.join()
    assert where == []
    kept = []

    def collected() -> bool:
        kept.append([[number] for number in range(100)])
        return bool(where)

    qtbot.waitUntil(collected, timeout=30_000)
    assert where == [threading.main_thread()]


@pytest.mark.parametrize(("long", "after"), [(-1, ["set aside"]), (1e9, [])])
def test_what_comes_slowly_is_looked_through_before_it_is_much(
    collector: Collector,
    done: list[str],
    monkeypatch: pytest.MonkeyPatch,
    long: float,
    after: list[str],
) -> None:
    """Or a window with very many photographs would be held up by all of them in one moment."""
    monkeypatch.setattr("gui.state.collector._LONG", long)
    begun = collector._looked_at
    for blocks in (45_000, 90_000, 135_000, 180_000):
        monkeypatch.setattr(sys, "getallocatedblocks", lambda now=begun + blocks: now)
        collector._collect()
    assert done == ["looked through 2", *after] * 2


def test_what_a_project_has_loaded_is_set_aside(
    collector: Collector, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "getallocatedblocks", lambda now=collector._looked_at + 180_000: now)
    collector._collect()
    collector._collect()
    assert done == ["set aside"]


def test_what_the_next_project_has_loaded_is_set_aside_too(
    collector: Collector, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = collector._looked_at
    for blocks in (180_000, 0, 180_000):  # opened, closed, and another opened
        monkeypatch.setattr(sys, "getallocatedblocks", lambda now=before + blocks: now)
        collector._collect()
    assert done == ["set aside"] * 2


def test_nothing_refers_to_what_another_thread_is_making(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tuple that is referred to while it is made is a SystemError there."""
    asked: list[int] = []
    monkeypatch.setattr(gc, "get_objects", lambda generation=None: asked.append(1) or [])
    monkeypatch.setattr(gc, "get_count", lambda: (701, 11, 11))
    collector._collect()
    assert asked == []


def test_the_source_of_what_is_imported_does_not_stay(collector: Collector, qtbot: QtBot) -> None:
    linecache.getlines(__file__)
    qtbot.waitUntil(lambda: not linecache.cache, timeout=30_000)


@pytest.mark.skipif(sys.platform != "linux", reason="it is the C library of Linux that keeps it")
def test_free_memory_among_other_blocks_is_given_back() -> None:
    resident = "int(open('/proc/self/statm').read().split()[1]) // 256"  # MB
    code = (
        "from gui.state.collector import give_back_what_is_free; "
        "held = [(bytes(4096), bytes(range(256)) * (1 << 8)) for _ in range(1000)]; "
        "held = [small for small, _ in held]; "
        f"kept = {resident}; give_back_what_is_free(); print(kept - {resident})"
    )
    given = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert int(given) > 32  # of 64
