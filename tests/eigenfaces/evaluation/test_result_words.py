"""Runs, single searches, people and controls of an evaluation, in words and counted."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.protocols import FirstPhotos, KFold, OpenSet
from eigenfaces.evaluation.records import Evaluation, Setting
from eigenfaces.evaluation.result_words import (
    Remark,
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
def closed() -> Evaluation:
    faces = people(np.random.default_rng(2), 6, 4, spread=0.28)
    return evaluate(faces, Setting(Recipe.of(components=3), KFold(4)))


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
