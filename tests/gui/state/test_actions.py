"""Import, training, opening and saving, as jobs over a session."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import FaceSet, Preparation, Project, Recipe, find_photos
from gui.state import actions
from gui.state.settings import drafts_folder

SMALL = Preparation(24, 20, already_cropped=True)


@pytest.fixture
def folder(tmp_path) -> Path:
    """Three people × three photographs, and one file that is none."""
    rng = np.random.default_rng(3)
    for person in ("Ada", "Grace", "Hedy"):
        (tmp_path / "faces" / person).mkdir(parents=True)
        for number in range(3):
            pixels = rng.integers(0, 256, (30, 26), np.uint8)
            Image.fromarray(pixels).save(tmp_path / "faces" / person / f"{number}.png")
    (tmp_path / "faces" / "Ada" / "broken.jpg").write_bytes(b"not a picture")
    return tmp_path / "faces"


def test_import_reads_the_folder_and_lists_what_it_skipped(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    assert session.gallery.people == ("Ada", "Grace", "Hedy")
    assert len(session.gallery.faces) == 9
    assert [skipped.path.name for skipped in session.message.skipped] == ["broken.jpg"]
    assert session.person == "Ada"


def test_importing_again_adds_nothing(session, folder, finish):
    for _ in range(2):
        actions.import_photos(session, find_photos(folder), SMALL)
        finish()
    assert len(session.gallery.faces) == 9
    assert "9 were in the gallery already" in session.message.text


def test_a_cancelled_import_changes_nothing(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    session.jobs.cancel("import")
    finish()
    assert len(session.gallery.faces) == 0
    assert session.message.text == "Import cancelled: nothing was added."


def test_training_keeps_what_was_edited_meanwhile(trained_session, finish):
    actions.train(trained_session)
    trained_session.apply("rename", lambda g: g.rename("Ada", "Augusta"))
    finish()
    assert "Augusta" in trained_session.gallery.people
    assert trained_session.gallery.changes == 0
    assert trained_session.history.can_undo == "training"


def test_training_on_one_photo_says_what_is_missing(session, finish):
    gallery = session.gallery
    actions.train(session)
    finish()
    assert session.message.tone == "error"
    assert "two photographs" in session.message.text
    assert session.gallery is gallery


def test_the_sample_opens_trained_and_leaves_no_draft_behind(session, finish):
    actions.open_sample(session)
    finish()
    assert session.page == "eigenfaces"
    assert len(session.gallery.people) == 40
    assert session.gallery.changes == 0
    assert session.gallery.automatic is not None
    assert session.gallery.recipe == Recipe(), "nearly as good as any other on these"
    path = session.project.path
    session.new()
    assert not path.exists()


def test_saving_a_draft_moves_it(session, folder, finish, tmp_path):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    draft = session.project.path
    assert draft.parent == drafts_folder()
    actions.save_as(session, tmp_path / "mine")
    finish()
    assert session.project.path == tmp_path / "mine.eigenfaces"
    assert not draft.exists()
    assert session.history.can_undo is not None
    assert session.settings.recent_projects == [tmp_path / "mine.eigenfaces"]


def test_saving_where_one_cannot_write_keeps_the_project(trained_session, finish, tmp_path):
    before = trained_session.project
    actions.save_as(trained_session, tmp_path / "nowhere" / "mine.eigenfaces")
    finish()
    assert trained_session.project is before
    assert trained_session.message.tone == "error"


def test_a_damaged_project_leaves_the_open_one(trained_session, finish, tmp_path):
    path, before = tmp_path / "people.eigenfaces", trained_session.project
    Project.create(path, trained_session.gallery).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE array SET crc = crc + 1")
    actions.open_project(trained_session, path)
    finish()
    assert "damaged (a number in it is not what it was)" in trained_session.message.text
    assert trained_session.project is before
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE array SET crc = crc - 1")
    actions.open_project(trained_session, path)
    finish()
    assert trained_session.project.path == path


def test_a_project_open_elsewhere_is_refused(trained_session, finish, tmp_path):
    other = Project.create(tmp_path / "other.eigenfaces")
    actions.open_project(trained_session, tmp_path / "other.eigenfaces")
    finish()
    assert "another window" in trained_session.message.text
    other.close()


def test_faces_are_cut_anew_from_the_photographs(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    session.apply("exclude", lambda g: g.exclude([g.faces.index.photos[0].key]))
    actions.prepare_again(session, Preparation(32, 32, "stretch", already_cropped=True))
    finish()
    assert session.gallery.faces.shape == (32, 32)
    assert session.gallery.index.photos[0].excluded
    session.undo()
    finish()
    assert session.gallery.faces.shape == (24, 20)


def test_cutting_anew_is_refused_when_photographs_are_gone(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    (folder / "Ada" / "0.png").unlink()
    actions.prepare_again(session, Preparation(32, 32, already_cropped=True))
    finish()
    assert session.gallery.faces.shape == (24, 20)
    assert "cannot be cut anew" in session.message.text


def test_probes_come_from_files_and_folders(trained_session, folder, finish):
    actions.add_probes(trained_session, [folder / "Grace", folder / "Ada" / "broken.jpg"])
    finish()
    assert len(trained_session.probes) == 3
    assert trained_session.photo == trained_session.probes[0].photo.key
    assert "broken.jpg" in trained_session.message.text


@pytest.fixture
def gate(session) -> Iterator[threading.Event]:
    """Keep the one thread busy until the event is set: whatever is asked for waits its turn."""
    opened = threading.Event()

    def work(tick):
        while not opened.wait(0.002):
            tick(0, 0)

    session.run("train", "Holding", work, print)
    yield opened
    opened.set()


def test_photos_arrive_in_the_project_they_were_added_to(session, folder, finish, tmp_path, gate):
    other = Project.create(tmp_path / "other.eigenfaces")
    other.close()
    actions.import_photos(session, find_photos(folder), SMALL)
    actions.open_project(session, other.path)
    gate.set()
    finish()
    assert session.project.path == other.path
    assert len(session.gallery.faces) == 0
    kept = next(path for path in session.settings.recent_projects if path != other.path)
    actions.open_project(session, kept)
    finish()
    assert session.gallery.people == ("Ada", "Grace", "Hedy")


def test_a_new_project_lets_an_import_end(session, folder, finish, gate):
    actions.import_photos(session, find_photos(folder), SMALL)
    actions.new_project(session)
    gate.set()
    finish()
    assert session.project is None
    assert len(session.settings.recent_projects) == 1


def test_it_is_said_what_comes_first(session):
    held = threading.Event()
    session.run("import", "Reading 9 photos", lambda _: held.wait(10), print)
    actions.new_project(session)
    held.set()
    assert session.message.text.startswith("Reading")
    assert "comes first" in session.message.text


def test_what_waits_is_not_done_to_another_project(trained_session, finish, tmp_path, gate):
    Project.create(tmp_path / "other.eigenfaces").close()
    actions.open_project(trained_session, tmp_path / "other.eigenfaces")
    actions.train(trained_session)
    gate.set()
    finish()
    assert trained_session.project.path.stem == "other"
    assert trained_session.gallery.training is None
    assert "cancelled" in trained_session.message.text


def test_a_second_import_does_not_replace_the_first(session, folder, finish, gate):
    actions.import_photos(session, find_photos(folder), SMALL)
    actions.import_photos(session, find_photos(folder / "Ada"), SMALL)
    assert "being read already" in session.message.text
    actions.prepare_again(session, Preparation(32, 32, already_cropped=True))
    gate.set()
    finish()
    assert len(session.gallery.faces) == 9
    assert session.gallery.preparation == SMALL


def test_saving_waits_for_what_is_being_added(session, folder, finish, tmp_path, gate):
    session.apply("nothing", lambda gallery: gallery)
    actions.import_photos(session, find_photos(folder), SMALL)
    actions.save_as(session, tmp_path / "mine")
    gate.set()
    finish()
    assert session.project.path == tmp_path / "mine.eigenfaces"
    assert len(session.gallery.faces) == 9


@pytest.fixture
def saving(trained_session, tmp_path, monkeypatch):
    """The session while it is saved as “mine”: all is written; set the event to let that end."""
    written, go_on = threading.Event(), threading.Event()
    create = Project.create

    def slow(*given):
        project = create(*given)
        written.set()
        go_on.wait(10)
        return project

    monkeypatch.setattr(Project, "create", slow)
    actions.save_as(trained_session, tmp_path / "mine")
    assert written.wait(10)
    return go_on


def test_an_edit_made_while_saving_is_saved_too(trained_session, finish, saving):
    trained_session.apply("rename", lambda g: g.rename("Ada", "Augusta"))
    saving.set()
    finish()
    assert trained_session.project.path.stem == "mine"
    assert "Augusta" in trained_session.gallery.people


def test_saving_that_is_done_cannot_be_cancelled(trained_session, finish, saving):
    trained_session.jobs.cancel("save as")
    saving.set()
    finish()
    assert trained_session.project.path.stem == "mine"
    assert "Saved" in trained_session.message.text


def test_saving_where_it_is_already_says_so(trained_session, finish):
    before = trained_session.project
    actions.save_as(trained_session, before.path)
    finish()
    assert trained_session.project is before
    assert "is this project" in trained_session.message.text


def test_cutting_anew_keeps_what_was_edited_meanwhile(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    actions.prepare_again(session, Preparation(32, 32, already_cropped=True))
    session.apply("rename", lambda g: g.rename("Ada", "Augusta"))
    finish()
    assert session.gallery.faces.shape == (32, 32)
    assert "Augusta" in session.gallery.people


def test_probes_are_cut_as_the_gallery_is_by_then(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    actions.prepare_again(session, Preparation(32, 32, already_cropped=True))
    actions.add_probes(session, [folder / "Ada"])
    finish()
    assert {probe.image.shape for probe in session.probes} == {(32, 32)}
    session.undo()
    finish()
    assert session.probes == (), "they were cut to another size than the gallery"


def test_the_first_photos_are_not_lost_when_the_window_closes_as_they_are_written(
    session, monkeypatch
):
    saving = threading.Event()
    save = Project.save

    def slow(project, *changed):
        saving.set()
        save(project, *changed)

    monkeypatch.setattr(Project, "save", slow)
    faces = FaceSet.from_arrays(np.full((2, 112, 92), 0.5), ["Ada", "Ada"])
    session.write("Saving the photos", lambda gallery: gallery.enrol(faces), lambda: None)
    assert saving.wait(10)
    session.close()
    assert len(session.settings.recent_projects) == 1
    project = Project.open(session.settings.recent_projects[0])
    assert project.gallery.people == ("Ada",)
    project.close()


def test_no_place_for_a_draft_is_a_sentence_and_blocks_nothing(
    session, folder, finish, monkeypatch, tmp_path
):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("gui.state.settings.drafts_folder", lambda: tmp_path / "file" / "drafts")
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    assert "no place for a new project" in session.message.text
    monkeypatch.undo()
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    assert len(session.gallery.faces) == 9
