"""What is told of numbers in pieces is what a sorted copy of all of them tells."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.evaluation import pieces
from eigenfaces.evaluation.pieces import Pieces


@pytest.fixture(scope="module", autouse=True)
def small_pieces() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "_AT_ONCE", 7)
        patch.setattr(pieces, "_IN_ORDER", 10)
        patch.setattr(pieces, "_EACH", 2)
        yield


@given(st.integers(0, 2**32 - 1), st.integers(0, 90), st.integers(0, 3))
def test_they_tell_what_all_in_order_tell(seed: int, count: int, digits: int) -> None:
    rng = np.random.default_rng(seed)
    numbers, some = np.round(rng.normal(size=count), digits), rng.random(count) < rng.random()
    cuts = np.sort(rng.integers(0, count + 1, 3))
    parts = [*zip(np.split(numbers, cuts), np.split(some, cuts), strict=True)]
    looked, whole = Pieces(parts), np.sort(numbers[some])
    asked = np.concatenate([whole[::3], np.round(rng.normal(size=9), digits)])
    assert len(looked) == len(whole)
    assert looked.ends() == (whole.min(initial=np.inf), whole.max(initial=-np.inf))
    for side in ("left", "right"):
        assert (looked.below(asked, side) == np.searchsorted(whole, asked, side)).all()
    least = np.concatenate([[-np.inf], whole])
    assert (looked.nearest_below(asked) == least[np.searchsorted(whole, asked)]).all()
    low, high = sorted(rng.normal(size=2).tolist())
    assert (looked.within(low, high) == whole[(low <= whole) & (whole < high)]).all()
    ranks = np.arange(len(whole))[:: rng.integers(1, 5)]
    values, places = looked.of_rank(ranks)
    assert (values == whole[ranks]).all()
    assert (places == ranks - np.searchsorted(whole, whole[ranks])).all()
