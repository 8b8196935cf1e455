"""Error rates of comparisons, beside scikit-learn's and beside cases worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import det_curve, roc_auc_score, roc_curve

from eigenfaces.evaluation import metrics
from eigenfaces.evaluation.metrics import FALSE_ACCEPTS, Comparisons, DrawnRates, error_rates
from eigenfaces.evaluation.searches import PairScores
from evaluation.drawn import searches_of

seeds = st.integers(0, 2**32 - 1)
FARS = tuple(FALSE_ACCEPTS.values())
INF = np.inf


@given(seeds, st.integers(1, 300), st.integers(1, 300), st.sampled_from([0, 1, 9]))
def test_the_curve_is_scikit_learns(seed: int, right: int, wrong: int, digits: int) -> None:
    """What is known at some thresholds is what is known at all: ROC, DET, area, EER, HTER."""
    rng = np.random.default_rng(seed)
    mated = rng.permutation(np.arange(right + wrong) < right)
    distances = np.round(rng.normal(np.where(mated, 0, 1), 1), digits) + 0.0
    rates = error_rates(distances, mated)
    far, tar, thresholds = roc_curve(mated, -distances, drop_intermediate=False)
    at = np.searchsorted(-thresholds[1:], rates.thresholds[1:]) + 1
    np.testing.assert_array_equal(-thresholds[at], rates.thresholds[1:])
    np.testing.assert_allclose(rates.fmr[1:], far[at], atol=1e-12)
    np.testing.assert_allclose(1 - rates.fnmr[1:], tar[at], atol=1e-12)
    assert (rates.fmr[0], rates.fnmr[0]) == (0, 1)
    assert rates.thresholds[0] < distances.min()
    false_matches, missed, above = det_curve(mated, -distances)
    known = np.isin(-above, rates.thresholds)
    at = np.searchsorted(rates.thresholds, -above[known])
    np.testing.assert_allclose(rates.fmr[at], false_matches[known], atol=1e-12)
    np.testing.assert_allclose(rates.fnmr[at], missed[known], atol=1e-12)
    area = np.trapezoid(1 - rates.fnmr, rates.fmr)
    assert area == pytest.approx(roc_auc_score(mated, -distances))
    nearest = np.abs(far - (1 - tar)).argmin()
    there = max(rates.thresholds[0], -thresholds[nearest])  # theirs begin at −∞
    assert rates.equal == pytest.approx(((far + 1 - tar)[nearest] / 2, there))
    assert rates.least[0] == pytest.approx((far + 1 - tar).min() / 2)
    for most in (0, 0.01, 0.1, 0.5, 1):
        assert rates.accepted_at(most) == pytest.approx(tar[far <= most + 1e-12].max())
        accepted = distances[mated] <= rates.threshold_at(most)
        assert accepted.mean() == pytest.approx(rates.accepted_at(most))


def test_by_hand() -> None:
    """Four mated comparisons and five others, interleaved: 1 2 3 | 4 5 6 | 7 8 9."""
    mated = np.array([1, 1, 0, 1, 0, 1, 0, 0, 0], bool)
    rates = error_rates(np.arange(1.0, 10), mated)
    assert rates.thresholds[1:].tolist() == [1, 2, 3, 4, 5, 6, 9]
    assert rates.fmr.tolist() == pytest.approx([0, 0, 0, 0.2, 0.2, 0.4, 0.4, 1])
    assert rates.fnmr.tolist() == pytest.approx([1, 0.75, 0.5, 0.5, 0.25, 0.25, 0, 0])
    assert rates.equal == pytest.approx(((0.2 + 0.25) / 2, 4))
    assert rates.least == pytest.approx((0.2, 6))
    assert [rates.accepted_at(far) for far in (0.0, 0.2, 0.4)] == [0.5, 0.75, 1]


def test_ties_are_accepted_together() -> None:
    rates = error_rates(np.array([1.0, 1, 1, 2]), np.array([True, False, True, False]))
    assert rates.thresholds.tolist() == pytest.approx([1, 1, 2])
    assert rates.fmr.tolist() == [0, 0.5, 1]
    assert rates.fnmr.tolist() == [1, 0, 0]
    assert rates.equal == (0.25, 1)
    assert rates.accepted_at(0.49) == 0


def test_a_second_search_as_a_stranger_is_no_new_comparison() -> None:
    matrix = [[1, 2, 3], [INF, 2, 3], [4, 5, 6], [7, INF, 9], [1, 2, 3], [INF, 2, 3]]
    searches = replace(
        searches_of(matrix, [0, 0, 1, 1, 0, 0], fold=[0, 0, 0, 0, 1, 1]),
        probes=np.array([5, 5, 0, 8, 5, 5]),
    )
    found = Comparisons.of_searches(searches)
    assert found.distances.tolist() == [1, 2, 3, 4, 5, 6, 7, 9, 1, 2, 3]
    assert found.fold.tolist() == [0] * 8 + [1] * 3
    assert found.asked.tolist() == [0] * 3 + [1] * 5 + [0] * 3
    assert found.claimed.tolist() == [0, 1, 2, 0, 1, 2, 0, 2, 0, 1, 2]
    assert (found.mated == (found.asked == found.claimed)).all()
    assert found.counts == (3, 8)


def test_of_pairs() -> None:
    pairs = np.array([[0, 1], [1, 2]])
    scores = PairScores(np.array([0, 1]), pairs, np.array([0.5, 1.5]), np.array([True, False]))
    found = Comparisons.of_pairs(scores, np.array([4, 4, 6]))
    assert found.asked.tolist() == [4, 4]
    assert found.claimed.tolist() == [4, 6]
    assert found.mated.tolist() == [True, False]


@given(seeds, st.integers(1, 3), st.booleans())
def test_drawn_rates_are_those_of_copies(seed: int, digits: int, fitted: bool) -> None:
    """To the last bit, with ties between comparisons and people who were not drawn."""
    rng = np.random.default_rng(seed)
    people = int(rng.integers(2, 8))
    asked, claimed = rng.integers(0, people, (2, int(rng.integers(2, 120))))
    mated = asked == claimed
    distances = np.round(rng.random(len(mated)) + 0.4 * ~mated, digits)
    fold = np.zeros(len(mated), np.int32)
    ordered = Comparisons(distances, mated, asked, claimed, fold).thinned()
    drawn = DrawnRates.of(ordered, np.array([0.6]) if fitted else None)
    often = rng.multinomial(people, np.full(people, 1 / people))
    found = drawn.figures(often.astype(np.float64), FARS)
    copies = np.where(mated, often[asked], often[asked] * often[claimed])
    right, apart = np.repeat(mated, copies), np.repeat(distances, copies)
    if right.all() or not right.any():
        assert np.isnan(found).all()
        return
    rates = error_rates(apart, right)
    expected = [rates.equal[0], *map(rates.accepted_at, FARS), rates.least[0]]
    np.testing.assert_array_equal(found[: len(expected)], expected)
    assert len(found) == len(expected) + fitted
    if fitted:
        wrong = (apart[right] > 0.6).mean() + (apart[~right] <= 0.6).mean()
        assert found[-1] == pytest.approx(wrong / 2, abs=1e-15)


@given(seeds, st.integers(0, 3), st.integers(1, 30))
def test_those_left_out_are_left_out_evenly(seed: int, digits: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    mated = rng.random(int(rng.integers(2, 200))) < 0.2
    distances = np.round(rng.normal(size=len(mated)), digits)
    whole = Comparisons(distances, mated, *[np.arange(len(mated), dtype=np.int32)] * 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics, "_SCORES_RESAMPLED", most)
        kept = whole.thinned()
    order = np.argsort(distances, kind="stable")
    keep, wrong = mated[order], np.flatnonzero(~mated[order])
    step = max(1, -(-len(wrong) // most))
    keep[wrong[step // 2 :: step]] = True
    np.testing.assert_array_equal(kept.asked, order[keep])
