"""Drafts: an unchanged one is used again or deleted, every other one is kept."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.state import actions
from gui.state.session import Session
from gui.state.settings import Settings


@pytest.fixture
def open_sample(qtbot: QtBot, tmp_path: Path, monkeypatch) -> Iterator[Callable[[], Session]]:
    """Start the program anew and open the sample in it."""
    for module in ("settings", "session", "actions"):
        monkeypatch.setattr(f"gui.state.{module}.drafts_folder", lambda: tmp_path / "drafts")
    opened: list[Session] = []

    def start() -> Session:
        session = Session(Settings(tmp_path / "settings.ini"))
        opened.append(session)
        actions.open_sample(session)
        qtbot.waitUntil(lambda: session.project is not None, timeout=20_000)
        qtbot.waitUntil(lambda: session.jobs.current is None)
        return session

    yield start
    for session in opened:
        session.close()


def kill(session: Session) -> None:
    """Let go of the file as the system does for a process that is gone, and of nothing else."""
    assert session.project is not None
    session.project.close()
    session.project = None


def drafts(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "drafts").iterdir()]


def test_an_untouched_sample_that_a_kill_left_is_used_again(open_sample, tmp_path):
    first = open_sample()
    path = first.project.path
    kill(first)
    again = open_sample()
    assert again.project.path == path
    assert again.gallery.changes == 0
    assert drafts(tmp_path) == [path.name]
    again.close()
    assert drafts(tmp_path) == []


def test_a_sample_with_a_change_in_it_is_left_alone(open_sample, tmp_path):
    first = open_sample()
    path = first.project.path
    first.apply("rename", lambda g: g.rename(g.people[0], "Ada"))
    kill(first)
    again = open_sample()
    assert again.project.path != path
    assert "Ada" not in again.gallery.people
    again.close()
    assert drafts(tmp_path) == [path.name]


def test_a_sample_that_is_open_elsewhere_is_left_alone(open_sample, tmp_path):
    first, second = open_sample(), open_sample()
    assert first.project.path != second.project.path
    first.close()
    second.close()
    assert drafts(tmp_path) == []


def test_another_k_is_no_reason_to_keep_the_sample(open_sample, tmp_path):
    session = open_sample()
    recipe = session.gallery.recipe.changed(components=20)
    session.apply("k = 20", lambda g: g.with_recipe(recipe))
    session.close()
    assert drafts(tmp_path) == []
