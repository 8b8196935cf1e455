"""Update beside Train: offered where it can be done, says the error, and can be undone."""

import pytest
from PySide6.QtWidgets import QMenu, QPushButton

from eigenfaces import Project
from eigenfaces.recognition.updating import WHAT_IT_DOES, only_by_training
from gui.state.calibrating import Calibrating
from gui.widgets.words import Chip
from gui.window.top_bar import TopBar
from tests.gui.state.gate import wait

UPDATED = "Fitted to 14 faces and updated with 10: the same, to rounding, as a fit to all 24."


@pytest.fixture
def grown(session, small_gallery, tmp_path):
    """A session trained on 14 photographs, in which 10 more were enrolled since."""
    keys = [photo.key for photo in small_gallery.index.photos]
    gallery = small_gallery.remove(keys[14:]).train()
    session.switch(Project.create(tmp_path / "four.eigenfaces", gallery))
    session.apply("enrolling", lambda now: now.enrol(small_gallery.faces.select(range(14, 24))))
    return session


@pytest.fixture
def bar(qtbot, grown):
    made = TopBar(grown, QMenu(), QMenu())
    qtbot.addWidget(made)
    return made


def button(bar) -> QPushButton:
    return next(b for b in bar.findChildren(QPushButton) if b.text() == "Update")


def chips(bar) -> list[str]:
    return [chip.text() for chip in bar.findChildren(Chip)]


def settled(qtbot, session):
    wait(qtbot, lambda: session.jobs.current is None and not session.jobs.waiting)


def test_it_takes_the_photographs_in_and_can_be_undone(qtbot, grown, bar):
    assert not button(bar).isHidden()
    assert button(bar).toolTip() == WHAT_IT_DOES
    before = grown.gallery
    button(bar).click()
    assert not button(bar).isEnabled()
    settled(qtbot, grown)
    assert grown.message.text == UPDATED
    assert (grown.gallery.changes, grown.gallery.trained.space.count) == (0, 24)
    assert "Updated" in chips(bar)
    assert button(bar).isHidden()
    grown.undo()
    settled(qtbot, grown)
    assert grown.message.text == "Undone: updating the face space."
    assert grown.gallery.training is before.training
    assert not button(bar).isHidden()
    grown.redo()
    settled(qtbot, grown)
    assert grown.project.gallery.trained.updated is not None


def test_the_tooltip_says_it_once_distances_are_measured(qtbot, grown, bar):
    Calibrating(grown)
    button(bar).click()
    settled(qtbot, grown)
    told = [chip.toolTip() for chip in bar.findChildren(Chip) if chip.text() == "Updated"]
    assert told == [f"{UPDATED} It need not be trained again for them."]


def test_it_is_not_offered_where_only_training_will_do(qtbot, grown, bar):
    first = grown.gallery.index.photos[0].key
    grown.apply("removing", lambda now: now.remove([first]))
    assert button(bar).isHidden()
    train = next(b for b in bar.findChildren(QPushButton) if b.text() == "Train")
    assert only_by_training(grown.gallery) in train.toolTip()
    grown.undo()
    settled(qtbot, grown)
    assert not button(bar).isHidden()


def test_edits_made_meanwhile_are_kept(qtbot, grown, bar):
    button(bar).click()
    grown.apply("naming", lambda now: now.rename("Ada", "Augusta"))
    settled(qtbot, grown)
    assert "Augusta" in grown.gallery.people
    assert (grown.gallery.changes, grown.gallery.trained.space.count) == (0, 24)
