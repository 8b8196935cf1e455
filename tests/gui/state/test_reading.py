"""A large project is shown before all of it is read, and pages that need the rest wait for it."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery, Project
from eigenfaces.errors import Tick
from eigenfaces.project.stored_coordinates import StoredCoordinates
from gui.pages.map.page import MapPage
from gui.pages.people.page import PeoplePage
from gui.state import actions
from gui.state.jobs import READ_REST
from gui.state.reading import read_rest
from gui.state.session import Session
from tests.gui import seen
from tests.gui.state.gate import wait


@pytest.fixture
def path(small_gallery: Gallery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that counts as large."""
    path = tmp_path / "people.eigenfaces"
    Project.create(path, small_gallery).close()
    monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0)
    return path


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """What lets the coordinates be read; the window may not wait for it."""
    gate, read_all = threading.Event(), StoredCoordinates._all

    def waiting(of: StoredCoordinates, tick: Tick) -> object:
        assert threading.current_thread() is not threading.main_thread()
        while not gate.wait(0.002):
            tick(0, 0)
        return read_all(of, tick)

    monkeypatch.setattr(StoredCoordinates, "_all", waiting)
    yield gate
    gate.set()


def test_people_are_shown_and_the_map_waits(
    qtbot: QtBot, session: Session, small_gallery: Gallery, path: Path, gate: threading.Event
) -> None:
    people, faces = PeoplePage(session), MapPage(session)
    actions.open_project(session, path)
    wait(qtbot, lambda: session.project is not None)
    assert people.inspector is not None
    for part in (people, faces, people.inspector):
        seen.show(qtbot, part, (1200, 800))
    assert not session.gallery.trained.is_read
    inspector = people.photo_inspector
    assert inspector.rebuilt.isVisibleTo(inspector)
    inspector._measure()
    assert inspector._neighbour == "…"
    assert faces._shown_map is None
    assert seen.says(faces, "What was trained is being read")
    session.jobs.cancel(READ_REST)
    wait(qtbot, lambda: not session.jobs.is_busy(READ_REST))
    assert seen.says(faces, "try it again")
    gate.set()
    seen.button(faces, "Read again").click()
    seen.settle(qtbot, session)
    assert faces._shown_map is not None
    known = small_gallery.trained.coordinates
    np.testing.assert_array_equal(faces._shown_map.coordinates, known)
    wait(qtbot, lambda: inspector._neighbour != "…")


def test_another_project_is_read_though_the_one_before_was_given_up(
    qtbot: QtBot, session: Session, path: Path, gate: threading.Event
) -> None:
    second = path.with_name("second.eigenfaces")
    second.write_bytes(path.read_bytes())
    actions.open_project(session, path)
    wait(qtbot, lambda: session.project is not None)
    session.jobs.cancel(READ_REST)
    wait(qtbot, lambda: not session.jobs.is_busy(READ_REST))
    actions.open_project(session, second)
    read_rest(session)  # as a page would, of the one before
    wait(qtbot, lambda: session.project is not None and session.project.path == second)
    gate.set()
    seen.settle(qtbot, session)
    assert session.gallery.trained.is_read
    assert session.message is None or session.message.tone != "error"
    actions.open_project(session, path)
    wait(qtbot, lambda: session.project is not None and session.project.path == path)
    actions.new_project(session)
    seen.settle(qtbot, session)
    assert session.message is None or session.message.tone != "error"


def test_what_is_damaged_is_said(qtbot: QtBot, session: Session, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE coordinate SET seal = seal + 1")
    actions.open_project(session, path)
    wait(qtbot, lambda: session.project is not None)
    page = MapPage(session)
    seen.show(qtbot, page, (1200, 800))
    seen.settle(qtbot, session)
    assert session.message is not None
    assert "damaged (its content does not fit its seals)" in session.message.text
    assert page._shown_map is None
    assert seen.says(page, "could not be done, try it again")
