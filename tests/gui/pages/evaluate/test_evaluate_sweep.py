"""The sweep on the Evaluate page: its settings, its table, cancelling, continuing."""

import csv

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.evaluation.evaluate import evaluate
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.results import Setting
from gui.pages.evaluate.sweep import SweepCard
from tests.gui import seen
from tests.synthetic import people


@pytest.fixture
def setting():
    return Setting(Recipe.of(components=5), KFold(2))


@pytest.fixture
def card(qtbot, session, tmp_path, setting):
    faces = people(np.random.default_rng(8), 4, 4, spread=0.28)
    gallery = Gallery(faces, Preparation(*faces.shape, already_cropped=True), Recipe())
    session.switch(Project.create(tmp_path / "people.eigenfaces", gallery))
    made = SweepCard(session, lambda: setting)
    qtbot.addWidget(made)
    made.rows["components"].setText("2, 5")
    made.show()
    yield made
    seen.settle(qtbot, session)


@pytest.fixture
def settled(qtbot, session, card):
    return lambda: seen.settle(qtbot, session)


def rows(card) -> list[list[str]]:
    model = card.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_every_combination_once_the_best_first(card, settled, session, setting):
    card.rows["dropped"].setText("0 1")
    card.start()
    settled()
    shown = rows(card)
    assert len(shown) == 4 * 2 * 2
    assert len({tuple(row[:5]) for row in shown}) == 16
    shares = [float(row[6].split()[0]) for row in shown]
    assert shares == sorted(shares, reverse=True)
    expected = evaluate(session.gallery.faces, setting).figure("rank-1")
    (same,) = [row for row in shown if row[:3] == ["L2", "5", "0"]]
    assert same[6] == f"{100 * expected.value:.1f} %"


def test_it_goes_on_where_it_was_left(card, settled):
    card.start()
    settled()
    before = rows(card)
    card.rows["components"].setText("2, 5, 6")
    card.start()
    settled()
    after = rows(card)
    assert len(after) == 12
    assert {tuple(row) for row in before} < {tuple(row) for row in after}


def test_cancelled_keeps_what_there_is(card, settled, session):
    card.start()
    settled()
    known = len(rows(card))
    card.sizes.setText("100, 50")
    card.start()
    card.start()  # the same button cancels
    settled()
    assert len(rows(card)) >= known
    assert "cancelled" in card.state.text()
    card.start()
    settled()
    assert len(rows(card)) == 2 * known
    assert {row[4] for row in rows(card)} == {"16 × 16", "8 × 8"}


def test_what_cannot_be_is_said(card, settled):
    card.rows["components"].setText("many")
    card.start()
    assert "whole numbers" in card.state.text()
    card.rows["components"].setText("500")
    card.start()
    settled()
    assert "at most" in card.state.text()
    for tick in card.rows["distance"].ticks:
        tick.setChecked(False)
    card.start()
    assert "at least one distance" in card.state.text()


def test_numbers_of_components_that_no_fold_has_are_named(card, settled):
    card.rows["components"].setText("2, 5, 200, 90")
    assert not card.caution.isVisible()
    card.start()
    settled()
    assert len(rows(card)) == 4 * 2
    assert "k = 90, 200 left out: these folds have at most 7 components." in card.state.text()
    assert "chosen on the probes themselves, is optimistic" in card.caution.text()
    assert card.caution.isVisible()
    card.rows["components"].setText("2, 5")
    card.start()
    settled()
    assert "left out" not in card.state.text()


def test_whatever_a_recipe_has_can_be_gone_through(card, settled):
    """Nothing ticked, and no number: as in the recipe."""
    assert list(card.rows) == list(Recipe().settings)
    for tick in (*card.rows["rule"].ticks, *card.rows["whitening"].ticks[:2]):
        tick.setChecked(True)
    card.rows["smoothing"].setText("0, 10%")
    card.rows["neighbours"].setText("1 3")
    card.start()
    settled()
    cells = card.grid().starts()
    assert {cell.matcher.rule for cell in cells} == {"nearest", "class mean", "mean distance"}
    assert {cell.matcher.smoothing for cell in cells} == {0.0, "10%"}
    recipes = {row[5] for row in rows(card)}
    assert "Eigenfaces, whitening pca, smoothing 10%, neighbours 3" in recipes
    assert "Eigenfaces, whitening pca, rule class mean" in recipes
    card.rows["smoothing"].setText("much")
    card.start()
    assert "share of the mean variance kept" in card.state.text()


def test_the_table_is_exported(card, settled, session, tmp_path, monkeypatch):
    card.start()
    settled()
    path = tmp_path / "sweep.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    card.export.click()
    settled()
    with path.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 8
    assert {line["distance"] for line in lines} == set(card.rows["distance"].chosen())


def test_it_says_what_was_left_out(card, settled):
    card.rows["components"].setText("2, 200")
    card.start()
    settled()
    assert {row[1] for row in rows(card)} == {"2"}
    assert "k = 200 left out: these folds have at most 7 components." in card.state.text()
