"""Import, training, opening and saving, as jobs over a session."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import Preparation, Project, find_photos
from gui import actions
from gui.session import drafts_folder

SMALL = Preparation(24, 20)


@pytest.fixture
def finish(qtbot, session):
    """Wait until no job runs."""
    return lambda: qtbot.waitUntil(lambda: session.jobs.current is None, timeout=20_000)


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


def test_an_import_can_be_undone(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    session.undo()
    finish()
    assert len(session.gallery.faces) == 0


def test_a_cancelled_import_changes_nothing(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    session.jobs.cancel()
    finish()
    assert len(session.gallery.faces) == 0
    assert "cancelled" in session.message.text.lower()


def test_training_keeps_what_was_edited_meanwhile(trained_session, finish):
    actions.train(trained_session)
    trained_session.apply("rename", lambda g: g.rename("Ada", "Augusta"))
    finish()
    assert "Augusta" in trained_session.gallery.people
    assert trained_session.gallery.changes == 0
    assert trained_session.can_undo == "training"


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
    assert session.can_undo is not None
    assert session.settings.recent_projects == [tmp_path / "mine.eigenfaces"]


def test_saving_where_one_cannot_write_keeps_the_project(trained_session, finish, tmp_path):
    before = trained_session.project
    actions.save_as(trained_session, tmp_path / "nowhere" / "mine.eigenfaces")
    finish()
    assert trained_session.project is before
    assert trained_session.message.tone == "error"


def test_opening_what_is_no_project_keeps_the_open_one(trained_session, finish, tmp_path):
    wrong = tmp_path / "wrong.eigenfaces"
    wrong.write_text("something else")
    before = trained_session.project
    actions.open_project(trained_session, wrong)
    finish()
    assert trained_session.project is before
    assert "not a project file" in trained_session.message.text


def test_a_project_open_elsewhere_is_refused(trained_session, finish, tmp_path):
    other = Project.create(tmp_path / "other.eigenfaces")
    actions.open_project(trained_session, tmp_path / "other.eigenfaces")
    finish()
    assert "another window" in trained_session.message.text
    other.close()


def test_faces_are_cut_anew_from_the_photographs(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    session.apply("exclude", lambda g: g.exclude([g.faces.photos[0].key]))
    actions.prepare_again(session, Preparation(32, 32, "stretch"))
    finish()
    assert session.gallery.faces.shape == (32, 32)
    assert session.gallery.faces.photos[0].excluded
    session.undo()
    finish()
    assert session.gallery.faces.shape == (24, 20)


def test_cutting_anew_is_refused_when_photographs_are_gone(session, folder, finish):
    actions.import_photos(session, find_photos(folder), SMALL)
    finish()
    (folder / "Ada" / "0.png").unlink()
    actions.prepare_again(session, Preparation(32, 32))
    finish()
    assert session.gallery.faces.shape == (24, 20)
    assert "can no longer be read" in session.message.text


def test_probes_come_from_files_and_folders(trained_session, folder, finish):
    actions.add_probes(trained_session, [folder / "Grace", folder / "Ada" / "broken.jpg"])
    finish()
    assert len(trained_session.probes) == 3
    assert trained_session.photo == trained_session.probes[0].photo.key
    assert "broken.jpg" in trained_session.message.text
