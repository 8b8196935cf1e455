"""Intervals hold the truth as often as they say, and the paired test is right when nothing is."""

import numpy as np
import pytest
from scipy.stats import permutation_test

from eigenfaces.evaluation.compare import paired_interval, paired_test
from eigenfaces.evaluation.metrics import resampled
from eigenfaces.recognition.statistics import share_intervals


class TestShares:
    @pytest.mark.parametrize(
        ("people", "share", "alike"), [(15, 0.9, 1), (40, 0.5, 3), (40, 0.98, 1)]
    )
    def test_coverage(self, people: int, share: float, alike: float) -> None:
        """People of their own success rates (beta), with 2 to 14 photographs each."""
        rng = np.random.default_rng(1)
        of = rng.integers(2, 15, people)
        rates = rng.beta(share * alike, (1 - share) * alike, (2000, people))
        hits = rng.binomial(of, rates)
        low, high = share_intervals(hits, of)
        assert 0.92 <= ((low <= share) & (share <= high)).mean() <= 0.99

    def test_it_holds_the_share_and_stays_between_0_and_1(self) -> None:
        rng = np.random.default_rng(2)
        for people in (2, 3, 10):
            of = rng.integers(1, 9, people)
            hits = rng.binomial(of, rng.uniform(0, 1, (500, 1)), (500, people))
            low, high = share_intervals(hits, of)
            share = hits.sum(axis=1) / of.sum()
            assert ((low >= 0) & (low <= share) & (share <= high) & (high <= 1)).all()
            assert (high > low).all()
            flipped = share_intervals(of - hits, of)
            np.testing.assert_allclose(flipped[0], 1 - high, atol=1e-12)
            np.testing.assert_allclose(flipped[1], 1 - low, atol=1e-12)


class TestResampling:
    def test_of_shares_it_is_nearly_the_other(self) -> None:
        """Two ways to the spread between people agree where there are many."""
        rng = np.random.default_rng(4)
        of = rng.integers(5, 15, 80)
        right = rng.binomial(of, rng.beta(6, 2, 80))
        low, high = resampled(
            lambda weights: np.array([(weights * right).sum() / (weights * of).sum()]),
            [right.sum() / of.sum()],
            [min((right < of).sum(), (right > 0).sum())],
            (80, 80),
            0,
        )
        expected = share_intervals(right, of)
        assert low[0] == pytest.approx(expected[0], abs=0.01)
        assert high[0] == pytest.approx(expected[1], abs=0.01)


class TestPaired:
    @pytest.mark.parametrize("people", [9, 30])
    def test_against_scipy(self, people: int) -> None:
        rng = np.random.default_rng(people)
        first, second = rng.integers(0, 9, (2, people))
        theirs = permutation_test(
            (first, second),
            lambda x, y, axis: np.sum(x - y, axis=axis),
            permutation_type="samples",
            n_resamples=9999,
            rng=rng,
        )
        assert paired_test(first, second) == pytest.approx(theirs.pvalue, abs=0.02)

    def test_zero_lies_outside_the_interval_where_the_test_finds_a_difference(self) -> None:
        rng = np.random.default_rng(3)
        for _ in range(50):
            first, second = rng.integers(0, 6, (2, 9)) + np.array([[1], [0]])
            limits = paired_interval(first, second, np.full(9, 6))
            if limits is not None:
                outside = not limits[0] < 1e-9 < limits[1] + 2e-9
                assert outside == (paired_test(first, second) < 0.05)
        assert paired_interval([2, 3, 3], [1, 1, 2], [3, 3, 3]) == (-1, 1)  # too few people
        assert paired_interval([1, 2], [1, 2], [3, 3]) is None
