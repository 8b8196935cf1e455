"""A table with seven rows: its rank, which features are vacuous, and how V shows it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.lessons.seven_rows import LESSON, taken_apart, what_they_are
from eigenfaces.lessons.subjects import SUBJECTS

SUBJECT = SUBJECTS["table"].make(0)
X = SUBJECT.values


def test_two_components_hold_the_whole_table() -> None:
    numbers = LESSON.show(SUBJECT, k=2).numbers
    assert X.shape == (7, 6)
    assert numbers["rank"] == np.linalg.matrix_rank(X - X.mean(axis=0)) == 2
    np.testing.assert_allclose(numbers["back"], X, atol=1e-12)
    one = LESSON.show(SUBJECT, k=1).numbers["back"]
    assert np.abs(one - X).max() > 1
    none = LESSON.show(SUBJECT, k=0).numbers["back"]
    np.testing.assert_allclose(none, np.tile(X.mean(axis=0), (7, 1)))


@pytest.mark.parametrize("off", [0.1, 1.0, 2.0])
def test_a_slip_in_one_cell_adds_a_component(off: float) -> None:
    x = X.copy()
    x[0, 2] += off
    found = LESSON.show(SUBJECT, off=off, k=3).numbers
    assert found["rank"] == np.linalg.matrix_rank(x - x.mean(axis=0)) == 3
    np.testing.assert_allclose(found["back"], x, atol=1e-12)
    two = LESSON.show(SUBJECT, off=off, k=2).numbers["back"]
    lost = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)[2]
    assert np.linalg.norm(two - x) == pytest.approx(lost)


def test_it_is_said_what_each_feature_is() -> None:
    made = ("= hours", "= 2 × pages", "= hours + pages", "always 5")
    assert what_they_are(X, [0, 1], SUBJECT.columns) == ("needed", "needed", *made)
    lower = LESSON.show(SUBJECT, off=1).lower
    table = lower.rows[0][2]
    assert table.strong == (0, 1, 2)
    assert table.rows[4][1] == "= hours + pages"


@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 4), st.integers(1, 4))
def test_any_table_is_made_of_the_needed_features(seed: int, n: int, own: int, made: int) -> None:
    """Of whole numbers, with sums of others and constants, the columns in any order."""
    chosen = np.random.default_rng(seed)
    first = chosen.integers(-5, 6, (n, own)).astype(float)
    sums = first @ chosen.integers(-2, 3, (own, made)) + chosen.integers(-3, 4, made)
    x = chosen.permutation(np.column_stack([first, sums, np.full(n, 4.0)]), 1)
    needed = taken_apart(x, 0, 0)[4]
    centred = x - x.mean(axis=0)
    assert len(needed) == np.linalg.matrix_rank(centred)
    if needed:
        assert np.linalg.matrix_rank(centred[:, needed]) == len(needed)
