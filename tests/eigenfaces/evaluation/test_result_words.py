"""Runs, single searches, people and controls of an evaluation, in words and counted."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.curves import Curves, curves_of
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    KFold,
    LeaveOneOut,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.evaluation.records import Evaluation, Partial, Setting
from eigenfaces.evaluation.result_words import (
    Remark,
    confused_pairs,
    key_figures,
    key_figures_so_far,
    lacking,
    missing_words,
    mistakes,
    mistakes_made,
    remark,
    remarks,
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


def test_results_of_people_count_every_search(closed: Evaluation) -> None:
    results = results_by_person(closed)
    assert sum(each.searches for each in results) == 24
    assert closed.searches is not None
    assert sum(each.right for each in results) == closed.searches.right.sum()


def test_a_mistake_says_who_should_have_been_found(closed: Evaluation) -> None:
    found = single_searches(closed, mistakes(closed))
    assert found
    assert mistakes_made(closed) == (len(found), 24)
    for each in found:
        assert each.should is not None
        assert each.taken.person != each.should.person == each.probe.person
        assert each.spoken() == (
            f"{each.probe.person}, taken for {each.taken.person}, "
            f"should have been {each.should.person}"
        )


def test_a_run_is_called_by_its_figure_protocol_and_recipe(closed: Evaluation) -> None:
    headline = closed.headline
    assert headline is not None
    value = 100 * headline.value
    assert run_name(closed) == f"rank-1 {value:.1f} % · 4-fold cross-validation · L2, k = 3"


def test_why_a_figure_is_not_there(closed: Evaluation) -> None:
    assert "non-mated comparisons" in missing_words("TAR at FAR 0.1 %", closed)
    assert "strangers’ searches" in missing_words("DIR at FPIR 1 %", closed)
    assert missing_words("FPIR reached", closed) == "No strangers were searched for."
    faces = people(np.random.default_rng(2), 4, 4, spread=0.28)
    for share, words in ((None, "No limit for strangers was asked for."), (0.05, "takes 3 people")):
        setting = Setting(Recipe.of(components=3), OpenSet(2), curves=False, share=share)
        assert words in missing_words("DIR reached", evaluate(faces, setting))


def test_who_lacks_what() -> None:
    assert lacking({"Ada": 2, "Grace": 1}) == ""
    assert "Nobody in the gallery has a name" in lacking({})
    assert "only “Ada”" in lacking({"Ada": 9})
    many = lacking({f"P{number}": 1 for number in range(9)})
    assert many.endswith("P0 (1), P1 (1), P2 (1), P3 (1) and 5 more.")


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Eight people whom noise makes hard to tell apart."""
    rng = np.random.default_rng(3)
    people = np.repeat(rng.random((8, 12, 10)), 6, axis=0)
    images = np.clip(0.5 + 0.25 * (people - 0.5) + 0.3 * rng.normal(size=people.shape), 0, 1)
    faces = FaceSet.from_arrays(images, [f"person {row // 6}" for row in range(48)])
    return evaluate(faces, Setting(Recipe(), FirstPhotos(3), curves=False))


def said(
    evaluation: Evaluation, name: str, value: float, low: float | None, high: float | None
) -> Remark:
    others = [each for each in evaluation.controls if each.kind != name]
    control = Control(name, value, low, high, "2 of 48 photos")
    return remark(control, replace(evaluation, controls=(*others, control)))


def test_there_is_one_for_each_control(evaluation: Evaluation) -> None:
    assert [each.control for each in remarks(evaluation)] == list(evaluation.controls)


def test_pixels_are_held_against_the_result_and_its_interval(evaluation: Evaluation) -> None:
    ours = evaluation.headline
    assert ours is not None
    assert ours.low < ours.value < ours.high < 1
    for value, words in (
        (ours.high + 0.001, "Better than"),
        (ours.high, "As good as"),
        (ours.value, "As good as"),
        (ours.value - 0.001, "Close to"),
        (ours.low, "Close to"),
        (ours.low - 0.001, "Worse"),
    ):
        found = said(evaluation, "pixels L1", value, 0, 1)
        assert found.sentence.startswith(words)
        assert not found.warns


