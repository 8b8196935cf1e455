"""A closed dialog is garbage-collected in the window's thread."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.state.jobs import collect_garbage_from


@pytest.fixture
def _collecting(qapp: QApplication) -> Iterator[None]:
    owner = QObject()
    collect_garbage_from(owner)
    yield
    owner.deleteLater()
    gc.enable()


@pytest.mark.usefixtures("_collecting")
def test_a_cycle_is_collected_by_the_window_and_not_by_the_thread_that_fills_the_quota(
    qtbot: QtBot,
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
