"""The history of a gallery: back and forward through every state, and never too much of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import Gallery
from eigenfaces.project.history import MOST_STEPS, History
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList


@given(st.lists(st.sampled_from(["undo", "redo", "change"]), max_size=30))
def test_it_is_two_stacks_of_states(gallery: Gallery, ways: list[str]) -> None:
    """Back and forward go through every state; a change forgets what could be done again."""
    states = [gallery, *(gallery.rename("Person 1", str(number)) for number in range(30))]
    history, now, past, future = History(), 0, list[int](), list[int]()
    for number, way in enumerate(ways, start=1):
        if way == "change":
            history = history.remember(f"to {number}", states[now], NO_PROBES)
            past, future, now = [*past, now], [], number
            continue
        moved = getattr(history, way)(states[now], NO_PROBES)
        taken, other = (past, future) if way == "undo" else (future, past)
        assert (moved is None) == (not taken)
        if moved is not None:
            step, history = moved
            other.append(now)
            now = taken.pop()
            assert step.gallery is states[now]
        assert (history.undo_title is None, history.redo_title is None) == (not past, not future)


def test_only_so_many_steps_are_kept(gallery: Gallery) -> None:
    history = History()
    for number in range(MOST_STEPS + 5):
        history = history.remember(str(number), gallery, NO_PROBES)
    assert len(history.past) == MOST_STEPS
    assert (history.past[0].title, history.undo_title) == ("5", str(MOST_STEPS + 4))


def test_arrays_are_kept_up_to_a_limit_each_counted_once(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = gallery.trained
    arrays = gallery.faces.pixels.source, trained.space.components, trained.coordinates
    one = sum(array.nbytes for array in arrays)
    monkeypatch.setattr("eigenfaces.project.history.MOST_UNDO_BYTES", 5 * one)
    shared, history, listed = History(), History(), History()
    for number in range(9):
        shared = shared.remember(str(number), gallery, NO_PROBES)
        history = history.remember(str(number), replace(gallery, training=None).train(), NO_PROBES)
        probes = ProbeList((Probe(gallery.index.photos[0], np.zeros(one // 8)),))
        listed = listed.remember(str(number), gallery, probes)
    assert len(shared.past) == 9
    assert 1 < len(history.past) < 9
    assert history.undo_title == "8"
    assert len(listed.past) < 9, "faces to recognise take room, too"
