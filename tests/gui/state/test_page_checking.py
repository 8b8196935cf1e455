"""Every page of a large project is looked at in the background, and damage is said."""

import pytest

from eigenfaces import Project
from gui.state.page_checking import PageChecking
from tests.gui.state.gate import wait


@pytest.fixture
def opened(session, small_gallery, tmp_path, monkeypatch):
    """Open a project, large or not, with or without damage in what opening does not look at."""

    def open_one(*, large, damaged=False):
        path = tmp_path / "people.eigenfaces"
        Project.create(path, small_gallery).close()
        if damaged:  # its list of free pages begins at one that is in use
            whole = bytearray(path.read_bytes())
            whole[32:40] = (5).to_bytes(4) + (1).to_bytes(4)
            path.write_bytes(whole)
        monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0 if large else 10_000)
        PageChecking(session)
        session.switch(Project.open(path))
        return session

    return open_one


@pytest.fixture
def looks(monkeypatch):
    """Return how often pages were looked at."""
    looked, look = [], Project.check_pages
    counted = lambda self, tick: looked.append(self.path) or look(self, tick)  # noqa: E731
    monkeypatch.setattr(Project, "check_pages", counted)
    return looked


def finish(qtbot, session):
    wait(qtbot, lambda: session.jobs.current is None and not session.jobs.waiting)


def test_a_large_one_is_looked_at_once(opened, looks, qtbot):
    session = opened(large=True)
    finish(qtbot, session)
    assert looks == [session.project.path]
    assert not session.project.has_unseen_pages
    said = session.message
    session.apply("renaming", lambda gallery: gallery.rename(gallery.people[0], "Ada"))
    finish(qtbot, session)
    assert len(looks) == 1
    assert said is None or said.tone != "error"


def test_a_small_one_was_looked_at_when_it_was_opened(opened, looks, qtbot):
    finish(qtbot, opened(large=False))
    assert looks == []


def test_damage_is_said(opened, qtbot):
    session = opened(large=True, damaged=True)
    finish(qtbot, session)
    assert session.message.tone == "error"
    assert "damaged (its pages do not fit together)" in session.message.text
    assert session.project is not None
