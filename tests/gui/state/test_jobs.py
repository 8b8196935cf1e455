"""Work in a thread: its result, its end, and what happens in between."""

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces.errors import Cancelled, EigenfacesError, PhotoError, Tick
from gui.state.jobs import Jobs, Progress

LONG = 10.0  # seconds: only ever reached by a test that fails


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


class Gate:
    """Work that goes on until it is let through or cancelled."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()
        self.cancelled = False

    def work(self, tick: Tick) -> str:
        self.entered.set()
        try:
            while not self.open.wait(0.002):
                tick(1, 4)
        except Cancelled:
            self.cancelled = True
            raise
        return "through"


def _wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=5000)


def _never(result: object) -> None:
    raise AssertionError(f"This must not be called: {result}")


def test_work_runs_elsewhere_and_its_result_arrives_here(jobs: Jobs, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    results: list[int] = []

    def work(tick: Tick) -> int:
        threads.append(threading.current_thread())
        return 42

    def done(result: int) -> None:
        threads.append(threading.current_thread())
        results.append(result)

    jobs.start("train", "Training", work, done)
    _wait(qtbot, lambda: bool(results))
    assert results == [42]
    assert threads[0] is not threading.main_thread()
    assert threads[1] is threading.main_thread()
    assert jobs.current is None


def test_progress_can_be_seen_from_the_window(jobs: Jobs, qtbot: QtBot) -> None:
    gate = Gate()
    jobs.start("import", "Reading 4 photos", gate.work, lambda _: None)
    _wait(qtbot, lambda: jobs.current is not None and jobs.current.done == 1)
    assert jobs.current == Progress("import", "Reading 4 photos", 1, 4, None, False)
    assert jobs.is_busy("import")
    gate.open.set()
    _wait(qtbot, lambda: jobs.current is None)
    assert not jobs.is_busy("import")


def test_progress_is_told_at_most_twenty_times_a_second(jobs: Jobs, qtbot: QtBot) -> None:
    told: list[Progress | None] = []
    jobs.changed.connect(lambda: told.append(jobs.current))

    def work(tick: Tick) -> None:
        for number in range(20_000):
            tick(number, 20_000)

    ended: list[None] = []
    started = time.monotonic()
    jobs.start("train", "Training", work, ended.append)
    _wait(qtbot, lambda: bool(ended) and told[-1] is None)
    # Its start, its end, one report at once, and then one every 50 milliseconds.
    assert 3 <= len(told) <= 4 + 20 * (time.monotonic() - started)


def test_time_left_is_guessed_from_the_time_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    from gui.state import jobs as module

    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    clock = module._Clock()
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
    jobs.start("train", "Training", gate.work, _never, cancelled=lambda: cancelled.append(True))
    assert gate.entered.wait(LONG)
    with qtbot.waitSignal(jobs.changed):
        jobs.cancel()
    _wait(qtbot, lambda: bool(cancelled))
    assert gate.cancelled
    assert jobs.current is None


def test_cancelling_is_shown_until_the_work_notices(jobs: Jobs, qtbot: QtBot) -> None:
    go = threading.Event()
    jobs.start("train", "Training", lambda tick: go.wait(LONG), _never)
    jobs.cancel()
    assert jobs.current is not None
    assert jobs.current.cancelling
    go.set()
    # The work never asked, and came to an end; what was cancelled changes nothing all the same.
    _wait(qtbot, lambda: jobs.current is None)


def test_expected_failure_reaches_its_callback(jobs: Jobs, qtbot: QtBot) -> None:
    failures: list[EigenfacesError] = []

    def work(tick: Tick) -> None:
        raise PhotoError("The file ends too early.")

    jobs.start("import", "Reading", work, _never, failed=failures.append)
    _wait(qtbot, lambda: bool(failures))
    assert isinstance(failures[0], PhotoError)
    assert jobs.current is None


def test_a_bug_reaches_the_excepthook_in_the_window_thread(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[type[BaseException], threading.Thread]] = []
    monkeypatch.setattr(
        sys, "excepthook", lambda kind, *_: seen.append((kind, threading.current_thread()))
    )
    jobs.start("train", "Training", lambda tick: 1 // 0, _never, failed=_never)
    _wait(qtbot, lambda: bool(seen))
    assert seen == [(ZeroDivisionError, threading.main_thread())]
    assert jobs.current is None


def test_the_same_kind_again_replaces_the_running_one(jobs: Jobs, qtbot: QtBot) -> None:
    old, results = Gate(), []
    jobs.start("train", "Old", old.work, _never, cancelled=lambda: _never("replaced"))
    assert old.entered.wait(LONG)
    jobs.start("train", "New", lambda tick: "new", results.append)
    _wait(qtbot, lambda: bool(results))
    assert old.cancelled
    assert results == ["new"]


def test_only_the_last_of_a_kind_that_waits_is_run(jobs: Jobs, qtbot: QtBot) -> None:
    gate, results = Gate(), []
    jobs.start("import", "Reading", gate.work, results.append)
    for number in range(3):
        jobs.start("train", f"Training {number}", lambda tick, n=number: n, results.append)
    assert jobs.waiting == ("Training 2",)
    gate.open.set()
    _wait(qtbot, lambda: len(results) == 2)
    assert results == ["through", 2]


def test_another_kind_waits_its_turn(jobs: Jobs, qtbot: QtBot) -> None:
    gate, results = Gate(), []
    jobs.start("import", "Reading", gate.work, results.append)
    jobs.start("train", "Training", lambda tick: "trained", results.append)
    assert jobs.current is not None
    assert jobs.current.kind == "import"
    assert jobs.is_busy("train")
    gate.open.set()
    _wait(qtbot, lambda: len(results) == 2)
    assert results == ["through", "trained"]


def test_a_callback_may_start_the_next_job(jobs: Jobs, qtbot: QtBot) -> None:
    results: list[str] = []

    def imported(result: str) -> None:
        results.append(result)
        jobs.start("train", "Training", lambda tick: "trained", results.append)

    jobs.start("import", "Reading", lambda tick: "read", imported)
    _wait(qtbot, lambda: results == ["read", "trained"])


def test_a_callback_with_a_bug_does_not_stop_the_queue(jobs: Jobs, qtbot: QtBot) -> None:
    results: list[str] = []

    def broken(result: str) -> None:
        raise RuntimeError("a mistake in a page")

    with qtbot.captureExceptions() as exceptions:
        jobs.start("import", "Reading", lambda tick: "read", broken)
        jobs.start("train", "Training", lambda tick: "trained", results.append)
        _wait(qtbot, lambda: results == ["trained"])
    assert [kind for kind, *_ in exceptions] == [RuntimeError]


def test_closing_cancels_and_waits(jobs: Jobs) -> None:
    gate = Gate()
    jobs.start("train", "Training", gate.work, _never)
    jobs.start("import", "Reading", lambda tick: None, _never)
    assert gate.entered.wait(LONG)
    jobs.close()
    assert gate.cancelled
    assert not [t for t in threading.enumerate() if t.name.startswith("job ")]
    jobs.start("train", "Too late", lambda tick: None, _never)
    assert jobs.waiting == ()
    assert jobs.current is None


def test_what_is_first_goes_before_what_waits(jobs: Jobs, qtbot: QtBot) -> None:
    gate, order = Gate(), []
    jobs.start("train", "Training", gate.work, lambda _: None)
    jobs.start("sweep", "Sweep", lambda _: order.append("sweep"), lambda _: None)
    jobs.start("write", "Writing", lambda _: order.append("write"), lambda _: None, first=True)
    gate.open.set()
    _wait(qtbot, lambda: len(order) == 2)
    assert order == ["write", "sweep"]


def test_a_binding_result_counts_though_the_wish_to_stop_came(jobs: Jobs, qtbot: QtBot) -> None:
    entered, results = threading.Event(), []
    go_on = threading.Event()

    def work(tick: Tick) -> str:
        entered.set()
        go_on.wait(LONG)
        return "written"

    jobs.start(
        "save", "Saving", work, results.append, cancelled=lambda: _never("cancelled"), binding=True
    )
    assert entered.wait(LONG)
    jobs.cancel()
    go_on.set()
    _wait(qtbot, lambda: bool(results))
    assert results == ["written"]


def test_what_waits_can_be_given_up(jobs: Jobs, qtbot: QtBot) -> None:
    gate, told = Gate(), []
    jobs.start("import", "Reading", gate.work, told.append)
    jobs.start("train", "Training", _never, _never, cancelled=lambda: told.append("cancelled"))
    jobs.cancel("train", "open")
    assert told == ["cancelled"]
    assert not jobs.is_busy("train")
    gate.open.set()
    _wait(qtbot, lambda: len(told) == 2)


def test_what_is_looked_at_does_not_wait_for_a_long_job(jobs: Jobs, qtbot: QtBot) -> None:
    training, results = Gate(), []
    jobs.start("train", "Training", training.work, results.append)
    jobs.start("evaluate", "Evaluating", lambda tick: "evaluated", results.append)
    for kind in ("open", "probe", "recognise", "photo", "preview", "light", "read run"):
        jobs.start(kind, kind, lambda tick, kind=kind: kind, results.append)
        _wait(qtbot, lambda kind=kind: results[-1:] == [kind])
    assert jobs.waiting == ("Evaluating",)
    assert jobs.is_busy("train")
    training.open.set()
    _wait(qtbot, lambda: results[-2:] == ["through", "evaluated"])


def test_both_lanes_say_how_far_they_are(jobs: Jobs, qtbot: QtBot) -> None:
    long, quick = Gate(), Gate()
    jobs.start("train", "Training", long.work, lambda _: None)
    assert jobs.running[1] is None
    jobs.start("recognise", "Recognising", quick.work, lambda _: None)
    _wait(qtbot, lambda: all(now is not None and now.done == 1 for now in jobs.running))
    assert [now and now.kind for now in jobs.running] == ["train", "recognise"]
    assert jobs.current == jobs.running[0]
    jobs.entitle("train", "Training, nearly done")
    assert jobs.current is not None
    assert jobs.current.title == "Training, nearly done"
    long.open.set()
    _wait(qtbot, lambda: jobs.running[0] is None)
    assert jobs.current is not None
    assert jobs.current.kind == "recognise"
    quick.open.set()
    _wait(qtbot, lambda: jobs.current is None)


def test_what_was_asked_for_last_is_cancelled_first(jobs: Jobs, qtbot: QtBot) -> None:
    long, quick = Gate(), Gate()
    jobs.start("train", "Training", long.work, _never)
    jobs.start("recognise", "Recognising", quick.work, _never)
    jobs.cancel()
    _wait(qtbot, lambda: jobs.running[1] is None)
    assert (quick.cancelled, long.cancelled) == (True, False)
    jobs.cancel()
    _wait(qtbot, lambda: jobs.current is None)
    assert long.cancelled


def test_one_kind_can_be_cancelled_beside_another(jobs: Jobs, qtbot: QtBot) -> None:
    long, quick, told = Gate(), Gate(), []
    jobs.start("train", "Training", long.work, _never)
    jobs.start("evaluate", "Evaluating", _never, _never, cancelled=lambda: told.append("waiting"))
    jobs.start("recognise", "Recognising", quick.work, told.append)
    jobs.cancel("train", "evaluate")
    assert told == ["waiting"]
    _wait(qtbot, lambda: jobs.running[0] is None)
    assert (long.cancelled, quick.cancelled) == (True, False)
    quick.open.set()
    _wait(qtbot, lambda: told == ["waiting", "through"])


def test_opening_waits_for_what_is_brought_into_the_project(jobs: Jobs, qtbot: QtBot) -> None:
    """It first waits for the photographs, and then for them to be written."""
    photos, order = Gate(), []

    def read(_: str) -> None:
        order.append("import")
        jobs.start("write", "Writing", lambda tick: "write", order.append, first=True)

    jobs.start("import", "Reading", photos.work, read)
    jobs.start("open", "Opening", lambda tick: "open", order.append)
    jobs.start("photo", "Looking", lambda tick: "photo", order.append)
    _wait(qtbot, lambda: order == ["photo"])
    ahead = jobs.ahead_of("open")
    assert ahead is not None
    assert ahead.title == "Reading"
    photos.open.set()
    _wait(qtbot, lambda: order == ["photo", "import", "write", "open"])
    assert jobs.ahead_of("open") is None


def test_nothing_is_brought_into_a_project_while_another_is_opened(
    jobs: Jobs, qtbot: QtBot
) -> None:
    opening, order = Gate(), []
    jobs.start("open", "Opening", opening.work, order.append)
    jobs.start("import", "Reading", lambda tick: "import", order.append)
    jobs.start("train", "Training", lambda tick: "train", order.append)
    _wait(qtbot, lambda: order == ["train"])
    ahead = jobs.ahead_of("import")
    assert ahead is not None
    assert ahead.kind == "open"
    opening.open.set()
    _wait(qtbot, lambda: order == ["train", "through", "import"])


def test_what_waited_for_a_cancelled_job_begins(jobs: Jobs, qtbot: QtBot) -> None:
    training, order = Gate(), []
    jobs.start("train", "Training", training.work, order.append)
    jobs.start("import", "Reading", _never, _never)
    jobs.start("open", "Opening", lambda tick: "open", order.append)
    jobs.cancel("import")
    _wait(qtbot, lambda: order == ["open"])
    assert jobs.is_busy("train")


def test_two_jobs_together_tell_at_most_twenty_times_a_second(jobs: Jobs, qtbot: QtBot) -> None:
    told, ended = [], []
    jobs.changed.connect(lambda: told.append(jobs.running))

    def work(tick: Tick) -> None:
        for number in range(20_000):
            tick(number, 20_000)

    started = time.monotonic()
    jobs.start("train", "Training", work, ended.append)
    jobs.start("recognise", "Recognising", work, ended.append)
    _wait(qtbot, lambda: len(ended) == 2 and jobs.current is None)
    # Two starts, two ends, one report at once, and then one every 50 milliseconds.
    assert 4 <= len(told) <= 6 + 20 * (time.monotonic() - started)


def test_closing_waits_for_both_lanes(jobs: Jobs) -> None:
    long, quick = Gate(), Gate()
    jobs.start("train", "Training", long.work, _never)
    jobs.start("recognise", "Recognising", quick.work, _never)
    assert long.entered.wait(LONG)
    assert quick.entered.wait(LONG)
    jobs.close()
    assert long.cancelled
    assert quick.cancelled
    assert not [t for t in threading.enumerate() if t.name.startswith("job ")]
