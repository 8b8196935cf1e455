"""Two evaluations held against one another: the test, its sentence, and when it is refused."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.compare import difference, paired_test
from eigenfaces.evaluation.protocols import FirstPhotos, KFold, LeaveOneOut
from eigenfaces.evaluation.records import Evaluation, Setting
from eigenfaces.evaluation.run import evaluate
from evaluation.drawn import pairs_of
from tests.synthetic import people


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(3), 8, 4, spread=0.25)


def run(faces: FaceSet, protocol=None, **recipe) -> Evaluation:
    made = Recipe.of(**{"components": 10, **recipe})
    return evaluate(faces, Setting(made, protocol or LeaveOneOut(), curves=False))


def with_wrong(run: Evaluation, wrong: list[int]) -> Evaluation:
    """The same run, with exactly these of its searches answered wrongly."""
    searches = run.searches
    assert searches is not None
    ranks = np.ones(len(searches), np.intp)
    ranks[wrong] = 2
    return replace(run, searches=replace(searches, ranks=ranks))


def test_it_is_the_paired_test_on_right_answers_by_person(faces):
    whole = run(faces)
    first, second = with_wrong(whole, []), with_wrong(whole, [0, 1, 4, 8, 12, 16])
    found = difference(first, second)
    assert found.points == pytest.approx(100 * 6 / 32)
    assert found.p == paired_test([4] * 8, [2, 3, 3, 3, 3, 4, 4, 4])
    assert found.p == pytest.approx(2 / 2**5)
    assert "18.8 percentage points is not more than chance (p = 0.062" in found.sentence
    assert "over 8 people" in found.sentence
    low, high = found.limits
    assert low < 0 < found.points < high
    ends = f"{low:+.1f} and {high:+.1f} points".replace("-", "−")
    assert f"between {ends} (95 % interval)" in found.sentence
    # For everybody, it is more than chance.
    found = difference(with_wrong(whole, list(range(0, 32, 4))), with_wrong(whole, []))
    assert found.points == pytest.approx(-25)
    assert found.p == pytest.approx(2 / 2**8)
    assert "is more than chance (p = 0.008" in found.sentence


def test_what_can_be_compared(faces):
    four = run(faces.select(range(16)))
    assert difference(four, with_wrong(four, [0])).sentence.endswith(
        "with 4 people no difference can be significant (the smallest p is 0.125)."
    )
    whole = run(faces)
    found = difference(whole, run(faces, KFold(4)))
    assert found.p is not None
    assert "The protocols are not the same" in found.sentence
    pairs = evaluate(faces, Setting(Recipe.of(components=5), pairs_of(faces), allow_leaks=True))
    assert difference(pairs, replace(pairs, thresholds=np.zeros(3))).p is not None
    twice = replace(whole, searches=whole.searches.some(np.repeat(np.arange(32), 2)))
    photos = {faces.index.photos[0].key: replace(faces.index.photos[0], person="Person 2")}
    undecided = replace(pairs, thresholds=np.full(3, np.nan))
    others = (run(faces, FirstPhotos(3)), twice, run(faces.with_photos(photos)), pairs)
    for ours, theirs in (*((whole, other) for other in others), (pairs, undecided)):
        found = difference(ours, theirs)
        assert found.p is found.points is None
        assert "did not search for the same photos" in found.sentence
