"""One job after another: its result, its end, and what happens in between."""

import gc
import sys
import threading
import time
import weakref

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from gui.state.jobs import (
    EXPORT,
    IMPORT,
    MAP,
    SAVE_AS,
    TRAIN,
    WRITE,
    Jobs,
    Progress,
)
from tests.gui.state.gate import LONG, Gate, never, wait


def test_work_runs_elsewhere_and_its_result_arrives_here(jobs: Jobs, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    results: list[int] = []

    def work(tick: Tick) -> int:
        threads.append(threading.current_thread())
        return 42

    def done(result: int) -> None:
        threads.append(threading.current_thread())
        results.append(result)

    jobs.start(TRAIN, "Training", work, done)
    wait(qtbot, lambda: bool(results))
    assert results == [42]
    assert threads[0] is not threading.main_thread()
    assert threads[1] is threading.main_thread()
    assert jobs.current is None


def test_progress_can_be_seen_from_the_window(jobs: Jobs, qtbot: QtBot) -> None:
    gate = Gate()
    jobs.start(IMPORT, "Reading 4 photos", gate.work, lambda _: None)
    wait(qtbot, lambda: jobs.current is not None and jobs.current.done == 1)
    assert jobs.current == Progress(IMPORT, "Reading 4 photos", 1, 4, None, False)
    assert jobs.is_busy(IMPORT)
    gate.open.set()
    wait(qtbot, lambda: jobs.current is None)
    assert not jobs.is_busy(IMPORT)


def test_progress_is_told_at_most_twenty_times_a_second_and_apart_from_what_begins_and_ends(
    jobs: Jobs, qtbot: QtBot
) -> None:
    changed: list[Progress | None] = []
    progressed: list[Progress | None] = []
    jobs.changed.connect(lambda: changed.append(jobs.current))
    jobs.progressed.connect(lambda: progressed.append(jobs.current))

    def work(tick: Tick) -> None:
        for number in range(20_000):
            tick(number, 20_000)

    ended: list[None] = []
    started = time.monotonic()
    jobs.start(TRAIN, "Training", work, ended.append)
    wait(qtbot, lambda: bool(ended) and changed[-1] is None)
    assert len(changed) == 2
    assert 1 <= len(progressed) <= 1 + 20 * (time.monotonic() - started)


def test_time_left_is_guessed_from_the_time_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    from gui.state import jobs as module

    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    clock = module.TimeLeft()
    clock.tick(0, 40)
    now[0] += 0.2
    clock.tick(5, 40)
    assert clock.seconds_left() is None, "too early to say"
    now[0] += 0.8
    clock.tick(10, 40)
    assert clock.seconds_left() == pytest.approx(3.0)
    clock.tick(0, 7)
    assert clock.seconds_left() is None, "a new stage starts anew"


def test_cancelled_work_is_told_and_gives_no_result(jobs: Jobs, qtbot: QtBot) -> None:
    gate, cancelled = Gate(), []
    jobs.start(TRAIN, "Training", gate.work, never, cancelled=lambda: cancelled.append(True))
    assert gate.entered.wait(LONG)
    with qtbot.waitSignal(jobs.changed):
        jobs.cancel(TRAIN)
    wait(qtbot, lambda: bool(cancelled))
    assert gate.cancelled
    assert jobs.current is None


def test_who_is_told_may_cancel_once_more(jobs: Jobs, qtbot: QtBot) -> None:
    """It was told of that again, and so on, until the work noticed."""
    gate, told = Gate(), []
    jobs.start(TRAIN, "Training", gate.work, never)
    wait(qtbot, lambda: jobs.current is not None and jobs.current.done == 1)

    def look() -> None:
        told.append(jobs.current)
        if jobs.is_busy(TRAIN):
            jobs.cancel(TRAIN)

    jobs.changed.connect(look)
    jobs.cancel(TRAIN)
    assert len(told) == 1
    gate.open.set()
    wait(qtbot, lambda: jobs.current is None)


def test_cancelling_is_shown_until_the_work_notices(jobs: Jobs, qtbot: QtBot) -> None:
    go = threading.Event()
    jobs.start(TRAIN, "Training", lambda tick: go.wait(LONG), never)
    jobs.cancel(TRAIN)
    assert jobs.current is not None
    assert jobs.current.cancelling
    go.set()
    # The work never asked, and came to an end; what was cancelled changes nothing all the same.
    wait(qtbot, lambda: jobs.current is None)


def test_expected_failure_reaches_its_callback(jobs: Jobs, qtbot: QtBot) -> None:
    failures: list[EigenfacesError] = []

    def work(tick: Tick) -> None:
        raise PhotoError("The file ends too early.")

    jobs.start(IMPORT, "Reading", work, never, failed=failures.append)
    wait(qtbot, lambda: bool(failures))
    assert isinstance(failures[0], PhotoError)
    assert jobs.current is None


def test_who_makes_the_jobs_is_told_of_a_failure_nobody_else_listens_to(
    qapp: QApplication, qtbot: QtBot
) -> None:
    told: list[tuple[str, threading.Thread]] = []
    jobs = Jobs(lambda sentence: told.append((sentence, threading.current_thread())))

    def work(tick: Tick) -> None:
        raise PhotoError("The file ends too early.")

    jobs.start(IMPORT, "Reading", work, never)
    wait(qtbot, lambda: bool(told))
    assert told == [("The file ends too early.", threading.main_thread())]
    jobs.close()


def test_what_a_job_that_failed_has_worked_on_is_let_go(jobs: Jobs, qtbot: QtBot) -> None:
    """Without the garbage collector: so large a thing is not to wait for it."""

    class Large: ...

    held, errors = list[weakref.ref[Large]](), list[EigenfacesError]()

    def work(tick: Tick) -> None:
        large = Large()
        held.append(weakref.ref(large))
        raise EigenfacesError("There are too many.")

    gc.disable()
    try:
        jobs.start(TRAIN, "Training", work, lambda _: None, failed=errors.append)
        wait(qtbot, lambda: bool(errors) and jobs.current is None)
        qtbot.wait(0)
        assert held[0]() is None
    finally:
        gc.enable()


def test_a_bug_reaches_the_excepthook_in_the_window_thread(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[type[BaseException], threading.Thread]] = []
    monkeypatch.setattr(
        sys, "excepthook", lambda kind, *_: seen.append((kind, threading.current_thread()))
    )
    ended: list[bool] = []  # so that no page goes on waiting for it
    jobs.start(
        TRAIN,
        "Training",
        lambda tick: 1 // 0,
        never,
        failed=never,
        cancelled=lambda: ended.append(True),
    )
    wait(qtbot, lambda: bool(ended))
    assert seen == [(ZeroDivisionError, threading.main_thread())]
    assert jobs.current is None


def test_the_same_kind_again_replaces_the_running_one(jobs: Jobs, qtbot: QtBot) -> None:
    old, results = Gate(), []
    jobs.start(TRAIN, "Old", old.work, never, cancelled=lambda: never("replaced"))
    assert old.entered.wait(LONG)
    jobs.start(TRAIN, "New", lambda tick: "new", results.append)
    wait(qtbot, lambda: bool(results))
    assert old.cancelled
    assert results == ["new"]


def test_only_the_last_of_a_kind_that_waits_is_run(jobs: Jobs, qtbot: QtBot) -> None:
    gate, results = Gate(), []
    jobs.start(IMPORT, "Reading", gate.work, results.append)
    for number in range(3):
        jobs.start(TRAIN, f"Training {number}", lambda tick, n=number: n, results.append)
    assert jobs.waiting == ("Training 2",)
    gate.open.set()
    wait(qtbot, lambda: len(results) == 2)
    assert results == ["through", 2]


def test_a_callback_with_a_bug_does_not_stop_the_queue(jobs: Jobs, qtbot: QtBot) -> None:
    results: list[str] = []

    def broken(result: str) -> None:
        raise RuntimeError("a mistake in a page")

    with qtbot.captureExceptions() as exceptions:
        jobs.start(IMPORT, "Reading", lambda tick: "read", broken)
        jobs.start(TRAIN, "Training", lambda tick: "trained", results.append)
        wait(qtbot, lambda: results == ["trained"])
    assert [kind for kind, *_ in exceptions] == [RuntimeError]


def test_closing_cancels_and_waits(jobs: Jobs) -> None:
    gate = Gate()
    jobs.start(TRAIN, "Training", gate.work, never)
    jobs.start(IMPORT, "Reading", lambda tick: None, never)
    assert gate.entered.wait(LONG)
    jobs.close()
    assert gate.cancelled
    assert not [t for t in threading.enumerate() if t.name.startswith("job ")]
    jobs.start(TRAIN, "Too late", lambda tick: None, never)
    assert jobs.waiting == ()
    assert jobs.current is None


def test_two_jobs_of_one_kind_about_different_things_are_both_done(
    jobs: Jobs, qtbot: QtBot
) -> None:
    gate, results = Gate(), []
    jobs.start(EXPORT, "Saving a", gate.work, results.append, about="a")
    assert gate.entered.wait(LONG)
    for about, title in (("b", "Saving b"), ("c", "Saving c"), ("c", "Saving c again")):
        jobs.start(EXPORT, title, lambda tick, t=title: t, results.append, about=about)
    assert jobs.waiting == ("Saving b", "Saving c again")
    assert jobs.current is not None
    jobs.cancel_one(jobs.current)
    wait(qtbot, lambda: results == ["Saving b", "Saving c again"])
    assert gate.cancelled


def test_what_completes_another_job_goes_before_what_waits(jobs: Jobs, qtbot: QtBot) -> None:
    gate, order = Gate(), []
    jobs.start(TRAIN, "Training", gate.work, lambda _: None)
    jobs.start(MAP, "Map", lambda _: order.append("map"), lambda _: None)
    jobs.start(WRITE, "Writing", lambda _: order.append("write"), lambda _: None)
    gate.open.set()
    wait(qtbot, lambda: len(order) == 2)
    assert order == ["write", "map"]


def test_what_was_written_to_a_file_counts_though_the_wish_to_stop_came(
    jobs: Jobs, qtbot: QtBot
) -> None:
    entered, results = threading.Event(), []
    go_on = threading.Event()

    def work(tick: Tick) -> str:
        entered.set()
        go_on.wait(LONG)
        return "written"

    jobs.start(SAVE_AS, "Saving", work, results.append, cancelled=lambda: never("cancelled"))
    assert entered.wait(LONG)
    jobs.cancel(SAVE_AS)
    go_on.set()
    wait(qtbot, lambda: bool(results))
    assert results == ["written"]


def test_closing_writes_the_files_that_were_asked_for(jobs: Jobs) -> None:
    """Nobody could be told any more that a file was not written."""
    gate, written = Gate(), []
    jobs.start(TRAIN, "Training", gate.work, never)
    jobs.start(EXPORT, "Saving", lambda tick: (tick(1, 2), written.append("file")), never)
    assert gate.entered.wait(LONG)
    jobs.close()
    assert gate.cancelled
    assert written == ["file"]
