"""The Evaluate page in its rarer states: under way, cancelled, refused, empty; its controls."""

import sqlite3
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox

from eigenfaces import FaceSet
from eigenfaces.project.content import KeptRun
from eigenfaces.recognition.recipe import RECIPES
from gui.pages.evaluate import runs
from gui.pages.evaluate.page import PROTOCOL_TITLES, EvaluatePage
from gui.state import actions
from tests import synthetic
from tests.gui import seen
from tests.gui.pages.evaluate.test_evaluate import evaluation_of, tiles
from tests.gui.state.gate import LONG, Gate
from tests.synthetic import people


def test_cancelled_keeps_nothing_and_says_so(page, hard_session, do):
    page.run()
    assert page.evaluations.is_running
    do(page.run)  # the same button cancels
    assert not page.evaluations.is_running
    assert hard_session.project.runs == ()
    assert "No result was saved" in hard_session.message.text
    assert page.nothing.isVisible()


def test_a_leak_is_named_and_can_be_allowed(page, hard_session, do):
    copy = np.clip(0.9 * hard_session.gallery.faces.image(0) + 0.02, 0, 1)[None]
    twin = FaceSet.from_arrays(copy, ["Person 3"])
    (photo,) = twin.index.photos
    twin = twin.with_photos({photo.id: synthetic.on_file(photo, Path("/photos/twin.png"))})
    hard_session.apply("adding", lambda gallery: gallery.enrol(twin))
    do(page.run)
    assert page.refusal.isVisible()
    assert "“twin.png” (Person 3)" in page.refusal.text.text()
    assert hard_session.project.runs == ()
    do(seen.button(page.refusal, "Run anyway").click)
    assert not page.refusal.isVisible()
    assert evaluation_of(page).setting.allow_leaks
    assert seen.says(page.notice, "This split leaks. You allowed it")
    assert seen.says(page.notice, "twin.png")


def test_more_components_than_a_fold_can_have_are_refused(page, do):
    seen.choose(page.bar.protocol, "First n photos")
    page.bar.enrolled.setValue(2)
    page.bar.components.number.setValue(200)
    do(page.run)
    people = len(page.session.gallery.people)
    assert page.refusal.text.text() == (
        f"This cannot be evaluated. These folds have at most {2 * people - 1} components, but 200 "
        f"are to be compared. Compare {2 * people - 1} or fewer."
    )
    assert page.evaluations.current is None
    do(seen.button(page.refusal, "Dismiss").click)
    assert not page.refusal.isVisible()


def test_lists_are_read_and_asked_for(page, hard_session, settled, tmp_path, monkeypatch, do):
    seen.choose(page.bar.protocol, "From lists…")
    do(page.run)
    assert "First choose two text files" in page.refusal.text.text()
    photos = hard_session.gallery.index.photos
    for part, some in {"gallery": photos[::2], "probes": photos[1::2], "train": ()}.items():
        path = tmp_path / f"{part}.txt"
        path.write_text("\n".join(photo.path.as_posix() for photo in some), "utf-8")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, at=path: (str(at), ""))
        page.bar.files[part].click()
    settled()
    assert "names no photo" in page.refusal.text.text()
    assert page.bar.files["probes"].text() == "probes.txt"
    do(page.run)
    assert not page.refusal.isVisible()
    assert len(evaluation_of(page).searches) == 12


def test_too_few_people_or_photos_are_named(qtbot, session_of, open_page, do):
    faces = people(np.random.default_rng(1), 3, 2)
    session_of(faces.select([0, 1]))
    page = open_page(EvaluatePage)
    assert page.empty.isVisible()
    assert seen.says(page.empty, "there is only “Person 1”")
    with qtbot.waitSignal(page.photos_wanted):
        page.empty.buttons[0].click()
    do(session_of, faces.select([0, 2, 4]))
    assert seen.says(page.empty, "nobody has two: Person 1 (1), Person 2 (1), Person 3 (1)")
    assert "Run" not in seen.button_names(page)


