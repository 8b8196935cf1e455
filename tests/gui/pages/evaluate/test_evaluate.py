"""The Evaluate page: a run from press to result, kept, compared, clicked on; the recipes beside."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from eigenfaces import Project, Recipe
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.curves import curves_of
from eigenfaces.evaluation.metrics import Metric
from eigenfaces.evaluation.protocols import KFold, Pairs
from eigenfaces.evaluation.records import (
    Evaluation,
    EvaluationSetting,
    EvaluationSource,
    RecipeResult,
    RecipesCompared,
)
from eigenfaces.evaluation.result_words import key_figures, mistakes
from eigenfaces.evaluation.run import STAGES, evaluate
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.text import percent
from gui.pages.evaluate.figures import LEAST_CHART, ConfusionCard, ConfusionHeatmap, Results
from gui.pages.evaluate.page import EvaluatePage
from gui.plots.marks import Line, ReferenceLine
from gui.widgets.cards import PageHeader
from gui.widgets.labels import ElidedLabel
from tests.gui import seen


def evaluation_of(page: EvaluatePage) -> Evaluation:
    return page.evaluations.current.record.evaluation


def tiles(page: EvaluatePage) -> list[tuple[str, ...]]:
    return [
        tuple(part.text() for part in (tile.name, tile.value, tile.interval, tile.note))
        for tile in page.results.tiles
    ]


@pytest.fixture
def results(qtbot, trained_session) -> Results:
    """The cards of a run, not in a page."""
    cards = Results(trained_session)
    qtbot.addWidget(cards)
    return cards


def test_before_the_first_run_there_is_one_thing_to_do(page, do):
    assert page.nothing.isVisible()
    assert "Run" in seen.button_names(page)
    assert not seen.button(page, "Export report…").isEnabled()
    (run,) = page.nothing.buttons
    assert run.property("role") == "primary"
    do(run.click)
    assert page.results.isVisible()
    assert "Run" not in seen.button_names(page)


def test_a_run_is_what_the_core_gives_and_is_kept(done, hard_session):
    setting = EvaluationSetting(hard_session.gallery.recipe, done.bar.setting().protocol)
    expected = evaluate(hard_session.gallery.faces, setting)
    assert evaluation_of(done).metrics == expected.metrics
    assert tiles(done) == [
        (tile.name, tile.value, tile.interval, tile.note) for tile in key_figures(expected)
    ]
    (kept,) = hard_session.project.runs
    assert done.evaluations.current.kept == kept
    first = percent(expected.headline.value)
    assert kept.name.startswith(f"{first} · 10-fold · L2, k = 8")
    saved = hard_session.project.record(kept)
    assert saved.evaluation.metrics == expected.metrics
    assert saved.source == EvaluationSource("project", str(hard_session.project.path))


def test_every_control_of_a_run_says_what_it_is(page):
    bar = page.bar
    assert {"Protocol", "Recipe", "Distance", "Components"} <= {*seen.words(bar)}
    for box in (bar.parts, bar.enrolled, bar.repetitions, bar.strangers, bar.share):
        assert any(map(str.isalpha, box.text())), "its unit does"


def test_the_bar_below_names_every_stage(page, hard_session, do):
    titles, at_once = set(), Qt.ConnectionType.DirectConnection  # some are over in a moment
    jobs = hard_session.jobs
    jobs.progressed.connect(lambda: titles.update(job.title for job in jobs.running), at_once)
    do(page.run)
    title = "Evaluating: 10-fold cross-validation"
    assert {f"{title}, {stage}" for stage in STAGES} <= titles


def test_the_charts_show_the_run(done):
    evaluation, results = evaluation_of(done), done.results
    by = evaluation.by_components
    (own, *others) = results.components.chart.marks_of(Line)
    assert own.name == "L2"
    np.testing.assert_array_equal(own.y, by.accuracy["L2"])
    assert own.low is not None
    assert all(line.low is None for line in others)
    assert {line.name for line in others} == set(by.accuracy) - {"L2"}
    assert [line.value for line in results.components.chart.marks_of(ReferenceLine)] == [8]
    axis = results.components.chart.axes.y
    assert axis.label == f"rank-1 (axis from {100 * axis.lo:.0f} %)"
    assert 0 < axis.lo <= min(line.y[line.x >= 8].min() for line in (own, *others))
    counts = results.confusion.chart.marks_of(ConfusionHeatmap)[0].counts
    assert counts.sum() == len(evaluation.searches)
    assert counts.trace() == evaluation.searches.right.sum()
    first = results.match.chart.marks_of(Line)[0]
    assert first.y[0] == pytest.approx(evaluation.metric("rank-1").value)
    rates = results.rates
    roc = rates.chart.marks_of(Line)[0]
    assert (roc.x[0], roc.y[0], roc.x[-1], roc.y[-1]) == (0, 0, 1, 1)
    seen.button(rates, "DET").click()
    (det,) = rates.chart.marks_of(Line)
    points = set(zip(roc.x, np.round(roc.y, 9), strict=True))
    assert set(zip(det.x, np.round(1 - det.y, 9), strict=True)) <= points
    assert (det.x > 0).all()
    assert not seen.button(rates, "DIR").isEnabled()  # there are no strangers
    seen.button(rates, "Distances").click()
    assert rates.kind == "Distances"
    mated, others = evaluation.comparisons().counts
    names = [f"the right person ({mated})", f"others ({others})"]
    assert [line.name for line in rates.chart.marks_of(Line)] == names


def test_the_headings_of_charts_are_whole_on_a_small_screen(qtbot, results):
    for card in (results.components, results.match, results.rates):
        card.setParent(None)
        seen.show(qtbot, card, (LEAST_CHART, 262))
        title, *_ = (part for part in card.findChildren(ElidedLabel) if part.full_text)
        assert title.text() == title.full_text


def test_what_keeps_it_honest_stands_beside(done):
    rows = [row for row in done.results.baselines.rows if row.isVisible()]
    controls = evaluation_of(done).controls
    assert len(rows) == len(controls) == 6
    assert [row.value.text() for row in rows] == [percent(control.value) for control in controls]
    assert all(row.sentence.text() for row in rows)


def test_mistakes_cells_and_ranks_show_and_select_their_photos(qtbot, done, hard_session, do):
    evaluation, results = evaluation_of(done), done.results
    searches, photos, view = evaluation.searches, evaluation.photos, results.mistakes.list
    wrong = np.flatnonzero(~searches.right)
    number, case = int(wrong[0]), view.searches[0]
    assert len(view.searches) == len(wrong)
    rows = (values[number] for values in (searches.probes, searches.taken, searches.should))
    assert case.photos == tuple(photos[row] for row in rows)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert hard_session.photo == case.photos[0].id
    seen.click(qtbot, view, 0)
    assert hard_session.photo == case.photos[1].id
    cell = view.visualRect(view.model().index(0, 0))
    thirds = (QPoint(cell.left() + part * cell.width() // 6, cell.center().y()) for part in (1, 3))
    assert [view.face_at(third) for third in thirds] == [photo.id for photo in case.photos[:2]]
    who, answer = int(searches.people[number]), int(searches.answers[number])
    results.confusion.chart.picked.emit(0, 6 * who + answer)
    assert case in view.searches
    assert {search.photos[1].person for search in view.searches} == {evaluation.people[answer]}
    results.match.chart.picked.emit(0, 1)
    assert len(view.searches) == (searches.ranks == 2).sum()
    results.mistakes.back.click()
    assert len(view.searches) == len(wrong)
    # A photograph that is gone stays in the list, and is not selected.
    do(hard_session.apply, "removing", lambda gallery: gallery.remove([case.photos[0].id]))
    before = hard_session.photo
    assert view.face(case.photos[0].id) is None
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert (view.currentIndex().row(), hard_session.photo) == (0, before)
    assert "The gallery has changed" in done.notice.text.text()
    do(hard_session.undo)
    assert not done.notice.isVisible()


def test_pairs_have_no_confusions_but_mistakes_of_their_own(results, faces):
    names = [photo.path.as_posix() for photo in faces.index.photos]
    people = ((0, 0), (1, 1), (2, 3))
    sets = tuple(
        tuple((names[4 * a + at], names[(4 * b + at + 1) % 24]) for a, b in people)
        for at in range(3)
    )
    paired = evaluate(
        faces, EvaluationSetting(Recipe.of(components=2), Pairs(sets), allow_leaks=True)
    )
    results.show_run(paired, curves_of(paired))
    assert "compared in pairs" in results.confusion.reason.text()
    assert "did not measure accuracy at other values of k" in results.components.reason.text()
    assert "None of the people" in results.match.reason.text()
    assert len(results.mistakes.list.searches) == len(mistakes(paired)) > 0


def test_of_many_people_those_confused_most_often_are_drawn(qtbot, faces):
    card = ConfusionCard()
    qtbot.addWidget(card)
    curves = curves_of(evaluate(faces, EvaluationSetting(Recipe.of(components=3), KFold(4))))
    counts = np.eye(70, dtype=np.intp) * 3
    counts[4, 69], counts[65, 2] = 2, 1
    names = tuple(f"Person {number}" for number in range(70))
    pairs, matcher = [], Recipe().matcher
    card.pair_chosen.connect(lambda *pair: pairs.append(pair))
    card.show_curves(matcher, replace(curves, people=names, confusion=counts), None)
    (cells,) = card.chart.marks_of(ConfusionHeatmap)
    assert len(cells.names) == 60
    who, answer = (cells.names.index(name) for name in ("Person 4", "Person 69"))
    axes = card.chart.axes
    assert cells.tooltip(axes, 60 * who + answer) == "Person 4 taken for Person 69: 2 of 5"
    assert cells.tooltip(axes, 61 * who) == "Person 4 recognised: 3 of 5"
    assert card.chart.accessibleDescription().endswith("searches named the right person.")
    card.chart.picked.emit(0, 60 * who + answer)
    assert pairs == [(4, 69)]


def test_two_runs_side_by_side(done, hard_session, do):
    seen.choose(done.bar.distance, "cosine")
    assert hard_session.gallery.recipe.matcher.distance == "L2"
    do(done.run)
    runs = done.evaluations.saved_runs()
    assert [run.name.split(" · ")[-1] for run in runs] == ["cosine, k = 8", "L2, k = 8"]
    do(seen.choose, done.runs.other, 1)
    sentence = done.results.comparison.text.text()
    assert "than chance (p" in sentence or "no difference" in sentence
    other = done.evaluations.compared[0].record.evaluation
    expected = key_figures(evaluation_of(done), other)
    assert [note for *_, note in tiles(done)] == [tile.note for tile in expected]
    for chart in (done.results.match.chart, done.results.components.chart):
        assert [line.name for line in chart.marks_of(Line)] == ["this run", "the other"]
    do(seen.choose, done.runs.other, 0)
    assert not done.results.comparison.isVisible()
    assert len(done.results.match.chart.marks_of(Line)) == 1
    do(seen.choose, done.runs.other, 1)
    do(seen.choose, done.runs.choice, 1)
    assert evaluation_of(done).metrics == other.metrics
    assert not done.results.comparison.isVisible(), "of the run that was shown before"


def test_of_more_than_two_runs_each_stands_beside_the_one_shown(done, hard_session, do):
    for distance in ("cosine", "L1"):
        seen.choose(done.bar.distance, distance)
        assert not done.all_runs.isVisible()
        do(done.run)
    table, project = done.all_runs.table, hard_session.project
    (_, one, other), rows = done.evaluations.saved_runs(), seen.rows(table)
    for run, row, recipe in zip((one, other), rows, ("cosine, k = 8", "L2, k = 8"), strict=True):
        assert row[0].endswith(recipe)
        apart = difference(evaluation_of(done), project.record(run).evaluation)
        assert tuple(row[1:]) == apart.cells
    do(table.activated.emit, table.model().index(1, 0))
    assert done.evaluations.compared[0].kept == other


def test_kept_runs_are_shown_again_and_deleted(done, hard_session, do):
    path, figures = hard_session.project.path, evaluation_of(done).metrics
    first = done.evaluations.current.kept
    seen.choose(done.bar.protocol, "Leave one photo out")
    do(done.run)
    second = done.evaluations.current.kept
    assert evaluation_of(done).setting.protocol.kind == "leave-one-out"
    do(seen.choose, done.runs.choice, 1)
    assert done.evaluations.current.kept == first
    assert seen.says(done.findChild(PageHeader), "10-fold")
    hard_session.close_project()
    do(hard_session.open, Project.open(path))
    assert done.evaluations.current.kept == second
    do(done.runs.delete.click)
    assert evaluation_of(done).metrics == figures
    do(done.runs.delete.click)
    assert hard_session.project.runs == ()
    assert done.nothing.isVisible()
    do(hard_session.undo)
    assert hard_session.project.runs == (first,)
    assert evaluation_of(done).metrics == figures


def test_the_bars_of_recipes_come_one_by_one(page, qtbot, hard_session, settled, monkeypatch):
    card, go_on = page.recipes, [Event() for _ in RECIPES]
    metric = Metric("rank-1", 0.975, 0.9, 0.99, "")
    results = [RecipeResult(name, metric) for name in RECIPES]

    def fake(*_about, tick, measured, **_more):
        for result, arrived in zip(results, go_on, strict=True):
            while not arrived.wait(0.01):
                tick(1, 4)
            measured(result)
        return RecipesCompared(tuple(results))

    def values() -> list[str]:
        return [row.value.text() for row in card.rows.values()]

    monkeypatch.setattr("gui.pages.evaluate.runs.compare_recipes", fake)
    card.measure.click()
    assert values() == ["measuring…", "", "", ""]
    for number, arrived in enumerate(go_on, 1):
        wanted = [*["97.5 %"] * number, "measuring…", "", "", ""][:4]
        arrived.set()
        qtbot.waitUntil(lambda wanted=wanted: values() == wanted)
    settled()
    assert values() == ["97.5 %"] * 4


def test_the_recipes_beside_each_other(page, hard_session, settled, do):
    card = page.recipes

    def values() -> list[str]:
        return [row.value.text() for row in card.rows.values()]

    chosen = RecipeChoice("Network", {"Eigenfaces": 0.36, "Network": 0.98})
    do(hard_session.apply, "x", lambda now: replace(now, automatic=chosen))
    assert values() == ["36.0 %", "not evaluated", "not evaluated", "98.0 %"]
    ahead = "No other recipe can be more than 3 points ahead."
    assert card.sentence.text() == f"Your photos are named with the {chosen.recipe} recipe. {ahead}"
    assert "%" not in card.sentence.text(), "the figure stands above, and only there"
    card.measure.click()
    do(card.measure.click)  # cancels
    assert (card.measure.text(), card.compared) == ("Evaluate all", None)
    card.measure.click()
    assert card.measure.text() == "Cancel"
    settled()
    expected = card.compared
    assert [result.recipe for result in expected.results] == list(RECIPES)
    assert values() == [
        "not evaluated" if result.figure is None else percent(result.figure.value)
        for result in expected.results
    ]
    assert "7 people or more" in card.rows["Texture"].sentence.text()
    assert card.sentence.text() == expected.sentence
    first = hard_session.gallery.index.photos[0].id
    do(hard_session.apply, "x", lambda now: now.move([first], "Somebody"))
    assert card.compared is None  # of other people
