"""What a person asks for while a project file is opened, or written to another place."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eigenfaces import Gallery, Project
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import draft_path

Finish = Callable[[], None]
HeldUp = Callable[[str], tuple[threading.Event, threading.Event]]


@pytest.fixture
def held_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldUp]:
    """Let `Project.open` or `create` set an event in the end, and wait for another."""
    reached, go_on = threading.Event(), threading.Event()

    def hold(name: str) -> tuple[threading.Event, threading.Event]:
        real = getattr(Project, name)

        def slow(*given: object) -> Project:
            project = real(*given)
            reached.set()
            go_on.wait(10)
            return project

        monkeypatch.setattr(Project, name, slow)
        return reached, go_on

    yield hold
    go_on.set()


@pytest.fixture
def elsewhere(small_gallery: Gallery, tmp_path: Path) -> Path:
    """A project file that is not open."""
    Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
    return tmp_path / "other.eigenfaces"


def test_a_project_can_be_opened_after_opening_it_was_cancelled(
    session: Session, elsewhere: Path, finish: Finish, held_up: HeldUp
) -> None:
    opened, go_on = held_up("open")
    actions.open_project(session, elsewhere)
    assert opened.wait(10)
    session.jobs.cancel("open")  # too late
    go_on.set()
    finish()
    actions.open_project(session, elsewhere)
    finish()
    assert session.project is not None
    assert session.project.path == elsewhere


def test_a_project_may_be_chosen_twice_while_it_is_opened(
    session: Session, elsewhere: Path, finish: Finish, held_up: HeldUp
) -> None:
    opened, go_on = held_up("open")
    actions.open_project(session, elsewhere)
    assert opened.wait(10)
    actions.open_project(session, elsewhere)
    go_on.set()
    finish()
    assert session.project is not None
    assert session.project.path == elsewhere


def test_saving_to_a_second_place_waits_until_the_first_is_written(
    trained_session: Session, tmp_path: Path, finish: Finish, held_up: HeldUp
) -> None:
    written, go_on = held_up("create")
    actions.save_as(trained_session, tmp_path / "first")
    assert written.wait(10)
    actions.save_as(trained_session, tmp_path / "second")
    assert trained_session.message is not None
    assert trained_session.message.text.startswith("One moment")
    go_on.set()
    finish()
    assert trained_session.project is not None
    assert trained_session.project.path.stem == "first"


@pytest.mark.parametrize("draft", [False, True])
def test_a_large_change_asked_for_while_saving_elsewhere_is_made_there(
    trained_session: Session, tmp_path: Path, finish: Finish, held_up: HeldUp, draft: bool
) -> None:
    if draft:
        trained_session.switch(Project.create(draft_path("small"), trained_session.gallery))
    fitted = trained_session.gallery.training
    actions.train(trained_session)
    finish()
    assert trained_session.gallery.training is not fitted
    written, go_on = held_up("create")
    actions.save_as(trained_session, tmp_path / "mine")
    assert written.wait(10)
    trained_session.undo()
    go_on.set()
    finish()
    assert trained_session.project is not None
    assert trained_session.project.path.stem == "mine"
    assert trained_session.message is not None
    assert trained_session.message.text == "Undone: training."
    assert trained_session.history.can_redo == "training"
    assert trained_session.gallery.training is fitted
    trained_session.close_project()
    with contextlib.closing(Project.open(tmp_path / "mine.eigenfaces")) as project:
        assert project.gallery.training is not None
