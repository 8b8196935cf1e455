"""Photographs that need a choice are kept in the project."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from decodes import write_photographs

from eigenfaces import Project, find_photos
from eigenfaces.photographs.photos import FoundPhotos, Photo, Placement
from eigenfaces.project.unused import waiting
from gui.photos.sheet import ImportSheet
from gui.state import actions
from gui.state.session import Session
from gui.window.main_window import MainWindow
from tests.gui import seen

Finish = Callable[[], None]
WAIT = {"two.png", "none.png"}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two faces, nothing tells who is meant."""
    monkeypatch.setattr("eigenfaces.faces.network.is_installed", lambda: False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_photographs(tmp_path / "people")


@pytest.fixture
def imported(session: Session, folder: Path, finish: Finish) -> Session:
    actions.import_photos(session, find_photos(folder))
    finish()
    return session


def waits(session: Session) -> set[str]:
    return {photo.path.name for photo in waiting(session.skipped).photos} & WAIT


def choose(session: Session, folder: Path, finish: Finish) -> None:
    """Say that all of one photograph is the face."""
    photo = Photo(folder / "Grace/none.png", "Grace", Placement(None, "by hand"))
    actions.import_photos(session, FoundPhotos((photo,)))
    finish()


def test_they_are_in_the_file(imported, finish, folder):
    before, path = imported.skipped, imported.project.path
    imported.close_project()
    imported.open(Project.open(path))
    assert imported.skipped == before
    for photos in (FoundPhotos(waiting(before).photos), find_photos(folder)):
        actions.import_photos(imported, photos)
        finish()
        assert waits(imported) == WAIT


def test_undo_and_redo_of_a_choice(imported, folder, finish):
    imported.apply("renaming", lambda gallery: gallery.rename("Ada", "Ida"))
    choose(imported, folder, finish)
    assert waits(imported) == {"two.png"}
    for act, left in (("undo", WAIT), ("redo", {"two.png"}), ("undo", WAIT), ("undo", WAIT)):
        getattr(imported, act)()
        finish()
        assert waits(imported) == left
        with_file = {photo.path.name for photo in waiting(imported.project.unused).photos}
        assert with_file & WAIT == left
    imported.undo()  # the import
    finish()
    assert waits(imported) == set()
    imported.redo()
    finish()
    assert waits(imported) == WAIT


def test_what_a_later_import_found_survives_the_undo_of_an_earlier_one_and_is_kept(
    session, folder, finish
):
    photos = find_photos(folder).photos
    for some in (
        tuple(photo for photo in photos if photo.person == "Ada"),
        tuple(photo for photo in photos if photo.path.name in WAIT),
    ):
        actions.import_photos(session, FoundPhotos(some))
        finish()
    session.undo()
    finish()
    assert (len(session.gallery.faces), waits(session)) == (0, WAIT)
    path = session.project.path
    session.close_project()
    with contextlib.closing(Project.open(path)) as project:
        assert {file.path.name for file in project.unused} == WAIT


def test_the_message_leads_to_them(qtbot, session, folder, finish):
    window = seen.show(qtbot, MainWindow(session))
    actions.import_photos(session, find_photos(folder))
    finish()
    seen.button(window, "Show what waits").click()
    sheet = window.findChild(ImportSheet)
    number = len(waiting(session.skipped).photos)
    qtbot.waitUntil(
        lambda: len(sheet.panel.entries) == number and not sheet.panel.is_reading, timeout=60_000
    )
    assert {entry.photo.path.name for entry in sheet.panel.entries.values()} >= WAIT
    sheet.reject()
    finish()
