"""Importing again, faces that were corrected, and several faces on one photograph."""

import contextlib
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import skimage.data
from PIL import Image

from eigenfaces import Gallery, Preparation, Project, find_photos
from eigenfaces.faces.read import NO_FACE, SEVERAL_FACES
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Photo, Placement, Skipped
from gui.state import actions
from gui.state.session import Session

CUT = Preparation(24, 20, already_cropped=True)
Finish = Callable[[], None]

_FACE = skimage.data.astronaut()[20:200, 130:310]
BOTH = np.concatenate([_FACE, _FACE[:, ::-1]], axis=1)
"""A photograph of two faces."""


def picture(path: Path, seed: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(seed).integers(0, 256, (30, 26), np.uint8)
    Image.fromarray(pixels).save(path)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two people × three photographs."""
    for number in range(6):
        person = ("Ada", "Grace")[number // 3]
        picture(tmp_path / "faces" / person / f"{number}.png", number)
    return tmp_path / "faces"


@pytest.fixture
def filled(session: Session, folder: Path, finish: Finish) -> Session:
    actions.import_photos(session, find_photos(folder), CUT)
    finish()
    return session


def text(session: Session) -> str:
    assert session.message is not None
    return session.message.text


def paths(session: Session) -> set[str]:
    return {photo.path.name for photo in session.gallery.index.photos}


def test_the_share_of_strangers_stays_where_all_photographs_are_others(
    filled: Session, folder: Path, finish: Finish
) -> None:
    filled.apply("share", lambda gallery: gallery.with_share(0.05))
    filled.apply("remove", lambda gallery: gallery.remove([p.key for p in gallery.index.photos]))
    actions.prepare_again(filled, replace(CUT, height=30))
    assert filled.gallery.share == 0.05
    actions.import_photos(filled, find_photos(folder), CUT)
    finish()
    assert (len(filled.gallery.faces), filled.gallery.share) == (6, 0.05)


def test_a_changed_photograph_replaces_its_face_and_a_new_one_is_added(
    filled: Session, folder: Path, finish: Finish
) -> None:
    before = filled.gallery
    picture(folder / "Ada" / "0.png", 50)
    picture(folder / "Ada" / "new.png", 51)
    actions.import_photos(filled, find_photos(folder))
    finish()
    gallery = filled.gallery
    assert len(gallery.faces) == 7
    assert paths(filled) == {f"{n}.png" for n in range(6)} | {"new.png"}
    assert before.faces.index.photos[0].key not in {photo.key for photo in gallery.index.photos}
    assert text(filled) == (
        "1 photo was added. 1 was replaced, as it had changed. 5 were in the gallery already."
    )
    assert filled.history.can_undo == "adding 1 photo and replacing 1 photo"
    filled.undo()
    finish()
    assert filled.gallery is before


def test_what_replaces_a_face_keeps_its_name_and_its_exclusion(
    filled: Session, folder: Path, finish: Finish
) -> None:
    filled.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
    filled.apply("exclude", lambda gallery: gallery.exclude([gallery.index.photos[0].key]))
    picture(folder / "Ada" / "0.png", 50)
    actions.import_photos(filled, FoundPhotos((Photo(folder / "Ada" / "0.png", "Ada"),)))
    finish()
    new = next(p for p in filled.gallery.index.photos if p.path.name == "0.png")
    assert (new.person, new.excluded) == ("Augusta", True)
    assert text(filled) == "1 was replaced, as it had changed."


def test_a_file_with_another_name_is_no_change(
    filled: Session, folder: Path, finish: Finish
) -> None:
    (folder / "Ada" / "0.png").rename(folder / "Ada" / "other.png")
    picture(folder / "Ada" / "0.png", 50)  # somebody else's, now under the old name
    actions.import_photos(filled, find_photos(folder))
    finish()
    assert len(filled.gallery.faces) == 7
    assert text(filled) == "1 photo was added. 6 were in the gallery already."


def test_a_trained_gallery_projects_what_replaces_a_face(
    filled: Session, folder: Path, finish: Finish
) -> None:
    actions.train(filled)
    finish()
    picture(folder / "Ada" / "0.png", 50)
    actions.import_photos(filled, find_photos(folder))
    finish()
    training = filled.gallery.trained
    assert np.allclose(training.coordinates, training.project(filled.gallery.faces.pixels[:]))


def test_a_corrected_face_is_cut_anew(filled: Session, folder: Path, finish: Finish) -> None:
    eyes = Placement(Eyes((8.0, 11.0), (18.0, 11.0)), "by hand")
    before = filled.gallery.faces
    actions.import_photos(filled, FoundPhotos((Photo(folder / "Ada" / "0.png", None, eyes),)))
    finish()
    row = filled.gallery.index.row_of(before.index.photos[0].key)
    assert row is not None
    assert filled.gallery.index.photos[row].placement == eyes
    assert filled.gallery.index.photos[row].person == "Ada"
    assert not np.array_equal(filled.gallery.faces.image(row), before.image(0))
    assert len(filled.gallery.faces) == len(before)


def test_the_message_counts_everything_that_was_found(
    session: Session, folder: Path, finish: Finish
) -> None:
    found = find_photos(folder)
    others = (
        Skipped(folder / "a", NO_FACE, kind="no face"),
        Skipped(folder / "b", SEVERAL_FACES.format(3), kind="several faces"),
        Skipped(folder / "c", "You left it out.", kind="left out"),
    )
    actions.import_photos(session, replace(found, skipped=others), CUT)
    finish()
    assert text(session) == (
        "6 photos were added. 2 still need your choice of a face. 1 was left out."
    )
    assert session.message is not None
    assert tuple(replace(each, read="") for each in session.message.skipped) == others
    assert all(each.read for each in session.message.skipped)


def test_photographs_among_faces_that_are_cut_already(
    filled: Session, tmp_path: Path, finish: Finish
) -> None:
    Image.fromarray(skimage.data.astronaut()[20:200, 130:310]).save(tmp_path / "photo.png")
    found = FoundPhotos((Photo(tmp_path / "photo.png", "Eileen"),))
    actions.import_photos(filled, found, replace(CUT, already_cropped=False))
    finish()
    assert filled.gallery.index.photos[-1].placement.eyes is not None
    assert filled.gallery.preparation == CUT
    actions.import_photos(filled, found, replace(CUT, width=30))
    assert "another size" in text(filled)


def test_cutting_anew_keeps_every_placement(filled: Session, folder: Path, finish: Finish) -> None:
    eyes = Placement(Eyes((8.0, 11.0), (18.0, 11.0)), "by hand")
    found = FoundPhotos((Photo(folder / "Ada" / "0.png", "Ada", eyes),))
    actions.import_photos(filled, found)
    finish()
    placements = {photo.key: photo.placement for photo in filled.gallery.index.photos}
    actions.prepare_again(filled, replace(CUT, width=30))
    finish()
    assert filled.gallery.faces.shape == (24, 30)
    assert {photo.key: photo.placement for photo in filled.gallery.index.photos} == placements


def test_only_what_was_said_outlasts_another_kind_of_photographs(
    session: Session, tmp_path: Path, finish: Finish
) -> None:
    pixels = skimage.data.astronaut()[20:200, 130:310]
    Image.fromarray(pixels).save(tmp_path / "found.png")
    Image.fromarray(np.ascontiguousarray(pixels[:, ::-1])).save(tmp_path / "said.png")
    said = Placement(Eyes((60.0, 80.0), (110.0, 82.0)), "by hand")
    photos = (Photo(tmp_path / "found.png", "A"), Photo(tmp_path / "said.png", "A", said))
    actions.import_photos(session, FoundPhotos(photos), Preparation(24, 20))
    finish()
    actions.prepare_again(session, CUT)
    finish()
    placements = {p.path.name: p.placement for p in session.gallery.index.photos}
    assert placements == {"found.png": Placement(), "said.png": said}


def test_faces_of_one_photograph_are_told_from_photographs(
    session: Session, tmp_path: Path, finish: Finish
) -> None:
    Image.fromarray(BOTH).save(tmp_path / "both.png")
    found = FoundPhotos((Photo(tmp_path / "both.png"),))
    actions.import_photos(session, found, Preparation(24, 20))
    finish()
    assert text(session) == "2 faces on 1 photo were added."
    assert session.history.can_undo == "adding 2 faces on 1 photo"
    picture(tmp_path / "Ada" / "0.png", 50)
    cropped = Photo(tmp_path / "Ada" / "0.png", "Ada", Placement(source="by hand"))
    actions.import_photos(session, FoundPhotos((*found.photos, cropped)), Preparation(24, 20))
    finish()
    assert text(session) == "1 photo was added. 1 was in the gallery already."


def test_every_face_of_a_photograph_is_a_probe(
    session: Session, tmp_path: Path, finish: Finish
) -> None:
    Image.fromarray(BOTH).save(tmp_path / "both.png")
    Image.fromarray(np.full((90, 90), 120, np.uint8)).save(tmp_path / "none.png")
    actions.add_probes(session, [tmp_path / "both.png", tmp_path / "none.png"])
    finish()
    keys = [probe.photo.key for probe in session.probes]
    assert keys == [keys[0], f"{keys[0]}-2"]
    assert session.photo == keys[0]
    eyes = [probe.photo.placement.eyes for probe in session.probes]
    assert None not in eyes
    assert eyes[0] != eyes[1]
    assert "“none.png” was skipped" in text(session)


def test_training_projects_once_unless_faces_came_meanwhile(
    trained_session: Session, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopted: list[int] = []
    adopt = Gallery.adopt

    def counted(gallery: Gallery, training: object) -> Gallery:
        adopted.append(len(gallery.faces))
        return adopt(gallery, training)  # type: ignore[arg-type]

    monkeypatch.setattr(Gallery, "adopt", counted)
    actions.train(trained_session)
    finish()
    assert adopted == []
    assert trained_session.gallery.changes == 0
    actions.train(trained_session)
    trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
    finish()
    assert adopted == [24]
    assert "Augusta" in trained_session.gallery.people


def test_a_face_corrected_after_training_is_in_its_place_at_once_and_after_reopening(
    session: Session, tmp_path: Path, finish: Finish
) -> None:
    """Its crop, its thumbnail and its order; and the face space was fitted to another one."""
    found = find_photos(group_folder(tmp_path))
    actions.import_photos(session, found, replace(CUT, height=40, width=32))
    finish()
    actions.train(session)
    finish()
    before = session.gallery
    assert before.changes == 0
    order = [photo.key for photo in before.faces.index.photos]
    corrected = Placement(Eyes((14.0, 20.0), (26.0, 21.0)), "by hand")
    photos = tuple(
        replace(photo, placement=corrected) if photo.path == found.photos[1].path else photo
        for photo in found.photos
    )
    actions.import_photos(session, replace(found, photos=photos))
    finish()
    gallery = session.gallery
    assert [photo.key for photo in gallery.index.photos] == order
    assert gallery.index.photos[1].placement == corrected
    assert not np.array_equal(gallery.faces.pixels[1], before.faces.pixels[1])
    assert gallery.changes == 1
    np.testing.assert_array_equal(
        gallery.trained.coordinates[1], gallery.trained.project(gallery.faces.pixels[1])
    )
    assert session.project is not None
    path, crops = session.project.path, gallery.faces.pixels.held
    session.close_project()
    with contextlib.closing(Project.open(path)) as project:
        again = project.gallery
        np.testing.assert_array_equal(again.faces.pixels.held, crops)
        np.testing.assert_array_equal(again.trained.coordinates, gallery.trained.coordinates)
        assert again.index.photos == gallery.index.photos
        assert again.changes == 1
        assert again.train().changes == 0


def group_folder(tmp_path: Path) -> Path:
    """Return a folder of two people × two larger photographs."""
    for number in range(4):
        path = tmp_path / "larger" / ("Ada", "Grace")[number // 2] / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        levels = np.random.default_rng(number).integers(0, 256, (60, 48), np.uint8)
        Image.fromarray(levels).save(path)
    return tmp_path / "larger"


class TestTheFileIsGone:
    """Another program moves, deletes or replaces the file of the open project."""

    @pytest.fixture
    def saved(self, filled: Session, tmp_path: Path, finish: Finish) -> Path:
        actions.save_as(filled, tmp_path / "mine.eigenfaces")
        finish()
        filled.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
        return tmp_path / "mine.eigenfaces"

    @pytest.mark.parametrize("what", ["deleted", "moved", "replaced"])
    def test_an_edit_is_refused_and_can_be_saved_elsewhere(
        self, filled: Session, saved: Path, finish: Finish, what: str
    ) -> None:
        if what == "replaced":
            shutil.copy(saved, saved.with_name("restored"))
            saved.with_name("restored").replace(saved)
        elif what == "moved":
            saved.rename(saved.with_name("elsewhere"))
        else:
            saved.unlink()
        assert not filled.apply("rename", lambda gallery: gallery.rename("Augusta", "Lost"))
        assert "Another program has moved, deleted or replaced" in text(filled)
        assert filled.gallery.people == ("Augusta", "Grace")
        actions.save_as(filled, saved.with_name("new.eigenfaces"))
        finish()
        assert filled.apply("rename", lambda gallery: gallery.rename("Augusta", "Kept"))
        filled.close_project()
        with contextlib.closing(Project.open(saved.with_name("new.eigenfaces"))) as project:
            assert project.gallery.people == ("Kept", "Grace")

    def test_saving_to_the_place_where_it_was(
        self, filled: Session, saved: Path, finish: Finish
    ) -> None:
        actions.save_as(filled, saved)
        finish()
        assert text(filled).endswith("Every change is in its file at once.")
        saved.unlink()
        actions.save_as(filled, saved)
        finish()
        assert text(filled).startswith("Saved as")
        assert filled.apply("rename", lambda gallery: gallery.rename("Augusta", "Kept"))

    def test_what_has_been_put_there_instead_is_not_overwritten(
        self, filled: Session, saved: Path, finish: Finish
    ) -> None:
        saved.unlink()
        saved.write_bytes(b"something else")
        actions.save_as(filled, saved)
        finish()
        assert "Choose another name" in text(filled)
        assert saved.read_bytes() == b"something else"

    def test_it_is_closed_before_saving_elsewhere_begins(
        self, filled: Session, saved: Path, finish: Finish
    ) -> None:
        """It is in its own file, and nobody is taken back to it."""
        opened = threading.Event()
        filled.run("write", "Holding", lambda _: opened.wait(20), print)
        actions.save_as(filled, saved.with_name("late"))
        filled.new()
        opened.set()
        finish()
        assert "as it is closed" in text(filled)
        assert filled.project is None
        assert not saved.with_name("late.eigenfaces").exists()
