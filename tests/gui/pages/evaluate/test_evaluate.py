"""The Evaluate page: a run from press to result, kept, compared, clicked on."""

import numpy as np
import pytest
from page_shown import choose, evaluation_of, tiles
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from eigenfaces import Project
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.metrics import error_rates
from eigenfaces.evaluation.records import Setting, Source
from eigenfaces.evaluation.result_words import key_figures
from eigenfaces.evaluation.run import evaluate
from gui.pages.evaluate.figures import ConfusionCells
from gui.plots.marks import Line, Rule
from gui.widgets.cards import PageHeader
from tests.gui import seen

LEFT = Qt.MouseButton.LeftButton


def test_before_the_first_run_there_is_one_thing_to_do(page, settled):
    settled()
    assert page.nothing.isVisible()
    assert "Run" in seen.button_names(page)
    assert not seen.button(page, "Export report…").isEnabled()
    page.nothing.buttons[0].click()
    settled()
    assert page.results.isVisible()
    assert "Run" not in seen.button_names(page)


def test_the_menu_of_exports_opens_again_and_again(done, qtbot):
    for _ in range(3):
        seen.button(done, "Export report…").click()
        menu = QApplication.activePopupWidget()
        with qtbot.waitSignal(menu.destroyed):
            menu.close()


def test_a_run_is_what_the_core_gives_and_is_kept(done, hard_session):
    setting = Setting(hard_session.gallery.recipe, done.bar.setting().protocol)
    expected = evaluate(hard_session.gallery.faces, setting)
    assert evaluation_of(done).figures == expected.figures
    rank_1 = expected.figure("rank-1")
    value, interval, note = tiles(done)["rank-1"]
    assert value == f"{100 * rank_1.value:.1f} %"
    assert interval == f"{100 * rank_1.low:.1f} to {100 * rank_1.high:.1f} %, by person"
    assert note == rank_1.note
    wrong = round(24 * (1 - rank_1.value))
    assert tiles(done)["mistakes"][0] == str(wrong)
    ((number, _made, name),) = hard_session.project.runs()
    assert done.running.current.number == number
    assert name.startswith(
        f"rank-1 {100 * rank_1.value:.1f} % · 10-fold cross-validation · L2, k = 8"
    )
    assert hard_session.project.run(number).evaluation.figures == expected.figures
    assert hard_session.project.run(number).source == Source(
        "project", str(hard_session.project.path)
    )


def test_the_charts_show_the_run(done):
    evaluation, results = evaluation_of(done), done.results
    by = evaluation.by_components
    (own, *others) = results.components.chart.of(Line)
    assert own.name == "L2"
    np.testing.assert_array_equal(own.y, by.accuracy["L2"])
    assert own.low is not None
    assert all(line.low is None for line in others)
    assert {line.name for line in others} == set(by.accuracy) - {"L2"}
    assert [rule.at for rule in results.components.chart.of(Rule)] == [8]
    counts = results.confusion.chart.of(ConfusionCells)[0].counts
    assert counts.sum() == len(evaluation.searches)
    assert counts.trace() == evaluation.searches.right.sum()
    first = results.match.chart.of(Line)[0]
    assert first.y[0] == pytest.approx(evaluation.figure("rank-1").value)
    axis = results.components.chart.frame.y
    assert axis.label == f"rank-1 (axis from {100 * axis.lo:.0f} %)"
    assert 0 < axis.lo <= min(line.y[line.x >= 8].min() for line in (own, *others))
    results.components.kind.set_current(1)
    kept, left = results.components.chart.of(Line)
    np.testing.assert_array_equal(kept.y, by.kept)
    np.testing.assert_array_equal(left.y, by.left_out)
    rates = results.rates
    roc = rates.chart.of(Line)[0]
    assert (roc.x[0], roc.y[0], roc.x[-1], roc.y[-1]) == (0, 0, 1, 1)
    rates.kind.set_current(1)
    (det,) = rates.chart.of(Line)
    points = set(zip(roc.x, np.round(roc.y, 9), strict=True))
    assert set(zip(det.x, np.round(1 - det.y, 9), strict=True)) <= points
    assert (det.x > 0).all()
    rates.kind.set_current(3)
    comparisons = evaluation.comparisons()
    assert [line.name for line in rates.chart.of(Line)] == [
        f"the right person ({comparisons.counts[0]})",
        f"others ({comparisons.counts[1]})",
    ]
    (rule,) = rates.chart.of(Rule)
    assert rule.at == error_rates(comparisons.distances, comparisons.mated).equal[1]


def test_what_keeps_it_honest_stands_beside(done):
    rows = [row for row in done.results.baselines.rows if row.isVisible()]
    controls = evaluation_of(done).controls
    assert len(rows) == len(controls) == 6
    assert [row.value.text() for row in rows] == [f"{100 * c.value:.1f} %" for c in controls]
    assert all(row.sentence.text() for row in rows)


