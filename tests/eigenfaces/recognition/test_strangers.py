"""The threshold for strangers: what it keeps to, and what can be promised."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.calibration import Promise, limit, threshold


@given(st.integers(1, 300), st.floats(0, 1), st.integers(0, 99))
def test_it_is_one_of_the_scores_and_at_most_the_share_is_above(
    count: int, share: float, seed: int
) -> None:
    scores = np.random.default_rng(seed).random(count)
    least = threshold(scores, share)
    assert least in scores
    assert (scores > least).sum() <= share * (count + 1)
    assert threshold(scores[::-1], share) == least
    assert limit(-scores, share) == -least  # of distances, the nearest are the most alike


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
def test_a_new_stranger_passes_as_seldom_as_asked(share: float) -> None:
    """On average over galleries, as conformal quantiles promise."""
    rng = np.random.default_rng(0)
    passed = [rng.normal() > threshold(rng.normal(size=199), share) for _ in range(20_000)]
    assert np.mean(passed) == pytest.approx(share, abs=4 * np.sqrt(share / 20_000))


def test_the_smaller_the_share_the_higher_the_threshold() -> None:
    scores = np.random.default_rng(0).random(50)
    limits = [threshold(scores, share) for share in np.linspace(0, 1, 40)]
    assert limits == sorted(limits, reverse=True)
    assert limits[0] == scores.max()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(EigenfacesError, match="people"):
        threshold(np.empty(0), 0.01)
    with pytest.raises(EigenfacesError, match="from 0 to 1"):
        threshold(np.ones(3), 1.5)


class TestPromise:
    @pytest.mark.parametrize(("strangers", "named"), [(20, 0), (60, 3), (100, 5)])
    def test_it_is_the_upper_limit_of_a_count(self, strangers: int, named: int) -> None:
        promise = Promise(strangers, 1)
        assert promise.strangers == strangers
        limit = promise.at_most(named / strangers)
        assert binom.cdf(named, strangers, limit) == pytest.approx(0.05)

    def test_nothing_asked_is_the_least(self) -> None:
        assert Promise(30, 4).at_most(0) == pytest.approx(Promise(30, 4).least)
        assert Promise(30, 4).at_most(1) == 1

    def test_more_people_promise_more_than_more_photographs(self) -> None:
        assert Promise(40, 5).least < Promise(20, 10).least < Promise(20, 5).least
