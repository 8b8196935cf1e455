"""Figures beside scikit-learn's, and beside cases worked out by hand."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    balanced_accuracy_score,
    confusion_matrix,
)

from eigenfaces.evaluation.intervals import share_intervals
from eigenfaces.evaluation.metrics import (
    Comparisons,
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


def named(figures: list, name: str):  # type: ignore[no-untyped-def,type-arg]
    return next((each for each in figures if each.kind == name), None)


class TestIdentification:
    @given(seeds, st.integers(3, 8))
    def test_against_scikit_learn(self, seed: int, people: int) -> None:
        searches = drawn(seed, people, 1)
        mated = searches.some(searches.mated)
        figures = identification(searches, people)
        assert named(figures, "rank-1").value == pytest.approx(
            (mated.answers == mated.people).mean()
        )
        balanced = named(figures, "balanced accuracy").value
        if set(mated.answers) <= set(mated.people):  # else it counts people nobody asked for
            assert balanced == pytest.approx(balanced_accuracy_score(mated.people, mated.answers))
        for figure in figures:
            assert 0 <= figure.low <= figure.value <= figure.high <= 1
        table = confusion(searches, people)
        known = confusion_matrix(mated.people, mated.answers, labels=range(people))
        np.testing.assert_array_equal(table, known)
        assert np.trace(table) == mated.right.sum()
        assert table[:, -1].sum() == table[-1].sum() == 0  # a stranger is nobody's name

    def test_unequal_photos_by_hand(self) -> None:
        """Trap 27. One person asked for eight times, always right; one twice, never."""
        own = [0] * 8 + [1] * 2
        searches = searches_of([[1, 2]] * 10, own)
        figures = identification(searches, 2)
        assert named(figures, "rank-1").value == 0.8
        assert named(figures, "balanced accuracy").value == 0.5
        assert named(figures, "rank-5") is None  # there are two people
        assert named(figures, "rank-1").note == "10 searches of 2 people among 2 enrolled"
        assert confusion(searches, 2).tolist() == [[8, 0], [2, 0]]

    def test_rank_5_needs_more_than_five_people(self) -> None:
        for people in (5, 6):
            searches = searches_of(np.ones((people, people)), np.arange(people))
            assert (named(identification(searches, people), "rank-5") is None) == (people == 5)

    @given(seeds, st.booleans())
    def test_cmc(self, seed: int, ties: bool) -> None:
        searches = drawn(seed, ties=ties)
        curve, low, high = cumulative_match(searches, 6)
        ranks = searches.ranks[searches.mated]
        assert len(curve) == 4
        np.testing.assert_allclose(curve, [(ranks <= rank).mean() for rank in range(1, 5)])
        assert curve[-1] == 1
        assert ((low <= curve) & (curve <= high)).all()
        figure = named(identification(searches, 6), "rank-1")
        assert (curve[0], low[0], high[0]) == pytest.approx((figure.value, figure.low, figure.high))

    def test_cmc_of_ties_by_hand(self) -> None:
        """Of people equally far, who was enrolled first comes first: no luck for the right one."""
        searches = searches_of([[1, 1, 2], [1, 1, 2], [2, 1, 1], [3, 3, 3]], [0, 1, 2, 2])
        assert searches.ranks.tolist() == [1, 2, 2, 3]
        np.testing.assert_allclose(cumulative_match(searches, 3)[0], [0.25, 0.75, 1])

    def test_without_a_mated_search(self) -> None:
        nobody = searches_of([[1, INF], [2, INF]], [1, 1])
        assert identification(nobody, 2) == []
        assert confusion(nobody, 2).sum() == 0
        curve, low, high = cumulative_match(nobody, 2)
        assert (curve, low, high) == (0, 0, 1)
        none = nobody.some(np.array([], np.intp))
        assert len(cumulative_match(none, 2)[0]) == 1
        assert identification(none, 2) == []
        assert verification(Comparisons.of_searches(none), None, 2, 0) == []


class TestVerification:
    @given(seeds)
    @pytest.mark.usefixtures("few_draws")
    def test_values_and_limits(self, seed: int) -> None:
        found = Comparisons.of_searches(drawn(seed, 15, 0))
        figures = verification(found, np.array([1.2]), 15, 0)
        names = [figure.kind for figure in figures]
        assert names == ["EER", "TAR at FAR 1 %", "least HTER", "HTER"]  # too few for 0.1 %
        rates = error_rates(found.distances, found.mated)
        assert figures[0].value == rates.equal[0]
        assert figures[1].value == rates.accepted_at(0.01)
        far = (found.distances[~found.mated] <= 1.2).mean()
        missed = (found.distances[found.mated] > 1.2).mean()
        assert figures[3].value == pytest.approx((far + missed) / 2)
        assert figures[2].value <= figures[3].value
        for figure in figures:
            assert 0 <= figure.low <= figure.value <= figure.high <= 1

    def test_thresholds_are_those_of_their_folds(self) -> None:
        distances = np.array([1.0, 2, 11, 12])
        mated = np.array([True, False, True, False])
        people = np.arange(4), np.array([0, 0, 2, 2])
        found = Comparisons(distances, mated, *people, np.array([0, 0, 1, 1]))
        assert named(verification(found, np.array([1.5, 11.5]), 4, 0), "HTER").value == 0
        assert named(verification(found, np.array([1.5, 1.5]), 4, 0), "HTER").value == 0.25
        assert named(verification(found, np.array([1.5, np.nan]), 4, 0), "HTER") is None
        assert named(verification(found, None, 4, 0), "HTER") is None

    def test_nothing_is_claimed_from_too_few(self) -> None:
        """A FAR of 0.1 % cannot be seen in fewer than a thousand comparisons."""
        for others, names in ((99, 0), (100, 1), (999, 1), (1000, 2)):
            distances = np.append(np.zeros(3), np.ones(others))
            mated = np.arange(others + 3) < 3
            people = np.arange(others + 3) % 3
            found = Comparisons(distances, mated, people, people, np.zeros(others + 3, np.intp))
            figures = verification(found, None, 3, 0)
            assert sum(figure.kind.startswith("TAR") for figure in figures) == names
            assert named(figures, "EER").value == 0
            assert named(figures, "EER").high > 0.5  # three people

    def test_only_mated_or_none(self) -> None:
        found = Comparisons.of_searches(drawn(1))
        for which in (found.mated, ~found.mated):
            assert verification(found.some(which), None, 6, 0) == []

    def test_thinning_keeps_the_interval(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rng = np.random.default_rng(0)
        own = np.repeat(np.arange(30), 6)
        matrix = rng.normal(3, 1, (180, 30))
        matrix[np.arange(180), own] -= 3 + rng.normal(0, 0.7, 30)[own]
        found = Comparisons.of_searches(searches_of(matrix, own))
        whole = verification(found, None, 30, 0)
        monkeypatch.setattr("eigenfaces.evaluation.metrics._SCORES_RESAMPLED", 1800)
        for one, other in zip(whole, verification(found, None, 30, 0), strict=True):
            assert one.value == other.value
            near = 0.08 if one.kind.startswith("TAR") else 0.01  # few comparisons tell of these
            assert one.low == pytest.approx(other.low, abs=near)
            assert one.high == pytest.approx(other.high, abs=near)

    def test_one_mistake_is_hardly_surer_than_none_and_more_never_much_better(self) -> None:
        """Forty people, five searches each, of which the first of some people go wrong."""
        own, rng = np.repeat(np.arange(40), 5), np.random.default_rng(0)
        distances = 10 + rng.random((200, 40))
        distances[np.arange(200), own] = 1 + rng.random(200)
        highs, lows = [], []
        for wrong in (0, 1, 2, 5, 10):
            bad = np.arange(wrong) * 7
            distances[bad, own[bad]] = 20
            found = Comparisons.of_searches(searches_of(distances, own))
            figures = verification(found, None, 40, 0)
            highs.append(named(figures, "EER").high)
            lows.append(named(figures, "TAR at FAR 1 %").low)
        assert highs[1] > 0.6 * highs[0]
        assert 1 - lows[1] > 0.6 * (1 - lows[0])
        assert all(more > 0.9 * fewer for fewer, more in pairwise(highs[1:]))


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resample 40 times; nothing here asks how wide the intervals are."""
    from eigenfaces.evaluation import metrics

    whole = metrics.Drawn
    monkeypatch.setattr(metrics, "Drawn", lambda *three: whole(*three, times=40))


