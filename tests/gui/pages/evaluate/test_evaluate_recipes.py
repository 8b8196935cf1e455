"""Thirty years on your own photos: what Automatic measured, all measured, and what cannot be."""

from dataclasses import replace

from PySide6.QtWidgets import QFileDialog

from eigenfaces.evaluation.records import read_report
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.text import percent
from tests.gui import seen


def values(page) -> list[str]:
    return [row.value.text() for row in page.recipes.rows.values()]


def test_what_automatic_measured_stands_there_at_once(page, hard_session, settled):
    chosen = RecipeChoice("Network", {"Eigenfaces": 0.36, "Network": 0.98})
    hard_session.apply("x", lambda now: replace(now, automatic=chosen))
    settled()
    assert values(page) == ["36.0 %", "not measured", "not measured", "98.0 %"]
    assert (
        page.recipes.sentence.text() == f"{chosen.reason} No other can be more than 3 points ahead."
    )
    assert page.recipes.isVisible()


def test_all_are_measured_in_ten_folds_and_stand_in_the_report(
    page, hard_session, settled, tmp_path, monkeypatch
):
    page.recipes.measure.click()
    assert page.recipes.measure.text() == "Cancel"
    settled()
    expected = page.recipes.compared
    assert [result.recipe for result in expected.results] == list(RECIPES)
    assert values(page) == [
        "not measured" if result.figure is None else percent(result.figure.value)
        for result in expected.results
    ]
    assert "7 people or more" in page.recipes.rows["Texture"].sentence.text()
    assert page.recipes.sentence.text() == expected.sentence
    page.run()
    settled()
    path = tmp_path / "report.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    page.export()
    settled()
    assert read_report(path).evaluation.recipes == expected
    first = hard_session.gallery.index.photos[0].key
    hard_session.apply("x", lambda now: now.move([first], "Somebody"))
    settled()
    assert page.recipes.compared is None  # of other people


def test_measuring_can_be_cancelled(page, settled):
    page.recipes.measure.click()
    page.recipes.measure.click()
    settled()
    assert page.recipes.measure.text() == "Measure all"
    assert page.recipes.compared is None


def test_the_header_stays_while_the_page_is_scrolled(done):
    bar, button = done.scrolled.verticalScrollBar(), seen.button(done, "Run again")
    before = button.mapTo(done, button.pos())
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    assert button.mapTo(done, button.pos()) == before
