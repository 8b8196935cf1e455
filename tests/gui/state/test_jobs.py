"""Jobs: their results and ends, what runs beside what, and what waits."""

import sys
import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from eigenfaces.errors import EigenfacesError, Tick
from gui.state.jobs import Job, JobCancelled, JobKind, Jobs
from tests.gui.state.gate import LONG, Gate, never


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def titles(jobs: Jobs) -> list[str]:
    return [job.title for job in jobs.waiting]


def test_progress_is_told_at_most_twenty_times_a_second_and_the_result_here(jobs, qtbot):
    progressed, threads = list[object](), list[threading.Thread]()
    jobs.progressed.connect(lambda: progressed.append(jobs.current))
    gate = threading.Event()

    def work(tick: Tick) -> None:
        for number in range(20_000):
            tick(number, 20_000)
        gate.wait(LONG)

    started = time.monotonic()
    done = lambda _: threads.append(threading.current_thread())  # noqa: E731
    jobs.start(JobKind.TRAIN, "Training", work, done, never)
    qtbot.waitUntil(lambda: bool(progressed))
    jobs.set_title(JobKind.TRAIN, "Reading more")
    assert (jobs.current.title, jobs.current.total) == ("Reading more", 20_000)
    gate.set()
    qtbot.waitUntil(lambda: jobs.current is None)
    assert threads == [threading.main_thread()]
    assert len(progressed) <= 2 + 20 * (time.monotonic() - started)


def test_time_left_is_guessed_from_the_time_spent(monkeypatch):
    now, told = [100.0], list[float | None]()
    monkeypatch.setattr("gui.state.jobs.time.monotonic", lambda: now[0])

    def work(tick: Tick) -> None:
        for spent, done, total in ((0.0, 0, 40), (0.2, 5, 40), (0.8, 10, 40), (0.0, 0, 7)):
            now[0] += spent
            tick(done, total)
            told.append(job.seconds_left())

    job = Job(JobKind.TRAIN, "Training", work, never, never)
    job.run(lambda: None)
    assert told == [None, None, pytest.approx(3.0), None], "too early, known, a new stage"


def test_cancelled_work_is_told_once_and_gives_no_result(jobs, qtbot):
    gate, failures, told = Gate(), list[EigenfacesError](), list[object]()
    jobs.start(JobKind.TRAIN, "Training", gate.work, never, failures.append, cancelled="Nothing.")
    assert gate.entered.wait(LONG)

    def cancel() -> None:  # whoever is told of it cancels once more
        told.append(jobs.current)
        jobs.cancel(JobKind.TRAIN)

    jobs.changed.connect(cancel)
    jobs.cancel(JobKind.TRAIN)
    assert len(told) == 1
    qtbot.waitUntil(lambda: bool(failures))
    assert gate.cancelled
    assert isinstance(failures[0], JobCancelled)
    assert str(failures[0]) == "Nothing."


