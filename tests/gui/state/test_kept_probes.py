"""Probes are kept with their project: closed, opened again, saved elsewhere, or lost in between."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eigenfaces import Gallery, Preparation, Project
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.photographs.photos import Eyes, Placement
from eigenfaces.recognition.answers import reply
from eigenfaces.recognition.probes import Probe
from gui.state import actions
from gui.state.actions import answer
from gui.state.session import Session
from gui.state.settings import drafts_folder

NONE = Path("/photos/none.png")


def probe_of(gallery: Gallery, number: int) -> Probe:
    """Return a probe whose photograph is not there."""
    eyes = Placement(Eyes((3.0, 4.0), (9.0, 4.5)), "by hand")
    photo = FacePhoto(Path(f"/gone/{number}.png"), None, f"key {number}", (90, 80), placement=eyes)
    return Probe(photo, 1 - gallery.faces.image(number), 1, 1)


def keys(session: Session) -> list[str]:
    return [probe.photo.key for probe in session.probes]


@pytest.fixture
def asked(trained_session):
    gallery = trained_session.gallery
    trained_session.put_probes([probe_of(gallery, number) for number in range(3)])
    trained_session.put_probes((), [NONE])
    return trained_session


def test_they_are_there_again(asked):
    path, before = asked.project.path, asked.probes
    asked.remove_probes(["key 1"])
    asked.close_project()
    assert asked.probes == ()
    asked.switch(Project.open(path))
    assert keys(asked) == ["key 0", "key 2"]
    np.testing.assert_allclose(asked.probes[1].image, before[2].image, atol=0.5 / 255 + 1e-6)
    assert asked.probes[1].photo.path == Path("/gone/2.png")
    assert asked.without_face == {NONE}
    assert asked.face("key 2") is not None


def test_undo_takes_back_what_was_done_last(asked, finish):
    asked.apply("rename", lambda g: g.rename("Ada", "Augusta"))
    renamed = asked.gallery
    asked.remove_probes(["key 0", "\0/photos/none.png"])
    assert asked.history.can_undo == "taking 2 off the list"
    asked.undo()
    assert keys(asked) == ["key 0", "key 1", "key 2"]
    assert asked.without_face == {NONE}
    assert asked.gallery.people == renamed.people
    asked.redo()
    assert (keys(asked), asked.without_face) == (["key 1", "key 2"], frozenset())
    asked.undo()
    asked.undo()
    finish()
    assert "Ada" in asked.gallery.people
    asked.undo()
    asked.undo()
    assert keys(asked) == []
    assert asked.project.asked.probes == ()
    for _ in range(4):
        asked.redo()
    assert keys(asked) == ["key 1", "key 2"]
    assert [probe.photo.key for probe in asked.project.asked.probes] == keys(asked)


def test_what_was_mended_is_as_before_after_undo_with_its_answer(asked):
    probe = asked.probes[0]
    assert answer(asked, [lambda now: reply(now, probe, "nobody")], str)
    other = replace(probe.photo.placement, eyes=Eyes((50.0, 40.0), (56.0, 40.5)))
    mended = replace(probe, photo=replace(probe.photo, placement=other))
    asked.put_probes([mended], verb="mending")
    assert asked.history.can_undo == "mending 1 face to recognise"
    assert not asked.gallery.answers
    asked.undo()
    assert asked.probes[0] is probe
    assert list(asked.gallery.answers) == [probe.photo.key]
    asked.redo()
    assert asked.probes[0] is mended
    assert not asked.gallery.answers


def test_nothing_to_add_is_no_step(asked):
    before = asked.history
    asked.put_probes([])
    asked.remove_probes(["key 9"])
    assert asked.history is before


def test_cut_otherwise_undo_brings_them_back(asked, finish):
    before = asked.probes
    asked.apply("other faces", lambda g: Gallery.new(Preparation(30, 30), g.recipe))
    asked.undo()
    finish()
    assert asked.probes == before


def test_saved_elsewhere_they_come_along(asked, tmp_path, finish):
    actions.save_as(asked, tmp_path / "elsewhere.eigenfaces")
    finish()
    assert len(keys(asked)) == 3
    asked.close_project()
    asked.switch(Project.open(tmp_path / "elsewhere.eigenfaces"))
    assert len(keys(asked)) == 3
    assert asked.without_face == {NONE}


def test_cut_otherwise_they_are_gone_from_the_file_too(asked):
    asked.apply("other faces", lambda g: Gallery.new(Preparation(30, 30), g.recipe))
    assert asked.probes == ()
    assert asked.project.asked.probes == ()
    assert asked.project.asked.without_face == frozenset()


def test_while_a_change_is_written_they_wait(asked, finish):
    gallery = asked.gallery
    asked.write("Saving", lambda g: g.rename("Ada", "Augusta"), lambda: None)
    asked.put_probes([probe_of(gallery, 7)])
    finish()
    assert len(keys(asked)) == 4
    assert [probe.photo.key for probe in asked.project.asked.probes] == keys(asked)
    assert asked.message is None


def test_a_draft_with_a_probe_or_an_answer_of_a_person_is_kept(session, small_gallery):
    folder = drafts_folder()
    folder.mkdir(parents=True, exist_ok=True)

    def opened(name):
        session.switch(Project.create(folder / name, small_gallery), dispensable=True)
        return folder / name

    own = Probe(small_gallery.index.photos[0], small_gallery.faces.image(0))
    for number, (put, is_kept) in enumerate(
        (
            (lambda: session.put_probes([own]), False),
            (lambda: session.put_probes([probe_of(small_gallery, 0)]), True),
            (lambda: answer(session, [lambda now: reply(now, own, "nobody")], str), True),
            (lambda: session.put_probes((), [NONE]), True),
        )
    ):
        path = opened(f"{number}.eigenfaces")
        put()
        session.close_project()
        assert path.exists() == is_kept, number
