"""Projects opened, made and saved, also while something else goes on; and a file that is gone."""

import contextlib
import shutil
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QByteArray

from eigenfaces import Gallery, Project, Recipe
from gui.state import actions
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.state.settings import LastView, draft_path, drafts_folder
from tests.gui.state.gate import LONG, Gate
from tests.gui.state.test_session import record_of


def text(session: Session) -> str:
    return session.message.text


def place(session: Session) -> Path:
    return session.project.path


@pytest.fixture
def elsewhere(small_gallery, tmp_path) -> Path:
    """A project file that is not open."""
    Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
    return tmp_path / "other.eigenfaces"


@pytest.fixture
def held_up(monkeypatch):
    """Let `Project.open` or `create` wait for an event once all is done; return when it waits."""
    go_on, reached = threading.Event(), threading.Event()

    def hold(name: str, begin: Callable[[], object]) -> threading.Event:
        real = getattr(Project, name)

        def slow(*arguments: object) -> Project:
            project = real(*arguments)
            reached.set()
            go_on.wait(LONG)
            return project

        monkeypatch.setattr(Project, name, slow)
        begin()
        assert reached.wait(LONG)
        return go_on

    yield hold
    go_on.set()


def test_the_sample_opens_trained(session, finish):
    actions.open_sample(session)
    finish()
    assert session.page == "eigenfaces"
    assert len(session.gallery.people) == 40
    assert session.gallery.changes_since_training == 0
    assert session.gallery.automatic is not None
    assert session.gallery.recipe == Recipe(), "nearly as good as any other on these"


class TestOpening:
    def test_a_damaged_project_leaves_the_open_one(self, trained_session, finish, elsewhere):
        before = trained_session.project
        for change, damaged in ("+ 1", True), ("- 1", False):
            with contextlib.closing(sqlite3.connect(elsewhere)) as connection, connection:
                connection.execute(f"UPDATE coordinate SET crc = crc {change}")
            actions.open_project(trained_session, elsewhere)
            finish()
            assert (trained_session.project is before) == damaged
            if damaged:
                assert "damaged (a number in it has changed)" in text(trained_session)
        assert place(trained_session) == elsewhere

    def test_one_that_is_open_elsewhere_is_refused(self, trained_session, finish, tmp_path):
        with contextlib.closing(Project.create(tmp_path / "other.eigenfaces")):
            actions.open_project(trained_session, tmp_path / "other.eigenfaces")
            finish()
        assert "another window" in text(trained_session)
        actions.open_project(trained_session, place(trained_session))
        assert text(trained_session).endswith("is already open.")

    def test_once_more_after_it_was_cancelled_too_late(self, session, elsewhere, finish, held_up):
        go_on = held_up("open", lambda: actions.open_project(session, elsewhere))
        actions.open_project(session, elsewhere)  # as by a double click
        session.jobs.cancel(JobKind.OPEN)
        go_on.set()
        finish()
        actions.open_project(session, elsewhere)
        finish()
        assert place(session) == elsewhere