def test_a_covered_face_that_is_told_apart_is_a_warning(evaluation: Evaluation) -> None:
    """Guessing gives an eighth."""
    assert said(evaluation, "face covered", 0.9, 0.8, 0.95).warns
    little = said(evaluation, "face covered", 0.3, 0.16, 0.4)
    assert "A little above guessing" in little.sentence
    luck = said(evaluation, "face covered", 0.3, 0.1, 0.5)
    assert "luck" in luck.sentence
    nothing = said(evaluation, "face covered", 0.125, 0.05, 0.3)
    assert "tells nothing" in nothing.sentence
    assert not any(each.warns for each in (little, luck, nothing))


def test_a_result_no_better_than_guessing_is_a_warning(evaluation: Evaluation) -> None:
    ours = evaluation.headline
    assert ours is not None
    for name in ("chance", "majority"):
        assert said(evaluation, name, ours.low, None, None).warns
        assert not said(evaluation, name, ours.low - 0.01, None, None).warns


def test_duplicates_are_a_warning(evaluation: Evaluation) -> None:
    found = said(evaluation, "duplicates", 2 / 48, None, None)
    assert found.warns
    assert found.sentence.startswith("2 of 48 photos")
    assert not said(evaluation, "duplicates", 0.0, None, None).warns


def test_what_could_not_be_measured(evaluation: Evaluation) -> None:
    found = said(evaluation, "face covered", float("nan"), None, None)
    assert (found.sentence, found.warns) == ("It could not be measured.", False)


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


def test_beside_another_run_every_figure_has_its_difference(
    faces: FaceSet, closed: Evaluation
) -> None:
    other = evaluate(faces, Setting(Recipe.of(components=1), KFold(4)))
    rank_1, *_, wrong = key_figures(closed, other)
    ours, theirs = closed.headline, other.headline
    assert ours is not None
    assert theirs is not None
    assert rank_1.name == f"rank-1: {100 * (ours.value - theirs.value):+.1f} points"
    assert rank_1.note.startswith(f"other: {100 * theirs.value:.1f} % (")
    assert wrong.note == f"other: {len(mistakes(other))} of 24"
    assert key_figures(closed, closed)[0].name == "rank-1: ±0.0 points"


def test_a_difference_is_rounded_on_the_tile_as_in_the_sentence_below(closed: Evaluation) -> None:
    """100 × (0.9875 − 0.975) is a little more than 1.25 in binary."""
    runs = [
        replace(closed, figures=(Figure("rank-1", value, 0.9, 1.0, ""),))
        for value in (0.9875, 0.975)
    ]
    assert key_figures(*runs)[0].name == f"rank-1: +{1.25:.1f} points"


@pytest.mark.parametrize("protocol", [LeaveOneOut(), OpenSet(2, repetitions=3)])
def test_what_grows_is_said_as_what_is_done(faces: FaceSet, protocol: Protocol) -> None:
    partials: list[Partial] = []
    result = evaluate(faces, Setting(Recipe.of(components=0.9), protocol), watch=partials.append)
    first, second, *_ = key_figures_so_far(curves_of(partials[-1]), 3, 3)
    figure = result.figure("rank-1")
    assert figure is not None
    assert first.value == f"{100 * figure.value:.1f} %"
    assert second.name == ("DIR at FPIR 1 %" if curves_of(result).detection else "rank-5")
    assert key_figures_so_far(Curves(()), 0, 3)[0].interval == "The first fold is being searched."


def test_pairs_confused_come_by_how_often() -> None:
    counts = np.array([[5, 1, 0], [2, 3, 2], [0, 0, 4]])
    assert confused_pairs(counts, 2) == [(1, 0, 2), (1, 2, 2)]
    assert confused_pairs(counts, 9)[2:] == [(0, 1, 1)]
    assert confused_pairs(np.eye(3, dtype=np.intp), 9) == []
