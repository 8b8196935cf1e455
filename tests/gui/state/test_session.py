"""The session: edits, undo, what is selected, drafts."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from eigenfaces import FaceSet, Project, Recipe, Setting, evaluate
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.records import Record, Source
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recipe import RECIPES
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import draft_path, drafts_folder
from tests import synthetic
from tests.gui.state.gate import never


def numbers_of(session: Session) -> list[bytes]:
    """Return what was trained, as it is in memory or in files."""
    training = session.gallery.trained
    found = [training.space.components, training.coordinates, training.compared]
    axes = getattr(training.representation, "axes", training.space.components)
    return [array.tobytes() for array in (*found, axes)]


def new_faces(session: Session, person: str = "Zoe") -> FaceSet:
    shape = session.gallery.preparation.shape
    images = np.random.default_rng(9).random((2, *shape))
    return FaceSet.from_arrays(images, [person] * 2)


def test_an_edit_is_in_the_file_at_once(trained_session):
    path = trained_session.project.path
    assert trained_session.apply("rename Ada", lambda g: g.rename("Ada", "Augusta"))
    trained_session.close_project()
    project = Project.open(path)
    assert "Augusta" in project.gallery.people
    assert "Ada" not in project.gallery.people
    project.close()


def test_the_gallery_changes_in_the_window_s_thread_only(qtbot, trained_session, finish):
    """A page that is being shown would otherwise mix what was found with what is there now."""
    before, saved, go = trained_session.gallery, Event(), Event()
    save = trained_session.project.save

    def save_and_wait(*changed):
        save(*changed)
        saved.set()
        go.wait(10)

    trained_session.project.save = save_and_wait
    trained_session.write("training", lambda now: now.rename("Ada", "Eve").train(), lambda: None)
    assert saved.wait(10)
    assert trained_session.gallery is before
    go.set()
    finish()
    assert "Eve" in trained_session.gallery.people


def test_a_refused_edit_changes_nothing_and_says_why(trained_session):
    before = trained_session.gallery
    assert not trained_session.apply("rename", lambda g: g.rename("Ada", "Grace"))
    assert trained_session.gallery is before
    assert trained_session.message.tone == "error"
    assert "Merge" in trained_session.message.text
    assert trained_session.history.can_undo is None


def test_undo_and_redo_go_through_every_state(trained_session, finish):
    states = [trained_session.gallery.people]
    for name in ("A", "B", "C"):
        person = trained_session.gallery.people[0]
        trained_session.apply(name, lambda g, p=person, n=name: g.rename(p, n))
        states.append(trained_session.gallery.people)
    for expected in reversed(states[:-1]):
        trained_session.undo()
        finish()
        assert trained_session.gallery.people == expected
    for expected in states[1:]:
        trained_session.redo()
        finish()
        assert trained_session.gallery.people == expected
    assert trained_session.history.can_redo is None


def test_undo_of_trainings_brings_their_numbers_back(trained_session, finish, tmp_path):
    trained_session.apply("x", lambda now: synthetic.joined(now).train())
    finish()
    first, states = trained_session.project.path, [numbers_of(trained_session)]
    for recipe in ("Texture", "Fisherfaces", "Eigenfaces"):
        actions.train(trained_session, RECIPES[recipe])
        finish()
        states.append(numbers_of(trained_session))
    actions.save_as(trained_session, tmp_path / "elsewhere.eigenfaces")
    finish()
    for expected in reversed(states[:-1]):
        trained_session.undo()
        finish()
        assert numbers_of(trained_session) == expected
    trained_session.redo()
    finish()
    for path, expected in ((first, states[-1]), (tmp_path / "elsewhere.eigenfaces", states[1])):
        actions.open_project(trained_session, path)
        finish()
        assert numbers_of(trained_session) == expected


def test_selecting_a_face_selects_its_person(trained_session):
    photo = trained_session.gallery.index.photos[9]
    trained_session.select(photo.key)
    assert (trained_session.photo, trained_session.person) == (photo.key, photo.person)


def test_the_selection_drops_what_is_gone(trained_session):
    trained_session.select_person("Hedy")
    trained_session.apply("remove Hedy", lambda g: g.remove_person("Hedy"))
    assert trained_session.person is None
    assert trained_session.photo is None


def test_a_probe_can_be_selected_but_belongs_to_nobody(trained_session):
    photo = replace(trained_session.gallery.index.photos[0], key="probe", person=None)
    image = trained_session.gallery.faces.image(0)
    trained_session.select_person("Mary")
    trained_session.put_probes([Probe(photo, image)])
    assert trained_session.photo == "probe"
    assert trained_session.person == "Mary"
    trained_session.remove_probes(["probe"])
    assert trained_session.probes == ()
    assert trained_session.photo is None


def test_the_first_edit_without_a_project_makes_a_draft(session):
    assert session.is_draft
    session.apply("add", lambda g: g.enrol(FaceSet.from_arrays(np.ones((1, 112, 92)), ["Ada"])))
    assert session.project.path.parent == drafts_folder()
    kept = session.project.path
    session.close_project()
    assert kept.exists()
    assert kept.absolute() in session.settings.recent_projects


def test_an_empty_draft_is_not_kept(session):
    session.apply("nothing", lambda g: g)
    path = session.project.path
    session.new()
    assert not path.exists()


@pytest.mark.parametrize("evaluated", [False, True])
def test_an_untouched_sample_is_kept_only_if_it_was_evaluated(session, small_gallery, evaluated):
    path = draft_path("Sample")
    session.switch(Project.create(path, small_gallery), dispensable=True)
    if evaluated:
        setting = Setting(Recipe(), FirstPhotos(3), curves=False)
        result = evaluate(small_gallery.faces, setting)
        record = Record(result, small_gallery.preparation, Source("sample"))
        session.project.add_run("2026-11-21T12:00:00", "First photos", record)
    session.new()
    assert path.exists() is evaluated


def test_edits_wait_for_a_large_change(trained_session, finish):
    faces = new_faces(trained_session)
    trained_session.write("Saving", lambda g: g.enrol(faces), lambda: None)
    assert not trained_session.apply("rename", lambda g: g.rename("Ada", "A"))
    assert "One moment" in trained_session.message.text
    finish()
    assert "Zoe" in trained_session.gallery.people
    assert trained_session.apply("rename", lambda g: g.rename("Ada", "A"))


def test_a_large_change_that_fails_leaves_everything_as_it_was(trained_session, finish):
    before = trained_session.gallery

    def refuse(gallery):
        raise EigenfacesError("No.")

    trained_session.write("Saving", refuse, lambda: pytest.fail("it was not done"))
    finish()
    assert trained_session.gallery is before
    assert trained_session.message.text == "No."
    assert trained_session.apply("rename", lambda g: g.rename("Ada", "A"))


@pytest.mark.parametrize("kind", ["preview", "check photos"])
def test_why_a_job_failed_is_said_while_its_project_is_open(
    trained_session, small_gallery, tmp_path, finish, kind
):
    session, open_gate = trained_session, Event()

    def fail(tick):
        open_gate.wait(10)
        raise EigenfacesError("It cannot be read.")

    def opened_and_ended():
        open_gate.set()
        finish()
        return session.message.text, session.message.tone

    session.run(kind, "Reading", fail, never)
    assert opened_and_ended() == ("It cannot be read.", "error")
    open_gate.clear()
    session.run(kind, "Reading", fail, never)
    session.switch(Project.create(tmp_path / "other.eigenfaces", small_gallery))
    session.show_message("Opened.", "ok")
    assert opened_and_ended() == ("Opened.", "ok")
