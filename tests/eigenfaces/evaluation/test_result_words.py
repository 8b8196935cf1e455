"""Runs, single searches, people and controls of an evaluation, in words and counted."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    KFold,
    OpenSet,
    Pairs,
)
from eigenfaces.evaluation.records import Evaluation, Setting
from eigenfaces.evaluation.result_words import (
    key_figures,
    missing_words,
    mistakes,
    mistakes_made,
    remark,
    results_by_person,
    run_name,
    single_searches,
)
from eigenfaces.evaluation.run import evaluate
from tests.synthetic import people


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(2), 6, 4, spread=0.28)


@pytest.fixture(scope="module")
def closed(faces: FaceSet) -> Evaluation:
    return evaluate(faces, Setting(Recipe.of(components=3), KFold(4)))


@pytest.fixture(scope="module")
def paired(faces: FaceSet) -> Evaluation:
    names = [photo.path.as_posix() for photo in faces.index.photos]
    some = ((0, 0), (1, 1), (2, 3))
    sets = tuple(
        tuple((names[4 * a + at], names[(4 * b + at + 1) % 24]) for a, b in some) for at in range(3)
    )
    return evaluate(faces, Setting(Recipe.of(components=2), Pairs(sets), allow_leaks=True))


def test_why_a_figure_is_not_there(closed: Evaluation) -> None:
    assert "non-mated comparisons" in missing_words("TAR at FAR 0.1 %", closed)
    assert "strangers’ searches" in missing_words("DIR at FPIR 1 %", closed)
    assert missing_words("FPIR reached", closed) == "No strangers were searched for."
    faces = people(np.random.default_rng(2), 4, 4, spread=0.28)
    for share, words in ((None, "No limit for strangers was asked for."), (0.05, "takes 3 people")):
        setting = Setting(Recipe.of(components=3), OpenSet(2), curves=False, share=share)
        assert words in missing_words("DIR reached", evaluate(faces, setting))


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Eight people whom noise makes hard to tell apart."""
    rng = np.random.default_rng(3)
    people = np.repeat(rng.random((8, 12, 10)), 6, axis=0)
    images = np.clip(0.5 + 0.25 * (people - 0.5) + 0.3 * rng.normal(size=people.shape), 0, 1)
    faces = FaceSet.from_arrays(images, [f"person {row // 6}" for row in range(48)])
    return evaluate(faces, Setting(Recipe(), FirstPhotos(3), curves=False))


def test_pairs_have_figures_and_mistakes_of_their_own(paired: Evaluation) -> None:
    accuracy, rate, accepted, wrong = key_figures(paired)
    assert accuracy.name == "pair accuracy"
    assert rate.name == "equal error rate (EER)"
    assert accuracy.interval.endswith("over the folds")
    assert accepted.value == ""
    assert "at least 100" in accepted.interval
    assert wrong.note == "of 9 pairs"
    assert int(wrong.value) == len(mistakes(paired))
    assert all(each.should is None for each in single_searches(paired, range(9)))


def test_a_difference_is_rounded_on_the_tile_as_in_the_sentence_below(closed: Evaluation) -> None:
    """100 × (0.9875 − 0.975) is a little more than 1.25 in binary."""
    runs = [
        replace(closed, figures=(Figure("rank-1", value, 0.9, 1.0, ""),))
        for value in (0.9875, 0.975)
    ]
    assert key_figures(*runs)[0].name == f"rank-1: +{1.25:.1f} points"


@pytest.mark.parametrize(
    ("kind", "value", "low", "words", "warns"),
    [
        ("pixels L1", "high + 0.001", 0, "Better than face space", False),
        ("pixels L1", "value", 0, "As good as", False),
        ("pixels L1", "value - 0.001", 0, "Close to", False),
        ("pixels L1", "low", 0, "Close to", False),
        ("pixels L1", "low - 0.001", 0, "Worse", False),
        # Guessing gives an eighth.
        ("face covered", "0.9", 0.8, "Far above guessing", True),
        ("face covered", "0.3", 0.16, "A little above guessing", False),
        ("face covered", "0.3", 0.1, "Above guessing, but by so few people that it may be luck", 0),
        ("face covered", "0.125", 0.05, "Near guessing", False),
        ("face covered", "nan", None, "It could not be measured.", False),
        ("chance", "low", None, "The result is not clearly above it.", True),
        ("majority", "low - 0.01", None, "The result is clearly above it.", False),
        ("duplicates", "2 / 48", None, "2 of 48 photos", True),
        ("duplicates", "0.0", None, "No two photos are nearly the same.", False),
        ("not acquired", "0.1", None, "2 of 48 photos: no other figure counts them.", True),
    ],
)
def test_what_a_control_means(
    evaluation: Evaluation, kind: str, value: str, low: float | None, words: str, warns: bool
) -> None:
    ours = evaluation.headline
    assert ours.low < ours.value < ours.high < 1
    number = eval(value, {"nan": np.nan}, vars(ours))
    others = [each for each in evaluation.controls if each.kind != kind]
    control = Control(kind, number, low, None if low is None else 1.0, "2 of 48 photos")
    result = remark(control, replace(evaluation, controls=(*others, control)))
    assert result.sentence.startswith(words)
    assert result.warns == bool(warns)


def test_single_mistakes_and_people_add_up(closed: Evaluation) -> None:
    results = results_by_person(closed)
    assert sum(result.searches for result in results) == 24
    assert sum(result.right for result in results) == closed.searches.right.sum()
    wrong = single_searches(closed, mistakes(closed))
    assert mistakes_made(closed) == (len(wrong), 24)
    for search in wrong:
        assert search.taken.person != search.should.person == search.probe.person
        assert search.spoken() == (
            f"{search.probe.person}, taken for {search.taken.person}, "
            f"should have been {search.should.person}"
        )


def test_beside_another_run_every_figure_has_its_difference(
    faces: FaceSet, closed: Evaluation
) -> None:
    other = evaluate(faces, Setting(Recipe.of(components=1), KFold(4)))
    rank_1, *_, wrong = key_figures(closed, other)
    ours, theirs = 100 * closed.headline.value, 100 * other.headline.value
    assert run_name(closed) == f"rank-1 {ours:.1f} % · 4-fold cross-validation · L2, k = 3"
    assert rank_1.name == f"rank-1: {ours - theirs:+.1f} points"
    assert rank_1.note.startswith(f"other: {theirs:.1f} % (")
    assert wrong.note == f"other: {len(mistakes(other))} of 24"
    assert key_figures(closed, closed)[0].name == "rank-1: ±0.0 points"
