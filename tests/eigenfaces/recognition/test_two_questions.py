"""Counts of both errors under any marks, against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.two_questions import TwoQuestions, beyond_faces
from eigenfaces.samples import PREPARATION, load_sample

POINTS = st.lists(st.tuples(st.floats(0, 20), st.floats(0, 1)), max_size=30).map(
    lambda pairs: np.array(pairs, float).reshape(-1, 2)
)


@given(POINTS, POINTS, st.floats(0, 20), st.floats(0, 1))
def test_counts_are_those_of_the_rule(
    members: np.ndarray, strangers: np.ndarray, limit: float, face_limit: float
) -> None:
    held = TwoQuestions(members, strangers)
    passes = [d < limit and left <= face_limit for d, left in members.tolist()]
    assert held.refused(limit, face_limit) == len(members) - sum(passes)
    passes = [d < limit and left <= face_limit for d, left in strangers.tolist()]
    assert held.named(limit, face_limit) == sum(passes)
    for sentence in (held.errors(limit, face_limit), held.closeness(limit), held.beyond(limit)):
        assert bool(sentence) == bool(len(members) + len(strangers))


def test_sentences_hold_both_classes() -> None:
    members = np.stack([np.arange(100.0), np.full(100, 0.5)], axis=1)
    strangers = np.stack([np.arange(50.0, 90), np.full(40, 0.5)], axis=1)
    held = TwoQuestions(members, strangers)
    assert held.closeness(12.5) == (
        "At 12.50 it is nearer than 87 in 100 held-out photos of enrolled people, "
        "and nearer than all 40 of strangers."
    )
    assert held.beyond(51.0) == (
        "Beyond the mark nobody is named: 49 in 100 photos of enrolled people, "
        "and 98 in 100 of strangers."
    )
    assert held.errors(51.0, 0.5) == (
        "With these marks 49 % of enrolled are refused; 1 of 40 strangers is named."
    )
    assert "; 0 of 40 strangers are named." in held.errors(51.0, 0.4)


def test_of_a_calibration_the_marks_that_hold_name_the_share_asked_for() -> None:
    faces = load_sample().select(range(60))
    gallery = Gallery(faces, PREPARATION, Recipe()).train().calibrate()
    assert gallery.calibrated is not None
    held = TwoQuestions.of(gallery.calibrated)
    assert len(held.members) == len(held.strangers) == 60
    limit = gallery.calibrated.limit(0.1)
    assert limit is not None
    assert held.named(limit, 1.0) <= 6
    assert held.refused(limit, 1.0) == pytest.approx(
        (gallery.calibrated.held.member.distance >= limit).sum()
    )


@pytest.mark.parametrize(
    ("limit", "said"), [(0.5, "1 in 100"), (0.99, "none of 150"), (0.1, "all 150")]
)
def test_how_many_faces_would_be_taken_for_none(limit: float, said: str) -> None:
    """Two of 150 leave 0.99 over, the others 0.2."""
    left_over = np.where(np.arange(150) < 2, 0.99, 0.2)
    assert beyond_faces(left_over, limit) == (
        f"Beyond the mark a picture is taken for no face: {said} photos of enrolled people, "
        "held out."
    )
