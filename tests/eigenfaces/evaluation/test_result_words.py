"""Runs, single searches, people and controls of an evaluation, in words and counted."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.metrics import MetricKind
from eigenfaces.evaluation.protocols import KFold, OpenSet
from eigenfaces.evaluation.records import Evaluation, EvaluationSetting
from eigenfaces.evaluation.result_words import (
    key_figures,
    missing_figure_words,
    mistakes,
    notices,
    remarks,
    run_name,
    setting_words,
    single_searches,
)
from eigenfaces.evaluation.run import evaluate
from evaluation.drawn import faces_of, pairs_of
from tests.synthetic import people


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(2), 8, 4, spread=0.3)


@pytest.fixture(scope="module")
def closed(faces: FaceSet) -> Evaluation:
    return evaluate(faces, EvaluationSetting(Recipe.of(components=3), KFold(4)))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("TAR at FAR 0.1 %", "Too few non-mated comparisons for"),
        ("DIR at FPIR 1 %", "Too few strangers’ searches for"),
        ("rank-5", "At most five people"),
        ("pair accuracy", "No threshold"),
        ("EER", "There is nothing to measure it on."),
    ],
)
def test_why_a_figure_is_not_there(kind: MetricKind, words: str) -> None:
    assert missing_figure_words(kind).startswith(words)


def test_pairs_have_figures_and_mistakes_of_their_own(faces: FaceSet) -> None:
    setting = EvaluationSetting(Recipe.of(components=2), pairs_of(faces), allow_leaks=True)
    paired = evaluate(faces, setting)
    accuracy, rate, accepted, wrong = key_figures(paired)
    assert (accuracy.name, rate.name) == ("pair accuracy", "equal error rate (EER)")
    assert accuracy.interval.endswith("over the folds")
    assert accepted.value == ""
    assert "at least 100" in accepted.interval
    assert (wrong.value, wrong.interval) == (str(len(mistakes(paired))), "of 58 pairs")
    assert all(len(search.photos) == 2 for search in single_searches(paired, range(58)))
    assert (paired.searches, paired.by_components) == (None, None)
    assert [control.value for control in paired.controls if control.kind == "chance"] == [0.5]
    undecided = replace(paired, thresholds=np.full(3, np.nan))
    assert key_figures(undecided)[-1].interval.startswith("No threshold")


def test_strangers_are_as_many_as_there_are_not_as_were_asked() -> None:
    """Three of ten people have photographs enough to be members."""
    drawn = faces_of(np.random.default_rng(0), [7] * 3 + [2] * 7)
    few = evaluate(
        drawn, EvaluationSetting(Recipe.of(components=3), OpenSet(5, 0.3, 2), curves=False)
    )
    assert notices(few)[0] == (
        "7 of 10 people are strangers in each repetition: 70 %; 30 % were asked for. To be a "
        "member, a person needs 6 photos or more."
    )
    assert "30 % strangers wanted" in setting_words(few.setting)
    enough = faces_of(np.random.default_rng(0), [7] * 10)
    setting = EvaluationSetting(Recipe.of(components=3), OpenSet(5, 0.3, 2), curves=False)
    assert notices(evaluate(enough, setting)) == []


def test_of_very_many_photos_it_is_said_that_coordinates_were_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = faces_of(np.random.default_rng(0), [4] * 5)
    result = evaluate(drawn, EvaluationSetting(Recipe(), KFold(2), curves=False))
    assert notices(result) == []
    monkeypatch.setattr("eigenfaces.evaluation.result_words.MOST_COORDINATES", 19)
    (words,) = notices(result)
    assert words.startswith("With more than 19 photos, only the first 19 principal coordinates")
    assert "They come from all photos, including the probes" in words


@pytest.mark.parametrize(
    ("kind", "value", "low", "words", "warns"),
    [
        ("pixels L1", "high + 0.001", 0, "Better than", False),
        ("pixels L1", "low", 0, "As good as", False),
        ("pixels L1", "low - 0.001", 0, "Worse", False),
        # Guessing gives an eighth.
        ("face covered", "0.9", 0.8, "Far above guessing", True),
        ("face covered", "0.3", 0.16, "A little above guessing", False),
        ("face covered", "0.3", 0.1, "Near guessing", False),
        ("face covered", "nan", None, "It could not be measured.", False),
        ("chance", "low", None, "The result is not clearly above it.", True),
        ("majority", "low - 0.01", None, "The result is clearly above it.", False),
        ("duplicates", "2 / 48", None, "2 of 48 photos", True),
        ("duplicates", "0.0", None, "No two photos are nearly the same.", False),
        ("not acquired", "0.1", None, "2 of 48 photos: nobody enrolled was", True),
    ],
)
def test_what_a_control_means(
    closed: Evaluation, kind: str, value: str, low: float | None, words: str, warns: bool
) -> None:
    ours = closed.headline
    assert ours.low < ours.value < ours.high < 1
    number = eval(value, {"nan": np.nan}, vars(ours))
    others = [control for control in closed.controls if control.kind != kind]
    control = Control(kind, number, low, None if low is None else 1.0, "2 of 48 photos")
    *_, result = remarks(replace(closed, controls=(*others, control)))
    assert result.sentence.startswith(words)
    assert result.warns == warns


def test_single_mistakes_are_told(closed: Evaluation) -> None:
    wrong = single_searches(closed, mistakes(closed))
    assert len(wrong) == (~closed.searches.right).sum() > 0
    for search in wrong:
        probe, answer, right = (photo.person for photo in search.photos)
        assert answer != right == probe
        assert search.distances[0] <= search.distances[1]
        assert search.accessible_text() == f"{probe}, taken for {answer}, should have been {right}"
    (search,) = single_searches(closed, np.flatnonzero(closed.searches.right)[:1])
    probe, answer = (photo.person for photo in search.photos)
    assert search.accessible_text() == f"{probe}, found as {answer}"


def test_beside_another_run_the_notes_have_its_figures(faces: FaceSet, closed: Evaluation) -> None:
    other = evaluate(faces, EvaluationSetting(Recipe.of(components=1), KFold(4)))
    rank_1, *_, wrong = key_figures(closed, other)
    ours, theirs = (100 * run.headline.value for run in (closed, other))
    assert run_name(closed) == f"{ours:.1f} % · 4-fold · L2, k = 3"
    assert rank_1.note.startswith(f"other run: {theirs:.1f} % (")
    assert wrong.note == f"other run: {len(mistakes(other))} of 32"
