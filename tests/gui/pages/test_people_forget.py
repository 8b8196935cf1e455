"""Forgetting a person from the list of people: what is asked, and what is done meanwhile."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QMessageBox

from eigenfaces import Project
from eigenfaces.project.file import SqliteFile
from gui.pages.people.page import PeoplePage
from gui.state.session import Session
from tests.gui import seen

Ask = Callable[..., str]


@pytest.fixture
def page(open_page, trained_session: Session) -> PeoplePage:
    return open_page(PeoplePage, (1000, 760))


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, page: PeoplePage, do) -> Ask:
    """Choose *Forget…* of a person, and answer what is asked; return what that said."""

    def act(person: str, button: str, *, remember: bool = False) -> str:
        said = []

        def pressed(box: QMessageBox) -> int:
            said.extend([box.text(), box.informativeText()])
            box.checkBox().setChecked(remember)
            (wanted,) = (one for one in box.buttons() if one.text().replace("&", "") == button)
            wanted.click()
            return 0

        monkeypatch.setattr(QMessageBox, "exec", pressed)
        place = page.people.visualRect(page.people.faces.index_of(person)).center()
        do(seen.menu_at(page, page.people, place)["Forget…"].trigger)
        return " ".join(said)

    return act


def test_it_is_asked_first_and_cancel_changes_nothing(page: PeoplePage, answer: Ask) -> None:
    before = page.session.project.content
    said = answer("Ada", "Cancel")
    assert said.startswith("Forget Ada?")
    assert "This cannot be undone" in said
    assert "any copies stay where they are" in said
    assert page.session.project.content is before


@pytest.mark.parametrize("remember", [False, True])
def test_the_file_is_written_anew_in_a_job_and_then_it_is_said(
    page: PeoplePage, answer: Ask, monkeypatch: pytest.MonkeyPatch, remember: bool
) -> None:
    session, write = page.session, SqliteFile.rewrite
    threads, people = [], []

    def watched(file: SqliteFile) -> None:
        threads.append(threading.current_thread())
        people.append(session.gallery.people)
        write(file)

    monkeypatch.setattr(SqliteFile, "rewrite", watched)
    session.apply("rename", lambda now: now.rename("Sofia", "Sonya"))
    answer("Ada", "Forget", remember=remember)
    assert threading.main_thread() not in threads
    assert people == [("Grace", "Hedy", "Katherine", "Mary", "Sonya")], "by then she is gone"
    assert len(session.project.content.forgotten) == (4 if remember else 0)
    assert session.history.undo_title is None
    assert session.message.text.startswith("Ada has been forgotten.")
    assert b"Ada" not in session.project.path.read_bytes()


def test_who_closes_the_window_meanwhile_has_a_clean_file_all_the_same(
    trained_session: Session,
) -> None:
    project = trained_session.project
    size = project.path.stat().st_size
    trained_session.forget_person("Ada", project.runs, remember=False)
    trained_session.close()
    assert project.path.stat().st_size < size
    assert b"Ada" not in project.path.read_bytes()
    reopened = Project.open(project.path)
    assert "Ada" not in reopened.gallery.people
    reopened.close()


def test_a_file_that_cannot_be_written_is_said_and_nobody_is_forgotten(
    page: PeoplePage, answer: Ask
) -> None:
    page.session.project.read_only = True
    answer("Ada", "Forget")
    assert "read-only" in page.session.message.text
    assert "Ada" in page.session.gallery.people
