"""The session: edits, undo, what is selected, answers, and drafts."""

import contextlib
from dataclasses import replace
from functools import partial
from threading import Event

import numpy as np
import pytest

from eigenfaces import FaceSet, Project, Recipe, Setting, evaluate
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.records import Record, Source
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition.answers import apply_answer
from eigenfaces.recognition.recipe import RECIPES
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import draft_path, drafts_folder
from tests import synthetic
from tests.gui.seen import stranger
from tests.gui.state.gate import never


def state_of(session: Session) -> list[object]:
    """Return what was named and trained, as it is in memory or in files."""
    training = session.gallery.trained
    arrays = (training.space.components, training.coordinates, training.matching_coordinates)
    return [session.gallery.people, *(array.tobytes() for array in arrays)]


def test_undo_and_redo_go_through_every_state(trained_session, finish, tmp_path):
    """Names, and the numbers of trainings, in the file as well."""
    session = trained_session
    session.apply("x", lambda now: synthetic.joined(now).train())
    finish()
    first, states = session.project.path, [state_of(session)]
    for recipe in ("Texture", "Eigenfaces"):
        actions.train(session, RECIPES[recipe])
        finish()
        states.append(state_of(session))
    person = session.gallery.people[0]
    session.apply("name", lambda gallery: gallery.rename(person, "A"))
    states.append(state_of(session))
    actions.save_as(session, tmp_path / "elsewhere.eigenfaces")
    finish()
    steps = [(session.undo, state) for state in reversed(states[:-1])]
    steps += [(session.redo, state) for state in states[1:]]
    for step, expected in steps:
        step()
        finish()
        assert state_of(session) == expected
    assert session.history.redo_title is None
    session.redo()
    for path in (first, tmp_path / "elsewhere.eigenfaces"):
        actions.open_project(session, path)
        finish()
        assert state_of(session) == states[-1]


def test_what_is_selected(trained_session):
    photo = trained_session.gallery.index.photos[9]
    trained_session.select(photo.id)
    assert (trained_session.photo, trained_session.person) == (photo.id, photo.person)
    trained_session.select_person("Mary")
    probe = stranger()
    trained_session.put_probes([probe])
    assert trained_session.photo == probe.photo.id
    assert trained_session.person == "Mary", "a probe belongs to nobody"
    trained_session.remove_probes([probe.photo.id])
    assert trained_session.probes == ()
    assert trained_session.photo is None
    trained_session.select_person("Hedy")
    trained_session.apply("remove Hedy", lambda g: g.remove_person("Hedy"))
    assert (trained_session.photo, trained_session.person) == (None, None), "they are gone"


class TestLargeChanges:
    def test_the_gallery_changes_in_the_window_s_thread_only(self, trained_session, finish):
        """A page that is being shown would otherwise mix what is there with what was."""
        before, saved, go_on = trained_session.gallery, Event(), Event()
        save = trained_session.project.save

        def save_and_wait(*changed):
            save(*changed)
            saved.set()
            go_on.wait(10)

        trained_session.project.save = save_and_wait
        trained_session.apply_in_job("training", lambda now: now.rename("Ada", "Eve").train(), int)
        assert saved.wait(10)
        assert trained_session.gallery is before
        go_on.set()
        finish()
        assert "Eve" in trained_session.gallery.people

    def test_edits_wait_for_one(self, trained_session, finish):
        assert trained_session.apply_in_job("Save", lambda g: g.rename("Ada", "Zoe"), int, undo="Z")
        assert not trained_session.apply("rename", lambda g: g.rename("Grace", "A"))
        assert "One moment" in trained_session.message.text
        assert not trained_session.apply_in_job("Saving", never, never)
        trained_session.put_probes([stranger()])
        assert trained_session.probes == ()
        finish()
        assert "Zoe" in trained_session.gallery.people
        assert trained_session.apply("rename", lambda g: g.rename("Grace", "A"))


def test_why_a_job_failed_is_said_and_nothing_is_changed(trained_session, tmp_path, finish):
    session, go_on, before = trained_session, Event(), trained_session.gallery

    def fail(_about):
        go_on.wait(10)
        raise EigenfacesError("It cannot be read.")

    go_on.set()
    for begin in (
        partial(session.run, "preview", "Reading", fail, never),
        partial(session.apply_in_job, "Saving", fail, never, undo="No"),
    ):
        session.message = None
        begin()
        finish()
        assert session.message.text == "It cannot be read."
        assert session.history.undo_title is None
        assert session.gallery is before
    go_on.clear()
    session.run("preview", "Reading", fail, never)
    session.open(Project.create(tmp_path / "other.eigenfaces"))
    session.show_message("Opened.", "ok")
    go_on.set()
    finish()
    assert session.message.text == "Opened."


