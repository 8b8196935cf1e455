"""Rows that are added to: every array goes on to see what it saw, whatever is added to others."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.space.arrays import append_rows


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9), st.integers(0, 3)), max_size=40))
def test_each_array_is_what_was_joined(steps: list[tuple[int, int, int]]) -> None:
    """Rows are added to any of the arrays so far, and to parts of them."""
    seen = [np.arange(6.0).reshape(2, 3)]
    expected = [seen[0].copy()]
    for number, (which, rows, cut) in enumerate(steps):
        at = which % len(seen)
        more = np.full((rows, 3), number)
        seen.append(append_rows(seen[at][cut:], more))
        expected.append(np.concatenate([expected[at][cut:], more]))
    for one, other in zip(seen, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_is_there_is_not_copied_each_time() -> None:
    rows = append_rows(np.zeros((100, 5)), np.ones((1, 5)))
    for _ in range(10):
        more = append_rows(rows, np.ones((1, 5)))
        assert np.shares_memory(rows, more)
        rows = more
    assert not rows.flags.writeable
