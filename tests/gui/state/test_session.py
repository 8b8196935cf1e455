"""The session: edits, undo, what is selected, answers, and drafts."""

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PIL import Image

from eigenfaces import EvaluationSetting, FaceSet, Gallery, Project, Recipe, evaluate
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.records import EvaluationRecord, EvaluationSource
from eigenfaces.photographs.find import Skipped, find_photos
from eigenfaces.recognition.answers import apply_answer
from eigenfaces.recognition.recipe import RECIPES
from gui.state import actions, importing
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.state.settings import draft_path, drafts_folder
from tests import synthetic
from tests.gui.seen import stranger
from tests.gui.state.gate import Gate, never


def state_of(session: Session | Project) -> list[object]:
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


class TestWhatIsDoneMeanwhile:
    """A job returns a value: what it leads to is done to the state as it is then."""

    @pytest.fixture
    def training(self, request, trained_session, monkeypatch) -> Iterator[Gate]:
        """A training, by a recipe or by that of the gallery, until the gate is opened."""
        train, gate = Gallery.train, Gate()

        def held(gallery, tick, **about):
            gate.work(tick)
            return train(gallery, tick, **about)

        monkeypatch.setattr(Gallery, "train", held)
        actions.train(trained_session, getattr(request, "param", RECIPES["Eigenfaces"]))
        assert gate.entered.wait(10)
        yield gate
        gate.open.set()

    def test_nothing_is_refused_and_nothing_lost(self, trained_session, training, finish):
        session = trained_session
        assert session.apply("rename", lambda gallery: gallery.rename("Grace", "A"))
        first = session.gallery.index.photos[0].id
        assert session.apply("exclude", lambda gallery: gallery.exclude([first]))
        session.put_probes([stranger()])
        session.undo()
        session.undo()
        assert (session.history.undo_title, session.history.redo_title) == ("rename", "exclude")
        training.open.set()
        finish()
        assert session.gallery.recipe == RECIPES["Eigenfaces"]
        assert "A" in session.gallery.people
        assert session.history.undo_title == "the recipe Eigenfaces"
        session.undo()
        assert session.history.undo_title == "rename"
        session.undo()
        assert "Grace" in session.gallery.people

    def test_faces_that_come_meanwhile_are_in_the_space(self, trained_session, training, finish):
        session, probe = trained_session, stranger()
        replies = [partial(apply_answer, probe=probe, feedback="it is", people=["Ada"])]
        assert actions.answer(session, replies, str)
        training.open.set()
        finish()
        gallery = session.gallery
        assert len(gallery.trained.coordinates) == len(gallery.faces) == 25
        row = gallery.index.row_of_face(probe.photo)
        expected = gallery.trained.project(probe.image.reshape(-1))
        np.testing.assert_allclose(gallery.trained.coordinates[row], expected, atol=1e-5)
        assert session.history.past[0].title == "keeping a photo as Ada"

    @pytest.mark.parametrize("training", [None], indirect=True)
    def test_a_recipe_that_only_compares_otherwise_stays(self, trained_session, training, finish):
        other = trained_session.gallery.recipe.changed(distance="cosine")
        actions.use_recipe(trained_session, other)
        training.open.set()
        finish()
        assert trained_session.history.undo_title == "training"
        assert trained_session.gallery.recipe == other

    def test_a_closing_window_keeps_it(self, trained_session, training, monkeypatch):
        path = trained_session.project.path
        trained_session.apply("rename", lambda gallery: gallery.rename("Grace", "A"))
        trained_session.close()
        assert training.cancelled
        with contextlib.closing(Project.open(path)) as project:
            assert "A" in project.gallery.people


@pytest.mark.parametrize("train", [True, False])
def test_what_a_job_has_completed_is_kept_by_a_closing_window(trained_session, tmp_path, train):
    """Also where the window has not turned to its result yet; what is under way is given up."""
    session, path = trained_session, trained_session.project.path
    if train:
        actions.train(session, RECIPES["Eigenfaces"].changed(components=3))
    else:
        picture = tmp_path / "Zoe" / "1.png"
        picture.parent.mkdir()
        Image.fromarray(np.random.default_rng(0).integers(0, 255, (24, 20), np.uint8)).save(picture)
        importing.import_photos(session, find_photos(tmp_path / "Zoe"))
    (job,) = session.jobs.running
    deadline = time.monotonic() + 30
    while not job.is_done and time.monotonic() < deadline:
        time.sleep(0.01)  # no event of the window is handled
    session.close()
    with contextlib.closing(Project.open(path)) as project:
        assert (len(project.gallery.faces) == 25) != train
        assert (project.gallery.trained.recipe.matcher.components == 3) == train


