"""Answers in the window: each is one step of undo, and says what it changed."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from eigenfaces.faces.face_set import FacePhoto, as_levels
from eigenfaces.recognition.answers import reply
from eigenfaces.recognition.gallery import Answered
from eigenfaces.recognition.probes import Probe
from gui.state.actions import answer
from tests.gui.state.gate import never, wait


@pytest.fixture
def probe(small_gallery):
    photo = FacePhoto(Path("/photos/probe.png"), None, "probe", small_gallery.faces.shape)
    return Probe(photo, 1 - small_gallery.faces.image(0))


@pytest.mark.parametrize("feedback", ["right", "it is", "new", "not", "nobody", "no face"])
def test_an_answer_is_one_step(trained_session, probe, feedback, qtbot):
    before, crop = trained_session.gallery, as_levels(probe.image).tobytes()
    one, other, *_ = before.people
    people, expected = {
        "right": ([one], Answered("right", one)),
        "it is": ([other], Answered("it is", other)),
        "new": (["Zoe"], Answered("it is", "Zoe")),
        "not": ([one], Answered(never=frozenset({one}))),
        "nobody": ([], Answered("nobody", crop=crop)),
        "no face": ([], Answered("no face")),
    }[feedback]
    feedback = "it is" if feedback == "new" else feedback
    given = partial(reply, probe=probe, feedback=feedback, people=people)
    said = list[str]()
    assert answer(trained_session, [given], said.append)
    assert said == [given(before).sentence]
    made = trained_session.gallery
    assert made.answers == {"probe": expected}
    assert (len(made.faces) > len(before.faces)) == (expected.person is not None)
    for step, gallery in ((trained_session.undo, before), (trained_session.redo, made)):
        step()
        wait(qtbot, lambda: trained_session.jobs.current is None)
        assert trained_session.gallery is gallery


def test_several_answers_are_one_step(trained_session, probe, qtbot):
    before, (one, other, *_) = trained_session.gallery, trained_session.gallery.people
    second = replace(probe, photo=replace(probe.photo, key="second"), image=probe.image * 0.9)
    given = [
        partial(reply, probe=probe, feedback="right", people=[one]),
        partial(reply, probe=second, feedback="it is", people=[other]),
    ]
    said = list[str]()
    assert answer(trained_session, given, said.append)
    assert not answer(trained_session, given, never)  # while they are being written
    wait(qtbot, lambda: trained_session.jobs.current is None)
    assert said == ["2 faces are answered."]
    made = trained_session.gallery
    assert {key: each.person for key, each in made.answers.items()} == {
        "probe": one,
        "second": other,
    }
    assert len(made.faces) == len(before.faces) + 2
    assert trained_session.history.can_undo == "2 answers"
    for step, gallery in ((trained_session.undo, before), (trained_session.redo, made)):
        step()
        wait(qtbot, lambda: trained_session.jobs.current is None)
        assert trained_session.gallery is gallery


def test_what_cannot_be_is_said_and_nothing_changes(trained_session, probe):
    before = trained_session.gallery
    given = [lambda gallery: reply(gallery, probe, "it is", ["  "])]
    assert not answer(trained_session, given, never)
    assert trained_session.message.tone == "error"
    assert trained_session.gallery is before
    assert trained_session.history.can_undo is None
