"""Figures and curves of scores, beside scikit-learn's and beside cases worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, roc_auc_score, roc_curve

from eigenfaces.evaluation.curves import MOST_DRAWN, thinned_rates
from eigenfaces.evaluation.metrics import (
    Comparisons,
    bootstrap_limits,
    confusion,
    cumulative_match,
    detection_curve,
    error_rates,
    identification,
    open_set,
    pair_accuracy,
    verification,
)
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.recognition.statistics import share_intervals
from evaluation.drawn import searches_of

seeds = st.integers(0, 2**32 - 1)
INF = np.inf


def drawn(seed: int, people: int = 6, strangers: int = 2, ties: bool = False) -> Searches:
    """Return searches among some people; strangers are the last of them, enrolled nowhere."""
    rng = np.random.default_rng(seed)
    own = np.repeat(np.arange(people), rng.integers(1, 6, people))
    distances = rng.uniform(1, 3, (len(own), people))
    distances[np.arange(len(own)), own] -= rng.uniform(0, 1.5, len(own))
    distances = np.round(distances, 0 if ties else 9) + 0.0
    distances[:, people - strangers :] = INF
    return searches_of(distances, own)


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
    area = np.trapezoid(1 - rates.fnmr, rates.fmr)
    assert area == pytest.approx(roc_auc_score(mated, -distances))
    nearest = np.abs(far - (1 - tar)).argmin()
    there = max(rates.thresholds[0], -thresholds[nearest])  # theirs begin at −∞
    assert rates.eer == pytest.approx(((far + 1 - tar)[nearest] / 2, there))
    assert rates.min_hter[0] == pytest.approx((far + 1 - tar).min() / 2)
    for most in (0, 0.01, 0.1, 0.5, 1):
        assert rates.accepted_at(most) == pytest.approx(tar[far <= most + 1e-12].max())
        accepted = distances[mated] <= rates.thresholds[rates.index_at(most)]
        assert accepted.mean() == pytest.approx(rates.accepted_at(most))


def test_a_second_search_as_a_stranger_is_no_new_comparison() -> None:
    matrix = [[1, 2, 3], [INF, 2, 3], [4, 5, 6], [7, INF, 9], [1, 2, 3], [INF, 2, 3]]
    searches = replace(
        searches_of(matrix, [0, 0, 1, 1, 0, 0], fold=[0, 0, 0, 0, 1, 1]),
        probes=np.array([5, 5, 0, 8, 5, 5]),
    )
    comparisons = Comparisons.of_searches(searches)
    assert comparisons.distances.tolist() == [1, 2, 3, 4, 5, 6, 7, 9, 1, 2, 3]
    assert comparisons.fold.tolist() == [0] * 8 + [1] * 3
    assert comparisons.people.tolist() == [0] * 3 + [1] * 5 + [0] * 3
    assert comparisons.claimed.tolist() == [0, 1, 2, 0, 1, 2, 0, 2, 0, 1, 2]
    assert (comparisons.mated == (comparisons.people == comparisons.claimed)).all()
    assert comparisons.counts == (3, 8)


@given(seeds, st.integers(7, 9), st.booleans())
def test_identification(seed: int, people: int, ties: bool) -> None:
    """Rank-1 and 5, balanced accuracy, confusion and CMC, of ties too."""
    searches = drawn(seed, people, 1, ties)
    mated = searches.select(searches.mated)
    figures, (curve, low, high) = (
        identification(searches, people),
        cumulative_match(searches, people),
    )
    np.testing.assert_allclose(curve, [(mated.ranks <= r).mean() for r in range(1, people)])
    assert ((low <= curve) & (curve <= high)).all()
    first, fifth, balanced = figures
    assert (first.value, first.low, first.high) == pytest.approx((curve[0], low[0], high[0]))
    assert fifth.value == pytest.approx(curve[4])
    if set(mated.answers) <= set(mated.people):  # else it counts people nobody asked for
        theirs = balanced_accuracy_score(mated.people, mated.answers)
        assert balanced.value == pytest.approx(theirs)
    assert all(0 <= metric.low <= metric.value <= metric.high <= 1 for metric in figures)
    known = confusion_matrix(mated.people, mated.answers, labels=range(people))
    np.testing.assert_array_equal(confusion(searches, people), known)


def test_thinned_rates_keep_the_ends_and_lie_on_the_curve() -> None:
    rng, places = np.random.default_rng(0), np.linspace(0, 1, 200)
    mated = rng.random(20_000) < 0.1
    rates = error_rates(rng.normal(np.where(mated, 0, 1.5), 1), mated)
    curve = thinned_rates(rates)
    assert len(curve.x) <= MOST_DRAWN
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 1, 1, 0)
    assert set(zip(curve.x, curve.y, strict=True)) <= set(zip(rates.fmr, rates.fnmr, strict=True))
    middle = np.interp(places, curve.x, curve.y)
    assert np.abs(middle - np.interp(places, rates.fmr, rates.fnmr)).max() < 0.01


def test_without_a_mated_search() -> None:
    nobody = searches_of([[1, INF], [2, INF]], [1, 1])
    assert identification(nobody, 2) == open_set(nobody, 2, 0) == []
    assert confusion(nobody, 2).sum() == 0
    assert cumulative_match(nobody, 2) == (0, 0, 1)
    none = nobody.select(np.array([], np.intp))
    assert len(cumulative_match(none, 2)[0]) == 1
    assert identification(none, 2) == []
    assert verification(Comparisons.of_searches(none), None, 2, 0) == []


@given(seeds)
@pytest.mark.usefixtures("few_draws")
def test_verification(seed: int) -> None:
    comparisons = Comparisons.of_searches(drawn(seed, 15, 0))
    figures = verification(comparisons, np.array([1.2]), 15, 0)
    names = [figure.kind for figure in figures]
    assert names == ["EER", "TAR at FAR 1 %", "least HTER", "HTER"]  # too few for 0.1 %
    rates = error_rates(comparisons.distances, comparisons.mated)
    far = (comparisons.distances[~comparisons.mated] <= 1.2).mean()
    missed = (comparisons.distances[comparisons.mated] > 1.2).mean()
    expected = [rates.eer[0], rates.accepted_at(0.01), rates.min_hter[0], (far + missed) / 2]
    assert [metric.value for metric in figures] == pytest.approx(expected)
    assert all(0 <= metric.low <= metric.value <= metric.high <= 1 for metric in figures)
    for which in (comparisons.mated, ~comparisons.mated):
        assert verification(comparisons.select(which), None, 15, 0) == []


def test_nothing_is_claimed_from_too_few() -> None:
    """A FAR of 0.1 % cannot be seen in fewer than a thousand comparisons."""
    for others, names in ((99, 0), (100, 1), (999, 1), (1000, 2)):
        people, fold = np.arange(others + 3) % 3, np.zeros(others + 3, np.intp)
        mated = np.arange(others + 3) < 3
        figures = verification(Comparisons(1.0 * ~mated, mated, people, people, fold), None, 3, 0)
        assert sum(figure.kind.startswith("TAR") for figure in figures) == names
        assert figures[0].value == 0 < 0.5 < figures[0].high  # three people


def test_open_set_by_hand() -> None:
    """Ten strangers at 1 … 10, members at 0.5 (right), 1.5 (right), 1.6 (wrong), 20 (right)."""
    strangers = [[d, 99, INF] for d in range(1, 11)]
    members = [[0.5, 99, INF], [99, 1.5, INF], [99, 1.6, INF], [20, 99, INF]]
    searches = searches_of([*strangers, *members], [2] * 10 + [0, 1, 0, 0])
    figures = open_set(searches, 3, 0)
    assert [figure.kind for figure in figures] == ["DIR at FPIR 10 %"]  # ten strangers
    assert figures[0].value == 0.5  # the threshold is just under 2
    assert figures[0].low <= 0.5 <= figures[0].high
    assert figures[0].note == "4 mated searches and 10 of strangers"
    curve = detection_curve(searches)
    ends = (curve.fmr[0], curve.fnmr[0], curve.fmr[-1], curve.fnmr[-1])
    assert ends == (0, 1, 1, 0.25)  # one is never found: somebody else is nearer
    assert curve.accepted_at(0.0) == 0.25
    assert curve.accepted_at(0.2) == 0.5


def test_pairs_by_hand() -> None:
    """Three folds of four pairs: 4, 3 and 2 of them on the right side of 1; and one fold alone."""
    distances = np.array([0, 0, 2, 2, 0, 0, 2, 0, 0, 2, 0, 2.0])
    mated, nobody = np.array([True, True, False, False] * 3), np.zeros((12, 2), np.intp)
    scores = PairScores(np.repeat([0, 1, 2], 4), nobody, distances, mated)
    figure, error = pair_accuracy(scores, np.ones(3), np.zeros(1, np.intp)), 0.25 / np.sqrt(3)
    assert figure.value == pytest.approx(0.75)
    assert f"standard error {100 * error:.2f} %" in figure.note
    assert figure.low == pytest.approx(max(0, 0.75 - 4.302653 * error))  # t with 2 degrees
    assert figure.high == 1
    # The first photographs show two people; two of the second's pairs are wrong.
    pairs = np.array([[0, 1], [0, 2], [2, 0], [2, 1]])
    mated, distances = np.array([True, True, True, False]), np.array([0, 0, 2.0, 0])
    one = PairScores(np.zeros(4, np.intp), pairs, distances, mated)
    figure = pair_accuracy(one, np.ones(1), np.array([0, 0, 1]))
    assert (figure.value, figure.low, figure.high) == (0.5, *share_intervals([2, 0], [2, 2]))


@pytest.mark.parametrize(("people", "share", "alike"), [(15, 0.9, 1), (40, 0.5, 3), (40, 0.98, 1)])
def test_intervals_hold_the_truth_as_often_as_they_say(
    people: int, share: float, alike: float
) -> None:
    """People of their own success rates (beta), with 2 to 14 photographs each."""
    rng = np.random.default_rng(1)
    of = rng.integers(2, 15, people)
    rates = rng.beta(share * alike, (1 - share) * alike, (2000, people))
    low, high = share_intervals(rng.binomial(of, rates), of)
    assert 0.92 <= ((low <= share) & (share <= high)).mean() <= 0.99


@pytest.mark.parametrize("people", [2, 3, 10])
def test_intervals_hold_the_share_and_stay_between_0_and_1(people: int) -> None:
    rng = np.random.default_rng(2)
    of = rng.integers(1, 9, people)
    hits = rng.binomial(of, rng.uniform(0, 1, (500, 1)), (500, people))
    low, high = share_intervals(hits, of)
    share = hits.sum(axis=1) / of.sum()
    assert ((low >= 0) & (low <= share) & (share <= high) & (high <= 1) & (low < high)).all()
    flipped = share_intervals(of - hits, of)
    np.testing.assert_allclose(flipped, (1 - high, 1 - low), atol=1e-12)


def test_resampling_of_shares_gives_nearly_their_intervals() -> None:
    """Two ways to the spread between people agree where there are many."""
    rng = np.random.default_rng(4)
    of = rng.integers(5, 15, 80)
    right = rng.binomial(of, rng.beta(6, 2, 80))
    erring = [min((right < of).sum(), (right > 0).sum())]
    ends = bootstrap_limits(
        lambda weights: np.array([(weights * right).sum() / (weights * of).sum()]),
        *([right.sum() / of.sum()], erring, (80, 80), 0),
    )
    np.testing.assert_allclose(np.ravel(ends), share_intervals(right, of), atol=0.01)
