"""The status bar: running jobs with Cancel, facts of the face space, and the time left."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar

from gui.state.jobs import JobKind
from gui.widgets.status_bar import StatusBar, time_left
from tests.gui import seen
from tests.gui.state.gate import Gate


@pytest.fixture
def bar(qtbot, trained_session):
    return seen.show(qtbot, StatusBar(trained_session), (1000, 40))


@pytest.fixture
def start(trained_session):
    """Start a job that goes on until it is cancelled."""
    return lambda kind, title: trained_session.run(kind, title, Gate().work, print)


def bars(bar) -> list[str]:
    return [part.accessibleName() for part in bar.findChildren(QProgressBar) if part.isVisible()]


def test_two_jobs_are_shown_each_with_its_own_cancel(qtbot, bar, start, trained_session):
    start(JobKind.TRAIN, "Training on 24 faces")
    start(JobKind.ADD_PROBES, "Reading 9 photos")
    qtbot.waitUntil(lambda: len(bars(bar)) == 2)
    assert bars(bar) == ["Progress: Training on 24 faces", "Progress: Reading 9 photos"]
    there = ["Training on 24 faces: 25 %", "Reading 9 photos: 1 of 4"]
    qtbot.waitUntil(lambda: seen.words(bar) == there)
    seen.button(bar, "Cancel: Reading 9 photos").click()
    qtbot.waitUntil(lambda: bars(bar) == ["Progress: Training on 24 faces"])
    assert trained_session.jobs.is_busy(JobKind.TRAIN)
    qtbot.keyClick(seen.button(bar, "Cancel: Training on 24 faces"), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "Ready" in seen.words(bar))
    assert bars(bar) == []


def test_what_lasts_a_moment_is_not_shown_beside_a_long_job(qtbot, bar, start, trained_session):
    start(JobKind.TRAIN, "Training on 24 faces")
    qtbot.waitUntil(lambda: len(bars(bar)) == 1)
    shown, ended = list[int](), list[str]()
    changed = trained_session.jobs.changed.connect(lambda: shown.append(len(bars(bar))))
    trained_session.run(JobKind.SHOW_PHOTO, "Opening", lambda tick: "opened", ended.append)
    qtbot.waitUntil(lambda: ended == ["opened"])
    trained_session.jobs.changed.disconnect(changed)
    assert set(shown) == {1}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.4, "almost done"), (12.3, "about 12 s left"), (130, "about 2 min left")],
)
def test_time_left_in_words(seconds, text):
    assert time_left(seconds) == text