class TestSaving:
    def test_a_draft_moves(self, session, finish, tmp_path):
        session.apply("share", lambda gallery: gallery.with_share(0.05))
        draft = place(session)
        assert draft.parent == drafts_folder()
        actions.save_as(session, tmp_path / "mine")
        finish()
        assert place(session) == tmp_path / "mine.eigenfaces"
        assert not draft.exists()
        assert session.history.undo_title == "share"
        assert session.settings.recent_projects == [tmp_path / "mine.eigenfaces"]

    def test_what_is_changed_meanwhile_is_saved_too_and_nothing_can_be_cancelled(
        self, trained_session, tmp_path, finish, held_up
    ):
        go_on = held_up("create", lambda: actions.save_as(trained_session, tmp_path / "mine"))
        actions.save_as(trained_session, tmp_path / "second")
        assert text(trained_session) == "The project is already being saved."
        trained_session.apply("rename", lambda g: g.rename("Ada", "Augusta"))
        trained_session.put_probes((), [tmp_path / "none.png"])
        trained_session.jobs.cancel(JobKind.SAVE_AS)
        go_on.set()
        finish()
        assert place(trained_session).stem == "mine"
        assert "Saved" in text(trained_session)
        assert "Augusta" in trained_session.gallery.people
        assert trained_session.probe_list.without_face == {tmp_path / "none.png"}

    def test_an_evaluation_that_is_deleted_meanwhile_is_not_there(
        self, trained_session, tmp_path, finish, held_up
    ):
        session = trained_session
        session.project.add_run("2026-11-21", "First", record_of(session.gallery))
        go_on = held_up("create", lambda: actions.save_as(session, tmp_path / "mine"))
        assert session.change("deleting a run", lambda now: replace(now, runs=()))
        go_on.set()
        finish()
        assert place(session).stem == "mine"
        assert session.project.runs == ()

    def test_an_evaluation_that_is_kept_meanwhile_is_whole_there(
        self, trained_session, tmp_path, finish, held_up
    ):
        session = trained_session
        go_on = held_up("create", lambda: actions.save_as(session, tmp_path / "mine"))
        kept = session.project.add_run("2026-11-21", "First", record_of(session.gallery))
        go_on.set()
        finish()
        assert place(session).stem == "mine"
        assert session.project.record(kept).evaluation.setting.recipe == Recipe()

    def test_an_undo_asked_for_meanwhile_is_made_there(
        self, trained_session, tmp_path, finish, held_up
    ):
        trained_session.open(Project.create(draft_path("small"), trained_session.gallery))
        fitted = trained_session.gallery.training
        actions.train(trained_session)
        finish()
        assert trained_session.gallery.training is not fitted
        go_on = held_up("create", lambda: actions.save_as(trained_session, tmp_path / "mine"))
        trained_session.undo()
        go_on.set()
        finish()
        assert trained_session.history.redo_title == "training"
        assert trained_session.gallery.training is fitted
        trained_session.close_project()
        with contextlib.closing(Project.open(tmp_path / "mine.eigenfaces")) as project:
            assert project.gallery.training is not None


@pytest.mark.parametrize("new", [False, True])
def test_during_a_long_training_another_project_is_there_at_once_and_it_is_given_up(
    trained_session, finish, elsewhere, monkeypatch, qtbot, new
):
    """Nothing is done to a project that nobody looks at any more."""
    monkeypatch.setattr(Gallery, "train", lambda _gallery, tick, **_: Gate().work(tick))
    first, wrong = place(trained_session), elsewhere.with_name("wrong.eigenfaces")
    wrong.write_text("something else")
    trained_session.apply("exclude", lambda g: g.exclude([g.index.photos[0].id]))
    actions.train(trained_session)
    actions.open_project(trained_session, wrong)
    qtbot.waitUntil(lambda: trained_session.message is not None)
    assert "not a project file" in text(trained_session)
    assert trained_session.jobs.is_busy(JobKind.TRAIN), "it goes on where no other is opened"
    if new:
        actions.new_project(trained_session)
        assert trained_session.project is None
    else:
        actions.open_project(trained_session, elsewhere)
        qtbot.waitUntil(lambda: place(trained_session) == elsewhere)
    finish()
    assert text(trained_session) == "Training cancelled. Nothing was changed."
    actions.open_project(trained_session, first)
    finish()
    assert trained_session.gallery.changes_since_training == 1, "as it was before"