def test_a_mistake_shows_its_three_photos_and_selects_them(qtbot, done, hard_session):
    evaluation = evaluation_of(done)
    searches = evaluation.searches
    wrong = np.flatnonzero(~searches.right)
    shown = done.results.mistakes.list.searches
    assert [case.number for case in shown] == wrong.tolist()
    case, number = shown[0], wrong[0]
    photos = evaluation.photos
    assert case.probe.key == photos[searches.probes[number]].key
    assert case.taken.key == photos[searches.taken[number]].key
    assert case.should.key == photos[searches.should[number]].key
    assert case.taken.person != case.probe.person == case.should.person
    assert case.taken.distance <= case.should.distance
    view = done.results.mistakes.list
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert hard_session.photo == case.probe.key
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(0, 0)).center())
    assert hard_session.photo == case.taken.key
    open_it, copy = view.actions()
    copy.trigger()
    assert QGuiApplication.clipboard().text() == case.spoken()
    open_it.trigger()
    assert "is not there" in hard_session.message.text


def test_cells_ranks_and_people_show_their_photos(done, hard_session):
    searches, results = evaluation_of(done).searches, done.results
    number = int(np.flatnonzero(~searches.right)[0])
    who, answer = int(searches.people[number]), int(searches.answers[number])
    results.confusion.chart.picked.emit(0, 6 * who + answer)
    cases = results.mistakes.list.searches
    assert number in [case.number for case in cases]
    assert {case.taken.person for case in cases} == {evaluation_of(done).people[answer]}
    assert results.mistakes.back.isVisible()
    results.match.chart.picked.emit(0, 1)
    assert [case.number for case in results.mistakes.list.searches] == np.flatnonzero(
        searches.ranks == 2
    ).tolist()
    results.people.table.selectRow(0)
    name = seen.rows(results.people.table)[0][0]
    assert hard_session.person == name
    assert {case.probe.person for case in results.mistakes.list.searches} <= {name}
    results.mistakes.back.click()
    assert len(results.mistakes.list.searches) == int((~searches.right).sum())


def test_a_photo_that_is_gone_has_a_placeholder_and_a_line(qtbot, done, hard_session, settled):
    case = done.results.mistakes.list.searches[0]
    hard_session.apply("removing", lambda gallery: gallery.remove([case.probe.key]))
    settled()
    view, before = done.results.mistakes.list, hard_session.photo
    assert view.face(case.probe.key) is None
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 0
    assert hard_session.photo == before
    line = done.notice.text.text()
    assert "1 photo removed" in line
    hard_session.undo()
    settled()
    assert not done.notice.isVisible()


def test_two_runs_side_by_side_and_in_the_report(
    done, hard_session, settled, tmp_path, monkeypatch
):
    choose(done.bar.distance, "cosine")
    assert hard_session.gallery.recipe.matcher.distance == "L2"
    done.run()
    settled()
    runs = done.running.kept()
    assert [run[2].split(" · ")[-1] for run in runs] == ["cosine, k = 8", "L2, k = 8"]
    done.runs.other.activated.emit(1)
    settled()
    said = done.results.comparison.text.text()
    assert "than chance (p" in said or "no difference" in said
    ours, theirs = done.running.current, done.running.compared[0]
    expected = key_figures(ours.record.evaluation, theirs.record.evaluation)
    assert list(tiles(done)) == [tile.name for tile in expected]
    assert [line.name for line in done.results.match.chart.of(Line)] == ["this run", "the other"]
    given = []

    def write_report(record, target, tick, other=None):
        given.append((record, other))
        return (target,)

    monkeypatch.setattr("eigenfaces.report.files.write_report", write_report)
    path = str(tmp_path / "report.html")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (path, ""))
    done.export()
    settled()
    done.runs.other.activated.emit(0)
    settled()
    assert not done.results.comparison.isVisible()
    assert len(done.results.match.chart.of(Line)) == 1
    done.export()
    settled()
    assert given == [(ours.record, theirs.record), (ours.record, None)]


def test_of_more_than_two_runs_each_stands_beside_the_one_shown(done, hard_session, settled):
    for distance in ("cosine", "L1"):
        choose(done.bar.distance, distance)
        assert not done.all_runs.isVisible()
        done.run()
        settled()
    table, project = done.all_runs.table, hard_session.project
    numbers, rows = [number for number, *_ in done.running.kept()][1:], seen.rows(table)
    assert [row[0].split(" · ")[2] for row in rows] == ["cosine, k = 8", "L2, k = 8"]
    for number, row in zip(numbers, rows, strict=True):
        found = difference(evaluation_of(done), project.run(number).evaluation)
        assert tuple(row[1:]) == found.cells
    table.selectRow(1)
    table.activated.emit(table.model().index(1, 0))
    settled()
    assert done.running.compared[0].number == numbers[1]
    assert done.results.comparison.isVisible()


def test_kept_runs_are_shown_again_and_deleted(done, hard_session, settled):
    path, figures = hard_session.project.path, evaluation_of(done).figures
    first = done.running.current.number
    choose(done.bar.protocol, "Leave one photo out")
    done.run()
    settled()
    second = done.running.current.number
    assert evaluation_of(done).setting.protocol.kind == "leave-one-out"
    done.runs.choice.activated.emit(1)
    settled()
    assert done.running.current.number == first
    assert seen.says(done.findChild(PageHeader), "10-fold")
    hard_session.close_project()
    hard_session.switch(Project.open(path))
    settled()
    assert done.running.current.number == second
    done.runs.forget.click()
    settled()
    assert evaluation_of(done).figures == figures
    done.runs.forget.click()
    settled()
    assert hard_session.project.runs() == []
    assert done.nothing.isVisible()
