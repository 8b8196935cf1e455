"""Two evaluations compared: the test, its interval and sentence, and when it is refused."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import permutation_test

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.compare import difference, paired_interval, paired_test
from eigenfaces.evaluation.protocols import FirstPhotos, KFold, LeaveOneOut, Protocol
from eigenfaces.evaluation.records import Evaluation, EvaluationSetting
from eigenfaces.evaluation.run import evaluate
from evaluation.drawn import pairs_of
from tests.synthetic import people


@pytest.mark.parametrize("count", [9, 30])
def test_against_scipy(count: int) -> None:
    rng = np.random.default_rng(count)
    first, second = rng.integers(0, 9, (2, count))
    theirs = permutation_test(
        (first, second),
        lambda x, y, axis: np.sum(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=9999,
        rng=rng,
    )
    assert paired_test(first, second) == pytest.approx(theirs.pvalue, abs=0.02)


def test_zero_lies_outside_the_interval_where_the_test_finds_a_difference() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        first, second = rng.integers(0, 6, (2, 9)) + np.array([[1], [0]])
        limits = paired_interval(first, second, np.full(9, 6))
        if limits is not None:
            outside = not limits[0] < 1e-9 < limits[1] + 2e-9
            assert outside == (paired_test(first, second) < 0.05)
    assert paired_interval([2, 3, 3], [1, 1, 2], [3, 3, 3]) == (-1, 1)  # too few people
    assert paired_interval([1, 2], [1, 2], [3, 3]) is None


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(3), 8, 4, spread=0.25)


def run(faces: FaceSet, protocol: Protocol = LeaveOneOut()) -> Evaluation:  # noqa: B008 - frozen
    setting = EvaluationSetting(Recipe.of(components=10), protocol, curves=False, allow_leaks=True)
    return evaluate(faces, setting)


@pytest.fixture(scope="module")
def whole(faces: FaceSet) -> Evaluation:
    return run(faces)


def with_wrong(run: Evaluation, wrong: list[int]) -> Evaluation:
    """The same run, with exactly these of its searches answered wrongly."""
    ranks = np.ones(len(run.searches), np.intp)
    ranks[wrong] = 2
    return replace(run, searches=replace(run.searches, ranks=ranks))


def test_it_is_the_paired_test_on_right_answers_by_person(whole: Evaluation) -> None:
    result = difference(with_wrong(whole, []), with_wrong(whole, [0, 1, 4, 8, 12, 16]))
    assert result.points == pytest.approx(100 * 6 / 32)
    assert result.p == paired_test([4] * 8, [2, 3, 3, 3, 3, 4, 4, 4]) == pytest.approx(2 / 2**5)
    low, high = result.limits
    assert low < 0 < result.points < high
    ends = [f"{end:+.1f}".replace("-", "−") for end in (low, high)]
    assert result.sentence == (
        "The difference of 18.8 percentage points is not more than chance (p = 0.062, paired "
        "permutation test over 8 people); the first minus the second lies between "
        f"{ends[0]} and {ends[1]} points (95 % interval)."
    )
    assert result.cells == ("+18.8", " to ".join(ends), "0.062")
    # For everybody, it is more than chance.
    result = difference(with_wrong(whole, list(range(0, 32, 4))), with_wrong(whole, []))
    assert result.points == pytest.approx(-25)
    assert result.p == pytest.approx(2 / 2**8)
    assert "is more than chance (p = 0.008" in result.sentence


def test_what_can_be_compared(faces: FaceSet, whole: Evaluation) -> None:
    four = run(faces.select(range(16)))
    assert difference(four, with_wrong(four, [0])).sentence.endswith(
        "With 4 people, no difference can be significant (the smallest possible p is 0.125)."
    )
    result = difference(whole, run(faces, KFold(4)))
    assert result.p is not None
    assert "The protocols differ" in result.sentence
    pairs = run(faces, pairs_of(faces))
    assert difference(pairs, replace(pairs, thresholds=np.zeros(3))).p is not None
    twice = replace(whole, searches=whole.searches.select(np.repeat(np.arange(32), 2)))
    photos = {faces.index.photos[0].id: replace(faces.index.photos[0], person="Person 2")}
    undecided = replace(pairs, thresholds=np.full(3, np.nan))
    others = (run(faces, FirstPhotos(3)), twice, run(faces.with_photos(photos)), pairs)
    for ours, theirs in (*((whole, other) for other in others), (pairs, undecided)):
        result = difference(ours, theirs)
        assert result.cells == ("–", "–", "–")
        assert "did not search for the same photos" in result.sentence
