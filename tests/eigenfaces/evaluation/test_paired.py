"""Two evaluations held against one another: the test, its sentence, and when it is refused."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.compare import difference, paired_test
from eigenfaces.evaluation.protocols import FirstPhotos, KFold, LeaveOneOut, Pairs
from eigenfaces.evaluation.records import Evaluation, Setting
from eigenfaces.evaluation.run import evaluate
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


def test_another_protocol_on_the_same_photos_is_compared_and_said(faces):
    found = difference(run(faces), run(faces, KFold(4)))
    assert found.p is not None
    assert "The protocols are not the same" in found.sentence


def test_why_two_cannot_be_compared(faces):
    whole = run(faces)
    twice = replace(whole, searches=whole.searches.some(np.repeat(np.arange(32), 2)))
    photos = {faces.index.photos[0].key: replace(faces.index.photos[0], person="Person 2")}
    for other in (run(faces, FirstPhotos(3)), twice, run(faces.with_photos(photos))):
        found = difference(whole, other)
        assert found.p is found.points is None
        assert "did not search for the same photos" in found.sentence


def test_pairs_with_pairs_but_not_with_searches(faces):
    names = [photo.path.as_posix() for photo in faces.index.photos]
    sets = tuple(
        tuple((names[4 * a + at], names[4 * b + at + 1]) for a, b in ((0, 0), (1, 1), (2, 3)))
        for at in range(3)
    )
    ours = evaluate(faces, Setting(Recipe.of(components=5), Pairs(sets), allow_leaks=True))
    theirs = replace(ours, thresholds=np.zeros(3))  # nothing is accepted
    found = difference(ours, theirs)
    assert found.p is not None
    assert difference(ours, run(faces)).p is None
    undecided = replace(ours, thresholds=np.full(3, np.nan))
    assert difference(ours, undecided).p is None