class TestTheFileIsGone:
    """Another program moves, deletes or replaces the file of the open project."""

    @pytest.fixture
    def path(self, trained_session: Session) -> Path:
        return place(trained_session)

    @pytest.mark.parametrize("what", ["deleted", "replaced"])
    def test_an_edit_is_refused_and_made_once_it_is_saved_elsewhere(
        self, trained_session, path, finish, what
    ):
        if what == "replaced":
            shutil.copy(path, path.with_name("restored"))
            path.with_name("restored").replace(path)
        else:
            path.unlink()
        assert not trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Lost"))
        assert "Another program has moved, deleted or replaced" in text(trained_session)
        assert trained_session.takes_no_changes
        assert "Ada" in trained_session.gallery.people
        actions.save_as(trained_session, path.with_name("new.eigenfaces"))
        finish()
        assert not trained_session.takes_no_changes
        assert "Lost" in trained_session.gallery.people
        assert trained_session.apply("rename", lambda gallery: gallery.rename("Lost", "Found"))
        trained_session.close_project()
        with contextlib.closing(Project.open(path.with_name("new.eigenfaces"))) as project:
            assert "Found" in project.gallery.people

    def test_saving_to_the_place_where_it_was(self, trained_session, path, finish):
        actions.save_as(trained_session, path)
        assert text(trained_session).endswith("Every change is saved immediately.")
        path.unlink()
        actions.save_as(trained_session, path)
        finish()
        assert text(trained_session).startswith("Saved as")
        assert trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))

    def test_it_is_closed_before_saving_elsewhere_begins(self, trained_session, path, finish):
        """It is in its own file, and nobody is taken back to it."""
        go_on = threading.Event()
        for worker in (JobKind.SCAN, JobKind.FIND_FACES):
            trained_session.run(worker, "Holding", lambda _: go_on.wait(20), print)
        actions.save_as(trained_session, path.with_name("late"))
        trained_session.new()
        go_on.set()
        finish()
        assert "because it is closed" in text(trained_session)
        assert trained_session.project is None
        assert not path.with_name("late.eigenfaces").exists()


@pytest.mark.parametrize(
    ("kind", "device", "is_far"),
    [
        ("nfs4", "server:/home", True),
        ("cifs", "//server/photos", True),
        ("NTFS", "\\\\server\\photos", True),
        ("ext4", "/dev/sda1", False),
    ],
)
def test_one_on_a_network_drive_says_so(
    session, elsewhere, finish, monkeypatch, kind, device, is_far
):
    def storage(path: str) -> object:
        assert path == str(elsewhere.parent)
        told = {"fileSystemType": kind, "device": device}
        return SimpleNamespace(
            **{name: partial(QByteArray, words.encode()) for name, words in told.items()}
        )

    monkeypatch.setattr("gui.state.settings.QStorageInfo", storage)
    actions.open_project(session, elsewhere)
    finish()
    assert (session.message is not None and "network drive" in text(session)) == is_far


def test_an_undo_that_the_file_could_not_take_is_made_once_it_is_saved_elsewhere(
    trained_session, finish, tmp_path
):
    session, path = trained_session, trained_session.project.path
    session.apply("naming Zoe", lambda now: now.rename("Ada", "Zoe"))
    path.rename(path.with_name("away.eigenfaces"))
    session.undo()
    assert "Zoe" in session.gallery.people
    assert session.history.undo_title == "naming Zoe"
    actions.save_as(session, tmp_path / "other.eigenfaces")
    finish()
    assert "Ada" in session.gallery.people
    assert "undoing naming Zoe" in session.message.text
    assert session.history.redo_title == "naming Zoe"
    session.redo()
    assert "Zoe" in session.gallery.people


class TestNextDay:
    """What was shown when the program was closed is shown again."""

    def test_the_last_view_is_remembered(self, trained_session):
        path = trained_session.project.path
        trained_session.show_page("map")
        trained_session.select_person(trained_session.gallery.people[2])
        person = trained_session.person
        trained_session.close()
        assert trained_session.settings.last_view == (path, "map", person)

    def test_an_empty_draft_and_no_project_are_not_gone_back_to(self, session):
        session.close()
        assert session.settings.last_view is None
        session.own_project()
        session.close()
        assert session.settings.last_view is None

    def test_it_is_gone_back_to(self, trained_session, finish):
        person = trained_session.gallery.people[2]
        view = LastView(trained_session.project.path, "map", person)
        trained_session.close_project()
        actions.open_project(trained_session, view.project, view)
        finish()
        assert (trained_session.page, trained_session.person) == ("map", person)

    def test_of_a_file_that_is_gone_a_sentence_is_said(self, session, finish, tmp_path):
        view = LastView(tmp_path / "gone.eigenfaces", "map", "Ada")
        actions.open_project(session, view.project, view)
        finish()
        assert "gone.eigenfaces" in session.message.text
        assert session.page == "people"
