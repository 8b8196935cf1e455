"""One answer, three ways: they agree to rounding, signs are free, and scores are UΣ."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from made_subjects import noise

from eigenfaces.lessons.components import largest_angle
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.lessons.three_ways import LESSON, WAYS
from eigenfaces.space.arrays import Doubles


def centred(n: int, d: int, seed: int) -> Doubles:
    x = np.random.default_rng(seed).normal(size=(n, d)) * np.linspace(1, 3, d)
    return x - x.mean(axis=0)


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 1000))
@settings(max_examples=40)
def test_three_ways_agree_for_any_size(n: int, d: int, seed: int) -> None:
    x = centred(n, d, seed)
    rank = min(n - 1, d)
    found = {name: way.solve(x) for name, way in WAYS.items()}
    singular = np.linalg.svd(x, compute_uv=False)
    for values, directions in found.values():
        np.testing.assert_allclose(values[:rank], singular[:rank], atol=1e-9 * singular[0])
        first = directions[:, :rank]
        np.testing.assert_allclose(first.T @ first, np.eye(rank), atol=1e-6)
    spaces = [directions[:, :rank] for _, directions in found.values()]
    assert largest_angle(spaces[0].T, spaces[1].T) < 1e-6
    assert largest_angle(spaces[1].T, spaces[2].T) < 1e-6


def test_a_sign_turns_picture_and_score_and_nothing_that_is_put_back() -> None:
    digits = SUBJECTS["digits"].make(0)
    ready = LESSON.prepare(digits, lambda done, total: None)
    before, after = (LESSON.picture(ready, flip=flip).upper.rows[1] for flip in (0, 3))
    sign = np.where(np.arange(8) == 2, -1.0, 1.0)
    (components, scores, put_back), (turned, others, same) = before, after
    np.testing.assert_allclose(turned.pictures, components.pictures * sign[:, None, None])
    np.testing.assert_allclose(others.values, scores.values * sign)
    np.testing.assert_allclose(same.pictures, put_back.pictures, atol=1e-12)


def test_a_covariance_that_is_too_large_is_left_out_and_it_is_said_why() -> None:
    ready = LESSON.prepare(noise(6, 50, 50), lambda done, total: None)
    assert set(ready.solutions) == {"SVD", "Gram trick"}
    table = LESSON.picture(ready).upper.rows[0][0]
    assert table.rows[0][3] == "left out"
    assert "left out: its 2,500 × 2,500 numbers take 50 MB" in table.caption
    covariance, gram = (WAYS[name].memory(400, 10304) for name in ("Covariance", "Gram trick"))
    assert covariance > 1.6e9 > 20 * gram


def test_curves_show_times_that_are_there_or_memory_and_numbers_hold_no_time() -> None:
    ready = LESSON.prepare(SUBJECTS["cloud"].make(0), lambda done, total: None)
    shown = [LESSON.picture(ready, memory=memory) for memory in (False, True)]
    for picture in shown:
        for panel in picture.lower.rows[0]:
            assert all((curve.y > 0).all() for curve in panel.curves)
    slower = replace(
        ready, solutions={way: replace(each, seconds=99) for way, each in ready.solutions.items()}
    )
    again = LESSON.picture(slower).numbers
    for name, value in shown[0].numbers.items():
        np.testing.assert_array_equal(again[name], value)
