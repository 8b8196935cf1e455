"""Photographs imported once and again, faces cut anew, training, and probes: jobs of a session."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import Preparation, Project, find_photos
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.recipe import RECIPES
from gui.state import actions, importing
from gui.state.jobs import JobKind
from gui.state.session import Session
from tests import synthetic
from tests.decodes import astronaut
from tests.gui.state.gate import Gate
from tests.picture_files import picture

CUT = Preparation(24, 20, already_cropped=True)
BOTH = np.concatenate([np.asarray(astronaut(mirrored=side)) for side in (False, True)], axis=1)
"""A photograph of two faces."""

BY_HAND = Placement(Eyes((8.0, 11.0), (18.0, 11.0)), "by hand")


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two people × three photographs, and one file that is none."""
    for number in range(6):
        picture(tmp_path / "faces" / ("Ada", "Grace")[number // 3] / f"{number}.png", number)
    (tmp_path / "faces" / "Ada" / "broken.jpg").write_bytes(b"not a picture")
    return tmp_path / "faces"


@pytest.fixture
def filled(session, folder, finish) -> Session:
    importing.import_photos(session, find_photos(folder), CUT)
    finish()
    (folder / "Ada" / "broken.jpg").unlink()
    return session


@pytest.fixture
def gate(session):
    """Keep the one long job busy until the event is set: whatever is asked for waits its turn."""
    gate = Gate()
    session.run(JobKind.TRAIN, "Holding", gate.work, print)
    yield gate.open
    gate.open.set()


def text(session: Session) -> str:
    return session.message.text


class TestImport:
    def test_cancelled_it_changes_nothing(self, session, folder, finish, gate):
        importing.import_photos(session, find_photos(folder), CUT)
        actions.recrop_gallery(session, replace(CUT, width=30))
        importing.import_photos(session, find_photos(folder / "Ada"), CUT)
        session.jobs.cancel(JobKind.IMPORT, JobKind.RECROP)
        gate.set()
        finish()
        assert len(session.gallery.faces) == 0
        assert text(session) == "Import cancelled. Nothing was changed."

    def test_again_what_has_changed_replaces_its_face_and_what_is_new_is_added(
        self, filled, folder, finish
    ):
        filled.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
        filled.apply("exclude", lambda gallery: gallery.exclude([gallery.index.photos[0].id]))
        actions.train(filled)
        finish()
        before = filled.gallery
        picture(folder / "Ada" / "0.png", 50)
        (folder / "Grace" / "3.png").rename(
            folder / "Grace" / "other.png"
        )  # the same photograph, in another place
        picture(folder / "Ada" / "new.png", 51)
        new = [Photo(folder / "Ada" / name, "Ada") for name in ("0.png", "new.png")]
        grace = find_photos(folder / "Grace").photos
        importing.import_photos(filled, FoundPhotos((*new, *grace)))
        finish()
        gallery, training = filled.gallery, filled.gallery.trained
        names = {photo.path.name for photo in gallery.index.photos}
        assert names == {*(f"{number}.png" for number in (0, 1, 2, 4, 5)), "new.png", "other.png"}
        assert gallery.index.row_of(before.index.photos[0].id) is None
        changed = next(photo for photo in gallery.index.photos if photo.path.name == "0.png")
        assert (changed.person, changed.excluded) == ("Augusta", True)
        assert np.allclose(training.coordinates, training.project(gallery.faces.pixels[:]))
        assert text(filled) == (
            "1 photo was added. 1 photo was replaced. 1 photo was found in its new location. "
            "2 photos were already in the gallery."
        )
        assert filled.history.undo_title == "adding 2 photos"
        filled.undo()
        finish()
        assert filled.gallery is before

    def test_photographs_among_faces_that_are_cut_already(self, filled, tmp_path, finish):
        """Their faces are counted apart from photographs."""
        Image.fromarray(BOTH).save(tmp_path / "both.png")
        photos = FoundPhotos((Photo(tmp_path / "both.png"),))
        importing.import_photos(filled, photos, replace(CUT, already_cropped=False))
        finish()
        assert filled.gallery.index.photos[-1].placement.eyes is not None
        assert filled.gallery.preparation == CUT
        assert text(filled) == "2 faces in 1 photo were added."
        assert filled.history.undo_title == "adding 2 faces in 1 photo"
        importing.import_photos(filled, photos, replace(CUT, width=30))
        assert "a different size" in text(filled)

    @pytest.mark.parametrize("kind", ["open", "new", "save"])
    def test_it_ends_in_the_project_it_was_begun_in(
        self, session, folder, finish, tmp_path, gate, kind
    ):
        Project.create(tmp_path / "other.eigenfaces").close()
        session.apply("nothing", lambda gallery: gallery)
        importing.import_photos(session, find_photos(folder), CUT)
        {
            "open": lambda: actions.open_project(session, tmp_path / "other.eigenfaces"),
            "new": lambda: actions.new_project(session),
            "save": lambda: actions.save_as(session, tmp_path / "mine"),
        }[kind]()
        waits = kind != "save"
        assert ("Reading 7 photos must finish first" in text(session)) == waits
        gate.set()
        finish()
        assert len(session.gallery.faces) == (6 if kind == "save" else 0)
        recent = [path for path in session.settings.recent_projects if path.stem != "other"]
        if kind != "save":
            actions.open_project(session, recent[0])
            finish()
        assert session.gallery.people == ("Ada", "Grace")


class TestCuttingAnew:
    def test_everything_else_stays(self, filled, folder, finish):
        actions.train(filled)
        finish()
        before = filled.gallery
        photo = Photo(folder / "Ada" / "0.png", None, BY_HAND)
        importing.import_photos(filled, FoundPhotos((photo,)))
        finish()
        assert filled.gallery.index.row_by_id == before.index.row_by_id, (
            "it is cut anew in its place"
        )
        assert filled.gallery.index.photos[0].placement == BY_HAND
        assert filled.gallery.index.photos[0].person == "Ada"
        assert not np.array_equal(filled.gallery.faces.image(0), before.faces.image(0))
        assert filled.gallery.changes_since_training == 1
        filled.apply("exclude", lambda gallery: gallery.exclude([gallery.index.photos[0].id]))
        placements = [photo.placement for photo in filled.gallery.index.photos]
        actions.recrop_gallery(filled, replace(CUT, height=32, width=32))
        filled.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))  # meanwhile
        actions.add_probes(filled, [folder / "Ada"])
        finish()
        assert filled.gallery.faces.shape == (32, 32)
        assert [photo.placement for photo in filled.gallery.index.photos] == placements
        assert filled.gallery.index.photos[0].excluded
        assert "Augusta" in filled.gallery.people
        assert {probe.image.shape for probe in filled.probes} == {(32, 32)}
        while filled.history.undo_title != "exclude":
            filled.undo()
            finish()
        assert filled.gallery.faces.shape == (24, 20)

    def test_without_faces_only_their_size_changes(self, session, finish):
        actions.recrop_gallery(session, CUT)
        finish()
        assert session.gallery.preparation == CUT


