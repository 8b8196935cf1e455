"""Edits of very many photographs are written in a thread, and come to the same."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.pages.people.page import PeoplePage
from gui.state.session import Session
from tests.gui import seen


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch, trained_session: Session) -> list[str]:
    """Three photographs are very many; the titles of what is written in a thread."""
    monkeypatch.setattr("eigenfaces.project.history.AT_ONCE", 3)
    monkeypatch.setattr("gui.pages.people.gallery_edits.AT_ONCE", 3)
    titles: list[str] = []
    start = trained_session.jobs.start

    def noted(kind: object, title: str, *rest: object, **options: object) -> None:
        if kind == "write":
            titles.append(title)
        start(kind, title, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(trained_session.jobs, "start", noted)
    return titles


@pytest.fixture
def page(qtbot: QtBot, trained_session: Session) -> Iterator[PeoplePage]:
    made = seen.show(qtbot, PeoplePage(trained_session))
    seen.settle(qtbot, trained_session)
    yield made
    seen.settle(qtbot, trained_session)


def test_a_person_of_very_many_is_renamed_and_back(
    qtbot: QtBot, trained_session: Session, page: PeoplePage, threads: list[str]
) -> None:
    before = trained_session.gallery
    page.edits.rename("Ada", "Augusta")
    assert trained_session.gallery is before
    seen.settle(qtbot, trained_session)
    assert trained_session.gallery.people[0] == trained_session.person == "Augusta"
    assert trained_session.history.can_undo == "rename Ada to Augusta"
    trained_session.undo()
    seen.settle(qtbot, trained_session)
    assert trained_session.gallery is before
    assert len(threads) == 2


def test_few_are_changed_at_once(
    qtbot: QtBot, trained_session: Session, page: PeoplePage, threads: list[str]
) -> None:
    keys = [photo.key for photo in trained_session.gallery.index.photos[:3]]
    page.edits.exclude(keys, True)
    assert len(trained_session.gallery.included) == 21
    trained_session.undo()
    assert len(trained_session.gallery.included) == 24
    assert threads == []


def test_a_removal_selects_what_follows_once_it_is_written(
    qtbot: QtBot, trained_session: Session, page: PeoplePage, threads: list[str]
) -> None:
    photos = trained_session.gallery.index.photos
    page.edits.remove_photos([photos[0].key], photos[1].key)
    seen.settle(qtbot, trained_session)
    assert trained_session.photo == photos[1].key
    assert len(trained_session.gallery.faces) == 23
    assert trained_session.message is not None
    assert trained_session.message.text.startswith("1 photo was taken out of the gallery.")
    assert threads == ["Saving the change"]
