"""What the Evaluate page draws of results of every kind: pairs, many people; and how it counts."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.curves import curves_of
from eigenfaces.evaluation.protocols import KFold, Pairs
from eigenfaces.evaluation.records import Setting
from eigenfaces.evaluation.result_words import mistakes
from eigenfaces.evaluation.run import STAGES, evaluate
from gui.pages.evaluate.figures import LEAST_CHART, ConfusionCard, ConfusionCells, Results
from gui.widgets.words import ElidedLabel
from tests.gui import seen
from tests.synthetic import people


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(2), 6, 4, spread=0.28)


def test_pairs_have_no_confusions_but_mistakes_of_their_own(qtbot, trained_session, faces):
    names = [photo.path.as_posix() for photo in faces.index.photos]
    sets = tuple(
        tuple(
            (names[4 * a + at], names[(4 * b + at + 1) % 24]) for a, b in ((0, 0), (1, 1), (2, 3))
        )
        for at in range(3)
    )
    paired = evaluate(faces, Setting(Recipe.of(components=2), Pairs(sets), allow_leaks=True))
    results = Results(trained_session)
    qtbot.addWidget(results)
    results.show_run(paired, curves_of(paired))
    assert "Single pairs" in results.confusion.reason.text()
    assert len(results.mistakes.list.searches) == len(mistakes(paired))
    assert results.people.isHidden()


def test_of_many_people_those_confused_most_often_are_drawn(qtbot, faces):
    card = ConfusionCard()
    qtbot.addWidget(card)
    curves = curves_of(evaluate(faces, Setting(Recipe.of(components=3), KFold(4))))
    counts = np.eye(70, dtype=np.intp) * 3
    counts[4, 69], counts[65, 2] = 2, 1
    names = tuple(f"Person {number}" for number in range(70))
    pairs, matcher = [], Recipe().matcher
    card.pair_chosen.connect(lambda *pair: pairs.append(pair))
    card.show_curves(matcher, replace(curves, people=names, confusion=counts), None)
    (cells,) = card.chart.of(ConfusionCells)
    assert len(cells.names) == 60
    assert "Person 4 taken for Person 69: 2 of 5" in card.chart.accessibleDescription()
    at = [cells.names.index(name) for name in ("Person 4", "Person 69")]
    card.chart.picked.emit(0, 60 * at[0] + at[1])
    assert pairs == [(4, 69)]


def test_the_headings_of_charts_are_whole_on_a_small_screen(qtbot, trained_session, light_again):
    results = Results(trained_session)
    qtbot.addWidget(results)
    for card in (results.components, results.match, results.rates):
        card.setParent(None)
        made = seen.show(qtbot, card, (LEAST_CHART, 262))
        title, *_ = (each for each in made.findChildren(ElidedLabel) if each.full_text)
        assert title.text() == title.full_text


def test_the_bar_below_names_every_stage(page, hard_session, settled, monkeypatch):
    monkeypatch.setattr("gui.state.jobs._TICK", 0)  # every step is told of, however fast it is
    said, jobs = set(), hard_session.jobs
    jobs.progressed.connect(lambda: said.add(jobs.current.title if jobs.current else ""))
    page.run()
    settled()
    title = "Evaluating: 10-fold cross-validation"
    assert {f"{title}, {stage}" for stage in STAGES} <= said
