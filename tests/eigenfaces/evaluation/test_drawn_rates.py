"""Error rates when people are drawn, beside those of as many copies of each comparison."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.evaluation import drawn_rates
from eigenfaces.evaluation.comparisons import Comparisons
from eigenfaces.evaluation.drawn_rates import DrawnRates, thinned
from eigenfaces.evaluation.error_rates import MatedOrNot, error_rates
from eigenfaces.evaluation.figures import FALSE_ACCEPTS

FARS = tuple(FALSE_ACCEPTS.values())


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.booleans())
def test_they_are_those_of_copies(seed: int, digits: int, fitted: bool) -> None:
    """To the last bit, with ties between comparisons and people who were not drawn."""
    rng = np.random.default_rng(seed)
    people = int(rng.integers(2, 8))
    asked, claimed = rng.integers(0, people, (2, int(rng.integers(2, 120))))
    mated = asked == claimed
    distances = np.round(rng.random(len(mated)) + 0.4 * ~mated, digits)
    order = np.argsort(distances, kind="stable")
    asked, claimed, mated, distances = (x[order] for x in (asked, claimed, mated, distances))
    accepted = distances <= 0.6
    comparisons = Comparisons(distances, mated, asked, claimed, np.zeros(len(mated), np.int32))
    drawn = DrawnRates.of(comparisons, np.array([0.6]) if fitted else None)
    often = rng.multinomial(people, np.full(people, 1 / people))
    found = drawn.figures(often.astype(np.float64), FARS)
    copies = np.repeat(
        np.arange(len(mated)), np.where(mated, often[asked], often[asked] * often[claimed])
    )
    right, taken = mated[copies], accepted[copies]
    if right.all() or not right.any():
        assert np.isnan(found).all()
        return
    rates = error_rates([MatedOrNot(distances[copies], right)])
    expected = [rates.equal[0], *map(rates.accepted_at, FARS), rates.least[0]]
    np.testing.assert_array_equal(found[: len(expected)], expected)
    assert len(found) == len(expected) + fitted
    if fitted:
        wrong = (~taken[right]).mean() + taken[~right].mean()
        assert found[-1] == pytest.approx(wrong / 2, abs=1e-15)


@given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.integers(1, 30), st.integers(1, 40))
def test_those_left_out_are_left_out_evenly(seed: int, digits: int, most: int, part: int) -> None:
    """As of all put in order, without putting them in order."""
    rng = np.random.default_rng(seed)
    mated = rng.random(int(rng.integers(2, 200))) < 0.2
    distances = np.round(rng.normal(size=len(mated)), digits)
    everything, cut = np.arange(len(mated)), int(rng.integers(0, len(mated)))
    whole = Comparisons(distances, mated, *[everything] * 3)
    parts = [whole.some(everything[:cut]), whole.some(everything[cut:])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawn_rates, "_SCORES_RESAMPLED", most)
        patch.setattr(drawn_rates, "_AT_ONCE", part)
        places = thinned(parts).asked
    order = np.argsort(distances, kind="stable")
    keep, wrong = mated[order], np.flatnonzero(~mated[order])
    step = max(1, -(-len(wrong) // most))
    keep[wrong[step // 2 :: step]] = True
    np.testing.assert_array_equal(places, order[keep])
