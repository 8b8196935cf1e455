"""Calibrations in the background: when one is made, what it gives way to, and undo beside it."""

import threading

import pytest

from eigenfaces import Gallery, Project
from eigenfaces.recognition.recipe import RECIPES
from gui.state import actions
from gui.state.background import Calibrating
from tests import synthetic
from tests.gui.state.gate import Gate, wait


@pytest.fixture
def made(monkeypatch):
    """Count the calibrations begun; each goes on until the event is set."""
    begun, go_on, calibrate = [], threading.Event(), Gallery.calibrate

    def counted(gallery, tick):
        begun.append(gallery.calibration_key)
        while not go_on.wait(0.002):
            tick(1, 4)
        return calibrate(gallery, tick)

    monkeypatch.setattr(Gallery, "calibrate", counted)
    yield begun, go_on
    go_on.set()


@pytest.fixture
def watched(trained_session):
    """A session whose calibrations are started; its gallery is announced."""
    Calibrating(trained_session)
    trained_session.gallery_changed.emit()
    return trained_session


@pytest.fixture
def finish(qtbot, session):
    return lambda: wait(qtbot, lambda: session.jobs.current is None and not session.jobs.waiting)


def exclude(session, place):
    key = session.gallery.index.photos[place].key
    assert session.apply(f"exclude {place}", lambda g: g.exclude([key]))


def test_an_open_project_is_calibrated_without_a_step_of_undo(watched, finish):
    assert watched.jobs.is_busy("calibrate")
    finish()
    assert watched.gallery.calibrated is not None
    assert watched.history.can_undo is None
    assert watched.message is None


def test_edits_in_a_row_lead_to_one_calibration(made, watched, finish, qtbot):
    begun, go_on = made
    for place in range(3):
        exclude(watched, place)
    go_on.set()
    finish()
    assert watched.gallery.calibrated is not None
    assert begun[-1] == watched.gallery.calibration_key
    assert len(begun) <= 2, "the one under way when the edits began, and the last"


def test_undo_and_redo_find_the_calibrations_of_their_galleries(made, watched, finish):
    begun, go_on = made
    go_on.set()
    finish()
    first = watched.gallery.calibration
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


def test_a_calibration_made_after_an_edit_that_does_not_matter_holds_before_it(watched, finish):
    actions.ask_share(watched, 0.05)
    finish()
    calibration = watched.gallery.calibrated
    assert calibration is not None
    watched.undo()
    assert watched.gallery.share == 0.01
    assert watched.gallery.calibrated is calibration


def test_it_gives_way_to_another_long_job_and_is_begun_again(made, watched, finish, qtbot):
    begun, go_on = made
    wait(qtbot, lambda: bool(begun))
    gate = Gate()
    watched.run("export", "Exporting", gate.work, print)
    wait(qtbot, gate.entered.is_set)
    assert not watched.jobs.is_busy("calibrate")
    gate.open.set()
    wait(qtbot, lambda: len(begun) == 2)
    go_on.set()
    finish()
    assert watched.gallery.calibrated is not None
    assert watched.message is None, "nobody is told"


def test_it_is_made_after_training_not_before(made, watched, finish, qtbot):
    begun, go_on = made
    exclude(watched, 0)
    wait(qtbot, lambda: watched.gallery.calibration_key in begun)
    actions.train(watched)
    go_on.set()
    finish()
    assert begun[-1] == watched.gallery.calibration_key
    assert watched.gallery.calibrated is not None
    assert watched.history.can_undo == "training"


def test_stopped_by_a_person_it_waits_for_the_next_edit(made, watched, finish, qtbot):
    begun, go_on = made
    wait(qtbot, lambda: bool(begun))
    watched.jobs.cancel("calibrate")
    finish()
    assert "cancelled" in watched.message.text
    watched.gallery_changed.emit()
    assert not watched.jobs.is_busy("calibrate")
    go_on.set()
    exclude(watched, 1)
    finish()
    assert watched.gallery.calibrated is not None


def test_another_project_hears_nothing_of_it(made, watched, finish, qtbot, tmp_path):
    begun, _ = made
    wait(qtbot, lambda: bool(begun))
    watched.switch(Project.create(tmp_path / "other.eigenfaces"))
    finish()
    assert watched.message is None
    assert watched.gallery.calibration is None


def test_a_recipe_that_refits_is_one_step(trained_session, finish):
    trained_session.apply("x", lambda now: synthetic.joined(now).train())
    finish()
    before = trained_session.gallery
    components = before.recipe.matcher.components
    actions.use_recipe(trained_session, RECIPES["Fisherfaces"].changed(components=components))
    assert trained_session.gallery is before
    finish()
    assert trained_session.gallery.trained.recipe.name == "Fisherfaces"
    assert trained_session.gallery.trained.space is before.trained.space  # it is the same
    assert trained_session.gallery.changes == 0
    assert trained_session.history.can_undo == "the recipe Fisherfaces"
    trained_session.undo()
    finish()
    assert trained_session.gallery is before


def test_a_recipe_that_needs_more_people_changes_nothing(trained_session, finish):
    before = trained_session.gallery
    for name in ("Fisherfaces", "Texture"):
        actions.use_recipe(trained_session, RECIPES[name])
        finish()
        assert "from 7 people or more, and there are 6" in trained_session.message.text
        assert trained_session.gallery is before


def test_a_recipe_that_only_compares_otherwise_is_used_at_once(trained_session):
    recipe = trained_session.gallery.recipe.changed(distance="cosine")
    actions.use_recipe(trained_session, recipe)
    assert trained_session.gallery.recipe == recipe
    assert trained_session.history.can_undo == "the recipe Eigenfaces"


def test_a_share_that_cannot_be_is_refused(trained_session):
    actions.ask_share(trained_session, 2)
    assert trained_session.gallery.share == 0.01
    assert "from 0 to 1" in trained_session.message.text
