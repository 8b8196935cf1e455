"""What the Evaluate page says and draws of results of every kind: pairs, many people, nothing."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from eigenfaces import FaceSet, Gallery, Recipe, load_sample
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.curves import curves_of
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut, OpenSet, Pairs
from eigenfaces.evaluation.records import Evaluation, Record, Setting, Source
from eigenfaces.evaluation.result_words import mistakes, single_searches
from eigenfaces.evaluation.run import STAGES, evaluate
from eigenfaces.faces.prepare import Preparation
from eigenfaces.sample import PREPARATION
from eigenfaces.text import when
from gui.pages.evaluate.cards import (
    ComponentCurvesCard,
    ConfusionCard,
    MatchCard,
    RatesCard,
    confused_pairs,
)
from gui.pages.evaluate.figures import _beside, growing_words, tile_words
from gui.pages.evaluate.results import LEAST_CHART, Results
from gui.pages.evaluate.running import Shown, source_of
from gui.widgets.status_bar import StatusBar
from gui.widgets.words import ElidedLabel
from tests.gui import seen
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
    sets = tuple(
        tuple(
            (names[4 * a + at], names[(4 * b + at + 1) % 24]) for a, b in ((0, 0), (1, 1), (2, 3))
        )
        for at in range(3)
    )
    return evaluate(faces, Setting(Recipe.of(components=2), Pairs(sets), allow_leaks=True))


def shown(evaluation: Evaluation) -> Shown:
    record = Record(evaluation, Preparation(16, 16, already_cropped=True), Source("project"))
    return Shown(1, "", record, curves_of(evaluation))


def control(name: str, value: float, low: float | None = None, high: float | None = None):
    return Control(name, value, low, high, "a note")


def test_pairs_have_figures_curves_and_mistakes_of_their_own(qtbot, trained_session, paired):
    names = [words.name for words in tile_words(paired)]
    assert names == ["pair accuracy", "equal error rate (EER)", "TAR at FAR 1 %", "mistakes"]
    accuracy, _, accepted, wrong = tile_words(paired)
    assert accuracy.interval.endswith("over the folds")
    assert accepted.value == ""
    assert "at least 100" in accepted.interval
    assert wrong.note == "of 9 pairs"
    assert int(wrong.value) == len(mistakes(paired))
    results = Results(trained_session)
    qtbot.addWidget(results)
    results.show_run(shown(paired), None)
    assert "Single pairs" in results.confusion.reason.text()
    assert len(results.mistakes.list.searches.searches) == len(mistakes(paired))
    assert results.people.table.isHidden()
    every = single_searches(paired, range(9))
    assert all(case.should is None for case in every)


def test_of_many_people_the_most_confused_pairs_are_listed(qtbot, closed):
    card = ConfusionCard()
    qtbot.addWidget(card)
    curves = curves_of(closed)
    counts = np.eye(70, dtype=np.intp) * 3
    counts[4, 9], counts[60, 2] = 2, 1
    names = tuple(f"Person {number}" for number in range(70))
    chosen = []
    card.pair_chosen.connect(lambda *pair: chosen.append(pair))
    card.show_curves(replace(curves, people=names, confusion=counts))
    rows = [[card.pairs.model().index(r, c).data() for c in range(3)] for r in range(2)]
    assert rows == [["Person 4", "Person 9", "2 (40 %)"], ["Person 60", "Person 2", "1 (25 %)"]]
    assert card.pairs.model().rowCount() == 2
    card.pairs.selectRow(0)
    assert chosen == [(4, 9)]
    card.show_curves(curves)
    assert card.pairs.isHidden()
    assert confused_pairs(np.eye(3, dtype=np.intp), names[:3]) == []


@pytest.mark.parametrize("protocol", [LeaveOneOut(), OpenSet(2, repetitions=3)])
def test_what_grows_is_said_as_what_is_done(faces, protocol):
    partials = []
    result = evaluate(faces, Setting(Recipe.of(components=0.9), protocol), watch=partials.append)
    words = growing_words(curves_of(partials[-1]), (3, 3))
    assert words[0].value == f"{100 * result.figure('rank-1').value:.1f} %"
    assert words[1].name == ("DIR at FPIR 1 %" if curves_of(result).detection else "rank-5")


@pytest.mark.parametrize("none", ["yesterday", "", "0001-01-01T00:00:00+23:59"])
def test_a_time_that_is_none_is_shown_as_it_was_written(none):
    assert when(none) == none


def test_the_sample_is_its_own_source():
    faces = load_sample()
    gallery = Gallery(faces, PREPARATION, Recipe())
    assert source_of(gallery, None) == Source("sample")
    renamed = gallery.rename("Person 01", "Ada")
    assert source_of(renamed, None) == Source("project")
    excluded = gallery.exclude([faces.index.photos[0].key])
    assert source_of(excluded, None).kind == "project"


@pytest.mark.parametrize("card", [ComponentCurvesCard, MatchCard, RatesCard])
def test_the_heading_of_a_card_is_whole_on_a_small_screen(qtbot, light_again, card):
    made = seen.show(qtbot, card(), (LEAST_CHART, 262))
    title, *_ = (each for each in made.findChildren(ElidedLabel) if each.full_text)
    assert title.text() == title.full_text


def test_a_difference_is_rounded_on_the_tile_as_in_the_sentence_below():
    """100 × (0.9875 − 0.975) is a little more than 1.25 in binary."""
    runs = [
        SimpleNamespace(figure=lambda _, v=value: Figure("rank-1", v, 0.9, 1.0, ""))
        for value in (0.9875, 0.975)
    ]
    assert _beside("rank-1", *runs).name == f"rank-1: +{1.25:.1f} points"


def test_one_bar_for_the_whole_evaluation_whose_stages_have_names(
    page, hard_session, settled, monkeypatch
):
    monkeypatch.setattr("gui.state.jobs._TICK", 0)  # every step is shown, however fast it is
    foot = StatusBar(hard_session)
    said: list[str] = []

    def look() -> None:
        foot.refresh()
        said.append(foot.findChildren(ElidedLabel)[0].full_text)

    hard_session.jobs.progressed.connect(look)
    page.run()
    settled()
    words = re.compile(r"Evaluating: 10-fold cross-validation, ([a-z ]+): (\d+) %")
    shown = [found.groups() for each in said if (found := words.fullmatch(each))]
    assert [each for each in said if " of " in each and "Keeping" not in each] == []
    assert {stage for stage, _ in shown} <= set(STAGES)
    done = [int(percent) for _, percent in shown]
    assert len(done) > 2
    assert done == sorted(done)
    foot.deleteLater()