def test_what_was_just_written_can_be_opened(page, hard_session, do, tmp_path, monkeypatch):
    path, opened, questions = tmp_path / "report.html", [], []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    monkeypatch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())  # not asked about
    page.export()
    assert "no result" in hard_session.message.text
    do(page.run)
    assert not page.written.isVisible()
    do(page.export)
    assert path.is_file()
    assert "“report.html”, “report.json” and “report-scores.txt”" in page.written.text.text()
    button = seen.button(page.written, "Open it")
    button.click()
    assert [Path(url.toLocalFile()) for url in opened] == [path]
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    button.click()
    assert "no program on this computer can open" in hard_session.message.text
    seen.button(page.written, "Dismiss").click()
    assert not page.written.isVisible()
    # What is beside it is replaced only if that was agreed to.
    path.unlink()
    path.with_name("report-scores.txt").unlink()
    path.with_suffix(".json").write_text("mine")
    answers = [QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes]
    monkeypatch.setattr(
        QMessageBox, "question", lambda *a: questions.append(a[2]) or answers.pop(0)
    )
    do(page.export)
    assert not path.exists()
    assert path.with_suffix(".json").read_text() == "mine"
    page.export()
    do(page.hide)
    assert path.with_suffix(".json").read_text() != "mine"
    assert questions == ["“report.json” already exists and will also be replaced."] * 2
    assert "“report.html”" in hard_session.message.text  # for somebody on another page


def test_one_that_the_file_cannot_take_is_shown_and_is_not_kept(
    page, hard_session, do, monkeypatch
):
    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as disk:
        disk.setattr("eigenfaces.project.rows.RowChange.write", full)
        do(page.run)
    assert hard_session.message.severity == "error"
    assert hard_session.project.runs == ()
    assert page.results.isVisible()
    assert page.evaluations.current.kept is None


@pytest.mark.parametrize("later", [False, True])
def test_one_that_ends_as_the_project_is_saved_elsewhere_is_whole_there(
    page, hard_session, settled, tmp_path, monkeypatch, qtbot, later
):
    gate, measure = Gate(), runs.evaluate

    def held(faces, setting, tick, enter):
        gate.work(tick)
        return measure(faces, setting, tick, enter)

    monkeypatch.setattr(runs, "evaluate", held)
    page.run()
    actions.save_as(hard_session, tmp_path / "mine")
    evaluating, saving = hard_session.jobs.running
    if later:
        qtbot.waitUntil(lambda: hard_session.project.path.stem == "mine")
        gate.open.set()
    deadline = time.monotonic() + LONG
    while not (saving.is_done and evaluating.is_done) and time.monotonic() < deadline:
        time.sleep(0.01)  # no event of the window is handled
        if saving.is_done:
            gate.open.set()
    settled()
    assert hard_session.project.path.stem == "mine"
    (kept,) = hard_session.project.runs
    assert hard_session.project.record(kept).evaluation.metrics == evaluation_of(page).metrics


def test_all_of_it_is_read_aloud(done):
    assert seen.unread(done) == []


def test_a_record_that_cannot_be_read_is_said(done, hard_session, do):
    do(done.evaluations.show, KeptRun("", "", "not there"))
    assert hard_session.message.severity == "error"


def test_another_project_opened_meanwhile_is_not_left_with_these_figures(
    page, hard_session, session_of, do
):
    page.run()
    do(session_of, people(np.random.default_rng(2), 3, 4))
    assert not page.evaluations.is_running
    assert not page.results.isVisible()
    assert "Run again" not in seen.button_names(page)
    assert "not saved" in hard_session.message.text


def test_strangers_give_what_their_limit_reached_instead_of_rank_5(page, do):
    for protocol in PROTOCOL_TITLES.values():
        seen.choose(page.bar.protocol, protocol)
        assert page.bar.share.isVisible() == (protocol in ("Open set", "From lists…"))
    seen.choose(page.bar.protocol, "Open set")
    page.bar.enrolled.setValue(2)
    page.bar.components.number.setValue(5)
    assert page.bar.setting().share == 0.01
    page.bar.share.setValue(5)
    do(page.run)
    assert evaluation_of(page).setting.share == 0.05
    names = [name for name, *_ in tiles(page)]
    assert names == ["rank-1", "DIR reached", "FPIR reached", "mistakes"]
    assert "5 % allowed" in tiles(page)[2][3]
    rates = page.results.rates
    seen.button(rates, "DIR").click()
    assert rates.chart.axes.y.label.startswith("DIR")
    seen.choose(page.bar.protocol, "Leave one photo out")
    do(page.run)
    assert rates.kind == "ROC", "there are no strangers any more"


def test_every_recipe_can_be_measured(page, do):
    do(page.session.apply, "x", synthetic.joined)
    own = page.session.gallery.recipe
    for name in RECIPES:
        seen.choose(page.bar.recipe, name)
        assert page.bar.setting().recipe.name == name
    seen.choose(page.bar.recipe, "Texture")
    seen.choose(page.bar.protocol, "First n photos")
    page.bar.enrolled.setValue(2)
    do(page.run)
    assert evaluation_of(page).setting.recipe == RECIPES["Texture"]
    assert "Texture" in page.runs.choice.currentText()
    seen.choose(page.bar.recipe, own.name)
    assert page.bar.setting().recipe == own