def test_memory_and_file_are_the_same_after_every_step(trained_session, tmp_path):
    """Also where what was written last was undone, however large: as after a killed process."""
    session, path = trained_session, trained_session.project.path
    trained = session.gallery
    edits = [
        lambda gallery: gallery.rename("Ada", "Zoe"),
        lambda gallery: gallery.remove_person("Grace"),
        lambda gallery: gallery.train(recipe=RECIPES["Eigenfaces"]),
        lambda gallery: trained.enrol(stranger_set()),
        lambda gallery: gallery.exclude([gallery.index.photos[-1].id]),
    ]
    for number, edit in enumerate(edits):
        assert session.apply(f"{number}", edit)
        assert state_of_copy(path, tmp_path) == state_of(session)
    for way in (session.undo, session.redo, session.undo):
        for _ in edits:
            way()
            assert state_of_copy(path, tmp_path) == state_of(session)
    assert session.gallery.people == trained.people


def stranger_set() -> FaceSet:
    """Return a face of nobody."""
    return FaceSet.from_arrays(np.random.default_rng(5).random((1, 24, 20)), [None])


def state_of_copy(path: Path, tmp_path: Path) -> list[object]:
    """Return what a killed process would leave in the file."""
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    with contextlib.closing(Project.open(copy)) as project:
        return state_of(project)


class TestAFileThatCannotBeWritten:
    """The change is refused with the reason, and is made once the project is saved elsewhere."""

    def test_it_says_why_and_loses_nothing(self, trained_session, tmp_path, monkeypatch, finish):
        session = trained_session
        before = session.project.content

        def full(*_):
            raise sqlite3.OperationalError("database or disk is full")

        with monkeypatch.context() as disk:
            disk.setattr("eigenfaces.project.rows.RowChange.write", full)
            assert not session.apply("rename", lambda gallery: gallery.rename("Ada", "Zoe"))
            assert not session.put_probes([stranger()])
        assert session.message.severity == "error"
        assert session.project.content is before
        assert session.history.undo_title is None
        actions.save_as(session, tmp_path / "elsewhere")
        finish()
        assert [probe.photo.id.sha for probe in session.probes] == ["not in the gallery"]
        assert session.history.undo_title == "adding 1 face to recognise"
        assert (
            "could not be saved in the old file has now been saved too: adding 1 face"
            in session.message.text
        )

    def test_what_could_not_be_done_anyway_is_not_tried_again(
        self, trained_session, tmp_path, finish
    ):
        session = trained_session
        assert not session.apply("rename", lambda gallery: gallery.rename("Ada", "Grace"))
        actions.save_as(session, tmp_path / "elsewhere")
        finish()
        assert session.history.undo_title is None
        assert "Ada" in session.gallery.people


def test_why_a_job_failed_is_said_and_nothing_is_changed(trained_session, tmp_path, finish):
    session, go_on, before = trained_session, Event(), trained_session.gallery

    def fail(_about):
        go_on.wait(10)
        raise EigenfacesError("It cannot be read.")

    go_on.set()
    session.run(JobKind.MAP, "Reading", fail, never)
    finish()
    assert session.message.text == "It cannot be read."
    session.message = None
    assert not session.apply("No", fail)
    assert session.message.text == "It cannot be read."
    assert session.history.undo_title is None
    assert session.gallery is before
    go_on.clear()
    session.run(JobKind.MAP, "Reading", fail, never)
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
        assert sentences == [[replies[0](before).sentence], ["2 answers were saved."]][number - 1]
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
        self, session, monkeypatch, tmp_path
    ):
        (tmp_path / "file").write_text("in the way")
        with monkeypatch.context() as elsewhere:
            folder = tmp_path / "file" / "drafts"
            elsewhere.setattr("gui.state.settings.drafts_folder", lambda: folder)
            assert not session.apply("No", never)
        assert "A new project cannot be started" in session.message.text
        assert session.apply("Yes", lambda gallery: gallery.with_share(0.05))

    @pytest.mark.parametrize(
        ("change", "is_kept"),
        [
            (lambda s: s.gallery, False),
            (lambda s: s.apply("rename", lambda g: g.rename("Ada", "Augusta")), True),
            (lambda s: s.put_probes((), [s.project.path]), True),
            (lambda s: s.change("", lambda now: replace(now, unused=(left_out(s),))), True),
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


def left_out(session: Session) -> Skipped:
    return Skipped(session.project.path, "No face was found.")


def record_of(gallery) -> EvaluationRecord:
    result = evaluate(gallery.faces, EvaluationSetting(Recipe(), FirstPhotos(3), curves=False))
    return EvaluationRecord(result, gallery.preparation, EvaluationSource("sample"))