class TestAnswers:
    """All that are given together are one step of undo, and say what they have changed."""

    @pytest.mark.parametrize("number", [1, 2])
    def test_one_or_several(self, trained_session, finish, number):
        before, first = trained_session.gallery, stranger()
        one, other, *_ = before.people
        second = replace(
            first, photo=synthetic.on_file(first.photo, sha="second"), image=first.image * 0.9
        )
        replies = [
            partial(apply_answer, probe=first, feedback="right", people=[one]),
            partial(apply_answer, probe=second, feedback="it is", people=[other]),
        ][:number]
        sentences = list[str]()
        assert actions.answer(trained_session, replies, sentences.append)
        if number > 1:  # and while they are being written, no others
            assert not actions.answer(trained_session, replies, never)
        finish()
        assert sentences == [[replies[0](before).sentence], ["2 faces are answered."]][number - 1]
        after = trained_session.gallery
        people = {key: answered.person for key, answered in after.answers.items()}
        assert [*people.values()] == [one, other][:number]
        assert len(after.faces) == len(before.faces) + number
        for step, gallery in ((trained_session.undo, before), (trained_session.redo, after)):
            step()
            finish()
            assert trained_session.gallery is gallery

    def test_one_that_cannot_be(self, trained_session):
        before = trained_session.gallery
        answer = partial(apply_answer, probe=stranger(), feedback="it is", people=["  "])
        assert not actions.answer(trained_session, [answer], never)
        assert trained_session.message.severity == "error"
        assert trained_session.gallery is before
        assert trained_session.history.undo_title is None


class TestDrafts:
    """The first edit without a project makes one; where nothing is in it, it is deleted."""

    @pytest.mark.parametrize("photos", [0, 1])
    def test_one_with_photos_is_kept_an_empty_one_is_not(self, session, photos):
        assert session.is_draft
        faces = FaceSet.from_arrays(np.ones((photos, 112, 92)), ["Ada"] * photos)
        session.apply("add", lambda gallery: gallery.enrol(faces) if photos else gallery)
        path = session.project.path
        assert path.parent == drafts_folder()
        session.close_project()
        assert path.exists() == bool(photos)
        assert (path.absolute() in session.settings.recent_projects) == bool(photos)

    def test_no_place_for_one_is_a_sentence_and_blocks_nothing(
        self, session, monkeypatch, tmp_path, finish
    ):
        (tmp_path / "file").write_text("in the way")
        with monkeypatch.context() as elsewhere:
            folder = tmp_path / "file" / "drafts"
            elsewhere.setattr("gui.state.settings.drafts_folder", lambda: folder)
            assert not session.apply_in_job("Saving", lambda gallery: gallery, never)
        assert "no place for a new project" in session.message.text
        assert session.apply_in_job("Saving", lambda gallery: gallery, lambda: None)
        finish()

    @pytest.mark.parametrize(
        ("change", "is_kept"),
        [
            (lambda s: s.gallery, False),
            (lambda s: s.apply("rename", lambda g: g.rename("Ada", "Augusta")), True),
            (lambda s: s.put_probes((), [s.project.path]), True),
            (lambda s: s.set_skipped((Skipped(s.project.path, "No face was found."),)), True),
            (lambda s: s.project.add_run("2026-11-21", "First", record_of(s.gallery)), True),
        ],
        ids=["nothing", "name", "photo without a face", "photo left out", "evaluation"],
    )
    def test_of_the_sample_only_changes_are_kept(self, session, small_gallery, change, is_kept):
        path = draft_path("Sample")
        session.open(Project.create(path, small_gallery), untouched=True)
        change(session)
        session.new()
        assert path.exists() == is_kept

    def test_what_is_written_into_the_sample_while_the_window_closes_is_kept(
        self, session, small_gallery
    ):
        path = draft_path("Sample")
        session.open(Project.create(path, small_gallery), untouched=True)
        edit = lambda gallery: gallery.rename("Ada", "Augusta")  # noqa: E731
        session.apply_in_job("Saving", edit, lambda: None, undo="rename")
        session.close()
        with contextlib.closing(Project.open(path)) as project:
            assert "Augusta" in project.gallery.people


def record_of(gallery) -> Record:
    result = evaluate(gallery.faces, Setting(Recipe(), FirstPhotos(3), curves=False))
    return Record(result, gallery.preparation, Source("sample"))
