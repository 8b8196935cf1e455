"""The history of a project: back and forward through every state, and never too much of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import on_file

from eigenfaces import Gallery
from eigenfaces.photographs.find import Skipped
from eigenfaces.project.content import Content, KeptRun
from eigenfaces.project.history import MOST_STEPS, History
from eigenfaces.recognition.probes import Probe, ProbeList


@given(st.lists(st.sampled_from(["undo", "redo", "change"]), max_size=30))
def test_it_is_two_stacks_of_states(gallery: Gallery, ways: list[str]) -> None:
    """Back and forward go through every state; a change forgets what could be done again."""
    renamed = (gallery.rename("Person 1", str(number)) for number in range(30))
    states = [Content(gallery), *map(Content, renamed)]
    history, now, past, future = History(), 0, list[int](), list[int]()
    for number, way in enumerate(ways, start=1):
        if way == "change":
            history = history.remember(f"to {number}", states[now], states[number])
            past, future, now = [*past, now], [], number
            continue
        moved = getattr(history, way)(states[now])
        taken, other = (past, future) if way == "undo" else (future, past)
        assert (moved is None) == (not taken)
        if moved is not None:
            step, history = moved
            content = getattr(step, way)(states[now])
            other.append(now)
            now = taken.pop()
            assert content.gallery is states[now].gallery
        assert (history.undo_title is None, history.redo_title is None) == (not past, not future)


def test_what_no_step_has_changed_stays(gallery: Gallery) -> None:
    """What came meanwhile, as an evaluation that is kept: nobody has asked to take it back."""
    first, second, third = (Skipped(Path(f"/{n}.jpg"), "No face.") for n in range(3))
    before = Content(gallery, (first, second))
    after = Content(gallery.rename("Person 1", "Ada"), (second, third))
    history = History().remember("an import", before, after)
    run = KeptRun("2026-02-03T10:11:12+00:00", "A run", "sha")
    fourth = Skipped(Path("/4.jpg"), "No face.")
    now = replace(after, unused=(third, second, fourth), runs=(run,))
    step, history = history.undo(now)
    back = step.undo(now)
    assert back.gallery is before.gallery
    assert {*back.unused} == {first, second, fourth}
    assert back.runs == (run,)
    step, _ = history.redo(back)
    again = step.redo(back)
    assert again.gallery is after.gallery
    assert {*again.unused} == {*now.unused}
    calibrated = gallery.calibrate()
    assert step.undo(replace(after, gallery=calibrated)).gallery.calibrated is not None


def test_only_so_many_steps_are_kept(gallery: Gallery) -> None:
    history, content = History(), Content(gallery)
    for number in range(MOST_STEPS + 5):
        history = history.remember(str(number), content, content)
    assert len(history.past) == MOST_STEPS
    assert (history.past[0].title, history.undo_title) == ("5", str(MOST_STEPS + 4))


def test_arrays_are_kept_up_to_a_limit_each_counted_once(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained, content = gallery.trained, Content(gallery)
    arrays = gallery.faces.pixels.source, trained.space.components, trained.coordinates
    one = sum(array.nbytes for array in arrays)
    monkeypatch.setattr("eigenfaces.project.history.MOST_UNDO_BYTES", 5 * one)
    shared, history, listed = History(), History(), History()
    for number in range(9):
        shared = shared.remember(str(number), content, content)
        again = replace(gallery, training=None).train()
        history = history.remember(str(number), Content(again), content)
        photo, image = gallery.index.photos[0], gallery.faces.image(0)
        probes = [
            Probe(on_file(photo, sha=f"{at}"), image + 0) for at in range(one // image.nbytes)
        ]
        listing = replace(content, probe_list=ProbeList(tuple(probes)))
        listed = listed.remember(str(number), listing, content)
    assert len(shared.past) == 9
    assert 1 < len(history.past) < 9
    assert history.undo_title == "8"
    assert len(listed.past) < 9, "faces to recognise take room, too"
