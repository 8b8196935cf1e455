"""Whether training again would pay: looked at in the background, said beside Train."""

import pytest
from PySide6.QtWidgets import QMenu

from eigenfaces import Project
from eigenfaces.recognition import refitting
from gui.state.calibrating import Calibrating
from gui.state.refitting import Refitting
from gui.widgets.words import Chip
from gui.window.top_bar import TopBar
from tests.gui.state.gate import wait


@pytest.fixture
def watched(session, small_gallery, tmp_path):
    """A session with the first 14 photographs, of four people, trained on."""
    keys = [photo.key for photo in small_gallery.index.photos]
    gallery = small_gallery.remove(keys[14:]).train()
    session.switch(Project.create(tmp_path / "four.eigenfaces", gallery))
    Calibrating(session)
    session.gallery_changed.emit()
    return session


@pytest.fixture
def finish(qtbot, session):
    return lambda: wait(qtbot, lambda: session.jobs.current is None and not session.jobs.waiting)


@pytest.fixture
def enrol(session, small_gallery):
    new = small_gallery.faces.select
    return lambda *rows: session.apply("enrolling", lambda gallery: gallery.enrol(new(rows)))


def test_the_top_bar_says_it_once_people_came_and_until_they_left(watched, finish, enrol, qtbot):
    bar = TopBar(watched, QMenu(), QMenu())
    qtbot.addWidget(bar)
    told = lambda: "".join(chip.toolTip() for chip in bar.findChildren(Chip))  # noqa: E731
    finish()
    assert told() == "", "nobody came"
    assert enrol(*range(14, 24))
    finish()
    assert told() == refitting.would_refit_pay(watched.gallery).sentence()
    assert told().endswith("Train again: it would pay.")
    watched.undo()
    finish()
    assert told() == ""


def test_it_is_looked_at_once_for_each_gallery(watched, finish, enrol, monkeypatch):
    looked, look = [], refitting.would_refit_pay
    counted = lambda gallery, tick: looked.append(gallery.basis) or look(gallery, tick)  # noqa: E731
    monkeypatch.setattr("gui.state.refitting.would_refit_pay", counted)
    found = Refitting(watched)
    finish()
    assert not looked, "nothing changed since training"
    assert enrol(14)
    finish()
    watched.gallery_changed.emit()
    finish()
    assert looked == [watched.gallery.basis]
    assert "1 of 15 photos" in found.sentence()
