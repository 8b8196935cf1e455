"""A closed dialog is garbage-collected in the window's thread, never in a job's."""

import gc
import linecache
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.state.collector import Collector


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[None]:
    owner = QObject()
    Collector(owner)
    yield
    owner.deleteLater()
    gc.enable()


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The generations that are looked through, while all are due."""
    ages: list[int] = []
    collect = gc.collect
    monkeypatch.setattr(gc, "collect", lambda age: ages.append(age) or collect(age))
    monkeypatch.setattr(gc, "get_count", lambda: (701, 11, 11))
    return ages


def aged(count: int, looked: list[int]) -> list[list[int]]:
    """Objects that are not young any more."""
    held = [[number] for number in range(count)]
    gc.collect(1)
    looked.clear()
    return held


def test_a_cycle_is_collected_by_the_window_and_not_by_the_thread_that_fills_the_quota(
    collector: None, qtbot: QtBot
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


def test_old_objects_are_only_looked_through_when_many_have_come(
    collector: None, looked: list[int], qtbot: QtBot
) -> None:
    """Or a window with very many photographs would be held up again and again."""
    held = aged(200_000, looked)
    qtbot.waitUntil(lambda: len(looked) > 2, timeout=30_000)
    assert looked[0] == 2
    assert set(looked[1:]) == {1}
    held += aged(200_000, looked)
    qtbot.waitUntil(lambda: 2 in looked, timeout=30_000)
    assert len(held) == 400_000


def test_many_old_objects_are_looked_through_once(
    collector: None, looked: list[int], qtbot: QtBot
) -> None:
    held = aged(150_000, looked)
    qtbot.waitUntil(lambda: len(looked) > 2, timeout=30_000)
    assert looked[0] == 2
    assert len(gc.get_objects(generation=2)) < 10_000 < len(held)


def test_what_a_project_has_loaded_is_set_aside(
    collector: None, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    let_go = aged(60_000, [])
    monkeypatch.setattr(gc, "collect", lambda age: done.append("collected"))
    monkeypatch.setattr(gc, "freeze", lambda: done.append("set aside"))
    held = [[number] for number in range(60_000)]
    let_go.clear()  # Python subtracts these from its count of the young
    qtbot.waitUntil(lambda: bool(done), timeout=30_000)
    assert done[0] == "set aside"
    assert len(held) == 60_000


def test_the_source_of_what_is_imported_does_not_stay(collector: None, qtbot: QtBot) -> None:
    linecache.getlines(__file__)
    qtbot.waitUntil(lambda: not linecache.cache, timeout=30_000)