class TestOpenSet:
    def test_by_hand(self) -> None:
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
        assert curve.fmr[0] == 0
        assert curve.fnmr[0] == 1
        assert curve.fmr[-1] == 1
        assert curve.fnmr[-1] == 0.25  # one is never found: somebody else is nearer
        assert curve.accepted_at(0.0) == 0.25
        assert curve.accepted_at(0.2) == 0.5

    @given(seeds)
    @pytest.mark.usefixtures("few_draws")
    def test_plainly(self, seed: int) -> None:
        """At every threshold, by counting."""
        searches = drawn(seed, 12, 5)
        best = searches.distances.min(axis=1)
        strange = ~searches.mated
        curve = detection_curve(searches)
        for threshold, named_strangers, missed in zip(
            curve.thresholds, curve.fmr, curve.fnmr, strict=True
        ):
            near = best <= threshold
            assert named_strangers == pytest.approx(near[strange].mean())
            assert 1 - missed == pytest.approx((near & searches.right)[~strange].mean())
        for figure in open_set(searches, 12, 0):
            assert 0 <= figure.low <= figure.value <= figure.high <= 1
            fpir = float(figure.kind.split()[3]) / 100
            assert figure.value == curve.accepted_at(fpir)

    def test_by_votes_it_is_the_named_person_who_must_be_near(self) -> None:
        """The nearest photograph is another's: the threshold is put to who was named."""
        searches = searches_of([[1, 5, INF], [9, 3, INF]], [1, 2])
        voted = replace(searches, answers=np.array([1, 1]), ranks=np.array([1, 0]))
        assert detection_curve(voted).accepted_at(0) == 0  # the stranger is nearer to that person
        assert detection_curve(voted).accepted_at(1) == 1

    def test_without_strangers_or_with_nobody_else(self) -> None:
        assert open_set(drawn(1, 6, 0), 6, 0) == []
        assert open_set(searches_of([[1, INF], [2, INF]], [1, 1]), 2, 0) == []