class TestTraining:
    def test_what_was_edited_meanwhile_stays(self, trained_session, finish):
        actions.train(trained_session)
        trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
        finish()
        assert trained_session.gallery.changes_since_training == 0
        assert "Augusta" in trained_session.gallery.people
        assert trained_session.history.undo_title == "training"

    def test_another_recipe_is_one_step(self, trained_session, finish):
        trained_session.apply("x", lambda now: synthetic.joined(now).train())
        finish()
        before = trained_session.gallery
        components = before.recipe.matcher.components
        actions.use_recipe(trained_session, RECIPES["Fisherfaces"].changed(components=components))
        assert trained_session.gallery is before
        finish()
        assert trained_session.gallery.trained.recipe.name == "Fisherfaces"
        assert trained_session.history.undo_title == "the recipe Fisherfaces"
        trained_session.undo()
        finish()
        assert trained_session.gallery is before
        other = before.recipe.changed(distance="cosine")
        actions.use_recipe(trained_session, other)  # which only compares otherwise: at once
        assert trained_session.gallery.recipe == other


class TestProbes:
    def test_cut_as_the_faces_are_by_then(self, filled, folder, finish, monkeypatch, qtbot):
        actions.recrop_gallery(filled, replace(CUT, height=32, width=32))
        finish()
        gate, read = Gate(), actions.probes_on_each

        def held(photos, preparation, tick):
            gate.work(tick)
            return read(photos, preparation, tick)

        monkeypatch.setattr(actions, "probes_on_each", held)
        actions.add_probes(filled, [folder / "Ada"])
        qtbot.waitUntil(gate.entered.is_set)
        filled.undo()
        assert filled.gallery.faces.shape == (24, 20)
        gate.open.set()
        finish()
        assert [probe.image.shape for probe in filled.probes] == 3 * [(24, 20)]

    def test_from_files_and_folders_also_during_a_training(
        self, trained_session, folder, finish, gate, qtbot
    ):
        broken = folder / "Ada" / "broken.jpg"
        actions.add_probes(trained_session, [folder / "Grace", broken])
        qtbot.waitUntil(lambda: len(trained_session.probes) == 3)
        assert trained_session.jobs.is_busy(JobKind.TRAIN)
        assert trained_session.photo == trained_session.probes[0].photo.id
        assert "“broken.jpg” was skipped" in text(trained_session)
        actions.add_probes(trained_session, [broken, folder / "gone.png"])
        gate.set()
        finish()
        assert text(trained_session) == "2 files were skipped."