def test_a_bug_reaches_the_excepthook_and_nobody_goes_on_waiting(jobs, qtbot, monkeypatch):
    seen, ended = list[object](), list[EigenfacesError]()
    monkeypatch.setattr(
        sys, "excepthook", lambda kind, *_: seen.append((kind, threading.current_thread()))
    )
    jobs.start(JobKind.TRAIN, "Training", lambda tick: 1 // 0, never, ended.append)
    qtbot.waitUntil(lambda: bool(ended))
    assert seen == [(ZeroDivisionError, threading.main_thread())]
    assert isinstance(ended[0], JobCancelled)
    monkeypatch.undo()
    with qtbot.captureExceptions() as exceptions:  # of a page: the queue goes on
        jobs.start(JobKind.IMPORT, "Reading", lambda tick: "read", never, never)
        jobs.start(JobKind.TRAIN, "Training", lambda tick: JobCancelled(), ended.append, never)
        qtbot.waitUntil(lambda: len(ended) == 2)
    assert [kind for kind, *_ in exceptions] == [AssertionError]


def test_a_newer_job_replaces_those_about_the_same(jobs, qtbot):
    old, results = Gate(), list[str]()
    jobs.start(JobKind.RECOGNISE, "Old", old.work, never, never)
    assert old.entered.wait(LONG)
    for number in range(3):
        jobs.start(
            JobKind.RECOGNISE, f"{number}", lambda tick, n=number: f"{n}", results.append, never
        )
    jobs.start(JobKind.RECOGNISE, "b", lambda tick: "b", results.append, never, key="b")
    qtbot.waitUntil(lambda: sorted(results) == ["2", "b"])
    assert old.cancelled


def test_one_long_job_runs_at_a_time_and_quick_ones_beside_it(jobs, qtbot):
    training, results = Gate(), list[str]()
    jobs.start(JobKind.TRAIN, "Training", training.work, results.append, never)
    jobs.start(JobKind.EVALUATE, "Evaluating", lambda tick: "evaluated", results.append, never)
    for kind in (JobKind.OPEN, JobKind.RECOGNISE, JobKind.SAVE_AS, JobKind.CHOOSE):
        jobs.start(kind, kind, lambda tick, kind=kind: kind, results.append, never)
        qtbot.waitUntil(lambda kind=kind: results[-1:] == [kind])
    assert titles(jobs) == ["Evaluating"]
    ahead = jobs.blocking_job(JobKind.EVALUATE)
    assert ahead is not None
    assert ahead.title == "Training"
    second = Gate()
    jobs.start(JobKind.CHOOSE, "Looking", second.work, results.append, never)
    jobs.start(JobKind.READ_RUN, "Reading the run", lambda tick: None, never, never)
    assert titles(jobs) == ["Evaluating", "Reading the run"], "there are two workers"
    jobs.cancel(JobKind.READ_RUN, silently=True)
    training.open.set()
    qtbot.waitUntil(lambda: results[-2:] == ["through", "evaluated"])
    second.open.set()
    qtbot.waitUntil(lambda: jobs.current is None)


def test_what_was_cancelled_is_not_said_to_come_first(jobs, qtbot):
    """It ends by itself; “cancel it” would be followed by cancelling what waits for it."""
    end, results = threading.Event(), list[str]()
    jobs.start(JobKind.REVIEW, "Looking", lambda tick: end.wait(LONG), never, lambda error: None)
    jobs.cancel(JobKind.REVIEW)
    jobs.start(JobKind.IMPORT, "Reading", lambda tick: "read", results.append, never)
    assert titles(jobs) == ["Reading"]
    assert jobs.blocking_job(JobKind.IMPORT) is None
    end.set()
    qtbot.waitUntil(lambda: results == ["read"])


@pytest.mark.parametrize(
    "kind", [JobKind.IMPORT, JobKind.RECROP, JobKind.SAVE_AS, JobKind.ADD_PROBES]
)
def test_another_project_waits_for_what_is_on_its_way_into_this_one(jobs, qtbot, kind):
    first, order = Gate(), list[str]()
    jobs.start(JobKind(kind), "Changing", first.work, order.append, never)
    jobs.start(JobKind.OPEN, "Opening", lambda tick: "open", order.append, never)
    jobs.start(JobKind.RECOGNISE, "Looking", lambda tick: "seen", order.append, never)
    qtbot.waitUntil(lambda: order == ["seen"])
    assert titles(jobs) == ["Opening"]
    first.open.set()
    qtbot.waitUntil(lambda: order == ["seen", "through", "open"])


def test_what_waits_for_one_that_waits_begins_once_that_is_cancelled(jobs, qtbot):
    training, order = Gate(), list[object]()
    jobs.start(JobKind.TRAIN, "Training", training.work, never, never)
    jobs.start(JobKind.IMPORT, "Reading", lambda tick: "read", never, order.append)
    jobs.start(JobKind.OPEN, "Opening", lambda tick: "open", order.append, never)
    assert titles(jobs) == ["Reading", "Opening"]
    jobs.cancel(JobKind.IMPORT)
    qtbot.waitUntil(lambda: order[1:] == ["open"])
    assert jobs.is_busy(JobKind.TRAIN)


def test_closing_cancels_and_waits_but_writes_the_files_that_were_asked_for(jobs):
    """Nobody could be told any more that a file was not written."""
    gate, written = Gate(), list[str]()
    jobs.start(JobKind.TRAIN, "Training", gate.work, never, never)
    jobs.start(JobKind.MAP, "Map", lambda tick: None, never, never)
    jobs.start(JobKind.EXPORT, "Saving", lambda t: (t(1, 2), written.append("file")), never, never)
    assert gate.entered.wait(LONG)
    jobs.close()
    assert gate.cancelled
    assert written == ["file"]
    assert not [t for t in threading.enumerate() if t.name.startswith("job ")]
    jobs.start(JobKind.TRAIN, "Too late", lambda tick: None, never, never)
    assert (jobs.waiting, jobs.current) == ([], None)
