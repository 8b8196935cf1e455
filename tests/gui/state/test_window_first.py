"""A job leaves the window what it needs to show something, and does not wait for it for ever."""

import time

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from eigenfaces.errors import Tick
from gui.state import window_first
from gui.state.jobs import EXPORT, RECOGNISE, TRAIN, Jobs
from tests.gui import seen
from tests.gui.state.gate import LONG, Gate, never, wait

_WORK = 0.03
"""Seconds that the window has something to do: longer than a job's look takes."""


def test_a_job_begins_once_the_window_has_shown_what_began_it(jobs: Jobs, qtbot: QtBot) -> None:
    order: list[str] = []

    class Picture(QWidget):
        def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
            order.append("painted")

    picture = seen.show(qtbot, Picture(), (80, 80))
    refresh = QTimer(singleShot=True, interval=0)

    def refreshed() -> None:
        time.sleep(_WORK)
        order.append("refreshed")
        picture.update()

    def asked() -> None:
        order.clear()
        jobs.start(RECOGNISE, "Recognising", lambda tick: order.append("began"), lambda _: None)
        time.sleep(_WORK)
        refresh.start()

    refresh.timeout.connect(refreshed)

    QTimer.singleShot(0, asked)
    wait(qtbot, lambda: "began" in order)
    assert order == ["refreshed", "painted", "began"]


def test_a_job_stands_still_while_the_window_is_at_work(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_first, "_PATIENCE", LONG)
    ticks, stood_still = [0], []
    ended = Gate()

    def work(tick: Tick) -> None:
        while not ended.open.is_set():
            tick(0, 0)
            ticks[0] += 1

    def at_work() -> None:
        end, looks = time.monotonic() + LONG, [0, 1, 2]
        while len({*looks[-3:]}) > 1 and time.monotonic() < end:
            time.sleep(_WORK)
            looks.append(ticks[0])
        stood_still.append(len({*looks[-3:]}) == 1)

    jobs.start(TRAIN, "Training", work, lambda _: None)
    wait(qtbot, lambda: ticks[0] > 100)
    QTimer.singleShot(0, at_work)
    wait(qtbot, lambda: bool(stood_still))
    assert stood_still == [True]
    going_on = ticks[0]
    wait(qtbot, lambda: ticks[0] > going_on + 100)
    ended.open.set()
    wait(qtbot, lambda: jobs.current is None)


def test_a_window_that_waits_for_a_job_is_waited_for_once(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_first, "_PATIENCE", 0.05)
    gate, written = Gate(), []

    def work(tick: Tick) -> None:
        gate.entered.set()
        for number in range(1000):  # 50 s, if each waited
            tick(number, 1000)
            if number % 100 == 0:
                time.sleep(2 * window_first._LATE)  # so that the window is late, if it is not yet
        written.append("written")

    jobs.start(EXPORT, "Exporting", work, never)
    assert gate.entered.wait(LONG), "it begins though the window does nothing"
    begun = time.monotonic()
    jobs.close()
    assert written == ["written"]
    assert time.monotonic() < begun + LONG


@pytest.mark.parametrize("begun", [False, True])
def test_closing_waits_for_no_sign_of_the_window(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    monkeypatch.setattr(window_first, "_PATIENCE", 3 * LONG)
    gate = Gate()
    jobs.start(TRAIN, "Training", gate.work, never)
    if begun:
        wait(qtbot, gate.entered.is_set)
        time.sleep(3 * _WORK)  # until it waits for the window
    closed = time.monotonic()
    jobs.close()
    assert time.monotonic() < closed + LONG
    assert gate.entered.is_set() == begun
    assert gate.cancelled == begun


def test_a_job_that_is_cancelled_before_it_begins_does_nothing(jobs: Jobs, qtbot: QtBot) -> None:
    told: list[str] = []
    jobs.start(TRAIN, "Training", never, never, cancelled=lambda: told.append("cancelled"))
    jobs.cancel(TRAIN)
    wait(qtbot, lambda: jobs.current is None)
    assert told == ["cancelled"]
