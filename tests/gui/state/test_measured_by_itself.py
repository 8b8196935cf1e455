"""Calibrations in the background: when one is made, what it gives way to, and undo beside it."""

import pytest

from eigenfaces import Gallery, Project
from gui.state.by_itself import ByItself
from gui.state.jobs import JobKind
from tests.gui.state.gate import Gate


@pytest.fixture
def made(monkeypatch):
    """The calibrations begun, and the event until which each goes on."""
    begun, gate, calibrate = [], Gate(), Gallery.calibrate

    def counted(gallery, tick):
        begun.append(gallery.calibration_key)
        gate.work(tick)
        return calibrate(gallery, tick)

    monkeypatch.setattr(Gallery, "calibrate", counted)
    yield begun, gate.open
    gate.open.set()


@pytest.fixture
def watched(trained_session):
    """A session whose calibrations are started; its gallery is announced."""
    ByItself(trained_session)
    trained_session.gallery_changed.emit()
    return trained_session


def exclude(session, place):
    key = session.gallery.index.photos[place].id
    assert session.apply(f"exclude {place}", lambda g: g.exclude([key]))


def test_edits_in_a_row_lead_to_one_calibration(made, watched, finish, qtbot):
    begun, go_on = made
    for place in range(3):
        exclude(watched, place)
    go_on.set()
    finish()
    assert watched.gallery.calibrated is not None
    assert watched.history.undo_title == "exclude 2"
    assert watched.message is None
    assert begun[-1] == watched.gallery.calibration_key
    assert len(begun) <= 2, "the one under way when the edits began, and the last"


def test_undo_and_redo_find_the_calibrations_of_their_galleries(made, watched, finish):
    begun, go_on = made
    go_on.set()
    finish()
    first = watched.gallery.calibrated
    watched.apply("share", lambda gallery: gallery.with_share(0.05))
    assert watched.gallery.calibrated is first, "that does not matter"
    exclude(watched, 0)
    finish()
    second = watched.gallery.calibrated
    assert second is not None
    assert second is not first
    count = len(begun)
    watched.undo()
    finish()
    assert watched.gallery.calibrated is first
    watched.redo()
    finish()
    assert watched.gallery.calibrated is second
    assert len(begun) == count


def test_it_gives_way_to_another_long_job_and_is_begun_again(made, watched, finish, qtbot):
    begun, go_on = made
    qtbot.waitUntil(lambda: bool(begun))
    gate = Gate()
    watched.run(JobKind.EXPORT, "Exporting", gate.work, print)
    qtbot.waitUntil(gate.entered.is_set)
    assert not watched.jobs.is_busy(JobKind.CALIBRATE)
    gate.open.set()
    qtbot.waitUntil(lambda: len(begun) == 2)
    go_on.set()
    finish()
    assert watched.gallery.calibrated is not None
    assert watched.message is None, "nobody is told"


def test_stopped_by_a_person_it_waits_for_the_next_edit(made, watched, finish, qtbot, tmp_path):
    begun, go_on = made
    qtbot.waitUntil(lambda: bool(begun))
    watched.jobs.cancel(JobKind.CALIBRATE)
    finish()
    assert "Cancelled" in watched.message.text
    watched.gallery_changed.emit()
    assert not watched.jobs.is_busy(JobKind.CALIBRATE)
    exclude(watched, 1)
    qtbot.waitUntil(lambda: len(begun) == 2)
    watched.message = None
    watched.open(Project.create(tmp_path / "other.eigenfaces"))
    go_on.set()
    finish()
    assert watched.message is None, "another project hears nothing of it"
    assert watched.gallery.calibration is None
