"""Probes are part of the project: closed, opened again, saved elsewhere, and undone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eigenfaces import Gallery, Preparation, Project
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.answers import apply_answer
from eigenfaces.recognition.probes import Probe
from gui.state import actions
from gui.state.session import Session

NO_FACE = Path("/photos/none.png")


def shas(session: Session) -> list[str]:
    return [probe.photo.id.sha for probe in session.probes]


@pytest.fixture
def probing(trained_session):
    """A session with three probes, whose photographs are gone, and a photograph without a face."""
    placement = Placement(Eyes((3.0, 4.0), (9.0, 4.5)), "by hand")
    probes = []
    for number in range(3):
        photograph = Photograph(Path(f"/gone/{number}.png"), f"sha {number}", (90, 80))
        photo = FacePhoto(photograph, None, placement=placement)
        probes.append(Probe(photo, 1 - trained_session.gallery.faces.image(number)))
    trained_session.put_probes(probes)
    trained_session.put_probes((), [NO_FACE])
    return trained_session


def test_they_are_there_again(probing, tmp_path, finish):
    first, before = probing.project.path, probing.probes
    actions.save_as(probing, tmp_path / "elsewhere.eigenfaces")
    finish()
    probing.remove_probes([FaceId("sha 1")])
    for path, expected in (
        (first, ["sha 0", "sha 1", "sha 2"]),
        (tmp_path / "elsewhere.eigenfaces", ["sha 0", "sha 2"]),
    ):
        probing.close_project()
        assert probing.probes == ()
        probing.open(Project.open(path))
        assert shas(probing) == expected
        assert probing.probe_list.without_face == {NO_FACE}
    np.testing.assert_allclose(probing.probes[1].image, before[2].image, atol=0.5 / 255 + 1e-6)
    assert probing.probes[1].photo.path == Path("/gone/2.png")
    assert probing.face(FaceId("sha 2")) is not None


def test_undo_takes_back_what_was_done_last(probing, finish):
    probing.apply("rename", lambda g: g.rename("Ada", "Augusta"))
    renamed = probing.gallery
    probing.remove_probes([FaceId("sha 0"), NO_FACE])
    assert probing.history.undo_title == "removing 2 from the list"
    probing.undo()
    assert shas(probing) == ["sha 0", "sha 1", "sha 2"]
    assert probing.probe_list.without_face == {NO_FACE}
    assert probing.gallery.people == renamed.people
    probing.redo()
    assert (shas(probing), probing.probe_list.without_face) == (["sha 1", "sha 2"], frozenset())
    before = probing.history
    probing.put_probes([])
    probing.remove_probes([FaceId("sha 9")])
    assert probing.history is before, "nothing is no step"


def test_what_was_mended_is_as_before_after_undo_with_its_answer(probing):
    probe = probing.probes[0]
    assert actions.answer(probing, [lambda now: apply_answer(now, probe, "nobody")], str)
    other = replace(probe.photo.placement, eyes=Eyes((50.0, 40.0), (56.0, 40.5)))
    mended = replace(probe, photo=replace(probe.photo, placement=other))
    probing.put_probes([mended], verb="correcting")
    assert probing.history.undo_title == "correcting 1 face to recognise"
    assert not probing.gallery.answers
    probing.undo()
    assert probing.probes[0] is probe
    assert list(probing.gallery.answers) == [probe.photo.id]
    probing.redo()
    assert probing.probes[0] is mended
    assert not probing.gallery.answers


def test_cut_otherwise_they_are_gone_until_undo_brings_them_back(probing):
    """They cannot be compared with faces of another size."""
    before, edit = probing.probe_list, lambda g: Gallery.new(Preparation(30, 30), g.recipe)
    probing.apply("other faces", edit)
    assert probing.probes == ()
    assert probing.probe_list.without_face == frozenset()
    probing.undo()
    assert probing.probe_list == before
