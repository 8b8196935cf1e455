"""Training by itself: what leads to it, what it belongs to, and what stops it."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import Gallery
from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.recipe import RECIPES
from gui.state import by_itself
from gui.state.by_itself import ByItself
from gui.state.jobs import JobKind
from tests.gui.state.gate import Gate


@pytest.fixture
def trained(monkeypatch):
    """The numbers of faces of the trainings begun, and the event until which each goes on."""
    begun, gate, train = [], Gate(), Gallery.train

    def counted(gallery, tick, *, recipe=None):
        begun.append(len(gallery.included))
        gate.work(tick)
        return train(gallery, tick, recipe=recipe)

    monkeypatch.setattr(Gallery, "train", counted)
    gate.open.set()
    yield begun, gate.open
    gate.open.set()


@pytest.fixture
def watched(trained_session, trained):
    ByItself(trained_session)
    return trained_session


def remove(session, place=0):
    face = session.gallery.index.photos[place].id
    assert session.apply(f"remove {face.sha[:4]}", lambda now: now.remove([face]))


def is_current(session) -> bool:
    """Whether the space is fitted to exactly what trains, in memory and in the file."""
    gallery = session.gallery
    assert session.project.gallery is gallery
    return gallery.training is not None and gallery.changes_since_training == 0


def test_a_change_is_followed_by_a_training_and_undone_with_it(watched, trained, finish):
    begun, _ = trained
    before = watched.gallery
    remove(watched)
    finish()
    assert is_current(watched)
    assert len(begun) == 1
    assert watched.message is None
    after = watched.gallery
    watched.undo()
    finish()
    assert watched.gallery.training.space is before.training.space
    assert watched.history.undo_title is None
    watched.redo()
    finish()
    assert watched.gallery.training.space is after.training.space
    assert len(begun) == 1, "both states have their space already"


def test_a_series_of_changes_is_one_training_and_belongs_to_the_last(watched, trained, finish):
    begun, _ = trained
    for _ in range(3):
        remove(watched)
    finish()
    assert is_current(watched)
    assert begun == [21]
    watched.undo()  # to a state that was never trained
    finish()
    assert is_current(watched)
    assert begun == [21, 22]
    assert watched.history.redo_title is not None, "the training took no step of redo away"
    watched.redo()
    finish()
    assert is_current(watched)
    assert begun == [21, 22]


def test_what_comes_while_it_runs_is_trained_after_it(watched, trained, finish, qtbot):
    begun, go_on = trained
    go_on.clear()
    remove(watched)
    qtbot.waitUntil(lambda: begun == [23])
    remove(watched)
    go_on.set()
    finish()
    assert is_current(watched)
    assert begun[-1] == 22


def test_undo_while_it_runs_ends_where_it_began(watched, trained, finish, qtbot):
    begun, go_on = trained
    space = watched.gallery.training.space
    go_on.clear()
    remove(watched)
    qtbot.waitUntil(lambda: bool(begun))
    watched.undo()
    go_on.set()
    finish()
    assert is_current(watched)
    assert len(watched.gallery.training.space) == len(space)


def test_names_matter_to_a_recipe_that_is_fitted_to_them(watched, trained, finish):
    begun, _ = trained
    first, second, *_ = watched.gallery.people
    watched.apply("merge", lambda now: now.merge(first, second))
    finish()
    assert begun == [], "these recipes are not fitted to names"
    watched.apply("recipe", lambda now: now.with_recipe(RECIPES["Eigenfaces"]))
    watched.apply("choose", lambda now: replace(now, automatic=NOT_MEASURED))
    watched.apply("rename", lambda now: now.rename(second, "Ada"))
    finish()
    assert len(begun) == 1, "what could not be measured before may be measured now"


def test_it_waits_for_an_import(watched, trained, finish, qtbot):
    begun, _ = trained
    gate = Gate()
    watched.run(JobKind.IMPORT, "Importing", gate.work, print)
    qtbot.waitUntil(gate.entered.is_set)
    remove(watched)
    qtbot.wait(30)
    assert not begun
    gate.open.set()
    finish()
    assert is_current(watched)


def test_what_cannot_be_trained_says_why_once_and_is_not_tried_again(
    watched, monkeypatch, finish, qtbot
):
    tried = []

    def fail(gallery, tick, *, recipe=None):
        tried.append(1)
        raise EigenfacesError("All faces are the same.")

    monkeypatch.setattr(Gallery, "train", fail)
    remove(watched)
    finish()
    watched.gallery_changed.emit()
    finish()
    assert (len(tried), watched.why_untrained, watched.message) == (
        1,
        "All faces are the same.",
        None,
    )
    remove(watched)
    finish()
    assert len(tried) == 2


def test_a_long_one_is_shown_and_one_that_is_cancelled_does_not_begin_again(
    watched, trained, finish, qtbot, monkeypatch
):
    begun, go_on = trained
    monkeypatch.setattr(by_itself, "LONGEST_UNSEEN", 0.0)
    go_on.clear()
    remove(watched)
    qtbot.waitUntil(lambda: bool(begun))
    assert watched.jobs.is_busy(JobKind.TRAIN)
    watched.jobs.cancel(JobKind.TRAIN)
    finish()
    watched.gallery_changed.emit()
    finish()
    assert len(begun) == 1
    assert watched.message.text.startswith("Stopped.")
    assert watched.gallery.changes_since_training == 1


def test_a_file_that_takes_no_changes_is_left_alone(watched, trained, finish):
    begun, _ = trained
    watched.project.read_only = True
    watched.gallery_changed.emit()
    untrained = replace(watched.gallery, training=None, calibration=None)
    watched.project._content = replace(watched.project.content, gallery=untrained)
    watched.gallery_changed.emit()
    finish()
    assert not begun


def test_another_project_is_not_changed_by_it(watched, trained, finish, qtbot, open_gallery):
    begun, go_on = trained
    other = watched.gallery
    go_on.clear()
    remove(watched)
    qtbot.waitUntil(lambda: bool(begun))
    open_gallery(other, "other")
    go_on.set()
    finish()
    assert watched.gallery.training.space is other.training.space
    assert watched.history.undo_title is None


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_and_undone_ends_with_a_space_of_what_is_there(
    watched, trained, finish, qtbot, seed
):
    """Edits, undo and redo in any order, some while it trains; memory and file are the same."""
    rng = np.random.default_rng(seed)
    for _ in range(12):
        act = rng.integers(5)
        if act < 2 and len(watched.gallery.faces) > 12:
            remove(watched, int(rng.integers(len(watched.gallery.faces))))
        elif act == 2:
            watched.undo()
        elif act == 3:
            watched.redo()
        else:
            finish()
            assert is_current(watched)
    finish()
    assert is_current(watched)
    while watched.history.undo_title is not None:
        watched.undo()
    finish()
    assert is_current(watched)
    assert len(watched.gallery.faces) == 24