class TestPairs:
    def scores(self) -> PairScores:
        """Three folds of four pairs: 4, 3 and 2 of them on the right side of 1."""
        distances = np.array([0, 0, 2, 2, 0, 0, 2, 0, 0, 2, 0, 2.0])
        mated = np.array([True, True, False, False] * 3)
        fold = np.repeat([0, 1, 2], 4)
        return PairScores(fold, np.zeros((12, 2), np.intp), distances, mated)

    def test_by_hand(self) -> None:
        figure = pair_accuracy(self.scores(), np.ones(3), np.zeros(1, np.intp))
        assert figure is not None
        assert figure.value == pytest.approx(0.75)
        error = 0.25 / np.sqrt(3)
        assert f"standard error {100 * error:.2f} %" in figure.note
        assert figure.low == pytest.approx(max(0, 0.75 - 4.302653 * error))  # t with 2 degrees
        assert figure.high == 1

    def test_of_one_fold_the_interval_is_by_person(self) -> None:
        """Four pairs whose first photographs show two people; two of the second's are wrong."""
        pairs = np.array([[0, 1], [0, 2], [2, 0], [2, 1]])
        mated, distances = np.array([True, True, True, False]), np.array([0, 0, 2.0, 0])
        one = PairScores(np.zeros(4, np.intp), pairs, distances, mated)
        figure = pair_accuracy(one, np.ones(1), np.array([0, 0, 1]))
        assert figure is not None
        low, high = share_intervals([2, 0], [2, 2])
        assert (figure.value, figure.low, figure.high) == (0.5, low, high)

    def test_folds_that_do_not_differ_are_not_certain(self) -> None:
        scores = self.scores()
        all_right = PairScores(
            scores.fold, scores.pairs, np.where(scores.mated, 0, 2.0), scores.mated
        )
        figure = pair_accuracy(all_right, np.ones(3), np.zeros(1, np.intp))
        assert figure is not None
        assert figure.low < figure.value == 1

    def test_without_a_threshold(self) -> None:
        assert pair_accuracy(self.scores(), np.array([1, np.nan, 1]), np.zeros(1, np.intp)) is None


def test_words() -> None:
    figure = identification(searches_of([[1, 2], [1, 2]], [0, 1]), 2)[0]
    low, high = share_intervals([1, 0], [1, 1])
    assert figure.words() == f"50.00 % ({100 * low:.2f} to {100 * high:.2f})"
