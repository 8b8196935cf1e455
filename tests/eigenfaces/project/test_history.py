"""The history of a gallery: back and forward through every state, and never too much of it."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import Gallery
from eigenfaces.project.history import MOST_STEPS, History
from eigenfaces.recognition.probes import NOTHING_ASKED, Asked, Probe
from tests.synthetic import small_gallery


@pytest.fixture
def states() -> list[Gallery]:
    """A gallery, and it with one person after another renamed."""
    galleries = [small_gallery()]
    for name in ("A", "B", "C"):
        galleries.append(galleries[-1].rename(galleries[-1].people[0], name))
    return galleries


@pytest.fixture
def history(states: list[Gallery]) -> History:
    made = History()
    for title, before in zip(("one", "two", "three"), states, strict=False):
        made = made.remember(title, before, NOTHING_ASKED)
    return made


def test_there_and_back_goes_through_every_state(history: History, states: list[Gallery]) -> None:
    now = states[-1]
    for title, expected in zip(("three", "two", "one"), states[-2::-1], strict=True):
        assert history.can_undo == title
        found = history.back(now, NOTHING_ASKED)
        assert found is not None
        step, history = found
        now = step.gallery
        assert (step.title, now) == (title, expected)
        assert history.can_redo == title
    assert history.back(now, NOTHING_ASKED) is None
    for title, expected in zip(("one", "two", "three"), states[1:], strict=True):
        assert history.can_redo == title
        found = history.forward(now, NOTHING_ASKED)
        assert found is not None
        step, history = found
        now = step.gallery
        assert (step.title, now) == (title, expected)
    assert history.forward(now, NOTHING_ASKED) is None
    assert (history.can_undo, history.can_redo) == ("three", None)


def test_a_new_change_forgets_what_could_be_done_again(
    history: History, states: list[Gallery]
) -> None:
    found = history.back(states[-1], NOTHING_ASKED)
    assert found is not None
    after = found[1].remember("other", states[-2], NOTHING_ASKED)
    assert (after.can_undo, after.can_redo) == ("other", None)
    assert [step.title for step in after.past] == ["one", "two", "other"]


def test_faces_to_recognise_come_back_with_the_gallery(states: list[Gallery]) -> None:
    faces = states[0].faces
    asked = Asked((Probe(faces.index.photos[0], faces.image(0)),))
    history = History().remember("adding", states[0], NOTHING_ASKED)
    found = history.back(states[0], asked)
    assert found is not None
    assert found[0].asked == NOTHING_ASKED
    again = found[1].forward(states[0], NOTHING_ASKED)
    assert again is not None
    assert again[0].asked == asked


def test_only_so_many_steps_are_kept(states: list[Gallery]) -> None:
    history = History()
    for number in range(MOST_STEPS + 5):
        history = history.remember(str(number), states[0], NOTHING_ASKED)
    assert len(history.past) == MOST_STEPS
    assert (history.past[0].title, history.can_undo) == ("5", str(MOST_STEPS + 4))


def test_arrays_are_kept_up_to_a_limit_each_counted_once(
    states: list[Gallery], monkeypatch: pytest.MonkeyPatch
) -> None:
    gallery = replace(states[0], training=None)
    one = sum(array.nbytes for array in gallery.train().trained.in_memory)
    monkeypatch.setattr("eigenfaces.project.history.MOST_BYTES", 4 * one)
    shared, history, listed = History(), History(), History()
    picture = np.zeros(one // 8)
    for number in range(9):
        shared = shared.remember(str(number), states[0], NOTHING_ASKED)
        history = history.remember(str(number), gallery.train(), NOTHING_ASKED)
        asked = Asked((Probe(gallery.index.photos[0], picture.copy()),))
        listed = listed.remember(str(number), gallery, asked)
    assert len(shared.past) == 9
    assert len(listed.past) < 9, "faces to recognise take room, too"
    assert [step.title for step in history.past] == ["5", "6", "7", "8"]
