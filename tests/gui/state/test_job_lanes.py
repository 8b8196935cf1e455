"""Jobs in two lanes: what runs beside what, and what waits."""

import pytest
from pytestqt.qtbot import QtBot

from gui.state.jobs import (
    ADD_PROBES,
    EVALUATE,
    EVEN_LIGHT,
    EXPORT,
    IMPORT,
    KEEP_RUN,
    OPEN,
    PREVIEW,
    READ_RUN,
    RECOGNISE,
    SAVE_AS,
    SHOW_PHOTO,
    TRAIN,
    WRITE,
    JobKind,
    Jobs,
)
from tests.gui.state.gate import Gate, never, wait


@pytest.mark.parametrize("kind", [IMPORT, WRITE, SAVE_AS, KEEP_RUN])
def test_opening_waits_for_every_kind_that_changes_the_project(
    jobs: Jobs, qtbot: QtBot, kind: JobKind
) -> None:
    gate, results = Gate(), []
    jobs.start(kind, "Changing", gate.work, results.append)
    jobs.start(OPEN, "Opening", lambda tick: "open", results.append)
    assert jobs.waiting == ("Opening",)
    gate.open.set()
    wait(qtbot, lambda: results == ["through", "open"])


def test_what_is_looked_at_does_not_wait_for_a_long_job(jobs: Jobs, qtbot: QtBot) -> None:
    training, results = Gate(), []
    jobs.start(TRAIN, "Training", training.work, results.append)
    jobs.start(EVALUATE, "Evaluating", lambda tick: "evaluated", results.append)
    for kind in (OPEN, ADD_PROBES, RECOGNISE, SHOW_PHOTO, PREVIEW, EVEN_LIGHT, READ_RUN):
        jobs.start(kind, kind.name, lambda tick, kind=kind: kind, results.append)
        wait(qtbot, lambda kind=kind: results[-1:] == [kind])
    assert jobs.waiting == ("Evaluating",)
    assert jobs.is_busy(TRAIN)
    training.open.set()
    wait(qtbot, lambda: results[-2:] == ["through", "evaluated"])


def test_both_lanes_say_how_far_they_are(jobs: Jobs, qtbot: QtBot) -> None:
    long, quick = Gate(), Gate()
    jobs.start(TRAIN, "Training", long.work, lambda _: None)
    assert jobs.running[1] is None
    jobs.start(RECOGNISE, "Recognising", quick.work, lambda _: None)
    wait(qtbot, lambda: all(now is not None and now.done == 1 for now in jobs.running))
    assert [now and now.kind for now in jobs.running] == [TRAIN, RECOGNISE]
    assert jobs.current == jobs.running[0]
    long.open.set()
    wait(qtbot, lambda: jobs.running[0] is None)
    assert jobs.current is not None
    assert jobs.current.kind == RECOGNISE
    quick.open.set()
    wait(qtbot, lambda: jobs.current is None)


def test_one_kind_can_be_cancelled_beside_another(jobs: Jobs, qtbot: QtBot) -> None:
    long, quick, told = Gate(), Gate(), []
    jobs.start(TRAIN, "Training", long.work, never)
    jobs.start(EVALUATE, "Evaluating", never, never, cancelled=lambda: told.append("waiting"))
    jobs.start(RECOGNISE, "Recognising", quick.work, told.append)
    wait(qtbot, lambda: long.entered.is_set() and quick.entered.is_set())
    jobs.cancel(TRAIN, EVALUATE)
    assert told == ["waiting"]
    wait(qtbot, lambda: jobs.running[0] is None)
    assert (long.cancelled, quick.cancelled) == (True, False)
    quick.open.set()
    wait(qtbot, lambda: told == ["waiting", "through"])


def test_opening_waits_for_what_is_brought_into_the_project(jobs: Jobs, qtbot: QtBot) -> None:
    """It first waits for the photographs, and then for them to be written."""
    photos, order = Gate(), []

    def read(_: str) -> None:
        order.append("import")
        jobs.start(WRITE, "Writing", lambda tick: "write", order.append)

    jobs.start(IMPORT, "Reading", photos.work, read)
    jobs.start(OPEN, "Opening", lambda tick: "open", order.append)
    jobs.start(SHOW_PHOTO, "Looking", lambda tick: "photo", order.append)
    wait(qtbot, lambda: order == ["photo"])
    ahead = jobs.ahead_of(OPEN)
    assert ahead is not None
    assert ahead.title == "Reading"
    photos.open.set()
    wait(qtbot, lambda: order == ["photo", "import", "write", "open"])
    assert jobs.ahead_of(OPEN) is None


def test_nothing_is_brought_into_a_project_while_another_is_opened(
    jobs: Jobs, qtbot: QtBot
) -> None:
    opening, order = Gate(), []
    jobs.start(OPEN, "Opening", opening.work, order.append)
    jobs.start(IMPORT, "Reading", lambda tick: "import", order.append)
    jobs.start(TRAIN, "Training", lambda tick: "train", order.append)
    wait(qtbot, lambda: order == ["train"])
    ahead = jobs.ahead_of(IMPORT)
    assert ahead is not None
    assert ahead.kind == OPEN
    opening.open.set()
    wait(qtbot, lambda: order == ["train", "through", "import"])


def test_what_waited_for_a_cancelled_job_begins(jobs: Jobs, qtbot: QtBot) -> None:
    training, order = Gate(), []
    jobs.start(TRAIN, "Training", training.work, order.append)
    jobs.start(IMPORT, "Reading", never, never)
    jobs.start(OPEN, "Opening", lambda tick: "open", order.append)
    jobs.cancel(IMPORT)
    wait(qtbot, lambda: order == ["open"])
    assert jobs.is_busy(TRAIN)


def test_jobs_that_give_way_do_so_to_others_and_not_to_each_other(jobs: Jobs, qtbot: QtBot) -> None:
    one, other = JobKind("measure", gives_way=True), JobKind("look", gives_way=True)
    running, ended = Gate(), []
    jobs.start(one, "Measuring", running.work, never, cancelled=lambda: never("told"))
    jobs.start(other, "Looking", never, never, cancelled=lambda: never("told"))
    assert jobs.waiting == ("Looking",)
    assert jobs.is_wanted_besides(one)
    wait(qtbot, running.entered.is_set)
    jobs.start(EXPORT, "Exporting", lambda tick: "written", ended.append)
    assert jobs.waiting == ("Exporting",)
    wait(qtbot, lambda: ended == ["written"])
    assert running.cancelled
    assert not jobs.is_busy(one, other)
